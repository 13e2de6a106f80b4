// SPDX-License-Identifier: GPL-2.0
/* Divergence and reconvergence of the lanes of one warp. */
#include <kunit/visibility.h>
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include "isa/simt.h"
#include "isa/isa.h"
#include "isa/warp.h"

/* The active lanes stop being so: their state goes where the others' is. */
static void simt_spill(struct sgpu_warp *warp)
{
	u64 at = sgpu_lane_at(warp->depth, warp->pc);
	unsigned long lanes = warp->active;
	unsigned int lane;

	for_each_set_bit(lane, &lanes, SGPU_LANES)
		warp->lane_at[lane] = at;
	warp->active = 0;
}

/* Fairness: lanes that ran during this streak let the others go first. */
static void simt_turn(struct sgpu_warp *warp)
{
	warp->served |= warp->ran;
	warp->ran = 0;
	warp->streak = 0;
}

/* Choose among @candidates: deepest, then lowest PC; all live lanes there join. */
static void simt_pick(struct sgpu_warp *warp, u32 candidates)
{
	unsigned long runnable = warp->live & ~warp->parked;
	unsigned long left = candidates;
	u64 first = U64_MAX, merge = U64_MAX;
	unsigned int lane;
	u32 lanes = 0;

	for_each_set_bit(lane, &left, SGPU_LANES)
		first = min(first, warp->lane_at[lane]);
	for_each_set_bit(lane, &runnable, SGPU_LANES) {
		u64 at = warp->lane_at[lane];

		if (at == first)
			lanes |= BIT(lane);
		else if (at > first)
			merge = min(merge, at);
	}
	warp->pc = lower_32_bits(first);
	warp->depth = sgpu_lane_depth(first);
	warp->reconv_pc = merge >> 32 == first >> 32 ? lower_32_bits(merge) : SGPU_NO_PC;
	warp->ran |= lanes;
	warp->active = lanes;
	if (lanes == warp->live) {
		warp->served = 0;
		warp->ran = 0;
		warp->streak = 0;
	}
}

/* With every live lane's state in lane_pc and lane_depth, pick the next. */
static void simt_next(struct sgpu_warp *warp)
{
	u32 runnable = warp->live & ~warp->parked;

	if (!runnable) {
		warp->reconv_pc = SGPU_NO_PC;
		warp->active = 0;
		return;
	}
	if (!(runnable & ~warp->served))
		warp->served = 0;
	simt_pick(warp, runnable & ~warp->served);
}

void sgpu_simt_choose(struct sgpu_warp *warp)
{
	simt_spill(warp);
	if (warp->streak >= SGPU_FAIR_PICKS)
		simt_turn(warp);
	simt_next(warp);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_simt_choose);

void sgpu_simt_start(struct sgpu_warp *warp, u32 lanes, u32 entry)
{
	warp->pc = entry;
	warp->live = lanes;
	warp->initial = lanes;
	warp->parked = 0;
	warp->syncing = 0;
	warp->depth = 0;
	warp->reconv_pc = SGPU_NO_PC;
	warp->streak = 0;
	warp->ran = 0;
	warp->served = 0;
	warp->active = lanes;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_simt_start);

void sgpu_simt_branch(struct sgpu_warp *warp, u32 taken, u32 target, u32 next)
{
	u32 active = warp->active;
	unsigned long lanes = active;
	unsigned int lane;
	u64 at[2];

	taken &= active;
	if (taken == active || !taken) {
		/* while no waiting lane is passed, those chosen stay chosen */
		warp->pc = taken ? target : next;
		if (active != warp->live && (warp->served || warp->pc > warp->reconv_pc))
			sgpu_simt_choose(warp);
		return;
	}
	at[0] = sgpu_lane_at(warp->depth, next);
	at[1] = sgpu_lane_at(warp->depth, target);
	for_each_set_bit(lane, &lanes, SGPU_LANES)
		warp->lane_at[lane] = at[taken >> lane & 1];
	simt_next(warp);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_simt_branch);

static u32 simt_depth(u32 depth, int change)
{
	if (change > 0)
		return min(depth + 1, SGPU_DEPTH_MAX);
	if (change < 0 && depth)
		return depth - 1;
	return depth;
}

void sgpu_simt_goto(struct sgpu_warp *warp, u32 target, int depth)
{
	warp->pc = target;
	warp->depth = simt_depth(warp->depth, depth);
	if (!sgpu_warp_converged(warp))
		sgpu_simt_choose(warp);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_simt_goto);

void sgpu_simt_jump(struct sgpu_warp *warp, const u32 *targets, int depth)
{
	u32 at_depth = simt_depth(warp->depth, depth);
	unsigned long lanes = warp->active;
	unsigned int lane;

	for_each_set_bit(lane, &lanes, SGPU_LANES)
		warp->lane_at[lane] = sgpu_lane_at(at_depth, targets[lane]);
	simt_next(warp);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_simt_jump);

void sgpu_simt_exit(struct sgpu_warp *warp, u32 lanes)
{
	/* nobody asks where lanes were that are gone */
	if (lanes != warp->live)
		simt_spill(warp);
	warp->live &= ~lanes;
	simt_next(warp);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_simt_exit);

/* All live lanes are parked: at one place? */
static bool simt_together(const struct sgpu_warp *warp)
{
	unsigned long lanes = warp->live;
	u32 pc = lower_32_bits(warp->lane_at[__ffs(lanes)]);
	unsigned int lane;

	if (warp->syncing)
		return false;
	for_each_set_bit(lane, &lanes, SGPU_LANES)
		if (lower_32_bits(warp->lane_at[lane]) != pc)
			return false;
	return true;
}

void sgpu_simt_wait(struct sgpu_warp *warp)
{
	u32 active = warp->active;

	simt_spill(warp);
	warp->parked |= active;
}

void sgpu_simt_release(struct sgpu_warp *warp, u32 lanes)
{
	unsigned long left = lanes;
	unsigned int lane;

	warp->parked &= ~lanes;
	for_each_set_bit(lane, &left, SGPU_LANES)
		warp->lane_at[lane]++;
}

static void simt_resume(struct sgpu_warp *warp, u32 pc)
{
	warp->parked = 0;
	warp->reconv_pc = SGPU_NO_PC;
	warp->streak = 0;
	warp->ran = 0;
	warp->served = 0;
	warp->pc = pc;
	warp->depth = sgpu_lane_depth(warp->lane_at[__ffs(warp->live)]);
	warp->active = warp->live;
}

int sgpu_simt_park(struct sgpu_warp *warp)
{
	u32 active = warp->active;
	u32 pc = warp->pc;

	simt_spill(warp);
	warp->parked |= active;
	if (warp->parked != warp->live) {
		simt_next(warp);
		return 0;
	}
	warp->pc = pc;
	if (!simt_together(warp)) {
		warp->active = active;
		return -EDEADLK;
	}
	simt_resume(warp, pc);
	return 1;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_simt_park);

int sgpu_simt_unpark(struct sgpu_warp *warp)
{
	if (!warp->live || warp->live != warp->parked)
		return 0;
	if (!simt_together(warp))
		return -EDEADLK;
	simt_resume(warp, lower_32_bits(warp->lane_at[__ffs(warp->live)]));
	return 1;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_simt_unpark);
