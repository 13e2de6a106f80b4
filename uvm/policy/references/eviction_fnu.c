// SPDX-License-Identifier: GPL-2.0
/*
 * FNU, farthest next use: the evictable unit whose next use is the farthest goes.  The uses are a
 * plan, recorded in an earlier run (eviction_uses.h); without a plan this is lru.  It needs to know
 * the future, so it is a reference that other policies are compared with, in a driver with its own
 * prefetcher, batches and times.
 *
 * The next use of a unit with several pages is the earliest one of those pages that are in GPU
 * memory: a page that is not there has to come in any case.  A page that a fault asked for counts
 * as used now, whatever the plan says, because somebody waits for it.  A use of which some requests
 * are over and some are not counts as now, too.  The reason is that warps go on in another order
 * than the recorded one.  Otherwise warps that are ahead of the plan would lose the pages that they
 * work on (mvt at 50 %: three times the loads).
 *
 * What is used no more goes first.  Among equals the least recently requested goes.  Memory of
 * others, of which the plan says nothing, goes last.
 *
 * Standing: reference: it needs the future.
 */
#include <linux/kernel.h>
#include <linux/minmax.h>
#include "base/page_mask.h"
#include "policy/lib/eviction_pages.h"
#include "policy/references/eviction_uses.h"
#include "policy/lib/max_tree.h"

#define FNU_ORDER_BITS	30

/* Pages of a unit that go by one struct uvm_eviction_used. */
#define FNU_ALL			((u16)(BIT(UVM_PAGES_PER_BIG) - 1))

/**
 * struct fnu_state - the policy's bytes for a GPU
 * @tree: units, by number: when they are used next
 * @asked: how often a unit came or was asked for
 * @begun: launches of the plan's VA space that have begun
 * @looked: of these, how many had when all units were looked at last
 */
struct fnu_state {
	struct uvm_max_tree tree;
	u64 asked;
	u32 begun;
	u32 looked;
};

/**
 * struct fnu_unit - of a unit
 * @held: its page
 * @nodes: of fnu_state.tree
 * @asked: fnu_state.asked when it was the last time
 * @awaited: a fault has asked for it, and nobody has made a request since
 */
struct fnu_unit {
	struct uvm_eviction_held held;	/* first */
	s64 nodes[UVM_MAX_TREE_NODES];
	u32 asked;
	bool awaited;
};

static bool fnu_knows(const struct uvm_eviction_ctx *ctx)
{
	return ctx->plan && ctx->plan->nr_used;
}

/* The launch that runs, from 0; before the first one as if it had begun. */
static u32 fnu_launch(const struct fnu_state *fnu)
{
	return fnu->begun ? fnu->begun - 1 : 0;
}

/* ---- a unit's pages ----------------------------------------------------------- */

/**
 * struct fnu_span - what of the plan is a unit's
 * @first: the first 64 KB, in uvm_eviction_plan.used
 * @number: behind the last, address >> 16
 * @pages: of each, bit per page
 */
struct fnu_span {
	u32 first;
	u64 number;
	u16 pages;
};

static struct fnu_span fnu_span(const struct uvm_eviction_ctx *ctx, const struct uvm_key *key)
{
	u64 page = key->number * ctx->unit_pages, number = page / UVM_PAGES_PER_BIG;
	struct fnu_span span = {
		.first = ctx->plan->nr_used, .number = number + 1, .pages = FNU_ALL,
	};

	if (ctx->unit_pages < UVM_PAGES_PER_BIG)
		span.pages = BIT(page % UVM_PAGES_PER_BIG);
	else
		span.number = number + ctx->unit_pages / UVM_PAGES_PER_BIG;
	if (key->space == ctx->plan->va_space)
		span.first = uvm_uses_from(ctx->plan, number);
	return span;
}

/* Number @i of the plan, if it is of the span; NULL: the span is at its end. */
static struct uvm_eviction_used *fnu_used(const struct uvm_eviction_ctx *ctx,
					  const struct fnu_span *span, u32 i)
{
	if (i >= ctx->plan->nr_used || ctx->plan->used[i].number >= span->number)
		return NULL;
	return &ctx->plan->used[i];
}

/* Is it in GPU memory from now on?  All of it: of a page only that. */
static void fnu_set_resident(struct uvm_eviction_ctx *ctx, const struct uvm_key *key, bool resident)
{
	struct fnu_span span = fnu_span(ctx, key);
	struct uvm_eviction_used *used;
	u32 i;

	for (i = span.first; (used = fnu_used(ctx, &span, i)); i++) {
		if (resident)
			used->resident |= span.pages;
		else
			used->resident &= ~span.pages;
	}
}

static u32 fnu_next(struct uvm_eviction_ctx *ctx, const struct uvm_key *key)
{
	struct fnu_span span = fnu_span(ctx, key);
	u32 launch = fnu_launch(ctx->state), next = UVM_USE_NEVER, i;
	struct uvm_eviction_used *used;

	for (i = span.first; (used = fnu_used(ctx, &span, i)); i++)
		next = min(next, uvm_uses_next(ctx->plan, used, launch,
					       used->resident & span.pages));
	return next;
}

/* Is a use of some of its pages under way? */
static bool fnu_at_work(struct uvm_eviction_ctx *ctx, const struct uvm_key *key)
{
	struct fnu_span span = fnu_span(ctx, key);
	u32 launch = fnu_launch(ctx->state), i;
	struct uvm_eviction_used *used;

	for (i = span.first; (used = fnu_used(ctx, &span, i)); i++)
		if (uvm_uses_begun(ctx->plan, used, launch) & used->resident & span.pages)
			return true;
	return false;
}

/* ---- the order of units ------------------------------------------------------- */

/*
 * The greatest goes first: 1 + the position of its next use, or 0, and who was asked for least
 * recently.
 */
static void fnu_look(struct uvm_eviction_ctx *ctx, u32 unit)
{
	const u64 order = BIT_ULL(FNU_ORDER_BITS) - 1;
	struct fnu_unit *u = uvm_eviction_unit(ctx, unit);
	struct fnu_state *fnu = ctx->state;
	s64 value = order - (u->asked & order);

	if (!u->awaited && u->held.slot.key.space == ctx->plan->va_space &&
	    !fnu_at_work(ctx, &u->held.slot.key))
		value |= (s64)(1ULL + fnu_next(ctx, &u->held.slot.key)) << FNU_ORDER_BITS;
	uvm_max_tree_set(&fnu->tree, unit, value);
}

/* Another launch: what was not over of the last one is. */
static void fnu_look_at_all(struct uvm_eviction_ctx *ctx)
{
	struct fnu_state *fnu = ctx->state;
	u32 unit;

	if (fnu->looked == fnu->begun)
		return;
	fnu->looked = fnu->begun;
	for (unit = 0; unit < ctx->nr_units; unit++)
		if (uvm_max_tree_get(&fnu->tree, unit) != UVM_MAX_TREE_NONE)
			fnu_look(ctx, unit);
}

/* What a unit held is not there any more. */
static void fnu_forget(struct uvm_eviction_ctx *ctx, u32 unit)
{
	struct fnu_unit *u = uvm_eviction_unit(ctx, unit);
	struct fnu_state *fnu = ctx->state;

	u->awaited = false;
	if (uvm_max_tree_get(&fnu->tree, unit) == UVM_MAX_TREE_NONE)
		return;
	uvm_max_tree_set(&fnu->tree, unit, UVM_MAX_TREE_NONE);
	fnu_set_resident(ctx, &u->held.slot.key, false);
}

static void fnu_come(struct uvm_eviction_ctx *ctx, u32 unit)
{
	struct fnu_unit *u = uvm_eviction_unit(ctx, unit);
	struct fnu_state *fnu = ctx->state;

	u->asked = fnu->asked++;
	u->awaited = false;
}

/* ---- events ------------------------------------------------------------------- */

static void eviction_fnu_init(struct uvm_eviction_ctx *ctx)
{
	struct fnu_state *fnu = ctx->state;
	struct fnu_unit *first = ctx->units;

	uvm_max_tree_init(&fnu->tree, first->nodes, ctx->nr_units, ctx->unit_bytes);
	if (fnu_knows(ctx))
		uvm_uses_begin(ctx->plan);
}

static void eviction_fnu_enter(struct uvm_eviction_ctx *ctx, u32 unit, u32 when,
			       enum uvm_enter_why why)
{
	struct fnu_unit *u = uvm_eviction_unit(ctx, unit);

	if (!fnu_knows(ctx) || !uvm_eviction_hold_again(ctx, unit, why))
		return;
	/* which pages it had is forgotten: all, then */
	fnu_come(ctx, unit);
	fnu_set_resident(ctx, &u->held.slot.key, true);
	fnu_look(ctx, unit);
}

static void eviction_fnu_leave(struct uvm_eviction_ctx *ctx, u32 unit, enum uvm_leave_why why)
{
	if (!fnu_knows(ctx))
		return;
	fnu_forget(ctx, unit);
	uvm_eviction_release(ctx, unit, why);
}

static void fnu_page_comes(struct uvm_eviction_ctx *ctx, const struct uvm_eviction_page *page)
{
	u64 number = page->va >> UVM_BIG_PAGE_SHIFT;
	u32 i = uvm_uses_from(ctx->plan, number);

	if (page->va_space == ctx->plan->va_space && i < ctx->plan->nr_used &&
	    ctx->plan->used[i].number == number)
		ctx->plan->used[i].resident |=
			BIT(page->va >> UVM_PAGE_SHIFT & (UVM_PAGES_PER_BIG - 1));
}

static void eviction_fnu_arrive(struct uvm_eviction_ctx *ctx, u32 unit,
				const struct uvm_eviction_page *page)
{
	struct uvm_key key = uvm_eviction_page_key(ctx, page->va_space, page->va);
	struct fnu_unit *u = uvm_eviction_unit(ctx, unit);
	u32 other;

	if (!fnu_knows(ctx))
		return;
	if (!u->held.known || !uvm_key_equal(&u->held.slot.key, &key)) {
		fnu_forget(ctx, unit);
		other = uvm_eviction_holder(ctx, page->va_space, page->va);
		if (other != UVM_UNIT_NONE)
			fnu_forget(ctx, other);
		uvm_eviction_hold(ctx, unit, page);
		fnu_come(ctx, unit);
	}
	u->awaited |= page->demanded;
	fnu_page_comes(ctx, page);
	fnu_look(ctx, unit);
}

/* Requests of 64 KB: look at who holds some of them. */
static void eviction_fnu_touch(struct uvm_eviction_ctx *ctx, u32 unit,
			       const struct uvm_eviction_touch *touch)
{
	u64 bytes = (u64)ctx->unit_pages << UVM_PAGE_SHIFT, at;
	u64 number = touch->va >> UVM_BIG_PAGE_SHIFT;
	struct fnu_state *fnu = ctx->state;
	struct fnu_unit *u;
	u32 i;

	if (!fnu_knows(ctx) || touch->va_space != ctx->plan->va_space)
		return;
	i = uvm_uses_from(ctx->plan, number);
	if (i < ctx->plan->nr_used && ctx->plan->used[i].number == number)
		uvm_uses_count(ctx->plan, &ctx->plan->used[i], fnu_launch(ctx->state),
			       touch->count);
	else
		ctx->plan->excess += touch->count;
	for (at = 0; at < 1 << UVM_BIG_PAGE_SHIFT; at += bytes) {
		unit = uvm_eviction_holder(ctx, touch->va_space, touch->va + at);
		if (unit == UVM_UNIT_NONE)
			continue;
		u = uvm_eviction_unit(ctx, unit);
		u->awaited = false;
		u->asked = fnu->asked++;
		fnu_look(ctx, unit);
	}
}

static void eviction_fnu_launch_begin(struct uvm_eviction_ctx *ctx,
				      const struct uvm_eviction_launch *launch)
{
	struct fnu_state *fnu = ctx->state;

	if (fnu_knows(ctx) && launch->va_space == ctx->plan->va_space)
		fnu->begun++;
}

/* ---- prefetching -------------------------------------------------------------- */

/* Units of a VA block, or all of it. */
static struct uvm_region fnu_unit_region(const struct uvm_eviction_ctx *ctx, unsigned int first)
{
	return uvm_region_make(first, first + min_t(u32, ctx->unit_pages, UVM_PAGES_PER_BLOCK));
}

/* Does a unit have to be found for it? */
static bool fnu_takes_room(const struct uvm_eviction_prefetch *prefetch, struct uvm_region unit,
			   const struct uvm_page_mask *pages)
{
	return !uvm_page_mask_region_empty(pages, unit) &&
	       (!prefetch->resident || uvm_page_mask_region_empty(prefetch->resident, unit));
}

/* The earliest next use of prefetched pages of a unit. */
static u32 fnu_next_of_pages(struct uvm_eviction_ctx *ctx,
			     const struct uvm_eviction_prefetch *prefetch, struct uvm_region unit,
			     const struct uvm_page_mask *pages)
{
	u32 launch = fnu_launch(ctx->state), next = UVM_USE_NEVER, i;
	unsigned int page;

	for_each_page_in_mask(page, pages, unit) {
		u64 va = prefetch->va + ((u64)page << UVM_PAGE_SHIFT);

		i = uvm_uses_from(ctx->plan, va >> UVM_BIG_PAGE_SHIFT);
		if (i < ctx->plan->nr_used &&
		    ctx->plan->used[i].number == va >> UVM_BIG_PAGE_SHIFT)
			next = min(next, uvm_uses_next(ctx->plan, &ctx->plan->used[i], launch,
						       BIT(page % UVM_PAGES_PER_BIG)));
	}
	return next;
}

/*
 * What is prefetched into a unit of its own has another one evicted.  If it is used later than
 * that, or never, it does not come.  Into memory that is free it may, once faulted pages have
 * theirs, and beside a faulted page.  All are compared with the unit that goes next, though the
 * second takes the place of the one behind that, which is used no later: so nothing is refused that
 * is worth its place, but something may come that is not.
 */
static void eviction_fnu_refuse(struct uvm_eviction_ctx *ctx,
				const struct uvm_eviction_prefetch *prefetch,
				struct uvm_page_mask *pages)
{
	const struct fnu_state *fnu = ctx->state;
	u32 free = prefetch->free, next;
	struct uvm_region unit;
	unsigned int first;
	s64 victim;

	if (!fnu_knows(ctx) || prefetch->va_space != ctx->plan->va_space)
		return;
	fnu_look_at_all(ctx);
	victim = uvm_max_tree_max(&fnu->tree);
	if (victim == UVM_MAX_TREE_NONE)
		return;
	for (first = 0; first < UVM_PAGES_PER_BLOCK; first = unit.outer) {
		unit = fnu_unit_region(ctx, first);
		free -= free && fnu_takes_room(prefetch, unit, prefetch->faulted);
	}
	for (first = 0; first < UVM_PAGES_PER_BLOCK; first = unit.outer) {
		unit = fnu_unit_region(ctx, first);
		if (!fnu_takes_room(prefetch, unit, pages) ||
		    !uvm_page_mask_region_empty(prefetch->faulted, unit))
			continue;
		if (free) {
			free--;
			continue;
		}
		next = fnu_next_of_pages(ctx, prefetch, unit, pages);
		if (next == UVM_USE_NEVER || 1ULL + next > victim >> FNU_ORDER_BITS)
			uvm_page_mask_clear_region(pages, unit);
	}
}

/* How far this run strays from the plan; requests that no use is for are excess, too. */
static bool eviction_fnu_number(struct uvm_eviction_ctx *ctx, unsigned int i,
				struct uvm_eviction_number *number)
{
	const struct uvm_eviction_number numbers[] = {
		{ "requests_missing", fnu_knows(ctx) ? ctx->plan->missing : 0 },
		{ "requests_excess", fnu_knows(ctx) ? ctx->plan->excess : 0 },
	};

	if (i >= ARRAY_SIZE(numbers))
		return false;
	*number = numbers[array_index_nospec(i, ARRAY_SIZE(numbers))];
	return true;
}

/* The first one may be in work: then the next that may go, which is rare. */
static u32 eviction_fnu_pick(struct uvm_eviction_ctx *ctx)
{
	const struct fnu_state *fnu = ctx->state;
	s64 first, value, most = UVM_MAX_TREE_NONE;
	u32 unit, best = UVM_UNIT_NONE;

	if (!fnu_knows(ctx))
		return uvm_eviction_first(ctx);
	fnu_look_at_all(ctx);
	first = uvm_max_tree_max(&fnu->tree);
	if (first == UVM_MAX_TREE_NONE)
		return uvm_eviction_first(ctx);
	unit = uvm_max_tree_first(&fnu->tree, 0, first);
	if (uvm_eviction_evictable(ctx, unit))
		return unit;
	for (unit = 0; unit < ctx->nr_units; unit++) {
		value = uvm_max_tree_get(&fnu->tree, unit);
		if (value > most && uvm_eviction_evictable(ctx, unit)) {
			most = value;
			best = unit;
		}
	}
	return best == UVM_UNIT_NONE ? uvm_eviction_first(ctx) : best;
}

UVM_POLICY(eviction, fnu, "what is used next farthest in the future, by a plan; without one as lru",
	   .policy.feeds = UVM_FEED_REQUESTS,
	   .state_bytes = sizeof(struct fnu_state),
	   .unit_bytes = sizeof(struct fnu_unit),
	   .init = eviction_fnu_init,
	   .enter = eviction_fnu_enter,
	   .leave = eviction_fnu_leave,
	   .arrive = eviction_fnu_arrive,
	   .touch = eviction_fnu_touch,
	   .launch_begin = eviction_fnu_launch_begin,
	   .pick = eviction_fnu_pick,
	   .number = eviction_fnu_number,
	   .refuse = eviction_fnu_refuse);
