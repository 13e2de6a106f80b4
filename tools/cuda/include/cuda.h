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

#include "cuda_device_attributes.h"
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
typedef enum cudaMemoryAdvise CUmem_advise;
typedef enum cudaMemRangeAttribute CUmem_range_attribute;
typedef enum cudaFuncCache CUfunc_cache;
typedef enum cudaLimit CUlimit;

typedef cudaHostFn_t CUhostFn;

/* The numbers are those of the runtime API. */
/* Names and numbers; E(name, number). */
#define SOFTUVM_DRIVER_ERRORS(E) \
	E(CUDA_SUCCESS, 0) \
	E(CUDA_ERROR_INVALID_VALUE, 1) \
	E(CUDA_ERROR_OUT_OF_MEMORY, 2) \
	E(CUDA_ERROR_NOT_INITIALIZED, 3) \
	E(CUDA_ERROR_DEINITIALIZED, 4) \
	E(CUDA_ERROR_PROFILER_DISABLED, 5) \
	E(CUDA_ERROR_PROFILER_NOT_INITIALIZED, 6) \
	E(CUDA_ERROR_PROFILER_ALREADY_STARTED, 7) \
	E(CUDA_ERROR_PROFILER_ALREADY_STOPPED, 8) \
	E(CUDA_ERROR_NO_DEVICE, 100) \
	E(CUDA_ERROR_INVALID_DEVICE, 101) \
	E(CUDA_ERROR_INVALID_IMAGE, 200) \
	E(CUDA_ERROR_INVALID_CONTEXT, 201) \
	E(CUDA_ERROR_CONTEXT_ALREADY_CURRENT, 202) \
	E(CUDA_ERROR_MAP_FAILED, 205) \
	E(CUDA_ERROR_UNMAP_FAILED, 206) \
	E(CUDA_ERROR_ARRAY_IS_MAPPED, 207) \
	E(CUDA_ERROR_ALREADY_MAPPED, 208) \
	E(CUDA_ERROR_NO_BINARY_FOR_GPU, 209) \
	E(CUDA_ERROR_ALREADY_ACQUIRED, 210) \
	E(CUDA_ERROR_NOT_MAPPED, 211) \
	E(CUDA_ERROR_NOT_MAPPED_AS_ARRAY, 212) \
	E(CUDA_ERROR_NOT_MAPPED_AS_POINTER, 213) \
	E(CUDA_ERROR_ECC_UNCORRECTABLE, 214) \
	E(CUDA_ERROR_UNSUPPORTED_LIMIT, 215) \
	E(CUDA_ERROR_CONTEXT_ALREADY_IN_USE, 216) \
	E(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, 217) \
	E(CUDA_ERROR_INVALID_PTX, 218) \
	E(CUDA_ERROR_INVALID_GRAPHICS_CONTEXT, 219) \
	E(CUDA_ERROR_NVLINK_UNCORRECTABLE, 220) \
	E(CUDA_ERROR_JIT_COMPILER_NOT_FOUND, 221) \
	E(CUDA_ERROR_INVALID_SOURCE, 300) \
	E(CUDA_ERROR_FILE_NOT_FOUND, 301) \
	E(CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND, 302) \
	E(CUDA_ERROR_SHARED_OBJECT_INIT_FAILED, 303) \
	E(CUDA_ERROR_OPERATING_SYSTEM, 304) \
	E(CUDA_ERROR_INVALID_HANDLE, 400) \
	E(CUDA_ERROR_ILLEGAL_STATE, 401) \
	E(CUDA_ERROR_NOT_FOUND, 500) \
	E(CUDA_ERROR_NOT_READY, 600) \
	E(CUDA_ERROR_ILLEGAL_ADDRESS, 700) \
	E(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, 701) \
	E(CUDA_ERROR_LAUNCH_TIMEOUT, 702) \
	E(CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING, 703) \
	E(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, 704) \
	E(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, 705) \
	E(CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE, 708) \
	E(CUDA_ERROR_CONTEXT_IS_DESTROYED, 709) \
	E(CUDA_ERROR_ASSERT, 710) \
	E(CUDA_ERROR_TOO_MANY_PEERS, 711) \
	E(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, 712) \
	E(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, 713) \
	E(CUDA_ERROR_HARDWARE_STACK_ERROR, 714) \
	E(CUDA_ERROR_ILLEGAL_INSTRUCTION, 715) \
	E(CUDA_ERROR_MISALIGNED_ADDRESS, 716) \
	E(CUDA_ERROR_INVALID_ADDRESS_SPACE, 717) \
	E(CUDA_ERROR_INVALID_PC, 718) \
	E(CUDA_ERROR_LAUNCH_FAILED, 719) \
	E(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, 720) \
	E(CUDA_ERROR_NOT_PERMITTED, 800) \
	E(CUDA_ERROR_NOT_SUPPORTED, 801) \
	E(CUDA_ERROR_UNKNOWN, 999)

#define SOFTUVM_DRIVER_ERROR(name, number)	name = number,
typedef enum cudaError_enum {
	SOFTUVM_DRIVER_ERRORS(SOFTUVM_DRIVER_ERROR)
} CUresult;

typedef void (*CUstreamCallback)(CUstream stream, CUresult status, void *arg);

typedef enum CUmemorytype_enum {
	CU_MEMORYTYPE_HOST = 1,
	CU_MEMORYTYPE_DEVICE = 2,
	CU_MEMORYTYPE_ARRAY = 3,
	CU_MEMORYTYPE_UNIFIED = 4,
} CUmemorytype;

typedef enum CUpointer_attribute_enum {
	CU_POINTER_ATTRIBUTE_CONTEXT = 1,
	CU_POINTER_ATTRIBUTE_MEMORY_TYPE = 2,
	CU_POINTER_ATTRIBUTE_DEVICE_POINTER = 3,
	CU_POINTER_ATTRIBUTE_HOST_POINTER = 4,
	CU_POINTER_ATTRIBUTE_P2P_TOKENS = 5,
	CU_POINTER_ATTRIBUTE_SYNC_MEMOPS = 6,
	CU_POINTER_ATTRIBUTE_BUFFER_ID = 7,
	CU_POINTER_ATTRIBUTE_IS_MANAGED = 8,
	CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL = 9,
	CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE = 10,
	CU_POINTER_ATTRIBUTE_RANGE_START_ADDR = 11,
	CU_POINTER_ATTRIBUTE_RANGE_SIZE = 12,
	CU_POINTER_ATTRIBUTE_MAPPED = 13,
	CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES = 14,
	CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE = 15,
	CU_POINTER_ATTRIBUTE_ACCESS_FLAGS = 16,
	CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE = 17,
} CUpointer_attribute;

/* Of CU_POINTER_ATTRIBUTE_ACCESS_FLAGS. */
typedef enum CUDA_POINTER_ATTRIBUTE_ACCESS_FLAGS_enum {
	CU_POINTER_ATTRIBUTE_ACCESS_FLAG_NONE = 0,
	CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READ = 1,
	CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE = 3,
} CUDA_POINTER_ATTRIBUTE_ACCESS_FLAGS;

#define CU_LIMIT_STACK_SIZE		cudaLimitStackSize
#define CU_LIMIT_PRINTF_FIFO_SIZE	cudaLimitPrintfFifoSize
#define CU_LIMIT_MALLOC_HEAP_SIZE	cudaLimitMallocHeapSize

#define CU_FUNC_CACHE_PREFER_NONE	cudaFuncCachePreferNone
#define CU_FUNC_CACHE_PREFER_SHARED	cudaFuncCachePreferShared
#define CU_FUNC_CACHE_PREFER_L1		cudaFuncCachePreferL1
#define CU_FUNC_CACHE_PREFER_EQUAL	cudaFuncCachePreferEqual

#define CU_MEMHOSTREGISTER_PORTABLE	cudaHostRegisterPortable
#define CU_MEMHOSTREGISTER_DEVICEMAP	cudaHostRegisterMapped

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

CUresult cuInit(unsigned int flags);
CUresult cuDriverGetVersion(int *version);
CUresult cuGetErrorName(CUresult error, const char **name);
CUresult cuGetErrorString(CUresult error, const char **text);

CUresult cuDeviceGet(CUdevice *device, int number);
CUresult cuDeviceGetCount(int *count);
CUresult cuDeviceGetName(char *name, int room, CUdevice device);
CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device);
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device);
CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device);
CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device);
CUresult cuDeviceGetPCIBusId(char *text, int room, CUdevice device);
CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *text);
CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer);

/* A device has one context; making another one is to use that. */
CUresult cuCtxCreate(CUcontext *context, unsigned int flags, CUdevice device);
CUresult cuCtxDestroy(CUcontext context);
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device);
CUresult cuDevicePrimaryCtxRelease(CUdevice device);
CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int *flags, int *active);
CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags);
CUresult cuCtxPushCurrent(CUcontext context);
CUresult cuCtxPopCurrent(CUcontext *context);
CUresult cuCtxGetCurrent(CUcontext *context);
CUresult cuCtxSetCurrent(CUcontext context);
CUresult cuCtxGetDevice(CUdevice *device);
CUresult cuCtxSynchronize(void);
CUresult cuCtxGetApiVersion(CUcontext context, unsigned int *version);
CUresult cuCtxGetFlags(unsigned int *flags);
CUresult cuCtxGetLimit(size_t *value, CUlimit limit);
CUresult cuCtxSetLimit(CUlimit limit, size_t value);
CUresult cuCtxGetCacheConfig(CUfunc_cache *config);
CUresult cuCtxSetCacheConfig(CUfunc_cache config);
CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest);
CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags);
CUresult cuCtxDisablePeerAccess(CUcontext peer);

CUresult cuMemGetInfo(size_t *free_bytes, size_t *total);
CUresult cuMemAlloc(CUdeviceptr *out, size_t bytes);
CUresult cuMemAllocManaged(CUdeviceptr *out, size_t bytes, unsigned int flags);
CUresult cuMemFree(CUdeviceptr ptr);
CUresult cuMemAllocHost(void **out, size_t bytes);
CUresult cuMemHostAlloc(void **out, size_t bytes, unsigned int flags);
CUresult cuMemFreeHost(void *ptr);
CUresult cuMemAllocPitch(CUdeviceptr *out, size_t *pitch, size_t width, size_t height,
			 unsigned int element);
CUresult cuMemAllocAsync(CUdeviceptr *out, size_t bytes, CUstream stream);
CUresult cuMemFreeAsync(CUdeviceptr ptr, CUstream stream);
CUresult cuMemHostRegister(void *ptr, size_t bytes, unsigned int flags);
CUresult cuMemHostUnregister(void *ptr);
CUresult cuMemHostGetDevicePointer(CUdeviceptr *out, void *host, unsigned int flags);
CUresult cuMemHostGetFlags(unsigned int *flags, void *host);
CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *bytes, CUdeviceptr ptr);
CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr ptr);
CUresult cuPointerGetAttributes(unsigned int count, CUpointer_attribute *attributes, void **data,
				CUdeviceptr ptr);
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
CUresult cuMemsetD16(CUdeviceptr ptr, unsigned short value, size_t count);
CUresult cuMemsetD16Async(CUdeviceptr ptr, unsigned short value, size_t count, CUstream stream);
CUresult cuMemsetD32(CUdeviceptr ptr, unsigned int value, size_t count);
CUresult cuMemsetD32Async(CUdeviceptr ptr, unsigned int value, size_t count, CUstream stream);
CUresult cuMemcpyPeer(CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src, CUcontext src_context,
		      size_t bytes);
CUresult cuMemcpyPeerAsync(CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src,
			   CUcontext src_context, size_t bytes, CUstream stream);
CUresult cuMemPrefetchAsync(CUdeviceptr ptr, size_t bytes, CUdevice device, CUstream stream);
CUresult cuMemAdvise(CUdeviceptr ptr, size_t bytes, CUmem_advise advice, CUdevice device);
CUresult cuMemRangeGetAttribute(void *data, size_t bytes, CUmem_range_attribute attribute,
				CUdeviceptr ptr, size_t count);
CUresult cuMemRangeGetAttributes(void **data, size_t *bytes, CUmem_range_attribute *attributes,
				 size_t number, CUdeviceptr ptr, size_t count);

CUresult cuStreamCreate(CUstream *stream, unsigned int flags);
CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority);
CUresult cuStreamGetPriority(CUstream stream, int *priority);
CUresult cuStreamGetFlags(CUstream stream, unsigned int *flags);
CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *arg, unsigned int flags);
CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *arg);
CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr ptr, size_t bytes, unsigned int flags);
CUresult cuStreamDestroy(CUstream stream);
CUresult cuStreamSynchronize(CUstream stream);
CUresult cuStreamQuery(CUstream stream);
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags);
CUresult cuEventCreate(CUevent *event, unsigned int flags);
CUresult cuEventDestroy(CUevent event);
CUresult cuEventRecord(CUevent event, CUstream stream);
CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned int flags);
CUresult cuEventSynchronize(CUevent event);
CUresult cuEventQuery(CUevent event);
CUresult cuEventElapsedTime(float *ms, CUevent start, CUevent end);

#ifdef __cplusplus
}
#endif

#endif
