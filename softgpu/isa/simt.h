/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Control flow of one warp: which lanes execute next.  Pure.
 *
 * Next are the lanes with the deepest call frame and, among them, the lowest
 * PC; after SGPU_FAIR_PICKS picks that left others waiting, those that did not
 * run get a turn, so that a lane that spins on a lock cannot starve its holder.
 */
#ifndef SOFTGPU_FLOW_H
#define SOFTGPU_FLOW_H

#include "isa/warp.h"

/* All lanes of @lanes start at instruction @entry. */
void sgpu_flow_start(struct sgpu_warp *warp, u32 lanes, u32 entry);
/* Active lanes in @taken go to @target, the others to @next. */
void sgpu_flow_branch(struct sgpu_warp *warp, u32 taken, u32 target, u32 next);
/*
 * Active lanes go to their own @targets (instruction indices, checked); their
 * call depth changes by @depth (-1, 0, 1).
 */
void sgpu_flow_jump(struct sgpu_warp *warp, const u32 *targets, int depth);
/* All active lanes go to @target. */
void sgpu_flow_goto(struct sgpu_warp *warp, u32 target, int depth);
/* Lanes in @lanes exit; other active ones continue at @warp->pc. */
void sgpu_flow_exit(struct sgpu_warp *warp, u32 lanes);
/*
 * Active lanes wait at @warp->pc until all live lanes are parked.  Return:
 * 0; 1 if all live lanes are now active there; -EDEADLK if all live lanes are
 * parked but not at one place, or some have exited.
 */
int sgpu_flow_park(struct sgpu_warp *warp);
/* After an exit: are all lanes that are left parked?  They wait in vain then. */
bool sgpu_flow_stuck(const struct sgpu_warp *warp);
/* Choose anew: @warp->pc reached @warp->merge_pc, or others must have a turn. */
void sgpu_flow_choose(struct sgpu_warp *warp);
/* Count one pick while not converged. */
static inline void sgpu_flow_picked(struct sgpu_warp *warp)
{
	if (++warp->streak >= SGPU_FAIR_PICKS || warp->pc == warp->merge_pc)
		sgpu_flow_choose(warp);
}

#endif
