// SPDX-License-Identifier: GPL-2.0
/*
 * PTX in asm() with numbers that have a point: literals, roundings, comparisons, conversions; halves of 16
 * bits, registers in rows, sums of products of parts.  CUDA's functions of C++ and the CPU do the same.
 */
#include <math.h>
#include <string.h>
#include "check.h"

#define CASES 64

struct row {
	float literal, least, greatest, flushed, quotient, whole[2], from, narrow[2];
	double wide, sum[2], great;
	int to[3], ordered, unordered, differs, again[3];
	unsigned int swapped, dot[3];
	float same[6];
	double alike[3];
};

__device__ void numbers(row *r, float a, float b, int n)
{
	double d = a;

	asm("add.f32 %0, %1, 0f3fc00000;" : "=f"(r->literal) : "f"(a));
	asm("min.f32 %0, %1, %2;" : "=f"(r->least) : "f"(a), "f"(b));
	asm("max.ftz.f32 %0, %1, %2;" : "=f"(r->greatest) : "f"(a), "f"(b));
	asm("fma.rn.ftz.f32 %0, %1, %2, %1;" : "=f"(r->flushed) : "f"(a), "f"(b));
	asm("div.rn.f32 %0, %1, %2;" : "=f"(r->quotient) : "f"(a), "f"(b));
	asm("cvt.rmi.f32.f32 %0, %2; cvt.rzi.f32.f32 %1, %2;"
	    : "=&f"(r->whole[0]), "=f"(r->whole[1]) : "f"(a));
	asm("cvt.rn.f32.s32 %0, %1;" : "=f"(r->from) : "r"(n));
	asm("{ .reg .f64 d<2>; cvt.f64.f32 d0, %2; mul.f64 d1, d0, 0d3ff0000010000000;"
	    "cvt.rp.f32.f64 %0, d1; cvt.rm.f32.f64 %1, d1; }"
	    : "=&f"(r->narrow[0]), "=f"(r->narrow[1]) : "f"(a));
	asm("{ .reg .f32 t; mov.f32 t, %1; cvt.f64.f32 %0, t; }" : "=d"(r->wide) : "f"(a));
	asm("add.rz.f64 %0, %1, 0d3cb0000000000001;" : "=d"(r->sum[0]) : "d"(d));
	asm("add.rp.f64 %0, %1, 0d3cb0000000000001;" : "=d"(r->sum[1]) : "d"(d));
	asm("max.f64 %0, %1, %2;" : "=d"(r->great) : "d"(d), "d"((double)b));
	asm("cvt.rni.s32.f32 %0, %3; cvt.rzi.s32.f32 %1, %3; cvt.rpi.s32.f32 %2, %3;"
	    : "=&r"(r->to[0]), "=&r"(r->to[1]), "=r"(r->to[2]) : "f"(a));
	r->same[0] = fminf(a, b);
	r->same[1] = fmaxf(a, b);
	r->same[2] = __fmaf_rn(a, b, a);
	r->same[3] = __fdiv_rn(a, b);
	r->same[4] = __double2float_ru(d * (1 + 0x1p-24));
	r->same[5] = __double2float_rd(d * (1 + 0x1p-24));
	r->alike[0] = __dadd_rz(d, 0x1.0000000000001p-52);
	r->alike[1] = __dadd_ru(d, 0x1.0000000000001p-52);
	r->alike[2] = fmax(d, (double)b);
	r->again[0] = __float2int_rn(a);
	r->again[1] = __float2int_rz(a);
	r->again[2] = __float2int_ru(a);
}

__device__ void comparisons(row *r, float a, float b)
{
	asm("{ .reg .pred p; setp.lt.f32 p, %1, %2; selp.s32 %0, 1, 0, p; }" : "=r"(r->ordered)
	    : "f"(a), "f"(b));
	asm("{ .reg .pred p; setp.geu.f32 p, %1, %2; selp.s32 %0, 1, 0, p; }" : "=r"(r->unordered)
	    : "f"(a), "f"(b));
	asm("{ .reg .pred p; setp.ne.f64 p, %1, %2; selp.s32 %0, 1, 0, p; }" : "=r"(r->differs)
	    : "d"((double)a), "d"((double)b));
}

__device__ void parts(row *r, unsigned int x, unsigned int y)
{
	asm("{ .reg .b16 low, high; mov.b32 {low, high}, %1; mov.b32 %0, {high, low}; }"
	    : "=r"(r->swapped) : "r"(x));
	asm("dp4a.u32.u32 %0, %1, %2, 5;" : "=r"(r->dot[0]) : "r"(x), "r"(y));
	asm("dp4a.s32.s32 %0, %1, %2, %1;" : "=r"(r->dot[1]) : "r"(x), "r"(y));
	asm("dp2a.hi.s32.u32 %0, %1, %2, 7;" : "=r"(r->dot[2]) : "r"(x), "r"(y));
}

__global__ void rows(row *out, const float *a, const float *b, const unsigned int *words)
{
	int i = threadIdx.x;

	numbers(out + i, a[i], b[i], (int)words[i]);
	comparisons(out + i, a[i], b[i]);
	parts(out + i, words[i], words[(i + 1) % CASES]);
}

/* Bit by bit, but that what is no number has many forms. */
template<class T> static bool same(T a, T b)
{
	return (a != a && b != b) || !memcmp(&a, &b, sizeof(a));
}

static void check_parts(const row *r, unsigned int x, unsigned int y, int i)
{
	unsigned int dot[3] = { 5, x, 7 };

	for (int k = 0; k < 32; k += 8) {
		dot[0] += (x >> k & 255) * (y >> k & 255);
		dot[1] += (signed char)(x >> k) * (signed char)(y >> k);
	}
	dot[2] += (short)x * (int)(y >> 16 & 255) + (short)(x >> 16) * (int)(y >> 24);
	CHECK(r->swapped == (x << 16 | x >> 16), "%d: %x", i, r->swapped);
	for (int k = 0; k < 3; k++)
		CHECK(r->dot[k] == dot[k], "%d, %d: %x, not %x", i, k, r->dot[k], dot[k]);
}

static void check(const row *r, float a, float b, int n, int i)
{
	CHECK(same(r->literal, a + 1.5f), "%d: %g", i, r->literal);
	CHECK(same(r->least, r->same[0]) && same(r->greatest, r->same[1]), "%d: %g %g", i, r->least,
	      r->greatest);
	CHECK(same(r->flushed, r->same[2]) && same(r->quotient, r->same[3]), "%d: %g", i, r->quotient);
	CHECK(same(r->flushed, fmaf(a, b, a)) && same(r->quotient, a / b), "%d: %g", i, r->flushed);
	CHECK(same(r->whole[0], floorf(a)) && same(r->whole[1], truncf(a)), "%d: %g", i, r->whole[0]);
	CHECK(r->from == (float)n, "%d: %g", i, r->from);
	CHECK(same(r->narrow[0], r->same[4]) && same(r->narrow[1], r->same[5]), "%d: %g %g", i,
	      r->narrow[0], r->narrow[1]);
	CHECK(same(r->wide, (double)a) && same(r->great, r->alike[2]), "%d: %g", i, r->wide);
	CHECK(same(r->sum[0], r->alike[0]) && same(r->sum[1], r->alike[1]), "%d: %g", i, r->sum[0]);
	CHECK(!memcmp(r->to, r->again, sizeof(r->to)), "%d: %d %d %d", i, r->to[0], r->to[1], r->to[2]);
	CHECK(r->ordered == (a < b) && r->unordered == !(a < b), "%d: %d %d", i, r->ordered, r->unordered);
	CHECK(r->differs == (a < b || a > b), "%d: %d", i, r->differs);
}

int main()
{
	float *a = managed<float>(CASES), *b = managed<float>(CASES);
	unsigned int *words = managed<unsigned int>(CASES), x = 1;
	row *out = managed<row>(CASES);

	for (int i = 0; i < CASES; i++) {
		x = x * 1664525 + 1013904223;
		words[i] = x;
		a[i] = (int)x / 65536.0f / 1024;
		b[i] = i % 7 ? (int)(x << 9) / 16777216.0f : a[i];
	}
	a[5] = NAN;
	b[6] = NAN;
	a[8] = 2.5f;
	a[9] = -2.5f;
	a[10] = 1e-40f;
	b[11] = 0;
	rows<<<1, CASES>>>(out, a, b, words);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < CASES; i++) {
		check(out + i, a[i], b[i], (int)words[i], i);
		check_parts(out + i, words[i], words[(i + 1) % CASES], i);
	}
	return wrong != 0;
}
