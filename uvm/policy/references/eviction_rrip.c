// SPDX-License-Identifier: GPL-2.0
/*
 * RRIP, as the HPE paper has it (TCAD 2020, V-B; Jaleel et al., ISCA 2010).  A page has a
 * re-reference prediction of so many bits.  It comes with a long one (the largest but one), or a
 * distant one (the largest); a hit lowers it by one (frequency priority), or to 0.  The first page
 * with a distant one goes, in the order of frames, as a cache goes through its ways.  If there is
 * none, all predictions grow until there is one.
 *
 * To prevent instant thrashing a page cannot go in the first rrip_delay faults after it came.  If
 * this holds for all pages with a distant prediction, the page that came first of all goes.
 *
 * "Frames" are units in the order in which each had its first page, so that no result depends on
 * addresses.
 *
 * Standing: published (Jaleel et al., ISCA 2010), as the HPE paper compares with it.  How far it
 * is from that paper's figures: Documentation/hpe.rst, *Measured*.
 *
 * Deviates: the bits of a prediction are not told; 2 is what RRIP has.  Nor is the order in
 * which pages are looked at.
 */
#include <linux/minmax.h>
#include "policy/lib/eviction_pages.h"
#include "policy/lib/max_tree.h"
#include "policy/policy_param.h"

UVM_POLICY_PARAM(rrip_bits, UINT, 2, 1, 8,
		 "bits of a re-reference prediction");
UVM_POLICY_PARAM(rrip_distant, BOOL, 0, 0, 1,
		 "pages come with a distant prediction, not a long one");
UVM_POLICY_PARAM(rrip_delay, UINT, 0, 0, 65536,
		 "faults for which a page that came is no victim");
UVM_POLICY_PARAM(rrip_frequency, BOOL, 1, 0, 1,
		 "a hit lowers the prediction by 1, not to 0");

#define RRIP_BITS_MAX	8

/**
 * struct rrip - the policy's bytes for a GPU
 * @order: pages that may go, by when they came
 * @young: pages that came too short a time ago, likewise; all came after those of @order
 * @grown: how much predictions have grown; what is kept of each is less by that
 * @faults: pages demanded
 * @frames: numbers given to units
 * @count: pages by prediction, as it is kept, modulo what there are
 * @tree: by frame, predictions of those that may go, as they are kept
 */
struct rrip {
	struct uvm_eviction_order order;	/* first */
	struct list_head young;
	s64 grown;
	u64 faults;
	u32 frames;
	u32 count[1 << RRIP_BITS_MAX];
	struct uvm_max_tree tree;
};

/**
 * struct rrip_unit - of a unit
 * @held: its page; the place is in rrip.order or in rrip.young
 * @came: number of the fault that brought it, from 1
 * @kept: its prediction, without rrip.grown
 * @frame: its number, and 1; 0: it has none
 * @unit: the unit of the frame that has this one's number
 * @young: where it is
 * @nodes: of rrip.tree
 */
struct rrip_unit {
	struct uvm_eviction_held held;	/* first */
	u64 came;
	s64 kept;
	u32 frame;
	u32 unit;
	bool young;
	s64 nodes[UVM_MAX_TREE_NODES];
};

static s64 rrip_distant(const struct uvm_eviction_ctx *ctx)
{
	return (1 << uvm_param(ctx->params, rrip_bits)) - 1;
}

static u32 *rrip_counter(struct uvm_eviction_ctx *ctx, s64 kept)
{
	struct rrip *rrip = ctx->state;

	return &rrip->count[kept & rrip_distant(ctx)];
}

static void eviction_rrip_init(struct uvm_eviction_ctx *ctx)
{
	struct rrip_unit *first = ctx->units;
	struct rrip *rrip = ctx->state;

	uvm_eviction_order_init(ctx);
	INIT_LIST_HEAD(&rrip->young);
	uvm_max_tree_init(&rrip->tree, first->nodes, ctx->nr_units, ctx->unit_bytes);
}

static void rrip_show(struct uvm_eviction_ctx *ctx, const struct rrip_unit *u)
{
	const struct rrip *rrip = ctx->state;

	if (!u->young)
		uvm_max_tree_set(&rrip->tree, u->frame - 1, u->kept);
}

/* ---- pages come and go ------------------------------------------------------- */

static void rrip_number(struct uvm_eviction_ctx *ctx, u32 unit)
{
	struct rrip_unit *u = uvm_eviction_unit(ctx, unit), *of;
	struct rrip *rrip = ctx->state;

	if (u->frame)
		return;
	of = uvm_eviction_unit(ctx, rrip->frames);
	of->unit = unit;
	u->frame = ++rrip->frames;
}

static void rrip_add(struct uvm_eviction_ctx *ctx, u32 unit)
{
	struct rrip_unit *u = uvm_eviction_unit(ctx, unit);
	struct rrip *rrip = ctx->state;

	rrip_number(ctx, unit);
	u->kept = min(u->kept, rrip_distant(ctx) - rrip->grown);
	u->came = rrip->faults;
	u->young = true;
	list_add_tail(&u->held.place.node, &rrip->young);
	++*rrip_counter(ctx, u->kept);
}

static void rrip_remove(struct uvm_eviction_ctx *ctx, u32 unit)
{
	struct rrip_unit *u = uvm_eviction_unit(ctx, unit);
	struct rrip *rrip = ctx->state;

	if (!uvm_eviction_is_placed(&u->held.place))
		return;
	list_del_init(&u->held.place.node);
	--*rrip_counter(ctx, u->kept);
	if (!u->young)
		uvm_max_tree_set(&rrip->tree, u->frame - 1, UVM_MAX_TREE_NONE);
}

static void eviction_rrip_enter(struct uvm_eviction_ctx *ctx, u32 unit, u32 when,
				enum uvm_enter_why why)
{
	if (uvm_eviction_hold_again(ctx, unit, why))
		rrip_add(ctx, unit);
}

static void eviction_rrip_leave(struct uvm_eviction_ctx *ctx, u32 unit, enum uvm_leave_why why)
{
	rrip_remove(ctx, unit);
	uvm_eviction_release(ctx, unit, why);
}

static void eviction_rrip_arrive(struct uvm_eviction_ctx *ctx, u32 unit,
				 const struct uvm_eviction_page *page)
{
	struct rrip_unit *u = uvm_eviction_unit(ctx, unit);
	struct rrip *rrip = ctx->state;

	rrip->faults = page->fault + page->demanded;
	if (!uvm_eviction_hold(ctx, unit, page))
		return;
	rrip_remove(ctx, unit);
	u->kept = rrip_distant(ctx) - !uvm_param(ctx->params, rrip_distant) - rrip->grown;
	rrip_add(ctx, unit);
}

static void eviction_rrip_touch(struct uvm_eviction_ctx *ctx, u32 unit,
				const struct uvm_eviction_touch *touch)
{
	struct rrip *rrip = ctx->state;
	struct rrip_unit *u;
	s64 prediction;

	unit = uvm_eviction_holder(ctx, touch->va_space, touch->va);
	if (unit == UVM_UNIT_NONE)
		return;
	u = uvm_eviction_unit(ctx, unit);
	if (!uvm_eviction_is_placed(&u->held.place))
		return;
	prediction = u->kept + rrip->grown;
	--*rrip_counter(ctx, u->kept);
	u->kept -= uvm_param(ctx->params, rrip_frequency) ?
		   min_t(s64, touch->count, prediction) : prediction;
	++*rrip_counter(ctx, u->kept);
	rrip_show(ctx, u);
}

/* ---- the victim -------------------------------------------------------------- */

/* It is picked for a fault that has not arrived yet. */
static void rrip_grow_up(struct uvm_eviction_ctx *ctx)
{
	struct rrip *rrip = ctx->state;
	struct rrip_unit *u, *next;

	list_for_each_entry_safe(u, next, &rrip->young, held.place.node) {
		if (rrip->faults + 1 - u->came < uvm_param(ctx->params, rrip_delay))
			return;
		u->young = false;
		list_move_tail(&u->held.place.node, &rrip->order.places);
		rrip_show(ctx, u);
	}
}

/* If no prediction is distant all grow until one is. */
static void rrip_grow(struct uvm_eviction_ctx *ctx)
{
	struct rrip *rrip = ctx->state;
	s64 by, distant = rrip_distant(ctx);

	for (by = 0; by <= distant; by++) {
		if (!*rrip_counter(ctx, distant - by - rrip->grown))
			continue;
		rrip->grown += by;
		return;
	}
}

/* The first with a distant prediction, in the order of frames. */
static u32 rrip_first(struct uvm_eviction_ctx *ctx)
{
	const struct rrip *rrip = ctx->state;
	s64 kept = rrip_distant(ctx) - rrip->grown;
	u32 frame = 0;

	while ((frame = uvm_max_tree_first(&rrip->tree, frame, kept)) != U32_MAX) {
		const struct rrip_unit *of = uvm_eviction_unit(ctx, frame++);

		if (uvm_eviction_evictable(ctx, of->unit))
			return of->unit;
	}
	return UVM_UNIT_NONE;
}

/* The one that came first, and may go. */
static u32 rrip_oldest(struct uvm_eviction_ctx *ctx)
{
	u32 unit = uvm_eviction_order_first(ctx);
	struct rrip *rrip = ctx->state;
	struct rrip_unit *u;

	if (unit != UVM_UNIT_NONE)
		return unit;
	list_for_each_entry(u, &rrip->young, held.place.node) {
		unit = uvm_eviction_unit_number(ctx, u);
		if (uvm_eviction_evictable(ctx, unit))
			return unit;
	}
	return uvm_eviction_first(ctx);
}

static u32 eviction_rrip_pick(struct uvm_eviction_ctx *ctx)
{
	u32 unit;

	rrip_grow_up(ctx);
	rrip_grow(ctx);
	unit = rrip_first(ctx);
	return unit == UVM_UNIT_NONE ? rrip_oldest(ctx) : unit;
}

UVM_POLICY(eviction, rrip, "whose next use is predicted to be distant (RRIP, TCAD 2020's variant)",
	   .policy.feeds = UVM_FEED_WALKS,
	   .policy.params = "rrip_bits rrip_distant rrip_delay rrip_frequency",
	   .state_bytes = sizeof(struct rrip),
	   .unit_bytes = sizeof(struct rrip_unit),
	   .init = eviction_rrip_init,
	   .enter = eviction_rrip_enter,
	   .leave = eviction_rrip_leave,
	   .arrive = eviction_rrip_arrive,
	   .touch = eviction_rrip_touch,
	   .pick = eviction_rrip_pick);
