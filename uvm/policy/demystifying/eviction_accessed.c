// SPDX-License-Identifier: GPL-2.0
/*
 * Eviction that knows accesses ("GPU memory access-aware eviction", demystifying
 * VI-A and VI-B).
 *
 * lru knows faults only.  Memory that is resident does not fault however often it is used, so lru
 * evicts the hottest memory in its turn.  Here the hardware says when it was accessed last
 * (REG_ACCESSED_*).  The hardware is not asked about all units, only about the first in the order.
 * If this unit was used since it got its place, it is moved to the place that it should have.  Then
 * the next one is first.  The first unit whose place is right is the least recently used: the
 * places of the others can only be too early.
 *
 * Without the extension nothing counts as accessed, and this is lru.
 *
 * Standing: published ("Demystifying GPU UVM Cost", 2021, VI-A, a suggestion).  How far it is from
 * the paper's figures: Documentation/demystifying.rst, *The suggestions*.
 *
 * Deviates: the paper proposes such a policy (VI-A, VI-B) and has no numbers for it.  That no
 * more than 64 units are asked for one choice is assumed.
 */
#include "policy/lib/eviction_order.h"

/* Readings before the first is taken nevertheless: what a choice costs at most. */
#define ACCESSED_READINGS	64

struct accessed_unit {
	struct uvm_eviction_place place;	/* in the order of @used, as far as known */
	u32 used;				/* in ticks that wrap */
};

static void eviction_accessed_enter(struct uvm_eviction_ctx *ctx, u32 unit, u32 when,
				    enum uvm_enter_why why)
{
	struct accessed_unit *u = uvm_eviction_unit(ctx, unit);

	u->used = when;
	uvm_eviction_order_append(ctx, unit);
}

/* Behind all that are known to have been used before; false: its last use is no news. */
static bool accessed_place(struct uvm_eviction_ctx *ctx, u32 unit)
{
	struct accessed_unit *u = uvm_eviction_unit(ctx, unit);
	struct uvm_eviction_order *order = ctx->state;
	u32 used = uvm_eviction_last_access(ctx, unit);
	struct list_head *pos;

	if (!used || !uvm_eviction_before(u->used, used))
		return false;
	u->used = used;
	list_del(&u->place.node);
	list_for_each_prev(pos, &order->places) {
		const struct accessed_unit *other =
			list_entry(pos, struct accessed_unit, place.node);

		if (!uvm_eviction_before(used, other->used))
			break;
	}
	list_add(&u->place.node, pos);
	return true;
}

static u32 eviction_accessed_pick(struct uvm_eviction_ctx *ctx)
{
	unsigned int left = ACCESSED_READINGS;

	while (left-- && accessed_place(ctx, uvm_eviction_order_first(ctx)))
		;
	return uvm_eviction_order_first(ctx);
}

UVM_POLICY(eviction, accessed, "what was least recently accessed (by a hardware extension)",
	   .policy.feeds = UVM_FEED_ACCESSED,
	   .state_bytes = sizeof(struct uvm_eviction_order),
	   .unit_bytes = sizeof(struct accessed_unit),
	   .init = uvm_eviction_order_init,
	   .enter = eviction_accessed_enter,
	   .leave = uvm_eviction_order_leave,
	   .pick = eviction_accessed_pick);
