// SPDX-License-Identifier: GPL-2.0
/*
 * PTX of several instructions in asm(): registers, predicates, halves, vectors, shuffles that say whether
 * they read another lane.  The CPU computes all of it again.
 */
#include <string.h>
#include "check.h"

#define LANES 32

struct row {
	unsigned int minimum, sum, summed, within, peers, inout, bytes, ordered;
	unsigned int quad[4], halves[2];
	unsigned long long wide, pair[2];
	double doubled;
};

__device__ unsigned int minimum(unsigned int a, unsigned int b)
{
	unsigned int least;

	asm("{\n"
	    "	.reg .pred p;\n"
	    "	setp.lt.u32 p, %1, %2;\n"
	    "	mov.u32 %0, %2;\n"
	    "	@p mov.u32 %0, %1;\n"
	    "}" : "=r"(least) : "r"(a), "r"(b));
	return least;
}

/* With what lies @by lanes above, if that is of the same group of 8 lanes. */
__device__ unsigned int sum_down(unsigned int a, unsigned int by, unsigned int *within)
{
	unsigned int sum, last = 7 | (32 - 8) << 8;

	asm volatile("{ .reg .u32 r0; .reg .pred p;"
		     "shfl.sync.down.b32 r0|p, %2, %3, %4, %5;"
		     "selp.u32 %1, 1, 0, p;"
		     "@p add.u32 r0, r0, %2;"
		     "mov.u32 %0, r0; }"
		     : "=r"(sum), "=r"(*within) : "r"(a), "r"(by), "r"(last), "r"(~0u));
	return sum;
}

__device__ double sum_up(double a)
{
	double sum;

	asm volatile("{ .reg .u32 lo, hi; .reg .pred p; .reg .f64 r0;"
		     "mov.b64 {lo, hi}, %1;"
		     "shfl.sync.up.b32 lo|p, lo, 1, 0, %2;"
		     "shfl.sync.up.b32 hi|p, hi, 1, 0, %2;"
		     "mov.b64 r0, {lo, hi};"
		     "mov.f64 %0, %1;"
		     "@p add.f64 %0, %0, r0; }" : "=d"(sum) : "d"(a), "r"(~0u));
	return sum;
}

__global__ void rows(row *out, const unsigned int *in)
{
	unsigned int i = threadIdx.x, a = in[i];
	row *r = out + i;

	r->minimum = minimum(a, in[(i + 1) % LANES]);
	r->sum = sum_down(a, 3, &r->within);
	r->doubled = sum_up(a);
	asm volatile("{ .reg .pred p; and.b32 %0, %1, 4; setp.eq.u32 p, %0, 4;"
		     "vote.ballot.sync.b32 %0, p, 0xffffffff; @!p not.b32 %0, %0; }"
		     : "=r"(r->peers) : "r"(a));
	r->inout = a;
	asm("add.u32 %0, %0, %1; xor.b32 %0, %0, %1;" : "+r"(r->inout) : "r"(i));
	asm("mov.b64 {%0, %1}, %2;" : "=r"(r->halves[0]), "=r"(r->halves[1]) : "l"(a * 0x100000003ull));
	asm("mov.b64 %0, {%1, %2};" : "=l"(r->wide) : "r"(a), "r"(i));
	asm volatile("ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];"
		     : "=r"(r->quad[0]), "=r"(r->quad[1]), "=r"(r->quad[2]), "=r"(r->quad[3])
		     : "l"(in + i / 4 * 4));
	asm volatile("st.cs.v2.u64 [%0], {%1, %2};" : : "l"(r->pair), "l"((unsigned long long)a),
		     "l"((unsigned long long)i) : "memory");
	asm volatile("{ .reg .u8 b; ld.cg.u8 b, [%1]; cvt.u32.u8 %0, b; }"
		     : "=r"(r->bytes) : "l"((const char *)(in + i) + 1));
	asm("{ .reg .pred p, q; setp.gt.s32 p, %1, %2; setp.ne.u32 q, %1, 5; and.pred p, p, q;"
	    "selp.b32 %0, %1, %2, p; }" : "=r"(r->ordered) : "r"((int)a), "r"((int)i - 7));
}

static void check_row(const row *r, const unsigned int *in, unsigned int i)
{
	unsigned int a = in[i], ballot = 0, next = in[(i + 1) % LANES];
	bool within = i % 8 + 3 < 8;

	for (int lane = 0; lane < LANES; lane++)
		ballot |= (in[lane] >> 2 & 1) << lane;
	CHECK(r->minimum == (a < next ? a : next), "%u", i);
	CHECK(r->within == within, "%u: %u", i, r->within);
	CHECK(r->sum == (within ? a + in[i + 3] : a), "%u: %u", i, r->sum);
	CHECK(r->doubled == (i ? (double)a + in[i - 1] : a), "%u: %f", i, r->doubled);
	CHECK(r->peers == (a & 4 ? ballot : ~ballot), "%u: %x", i, r->peers);
	CHECK(r->inout == ((a + i) ^ i), "%u: %x", i, r->inout);
	CHECK(r->halves[0] == (unsigned int)(a * 0x100000003ull));
	CHECK(r->halves[1] == (unsigned int)(a * 0x100000003ull >> 32));
	CHECK(r->wide == ((unsigned long long)i << 32 | a), "%u: %llx", i, r->wide);
	CHECK(!memcmp(r->quad, in + i / 4 * 4, sizeof(r->quad)), "%u", i);
	CHECK(r->pair[0] == a && r->pair[1] == i, "%u", i);
	CHECK(r->bytes == (a >> 8 & 255), "%u: %x", i, r->bytes);
	CHECK(r->ordered == ((int)a > (int)i - 7 && a != 5 ? a : i - 7), "%u: %x", i, r->ordered);
}

int main()
{
	unsigned int *in = managed<unsigned int>(LANES), x = 1;
	row *out = managed<row>(LANES);

	for (int i = 0; i < LANES; i++) {
		x = x * 1664525 + 1013904223;
		in[i] = x;
	}
	in[9] = 5;
	rows<<<1, LANES>>>(out, in);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < LANES; i++)
		check_row(out + i, in, i);
	return wrong != 0;
}
