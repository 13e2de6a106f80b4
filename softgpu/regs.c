// SPDX-License-Identifier: GPL-2.0
/* Registers: who answers for which; see include/softgpu/regs.h. */
#include <linux/export.h>
#include <linux/kernel.h>
#include "base/extension.h"
#include "base/gpu.h"
#include "clock/clock.h"
#include "mmu/access_counter.h"
#include "mmu/accessed.h"
#include "mmu/fault_buffer.h"

u32 rm_reg_read(struct rm_gpu *gpu, u32 reg)
{
	switch (reg) {
	case REG_TIME_LO:
		return lower_32_bits(sim_now());
	case REG_TIME_HI:
		return upper_32_bits(sim_now());
	case REG_CAPS:
		return SGPU_CAPS;
	case REG_ACCESS_COUNTER_CONFIG ... REG_ACCESS_COUNTER_SIZE:
		return sgpu_access_counters_reg_read(gpu, reg);
	case REG_OVERSUB_LIMIT ... REG_SM_COUNT:
		return sgpu_extension_reg_read(gpu, reg);
	case REG_ACCESSED_2M(0) ... REG_ACCESSED_LAST:
		return sgpu_accessed_reg_read(&gpu->accessed, reg);
	default:
		return sgpu_fault_reg_read(gpu, reg);
	}
}
EXPORT_SYMBOL_NS_GPL(rm_reg_read, SOFTGPU);

/* Writes of unknown and read-only registers have no effect. */
void rm_reg_write(struct rm_gpu *gpu, u32 reg, u32 value)
{
	switch (reg) {
	case REG_ACCESS_COUNTER_CONFIG ... REG_ACCESS_COUNTER_SIZE:
		sgpu_access_counters_reg_write(gpu, reg, value);
		break;
	case REG_OVERSUB_LIMIT ... REG_SM_COUNT:
		sgpu_extension_reg_write(gpu, reg, value);
		break;
	case REG_ACCESSED_START:
		sgpu_accessed_start(&gpu->accessed);
		break;
	default:
		sgpu_fault_reg_write(gpu, reg, value);
	}
}
EXPORT_SYMBOL_NS_GPL(rm_reg_write, SOFTGPU);

void rm_intr_register(struct rm_gpu *gpu, void (*handler)(void *data), void *data)
{
	sgpu_irq_set_handler(&gpu->faults.irq, handler, data);
}
EXPORT_SYMBOL_NS_GPL(rm_intr_register, SOFTGPU);
