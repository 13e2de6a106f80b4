// SPDX-License-Identifier: GPL-2.0
/* Memory of resident thread blocks. */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <softgpu/kernel_abi.h>
#include "block.h"
#include "exec.h"
#include "flow.h"
#include "launch.h"
#include "image.h"

#define BLOCK_GFP	GFP_KERNEL_ACCOUNT

static void sgpu_block_destroy(struct sgpu_block *block)
{
	kvfree(block->warp);
	kvfree(block->ops);
	kvfree(block->groups);
	kvfree(block->stack);
	kvfree(block->shared);
}

static void block_link(struct sgpu_block *block, const struct sgpu_block_pool *pool)
{
	unsigned int i, j;

	for (i = 0; i < pool->warps; i++) {
		struct sgpu_warp *warp = &block->warp[i];

		warp->block = block;
		warp->index = i;
		warp->ops = &block->ops[(size_t)i * pool->mem_ops];
		warp->group = &block->groups[(size_t)i * SGPU_WARP_GROUPS];
		INIT_LIST_HEAD(&warp->groups);
		for (j = 0; j < pool->mem_ops; j++)
			warp->ops[j].warp = warp;
	}
}

static int block_create(struct sgpu_block *block, const struct sgpu_block_pool *pool)
{
	size_t threads = (size_t)pool->warps * SGPU_LANES;

	block->stack_bytes = pool->stack_bytes;
	block->shared_bytes = pool->shared_bytes;
	/* what the first thread block is to find clear is not clear yet */
	block->stack_low = 0;
	block->shared_dirty = true;
	block->count = pool->warps;
	block->warp = kvcalloc(pool->warps, sizeof(*block->warp), BLOCK_GFP);
	block->ops = kvmalloc_array((size_t)pool->warps * pool->mem_ops, sizeof(*block->ops),
				    BLOCK_GFP);
	block->groups = kvmalloc_array((size_t)pool->warps * SGPU_WARP_GROUPS,
				       sizeof(*block->groups), BLOCK_GFP);
	if (!block->warp || !block->ops || !block->groups)
		return -ENOMEM;
	if (pool->stack_bytes) {
		block->stack = kvmalloc_array(threads, pool->stack_bytes, BLOCK_GFP);
		if (!block->stack)
			return -ENOMEM;
	}
	if (pool->shared_bytes) {
		block->shared = kvmalloc(pool->shared_bytes, BLOCK_GFP);
		if (!block->shared)
			return -ENOMEM;
	}
	block_link(block, pool);
	return 0;
}

struct sgpu_block_pool *sgpu_block_pool_create(u32 count, u32 warps, u32 mem_ops, u32 stack_bytes,
					       u32 shared_bytes)
{
	struct sgpu_block_pool *pool;
	u32 i;

	pool = kzalloc(sizeof(*pool), GFP_KERNEL_ACCOUNT);
	if (!pool)
		return NULL;
	INIT_LIST_HEAD(&pool->free);
	pool->count = count;
	pool->warps = warps;
	pool->mem_ops = mem_ops;
	pool->stack_bytes = stack_bytes;
	pool->shared_bytes = shared_bytes;
	pool->block = kvcalloc(count, sizeof(*pool->block), BLOCK_GFP);
	if (!pool->block)
		goto err;
	for (i = 0; i < count; i++) {
		if (block_create(&pool->block[i], pool))
			goto err;
		list_add_tail(&pool->block[i].node, &pool->free);
	}
	return pool;
err:
	sgpu_block_pool_destroy(pool);
	return NULL;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_block_pool_create);

void sgpu_block_pool_destroy(struct sgpu_block_pool *pool)
{
	u32 i;

	if (!pool)
		return;
	for (i = 0; pool->block && i < pool->count; i++)
		sgpu_block_destroy(&pool->block[i]);
	kvfree(pool->block);
	kfree(pool);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_block_pool_destroy);

/* Lanes of warp @index that have a thread. */
static u32 block_lanes(const struct sgpu_launch *launch, u32 index)
{
	u32 left = launch->threads - index * SGPU_LANES;

	return left >= SGPU_LANES ? SGPU_FULL : (1U << left) - 1;
}

static void block_prepare_warp(struct sgpu_warp *warp, const struct sgpu_block *block,
			       const struct sgpu_launch *launch)
{
	sgpu_flow_start(warp, block_lanes(launch, warp->index), launch->entry);
	/* registers begin as 0; float ones that nothing uses may keep the last block's */
	sgpu_exec_clear(warp, launch->image->used);
	sgpu_exec_set(warp, 1, SGPU_WINDOW_EXIT);
	sgpu_exec_set(warp, 2, SGPU_WINDOW_STACK + block->stack_bytes);
	sgpu_exec_set(warp, 10, SGPU_WINDOW_ARGS);
	warp->code = launch->image->code;
	warp->ahead = 0;
	warp->pending = 0;
	warp->ops_busy = 0;
	warp->groups_busy = 0;
	warp->reserved = 0;
	warp->stall = SGPU_STALL_NONE;
	INIT_LIST_HEAD(&warp->groups);
}

/* Stacks grow down: below what the last block wrote they are clear. */
static void block_clear_stacks(struct sgpu_block *block)
{
	u32 thread, bytes = block->stack_bytes - block->stack_low;
	u8 *dirty = block->stack + block->stack_low;

	for (thread = 0; bytes && thread < block->count * SGPU_LANES; thread++) {
		memset(dirty, 0, bytes);
		dirty += block->stack_bytes;
	}
	block->stack_low = block->stack_bytes;
}

void sgpu_block_prepare(struct sgpu_block *block, struct sgpu_launch *launch, struct sgpu_sm *sm,
			u64 index)
{
	u64 row = index / launch->grid[0];
	u32 i;

	block->launch = launch;
	block->sm = sm;
	block->index = index;
	block->idx[0] = index % launch->grid[0];
	block->idx[1] = row % launch->grid[1];
	block->idx[2] = row / launch->grid[1];
	block->left = block->count;
	block->waiting = 0;
	block->quota = 0;
	block->last_quota = 0;
	block->granted = 0;
	block->dead = false;
	block->ended = false;
	block_clear_stacks(block);
	if (block->shared_dirty && block->shared_bytes)
		memset(block->shared, 0, block->shared_bytes);
	block->shared_dirty = false;
	sgpu_fpu_begin();
	for (i = 0; i < block->count; i++)
		block_prepare_warp(&block->warp[i], block, launch);
	sgpu_fpu_end();
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_block_prepare);

u32 sgpu_block_ahead(const struct sgpu_block *block)
{
	u32 i, sum = 0;

	for (i = 0; i < block->count; i++)
		sum += block->warp[i].ahead;
	return sum;
}
