// SPDX-License-Identifier: GPL-2.0
/*
 * Arrays of texels, and copies from and to them.  An array lies in plain rows in GPU memory, slice
 * behind slice; what it is for the program is the address of a struct cudaArray.
 */
#include <stdio.h>
#include <stdlib.h>

#include "array.h"
#include "graph.h"

/* Rows begin at multiples of this: cudaDeviceProp.texturePitchAlignment. */
#define ARRAY_PITCH	32UL

static struct cudaArray *array_list;

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
						   enum cudaChannelFormatKind f)
{
	return (struct cudaChannelFormatDesc){ .x = x, .y = y, .z = z, .w = w, .f = f };
}

bool rt_array(const struct cudaArray *array)
{
	const struct cudaArray *a = array_list;

	while (a && a != array)
		a = a->next;
	return a;
}

/* One, two or four components of one size. */
size_t rt_texel_bytes(const struct cudaChannelFormatDesc *d)
{
	int count = d->w ? 4 : d->y ? 2 : 1;

	if ((d->y && d->y != d->x) || d->z != (count == 4 ? d->x : 0) || (d->w && d->w != d->x) ||
	    (count == 4 && !d->y))
		return 0;
	if (d->x != 32 && d->x != 16 && (d->x != 8 || d->f == cudaChannelFormatKindFloat))
		return 0;
	if (d->f != cudaChannelFormatKindSigned && d->f != cudaChannelFormatKindUnsigned &&
	    d->f != cudaChannelFormatKindFloat)
		return 0;
	return (size_t)count * d->x / 8;
}

bool rt_array_holds(const struct cudaArray *a, const size_t at[3], const size_t box[3])
{
	const size_t all[3] = { a->row, a->rows, a->slices };

	for (int i = 0; i < 3; i++)
		if (at[i] > all[i] || box[i] > all[i] - at[i])
			return false;
	return true;
}

char *rt_array_at(const struct cudaArray *a, const size_t at[3])
{
	return a->data + (at[2] * a->rows + at[1]) * a->pitch + at[0];
}

void rt_arrays_forget(void)
{
	struct cudaArray *a;

	while ((a = array_list)) {
		array_list = a->next;
		free(a);
	}
}

/* ---- allocation ------------------------------------------------------- */

/* A program that asks for these should know what it is that fails. */
static cudaError_t array_check_flags(unsigned int flags)
{
	static const struct {
		unsigned int flag;
		const char *what;
	} missing[] = {
		{ cudaArrayCubemap, "cubemaps" },
		{ cudaArrayColorAttachment, "arrays that graphics draws into" },
		{ cudaArraySparse, "sparse arrays" },
		{ cudaArrayDeferredMapping, "arrays that get their memory later" },
	};

	for (size_t i = 0; i < sizeof(missing) / sizeof(missing[0]); i++) {
		if (!(flags & missing[i].flag))
			continue;
		fprintf(stderr, "softuvm: %s are not available here\n", missing[i].what);
		return cudaErrorNotSupported;
	}
	return flags & ~(cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayTextureGather) ?
		cudaErrorInvalidValue : cudaSuccess;
}

static bool array_fits(struct cudaExtent e, unsigned int flags)
{
	if (!e.width || (flags & cudaArrayTextureGather &&
			 (!e.height || e.width > ARRAY_GATHER_MAX || e.height > ARRAY_GATHER_MAX ||
			  (e.depth && !(flags & cudaArrayLayered)))))
		return false;
	if (flags & cudaArrayLayered)
		return e.width <= ARRAY_LAYERED_MAX && e.height <= ARRAY_LAYERED_MAX && e.depth &&
		       e.depth <= ARRAY_LAYERS_MAX;
	if (e.depth)
		return e.height && e.width <= ARRAY_3D_MAX && e.height <= ARRAY_3D_MAX &&
		       e.depth <= ARRAY_3D_MAX;
	return e.width <= ARRAY_1D_MAX && e.height <= ARRAY_2D_ROWS_MAX;
}

static cudaError_t array_new(struct cudaArray **out, const struct cudaChannelFormatDesc *desc,
			     struct cudaExtent extent, unsigned int flags)
{
	struct cudaArray *a;
	cudaError_t error = array_check_flags(flags);

	if (error)
		return error;
	if (!out || !desc || !array_fits(extent, flags))
		return cudaErrorInvalidValue;
	if (!rt_texel_bytes(desc))
		return cudaErrorInvalidChannelDescriptor;
	a = calloc(1, sizeof(*a));
	if (!a)
		return cudaErrorMemoryAllocation;
	a->flags = flags;
	a->desc = *desc;
	a->extent = extent;
	a->texel = rt_texel_bytes(desc);
	a->row = extent.width * a->texel;
	a->pitch = (a->row + ARRAY_PITCH - 1) & ~(ARRAY_PITCH - 1);
	a->rows = extent.height ? extent.height : 1;
	a->slices = extent.depth ? extent.depth : 1;
	error = rt_allocate_own((void **)&a->data, a->pitch * a->rows * a->slices, rt_current);
	if (error) {
		free(a);
		return error;
	}
	a->next = array_list;
	array_list = a;
	*out = a;
	return cudaSuccess;
}

cudaError_t cudaMalloc3DArray(cudaArray_t *out, const struct cudaChannelFormatDesc *desc,
			      struct cudaExtent extent, unsigned int flags)
{
	cudaError_t error = rt_enter_unsafe();

	return rt_leave(error ? error : array_new(out, desc, extent, flags));
}

cudaError_t cudaMallocArray(cudaArray_t *out, const struct cudaChannelFormatDesc *desc, size_t width,
			    size_t height, unsigned int flags)
{
	return cudaMalloc3DArray(out, desc, make_cudaExtent(width, height, 0), flags);
}

/* CUDA waits for the GPU before it frees. */
static cudaError_t array_free(struct cudaArray *array)
{
	struct cudaArray **at = &array_list;
	cudaError_t error;

	while (*at && *at != array)
		at = &(*at)->next;
	if (!*at)
		return cudaErrorInvalidResourceHandle;
	error = rt_finish();
	rt_forget(rt_find(array->data));
	*at = array->next;
	free(array);
	return error;
}

cudaError_t cudaFreeArray(cudaArray_t array)
{
	cudaError_t error = rt_enter_unsafe();

	return rt_leave(error || !array ? error : array_free(array));
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
			     unsigned int *flags, cudaArray_t array)
{
	cudaError_t error = rt_enter();

	if (!error && !rt_array(array))
		error = cudaErrorInvalidResourceHandle;
	if (!error && desc)
		*desc = array->desc;
	if (!error && extent)
		*extent = array->extent;
	if (!error && flags)
		*flags = array->flags;
	return rt_leave(error);
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array)
{
	if (!desc)
		return rt_note(cudaErrorInvalidValue);
	return cudaArrayGetInfo(desc, NULL, NULL, (cudaArray_t)array);
}

/* ---- copies of rows --------------------------------------------------- */

/**
 * struct array_box - rows of an array, and rows of memory for them
 * @array: the one
 * @x: byte of a row that it begins at
 * @y: row that it begins at
 * @width: bytes of a row
 * @height: rows
 * @pitch: from row to row in memory
 */
struct array_box {
	const struct cudaArray *array;
	size_t x, y, width, height, pitch;
};

static cudaError_t array_place(const struct array_box *b, char **at)
{
	const size_t from[3] = { b->x, b->y, 0 }, box[3] = { b->width, b->height, 0 };

	if (!rt_array(b->array))
		return cudaErrorInvalidResourceHandle;
	if (!rt_array_holds(b->array, from, box))
		return cudaErrorInvalidValue;
	*at = rt_array_at(b->array, from);
	return cudaSuccess;
}

static cudaError_t array_copy_box(const struct array_box *b, char *other, bool to,
				  enum cudaMemcpyKind kind, cudaStream_t stream, bool async)
{
	struct copy_job job = { .width = b->width, .height = b->height, .depth = 1, .kind = kind };
	char *at = NULL;
	cudaError_t error = array_place(b, &at);

	if (error)
		return error;
	job.dst = to ? at : other;
	job.src = to ? other : at;
	job.dst_pitch = to ? b->array->pitch : b->pitch;
	job.src_pitch = to ? b->pitch : b->array->pitch;
	return rt_copy(&job, stream, async);
}

static cudaError_t array_box_api(struct array_box box, const void *other, bool to,
				 enum cudaMemcpyKind kind, cudaStream_t stream, bool async)
{
	cudaError_t error = rt_enter();

	return rt_leave(error ? error :
			array_copy_box(&box, (char *)other, to, kind, stream, async));
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void *src,
				     size_t pitch, size_t width, size_t height,
				     enum cudaMemcpyKind kind, cudaStream_t stream)
{
	return array_box_api((struct array_box){ dst, x, y, width, height, pitch }, src, true, kind,
			     stream, true);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t x, size_t y, const void *src, size_t pitch,
				size_t width, size_t height, enum cudaMemcpyKind kind)
{
	return array_box_api((struct array_box){ dst, x, y, width, height, pitch }, src, true, kind,
			     NULL, false);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *dst, size_t pitch, cudaArray_const_t src, size_t x,
				       size_t y, size_t width, size_t height,
				       enum cudaMemcpyKind kind, cudaStream_t stream)
{
	return array_box_api((struct array_box){ src, x, y, width, height, pitch }, dst, false, kind,
			     stream, true);
}

cudaError_t cudaMemcpy2DFromArray(void *dst, size_t pitch, cudaArray_const_t src, size_t x, size_t y,
				  size_t width, size_t height, enum cudaMemcpyKind kind)
{
	return array_box_api((struct array_box){ src, x, y, width, height, pitch }, dst, false, kind,
			     NULL, false);
}

static cudaError_t array_copy_between(const struct array_box *dst, const struct array_box *src,
				      enum cudaMemcpyKind kind)
{
	char *to = NULL, *from = NULL;
	cudaError_t error = array_place(dst, &to);
	struct copy_job job;

	if (!error)
		error = array_place(src, &from);
	if (error)
		return error;
	job = (struct copy_job){ .dst = to, .src = from, .width = dst->width,
				 .height = dst->height, .depth = 1,
				 .dst_pitch = dst->array->pitch, .src_pitch = src->array->pitch,
				 .kind = kind };
	return rt_copy(&job, NULL, false);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t dst_x, size_t dst_y,
				     cudaArray_const_t src, size_t src_x, size_t src_y, size_t width,
				     size_t height, enum cudaMemcpyKind kind)
{
	const struct array_box to = { dst, dst_x, dst_y, width, height, 0 };
	const struct array_box from = { src, src_x, src_y, width, height, 0 };
	cudaError_t error = rt_enter();

	return rt_leave(error ? error : array_copy_between(&to, &from, kind));
}

/* ---- copies that go on in the next row -------------------------------- */

/* So many bytes from there on are the first slice's. */
static bool array_holds_run(const struct cudaArray *a, size_t x, size_t y, size_t bytes)
{
	return x < a->row && y < a->rows && bytes <= (a->rows - y) * a->row - x;
}

static cudaError_t array_check_run(const struct cudaArray *a, size_t x, size_t y, size_t bytes)
{
	if (!rt_array(a))
		return cudaErrorInvalidResourceHandle;
	return array_holds_run(a, x, y, bytes) ? cudaSuccess : cudaErrorInvalidValue;
}

/* The rest of a row, whole rows at once, and what is left. */
static cudaError_t array_copy_run(const struct array_box *run, char *other, size_t bytes, bool to,
				  enum cudaMemcpyKind kind, cudaStream_t stream, bool async)
{
	cudaError_t error = array_check_run(run->array, run->x, run->y, bytes);
	struct array_box part = *run;
	size_t row, done;

	for (; !error && bytes; bytes -= done, other += done) {
		row = run->array->row;
		part.pitch = row;
		part.width = bytes < row - part.x ? bytes : row - part.x;
		part.height = part.width == row ? bytes / row : 1;
		done = part.width * part.height;
		error = array_copy_box(&part, other, to, kind, stream, async);
		part.y += part.height;
		part.x = 0;
	}
	return error;
}

static cudaError_t array_run_api(const struct cudaArray *array, size_t x, size_t y, const void *other,
				 size_t bytes, bool to, enum cudaMemcpyKind kind,
				 cudaStream_t stream, bool async)
{
	const struct array_box run = { .array = array, .x = x, .y = y };
	cudaError_t error = rt_enter();

	return rt_leave(error ? error :
			array_copy_run(&run, (char *)other, bytes, to, kind, stream, async));
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void *src, size_t bytes,
				   enum cudaMemcpyKind kind, cudaStream_t stream)
{
	return array_run_api(dst, x, y, src, bytes, true, kind, stream, true);
}

cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t x, size_t y, const void *src, size_t bytes,
			      enum cudaMemcpyKind kind)
{
	return array_run_api(dst, x, y, src, bytes, true, kind, NULL, false);
}

cudaError_t cudaMemcpyFromArrayAsync(void *dst, cudaArray_const_t src, size_t x, size_t y,
				     size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
	return array_run_api(src, x, y, dst, bytes, false, kind, stream, true);
}

cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t x, size_t y, size_t bytes,
				enum cudaMemcpyKind kind)
{
	return array_run_api(src, x, y, dst, bytes, false, kind, NULL, false);
}

static cudaError_t array_run_between(struct array_box to, struct array_box from, size_t bytes,
				     enum cudaMemcpyKind kind)
{
	cudaError_t error = array_check_run(to.array, to.x, to.y, bytes);

	if (!error)
		error = array_check_run(from.array, from.x, from.y, bytes);
	while (!error && bytes) {
		size_t part = to.array->row - to.x, rest = from.array->row - from.x;

		part = part < rest ? part : rest;
		part = part < bytes ? part : bytes;
		to.width = part;
		from.width = part;
		error = array_copy_between(&to, &from, kind);
		bytes -= part;
		to.y += (to.x + part) / to.array->row;
		to.x = (to.x + part) % to.array->row;
		from.y += (from.x + part) / from.array->row;
		from.x = (from.x + part) % from.array->row;
	}
	return error;
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t dst, size_t dst_x, size_t dst_y,
				   cudaArray_const_t src, size_t src_x, size_t src_y, size_t bytes,
				   enum cudaMemcpyKind kind)
{
	const struct array_box to = { dst, dst_x, dst_y, 0, 1, 0 };
	const struct array_box from = { src, src_x, src_y, 0, 1, 0 };
	cudaError_t error = rt_enter();

	return rt_leave(error ? error : array_run_between(to, from, bytes, kind));
}
