// SPDX-License-Identifier: GPL-2.0
/*
 * Physical chunks of one GPU: lists, split and merge.
 */
#include <kunit/visibility.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include "model/chunk.h"
#include "model/chunk_priv.h"

void uvm_chunk_assert_locked(const struct uvm_chunk_pool *pool)
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

bool uvm_chunk_in_eviction(const struct uvm_chunk *chunk)
{
	for (; chunk; chunk = chunk->parent) {
		if (chunk->in_eviction)
			return true;
	}
	return false;
}

void uvm_chunk_pin(struct uvm_chunk *chunk, int by)
{
	for (; chunk; chunk = chunk->parent)
		chunk->pinned += by;
}

/* One chunk more or less of a size and state. */
static void chunk_count(struct uvm_chunk_pool *pool, enum uvm_chunk_size size,
			enum uvm_chunk_state state, int by)
{
	pool->count[size][state] += by;
	if (state == UVM_CHUNK_FREE && size >= pool->unit)
		WRITE_ONCE(pool->room, pool->room + by * (int)(uvm_chunk_bytes(size) /
							       uvm_chunk_bytes(pool->unit)));
}

static bool chunk_state_pins(enum uvm_chunk_state state)
{
	return state == UVM_CHUNK_TEMP_PINNED || state == UVM_CHUNK_WITHHELD;
}

void uvm_chunk_set_state(struct uvm_chunk_pool *pool, struct uvm_chunk *chunk,
			 enum uvm_chunk_state state)
{
	chunk_count(pool, chunk->size, chunk->state, -1);
	chunk_count(pool, chunk->size, state, 1);
	if (chunk_state_pins(chunk->state))
		uvm_chunk_pin(chunk, -1);
	if (chunk_state_pins(state))
		uvm_chunk_pin(chunk, 1);
	chunk->state = state;
}

/**
 * uvm_chunk_unit_number - the number by which policies know a unit
 * @pool: the allocator
 * @chunk: the unit, or a part of it
 *
 * Return: its place in GPU memory, in units; that of its first part if it is larger than a unit.
 */
u32 uvm_chunk_unit_number(const struct uvm_chunk_pool *pool, const struct uvm_chunk *chunk)
{
	return chunk->pa >> uvm_chunk_shift(pool->unit);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_chunk_unit_number);

static void chunk_list_unit(struct uvm_chunk_pool *pool, struct uvm_chunk *unit,
			    enum uvm_chunk_list lru)
{
	list_del_init(&unit->list);
	unit->lru = lru;
	unit->used = pool->now ? pool->now(pool->lock_data) : 0;
	if (lru != UVM_CHUNK_LISTS)
		list_add_tail(&unit->list, &pool->lru[lru]);
}

void uvm_chunk_enter_unit(struct uvm_chunk_pool *pool, struct uvm_chunk *unit,
			  enum uvm_enter_why why)
{
	chunk_list_unit(pool, unit, UVM_CHUNK_LIST_USED);
	if (pool->evictor)
		uvm_evictor_enter(pool->evictor, uvm_chunk_unit_number(pool, unit), unit->used,
				  why);
}

void uvm_chunk_leave_unit(struct uvm_chunk_pool *pool, struct uvm_chunk *unit,
			  enum uvm_chunk_list lru, enum uvm_leave_why why)
{
	if (pool->evictor && unit->lru == UVM_CHUNK_LIST_USED)
		uvm_evictor_leave(pool->evictor, uvm_chunk_unit_number(pool, unit), why);
	chunk_list_unit(pool, unit, lru);
}

struct uvm_chunk *uvm_chunk_first_free(struct uvm_chunk_pool *pool, enum uvm_chunk_size size,
				       bool zeroed)
{
	return list_first_entry_or_null(&pool->free[size][zeroed], struct uvm_chunk, list);
}

void uvm_chunk_leave_free(struct uvm_chunk_pool *pool, struct uvm_chunk *chunk,
			  enum uvm_chunk_state state)
{
	list_del_init(&chunk->list);
	if (chunk->parent)
		chunk->parent->children->free--;
	uvm_chunk_set_state(pool, chunk, state);
}

void uvm_chunk_drop_children(struct uvm_chunk_pool *pool, struct uvm_chunk *chunk)
{
	struct uvm_chunk_children *children = chunk->children;
	unsigned int i;

	for (i = 0; i < children->count; i++) {
		list_del(&children->chunk[i].list);
		chunk_count(pool, children->chunk[i].size, children->chunk[i].state, -1);
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

static void chunk_set_free(struct uvm_chunk_pool *pool, struct uvm_chunk *chunk)
{
	uvm_chunk_set_state(pool, chunk, UVM_CHUNK_FREE);
	if (pool->evictor && chunk->size >= pool->unit)
		uvm_evictor_free(pool->evictor, uvm_chunk_unit_number(pool, chunk));
}

/* Into the FREE state; merges with its siblings as far up as they are free. */
static void chunk_enter_free(struct uvm_chunk_pool *pool, struct uvm_chunk *chunk)
{
	chunk_set_free(pool, chunk);
	while (chunk->parent) {
		struct uvm_chunk *parent = chunk->parent;

		if (++parent->children->free < parent->children->count)
			break;
		parent->zeroed = chunk_children_zeroed(parent->children);
		uvm_chunk_drop_children(pool, parent);
		chunk_set_free(pool, parent);
		chunk = parent;
		uvm_chunk_leave_unit(pool, chunk, UVM_CHUNK_LISTS, UVM_LEAVE_FREED);
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

	uvm_chunk_leave_free(pool, chunk, UVM_CHUNK_SPLIT);
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
		chunk_count(pool, size, UVM_CHUNK_FREE, 1);
		list_add_tail(&child->list, &pool->free[size][child->zeroed]);
	}
}

/* Smallest free chunk of at least @size; of two of a size the zeroed one. */
static struct uvm_chunk *chunk_find_free(struct uvm_chunk_pool *pool, enum uvm_chunk_size size)
{
	for (; size < UVM_CHUNK_SIZES; size++) {
		struct uvm_chunk *chunk = uvm_chunk_first_free(pool, size, true);

		if (!chunk)
			chunk = uvm_chunk_first_free(pool, size, false);
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
 * @assert_locked: checks that the caller holds its lock, or NULL
 * @lock_data: for @assert_locked
 */
void uvm_chunk_pool_init(struct uvm_chunk_pool *pool, struct uvm_chunk *roots,
			 unsigned int nr_roots, void (*assert_locked)(void *data),
			 void *lock_data)
{
	unsigned int i;

	*pool = (struct uvm_chunk_pool){
		.roots = roots,
		.nr_roots = nr_roots,
		.unit = UVM_CHUNK_2M,
		.refresh = UVM_CHUNK_2M,
		.assert_locked = assert_locked,
		.lock_data = lock_data,
	};
	for (i = 0; i < UVM_CHUNK_SIZES; i++) {
		INIT_LIST_HEAD(&pool->free[i][false]);
		INIT_LIST_HEAD(&pool->free[i][true]);
	}
	for (i = 0; i < UVM_CHUNK_LISTS; i++)
		INIT_LIST_HEAD(&pool->lru[i]);
	INIT_LIST_HEAD(&pool->withheld);
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
	uvm_chunk_assert_locked(pool);
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

	uvm_chunk_assert_locked(pool);
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

	uvm_chunk_assert_locked(pool);
	chunk = uvm_chunk_first_free(pool, UVM_CHUNK_2M, false);
	if (!chunk)
		chunk = uvm_chunk_first_free(pool, UVM_CHUNK_2M, true);
	if (!chunk)
		return NULL;
	uvm_chunk_leave_free(pool, chunk, UVM_CHUNK_PMA_OWNED);
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
	uvm_chunk_assert_locked(pool);
	if (WARN_ON_ONCE(root->in_eviction || root->parent ||
			 (root->state != UVM_CHUNK_FREE && root->state != UVM_CHUNK_TEMP_PINNED)))
		return;
	if (root->state == UVM_CHUNK_TEMP_PINNED)
		INIT_LIST_HEAD(&root->list);
	uvm_chunk_leave_free(pool, root, UVM_CHUNK_PMA_OWNED);
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

	uvm_chunk_assert_locked(pool);
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
	uvm_chunk_leave_free(pool, found, UVM_CHUNK_TEMP_PINNED);
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
	uvm_chunk_assert_locked(pool);
	if (WARN_ON_ONCE(chunk->state != UVM_CHUNK_TEMP_PINNED || uvm_chunk_in_eviction(chunk)))
		return;
	INIT_LIST_HEAD(&chunk->list);
	chunk->owner = owner;
	chunk->page_index = page_index;
	chunk->zeroed = false;
	uvm_chunk_set_state(pool, chunk, UVM_CHUNK_ALLOCATED);
	uvm_chunk_enter_unit(pool, chunk_unit(pool, chunk), UVM_ENTER_BLOCK);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_chunk_unpin);

/* A unit that is pinned as a whole has lent its list node to its user. */
static bool chunk_unit_is_listed(const struct uvm_chunk *unit, bool pieces)
{
	return !uvm_chunk_in_eviction(unit) &&
	       (unit->state == UVM_CHUNK_ALLOCATED ||
		(pieces && unit->state == UVM_CHUNK_SPLIT));
}

static void chunk_use_unit(struct uvm_chunk_pool *pool, struct uvm_chunk *unit,
			   enum uvm_enter_why why)
{
	uvm_chunk_assert_locked(pool);
	if (chunk_unit_is_listed(unit, true))
		uvm_chunk_enter_unit(pool, unit, why);
}

/* Only whole ones, as in nvidia-uvm (4.2). */
static void chunk_put_unit_aside(struct uvm_chunk_pool *pool, struct uvm_chunk *unit,
				 enum uvm_chunk_list lru, enum uvm_leave_why why)
{
	uvm_chunk_assert_locked(pool);
	if (chunk_unit_is_listed(unit, false))
		uvm_chunk_leave_unit(pool, unit, lru, why);
}

void uvm_chunk_release(struct uvm_chunk_pool *pool, struct uvm_chunk *chunk)
{
	if (chunk->lru == UVM_CHUNK_LISTS)
		INIT_LIST_HEAD(&chunk->list);
	else
		uvm_chunk_leave_unit(pool, chunk, UVM_CHUNK_LISTS, UVM_LEAVE_FREED);
	chunk_enter_free(pool, chunk);
}

/* What is left of a unit becomes the last to be evicted when a piece of it goes. */
static void chunk_lose_piece(struct uvm_chunk_pool *pool, struct uvm_chunk *unit)
{
	if (unit->state == UVM_CHUNK_SPLIT && unit->lru != UVM_CHUNK_LISTS)
		chunk_use_unit(pool, unit, UVM_ENTER_PIECE);
}

/**
 * uvm_chunk_free - give a chunk back
 * @pool: the allocator
 * @chunk: ALLOCATED, or TEMP_PINNED and on no list; gone if it merges
 * @zeroed: it reads as zero
 *
 * While it is being evicted the chunk goes to the evictor instead.  Of a unit that it
 * was a piece of the rest becomes the last to be evicted, as in nvidia-uvm (4.2).
 */
void uvm_chunk_free(struct uvm_chunk_pool *pool, struct uvm_chunk *chunk, bool zeroed)
{
	uvm_chunk_assert_locked(pool);
	if (WARN_ON_ONCE(chunk->state != UVM_CHUNK_ALLOCATED &&
			 chunk->state != UVM_CHUNK_TEMP_PINNED))
		return;
	chunk->owner = NULL;
	chunk->zeroed = zeroed;
	if (uvm_chunk_in_eviction(chunk)) {
		if (chunk->state == UVM_CHUNK_ALLOCATED)
			uvm_chunk_set_state(pool, chunk, UVM_CHUNK_TEMP_PINNED);
		return;
	}
	/* before it merges: then the unit may be gone, too */
	chunk_lose_piece(pool, chunk_unit(pool, chunk));
	uvm_chunk_release(pool, chunk);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_chunk_free);

/**
 * uvm_chunk_mark_used - there are resident pages in a chunk that are wanted
 * @pool: the allocator
 * @chunk: the chunk
 * @arrived: pages have just come, or were asked for again: if the chunk has the size
 *	for it (uvm_chunk_pool.refresh) its unit becomes the last to be evicted; without,
 *	a unit that is in use keeps its place (nvidia-uvm 4.2)
 */
void uvm_chunk_mark_used(struct uvm_chunk_pool *pool, struct uvm_chunk *chunk, bool arrived)
{
	struct uvm_chunk *unit = chunk_unit(pool, chunk);

	if (unit->lru != UVM_CHUNK_LIST_USED || (arrived && chunk->size >= pool->refresh))
		chunk_use_unit(pool, unit, UVM_ENTER_WANTED);
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
	chunk_put_unit_aside(pool, chunk_unit(pool, chunk), UVM_CHUNK_LIST_UNUSED,
			     UVM_LEAVE_UNUSED);
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
	chunk_put_unit_aside(pool, chunk_unit(pool, chunk), UVM_CHUNK_LIST_DISCARDED,
			     UVM_LEAVE_DISCARDED);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_chunk_mark_discarded);
