// SPDX-License-Identifier: GPL-2.0
/*
 * Copies.  What the CPU alone can reach it copies itself or through a pinned buffer, and the call
 * returns when that is done; the rest is for the copy engines.
 */
#include <string.h>

#include "array.h"
#include "copy.h"
#include "graph.h"

/* What one row is copied by. */
struct copy_route {
	bool by_cpu;
	bool staged;
	unsigned int direction;
	int gpu;
};

bool rt_extent(size_t width, size_t height, size_t depth, size_t pitch, size_t slice, size_t *bytes)
{
	size_t rows, slices;

	return !__builtin_mul_overflow(height - 1, pitch, &rows) &&
	       !__builtin_mul_overflow(depth - 1, slice, &slices) &&
	       !__builtin_add_overflow(rows, slices, bytes) &&
	       !__builtin_add_overflow(*bytes, width, bytes);
}

/* Memory of the program must hold the whole of a side; other memory is the CPU's. */
static bool copy_side(const void *ptr, const struct copy_job *job, size_t pitch, size_t slice,
		      struct rt_memory **m)
{
	size_t bytes;

	*m = rt_find(ptr);
	return ptr && rt_extent(job->width, job->height, job->depth, pitch, slice, &bytes) &&
	       (!*m || rt_find_span(ptr, bytes));
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
	rt_events_resolve_old();
	err = uvm_memcpy(rt.u, route->gpu, dst, src, bytes, route->direction);
	if (err)
		rt_complain("a copy failed");
	return rt_error(err);
}

/* A buffer of one GPU to that of another: through system memory, peers or not. */
static bool copy_is_peer(const struct rt_memory *dst, const struct rt_memory *src)
{
	return copy_is_device(dst) && copy_is_device(src) && dst->device != src->device;
}

static cudaError_t copy_row_peer(const struct rt_memory *dst_memory, char *dst,
				 const struct rt_memory *src_memory, const char *src, size_t bytes)
{
	static char buffer[1 << 20];
	int err = 0;

	rt_events_resolve_old();
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

	rt_events_resolve_old();
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

static bool copy_is_empty(const struct copy_job *job)
{
	return !job->width || !job->height || !job->depth;
}

/* Whose memory the sides of a copy of at least one byte are, if it may be done. */
static cudaError_t copy_sides(const struct copy_job *job, struct rt_memory **dst,
			      struct rt_memory **src)
{
	if (job->height > 1 && (job->dst_pitch < job->width || job->src_pitch < job->width))
		return cudaErrorInvalidPitchValue;
	if (!copy_side(job->dst, job, job->dst_pitch, job->dst_slice, dst) ||
	    !copy_side(job->src, job, job->src_pitch, job->src_slice, src))
		return cudaErrorInvalidValue;
	return copy_check_kind(job->kind, *dst, *src);
}

cudaError_t rt_copy_check(const struct copy_job *job)
{
	struct rt_memory *dst, *src;

	return copy_is_empty(job) ? cudaSuccess : copy_sides(job, &dst, &src);
}

cudaError_t rt_copy_run(const struct copy_job *asked, struct CUstream_st *s, bool wait)
{
	struct copy_job copy = *asked, *job = &copy;
	struct rt_memory *dst, *src;
	struct copy_route route;
	cudaError_t error;

	if (copy_is_empty(job))
		return cudaSuccess;
	error = copy_sides(job, &dst, &src);
	if (error)
		return error;
	route = copy_route(job->kind, dst, src);
	copy_join(job);
	if (!wait && !route.by_cpu && !route.staged && job->height * job->depth == 1 &&
	    route.gpu == rt.devices[s->device].gpu && !copy_is_peer(dst, src)) {
		error = rt_stream_before(s, RT_COPY);
		return error ? error : copy_async(&route, job, s);
	}
	error = rt_stream_before(s, RT_HOST);
	return error ? error : copy_rows(&route, job, dst, src);
}

cudaError_t rt_copy(const struct copy_job *job, cudaStream_t stream, bool async)
{
	struct rt_work work = {
		.type = cudaGraphNodeTypeMemcpy, .wait = !async, .copy = *job,
	};

	return rt_submit(stream, &work);
}

static cudaError_t copy_api(struct copy_job job, cudaStream_t stream, bool async)
{
	cudaError_t error = rt_enter();

	return rt_leave(error ? error : rt_copy(&job, stream, async));
}

struct copy_job rt_copy_flat(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind)
{
	return (struct copy_job){ .dst = dst, .src = src, .width = bytes, .height = 1, .depth = 1,
				  .dst_pitch = bytes, .src_pitch = bytes, .kind = kind };
}

cudaError_t cudaMemcpy(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind)
{
	return copy_api(rt_copy_flat(dst, src, bytes, kind), NULL, false);
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind,
			    cudaStream_t stream)
{
	return copy_api(rt_copy_flat(dst, src, bytes, kind), stream, true);
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

/* Where a side of a box begins: in an array, whose texels its numbers count, or in rows of bytes. */
struct copy_end {
	struct cudaArray *array;
	struct cudaPos pos;
	struct cudaPitchedPtr ptr;
	char *at;
	size_t pitch, slice;
};

static cudaError_t copy_find_end(struct copy_end *end, const size_t box[3])
{
	const struct cudaPitchedPtr *p = &end->ptr;
	size_t at[3] = { end->pos.x, end->pos.y, end->pos.z }, offset;

	if (!end->array == !p->ptr)
		return cudaErrorInvalidValue;
	if (!end->array) {
		if (__builtin_mul_overflow(at[2], p->ysize, &offset) ||
		    __builtin_add_overflow(offset, at[1], &offset) ||
		    __builtin_mul_overflow(offset, p->pitch, &offset) ||
		    __builtin_add_overflow(offset, at[0], &offset))
			return cudaErrorInvalidValue;
		end->at = (char *)p->ptr + offset;
		end->pitch = p->pitch;
		end->slice = p->pitch * p->ysize;
		return cudaSuccess;
	}
	if (!rt_array(end->array))
		return cudaErrorInvalidResourceHandle;
	if (__builtin_mul_overflow(at[0], end->array->texel, &at[0]) ||
	    !rt_array_holds(end->array, at, box))
		return cudaErrorInvalidValue;
	end->at = rt_array_at(end->array, at);
	end->pitch = end->array->pitch;
	end->slice = end->array->pitch * end->array->rows;
	return cudaSuccess;
}

/* The extent counts texels of the array, if there is one, and of both they have the same size. */
static bool copy_box_bytes(const struct cudaMemcpy3DParms *p, size_t box[3])
{
	bool dst = rt_array(p->dstArray), src = rt_array(p->srcArray);
	size_t unit = dst ? p->dstArray->texel : src ? p->srcArray->texel : 1;

	box[1] = p->extent.height;
	box[2] = p->extent.depth;
	return !(dst && src && p->srcArray->texel != unit) &&
	       !__builtin_mul_overflow(p->extent.width, unit, &box[0]);
}

cudaError_t rt_copy_box(const struct cudaMemcpy3DParms *p, struct copy_job *job)
{
	struct copy_end dst = { .array = p->dstArray, .pos = p->dstPos, .ptr = p->dstPtr };
	struct copy_end src = { .array = p->srcArray, .pos = p->srcPos, .ptr = p->srcPtr };
	cudaError_t error;
	size_t box[3];

	if (!copy_box_bytes(p, box))
		return cudaErrorInvalidValue;
	error = copy_find_end(&dst, box);
	if (!error)
		error = copy_find_end(&src, box);
	if (error)
		return error;
	*job = (struct copy_job){
		.dst = dst.at, .src = src.at, .width = box[0], .height = box[1], .depth = box[2],
		.dst_pitch = dst.pitch, .src_pitch = src.pitch, .dst_slice = dst.slice,
		.src_slice = src.slice, .kind = p->kind,
	};
	return cudaSuccess;
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
	cudaError_t error = rt_enter();
	struct copy_job job;

	if (!error && !p)
		error = cudaErrorInvalidValue;
	if (!error)
		error = rt_copy_box(p, &job);
	return rt_leave(error ? error : rt_copy(&job, stream, true));
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
	cudaError_t error = cudaMemcpy3DAsync(p, NULL);

	return error ? error : cudaStreamSynchronize(NULL);
}

/* ---- variables of the device ------------------------------------------ */

cudaError_t rt_copy_symbol(const void *symbol, char *other, size_t bytes, size_t offset,
			   enum cudaMemcpyKind kind, bool to, struct copy_job *job)
{
	size_t size = 0;
	void *at;
	cudaError_t error = rt_symbol(symbol, &at, &size);

	if (!error && (offset > size || bytes > size - offset))
		error = cudaErrorInvalidValue;
	if (!error && kind != (to ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost) &&
	    kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
		error = cudaErrorInvalidMemcpyDirection;
	if (error)
		return error;
	*job = to ? rt_copy_flat((char *)at + offset, other, bytes, kind) :
		    rt_copy_flat(other, (char *)at + offset, bytes, kind);
	return cudaSuccess;
}

static cudaError_t copy_symbol(const void *symbol, char *other, size_t bytes, size_t offset,
			       enum cudaMemcpyKind kind, cudaStream_t stream, bool to)
{
	cudaError_t error = rt_enter();
	struct copy_job job;

	if (!error)
		error = rt_copy_symbol(symbol, other, bytes, offset, kind, to, &job);
	return rt_leave(error ? error : rt_copy(&job, stream, true));
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
