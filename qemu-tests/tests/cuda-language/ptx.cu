// SPDX-License-Identifier: GPL-2.0
/*
 * PTX in asm() that is rarer: copies to shared memory that are waited for, comparisons with both
 * predicates, integers of 16 bits, reductions of a warp, halves of the clocks.
 */
#include "check.h"

#define LANES 32

struct row {
	unsigned int copied[4], padded[4], kept, both, set, chosen, product, none;
	unsigned int sum, most, all, alike;
	unsigned short half, wide;
	unsigned int later;
};

__device__ void copies(row *r, const unsigned int *in)
{
	__shared__ __align__(16) unsigned int s[LANES * 12];
	unsigned int at = (unsigned int)__cvta_generic_to_shared(s + 12 * threadIdx.x), there = 8;
	const unsigned int *nowhere = nullptr;

	s[12 * threadIdx.x + 8] = 77;
	asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" : : "r"(at), "l"(in) : "memory");
	asm volatile("cp.async.cg.shared.global.L2::128B [%0+16], [%1], 16, %2;"
		     : : "r"(at), "l"(in), "r"(there) : "memory");
	asm volatile("{ .reg .pred p; setp.ne.b32 p, %2, 0; @p cp.async.ca.shared.global [%0], [%1], 4; }"
		     : : "r"(at + 32), "l"(nowhere), "r"(0) : "memory");
	asm volatile("cp.async.commit_group;");
	asm volatile("cp.async.wait_group %0;" : : "n"(0) : "memory");
	asm volatile("cp.async.wait_all;" : : : "memory");
	for (int i = 0; i < 4; i++) {
		r->copied[i] = s[12 * threadIdx.x + i];
		r->padded[i] = s[12 * threadIdx.x + 4 + i];
	}
	r->kept = s[12 * threadIdx.x + 8];
}

__device__ void integers(row *r, unsigned int a, unsigned int b)
{
	asm("{ .reg .pred p, q; setp.lt.u32 p|q, %1, %2; selp.u32 %0, 1, 2, p; @q add.u32 %0, %0, 4; }"
	    : "=r"(r->both) : "r"(a), "r"(b));
	asm("set.le.u32.s32 %0, %1, %2;" : "=r"(r->set) : "r"(a), "r"(b));
	asm("slct.u32.s32 %0, %1, %2, %1;" : "=r"(r->chosen) : "r"(a), "r"(b));
	asm("mul24.lo.u32 %0, %1, %2;" : "=r"(r->product) : "r"(a), "r"(b));
	asm("cnot.b32 %0, %1;" : "=r"(r->none) : "r"(a & 1));
	asm("{ .reg .u16 t; add.u16 t, %1, %2; shr.u16 %0, t, 3; }" : "=h"(r->half)
	    : "h"((unsigned short)a), "h"((unsigned short)b));
	asm("mad.lo.u16 %0, %1, %2, %1;" : "=h"(r->wide) : "h"((unsigned short)a), "h"((unsigned short)b));
}

__device__ void warps(row *r, unsigned int a)
{
	unsigned int low, high, again;

	asm volatile("redux.sync.add.u32 %0, %1, %2;" : "=r"(r->sum) : "r"(a), "r"(~0u));
	asm volatile("redux.sync.max.s32 %0, %1, %2;" : "=r"(r->most) : "r"(a), "r"(~0u));
	asm volatile("{ .reg .pred p; match.all.sync.b32 %0|p, %2, %3; selp.u32 %1, 1, 0, p; }"
		     : "=r"(r->all), "=r"(r->alike) : "r"(a & 0), "r"(~0u));
	asm volatile("mov.u32 %0, %%globaltimer_lo;" : "=r"(low));
	asm volatile("mov.u32 %0, %%globaltimer_hi;" : "=r"(high));
	asm volatile("mov.u32 %0, %%globaltimer_lo; // and later" : "=r"(again));
	r->later = again - low < 1u << 30 && high < ~0u;
}

__global__ void rows(row *out, const unsigned int *in)
{
	row *r = out + threadIdx.x;

	copies(r, in + 4 * threadIdx.x);
	integers(r, in[4 * threadIdx.x], in[4 * threadIdx.x + 1]);
	warps(r, in[4 * threadIdx.x]);
}

static void check(const row *r, const unsigned int *in, int i)
{
	unsigned int a = in[0], b = in[1];
	unsigned short half = a + b;

	for (int k = 0; k < 4; k++) {
		CHECK(r->copied[k] == in[k], "%d, %d: %x", i, k, r->copied[k]);
		CHECK(r->padded[k] == (k < 2 ? in[k] : 0), "%d, %d: %x", i, k, r->padded[k]);
	}
	CHECK(r->kept == 77, "%d: %u", i, r->kept);
	CHECK(r->both == (a < b ? 1 : 6), "%d: %u", i, r->both);
	CHECK(r->set == ((int)a <= (int)b ? ~0u : 0), "%d: %x", i, r->set);
	CHECK(r->chosen == ((int)a >= 0 ? a : b), "%d: %x", i, r->chosen);
	CHECK(r->product == (a & 0xffffff) * (b & 0xffffff), "%d: %x", i, r->product);
	CHECK(r->none == !(a & 1), "%d: %u", i, r->none);
	CHECK(r->half == half >> 3, "%d: %x", i, r->half);
	CHECK(r->wide == (unsigned short)(a * b + a), "%d: %x", i, r->wide);
	CHECK(r->all == ~0u && r->alike == 1 && r->later == 1, "%d: %x %u", i, r->all, r->later);
}

int main()
{
	unsigned int *in = managed<unsigned int>(4 * LANES), x = 1, sum = 0;
	row *out = managed<row>(LANES);
	int most = -0x7fffffff - 1;

	for (int i = 0; i < 4 * LANES; i++) {
		x = x * 1664525 + 1013904223;
		in[i] = x;
		sum += i % 4 ? 0 : x;
		most = i % 4 || (int)x < most ? most : (int)x;
	}
	rows<<<1, LANES>>>(out, in);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < LANES; i++) {
		check(out + i, in + 4 * i, i);
		CHECK(out[i].sum == sum && (int)out[i].most == most, "%d: %x %x", i, out[i].sum, out[i].most);
	}
	return wrong != 0;
}
