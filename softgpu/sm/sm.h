/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One streaming multiprocessor: warp slots, scheduler, scoreboard.
 *
 * One warp instruction issues per cycle, loose round robin over ready warps.
 * Loads do not CTA: a warp stalls at the first use of a register that is
 * still awaited.  Time of an SM is @time; on the virtual clock it runs ahead
 * of the device's time by at most a quantum.
 */
#ifndef SOFTGPU_SM_H
#define SOFTGPU_SM_H

#include <linux/types.h>
#include "sm/cta_state.h"
#include "sm/sm_state.h"

struct sgpu_sm *sgpu_sm_create(struct rm_gpu *gpu, unsigned int index);
void sgpu_sm_destroy(struct sgpu_sm *sm);

/* Virtual clock: run from @start until @end.  Sleeps. */
void sgpu_sm_quantum(struct sgpu_sm *sm, u64 start, u64 end);
/* Drop the CTAs of stopped launches; on return the MMU has none of theirs. */
void sgpu_sm_drop_stopped(struct sgpu_sm *sm);

/* Take the CTA off the SM.  Caller holds the lock. */
void sgpu_sm_release(struct sgpu_sm *sm, struct sgpu_cta *cta);

#endif
