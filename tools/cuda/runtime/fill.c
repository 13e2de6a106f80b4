// SPDX-License-Identifier: GPL-2.0
/*
 * cudaMemset().  A GPU fills its memory, and managed memory, whose pages come to it: a first page is
 * copied there, and a copy engine doubles what is filled.  Beyond a granule it goes on with that, so
 * that what was filled long ago and may be evicted is not read again.
 */
#include <string.h>

#include "graph.h"

/* Whole elements, one beside the other. */
static void fill_pattern(char *at, unsigned int value, unsigned int element, size_t bytes)
{
	if (element == 1) {
		memset(at, (int)value, bytes);
		return;
	}
	for (size_t done = 0; done < bytes; done += element)
		memcpy(at + done, &value, element);
}

static cudaError_t fill_gpu(int gpu, char *at, unsigned int value, unsigned int element, size_t bytes)
{
	size_t done = bytes < UVM_PAGE_SIZE ? bytes : UVM_PAGE_SIZE, part;
	char first[UVM_PAGE_SIZE];
	int err;

	fill_pattern(first, value, element, done);
	rt_events_resolve_old();
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

cudaError_t rt_fill(int gpu, char *at, int value, size_t bytes)
{
	return fill_gpu(gpu, at, (unsigned int)value, 1, bytes);
}

cudaError_t rt_fill_check(const struct rt_fill_job *job)
{
	size_t bytes;

	if (!job->width || !job->height)
		return cudaSuccess;
	if (job->height > 1 && job->pitch < job->width)
		return cudaErrorInvalidPitchValue;
	if (!rt_extent(job->width, job->height, 1, job->pitch, 0, &bytes) ||
	    !rt_find_span(job->ptr, bytes))
		return cudaErrorInvalidValue;
	return cudaSuccess;
}

cudaError_t rt_fill_run(const struct rt_fill_job *job, struct CUstream_st *s)
{
	size_t width = job->width, height = job->height;
	struct rt_memory *m = rt_find(job->ptr);
	char *at = job->ptr;
	cudaError_t error;

	if (!width || !height)
		return cudaSuccess;
	error = rt_stream_before(s, RT_HOST);
	if (job->pitch == width) {
		width *= height;
		height = 1;
	}
	for (; !error && height; height--, at += job->pitch) {
		if (m->kind == RT_PINNED)
			fill_pattern(at, job->value, job->element, width);
		else
			error = fill_gpu(rt_device_at(m->kind == RT_DEVICE ? m->device :
							rt_current)->gpu,
					 at, job->value, job->element, width);
	}
	return error;
}

static cudaError_t fill_box(const struct rt_fill_job *job, cudaStream_t stream)
{
	struct rt_work work = { .type = cudaGraphNodeTypeMemset, .fill = *job };
	cudaError_t error = rt_enter();

	return rt_leave(error ? error : rt_submit(stream, &work));
}

cudaError_t rt_fill_elements(void *ptr, unsigned int value, unsigned int element, size_t count,
			     cudaStream_t stream)
{
	const struct rt_fill_job job = {
		.ptr = ptr, .pitch = count * element, .value = value, .element = element,
		.width = count * element, .height = 1,
	};

	return fill_box(&job, stream);
}

cudaError_t cudaMemset2DAsync(void *ptr, size_t pitch, int value, size_t width, size_t height,
			      cudaStream_t stream)
{
	const struct rt_fill_job job = {
		.ptr = ptr, .pitch = pitch, .value = (unsigned int)value, .element = 1,
		.width = width, .height = height,
	};

	return fill_box(&job, stream);
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
	size_t slice, bytes;

	if (extent.width && extent.height && extent.depth &&
	    (__builtin_mul_overflow(p.ysize, p.pitch, &slice) ||
	     !rt_extent(extent.width, extent.height, extent.depth, p.pitch, slice, &bytes)))
		return rt_note(cudaErrorInvalidValue);
	for (size_t z = 0; z < extent.depth && !error; z++)
		error = cudaMemset2DAsync((char *)p.ptr + z * p.ysize * p.pitch, p.pitch, value,
					  extent.width, extent.height, stream);
	return error;
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr p, int value, struct cudaExtent extent)
{
	return cudaMemset3DAsync(p, value, extent, NULL);
}
