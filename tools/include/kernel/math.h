/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What GPU kernels have of <math.h>: single precision.  The functions are newlib's, in float
 * arithmetic throughout (tools/kernel-library); tools/tests/kernel_math_test.c measures how exact.
 * No errno, no floating-point exceptions.
 */
#ifndef SOFTGPU_KERNEL_MATH_H
#define SOFTGPU_KERNEL_MATH_H

#define INFINITY	__builtin_inff()
#define NAN		__builtin_nanf("")
#define HUGE_VALF	INFINITY
#define isnan(x)	__builtin_isnan(x)
#define isinf(x)	__builtin_isinf(x)
#define isfinite(x)	__builtin_isfinite(x)
#define signbit(x)	__builtin_signbit(x)

float sinf(float x);
float cosf(float x);
float tanf(float x);
float atanf(float x);
float atan2f(float y, float x);
float tanhf(float x);
float expf(float x);
float exp2f(float x);
float expm1f(float x);
float logf(float x);
float log2f(float x);
float log10f(float x);
float log1pf(float x);
float powf(float x, float y);
float fmodf(float x, float y);
float scalbnf(float x, int exponent);
float floorf(float x);
float ceilf(float x);
float truncf(float x);
float roundf(float x);
float rintf(float x);

/* One instruction each. */
static inline float sqrtf(float x) { return __builtin_sqrtf(x); }
static inline float fabsf(float x) { return __builtin_fabsf(x); }
static inline float fmaxf(float x, float y) { return __builtin_fmaxf(x, y); }
static inline float fminf(float x, float y) { return __builtin_fminf(x, y); }
static inline float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
static inline float copysignf(float x, float y) { return __builtin_copysignf(x, y); }

#endif
