/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Extensions that change how SMs and copy engines work: thread oversubscription, a
 * limit on SMs, free eviction, compression (regs.h, REG_CAP_*).  Each is off until its
 * bit of REG_EXT_ENABLE is set.
 */
#ifndef SOFTGPU_EXTENSION_H
#define SOFTGPU_EXTENSION_H

#include <linux/compiler.h>
#include <linux/minmax.h>
#include "base/gpu.h"

static inline bool sgpu_extension_on(const struct rm_gpu *gpu, u32 cap)
{
	return READ_ONCE(gpu->faults.extensions) & cap;
}

/* CTAs of one SM beyond what it holds that may be runnable now. */
static inline u32 sgpu_extra_ctas(const struct rm_gpu *gpu)
{
	u32 always = sgpu_prof(gpu, extra_blocks);

	if (!sgpu_extension_on(gpu, REG_CAP_OVERSUBSCRIBE))
		return always;
	return max(always, READ_ONCE(gpu->extension.oversub_limit));
}

/* The most that sgpu_extra_ctas() can become without a write of REG_EXT_ENABLE. */
static inline u32 sgpu_extra_ctas_most(const struct rm_gpu *gpu)
{
	u32 always = sgpu_prof(gpu, extra_blocks), most = sgpu_prof(gpu, extra_blocks_max);

	return sgpu_extension_on(gpu, REG_CAP_OVERSUBSCRIBE) ? max(always, most) : always;
}

/* The SM may neither issue nor take CTAs. */
static inline bool sgpu_sm_is_off(const struct rm_gpu *gpu, unsigned int index)
{
	u32 limit = READ_ONCE(gpu->extension.sm_limit);

	return limit && index >= limit && sgpu_extension_on(gpu, REG_CAP_SM_LIMIT);
}

/* What SMs may do has changed: they look at it.  Caller may hold locks. */
void sgpu_extension_changed(struct rm_gpu *gpu);
/* REG_OVERSUB_LIMIT ... REG_SM_COUNT.  Any context. */
u32 sgpu_extension_reg_read(struct rm_gpu *gpu, u32 reg);
void sgpu_extension_reg_write(struct rm_gpu *gpu, u32 reg, u32 value);

#endif
