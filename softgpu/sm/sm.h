/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One streaming multiprocessor: warp slots, scheduler, scoreboard.
 *
 * One warp instruction issues per cycle, loose round robin over ready warps.
 * Loads do not block: a warp stalls at the first use of a register that is
 * still awaited.  Time of an SM is @time; on the virtual clock it runs ahead
 * of the device's time by at most a quantum.
 */
#ifndef SOFTGPU_SM_H
#define SOFTGPU_SM_H

#include <linux/types.h>
#include "sm/cta_state.h"
#include "sm/sm_state.h"

/**
 * sgpu_sm_create - make an SM without CTAs
 * @gpu: its GPU, whose profile is final
 * @index: its number
 *
 * Return: the SM, or NULL: no memory.
 */
struct sgpu_sm *sgpu_sm_create(struct rm_gpu *gpu, unsigned int index);

/**
 * sgpu_sm_destroy - free an SM
 * @sm: has no CTA; or NULL
 *
 * Context: may sleep.
 */
void sgpu_sm_destroy(struct sgpu_sm *sm);

/**
 * sgpu_sm_quantum - virtual clock: an SM runs
 * @sm: the SM
 * @start: from then on, ps
 * @end: until then, ps
 *
 * Context: the tick; may sleep.
 */
void sgpu_sm_quantum(struct sgpu_sm *sm, u64 start, u64 end);

/**
 * sgpu_sm_drop_stopped - drop the CTAs of stopped launches; on return the MMU has none of theirs
 * @sm: the SM
 *
 * Context: may sleep; no SM lock is held.
 */
void sgpu_sm_drop_stopped(struct sgpu_sm *sm);

#endif
