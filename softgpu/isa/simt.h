/* SPDX-License-Identifier: GPL-2.0 */
/*
 * SIMT control flow of one warp: divergence and reconvergence, or which lanes execute next.
 * Pure.
 *
 * There is no stack of reconvergence points: each lane has a PC and a call depth of its
 * own, and lanes reconverge where their PCs meet (the MinSP-PC policy of Collange).  Next are
 * the lanes with the deepest call frame and, among them, the lowest PC; after SGPU_FAIR_PICKS
 * picks that left others waiting, those that did not run get a turn, so that a lane that spins
 * on a lock cannot starve its holder.
 */
#ifndef SOFTGPU_SIMT_H
#define SOFTGPU_SIMT_H

#include "isa/warp.h"

/* All lanes of @lanes start at instruction @entry. */
void sgpu_simt_start(struct sgpu_warp *warp, u32 lanes, u32 entry);
/* Active lanes in @taken go to @target, the others to @next. */
void sgpu_simt_branch(struct sgpu_warp *warp, u32 taken, u32 target, u32 next);
/*
 * Active lanes go to their own @targets (instruction indices, checked); their
 * call depth changes by @depth (-1, 0, 1).
 */
void sgpu_simt_jump(struct sgpu_warp *warp, const u32 *targets, int depth);
/* All active lanes go to @target. */
void sgpu_simt_goto(struct sgpu_warp *warp, u32 target, int depth);
/* Lanes in @lanes exit; other active ones continue at @warp->pc. */
void sgpu_simt_exit(struct sgpu_warp *warp, u32 lanes);
/*
 * Active lanes wait at @warp->pc until all live lanes are parked.  Return:
 * 0; 1 if all live lanes are now active there; -EDEADLK if all live lanes are
 * parked but not at one place.
 */
int sgpu_simt_park(struct sgpu_warp *warp);
/*
 * After an exit: those that are left wait for nobody else any more, if all of them are
 * parked.  Return: as sgpu_simt_park().
 */
int sgpu_simt_unpark(struct sgpu_warp *warp);
/* Active lanes wait at @warp->pc until they are released; nobody is active. */
void sgpu_simt_wait(struct sgpu_warp *warp);
/* Parked lanes go on behind the instruction where they wait, when they are chosen. */
void sgpu_simt_release(struct sgpu_warp *warp, u32 lanes);
/* Choose anew: @warp->pc reached @warp->reconv_pc, or others must have a turn. */
void sgpu_simt_choose(struct sgpu_warp *warp);
/* Count one pick while not converged. */
static inline void sgpu_simt_picked(struct sgpu_warp *warp)
{
	if (++warp->streak >= SGPU_FAIR_PICKS || warp->pc == warp->reconv_pc)
		sgpu_simt_choose(warp);
}

#endif
