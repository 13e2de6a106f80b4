// SPDX-License-Identifier: GPL-2.0
/*
 * Physical chunks of one GPU: eviction.
 */
#include <kunit/visibility.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include "model/chunk.h"
#include "model/chunk_priv.h"

/**
 * uvm_chunk_evictable - could this unit or frame be evicted now?
 * @chunk: it
 *
 * Return: true if blocks hold it and nobody is at work on it.
 */
bool uvm_chunk_evictable(const struct uvm_chunk *chunk)
{
	return (chunk->state == UVM_CHUNK_ALLOCATED || chunk->state == UVM_CHUNK_SPLIT) &&
	       !chunk->pinned && !uvm_chunk_in_eviction(chunk);
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

/* ---- what eviction policies see: policy/eviction.h ---------------------- */

/**
 * uvm_chunk_pool_nr_units - how many units there are, PMA's too
 * @pool: the allocator
 *
 * Return: the number that is behind all of theirs.
 */
u32 uvm_chunk_pool_nr_units(const struct uvm_chunk_pool *pool)
{
	return pool->nr_roots * (UVM_BLOCK_SIZE / uvm_chunk_bytes(pool->unit));
}
EXPORT_SYMBOL_IF_KUNIT(uvm_chunk_pool_nr_units);

/* The unit of a number, which may be any; NULL: there is none that begins there. */
static struct uvm_chunk *chunk_of_unit(struct uvm_chunk_pool *pool, u32 unit)
{
	u64 pa = (u64)unit << uvm_chunk_shift(pool->unit);
	struct uvm_chunk *chunk;

	if (unit >= uvm_chunk_pool_nr_units(pool))
		return NULL;
	chunk = &pool->roots[pa >> UVM_BLOCK_SHIFT];
	while (chunk->state == UVM_CHUNK_SPLIT && chunk->size > pool->unit)
		chunk = &chunk->children->chunk[(pa - chunk->pa) >>
						uvm_chunk_shift(chunk->size - 1)];
	return chunk->pa == pa ? chunk : NULL;
}

static u32 chunk_number(struct uvm_chunk_pool *pool, const struct uvm_chunk *unit)
{
	return unit ? uvm_chunk_unit_number(pool, unit) : UVM_UNIT_NONE;
}

static u32 chunk_view_first(void *memory)
{
	struct uvm_chunk_pool *pool = memory;

	return chunk_number(pool, chunk_next_evictable(pool, UVM_CHUNK_LIST_USED,
						       &pool->lru[UVM_CHUNK_LIST_USED]));
}

static u32 chunk_view_next(void *memory, u32 unit)
{
	struct uvm_chunk_pool *pool = memory;
	struct uvm_chunk *chunk = chunk_of_unit(pool, unit);

	if (!chunk || chunk->lru != UVM_CHUNK_LIST_USED)
		return UVM_UNIT_NONE;
	return chunk_number(pool, chunk_next_evictable(pool, UVM_CHUNK_LIST_USED, &chunk->list));
}

/* O(1): the unit itself knows. */
static bool chunk_view_evictable(void *memory, u32 unit)
{
	const struct uvm_chunk *chunk = chunk_of_unit(memory, unit);

	return chunk && chunk->lru == UVM_CHUNK_LIST_USED && uvm_chunk_evictable(chunk);
}

static u32 chunk_view_last_access(void *memory, u32 unit)
{
	struct uvm_chunk_pool *pool = memory;
	struct uvm_chunk *chunk = chunk_of_unit(pool, unit);

	if (!chunk || !pool->last_access)
		return 0;
	pool->readings++;
	return pool->last_access(pool->lock_data, chunk);
}

static u32 chunk_view_now(void *memory)
{
	struct uvm_chunk_pool *pool = memory;

	return pool->now ? pool->now(pool->lock_data) : 0;
}

static u32 chunk_view_count(void *memory)
{
	return uvm_chunk_pool_units(memory);
}

static bool chunk_view_range(void *memory, const struct uvm_range_state *state, u64 va_space,
			     u64 va, uvm_range_read_fn read, void *arg)
{
	struct uvm_chunk_pool *pool = memory;

	return pool->range && pool->range(pool->lock_data, state, va_space, va, read, arg);
}

const struct uvm_eviction_view uvm_chunk_pool_view = {
	.first = chunk_view_first,
	.next = chunk_view_next,
	.evictable = chunk_view_evictable,
	.last_access = chunk_view_last_access,
	.now = chunk_view_now,
	.count = chunk_view_count,
	.range = chunk_view_range,
};
EXPORT_SYMBOL_IF_KUNIT(uvm_chunk_pool_view);

/**
 * uvm_chunk_pool_set_evictor - another policy is asked from now on
 * @pool: the allocator
 * @evictor: made with uvm_chunk_pool_view and @pool; told of all units in use.  NULL: victims
 *	are taken in the order of the list
 */
void uvm_chunk_pool_set_evictor(struct uvm_chunk_pool *pool, struct uvm_evictor *evictor)
{
	struct uvm_chunk *unit;

	uvm_chunk_assert_locked(pool);
	pool->evictor = evictor;
	if (!evictor)
		return;
	list_for_each_entry(unit, &pool->lru[UVM_CHUNK_LIST_USED], list)
		uvm_evictor_enter(evictor, uvm_chunk_unit_number(pool, unit), unit->used,
				  UVM_ENTER_POLICY);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_chunk_pool_set_evictor);

static struct uvm_chunk *chunk_ask_policy(struct uvm_chunk_pool *pool)
{
	if (!pool->evictor || chunk_view_first(pool) == UVM_UNIT_NONE)
		return NULL;
	return chunk_of_unit(pool, uvm_evictor_pick(pool->evictor));
}

static void chunk_pin_free_leaves(struct uvm_chunk_pool *pool, struct uvm_chunk *chunk)
{
	unsigned int i;

	if (chunk->state == UVM_CHUNK_FREE)
		uvm_chunk_leave_free(pool, chunk, UVM_CHUNK_TEMP_PINNED);
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
		uvm_chunk_enter_unit(pool, chunk, UVM_ENTER_BACK);
	} else if (chunk->lru != UVM_CHUNK_LISTS) {
		uvm_chunk_leave_unit(pool, chunk, UVM_CHUNK_LISTS, UVM_LEAVE_EVICTED);
	}
}

/* Will somebody never let go of a part of it? */
static bool chunk_withholds(const struct uvm_chunk *chunk)
{
	unsigned int i;

	if (chunk->state != UVM_CHUNK_SPLIT)
		return chunk->state == UVM_CHUNK_WITHHELD;
	for (i = 0; i < chunk->children->count; i++)
		if (chunk_withholds(&chunk->children->chunk[i]))
			return true;
	return false;
}

/**
 * uvm_chunk_pool_begin_evict - start to evict a certain unit or frame
 * @pool: the allocator
 * @victim: it
 *
 * Return: 0; -EAGAIN if somebody is at work on it; -EBUSY if a part of it is withheld; -ENOENT
 * if it is not ours.
 */
int uvm_chunk_pool_begin_evict(struct uvm_chunk_pool *pool, struct uvm_chunk *victim)
{
	uvm_chunk_assert_locked(pool);
	if (victim->state == UVM_CHUNK_PMA_OWNED)
		return -ENOENT;
	if (victim->state != UVM_CHUNK_FREE && !uvm_chunk_evictable(victim))
		return chunk_withholds(victim) ? -EBUSY : -EAGAIN;
	chunk_list_units(pool, victim, false);
	chunk_pin_free_leaves(pool, victim);
	victim->in_eviction = true;
	pool->in_eviction++;
	uvm_chunk_pin(victim->parent, 1);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_chunk_pool_begin_evict);

/* A free chunk of at least @size; one that is known to be zero last. */
static struct uvm_chunk *chunk_free_victim(struct uvm_chunk_pool *pool, enum uvm_chunk_size size)
{
	struct uvm_chunk *chunk = NULL;

	for (; !chunk && size < UVM_CHUNK_SIZES; size++) {
		chunk = uvm_chunk_first_free(pool, size, false);
		if (!chunk)
			chunk = uvm_chunk_first_free(pool, size, true);
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
 * @size: enum uvm_chunk_size of what is needed: the unit, or more for PMA, which
 *	wants whole frames; then all around the unit goes, if it can
 * @victim: out: a chunk of @size or more; its free leaves are pinned for the
 *	evictor
 *
 * Order: nvidia-uvm 4.4.  The policy is asked for a unit if there is none that is free,
 * without resident pages or discarded.
 *
 * Return: 0; -EAGAIN if all units are pinned or being evicted, so that a retry
 * may help; -ENOSPC if there are none.
 */
int uvm_chunk_pool_pick_victim(struct uvm_chunk_pool *pool, enum uvm_chunk_size size,
			       struct uvm_chunk **victim)
{
	struct uvm_chunk *found;
	unsigned int lru;

	uvm_chunk_assert_locked(pool);
	size = max(size, pool->unit);
	found = chunk_free_victim(pool, size);
	for (lru = 0; !found && lru < UVM_CHUNK_LIST_USED; lru++)
		found = chunk_first_around(pool, lru, size);
	if (!found)
		found = chunk_around(chunk_ask_policy(pool), size);
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
	uvm_chunk_assert_locked(pool);
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
		uvm_chunk_set_state(pool, child, UVM_CHUNK_FREE);
	}
	uvm_chunk_drop_children(pool, chunk);
	uvm_chunk_set_state(pool, chunk, UVM_CHUNK_TEMP_PINNED);
}

/*
 * Free the pinned leaves; what is left has its place already.  No leaf is FREE at the
 * start, so children can merge away only when the last of them is freed: the loop never
 * looks at them after.
 */
static void chunk_free_pinned(struct uvm_chunk_pool *pool, struct uvm_chunk *chunk)
{
	unsigned int count, i;

	if (chunk->state == UVM_CHUNK_TEMP_PINNED) {
		chunk->owner = NULL;
		chunk->zeroed = false;
		uvm_chunk_release(pool, chunk);
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
	uvm_chunk_assert_locked(pool);
	if (WARN_ON_ONCE(!victim->in_eviction))
		return;
	if (WARN_ON_ONCE(ok && chunk_first_allocated(victim)))
		ok = false;
	victim->in_eviction = false;
	pool->in_eviction--;
	uvm_chunk_pin(victim->parent, -1);
	if (ok) {
		chunk_merge_pinned(pool, victim);
		victim->zeroed = false;
		return;
	}
	chunk_list_units(pool, victim, true);
	chunk_free_pinned(pool, victim);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_chunk_pool_evict_done);
