// SPDX-License-Identifier: GPL-2.0
/*
 * MIN (Belady, 1966): what is needed last goes first.  When that is comes from a plan that was made
 * off line for what an earlier run accessed (eviction_plan.h); without one this is lru.  The ideal
 * policy of the HPE paper (TCAD 2020, V-B).
 *
 * When a page comes, its next stay of the plan begins; of all units the one whose stay ends first
 * goes.  What the plan does not have, or has for good, goes last, and of these what came first.  So
 * with touches in the order of the plan the victims are those of MIN.  A machine whose SMs go
 * their own ways brings a page earlier, or later, or once more: then that one page is wrong.
 *
 * A page comes for whoever waits for it, also if its stay is over at once: for min_delay faults it
 * is young, and goes after all others.
 *
 * Standing: reference: it needs the future.
 *
 * Deviates: touches are those of an earlier run with all memory, so this is no bound
 * (arena.rst).  min_delay is ours.
 */
#include <linux/minmax.h>
#include "policy/lib/eviction_pages.h"
#include "policy/eviction_plan.h"
#include "policy/lib/max_tree.h"
#include "policy/policy_param.h"

UVM_POLICY_PARAM(min_delay, UINT, 64, 0, 65536,
		 "faults for which a page that came is no victim of eviction_policy=min");

#define MIN_ARRIVAL_BITS	31

/**
 * struct min_state - the policy's bytes for a GPU
 * @young: units whose page came lately, through min_unit.held.place, in that order
 * @tree: of the others, by unit: minus when they go
 * @faults: pages that were demanded
 * @arrivals: pages that came
 */
struct min_state {
	struct list_head young;
	struct uvm_max_tree tree;
	u64 faults;
	u64 arrivals;
};

/**
 * struct min_unit - of a unit
 * @held: its page
 * @nodes: of min_state.tree
 * @end: when it goes, in the order of s64: less than 0, later first
 * @came: fault with which its page came
 */
struct min_unit {
	struct uvm_eviction_held held;	/* first */
	s64 nodes[UVM_MAX_TREE_NODES];
	s64 end;
	u64 came;
};

static struct uvm_eviction_plan_page *min_find(const struct uvm_eviction_plan *plan,
					       const struct uvm_key *key)
{
	u32 low = 0, high = key->space == plan->va_space ? plan->nr_pages : 0, end = high;

	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (plan->pages[middle].page < key->number)
			low = middle + 1;
		else
			high = middle;
	}
	return low < end && plan->pages[low].page == key->number ? &plan->pages[low] : NULL;
}

/* A stay of the page begins: when does it end? */
static s64 min_begin_stay(struct uvm_eviction_ctx *ctx, const struct uvm_key *page)
{
	struct uvm_eviction_plan_page *p = min_find(ctx->plan, page);
	struct min_state *min = ctx->state;
	u32 end = UVM_STAY_FOR_GOOD;

	if (p && p->used < p->count)
		end = ctx->plan->ends[p->first + p->used++];
	/* of several that end at once whatever came first: where units are must not tell */
	return -((s64)end << MIN_ARRIVAL_BITS | (min->arrivals++ & (BIT(MIN_ARRIVAL_BITS) - 1)));
}

static void min_forget(struct uvm_eviction_ctx *ctx, u32 unit)
{
	struct min_unit *u = uvm_eviction_unit(ctx, unit);
	struct min_state *min = ctx->state;

	if (uvm_eviction_is_placed(&u->held.place))
		list_del_init(&u->held.place.node);
	else
		uvm_max_tree_set(&min->tree, unit, UVM_MAX_TREE_NONE);
}

/* Those that are no longer young. */
static void min_grow_up(struct uvm_eviction_ctx *ctx)
{
	struct min_state *min = ctx->state;
	struct min_unit *u, *next;

	list_for_each_entry_safe(u, next, &min->young, held.place.node) {
		if (min->faults - u->came < uvm_param(ctx->params, min_delay))
			return;
		list_del_init(&u->held.place.node);
		uvm_max_tree_set(&min->tree, uvm_eviction_unit_number(ctx, u), u->end);
	}
}

/* ---- events ------------------------------------------------------------------ */

static void eviction_min_init(struct uvm_eviction_ctx *ctx)
{
	struct min_state *min = ctx->state;
	struct min_unit *first = ctx->units;
	u32 i;

	INIT_LIST_HEAD(&min->young);
	uvm_max_tree_init(&min->tree, first->nodes, ctx->nr_units, ctx->unit_bytes);
	for (i = 0; ctx->plan && i < ctx->plan->nr_pages; i++)
		ctx->plan->pages[i].used = 0;
}

static void eviction_min_enter(struct uvm_eviction_ctx *ctx, u32 unit, u32 when,
			       enum uvm_enter_why why)
{
	struct min_unit *u = uvm_eviction_unit(ctx, unit);
	struct min_state *min = ctx->state;

	if (uvm_eviction_hold_again(ctx, unit, why))
		uvm_max_tree_set(&min->tree, unit, u->end);
}

static void eviction_min_leave(struct uvm_eviction_ctx *ctx, u32 unit, enum uvm_leave_why why)
{
	min_forget(ctx, unit);
	uvm_eviction_release(ctx, unit, why);
}

static void eviction_min_arrive(struct uvm_eviction_ctx *ctx, u32 unit,
				const struct uvm_eviction_page *page)
{
	struct uvm_key key = uvm_eviction_page_key(ctx, page->va_space, page->va);
	struct min_unit *u = uvm_eviction_unit(ctx, unit);
	struct min_state *min = ctx->state;

	if (!ctx->plan || !ctx->plan->nr_pages)
		return;
	min->faults += page->demanded;
	if (uvm_eviction_hold(ctx, unit, page)) {
		min_forget(ctx, unit);
		u->end = min_begin_stay(ctx, &key);
		u->came = min->faults;
		list_add_tail(&u->held.place.node, &min->young);
	}
	min_grow_up(ctx);
}

/* What the tree has first, or another if somebody is at work on it, which is rare. */
static u32 min_pick_grown(struct uvm_eviction_ctx *ctx)
{
	const struct min_state *min = ctx->state;
	s64 first = uvm_max_tree_max(&min->tree), value, most = UVM_MAX_TREE_NONE;
	u32 unit, best = UVM_UNIT_NONE;

	if (first == UVM_MAX_TREE_NONE)
		return UVM_UNIT_NONE;
	unit = uvm_max_tree_first(&min->tree, 0, first);
	if (uvm_eviction_evictable(ctx, unit))
		return unit;
	for (unit = 0; unit < ctx->nr_units; unit++) {
		value = uvm_max_tree_get(&min->tree, unit);
		if (value > most && uvm_eviction_evictable(ctx, unit)) {
			most = value;
			best = unit;
		}
	}
	return best;
}

static u32 min_pick_young(struct uvm_eviction_ctx *ctx)
{
	const struct min_state *min = ctx->state;
	struct min_unit *u;

	list_for_each_entry(u, &min->young, held.place.node) {
		u32 unit = uvm_eviction_unit_number(ctx, u);

		if (uvm_eviction_evictable(ctx, unit))
			return unit;
	}
	return UVM_UNIT_NONE;
}

static u32 eviction_min_pick(struct uvm_eviction_ctx *ctx)
{
	u32 unit = min_pick_grown(ctx);

	if (unit == UVM_UNIT_NONE)
		unit = min_pick_young(ctx);
	return unit == UVM_UNIT_NONE ? uvm_eviction_first(ctx) : unit;
}

UVM_POLICY(eviction, min, "what is needed last, by a plan of the future; without one as lru",
	   .policy.params = "min_delay",
	   .state_bytes = sizeof(struct min_state),
	   .unit_bytes = sizeof(struct min_unit),
	   .init = eviction_min_init,
	   .enter = eviction_min_enter,
	   .leave = eviction_min_leave,
	   .arrive = eviction_min_arrive,
	   .pick = eviction_min_pick);
