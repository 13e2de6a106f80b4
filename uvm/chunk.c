// SPDX-License-Identifier: GPL-2.0
/*
 * Physical chunks of one GPU: lists, split and merge, eviction.
 */
#include <kunit/visibility.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include "chunk.h"

static void chunk_assert_locked(const struct uvm_chunk_pool *pool)
{
	if (pool->assert_locked)
		pool->assert_locked(pool->lock_data);
}

/**
 * uvm_chunk_root - the frame that a chunk is part of
 * @chunk: the chunk
 *
 * Return: its root.
 */
struct uvm_chunk *uvm_chunk_root(struct uvm_chunk *chunk)
{
	while (chunk->parent)
		chunk = chunk->parent;
	return chunk;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_chunk_root);

/* What is evicted when this chunk has to go. */
static struct uvm_chunk *chunk_unit(const struct uvm_chunk_pool *pool, struct uvm_chunk *chunk)
{
	while (chunk->size < pool->unit)
		chunk = chunk->parent;
	return chunk;
}

static bool chunk_in_eviction(const struct uvm_chunk *chunk)
{
	for (; chunk; chunk = chunk->parent) {
		if (chunk->in_eviction)
			return true;
	}
	return false;
}

static void chunk_pin(struct uvm_chunk *chunk, int by)
{
	for (; chunk; chunk = chunk->parent)
		chunk->pinned += by;
}

static void chunk_set_state(struct uvm_chunk_pool *pool, struct uvm_chunk *chunk,
			    enum uvm_chunk_state state)
{
	pool->count[chunk->size][chunk->state]--;
	pool->count[chunk->size][state]++;
	if (chunk->state == UVM_CHUNK_TEMP_PINNED)
		chunk_pin(chunk, -1);
	if (state == UVM_CHUNK_TEMP_PINNED)
		chunk_pin(chunk, 1);
	chunk->state = state;
}

/* Put a unit on one of the lists of units, last, or on none. */
static void chunk_move_unit(struct uvm_chunk_pool *pool, struct uvm_chunk *unit,
			    enum uvm_chunk_list lru)
{
	list_del_init(&unit->list);
	unit->lru = lru;
	unit->used = pool->now ? pool->now(pool->lock_data) : 0;
	if (lru != UVM_CHUNK_LISTS)
		list_add_tail(&unit->list, &pool->lru[lru]);
}

/* Ticks wrap. */
static bool chunk_used_before(u32 a, u32 b)
{
	return (s32)(a - b) < 0;
}

static struct uvm_chunk *chunk_first_free(struct uvm_chunk_pool *pool, enum uvm_chunk_size size,
					  bool zeroed)
{
	return list_first_entry_or_null(&pool->free[size][zeroed], struct uvm_chunk, list);
}

/* Out of the FREE state, to become pinned or split. */
static void chunk_leave_free(struct uvm_chunk_pool *pool, struct uvm_chunk *chunk,
			     enum uvm_chunk_state state)
{
	list_del_init(&chunk->list);
	if (chunk->parent)
		chunk->parent->children->free--;
	chunk_set_state(pool, chunk, state);
}

static void chunk_drop_children(struct uvm_chunk_pool *pool, struct uvm_chunk *chunk)
{
	struct uvm_chunk_children *children = chunk->children;
	unsigned int i;

	for (i = 0; i < children->count; i++) {
		list_del(&children->chunk[i].list);
		pool->count[children->chunk[i].size][children->chunk[i].state]--;
	}
	chunk->children = NULL;
	kfree(children);
}

static bool chunk_children_zeroed(const struct uvm_chunk_children *children)
{
	unsigned int i;

	for (i = 0; i < children->count; i++) {
		if (!children->chunk[i].zeroed)
			return false;
	}
	return true;
}

/* Into the FREE state; merges with its siblings as far up as they are free. */
static void chunk_enter_free(struct uvm_chunk_pool *pool, struct uvm_chunk *chunk)
{
	chunk_set_state(pool, chunk, UVM_CHUNK_FREE);
	while (chunk->parent) {
		struct uvm_chunk *parent = chunk->parent;

		if (++parent->children->free < parent->children->count)
			break;
		parent->zeroed = chunk_children_zeroed(parent->children);
		chunk_drop_children(pool, parent);
		chunk_set_state(pool, parent, UVM_CHUNK_FREE);
		chunk = parent;
		chunk_move_unit(pool, chunk, UVM_CHUNK_LISTS);
	}
	list_add_tail(&chunk->list, &pool->free[chunk->size][chunk->zeroed]);
}

static struct uvm_chunk_children *chunk_alloc_children(enum uvm_chunk_size size, gfp_t gfp)
{
	unsigned int count = uvm_chunk_bytes(size) / uvm_chunk_bytes(size - 1);
	struct uvm_chunk_children *children;

	children = kzalloc(struct_size(children, chunk, count), gfp);
	if (children)
		children->count = count;
	return children;
}

/* Split a free chunk; all children are free. */
static void chunk_split(struct uvm_chunk_pool *pool, struct uvm_chunk *chunk,
			struct uvm_chunk_children *children)
{
	enum uvm_chunk_size size = chunk->size - 1;
	unsigned int i;

	chunk_leave_free(pool, chunk, UVM_CHUNK_SPLIT);
	chunk->children = children;
	children->free = children->count;
	for (i = 0; i < children->count; i++) {
		struct uvm_chunk *child = &children->chunk[i];

		child->parent = chunk;
		child->pa = chunk->pa + i * uvm_chunk_bytes(size);
		child->size = size;
		child->state = UVM_CHUNK_FREE;
		child->lru = UVM_CHUNK_LISTS;
		child->zeroed = chunk->zeroed;
		pool->count[size][UVM_CHUNK_FREE]++;
		list_add_tail(&child->list, &pool->free[size][child->zeroed]);
	}
}

/* Smallest free chunk of at least @size; of two of a size the zeroed one. */
static struct uvm_chunk *chunk_find_free(struct uvm_chunk_pool *pool, enum uvm_chunk_size size)
{
	for (; size < UVM_CHUNK_SIZES; size++) {
		struct uvm_chunk *chunk = chunk_first_free(pool, size, true);

		if (!chunk)
			chunk = chunk_first_free(pool, size, false);
		if (chunk)
			return chunk;
	}
	return NULL;
}

/**
 * uvm_chunk_pool_init - make an allocator without memory
 * @pool: the allocator
 * @roots: one per 2 MB of physical address space, from address 0; zeroed
 * @nr_roots: how many
 * @seed: for eviction policies that use random numbers
 * @assert_locked: checks that the caller holds its lock, or NULL
 * @lock_data: for @assert_locked
 */
void uvm_chunk_pool_init(struct uvm_chunk_pool *pool, struct uvm_chunk *roots,
			 unsigned int nr_roots, u64 seed,
			 void (*assert_locked)(void *data), void *lock_data)
{
	unsigned int i;

	*pool = (struct uvm_chunk_pool){
		.roots = roots,
		.nr_roots = nr_roots,
		.unit = UVM_CHUNK_2M,
		/* A generator of the xorshift kind never leaves 0. */
		.random = seed ? seed : 1,
		.assert_locked = assert_locked,
		.lock_data = lock_data,
	};
	for (i = 0; i < UVM_CHUNK_SIZES; i++) {
		INIT_LIST_HEAD(&pool->free[i][false]);
		INIT_LIST_HEAD(&pool->free[i][true]);
	}
	for (i = 0; i < UVM_CHUNK_LISTS; i++)
		INIT_LIST_HEAD(&pool->lru[i]);
	for (i = 0; i < nr_roots; i++) {
		INIT_LIST_HEAD(&roots[i].list);
		roots[i].pa = (u64)i << UVM_BLOCK_SHIFT;
		roots[i].size = UVM_CHUNK_2M;
		roots[i].state = UVM_CHUNK_PMA_OWNED;
		roots[i].lru = UVM_CHUNK_LISTS;
	}
	pool->count[UVM_CHUNK_2M][UVM_CHUNK_PMA_OWNED] = nr_roots;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_chunk_pool_init);

/**
 * uvm_chunk_pool_idle - has everything been given back to PMA?
 * @pool: the allocator
 *
 * Return: true if so; anything else at unload is a leak.
 */
bool uvm_chunk_pool_idle(const struct uvm_chunk_pool *pool)
{
	return pool->count[UVM_CHUNK_2M][UVM_CHUNK_PMA_OWNED] == pool->nr_roots;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_chunk_pool_idle);

/**
 * uvm_chunk_pool_frames - how much memory the pool has
 * @pool: the allocator
 *
 * Return: frames that are not PMA's.
 */
unsigned int uvm_chunk_pool_frames(const struct uvm_chunk_pool *pool)
{
	return pool->nr_roots - pool->count[UVM_CHUNK_2M][UVM_CHUNK_PMA_OWNED];
}
EXPORT_SYMBOL_IF_KUNIT(uvm_chunk_pool_frames);

/**
 * uvm_chunk_pool_set_unit - choose how much is evicted at a time
 * @pool: the allocator
 * @unit: the size
 *
 * Return: 0; -EBUSY if the pool has frames and another unit.
 */
int uvm_chunk_pool_set_unit(struct uvm_chunk_pool *pool, enum uvm_chunk_size unit)
{
	chunk_assert_locked(pool);
	if (pool->unit == unit)
		return 0;
	if (!uvm_chunk_pool_idle(pool))
		return -EBUSY;
	pool->unit = unit;
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_chunk_pool_set_unit);

/**
 * uvm_chunk_pool_add_root - take over a frame from PMA
 * @pool: the allocator
 * @pa: physical address of the frame
 * @zeroed: it reads as zero
 *
 * Return: its root chunk, now FREE; NULL if there is no such frame or it is
 * ours already.
 */
struct uvm_chunk *uvm_chunk_pool_add_root(struct uvm_chunk_pool *pool, u64 pa, bool zeroed)
{
	struct uvm_chunk *root;

	chunk_assert_locked(pool);
	if (pa % UVM_BLOCK_SIZE || pa >> UVM_BLOCK_SHIFT >= pool->nr_roots)
		return NULL;
	root = &pool->roots[pa >> UVM_BLOCK_SHIFT];
	if (root->state != UVM_CHUNK_PMA_OWNED)
		return NULL;
	root->zeroed = zeroed;
	chunk_enter_free(pool, root);
	return root;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_chunk_pool_add_root);

/**
 * uvm_chunk_pool_take_free_root - a free frame to be given back to PMA
 * @pool: the allocator
 *
 * Zeroed frames are worth keeping: they go last.
 *
 * Return: the root chunk, now PMA_OWNED, or NULL if none is free.
 */
struct uvm_chunk *uvm_chunk_pool_take_free_root(struct uvm_chunk_pool *pool)
{
	struct uvm_chunk *chunk;

	chunk_assert_locked(pool);
	chunk = chunk_first_free(pool, UVM_CHUNK_2M, false);
	if (!chunk)
		chunk = chunk_first_free(pool, UVM_CHUNK_2M, true);
	if (!chunk)
		return NULL;
	chunk_leave_free(pool, chunk, UVM_CHUNK_PMA_OWNED);
	return chunk;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_chunk_pool_take_free_root);

/**
 * uvm_chunk_pool_release_root - give back a certain frame
 * @pool: the allocator
 * @root: whole, and FREE or TEMP_PINNED by the caller; becomes PMA_OWNED
 */
void uvm_chunk_pool_release_root(struct uvm_chunk_pool *pool, struct uvm_chunk *root)
{
	chunk_assert_locked(pool);
	if (WARN_ON_ONCE(root->in_eviction || root->parent ||
			 (root->state != UVM_CHUNK_FREE && root->state != UVM_CHUNK_TEMP_PINNED)))
		return;
	if (root->state == UVM_CHUNK_TEMP_PINNED)
		INIT_LIST_HEAD(&root->list);
	chunk_leave_free(pool, root, UVM_CHUNK_PMA_OWNED);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_chunk_pool_release_root);

/**
 * uvm_chunk_alloc - allocate from the frames that we have
 * @pool: the allocator
 * @size: of the chunk
 * @gfp: for the structures of a split
 * @chunk: out: TEMP_PINNED; its @zeroed is true if it reads as zero
 *
 * Return: 0; -ENOSPC if no free chunk is large enough (add a root, or evict
 * one); -ENOMEM if the system has no memory.  On error nothing has changed.
 */
int uvm_chunk_alloc(struct uvm_chunk_pool *pool, enum uvm_chunk_size size, gfp_t gfp,
		    struct uvm_chunk **chunk)
{
	struct uvm_chunk_children *children[UVM_CHUNK_SIZES] = {};
	struct uvm_chunk *found;
	unsigned int s;

	chunk_assert_locked(pool);
	found = chunk_find_free(pool, size);
	if (!found)
		return -ENOSPC;
	for (s = found->size; s > size; s--) {
		children[s] = chunk_alloc_children(s, gfp);
		if (!children[s])
			goto no_memory;
	}
	for (s = found->size; s > size; s--) {
		chunk_split(pool, found, children[s]);
		found = &children[s]->chunk[0];
	}
	chunk_leave_free(pool, found, UVM_CHUNK_TEMP_PINNED);
	*chunk = found;
	return 0;

no_memory:
	for (s = 0; s < UVM_CHUNK_SIZES; s++)
		kfree(children[s]);
	return -ENOMEM;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_chunk_alloc);

/**
 * uvm_chunk_unpin - its block holds it from now on: it may be evicted
 * @pool: the allocator
 * @chunk: TEMP_PINNED; becomes ALLOCATED
 * @owner: the VA block
 * @page_index: first page of @owner in it
 */
void uvm_chunk_unpin(struct uvm_chunk_pool *pool, struct uvm_chunk *chunk, void *owner,
		     unsigned int page_index)
{
	chunk_assert_locked(pool);
	if (WARN_ON_ONCE(chunk->state != UVM_CHUNK_TEMP_PINNED || chunk_in_eviction(chunk)))
		return;
	INIT_LIST_HEAD(&chunk->list);
	chunk->owner = owner;
	chunk->page_index = page_index;
	chunk->zeroed = false;
	chunk_set_state(pool, chunk, UVM_CHUNK_ALLOCATED);
	chunk_move_unit(pool, chunk_unit(pool, chunk), UVM_CHUNK_LIST_USED);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_chunk_unpin);

/**
 * uvm_chunk_free - give a chunk back
 * @pool: the allocator
 * @chunk: ALLOCATED, or TEMP_PINNED and on no list; gone if it merges
 * @zeroed: it reads as zero
 *
 * While it is being evicted the chunk goes to the evictor instead.
 */
void uvm_chunk_free(struct uvm_chunk_pool *pool, struct uvm_chunk *chunk, bool zeroed)
{
	chunk_assert_locked(pool);
	if (WARN_ON_ONCE(chunk->state != UVM_CHUNK_ALLOCATED &&
			 chunk->state != UVM_CHUNK_TEMP_PINNED))
		return;
	chunk->owner = NULL;
	chunk->zeroed = zeroed;
	if (chunk_in_eviction(chunk)) {
		if (chunk->state == UVM_CHUNK_ALLOCATED)
			chunk_set_state(pool, chunk, UVM_CHUNK_TEMP_PINNED);
		return;
	}
	if (chunk->lru == UVM_CHUNK_LISTS)
		INIT_LIST_HEAD(&chunk->list);
	else
		chunk_move_unit(pool, chunk, UVM_CHUNK_LISTS);
	chunk_enter_free(pool, chunk);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_chunk_free);

/* A unit that is pinned as a whole has lent its list node to its user. */
static void chunk_mark(struct uvm_chunk_pool *pool, struct uvm_chunk *unit,
		       enum uvm_chunk_list lru)
{
	chunk_assert_locked(pool);
	if (chunk_in_eviction(unit))
		return;
	if (unit->state == UVM_CHUNK_ALLOCATED ||
	    (unit->state == UVM_CHUNK_SPLIT && lru == UVM_CHUNK_LIST_USED))
		chunk_move_unit(pool, unit, lru);
}

/**
 * uvm_chunk_mark_used - pages became resident in a chunk
 * @pool: the allocator
 * @chunk: its unit becomes the last to be evicted
 */
void uvm_chunk_mark_used(struct uvm_chunk_pool *pool, struct uvm_chunk *chunk)
{
	chunk_mark(pool, chunk_unit(pool, chunk), UVM_CHUNK_LIST_USED);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_chunk_mark_used);

/**
 * uvm_chunk_mark_unused - the last resident page of a chunk left
 * @pool: the allocator
 * @chunk: the chunk; only those that are a whole unit are looked at, as in
 *	nvidia-uvm (4.2)
 */
void uvm_chunk_mark_unused(struct uvm_chunk_pool *pool, struct uvm_chunk *chunk)
{
	chunk_mark(pool, chunk_unit(pool, chunk), UVM_CHUNK_LIST_UNUSED);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_chunk_mark_unused);

/**
 * uvm_chunk_mark_discarded - nobody wants to read what a chunk holds
 * @pool: the allocator
 * @chunk: the chunk, still mapped or with resident pages; it is evicted before
 *	those in use and after those without resident pages (nvidia-uvm 4.2,
 *	4.4); only whole units are looked at
 */
void uvm_chunk_mark_discarded(struct uvm_chunk_pool *pool, struct uvm_chunk *chunk)
{
	chunk_mark(pool, chunk_unit(pool, chunk), UVM_CHUNK_LIST_DISCARDED);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_chunk_mark_discarded);

/* ---- eviction -------------------------------------------------------- */

/**
 * uvm_chunk_evictable - could this unit or frame be evicted now?
 * @chunk: it
 *
 * Return: true if blocks hold it and nobody is at work on it.
 */
bool uvm_chunk_evictable(const struct uvm_chunk *chunk)
{
	return (chunk->state == UVM_CHUNK_ALLOCATED || chunk->state == UVM_CHUNK_SPLIT) &&
	       !chunk->pinned && !chunk_in_eviction(chunk);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_chunk_evictable);

/* First evictable unit behind @pos in a list of units. */
static struct uvm_chunk *chunk_next_evictable(struct uvm_chunk_pool *pool,
					      enum uvm_chunk_list lru, struct list_head *pos)
{
	for (pos = pos->next; pos != &pool->lru[lru]; pos = pos->next) {
		struct uvm_chunk *unit = container_of(pos, struct uvm_chunk, list);

		if (uvm_chunk_evictable(unit))
			return unit;
	}
	return NULL;
}

/* Documented in policy.h, for eviction policies. */
struct uvm_chunk *uvm_eviction_first(struct uvm_eviction_ctx *ctx)
{
	struct uvm_chunk_pool *pool = ctx->pool;

	return chunk_next_evictable(pool, UVM_CHUNK_LIST_USED, &pool->lru[UVM_CHUNK_LIST_USED]);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_eviction_first);

struct uvm_chunk *uvm_eviction_next(struct uvm_eviction_ctx *ctx, struct uvm_chunk *unit)
{
	return chunk_next_evictable(ctx->pool, UVM_CHUNK_LIST_USED, &unit->list);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_eviction_next);

/* Documented in policy.h, for eviction policies. */
bool uvm_eviction_place(struct uvm_eviction_ctx *ctx, struct uvm_chunk *unit)
{
	struct uvm_chunk_pool *pool = ctx->pool;
	struct list_head *pos;
	u32 used;

	if (!pool->last_access || unit->lru != UVM_CHUNK_LIST_USED)
		return false;
	pool->readings++;
	used = pool->last_access(pool->lock_data, unit);
	if (!used || !chunk_used_before(unit->used, used))
		return false;
	unit->used = used;
	list_del_init(&unit->list);
	list_for_each_prev(pos, &pool->lru[UVM_CHUNK_LIST_USED]) {
		if (!chunk_used_before(used, list_entry(pos, struct uvm_chunk, list)->used))
			break;
	}
	list_add(&unit->list, pos);
	return true;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_eviction_place);

/* Is the answer one of those that were offered?  It may be any pointer. */
static bool chunk_good_victim(struct uvm_eviction_ctx *ctx, const struct uvm_chunk *answer)
{
	struct uvm_chunk *unit;

	for (unit = uvm_eviction_first(ctx); unit; unit = uvm_eviction_next(ctx, unit)) {
		if (unit == answer)
			return true;
	}
	return false;
}

static struct uvm_chunk *chunk_ask_policy(struct uvm_chunk_pool *pool,
					  const struct uvm_eviction_ops *ops)
{
	struct uvm_eviction_ctx ctx = { .pool = pool, .random = &pool->random };
	struct uvm_chunk *unit;

	if (!uvm_eviction_first(&ctx))
		return NULL;
	unit = ops->pick(&ctx);
	if (chunk_good_victim(&ctx, unit))
		return unit;
	pool->policy_errors++;
	/* the policy may have changed the order */
	return uvm_eviction_first(&ctx);
}

static void chunk_pin_free_leaves(struct uvm_chunk_pool *pool, struct uvm_chunk *chunk)
{
	unsigned int i;

	if (chunk->state == UVM_CHUNK_FREE)
		chunk_leave_free(pool, chunk, UVM_CHUNK_TEMP_PINNED);
	if (chunk->state != UVM_CHUNK_SPLIT)
		return;
	for (i = 0; i < chunk->children->count; i++)
		chunk_pin_free_leaves(pool, &chunk->children->chunk[i]);
}

static struct uvm_chunk *chunk_first_allocated(struct uvm_chunk *chunk)
{
	unsigned int i;

	if (chunk->state == UVM_CHUNK_ALLOCATED)
		return chunk;
	if (chunk->state != UVM_CHUNK_SPLIT)
		return NULL;
	for (i = 0; i < chunk->children->count; i++) {
		struct uvm_chunk *leaf = chunk_first_allocated(&chunk->children->chunk[i]);

		if (leaf)
			return leaf;
	}
	return NULL;
}

/* The units of what is evicted leave their lists, or those in use come back. */
static void chunk_list_units(struct uvm_chunk_pool *pool, struct uvm_chunk *chunk, bool back)
{
	unsigned int i;

	if (chunk->size > pool->unit && chunk->state == UVM_CHUNK_SPLIT) {
		for (i = 0; i < chunk->children->count; i++)
			chunk_list_units(pool, &chunk->children->chunk[i], back);
	} else if (back && chunk_first_allocated(chunk)) {
		chunk_move_unit(pool, chunk, UVM_CHUNK_LIST_USED);
	} else if (chunk->lru != UVM_CHUNK_LISTS) {
		chunk_move_unit(pool, chunk, UVM_CHUNK_LISTS);
	}
}

/**
 * uvm_chunk_pool_begin_evict - start to evict a certain unit or frame
 * @pool: the allocator
 * @victim: it
 *
 * Return: 0; -EAGAIN if somebody is at work on it; -ENOENT if it is not ours.
 */
int uvm_chunk_pool_begin_evict(struct uvm_chunk_pool *pool, struct uvm_chunk *victim)
{
	chunk_assert_locked(pool);
	if (victim->state == UVM_CHUNK_PMA_OWNED)
		return -ENOENT;
	if (victim->state != UVM_CHUNK_FREE && !uvm_chunk_evictable(victim))
		return -EAGAIN;
	chunk_list_units(pool, victim, false);
	chunk_pin_free_leaves(pool, victim);
	victim->in_eviction = true;
	pool->in_eviction++;
	chunk_pin(victim->parent, 1);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_chunk_pool_begin_evict);

/* A free chunk of at least @size; one that is known to be zero last. */
static struct uvm_chunk *chunk_free_victim(struct uvm_chunk_pool *pool, enum uvm_chunk_size size)
{
	struct uvm_chunk *chunk = NULL;

	for (; !chunk && size < UVM_CHUNK_SIZES; size++) {
		chunk = chunk_first_free(pool, size, false);
		if (!chunk)
			chunk = chunk_first_free(pool, size, true);
	}
	return chunk;
}

/* The part of @size around a unit, if it can be evicted. */
static struct uvm_chunk *chunk_around(struct uvm_chunk *unit, enum uvm_chunk_size size)
{
	while (unit && unit->size < size)
		unit = unit->parent;
	return unit && uvm_chunk_evictable(unit) ? unit : NULL;
}

static struct uvm_chunk *chunk_first_around(struct uvm_chunk_pool *pool, enum uvm_chunk_list lru,
					    enum uvm_chunk_size size)
{
	struct uvm_chunk *found = NULL, *unit;

	for (unit = chunk_next_evictable(pool, lru, &pool->lru[lru]); unit && !found;
	     unit = chunk_next_evictable(pool, lru, &unit->list))
		found = chunk_around(unit, size);
	return found;
}

static bool chunk_pool_may_retry(const struct uvm_chunk_pool *pool)
{
	unsigned int size;

	for (size = 0; size < UVM_CHUNK_SIZES; size++) {
		if (pool->count[size][UVM_CHUNK_TEMP_PINNED])
			return true;
	}
	return pool->in_eviction;
}

/**
 * uvm_chunk_pool_pick_victim - choose what to evict and start
 * @pool: the allocator
 * @ops: asked for a unit if there is none that is free, without resident pages
 *	or discarded
 * @size: enum uvm_chunk_size of what is needed: the unit, or more for PMA, which
 *	wants whole frames; then all around the unit goes, if it can
 * @victim: out: a chunk of @size or more; its free leaves are pinned for the
 *	evictor
 *
 * Order: nvidia-uvm 4.4.
 *
 * Return: 0; -EAGAIN if all units are pinned or being evicted, so that a retry
 * may help; -ENOSPC if there are none.
 */
int uvm_chunk_pool_pick_victim(struct uvm_chunk_pool *pool, const struct uvm_eviction_ops *ops,
			       enum uvm_chunk_size size, struct uvm_chunk **victim)
{
	struct uvm_chunk *found;
	unsigned int lru;

	chunk_assert_locked(pool);
	size = max(size, pool->unit);
	found = chunk_free_victim(pool, size);
	for (lru = 0; !found && lru < UVM_CHUNK_LIST_USED; lru++)
		found = chunk_first_around(pool, lru, size);
	if (!found)
		found = chunk_around(chunk_ask_policy(pool, ops), size);
	if (!found)
		found = chunk_first_around(pool, UVM_CHUNK_LIST_USED, size);
	if (!found)
		return chunk_pool_may_retry(pool) ? -EAGAIN : -ENOSPC;
	*victim = found;
	return uvm_chunk_pool_begin_evict(pool, found);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_chunk_pool_pick_victim);

/**
 * uvm_chunk_pool_evict_next_leaf - what still has to leave a victim
 * @pool: the allocator
 * @victim: being evicted
 *
 * Return: an ALLOCATED chunk, whose owner has to be made to free it, or NULL.
 */
struct uvm_chunk *uvm_chunk_pool_evict_next_leaf(struct uvm_chunk_pool *pool,
						 struct uvm_chunk *victim)
{
	chunk_assert_locked(pool);
	return chunk_first_allocated(victim);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_chunk_pool_evict_next_leaf);

/* Leaves of what is being evicted, all TEMP_PINNED, become one. */
static void chunk_merge_pinned(struct uvm_chunk_pool *pool, struct uvm_chunk *chunk)
{
	unsigned int i;

	if (chunk->state != UVM_CHUNK_SPLIT)
		return;
	for (i = 0; i < chunk->children->count; i++) {
		struct uvm_chunk *child = &chunk->children->chunk[i];

		chunk_merge_pinned(pool, child);
		INIT_LIST_HEAD(&child->list);
		chunk_set_state(pool, child, UVM_CHUNK_FREE);
	}
	chunk_drop_children(pool, chunk);
	chunk_set_state(pool, chunk, UVM_CHUNK_TEMP_PINNED);
}

/*
 * Free the pinned leaves.  No leaf is FREE at the start, so children can merge
 * away only when the last of them is freed: the loop never looks at them after.
 */
static void chunk_free_pinned(struct uvm_chunk_pool *pool, struct uvm_chunk *chunk)
{
	unsigned int count, i;

	if (chunk->state == UVM_CHUNK_TEMP_PINNED) {
		uvm_chunk_free(pool, chunk, false);
	} else if (chunk->state == UVM_CHUNK_SPLIT) {
		struct uvm_chunk_children *children = chunk->children;

		for (i = 0, count = children->count; i < count; i++)
			chunk_free_pinned(pool, &children->chunk[i]);
	}
}

/**
 * uvm_chunk_pool_evict_done - end an eviction
 * @pool: the allocator
 * @victim: being evicted; may have merged away if @ok is false
 * @ok: nothing is allocated in it any more: it becomes one chunk, TEMP_PINNED
 *	for the caller, not known to be zero.  Else what is free becomes free
 *	for all and the rest stays where it is, last to be evicted.
 */
void uvm_chunk_pool_evict_done(struct uvm_chunk_pool *pool, struct uvm_chunk *victim, bool ok)
{
	chunk_assert_locked(pool);
	if (WARN_ON_ONCE(!victim->in_eviction))
		return;
	if (WARN_ON_ONCE(ok && chunk_first_allocated(victim)))
		ok = false;
	victim->in_eviction = false;
	pool->in_eviction--;
	chunk_pin(victim->parent, -1);
	if (ok) {
		chunk_merge_pinned(pool, victim);
		victim->zeroed = false;
		return;
	}
	chunk_list_units(pool, victim, true);
	chunk_free_pinned(pool, victim);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_chunk_pool_evict_done);
