// SPDX-License-Identifier: GPL-2.0
/*
 * hybridsort: floats are put into buckets, and each bucket is sorted by merging, after
 * Rodinia's hybridsort (Sintorn and Assarsson, 2008).  Four kernels:
 *
 *	hybridsort_count	sweeps the input, and writes the index: of each element its bucket
 *				and its rank in there among those of its block
 *	hybridsort_prefix	sums the blocks' counts of each bucket
 *	hybridsort_scatter	sweeps input and index, and writes anywhere in the buckets
 *	hybridsort_merge	a block for each bucket: sorts runs, then merges them to and fro
 *				between the bucket and the same place of the input, so that some
 *				pages are read and written several times, and then the next ones
 *
 * A warp alone makes a block of the first and the third, as in the original: so it has its
 * counters for itself, and ranks do not depend on timing.
 */
#ifndef KERNEL_HYBRIDSORT_C
#define KERNEL_HYBRIDSORT_C

#include <stdint.h>

#define HYBRIDSORT_WARP		32
#define HYBRIDSORT_BAND		128	/* elements of each thread of such a warp */
#define HYBRIDSORT_PART		(HYBRIDSORT_WARP * HYBRIDSORT_BAND)
#define HYBRIDSORT_PREFIX_BLOCK	128	/* threads */
#define HYBRIDSORT_MERGE_BLOCK	32	/* threads */
#define HYBRIDSORT_RUN		16	/* elements that a thread sorts at once */
#define HYBRIDSORT_MERGED	32	/* and merges */
#define HYBRIDSORT_BUCKET_BITS	16	/* of the index; the others are the rank */

/**
 * struct hybridsort_args - arguments of all its kernels
 * @input: elements, in [0, 1); then space to merge
 * @bucketed: elements by buckets; then the result
 * @index: of each element
 * @count: of each part and bucket, then of the parts before it
 * @total: of each bucket
 * @begin: of each bucket, and the end of the last
 * @elements: how many
 * @parts: blocks of the first and third kernel
 * @buckets: how many
 */
struct hybridsort_args {
	float *input, *bucketed;
	uint32_t *index;
	uint32_t *count;
	uint32_t *total;
	uint32_t *begin;
	uint64_t elements, parts, buckets;
};

#ifdef __riscv
#include <softgpu_kernel.h>

SGPU_REGISTERS(96);

/* Elements of a block's part, from its thread's first one. */
static inline uint64_t hybridsort_part(const struct hybridsort_args *args, uint64_t *end)
{
	uint64_t first = (uint64_t)block_idx_x() * HYBRIDSORT_PART;

	*end = first + HYBRIDSORT_PART;
	if (*end > args->elements)
		*end = args->elements;
	return first + thread_idx_x();
}

void hybridsort_count(const struct hybridsort_args *args)
{
	uint64_t end, i = hybridsort_part(args, &end), buckets = args->buckets;
	const float *input = args->input + i, *stop = args->input + end;
	uint32_t *to = args->count + block_idx_x() * buckets;
	uint32_t *index = args->index + i;
	uint32_t *shared = shared_base();	/* zeroed by the machine */
	float scale = (float)(uint32_t)buckets;

	for (; input < stop; input += HYBRIDSORT_WARP, index += HYBRIDSORT_WARP) {
		uint32_t bucket = (uint32_t)(*input * scale);
		uint32_t rank = atomic_add_u32(&shared[bucket], 1);

		*index = rank << HYBRIDSORT_BUCKET_BITS | bucket;
	}
	barrier();
	for (i = thread_idx_x(); i < buckets; i += HYBRIDSORT_WARP)
		to[i] = shared[i];
}

void hybridsort_prefix(const struct hybridsort_args *args)
{
	uint64_t bucket = global_idx_x(), buckets = args->buckets;
	uint32_t *count = args->count + bucket, *end = count + args->parts * buckets;
	uint32_t sum = 0;

	if (bucket >= buckets)
		return;
	for (; count < end; count += buckets) {
		uint32_t here = *count;

		*count = sum;
		sum += here;
	}
	args->total[bucket] = sum;
}

void hybridsort_scatter(const struct hybridsort_args *args)
{
	uint64_t end, first = hybridsort_part(args, &end), buckets = args->buckets;
	const uint32_t *before = args->count + block_idx_x() * buckets, *begin = args->begin;
	const float *input = args->input + first, *stop = args->input + end;
	const uint32_t *index = args->index + first;
	uint32_t *shared = shared_base();
	float *bucketed = args->bucketed;

	for (uint64_t i = thread_idx_x(); i < buckets; i += HYBRIDSORT_WARP)
		shared[i] = begin[i] + before[i];
	barrier();
	for (; input < stop; input += HYBRIDSORT_WARP, index += HYBRIDSORT_WARP) {
		uint64_t rank = *index >> HYBRIDSORT_BUCKET_BITS;
		uint64_t bucket = *index % (1 << HYBRIDSORT_BUCKET_BITS);

		bucketed[shared[bucket] + rank] = *input;
	}
}

static inline void hybridsort_order(float *a, float *b)
{
	float least = __builtin_fminf(*a, *b);

	*b = __builtin_fmaxf(*a, *b);
	*a = least;
}

/* Batcher's network of odd-even merges, for HYBRIDSORT_RUN elements. */
static const uint8_t hybridsort_network[][2] = {
	{ 0, 1 }, { 2, 3 }, { 4, 5 }, { 6, 7 }, { 8, 9 }, { 10, 11 }, { 12, 13 }, { 14, 15 },
	{ 0, 2 }, { 1, 3 }, { 4, 6 }, { 5, 7 }, { 8, 10 }, { 9, 11 }, { 12, 14 }, { 13, 15 },
	{ 1, 2 }, { 5, 6 }, { 9, 10 }, { 13, 14 }, { 0, 4 }, { 1, 5 }, { 2, 6 }, { 3, 7 },
	{ 8, 12 }, { 9, 13 }, { 10, 14 }, { 11, 15 }, { 2, 4 }, { 3, 5 }, { 10, 12 }, { 11, 13 },
	{ 1, 2 }, { 3, 4 }, { 5, 6 }, { 9, 10 }, { 11, 12 }, { 13, 14 }, { 0, 8 }, { 1, 9 },
	{ 2, 10 }, { 3, 11 }, { 4, 12 }, { 5, 13 }, { 6, 14 }, { 7, 15 }, { 4, 8 }, { 5, 9 },
	{ 6, 10 }, { 7, 11 }, { 2, 4 }, { 3, 5 }, { 6, 8 }, { 7, 9 }, { 10, 12 }, { 11, 13 },
	{ 1, 2 }, { 3, 4 }, { 5, 6 }, { 7, 8 }, { 9, 10 }, { 11, 12 }, { 13, 14 },
};

#define HYBRIDSORT_NETWORK (sizeof(hybridsort_network) / sizeof(hybridsort_network[0]))

/*
 * The compiler is to forget what it knows of a value.  Otherwise it makes a copy of the code
 * for each end that a run can have, and the lanes of a warp part.
 */
#define HYBRIDSORT_FORGET(value)	__asm__("" : "+r"(value))

/* Sorts up to HYBRIDSORT_RUN elements, in registers, and stores them one way or the other. */
static inline void hybridsort_run(const float *from, float *to, int64_t step, uint64_t count)
{
	float v[HYBRIDSORT_RUN];

#pragma unroll
	for (uint32_t i = 0; i < HYBRIDSORT_RUN; i++) {
		v[i] = i < count ? from[i] : 2.0f;	/* more than all elements */
		HYBRIDSORT_FORGET(count);
	}
#pragma unroll
	for (uint32_t i = 0; i < HYBRIDSORT_NETWORK; i++)
		hybridsort_order(&v[hybridsort_network[i][0]], &v[hybridsort_network[i][1]]);
#pragma unroll
	for (uint32_t i = 0; i < HYBRIDSORT_RUN; i++, to += step) {
		if (i < count)
			*to = v[i];
		HYBRIDSORT_FORGET(count);
	}
}

/*
 * How many of the first @d elements of two runs, merged, are from @a.  The least element of
 * run @b is its last one.  All lanes take the same steps: @run, which is a power of two, then
 * half of it, and so on.
 */
static inline uint64_t hybridsort_split(const float *a, uint64_t a_count, const float *b,
					uint64_t b_count, uint64_t d, uint64_t run)
{
	uint64_t split = d > b_count ? d - b_count : 0, most = d < a_count ? d : a_count;

	for (a--, b += b_count - 1 - d; run; run /= 2) {
		uint64_t more = split + run;

		/* Lanes that skip something have to meet the others behind it, not before. */
		if (__builtin_expect(more <= most, 1) && __builtin_expect(a[more] <= b[more], 1))
			split = more;
	}
	return split;
}

/* The less of the two next elements; goes on behind it. */
static inline float hybridsort_next(const float **a, uintptr_t gap)
{
	float from_a = **a, from_b = *(const float *)((uintptr_t)*a + gap);

	*a += from_a <= from_b;
	return __builtin_fminf(from_a, from_b);
}

/*
 * Makes @count elements of what is left of two runs, from the first element of @a and the last
 * of @b on.  The one comes nearer to the other with each element.
 */
static inline void hybridsort_outputs(const float *a, const float *b, float *to, int64_t step,
				      uint64_t count)
{
	uintptr_t gap = (uintptr_t)b - (uintptr_t)a;

	for (; count >= 4; count -= 4, gap -= 4 * sizeof(*a)) {
#pragma unroll
		for (uint32_t i = 0; i < 4; i++, to += step)
			*to = hybridsort_next(&a, gap - i * sizeof(*a));
	}
	for (; count; count--, gap -= sizeof(*a), to += step)
		*to = hybridsort_next(&a, gap);
}

static inline uint64_t hybridsort_least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/*
 * Makes elements @at ... of a bucket of @count: runs of @run become runs of twice that.  Runs
 * ascend and descend by turns, so that those of a pair meet at their greatest elements.  A run
 * that has come to its end goes on in the other one, at something that is not less than what is
 * left there: so no end has to be looked for.
 */
static inline void hybridsort_pair(const float *from, float *to, uint64_t run, uint64_t at,
				   uint64_t count)
{
	uint64_t pair = at & ~(2 * run - 1), d = at - pair;
	uint64_t total = hybridsort_least(2 * run, count - pair);
	uint64_t a_count = hybridsort_least(run, total);
	const float *a = from + pair, *b = a + total - 1;
	uint64_t split = hybridsort_split(a, a_count, a + a_count, total - a_count, d, run);
	int64_t step = 1;

	to += at;
	if (pair & (2 * run)) {
		to += total - 1 - 2 * d;
		step = -1;
	}
	hybridsort_outputs(a + split, b - (d - split), to, step,
			   hybridsort_least(HYBRIDSORT_MERGED, total - d));
}

/* The same of the first runs. */
static inline void hybridsort_first(const float *from, float *to, uint64_t at, uint64_t count)
{
	uint64_t total = hybridsort_least(HYBRIDSORT_RUN, count - at);
	int64_t step = at & HYBRIDSORT_RUN ? -1 : 1;

	hybridsort_run(from + at, to + at + (step < 0 ? total - 1 : 0), step, total);
}

void hybridsort_merge(const struct hybridsort_args *args)
{
	uint64_t begin = args->begin[block_idx_x()], count = args->begin[block_idx_x() + 1] - begin;
	uint64_t thread = thread_idx_x(), run, at;
	float *bucket = args->bucketed + begin, *space = args->input + begin;
	float *from = bucket, *to = space;

	/* The last pass ends in the bucket. */
	for (run = HYBRIDSORT_RUN; run < count; run *= 2) {
		from = to;
		to = from == bucket ? space : bucket;
	}
	for (at = thread * HYBRIDSORT_RUN; at < count;
	     at += HYBRIDSORT_MERGE_BLOCK * HYBRIDSORT_RUN)
		hybridsort_first(bucket, from, at, count);
	for (run = HYBRIDSORT_RUN; run < count; run *= 2) {
		barrier();
		for (at = thread * HYBRIDSORT_MERGED; at < count;
		     at += HYBRIDSORT_MERGE_BLOCK * HYBRIDSORT_MERGED)
			hybridsort_pair(from, to, run, at, count);
		from = to;
		to = from == bucket ? space : bucket;
	}
}
#endif

#endif
