// SPDX-License-Identifier: GPL-2.0
/* Of the driver API: of which allocation an address is, pinned memory, words again and again. */
#include "driver.h"

/* ---- what an address is of -------------------------------------------- */

/* Both may be asked for, or one. */
CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *bytes, CUdeviceptr ptr)
{
	cudaError_t error = rt_enter();
	struct rt_memory *m = error ? NULL : rt_find(rt_driver_pointer(ptr));

	if (m && base)
		*base = m->base;
	if (m && bytes)
		*bytes = m->bytes;
	rt_leave(cudaSuccess);
	return error ? rt_driver(error) : m ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

static CUmemorytype driver_memory_type(const struct cudaPointerAttributes *a)
{
	return a->type == cudaMemoryTypeHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
}

/* One of an address that is of an allocation. */
static CUresult driver_attribute(void *data, CUpointer_attribute attribute, CUdeviceptr ptr,
				 const struct cudaPointerAttributes *a)
{
	switch (attribute) {
	case CU_POINTER_ATTRIBUTE_CONTEXT:
		*(CUcontext *)data = rt_driver_context(a->device);
		return CUDA_SUCCESS;
	case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
		*(CUmemorytype *)data = driver_memory_type(a);
		return CUDA_SUCCESS;
	case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
		*(CUdeviceptr *)data = (uintptr_t)a->devicePointer;
		return CUDA_SUCCESS;
	case CU_POINTER_ATTRIBUTE_HOST_POINTER:
		*(void **)data = a->hostPointer;
		return a->hostPointer ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
	case CU_POINTER_ATTRIBUTE_IS_MANAGED:
		*(unsigned int *)data = a->type == cudaMemoryTypeManaged;
		return CUDA_SUCCESS;
	case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
		*(int *)data = a->device;
		return CUDA_SUCCESS;
	case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
		return cuMemGetAddressRange(data, NULL, ptr);
	case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
		return cuMemGetAddressRange(NULL, data, ptr);
	case CU_POINTER_ATTRIBUTE_MAPPED:
		*(unsigned int *)data = 1;
		return CUDA_SUCCESS;
	case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
		*(unsigned int *)data = CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE;
		return CUDA_SUCCESS;
	default:
		return attribute > CU_POINTER_ATTRIBUTE_CONTEXT &&
		       attribute <= CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE ? CUDA_ERROR_NOT_SUPPORTED :
									  CUDA_ERROR_INVALID_VALUE;
	}
}

CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr ptr)
{
	struct cudaPointerAttributes a;
	CUresult error = rt_driver(cudaPointerGetAttributes(&a, rt_driver_pointer(ptr)));

	if (!error && (!data || a.type == cudaMemoryTypeUnregistered))
		error = CUDA_ERROR_INVALID_VALUE;
	return error ? error : driver_attribute(data, attribute, ptr, &a);
}

/* What an address has not is 0, and no error: so they all say it of one that is of no allocation. */
static void driver_nothing(void *data, CUpointer_attribute attribute)
{
	switch (attribute) {
	case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
		*(int *)data = cudaInvalidDeviceId;
		break;
	case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
	case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
	case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
	case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
	case CU_POINTER_ATTRIBUTE_IS_MANAGED:
	case CU_POINTER_ATTRIBUTE_MAPPED:
	case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
		*(unsigned int *)data = 0;
		break;
	default:
		*(void **)data = NULL;
	}
}

CUresult cuPointerGetAttributes(unsigned int count, CUpointer_attribute *attributes, void **data,
				CUdeviceptr ptr)
{
	struct cudaPointerAttributes a;
	CUresult error = rt_driver(cudaPointerGetAttributes(&a, rt_driver_pointer(ptr)));

	if (!error && (!count || !attributes || !data))
		error = CUDA_ERROR_INVALID_VALUE;
	for (unsigned int i = 0; i < count && !error; i++) {
		if (attributes[i] < CU_POINTER_ATTRIBUTE_CONTEXT ||
		    attributes[i] > CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE)
			return CUDA_ERROR_INVALID_VALUE;
		if (a.type == cudaMemoryTypeUnregistered)
			driver_nothing(data[i], attributes[i]);
		else
			error = driver_attribute(data[i], attributes[i], ptr, &a);
		if (attributes[i] == CU_POINTER_ATTRIBUTE_HOST_POINTER)
			error = CUDA_SUCCESS;
	}
	return error;
}

CUresult cuMemRangeGetAttributes(void **data, size_t *bytes, CUmem_range_attribute *attributes,
				 size_t number, CUdeviceptr ptr, size_t count)
{
	return rt_driver(cudaMemRangeGetAttributes(data, bytes, attributes, number,
						   rt_driver_pointer(ptr), count));
}

/* ---- allocation ------------------------------------------------------- */

/* Elements are of the sizes that accesses have. */
CUresult cuMemAllocPitch(CUdeviceptr *out, size_t *pitch, size_t width, size_t height,
			 unsigned int element)
{
	void *ptr = NULL;
	CUresult error;

	if (!out || !width || !height || (element != 4 && element != 8 && element != 16))
		return CUDA_ERROR_INVALID_VALUE;
	error = rt_driver(cudaMallocPitch(&ptr, pitch, width, height));
	if (!error)
		*out = (uintptr_t)ptr;
	return error;
}

CUresult cuMemAllocAsync(CUdeviceptr *out, size_t bytes, CUstream stream)
{
	void *ptr = NULL;
	CUresult error;

	if (!out || !bytes)
		return CUDA_ERROR_INVALID_VALUE;
	error = rt_driver(cudaMallocAsync(&ptr, bytes, stream));
	if (!error)
		*out = (uintptr_t)ptr;
	return error;
}

CUresult cuMemFreeAsync(CUdeviceptr ptr, CUstream stream)
{
	return rt_driver(cudaFreeAsync(rt_driver_pointer(ptr), stream));
}

CUresult cuMemHostRegister(void *ptr, size_t bytes, unsigned int flags)
{
	return rt_driver(cudaHostRegister(ptr, bytes, flags));
}

CUresult cuMemHostUnregister(void *ptr)
{
	return rt_driver(cudaHostUnregister(ptr));
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr *out, void *host, unsigned int flags)
{
	void *ptr = NULL;
	CUresult error;

	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	error = rt_driver(cudaHostGetDevicePointer(&ptr, host, flags));
	if (!error)
		*out = (uintptr_t)ptr;
	return error;
}

CUresult cuMemHostGetFlags(unsigned int *flags, void *host)
{
	return rt_driver(cudaHostGetFlags(flags, host));
}

/* ---- words ------------------------------------------------------------ */

/* Words lie at multiples of their size. */
static CUresult driver_fill(CUdeviceptr ptr, unsigned int word, unsigned int width, size_t count,
			    CUstream stream)
{
	if (ptr % width || count > SIZE_MAX / width)
		return CUDA_ERROR_INVALID_VALUE;
	return rt_driver(rt_fill_elements(rt_driver_pointer(ptr), word, width, count, stream));
}

CUresult cuMemsetD16Async(CUdeviceptr ptr, unsigned short value, size_t count, CUstream stream)
{
	return driver_fill(ptr, value, sizeof(value), count, stream);
}

CUresult cuMemsetD16(CUdeviceptr ptr, unsigned short value, size_t count)
{
	return cuMemsetD16Async(ptr, value, count, NULL);
}

CUresult cuMemsetD32Async(CUdeviceptr ptr, unsigned int value, size_t count, CUstream stream)
{
	return driver_fill(ptr, value, sizeof(value), count, stream);
}

CUresult cuMemsetD32(CUdeviceptr ptr, unsigned int value, size_t count)
{
	return cuMemsetD32Async(ptr, value, count, NULL);
}
