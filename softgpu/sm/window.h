/* SPDX-License-Identifier: GPL-2.0 */
/* Accesses to the address windows (linux/softgpu_kernel_abi.h) of a warp. */
#ifndef SOFTGPU_WINDOW_H
#define SOFTGPU_WINDOW_H

#include "sm/sm_state.h"

/*
 * Perform the lanes in @mask, which are all outside the MMU's addresses:
 * sm->lanes has the addresses.  @timed: results come after the latency of
 * windows, else at once.  Return: false if it has to be tried again, or if an
 * address is outside every window or cannot be written; the launch fails then.
 * Needs the FPU.
 */
bool sgpu_window_access(struct sgpu_sm *sm, struct sgpu_warp *warp, const struct sgpu_insn *insn,
			u32 mask, bool timed);
/* Memory of @bytes at @va of one lane, NULL if not inside a window. */
void *sgpu_window_pointer(struct sgpu_warp *warp, unsigned int lane, u64 va, u64 bytes,
			  bool write);

#endif
