// SPDX-License-Identifier: GPL-2.0
/*
 * Sums, differences and products of several words by PTX's carry: in one asm(), and in one for each
 * word, in functions.  The CPU computes all of it again.
 */
#include <string.h>
#include "check.h"

#define CASES	64
#define WORDS	8
#define WIDE	(WORDS / 2)

typedef unsigned int u32;
typedef unsigned long long u64;

struct operands {
	u32 a[WORDS], b[WORDS];
};

struct results {
	u32 sum[WORDS], carry, difference[WORDS], borrow;
	u64 sum64[WIDE], carry64, difference64[WIDE], borrow64;
	u32 product[2 * WORDS];
	u32 square[4], signed_high[2];
	u64 product64[4];
};

/* ---- an asm() for each word ------------------------------------------- */

#define OF_TWO(name, text, type, letter)						\
	__device__ __forceinline__ type name(type a, type b)				\
	{										\
		type result;								\
											\
		asm volatile(text " %0, %1, %2;" : "=" letter(result) : letter(a), letter(b)); \
		return result;								\
	}

OF_TWO(add_first, "add.cc.u32", u32, "r")
OF_TWO(add_next, "addc.cc.u32", u32, "r")
OF_TWO(add_last, "addc.u32", u32, "r")
OF_TWO(sub_first, "sub.cc.u32", u32, "r")
OF_TWO(sub_next, "subc.cc.u32", u32, "r")
OF_TWO(sub_last, "subc.u32", u32, "r")
OF_TWO(add_first64, "add.cc.u64", u64, "l")
OF_TWO(add_next64, "addc.cc.u64", u64, "l")
OF_TWO(add_last64, "addc.u64", u64, "l")
OF_TWO(sub_first64, "sub.cc.u64", u64, "l")
OF_TWO(sub_next64, "subc.cc.u64", u64, "l")
OF_TWO(sub_last64, "subc.u64", u64, "l")

/* Without a word that says so, the compiler has these in their callers, too. */
__device__ u32 mad_low(u32 a, u32 b, u32 c)
{
	u32 result;

	asm volatile("mad.lo.cc.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(c));
	return result;
}

__device__ u32 mad_low_next(u32 a, u32 b, u32 c)
{
	u32 result;

	asm volatile("madc.lo.cc.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(c));
	return result;
}

__device__ u32 mad_high(u32 a, u32 b, u32 c)
{
	u32 result;

	asm volatile("mad.hi.cc.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(c));
	return result;
}

__device__ u32 mad_high_next(u32 a, u32 b, u32 c)
{
	u32 result;

	asm volatile("madc.hi.cc.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(c));
	return result;
}

__device__ void multiply(u32 *product, const u32 *a, const u32 *b)
{
	for (int i = 0; i < 2 * WORDS; i++)
		product[i] = 0;
	for (int i = 0; i < WORDS; i++) {
		u32 *p = product + i;

		p[0] = mad_low(a[0], b[i], p[0]);
#pragma unroll
		for (int j = 1; j < WORDS; j++)
			p[j] = mad_low_next(a[j], b[i], p[j]);
		p[WORDS] = add_last(p[WORDS], 0);
		p[1] = mad_high(a[0], b[i], p[1]);
#pragma unroll
		for (int j = 1; j < WORDS - 1; j++)
			p[j + 1] = mad_high_next(a[j], b[i], p[j + 1]);
		asm volatile("madc.hi.u32 %0, %1, %2, %0;" : "+r"(p[WORDS]) : "r"(a[WORDS - 1]), "r"(b[i]));
	}
}

/* ---- all in one ------------------------------------------------------- */

__device__ void square(u32 *out, const u32 *a)
{
	asm("{ .reg .u32 low, high;"
	    "	mul.lo.u32 %0, %4, %4;"
	    "	mul.hi.u32 %1, %4, %4;"
	    "	mul.lo.u32 low, %4, %5;"
	    "	mul.hi.u32 high, %4, %5;"
	    "	add.cc.u32 %1, %1, low;"
	    "	addc.cc.u32 %2, high, 0;"
	    "	addc.u32 %3, 0, 0;"
	    "	add.cc.u32 %1, %1, low;"
	    "	addc.cc.u32 %2, %2, high;"
	    "	addc.u32 %3, %3, 0;"
	    "	mad.lo.cc.u32 %2, %5, %5, %2;"
	    "	madc.hi.u32 %3, %5, %5, %3; }"
	    : "=&r"(out[0]), "=&r"(out[1]), "=&r"(out[2]), "=&r"(out[3]) : "r"(a[0]), "r"(a[1]));
}

__device__ void multiply64(u64 *out, u64 a, u64 b, u64 c)
{
	asm("mad.lo.cc.u64 %0, %3, %4, %5;\n\t"
	    "madc.hi.cc.u64 %1, %3, %4, 0;\n\t"
	    "addc.u64 %2, 0, 0;"
	    : "=&l"(out[0]), "=&l"(out[1]), "=&l"(out[2]) : "l"(a), "l"(b), "l"(c));
	asm("{ .reg .u64 t; mad.hi.cc.s64 t, %1, %2, %3; addc.u64 %0, 0, 0; }"
	    : "=l"(out[3]) : "l"(a), "l"(b), "l"(c));
}

__global__ void compute(results *out, const operands *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	const operands *o = in + i;
	results *r = out + i;
	u64 a[WIDE], b[WIDE];

	memcpy(a, o->a, sizeof(a));
	memcpy(b, o->b, sizeof(b));
	r->sum[0] = add_first(o->a[0], o->b[0]);
#pragma unroll
	for (int j = 1; j < WORDS; j++)
		r->sum[j] = add_next(o->a[j], o->b[j]);
	r->carry = add_last(0, 0);
	r->difference[0] = sub_first(o->a[0], o->b[0]);
#pragma unroll
	for (int j = 1; j < WORDS; j++)
		r->difference[j] = sub_next(o->a[j], o->b[j]);
	r->borrow = sub_last(0, 0);
	r->sum64[0] = add_first64(a[0], b[0]);
	r->sum64[1] = add_next64(a[1], b[1]);
	r->sum64[2] = add_next64(a[2], b[2]);
	r->sum64[3] = add_next64(a[3], b[3]);
	r->carry64 = add_last64(0, 0);
	r->difference64[0] = sub_first64(a[0], b[0]);
	r->difference64[1] = sub_next64(a[1], b[1]);
	r->difference64[2] = sub_next64(a[2], b[2]);
	r->difference64[3] = sub_next64(a[3], b[3]);
	r->borrow64 = sub_last64(0, 0);
	multiply(r->product, o->a, o->b);
	square(r->square, o->a);
	multiply64(r->product64, a[0], b[0], a[1]);
	asm("mad.hi.cc.s32 %0, %2, %3, %4; addc.s32 %1, 0, 0;"
	    : "=&r"(r->signed_high[0]), "=r"(r->signed_high[1]) : "r"(o->a[0]), "r"(o->b[0]), "r"(o->a[1]));
}

/* ---- the CPU ---------------------------------------------------------- */

static u32 add(u32 *out, const u32 *a, const u32 *b, int words)
{
	u64 sum = 0;

	for (int i = 0; i < words; i++) {
		sum += (u64)a[i] + b[i];
		out[i] = (u32)sum;
		sum >>= 32;
	}
	return (u32)sum;
}

static u32 subtract(u32 *out, const u32 *a, const u32 *b, int words)
{
	u32 borrow = 0;

	for (int i = 0; i < words; i++) {
		u64 whole = (u64)a[i] - b[i] - borrow;

		out[i] = (u32)whole;
		borrow = whole >> 63;
	}
	return borrow;
}

static void product_of(u32 *out, const u32 *a, const u32 *b, int words)
{
	memset(out, 0, 2 * words * sizeof(*out));
	for (int i = 0; i < words; i++) {
		u64 carry = 0;

		for (int j = 0; j < words; j++) {
			carry += (u64)a[j] * b[i] + out[i + j];
			out[i + j] = (u32)carry;
			carry >>= 32;
		}
		out[i + words] = (u32)carry;
	}
}

static void check_products(const results *r, const operands *o, int i)
{
	u32 want[2 * WORDS], c[4] = { o->a[2], o->a[3], 0, 0 };
	unsigned __int128 high, sum;
	long long a, b;

	product_of(want, o->a, o->b, WORDS);
	CHECK(!memcmp(r->product, want, sizeof(r->product)), "%d", i);
	product_of(want, o->a, o->a, 2);
	CHECK(!memcmp(r->square, want, sizeof(r->square)), "%d", i);
	product_of(want, o->a, o->b, 2);
	want[4] = add(want, want, c, 4);
	CHECK(!memcmp(r->product64, want, 16), "%d", i);
	CHECK(r->product64[2] == want[4], "%d: %llu", i, r->product64[2]);
	memcpy(&a, o->a, sizeof(a));
	memcpy(&b, o->b, sizeof(b));
	high = (u64)((__int128)a * b >> 64);
	sum = high + ((u64)o->a[3] << 32 | o->a[2]);
	CHECK(r->product64[3] == (u64)(sum >> 64), "%d: %llu", i, r->product64[3]);
	sum = (u64)(u32)((long long)(int)o->a[0] * (int)o->b[0] >> 32) + o->a[1];
	CHECK(r->signed_high[0] == (u32)sum && r->signed_high[1] == (u32)(sum >> 32), "%d: %x %x", i,
	      r->signed_high[0], r->signed_high[1]);
}

static void check(const results *r, const operands *o, int i)
{
	u32 want[WORDS], carry;

	carry = add(want, o->a, o->b, WORDS);
	CHECK(!memcmp(r->sum, want, sizeof(want)) && r->carry == carry, "%d: %u", i, r->carry);
	CHECK(!memcmp(r->sum64, want, sizeof(want)) && r->carry64 == carry, "%d: %llu", i, r->carry64);
	carry = subtract(want, o->a, o->b, WORDS);
	CHECK(!memcmp(r->difference, want, sizeof(want)) && r->borrow == 0 - carry, "%d: %x", i, r->borrow);
	CHECK(!memcmp(r->difference64, want, sizeof(want)) && r->borrow64 == 0ull - carry, "%d: %llx", i,
	      r->borrow64);
	check_products(r, o, i);
}

int main()
{
	operands *in = managed<operands>(CASES);
	results *out = managed<results>(CASES);
	u32 x = 1, *words = (u32 *)in;

	/* Words with all bits and with none hand carries on. */
	for (size_t i = 0; i < CASES * sizeof(*in) / sizeof(*words); i++) {
		x = x * 1664525 + 1013904223;
		words[i] = x >> 30 == 0 ? 0 : x >> 30 == 1 ? ~0u : x;
	}
	compute<<<2, CASES / 2>>>(out, in);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < CASES; i++)
		check(out + i, in + i, i);
	return wrong != 0;
}
