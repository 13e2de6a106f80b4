// SPDX-License-Identifier: GPL-2.0
/*
 * Textures of arrays, of rows and of linear memory.  A view (struct softuvm_texture) lies in GPU memory;
 * a texture object is its address, and a texture reference is a word of the module's that holds it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "copy.h"
#include "view.h"

/* ---- objects of all kinds --------------------------------------------- */

static struct view *view_list;

static cudaError_t view_write(void *at, const struct softuvm_texture *t)
{
	struct copy_job job = { .dst = at, .src = (const char *)t, .width = sizeof(*t),
				.height = 1, .depth = 1, .kind = cudaMemcpyHostToDevice };

	return rt_copy(&job, NULL, false);
}

cudaError_t rt_view_add(const struct view *view, const struct softuvm_texture *t,
			unsigned long long *object)
{
	struct view *v = malloc(sizeof(*v));
	void *at = NULL;
	cudaError_t error = v ? rt_allocate_own(&at, sizeof(*t), rt_current) :
				cudaErrorMemoryAllocation;

	if (!error)
		error = view_write(at, t);
	if (error) {
		if (at)
			rt_forget(rt_find(at));
		free(v);
		return error;
	}
	*v = *view;
	v->object = (uintptr_t)at;
	v->next = view_list;
	view_list = v;
	*object = v->object;
	return cudaSuccess;
}

const struct view *rt_view(unsigned long long object, bool surface)
{
	const struct view *v = view_list;

	while (v && (v->object != object || v->surface != surface))
		v = v->next;
	return v;
}

cudaError_t rt_view_resource(struct cudaResourceDesc *desc, unsigned long long object, bool surface)
{
	cudaError_t error = rt_enter();
	const struct view *v = error ? NULL : rt_view(object, surface);

	if (!error && (!desc || !v))
		error = cudaErrorInvalidValue;
	if (!error)
		*desc = v->resource;
	return rt_leave(error);
}

/* Kernels that may read it are waited for. */
cudaError_t rt_view_remove(unsigned long long object, bool surface)
{
	struct view **at = &view_list, *v;
	cudaError_t error;

	while (*at && ((*at)->object != object || (*at)->surface != surface))
		at = &(*at)->next;
	v = *at;
	if (!v)
		return cudaErrorInvalidValue;
	error = rt_finish();
	rt_forget(rt_find((void *)object));
	*at = v->next;
	free(v);
	return error;
}

void rt_views_forget(void)
{
	struct view *v;

	while ((v = view_list)) {
		view_list = v->next;
		free(v);
	}
}

cudaError_t rt_view_refuse(const char *what)
{
	fprintf(stderr, "softuvm: %s are not available here\n", what);
	return cudaErrorNotSupported;
}

/* ---- what a texture is of --------------------------------------------- */

static void texture_format(struct softuvm_texture *t, const struct cudaChannelFormatDesc *desc)
{
	t->texel = rt_texel_bytes(desc);
	t->component = desc->x / 8;
	t->components = t->texel / t->component;
	t->kind = desc->f;
}

void rt_view_of_array(struct softuvm_texture *t, const struct cudaArray *a)
{
	texture_format(t, &a->desc);
	t->data = a->data;
	t->pitch = a->pitch;
	t->slice = a->pitch * a->rows;
	t->size[0] = a->extent.width;
	t->size[1] = a->rows;
	t->size[2] = a->slices;
}

static cudaError_t texture_of_linear(struct softuvm_texture *t, const void *data,
				     const struct cudaChannelFormatDesc *desc, size_t bytes)
{
	if (!data)
		return cudaErrorInvalidValue;
	if (!rt_texel_bytes(desc))
		return cudaErrorInvalidChannelDescriptor;
	texture_format(t, desc);
	t->data = data;
	bytes /= t->texel;
	t->size[0] = bytes < UINT32_MAX ? bytes : UINT32_MAX;
	t->size[1] = 1;
	t->size[2] = 1;
	return cudaSuccess;
}

/* Larger ones than arrays may be are none, so that places in them are numbers of a float. */
static cudaError_t texture_of_rows(struct softuvm_texture *t, const void *data,
				   const struct cudaChannelFormatDesc *desc, size_t width,
				   size_t height, size_t pitch)
{
	if (!data || !width || !height || width > VIEW_ROWS_WIDTH_MAX || height > VIEW_ROWS_MAX ||
	    pitch > VIEW_ROWS_PITCH_MAX)
		return cudaErrorInvalidValue;
	if (!rt_texel_bytes(desc))
		return cudaErrorInvalidChannelDescriptor;
	texture_format(t, desc);
	if (height > 1 && (pitch < width * t->texel || pitch % t->component))
		return cudaErrorInvalidPitchValue;
	t->data = data;
	t->pitch = pitch;
	t->size[0] = width;
	t->size[1] = height;
	t->size[2] = 1;
	return cudaSuccess;
}

static cudaError_t texture_of_resource(struct softuvm_texture *t, const struct cudaResourceDesc *r)
{
	switch (r->resType) {
	case cudaResourceTypeArray:
		if (!rt_array(r->res.array.array))
			return cudaErrorInvalidResourceHandle;
		rt_view_of_array(t, r->res.array.array);
		return cudaSuccess;
	case cudaResourceTypeLinear:
		return texture_of_linear(t, r->res.linear.devPtr, &r->res.linear.desc,
					 r->res.linear.sizeInBytes);
	case cudaResourceTypePitch2D:
		return texture_of_rows(t, r->res.pitch2D.devPtr, &r->res.pitch2D.desc,
				       r->res.pitch2D.width, r->res.pitch2D.height,
				       r->res.pitch2D.pitchInBytes);
	case cudaResourceTypeMipmappedArray:
		return rt_view_refuse("mipmaps");
	default:
		return cudaErrorInvalidValue;
	}
}

/*
 * How it is read.  Integers of 32 bits stay what they are, and without coordinates up to 1 nothing
 * repeats (CUDA runtime API, struct cudaTextureDesc).
 */
static cudaError_t texture_read_as(struct softuvm_texture *t, const struct cudaTextureDesc *d)
{
	if (d->sRGB)
		return rt_view_refuse("sRGB textures");
	if (d->readMode != cudaReadModeElementType && d->readMode != cudaReadModeNormalizedFloat)
		return cudaErrorInvalidNormSetting;
	if (d->filterMode != cudaFilterModePoint && d->filterMode != cudaFilterModeLinear)
		return cudaErrorInvalidFilterSetting;
	t->unit = d->readMode == cudaReadModeNormalizedFloat && t->component < 4 &&
		  t->kind != cudaChannelFormatKindFloat;
	t->filter = d->filterMode;
	if (t->filter == cudaFilterModeLinear && !t->unit && t->kind != cudaChannelFormatKindFloat)
		return cudaErrorInvalidFilterSetting;
	t->normalized = !!d->normalizedCoords;
	for (int i = 0; i < 3; i++) {
		if ((unsigned int)d->addressMode[i] > cudaAddressModeBorder)
			return cudaErrorInvalidValue;
		t->address[i] = d->addressMode[i];
	}
	memcpy(t->border, d->borderColor, sizeof(t->border));
	return cudaSuccess;
}

static cudaError_t texture_make(struct softuvm_texture *t, const struct cudaResourceDesc *resource,
				const struct cudaTextureDesc *desc)
{
	struct cudaTextureDesc d = *desc;
	cudaError_t error;

	memset(t, 0, sizeof(*t));
	/* Linear memory has elements, and no filter. */
	if (resource->resType == cudaResourceTypeLinear)
		d.filterMode = cudaFilterModePoint;
	error = texture_of_resource(t, resource);
	return error ? error : texture_read_as(t, &d);
}

/* ---- objects ---------------------------------------------------------- */

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object,
				    const struct cudaResourceDesc *resource,
				    const struct cudaTextureDesc *desc,
				    const struct cudaResourceViewDesc *view)
{
	struct softuvm_texture t;
	cudaError_t error = rt_enter();

	if (!error && (!object || !resource || !desc))
		error = cudaErrorInvalidValue;
	if (!error && view)
		error = rt_view_refuse("views of a part of an array");
	if (!error)
		error = texture_make(&t, resource, desc);
	if (!error)
		error = rt_view_add(&(struct view){ .resource = *resource, .desc = *desc }, &t,
				    object);
	return rt_leave(error);
}

/* 0 is the object that there is not: nothing to do, as with CUDA. */
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object)
{
	cudaError_t error = rt_enter();

	return rt_leave(error || !object ? error : rt_view_remove(object, false));
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *desc, cudaTextureObject_t object)
{
	return rt_view_resource(desc, object, false);
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *desc, cudaTextureObject_t object)
{
	cudaError_t error = rt_enter();
	const struct view *v = error ? NULL : rt_view(object, false);

	if (!error && (!desc || !v))
		error = cudaErrorInvalidValue;
	if (!error)
		*desc = v->desc;
	return rt_leave(error);
}

/* ---- references ------------------------------------------------------- */

static cudaError_t texture_refuse(cudaError_t why)
{
	cudaError_t error = rt_enter();

	return rt_leave(error ? error : why);
}

/* In @view if there is one already, else in memory of its own. */
static cudaError_t texture_write(void **view, const struct softuvm_texture *t)
{
	void *own = *view;
	cudaError_t error = own ? cudaSuccess : cudaMalloc(&own, sizeof(*t));

	if (!error)
		error = cudaMemcpy(own, t, sizeof(*t), cudaMemcpyHostToDevice);
	if (error && own && !*view)
		cudaFree(own);
	else if (!error)
		*view = own;
	return error;
}

/* What the program says of a reference counts when it is bound. */
static cudaError_t texture_bind(const struct textureReference *reference,
				const struct cudaResourceDesc *resource)
{
	struct cudaTextureDesc d = {
		.addressMode = { reference->addressMode[0], reference->addressMode[1],
				 reference->addressMode[2] },
		.filterMode = reference->filterMode, .readMode = reference->softuvm_mode,
		.sRGB = reference->sRGB, .normalizedCoords = reference->normalized,
	};
	struct softuvm_texture t;
	void *view = NULL, *bound;
	cudaError_t error = rt_enter();

	error = rt_leave(error ? error : texture_make(&t, resource, &d));
	if (!error)
		error = cudaMemcpyFromSymbol(&view, reference, sizeof(view), 0,
					     cudaMemcpyDeviceToHost);
	bound = view;
	if (!error)
		error = texture_write(&view, &t);
	if (!error && view != bound)
		error = cudaMemcpyToSymbol(reference, &view, sizeof(view), 0, cudaMemcpyHostToDevice);
	return error;
}

cudaError_t cudaBindTexture(size_t *offset, const struct textureReference *reference,
			    const void *data, const struct cudaChannelFormatDesc *desc, size_t bytes)
{
	struct cudaResourceDesc resource = { .resType = cudaResourceTypeLinear };
	cudaError_t error;

	if (!reference || !data || !desc)
		return texture_refuse(cudaErrorInvalidValue);
	resource.res.linear.devPtr = (void *)data;
	resource.res.linear.desc = *desc;
	resource.res.linear.sizeInBytes = bytes;
	error = texture_bind(reference, &resource);
	if (!error && offset)
		*offset = 0;
	return error;
}

cudaError_t cudaBindTexture2D(size_t *offset, const struct textureReference *reference,
			      const void *data, const struct cudaChannelFormatDesc *desc,
			      size_t width, size_t height, size_t pitch)
{
	struct cudaResourceDesc resource = { .resType = cudaResourceTypePitch2D };
	cudaError_t error;

	if (!reference || !data || !desc)
		return texture_refuse(cudaErrorInvalidValue);
	resource.res.pitch2D.devPtr = (void *)data;
	resource.res.pitch2D.desc = *desc;
	resource.res.pitch2D.width = width;
	resource.res.pitch2D.height = height;
	resource.res.pitch2D.pitchInBytes = pitch;
	error = texture_bind(reference, &resource);
	if (!error && offset)
		*offset = 0;
	return error;
}

/* The array knows what its texels are. */
cudaError_t cudaBindTextureToArray(const struct textureReference *reference, cudaArray_const_t array,
				   const struct cudaChannelFormatDesc *desc)
{
	struct cudaResourceDesc resource = { .resType = cudaResourceTypeArray };

	if (!reference || !desc)
		return texture_refuse(cudaErrorInvalidValue);
	resource.res.array.array = (cudaArray_t)array;
	return texture_bind(reference, &resource);
}

/* What is read then is zero: a border around nothing. */
cudaError_t cudaUnbindTexture(const struct textureReference *reference)
{
	struct softuvm_texture t;
	void *view = NULL;
	cudaError_t error;

	if (!reference)
		return texture_refuse(cudaErrorInvalidTexture);
	memset(&t, 0, sizeof(t));
	memset(t.address, cudaAddressModeBorder, sizeof(t.address));
	error = cudaMemcpyFromSymbol(&view, reference, sizeof(view), 0, cudaMemcpyDeviceToHost);
	return error || !view ? error : texture_write(&view, &t);
}

/* Any address will do, so there is none. */
cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const struct textureReference *reference)
{
	if (!offset || !reference)
		return texture_refuse(reference ? cudaErrorInvalidValue : cudaErrorInvalidTexture);
	*offset = 0;
	return cudaSuccess;
}

/* They are the same here. */
cudaError_t cudaGetTextureReference(const struct textureReference **reference, const void *symbol)
{
	if (!reference || !symbol)
		return texture_refuse(symbol ? cudaErrorInvalidValue : cudaErrorInvalidTexture);
	*reference = symbol;
	return cudaSuccess;
}
