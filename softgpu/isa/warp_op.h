/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Intrinsics of a warp: lanes exchange what they have in registers.  Pure.
 *
 * Each lane names the members it means, itself among them.  Whoever comes waits (is parked)
 * until all members that have not exited are at the same intrinsic with the same mask, in
 * whatever place of the code; then all of them go on.  Nobody waits for lanes that have exited.
 */
#ifndef SOFTGPU_WARP_OP_H
#define SOFTGPU_WARP_OP_H

#include "isa/warp.h"

/* Is @number an SGPU_ECALL_* of this sort? */
bool sgpu_warp_op_is(u64 number);
/* Registers with its arguments beside a0, as in sgpu_insn.need. */
u64 sgpu_warp_op_needs(u64 number);
/*
 * The active lanes are at intrinsic @number.  Needs the FPU.  Return: 0; -EINVAL if a lane is
 * not of its own members; -EDEADLK if all live lanes wait for something that does not come.
 */
int sgpu_warp_op_arrive(struct sgpu_warp *warp, u64 number);
/* Lanes exited: maybe they are what others waited for.  Needs the FPU. */
void sgpu_warp_op_left(struct sgpu_warp *warp);
/*
 * From which lane a shuffle takes what @lane gets: itself if the one meant is none of its
 * segment of @width lanes.
 */
unsigned int sgpu_shuffle_source(u64 number, unsigned int lane, u64 by, u64 width);

#endif
