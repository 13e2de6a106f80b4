/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Units for eviction_policy=pilot: which are in use, what they hold, when they were used, and the
 * rhythm of the range that they belong to.
 *
 * What is remembered of addresses is in the range state (range_pilot.h); a range's rhythm is kept
 * here, too, as it was when a unit of it came last, so that a choice looks at units alone.
 */
#ifndef UVM_PILOT_UNITS_H
#define UVM_PILOT_UNITS_H

#include "policy/eviction.h"
#include "policy/lib/key_hash.h"
#include "policy/pilot/range_pilot.h"

/**
 * struct uvm_pilot_range - a range that has units
 * @slot: VA space and first address
 * @rhythm: of its returns
 * @units: how many it has
 * @next: of a free record the next free one, and 1
 */
struct uvm_pilot_range {
	struct uvm_key_slot slot;
	struct uvm_pilot_rhythm rhythm;
	u32 units;
	u32 next;
};

/**
 * struct uvm_pilot_unit - a unit
 * @held: VA space and address of what it holds, in units; the key stays when it has left
 * @va: of the page that came to it first: a range may begin within a unit
 * @used: tick of its last use, as far as known
 * @interval: ticks between its two uses before it came back last; 0: it did not
 * @range: record of its range, and 1; 0: none
 * @place: among those in use
 * @in_use: it is
 * @known: @held is what it holds
 * @prefetched: it came without a fault
 * @unused: and nobody has seen a use since
 * @going: it leaves along with another one
 */
struct uvm_pilot_unit {
	struct uvm_key_slot held;
	u64 va;
	u32 used;
	u32 interval;
	u32 range;
	u32 place;
	bool in_use;
	bool known;
	bool prefetched;
	bool unused;
	bool going;
};

/**
 * struct uvm_pilot_record - the bytes of a unit
 * @unit: the unit's
 * @range: of any range: there are no more than units
 * @at: the unit at this place
 * @came: tick of an arrival; arrivals take turns
 */
struct uvm_pilot_record {
	struct uvm_pilot_unit unit;
	struct uvm_pilot_range range;
	u32 at;
	u32 came;
};

/**
 * struct uvm_pilot_units - the bytes of a GPU; a policy with more has these first
 * @in_use: how many
 * @ranges: records that ever had a range
 * @free: a record that has none any more, and 1
 * @came: units that came since the policy is in force
 * @told: the policy is told of uses, so nobody has to ask
 */
struct uvm_pilot_units {
	u32 in_use;
	u32 ranges;
	u32 free;
	u32 came;
	bool told;
};

/**
 * uvm_pilot_units_enter - .enter: a unit is in use
 * @ctx: the policy in force
 * @unit: the unit
 * @when: its last use
 * @why: as told to the hook; it may hold what it held
 *
 * Context: a hook of the policy.
 */
void uvm_pilot_units_enter(struct uvm_eviction_ctx *ctx, u32 unit, u32 when,
			   enum uvm_enter_why why);

/**
 * uvm_pilot_units_leave - .leave: a unit is not in use any more
 * @ctx: the policy in force
 * @unit: the unit
 * @why: as told to the hook; the range is told of an eviction
 *
 * Context: a hook of the policy.
 */
void uvm_pilot_units_leave(struct uvm_eviction_ctx *ctx, u32 unit, enum uvm_leave_why why);

/**
 * uvm_pilot_units_arrive - .arrive: a page came to a unit
 * @ctx: the policy in force
 * @unit: the unit
 * @page: the page; the last block to come is the one that the unit holds
 *
 * Context: a hook of the policy.
 */
void uvm_pilot_units_arrive(struct uvm_eviction_ctx *ctx, u32 unit,
			    const struct uvm_eviction_page *page);

/**
 * uvm_pilot_units_find - which unit holds an address?
 * @ctx: the policy in force
 * @va_space: number of the VA space
 * @va: the address
 *
 * Context: a hook of the policy.
 * Return: the unit; UVM_UNIT_NONE: none that is known.
 */
u32 uvm_pilot_units_find(struct uvm_eviction_ctx *ctx, u64 va_space, u64 va);

/**
 * uvm_pilot_units_came - when a unit came, counted from the latest
 * @ctx: the policy in force
 * @back: how many units ago, 1 to @ctx->nr_units
 *
 * Context: a hook of the policy.
 * Return: tick; 0: not so many have come.
 */
u32 uvm_pilot_units_came(struct uvm_eviction_ctx *ctx, u32 back);

/**
 * uvm_pilot_units_use - a unit was used
 * @ctx: the policy in force
 * @unit: the unit
 * @when: tick of the use
 *
 * Context: a hook of the policy.
 * Return: false: no later than is known.
 */
bool uvm_pilot_units_use(struct uvm_eviction_ctx *ctx, u32 unit, u32 when);

/**
 * uvm_pilot_units_ask - ask the hardware of a unit's last use, if it can tell
 * @ctx: the policy in force
 * @unit: the unit
 *
 * It is not asked if the policy is told of uses anyway.
 *
 * Context: a hook of the policy.
 * Return: true: it was used since what was known.
 */
bool uvm_pilot_units_ask(struct uvm_eviction_ctx *ctx, u32 unit);

/**
 * uvm_pilot_record - a record
 * @ctx: the policy in force
 * @i: its number, below @ctx->nr_units
 *
 * Return: the record; only its .unit is that of unit @i.
 */
static inline struct uvm_pilot_record *uvm_pilot_record(struct uvm_eviction_ctx *ctx, u32 i)
{
	return uvm_eviction_unit(ctx, i);
}

/**
 * uvm_pilot_units_rhythm - the rhythm of a unit's range
 * @ctx: the policy in force
 * @unit: the unit
 *
 * Return: the rhythm, as it was when a unit of the range came last; NULL: it is not known.
 */
static inline const struct uvm_pilot_rhythm *
uvm_pilot_units_rhythm(struct uvm_eviction_ctx *ctx, const struct uvm_pilot_unit *unit)
{
	return unit->range ? &uvm_pilot_record(ctx, unit->range - 1)->range.rhythm : NULL;
}

#endif
