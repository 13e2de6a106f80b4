/* SPDX-License-Identifier: GPL-2.0 */
/* ecall: intrinsics of GPU kernels (linux/softgpu_kernel_abi.h). */
#ifndef SOFTGPU_INTRINSIC_H
#define SOFTGPU_INTRINSIC_H

#include "sm/sm_state.h"

/*
 * Execute an ecall of the active lanes, including the move to the next
 * instruction.  Return: false if it has to be tried again, or the warp does
 * not go on.  Needs the FPU.
 */
bool sgpu_intrinsic(struct sgpu_sm *sm, struct sgpu_warp *warp, const struct sgpu_insn *insn);

#endif
