// SPDX-License-Identifier: GPL-2.0
/*
 * MIN (Belady, 1966): what is needed last goes first.  That takes a trace of what will be touched
 * (eviction_trace.h), from a run with enough memory; without one this is lru.  The ideal policy of
 * the HPE paper (TCAD 2020, V-B).
 *
 * Each page-walk hit and each fault is the page's next touch of the trace.  A prefetched page is
 * not touched by it.  Units are in a heap by when their page is touched next; of those that never
 * are it is the one whose page was touched least recently.
 *
 * A machine whose SMs go their own ways does not touch pages as the trace has it, and what TLBs
 * answered in the run that was recorded may be a fault in this one.  Unless min_delay is 0:
 *
 * - A page comes for whoever waits for it, also if it is not touched again: for min_delay faults it
 *   rests in a *nursery*.
 * - A touch that the trace has only far ahead (min_window), or not at all, is *unknown*.  Such a
 *   page is in a list by its latest touch until the trace is right about it again.  It goes if that
 *   touch is longer ago than the first of the heap is touched ahead.
 * - A touch that is due and does not come does so no more: the page is unknown, too.
 */
#include <linux/minmax.h>
#include <linux/stddef.h>
#include "policy/eviction_pages.h"
#include "policy/eviction_trace.h"
#include "policy/param_table.h"

#define MIN_NEVER	U64_MAX

enum min_place {
	MIN_NOWHERE,
	MIN_HEAP,
	MIN_NURSERY,
	MIN_UNKNOWN,
	MIN_PLACES
};

/**
 * struct min_list - units, those that came into it first at the one end
 * @oldest: number + 1; 0: it is empty
 * @youngest: likewise
 */
struct min_list {
	u32 oldest;
	u32 youngest;
};

/**
 * struct min_state - the policy's bytes for a GPU
 * @now: position of the latest touch
 * @unknown: touches, one after the other, that were not taken for the trace's
 * @touches: so far
 * @faults: pages that were demanded
 * @swept: touches when it was last looked for what is overdue
 * @count: units in the heap
 * @list: by place
 */
struct min_state {
	u64 now;
	u64 unknown;
	u64 touches;
	u64 faults;
	u64 swept;
	u32 count;
	struct min_list list[MIN_PLACES];
};

/**
 * struct min_unit - of a unit
 * @held: its page; the place is not used
 * @next: position of its next touch
 * @touched: number of its latest touch among all
 * @came: fault with which its page came
 * @at: where it is in the heap, from 1
 * @heap: the unit that is there in the heap where this one's number is
 * @older: in a list: number + 1 of the one that came before; 0: none
 * @younger: likewise, after it
 * @place: enum min_place
 * @known: its latest touch was the trace's
 */
struct min_unit {
	struct uvm_eviction_held held;	/* first */
	u64 next;
	u64 touched;
	u64 came;
	u32 at;
	u32 heap;
	u32 older;
	u32 younger;
	u8 place;
	bool known;
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

/* Touches by which the run may be ahead of the trace, or behind. */
static u64 min_window(struct uvm_eviction_ctx *ctx)
{
	return ctx->params->min_window ?: uvm_eviction_count(ctx);
}

/* Is a touch at @position this one, or has the trace none for it? */
static bool min_expects(struct uvm_eviction_ctx *ctx, u64 position)
{
	struct min_state *min = ctx->state;
	u64 window = min_window(ctx);

	/* many in a row: the run has got ahead */
	if (position <= min->now + window || min->unknown >= window) {
		min->now = max(min->now, position);
		min->unknown = 0;
		return true;
	}
	min->unknown++;
	return false;
}

/* The page has been touched @touches times: did the trace know?  @next: when it is touched next. */
static bool min_use(struct uvm_eviction_ctx *ctx, u64 page, u32 touches, u64 *next)
{
	const struct uvm_eviction_trace *trace = ctx->trace;
	struct uvm_eviction_trace_page *p = min_find(trace, page);
	u32 known;

	*next = MIN_NEVER;
	if (!p)
		return !ctx->params->min_delay;
	for (known = 0; known < touches && p->used < p->count; known++, p->used++)
		if (!min_expects(ctx, trace->positions[p->first + p->used]))
			break;
	if (p->used < p->count)
		*next = trace->positions[p->first + p->used];
	return known || !touches || !ctx->params->min_delay;
}

/* ---- the heap ---------------------------------------------------------------- */

static u32 *min_heap(struct uvm_eviction_ctx *ctx, u32 at)
{
	struct min_unit *u = uvm_eviction_unit(ctx, at - 1);

	return &u->heap;
}

/* Does @a go before @b? */
static bool min_before(struct uvm_eviction_ctx *ctx, u32 a, u32 b)
{
	const struct min_unit *first = uvm_eviction_unit(ctx, a);
	const struct min_unit *second = uvm_eviction_unit(ctx, b);

	if (first->next != second->next)
		return first->next > second->next;
	return first->touched < second->touched;
}

static void min_put(struct uvm_eviction_ctx *ctx, u32 unit, u32 at)
{
	struct min_unit *u = uvm_eviction_unit(ctx, unit);

	*min_heap(ctx, at) = unit;
	u->at = at;
	u->place = MIN_HEAP;
}

/* Up from @at, then down, to where it belongs. */
static void min_settle(struct uvm_eviction_ctx *ctx, u32 unit, u32 at)
{
	const struct min_state *min = ctx->state;
	u32 child;

	for (; at > 1 && min_before(ctx, unit, *min_heap(ctx, at / 2)); at /= 2)
		min_put(ctx, *min_heap(ctx, at / 2), at);
	for (child = 2 * at; child <= min->count; child = 2 * at) {
		if (child < min->count &&
		    min_before(ctx, *min_heap(ctx, child + 1), *min_heap(ctx, child)))
			child++;
		if (!min_before(ctx, *min_heap(ctx, child), unit))
			break;
		min_put(ctx, *min_heap(ctx, child), at);
		at = child;
	}
	min_put(ctx, unit, at);
}

static void min_heap_remove(struct uvm_eviction_ctx *ctx, u32 unit)
{
	struct min_unit *u = uvm_eviction_unit(ctx, unit);
	struct min_state *min = ctx->state;
	u32 last = *min_heap(ctx, min->count--);

	if (last != unit)
		min_settle(ctx, last, u->at);
}

/* ---- the lists ---------------------------------------------------------------- */

/* Of a number + 1; NULL for 0. */
static struct min_unit *min_of(struct uvm_eviction_ctx *ctx, u32 link)
{
	return link ? uvm_eviction_unit(ctx, link - 1) : NULL;
}

static void min_list_add(struct uvm_eviction_ctx *ctx, u32 unit, enum min_place place)
{
	struct min_unit *u = uvm_eviction_unit(ctx, unit), *before;
	struct min_state *min = ctx->state;
	struct min_list *list = &min->list[place];

	before = min_of(ctx, list->youngest);
	u->older = list->youngest;
	u->younger = 0;
	u->place = place;
	if (before)
		before->younger = unit + 1;
	else
		list->oldest = unit + 1;
	list->youngest = unit + 1;
}

static void min_list_add_oldest(struct uvm_eviction_ctx *ctx, u32 unit, enum min_place place)
{
	struct min_unit *u = uvm_eviction_unit(ctx, unit), *after;
	struct min_state *min = ctx->state;
	struct min_list *list = &min->list[place];

	after = min_of(ctx, list->oldest);
	u->older = 0;
	u->younger = list->oldest;
	u->place = place;
	if (after)
		after->older = unit + 1;
	else
		list->youngest = unit + 1;
	list->oldest = unit + 1;
}

static void min_list_remove(struct uvm_eviction_ctx *ctx, u32 unit)
{
	struct min_unit *u = uvm_eviction_unit(ctx, unit);
	struct min_unit *older = min_of(ctx, u->older), *younger = min_of(ctx, u->younger);
	struct min_state *min = ctx->state;
	struct min_list *list = &min->list[u->place];

	if (older)
		older->younger = u->younger;
	else
		list->oldest = u->younger;
	if (younger)
		younger->older = u->older;
	else
		list->youngest = u->older;
}

/* ---- where a unit is ---------------------------------------------------------- */

static void min_forget(struct uvm_eviction_ctx *ctx, u32 unit)
{
	struct min_unit *u = uvm_eviction_unit(ctx, unit);

	if (u->place == MIN_HEAP)
		min_heap_remove(ctx, unit);
	else if (u->place != MIN_NOWHERE)
		min_list_remove(ctx, unit);
	u->place = MIN_NOWHERE;
}

/* To the heap if the trace is right about it. */
static void min_put_by_trace(struct uvm_eviction_ctx *ctx, u32 unit)
{
	struct min_unit *u = uvm_eviction_unit(ctx, unit);
	struct min_state *min = ctx->state;

	min_forget(ctx, unit);
	if (u->known)
		min_settle(ctx, unit, ++min->count);
	else
		min_list_add(ctx, unit, MIN_UNKNOWN);
}

/* Those that have been in the nursery for long leave it. */
static void min_grow_up(struct uvm_eviction_ctx *ctx)
{
	struct min_state *min = ctx->state;
	u32 *oldest = &min->list[MIN_NURSERY].oldest;

	while (*oldest && min->faults - min_of(ctx, *oldest)->came >= ctx->params->min_delay)
		min_put_by_trace(ctx, *oldest - 1);
}

/* Was it due long ago, and did not come? */
static bool min_overdue(struct uvm_eviction_ctx *ctx, const struct min_unit *u)
{
	const struct min_state *min = ctx->state;
	u64 window = min_window(ctx);

	return u->next <= min->now + window && min->touches - u->touched > 2 * window;
}

/* From time to time; what is overdue is the oldest of the unknown ones. */
static void min_sweep(struct uvm_eviction_ctx *ctx)
{
	struct min_state *min = ctx->state;
	u32 at, unit;

	if (min->touches - min->swept < min_window(ctx))
		return;
	min->swept = min->touches;
	for (at = min->count; at; at--) {
		unit = *min_heap(ctx, at);
		if (!min_overdue(ctx, uvm_eviction_unit(ctx, unit)))
			continue;
		min_forget(ctx, unit);
		min_list_add_oldest(ctx, unit, MIN_UNKNOWN);
	}
}

static void min_touched(struct uvm_eviction_ctx *ctx, u32 unit, bool known, u64 next)
{
	struct min_unit *u = uvm_eviction_unit(ctx, unit);
	struct min_state *min = ctx->state;

	u->touched = ++min->touches;
	u->next = next;
	u->known = known;
	if (u->place != MIN_NURSERY)
		min_put_by_trace(ctx, unit);
	min_sweep(ctx);
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
	if (uvm_eviction_hold_again(ctx, unit, why))
		min_put_by_trace(ctx, unit);
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
	bool known;
	u64 next;

	if (!ctx->trace)
		return;
	min->faults += page->demanded;
	known = min_use(ctx, key.number, page->demanded, &next);
	if (uvm_eviction_hold(ctx, unit, page)) {
		min_forget(ctx, unit);
		u->came = min->faults;
		min_list_add(ctx, unit, MIN_NURSERY);
	}
	min_touched(ctx, unit, known, next);
	min_grow_up(ctx);
}

static void eviction_min_touch(struct uvm_eviction_ctx *ctx, u32 unit,
			       const struct uvm_eviction_touch *touch)
{
	struct uvm_key key = uvm_eviction_page_key(ctx, touch->va_space, touch->va);
	bool known;
	u64 next;

	if (!ctx->trace)
		return;
	known = min_use(ctx, key.number, touch->count, &next);
	unit = uvm_eviction_holder(ctx, touch->va_space, touch->va);
	if (unit != UVM_UNIT_NONE)
		min_touched(ctx, unit, known, next);
}

/* The first of the heap, or another if somebody is at work on it, which is rare. */
static u32 min_pick_heap(struct uvm_eviction_ctx *ctx)
{
	const struct min_state *min = ctx->state;
	u32 at, best = UVM_UNIT_NONE;

	if (min->count && uvm_eviction_evictable(ctx, *min_heap(ctx, 1)))
		return *min_heap(ctx, 1);
	for (at = 2; at <= min->count; at++) {
		u32 unit = *min_heap(ctx, at);

		if ((best == UVM_UNIT_NONE || min_before(ctx, unit, best)) &&
		    uvm_eviction_evictable(ctx, unit))
			best = unit;
	}
	return best;
}

static u32 min_pick_list(struct uvm_eviction_ctx *ctx, enum min_place place)
{
	const struct min_state *min = ctx->state;
	u32 link = min->list[place].oldest;

	while (link && !uvm_eviction_evictable(ctx, link - 1))
		link = min_of(ctx, link)->younger;
	return link ? link - 1 : UVM_UNIT_NONE;
}

static u32 eviction_min_pick(struct uvm_eviction_ctx *ctx)
{
	u32 known = min_pick_heap(ctx), unknown = min_pick_list(ctx, MIN_UNKNOWN);
	const struct min_unit *ahead, *ago;
	const struct min_state *min = ctx->state;
	u32 young;

	if (known != UVM_UNIT_NONE && unknown != UVM_UNIT_NONE) {
		ahead = uvm_eviction_unit(ctx, known);
		ago = uvm_eviction_unit(ctx, unknown);
		return ahead->next > min->now + (min->touches - ago->touched) ? known : unknown;
	}
	if (known != UVM_UNIT_NONE || unknown != UVM_UNIT_NONE)
		return known != UVM_UNIT_NONE ? known : unknown;
	young = min_pick_list(ctx, MIN_NURSERY);
	return young == UVM_UNIT_NONE ? uvm_eviction_first(ctx) : young;
}

UVM_POLICY(eviction, min, "what is needed last, by a trace of the future; without one as lru",
	   .policy.feeds = UVM_FEED_WALKS,
	   .policy.params = "min_delay min_window",
	   .state_bytes = sizeof(struct min_state),
	   .unit_bytes = sizeof(struct min_unit),
	   .init = eviction_min_init,
	   .enter = eviction_min_enter,
	   .leave = eviction_min_leave,
	   .arrive = eviction_min_arrive,
	   .touch = eviction_min_touch,
	   .pick = eviction_min_pick);
