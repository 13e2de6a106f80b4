// SPDX-License-Identifier: GPL-2.0
/* Launches: <<<>>> and cudaLaunchKernel(), and what a kernel needs of an SM. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph.h"

#define LAUNCH_TOGETHER	4088	/* SOFTUVM_COOPERATIVE_WORD of cooperative_groups.h */
#define LAUNCH_NESTED	64	/* <<<>>> with a launch in an argument of the kernel */
#define LAUNCH_OUTPUT	256	/* so many launches until somebody looks what they printed */

/*
 * What stands between <<< and >>>, the latest of a thread: one that nobody takes, as an argument of its
 * kernel threw an exception, makes room for a later one.
 */
static _Thread_local struct launch_configuration {
	struct rt_launch launch;
	cudaStream_t stream;
} launch_stack[LAUNCH_NESTED];
static _Thread_local unsigned int launch_next, launch_kept;

unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
					 cudaStream_t stream)
{
	if (launch_kept < LAUNCH_NESTED)
		launch_kept++;
	launch_stack[launch_next++ % LAUNCH_NESTED] = (struct launch_configuration){
		.launch = { .grid = grid, .block = block, .shared = shared_bytes }, .stream = stream,
	};
	return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes, void *stream)
{
	struct launch_configuration *c;

	if (!launch_kept)
		return rt_note(cudaErrorMissingConfiguration);
	launch_kept--;
	c = &launch_stack[--launch_next % LAUNCH_NESTED];
	*grid = c->launch.grid;
	*block = c->launch.block;
	*shared_bytes = c->launch.shared;
	*(cudaStream_t *)stream = c->stream;
	return cudaSuccess;
}

/* ---- arguments -------------------------------------------------------- */

/* What a barrier of the grid looks for, behind all arguments. */
static void launch_mark(struct rt_arguments *a)
{
	const uint64_t mark = 1;

	memset(a->block + a->bytes, 0, LAUNCH_TOGETHER - a->bytes);
	memcpy(a->block + LAUNCH_TOGETHER, &mark, sizeof(mark));
	a->bytes = LAUNCH_TOGETHER + sizeof(mark);
}

static cudaError_t launch_arguments(const struct rt_function *f, const struct rt_launch *l,
				    void **args, int device, struct rt_arguments *a)
{
	cudaError_t error = rt_arguments(f, args, device,
					 l->together ? LAUNCH_TOGETHER : RT_ARGUMENTS_MAX, a);

	if (!error && l->together)
		launch_mark(a);
	return error;
}

/* ---- what fits -------------------------------------------------------- */

static uint64_t launch_least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The image takes its part, and the launch the rest; more than there can be stays so. */
uint64_t rt_shared(const struct rt_function *f, uint64_t dynamic)
{
	uint64_t image = rt_module_image(f->module)->shared_bytes;
	uint64_t own = f->shared_bytes + launch_least(dynamic, UINT32_MAX);

	return own > image ? own : image;
}

/* As softgpu/sm/launch.c has it. */
int rt_occupancy(const struct rt_device *d, const struct rt_function *f, uint64_t threads,
		 uint64_t shared)
{
	const struct rt_image *image = rt_module_image(f->module);
	uint64_t warps = (threads + 31) / 32, n = d->info.blocks_per_sm;

	shared = (rt_shared(f, shared) + 15) & ~15ULL;
	if (shared > rt_profile(d, "shared_bytes_per_block"))
		return 0;
	n = launch_least(n, d->info.warps_per_sm / warps);
	n = launch_least(n, d->info.threads_per_sm / (warps * 32));
	n = launch_least(n, rt_profile(d, "regs_per_sm") / (image->registers * warps * 32));
	if (shared)
		n = launch_least(n, rt_profile(d, "shared_bytes_per_sm") / shared);
	return (int)n;
}

/* With a barrier of the grid: launches of a GPU run one by one, so that this one has all SMs. */
static cudaError_t launch_check_together(const struct rt_device *d, const struct rt_function *f,
					 const struct rt_launch *l)
{
	uint64_t blocks = (uint64_t)l->grid.x * l->grid.y, most;

	most = (uint64_t)d->info.sm_count *
	       rt_occupancy(d, f, (uint64_t)l->block.x * l->block.y * l->block.z, l->shared);
	if (blocks > most || blocks * l->grid.z > most)
		return cudaErrorCooperativeLaunchTooLarge;
	return cudaSuccess;
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
	if (rt_shared(f, shared) > rt_profile(d, "shared_bytes_per_block"))
		return cudaErrorInvalidValue;
	if (threads > f->threads || !rt_occupancy(d, f, threads, shared))
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

static bool launch_has_arguments(const struct rt_kernel_work *k)
{
	for (uint32_t i = 0; i < k->function->param_count; i++)
		if (!k->args || !k->args[i])
			return false;
	return true;
}

cudaError_t rt_launch_check(const struct rt_kernel_work *k, int device)
{
	const struct rt_device *d = &rt.devices[device];
	const struct rt_launch *l = &k->launch;
	cudaError_t error = launch_check(d, k->function, l->grid, l->block, l->shared);

	if (!error && l->together)
		error = launch_check_together(d, k->function, l);
	return error || launch_has_arguments(k) ? error : cudaErrorInvalidValue;
}

cudaError_t rt_launch_run(const struct rt_kernel_work *k, struct CUstream_st *s)
{
	const struct rt_function *f = k->function;
	const struct rt_launch *l = &k->launch;
	static unsigned int since_output;
	struct uvm_launch_params p;
	struct rt_arguments a;
	cudaError_t error = launch_arguments(f, l, k->args, s->device, &a);
	int err;

	if (error)
		return error;
	p = (struct uvm_launch_params){
		.gpu = rt.devices[s->device].gpu, .entry = f->entry, .name = f->shown,
		.args = a.block,
		.grid = { l->grid.x, l->grid.y, l->grid.z },
		.block = { l->block.x, l->block.y, l->block.z },
		.shared_bytes = (uint32_t)(rt_shared(f, l->shared) -
					   rt_module_image(f->module)->shared_bytes),
		.args_bytes = a.bytes,
	};
	error = rt_module_load(f->module, s->device, &p.image);
	if (!error)
		error = rt_stream_before(s, RT_LAUNCH);
	if (error)
		return error;
	rt_events_resolve_old();
	err = uvm_launch(rt.u, &p);
	if (err) {
		rt_complain(f->shown);
		return rt_error(err);
	}
	s->launch = uvm_last_launch(rt.u, p.gpu);
	if (a.copy)
		*a.copy = s->launch;
	if (++since_output % LAUNCH_OUTPUT == 0)
		rt_print_output();
	return launch_is_blocking() ? rt_stream_finish(s) : cudaSuccess;
}

static cudaError_t launch_api(const void *function, void **args, const struct rt_launch *l,
			      cudaStream_t stream)
{
	cudaError_t error = rt_enter();
	struct rt_function *f = error ? NULL : rt_function(function);
	struct rt_work work = { .type = cudaGraphNodeTypeKernel, .kernel = {
		.function = f, .launch = *l, .args = args } };

	if (!error && (!f || !f->entry[0]))
		error = cudaErrorInvalidDeviceFunction;
	return rt_leave(error ? error : rt_submit(stream, &work));
}

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **args,
			     size_t shared_bytes, cudaStream_t stream)
{
	const struct rt_launch l = { .grid = grid, .block = block, .shared = shared_bytes };

	return launch_api(function, args, &l, stream);
}

cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **args,
					size_t shared_bytes, cudaStream_t stream)
{
	const struct rt_launch l = {
		.grid = grid, .block = block, .shared = shared_bytes, .together = true,
	};

	return launch_api(function, args, &l, stream);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function, void **args)
{
	struct rt_launch l;

	if (!config || (config->numAttrs && !config->attrs))
		return rt_note(cudaErrorInvalidValue);
	l = (struct rt_launch){
		.grid = config->gridDim, .block = config->blockDim,
		.shared = config->dynamicSmemBytes,
	};
	for (unsigned int i = 0; i < config->numAttrs; i++) {
		const cudaLaunchAttribute *a = &config->attrs[i];
		cudaError_t error = cudaSuccess;

		if (a->id == cudaLaunchAttributeCooperative)
			l.together = a->val.cooperative;
		else
			error = rt_hint(a->id, &a->val);
		if (error)
			return rt_note(error);
	}
	return launch_api(function, args, &l, config->stream);
}
