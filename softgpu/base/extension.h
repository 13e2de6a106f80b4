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

/**
 * sgpu_extension_on - is an extension in use?
 * @gpu: the GPU
 * @cap: its bit, REG_CAP_*
 *
 * Context: any.
 * Return: true if REG_EXT_ENABLE has the bit.
 */
static inline bool sgpu_extension_on(const struct rm_gpu *gpu, u32 cap)
{
	return READ_ONCE(gpu->faults.extensions) & cap;
}

/**
 * sgpu_extra_ctas - CTAs of one SM beyond what it holds that may be runnable now
 * @gpu: the GPU
 *
 * Context: any.
 * Return: REG_OVERSUB_LIMIT while the extension is on, at least profile key extra_blocks.
 */
static inline u32 sgpu_extra_ctas(const struct rm_gpu *gpu)
{
	u32 always = sgpu_prof(gpu, extra_blocks);

	if (!sgpu_extension_on(gpu, REG_CAP_OVERSUBSCRIBE))
		return always;
	return max(always, READ_ONCE(gpu->extension.oversub_limit));
}

/**
 * sgpu_extra_ctas_most - the most sgpu_extra_ctas() can become without a write of REG_EXT_ENABLE
 * @gpu: the GPU
 *
 * Context: any.
 * Return: how many CTAs.
 */
static inline u32 sgpu_extra_ctas_most(const struct rm_gpu *gpu)
{
	u32 always = sgpu_prof(gpu, extra_blocks), most = sgpu_prof(gpu, extra_blocks_max);

	return sgpu_extension_on(gpu, REG_CAP_OVERSUBSCRIBE) ? max(always, most) : always;
}

/**
 * sgpu_sm_is_off - may an SM neither issue nor take CTAs?
 * @gpu: the GPU
 * @index: number of the SM
 *
 * Context: any.
 * Return: true if REG_SM_LIMIT holds and leaves it out.
 */
static inline bool sgpu_sm_is_off(const struct rm_gpu *gpu, unsigned int index)
{
	u32 limit = READ_ONCE(gpu->extension.sm_limit);

	return limit && index >= limit && sgpu_extension_on(gpu, REG_CAP_SM_LIMIT);
}

/**
 * sgpu_extension_changed - what SMs may do has changed: they look at it
 * @gpu: the GPU
 *
 * Context: any; the caller may hold locks.
 */
void sgpu_extension_changed(struct rm_gpu *gpu);

/**
 * sgpu_extension_reg_read - read a register of the extensions
 * @gpu: the GPU
 * @reg: REG_OVERSUB_LIMIT ...  REG_SM_COUNT
 *
 * Context: any.
 * Return: its value; 0 for another register.
 */
u32 sgpu_extension_reg_read(struct rm_gpu *gpu, u32 reg);

/**
 * sgpu_extension_reg_write - write a register of the extensions
 * @gpu: the GPU
 * @reg: REG_OVERSUB_LIMIT or REG_SM_LIMIT; others are read only
 * @value: REG_OVERSUB_LIMIT: what is above REG_OVERSUB_MAX counts as that
 *
 * Context: any.
 */
void sgpu_extension_reg_write(struct rm_gpu *gpu, u32 reg, u32 value);

#endif
