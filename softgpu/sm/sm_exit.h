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

/* Lanes of the warp exit; the others go on. */
void sgpu_sm_exit_lanes(struct sgpu_sm *sm, struct sgpu_warp *warp, u32 lanes);
/* All live lanes of the warp are at a barrier and their memory operations done. */
void sgpu_sm_barrier(struct sgpu_sm *sm, struct sgpu_warp *warp);
/* The last lane of the warp left and its memory operations are done. */
void sgpu_sm_warp_gone(struct sgpu_sm *sm, struct sgpu_warp *warp);

#endif
