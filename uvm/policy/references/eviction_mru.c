// SPDX-License-Identifier: GPL-2.0
/*
 * The reverse of lru, for what is used in a circle that does not fit: whoever came last is
 * needed last.
 *
 * A unit that has just come has not been used yet.  If it were evicted at once, the accesses that
 * asked for it would never get through.  So a unit rests after it entered, or got its last page,
 * until a launch has ended or so many pages have been demanded.  While all units rest, the order is
 * lru's.
 *
 * Standing: reference: the reverse of lru.
 */
#include "policy/lib/eviction_order.h"

/* As many as a batch has faults by default. */
#define MRU_REST	256

struct mru {
	struct uvm_eviction_order order;	/* first */
	u64 faults;				/* pages demanded so far */
	u64 launches;				/* that have ended */
};

struct mru_unit {
	struct uvm_eviction_place place;	/* first */
	u64 fault;	/* mru.faults when it entered, or its last page came */
	u64 launch;	/* mru.launches then */
};

static void mru_rest(struct uvm_eviction_ctx *ctx, u32 unit)
{
	struct mru_unit *u = uvm_eviction_unit(ctx, unit);
	struct mru *mru = ctx->state;

	u->fault = mru->faults;
	u->launch = mru->launches;
}

static void eviction_mru_enter(struct uvm_eviction_ctx *ctx, u32 unit, u32 when,
			       enum uvm_enter_why why)
{
	uvm_eviction_order_append(ctx, unit);
	mru_rest(ctx, unit);
}

static void eviction_mru_arrive(struct uvm_eviction_ctx *ctx, u32 unit,
				const struct uvm_eviction_page *page)
{
	struct mru *mru = ctx->state;

	mru->faults = page->fault + page->demanded;
	mru_rest(ctx, unit);
}

static void eviction_mru_launch_end(struct uvm_eviction_ctx *ctx,
				    const struct uvm_eviction_launch *launch)
{
	struct mru *mru = ctx->state;

	mru->launches++;
}

static u32 eviction_mru_pick(struct uvm_eviction_ctx *ctx)
{
	struct mru *mru = ctx->state;
	struct mru_unit *u;

	list_for_each_entry_reverse(u, &mru->order.places, place.node) {
		u32 unit = uvm_eviction_unit_number(ctx, u);

		if ((mru->faults - u->fault >= MRU_REST || mru->launches != u->launch) &&
		    uvm_eviction_evictable(ctx, unit))
			return unit;
	}
	return uvm_eviction_first(ctx);
}

UVM_POLICY(eviction, mru, "what was most recently migrated to, and has not just come",
	   .state_bytes = sizeof(struct mru),
	   .unit_bytes = sizeof(struct mru_unit),
	   .init = uvm_eviction_order_init,
	   .enter = eviction_mru_enter,
	   .leave = uvm_eviction_order_leave,
	   .arrive = eviction_mru_arrive,
	   .launch_end = eviction_mru_launch_end,
	   .pick = eviction_mru_pick);
