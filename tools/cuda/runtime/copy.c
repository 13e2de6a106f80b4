// SPDX-License-Identifier: GPL-2.0
/*
 * Copies.  What the CPU alone can reach it copies itself or through a pinned buffer, and the call
 * returns when that is done; the rest is for the copy engines.
 */
#include <string.h>

#include "runtime.h"

/**
 * struct copy_job - a box of bytes: rows of one length, one or many
 * @dst: where to
 * @src: where from
 * @width: bytes of a row
 * @height: rows of a slice
 * @depth: slices
 * @dst_pitch: from row to row
 * @src_pitch: likewise
 * @dst_slice: from slice to slice
 * @src_slice: likewise
 * @kind: of the API
 */
struct copy_job {
	char *dst;
	const char *src;
	size_t width, height, depth;
	size_t dst_pitch, src_pitch;
	size_t dst_slice, src_slice;
	enum cudaMemcpyKind kind;
};

/* What one row is copied by. */
struct copy_route {
	bool by_cpu;
	bool staged;
	unsigned int direction;
	int gpu;
};

/* How far the box reaches on one side. */
static size_t copy_extent(size_t width, size_t height, size_t depth, size_t pitch, size_t slice)
{
	return (depth - 1) * slice + (height - 1) * pitch + width;
}

/* Memory of the program must hold the whole of a side; other memory is the CPU's. */
static bool copy_side(const void *ptr, size_t bytes, struct rt_memory **m)
{
	*m = rt_find(ptr);
	return !*m || rt_find_span(ptr, bytes);
}

static bool copy_is_device(const struct rt_memory *m)
{
	return m && m->kind == RT_DEVICE;
}

static bool copy_is_managed(const struct rt_memory *m)
{
	return m && m->kind == RT_MANAGED;
}

/*
 * A kind that names the host must not mean memory of a GPU alone, and the other way round: managed
 * and pinned memory is both.
 */
static cudaError_t copy_check_kind(enum cudaMemcpyKind kind, const struct rt_memory *dst,
				   const struct rt_memory *src)
{
	bool dst_host = kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost;
	bool src_host = kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice;

	if ((unsigned int)kind > cudaMemcpyDefault)
		return cudaErrorInvalidMemcpyDirection;
	if (kind == cudaMemcpyDefault)
		return cudaSuccess;
	if (dst_host ? copy_is_device(dst) : !dst)
		return cudaErrorInvalidValue;
	if (src_host ? copy_is_device(src) : !src)
		return cudaErrorInvalidValue;
	return cudaSuccess;
}

/*
 * Who copies.  Managed memory is read and written by a GPU, unless both sides are said to be the
 * host's; its pages come as for any access of it.
 */
static struct copy_route copy_route(enum cudaMemcpyKind kind, const struct rt_memory *dst,
				    const struct rt_memory *src)
{
	struct copy_route r = { .staged = !dst || !src };
	bool dst_gpu = copy_is_device(dst) || copy_is_managed(dst);
	bool src_gpu = copy_is_device(src) || copy_is_managed(src);
	const struct rt_memory *owner = copy_is_device(dst) ? dst : copy_is_device(src) ? src : NULL;

	if (kind == cudaMemcpyHostToHost || (!dst_gpu && !src_gpu))
		r.by_cpu = true;
	r.direction = !src_gpu ? SOFTGPU_COPY_HTOD : !dst_gpu ? SOFTGPU_COPY_DTOH :
			SOFTGPU_COPY_DTOD;
	r.gpu = rt_device_at(owner ? owner->device : rt_current)->gpu;
	return r;
}

static cudaError_t copy_row(const struct copy_route *route, char *dst, const char *src, size_t bytes)
{
	int err;

	if (route->by_cpu) {
		memmove(dst, src, bytes);
		return cudaSuccess;
	}
	err = uvm_memcpy(rt.u, route->gpu, dst, src, bytes, route->direction);
	if (err)
		rt_complain("a copy failed");
	return rt_error(err);
}

/* A buffer of one GPU to that of another: through system memory, unless they are peers. */
static bool copy_is_peer(const struct rt_memory *dst, const struct rt_memory *src)
{
	return copy_is_device(dst) && copy_is_device(src) && dst->device != src->device;
}

static cudaError_t copy_row_peer(const struct rt_memory *dst_memory, char *dst,
				 const struct rt_memory *src_memory, const char *src, size_t bytes)
{
	static char buffer[1 << 20];
	int err = 0;

	for (size_t part; !err && bytes; bytes -= part, dst += part, src += part) {
		part = bytes < sizeof(buffer) ? bytes : sizeof(buffer);
		err = uvm_memcpy(rt.u, rt_device_at(src_memory->device)->gpu, buffer, src, part,
				 SOFTGPU_COPY_DTOH);
		if (!err)
			err = uvm_memcpy(rt.u, rt_device_at(dst_memory->device)->gpu, dst, buffer,
					 part, SOFTGPU_COPY_HTOD);
	}
	return rt_error(err);
}

/* Rows that follow each other are one. */
static void copy_join(struct copy_job *job)
{
	if (job->dst_pitch == job->width && job->src_pitch == job->width &&
	    (job->depth == 1 || (job->dst_slice == job->height * job->width &&
				 job->src_slice == job->dst_slice))) {
		job->width *= job->height * job->depth;
		job->height = 1;
		job->depth = 1;
	}
}

/* The GPU goes on with it while the program does; of rows only the last is waited for later. */
static cudaError_t copy_async(const struct copy_route *route, const struct copy_job *job,
			      struct CUstream_st *s)
{
	size_t at, part;
	int err = 0;

	for (at = 0; !err && at < job->width; at += part) {
		part = job->width - at < SOFTGPU_COPY_MAX ? job->width - at : SOFTGPU_COPY_MAX;
		if (s->copy)
			err = uvm_memcpy_wait(rt.u, route->gpu, s->copy);
		if (!err)
			err = uvm_memcpy_async(rt.u, route->gpu, job->dst + at, job->src + at, part,
					       route->direction, &s->copy);
	}
	return rt_error(err);
}

static cudaError_t copy_rows(const struct copy_route *route, const struct copy_job *job,
			     const struct rt_memory *dst, const struct rt_memory *src)
{
	cudaError_t error = cudaSuccess;

	for (size_t z = 0; z < job->depth; z++) {
		for (size_t y = 0; y < job->height && !error; y++) {
			char *to = job->dst + z * job->dst_slice + y * job->dst_pitch;
			const char *from = job->src + z * job->src_slice + y * job->src_pitch;

			error = copy_is_peer(dst, src) ?
					copy_row_peer(dst, to, src, from, job->width) :
					copy_row(route, to, from, job->width);
		}
	}
	return error;
}

static cudaError_t copy_run(struct copy_job *job, cudaStream_t stream, bool async)
{
	struct CUstream_st *s = rt_stream(stream);
	struct rt_memory *dst, *src;
	struct copy_route route;
	cudaError_t error;

	if (!s)
		return cudaErrorInvalidResourceHandle;
	if (!job->width || !job->height || !job->depth)
		return cudaSuccess;
	if (job->height > 1 && (job->dst_pitch < job->width || job->src_pitch < job->width))
		return cudaErrorInvalidPitchValue;
	if (!job->dst || !job->src ||
	    !copy_side(job->dst, copy_extent(job->width, job->height, job->depth, job->dst_pitch,
					     job->dst_slice), &dst) ||
	    !copy_side(job->src, copy_extent(job->width, job->height, job->depth, job->src_pitch,
					     job->src_slice), &src))
		return cudaErrorInvalidValue;
	error = copy_check_kind(job->kind, dst, src);
	if (error)
		return error;
	route = copy_route(job->kind, dst, src);
	copy_join(job);
	if (async && !route.by_cpu && !route.staged && job->height * job->depth == 1 &&
	    route.gpu == rt.devices[s->device].gpu && !copy_is_peer(dst, src)) {
		error = rt_stream_before(s, RT_COPY);
		return error ? error : copy_async(&route, job, s);
	}
	error = rt_stream_before(s, RT_HOST);
	return error ? error : copy_rows(&route, job, dst, src);
}

static cudaError_t copy_api(struct copy_job job, cudaStream_t stream, bool async)
{
	cudaError_t error = rt_enter();

	return rt_leave(error ? error : copy_run(&job, stream, async));
}

static struct copy_job copy_flat(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind)
{
	return (struct copy_job){ .dst = dst, .src = src, .width = bytes, .height = 1, .depth = 1,
				  .dst_pitch = bytes, .src_pitch = bytes, .kind = kind };
}

cudaError_t cudaMemcpy(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind)
{
	return copy_api(copy_flat(dst, src, bytes, kind), NULL, false);
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind,
			    cudaStream_t stream)
{
	return copy_api(copy_flat(dst, src, bytes, kind), stream, true);
}

/* With unified addresses the pointers say which GPUs. */
cudaError_t cudaMemcpyPeer(void *dst, int dst_device, const void *src, int src_device, size_t bytes)
{
	if (!rt_device_at(dst_device) || !rt_device_at(src_device))
		return rt_note(cudaErrorInvalidDevice);
	return cudaMemcpy(dst, src, bytes, cudaMemcpyDefault);
}

cudaError_t cudaMemcpyPeerAsync(void *dst, int dst_device, const void *src, int src_device,
				size_t bytes, cudaStream_t stream)
{
	if (!rt_device_at(dst_device) || !rt_device_at(src_device))
		return rt_note(cudaErrorInvalidDevice);
	return cudaMemcpyAsync(dst, src, bytes, cudaMemcpyDefault, stream);
}

static struct copy_job copy_box(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
				size_t width, size_t height, enum cudaMemcpyKind kind)
{
	return (struct copy_job){ .dst = dst, .src = src, .width = width, .height = height,
				  .depth = 1, .dst_pitch = dst_pitch, .src_pitch = src_pitch,
				  .kind = kind };
}

cudaError_t cudaMemcpy2D(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
			 size_t height, enum cudaMemcpyKind kind)
{
	return copy_api(copy_box(dst, dst_pitch, src, src_pitch, width, height, kind), NULL, false);
}

cudaError_t cudaMemcpy2DAsync(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
			      size_t width, size_t height, enum cudaMemcpyKind kind,
			      cudaStream_t stream)
{
	return copy_api(copy_box(dst, dst_pitch, src, src_pitch, width, height, kind), stream, true);
}

static size_t copy_offset(struct cudaPitchedPtr p, struct cudaPos at)
{
	return (at.z * p.ysize + at.y) * p.pitch + at.x;
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
	struct copy_job job;

	if (!p || p->srcArray || p->dstArray)
		return rt_note(p ? cudaErrorNotSupported : cudaErrorInvalidValue);
	job = copy_box((char *)p->dstPtr.ptr + copy_offset(p->dstPtr, p->dstPos), p->dstPtr.pitch,
		       (const char *)p->srcPtr.ptr + copy_offset(p->srcPtr, p->srcPos),
		       p->srcPtr.pitch, p->extent.width, p->extent.height, p->kind);
	job.depth = p->extent.depth;
	job.dst_slice = p->dstPtr.pitch * p->dstPtr.ysize;
	job.src_slice = p->srcPtr.pitch * p->srcPtr.ysize;
	return copy_api(job, stream, true);
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
	cudaError_t error = cudaMemcpy3DAsync(p, NULL);

	return error ? error : cudaStreamSynchronize(NULL);
}

/* ---- variables of the device ------------------------------------------ */

static cudaError_t copy_symbol(const void *symbol, char *other, size_t bytes, size_t offset,
			       enum cudaMemcpyKind kind, cudaStream_t stream, bool to)
{
	struct copy_job job;
	cudaError_t error = rt_enter();
	size_t size = 0;
	void *at;

	if (!error)
		error = rt_symbol(symbol, &at, &size);
	if (!error && (offset > size || bytes > size - offset))
		error = cudaErrorInvalidValue;
	if (!error && kind != (to ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost) &&
	    kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
		error = cudaErrorInvalidMemcpyDirection;
	if (error)
		return rt_leave(error);
	job = to ? copy_flat((char *)at + offset, other, bytes, kind) :
		   copy_flat(other, (char *)at + offset, bytes, kind);
	return rt_leave(copy_run(&job, stream, true));
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t bytes, size_t offset,
				    enum cudaMemcpyKind kind, cudaStream_t stream)
{
	return copy_symbol(symbol, (char *)src, bytes, offset, kind, stream, true);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t bytes, size_t offset,
				      enum cudaMemcpyKind kind, cudaStream_t stream)
{
	return copy_symbol(symbol, dst, bytes, offset, kind, stream, false);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t bytes, size_t offset,
			       enum cudaMemcpyKind kind)
{
	cudaError_t error = cudaMemcpyToSymbolAsync(symbol, src, bytes, offset, kind, NULL);

	return error ? error : cudaStreamSynchronize(NULL);
}

cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t bytes, size_t offset,
				 enum cudaMemcpyKind kind)
{
	cudaError_t error = cudaMemcpyFromSymbolAsync(dst, symbol, bytes, offset, kind, NULL);

	return error ? error : cudaStreamSynchronize(NULL);
}

cudaError_t cudaGetSymbolAddress(void **out, const void *symbol)
{
	cudaError_t error = rt_enter();
	size_t size;

	if (!error && !out)
		error = cudaErrorInvalidValue;
	return rt_leave(error ? error : rt_symbol(symbol, out, &size));
}

cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol)
{
	cudaError_t error = rt_enter();
	void *at;

	if (!error && !bytes)
		error = cudaErrorInvalidValue;
	return rt_leave(error ? error : rt_symbol(symbol, &at, bytes));
}
