// SPDX-License-Identifier: GPL-2.0
/*
 * The reverse of lru, for what is used in a circle that does not fit: whoever came last is
 * needed last.
 *
 * Whoever came just now has not been used yet: were it to go again at once, the accesses that
 * asked for it would never get through.  So units rest until so many pages have been demanded
 * after they entered, or got their last one; while all are at rest, the order is lru's.
 */
#include <linux/list.h>
#include "policy/eviction.h"

/* As many as a batch has faults by default. */
#define MRU_REST	256

struct mru {
	struct list_head order;
	u64 faults;		/* pages demanded so far */
};

struct mru_unit {
	struct list_head node;	/* in mru.order; NULL before the unit was first in use */
	u64 fault;		/* mru.faults when it entered, or its last page came */
};

static void eviction_mru_init(struct uvm_eviction_ctx *ctx)
{
	struct mru *mru = ctx->state;

	INIT_LIST_HEAD(&mru->order);
}

static void eviction_mru_enter(struct uvm_eviction_ctx *ctx, u32 unit, u32 when,
			       enum uvm_enter_why why)
{
	struct mru_unit *u = uvm_eviction_unit(ctx, unit);
	struct mru *mru = ctx->state;

	if (u->node.next)
		list_del(&u->node);
	list_add_tail(&u->node, &mru->order);
	u->fault = mru->faults;
}

static void eviction_mru_leave(struct uvm_eviction_ctx *ctx, u32 unit, enum uvm_leave_why why)
{
	struct mru_unit *u = uvm_eviction_unit(ctx, unit);

	list_del_init(&u->node);
}

static void eviction_mru_arrive(struct uvm_eviction_ctx *ctx, u32 unit,
				const struct uvm_eviction_page *page)
{
	struct mru_unit *u = uvm_eviction_unit(ctx, unit);
	struct mru *mru = ctx->state;

	mru->faults = page->fault + page->demanded;
	u->fault = mru->faults;
}

static u32 eviction_mru_pick(struct uvm_eviction_ctx *ctx)
{
	struct mru *mru = ctx->state;
	struct mru_unit *u;

	list_for_each_entry_reverse(u, &mru->order, node) {
		u32 unit = uvm_eviction_unit_number(ctx, u);

		if (mru->faults - u->fault >= MRU_REST && uvm_eviction_evictable(ctx, unit))
			return unit;
	}
	return uvm_eviction_first(ctx);
}

UVM_POLICY(eviction, mru, "what was most recently migrated to, and has not just come",
	   .state_bytes = sizeof(struct mru),
	   .unit_bytes = sizeof(struct mru_unit),
	   .init = eviction_mru_init,
	   .enter = eviction_mru_enter,
	   .leave = eviction_mru_leave,
	   .arrive = eviction_mru_arrive,
	   .pick = eviction_mru_pick);
