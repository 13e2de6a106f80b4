// SPDX-License-Identifier: GPL-2.0
/* Surface objects: views of arrays that were made for it. */
#include <string.h>

#include "array.h"
#include "view.h"

static cudaError_t surface_make(struct softuvm_texture *t, const struct cudaResourceDesc *resource)
{
	const struct cudaArray *array = resource->res.array.array;

	memset(t, 0, sizeof(*t));
	if (resource->resType != cudaResourceTypeArray)
		return cudaErrorInvalidValue;
	if (!rt_array(array))
		return cudaErrorInvalidResourceHandle;
	if (!(array->flags & cudaArraySurfaceLoadStore))
		return cudaErrorInvalidValue;
	rt_view_of_array(t, array);
	return cudaSuccess;
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object, const struct cudaResourceDesc *resource)
{
	struct softuvm_texture t;
	cudaError_t error = rt_enter();

	if (!error && (!object || !resource))
		error = cudaErrorInvalidValue;
	if (!error)
		error = surface_make(&t, resource);
	if (!error)
		error = rt_view_add(&(struct view){ .surface = true, .resource = *resource }, &t,
				    object);
	return rt_leave(error);
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object)
{
	cudaError_t error = rt_enter();

	return rt_leave(error ? error : rt_view_remove(object, true));
}

cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *desc, cudaSurfaceObject_t object)
{
	return rt_view_resource(desc, object, true);
}
