/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CUDA's bfloat16: the upper half of a float, 8 digits.  In C++ only, as device/small_floats.h has
 * most of it.
 */
#ifndef SOFTUVM_CUDA_BF16_H
#define SOFTUVM_CUDA_BF16_H

#ifdef __cplusplus

#include "cuda_fp16.h"
#include "device/small_floats.h"
#include "host_defines.h"

#define CUDART_INF_BF16		__ushort_as_bfloat16(0x7f80)
#define CUDART_NAN_BF16		__ushort_as_bfloat16(0x7fff)
#define CUDART_MAX_NORMAL_BF16	__ushort_as_bfloat16(0x7f7f)
#define CUDART_ZERO_BF16	__ushort_as_bfloat16(0x0000)
#define CUDART_ONE_BF16		__ushort_as_bfloat16(0x3f80)

struct __align__(2) __nv_bfloat16_raw { unsigned short x; };
struct __align__(4) __nv_bfloat162_raw { unsigned short x, y; };

struct __align__(2) __nv_bfloat16 {
	static __host__ __device__ float to_float(unsigned short bits)
	{
		return softuvm_bits_float((unsigned int)bits << 16);
	}

	/* To the nearest even. */
	static __host__ __device__ unsigned short from_float(float value)
	{
		unsigned int bits = softuvm_float_bits(value);

		if ((bits & 0x7fffffff) > 0x7f800000)
			return 0x7fff;
		return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
	}

	SOFTUVM_SMALL_CLASS(__nv_bfloat16, __nv_bfloat16_raw)
	explicit __host__ __device__ __nv_bfloat16(const __half value)
		: __x(from_float((float)value)) { }
};

inline __host__ __device__ __half::__half(const __nv_bfloat16 value)
	: __x(from_float((float)value)) { }

struct __align__(4) __nv_bfloat162 {
	__nv_bfloat16 x, y;
	__nv_bfloat162() = default;
	__host__ __device__ __nv_bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) : x(low), y(high) { }
	__host__ __device__ __nv_bfloat162(const __nv_bfloat162_raw &from)
	{
		x.__x = from.x;
		y.__x = from.y;
	}
	__host__ __device__ operator __nv_bfloat162_raw() const { return { x.__x, y.__x }; }
};

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

SOFTUVM_SMALL_FLOAT(__nv_bfloat16, double, bfloat16)
SOFTUVM_SMALL_DEVICE(__nv_bfloat16)

SOFTUVM_BOTH __nv_bfloat16 __float2bfloat16(float value) { return __nv_bfloat16(value); }
SOFTUVM_BOTH __nv_bfloat16 __float2bfloat16_rn(float value) { return __nv_bfloat16(value); }
SOFTUVM_BOTH __nv_bfloat16 __double2bfloat16(double value) { return __nv_bfloat16(value); }
SOFTUVM_BOTH float __bfloat162float(__nv_bfloat16 a) { return a; }

SOFTUVM_BOTH __nv_bfloat16 __float2bfloat16_rz(float value)
{
	return value != value ? __nv_bfloat16(value) :
				__bfloat16_from_bits(softuvm_float_bits(value) >> 16);
}

SOFTUVM_BOTH __nv_bfloat16 __float2bfloat16_ru(float value)
{
	__nv_bfloat16 cut = __float2bfloat16_rz(value);

	return (float)cut < value ? __bfloat16_from_bits(cut.__x + 1u) : cut;
}

SOFTUVM_BOTH __nv_bfloat16 __float2bfloat16_rd(float value)
{
	__nv_bfloat16 cut = __float2bfloat16_rz(value);

	return (float)cut > value ? __bfloat16_from_bits(cut.__x + 1u) : cut;
}

SOFTUVM_BOTH __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return { x, y }; }

SOFTUVM_BOTH __nv_bfloat162 __float2bfloat162_rn(float value)
{
	return { __nv_bfloat16(value), __nv_bfloat16(value) };
}

SOFTUVM_BOTH __nv_bfloat162 __floats2bfloat162_rn(float x, float y)
{
	return { __nv_bfloat16(x), __nv_bfloat16(y) };
}

SOFTUVM_BOTH __nv_bfloat162 __float22bfloat162_rn(float2 a)
{
	return { __nv_bfloat16(a.x), __nv_bfloat16(a.y) };
}

SOFTUVM_BOTH float2 __bfloat1622float2(__nv_bfloat162 a) { return { (float)a.x, (float)a.y }; }

#endif
#endif
