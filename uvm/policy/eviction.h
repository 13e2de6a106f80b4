/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Eviction: which GPU memory to give up.
 *
 * Memory is given up in units of 2 MB, 64 KB or 4 KB (root_chunk_granularity).  A policy
 * knows units by number, their place in GPU memory; what a number stands for changes when
 * its unit leaves.  It may keep bytes per GPU and bytes per unit, which are zero when it
 * comes into force, is told of the events that it has a function for, and picks victims.
 *
 * A policy that is chosen anew begins with init() and an enter() for each unit in use, in
 * the allocator's order.  All calls of one GPU come one after the other, under the lock of
 * its memory.  An answer is checked against the unit's own state; a wrong one is replaced by
 * the first unit of the allocator's order, and counted: after UVM_EVICTION_WRONG of them the
 * default policy takes over.
 *
 * While the driver serves a fault it gets units one after the other, and may have to evict in
 * between.  A unit that it has just got holds no page yet, so to a policy that counts pages it
 * looks like the least of all.  Policies that are told of pages do not see it before one has
 * come: it *rests*.
 */
#ifndef UVM_EVICTION_H
#define UVM_EVICTION_H

#include <linux/bitmap.h>
#include <linux/limits.h>
#include <linux/types.h>
#include "policy/declare.h"
#include "policy/random.h"

struct uvm_eviction_plan;
struct uvm_page_mask;
struct uvm_params;

#define UVM_UNIT_NONE		U32_MAX
#define UVM_EVICTION_WRONG	64

enum uvm_enter_why {
	UVM_ENTER_BLOCK,	/* a block has got it, or a piece of it */
	UVM_ENTER_WANTED,	/* its pages are wanted, or wanted again */
	UVM_ENTER_PIECE,	/* a piece of it was given back, the rest stays */
	UVM_ENTER_BACK,		/* its eviction has failed */
	UVM_ENTER_POLICY,	/* it was in use when the policy came into force */
};

enum uvm_leave_why {
	UVM_LEAVE_EVICTED,	/* it is being evicted */
	UVM_LEAVE_FREED,	/* its block has given it back */
	UVM_LEAVE_UNUSED,	/* no page is resident there: it goes before all in use */
	UVM_LEAVE_DISCARDED,	/* nobody wants what is there: likewise */
};

/**
 * struct uvm_eviction_page - a page that came to GPU memory
 * @va: its address
 * @va_space: number of its VA space
 * @fault: how many pages of this GPU were demanded before it, since the policy came into force
 * @demanded: a fault asked for it; otherwise it was prefetched, or moved by a call
 * @returned: it had been evicted from this GPU before
 */
struct uvm_eviction_page {
	u64 va;
	u64 va_space;
	u64 fault;
	bool demanded;
	bool returned;
};

/**
 * struct uvm_eviction_touch - hardware says that memory was accessed
 * @when: tick of the last access, as uvm_eviction_now()
 * @count: accesses, 1 if the feed does not count; of UVM_FEED_WALKS and UVM_FEED_HIR page-walk hits
 * @va: address, if the feed tells it, with UVM_FEED_WALKS and UVM_FEED_HIR of the page, with
 *	UVM_FEED_ACCESSES and UVM_FEED_REQUESTS of the 64 KB; else 0
 * @va_space: number of its VA space, likewise
 */
struct uvm_eviction_touch {
	u32 when;
	u32 count;
	u64 va;
	u64 va_space;
};

/**
 * struct uvm_eviction_launch - a launch that begins or has ended on the GPU
 * @id: its number within its context
 * @va_space: number of its VA space
 * @function: address of the entry function
 * @blocks: of its grid
 */
struct uvm_eviction_launch {
	u64 id;
	u64 va_space;
	u64 function;
	u64 blocks;
};

/**
 * struct uvm_eviction_victim - a unit of a VA block that is about to be evicted
 * @va: address of the block's first page
 * @va_space: number of its VA space
 * @resident: pages of the block that are in this GPU's memory
 * @begin: first page that the block has
 * @end: the page behind its last
 * @first: first page of the unit in the block
 * @outer: the page behind its last
 */
struct uvm_eviction_victim {
	u64 va;
	u64 va_space;
	const struct uvm_page_mask *resident;
	unsigned int begin;
	unsigned int end;
	unsigned int first;
	unsigned int outer;
};

/**
 * struct uvm_eviction_prefetch - pages of a VA block that are to come along with faulted ones
 * @va: address of the block's first page
 * @va_space: number of its VA space
 * @faulted: pages that come because of faults
 * @resident: pages that are in this GPU's memory, or NULL
 * @free: units that nobody has
 */
struct uvm_eviction_prefetch {
	u64 va;
	u64 va_space;
	const struct uvm_page_mask *faulted;
	const struct uvm_page_mask *resident;
	u32 free;
};

struct uvm_eviction_ctx;

/**
 * struct uvm_eviction_view - what the allocator lets policies see; the calls below
 * @first: see uvm_eviction_first()
 * @next: see uvm_eviction_next()
 * @evictable: see uvm_eviction_evictable()
 * @last_access: see uvm_eviction_last_access()
 * @now: see uvm_eviction_now()
 * @count: see uvm_eviction_count()
 * @range: see uvm_eviction_range()
 */
struct uvm_eviction_view {
	u32 (*first)(void *memory);
	u32 (*next)(void *memory, u32 unit);
	bool (*evictable)(void *memory, u32 unit);
	u32 (*last_access)(void *memory, u32 unit);
	u32 (*now)(void *memory);
	u32 (*count)(void *memory);
	bool (*range)(void *memory, const struct uvm_range_state *state, u64 va_space, u64 va,
		      uvm_range_read_fn read, void *arg);
};

/**
 * struct uvm_eviction_spent - what a policy has done that takes time by itself
 * @compared: sets or units that a search has looked at: cost_policy_compare each
 * @records: records of hardware that it has entered in its books: cost_policy_record each
 * @classified: how often it has looked at all that it knows: cost_policy_classify each
 *
 * A policy that adds nothing is charged a pick as part of cost_evict, like all.
 */
struct uvm_eviction_spent {
	u64 compared;
	u64 records;
	u64 classified;
};

/**
 * struct uvm_eviction_ctx - a policy in force on a GPU
 * @view: how the allocator answers
 * @memory: the allocator; not for policies
 * @state: the policy's bytes for the GPU
 * @units: the policy's bytes for all units
 * @unit_bytes: for each
 * @came: bit per unit that a page has come to since it was in nobody's hands; NULL: the policy
 *	is told of no pages
 * @nr_units: how many there are
 * @unit_pages: pages of a unit
 * @params: parameters when the policy came into force; policy/param.h
 * @plan: for who knows the future (policy/eviction_plan.h), or NULL
 * @spent: the policy adds to it
 * @random: numbers by the seed, from where the policy came into force
 */
struct uvm_eviction_ctx {
	const struct uvm_eviction_view *view;
	void *memory;
	void *state;
	void *units;
	u32 unit_bytes;
	unsigned long *came;
	u32 nr_units;
	u32 unit_pages;
	const struct uvm_params *params;
	struct uvm_eviction_plan *plan;
	struct uvm_eviction_spent spent;
	struct uvm_random random;
};

/**
 * struct uvm_eviction_number - something that a policy tells people of
 * @name: a word
 * @value: the number
 */
struct uvm_eviction_number {
	const char *name;
	u64 value;
};

enum uvm_tick_by {
	UVM_TICK_NEVER,
	UVM_TICK_FAULTS,	/* pages demanded */
	UVM_TICK_PAGES,		/* pages that came */
	UVM_TICK_NS,		/* driver time; as far as the driver has something to do */
};

/**
 * struct uvm_eviction_ops - which GPU memory to give up
 * @policy: its name, for all kinds the same
 * @state_bytes: what it keeps for a GPU
 * @unit_bytes: what it keeps for a unit
 * @tick_by: what @tick_every counts
 * @tick_every: with what distance tick() is called
 * @init: it comes into force
 * @exit: another one does
 * @enter: the unit is in use from now on, or once more the last of the allocator's order
 *	(nvidia-uvm 4.2); @when: since when, as uvm_eviction_now()
 * @leave: it is not in use any more
 * @arrive: a page came to the unit, which may enter later, when the driver has done its work
 * @refault: likewise, of pages that had been evicted; before arrive()
 * @touch: a unit was accessed, or with UVM_UNIT_NONE what is not in this memory; of the feeds
 *	that @policy.feeds names.  UVM_FEED_ACCESSED: at each tick, all that were since the last,
 *	or at its very time
 * @launch_begin: a launch begins
 * @launch_end: it has ended
 * @fetch_every: with a feed of the recorder: hardware is asked for its records before the
 *	Nth, 2Nth ... page demanded, counted from 1; at least before memory is full for the first
 *	time.  NULL: before each batch of faults.  0: not now, whatever happens
 * @full: memory is full for the first time
 * @tick: see @tick_every; @n: number of the tick, from 1
 * @pick: which unit goes; one that uvm_eviction_evictable() is.  At least one exists
 * @number: number @i of what it tells people; false: there are no more
 * @refuse: of the pages that a prefetcher has chosen, clear those that are not worth the victim
 * @also: further pages of the victim's block, which go with it: set them in @pages.  What is
 *	not resident on the GPU is left out
 *
 * All but @pick may be NULL, and what is costs nothing.  Each call of arrive, refault, touch,
 * launch_begin, launch_end, refuse and tick is charged cost_policy; a pick is part of cost_evict,
 * and what struct uvm_eviction_spent counts comes on top.
 */
struct uvm_eviction_ops {
	struct uvm_policy policy;
	u32 state_bytes;
	u32 unit_bytes;
	enum uvm_tick_by tick_by;
	u64 tick_every;
	void (*init)(struct uvm_eviction_ctx *ctx);
	void (*exit)(struct uvm_eviction_ctx *ctx);
	void (*enter)(struct uvm_eviction_ctx *ctx, u32 unit, u32 when, enum uvm_enter_why why);
	void (*leave)(struct uvm_eviction_ctx *ctx, u32 unit, enum uvm_leave_why why);
	void (*arrive)(struct uvm_eviction_ctx *ctx, u32 unit,
		       const struct uvm_eviction_page *page);
	void (*refault)(struct uvm_eviction_ctx *ctx, u32 unit,
			const struct uvm_eviction_page *page);
	void (*touch)(struct uvm_eviction_ctx *ctx, u32 unit,
		      const struct uvm_eviction_touch *touch);
	void (*launch_begin)(struct uvm_eviction_ctx *ctx,
			     const struct uvm_eviction_launch *launch);
	void (*launch_end)(struct uvm_eviction_ctx *ctx,
			   const struct uvm_eviction_launch *launch);
	u32 (*fetch_every)(struct uvm_eviction_ctx *ctx);
	void (*full)(struct uvm_eviction_ctx *ctx);
	void (*tick)(struct uvm_eviction_ctx *ctx, u64 n);
	u32 (*pick)(struct uvm_eviction_ctx *ctx);
	bool (*number)(struct uvm_eviction_ctx *ctx, unsigned int i,
		       struct uvm_eviction_number *number);
	void (*refuse)(struct uvm_eviction_ctx *ctx, const struct uvm_eviction_prefetch *prefetch,
		       struct uvm_page_mask *pages);
	void (*also)(struct uvm_eviction_ctx *ctx, u32 unit,
		     const struct uvm_eviction_victim *victim, struct uvm_page_mask *pages);
};

/**
 * uvm_eviction_unit - the policy's bytes for a unit
 * @ctx: the policy in force
 * @unit: number of the unit, below @ctx->nr_units
 *
 * Context: any; the caller looks after the bytes.
 * Return: @ctx->unit_bytes bytes, zero when the policy came into force.
 */
static inline void *uvm_eviction_unit(struct uvm_eviction_ctx *ctx, u32 unit)
{
	return ctx->units + (size_t)unit * ctx->unit_bytes;
}

/**
 * uvm_eviction_unit_number - which unit do these bytes belong to?
 * @ctx: the policy in force
 * @unit: what uvm_eviction_unit() gave, or a place within these bytes
 *
 * Context: any.
 * Return: number of the unit.
 */
static inline u32 uvm_eviction_unit_number(struct uvm_eviction_ctx *ctx, const void *unit)
{
	return (unit - ctx->units) / ctx->unit_bytes;
}

/* Was the unit got just now, and no page has come? */
static inline bool uvm_eviction_rests(struct uvm_eviction_ctx *ctx, u32 unit)
{
	return unlikely(ctx->came) && !test_bit(unit, ctx->came);
}

/**
 * uvm_eviction_next - the unit behind another one in the order of nvidia-uvm
 * @ctx: the policy in force
 * @unit: a unit of that order
 *
 * Units that rest are passed over.
 *
 * Context: a hook of the policy.
 * Return: the unit; UVM_UNIT_NONE at the end.
 */
static inline u32 uvm_eviction_next(struct uvm_eviction_ctx *ctx, u32 unit)
{
	do
		unit = ctx->view->next(ctx->memory, unit);
	while (unit != UVM_UNIT_NONE && uvm_eviction_rests(ctx, unit));
	return unit;
}

/**
 * uvm_eviction_first - the first of the units that may be evicted, in the order of nvidia-uvm
 * @ctx: the policy in force
 *
 * That is the one which was least recently migrated to (nvidia-uvm 4.2).
 *
 * Context: a hook of the policy.
 * Return: the unit; UVM_UNIT_NONE if there is none.
 */
static inline u32 uvm_eviction_first(struct uvm_eviction_ctx *ctx)
{
	u32 unit = ctx->view->first(ctx->memory);

	if (unit != UVM_UNIT_NONE && uvm_eviction_rests(ctx, unit))
		return uvm_eviction_next(ctx, unit);
	return unit;
}

/**
 * uvm_eviction_evictable - may a unit be evicted now?
 * @ctx: the policy in force
 * @unit: number of the unit
 *
 * Context: a hook of the policy.
 * Return: true if it is in use, nobody is at work on it, and it does not rest.
 */
static inline bool uvm_eviction_evictable(struct uvm_eviction_ctx *ctx, u32 unit)
{
	return ctx->view->evictable(ctx->memory, unit) && !uvm_eviction_rests(ctx, unit);
}

/**
 * uvm_eviction_last_access - when was a unit accessed last?
 * @ctx: a policy with UVM_FEED_ACCESSED, in force
 * @unit: number of the unit
 *
 * The hardware is asked: that is a register read, and is charged.  Units smaller than 64 KB share
 * an answer.
 *
 * Context: a hook of the policy.
 * Return: tick, as uvm_eviction_now(); 0: never, as far as hardware remembers.
 */
static inline u32 uvm_eviction_last_access(struct uvm_eviction_ctx *ctx, u32 unit)
{
	return ctx->view->last_access(ctx->memory, unit);
}

/**
 * uvm_eviction_now - what time is it?
 * @ctx: the policy in force
 *
 * Context: a hook of the policy.
 * Return: tick; ticks wrap, see uvm_eviction_before().
 */
static inline u32 uvm_eviction_now(struct uvm_eviction_ctx *ctx)
{
	return ctx->view->now(ctx->memory);
}

/**
 * uvm_eviction_count - how many units are there just now, in use or free?
 * @ctx: the policy in force
 *
 * Context: a hook of the policy.
 * Return: at most @ctx->nr_units; fewer where others have memory of the GPU.
 */
static inline u32 uvm_eviction_count(struct uvm_eviction_ctx *ctx)
{
	return ctx->view->count(ctx->memory);
}

/**
 * uvm_eviction_range - what is kept of a managed range?
 * @ctx: the policy in force
 * @state: the range state that it names
 * @va_space: number of the VA space
 * @va: an address of the range
 * @read: gets it
 * @arg: passed on
 *
 * Return: false if there is no such range any more, or if the VA space has not chosen a policy
 * that names the state: the GPU's policy may be somebody else's.
 */
static inline bool uvm_eviction_range(struct uvm_eviction_ctx *ctx,
				      const struct uvm_range_state *state, u64 va_space, u64 va,
				      uvm_range_read_fn read, void *arg)
{
	return ctx->view->range && ctx->view->range(ctx->memory, state, va_space, va, read, arg);
}

/**
 * uvm_eviction_may_return - can what a leaving unit holds be there when it enters again?
 * @why: as told to leave()
 *
 * Return: true if it is evicted, which can fail, or discarded, and may be wanted after all.
 */
static inline bool uvm_eviction_may_return(enum uvm_leave_why why)
{
	return why == UVM_LEAVE_EVICTED || why == UVM_LEAVE_DISCARDED;
}

/**
 * uvm_eviction_returns - does an entering unit hold what it held when it left?
 * @why: as told to enter()
 *
 * To be asked of a unit only if uvm_eviction_may_return() said yes when it left.
 *
 * Return: true if its eviction has failed, or what was discarded is wanted.
 */
static inline bool uvm_eviction_returns(enum uvm_enter_why why)
{
	return why == UVM_ENTER_BACK || why == UVM_ENTER_WANTED;
}

/**
 * uvm_eviction_before - is a tick earlier than another one?
 * @a: a tick
 * @b: another one, less than 2^31 away
 *
 * Return: true if @a is earlier; ticks wrap.
 */
static inline bool uvm_eviction_before(u32 a, u32 b)
{
	return (s32)(a - b) < 0;
}

#endif
