// SPDX-License-Identifier: GPL-2.0
/* What a bottom half does at its end; see isr_enable.h. */
#include <softgpu/regs.h>
#include <softgpu/rm.h>
#include "fault/isr_enable.h"
#include "gpu/channel.h"
#include "gpu/gpu.h"

bool uvm_isr_is_lost(struct uvm_gpu *gpu, bool waits)
{
	if (waits && !sim_is_virtual())
		uvm_channels_wait_type(gpu, UVM_CHANNEL_MEMOPS);
	if (!uvm_gpu_channel_error(gpu))
		return false;
	if (waits && !sim_is_virtual())
		rm_gpu_set_lost(gpu->rm, true);
	return true;
}

void uvm_isr_enable(struct uvm_gpu *gpu, u32 interrupt, bool waits)
{
	if (!uvm_isr_is_lost(gpu, waits))
		rm_reg_write(gpu->rm, REG_INTR_EN_SET, interrupt);
}
