/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lanes that exit, and barriers.  Callers hold the SM's lock.
 *
 * A barrier waits for the threads that have not exited, as CUDA's does: the CTA's last warp
 * may be short, and in a warp some lanes may be gone, before others came or after.
 */
#ifndef SOFTGPU_SM_EXIT_H
#define SOFTGPU_SM_EXIT_H

#include "sm/sm_state.h"

/**
 * sgpu_sm_exit_lanes - lanes of a warp exit; the others go on
 * @sm: the SM
 * @warp: the warp
 * @lanes: that exit
 *
 * If those that are left wait for nobody any more, but at different places, the launch fails.
 */
void sgpu_sm_exit_lanes(struct sgpu_sm *sm, struct sgpu_warp *warp, u32 lanes);

/**
 * sgpu_sm_barrier - a warp is at a barrier
 * @sm: the SM
 * @warp: all its live lanes are there, and its memory operations are done
 */
void sgpu_sm_barrier(struct sgpu_sm *sm, struct sgpu_warp *warp);

/**
 * sgpu_sm_warp_gone - a warp is gone
 * @sm: the SM
 * @warp: its last lane has exited, and its memory operations are done
 */
void sgpu_sm_warp_gone(struct sgpu_sm *sm, struct sgpu_warp *warp);

#endif
