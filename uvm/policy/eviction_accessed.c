// SPDX-License-Identifier: GPL-2.0
/*
 * Eviction that knows accesses ("GPU memory access-aware eviction", demystifying
 * VI-A and VI-B).
 *
 * lru knows faults, and what is used often and resident does not fault: the hottest
 * memory sinks to the end of the order.  Here the hardware says when it was accessed
 * last (REG_ACCESSED_*).  Nobody asks for all of memory: only whoever is first in the
 * order is looked at.  If it was used since it got its place, it gets the one that it
 * should have; the first whose place is right was not used for longer than any
 * other, as theirs can only be too early.
 *
 * Without the extension nothing counts as accessed, and this is lru.
 */
#include <linux/list.h>
#include "policy/eviction.h"

/* Readings before the first is taken nevertheless: what a choice costs at most. */
#define ACCESSED_READINGS	64

struct accessed {
	struct list_head order;	/* of accessed_unit.used, as far as known */
};

struct accessed_unit {
	struct list_head node;
	u32 used;		/* in ticks that wrap */
};

static void eviction_accessed_init(struct uvm_eviction_ctx *ctx)
{
	struct accessed *a = ctx->state;

	INIT_LIST_HEAD(&a->order);
}

static void eviction_accessed_leave(struct uvm_eviction_ctx *ctx, u32 unit,
				    enum uvm_leave_why why)
{
	struct accessed_unit *u = uvm_eviction_unit(ctx, unit);

	list_del_init(&u->node);
}

static void eviction_accessed_enter(struct uvm_eviction_ctx *ctx, u32 unit, u32 when,
				    enum uvm_enter_why why)
{
	struct accessed_unit *u = uvm_eviction_unit(ctx, unit);
	struct accessed *a = ctx->state;

	if (u->node.next)
		list_del(&u->node);
	u->used = when;
	list_add_tail(&u->node, &a->order);
}

/* Behind all that are known to have been used before; false: its last use is no news. */
static bool accessed_place(struct uvm_eviction_ctx *ctx, u32 unit)
{
	struct accessed_unit *u = uvm_eviction_unit(ctx, unit);
	struct accessed *a = ctx->state;
	u32 used = uvm_eviction_last_access(ctx, unit);
	struct list_head *pos;

	if (!used || !uvm_eviction_before(u->used, used))
		return false;
	u->used = used;
	list_del(&u->node);
	list_for_each_prev(pos, &a->order) {
		if (!uvm_eviction_before(used, list_entry(pos, struct accessed_unit, node)->used))
			break;
	}
	list_add(&u->node, pos);
	return true;
}

static u32 accessed_first(struct uvm_eviction_ctx *ctx)
{
	struct accessed *a = ctx->state;
	struct accessed_unit *u;

	list_for_each_entry(u, &a->order, node) {
		u32 unit = uvm_eviction_unit_number(ctx, u);

		if (uvm_eviction_evictable(ctx, unit))
			return unit;
	}
	return UVM_UNIT_NONE;
}

static u32 eviction_accessed_pick(struct uvm_eviction_ctx *ctx)
{
	unsigned int left = ACCESSED_READINGS;

	while (left-- && accessed_place(ctx, accessed_first(ctx)))
		;
	return accessed_first(ctx);
}

UVM_POLICY(eviction, accessed, "what was least recently accessed (by a hardware extension)",
	   .policy.feeds = UVM_FEED_ACCESSED,
	   .state_bytes = sizeof(struct accessed),
	   .unit_bytes = sizeof(struct accessed_unit),
	   .init = eviction_accessed_init,
	   .enter = eviction_accessed_enter,
	   .leave = eviction_accessed_leave,
	   .pick = eviction_accessed_pick);
