// SPDX-License-Identifier: GPL-2.0
/* Divergence and reconvergence of the lanes of one warp. */
#include <kunit/visibility.h>
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include "flow.h"

#define FLOW_DEPTH_MAX	0xffffU

static void flow_set_active(struct sgpu_warp *warp, u32 lanes)
{
	unsigned int lane;

	warp->active = lanes;
	if (lanes == SGPU_FULL || !lanes)
		return;		/* nobody reads the masks */
	for (lane = 0; lane < SGPU_LANES; lane++)
		warp->lane_mask[lane] = lanes >> lane & 1 ? ~0ULL : 0;
}

/* The active lanes stop being so: their state goes where the others' is. */
static void flow_spill(struct sgpu_warp *warp)
{
	unsigned long lanes = warp->active;
	unsigned int lane;

	for_each_set_bit(lane, &lanes, SGPU_LANES) {
		warp->lane_pc[lane] = warp->pc;
		warp->lane_depth[lane] = warp->depth;
	}
	warp->active = 0;
}

/* Fairness: lanes that ran during this streak let the others go first. */
static void flow_turn(struct sgpu_warp *warp)
{
	warp->served |= warp->ran;
	warp->ran = 0;
	warp->streak = 0;
}

/* Choose among @candidates: deepest, then lowest PC; all live lanes there join. */
static void flow_pick(struct sgpu_warp *warp, u32 candidates)
{
	unsigned long runnable = warp->live & ~warp->parked;
	unsigned long left = candidates;
	u32 depth = 0, pc = SGPU_NO_PC, lanes = 0, merge = SGPU_NO_PC;
	unsigned int lane;

	for_each_set_bit(lane, &left, SGPU_LANES) {
		if (pc != SGPU_NO_PC && (warp->lane_depth[lane] < depth ||
					 (warp->lane_depth[lane] == depth &&
					  warp->lane_pc[lane] >= pc)))
			continue;
		depth = warp->lane_depth[lane];
		pc = warp->lane_pc[lane];
	}
	for_each_set_bit(lane, &runnable, SGPU_LANES) {
		if (warp->lane_depth[lane] != depth)
			continue;
		if (warp->lane_pc[lane] == pc)
			lanes |= BIT(lane);
		else if (warp->lane_pc[lane] > pc)
			merge = min(merge, warp->lane_pc[lane]);
	}
	warp->pc = pc;
	warp->depth = depth;
	warp->merge_pc = merge;
	warp->ran |= lanes;
	flow_set_active(warp, lanes);
	if (lanes == warp->live) {
		warp->served = 0;
		warp->ran = 0;
		warp->streak = 0;
	}
}

/* With every live lane's state in lane_pc and lane_depth, pick the next. */
static void flow_next(struct sgpu_warp *warp)
{
	u32 runnable = warp->live & ~warp->parked;

	if (!runnable) {
		warp->merge_pc = SGPU_NO_PC;
		flow_set_active(warp, 0);
		return;
	}
	if (!(runnable & ~warp->served))
		warp->served = 0;
	flow_pick(warp, runnable & ~warp->served);
}

void sgpu_flow_choose(struct sgpu_warp *warp)
{
	flow_spill(warp);
	if (warp->streak >= SGPU_FAIR_PICKS)
		flow_turn(warp);
	flow_next(warp);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_flow_choose);

void sgpu_flow_start(struct sgpu_warp *warp, u32 lanes, u32 entry)
{
	warp->pc = entry;
	warp->live = lanes;
	warp->initial = lanes;
	warp->parked = 0;
	warp->depth = 0;
	warp->merge_pc = SGPU_NO_PC;
	warp->streak = 0;
	warp->ran = 0;
	warp->served = 0;
	flow_set_active(warp, lanes);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_flow_start);

void sgpu_flow_branch(struct sgpu_warp *warp, u32 taken, u32 target, u32 next)
{
	u32 active = warp->active;
	unsigned long lanes = active;
	unsigned int lane;

	taken &= active;
	if (taken == active || !taken) {
		/* while no waiting lane is passed, those chosen stay chosen */
		warp->pc = taken ? target : next;
		if (active != warp->live && (warp->served || warp->pc > warp->merge_pc))
			sgpu_flow_choose(warp);
		return;
	}
	for_each_set_bit(lane, &lanes, SGPU_LANES) {
		warp->lane_pc[lane] = taken >> lane & 1 ? target : next;
		warp->lane_depth[lane] = warp->depth;
	}
	flow_next(warp);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_flow_branch);

static u32 flow_depth(u32 depth, int change)
{
	if (change > 0)
		return min(depth + 1, FLOW_DEPTH_MAX);
	if (change < 0 && depth)
		return depth - 1;
	return depth;
}

void sgpu_flow_goto(struct sgpu_warp *warp, u32 target, int depth)
{
	warp->pc = target;
	warp->depth = flow_depth(warp->depth, depth);
	if (!sgpu_warp_converged(warp))
		sgpu_flow_choose(warp);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_flow_goto);

void sgpu_flow_jump(struct sgpu_warp *warp, const u32 *targets, int depth)
{
	unsigned long lanes = warp->active;
	unsigned int lane;

	for_each_set_bit(lane, &lanes, SGPU_LANES) {
		warp->lane_pc[lane] = targets[lane];
		warp->lane_depth[lane] = flow_depth(warp->depth, depth);
	}
	flow_next(warp);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_flow_jump);

void sgpu_flow_exit(struct sgpu_warp *warp, u32 lanes)
{
	/* nobody asks where lanes were that are gone */
	if (lanes != warp->live)
		flow_spill(warp);
	warp->live &= ~lanes;
	flow_next(warp);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_flow_exit);

/* All live lanes are parked: at one place, and none missing? */
static bool flow_together(const struct sgpu_warp *warp)
{
	unsigned long lanes = warp->live;
	u32 pc = warp->lane_pc[__ffs(lanes)];
	unsigned int lane;

	if (warp->live != warp->initial)
		return false;
	for_each_set_bit(lane, &lanes, SGPU_LANES)
		if (warp->lane_pc[lane] != pc)
			return false;
	return true;
}

static void flow_resume(struct sgpu_warp *warp, u32 pc)
{
	warp->parked = 0;
	warp->merge_pc = SGPU_NO_PC;
	warp->streak = 0;
	warp->ran = 0;
	warp->served = 0;
	warp->pc = pc;
	warp->depth = warp->lane_depth[__ffs(warp->live)];
	flow_set_active(warp, warp->live);
}

int sgpu_flow_park(struct sgpu_warp *warp)
{
	u32 active = warp->active;
	u32 pc = warp->pc;

	flow_spill(warp);
	warp->parked |= active;
	if (warp->parked != warp->live) {
		flow_next(warp);
		return 0;
	}
	warp->pc = pc;
	if (!flow_together(warp)) {
		warp->active = active;
		return -EDEADLK;
	}
	flow_resume(warp, pc);
	return 1;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_flow_park);

bool sgpu_flow_stuck(const struct sgpu_warp *warp)
{
	return warp->live && warp->live == warp->parked;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_flow_stuck);
