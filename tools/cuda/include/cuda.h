/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The CUDA driver API, as far as it is the runtime API under other names: devices, contexts, memory,
 * streams, events.  Kernels come with the program; modules of PTX cannot be loaded.
 */
#ifndef SOFTUVM_CUDA_H
#define SOFTUVM_CUDA_H

/* What programs ask to find out whether this file was included. */
#define __cuda_cuda_h__

#ifndef CUDA_VERSION
#define CUDA_VERSION	12000
#endif

#include "driver_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
typedef struct CUuuid_st CUuuid;
typedef enum cudaDeviceAttr CUdevice_attribute;
typedef enum cudaMemoryAdvise CUmem_advise;
typedef enum cudaMemRangeAttribute CUmem_range_attribute;
typedef enum cudaFuncCache CUfunc_cache;
typedef enum cudaLimit CUlimit;

/* The numbers are those of the runtime API. */
typedef enum cudaError_enum {
	CUDA_SUCCESS = 0,
	CUDA_ERROR_INVALID_VALUE = 1,
	CUDA_ERROR_OUT_OF_MEMORY = 2,
	CUDA_ERROR_NOT_INITIALIZED = 3,
	CUDA_ERROR_DEINITIALIZED = 4,
	CUDA_ERROR_NO_DEVICE = 100,
	CUDA_ERROR_INVALID_DEVICE = 101,
	CUDA_ERROR_INVALID_IMAGE = 200,
	CUDA_ERROR_INVALID_CONTEXT = 201,
	CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
	CUDA_ERROR_UNSUPPORTED_LIMIT = 215,
	CUDA_ERROR_PEER_ACCESS_UNSUPPORTED = 217,
	CUDA_ERROR_FILE_NOT_FOUND = 301,
	CUDA_ERROR_OPERATING_SYSTEM = 304,
	CUDA_ERROR_INVALID_HANDLE = 400,
	CUDA_ERROR_NOT_FOUND = 500,
	CUDA_ERROR_NOT_READY = 600,
	CUDA_ERROR_ILLEGAL_ADDRESS = 700,
	CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
	CUDA_ERROR_LAUNCH_TIMEOUT = 702,
	CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED = 704,
	CUDA_ERROR_PEER_ACCESS_NOT_ENABLED = 705,
	CUDA_ERROR_CONTEXT_IS_DESTROYED = 709,
	CUDA_ERROR_ASSERT = 710,
	CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED = 712,
	CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED = 713,
	CUDA_ERROR_MISALIGNED_ADDRESS = 716,
	CUDA_ERROR_INVALID_PC = 718,
	CUDA_ERROR_LAUNCH_FAILED = 719,
	CUDA_ERROR_NOT_PERMITTED = 800,
	CUDA_ERROR_NOT_SUPPORTED = 801,
	CUDA_ERROR_UNKNOWN = 999
} CUresult;

#define CU_DEVICE_CPU		((CUdevice)-1)
#define CU_DEVICE_INVALID	((CUdevice)-2)

#define CU_MEM_ATTACH_GLOBAL	cudaMemAttachGlobal
#define CU_MEM_ATTACH_HOST	cudaMemAttachHost
#define CU_MEM_ATTACH_SINGLE	cudaMemAttachSingle

#define CU_CTX_SCHED_AUTO		0x00
#define CU_CTX_SCHED_SPIN		0x01
#define CU_CTX_SCHED_YIELD		0x02
#define CU_CTX_SCHED_BLOCKING_SYNC	0x04
#define CU_CTX_MAP_HOST			0x08

#define CU_STREAM_DEFAULT	cudaStreamDefault
#define CU_STREAM_NON_BLOCKING	cudaStreamNonBlocking
#define CU_STREAM_LEGACY	cudaStreamLegacy
#define CU_STREAM_PER_THREAD	cudaStreamPerThread

#define CU_EVENT_DEFAULT	cudaEventDefault
#define CU_EVENT_BLOCKING_SYNC	cudaEventBlockingSync
#define CU_EVENT_DISABLE_TIMING	cudaEventDisableTiming

#define CU_MEMHOSTALLOC_PORTABLE	cudaHostAllocPortable
#define CU_MEMHOSTALLOC_DEVICEMAP	cudaHostAllocMapped
#define CU_MEMHOSTALLOC_WRITECOMBINED	cudaHostAllocWriteCombined

#define CU_MEM_ADVISE_SET_READ_MOSTLY		cudaMemAdviseSetReadMostly
#define CU_MEM_ADVISE_UNSET_READ_MOSTLY		cudaMemAdviseUnsetReadMostly
#define CU_MEM_ADVISE_SET_PREFERRED_LOCATION	cudaMemAdviseSetPreferredLocation
#define CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION	cudaMemAdviseUnsetPreferredLocation
#define CU_MEM_ADVISE_SET_ACCESSED_BY		cudaMemAdviseSetAccessedBy
#define CU_MEM_ADVISE_UNSET_ACCESSED_BY		cudaMemAdviseUnsetAccessedBy

#define CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY		cudaMemRangeAttributeReadMostly
#define CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION	cudaMemRangeAttributePreferredLocation
#define CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY		cudaMemRangeAttributeAccessedBy
#define CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION	cudaMemRangeAttributeLastPrefetchLocation

#define CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK	cudaDevAttrMaxThreadsPerBlock
#define CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X		cudaDevAttrMaxBlockDimX
#define CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y		cudaDevAttrMaxBlockDimY
#define CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z		cudaDevAttrMaxBlockDimZ
#define CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X		cudaDevAttrMaxGridDimX
#define CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y		cudaDevAttrMaxGridDimY
#define CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z		cudaDevAttrMaxGridDimZ
#define CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK	cudaDevAttrMaxSharedMemoryPerBlock
#define CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY	cudaDevAttrTotalConstantMemory
#define CU_DEVICE_ATTRIBUTE_WARP_SIZE			cudaDevAttrWarpSize
#define CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK	cudaDevAttrMaxRegistersPerBlock
#define CU_DEVICE_ATTRIBUTE_CLOCK_RATE			cudaDevAttrClockRate
#define CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT	cudaDevAttrMultiProcessorCount
#define CU_DEVICE_ATTRIBUTE_INTEGRATED			cudaDevAttrIntegrated
#define CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS		cudaDevAttrConcurrentKernels
#define CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE		cudaDevAttrMemoryClockRate
#define CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH	cudaDevAttrGlobalMemoryBusWidth
#define CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE		cudaDevAttrL2CacheSize
#define CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR \
	cudaDevAttrMaxThreadsPerMultiProcessor
#define CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT		cudaDevAttrAsyncEngineCount
#define CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING		cudaDevAttrUnifiedAddressing
#define CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR	cudaDevAttrComputeCapabilityMajor
#define CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR	cudaDevAttrComputeCapabilityMinor
#define CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY		cudaDevAttrManagedMemory
#define CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS	cudaDevAttrPageableMemoryAccess
#define CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS	cudaDevAttrConcurrentManagedAccess

CUresult cuInit(unsigned int flags);
CUresult cuDriverGetVersion(int *version);
CUresult cuGetErrorName(CUresult error, const char **name);
CUresult cuGetErrorString(CUresult error, const char **text);

CUresult cuDeviceGet(CUdevice *device, int number);
CUresult cuDeviceGetCount(int *count);
CUresult cuDeviceGetName(char *name, int room, CUdevice device);
CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device);
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device);

/* A device has one context; making another one is to use that. */
CUresult cuCtxCreate(CUcontext *context, unsigned int flags, CUdevice device);
CUresult cuCtxDestroy(CUcontext context);
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device);
CUresult cuDevicePrimaryCtxRelease(CUdevice device);
CUresult cuCtxGetCurrent(CUcontext *context);
CUresult cuCtxSetCurrent(CUcontext context);
CUresult cuCtxGetDevice(CUdevice *device);
CUresult cuCtxSynchronize(void);

CUresult cuMemGetInfo(size_t *free_bytes, size_t *total);
CUresult cuMemAlloc(CUdeviceptr *out, size_t bytes);
CUresult cuMemAllocManaged(CUdeviceptr *out, size_t bytes, unsigned int flags);
CUresult cuMemFree(CUdeviceptr ptr);
CUresult cuMemAllocHost(void **out, size_t bytes);
CUresult cuMemHostAlloc(void **out, size_t bytes, unsigned int flags);
CUresult cuMemFreeHost(void *ptr);
CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t bytes);
CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream);
CUresult cuMemcpyHtoD(CUdeviceptr dst, const void *src, size_t bytes);
CUresult cuMemcpyDtoH(void *dst, CUdeviceptr src, size_t bytes);
CUresult cuMemcpyDtoD(CUdeviceptr dst, CUdeviceptr src, size_t bytes);
CUresult cuMemcpyHtoDAsync(CUdeviceptr dst, const void *src, size_t bytes, CUstream stream);
CUresult cuMemcpyDtoHAsync(void *dst, CUdeviceptr src, size_t bytes, CUstream stream);
CUresult cuMemcpyDtoDAsync(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream);
CUresult cuMemsetD8(CUdeviceptr ptr, unsigned char value, size_t count);
CUresult cuMemsetD8Async(CUdeviceptr ptr, unsigned char value, size_t count, CUstream stream);
CUresult cuMemPrefetchAsync(CUdeviceptr ptr, size_t bytes, CUdevice device, CUstream stream);
CUresult cuMemAdvise(CUdeviceptr ptr, size_t bytes, CUmem_advise advice, CUdevice device);
CUresult cuMemRangeGetAttribute(void *data, size_t bytes, CUmem_range_attribute attribute,
				CUdeviceptr ptr, size_t count);

CUresult cuStreamCreate(CUstream *stream, unsigned int flags);
CUresult cuStreamDestroy(CUstream stream);
CUresult cuStreamSynchronize(CUstream stream);
CUresult cuStreamQuery(CUstream stream);
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags);
CUresult cuEventCreate(CUevent *event, unsigned int flags);
CUresult cuEventDestroy(CUevent event);
CUresult cuEventRecord(CUevent event, CUstream stream);
CUresult cuEventSynchronize(CUevent event);
CUresult cuEventQuery(CUevent event);
CUresult cuEventElapsedTime(float *ms, CUevent start, CUevent end);

#ifdef __cplusplus
}
#endif

#endif
