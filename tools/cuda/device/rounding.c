// SPDX-License-Identifier: GPL-2.0
/*
 * Arithmetic that is rounded to zero, up or down, which the GPU has not: in integers, exactly, and then
 * rounded once.  Floats are computed as doubles, of which they are some.
 */
#include <stdint.h>
#include "rounding.h"

typedef unsigned __int128 u128;

/**
 * struct number - a number that is finite
 * @m: is m * 2^exponent; where digits of it are left out, the lowest bit is set
 * @exponent: of two
 * @negative: it is below zero
 */
struct number {
	u128 m;
	int exponent;
	int negative;
};

/* A format of IEEE 754: digits with the hidden one, exponent of the smallest number, of infinity. */
struct format {
	int digits;
	int least;
	int infinite;
};

static const struct format single_format = { 24, -149, 255 }, double_format = { 53, -1074, 2047 };

static uint64_t bits_of(double x)
{
	union { double value; uint64_t bits; } u = { .value = x };

	return u.bits;
}

static int is_finite(double x)
{
	return (bits_of(x) >> 52 & 0x7ff) < 0x7ff;
}

static struct number unpack(double x)
{
	uint64_t bits = bits_of(x), field = bits >> 52 & 0x7ff;
	struct number n = {
		.m = (bits & 0xfffffffffffff) | (uint64_t)!!field << 52,
		.exponent = (field ? (int)field : 1) - 1075,
		.negative = bits >> 63,
	};

	return n;
}

static int top_bit(u128 m)
{
	int bit = 0;

	for (int by = 64; by; by /= 2)
		if (m >> by) {
			m >>= by;
			bit += by;
		}
	return bit;
}

/* Its highest bit at @bit, which is above where it was. */
static void normalise(struct number *n, int bit)
{
	int by = bit - top_bit(n->m);

	n->m <<= by;
	n->exponent -= by;
}

static u128 shift_right(u128 m, int by)
{
	if (by > 126)
		return m != 0;
	return m >> by | ((m & (((u128)1 << by) - 1)) != 0);
}

/* The bits of the number in @format that is next to @n in the direction @mode. */
static uint64_t pack(struct number n, enum rounding mode, const struct format *format)
{
	int away = mode == (n.negative ? ROUND_DOWN : ROUND_UP), last, by, field;
	uint64_t sign = (uint64_t)n.negative << (format->digits == 24 ? 31 : 63), kept;
	uint64_t hidden = 1ull << (format->digits - 1);

	if (!n.m)
		return sign;
	last = n.exponent + top_bit(n.m) - (format->digits - 1);
	last = last < format->least ? format->least : last;
	by = last - n.exponent;
	kept = by <= 0 ? n.m << -by : by > 127 ? 0 : n.m >> by;
	if (away && by > 0 && (by > 127 || n.m & (((u128)1 << by) - 1)))
		kept++;
	if (kept == 2 * hidden) {
		kept = hidden;
		last++;
	}
	field = kept < hidden ? 0 : last - format->least + 1;
	if (field >= format->infinite) {
		field = format->infinite - !away;
		kept = away ? 0 : hidden - 1;
	}
	return sign | (uint64_t)field << (format->digits - 1) | (kept & (hidden - 1));
}

static struct number add(struct number a, struct number b, enum rounding mode)
{
	struct number sum, swap;

	if (a.m)
		normalise(&a, 125);
	if (b.m)
		normalise(&b, 125);
	if (!a.m || (b.m && a.exponent < b.exponent)) {
		swap = a;
		a = b;
		b = swap;
	}
	sum = a;
	if (b.m)
		b.m = shift_right(b.m, a.exponent - b.exponent);
	if (a.negative == b.negative) {
		sum.m = a.m + b.m;
		return sum;
	}
	sum.m = a.m > b.m ? a.m - b.m : b.m - a.m;
	if (a.m < b.m)
		sum.negative = b.negative;
	if (!sum.m)
		sum.negative = mode == ROUND_DOWN;
	return sum;
}

static struct number fused(double a, double b, double c, enum rounding mode)
{
	struct number x = unpack(a), y = unpack(b);

	x.m *= y.m;
	x.exponent += y.exponent;
	x.negative ^= y.negative;
	return add(x, unpack(c), mode);
}

static struct number quotient(double a, double b)
{
	struct number x = unpack(a), y = unpack(b), q = { .negative = x.negative ^ y.negative };

	if (!x.m)
		return q;
	normalise(&x, 63);
	normalise(&y, 63);
	q.exponent = x.exponent - y.exponent - 64;
	for (int i = 0; i < 64; i++) {
		q.m <<= 1;
		if (x.m >= y.m) {
			x.m -= y.m;
			q.m |= 1;
		}
		x.m <<= 1;
	}
	q.m = q.m << 1 | (x.m != 0);
	return q;
}

static struct number root(double a)
{
	struct number x = unpack(a), r = { 0 };

	normalise(&x, 124);
	if (x.exponent & 1) {
		x.m <<= 1;
		x.exponent--;
	}
	for (uint64_t bit = 1ull << 62; bit; bit >>= 1)
		if ((r.m | bit) * (r.m | bit) <= x.m)
			r.m |= bit;
	r.exponent = x.exponent / 2 - 1;
	r.m = r.m << 1 | (r.m * r.m != x.m);
	return r;
}

/* What has no finite operand, or none that is a number, is as with any other rounding. */
#define FAMILY(type, s, word, format)						\
	static type s##_of(struct number n, enum rounding mode)			\
	{									\
		union { word bits; type value; } u = { .bits = pack(n, mode, &format) }; \
										\
		return u.value;							\
	}									\
	type __softuvm_fma_##s(type a, type b, type c, enum rounding mode)	\
	{									\
		if (!is_finite(a) || !is_finite(b) || !is_finite(c))		\
			return __builtin_fma(a, b, c);				\
		return s##_of(fused(a, b, c, mode), mode);			\
	}									\
	type __softuvm_div_##s(type a, type b, enum rounding mode)		\
	{									\
		if (!is_finite(a) || !is_finite(b) || !b)			\
			return a / b;						\
		return s##_of(quotient(a, b), mode);				\
	}									\
	type __softuvm_sqrt_##s(type a, enum rounding mode)			\
	{									\
		if (!is_finite(a) || !(a > 0))					\
			return s##_of_native_sqrt(a);				\
		return s##_of(root(a), mode);					\
	}									\
	type __softuvm_from_##s(uint64_t magnitude, int negative, enum rounding mode) \
	{									\
		struct number n = { .m = magnitude, .negative = negative };	\
										\
		return s##_of(n, mode);						\
	}

#define float_of_native_sqrt(a) __builtin_sqrtf(a)
#define double_of_native_sqrt(a) __builtin_sqrt(a)

FAMILY(float, float, uint32_t, single_format)
FAMILY(double, double, uint64_t, double_format)

float __softuvm_narrow(double a, enum rounding mode)
{
	return is_finite(a) ? float_of(unpack(a), mode) : (float)a;
}
