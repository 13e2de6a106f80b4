/* SPDX-License-Identifier: GPL-2.0 */
/* C++ names for single precision of functions that the C++ library has not. */
#ifndef SOFTUVM_DEVICE_FLOAT_OVERLOADS_H
#define SOFTUVM_DEVICE_FLOAT_OVERLOADS_H

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
