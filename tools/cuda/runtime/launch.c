// SPDX-License-Identifier: GPL-2.0
/* Launches: <<<>>> and cudaLaunchKernel(), and what a kernel needs of an SM. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <softgpu/kernel_abi.h>

#include "runtime.h"

#define LAUNCH_ARGS_MAX	4096	/* softgpu_launch.args_bytes */
#define LAUNCH_NESTED	16	/* <<<>>> with a launch in an argument of the kernel */
#define LAUNCH_OUTPUT	256	/* so many launches until somebody looks what they printed */

/* What stands between <<< and >>>. */
static _Thread_local struct launch_configuration {
	dim3 grid, block;
	size_t shared;
	cudaStream_t stream;
} launch_stack[LAUNCH_NESTED];
static _Thread_local unsigned int launch_depth;

unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
					 cudaStream_t stream)
{
	if (launch_depth == LAUNCH_NESTED)
		return 1;
	launch_stack[launch_depth++] = (struct launch_configuration){
		.grid = grid, .block = block, .shared = shared_bytes, .stream = stream,
	};
	return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes, void *stream)
{
	struct launch_configuration *c;

	if (!launch_depth)
		return rt_note(cudaErrorMissingConfiguration);
	c = &launch_stack[--launch_depth];
	*grid = c->grid;
	*block = c->block;
	*shared_bytes = c->shared;
	*(cudaStream_t *)stream = c->stream;
	return cudaSuccess;
}

/* ---- arguments -------------------------------------------------------- */

/* A slot of 8 bytes each, then the structures, which slots point to.  0: they do not fit. */
static uint32_t launch_pack(const struct rt_function *f, void **args, unsigned char *block)
{
	size_t at = f->param_count * 8UL;

	if (at > LAUNCH_ARGS_MAX)
		return 0;
	memset(block, 0, at);
	for (uint32_t i = 0; i < f->param_count; i++) {
		const struct rt_param *p = &f->params[i];
		uint64_t address;

		if (!p->by_address) {
			memcpy(block + 8 * i, args[i], p->bytes < 8 ? p->bytes : 8);
			continue;
		}
		at = (at + 15) & ~15UL;
		if (at + p->bytes > LAUNCH_ARGS_MAX)
			return 0;
		address = SGPU_WINDOW_ARGS + at;
		memcpy(block + 8 * i, &address, 8);
		memcpy(block + at, args[i], p->bytes);
		at += p->bytes;
	}
	/* the device wants some */
	return at ? (at + 7) & ~7UL : 8;
}

/* ---- what fits -------------------------------------------------------- */

static uint64_t launch_least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* As softgpu/sm/launch.c has it. */
int rt_occupancy(const struct rt_device *d, const struct rt_function *f, uint64_t threads,
		 uint64_t shared)
{
	const struct rt_image *image = rt_module_image(f->module);
	uint64_t warps = (threads + 31) / 32, n = d->info.blocks_per_sm;

	shared = (shared + image->shared_bytes + 15) & ~15ULL;
	if (shared > rt_profile(d, "shared_bytes_per_block"))
		return 0;
	n = launch_least(n, d->info.warps_per_sm / warps);
	n = launch_least(n, d->info.threads_per_sm / (warps * 32));
	n = launch_least(n, rt_profile(d, "regs_per_sm") / (image->registers * warps * 32));
	if (shared)
		n = launch_least(n, rt_profile(d, "shared_bytes_per_sm") / shared);
	return (int)n;
}

/* Limits of CUDA's compute capabilities 6 and 7, which the device has, too. */
static cudaError_t launch_check(const struct rt_device *d, const struct rt_function *f, dim3 grid,
				dim3 block, size_t shared)
{
	uint64_t threads = (uint64_t)block.x * block.y * block.z;

	if (!grid.x || !grid.y || !grid.z || !block.x || !block.y || !block.z)
		return cudaErrorInvalidConfiguration;
	if (grid.x > 0x7fffffff || grid.y > 65535 || grid.z > 65535 || block.x > 1024 ||
	    block.y > 1024 || block.z > 64 || threads > 1024)
		return cudaErrorInvalidConfiguration;
	if (shared + rt_module_image(f->module)->shared_bytes >
	    rt_profile(d, "shared_bytes_per_block"))
		return cudaErrorInvalidValue;
	if (!rt_occupancy(d, f, threads, shared))
		return cudaErrorLaunchOutOfResources;
	return cudaSuccess;
}

/* ---- launches --------------------------------------------------------- */

/* CUDA_LAUNCH_BLOCKING=1: a failure is told by the call that launches. */
static bool launch_is_blocking(void)
{
	static int blocking = -1;
	const char *value;

	if (blocking < 0) {
		value = getenv("CUDA_LAUNCH_BLOCKING");
		blocking = value && *value && strcmp(value, "0");
	}
	return blocking;
}

static cudaError_t launch_run(const struct rt_function *f, const struct launch_configuration *c,
			      void **args)
{
	static unsigned int since_output;
	struct CUstream_st *s = rt_stream(c->stream);
	unsigned char block[LAUNCH_ARGS_MAX];
	struct uvm_launch_params l;
	struct rt_device *d;
	cudaError_t error;
	int err;

	if (!s)
		return cudaErrorInvalidResourceHandle;
	d = &rt.devices[s->device];
	error = launch_check(d, f, c->grid, c->block, c->shared);
	if (error)
		return error;
	l = (struct uvm_launch_params){
		.gpu = d->gpu, .entry = f->entry, .name = f->shown, .args = block,
		.grid = { c->grid.x, c->grid.y, c->grid.z },
		.block = { c->block.x, c->block.y, c->block.z },
		.shared_bytes = (uint32_t)c->shared,
		.args_bytes = launch_pack(f, args, block),
	};
	if (!l.args_bytes)
		return cudaErrorInvalidValue;
	error = rt_module_load(f->module, s->device, &l.image);
	if (!error)
		error = rt_stream_before(s, RT_LAUNCH);
	if (error)
		return error;
	rt_events_resolve_old();
	err = uvm_launch(rt.u, &l);
	if (err) {
		rt_complain(f->name);
		return rt_error(err);
	}
	s->launch = uvm_last_launch(rt.u, d->gpu);
	if (++since_output % LAUNCH_OUTPUT == 0)
		rt_print_output();
	return launch_is_blocking() ? rt_stream_finish(s) : cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **args,
			     size_t shared_bytes, cudaStream_t stream)
{
	const struct launch_configuration c = {
		.grid = grid, .block = block, .shared = shared_bytes, .stream = stream,
	};
	cudaError_t error = rt_enter();
	struct rt_function *f = error ? NULL : rt_function(function);

	if (!error && (!f || !f->entry[0]))
		error = cudaErrorInvalidDeviceFunction;
	return rt_leave(error ? error : launch_run(f, &c, args));
}

/* All blocks of the grid at once: the device has no barrier of a grid. */
cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **args,
					size_t shared_bytes, cudaStream_t stream)
{
	(void)function, (void)grid, (void)block, (void)args, (void)shared_bytes, (void)stream;
	return rt_note(cudaErrorNotSupported);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function, void **args)
{
	if (!config || (config->numAttrs && !config->attrs))
		return rt_note(cudaErrorInvalidValue);
	for (unsigned int i = 0; i < config->numAttrs; i++)
		if (config->attrs[i].id != cudaLaunchAttributeIgnore &&
		    config->attrs[i].id != cudaLaunchAttributePriority)
			return rt_note(cudaErrorNotSupported);
	return cudaLaunchKernel(function, config->gridDim, config->blockDim, args,
				config->dynamicSmemBytes, config->stream);
}
