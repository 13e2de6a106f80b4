// SPDX-License-Identifier: GPL-2.0
/* Attributes of kernels, and how many of their blocks an SM holds. */
#include <string.h>

#include "runtime.h"

static cudaError_t function_enter(const void *host, struct rt_function **f)
{
	cudaError_t error = rt_enter();

	if (error)
		return error;
	*f = rt_function(host);
	return *f && (*f)->entry[0] ? cudaSuccess : cudaErrorInvalidDeviceFunction;
}

static int function_max_threads(const struct rt_device *d, const struct rt_function *f)
{
	int threads = (int)f->threads;

	while (threads > 32 && !rt_occupancy(d, f, threads, 0))
		threads -= 32;
	return threads;
}

/* `uvm cc` compiles for this one, whatever the GPU: libraries choose by it what they launch. */
#define FUNCTION_PTX	70

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *a, const void *function)
{
	struct rt_function *f;
	cudaError_t error = function_enter(function, &f);
	const struct rt_image *image;

	if (!error && !a)
		error = cudaErrorInvalidValue;
	if (error)
		return rt_leave(error);
	image = rt_module_image(f->module);
	memset(a, 0, sizeof(*a));
	a->sharedSizeBytes = f->shared_bytes;
	a->constSizeBytes = image->constant_bytes;
	a->localSizeBytes = image->stack_bytes;
	a->numRegs = (int)image->registers;
	a->maxThreadsPerBlock = function_max_threads(rt_device(), f);
	a->maxDynamicSharedSizeBytes = f->shared_max ? f->shared_max :
		(int)(rt_profile(rt_device(), "shared_bytes_per_block") - f->shared_bytes);
	a->preferredShmemCarveout = f->carveout;
	a->ptxVersion = FUNCTION_PTX;
	a->binaryVersion = rt_capability(rt_device());
	return rt_leave(cudaSuccess);
}

cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute, int value)
{
	struct rt_function *f;
	cudaError_t error = function_enter(function, &f);
	uint64_t room;

	if (error)
		return rt_leave(error);
	room = rt_profile(rt_device(), "shared_bytes_per_block");
	switch (attribute) {
	case cudaFuncAttributeMaxDynamicSharedMemorySize:
		if (value < 0 || rt_shared(f, value) > room)
			return rt_leave(cudaErrorInvalidValue);
		f->shared_max = value;
		return rt_leave(cudaSuccess);
	case cudaFuncAttributePreferredSharedMemoryCarveout:
		if (value < cudaSharedmemCarveoutDefault || value > cudaSharedmemCarveoutMaxShared)
			return rt_leave(cudaErrorInvalidValue);
		f->carveout = value;
		return rt_leave(cudaSuccess);
	default:
		return rt_leave(cudaErrorNotSupported);
	}
}

/* Wishes about caches: there is no L1 to divide. */
cudaError_t cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache config)
{
	struct rt_function *f;
	cudaError_t error = function_enter(function, &f);

	if (!error && (unsigned int)config > cudaFuncCachePreferEqual)
		error = cudaErrorInvalidValue;
	return rt_leave(error);
}

cudaError_t cudaFuncSetSharedMemConfig(const void *function, enum cudaSharedMemConfig config)
{
	struct rt_function *f;
	cudaError_t error = function_enter(function, &f);

	if (!error && (unsigned int)config > cudaSharedMemBankSizeEightByte)
		error = cudaErrorInvalidValue;
	return rt_leave(error);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function,
								   int block_size,
								   size_t shared_bytes,
								   unsigned int flags)
{
	struct rt_function *f;
	cudaError_t error = function_enter(function, &f);

	if (!error && (!blocks || block_size <= 0 ||
		       flags & ~cudaOccupancyDisableCachingOverride))
		error = cudaErrorInvalidValue;
	if (!error)
		*blocks = block_size > (int)f->threads ? 0 :
			  rt_occupancy(rt_device(), f, block_size, shared_bytes);
	return rt_leave(error);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function,
							  int block_size, size_t shared_bytes)
{
	return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, block_size,
								      shared_bytes, 0);
}

/* Of an SM's shared memory so many blocks have equal parts. */
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *function, int blocks,
						      int block_size)
{
	struct rt_function *f;
	cudaError_t error = function_enter(function, &f);
	uint64_t part, most, fixed;

	if (!error && (!bytes || blocks <= 0 || block_size <= 0 || block_size > (int)f->threads))
		error = cudaErrorInvalidValue;
	if (!error && rt_occupancy(rt_device(), f, block_size, 0) < blocks)
		error = cudaErrorInvalidValue;
	if (error)
		return rt_leave(error);
	fixed = f->shared_bytes;
	part = rt_profile(rt_device(), "shared_bytes_per_sm") / blocks & ~15ULL;
	most = rt_profile(rt_device(), "shared_bytes_per_block");
	*bytes = (part < most ? part : most) - fixed;
	return rt_leave(cudaSuccess);
}
