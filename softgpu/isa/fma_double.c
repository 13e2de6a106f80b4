// SPDX-License-Identifier: GPL-2.0
/*
 * Fused multiply and add in double precision, in integers, for CPUs without the instruction:
 * the product of two numbers of 53 bits has 106, so with the addend beside it all fits 128 bits
 * but for what only its being there matters of.  Pure.
 */
#include <kunit/visibility.h>
#include <linux/bits.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/types.h>
#include "isa/exec_double.h"

#define FMA_SIGN	BIT_ULL(63)
#define FMA_INF		0x7ff0000000000000ULL
#define FMA_NAN		0x7ff8000000000000ULL
#define FMA_FRACTION	52
/* exponent of the last bit of a number with biased exponent 1, the least there is */
#define FMA_LEAST	(-1074)
/* Products end below bit 126, addends below 125: their sum cannot overflow. */
#define FMA_PRODUCT_UP	20
#define FMA_ADDEND_UP	72

/**
 * struct fma_number - a finite number that is not 0: @m * 2^@e
 * @m: 53 bits, or with a product and a sum more
 * @e: exponent
 * @sign: FMA_SIGN or 0
 */
struct fma_number {
	u128 m;
	int e;
	u64 sign;
};

static bool fma_isnan(u64 u)
{
	return (u & ~FMA_SIGN) > FMA_INF;
}

static struct fma_number fma_unpack(u64 u)
{
	struct fma_number n = { .m = u & (BIT_ULL(FMA_FRACTION) - 1), .sign = u & FMA_SIGN };
	int biased = u >> FMA_FRACTION & 0x7ff;

	if (biased)
		n.m |= BIT_ULL(FMA_FRACTION);
	n.e = FMA_LEAST + (biased ? biased - 1 : 0);
	return n;
}

static unsigned int fma_top(u128 m)
{
	u64 high = m >> 64;

	return high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll((u64)m);
}

/* The top bit at @at; a subnormal number has few bits. */
static void fma_place(struct fma_number *n, unsigned int at)
{
	unsigned int up = at - fma_top(n->m);

	n->m <<= up;
	n->e -= up;
}

/* @m / 2^@by; the last bit is set if anything was lost. */
static u128 fma_shift(u128 m, unsigned int by)
{
	if (by >= 128)
		return !!m;
	return (m >> by) | (m & (((u128)1 << by) - 1) ? 1 : 0);
}

/* Rounded to nearest even. */
static u64 fma_pack(struct fma_number n)
{
	int shift = (int)fma_top(n.m) - FMA_FRACTION;
	u64 bits;

	if (n.e + shift < FMA_LEAST)
		shift = FMA_LEAST - n.e;
	if (shift <= 0) {
		bits = (u64)n.m << -shift;
	} else {
		/* two bits more, the lower one for all below it */
		u64 m = shift > 1 ? fma_shift(n.m, shift - 2) : n.m << 1;

		bits = (m >> 2) + ((m & 3) > 2 || (m & 7) == 6);
	}
	/* the first of the 53 bits adds 1 to the exponent, unless it is not there */
	if (n.e + shift - FMA_LEAST >= 0x7fe)
		return n.sign | FMA_INF;
	return n.sign | (bits + ((u64)(n.e + shift - FMA_LEAST) << FMA_FRACTION));
}

static u64 fma_add(struct fma_number p, struct fma_number c)
{
	struct fma_number *low = p.e < c.e ? &p : &c;
	struct fma_number sum = { .e = max(p.e, c.e), .sign = p.sign };

	low->m = fma_shift(low->m, sum.e - low->e);
	if (p.sign == c.sign) {
		sum.m = p.m + c.m;
	} else if (p.m >= c.m) {
		sum.m = p.m - c.m;
	} else {
		sum.m = c.m - p.m;
		sum.sign = c.sign;
	}
	return sum.m ? fma_pack(sum) : 0;
}

/* With an infinity or a NaN among them. */
static u64 fma_special(u64 a, u64 b, u64 c)
{
	u64 product = FMA_INF | ((a ^ b) & FMA_SIGN);

	if (fma_isnan(a) || fma_isnan(b) || fma_isnan(c))
		return FMA_NAN;
	if ((a & ~FMA_SIGN) < FMA_INF && (b & ~FMA_SIGN) < FMA_INF)
		return c;
	if (!(a & ~FMA_SIGN) || !(b & ~FMA_SIGN))
		return FMA_NAN;
	return (c & ~FMA_SIGN) == FMA_INF && c != product ? FMA_NAN : product;
}

u64 sgpu_double_fma(u64 a, u64 b, u64 c)
{
	struct fma_number p, n;
	u64 sign = (a ^ b) & FMA_SIGN;

	if ((a & FMA_INF) == FMA_INF || (b & FMA_INF) == FMA_INF || (c & FMA_INF) == FMA_INF)
		return fma_special(a, b, c);
	if (!(a & ~FMA_SIGN) || !(b & ~FMA_SIGN))
		return c & ~FMA_SIGN ? c : c & sign;
	p = fma_unpack(a);
	n = fma_unpack(b);
	fma_place(&p, FMA_FRACTION);
	fma_place(&n, FMA_FRACTION);
	p.m *= n.m;
	p.e += n.e;
	p.sign = sign;
	if (!(c & ~FMA_SIGN))
		return fma_pack(p);
	p.m <<= FMA_PRODUCT_UP;
	p.e -= FMA_PRODUCT_UP;
	n = fma_unpack(c);
	fma_place(&n, FMA_FRACTION + FMA_ADDEND_UP);
	return fma_add(p, n);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_double_fma);

#define SUM_INF		0x7f800000
#define SUM_NAN		0x7fc00000
#define SUM_FRACTION	23
/* bits of a fraction that single precision has not */
#define SUM_LESS	(FMA_FRACTION - SUM_FRACTION)
/* difference of the biases of exponents: 1023 - 127 */
#define SUM_BIAS	896

static u64 sum_widen(u32 f)
{
	u64 sign = (u64)(f >> 31) << 63, fraction = f & (BIT(SUM_FRACTION) - 1);
	u64 exponent = f >> SUM_FRACTION & 0xff;
	unsigned int up;

	if (exponent == 0xff)
		return sign | FMA_INF | fraction << SUM_LESS;
	if (!exponent && !fraction)
		return sign;
	if (!exponent) {
		/* a number that is subnormal here is none there */
		up = __builtin_clz((u32)fraction) - (31 - SUM_FRACTION);
		fraction = fraction << up & (BIT(SUM_FRACTION) - 1);
		exponent = 1 - (int)up + SUM_BIAS;
	} else {
		exponent += SUM_BIAS;
	}
	return sign | exponent << FMA_FRACTION | fraction << SUM_LESS;
}

/* Rounded to nearest even.  No sum is below the least number that single precision has. */
static u32 sum_narrow(u64 d)
{
	u32 sign = (d & FMA_SIGN) >> 32;
	int exponent = (int)(d >> FMA_FRACTION & 0x7ff) - SUM_BIAS;
	u64 m = (d & (BIT_ULL(FMA_FRACTION) - 1)) | BIT_ULL(FMA_FRACTION);

	if (fma_isnan(d))
		return SUM_NAN;
	if (!(d & ~FMA_SIGN))
		return sign;
	if (exponent >= 0xff)
		return sign | SUM_INF;
	if (exponent < 1)
		return sign | (u32)(m >> (SUM_LESS + 1 - exponent));
	m += (BIT_ULL(SUM_LESS - 1) - 1) + (m >> SUM_LESS & 1);
	/* the first bit adds 1 to the exponent */
	return sign | ((u32)(m >> SUM_LESS) + ((u32)(exponent - 1) << SUM_FRACTION));
}

/* Rounding twice does no harm: 53 bits are more than two of 24, and two more (Figueroa, 1995). */
u32 sgpu_float_sum(u32 a, u32 b)
{
	return sum_narrow(sgpu_double_fma(0x3ff0000000000000ULL, sum_widen(a), sum_widen(b)));
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_float_sum);
