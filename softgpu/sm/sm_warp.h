/* SPDX-License-Identifier: GPL-2.0 */
/* Warps of an SM that sleep, wake, or fail.  Callers hold the SM's lock. */
#ifndef SOFTGPU_SM_WARP_H
#define SOFTGPU_SM_WARP_H

#include "sm/sm_state.h"

/* The warp waits until @wake_ps; U64_MAX: until sgpu_sm_wake_warp(). */
void sgpu_sm_sleep_warp(struct sgpu_sm *sm, struct sgpu_warp *warp, enum sgpu_stall stall,
			u64 wake_ps);
void sgpu_sm_wake_warp(struct sgpu_sm *sm, struct sgpu_warp *warp, u64 wake_ps);
/*
 * The launch of the warp fails at instruction @pc, lane @lane; the warp does
 * not go on.  @error: positive errno, 0 for that of the reason.
 */
void sgpu_sm_fail(struct sgpu_sm *sm, struct sgpu_warp *warp, u32 reason, u32 pc,
		  unsigned int lane, u32 access, u64 address, u32 error);

#endif
