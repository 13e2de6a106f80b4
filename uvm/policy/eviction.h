/* SPDX-License-Identifier: GPL-2.0 */
/* Eviction: which GPU memory to give up. */
#ifndef UVM_EVICTION_H
#define UVM_EVICTION_H

#include <linux/types.h>
#include "policy/registry.h"

struct uvm_eviction_ctx;

/**
 * struct uvm_eviction_view - what the allocator lets policies see; the calls below
 * @first: see uvm_eviction_first()
 * @next: see uvm_eviction_next()
 * @place: see uvm_eviction_place()
 */
struct uvm_eviction_view {
	struct uvm_chunk *(*first)(struct uvm_eviction_ctx *ctx);
	struct uvm_chunk *(*next)(struct uvm_eviction_ctx *ctx, struct uvm_chunk *unit);
	bool (*place)(struct uvm_eviction_ctx *ctx, struct uvm_chunk *unit);
};

/**
 * struct uvm_eviction_ctx - one choice of a victim, see uvm_eviction_first()
 * @view: how the allocator answers
 * @pool: the allocator; not for policies
 * @random: state of the random numbers of this GPU
 */
struct uvm_eviction_ctx {
	const struct uvm_eviction_view *view;
	struct uvm_chunk_pool *pool;
	u64 *random;
};

/**
 * struct uvm_eviction_ops - which GPU memory to give up
 * @policy: its name, for all kinds the same
 * @pick: return one of the chunks that uvm_eviction_first() and
 *	uvm_eviction_next() yield: the evictable units in use (of 2 MB, 64 KB or
 *	4 KB, see chunk.h), least recently migrated-to first; at least one
 *	exists.  Checked by uvm_chunk_pool_pick_victim(), which takes the first
 *	instead of a wrong one.
 */
struct uvm_eviction_ops {
	struct uvm_policy policy;
	struct uvm_chunk *(*pick)(struct uvm_eviction_ctx *ctx);
};

/* For .pick: the first of the units that may be evicted; NULL if there is none. */
static inline struct uvm_chunk *uvm_eviction_first(struct uvm_eviction_ctx *ctx)
{
	return ctx->view->first(ctx);
}

/* The one behind @unit; NULL at the end. */
static inline struct uvm_chunk *uvm_eviction_next(struct uvm_eviction_ctx *ctx,
						  struct uvm_chunk *unit)
{
	return ctx->view->next(ctx, unit);
}

/*
 * Ask the hardware when the unit was accessed last, which costs a register read and is
 * charged.  If that was after it got its place in the order it moves behind all that
 * are known to have been used before.  Units smaller than 64 KB share an answer.
 * Return: true if the unit's last use is news.
 */
static inline bool uvm_eviction_place(struct uvm_eviction_ctx *ctx, struct uvm_chunk *unit)
{
	return ctx->view->place(ctx, unit);
}

#endif
