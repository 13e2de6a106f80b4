// SPDX-License-Identifier: GPL-2.0
/*
 * The device's half of a CUDA source: clang's IR for NVPTX, made the GPU's by uvm-retarget, compiled,
 * and linked with the device library into an image.
 */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <linux/softgpu_kernel_abi.h>

#include "cc_cuda.h"
#include "cc/cc_refuse.h"
#include "uvm_cmd.h"

/*
 * What the front end has for each half: sm_70 is the first whose threads of a warp may diverge as
 * they do here.  Of loops that are not unrolled nvcc says nothing.
 */
#define CUDA_FLAGS "-x cuda -nocudainc -nocudalib --cuda-gpu-arch=sm_70 -Wno-unknown-cuda-version " \
		   "-Wno-unused-command-line-argument " CC_AS_GXX \
		   "-Wno-pass-failed -D__CUDACC__ -D__NVCC__ -D__CUDA_ARCH_LIST__=700 " \
		   "-D__CUDACC_VER_MAJOR__=12 -D__CUDACC_VER_MINOR__=0 -D__CUDACC_VER_BUILD__=0"

/* Without an SDK clang 14 takes the oldest PTX, which has no warp intrinsics: 7.0 is of CUDA 11. */
#define DEVICE_PTX "-Xclang -target-feature -Xclang +ptx70 "

/*
 * The optimiser is left to the GPU's own compilation; what errors need to name lines is not.  CUB writes
 * words and reads their halves, as nvcc takes it: types do not say that accesses are apart.
 */
#define DEVICE_FLAGS DEVICE_PTX "--cuda-device-only -O2 -Xclang -disable-llvm-passes -fno-jump-tables " \
		     "-ffp-contract=off -fno-math-errno -fno-exceptions -fno-strict-aliasing " \
		     "-Xclang -debug-info-kind=line-tables-only -c -emit-llvm"

/* Both halves have one number, by which clang tells static variables of files apart. */
static bool add_relocatable(struct cc_line *line, const struct cc_options *o)
{
	return !o->relocatable ||
	       (cc_add(line, "-fgpu-rdc") && cc_addf(line, "-cuid=%s", o->unit));
}

bool cc_add_headers(struct cc_line *line, const struct cc_places *p)
{
	return cc_addf(line, "-I%s/cuda/include", p->tools) &&
	       cc_addf(line, "-I%s/cuda/include/forward", p->tools);
}

bool cc_cuda_flags(struct cc_line *line, const struct cc_options *o, const struct cc_places *p)
{
	return cc_add_flags(line, CUDA_FLAGS) && cc_add_headers(line, p) &&
	       cc_addf(line, "-I%s/cuda/include/device", p->tools) &&
	       cc_addf(line, "-I%s/../include/uapi", p->tools) && cc_add(line, "-include") &&
	       cc_add(line, "cuda_runtime.h") && add_relocatable(line, o) &&
	       cc_add_line(line, &o->both);
}

int cc_device_ir(const struct cc_options *o, const struct cc_places *p, const char *source,
		 const char *ir)
{
	struct cc_line line = { 0 };

	if (!cc_add(&line, p->clangxx) || !cc_cuda_flags(&line, o, p) ||
	    !cc_add_flags(&line, DEVICE_FLAGS) || !cc_add(&line, source) || !cc_add(&line, "-o") ||
	    !cc_add(&line, ir))
		return EXIT_USAGE;
	return cc_compile(&line, o, p);
}

static int retarget(const struct cc_options *o, const struct cc_places *p, const struct cc_line *irs)
{
	struct cc_line line = { 0 };

	if (!cc_addf(&line, "%s/cuda/uvm-retarget", p->libraries) ||
	    !cc_addf(&line, "%s/device.bc", p->work) ||
	    !cc_addf(&line, "%s/cuda/inline.bc", p->libraries) ||
	    !cc_addf(&line, "%s/cuda/device.symbols", p->libraries) || !cc_add_line(&line, irs))
		return EXIT_USAGE;
	return cc_compile(&line, o, p);
}

static int back_end(const struct cc_options *o, const struct cc_places *p)
{
	struct cc_line line = { 0 };

	if (!cc_add(&line, p->clang) || !cc_add_flags(&line, UVM_CUDA_IR_FLAGS) ||
	    !cc_addf(&line, "%s/device.bc", p->work) || !cc_add(&line, "-o") ||
	    !cc_addf(&line, "%s/device.o", p->work))
		return EXIT_USAGE;
	return cc_execute(&line, o->verbose, -1, NULL);
}

static int link_image(const struct cc_options *o, const struct cc_places *p, const char *image,
		      unsigned long stack)
{
	struct cc_line line = { 0 };
	char text[PATH_MAX + 16];
	int status;
	FILE *said;

	if (!cc_add(&line, p->lld) || !cc_add_flags(&line, UVM_KERNEL_LDFLAGS) ||
	    !cc_add(&line, "--gc-sections") || !cc_add(&line, "-T") ||
	    !cc_addf(&line, "%s/cuda/device/device.ld", p->tools) ||
	    !cc_addf(&line, "--defsym=__softgpu_stack_bytes=%lu", stack) ||
	    !cc_addf(&line, "%s/device.o", p->work) ||
	    !cc_addf(&line, "%s/cuda/device.a", p->libraries) || !cc_add(&line, "-o") ||
	    !cc_add(&line, image))
		return EXIT_USAGE;
	snprintf(text, sizeof(text), "%s/said", p->work);
	status = cc_execute(&line, o->verbose, STDERR_FILENO, text);
	said = cc_open_said(text);
	if (!said)
		return EXIT_DEVICE;
	cc_explain_link(said, NULL);
	fclose(said);
	return status;
}

/* Linked twice if the stack is not what a thread has anyway. */
static int link_with_stack(const struct cc_options *o, const struct cc_places *p, const char *image)
{
	uint64_t stack = SGPU_STACK_DEFAULT;
	int status = link_image(o, p, image, stack);

	if (status)
		return status;
	if (!cc_image_stack(image, &stack))
		return EXIT_WRONG;
	return stack == SGPU_STACK_DEFAULT ? EXIT_OK : link_image(o, p, image, stack);
}

int cc_image_of(const struct cc_options *o, const struct cc_places *p, const struct cc_line *irs,
		const char *image)
{
	int status = retarget(o, p, irs);

	if (!status)
		status = back_end(o, p);
	return status ? status : link_with_stack(o, p, image);
}

int cc_image(const struct cc_options *o, const struct cc_places *p, const char *source,
	     const char *image)
{
	struct cc_line ir = { 0 };
	int status;

	if (!cc_addf(&ir, "%s/nvptx.bc", p->work))
		return EXIT_USAGE;
	status = cc_device_ir(o, p, source, ir.word[0]);
	return status ? status : cc_image_of(o, p, &ir, image);
}
