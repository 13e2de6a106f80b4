/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CUDA's half precision (IEEE 754 binary16: 11 digits, exponents of -14 to 15).  In C++ only, as
 * device/small_floats.h has most of it.
 */
#ifndef SOFTUVM_CUDA_FP16_H
#define SOFTUVM_CUDA_FP16_H

#ifdef __cplusplus

#include "host_defines.h"
#include "device/small_floats.h"

#define CUDART_INF_FP16		__ushort_as_half(0x7c00)
#define CUDART_NAN_FP16		__ushort_as_half(0x7fff)
#define CUDART_MAX_NORMAL_FP16	__ushort_as_half(0x7bff)
#define CUDART_MIN_DENORM_FP16	__ushort_as_half(0x0001)
#define CUDART_ZERO_FP16	__ushort_as_half(0x0000)
#define CUDART_NEG_ZERO_FP16	__ushort_as_half(0x8000)
#define CUDART_ONE_FP16		__ushort_as_half(0x3c00)

struct __align__(2) __half_raw { unsigned short x; };
struct __align__(4) __half2_raw { unsigned short x, y; };

struct __nv_bfloat16;

struct __align__(2) __half {
	/* As the bits of a float its exponent is 112 too low, also where it is not normal. */
	static __host__ __device__ float to_float(unsigned short bits)
	{
		unsigned int sign = (bits & 0x8000u) << 16, rest = (bits & 0x7fffu) << 13;

		if (rest >= 0x7c00u << 13)
			return softuvm_bits_float(sign | rest | 0x7f800000);
		return softuvm_bits_float(sign | softuvm_float_bits(softuvm_bits_float(rest) * 0x1p112f));
	}

	/* To the nearest even. */
	static __host__ __device__ unsigned short from_float(float value)
	{
		unsigned int all = softuvm_float_bits(value), sign = all >> 16 & 0x8000;
		unsigned int bits = all & 0x7fffffff;

		if (bits > 0x7f800000)
			return 0x7fff;
		if (bits >= 0x477ff000)		/* 65520: half way from the greatest to the next */
			return sign | 0x7c00;
		/* Not normal: a float of 0.5 has the same last place. */
		if (bits < 0x38800000)
			return sign | (softuvm_float_bits(softuvm_bits_float(bits) + 0.5f) - 0x3f000000);
		return sign | (bits + 0xfff + (bits >> 13 & 1) - 0x38000000) >> 13;
	}

	SOFTUVM_SMALL_CLASS(__half, __half_raw)
	/* of cuda_bf16.h */
	explicit __host__ __device__ __half(const __nv_bfloat16 value);
};

struct __align__(4) __half2 {
	__half x, y;
	__half2() = default;
	__host__ __device__ __half2(__half low, __half high) : x(low), y(high) { }
	__host__ __device__ __half2(const __half2_raw &from)
	{
		x.__x = from.x;
		y.__x = from.y;
	}
	__host__ __device__ operator __half2_raw() const { return { x.__x, y.__x }; }
};

typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;

SOFTUVM_SMALL_FLOAT(__half, float, half)
SOFTUVM_SMALL_DEVICE(__half)

SOFTUVM_BOTH __half __float2half(float value) { return __half(value); }
SOFTUVM_BOTH __half __float2half_rn(float value) { return __half(value); }
SOFTUVM_BOTH __half __double2half(double value) { return __half(value); }
SOFTUVM_BOTH float __half2float(__half a) { return a; }

/* From what is nearest one step to the other side, if it is on the wrong one. */
SOFTUVM_BOTH __half softuvm_step(float value, bool up, bool down)
{
	__half near(value);
	float back = near;

	if (up && back < value)
		near.__x = near.__x == 0x8000 ? 1 : near.__x & 0x8000 ? near.__x - 1 : near.__x + 1;
	else if (down && back > value)
		near.__x = near.__x == 0 ? 0x8001 : near.__x & 0x8000 ? near.__x + 1 : near.__x - 1;
	return near;
}

SOFTUVM_BOTH __half __float2half_ru(float value) { return softuvm_step(value, true, false); }
SOFTUVM_BOTH __half __float2half_rd(float value) { return softuvm_step(value, false, true); }
SOFTUVM_BOTH __half __float2half_rz(float value) { return softuvm_step(value, value < 0, value > 0); }

SOFTUVM_BOTH __half2 make_half2(__half x, __half y) { return { x, y }; }
SOFTUVM_BOTH __half2 __float2half2_rn(float value) { return { __half(value), __half(value) }; }
SOFTUVM_BOTH __half2 __floats2half2_rn(float x, float y) { return { __half(x), __half(y) }; }
SOFTUVM_BOTH __half2 __float22half2_rn(float2 a) { return { __half(a.x), __half(a.y) }; }
SOFTUVM_BOTH float2 __half22float2(__half2 a) { return { (float)a.x, (float)a.y }; }

#endif
#endif
