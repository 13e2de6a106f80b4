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
 */
#include <linux/minmax.h>
#include "policy/eviction_pages.h"
#include "policy/param_table.h"

/**
 * struct clock_page - a page of the circle
 * @slot: the page, in pages of a unit
 * @prev: the one that hands have left, record and 1
 * @next: the one that they reach; of a free record the next free one
 * @unit: where it is, if it is resident
 * @hot: it is, else cold
 * @test: it is in its test period
 * @resident: it is
 * @used: it was, since a hand came by
 */
struct clock_page {
	struct uvm_key_slot slot;
	u32 prev;
	u32 next;
	u32 unit;
	bool hot;
	bool test;
	bool resident;
	bool used;
};

/* Resident pages, and as many that were evicted: two records per unit. */
#define CLOCK_PER_UNIT	2

/**
 * struct clock_unit - of a unit
 * @page: record of what it holds, and 1; 0: nothing that is known
 * @left: what it held
 * @pages: two records, of any pages
 */
struct clock_unit {
	u32 page;
	struct uvm_key left;
	struct clock_page pages[CLOCK_PER_UNIT];
};

/**
 * struct clock - the policy's bytes for a GPU
 * @hand_hot: record of the page where it is, and 1
 * @hand_cold: likewise
 * @hand_test: likewise
 * @taken: records that were ever in use
 * @free: the first of those that are not any more, and 1
 * @pages: of the circle
 * @hot: of these
 * @resident: likewise
 * @full: memory has been full
 */
struct clock {
	u32 hand_hot;
	u32 hand_cold;
	u32 hand_test;
	u32 taken;
	u32 free;
	u32 pages;
	u32 hot;
	u32 resident;
	bool full;
};

static struct uvm_key_hash clock_hash(struct uvm_eviction_ctx *ctx)
{
	struct clock_unit *first = ctx->units;

	return (struct uvm_key_hash){
		.slots = &first->pages[0].slot, .nr = CLOCK_PER_UNIT * ctx->nr_units,
		.record_bytes = ctx->unit_bytes, .per = CLOCK_PER_UNIT,
		.slot_bytes = sizeof(first->pages[0]),
	};
}

static struct clock_page *clock_page(struct uvm_eviction_ctx *ctx, u32 record)
{
	struct uvm_key_hash hash = clock_hash(ctx);

	return uvm_key_slot(&hash, record - 1);
}

/* ---- the circle -------------------------------------------------------------- */

static void clock_link(struct uvm_eviction_ctx *ctx, u32 record)
{
	struct clock *clock = ctx->state;
	struct clock_page *page = clock_page(ctx, record), *next;

	if (!clock->pages++) {
		page->prev = record;
		page->next = record;
		clock->hand_hot = record;
		clock->hand_cold = record;
		clock->hand_test = record;
		return;
	}
	next = clock_page(ctx, clock->hand_hot);
	page->next = clock->hand_hot;
	page->prev = next->prev;
	clock_page(ctx, page->prev)->next = record;
	next->prev = record;
}

/* Hands that are there go on. */
static void clock_unlink(struct uvm_eviction_ctx *ctx, u32 record)
{
	const struct clock_page *page = clock_page(ctx, record);
	struct clock *clock = ctx->state;
	u32 *hands[] = { &clock->hand_hot, &clock->hand_cold, &clock->hand_test };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(hands); i++)
		if (*hands[i] == record)
			*hands[i] = page->next;
	clock_page(ctx, page->prev)->next = page->next;
	clock_page(ctx, page->next)->prev = page->prev;
	clock->pages--;
}

static void clock_move(struct uvm_eviction_ctx *ctx, u32 record)
{
	clock_unlink(ctx, record);
	clock_link(ctx, record);
}

static void clock_turn(struct uvm_eviction_ctx *ctx, u32 *hand)
{
	*hand = clock_page(ctx, *hand)->next;
}

/* The page leaves the circle. */
static void clock_forget(struct uvm_eviction_ctx *ctx, u32 record)
{
	struct clock_page *page = clock_page(ctx, record);
	struct uvm_key_hash hash = clock_hash(ctx);
	struct clock *clock = ctx->state;

	clock_unlink(ctx, record);
	uvm_key_remove(&hash, record - 1);
	clock->hot -= page->hot;
	clock->resident -= page->resident;
	page->next = clock->free;
	clock->free = record;
}

static u32 clock_find(struct uvm_eviction_ctx *ctx, const struct uvm_key *key)
{
	struct uvm_key_hash hash = clock_hash(ctx);
	u32 i = uvm_key_find(&hash, key);

	return i == UVM_KEY_NONE ? 0 : i + 1;
}

static void clock_add(struct uvm_eviction_ctx *ctx, u32 unit, const struct uvm_key *key, bool hot)
{
	struct clock_unit *u = uvm_eviction_unit(ctx, unit);
	struct uvm_key_hash hash = clock_hash(ctx);
	struct clock *clock = ctx->state;
	struct clock_page *page;
	u32 record = clock->free;

	if (!record)
		record = ++clock->taken;
	page = clock_page(ctx, record);
	if (clock->free)
		clock->free = page->next;
	page->unit = unit;
	page->hot = hot;
	page->test = !hot;
	page->resident = true;
	page->used = false;
	uvm_key_add(&hash, record - 1, key);
	clock_link(ctx, record);
	clock->hot += hot;
	clock->resident++;
	u->page = record;
	u->left = *key;
}

/* ---- the hands --------------------------------------------------------------- */

static u32 clock_hot_most(struct uvm_eviction_ctx *ctx)
{
	u32 all = uvm_eviction_count(ctx), cold = ctx->params->clock_pro_cold;

	return all > cold ? all - cold : 1;
}

/* The page's test period is over.  Has it left the circle? */
static bool clock_end_test(struct uvm_eviction_ctx *ctx, u32 record)
{
	struct clock_page *page = clock_page(ctx, record);

	if (page->hot || !page->test)
		return false;
	page->test = false;
	if (page->resident)
		return false;
	clock_forget(ctx, record);
	return true;
}

/* Does the hand go on by itself? */
static bool clock_pass_hot(struct uvm_eviction_ctx *ctx, u32 record)
{
	struct clock_page *page = clock_page(ctx, record);
	struct clock *clock = ctx->state;

	if (!page->hot)
		return clock_end_test(ctx, record);
	page->hot = page->used;
	page->used = false;
	clock->hot -= !page->hot;
	return false;
}

/* Twice round it has seen all of them unused. */
static void clock_run_hot(struct uvm_eviction_ctx *ctx, u32 most)
{
	struct clock *clock = ctx->state;

	while (clock->hot > most)
		if (!clock_pass_hot(ctx, clock->hand_hot))
			clock_turn(ctx, &clock->hand_hot);
}

static void clock_run_test(struct uvm_eviction_ctx *ctx)
{
	struct clock *clock = ctx->state;

	while (clock->pages - clock->resident > uvm_eviction_count(ctx))
		if (!clock_end_test(ctx, clock->hand_test))
			clock_turn(ctx, &clock->hand_test);
}

/* A cold page that was used: it is hot, or begins a test period. */
static void clock_keep(struct uvm_eviction_ctx *ctx, u32 record)
{
	struct clock_page *page = clock_page(ctx, record);
	struct clock *clock = ctx->state;

	page->used = false;
	page->hot = page->test;
	page->test = !page->hot;
	clock->hot += page->hot;
	clock_move(ctx, record);
	if (page->hot)
		clock_run_hot(ctx, clock_hot_most(ctx));
}

/* ---- pages come and go ------------------------------------------------------- */

static void clock_leave(struct uvm_eviction_ctx *ctx, u32 unit, bool evicted)
{
	struct clock_unit *u = uvm_eviction_unit(ctx, unit);
	struct clock *clock = ctx->state;
	struct clock_page *page;
	u32 record = u->page;

	if (!record)
		return;
	u->page = 0;
	page = clock_page(ctx, record);
	if (!evicted || page->hot || !page->test) {
		clock_forget(ctx, record);
		return;
	}
	page->resident = false;
	clock->resident--;
	if (clock->hand_cold == record)
		clock_turn(ctx, &clock->hand_cold);
	clock_run_test(ctx);
}

static void eviction_clock_pro_leave(struct uvm_eviction_ctx *ctx, u32 unit,
				     enum uvm_leave_why why)
{
	clock_leave(ctx, unit, why == UVM_LEAVE_EVICTED);
}

/* A page that is somewhere is there no more.  Was it in its test period? */
static bool clock_come_back(struct uvm_eviction_ctx *ctx, const struct uvm_key *key)
{
	u32 record = clock_find(ctx, key);
	const struct clock_page *page;
	bool tested;

	if (!record)
		return false;
	page = clock_page(ctx, record);
	tested = !page->resident;
	if (page->resident) {
		struct clock_unit *other = uvm_eviction_unit(ctx, page->unit);

		other->page = 0;
	}
	clock_forget(ctx, record);
	return tested;
}

static void eviction_clock_pro_arrive(struct uvm_eviction_ctx *ctx, u32 unit,
				      const struct uvm_eviction_page *page)
{
	struct uvm_key key = uvm_eviction_page_key(ctx, page->va_space, page->va);
	struct clock_unit *u = uvm_eviction_unit(ctx, unit);
	struct clock *clock = ctx->state;
	bool hot;

	if (u->page && uvm_key_equal(&clock_page(ctx, u->page)->slot.key, &key))
		return;
	clock_leave(ctx, unit, false);
	hot = clock_come_back(ctx, &key) && page->demanded;
	if (ctx->params->clock_pro_warm && !clock->full && clock->hot < clock_hot_most(ctx))
		hot = true;
	clock_add(ctx, unit, &key, hot);
	clock_run_hot(ctx, clock_hot_most(ctx));
}

/* Cold, as the victim that it was. */
static void eviction_clock_pro_enter(struct uvm_eviction_ctx *ctx, u32 unit, u32 when,
				     enum uvm_enter_why why)
{
	struct clock_unit *u = uvm_eviction_unit(ctx, unit);

	if (why != UVM_ENTER_BACK || u->page || !u->left.space)
		return;
	clock_come_back(ctx, &u->left);
	clock_add(ctx, unit, &u->left, false);
}

static void eviction_clock_pro_touch(struct uvm_eviction_ctx *ctx, u32 unit,
				     const struct uvm_eviction_touch *touch)
{
	struct uvm_key key = uvm_eviction_page_key(ctx, touch->va_space, touch->va);
	u32 record = clock_find(ctx, &key);

	if (record && clock_page(ctx, record)->resident)
		clock_page(ctx, record)->used = true;
}

static void eviction_clock_pro_full(struct uvm_eviction_ctx *ctx)
{
	struct clock *clock = ctx->state;

	clock->full = true;
}

/* ---- the victim -------------------------------------------------------------- */

/* Is it a victim?  Otherwise the cold hand is behind it. */
static bool clock_pass_cold(struct uvm_eviction_ctx *ctx, u32 record)
{
	const struct clock_page *page = clock_page(ctx, record);
	struct clock *clock = ctx->state;

	if (!page->resident || page->hot || !uvm_eviction_evictable(ctx, page->unit)) {
		clock_turn(ctx, &clock->hand_cold);
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
	struct clock *clock = ctx->state;
	u64 steps;
	u32 tries;

	for (tries = 0; clock->pages && tries < 2; tries++) {
		for (steps = 0; steps <= 3ULL * clock->pages; steps++)
			if (clock_pass_cold(ctx, clock->hand_cold))
				return clock_page(ctx, clock->hand_cold)->unit;
		if (clock->hot)
			clock_run_hot(ctx, clock->hot - 1);
	}
	return uvm_eviction_first(ctx);
}

UVM_POLICY(eviction, clock_pro, "cold pages, unless they are used in time (CLOCK-Pro)",
	   .policy.feeds = UVM_FEED_WALKS,
	   .policy.params = "clock_pro_cold clock_pro_warm",
	   .state_bytes = sizeof(struct clock),
	   .unit_bytes = sizeof(struct clock_unit),
	   .enter = eviction_clock_pro_enter,
	   .leave = eviction_clock_pro_leave,
	   .arrive = eviction_clock_pro_arrive,
	   .touch = eviction_clock_pro_touch,
	   .full = eviction_clock_pro_full,
	   .pick = eviction_clock_pro_pick);
