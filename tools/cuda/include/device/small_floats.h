/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What half and bfloat16 have in common, on both sides: cuda_fp16.h and cuda_bf16.h use it.  The GPU
 * computes neither.  Operations are those of a wider type, whose result is rounded once more: that is
 * the same as one rounding where the wider one has more than twice the digits (S. Figueroa, "When is
 * double rounding innocuous?", 1995).  Sums of three numbers are rounded to odd first.
 */
#ifndef SOFTUVM_DEVICE_SMALL_FLOATS_H
#define SOFTUVM_DEVICE_SMALL_FLOATS_H

#include <math.h>
#include "../vector_types.h"

#define SOFTUVM_BOTH static inline __host__ __device__

SOFTUVM_BOTH unsigned int softuvm_float_bits(float value)
{
	unsigned int bits;

	__builtin_memcpy(&bits, &value, sizeof(bits));
	return bits;
}

SOFTUVM_BOTH float softuvm_bits_float(unsigned int bits)
{
	float value;

	__builtin_memcpy(&value, &bits, sizeof(value));
	return value;
}

/* The float next to @d towards zero, and its last bit set if that is not @d: it rounds as @d does. */
SOFTUVM_BOTH float softuvm_odd_float(double d)
{
	float f = (float)d;
	unsigned int bits = softuvm_float_bits(f);

	if ((double)f == d || d != d)
		return f;
	bits -= __builtin_fabs((double)f) > __builtin_fabs(d);
	return softuvm_bits_float(bits | 1);
}

/* a * b + c, likewise; the product of two small floats is exact. */
SOFTUVM_BOTH double softuvm_odd_fma(double a, double b, double c)
{
	double product = a * b, sum = product + c, part = sum - product;
	double rest = (product - (sum - part)) + (c - part);
	unsigned long long bits;

	__builtin_memcpy(&bits, &sum, sizeof(bits));
	if (rest != rest || rest == 0 || bits & 1)
		return sum;
	bits += (rest > 0) == (sum > 0) ? 1 : -1;
	__builtin_memcpy(&sum, &bits, sizeof(sum));
	return sum;
}

#define SOFTUVM_SMALL_OF(H, W, name, sign)						\
	SOFTUVM_BOTH H __h##name(H a, H b) { return H((W)(float)a sign (W)(float)b); }	\
	SOFTUVM_BOTH H __h##name##_rn(H a, H b) { return __h##name(a, b); }		\
	SOFTUVM_BOTH H __h##name##_sat(H a, H b) { return softuvm_saturate(__h##name(a, b)); } \
	SOFTUVM_BOTH H operator sign(H a, H b) { return __h##name(a, b); }		\
	SOFTUVM_BOTH H &operator sign##=(H &a, H b) { return a = __h##name(a, b); }	\
	SOFTUVM_BOTH H##2 operator sign(H##2 a, H##2 b) { return { a.x sign b.x, a.y sign b.y }; } \
	SOFTUVM_BOTH H##2 &operator sign##=(H##2 &a, H##2 b) { return a = a sign b; }

#define SOFTUVM_SMALL_OF2(H, name)							\
	SOFTUVM_BOTH H##2 __h##name##2(H##2 a, H##2 b)					\
	{										\
		return { __h##name(a.x, b.x), __h##name(a.y, b.y) };			\
	}										\
	SOFTUVM_BOTH H##2 __h##name##2_rn(H##2 a, H##2 b) { return __h##name##2(a, b); } \
	SOFTUVM_BOTH H##2 __h##name##2_sat(H##2 a, H##2 b)				\
	{										\
		return { __h##name##_sat(a.x, b.x), __h##name##_sat(a.y, b.y) };	\
	}

/* With NaN all are false; with "u", for unordered, all are true.  Operators are C's. */
#define SOFTUVM_SMALL_COMPARE(H, name, sign)						\
	SOFTUVM_BOTH bool __h##name(H a, H b)						\
	{										\
		return !__hisnan(a) && !__hisnan(b) && (float)a sign (float)b;		\
	}										\
	SOFTUVM_BOTH bool __h##name##u(H a, H b)					\
	{										\
		return __hisnan(a) || __hisnan(b) || __h##name(a, b);			\
	}										\
	SOFTUVM_BOTH bool operator sign(H a, H b) { return (float)a sign (float)b; }	\
	SOFTUVM_SMALL_COMPARE2(H, name)							\
	SOFTUVM_SMALL_COMPARE2(H, name##u)						\
	SOFTUVM_BOTH bool operator sign(H##2 a, H##2 b)					\
	{										\
		return a.x sign b.x && a.y sign b.y;					\
	}

#define SOFTUVM_SMALL_COMPARE2(H, name)							\
	SOFTUVM_BOTH H##2 __h##name##2(H##2 a, H##2 b)					\
	{										\
		return { H(__h##name(a.x, b.x) ? 1.0f : 0.0f), H(__h##name(a.y, b.y) ? 1.0f : 0.0f) }; \
	}										\
	SOFTUVM_BOTH bool __hb##name##2(H##2 a, H##2 b)					\
	{										\
		return __h##name(a.x, b.x) && __h##name(a.y, b.y);			\
	}

/*
 * A number wins over NaN; "_nan" is the other way round.  +0 is more than -0 (CUDA Math API): of zeros
 * @join gives the sign.
 */
#define SOFTUVM_SMALL_LEAST(H, name, sign, join)					\
	SOFTUVM_BOTH H __h##name##_nan(H a, H b)					\
	{										\
		if (__hisnan(a) || __hisnan(b))						\
			a.__x = 0x7fff;							\
		else if ((float)a == (float)b)						\
			a.__x = a.__x join b.__x;					\
		else if (!((float)a sign (float)b))					\
			a = b;								\
		return a;								\
	}										\
	SOFTUVM_BOTH H __h##name(H a, H b)						\
	{										\
		return __h##name##_nan(__hisnan(a) ? b : a, __hisnan(b) ? a : b);	\
	}										\
	SOFTUVM_BOTH H##2 __h##name##2(H##2 a, H##2 b)					\
	{										\
		return { __h##name(a.x, b.x), __h##name(a.y, b.y) };			\
	}										\
	SOFTUVM_BOTH H##2 __h##name##2_nan(H##2 a, H##2 b)				\
	{										\
		return { __h##name##_nan(a.x, b.x), __h##name##_nan(a.y, b.y) };	\
	}

#define SOFTUVM_SMALL_MATH(H, name, value)						\
	SOFTUVM_BOTH H h##name(H a) { float x = a; return H(value); }			\
	SOFTUVM_BOTH H##2 h2##name(H##2 a) { return { h##name(a.x), h##name(a.y) }; }

#define SOFTUVM_SMALL_FROM(H, name, type)						\
	SOFTUVM_BOTH H __##type##2##name##_rn(softuvm_##type x) { return H(x); }
#define SOFTUVM_SMALL_TO(H, name, type)							\
	SOFTUVM_BOTH softuvm_##type __##name##2##type##_rz(H a) { return softuvm_small_##type(a); } \
	SOFTUVM_BOTH softuvm_##type __##name##2##type##_rn(H a) { return softuvm_small_##type(rintf(a)); } \
	SOFTUVM_BOTH softuvm_##type __##name##2##type##_ru(H a) { return softuvm_small_##type(ceilf(a)); } \
	SOFTUVM_BOTH softuvm_##type __##name##2##type##_rd(H a) { return softuvm_small_##type(floorf(a)); }
#define SOFTUVM_SMALL_INTEGER(H, name, type)						\
	SOFTUVM_SMALL_FROM(H, name, type) SOFTUVM_SMALL_TO(H, name, type)

/* CUDA's words for the types in these names. */
typedef short softuvm_short;
typedef unsigned short softuvm_ushort;
typedef int softuvm_int;
typedef unsigned int softuvm_uint;
typedef long long softuvm_ll;
typedef unsigned long long softuvm_ull;
typedef signed char softuvm_char;
typedef unsigned char softuvm_uchar;

/*
 * As CUDA converts to integers: what is beyond their range is its end; NaN is 0, and the highest of 64
 * bits (CUDA Math API, __half2int_rz() and its like).  @low and @high: 2 to a power.
 */
#define SOFTUVM_SMALL_RANGE(type, low, high, least, most, nan)				\
	SOFTUVM_BOTH softuvm_##type softuvm_small_##type(float value)			\
	{										\
		if (value != value)							\
			return (softuvm_##type)(nan);					\
		if (value >= high)							\
			return (softuvm_##type)(most);					\
		return value <= low ? (softuvm_##type)(least) : (softuvm_##type)value;	\
	}

SOFTUVM_SMALL_RANGE(char, -0x1p7f, 0x1p7f, -128, 127, 0)
SOFTUVM_SMALL_RANGE(uchar, 0, 0x1p8f, 0, 255, 0)
SOFTUVM_SMALL_RANGE(short, -0x1p15f, 0x1p15f, -32768, 32767, 0)
SOFTUVM_SMALL_RANGE(ushort, 0, 0x1p16f, 0, 65535, 0)
SOFTUVM_SMALL_RANGE(int, -0x1p31f, 0x1p31f, -2147483647 - 1, 2147483647, 0)
SOFTUVM_SMALL_RANGE(uint, 0, 0x1p32f, 0, 4294967295u, 0)
SOFTUVM_SMALL_RANGE(ll, -0x1p63f, 0x1p63f, 1ull << 63, ~0ull >> 1, 1ull << 63)
SOFTUVM_SMALL_RANGE(ull, 0, 0x1p64f, 0, ~0ull, 1ull << 63)

/* @H and @H2: the types; @W: that of the operations; @name: in the names of conversions. */
#define SOFTUVM_SMALL_FLOAT(H, W, name)							\
	SOFTUVM_BOTH bool __hisnan(H a) { return (float)a != (float)a; }		\
	SOFTUVM_BOTH int __hisinf(H a)							\
	{										\
		return (float)a == HUGE_VALF ? 1 : (float)a == -HUGE_VALF ? -1 : 0;	\
	}										\
	SOFTUVM_BOTH H __##name##_from_bits(unsigned int bits)				\
	{										\
		H a;									\
											\
		a.__x = (unsigned short)bits;						\
		return a;								\
	}										\
	SOFTUVM_BOTH H __ushort_as_##name(unsigned short x) { return __##name##_from_bits(x); } \
	SOFTUVM_BOTH H __short_as_##name(short x) { return __##name##_from_bits(x); }	\
	SOFTUVM_BOTH unsigned short __##name##_as_ushort(H a) { return a.__x; }	\
	SOFTUVM_BOTH short __##name##_as_short(H a) { return (short)a.__x; }		\
	SOFTUVM_BOTH H __hneg(H a) { return __##name##_from_bits(a.__x ^ 0x8000); }	\
	SOFTUVM_BOTH H __habs(H a) { return __##name##_from_bits(a.__x & 0x7fff); }	\
	SOFTUVM_BOTH H softuvm_saturate(H a)						\
	{										\
		return !((float)a > 0) ? H(0.0f) : (float)a > 1 ? H(1.0f) : a;		\
	}										\
	SOFTUVM_BOTH H softuvm_not_negative(H a)					\
	{										\
		return __hisnan(a) || (float)a > 0 ? a : H(0.0f);			\
	}										\
	SOFTUVM_SMALL_OF(H, W, add, +)							\
	SOFTUVM_SMALL_OF(H, W, sub, -)							\
	SOFTUVM_SMALL_OF(H, W, mul, *)							\
	SOFTUVM_SMALL_OF(H, W, div, /)							\
	SOFTUVM_SMALL_OF2(H, add)							\
	SOFTUVM_SMALL_OF2(H, sub)							\
	SOFTUVM_SMALL_OF2(H, mul)							\
	SOFTUVM_BOTH H##2 __h2div(H##2 a, H##2 b) { return a / b; }			\
	SOFTUVM_BOTH H __hfma(H a, H b, H c)						\
	{										\
		return H(softuvm_odd_fma((float)a, (float)b, (float)c));		\
	}										\
	SOFTUVM_BOTH H __hfma_sat(H a, H b, H c) { return softuvm_saturate(__hfma(a, b, c)); } \
	SOFTUVM_BOTH H __hfma_relu(H a, H b, H c)					\
	{										\
		return softuvm_not_negative(__hfma(a, b, c));				\
	}										\
	SOFTUVM_BOTH H##2 __hfma2(H##2 a, H##2 b, H##2 c)				\
	{										\
		return { __hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y) };		\
	}										\
	SOFTUVM_BOTH H##2 __hfma2_sat(H##2 a, H##2 b, H##2 c)				\
	{										\
		return { __hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y) };	\
	}										\
	SOFTUVM_BOTH H##2 __hisnan2(H##2 a)						\
	{										\
		return { H(__hisnan(a.x) ? 1.0f : 0.0f), H(__hisnan(a.y) ? 1.0f : 0.0f) }; \
	}										\
	SOFTUVM_BOTH H##2 __hfma2_relu(H##2 a, H##2 b, H##2 c)				\
	{										\
		return { __hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y) };	\
	}										\
	SOFTUVM_BOTH H##2 __hneg2(H##2 a) { return { __hneg(a.x), __hneg(a.y) }; }	\
	SOFTUVM_BOTH H##2 __habs2(H##2 a) { return { __habs(a.x), __habs(a.y) }; }	\
	SOFTUVM_BOTH H operator-(H a) { return __hneg(a); }				\
	SOFTUVM_BOTH H operator+(H a) { return a; }					\
	SOFTUVM_BOTH H &operator++(H &a) { return a += H(1.0f); }			\
	SOFTUVM_BOTH H &operator--(H &a) { return a -= H(1.0f); }			\
	SOFTUVM_BOTH H operator++(H &a, int) { H old = a; ++a; return old; }		\
	SOFTUVM_BOTH H operator--(H &a, int) { H old = a; --a; return old; }		\
	SOFTUVM_BOTH H##2 operator-(H##2 a) { return __hneg2(a); }			\
	SOFTUVM_SMALL_COMPARE(H, eq, ==)						\
	SOFTUVM_SMALL_COMPARE(H, ne, !=)						\
	SOFTUVM_SMALL_COMPARE(H, lt, <)							\
	SOFTUVM_SMALL_COMPARE(H, le, <=)						\
	SOFTUVM_SMALL_COMPARE(H, gt, >)							\
	SOFTUVM_SMALL_COMPARE(H, ge, >=)						\
	SOFTUVM_SMALL_LEAST(H, min, <, |)						\
	SOFTUVM_SMALL_LEAST(H, max, >, &)						\
	SOFTUVM_SMALL_MATH(H, sqrt, sqrtf(x))						\
	SOFTUVM_SMALL_MATH(H, rsqrt, 1 / sqrt((double)x))				\
	SOFTUVM_SMALL_MATH(H, rcp, (W)1 / x)						\
	SOFTUVM_SMALL_MATH(H, exp, expf(x))						\
	SOFTUVM_SMALL_MATH(H, exp2, exp2f(x))						\
	SOFTUVM_SMALL_MATH(H, exp10, powf(10, x))					\
	SOFTUVM_SMALL_MATH(H, log, logf(x))						\
	SOFTUVM_SMALL_MATH(H, log2, log2f(x))						\
	SOFTUVM_SMALL_MATH(H, log10, log10f(x))						\
	SOFTUVM_SMALL_MATH(H, sin, sinf(x))						\
	SOFTUVM_SMALL_MATH(H, cos, cosf(x))						\
	SOFTUVM_SMALL_MATH(H, tanh, tanhf(x))						\
	SOFTUVM_SMALL_MATH(H, ceil, ceilf(x))						\
	SOFTUVM_SMALL_MATH(H, floor, floorf(x))						\
	SOFTUVM_SMALL_MATH(H, trunc, truncf(x))						\
	SOFTUVM_SMALL_MATH(H, rint, rintf(x))						\
	SOFTUVM_SMALL_INTEGER(H, name, short)						\
	SOFTUVM_SMALL_INTEGER(H, name, ushort)						\
	SOFTUVM_SMALL_INTEGER(H, name, int)						\
	SOFTUVM_SMALL_INTEGER(H, name, uint)						\
	SOFTUVM_SMALL_INTEGER(H, name, ll)						\
	SOFTUVM_SMALL_INTEGER(H, name, ull)						\
	SOFTUVM_BOTH signed char __##name##2char_rz(H a) { return softuvm_small_char(a); } \
	SOFTUVM_BOTH unsigned char __##name##2uchar_rz(H a) { return softuvm_small_uchar(a); } \
	SOFTUVM_BOTH H##2 __##name##2##name##2(H a) { return { a, a }; }		\
	SOFTUVM_BOTH H##2 __halves2##name##2(H a, H b) { return { a, b }; }		\
	SOFTUVM_BOTH H __low2##name(H##2 a) { return a.x; }				\
	SOFTUVM_BOTH H __high2##name(H##2 a) { return a.y; }				\
	SOFTUVM_BOTH H##2 __low2##name##2(H##2 a) { return { a.x, a.x }; }		\
	SOFTUVM_BOTH H##2 __high2##name##2(H##2 a) { return { a.y, a.y }; }		\
	SOFTUVM_BOTH H##2 __lows2##name##2(H##2 a, H##2 b) { return { a.x, b.x }; }	\
	SOFTUVM_BOTH H##2 __highs2##name##2(H##2 a, H##2 b) { return { a.y, b.y }; }	\
	SOFTUVM_BOTH H##2 __lowhigh2highlow(H##2 a) { return { a.y, a.x }; }		\
	SOFTUVM_BOTH float __low2float(H##2 a) { return a.x; }				\
	SOFTUVM_BOTH float __high2float(H##2 a) { return a.y; }

#if defined(__CUDA__) && defined(__clang__)

#define SOFTUVM_SMALL_SHUFFLE(H, shuffle, by_type)					\
	static inline __device__ H __##shuffle##_sync(unsigned int mask, H a, by_type by, int width = 32) \
	{										\
		a.__x = (unsigned short)__##shuffle##_sync(mask, (int)a.__x, by, width);	\
		return a;								\
	}										\
	static inline __device__ H##2 __##shuffle##_sync(unsigned int mask, H##2 a, by_type by, \
							 int width = 32)		\
	{										\
		int bits;								\
											\
		__builtin_memcpy(&bits, &a, sizeof(bits));				\
		bits = __##shuffle##_sync(mask, bits, by, width);			\
		__builtin_memcpy(&a, &bits, sizeof(bits));				\
		return a;								\
	}

/* Sums in memory: of the aligned word around one, until nobody came between. */
#define SOFTUVM_SMALL_DEVICE(H)								\
	SOFTUVM_SMALL_SHUFFLE(H, shfl, int)						\
	SOFTUVM_SMALL_SHUFFLE(H, shfl_up, unsigned int)					\
	SOFTUVM_SMALL_SHUFFLE(H, shfl_down, unsigned int)				\
	SOFTUVM_SMALL_SHUFFLE(H, shfl_xor, int)						\
	static inline __device__ H __ldg(const H *at) { return *at; }			\
	static inline __device__ H##2 __ldg(const H##2 *at) { return *at; }		\
	static inline __device__ H##2 atomicAdd(H##2 *at, H##2 value)			\
	{										\
		unsigned int *word = (unsigned int *)at, seen = *(volatile unsigned int *)word, was, sum; \
											\
		for (;; seen = was) {							\
			H##2 old, both;							\
											\
			__builtin_memcpy(&old, &seen, sizeof(old));			\
			both = old + value;						\
			__builtin_memcpy(&sum, &both, sizeof(sum));			\
			was = atomicCAS(word, seen, sum);				\
			if (was == seen)						\
				return old;						\
		}									\
	}										\
	static inline __device__ H atomicAdd(H *at, H value)				\
	{										\
		unsigned int *word = (unsigned int *)((unsigned long long)at & ~3ull);	\
		unsigned int seen = *(volatile unsigned int *)word, was, sum;		\
		unsigned int shift = (unsigned long long)at % 4 * 8;			\
											\
		for (;; seen = was) {							\
			H old, both;							\
											\
			old.__x = (unsigned short)(seen >> shift);			\
			both = old + value;						\
			sum = (seen & ~(0xffffu << shift)) | (unsigned int)both.__x << shift; \
			was = atomicCAS(word, seen, sum);				\
			if (was == seen)						\
				return old;						\
		}									\
	}

#else
#define SOFTUVM_SMALL_DEVICE(H)
#endif

#define SOFTUVM_SMALL_CAST(type, name)							\
	__host__ __device__ operator type() const { return (type)softuvm_small_##name(to_float(__x)); }

/* Constructors and conversions of a class, by those of float, which CUDA has implicit. */
#define SOFTUVM_SMALL_CLASS(H, raw)							\
	unsigned short __x;								\
	H() = default;									\
	__host__ __device__ H(const raw &from) : __x(from.x) { }			\
	__host__ __device__ H &operator=(const raw &from) { __x = from.x; return *this; } \
	__host__ __device__ operator raw() const { raw r; r.x = __x; return r; }	\
	__host__ __device__ H(float value) : __x(from_float(value)) { }			\
	__host__ __device__ H(double value) : __x(from_float(softuvm_odd_float(value))) { } \
	__host__ __device__ H(short value) : H((double)value) { }			\
	__host__ __device__ H(unsigned short value) : H((double)value) { }		\
	__host__ __device__ H(int value) : H((double)value) { }				\
	__host__ __device__ H(unsigned int value) : H((double)value) { }		\
	__host__ __device__ H(long value) : H((long long)value) { }			\
	__host__ __device__ H(unsigned long value) : H((unsigned long long)value) { }	\
	/* Of more digits than a double has those left out are one that is odd. */	\
	__host__ __device__ H(long long value)						\
		: H((double)(value >> 53 && ~(value >> 53) ?				\
			     (value & ~2047ll) | (value & 2047 ? 2048 : 0) : value)) { } \
	__host__ __device__ H(unsigned long long value)					\
		: H((double)(value >> 53 ? (value & ~2047ull) | (value & 2047 ? 2048 : 0) : value)) { } \
	__host__ __device__ operator float() const { return to_float(__x); }		\
	__host__ __device__ operator bool() const { return __x & 0x7fff; }		\
	SOFTUVM_SMALL_CAST(signed char, char)						\
	SOFTUVM_SMALL_CAST(char, char)							\
	SOFTUVM_SMALL_CAST(unsigned char, uchar)					\
	SOFTUVM_SMALL_CAST(short, short)						\
	SOFTUVM_SMALL_CAST(unsigned short, ushort)					\
	SOFTUVM_SMALL_CAST(int, int)							\
	SOFTUVM_SMALL_CAST(unsigned int, uint)						\
	SOFTUVM_SMALL_CAST(long, ll)							\
	SOFTUVM_SMALL_CAST(unsigned long, ull)						\
	SOFTUVM_SMALL_CAST(long long, ll)						\
	SOFTUVM_SMALL_CAST(unsigned long long, ull)

#endif
