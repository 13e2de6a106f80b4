// SPDX-License-Identifier: GPL-2.0
/*
 * Registers: who answers for which; see include/softgpu/regs.h.
 *
 * A new register is its number there, a row here with the functions that it needs, and a test
 * in kunit/softgpu/reg_table_kunit.c.
 */
#include <linux/bsearch.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <kunit/visibility.h>
#include "base/extension.h"
#include "base/gpu.h"
#include "clock/clock.h"
#include "mmu/access_counter.h"
#include "mmu/accessed.h"
#include "mmu/fault_buffer.h"
#include "mmu/mmu_hold.h"
#include "mmu/recorder.h"
#include "reg_table.h"

static u32 reg_read_time_lo(struct rm_gpu *gpu, u32 reg)
{
	return lower_32_bits(sim_now());
}

static u32 reg_read_time_hi(struct rm_gpu *gpu, u32 reg)
{
	return upper_32_bits(sim_now());
}

static u32 reg_read_caps(struct rm_gpu *gpu, u32 reg)
{
	return sgpu_caps(gpu);
}

/* Each extension is told by the unit whose lock it needs. */
static void reg_write_extensions(struct rm_gpu *gpu, u32 reg, u32 value)
{
	sgpu_fault_reg_write(gpu, reg, value);
	sgpu_recorder_enable(gpu, value & REG_CAP_RECORDER);
	sgpu_access_counters_set_stall(gpu, value & sgpu_caps(gpu) & REG_CAP_ACCESS_STALL);
	sgpu_mmu_release(gpu, NULL);
}

static void reg_write_counter_config(struct rm_gpu *gpu, u32 reg, u32 value)
{
	sgpu_access_counters_reg_write(gpu, reg, value);
	sgpu_mmu_release(gpu, NULL);
}

static void reg_write_accessed_start(struct rm_gpu *gpu, u32 reg, u32 value)
{
	sgpu_accessed_start(&gpu->accessed);
}

static u32 reg_read_accessed(struct rm_gpu *gpu, u32 reg)
{
	return sgpu_accessed_reg_read(&gpu->accessed, reg);
}

/* By offset: it is searched. */
static const struct sgpu_reg reg_table[] = {
	{ .reg = REG_FAULT_GET, .read = sgpu_fault_reg_read, .write = sgpu_fault_reg_write },
	{ .reg = REG_FAULT_PUT, .read = sgpu_fault_reg_read },
	{ .reg = REG_FAULT_SIZE, .read = sgpu_fault_reg_read },
	{ .reg = REG_FAULT_PREFETCH, .read = sgpu_fault_reg_read, .write = sgpu_fault_reg_write },

	{ .reg = REG_INTR_PENDING, .read = sgpu_fault_reg_read },
	{ .reg = REG_INTR_EN, .read = sgpu_fault_reg_read },
	{ .reg = REG_INTR_EN_SET, .write = sgpu_fault_reg_write },
	{ .reg = REG_INTR_EN_CLEAR, .write = sgpu_fault_reg_write },

	{ .reg = REG_TIME_LO, .read = reg_read_time_lo },
	{ .reg = REG_TIME_HI, .read = reg_read_time_hi },

	{ .reg = REG_CAPS, .read = reg_read_caps },
	{ .reg = REG_EXT_ENABLE, .read = sgpu_fault_reg_read, .write = reg_write_extensions },

	{ .reg = REG_ACCESS_COUNTER_CONFIG,
	  .read = sgpu_access_counters_reg_read, .write = reg_write_counter_config },
	{ .reg = REG_ACCESS_COUNTER_GET,
	  .read = sgpu_access_counters_reg_read, .write = sgpu_access_counters_reg_write },
	{ .reg = REG_ACCESS_COUNTER_PUT, .read = sgpu_access_counters_reg_read },
	{ .reg = REG_ACCESS_COUNTER_SIZE, .read = sgpu_access_counters_reg_read },

	{ .reg = REG_OVERSUB_LIMIT, .cap = REG_CAP_OVERSUBSCRIBE,
	  .read = sgpu_extension_reg_read, .write = sgpu_extension_reg_write },
	{ .reg = REG_OVERSUB_MAX, .cap = REG_CAP_OVERSUBSCRIBE, .read = sgpu_extension_reg_read },
	{ .reg = REG_SM_LIMIT, .cap = REG_CAP_SM_LIMIT,
	  .read = sgpu_extension_reg_read, .write = sgpu_extension_reg_write },
	{ .reg = REG_SM_COUNT, .cap = REG_CAP_SM_LIMIT, .read = sgpu_extension_reg_read },

	{ .reg = REG_ACCESSED_START, .cap = REG_CAP_ACCESSED, .write = reg_write_accessed_start },

	{ .reg = REG_RECORDER_CONFIG, .cap = REG_CAP_RECORDER,
	  .read = sgpu_recorder_reg_read, .write = sgpu_recorder_reg_write },
	{ .reg = REG_RECORDER_TRANSFER, .cap = REG_CAP_RECORDER,
	  .write = sgpu_recorder_reg_write },
	{ .reg = REG_RECORDER_BUSY, .cap = REG_CAP_RECORDER, .read = sgpu_recorder_reg_read },
	{ .reg = REG_RECORDER_GET, .cap = REG_CAP_RECORDER,
	  .read = sgpu_recorder_reg_read, .write = sgpu_recorder_reg_write },
	{ .reg = REG_RECORDER_PUT, .cap = REG_CAP_RECORDER, .read = sgpu_recorder_reg_read },
	{ .reg = REG_RECORDER_SIZE, .cap = REG_CAP_RECORDER, .read = sgpu_recorder_reg_read },
	{ .reg = REG_RECORDER_COUNT, .cap = REG_CAP_RECORDER, .read = sgpu_recorder_reg_read },
	{ .reg = REG_RECORDER_LOST, .cap = REG_CAP_RECORDER, .read = sgpu_recorder_reg_read },

	{ .reg = REG_ACCESSED_2M(0), .last = REG_ACCESSED_64K(0) - 1, .cap = REG_CAP_ACCESSED,
	  .read = reg_read_accessed },
	{ .reg = REG_ACCESSED_64K(0), .last = REG_ACCESSED_LAST, .cap = REG_CAP_ACCESSED,
	  .read = reg_read_accessed },
};

static int reg_compare(const void *key, const void *element)
{
	const struct sgpu_reg *row = element;
	u32 reg = *(const u32 *)key;

	return reg < row->reg ? -1 : reg > max(row->reg, row->last);
}

const struct sgpu_reg *sgpu_reg_find(u32 reg, u32 caps)
{
	const struct sgpu_reg *row = __inline_bsearch(&reg, reg_table, ARRAY_SIZE(reg_table),
						      sizeof(reg_table[0]), reg_compare);

	return row && !(row->cap & ~caps) ? row : NULL;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_reg_find);

const struct sgpu_reg *sgpu_reg_row(unsigned int i)
{
	return i < ARRAY_SIZE(reg_table) ? &reg_table[i] : NULL;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_reg_row);

/**
 * rm_reg_read - read a register
 * @gpu: the GPU
 * @reg: offset in bytes, REG_*
 *
 * Any context; the unit behind the register takes its own lock.
 *
 * Return: its value; 0 of unknown and write-only ones.
 */
u32 rm_reg_read(struct rm_gpu *gpu, u32 reg)
{
	const struct sgpu_reg *row = sgpu_reg_find(reg, SGPU_CAPS);

	return row && row->read ? row->read(gpu, reg) : 0;
}
EXPORT_SYMBOL_NS_GPL(rm_reg_read, SOFTGPU);

/**
 * rm_reg_write - write a register
 * @gpu: the GPU
 * @reg: offset in bytes, REG_*
 * @value: what is written; <softgpu/regs.h> says what each bit does
 *
 * Any context, as rm_reg_read(); but REG_EXT_ENABLE and REG_ACCESS_COUNTER_CONFIG not in
 * interrupts, since accesses may wait for them.  Unknown and read-only registers: no effect.
 */
void rm_reg_write(struct rm_gpu *gpu, u32 reg, u32 value)
{
	const struct sgpu_reg *row = sgpu_reg_find(reg, SGPU_CAPS);

	if (row && row->write)
		row->write(gpu, reg, value);
}
EXPORT_SYMBOL_NS_GPL(rm_reg_write, SOFTGPU);

void rm_intr_register(struct rm_gpu *gpu, void (*handler)(void *data), void *data)
{
	sgpu_irq_set_handler(&gpu->faults.irq, handler, data);
}
EXPORT_SYMBOL_NS_GPL(rm_intr_register, SOFTGPU);
