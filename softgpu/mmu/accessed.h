/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When SMs last accessed GPU memory: a time stamp per 64 KB, and per 2 MB.  An
 * extension (REG_CAP_ACCESSED): published GPUs count accesses to memory that is *not*
 * their own (access_counter.h) and tell nothing of the rest.
 *
 * An access stamps when it is performed, not when its translation is fetched: one
 * that stays in a TLB hides nothing.  Copy engines, the walker and software
 * prefetches stamp nothing.
 */
#ifndef SOFTGPU_ACCESSED_H
#define SOFTGPU_ACCESSED_H

#include <linux/compiler.h>
#include <linux/types.h>
#include <softgpu/regs.h>
#include <softgpu/rm.h>
#include "clock/clock.h"
#include "mmu/accessed_types.h"

struct rm_gpu;

#define SGPU_ACCESSED_BIG_SHIFT		16

/**
 * sgpu_accessed_init - allocate the stamps; stamping is off
 * @gpu: its @vram_bytes are set
 *
 * Return: 0 or -ENOMEM.
 */
int sgpu_accessed_init(struct rm_gpu *gpu);

/**
 * sgpu_accessed_exit - free the stamps
 * @gpu: nobody accesses its memory any more
 *
 * Also after sgpu_accessed_init() has failed.
 */
void sgpu_accessed_exit(struct rm_gpu *gpu);

/**
 * sgpu_accessed_enable - its bit of REG_EXT_ENABLE
 * @accessed: the GPU's stamps
 * @on: turned on, it begins with nothing accessed
 *
 * Context: any.
 */
void sgpu_accessed_enable(struct sgpu_accessed *accessed, bool on);

/**
 * sgpu_accessed_start - nothing was accessed, and ticks begin anew
 * @accessed: the GPU's stamps
 *
 * Context: any.
 */
void sgpu_accessed_start(struct sgpu_accessed *accessed);

/**
 * sgpu_accessed_reg_read - read a register of this unit
 * @accessed: the GPU's stamps
 * @reg: REG_ACCESSED_2M() or REG_ACCESSED_64K() of a frame or granule
 *
 * Context: any.
 * Return: the tick of its last access, from 1; 0: none, or no such memory.
 */
u32 sgpu_accessed_reg_read(struct sgpu_accessed *accessed, u32 reg);

static inline void sgpu_accessed_stamp(u32 *stamp, u32 now)
{
	/* on the real clock many SMs share the cache line */
	if (READ_ONCE(*stamp) != now)
		WRITE_ONCE(*stamp, now);
}

/**
 * sgpu_accessed_mark - GPU memory was accessed
 * @accessed: the GPU's stamps
 * @pa: where
 *
 * For every memory instruction: off, it costs a look at @enabled.
 */
static inline void sgpu_accessed_mark(struct sgpu_accessed *accessed, u64 pa)
{
	u32 now;

	if (likely(!READ_ONCE(accessed->enabled)) || pa >= accessed->bytes)
		return;
	now = 1 + ((sgpu_now_ps() - READ_ONCE(accessed->start_ps)) / PS_PER_NS >>
		   REG_ACCESSED_TICK_SHIFT);
	sgpu_accessed_stamp(&accessed->frame[pa >> RM_FRAME_SHIFT], now);
	sgpu_accessed_stamp(&accessed->big[pa >> SGPU_ACCESSED_BIG_SHIFT], now);
}

#endif
