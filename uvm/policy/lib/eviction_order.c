// SPDX-License-Identifier: GPL-2.0
/* An order of units; see eviction_order.h. */
#include "policy/lib/eviction_order.h"

void uvm_eviction_order_init(struct uvm_eviction_ctx *ctx)
{
	struct uvm_eviction_order *order = ctx->state;

	INIT_LIST_HEAD(&order->places);
}

void uvm_eviction_order_leave(struct uvm_eviction_ctx *ctx, u32 unit, enum uvm_leave_why why)
{
	struct uvm_eviction_place *place = uvm_eviction_unit(ctx, unit);

	list_del_init(&place->node);
}

void uvm_eviction_order_append(struct uvm_eviction_ctx *ctx, u32 unit)
{
	struct uvm_eviction_place *place = uvm_eviction_unit(ctx, unit);
	struct uvm_eviction_order *order = ctx->state;

	if (place->node.next)
		list_del(&place->node);
	list_add_tail(&place->node, &order->places);
}

u32 uvm_eviction_order_first(struct uvm_eviction_ctx *ctx)
{
	struct uvm_eviction_order *order = ctx->state;
	struct uvm_eviction_place *place;

	list_for_each_entry(place, &order->places, node) {
		u32 unit = uvm_eviction_unit_number(ctx, place);

		if (uvm_eviction_evictable(ctx, unit))
			return unit;
	}
	return UVM_UNIT_NONE;
}
