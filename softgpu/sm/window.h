/* SPDX-License-Identifier: GPL-2.0 */
/* Accesses to the address windows (linux/softgpu_kernel_abi.h) of a warp. */
#ifndef SOFTGPU_WINDOW_H
#define SOFTGPU_WINDOW_H

#include "sm/sm_state.h"

/**
 * sgpu_window_access - perform lanes in address windows
 * @sm: its @lanes has the addresses
 * @warp: the warp
 * @insn: the instruction
 * @mask: lanes, which are all outside the MMU's addresses
 * @timed: results come after the latency of windows, else at once
 *
 * Context: the SM's lock is held, between sgpu_fpu_begin() and sgpu_fpu_end().
 * Return: false if it has to be tried again, or if an address is outside every window or cannot be
 * written; the launch fails then.
 */
bool sgpu_window_access(struct sgpu_sm *sm, struct sgpu_warp *warp, const struct sgpu_insn *insn,
			u32 mask, bool timed);

/**
 * sgpu_window_pointer - memory of one lane in a window
 * @warp: the warp
 * @lane: the lane
 * @va: address
 * @bytes: that have to be there
 * @write: they will be written
 *
 * Return: pointer, NULL if not all of it is inside a window that allows it.
 */
void *sgpu_window_pointer(struct sgpu_warp *warp, unsigned int lane, u64 va, u64 bytes,
			  bool write);

#endif
