/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The choice of eviction_policy=pilot: what will be used last of all goes (MIN, on a guess).
 *
 * What is used over and over has a rhythm: of an allocation whose evicted units come back after
 * about the same time, the next use of each is that time behind its last.  So what has just been
 * used goes first, and as much of a cycle as fits stays; lru evicts just what is next, and keeps
 * nothing of it.  Of all other allocations nothing is known, and what was used longest ago goes.
 *
 * - What was used since an eighth of memory came is at work, and stays.
 * - What was prefetched and has not been used yet is wanted soon, so it has no rhythm.
 * - What is late by less than its interval can be used any moment; by more, it has stopped.
 * - Of the rest of its 2 MB, what is used hardly earlier than the victim goes along, so that a
 *   stream leaves in large pieces: an eighth of memory at most.
 *
 * A choice looks at a few units, who take turns, and at those that were the best the last time.
 * Hardware is asked of those that are next to go.
 */
#ifndef UVM_PILOT_CHOICE_H
#define UVM_PILOT_CHOICE_H

#include "policy/pilot/pilot_units.h"

/* Units that are remembered, and that hardware is asked of in one round: assumed. */
#define UVM_PILOT_ASKED	8

/**
 * struct uvm_pilot_choice - the units that are next to go, in order
 * @unit: which
 * @far: ticks to their next use
 * @count: how many there are
 */
struct uvm_pilot_choice {
	u32 unit[UVM_PILOT_ASKED];
	u32 far[UVM_PILOT_ASKED];
	u32 count;
};

/**
 * struct uvm_pilot - the bytes of a GPU
 * @units: its units, first
 * @choice: the last choice
 * @hand: the place to go on looking from
 * @far: ticks to the next use of the unit that was picked
 */
struct uvm_pilot {
	struct uvm_pilot_units units;
	struct uvm_pilot_choice choice;
	u32 hand;
	u32 far;
};

/**
 * uvm_pilot_pick - .pick: what will be used last of all, on a guess
 * @ctx: the policy in force
 *
 * Context: a hook of the policy.
 * Return: the unit; the first of the allocator's order if nothing was found.
 */
u32 uvm_pilot_pick(struct uvm_eviction_ctx *ctx);

/**
 * uvm_pilot_also - .also: what is used hardly earlier than the victim goes along
 * @ctx: the policy in force
 * @unit: the victim
 * @victim: where it is
 * @pages: what goes is set; an eighth of memory at most
 *
 * Context: a hook of the policy.
 */
void uvm_pilot_also(struct uvm_eviction_ctx *ctx, u32 unit,
		    const struct uvm_eviction_victim *victim, struct uvm_page_mask *pages);

/* What policies of this kind have in common, as members of struct uvm_eviction_ops. */
#define UVM_PILOT_OPS						\
	.policy.range_state = &uvm_range_pilot,			\
	.state_bytes = sizeof(struct uvm_pilot),		\
	.unit_bytes = sizeof(struct uvm_pilot_record),		\
	.enter = uvm_pilot_units_enter,				\
	.leave = uvm_pilot_units_leave,				\
	.arrive = uvm_pilot_units_arrive,			\
	.pick = uvm_pilot_pick,					\
	.also = uvm_pilot_also

#endif
