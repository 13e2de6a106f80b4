/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A resident thread block: its warps, stacks and shared memory.
 *
 * Launches of a context run one after the other, so it has one pool, as large as the largest
 * of its launches needs: reserved when one is made, and cut into blocks of the right shape
 * when that starts, which allocates nothing.  A block is used for one thread block after the
 * other.
 *
 * An inactive block (block_table.h) is one whose warps have no slots.  What it is stays
 * where it is, also while its context is said to be in GPU memory: the time of a switch
 * and the room on the SM are modelled, the bytes do not move and take no GPU memory.
 */
#ifndef SOFTGPU_BLOCK_H
#define SOFTGPU_BLOCK_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/types.h>
#include <softgpu/rm.h>
#include "sm/block_table.h"
#include "isa/warp.h"
#include "sm/block_types.h"

struct rm_gpu;
struct sgpu_sm;
struct sgpu_launch;

/**
 * struct sgpu_block - state of one resident block
 * @node: in the pool's free list, the SM's blocks, or a list of dead ones
 * @launch: its launch
 * @sm: its SM
 * @index: block index
 * @idx: the same in x, y, z
 * @status: what the SM's block table knows of it
 * @slots: SM slots of its warps; 0 while it is inactive
 * @count: warps
 * @left: warps that have not ended
 * @waiting: warps at the barrier
 * @barrier_pc: instruction index of that barrier
 * @quota: instructions it may issue before asking the launch
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
struct sgpu_block {
	struct list_head node;
	struct sgpu_launch *launch;
	struct sgpu_sm *sm;
	u64 index;
	u32 idx[3];
	struct sgpu_block_status status;
	u64 slots;
	u32 count;
	u32 left;
	u32 waiting;
	u32 barrier_pc;
	u32 quota;
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
	struct sgpu_mem_op *ops;
	struct sgpu_mem_group *groups;
	u8 *shared;
};

void sgpu_block_pool_init(struct sgpu_block_pool *pool);
/* No launch is left. */
void sgpu_block_pool_exit(struct sgpu_block_pool *pool);
/*
 * Have enough memory for @shape; what other launches reserved stays.  Sleeps.  Memory is charged
 * to the caller's cgroup and his user.  0, -ENOMEM, or -EINTR: the caller is being killed.
 */
int sgpu_block_pool_reserve(struct sgpu_block_pool *pool, const struct sgpu_block_shape *shape);
/* Cut what was reserved into free blocks; no block is in use.  Never sleeps. */
void sgpu_block_pool_cut(struct sgpu_block_pool *pool, const struct sgpu_block_shape *shape);
/* Make the block ready to run block @index of @launch on @sm. */
void sgpu_block_prepare(struct sgpu_block *block, struct sgpu_launch *launch, struct sgpu_sm *sm,
			u64 index);
/*
 * Instructions that its warps have executed, but not issued.  The block is off its SM, or the
 * caller holds the SM's lock.
 */
u32 sgpu_block_ahead(const struct sgpu_block *block);

#endif
