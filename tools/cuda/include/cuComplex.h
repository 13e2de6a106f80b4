/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Complex numbers of CUDA, which are pairs.  Names: NVIDIA's documentation of cuBLAS and of
 * cuComplex.h.  Headers are for C, too.
 */
#ifndef SOFTUVM_CUCOMPLEX_H
#define SOFTUVM_CUCOMPLEX_H

#include <math.h>

#include "vector_functions.h"

/* What programs ask to find out whether this file was included. */
#define CU_COMPLEX_H_

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define SOFTUVM_COMPLEX static inline __host__ __device__

/* Quotients are scaled by the larger part of the divisor, so that squares do not overflow. */
#define SOFTUVM_COMPLEX_OF(type, real, make, suffix, absolute, length)			\
	SOFTUVM_COMPLEX type make(real x, real y)					\
	{										\
		type v = { x, y };							\
		return v;								\
	}										\
	SOFTUVM_COMPLEX real cuCreal##suffix(type v) { return v.x; }			\
	SOFTUVM_COMPLEX real cuCimag##suffix(type v) { return v.y; }			\
	SOFTUVM_COMPLEX type cuConj##suffix(type v) { return make(v.x, -v.y); }		\
	SOFTUVM_COMPLEX real cuCabs##suffix(type v) { return length(v.x, v.y); }	\
	SOFTUVM_COMPLEX type cuCadd##suffix(type a, type b)				\
	{										\
		return make(a.x + b.x, a.y + b.y);					\
	}										\
	SOFTUVM_COMPLEX type cuCsub##suffix(type a, type b)				\
	{										\
		return make(a.x - b.x, a.y - b.y);					\
	}										\
	SOFTUVM_COMPLEX type cuCmul##suffix(type a, type b)				\
	{										\
		return make(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);		\
	}										\
	SOFTUVM_COMPLEX type cuCfma##suffix(type a, type b, type c)			\
	{										\
		return cuCadd##suffix(cuCmul##suffix(a, b), c);				\
	}										\
	SOFTUVM_COMPLEX type cuCdiv##suffix(type a, type b)				\
	{										\
		real most = absolute(b.x) > absolute(b.y) ? absolute(b.x) : absolute(b.y); \
		real x = b.x / most, y = b.y / most, size = (x * x + y * y) * most;	\
											\
		return make((a.x * x + a.y * y) / size, (a.y * x - a.x * y) / size);	\
	}

SOFTUVM_COMPLEX_OF(cuFloatComplex, float, make_cuFloatComplex, f, fabsf, hypotf)
SOFTUVM_COMPLEX_OF(cuDoubleComplex, double, make_cuDoubleComplex, , fabs, hypot)

SOFTUVM_COMPLEX cuComplex make_cuComplex(float x, float y) { return make_cuFloatComplex(x, y); }

SOFTUVM_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex v)
{
	return make_cuDoubleComplex(v.x, v.y);
}

SOFTUVM_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex v)
{
	return make_cuFloatComplex((float)v.x, (float)v.y);
}

#undef SOFTUVM_COMPLEX_OF
#undef SOFTUVM_COMPLEX

#endif
