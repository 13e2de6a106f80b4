// SPDX-License-Identifier: GPL-2.0
/*
 * CLOCK-Pro (Jiang, Chen, Zhang, USENIX 2005) with a fixed number of cold pages, as the HPE paper
 * has it (TCAD 2020, V-B: clock_pro_cold is its m_c).
 *
 * One circle has hot pages, cold ones, and cold ones that were evicted but are in their *test
 * period*.  Three hands go round.  The cold one looks for a victim: a cold page that was not used.
 * One that was is hot if it is in its test period, and begins one otherwise.  The hot hand makes a
 * hot page that was not used cold, when there are too many, and ends test periods; so does the test
 * hand, when more evicted pages are remembered than memory has.  A page that comes back in its test
 * period comes as hot.  Whatever comes, or is moved, is put where the hot hand gets last.
 *
 * As in LIRS the first pages are hot (clock_pro_warm), as many as there may be.
 *
 * Standing: published (Jiang, Chen, Zhang, USENIX 2005), as the HPE paper compares with it.  How
 * far it is from that paper's figures: Documentation/hpe.rst, *Measured*.
 *
 * Deviates: the number of cold pages is fixed, as in the HPE paper, which has 128; in CLOCK-Pro
 * it adapts.  How the first pages come is not told: clock_pro_warm has both readings.
 */
#include "policy/references/clock_circle.h"
#include "policy/lib/eviction_pages.h"
#include "policy/policy_param.h"

UVM_POLICY_PARAM(clock_pro_cold, UINT, 128, 1, 65536,
		 "cold pages in memory");
UVM_POLICY_PARAM(clock_pro_warm, BOOL, 1, 0, 1,
		 "the first pages come as 1 hot, 0 cold ones");

static u32 clock_hot_most(struct uvm_eviction_ctx *ctx)
{
	u32 all = uvm_eviction_count(ctx), cold = uvm_param(ctx->params, clock_pro_cold);

	return all > cold ? all - cold : 1;
}

/* A cold page that was used: it is hot, or begins a test period. */
static void clock_keep(struct uvm_eviction_ctx *ctx, u32 record)
{
	struct uvm_clock_page *page = uvm_clock_page(ctx, record);
	struct uvm_clock *clock = ctx->state;

	page->used = false;
	page->hot = page->test;
	page->test = !page->hot;
	clock->hot += page->hot;
	uvm_clock_move(ctx, record);
	if (page->hot)
		uvm_clock_run_hot(ctx, clock_hot_most(ctx));
}

/* ---- pages come and go ------------------------------------------------------- */

static void clock_leave(struct uvm_eviction_ctx *ctx, u32 unit, bool evicted)
{
	struct uvm_clock_unit *u = uvm_eviction_unit(ctx, unit);
	struct uvm_clock *clock = ctx->state;
	struct uvm_clock_page *page;
	u32 record = u->page;

	if (!record)
		return;
	u->page = 0;
	page = uvm_clock_page(ctx, record);
	if (!evicted || page->hot || !page->test) {
		uvm_clock_forget(ctx, record);
		return;
	}
	page->resident = false;
	clock->resident--;
	if (clock->hand_cold == record)
		uvm_clock_turn(ctx, &clock->hand_cold);
	uvm_clock_run_test(ctx);
}

static void eviction_clock_pro_leave(struct uvm_eviction_ctx *ctx, u32 unit,
				     enum uvm_leave_why why)
{
	struct uvm_clock_unit *u = uvm_eviction_unit(ctx, unit);

	clock_leave(ctx, unit, why == UVM_LEAVE_EVICTED);
	if (!uvm_eviction_may_return(why))
		u->left.space = 0;
}

/* A page that is somewhere is there no more.  Was it in its test period? */
static bool clock_come_back(struct uvm_eviction_ctx *ctx, const struct uvm_key *key)
{
	u32 record = uvm_clock_find(ctx, key);
	const struct uvm_clock_page *page;
	bool tested;

	if (!record)
		return false;
	page = uvm_clock_page(ctx, record);
	tested = !page->resident;
	if (page->resident) {
		struct uvm_clock_unit *other = uvm_eviction_unit(ctx, page->unit);

		other->page = 0;
	}
	uvm_clock_forget(ctx, record);
	return tested;
}

static void eviction_clock_pro_arrive(struct uvm_eviction_ctx *ctx, u32 unit,
				      const struct uvm_eviction_page *page)
{
	struct uvm_key key = uvm_eviction_page_key(ctx, page->va_space, page->va);
	struct uvm_clock_unit *u = uvm_eviction_unit(ctx, unit);
	struct uvm_clock *clock = ctx->state;
	bool hot;

	if (u->page && uvm_key_equal(&uvm_clock_page(ctx, u->page)->slot.key, &key))
		return;
	clock_leave(ctx, unit, false);
	hot = clock_come_back(ctx, &key) && page->demanded;
	if (uvm_param(ctx->params, clock_pro_warm) && !clock->full &&
	    clock->hot < clock_hot_most(ctx))
		hot = true;
	uvm_clock_add(ctx, unit, &key, hot);
	uvm_clock_run_hot(ctx, clock_hot_most(ctx));
}

/* Cold, as the victim that it was. */
static void eviction_clock_pro_enter(struct uvm_eviction_ctx *ctx, u32 unit, u32 when,
				     enum uvm_enter_why why)
{
	struct uvm_clock_unit *u = uvm_eviction_unit(ctx, unit);

	if (u->page)
		return;
	if (why == UVM_ENTER_BLOCK)
		u->left.space = 0;
	if (!uvm_eviction_returns(why) || !u->left.space)
		return;
	clock_come_back(ctx, &u->left);
	uvm_clock_add(ctx, unit, &u->left, false);
}

static void eviction_clock_pro_touch(struct uvm_eviction_ctx *ctx, u32 unit,
				     const struct uvm_eviction_touch *touch)
{
	struct uvm_key key = uvm_eviction_page_key(ctx, touch->va_space, touch->va);
	u32 record = uvm_clock_find(ctx, &key);

	if (record && uvm_clock_page(ctx, record)->resident)
		uvm_clock_page(ctx, record)->used = true;
}

static void eviction_clock_pro_full(struct uvm_eviction_ctx *ctx)
{
	struct uvm_clock *clock = ctx->state;

	clock->full = true;
}

/* ---- the victim -------------------------------------------------------------- */

/* Is it a victim?  Otherwise the cold hand is behind it. */
static bool clock_pass_cold(struct uvm_eviction_ctx *ctx, u32 record)
{
	const struct uvm_clock_page *page = uvm_clock_page(ctx, record);
	struct uvm_clock *clock = ctx->state;

	if (!page->resident || page->hot || !uvm_eviction_evictable(ctx, page->unit)) {
		uvm_clock_turn(ctx, &clock->hand_cold);
		return false;
	}
	if (!page->used)
		return true;
	clock_keep(ctx, record);
	return false;
}

/* The cold hand finds one within three rounds if there is one; else a hot one less is hot. */
static u32 eviction_clock_pro_pick(struct uvm_eviction_ctx *ctx)
{
	struct uvm_clock *clock = ctx->state;
	u64 steps;
	u32 tries;

	for (tries = 0; clock->pages && tries < 2; tries++) {
		for (steps = 0; steps <= 3ULL * clock->pages; steps++)
			if (clock_pass_cold(ctx, clock->hand_cold))
				return uvm_clock_page(ctx, clock->hand_cold)->unit;
		if (clock->hot)
			uvm_clock_run_hot(ctx, clock->hot - 1);
	}
	return uvm_eviction_first(ctx);
}

UVM_POLICY(eviction, clock_pro, "cold pages, unless they are used in time (CLOCK-Pro)",
	   .policy.feeds = UVM_FEED_WALKS,
	   .policy.params = "clock_pro_cold clock_pro_warm",
	   .state_bytes = sizeof(struct uvm_clock),
	   .unit_bytes = sizeof(struct uvm_clock_unit),
	   .enter = eviction_clock_pro_enter,
	   .leave = eviction_clock_pro_leave,
	   .arrive = eviction_clock_pro_arrive,
	   .touch = eviction_clock_pro_touch,
	   .full = eviction_clock_pro_full,
	   .pick = eviction_clock_pro_pick);
