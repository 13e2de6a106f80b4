// SPDX-License-Identifier: GPL-2.0
/* Registers of extensions; see extension.h. */
#include <linux/minmax.h>
#include "base/extension.h"
#include "base/gpu.h"

u32 sgpu_extension_reg_read(struct rm_gpu *gpu, u32 reg)
{
	switch (reg) {
	case REG_OVERSUB_LIMIT:
		return READ_ONCE(gpu->extension.oversub_limit);
	case REG_OVERSUB_MAX:
		return sgpu_prof(gpu, extra_blocks_max);
	case REG_SM_LIMIT:
		return READ_ONCE(gpu->extension.sm_limit);
	case REG_SM_COUNT:
		return sgpu_prof(gpu, sm_count);
	default:
		return 0;
	}
}

/* One SM that stands still is woken for it. */
void sgpu_extension_changed(struct rm_gpu *gpu)
{
	/* a GPU made up for a test has no SMs */
	if (gpu->extension.changed)
		gpu->extension.changed(gpu);
}

static void extension_set(struct rm_gpu *gpu, u32 *reg, u32 value, u32 cap)
{
	if (READ_ONCE(*reg) == value)
		return;
	WRITE_ONCE(*reg, value);
	if (sgpu_extension_on(gpu, cap))
		sgpu_extension_changed(gpu);
}

void sgpu_extension_reg_write(struct rm_gpu *gpu, u32 reg, u32 value)
{
	u32 most = sgpu_prof(gpu, extra_blocks_max);

	if (reg == REG_OVERSUB_LIMIT)
		extension_set(gpu, &gpu->extension.oversub_limit, min(value, most),
			      REG_CAP_OVERSUBSCRIBE);
	else if (reg == REG_SM_LIMIT)
		extension_set(gpu, &gpu->extension.sm_limit, value, REG_CAP_SM_LIMIT);
}
