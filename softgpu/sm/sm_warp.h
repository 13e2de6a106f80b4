/* SPDX-License-Identifier: GPL-2.0 */
/* Warps of an SM that sleep, wake, or fail.  Callers hold the SM's lock. */
#ifndef SOFTGPU_SM_WARP_H
#define SOFTGPU_SM_WARP_H

#include "sm/sm_state.h"

/**
 * sgpu_sm_sleep_warp - a warp waits
 * @sm: the SM
 * @warp: the warp
 * @stall: what for
 * @wake_ps: until then; U64_MAX: until sgpu_sm_wake_warp()
 */
void sgpu_sm_sleep_warp(struct sgpu_sm *sm, struct sgpu_warp *warp, enum sgpu_stall stall,
			u64 wake_ps);

/**
 * sgpu_sm_wake_warp - a warp can go on
 * @sm: the SM, which is kicked
 * @warp: the warp; one that is gone stays so
 * @wake_ps: from then on
 */
void sgpu_sm_wake_warp(struct sgpu_sm *sm, struct sgpu_warp *warp, u64 wake_ps);

/**
 * sgpu_sm_fail - the launch of a warp fails; the warp does not go on
 * @sm: the SM
 * @warp: the warp
 * @reason: SOFTGPU_FAIL_*
 * @pc: instruction index
 * @lane: the lane
 * @access: of a memory access, as softgpu_wait.access; else 0
 * @address: of that access, or 0
 * @error: a positive errno, 0 for that of the reason
 */
void sgpu_sm_fail(struct sgpu_sm *sm, struct sgpu_warp *warp, u32 reason, u32 pc,
		  unsigned int lane, u32 access, u64 address, u32 error);

#endif
