/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What C++ programs may leave out: casts of out pointers and of kernels, "&" before a variable of the
 * device; and both generations of prefetch and advise.  Included by cuda_runtime_api.h.
 */
#ifndef SOFTUVM_CUDA_RUNTIME_OVERLOADS_H
#define SOFTUVM_CUDA_RUNTIME_OVERLOADS_H

static inline cudaError_t cudaMemPrefetchAsync(const void *ptr, size_t bytes, cudaMemLocation location,
					       unsigned int flags, cudaStream_t stream = 0)
{
	return cudaMemPrefetchAsync_v2(ptr, bytes, location, flags, stream);
}

static inline cudaError_t cudaMemAdvise(const void *ptr, size_t bytes, cudaMemoryAdvise advice,
					cudaMemLocation location)
{
	return cudaMemAdvise_v2(ptr, bytes, advice, location);
}

static inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags)
{
	return cudaEventCreateWithFlags(event, flags);
}

/* ---- memory ----------------------------------------------------------- */

template<class T>
static inline cudaError_t cudaMallocManaged(T **out, size_t bytes,
					    unsigned int flags = cudaMemAttachGlobal)
{
	return cudaMallocManaged((void **)out, bytes, flags);
}

template<class T> static inline cudaError_t cudaMalloc(T **out, size_t bytes)
{
	return cudaMalloc((void **)out, bytes);
}

template<class T>
static inline cudaError_t cudaMallocPitch(T **out, size_t *pitch, size_t width, size_t height)
{
	return cudaMallocPitch((void **)out, pitch, width, height);
}

template<class T>
static inline cudaError_t cudaMallocAsync(T **out, size_t bytes, cudaStream_t stream)
{
	return cudaMallocAsync((void **)out, bytes, stream);
}

template<class T>
static inline cudaError_t cudaMallocFromPoolAsync(T **out, size_t bytes, cudaMemPool_t pool,
						  cudaStream_t stream)
{
	return cudaMallocFromPoolAsync((void **)out, bytes, pool, stream);
}

/* In the header of NVIDIA's, too, this is another name of it. */
template<class T>
static inline cudaError_t cudaMallocAsync(T **out, size_t bytes, cudaMemPool_t pool,
					  cudaStream_t stream)
{
	return cudaMallocFromPoolAsync((void **)out, bytes, pool, stream);
}

template<class T>
static inline cudaError_t cudaMallocHost(T **out, size_t bytes, unsigned int flags = 0)
{
	return cudaHostAlloc((void **)(void *)out, bytes, flags);
}

template<class T>
static inline cudaError_t cudaHostAlloc(T **out, size_t bytes, unsigned int flags)
{
	return cudaHostAlloc((void **)(void *)out, bytes, flags);
}

template<class T>
static inline cudaError_t cudaHostGetDevicePointer(T **out, void *host, unsigned int flags)
{
	return cudaHostGetDevicePointer((void **)(void *)out, host, flags);
}

template<class T>
static inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T *ptr, size_t bytes = 0,
						   unsigned int flags = cudaMemAttachSingle)
{
	return cudaStreamAttachMemAsync(stream, (void *)ptr, bytes, flags);
}

/* ---- variables of the device ------------------------------------------ */

template<class T>
static inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *src, size_t bytes,
					     size_t offset = 0,
					     cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
	return cudaMemcpyToSymbol((const void *)&symbol, src, bytes, offset, kind);
}

template<class T>
static inline cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *src, size_t bytes,
						  size_t offset = 0,
						  cudaMemcpyKind kind = cudaMemcpyHostToDevice,
						  cudaStream_t stream = 0)
{
	return cudaMemcpyToSymbolAsync((const void *)&symbol, src, bytes, offset, kind, stream);
}

template<class T>
static inline cudaError_t cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t bytes,
					       size_t offset = 0,
					       cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
	return cudaMemcpyFromSymbol(dst, (const void *)&symbol, bytes, offset, kind);
}

template<class T>
static inline cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t bytes,
						    size_t offset = 0,
						    cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
						    cudaStream_t stream = 0)
{
	return cudaMemcpyFromSymbolAsync(dst, (const void *)&symbol, bytes, offset, kind, stream);
}

template<class T> static inline cudaError_t cudaGetSymbolAddress(void **out, const T &symbol)
{
	return cudaGetSymbolAddress(out, (const void *)&symbol);
}

template<class T, class S>
static inline cudaError_t cudaGetSymbolAddress(T **out, const S &symbol)
{
	return cudaGetSymbolAddress((void **)out, (const void *)&symbol);
}

template<class T> static inline cudaError_t cudaGetSymbolSize(size_t *bytes, const T &symbol)
{
	return cudaGetSymbolSize(bytes, (const void *)&symbol);
}

/* ---- kernels ---------------------------------------------------------- */

template<class T>
static inline cudaError_t cudaLaunchKernel(T *function, dim3 grid, dim3 block, void **args,
					   size_t shared_bytes = 0, cudaStream_t stream = 0)
{
	return cudaLaunchKernel((const void *)function, grid, block, args, shared_bytes, stream);
}

template<class T>
static inline cudaError_t cudaLaunchCooperativeKernel(T *function, dim3 grid, dim3 block, void **args,
						      size_t shared_bytes = 0, cudaStream_t stream = 0)
{
	return cudaLaunchCooperativeKernel((const void *)function, grid, block, args, shared_bytes,
					   stream);
}

template<class... Wanted, class... Given>
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
					     void (*function)(Wanted...), Given &&...given)
{
	return [&](Wanted... args) {
		void *list[] = { (void *)&args..., nullptr };

		return cudaLaunchKernelExC(config, (const void *)function, list);
	}(static_cast<Given &&>(given)...);
}

template<class T>
static inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, T *function)
{
	return cudaFuncGetAttributes(attributes, (const void *)function);
}

template<class T>
static inline cudaError_t cudaFuncSetAttribute(T *function, cudaFuncAttribute attribute, int value)
{
	return cudaFuncSetAttribute((const void *)function, attribute, value);
}

template<class T> static inline cudaError_t cudaFuncSetCacheConfig(T *function, cudaFuncCache config)
{
	return cudaFuncSetCacheConfig((const void *)function, config);
}

template<class T>
static inline cudaError_t cudaFuncSetSharedMemConfig(T *function, cudaSharedMemConfig config)
{
	return cudaFuncSetSharedMemConfig((const void *)function, config);
}

template<class T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T function,
									int block_size,
									size_t shared_bytes)
{
	return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)function,
							     block_size, shared_bytes);
}

template<class T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks,
										 T function,
										 int block_size,
										 size_t shared_bytes,
										 unsigned int flags)
{
	return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void *)function,
								      block_size, shared_bytes,
								      flags);
}

/*
 * The block size with the most threads on an SM, of those the largest, in steps of a warp; @shared
 * tells how much shared memory a block of a size needs; @limit: of the size, 0 for none.
 */
template<class T, class F>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *grid_size,
										  int *block_size,
										  T function, F shared,
										  int limit = 0,
										  unsigned int flags = 0)
{
	int device = 0, sms = 0, most = 0, best = 0;
	cudaFuncAttributes attributes;
	cudaError_t error = cudaGetDevice(&device);

	if (error == cudaSuccess)
		error = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
	if (error == cudaSuccess)
		error = cudaFuncGetAttributes(&attributes, (const void *)function);
	if (error != cudaSuccess)
		return error;
	if (limit <= 0 || limit > attributes.maxThreadsPerBlock)
		limit = attributes.maxThreadsPerBlock;
	for (int size = limit, step; size > 0; size -= step) {
		int blocks = 0;

		step = size % 32 ? size % 32 : 32;
		error = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
			&blocks, (const void *)function, size, (size_t)shared(size), flags);
		if (error != cudaSuccess)
			return error;
		if (blocks * size > most) {
			most = blocks * size;
			best = size;
			*grid_size = blocks * sms;
			*block_size = size;
		}
	}
	return best ? cudaSuccess : cudaErrorInvalidConfiguration;
}

template<class T, class F>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid_size,
									 int *block_size, T function,
									 F shared, int limit = 0)
{
	return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(grid_size, block_size, function,
								       shared, limit, 0);
}

template<class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int *grid_size, int *block_size,
								      T function,
								      size_t shared_bytes = 0,
								      int limit = 0,
								      unsigned int flags = 0)
{
	return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
		grid_size, block_size, function, [shared_bytes](int) { return shared_bytes; }, limit,
		flags);
}

template<class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid_size, int *block_size,
							     T function, size_t shared_bytes = 0,
							     int limit = 0)
{
	return cudaOccupancyMaxPotentialBlockSizeWithFlags(grid_size, block_size, function,
							   shared_bytes, limit, 0);
}

template<class T>
static inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, T function,
								    int blocks, int block_size)
{
	return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, (const void *)function, blocks,
							 block_size);
}

#endif
