/* SPDX-License-Identifier: GPL-2.0 */
/* The table of registers; what they mean is in <softgpu/regs.h>. */
#ifndef SOFTGPU_REG_TABLE_H
#define SOFTGPU_REG_TABLE_H

#include <linux/types.h>

struct rm_gpu;

/**
 * struct sgpu_reg - a register, or an array of them
 * @reg: offset in bytes
 * @last: of an array: the last byte that belongs to it; of one register: 0
 * @cap: the REG_CAP_* that it comes with; 0: every GPU has it
 * @read: what it reads; NULL: 0
 * @write: what a write does; NULL: nothing
 *
 * @read and @write are called in any context, without a lock, with the offset.
 */
struct sgpu_reg {
	u32 reg;
	u32 last;
	u32 cap;
	u32 (*read)(struct rm_gpu *gpu, u32 reg);
	void (*write)(struct rm_gpu *gpu, u32 reg, u32 value);
};

/**
 * sgpu_reg_find - the row of a register
 * @reg: offset in bytes
 * @caps: what the GPU has, REG_CAP_*
 *
 * Takes no lock, for the table is constant.
 *
 * Return: NULL if this GPU has no register there, which includes offsets within one.
 */
const struct sgpu_reg *sgpu_reg_find(u32 reg, u32 caps);

/**
 * sgpu_reg_row - the rows, one by one
 * @i: from 0
 *
 * Return: NULL behind the last.
 */
const struct sgpu_reg *sgpu_reg_row(unsigned int i);

#endif
