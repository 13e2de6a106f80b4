/* SPDX-License-Identifier: GPL-2.0 */
/* Functions of CUDA's that host code has, too, and the C library has not. */
#ifndef SOFTUVM_DEVICE_HOST_MATH_H
#define SOFTUVM_DEVICE_HOST_MATH_H

static inline __host__ float rsqrtf(float x) { return 1.0f / sqrtf(x); }
static inline __host__ double rsqrt(double x) { return 1.0 / sqrt(x); }
static inline __host__ float rsqrt(float x) { return rsqrtf(x); }
static inline __host__ float rcbrtf(float x) { return 1.0f / cbrtf(x); }
static inline __host__ double rcbrt(double x) { return 1.0 / cbrt(x); }
static inline __host__ float sinpif(float x) { return (float)sin(M_PI * (double)x); }
static inline __host__ float cospif(float x) { return (float)cos(M_PI * (double)x); }
static inline __host__ double sinpi(double x) { return sin(M_PI * x); }
static inline __host__ double cospi(double x) { return cos(M_PI * x); }

#endif
