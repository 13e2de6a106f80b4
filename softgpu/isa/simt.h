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

/**
 * sgpu_simt_start - a warp begins
 * @warp: the warp
 * @lanes: that exist
 * @entry: index of the instruction where all of them start
 */
void sgpu_simt_start(struct sgpu_warp *warp, u32 lanes, u32 entry);

/**
 * sgpu_simt_branch - active lanes go to two places
 * @warp: the warp
 * @taken: lanes that go to @target; bits of others say nothing
 * @target: instruction index
 * @next: of the other active lanes
 */
void sgpu_simt_branch(struct sgpu_warp *warp, u32 taken, u32 target, u32 next);

/**
 * sgpu_simt_jump - active lanes go to a place each
 * @warp: the warp
 * @targets: instruction index per lane, checked
 * @depth: how their call depth changes: -1, 0 or 1
 */
void sgpu_simt_jump(struct sgpu_warp *warp, const u32 *targets, int depth);

/**
 * sgpu_simt_goto - all active lanes go to one place
 * @warp: the warp
 * @target: instruction index
 * @depth: how their call depth changes: -1, 0 or 1
 */
void sgpu_simt_goto(struct sgpu_warp *warp, u32 target, int depth);

/**
 * sgpu_simt_exit - lanes exit; other active ones continue at @warp->pc
 * @warp: the warp
 * @lanes: that exit
 */
void sgpu_simt_exit(struct sgpu_warp *warp, u32 lanes);

/**
 * sgpu_simt_park - active lanes wait at @warp->pc until all live lanes are parked
 * @warp: the warp
 *
 * Return: 0; 1 if all live lanes are now active there; -EDEADLK if all live lanes are parked but
 * not at one place.
 */
int sgpu_simt_park(struct sgpu_warp *warp);

/**
 * sgpu_simt_unpark - after an exit: lanes that are left wait for nobody else any more
 * @warp: the warp
 *
 * Return: as sgpu_simt_park(); 0 unless all that are left are parked.
 */
int sgpu_simt_unpark(struct sgpu_warp *warp);

/**
 * sgpu_simt_wait - active lanes wait at @warp->pc until they are released; nobody is active
 * @warp: the warp
 */
void sgpu_simt_wait(struct sgpu_warp *warp);

/**
 * sgpu_simt_release - parked lanes go on behind the instruction where they wait
 * @warp: the warp
 * @lanes: parked ones; they go when they are chosen
 */
void sgpu_simt_release(struct sgpu_warp *warp, u32 lanes);

/**
 * sgpu_simt_choose - choose the active lanes anew
 * @warp: its @pc reached @reconv_pc, or others must have a turn
 */
void sgpu_simt_choose(struct sgpu_warp *warp);

/**
 * sgpu_simt_picked - count one pick while not converged
 * @warp: the warp
 */
static inline void sgpu_simt_picked(struct sgpu_warp *warp)
{
	if (++warp->streak >= SGPU_FAIR_PICKS || warp->pc == warp->reconv_pc)
		sgpu_simt_choose(warp);
}

#endif
