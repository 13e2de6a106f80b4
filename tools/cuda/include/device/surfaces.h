/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Surfaces: loads and stores of arrays, at byte x of a row.  The device library (surface.c) says where,
 * and that nothing is there where the boundary mode makes it zero.
 */
#ifndef SOFTUVM_DEVICE_SURFACES_H
#define SOFTUVM_DEVICE_SURFACES_H

#include "../surface_types.h"
#include "../texture_types.h"

extern "C" __device__ void *__softuvm_surface(const softuvm_texture *view, int x, int y, int z,
					      unsigned int bytes, int mode);

template<class T> static inline __device__ T
softuvm_surface_read(cudaSurfaceObject_t object, int x, int y, int z, cudaSurfaceBoundaryMode mode)
{
	const T *at = (const T *)__softuvm_surface((const softuvm_texture *)object, x, y, z, sizeof(T),
						   mode);

	return at ? *at : T();
}

template<class T> static inline __device__ void
softuvm_surface_write(T value, cudaSurfaceObject_t object, int x, int y, int z,
		      cudaSurfaceBoundaryMode mode)
{
	T *at = (T *)__softuvm_surface((const softuvm_texture *)object, x, y, z, sizeof(T), mode);

	if (at)
		*at = value;
}

/* Reads with the result and with a pointer to it, and writes. */
#define SOFTUVM_UNPACK(...)	__VA_ARGS__
#define SOFTUVM_SURFACE(name, parameters, arguments)					\
	template<class T> static inline __device__ T					\
	name##read(cudaSurfaceObject_t object, SOFTUVM_UNPACK parameters,		\
		   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)			\
	{										\
		return softuvm_surface_read<T>(object, SOFTUVM_UNPACK arguments, mode);	\
	}										\
	template<class T> static inline __device__ void					\
	name##read(T *value, cudaSurfaceObject_t object, SOFTUVM_UNPACK parameters,	\
		   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)			\
	{										\
		*value = softuvm_surface_read<T>(object, SOFTUVM_UNPACK arguments, mode); \
	}										\
	template<class T> static inline __device__ void					\
	name##write(T value, cudaSurfaceObject_t object, SOFTUVM_UNPACK parameters,	\
		    cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)		\
	{										\
		softuvm_surface_write<T>(value, object, SOFTUVM_UNPACK arguments, mode); \
	}

SOFTUVM_SURFACE(surf1D, (int x), (x, 0, 0))
SOFTUVM_SURFACE(surf2D, (int x, int y), (x, y, 0))
SOFTUVM_SURFACE(surf3D, (int x, int y, int z), (x, y, z))
SOFTUVM_SURFACE(surf1DLayered, (int x, int layer), (x, 0, layer))
SOFTUVM_SURFACE(surf2DLayered, (int x, int y, int layer), (x, y, layer))

#undef SOFTUVM_SURFACE
#undef SOFTUVM_UNPACK

#endif
