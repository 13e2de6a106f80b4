// SPDX-License-Identifier: GPL-2.0
/*
 * MIN (Belady, 1966): what is needed last goes first.  That takes a trace of what will be touched
 * (eviction_trace.h), from a run with enough memory; without one this is lru.  The ideal policy of
 * the HPE paper (TCAD 2020, V-B).
 *
 * Each page-walk hit and each fault is the page's next touch of the trace.  A prefetched page is
 * not touched by it.  Units are in a heap by when their page is touched next; of those that never
 * are the page with the lowest address is first.
 */
#include <linux/minmax.h>
#include <linux/stddef.h>
#include "policy/eviction_pages.h"
#include "policy/eviction_trace.h"

#define MIN_NEVER	U64_MAX

/**
 * struct min_state - the policy's bytes for a GPU
 * @count: units in the heap
 */
struct min_state {
	u32 count;
};

/**
 * struct min_unit - of a unit
 * @held: its page; the place is not used
 * @next: position of its next touch
 * @at: where it is in the heap, from 1; 0: nowhere
 * @heap: the unit that is there in the heap where this one's number is
 */
struct min_unit {
	struct uvm_eviction_held held;	/* first */
	u64 next;
	u32 at;
	u32 heap;
};

/* ---- the trace --------------------------------------------------------------- */

static struct uvm_eviction_trace_page *min_find(const struct uvm_eviction_trace *trace, u64 page)
{
	u32 low = 0, high = trace->nr_pages;

	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (trace->pages[middle].page < page)
			low = middle + 1;
		else
			high = middle;
	}
	return low < trace->nr_pages && trace->pages[low].page == page ? &trace->pages[low] : NULL;
}

/* The page has been touched @touches times.  When is it touched next? */
static u64 min_use(struct uvm_eviction_ctx *ctx, u64 page, u32 touches)
{
	const struct uvm_eviction_trace *trace = ctx->trace;
	struct uvm_eviction_trace_page *p = min_find(trace, page);

	if (!p)
		return MIN_NEVER;
	p->used += min(touches, p->count - p->used);
	return p->used < p->count ? trace->positions[p->first + p->used] : MIN_NEVER;
}

/* ---- the heap ---------------------------------------------------------------- */

static u32 *min_place(struct uvm_eviction_ctx *ctx, u32 at)
{
	struct min_unit *u = uvm_eviction_unit(ctx, at - 1);

	return &u->heap;
}

/* Does @a go before @b? */
static bool min_before(struct uvm_eviction_ctx *ctx, u32 a, u32 b)
{
	const struct min_unit *first = uvm_eviction_unit(ctx, a);
	const struct min_unit *second = uvm_eviction_unit(ctx, b);
	const struct uvm_key *key = &first->held.slot.key, *other = &second->held.slot.key;

	if (first->next != second->next)
		return first->next > second->next;
	if (key->space != other->space)
		return key->space < other->space;
	return key->number < other->number;
}

static void min_put(struct uvm_eviction_ctx *ctx, u32 unit, u32 at)
{
	struct min_unit *u = uvm_eviction_unit(ctx, unit);

	*min_place(ctx, at) = unit;
	u->at = at;
}

/* Up from @at, then down, to where it belongs. */
static void min_settle(struct uvm_eviction_ctx *ctx, u32 unit, u32 at)
{
	const struct min_state *min = ctx->state;
	u32 child;

	for (; at > 1 && min_before(ctx, unit, *min_place(ctx, at / 2)); at /= 2)
		min_put(ctx, *min_place(ctx, at / 2), at);
	for (child = 2 * at; child <= min->count; child = 2 * at) {
		if (child < min->count &&
		    min_before(ctx, *min_place(ctx, child + 1), *min_place(ctx, child)))
			child++;
		if (!min_before(ctx, *min_place(ctx, child), unit))
			break;
		min_put(ctx, *min_place(ctx, child), at);
		at = child;
	}
	min_put(ctx, unit, at);
}

static void min_remove(struct uvm_eviction_ctx *ctx, u32 unit)
{
	struct min_unit *u = uvm_eviction_unit(ctx, unit);
	struct min_state *min = ctx->state;
	u32 last, at = u->at;

	if (!at)
		return;
	last = *min_place(ctx, min->count--);
	u->at = 0;
	if (last != unit)
		min_settle(ctx, last, at);
}

static void min_add(struct uvm_eviction_ctx *ctx, u32 unit, u64 next)
{
	struct min_unit *u = uvm_eviction_unit(ctx, unit);
	struct min_state *min = ctx->state;

	u->next = next;
	min_settle(ctx, unit, u->at ?: ++min->count);
}

/* ---- events ------------------------------------------------------------------ */

static void eviction_min_init(struct uvm_eviction_ctx *ctx)
{
	u32 i;

	for (i = 0; ctx->trace && i < ctx->trace->nr_pages; i++)
		ctx->trace->pages[i].used = 0;
}

static void eviction_min_enter(struct uvm_eviction_ctx *ctx, u32 unit, u32 when,
			       enum uvm_enter_why why)
{
	const struct min_unit *u = uvm_eviction_unit(ctx, unit);

	if (ctx->trace && why == UVM_ENTER_BACK && uvm_eviction_hold_again(ctx, unit))
		min_add(ctx, unit, u->next);
}

static void eviction_min_leave(struct uvm_eviction_ctx *ctx, u32 unit, enum uvm_leave_why why)
{
	min_remove(ctx, unit);
	uvm_eviction_release(ctx, unit);
}

static void eviction_min_arrive(struct uvm_eviction_ctx *ctx, u32 unit,
				const struct uvm_eviction_page *page)
{
	struct uvm_key key = uvm_eviction_page_key(ctx, page->va_space, page->va);
	u64 next;

	if (!ctx->trace)
		return;
	next = min_use(ctx, key.number, page->demanded);
	if (uvm_eviction_hold(ctx, unit, page))
		min_remove(ctx, unit);
	min_add(ctx, unit, next);
}

static void eviction_min_touch(struct uvm_eviction_ctx *ctx, u32 unit,
			       const struct uvm_eviction_touch *touch)
{
	struct uvm_key key = uvm_eviction_page_key(ctx, touch->va_space, touch->va);
	u64 next;

	if (!ctx->trace)
		return;
	next = min_use(ctx, key.number, touch->count);
	unit = uvm_eviction_holder(ctx, touch->va_space, touch->va);
	if (unit != UVM_UNIT_NONE)
		min_add(ctx, unit, next);
}

static u32 eviction_min_pick(struct uvm_eviction_ctx *ctx)
{
	const struct min_state *min = ctx->state;
	u32 at, best = UVM_UNIT_NONE;

	if (min->count && uvm_eviction_evictable(ctx, *min_place(ctx, 1)))
		return *min_place(ctx, 1);
	/* somebody is at work on it, which is rare */
	for (at = 2; at <= min->count; at++) {
		u32 unit = *min_place(ctx, at);

		if ((best == UVM_UNIT_NONE || min_before(ctx, unit, best)) &&
		    uvm_eviction_evictable(ctx, unit))
			best = unit;
	}
	return best == UVM_UNIT_NONE ? uvm_eviction_first(ctx) : best;
}

UVM_POLICY(eviction, min, "what is needed last, by a trace of the future; without one as lru",
	   .policy.feeds = UVM_FEED_WALKS,
	   .state_bytes = sizeof(struct min_state),
	   .unit_bytes = sizeof(struct min_unit),
	   .init = eviction_min_init,
	   .enter = eviction_min_enter,
	   .leave = eviction_min_leave,
	   .arrive = eviction_min_arrive,
	   .touch = eviction_min_touch,
	   .pick = eviction_min_pick);
