/* SPDX-License-Identifier: GPL-2.0 */
/* A warp for tests of the lane loops, and rows of registers. */
#ifndef KUNIT_WARP_FIXTURE_H
#define KUNIT_WARP_FIXTURE_H

#include <kunit/test.h>
#include "../softgpu/exec.h"
#include "../softgpu/flow.h"

#define RD	5
#define RS1	6
#define RS2	7
#define RS3	28
#define OLD	0xdeadbeefcafef00dULL
#define PART	0xa5a5f00fU
#define MIN32	0xffffffff80000000ULL
#define MAX32	0x7fffffffULL
#define ONES	0xffffffffffffffffULL

static inline struct sgpu_warp *exec_warp(struct kunit *test, u32 lanes)
{
	struct sgpu_warp *warp = kunit_kzalloc(test, sizeof(*warp), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, warp);
	sgpu_flow_start(warp, lanes, 0);
	return warp;
}

static inline void exec_fill(u64 *row, u64 value)
{
	unsigned int lane;

	for (lane = 0; lane < SGPU_LANES; lane++)
		row[lane] = value;
}

static inline void exec_fill32(u32 *row, u32 value)
{
	unsigned int lane;

	for (lane = 0; lane < SGPU_LANES; lane++)
		row[lane] = value;
}

static inline void exec_check(struct kunit *test, const struct sgpu_warp *warp, const u64 *x,
			      const u32 *f, u64 result, u64 old, const char *what)
{
	unsigned int lane;

	for (lane = 0; lane < SGPU_LANES; lane++) {
		u64 want = warp->active >> lane & 1 ? result : old;

		KUNIT_ASSERT_EQ_MSG(test, want, x ? x[lane] : f[lane], "%s lane %u mask %#x", what,
				    lane, warp->active);
	}
}

static const u32 exec_masks[] __maybe_unused = { SGPU_FULL, PART, 0x80210420, 1, 0x80000000 };

#endif
