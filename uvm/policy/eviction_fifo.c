// SPDX-License-Identifier: GPL-2.0
/*
 * First in, first out: unlike lru, a unit keeps its place when more pages come to it.  An
 * example of a policy with an order of its own.
 */
#include <linux/list.h>
#include "policy/eviction.h"

struct fifo {
	struct list_head order;
};

struct fifo_unit {
	struct list_head node;	/* in fifo.order; NULL before the unit was first in use */
};

static void eviction_fifo_init(struct uvm_eviction_ctx *ctx)
{
	struct fifo *fifo = ctx->state;

	INIT_LIST_HEAD(&fifo->order);
}

static void eviction_fifo_enter(struct uvm_eviction_ctx *ctx, u32 unit, u32 when,
				enum uvm_enter_why why)
{
	struct fifo_unit *u = uvm_eviction_unit(ctx, unit);
	struct fifo *fifo = ctx->state;

	if (!u->node.next || list_empty(&u->node))
		list_add_tail(&u->node, &fifo->order);
}

static void eviction_fifo_leave(struct uvm_eviction_ctx *ctx, u32 unit, enum uvm_leave_why why)
{
	struct fifo_unit *u = uvm_eviction_unit(ctx, unit);

	list_del_init(&u->node);
}

static u32 eviction_fifo_pick(struct uvm_eviction_ctx *ctx)
{
	struct fifo *fifo = ctx->state;
	struct fifo_unit *u;

	list_for_each_entry(u, &fifo->order, node) {
		u32 unit = uvm_eviction_unit_number(ctx, u);

		if (uvm_eviction_evictable(ctx, unit))
			return unit;
	}
	return UVM_UNIT_NONE;
}

UVM_POLICY(eviction, fifo, "what has been in GPU memory for longest",
	   .state_bytes = sizeof(struct fifo),
	   .unit_bytes = sizeof(struct fifo_unit),
	   .init = eviction_fifo_init,
	   .enter = eviction_fifo_enter,
	   .leave = eviction_fifo_leave,
	   .pick = eviction_fifo_pick);
