// SPDX-License-Identifier: GPL-2.0
/*
 * Memory by PTX in asm(): addresses with an offset, shared memory by 32 bits of its address, loads and
 * stores under a predicate, atomics.
 */
#include "check.h"

#define LANES 32

struct row {
	unsigned int next, before, pair[2], own, vector[2], guarded, other, wide[2];
	unsigned int swapped, old, least, counted, seen, same, generic;
	unsigned long long old64;
};

struct sums {
	unsigned int added, reduced, bits, last, counter;
	unsigned long long wide;
	float real;
	double precise;
};

__device__ void offsets(row *r, const unsigned int *in)
{
	asm volatile("ld.global.u32 %0, [%1+4];" : "=r"(r->next) : "l"(in));
	asm volatile("ld.global.nc.u32 %0, [ %1 + -4 ];" : "=r"(r->before) : "l"(in));
	asm volatile("ld.global.v2.u32 {%0, %1}, [%2+8];" : "=r"(r->pair[0]), "=r"(r->pair[1])
		     : "l"(in - threadIdx.x % 2));
	asm volatile("{ .reg .u64 a; add.u64 a, %0, 4; st.global.u32 [a+-4], %1; }"
		     : : "l"(&r->own), "r"(in[0] + 1) : "memory");
}

/* Each lane writes what the lane above reads, whose address it has in a register of 32 bits. */
__device__ void shared(row *r, const unsigned int *in)
{
	__shared__ __align__(16) unsigned int words[2 * LANES + 4];
	unsigned int at = (unsigned int)__cvta_generic_to_shared(words), mine = at + 8 * threadIdx.x, same;

	asm volatile("st.shared.v2.u32 [%0], {%1, %2};" : : "r"(mine), "r"(in[0]), "r"(in[0] ^ 5) : "memory");
	__syncthreads();
	mine = at + 8 * ((threadIdx.x + 1) % LANES);
	asm volatile("ld.shared.u32 %0, [%1];" : "=r"(r->vector[0]) : "r"(mine) : "memory");
	asm volatile("ld.volatile.shared.u32 %0, [%1+4];" : "=r"(r->vector[1]) : "r"(mine) : "memory");
	asm("{ .reg .u64 a; cvta.to.shared.u64 a, %1; cvt.u32.u64 %0, a; }" : "=r"(same) : "l"(words));
	r->same = same == at;
	r->generic = __cvta_shared_to_generic(at + 8) == words + 2;
}

/* An address that must not be used under a predicate that does not hold. */
__device__ void guarded(row *r, const unsigned int *in)
{
	const unsigned int *at = threadIdx.x % 2 ? in - 1 : nullptr;
	unsigned int *to = threadIdx.x % 4 == 1 ? &r->other : nullptr;

	asm volatile("{ .reg .pred p; setp.ne.u64 p, %1, 0; mov.u32 %0, 77;"
		     "@p ld.global.u32 %0, [%1]; }" : "=r"(r->guarded) : "l"(at));
	asm volatile("{ .reg .pred p; setp.eq.u64 p, %0, 0; @!p st.global.u32 [%0], %1; }"
		     : : "l"(to), "r"(in[0]) : "memory");
	asm volatile("{ .reg .pred p; setp.ne.b32 p, %3, 0; mov.b32 %0, 3; mov.b32 %1, 4;"
		     "@p ld.global.v2.u32 {%0, %1}, [%2]; }"
		     : "=&r"(r->wide[0]), "=&r"(r->wide[1]) : "l"(at), "r"(threadIdx.x % 2));
}

__device__ void atomics(row *r, sums *s, unsigned int a)
{
	__shared__ unsigned int count, least;
	unsigned int c = (unsigned int)__cvta_generic_to_shared(&count);

	if (!threadIdx.x) {
		count = 0;
		least = ~0u;
	}
	__syncthreads();
	asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(r->old) : "l"(&s->added), "r"(a) : "memory");
	asm volatile("red.relaxed.gpu.global.add.u32 [%0], %1;" : : "l"(&s->reduced), "r"(a) : "memory");
	asm volatile("atom.or.b32 %0, [%1], %2;" : "=r"(r->seen) : "l"(&s->bits), "r"(1u << threadIdx.x)
		     : "memory");
	asm volatile("atom.add.u64 %0, [%1], %2;" : "=l"(r->old64) : "l"(&s->wide), "l"((unsigned long long)a)
		     : "memory");
	asm volatile("red.global.add.f32 [%0], %1;" : : "l"(&s->real), "f"(1.5f) : "memory");
	asm volatile("red.global.add.f64 [%0], %1;" : : "l"(&s->precise), "d"(0.25) : "memory");
	asm volatile("red.shared.add.u32 [%0], 1;" : : "r"(c) : "memory");
	asm volatile("red.shared.min.u32 [%0], %1;" : : "r"((unsigned int)__cvta_generic_to_shared(&least)),
		     "r"(a) : "memory");
	asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 4; @p red.global.inc.u32 [%0], 100; }"
		     : : "l"(&s->counter), "r"(threadIdx.x) : "memory");
	asm volatile("atom.acq_rel.gpu.global.exch.b32 %0, [%1], %2;" : "=r"(r->swapped)
		     : "l"(&s->last), "r"(threadIdx.x + 1) : "memory");
	__syncthreads();
	r->counted = count;
	r->least = least;
	__syncthreads();
	asm volatile("{ .reg .b32 t; atom.shared.cas.b32 t, [%0], %1, %2; }"
		     : : "r"(c), "r"(LANES), "r"(7) : "memory");
	__syncthreads();
	if (count != 7)
		s->last = 0;
}

__global__ void rows(row *out, sums *s, const unsigned int *in)
{
	row *r = out + threadIdx.x;

	offsets(r, in + 2 + threadIdx.x);
	shared(r, in + 2 + threadIdx.x);
	guarded(r, in + 2 + threadIdx.x);
	atomics(r, s, in[2 + threadIdx.x]);
}

static void check_row(const row *r, const unsigned int *in, int i)
{
	const unsigned int *above = in - i + (i + 1) % LANES;

	CHECK(r->next == in[1] && r->before == in[-1], "%d: %u %u", i, r->next, r->before);
	CHECK(r->pair[0] == in[2 - i % 2] && r->pair[1] == in[3 - i % 2], "%d: %u %u", i, r->pair[0],
	      r->pair[1]);
	CHECK(r->own == in[0] + 1, "%d: %u", i, r->own);
	CHECK(r->vector[0] == *above && r->vector[1] == (*above ^ 5), "%d: %u", i, r->vector[0]);
	CHECK(r->same && r->generic, "%d: %u %u", i, r->same, r->generic);
	CHECK(r->guarded == (i % 2 ? in[-1] : 77), "%d: %u", i, r->guarded);
	CHECK(r->other == (i % 4 == 1 ? in[0] : 0), "%d: %u", i, r->other);
	CHECK(r->wide[0] == (i % 2 ? in[-1] : 3) && r->wide[1] == (i % 2 ? in[0] : 4), "%d: %u %u", i,
	      r->wide[0], r->wide[1]);
	CHECK(r->counted == LANES && r->least == 1000, "%d: %u %u", i, r->counted, r->least);
}

/* Who comes later has more; the last one is known by what it left. */
static void check_sums(const row *out, const sums *s)
{
	unsigned long long old = 0, swapped = 0;

	for (int i = 0; i < LANES; i++) {
		old = out[i].old > old ? out[i].old : old;
		swapped += out[i].swapped;
		CHECK(out[i].old64 == out[i].old, "%d: %llu", i, out[i].old64);
		CHECK(!(out[i].seen >> i & 1), "%d: %x", i, out[i].seen);
	}
	CHECK(s->added == 1000 * LANES + LANES * (LANES - 1) / 2 * 3, "%u", s->added);
	CHECK(s->reduced == s->added && s->wide == s->added && old < s->added, "%u %llu", s->reduced, old);
	CHECK(s->bits == ~0u && s->counter == 4, "%x %u", s->bits, s->counter);
	CHECK(s->real == 1.5f * LANES && s->precise == 0.25 * LANES, "%f %f", s->real, s->precise);
	CHECK(s->last && swapped + s->last == LANES * (LANES + 1) / 2, "%llu %u", swapped, s->last);
}

int main()
{
	unsigned int *in = managed<unsigned int>(LANES + 8);
	row *out = managed<row>(LANES);
	sums *s = managed<sums>(1);

	for (int i = 0; i < LANES + 8; i++)
		in[i] = 1000 + 3 * (i - 2);
	rows<<<1, LANES>>>(out, s, in);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < LANES; i++)
		check_row(out + i, in + 2 + i, i);
	check_sums(out, s);
	return wrong != 0;
}
