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

/**
 * uvm_eviction_page_key - the key of a page, in pages of a unit
 * @ctx: the policy in force
 * @va_space: number of the VA space, from 1
 * @va: an address of the page
 *
 * Return: what uvm_eviction_held.slot has of it.
 */
struct uvm_key uvm_eviction_page_key(const struct uvm_eviction_ctx *ctx, u64 va_space, u64 va);

/**
 * uvm_eviction_holder - which unit holds a page?
 * @ctx: the policy in force
 * @va_space: number of the VA space
 * @va: an address of the page
 *
 * Context: a hook of the policy.
 * Return: the unit; UVM_UNIT_NONE: none that is known.
 */
u32 uvm_eviction_holder(struct uvm_eviction_ctx *ctx, u64 va_space, u64 va);

/**
 * uvm_eviction_hold - a page came to a unit, which holds it from now on
 * @ctx: the policy in force
 * @unit: the unit; what it held is forgotten, and so is another unit that held the page
 * @page: the page
 *
 * Context: a hook of the policy.
 * Return: true if that is news.
 */
bool uvm_eviction_hold(struct uvm_eviction_ctx *ctx, u32 unit,
		       const struct uvm_eviction_page *page);

/**
 * uvm_eviction_release - a unit leaves, and holds nothing that is known
 * @ctx: the policy in force
 * @unit: the unit
 * @why: as told to leave(); decides if it can hold the same again (uvm_eviction_may_return())
 *
 * Context: a hook of the policy.
 */
void uvm_eviction_release(struct uvm_eviction_ctx *ctx, u32 unit, enum uvm_leave_why why);

/**
 * uvm_eviction_hold_again - a unit enters: does it hold again what it did?
 * @ctx: the policy in force
 * @unit: the unit
 * @why: as told to enter()
 *
 * So it is when its eviction has failed, and when what was discarded is wanted after all, unless
 * that has come elsewhere.
 *
 * Context: a hook of the policy.
 * Return: true if so, and if it was not known to hold it already.
 */
bool uvm_eviction_hold_again(struct uvm_eviction_ctx *ctx, u32 unit, enum uvm_enter_why why);

#endif
