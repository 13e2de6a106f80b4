// SPDX-License-Identifier: GPL-2.0
/*
 * First in, first out: unlike lru, a unit keeps its place when more pages come to it.  An
 * example of a policy with an order of its own.
 *
 * Standing: example.
 */
#include "policy/lib/eviction_order.h"

static void eviction_fifo_enter(struct uvm_eviction_ctx *ctx, u32 unit, u32 when,
				enum uvm_enter_why why)
{
	if (!uvm_eviction_is_placed(uvm_eviction_unit(ctx, unit)))
		uvm_eviction_order_append(ctx, unit);
}

UVM_POLICY(eviction, fifo, "what has been in GPU memory for longest",
	   .state_bytes = sizeof(struct uvm_eviction_order),
	   .unit_bytes = sizeof(struct uvm_eviction_place),
	   .init = uvm_eviction_order_init,
	   .enter = eviction_fifo_enter,
	   .leave = uvm_eviction_order_leave,
	   .pick = uvm_eviction_order_first);
