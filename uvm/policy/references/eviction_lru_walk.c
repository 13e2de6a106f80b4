// SPDX-License-Identifier: GPL-2.0
/*
 * Exact LRU: by the last page-walk hit or fault, in the order in which they were ("ideal model" of
 * LRU in the HPE paper, TCAD 2020, V-B).  Accesses that hit in a TLB are seen by nobody.
 *
 * Prefetched pages are no accesses: what comes with them alone has its place from then.
 *
 * Standing: reference: exact LRU, with which the HPE paper compares.  How far that is from the
 * paper's figures: Documentation/hpe.rst, *Measured*.
 *
 * Deviates: none is known in units of 4 KB without prefetching, which is what the paper has.  A
 * larger unit is touched by any of its pages.
 */
#include "policy/lib/eviction_pages.h"

static void eviction_lru_walk_enter(struct uvm_eviction_ctx *ctx, u32 unit, u32 when,
				    enum uvm_enter_why why)
{
	const struct uvm_eviction_held *held = uvm_eviction_unit(ctx, unit);

	if (!uvm_eviction_is_placed(&held->place))
		uvm_eviction_order_append(ctx, unit);
	uvm_eviction_hold_again(ctx, unit, why);
}

static void eviction_lru_walk_leave(struct uvm_eviction_ctx *ctx, u32 unit,
				    enum uvm_leave_why why)
{
	uvm_eviction_order_leave(ctx, unit, why);
	uvm_eviction_release(ctx, unit, why);
}

static void eviction_lru_walk_arrive(struct uvm_eviction_ctx *ctx, u32 unit,
				     const struct uvm_eviction_page *page)
{
	if (uvm_eviction_hold(ctx, unit, page) || page->demanded)
		uvm_eviction_order_append(ctx, unit);
}

static void eviction_lru_walk_touch(struct uvm_eviction_ctx *ctx, u32 unit,
				    const struct uvm_eviction_touch *touch)
{
	unit = uvm_eviction_holder(ctx, touch->va_space, touch->va);
	if (unit != UVM_UNIT_NONE)
		uvm_eviction_order_append(ctx, unit);
}

static u32 eviction_lru_walk_pick(struct uvm_eviction_ctx *ctx)
{
	u32 unit = uvm_eviction_order_first(ctx);

	return unit == UVM_UNIT_NONE ? uvm_eviction_first(ctx) : unit;
}

UVM_POLICY(eviction, lru_walk, "what was least recently walked to, or faulted (exact LRU)",
	   .policy.feeds = UVM_FEED_WALKS,
	   .policy.params = "hpe_readings recorder_no_fill",
	   .state_bytes = sizeof(struct uvm_eviction_order),
	   .unit_bytes = sizeof(struct uvm_eviction_held),
	   .init = uvm_eviction_order_init,
	   .enter = eviction_lru_walk_enter,
	   .leave = eviction_lru_walk_leave,
	   .arrive = eviction_lru_walk_arrive,
	   .touch = eviction_lru_walk_touch,
	   .pick = eviction_lru_walk_pick);
