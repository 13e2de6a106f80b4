// SPDX-License-Identifier: GPL-2.0
/* What compilers say, with a note where a part of CUDA is asked for that is not here. */
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cc_cuda.h"
#include "uvm_cmd.h"

/**
 * struct missing - a part of CUDA that is not here
 * @what: its name
 * @instead: what a program can do
 * @patterns: of words that errors name in quotes, with blanks between
 * @phrase: or what the error says
 */
struct missing {
	const char *what, *instead, *patterns, *phrase;
};

/* Names: NVIDIA's documentation of CUDA 12 and of its libraries. */
static const struct missing missing_parts[] = {
	{ "cubemaps are", "a layered array of six", "texCubemap* surfCubemap*", NULL },
	{ "textures of the driver API are", "cudaCreateTextureObject()", "cuTex* cuArray*", NULL },
	{ "references of surfaces are", "cudaCreateSurfaceObject()", "surface cudaBindSurface* cuSurf*",
	  NULL },
	{ "mipmaps are", "an array for each level",
	  "cudaMallocMipmapped* cudaFreeMipmapped* cudaGetMipmapped* cudaMipmapped* "
	  "cudaBindTextureToMipmapped* tex*Lod tex*Grad", NULL },
	{ "attributes of the memory of graphs are", "cudaMemGetInfo()",
	  "cudaGraphMemAttr* cudaDeviceGetGraphMemAttribute cudaDeviceSetGraphMemAttribute", NULL },
	{ "conditional nodes of graphs are", "launch the graph from a loop of the CPU's",
	  "cudaGraphConditional* cudaGraphSetConditional cudaGraphCond* cudaConditionalNodeParams", NULL },
	{ "graphs of the driver API are", "cudaGraphCreate() and its like",
	  "CUgraph* cuGraph* cuStream*Capture*", NULL },
	{ "pools of other processes are", "use one process", "cudaMemPoolExport* cudaMemPoolImport*", NULL },
	{ "memory of other processes is", "use one process", "cudaIpc*", NULL },
	{ "dynamic parallelism (a launch by a kernel) is", "launch it from the CPU", NULL,
	  "reference to __global__ function" },
	{ "this instruction of PTX is", "write it in C++, or with CUDA's intrinsic for it", NULL,
	  "PTX in asm() '" },
	{ "memory with an alignment above 16 bytes is", "allocate more, and align the address", NULL,
	  "the function 'operator new" },
	{ "matrix fragments (wmma) are", "compute with plain arrays", "mma.h nvcuda wmma", NULL },
	/* Headers of Debian's packages; nothing of them is in the tree. */
	{ "Thrust is", "apt install libthrust-dev libcub-dev", "thrust thrust/*", NULL },
	{ "CUB is", "apt install libthrust-dev libcub-dev", "cub cub/*", NULL },
	{ "this part of libcu++ is", "use <cuda/atomic>, <cuda/barrier>, <cuda/pipeline>, or the header of "
	  "the C++ library", "cuda/* cuda/std/* cuda/experimental/*", NULL },
	{ "this part of cuBLAS is", "cublas_v2.h has float and double: vectors, gemv, symv, ger, gemm, syrk, "
	  "geam, dgmm; else write the kernel", "cublas*", NULL },
	{ "cuFFT is", "write the kernel", "cufft*", NULL },
	{ "cuRAND of the CPU's side (curand.h) is",
	  "make the numbers on the CPU, or in a kernel with curand_kernel.h", "curand*", NULL },
	{ "cuSPARSE is", "write the kernel", "cusparse*", NULL },
	{ "cuSOLVER is", "write the kernel", "cusolver*", NULL },
	{ "cuDNN is", "write the kernel", "cudnn*", NULL },
	{ "NCCL is", "copy with cudaMemcpyPeer()", "nccl*", NULL },
	{ "NVRTC is", "compile the kernel with the program", "nvrtc*", NULL },
	{ "NVML is", "ask cudaGetDeviceProperties()", "nvml*", NULL },
	{ "graphics (OpenGL, Vulkan, EGL) are", "write the picture to a file",
	  "cuda_gl_interop.h cudaGL* cuda_egl* cudaGraphics* GL/* helper_gl.h vulkan/* EGL/*", NULL },
};

#define PARTS (sizeof(missing_parts) / sizeof(*missing_parts))

static bool matches(const char *word, const char *patterns)
{
	char pattern[64];
	int read;

	for (; sscanf(patterns, "%63s%n", pattern, &read) == 1; patterns += read)
		if (!fnmatch(pattern, word, 0))
			return true;
	return false;
}

/* The words of an error are in quotes: the first that is known says what is missing. */
static const struct missing *find_missing(const char *error)
{
	char word[128];

	for (size_t i = 0; i < PARTS; i++)
		if (missing_parts[i].phrase && strstr(error, missing_parts[i].phrase))
			return &missing_parts[i];
	while ((error = strchr(error, '\''))) {
		if (sscanf(error, "'%127[^']'", word) != 1)
			break;
		error += strlen(word) + 1;
		for (size_t i = 0; i < PARTS; i++)
			if (missing_parts[i].patterns && matches(word, missing_parts[i].patterns))
				return &missing_parts[i];
		error += *error == '\'';
	}
	return NULL;
}

static void say(const char *place, const struct missing *m)
{
	fprintf(stderr, "%snote: %s not available here: %s\n", place, m->what, m->instead);
}

/* A new message, not the source that belongs to the last one. */
static bool begins_message(const char *line)
{
	return strstr(line, "error: ") || strstr(line, "warning: ") || strstr(line, "note: ") ||
	       strstr(line, " generated");
}

/* FILE:LINE:COLUMN: error: ..., and the source's line.  Each part is explained once. */
static void explain(FILE *said)
{
	bool told[PARTS] = { false };
	char line[4096], place[4096];
	const struct missing *m = NULL;

	while (fgets(line, sizeof(line), said)) {
		const char *error = strstr(line, "error: ");

		if (m && begins_message(line)) {
			say(place, m);
			m = NULL;
		}
		fputs(line, stderr);
		m = error ? find_missing(error) : m;
		if (error && m && !told[m - missing_parts]) {
			told[m - missing_parts] = true;
			snprintf(place, sizeof(place), "%.*s", (int)(error - line), line);
		} else if (error) {
			m = NULL;
		}
	}
	if (m)
		say(place, m);
}

int cc_compile(const struct cc_line *line, const struct cc_options *o, const struct cc_places *p)
{
	char text[PATH_MAX + 16];
	int status;
	FILE *said;

	snprintf(text, sizeof(text), "%s/compiler-said", p->work);
	status = cc_execute(line, o->verbose, STDERR_FILENO, text);
	said = cc_open_said(text);
	if (!said)
		return EXIT_DEVICE;
	explain(said);
	fclose(said);
	return status;
}
