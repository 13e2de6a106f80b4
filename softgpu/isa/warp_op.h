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

/**
 * sgpu_warp_op_is - is an ecall an intrinsic of a warp?
 * @number: SGPU_ECALL_*, or anything
 *
 * Return: true if so.
 */
bool sgpu_warp_op_is(u64 number);

/**
 * sgpu_warp_op_needs - registers with the arguments of an intrinsic, beside a0
 * @number: for which sgpu_warp_op_is() is true
 *
 * Return: a bit each, as in sgpu_insn.need.
 */
u64 sgpu_warp_op_needs(u64 number);

/**
 * sgpu_warp_op_arrive - the active lanes are at an intrinsic
 * @warp: the warp
 * @number: for which sgpu_warp_op_is() is true
 *
 * Context: between sgpu_fpu_begin() and sgpu_fpu_end().
 * Return: 0; -EINVAL if a lane is not of its own members; -EDEADLK if all live lanes wait for
 * something that does not come.
 */
int sgpu_warp_op_arrive(struct sgpu_warp *warp, u64 number);

/**
 * sgpu_warp_op_left - lanes exited: maybe they are what others waited for
 * @warp: the warp
 *
 * Context: between sgpu_fpu_begin() and sgpu_fpu_end().
 */
void sgpu_warp_op_left(struct sgpu_warp *warp);

/**
 * sgpu_shuffle_source - from which lane a shuffle takes what a lane gets
 * @number: SGPU_ECALL_SHUFFLE_*
 * @lane: who gets it
 * @by: distance or lane, modulo 32
 * @width: lanes of a segment: 1, 2, 4, 8, 16 or 32
 *
 * Return: the lane; @lane itself if the one meant is none of its segment.
 */
unsigned int sgpu_shuffle_source(u64 number, unsigned int lane, u64 by, u64 width);

#endif
