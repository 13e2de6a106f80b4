/* SPDX-License-Identifier: GPL-2.0 */
/* What a resident CTA is; see cta.h. */
#ifndef SOFTGPU_CTA_STATE_H
#define SOFTGPU_CTA_STATE_H

#include <linux/list.h>
#include <linux/types.h>
#include "isa/warp.h"
#include "sm/cta_table.h"

struct sgpu_launch;
struct sgpu_sm;

/**
 * struct sgpu_cta - state of one resident CTA
 * @node: in the pool's free list, the SM's CTAs, or a list of dead ones
 * @cut: in the pool's list of all
 * @launch: its launch
 * @sm: its SM
 * @index: CTA index
 * @idx: the same in x, y, z
 * @status: what the SM's CTA table knows of it
 * @slots: SM slots of its warps; 0 while it is inactive
 * @count: warps
 * @left: warps that have not ended
 * @waiting: warps at the barrier
 * @voters: threads there that have a predicate
 * @truths: those with one that is true
 * @quota: instructions it may issue before asking the launch
 * @owed: its warps that have instructions which are executed, but for which none was taken
 * @last_quota: what @quota started as
 * @granted: sum of the quotas it got
 * @start_ps: when its warps can issue first
 * @dead: dropped by its SM: call-backs of the MMU must ignore it
 * @ended: ran to its end
 * @shared_dirty: a store to shared memory happened
 * @stack_low: lowest offset that was written in any stack, @stack_bytes if none was
 * @stack_bytes: per thread
 * @shared_bytes: bytes of @shared
 * @warp: the warps
 * @ops: their memory operations
 * @groups: their groups
 * @shared: shared memory
 *
 * Protected by the SM's lock while resident.
 */
struct sgpu_cta {
	struct list_head node;
	struct list_head cut;
	struct sgpu_launch *launch;
	struct sgpu_sm *sm;
	u64 index;
	u32 idx[3];
	struct sgpu_cta_status status;
	u64 slots;
	u32 count;
	u32 left;
	u32 waiting;
	u32 voters;
	u32 truths;
	u32 quota;
	u32 owed;
	u32 last_quota;
	u64 granted;
	u64 start_ps;
	bool dead;
	bool ended;
	bool shared_dirty;
	u32 stack_low;
	u32 stack_bytes;
	u32 shared_bytes;
	struct sgpu_warp *warp;
	struct sgpu_lsu_op *ops;
	struct sgpu_lsu_group *groups;
	u8 *shared;
};

#endif
