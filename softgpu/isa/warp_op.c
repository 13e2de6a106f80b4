// SPDX-License-Identifier: GPL-2.0
/* Intrinsics of a warp: who waits for whom, and what they give.  See warp_op.h. */
#include <kunit/visibility.h>
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/string.h>
#include <linux/softgpu_kernel_abi.h>
#include "isa/exec.h"
#include "isa/simt.h"
#include "isa/warp_op.h"

#define REG_VALUE	10	/* a0, also the result */
#define REG_MEMBERS	11
#define REG_BY		12
#define REG_WIDTH	13

static bool op_shuffles(u64 number)
{
	return number >= SGPU_ECALL_SHUFFLE_IDX && number <= SGPU_ECALL_SHUFFLE_XOR;
}

bool sgpu_warp_op_is(u64 number)
{
	return number >= SGPU_ECALL_WARP_SYNC && number <= SGPU_ECALL_MATCH_ALL;
}

u64 sgpu_warp_op_needs(u64 number)
{
	return op_shuffles(number) ? GENMASK_ULL(REG_WIDTH, REG_MEMBERS) : BIT_ULL(REG_MEMBERS);
}

/* ---- what they give -------------------------------------------------- */

unsigned int sgpu_shuffle_source(u64 number, unsigned int lane, u64 by, u64 width)
{
	unsigned int segment = (SGPU_LANES - width) % SGPU_LANES, inside = ~segment % SGPU_LANES;
	unsigned int first = lane & segment, last = first | inside, from = lane;

	by %= SGPU_LANES;
	switch (number) {
	case SGPU_ECALL_SHUFFLE_IDX:
		return first | (by & inside);
	case SGPU_ECALL_SHUFFLE_UP:
		from = lane - by;
		return lane >= by && from >= first ? from : lane;
	case SGPU_ECALL_SHUFFLE_DOWN:
		from = lane + by;
		break;
	case SGPU_ECALL_SHUFFLE_XOR:
		from = lane ^ by;
		break;
	}
	return from <= last ? from : lane;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_shuffle_source);

static void op_shuffle(struct sgpu_warp *warp, u64 number, u32 group)
{
	u64 *to = warp->x[REG_VALUE], was[SGPU_LANES];
	unsigned int lane;

	sgpu_rows_read(warp, BIT(REG_VALUE) | BIT(REG_BY) | BIT(REG_WIDTH));
	memcpy(was, to, sizeof(was));
	sgpu_rows_write(warp, BIT(REG_VALUE), group);
	sgpu_for_each_lane(lane, group) {
		unsigned int from = sgpu_shuffle_source(number, lane, warp->x[REG_BY][lane],
							warp->x[REG_WIDTH][lane]);

		to[lane] = group >> from & 1 ? was[from] : 0;
	}
}

/* Lanes of @group that have what @lane has. */
static u32 op_same(const struct sgpu_warp *warp, u32 group, unsigned int lane)
{
	const u64 *value = warp->x[REG_VALUE];
	unsigned int other;
	u32 same = 0;

	sgpu_for_each_lane(other, group)
		same |= (u32)(value[other] == value[lane]) << other;
	return same;
}

static void op_match_any(struct sgpu_warp *warp, u32 group)
{
	unsigned int lane, other;
	u32 left, same;

	sgpu_rows_read(warp, BIT(REG_VALUE));
	sgpu_rows_write(warp, BIT(REG_VALUE), group);
	for (left = group; left; left &= ~same) {
		lane = __ffs(left);
		same = op_same(warp, left, lane);
		sgpu_for_each_lane(other, same)
			warp->x[REG_VALUE][other] = same;
	}
}

/* One value for all of @group. */
static u64 op_common(struct sgpu_warp *warp, u64 number, u32 group)
{
	const u64 *value = warp->x[REG_VALUE];
	unsigned int lane;
	u32 truths = 0;

	sgpu_rows_read(warp, BIT(REG_VALUE));
	sgpu_for_each_lane(lane, group)
		truths |= (u32)!!value[lane] << lane;
	switch (number) {
	case SGPU_ECALL_VOTE_ANY:
		return !!truths;
	case SGPU_ECALL_VOTE_ALL:
		return truths == group;
	case SGPU_ECALL_VOTE_UNI:
		return !truths || truths == group;
	case SGPU_ECALL_VOTE_BALLOT:
		return truths;
	case SGPU_ECALL_MATCH_ALL:
		return op_same(warp, group, __ffs(group)) == group ? group : 0;
	default:			/* SGPU_ECALL_WARP_SYNC */
		return group;
	}
}

/* The lanes of @group have all that they need. */
static void op_perform(struct sgpu_warp *warp, u64 number, u32 group)
{
	unsigned int lane;
	u64 common;

	if (op_shuffles(number)) {
		op_shuffle(warp, number, group);
		return;
	}
	if (number == SGPU_ECALL_MATCH_ANY) {
		op_match_any(warp, group);
		return;
	}
	common = op_common(warp, number, group);
	if (group == warp->live) {
		sgpu_affine_set(warp, REG_VALUE, common, 0);
		return;
	}
	sgpu_rows_write(warp, BIT(REG_VALUE), group);
	sgpu_for_each_lane(lane, group)
		warp->x[REG_VALUE][lane] = common;
}

/* ---- who waits for whom ---------------------------------------------- */

/* Lanes that wait at the same intrinsic as @lane, with the same members. */
static u32 op_group(const struct sgpu_warp *warp, unsigned int lane)
{
	unsigned int other;
	u32 group = 0;

	sgpu_for_each_lane(other, warp->syncing)
		if (warp->members[other] == warp->members[lane] &&
		    warp->sync_op[other] == warp->sync_op[lane])
			group |= BIT(other);
	return group;
}

/* Groups of which nobody is missing any more. */
static void op_complete(struct sgpu_warp *warp)
{
	u32 left = warp->syncing, group;

	for (; left; left &= ~group) {
		unsigned int lane = __ffs(left);

		group = op_group(warp, lane);
		if (warp->members[lane] & warp->live & ~group)
			continue;
		op_perform(warp, warp->sync_op[lane], group);
		warp->syncing &= ~group;
		sgpu_simt_release(warp, group);
	}
}

void sgpu_warp_op_left(struct sgpu_warp *warp)
{
	warp->syncing &= warp->live;
	if (!warp->syncing)
		return;
	op_complete(warp);
	sgpu_simt_choose(warp);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_warp_op_left);

/* Each active lane's members; false: one is not among its own. */
static bool op_enter(struct sgpu_warp *warp, u64 number)
{
	unsigned int lane;
	u32 own = 0;

	sgpu_rows_read(warp, BIT(REG_MEMBERS));
	sgpu_for_each_lane(lane, warp->active) {
		warp->members[lane] = (u32)warp->x[REG_MEMBERS][lane];
		warp->sync_op[lane] = number;
		own |= warp->members[lane] & BIT(lane);
	}
	return own == warp->active;
}

/* All are here, and all mean all: most often it is so. */
static bool op_all_here(struct sgpu_warp *warp)
{
	u64 members;

	return sgpu_warp_converged(warp) && sgpu_exec_uniform(warp, REG_MEMBERS, &members) &&
	       !(warp->live & ~(u32)members);
}

int sgpu_warp_op_arrive(struct sgpu_warp *warp, u64 number)
{
	if (likely(op_all_here(warp))) {
		op_perform(warp, number, warp->active);
		warp->pc++;
		return 0;
	}
	if (!op_enter(warp, number))
		return -EINVAL;
	warp->syncing |= warp->active;
	sgpu_simt_wait(warp);
	op_complete(warp);
	sgpu_simt_choose(warp);
	return warp->active ? 0 : -EDEADLK;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_warp_op_arrive);
