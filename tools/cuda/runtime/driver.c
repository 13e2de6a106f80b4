// SPDX-License-Identifier: GPL-2.0
/* The CUDA driver API over the runtime API: other names, other types, the same numbers. */
#include <stdio.h>

#include "cuda.h"
#include "runtime.h"

/* Of the driver API, which keeps no last error. */
static CUresult driver(cudaError_t error)
{
	cudaGetLastError();
	return (CUresult)error;
}

static void *driver_pointer(CUdeviceptr ptr)
{
	return (void *)(uintptr_t)ptr;
}

/* A context is a device, and says so by its address. */
static char driver_contexts[UVM_GPU_MAX];

static CUcontext driver_context(int device)
{
	return (CUcontext)(void *)&driver_contexts[device];
}

static int driver_device(CUcontext context)
{
	return (int)((char *)(void *)context - driver_contexts);
}

CUresult cuInit(unsigned int flags)
{
	int count;

	return flags ? CUDA_ERROR_INVALID_VALUE : driver(cudaGetDeviceCount(&count));
}

CUresult cuDriverGetVersion(int *version)
{
	return driver(cudaDriverGetVersion(version));
}

CUresult cuGetErrorName(CUresult error, const char **name)
{
	if (!name)
		return CUDA_ERROR_INVALID_VALUE;
	*name = cudaGetErrorName((cudaError_t)error);
	return CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult error, const char **text)
{
	if (!text)
		return CUDA_ERROR_INVALID_VALUE;
	*text = cudaGetErrorString((cudaError_t)error);
	return CUDA_SUCCESS;
}

/* ---- devices and contexts --------------------------------------------- */

CUresult cuDeviceGetCount(int *count)
{
	return driver(cudaGetDeviceCount(count));
}

CUresult cuDeviceGet(CUdevice *device, int number)
{
	int count;
	cudaError_t error = cudaGetDeviceCount(&count);

	if (error)
		return driver(error);
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
		return driver(error);
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
		return driver(error);
	if (!bytes)
		return CUDA_ERROR_INVALID_VALUE;
	*bytes = p.totalGlobalMem;
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
	return driver(cudaDeviceGetAttribute(value, attribute, device));
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
	if (!context)
		return CUDA_ERROR_INVALID_VALUE;
	if (!rt_device_at(device))
		return CUDA_ERROR_INVALID_DEVICE;
	*context = driver_context(device);
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
	error = driver(cudaSetDevice(device));
	return error ? error : cuDevicePrimaryCtxRetain(context, device);
}

CUresult cuCtxSetCurrent(CUcontext context)
{
	return rt_device_at(driver_device(context)) ? driver(cudaSetDevice(driver_device(context))) :
						      CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuCtxDestroy(CUcontext context)
{
	return rt_device_at(driver_device(context)) ? driver(cudaDeviceSynchronize()) :
						      CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuCtxGetCurrent(CUcontext *context)
{
	return cuDevicePrimaryCtxRetain(context, rt_current);
}

CUresult cuCtxGetDevice(CUdevice *device)
{
	return driver(cudaGetDevice(device));
}

CUresult cuCtxSynchronize(void)
{
	return driver(cudaDeviceSynchronize());
}

/* ---- memory ----------------------------------------------------------- */

CUresult cuMemGetInfo(size_t *free_bytes, size_t *total)
{
	return driver(cudaMemGetInfo(free_bytes, total));
}

static CUresult driver_allocated(cudaError_t error, CUdeviceptr *out, void *ptr)
{
	if (!error)
		*out = (uintptr_t)ptr;
	return driver(error);
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
	return driver(cudaFree(driver_pointer(ptr)));
}

CUresult cuMemAllocHost(void **out, size_t bytes)
{
	return driver(cudaMallocHost(out, bytes));
}

CUresult cuMemHostAlloc(void **out, size_t bytes, unsigned int flags)
{
	return driver(cudaHostAlloc(out, bytes, flags));
}

CUresult cuMemFreeHost(void *ptr)
{
	return driver(cudaFreeHost(ptr));
}

CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t bytes)
{
	return driver(cudaMemcpy(driver_pointer(dst), driver_pointer(src), bytes, cudaMemcpyDefault));
}

CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream)
{
	return driver(cudaMemcpyAsync(driver_pointer(dst), driver_pointer(src), bytes,
				      cudaMemcpyDefault, stream));
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr dst, const void *src, size_t bytes, CUstream stream)
{
	return driver(cudaMemcpyAsync(driver_pointer(dst), src, bytes, cudaMemcpyHostToDevice,
				      stream));
}

CUresult cuMemcpyDtoHAsync(void *dst, CUdeviceptr src, size_t bytes, CUstream stream)
{
	return driver(cudaMemcpyAsync(dst, driver_pointer(src), bytes, cudaMemcpyDeviceToHost,
				      stream));
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream)
{
	return driver(cudaMemcpyAsync(driver_pointer(dst), driver_pointer(src), bytes,
				      cudaMemcpyDeviceToDevice, stream));
}

CUresult cuMemcpyHtoD(CUdeviceptr dst, const void *src, size_t bytes)
{
	return driver(cudaMemcpy(driver_pointer(dst), src, bytes, cudaMemcpyHostToDevice));
}

CUresult cuMemcpyDtoH(void *dst, CUdeviceptr src, size_t bytes)
{
	return driver(cudaMemcpy(dst, driver_pointer(src), bytes, cudaMemcpyDeviceToHost));
}

CUresult cuMemcpyDtoD(CUdeviceptr dst, CUdeviceptr src, size_t bytes)
{
	return driver(cudaMemcpy(driver_pointer(dst), driver_pointer(src), bytes,
				 cudaMemcpyDeviceToDevice));
}

CUresult cuMemsetD8(CUdeviceptr ptr, unsigned char value, size_t count)
{
	return driver(cudaMemset(driver_pointer(ptr), value, count));
}

CUresult cuMemsetD8Async(CUdeviceptr ptr, unsigned char value, size_t count, CUstream stream)
{
	return driver(cudaMemsetAsync(driver_pointer(ptr), value, count, stream));
}

CUresult cuMemPrefetchAsync(CUdeviceptr ptr, size_t bytes, CUdevice device, CUstream stream)
{
	return driver(cudaMemPrefetchAsync(driver_pointer(ptr), bytes, device, stream));
}

CUresult cuMemAdvise(CUdeviceptr ptr, size_t bytes, CUmem_advise advice, CUdevice device)
{
	return driver(cudaMemAdvise(driver_pointer(ptr), bytes, advice, device));
}

CUresult cuMemRangeGetAttribute(void *data, size_t bytes, CUmem_range_attribute attribute,
				CUdeviceptr ptr, size_t count)
{
	return driver(cudaMemRangeGetAttribute(data, bytes, attribute, driver_pointer(ptr), count));
}

/* ---- streams and events ----------------------------------------------- */

CUresult cuStreamCreate(CUstream *stream, unsigned int flags)
{
	return driver(cudaStreamCreateWithFlags(stream, flags));
}

CUresult cuStreamDestroy(CUstream stream)
{
	return driver(cudaStreamDestroy(stream));
}

CUresult cuStreamSynchronize(CUstream stream)
{
	return driver(cudaStreamSynchronize(stream));
}

CUresult cuStreamQuery(CUstream stream)
{
	return driver(cudaStreamQuery(stream));
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags)
{
	return driver(cudaStreamWaitEvent(stream, event, flags));
}

CUresult cuEventCreate(CUevent *event, unsigned int flags)
{
	return driver(cudaEventCreateWithFlags(event, flags));
}

CUresult cuEventDestroy(CUevent event)
{
	return driver(cudaEventDestroy(event));
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
	return driver(cudaEventRecord(event, stream));
}

CUresult cuEventSynchronize(CUevent event)
{
	return driver(cudaEventSynchronize(event));
}

CUresult cuEventQuery(CUevent event)
{
	return driver(cudaEventQuery(event));
}

CUresult cuEventElapsedTime(float *ms, CUevent start, CUevent end)
{
	return driver(cudaEventElapsedTime(ms, start, end));
}
