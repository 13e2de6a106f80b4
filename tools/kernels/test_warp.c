// SPDX-License-Identifier: GPL-2.0
/*
 * test_warp: lanes exchange registers: sums by each shuffle, votes, matches, in whole warps, in
 * parts of them that come one after the other, and beside lanes that have exited.
 * test_warp_reduce: barriers that count.
 * test_warp_vain: a lane waits for one that waits elsewhere, which is an error.
 */
#ifndef KERNEL_TEST_WARP_C
#define KERNEL_TEST_WARP_C

#include <stdint.h>

enum test_warp_word {
	TEST_WARP_SUM_DOWN,	/* of lane numbers, in lane 0 */
	TEST_WARP_SUM_XOR,	/* in all lanes */
	TEST_WARP_SCAN,		/* sum of the lanes up to this one */
	TEST_WARP_EIGHTH,	/* lane 3 of each eight */
	TEST_WARP_BALLOT,	/* odd lanes */
	TEST_WARP_MATCH,	/* lanes with the same rest by 5 */
	TEST_WARP_PART,		/* sum of each third, by masks and one after the other */
	TEST_WARP_VOTES,	/* any, all, uni: bits */
	TEST_WARP_LEFT,		/* ballot of the lanes that have not exited */
	TEST_WARP_WORDS
};

struct test_warp_args {
	uint32_t *out;		/* TEST_WARP_WORDS words per thread */
};

#ifdef __riscv
#include <softgpu_kernel.h>

static uint32_t test_warp_third(uint32_t lane, uint32_t all)
{
	uint32_t members = 0, sum = 0;

	for (uint32_t other = lane % 3; other < 32; other += 3)
		members |= all & 1u << other;
	/* each third at another time */
	for (uint32_t i = 0; i < lane % 3 * 100; i++)
		__asm__ volatile("nop");
	for (uint32_t other = lane % 3; other < 32; other += 3)
		if (members >> other & 1)
			sum += shuffle_idx(members, lane, other, 32);
	return sum;
}

void test_warp(const struct test_warp_args *args)
{
	uint32_t lane = lane_id(), all = active_mask(), down = lane, xor = lane, scan = lane;
	uint32_t *out = args->out + global_idx_x() * TEST_WARP_WORDS;

	for (uint32_t by = 16; by; by /= 2) {
		uint32_t more = shuffle_down(all, down, by, 32);

		down += lane + by < 32 && all >> (lane + by) & 1 ? more : 0;
		more = shuffle_xor(all, xor, by, 32);
		xor += all >> (lane ^ by) & 1 ? more : 0;
	}
	for (uint32_t by = 1; by < 32; by *= 2) {
		uint32_t more = shuffle_up(all, scan, by, 32);

		scan += lane >= by ? more : 0;
	}
	out[TEST_WARP_SUM_DOWN] = down;
	out[TEST_WARP_SUM_XOR] = xor;
	out[TEST_WARP_SCAN] = scan;
	out[TEST_WARP_EIGHTH] = shuffle_idx(all, lane, 3, 8);
	out[TEST_WARP_BALLOT] = vote_ballot(all, lane & 1);
	out[TEST_WARP_MATCH] = match_any(all, (uint64_t)(lane % 5) << 32);
	out[TEST_WARP_PART] = test_warp_third(lane, all);
	out[TEST_WARP_VOTES] = vote_any(all, lane == 2) | vote_all(all, lane < 32) << 1 |
			       vote_uni(all, lane & 1) << 2 | (match_all(all, 7) == all) << 3;
	if (lane & 1) {
		for (uint32_t i = 0; i < 50; i++)
			__asm__ volatile("nop");
		return;
	}
	out[TEST_WARP_LEFT] = vote_ballot(all, 1);
}

/* The last warp is not full; odd threads above 40 are gone. */
void test_warp_reduce(const struct test_warp_args *args)
{
	uint32_t thread = thread_idx_x(), n, bits;

	if (thread > 40 && thread & 1)
		return;
	n = barrier_count(thread % 3 == 0);
	bits = barrier_and(thread < 1000) | barrier_and(thread != 34) << 1 |
	       barrier_or(thread == 34) << 2 | barrier_or(thread > 1000) << 3;
	barrier();
	args->out[global_idx_x()] = n | bits << 16;
}

void test_warp_vain(const struct test_warp_args *args)
{
	uint32_t all = active_mask();

	(void)args;
	if (lane_id() == 7)
		barrier();
	warp_sync(all);
}
#endif

#endif
