// SPDX-License-Identifier: GPL-2.0
/* softgpu memory instructions: latencies, and what warps wait for. */
#include <kunit/test.h>
#include "fake_device.h"
#include "softgpu/isa/decode.h"
#include "softgpu/isa/warp.h"
#include "softgpu/mmu/mmu.h"
#include "softgpu/sm/cta_state.h"
#include "softgpu/sm/lsu.h"
#include "softgpu/sm/sm.h"
#include "softgpu/sm/sm_state.h"
#include "softgpu/sm/sm_warp.h"

#define NOW	1000

/*
 * An operation's lines, and what they take: 400, 4 for each further line; 11 compressed.  What
 * goes over the link is done at LINK.
 */
#define LINK	1700

static const struct {
	const char *name;
	enum sgpu_access_kind kind;
	u32 vid, sys;
	u64 ps, compressed_ps;
} lsu_rows[] = {
	{ "one line", SGPU_READ, 1, 0, 400, 411 },
	{ "three lines", SGPU_WRITE, 3, 0, 408, 419 },
	{ "over the link", SGPU_READ, 0, 2, LINK - NOW, LINK - NOW },
	{ "both", SGPU_READ, 2, 1, LINK - NOW, LINK - NOW },
	{ "both, much of GPU memory", SGPU_WRITE, 101, 1, 800, 811 },
	{ "nothing", SGPU_READ, 0, 0, 0, 0 },
	{ "prefetch", SGPU_PREFETCH, 1, 0, 0, 0 },
};

static void lsu_latency(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, NULL);
	struct sgpu_sm *sm = kunit_kzalloc(test, sizeof(*sm), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, sm);
	sm->gpu = &dev->gpu;
	sm->is_virtual = true;
	sm->mem_ps = 400;
	sm->line_ps = 4;
	sm->compression_ps = 11;
	for (i = 0; i < ARRAY_SIZE(lsu_rows); i++) {
		const struct sgpu_lsu_traffic traffic = {
			.lines[RM_APERTURE_VID] = lsu_rows[i].vid,
			.lines[RM_APERTURE_SYS] = lsu_rows[i].sys,
			.remote_ps = lsu_rows[i].sys ? LINK : 0,
		};

		rm_reg_write(&dev->gpu, REG_EXT_ENABLE, 0);
		KUNIT_EXPECT_EQ_MSG(test, lsu_rows[i].ps,
				    sgpu_lsu_latency(sm, lsu_rows[i].kind, &traffic, NOW), "%s",
				    lsu_rows[i].name);
		rm_reg_write(&dev->gpu, REG_EXT_ENABLE, REG_CAP_COMPRESSION);
		KUNIT_EXPECT_EQ_MSG(test, lsu_rows[i].compressed_ps,
				    sgpu_lsu_latency(sm, lsu_rows[i].kind, &traffic, NOW),
				    "%s, compressed", lsu_rows[i].name);
	}
}

#define OPS	3

/* A warp with OPS operations of two groups each, of which those in @replays wait for a replay. */
static struct sgpu_warp *lsu_waiting_warp(struct kunit *test, u32 replays)
{
	struct sgpu_warp *warp = kunit_kzalloc(test, sizeof(*warp), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, warp);
	INIT_LIST_HEAD(&warp->groups);
	warp->ops = kunit_kcalloc(test, OPS, sizeof(*warp->ops), GFP_KERNEL);
	warp->group = kunit_kcalloc(test, 2 * OPS, sizeof(*warp->group), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, warp->ops);
	KUNIT_ASSERT_NOT_NULL(test, warp->group);
	for (i = 0; i < 2 * OPS; i++) {
		struct sgpu_lsu_group *group = &warp->group[i];

		group->op = &warp->ops[i / 2];
		group->state = SGPU_GROUP_MMU;
		group->access.va = (i + 1) << 12;
		/* the ring was full: the same to the warp as a fault */
		group->access.state = replays >> i & 1 ? SGPU_ACCESS_STALLED : SGPU_ACCESS_DONE;
		list_add_tail(&group->node, &warp->groups);
	}
	return warp;
}

/* What a warp waits for, groups that wait for a replay, and whether only that helps. */
static const struct {
	const char *name;
	enum sgpu_stall stall;
	u64 awaited;
	bool any;
	u32 replays;
	bool waits;
} lsu_wait_rows[] = {
	{ "no fault", SGPU_STALL_MEMORY, 7, false, 0, false },
	{ "one of all", SGPU_STALL_MEMORY, 7, false, 1 << 4, true },
	{ "one that nobody waits for", SGPU_STALL_MEMORY, 3, false, 1 << 4, false },
	{ "any: one can end", SGPU_STALL_MEMORY, 7, true, 0x7, false },
	{ "any: each has a fault", SGPU_STALL_MEMORY, 7, true, 0x15, true },
	{ "any: no fault", SGPU_STALL_MEMORY, 7, true, 0, false },
	{ "groups: one fault", SGPU_STALL_LSU_FULL, 0, false, 1, false },
	{ "groups: all but one", SGPU_STALL_LSU_FULL, 0, false, 0x3b, false },
	{ "groups: all", SGPU_STALL_LSU_FULL, 0, false, 0x3f, true },
};

static void lsu_waits_replay(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, NULL);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lsu_wait_rows); i++) {
		struct sgpu_warp *warp = lsu_waiting_warp(test, lsu_wait_rows[i].replays);

		warp->stall = lsu_wait_rows[i].stall;
		warp->awaited = lsu_wait_rows[i].awaited;
		warp->any = lsu_wait_rows[i].any;
		KUNIT_EXPECT_EQ_MSG(test, lsu_wait_rows[i].waits,
				    sgpu_lsu_waits_replay(&dev->gpu, warp), "%s",
				    lsu_wait_rows[i].name);
	}
}

/* What comes while a CTA is restored does not let its warps go on earlier. */
static void lsu_wake_restoring(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, NULL);
	struct sgpu_cta *cta = kunit_kzalloc(test, sizeof(*cta), GFP_KERNEL);
	struct sgpu_warp *warp = kunit_kzalloc(test, sizeof(*warp), GFP_KERNEL);
	struct sgpu_sm *sm = kunit_kzalloc(test, sizeof(*sm), GFP_KERNEL);
	static const u64 rows[][3] = {	/* restored until, data come, it goes on */
		{ 5000, 1000, 5000 }, { 5000, 5001, 5001 }, { 0, 1000, 1000 },
	};
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, cta);
	KUNIT_ASSERT_NOT_NULL(test, warp);
	KUNIT_ASSERT_NOT_NULL(test, sm);
	dev->gpu.sms.ticking = true;	/* nobody is to run this SM */
	sm->gpu = &dev->gpu;
	sm->is_virtual = true;
	warp->cta = cta;
	warp->slot = 3;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		cta->status.busy_ps = rows[i][0];
		warp->stall = SGPU_STALL_MEMORY;
		sm->next = U64_MAX;
		sgpu_sm_wake_warp(sm, warp, rows[i][1]);
		KUNIT_EXPECT_EQ_MSG(test, rows[i][2], sm->wakes.at[3], "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, rows[i][2], sm->next, "row %u", i);
	}
}

/*
 * What works on the reservation waits for what does so before it, wherever the data are;
 * nobody else does.
 */
static void lsu_reservation(struct kunit *test)
{
	static const u32 words[] = {
		0x1005a0af,	/* lr.w x1, (x11) */
		0x1005b02f,	/* lr.d x0, (x11) */
		0x18a6a12f,	/* sc.w x2, x10, (x13) */
		0x00a6a1af,	/* amoadd.w x3, x10, (x13) */
		0x0006a203,	/* lw x4, (x13) */
	};
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		for (j = 0; j < ARRAY_SIZE(words); j++) {
			struct sgpu_insn before, after;

			KUNIT_ASSERT_EQ(test, 0, sgpu_decode(words[i], 0, 0, 1, &before));
			KUNIT_ASSERT_EQ(test, 0, sgpu_decode(words[j], 0, 0, 1, &after));
			KUNIT_EXPECT_EQ_MSG(test, i == j ? after.rd || i < 3 : i < 3 && j < 3,
					    !!(sgpu_lsu_results(&before) & after.need),
					    "%u after %u", j, i);
		}
	}
}

static struct kunit_case lsu_cases[] = {
	KUNIT_CASE(lsu_reservation),
	KUNIT_CASE(lsu_latency),
	KUNIT_CASE(lsu_waits_replay),
	KUNIT_CASE(lsu_wake_restoring),
	{}
};

struct kunit_suite softgpu_lsu_suite = {
	.name = "softgpu_lsu",
	.test_cases = lsu_cases,
};
