/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An order of units, for eviction policies that keep one of their own.
 *
 * The policy's bytes for the GPU begin with struct uvm_eviction_order, those of a unit with
 * struct uvm_eviction_place; then .init and .leave may be the functions here.
 */
#ifndef UVM_EVICTION_ORDER_H
#define UVM_EVICTION_ORDER_H

#include <linux/list.h>
#include "policy/eviction.h"

/**
 * struct uvm_eviction_order - an order
 * @places: of uvm_eviction_place.node; the head goes first
 */
struct uvm_eviction_order {
	struct list_head places;
};

/**
 * struct uvm_eviction_place - a unit's place in it
 * @node: in uvm_eviction_order.places; NULL before the unit had one for the first time
 */
struct uvm_eviction_place {
	struct list_head node;
};

/**
 * uvm_eviction_order_init - .init of a policy with an order
 * @ctx: the policy in force; the order is empty
 *
 * Context: a hook of the policy.
 */
void uvm_eviction_order_init(struct uvm_eviction_ctx *ctx);

/**
 * uvm_eviction_order_leave - .leave of a policy with an order
 * @ctx: the policy in force
 * @unit: a unit that had a place at least once; it has none now
 * @why: of no consequence
 *
 * Context: a hook of the policy.
 */
void uvm_eviction_order_leave(struct uvm_eviction_ctx *ctx, u32 unit, enum uvm_leave_why why);

/**
 * uvm_eviction_order_append - a unit is the last from now on, wherever it was
 * @ctx: the policy in force
 * @unit: the unit
 *
 * Context: a hook of the policy.
 */
void uvm_eviction_order_append(struct uvm_eviction_ctx *ctx, u32 unit);

/**
 * uvm_eviction_order_first - the first unit that may be evicted
 * @ctx: the policy in force
 *
 * Context: a hook of the policy.
 * Return: the unit; UVM_UNIT_NONE if none may.
 */
u32 uvm_eviction_order_first(struct uvm_eviction_ctx *ctx);

/**
 * uvm_eviction_is_placed - has a unit a place in the order?
 * @place: the unit's
 *
 * Return: true if so.
 */
static inline bool uvm_eviction_is_placed(const struct uvm_eviction_place *place)
{
	return place->node.next && !list_empty(&place->node);
}

#endif
