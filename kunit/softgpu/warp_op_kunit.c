// SPDX-License-Identifier: GPL-2.0
/*
 * softgpu intrinsics of a warp: what each gives, and who waits for whom.  The rules are in
 * softgpu_kernel_abi.h; which lane a shuffle takes from is as in PTX (shfl.sync).
 */
#include <kunit/test.h>
#include <linux/softgpu_kernel_abi.h>
#include "softgpu/isa/exec.h"
#include "softgpu/isa/simt.h"
#include "softgpu/isa/warp_op.h"
#include "warp_fixture.h"

#define A0	10
#define A1	11
#define A2	12
#define A3	13

static const struct {
	u64 number;
	u8 lane, by, width, from;
} warp_sources[] = {
	{ SGPU_ECALL_SHUFFLE_IDX, 5, 7, 32, 7 }, { SGPU_ECALL_SHUFFLE_IDX, 5, 39, 32, 7 },
	{ SGPU_ECALL_SHUFFLE_IDX, 13, 9, 8, 9 }, { SGPU_ECALL_SHUFFLE_IDX, 13, 2, 8, 10 },
	{ SGPU_ECALL_SHUFFLE_IDX, 31, 0, 1, 31 }, { SGPU_ECALL_SHUFFLE_IDX, 20, 15, 16, 31 },
	{ SGPU_ECALL_SHUFFLE_UP, 5, 1, 32, 4 }, { SGPU_ECALL_SHUFFLE_UP, 0, 1, 32, 0 },
	{ SGPU_ECALL_SHUFFLE_UP, 8, 1, 8, 8 }, { SGPU_ECALL_SHUFFLE_UP, 15, 7, 8, 8 },
	{ SGPU_ECALL_SHUFFLE_UP, 31, 31, 32, 0 }, { SGPU_ECALL_SHUFFLE_UP, 3, 32, 32, 3 },
	{ SGPU_ECALL_SHUFFLE_DOWN, 5, 1, 32, 6 }, { SGPU_ECALL_SHUFFLE_DOWN, 31, 1, 32, 31 },
	{ SGPU_ECALL_SHUFFLE_DOWN, 7, 1, 8, 7 }, { SGPU_ECALL_SHUFFLE_DOWN, 0, 31, 32, 31 },
	{ SGPU_ECALL_SHUFFLE_DOWN, 8, 7, 8, 15 }, { SGPU_ECALL_SHUFFLE_DOWN, 9, 7, 8, 9 },
	{ SGPU_ECALL_SHUFFLE_XOR, 5, 1, 32, 4 }, { SGPU_ECALL_SHUFFLE_XOR, 0, 31, 32, 31 },
	/* a segment before the own one is within reach, one behind it is not */
	{ SGPU_ECALL_SHUFFLE_XOR, 9, 8, 8, 1 }, { SGPU_ECALL_SHUFFLE_XOR, 1, 8, 8, 1 },
};

static void warp_source(struct kunit *test)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(warp_sources); i++)
		KUNIT_EXPECT_EQ_MSG(test, warp_sources[i].from,
				    sgpu_shuffle_source(warp_sources[i].number,
							warp_sources[i].lane, warp_sources[i].by,
							warp_sources[i].width), "row %u", i);
	/* whatever the arguments, there is such a lane */
	for (i = 0; i < 100000; i++)
		KUNIT_ASSERT_LT(test, sgpu_shuffle_source(SGPU_ECALL_SHUFFLE_IDX + i % 4, i % 32,
							  (u64)i * 0x9e3779b97f4a7c15,
							  (u64)i * 0xbf58476d1ce4e5b9), SGPU_LANES);
}

/* All lanes of a warp, with the same members. */
static struct sgpu_warp *warp_make(struct kunit *test, u32 lanes, u32 members)
{
	struct sgpu_warp *warp = exec_warp(test, lanes);
	u32 lane;

	warp->pc = 100;
	exec_fill(warp->x[A1], members);
	exec_fill(warp->x[A2], 1);
	exec_fill(warp->x[A3], SGPU_LANES);
	for (lane = 0; lane < SGPU_LANES; lane++)
		warp->x[A0][lane] = lane;
	return warp;
}

static int warp_arrive(struct sgpu_warp *warp, u64 number)
{
	int ret;

	sgpu_fpu_begin();
	ret = sgpu_warp_op_arrive(warp, number);
	sgpu_fpu_end();
	return ret;
}

struct warp_result {
	u64 number;
	u32 lanes, members;	/* that exist; a1 */
	u8 first, lane;		/* look at these */
	u64 of_first, of_lane;
};

/* a0 is the lane's number. */
static const struct warp_result warp_results[] = {
	{ SGPU_ECALL_WARP_SYNC, SGPU_FULL, SGPU_FULL, 0, 31, SGPU_FULL, SGPU_FULL },
	{ SGPU_ECALL_WARP_SYNC, 0xff, SGPU_FULL, 0, 7, 0xff, 0xff },
	{ SGPU_ECALL_SHUFFLE_DOWN, SGPU_FULL, SGPU_FULL, 0, 31, 1, 31 },
	{ SGPU_ECALL_SHUFFLE_DOWN, 0xff, SGPU_FULL, 6, 7, 7, 0 },
	{ SGPU_ECALL_SHUFFLE_UP, SGPU_FULL, SGPU_FULL, 0, 31, 0, 30 },
	{ SGPU_ECALL_SHUFFLE_XOR, SGPU_FULL, SGPU_FULL, 0, 31, 1, 30 },
	{ SGPU_ECALL_SHUFFLE_IDX, SGPU_FULL, SGPU_FULL, 0, 31, 1, 1 },
	{ SGPU_ECALL_VOTE_ANY, SGPU_FULL, SGPU_FULL, 0, 31, 1, 1 },
	{ SGPU_ECALL_VOTE_ANY, 1, SGPU_FULL, 0, 0, 0, 0 },
	{ SGPU_ECALL_VOTE_ALL, SGPU_FULL, SGPU_FULL, 0, 31, 0, 0 },
	{ SGPU_ECALL_VOTE_ALL, 0xfe, 0xfe, 1, 7, 1, 1 },
	{ SGPU_ECALL_VOTE_UNI, SGPU_FULL, SGPU_FULL, 0, 31, 0, 0 },
	{ SGPU_ECALL_VOTE_UNI, 1, 1, 0, 0, 1, 1 },
	{ SGPU_ECALL_VOTE_BALLOT, SGPU_FULL, SGPU_FULL, 0, 31, 0xfffffffe, 0xfffffffe },
	{ SGPU_ECALL_MATCH_ANY, SGPU_FULL, SGPU_FULL, 0, 31, 1, 0x80000000 },
	{ SGPU_ECALL_MATCH_ALL, SGPU_FULL, SGPU_FULL, 0, 31, 0, 0 },
	{ SGPU_ECALL_MATCH_ALL, 0x10, 0x10, 4, 4, 0x10, 0x10 },
};

static void warp_gives(struct kunit *test)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(warp_results); i++) {
		const struct warp_result *c = &warp_results[i];
		struct sgpu_warp *warp = warp_make(test, c->lanes, c->members);

		KUNIT_EXPECT_EQ(test, 0, warp_arrive(warp, c->number));
		KUNIT_EXPECT_EQ(test, 101, warp->pc);
		KUNIT_EXPECT_EQ_MSG(test, c->of_first, sgpu_warp_x(warp, A0, c->first), "row %u",
				    i);
		KUNIT_EXPECT_EQ_MSG(test, c->of_lane, sgpu_warp_x(warp, A0, c->lane), "row %u", i);
	}
}

/* Three values among the lanes, of which the upper half differs. */
static void warp_match(struct kunit *test)
{
	struct sgpu_warp *warp = warp_make(test, SGPU_FULL, SGPU_FULL);
	u32 lane, sets[3] = { 0 };

	for (lane = 0; lane < SGPU_LANES; lane++) {
		warp->x[A0][lane] = (u64)(lane % 3) << 40;
		sets[lane % 3] |= BIT(lane);
	}
	KUNIT_EXPECT_EQ(test, 0, warp_arrive(warp, SGPU_ECALL_MATCH_ANY));
	for (lane = 0; lane < SGPU_LANES; lane++)
		KUNIT_EXPECT_EQ(test, sets[lane % 3], warp->x[A0][lane]);
}

/* Halves of a warp that come from two places, one after the other. */
static void warp_waits(struct kunit *test)
{
	struct sgpu_warp *warp = warp_make(test, SGPU_FULL, SGPU_FULL);

	sgpu_simt_branch(warp, 0xffff0000, 200, 101);
	KUNIT_EXPECT_EQ(test, 0xffff, warp->active);
	KUNIT_EXPECT_EQ(test, 0, warp_arrive(warp, SGPU_ECALL_SHUFFLE_XOR));
	KUNIT_EXPECT_EQ(test, 0xffff0000, warp->active);
	KUNIT_EXPECT_EQ(test, 200, warp->pc);
	KUNIT_EXPECT_EQ(test, 5, warp->x[A0][5]);	/* not yet */
	KUNIT_EXPECT_EQ(test, 0, warp_arrive(warp, SGPU_ECALL_SHUFFLE_XOR));
	KUNIT_EXPECT_EQ(test, 4, warp->x[A0][5]);
	KUNIT_EXPECT_EQ(test, 30, warp->x[A0][31]);
	/* each goes on behind its own; the lower place first */
	KUNIT_EXPECT_EQ(test, 0xffff, warp->active);
	KUNIT_EXPECT_EQ(test, 102, warp->pc);
	KUNIT_EXPECT_EQ(test, 0, warp->parked | warp->syncing);
	sgpu_simt_goto(warp, 201, 0);
	KUNIT_EXPECT_EQ(test, SGPU_FULL, warp->active);
}

/* Of lanes that come together some have each other, others wait for one that comes later. */
static void warp_masks(struct kunit *test)
{
	struct sgpu_warp *warp = warp_make(test, 0x1f, 0x3);
	u32 lane;

	for (lane = 2; lane < 5; lane++)
		warp->x[A1][lane] = 0x1c;
	sgpu_simt_branch(warp, 0x10, 200, 101);
	KUNIT_EXPECT_EQ(test, 0, warp_arrive(warp, SGPU_ECALL_VOTE_BALLOT));
	KUNIT_EXPECT_EQ(test, 0x3, warp->active);
	KUNIT_EXPECT_EQ(test, 102, warp->pc);
	KUNIT_EXPECT_EQ(test, 0x2, warp->x[A0][0]);
	KUNIT_EXPECT_EQ(test, 0xc, warp->syncing);
	sgpu_simt_goto(warp, 300, 0);
	KUNIT_EXPECT_EQ(test, 0x10, warp->active);
	KUNIT_EXPECT_EQ(test, 0, warp_arrive(warp, SGPU_ECALL_VOTE_BALLOT));
	KUNIT_EXPECT_EQ(test, 0x1c, warp->x[A0][2]);
	KUNIT_EXPECT_EQ(test, 0x1c, warp->x[A0][4]);
	KUNIT_EXPECT_EQ(test, 0x2, warp->x[A0][1]);
}

/* Who has exited is not waited for. */
static void warp_exits(struct kunit *test)
{
	struct sgpu_warp *warp = warp_make(test, 0xff, SGPU_FULL);

	sgpu_simt_branch(warp, 0xf0, 200, 101);
	KUNIT_EXPECT_EQ(test, 0, warp_arrive(warp, SGPU_ECALL_VOTE_BALLOT));
	KUNIT_EXPECT_EQ(test, 0xf0, warp->active);
	sgpu_simt_exit(warp, 0xf0);
	KUNIT_EXPECT_EQ(test, 0, warp->active);
	sgpu_fpu_begin();
	sgpu_warp_op_left(warp);
	sgpu_fpu_end();
	KUNIT_EXPECT_EQ(test, 0x0f, warp->active);
	KUNIT_EXPECT_EQ(test, 102, warp->pc);
	KUNIT_EXPECT_EQ(test, 0x0e, sgpu_warp_x(warp, A0, 3));
}

/* What cannot end is told: other masks, other intrinsics, a barrier, no member of one's own. */
static void warp_refused(struct kunit *test)
{
	struct sgpu_warp *warp = warp_make(test, 0x3, 0x3);

	sgpu_simt_branch(warp, 0x2, 200, 101);
	KUNIT_EXPECT_EQ(test, 0, warp_arrive(warp, SGPU_ECALL_VOTE_ANY));
	KUNIT_EXPECT_EQ(test, -EDEADLK, warp_arrive(warp, SGPU_ECALL_VOTE_ALL));

	warp = warp_make(test, 0x3, 0x3);
	warp->x[A1][1] = 0x2;
	sgpu_simt_branch(warp, 0x2, 200, 101);
	KUNIT_EXPECT_EQ(test, 0, warp_arrive(warp, SGPU_ECALL_VOTE_ANY));
	KUNIT_EXPECT_EQ(test, 0, warp_arrive(warp, SGPU_ECALL_VOTE_ANY));
	KUNIT_EXPECT_EQ(test, 0x2, warp->active);
	KUNIT_EXPECT_EQ(test, -EDEADLK, sgpu_simt_park(warp));

	warp = warp_make(test, 0x3, 0x1);
	KUNIT_EXPECT_EQ(test, -EINVAL, warp_arrive(warp, SGPU_ECALL_WARP_SYNC));
}

static struct kunit_case warp_op_cases[] = {
	KUNIT_CASE(warp_source),
	KUNIT_CASE(warp_gives),
	KUNIT_CASE(warp_match),
	KUNIT_CASE(warp_waits),
	KUNIT_CASE(warp_masks),
	KUNIT_CASE(warp_exits),
	KUNIT_CASE(warp_refused),
	{}
};

struct kunit_suite softgpu_warp_op_suite = {
	.name = "softgpu_warp_op",
	.test_cases = warp_op_cases,
};
