// SPDX-License-Identifier: GPL-2.0
/* The circle of CLOCK-Pro and its hands; see clock_circle.h. */
#include <linux/kernel.h>
#include "policy/references/clock_circle.h"

static struct uvm_key_hash clock_hash(struct uvm_eviction_ctx *ctx)
{
	struct uvm_clock_unit *first = ctx->units;

	return (struct uvm_key_hash){
		.slots = &first->pages[0].slot, .nr = UVM_CLOCK_PER_UNIT * ctx->nr_units,
		.record_bytes = ctx->unit_bytes, .per = UVM_CLOCK_PER_UNIT,
		.slot_bytes = sizeof(first->pages[0]),
	};
}

struct uvm_clock_page *uvm_clock_page(struct uvm_eviction_ctx *ctx, u32 record)
{
	struct uvm_key_hash hash = clock_hash(ctx);

	return uvm_key_slot(&hash, record - 1);
}

static void clock_link(struct uvm_eviction_ctx *ctx, u32 record)
{
	struct uvm_clock *clock = ctx->state;
	struct uvm_clock_page *page = uvm_clock_page(ctx, record), *next;

	if (!clock->pages++) {
		page->prev = record;
		page->next = record;
		clock->hand_hot = record;
		clock->hand_cold = record;
		clock->hand_test = record;
		return;
	}
	next = uvm_clock_page(ctx, clock->hand_hot);
	page->next = clock->hand_hot;
	page->prev = next->prev;
	uvm_clock_page(ctx, page->prev)->next = record;
	next->prev = record;
}

/* Hands that are there go on. */
static void clock_unlink(struct uvm_eviction_ctx *ctx, u32 record)
{
	const struct uvm_clock_page *page = uvm_clock_page(ctx, record);
	struct uvm_clock *clock = ctx->state;
	u32 *hands[] = { &clock->hand_hot, &clock->hand_cold, &clock->hand_test };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(hands); i++)
		if (*hands[i] == record)
			*hands[i] = page->next;
	uvm_clock_page(ctx, page->prev)->next = page->next;
	uvm_clock_page(ctx, page->next)->prev = page->prev;
	clock->pages--;
}

void uvm_clock_move(struct uvm_eviction_ctx *ctx, u32 record)
{
	clock_unlink(ctx, record);
	clock_link(ctx, record);
}

void uvm_clock_turn(struct uvm_eviction_ctx *ctx, u32 *hand)
{
	*hand = uvm_clock_page(ctx, *hand)->next;
}

void uvm_clock_forget(struct uvm_eviction_ctx *ctx, u32 record)
{
	struct uvm_clock_page *page = uvm_clock_page(ctx, record);
	struct uvm_key_hash hash = clock_hash(ctx);
	struct uvm_clock *clock = ctx->state;

	clock_unlink(ctx, record);
	uvm_key_remove(&hash, record - 1);
	clock->hot -= page->hot;
	clock->resident -= page->resident;
	page->next = clock->free;
	clock->free = record;
}

u32 uvm_clock_find(struct uvm_eviction_ctx *ctx, const struct uvm_key *key)
{
	struct uvm_key_hash hash = clock_hash(ctx);
	u32 i = uvm_key_find(&hash, key);

	return i == UVM_KEY_NONE ? 0 : i + 1;
}

void uvm_clock_add(struct uvm_eviction_ctx *ctx, u32 unit, const struct uvm_key *key, bool hot)
{
	struct uvm_clock_unit *u = uvm_eviction_unit(ctx, unit);
	struct uvm_key_hash hash = clock_hash(ctx);
	struct uvm_clock *clock = ctx->state;
	struct uvm_clock_page *page;
	u32 record = clock->free;

	if (!record)
		record = ++clock->taken;
	page = uvm_clock_page(ctx, record);
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

/* The page's test period is over.  Has it left the circle? */
static bool clock_end_test(struct uvm_eviction_ctx *ctx, u32 record)
{
	struct uvm_clock_page *page = uvm_clock_page(ctx, record);

	if (page->hot || !page->test)
		return false;
	page->test = false;
	if (page->resident)
		return false;
	uvm_clock_forget(ctx, record);
	return true;
}

/* Does the hand go on by itself? */
static bool clock_pass_hot(struct uvm_eviction_ctx *ctx, u32 record)
{
	struct uvm_clock_page *page = uvm_clock_page(ctx, record);
	struct uvm_clock *clock = ctx->state;

	if (!page->hot)
		return clock_end_test(ctx, record);
	page->hot = page->used;
	page->used = false;
	clock->hot -= !page->hot;
	return false;
}

/* Twice round it has seen all of them unused. */
void uvm_clock_run_hot(struct uvm_eviction_ctx *ctx, u32 most)
{
	struct uvm_clock *clock = ctx->state;

	while (clock->hot > most)
		if (!clock_pass_hot(ctx, clock->hand_hot))
			uvm_clock_turn(ctx, &clock->hand_hot);
}

void uvm_clock_run_test(struct uvm_eviction_ctx *ctx)
{
	struct uvm_clock *clock = ctx->state;

	while (clock->pages - clock->resident > uvm_eviction_count(ctx))
		if (!clock_end_test(ctx, clock->hand_test))
			uvm_clock_turn(ctx, &clock->hand_test);
}
