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

/**
 * sgpu_doubles_read - f[@reg] of all lanes as 64 bits
 * @warp: the warp; where the register is a row of 32 bits it is written to @warp->d
 * @reg: the register
 *
 * Return: the row.
 */
const u64 *sgpu_doubles_read(struct sgpu_warp *warp, unsigned int reg);

/**
 * sgpu_doubles_low - the lower half of f[@reg] of all lanes, whether that is boxed or not
 * @warp: the warp
 * @reg: the register
 *
 * Return: the row.
 */
const u32 *sgpu_doubles_low(struct sgpu_warp *warp, unsigned int reg);

/**
 * sgpu_doubles_write - f[@reg] will be written as 64 bits
 * @warp: the warp
 * @reg: the register
 * @lanes: in these lanes; others keep what they have
 *
 * Return: the row to write to.
 */
u64 *sgpu_doubles_write(struct sgpu_warp *warp, unsigned int reg, u32 lanes);

/**
 * sgpu_doubles_write_single - f[@reg] will be written as single precision
 * @warp: the warp
 * @reg: the register
 * @lanes: in these lanes
 *
 * Return: the row to write to; NULL, if lanes keep 64 bits: use sgpu_doubles_write().
 */
u32 *sgpu_doubles_write_single(struct sgpu_warp *warp, unsigned int reg, u32 lanes);

/**
 * sgpu_doubles_clear - float registers of 64 bits are 0 in all lanes
 * @warp: the warp
 * @used: registers that are cleared, a bit each
 */
void sgpu_doubles_clear(struct sgpu_warp *warp, u32 used);

/**
 * sgpu_exec_double - perform an operation of SGPU_CLASS_WIDE or SGPU_CLASS_DOUBLE
 * @warp: the warp
 * @insn: the instruction
 */
void sgpu_exec_double(struct sgpu_warp *warp, const struct sgpu_insn *insn);

/**
 * sgpu_double_fma - @a * @b + @c with one rounding, without an instruction that does so
 * @a: bits of a double
 * @b: likewise
 * @c: likewise
 *
 * Return: bits of a double, of a NaN the canonical one.
 */
u64 sgpu_double_fma(u64 a, u64 b, u64 c);

/**
 * sgpu_float_sum - @a + @b in single precision, in integers
 * @a: bits of a float
 * @b: likewise
 *
 * Return: bits of a float, of a NaN the canonical one.
 */
u32 sgpu_float_sum(u32 a, u32 b);

#endif
