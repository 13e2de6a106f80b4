// SPDX-License-Identifier: GPL-2.0
/* The CUDA driver API over the runtime API: other names, other types, the same numbers. */
#include <stdio.h>

#include "driver.h"

#define DRIVER_CONTEXTS	32	/* that one thread pushes */

CUresult rt_driver(cudaError_t error)
{
	if (error)
		rt_unnote();
	return (CUresult)error;
}

static char driver_contexts[UVM_GPU_MAX];

CUcontext rt_driver_context(int device)
{
	return (CUcontext)(void *)&driver_contexts[device];
}

int rt_driver_device(CUcontext context)
{
	return (int)((char *)(void *)context - driver_contexts);
}

/* What was current in this thread before what is. */
static _Thread_local int driver_stack[DRIVER_CONTEXTS];
static _Thread_local unsigned int driver_depth;

CUresult cuInit(unsigned int flags)
{
	int count;

	return flags ? CUDA_ERROR_INVALID_VALUE : rt_driver(cudaGetDeviceCount(&count));
}

CUresult cuDriverGetVersion(int *version)
{
	return rt_driver(cudaDriverGetVersion(version));
}

#define DRIVER_ERROR(name, number)	{ name, #name },
static const struct {
	CUresult error;
	const char *name;
} driver_errors[] = {
	SOFTUVM_DRIVER_ERRORS(DRIVER_ERROR)
};

CUresult cuGetErrorName(CUresult error, const char **name)
{
	if (!name)
		return CUDA_ERROR_INVALID_VALUE;
	*name = NULL;
	for (size_t i = 0; i < sizeof(driver_errors) / sizeof(*driver_errors) && !*name; i++)
		if (driver_errors[i].error == error)
			*name = driver_errors[i].name;
	return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* The runtime's words: the numbers are the same. */
CUresult cuGetErrorString(CUresult error, const char **text)
{
	CUresult known = cuGetErrorName(error, text);

	if (!known)
		*text = cudaGetErrorString((cudaError_t)error);
	return known;
}

/* ---- devices and contexts --------------------------------------------- */

CUresult cuDeviceGetCount(int *count)
{
	return rt_driver(cudaGetDeviceCount(count));
}

CUresult cuDeviceGet(CUdevice *device, int number)
{
	int count;
	cudaError_t error = cudaGetDeviceCount(&count);

	if (error)
		return rt_driver(error);
	if (!device)
		return CUDA_ERROR_INVALID_VALUE;
	if (number < 0 || number >= count)
		return CUDA_ERROR_INVALID_DEVICE;
	*device = number;
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int room, CUdevice device)
{
	struct cudaDeviceProp p;
	cudaError_t error = cudaGetDeviceProperties(&p, device);

	if (error)
		return rt_driver(error);
	if (!name || room <= 0)
		return CUDA_ERROR_INVALID_VALUE;
	snprintf(name, room, "%s", p.name);
	return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
	struct cudaDeviceProp p;
	cudaError_t error = cudaGetDeviceProperties(&p, device);

	if (error)
		return rt_driver(error);
	if (!bytes)
		return CUDA_ERROR_INVALID_VALUE;
	*bytes = p.totalGlobalMem;
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
	return rt_driver(cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attribute, device));
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
	if (!context)
		return CUDA_ERROR_INVALID_VALUE;
	if (!rt_device_at(device))
		return CUDA_ERROR_INVALID_DEVICE;
	*context = rt_driver_context(device);
	return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
	return rt_device_at(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuCtxCreate(CUcontext *context, unsigned int flags, CUdevice device)
{
	CUresult error;

	(void)flags;
	error = cuDevicePrimaryCtxRetain(context, device);
	return error ? error : cuCtxPushCurrent(rt_driver_context(device));
}

/* NULL: what is current goes from the stack of the thread, if it has one. */
CUresult cuCtxSetCurrent(CUcontext context)
{
	int device = rt_driver_device(context);

	if (!context)
		return cuCtxPopCurrent(NULL);
	return rt_device_at(device) ? rt_driver(cudaSetDevice(device)) : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuCtxPushCurrent(CUcontext context)
{
	int before = rt_current;
	CUresult error;

	if (driver_depth == DRIVER_CONTEXTS)
		return CUDA_ERROR_OUT_OF_MEMORY;
	error = cuCtxSetCurrent(context);
	if (!error)
		driver_stack[driver_depth++] = before;
	return error;
}

/* Where nothing was pushed the device stays. */
CUresult cuCtxPopCurrent(CUcontext *context)
{
	if (context)
		*context = rt_driver_context(rt_current);
	return driver_depth ? rt_driver(cudaSetDevice(driver_stack[--driver_depth])) : CUDA_SUCCESS;
}

/* One that is current is no longer. */
CUresult cuCtxDestroy(CUcontext context)
{
	CUresult error;

	if (!rt_device_at(rt_driver_device(context)))
		return CUDA_ERROR_INVALID_CONTEXT;
	error = rt_driver(cudaDeviceSynchronize());
	return !error && rt_driver_device(context) == rt_current ? cuCtxPopCurrent(NULL) : error;
}

CUresult cuCtxGetCurrent(CUcontext *context)
{
	return cuDevicePrimaryCtxRetain(context, rt_current);
}

CUresult cuCtxGetDevice(CUdevice *device)
{
	return rt_driver(cudaGetDevice(device));
}

CUresult cuCtxSynchronize(void)
{
	return rt_driver(cudaDeviceSynchronize());
}

/* ---- memory ----------------------------------------------------------- */

CUresult cuMemGetInfo(size_t *free_bytes, size_t *total)
{
	return rt_driver(cudaMemGetInfo(free_bytes, total));
}

static CUresult driver_allocated(cudaError_t error, CUdeviceptr *out, void *ptr)
{
	if (!error)
		*out = (uintptr_t)ptr;
	return rt_driver(error);
}

CUresult cuMemAlloc(CUdeviceptr *out, size_t bytes)
{
	cudaError_t error;
	void *ptr = NULL;

	if (!out || !bytes)
		return CUDA_ERROR_INVALID_VALUE;
	error = cudaMalloc(&ptr, bytes);
	return driver_allocated(error, out, ptr);
}

CUresult cuMemAllocManaged(CUdeviceptr *out, size_t bytes, unsigned int flags)
{
	cudaError_t error;
	void *ptr = NULL;

	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	error = cudaMallocManaged(&ptr, bytes, flags);
	return driver_allocated(error, out, ptr);
}

CUresult cuMemFree(CUdeviceptr ptr)
{
	return rt_driver(cudaFree(rt_driver_pointer(ptr)));
}

CUresult cuMemAllocHost(void **out, size_t bytes)
{
	return rt_driver(cudaMallocHost(out, bytes));
}

CUresult cuMemHostAlloc(void **out, size_t bytes, unsigned int flags)
{
	return rt_driver(cudaHostAlloc(out, bytes, flags));
}

CUresult cuMemFreeHost(void *ptr)
{
	return rt_driver(cudaFreeHost(ptr));
}

CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t bytes)
{
	return rt_driver(cudaMemcpy(rt_driver_pointer(dst), rt_driver_pointer(src), bytes,
				    cudaMemcpyDefault));
}

CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream)
{
	return rt_driver(cudaMemcpyAsync(rt_driver_pointer(dst), rt_driver_pointer(src), bytes,
				      cudaMemcpyDefault, stream));
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr dst, const void *src, size_t bytes, CUstream stream)
{
	return rt_driver(cudaMemcpyAsync(rt_driver_pointer(dst), src, bytes, cudaMemcpyHostToDevice,
				      stream));
}

CUresult cuMemcpyDtoHAsync(void *dst, CUdeviceptr src, size_t bytes, CUstream stream)
{
	return rt_driver(cudaMemcpyAsync(dst, rt_driver_pointer(src), bytes, cudaMemcpyDeviceToHost,
				      stream));
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream)
{
	return rt_driver(cudaMemcpyAsync(rt_driver_pointer(dst), rt_driver_pointer(src), bytes,
				      cudaMemcpyDeviceToDevice, stream));
}

CUresult cuMemcpyHtoD(CUdeviceptr dst, const void *src, size_t bytes)
{
	return rt_driver(cudaMemcpy(rt_driver_pointer(dst), src, bytes, cudaMemcpyHostToDevice));
}

CUresult cuMemcpyDtoH(void *dst, CUdeviceptr src, size_t bytes)
{
	return rt_driver(cudaMemcpy(dst, rt_driver_pointer(src), bytes, cudaMemcpyDeviceToHost));
}

CUresult cuMemcpyDtoD(CUdeviceptr dst, CUdeviceptr src, size_t bytes)
{
	return rt_driver(cudaMemcpy(rt_driver_pointer(dst), rt_driver_pointer(src), bytes,
				 cudaMemcpyDeviceToDevice));
}

CUresult cuMemsetD8(CUdeviceptr ptr, unsigned char value, size_t count)
{
	return rt_driver(cudaMemset(rt_driver_pointer(ptr), value, count));
}

CUresult cuMemsetD8Async(CUdeviceptr ptr, unsigned char value, size_t count, CUstream stream)
{
	return rt_driver(cudaMemsetAsync(rt_driver_pointer(ptr), value, count, stream));
}

CUresult cuMemPrefetchAsync(CUdeviceptr ptr, size_t bytes, CUdevice device, CUstream stream)
{
	return rt_driver(cudaMemPrefetchAsync(rt_driver_pointer(ptr), bytes, device, stream));
}

CUresult cuMemAdvise(CUdeviceptr ptr, size_t bytes, CUmem_advise advice, CUdevice device)
{
	return rt_driver(cudaMemAdvise(rt_driver_pointer(ptr), bytes, advice, device));
}

CUresult cuMemRangeGetAttribute(void *data, size_t bytes, CUmem_range_attribute attribute,
				CUdeviceptr ptr, size_t count)
{
	return rt_driver(cudaMemRangeGetAttribute(data, bytes, attribute, rt_driver_pointer(ptr),
						  count));
}

/* ---- streams and events ----------------------------------------------- */

CUresult cuStreamCreate(CUstream *stream, unsigned int flags)
{
	return rt_driver(cudaStreamCreateWithFlags(stream, flags));
}

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority)
{
	return rt_driver(cudaStreamCreateWithPriority(stream, flags, priority));
}

CUresult cuStreamGetPriority(CUstream stream, int *priority)
{
	return rt_driver(cudaStreamGetPriority(stream, priority));
}

CUresult cuStreamGetFlags(CUstream stream, unsigned int *flags)
{
	return rt_driver(cudaStreamGetFlags(stream, flags));
}

/* The numbers of errors are the same, so a function that takes one is of the other type, too. */
CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *arg, unsigned int flags)
{
	return rt_driver(cudaStreamAddCallback(stream, (cudaStreamCallback_t)(void (*)(void))callback,
					       arg, flags));
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *arg)
{
	return rt_driver(cudaLaunchHostFunc(stream, function, arg));
}

CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr ptr, size_t bytes, unsigned int flags)
{
	return rt_driver(cudaStreamAttachMemAsync(stream, rt_driver_pointer(ptr), bytes, flags));
}

CUresult cuStreamDestroy(CUstream stream)
{
	return rt_driver(cudaStreamDestroy(stream));
}

CUresult cuStreamSynchronize(CUstream stream)
{
	return rt_driver(cudaStreamSynchronize(stream));
}

CUresult cuStreamQuery(CUstream stream)
{
	return rt_driver(cudaStreamQuery(stream));
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags)
{
	return rt_driver(cudaStreamWaitEvent(stream, event, flags));
}

CUresult cuEventCreate(CUevent *event, unsigned int flags)
{
	return rt_driver(cudaEventCreateWithFlags(event, flags));
}

CUresult cuEventDestroy(CUevent event)
{
	return rt_driver(cudaEventDestroy(event));
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
	return rt_driver(cudaEventRecord(event, stream));
}

CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned int flags)
{
	return rt_driver(cudaEventRecordWithFlags(event, stream, flags));
}

CUresult cuEventSynchronize(CUevent event)
{
	return rt_driver(cudaEventSynchronize(event));
}

CUresult cuEventQuery(CUevent event)
{
	return rt_driver(cudaEventQuery(event));
}

CUresult cuEventElapsedTime(float *ms, CUevent start, CUevent end)
{
	return rt_driver(cudaEventElapsedTime(ms, start, end));
}
