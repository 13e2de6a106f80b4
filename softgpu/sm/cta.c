// SPDX-License-Identifier: GPL-2.0
/* Memory of resident thread blocks. */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/sched/signal.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/softgpu_kernel_abi.h>
#include "isa/isa.h"
#include "isa/warp.h"
#include "sm/ahead.h"
#include "sm/cta.h"
#include "isa/exec.h"
#include "isa/exec_double.h"
#include "isa/simt.h"
#include "sm/cta_state.h"
#include "sm/launch_state.h"
#include "isa/image.h"
#include "sm/sm_state.h"

#define CTA_GFP	(GFP_KERNEL_ACCOUNT | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)
#define CTA_CHUNK	SZ_2M

/* No piece of a CTA but its shared memory is greater than a chunk; its stacks are by warp. */
static_assert(SGPU_SM_WARPS / 2 * sizeof(struct sgpu_warp) <= CTA_CHUNK);
static_assert(SGPU_LANES * SGPU_STACK_MAX <= CTA_CHUNK);
static_assert(SGPU_SM_WARPS / 2 * SGPU_DOUBLES_STRIDE <= CTA_CHUNK);

/**
 * struct cta_chunk - a piece of a pool's memory
 * @node: in sgpu_cta_pool.chunks
 * @bytes: of @mem
 * @mem: the memory
 */
struct cta_chunk {
	struct list_head node;
	size_t bytes;
	u8 *mem;
};

/**
 * struct cta_cutter - cuts a pool's memory into pieces, in order
 * @pool: the pool
 * @chunk: where it is; NULL: before the first
 * @used: bytes of @chunk that are cut
 * @reserve: only see to it that there is enough: another launch may be using it
 * @error: with @reserve, why there is not
 */
struct cta_cutter {
	struct sgpu_cta_pool *pool;
	struct cta_chunk *chunk;
	size_t used;
	bool reserve;
	int error;
};

/* ---- memory ---------------------------------------------------------- */

static struct cta_chunk *cta_chunk_add(struct sgpu_cta_pool *pool, size_t bytes)
{
	struct cta_chunk *chunk;

	bytes = max_t(size_t, bytes, CTA_CHUNK);
	if (rm_charge(&pool->charge, bytes))
		return NULL;
	/* what fails now stays charged until the pool goes */
	chunk = kmalloc(sizeof(*chunk), CTA_GFP);
	if (!chunk)
		return NULL;
	chunk->bytes = bytes;
	chunk->mem = kvmalloc(chunk->bytes, CTA_GFP);
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
static struct cta_chunk *cutter_next(struct cta_cutter *c, size_t bytes)
{
	struct list_head *next = c->chunk ? c->chunk->node.next : c->pool->chunks.next;
	struct cta_chunk *chunk;

	if (next != &c->pool->chunks)
		return list_entry(next, struct cta_chunk, node);
	if (WARN_ON_ONCE(!c->reserve))
		return NULL;
	chunk = fatal_signal_pending(current) ? NULL : cta_chunk_add(c->pool, bytes);
	if (!chunk)
		c->error = fatal_signal_pending(current) ? -EINTR : -ENOMEM;
	cond_resched();
	return chunk;
}

/* The next @bytes, all in one chunk; NULL with @c->reserve. */
static void *cta_cut(struct cta_cutter *c, size_t bytes)
{
	size_t at;

	bytes = ALIGN(bytes, SMP_CACHE_BYTES);
	while (!c->chunk || bytes > c->chunk->bytes - c->used) {
		struct cta_chunk *next = cutter_next(c, bytes);

		if (!next)
			return NULL;
		c->chunk = next;
		c->used = 0;
	}
	at = c->used;
	c->used += bytes;
	return c->reserve ? NULL : c->chunk->mem + at;
}

/* The pieces of a CTA; with @c->reserve none of them is there. */
static void cta_cut_pieces(struct cta_cutter *c, const struct sgpu_cta_shape *shape,
			   struct sgpu_cta *cta)
{
	size_t warps = shape->warps;
	unsigned int i;
	void *doubles;

	cta->warp = cta_cut(c, warps * sizeof(*cta->warp));
	cta->ops = cta_cut(c, warps * shape->mem_ops * sizeof(*cta->ops));
	cta->groups = cta_cut(c, warps * SGPU_WARP_GROUPS * sizeof(*cta->groups));
	cta->shared = cta_cut(c, shape->shared_bytes);
	if (!c->reserve)
		memset(cta->warp, 0, warps * sizeof(*cta->warp));
	doubles = shape->doubles ? cta_cut(c, warps * SGPU_DOUBLES_STRIDE) : NULL;
	for (i = 0; i < shape->warps; i++) {
		u8 *stack = cta_cut(c, (size_t)SGPU_LANES * shape->stack_bytes);

		if (c->reserve)
			continue;
		cta->warp[i].stack = stack;
		cta->warp[i].d = doubles ? doubles + i * SGPU_DOUBLES_STRIDE : NULL;
	}
}

/* ---- pools ----------------------------------------------------------- */

void sgpu_cta_pool_init(struct sgpu_cta_pool *pool)
{
	memset(pool, 0, sizeof(*pool));
	mutex_init(&pool->lock);
	INIT_LIST_HEAD(&pool->chunks);
	INIT_LIST_HEAD(&pool->cut);
	INIT_LIST_HEAD(&pool->free);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_cta_pool_init);

void sgpu_cta_pool_exit(struct sgpu_cta_pool *pool)
{
	struct cta_chunk *chunk, *next;

	list_for_each_entry_safe(chunk, next, &pool->chunks, node) {
		kvfree(chunk->mem);
		kfree(chunk);
	}
	rm_uncharge(&pool->charge);
	mutex_destroy(&pool->lock);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_cta_pool_exit);

int sgpu_cta_pool_reserve(struct sgpu_cta_pool *pool, const struct sgpu_cta_shape *shape)
{
	struct cta_cutter c = { .pool = pool, .reserve = true };
	struct sgpu_cta none;
	u32 i;

	if (mutex_lock_killable(&pool->lock))
		return -EINTR;
	for (i = 0; i < shape->count && !c.error; i++) {
		cta_cut(&c, sizeof(none));
		cta_cut_pieces(&c, shape, &none);
	}
	mutex_unlock(&pool->lock);
	return c.error;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_cta_pool_reserve);

static void cta_link(struct sgpu_cta *cta, const struct sgpu_cta_shape *shape)
{
	unsigned int i, j;

	for (i = 0; i < shape->warps; i++) {
		struct sgpu_warp *warp = &cta->warp[i];

		warp->cta = cta;
		warp->index = i;
		warp->ops = &cta->ops[(size_t)i * shape->mem_ops];
		warp->group = &cta->groups[(size_t)i * SGPU_WARP_GROUPS];
		INIT_LIST_HEAD(&warp->groups);
		for (j = 0; j < shape->mem_ops; j++)
			warp->ops[j].warp = warp;
	}
}

static void cta_create(struct cta_cutter *c, const struct sgpu_cta_shape *shape)
{
	struct sgpu_cta *cta = cta_cut(c, sizeof(*cta));

	memset(cta, 0, sizeof(*cta));
	cta_cut_pieces(c, shape, cta);
	cta->stack_bytes = shape->stack_bytes;
	cta->shared_bytes = shape->shared_bytes;
	/* what the first thread block is to find clear is not clear yet */
	cta->stack_low = 0;
	cta->shared_dirty = true;
	cta->count = shape->warps;
	cta_link(cta, shape);
	list_add_tail(&cta->cut, &c->pool->cut);
}

/* Is it cut into such CTAs, and enough of them? */
static bool cta_pool_suits(const struct sgpu_cta_pool *pool, const struct sgpu_cta_shape *shape)
{
	struct sgpu_cta_shape as_many = *shape;

	as_many.count = max(shape->count, pool->shape.count);
	return !memcmp(&pool->shape, &as_many, sizeof(as_many));
}

/*
 * Most often it is of that shape already, but for the count: kernels of one program take turns.
 * What is cut anew is not known to be clear.
 */
void sgpu_cta_pool_cut(struct sgpu_cta_pool *pool, const struct sgpu_cta_shape *shape)
{
	bool suits = cta_pool_suits(pool, shape);
	struct cta_cutter c = { .pool = pool };
	struct sgpu_cta *cta;
	u32 i;

	if (suits && pool->count == shape->count)
		return;
	if (!suits) {
		INIT_LIST_HEAD(&pool->cut);
		for (i = 0; i < shape->count; i++)
			cta_create(&c, shape);
		pool->shape = *shape;
	}
	INIT_LIST_HEAD(&pool->free);
	i = 0;
	list_for_each_entry(cta, &pool->cut, cut) {
		if (i++ == shape->count)
			break;
		list_add_tail(&cta->node, &pool->free);
	}
	pool->count = shape->count;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_cta_pool_cut);

/* ---- CTAs ------------------------------------------------------------ */

/* Lanes of warp @index that have a thread. */
static u32 cta_lanes(const struct sgpu_launch *launch, u32 index)
{
	u32 left = launch->threads - index * SGPU_LANES;

	return left >= SGPU_LANES ? SGPU_FULL : (1U << left) - 1;
}

static void cta_prepare_warp(struct sgpu_warp *warp, const struct sgpu_cta *cta,
			     const struct sgpu_launch *launch)
{
	sgpu_simt_start(warp, cta_lanes(launch, warp->index), launch->entry);
	/* registers begin as 0; float ones that nothing uses may keep the last CTA's */
	sgpu_exec_clear(warp, launch->image->doubles ? 0 : launch->image->used);
	if (launch->image->doubles)
		sgpu_doubles_clear(warp, launch->image->used);
	sgpu_exec_set(warp, 1, SGPU_WINDOW_EXIT);
	sgpu_exec_set(warp, 2, SGPU_WINDOW_STACK + cta->stack_bytes);
	sgpu_exec_set(warp, 10, SGPU_WINDOW_ARGS);
	warp->code = launch->image->code;
	warp->ahead = SGPU_AHEAD_NONE;
	warp->owed = 0;
	warp->pending = 0;
	warp->ops_busy = 0;
	warp->groups_busy = 0;
	warp->reserved = 0;
	warp->reduce = 0;
	warp->stall = SGPU_STALL_NONE;
	INIT_LIST_HEAD(&warp->groups);
}

/* Stacks grow down: below what the last CTA wrote they are clear. */
static void cta_clear_stacks(struct sgpu_cta *cta)
{
	u32 thread, bytes = cta->stack_bytes - cta->stack_low;

	for (thread = 0; bytes && thread < cta->count * SGPU_LANES; thread++)
		memset(cta->warp[thread / SGPU_LANES].stack + cta->stack_low +
		       (size_t)(thread % SGPU_LANES) * cta->stack_bytes, 0, bytes);
	cta->stack_low = cta->stack_bytes;
}

void sgpu_cta_prepare(struct sgpu_cta *cta, struct sgpu_launch *launch, struct sgpu_sm *sm,
		      u64 index)
{
	u64 row = index / launch->grid[0];
	u32 i;

	cta->launch = launch;
	cta->sm = sm;
	cta->index = index;
	cta->idx[0] = index % launch->grid[0];
	cta->idx[1] = row % launch->grid[1];
	cta->idx[2] = row / launch->grid[1];
	cta->left = cta->count;
	cta->waiting = 0;
	cta->voters = 0;
	cta->truths = 0;
	cta->quota = 0;
	cta->owed = 0;
	cta->last_quota = 0;
	cta->granted = 0;
	cta->dead = false;
	cta->ended = false;
	cta_clear_stacks(cta);
	if (cta->shared_dirty && cta->shared_bytes)
		memset(cta->shared, 0, cta->shared_bytes);
	cta->shared_dirty = false;
	sgpu_fpu_begin();
	for (i = 0; i < cta->count; i++)
		cta_prepare_warp(&cta->warp[i], cta, launch);
	sgpu_fpu_end();
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_cta_prepare);

u32 sgpu_cta_ahead(const struct sgpu_cta *cta)
{
	u32 i, sum = 0;

	for (i = 0; i < cta->count; i++)
		sum += cta->warp[i].owed ? 0 : sgpu_ahead_left(cta->warp[i].ahead);
	return sum;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_cta_ahead);

u32 sgpu_cta_recall(struct sgpu_cta *cta)
{
	u32 i, sum = 0;

	for (i = 0; i < cta->count; i++) {
		struct sgpu_warp *warp = &cta->warp[i];
		unsigned int left = warp->owed ? 0 : sgpu_ahead_left(warp->ahead);

		if (!left)
			continue;
		warp->owed = warp->ahead;
		warp->ahead = sgpu_ahead_pack(left, BIT(left) - 1);
		cta->owed++;
		sum += left;
	}
	cta->quota += sum;
	return sum;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_cta_recall);

bool sgpu_cta_pay(struct sgpu_cta *cta, struct sgpu_warp *warp)
{
	bool more = warp->owed & 1;

	cta->quota--;
	warp->owed >>= 1;
	if (warp->owed == SGPU_AHEAD_NONE) {
		warp->owed = 0;
		cta->owed--;
	}
	return more;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_cta_pay);
