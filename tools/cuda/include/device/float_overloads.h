/* SPDX-License-Identifier: GPL-2.0 */
/*
 * C++ names for single precision: of functions that the C++ library has not, and of those that
 * clang's __clang_cuda_math_forward_declares.h declares and leaves to NVIDIA's headers to define.
 */
#ifndef SOFTUVM_DEVICE_FLOAT_OVERLOADS_H
#define SOFTUVM_DEVICE_FLOAT_OVERLOADS_H

#define SOFTUVM_OF_ONE(type, name)						\
	static inline __device__ type name(float x) { return name##f(x); }
#define SOFTUVM_OF_TWO(name)							\
	static inline __device__ float name(float x, float y) { return name##f(x, y); }

SOFTUVM_OF_ONE(float, acosh)
SOFTUVM_OF_ONE(float, asinh)
SOFTUVM_OF_ONE(float, atanh)
SOFTUVM_OF_ONE(float, cbrt)
SOFTUVM_OF_ONE(float, erf)
SOFTUVM_OF_ONE(float, erfc)
SOFTUVM_OF_ONE(float, exp2)
SOFTUVM_OF_ONE(float, expm1)
SOFTUVM_OF_ONE(float, lgamma)
SOFTUVM_OF_ONE(float, log1p)
SOFTUVM_OF_ONE(float, log2)
SOFTUVM_OF_ONE(float, logb)
SOFTUVM_OF_ONE(float, nearbyint)
SOFTUVM_OF_ONE(float, rint)
SOFTUVM_OF_ONE(float, round)
SOFTUVM_OF_ONE(float, tgamma)
SOFTUVM_OF_ONE(float, trunc)
SOFTUVM_OF_ONE(int, ilogb)
SOFTUVM_OF_ONE(long, lrint)
SOFTUVM_OF_ONE(long, lround)
SOFTUVM_OF_ONE(long long, llrint)
SOFTUVM_OF_ONE(long long, llround)
SOFTUVM_OF_TWO(copysign)
SOFTUVM_OF_TWO(fdim)
SOFTUVM_OF_TWO(fmax)
SOFTUVM_OF_TWO(fmin)
SOFTUVM_OF_TWO(hypot)
SOFTUVM_OF_TWO(nextafter)
SOFTUVM_OF_TWO(remainder)

#undef SOFTUVM_OF_TWO
#undef SOFTUVM_OF_ONE

static inline __device__ float fma(float x, float y, float z) { return fmaf(x, y, z); }
static inline __device__ float remquo(float x, float y, int *q) { return remquof(x, y, q); }
static inline __device__ float scalbn(float x, int n) { return scalbnf(x, n); }
static inline __device__ float scalbln(float x, long n) { return scalblnf(x, n); }

/* clang's headers declare these two, as well. */
static inline __device__ double nan(const char *) { return __builtin_nan(""); }
static inline __device__ float nanf(const char *) { return __builtin_nanf(""); }

static inline __device__ float rsqrt(float x) { return rsqrtf(x); }
static inline __device__ float rcbrt(float x) { return rcbrtf(x); }
static inline __device__ float sinpi(float x) { return sinpif(x); }
static inline __device__ float cospi(float x) { return cospif(x); }
static inline __device__ void sincospi(float x, float *s, float *c) { sincospif(x, s, c); }
static inline __device__ void sincos(float x, float *s, float *c) { sincosf(x, s, c); }
static inline __device__ float erfinv(float x) { return erfinvf(x); }
static inline __device__ float erfcinv(float x) { return erfcinvf(x); }
static inline __device__ float erfcx(float x) { return erfcxf(x); }
static inline __device__ float normcdf(float x) { return normcdff(x); }
static inline __device__ float normcdfinv(float x) { return normcdfinvf(x); }

#endif
