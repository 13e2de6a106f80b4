// SPDX-License-Identifier: GPL-2.0
/* libdevice's functions that round to zero, up or down; numbers.c has those to the nearest. */
#include "../rounding.h"

#define INLINE __attribute__((always_inline))

/* @t: the letter of their names; @s: the suffix of the compiler's own. */
#define ARITHMETIC(type, t, s, r, mode)						\
	INLINE type __nv_##t##add_##r(type a, type b) { return __softuvm_fma_##type(a, 1, b, mode); } \
	INLINE type __nv_##t##sub_##r(type a, type b) { return __softuvm_fma_##type(a, 1, -b, mode); } \
	/* A zero with the product's sign changes nothing. */			\
	INLINE type __nv_##t##mul_##r(type a, type b)				\
	{									\
		type zero = __builtin_copysign##s(0, a) * __builtin_copysign##s(1, b); \
										\
		return __softuvm_fma_##type(a, b, zero, mode);			\
	}									\
	INLINE type __nv_##t##div_##r(type a, type b) { return __softuvm_div_##type(a, b, mode); } \
	INLINE type __nv_##t##rcp_##r(type a) { return __softuvm_div_##type(1, a, mode); } \
	INLINE type __nv_##t##sqrt_##r(type a) { return __softuvm_sqrt_##type(a, mode); } \
	INLINE type __nv_fma##s##_##r(type a, type b, type c)			\
	{									\
		return __softuvm_fma_##type(a, b, c, mode);			\
	}									\
	INLINE type __nv_ll2##type##_##r(long long x)				\
	{									\
		return __softuvm_from_##type(x < 0 ? -(uint64_t)x : (uint64_t)x, x < 0, mode); \
	}									\
	INLINE type __nv_ull2##type##_##r(unsigned long long x)			\
	{									\
		return __softuvm_from_##type(x, 0, mode);			\
	}

#define ROUNDED(r, mode)							\
	ARITHMETIC(float, f, f, r, mode)					\
	ARITHMETIC(double, d, , r, mode)					\
	INLINE float __nv_fmaf_ieee_##r(float a, float b, float c) { return __nv_fmaf_##r(a, b, c); } \
	INLINE float __nv_int2float_##r(int x) { return __nv_ll2float_##r(x); }	\
	INLINE float __nv_uint2float_##r(unsigned int x) { return __nv_ull2float_##r(x); } \
	INLINE float __nv_double2float_##r(double x) { return __softuvm_narrow(x, mode); }

ROUNDED(rz, ROUND_TO_ZERO)
ROUNDED(ru, ROUND_UP)
ROUNDED(rd, ROUND_DOWN)
