/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Float registers of 64 bits, of images that have double precision.  A register is a row of
 * 32 numbers of single precision (warp->f), as in other images, until something else is written
 * to it; then it is a row of 64 bits (warp->d) and its bit is set in warp->doubles.  In 64 bits
 * single precision is boxed: ones above it, and what has none reads as a NaN (chapter 12.2 of
 * the manual).
 */
#ifndef SOFTGPU_EXEC_DOUBLE_H
#define SOFTGPU_EXEC_DOUBLE_H

#include "isa/warp.h"

#define SGPU_BOX	0xffffffff00000000ULL

/* f[@reg] of all lanes as 64 bits; where it is a row of 32 they are written to @warp->d. */
const u64 *sgpu_doubles_read(struct sgpu_warp *warp, unsigned int reg);
/* The lower half of f[@reg] of all lanes, whether that is boxed or not. */
const u32 *sgpu_doubles_low(struct sgpu_warp *warp, unsigned int reg);
/* @lanes of f[@reg] will be written as 64 bits to the row returned; others keep what they have. */
u64 *sgpu_doubles_write(struct sgpu_warp *warp, unsigned int reg, u32 lanes);
/* The same as single precision, if @lanes are all; else NULL: use sgpu_doubles_write(). */
u32 *sgpu_doubles_write_single(struct sgpu_warp *warp, unsigned int reg, u32 lanes);
/* All registers in @used are 0. */
void sgpu_doubles_clear(struct sgpu_warp *warp, u32 used);

/* SGPU_CLASS_WIDE and SGPU_CLASS_DOUBLE operations. */
void sgpu_exec_double(struct sgpu_warp *warp, const struct sgpu_insn *insn);

/* @a * @b + @c with one rounding, without an instruction that does so. */
u64 sgpu_double_fma(u64 a, u64 b, u64 c);
/* @a + @b in single precision, in integers. */
u32 sgpu_float_sum(u32 a, u32 b);

#endif
