// SPDX-License-Identifier: GPL-2.0
/*
 * cudaMemset().  A GPU fills its memory, and managed memory, whose pages come to it: a first page is
 * copied there, and a copy engine doubles what is filled.  Beyond a granule it goes on with that, so
 * that what was filled long ago and may be evicted is not read again.
 */
#include <string.h>

#include "runtime.h"

cudaError_t rt_fill(int gpu, char *at, int value, size_t bytes)
{
	size_t done = bytes < UVM_PAGE_SIZE ? bytes : UVM_PAGE_SIZE, part;
	char first[UVM_PAGE_SIZE];
	int err;

	memset(first, value, done);
	err = uvm_memcpy(rt.u, gpu, at, first, done, SOFTGPU_COPY_HTOD);
	for (; !err && done < bytes; done += part) {
		part = done < UVM_BLOCK_SIZE ? done : UVM_BLOCK_SIZE;
		if (part > bytes - done)
			part = bytes - done;
		err = uvm_memcpy(rt.u, gpu, at + done, at, part, SOFTGPU_COPY_DTOD);
	}
	if (err)
		rt_complain("memset failed");
	return rt_error(err);
}

static cudaError_t fill_rows(char *ptr, size_t pitch, int value, size_t width, size_t height,
			     struct CUstream_st *s)
{
	struct rt_memory *m = rt_find_span(ptr, (height - 1) * pitch + width);
	cudaError_t error;

	if (!m)
		return cudaErrorInvalidValue;
	error = rt_stream_before(s, RT_HOST);
	if (pitch == width) {
		width *= height;
		height = 1;
	}
	for (; !error && height; height--, ptr += pitch) {
		if (m->kind == RT_PINNED)
			memset(ptr, value, width);
		else
			error = rt_fill(rt_device_at(m->kind == RT_DEVICE ? m->device :
						       rt_current)->gpu, ptr, value, width);
	}
	return error;
}

cudaError_t cudaMemset2DAsync(void *ptr, size_t pitch, int value, size_t width, size_t height,
			      cudaStream_t stream)
{
	cudaError_t error = rt_enter();
	struct CUstream_st *s = error ? NULL : rt_stream(stream);

	if (!error && !s)
		error = cudaErrorInvalidResourceHandle;
	if (!error && height > 1 && pitch < width)
		error = cudaErrorInvalidPitchValue;
	if (!error && width && height)
		error = fill_rows(ptr, pitch, value, width, height, s);
	return rt_leave(error);
}

cudaError_t cudaMemset2D(void *ptr, size_t pitch, int value, size_t width, size_t height)
{
	return cudaMemset2DAsync(ptr, pitch, value, width, height, NULL);
}

cudaError_t cudaMemsetAsync(void *ptr, int value, size_t bytes, cudaStream_t stream)
{
	return cudaMemset2DAsync(ptr, bytes, value, bytes, 1, stream);
}

cudaError_t cudaMemset(void *ptr, int value, size_t bytes)
{
	return cudaMemsetAsync(ptr, value, bytes, NULL);
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr p, int value, struct cudaExtent extent,
			      cudaStream_t stream)
{
	cudaError_t error = cudaSuccess;

	for (size_t z = 0; z < extent.depth && !error; z++)
		error = cudaMemset2DAsync((char *)p.ptr + z * p.ysize * p.pitch, p.pitch, value,
					  extent.width, extent.height, stream);
	return error;
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr p, int value, struct cudaExtent extent)
{
	return cudaMemset3DAsync(p, value, extent, NULL);
}
