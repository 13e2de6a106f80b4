// SPDX-License-Identifier: GPL-2.0
/* Memory of resident thread blocks. */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/sched/signal.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <softgpu/kernel_abi.h>
#include "isa/isa.h"
#include "isa/warp.h"
#include "sm/cta.h"
#include "isa/exec.h"
#include "isa/simt.h"
#include "sm/cta_state.h"
#include "sm/launch_state.h"
#include "isa/image.h"
#include "sm/sm_state.h"

#define BLOCK_GFP	(GFP_KERNEL_ACCOUNT | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)
#define BLOCK_CHUNK	SZ_2M

/* No piece of a block but its shared memory is greater than a chunk; its stacks are by warp. */
static_assert(SGPU_SM_WARPS / 2 * sizeof(struct sgpu_warp) <= BLOCK_CHUNK);
static_assert(SGPU_LANES * SGPU_STACK_MAX <= BLOCK_CHUNK);

/**
 * struct block_chunk - a piece of a pool's memory
 * @node: in sgpu_block_pool.chunks
 * @bytes: of @mem
 * @mem: the memory
 */
struct block_chunk {
	struct list_head node;
	size_t bytes;
	u8 *mem;
};

/**
 * struct block_cutter - cuts a pool's memory into pieces, in order
 * @pool: the pool
 * @chunk: where it is; NULL: before the first
 * @used: bytes of @chunk that are cut
 * @reserve: only see to it that there is enough: another launch may be using it
 * @error: with @reserve, why there is not
 */
struct block_cutter {
	struct sgpu_block_pool *pool;
	struct block_chunk *chunk;
	size_t used;
	bool reserve;
	int error;
};

/* ---- memory ---------------------------------------------------------- */

static struct block_chunk *block_chunk_add(struct sgpu_block_pool *pool, size_t bytes)
{
	struct block_chunk *chunk;

	bytes = max_t(size_t, bytes, BLOCK_CHUNK);
	if (rm_charge(&pool->charge, bytes))
		return NULL;
	/* what fails now stays charged until the pool goes */
	chunk = kmalloc(sizeof(*chunk), BLOCK_GFP);
	if (!chunk)
		return NULL;
	chunk->bytes = bytes;
	chunk->mem = kvmalloc(chunk->bytes, BLOCK_GFP);
	if (!chunk->mem) {
		kfree(chunk);
		return NULL;
	}
	list_add_tail(&chunk->node, &pool->chunks);
	return chunk;
}

/*
 * Whoever cuts what was reserved looks only at links to chunks that were there then, and
 * those do not change.
 */
static struct block_chunk *cutter_next(struct block_cutter *c, size_t bytes)
{
	struct list_head *next = c->chunk ? c->chunk->node.next : c->pool->chunks.next;
	struct block_chunk *chunk;

	if (next != &c->pool->chunks)
		return list_entry(next, struct block_chunk, node);
	if (WARN_ON_ONCE(!c->reserve))
		return NULL;
	chunk = fatal_signal_pending(current) ? NULL : block_chunk_add(c->pool, bytes);
	if (!chunk)
		c->error = fatal_signal_pending(current) ? -EINTR : -ENOMEM;
	cond_resched();
	return chunk;
}

/* The next @bytes, all in one chunk; NULL with @c->reserve. */
static void *block_cut(struct block_cutter *c, size_t bytes)
{
	size_t at;

	bytes = ALIGN(bytes, SMP_CACHE_BYTES);
	while (!c->chunk || bytes > c->chunk->bytes - c->used) {
		struct block_chunk *next = cutter_next(c, bytes);

		if (!next)
			return NULL;
		c->chunk = next;
		c->used = 0;
	}
	at = c->used;
	c->used += bytes;
	return c->reserve ? NULL : c->chunk->mem + at;
}

/* The pieces of a block; with @c->reserve none of them is there. */
static void block_cut_pieces(struct block_cutter *c, const struct sgpu_block_shape *shape,
			     struct sgpu_block *block)
{
	size_t warps = shape->warps;
	unsigned int i;

	block->warp = block_cut(c, warps * sizeof(*block->warp));
	block->ops = block_cut(c, warps * shape->mem_ops * sizeof(*block->ops));
	block->groups = block_cut(c, warps * SGPU_WARP_GROUPS * sizeof(*block->groups));
	block->shared = block_cut(c, shape->shared_bytes);
	if (!c->reserve)
		memset(block->warp, 0, warps * sizeof(*block->warp));
	for (i = 0; i < shape->warps; i++) {
		u8 *stack = block_cut(c, (size_t)SGPU_LANES * shape->stack_bytes);

		if (!c->reserve)
			block->warp[i].stack = stack;
	}
}

/* ---- pools ----------------------------------------------------------- */

void sgpu_block_pool_init(struct sgpu_block_pool *pool)
{
	memset(pool, 0, sizeof(*pool));
	mutex_init(&pool->lock);
	INIT_LIST_HEAD(&pool->chunks);
	INIT_LIST_HEAD(&pool->free);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_block_pool_init);

void sgpu_block_pool_exit(struct sgpu_block_pool *pool)
{
	struct block_chunk *chunk, *next;

	list_for_each_entry_safe(chunk, next, &pool->chunks, node) {
		kvfree(chunk->mem);
		kfree(chunk);
	}
	rm_uncharge(&pool->charge);
	mutex_destroy(&pool->lock);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_block_pool_exit);

int sgpu_block_pool_reserve(struct sgpu_block_pool *pool, const struct sgpu_block_shape *shape)
{
	struct block_cutter c = { .pool = pool, .reserve = true };
	struct sgpu_block none;
	u32 i;

	if (mutex_lock_killable(&pool->lock))
		return -EINTR;
	for (i = 0; i < shape->count && !c.error; i++) {
		block_cut(&c, sizeof(none));
		block_cut_pieces(&c, shape, &none);
	}
	mutex_unlock(&pool->lock);
	return c.error;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_block_pool_reserve);

static void block_link(struct sgpu_block *block, const struct sgpu_block_shape *shape)
{
	unsigned int i, j;

	for (i = 0; i < shape->warps; i++) {
		struct sgpu_warp *warp = &block->warp[i];

		warp->block = block;
		warp->index = i;
		warp->ops = &block->ops[(size_t)i * shape->mem_ops];
		warp->group = &block->groups[(size_t)i * SGPU_WARP_GROUPS];
		INIT_LIST_HEAD(&warp->groups);
		for (j = 0; j < shape->mem_ops; j++)
			warp->ops[j].warp = warp;
	}
}

static void block_create(struct block_cutter *c, const struct sgpu_block_shape *shape)
{
	struct sgpu_block *block = block_cut(c, sizeof(*block));

	memset(block, 0, sizeof(*block));
	block_cut_pieces(c, shape, block);
	block->stack_bytes = shape->stack_bytes;
	block->shared_bytes = shape->shared_bytes;
	/* what the first thread block is to find clear is not clear yet */
	block->stack_low = 0;
	block->shared_dirty = true;
	block->count = shape->warps;
	block_link(block, shape);
	list_add_tail(&block->node, &c->pool->free);
}

/* Most often it is of that shape already. */
void sgpu_block_pool_cut(struct sgpu_block_pool *pool, const struct sgpu_block_shape *shape)
{
	struct block_cutter c = { .pool = pool };
	u32 i;

	if (!memcmp(&pool->shape, shape, sizeof(*shape)))
		return;
	INIT_LIST_HEAD(&pool->free);
	for (i = 0; i < shape->count; i++)
		block_create(&c, shape);
	pool->shape = *shape;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_block_pool_cut);

/* ---- blocks ---------------------------------------------------------- */

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

	for (thread = 0; bytes && thread < block->count * SGPU_LANES; thread++)
		memset(block->warp[thread / SGPU_LANES].stack + block->stack_low +
		       (size_t)(thread % SGPU_LANES) * block->stack_bytes, 0, bytes);
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
