/* SPDX-License-Identifier: GPL-2.0 */
/* ecall: intrinsics of GPU kernels (linux/softgpu_kernel_abi.h). */
#ifndef SOFTGPU_INTRINSIC_H
#define SOFTGPU_INTRINSIC_H

#include "sm/sm_state.h"

/**
 * sgpu_intrinsic - execute an ecall of the active lanes, and move to the next instruction
 * @sm: the SM
 * @warp: the warp
 * @insn: the ecall
 *
 * Context: the SM's lock is held, between sgpu_fpu_begin() and sgpu_fpu_end().
 * Return: false if it has to be tried again, or the warp does not go on.
 */
bool sgpu_intrinsic(struct sgpu_sm *sm, struct sgpu_warp *warp, const struct sgpu_insn *insn);

#endif
