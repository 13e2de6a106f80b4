/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which unit holds a page, for policies that are told of page-walk hits (UVM_FEED_WALKS): the
 * recorder knows addresses, not units.
 *
 * The policy's bytes for a unit begin with struct uvm_eviction_held; its place (eviction_order.h)
 * is the policy's to use.  Of units larger than a page the address is that of the unit's first.
 */
#ifndef UVM_EVICTION_PAGES_H
#define UVM_EVICTION_PAGES_H

#include "policy/lib/eviction_order.h"
#include "policy/lib/key_hash.h"

/**
 * struct uvm_eviction_held - what a unit holds
 * @place: in an order of the policy
 * @slot: the page, in pages of a unit
 * @known: it holds it; otherwise it did, and may again unless the VA space is 0
 */
struct uvm_eviction_held {
	struct uvm_eviction_place place;	/* first */
	struct uvm_key_slot slot;
	bool known;
};

/* The page, in pages of a unit. */
struct uvm_key uvm_eviction_page_key(const struct uvm_eviction_ctx *ctx, u64 va_space, u64 va);
/* The unit that holds it; UVM_UNIT_NONE: none that is known. */
u32 uvm_eviction_holder(struct uvm_eviction_ctx *ctx, u64 va_space, u64 va);
/* The unit holds it from now on, and nobody else does.  Is that news? */
bool uvm_eviction_hold(struct uvm_eviction_ctx *ctx, u32 unit,
		       const struct uvm_eviction_page *page);
/* It leaves, and holds nothing that is known. */
void uvm_eviction_release(struct uvm_eviction_ctx *ctx, u32 unit, enum uvm_leave_why why);
/*
 * It enters.  Does it hold again what it did?  So it is when its eviction has failed, and when what
 * was discarded is wanted after all, unless that has come elsewhere.
 */
bool uvm_eviction_hold_again(struct uvm_eviction_ctx *ctx, u32 unit, enum uvm_enter_why why);

#endif
