// SPDX-License-Identifier: GPL-2.0
/*
 * Thrashing: history of blocks and pages, throttling and pins.
 */
#include <kunit/visibility.h>
#include <linux/bits.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/time64.h>
#include "policy/param.h"
#include "model/thrashing.h"

/* ---- parameters (5.2) ---------------------------------------------------- */

/* The clock is everybody's: nobody sleeps longer at a time, whatever the lapse. */
#define THRASHING_NAP_MAX_NS	(100ULL * NSEC_PER_MSEC)

/**
 * uvm_thrashing_params_read - what the parameters of a VA space mean
 * @params: its parameters
 * @out: out: the same in ns; multiples are of the lapse as it was set
 *
 * The default lapse is nvidia-uvm's for real GPUs, 500 us.  It takes 800 times
 * that for simulated ones since these are slow in real time; driver time here
 * is the modelled machine's.
 *
 * Return: false if nobody shall look for pages that thrash.
 */
bool uvm_thrashing_params_read(const struct uvm_params *params, struct uvm_thrashing_params *out)
{
	u64 lapse_ns = (u64)READ_ONCE(params->perf_thrashing_lapse_usec) * NSEC_PER_USEC;
	u32 pin = READ_ONCE(params->perf_thrashing_pin);

	out->policy = READ_ONCE(params->thrashing_policy);
	out->threshold = READ_ONCE(params->perf_thrashing_threshold);
	out->pin_threshold = READ_ONCE(params->perf_thrashing_pin_threshold);
	out->lapse_ns = lapse_ns;
	out->adaptive = lapse_ns == UVM_THRASHING_LAPSE_DEFAULT_NS;
	out->vote_threshold = READ_ONCE(params->perf_lapse_vote_threshold);
	out->nap_ns = min(lapse_ns * READ_ONCE(params->perf_thrashing_nap), THRASHING_NAP_MAX_NS);
	out->epoch_ns = lapse_ns * READ_ONCE(params->perf_thrashing_epoch);
	out->pin_ns = pin ? lapse_ns * pin : U64_MAX;
	out->max_resets = READ_ONCE(params->perf_thrashing_max_resets);
	return READ_ONCE(params->perf_thrashing_enable) && out->policy->detect;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_thrashing_params_read);

/* ---- adaptive lapse (end of 5.4) --------------------------------------- */

/**
 * uvm_thrashing_lapse_get - largest gap between events of a thrashing page
 * @lapse: the adaptive one
 * @params: parameters in force
 *
 * Return: ns.
 */
u64 uvm_thrashing_lapse_get(const struct uvm_thrashing_lapse *lapse,
			    const struct uvm_thrashing_params *params)
{
	u64 ns = READ_ONCE(lapse->ns);

	return params->adaptive && ns ? ns : params->lapse_ns;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_thrashing_lapse_get);

/**
 * uvm_thrashing_lapse_vote - a fault on a thrashing page came after a gap
 * @lapse: adapts by an eighth when the votes say so, up to
 *	&UVM_THRASHING_LAPSE_MAX_NS
 * @params: parameters in force
 * @gap: ns since the last event of the page
 *
 * Below its bound the lapse never shrinks: nvidia-uvm compares the signed sum with an
 * unsigned threshold, so that a negative one is above it and every early fault lets it
 * grow.  At the bound votes pile up, until 32 late ones, or early ones that make the
 * sum of 8 bits wrap, take an eighth away.
 */
void uvm_thrashing_lapse_vote(struct uvm_thrashing_lapse *lapse,
			      const struct uvm_thrashing_params *params, u64 gap)
{
	u64 ns = uvm_thrashing_lapse_get(lapse, params);
	u32 threshold = params->vote_threshold;

	if (!params->adaptive)
		return;
	lapse->votes = (s8)(lapse->votes + (gap < ns ? -1 : 1));
	if ((u32)lapse->votes >= threshold && ns < UVM_THRASHING_LAPSE_MAX_NS)
		ns += min(ns / 8, UVM_THRASHING_LAPSE_MAX_NS / 10);
	else if (lapse->votes >= (s64)threshold && ns > UVM_THRASHING_LAPSE_MIN_NS)
		ns -= max(ns / 8, UVM_THRASHING_LAPSE_MIN_NS);
	else
		return;
	lapse->votes /= 2;
	WRITE_ONCE(lapse->ns, ns);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_thrashing_lapse_vote);

/* ---- blocks -------------------------------------------------------------- */

/**
 * uvm_thrashing_init - a block without a history
 * @block: storage
 */
void uvm_thrashing_init(struct uvm_thrashing_block *block)
{
	*block = (struct uvm_thrashing_block){ .last_processor = UVM_ID_INVALID };
}
EXPORT_SYMBOL_IF_KUNIT(uvm_thrashing_init);

/**
 * uvm_thrashing_deinit - the block goes; nothing is reported
 * @block: as after uvm_thrashing_init() again
 */
void uvm_thrashing_deinit(struct uvm_thrashing_block *block)
{
	/* also where what is freed was not too large for kmalloc() */
	might_sleep();
	kvfree(block->pages);
	uvm_thrashing_init(block);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_thrashing_deinit);

static void thrashing_page_init(struct uvm_thrashing_page *page)
{
	*page = (struct uvm_thrashing_page){
		.free_pass = UVM_ID_INVALID,
		.pinned_at = UVM_ID_INVALID,
	};
}

/* Without memory the block goes on without a history of its pages. */
static bool thrashing_alloc_pages(struct uvm_thrashing_block *block)
{
	unsigned int i;

	block->pages = kvmalloc_array(UVM_PAGES_PER_BLOCK, sizeof(*block->pages),
				      UVM_GFP_ACCOUNT);
	if (!block->pages)
		return false;
	for (i = 0; i < UVM_PAGES_PER_BLOCK; i++)
		thrashing_page_init(&block->pages[i]);
	return true;
}

/* ---- throttling and pins of a page --------------------------------------- */

/* Without anybody who waits the period is over: whoever asks next begins one. */
static void thrashing_end_throttle(struct uvm_thrashing_ctx *ctx, unsigned int page,
				   unsigned int processor)
{
	struct uvm_thrashing_page *p = &ctx->block->pages[page];

	p->throttled &= ~BIT(processor);
	if (!p->throttled)
		p->nap_end = 0;
	ctx->report(ctx, UVM_THRASHING_THROTTLE_END, page, processor);
}

/* Nobody waits any more; who was let through, and how often others waited, stays. */
static void thrashing_end_throttles(struct uvm_thrashing_ctx *ctx, unsigned int page)
{
	unsigned int id;

	for_each_uvm_id(id) {
		if (ctx->block->pages[page].throttled & BIT(id))
			thrashing_end_throttle(ctx, page, id);
	}
}

static void thrashing_unpin(struct uvm_thrashing_ctx *ctx, unsigned int page)
{
	struct uvm_thrashing_block *block = ctx->block;
	unsigned int where = block->pages[page].pinned_at;

	if (where == UVM_ID_INVALID)
		return;
	block->pages[page].pinned_at = UVM_ID_INVALID;
	block->pages[page].pin_end = 0;
	uvm_page_mask_clear(&block->pinned, page);
	block->nr_pinned--;
	ctx->report(ctx, UVM_THRASHING_UNPINNED, page, where);
}

/*
 * The page is found out anew.  As in nvidia-uvm it keeps its free pass and how often
 * processors waited for it, so that one that thrashes again is pinned sooner.
 */
static void thrashing_reset_page(struct uvm_thrashing_ctx *ctx, unsigned int page)
{
	struct uvm_thrashing_page *p = &ctx->block->pages[page];

	thrashing_end_throttles(ctx, page);
	thrashing_unpin(ctx, page);
	uvm_page_mask_clear(&ctx->block->thrashing, page);
	p->stamp = 0;
	p->events = 0;
	p->processors = 0;
	p->atomics = 0;
	p->migrated = false;
	p->revoked = false;
}

/**
 * uvm_thrashing_reset - pages no longer thrash: moved by the user, duplicated, unpinned
 * @ctx: the block
 * @pages: the pages; those that do not thrash go on counting (5.3)
 */
void uvm_thrashing_reset(struct uvm_thrashing_ctx *ctx, const struct uvm_page_mask *pages)
{
	struct uvm_page_mask mask;
	unsigned int page;

	if (!ctx->block->pages || !uvm_page_mask_and(&mask, pages, &ctx->block->thrashing))
		return;
	for_each_page_in_mask(page, &mask, uvm_region_make(0, UVM_PAGES_PER_BLOCK))
		thrashing_reset_page(ctx, page);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_thrashing_reset);

/**
 * uvm_thrashing_forget - pages or processors go: nothing is left of what was known
 * @ctx: the block
 * @pages: the pages
 */
void uvm_thrashing_forget(struct uvm_thrashing_ctx *ctx, const struct uvm_page_mask *pages)
{
	unsigned int page;

	if (!ctx->block->pages)
		return;
	uvm_thrashing_reset(ctx, pages);
	for_each_page_in_mask(page, pages, uvm_region_make(0, UVM_PAGES_PER_BLOCK))
		thrashing_page_init(&ctx->block->pages[page]);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_thrashing_forget);

/* ---- detection (5.3) ----------------------------------------------------- */

/**
 * uvm_thrashing_classify - what pages that move mean to the history
 * @cause: why they move
 * @duplicates: the range is read-duplicated, or the source keeps its copy
 *
 * Not asked are the first hop of a copy in two and pages that move without
 * data: nobody loses these.
 *
 * Copies by virtual address (non-replayable faults) are the user's as well.
 *
 * Return: see there.
 */
enum uvm_thrashing_effect uvm_thrashing_classify(enum uvm_event_cause cause, bool duplicates)
{
	if (cause == UVM_CAUSE_EVICTION)
		return UVM_THRASHING_IGNORE;
	if (duplicates)
		return UVM_THRASHING_RESET;
	switch (cause) {
	case UVM_CAUSE_FAULT:
	case UVM_CAUSE_CPU_FAULT:
	case UVM_CAUSE_ACCESS_COUNTER:
		return UVM_THRASHING_COUNT_UNPINNED;
	case UVM_CAUSE_PREFETCH:
		return UVM_THRASHING_COUNT;
	default:
		return UVM_THRASHING_RESET;
	}
}
EXPORT_SYMBOL_IF_KUNIT(uvm_thrashing_classify);

static u64 thrashing_gap(const struct uvm_thrashing_ctx *ctx, u64 since)
{
	return ctx->now > since ? ctx->now - since : 0;
}

/*
 * An event soon after the last one.  At the threshold the page thrashes; where that is
 * the end of the counter, each event finds it out again (5.2).
 */
static void thrashing_count_close(struct uvm_thrashing_ctx *ctx, unsigned int page,
				  unsigned int processor, bool revocation)
{
	struct uvm_thrashing_block *block = ctx->block;
	struct uvm_thrashing_page *p = &block->pages[page];
	unsigned int threshold = ctx->params->threshold;
	bool thrashes = uvm_page_mask_test(&block->thrashing, page);

	if (p->events < UVM_THRASHING_EVENTS_MAX)
		p->events++;
	/* above it also where the threshold was lowered meanwhile */
	if (p->events == threshold || (p->events > threshold && !thrashes)) {
		uvm_page_mask_set(&block->thrashing, page);
		ctx->report(ctx, UVM_THRASHING_DETECTED, page, processor);
	}
	if (uvm_page_mask_test(&block->thrashing, page))
		block->last_thrashing = ctx->now;
	p->revoked |= revocation;
	p->migrated |= !revocation;
}

static void thrashing_count(struct uvm_thrashing_ctx *ctx, unsigned int page,
			    unsigned int processor, bool revocation)
{
	struct uvm_thrashing_page *p = &ctx->block->pages[page];
	u64 last = p->stamp;

	p->processors |= BIT(processor);
	p->stamp = ctx->origin + round_down(ctx->now - ctx->origin, UVM_THRASHING_STAMP_NS);
	if (!last)
		return;
	if (thrashing_gap(ctx, last) <= uvm_thrashing_lapse_get(ctx->lapse, ctx->params))
		thrashing_count_close(ctx, page, processor, revocation);
	else if (uvm_page_mask_test(&ctx->block->thrashing, page) &&
		 p->pinned_at == UVM_ID_INVALID)
		thrashing_reset_page(ctx, page);	/* and forget this event with the others */
}

/* May pages of this block thrash?  Only two processors can make them. */
static bool thrashing_suspect(struct uvm_thrashing_ctx *ctx, unsigned int processor)
{
	struct uvm_thrashing_block *block = ctx->block;

	if (block->pages)
		return true;
	if (block->last_processor == UVM_ID_INVALID || block->last_processor == processor)
		return false;
	if (ctx->now > block->last_event + uvm_thrashing_lapse_get(ctx->lapse, ctx->params))
		return false;
	return thrashing_alloc_pages(block);
}

/* Something was given to a processor or taken from it. */
static void thrashing_event(struct uvm_thrashing_ctx *ctx, unsigned int processor,
			    struct uvm_region run, bool revocation)
{
	unsigned int page;

	if (thrashing_suspect(ctx, processor)) {
		for (page = run.first; page < run.outer; page++)
			thrashing_count(ctx, page, processor, revocation);
	}
	ctx->block->last_processor = processor;
	ctx->block->last_event = ctx->now;
}

/**
 * uvm_thrashing_migration - pages move, with their data
 * @ctx: the block
 * @dst: to whom; of a copy in two hops only the last counts
 * @run: consecutive pages that move for the same cause
 * @cause: the cause
 * @duplicates: the range is read-duplicated, or the source keeps its copy
 *
 * May allocate memory, and does without if there is none.
 */
void uvm_thrashing_migration(struct uvm_thrashing_ctx *ctx, unsigned int dst,
			     struct uvm_region run, enum uvm_event_cause cause,
			     bool duplicates)
{
	struct uvm_page_mask pages;

	switch (uvm_thrashing_classify(cause, duplicates)) {
	case UVM_THRASHING_IGNORE:
		return;
	case UVM_THRASHING_RESET:
		uvm_page_mask_fill_region(&pages, run);
		uvm_thrashing_reset(ctx, &pages);
		return;
	case UVM_THRASHING_COUNT_UNPINNED:
		if (uvm_page_mask_first_zero(&ctx->block->pinned, run) >= run.outer)
			return;
		break;
	case UVM_THRASHING_COUNT:
		break;
	}
	thrashing_event(ctx, dst, run, false);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_thrashing_migration);

/**
 * uvm_thrashing_revocation - a processor lost permissions to pages that stay
 * @ctx: the block
 * @processor: who
 * @run: consecutive pages
 *
 * May allocate memory, and does without if there is none.
 */
void uvm_thrashing_revocation(struct uvm_thrashing_ctx *ctx, unsigned int processor,
			      struct uvm_region run)
{
	thrashing_event(ctx, processor, run, true);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_thrashing_revocation);

/* ---- hints (5.4) --------------------------------------------------------- */

/* Step 2: nothing has thrashed for long, so the block may forget. */
static bool thrashing_forget_block(struct uvm_thrashing_ctx *ctx)
{
	struct uvm_thrashing_block *block = ctx->block;
	unsigned int page, resets = block->resets;

	if (!block->last_thrashing || ctx->now <= block->last_thrashing ||
	    ctx->now - block->last_thrashing <= ctx->params->epoch_ns)
		return false;
	if (block->nr_pinned || resets >= ctx->params->max_resets)
		return false;
	for_each_page_in_mask(page, &block->thrashing, uvm_region_make(0, UVM_PAGES_PER_BLOCK))
		thrashing_end_throttles(ctx, page);
	uvm_thrashing_deinit(block);
	block->resets = resets + 1;
	ctx->report(ctx, UVM_THRASHING_FORGOTTEN, 0, UVM_ID_INVALID);
	return true;
}

/* Step 4; true if the requester has to wait on. */
static bool thrashing_still_naps(struct uvm_thrashing_ctx *ctx, unsigned int page,
				 unsigned int requester)
{
	struct uvm_thrashing_page *p = &ctx->block->pages[page];

	if (!(p->throttled & BIT(requester)))
		return false;
	if (ctx->now < p->nap_end && p->free_pass != requester)
		return true;
	thrashing_end_throttle(ctx, page, requester);
	return false;
}

/* Step 6: who is not throttled in this period?  Never the same one twice running. */
static void thrashing_update_period(struct uvm_thrashing_ctx *ctx,
				    struct uvm_thrashing_page *p, unsigned int requester)
{
	if (ctx->now > p->nap_end) {
		/*
		 * Not in units of 64 ns, as the original has it: what runs again later would
		 * wait for another time, and not repeat.
		 */
		p->nap_end = ctx->now + ctx->params->nap_ns;
		p->free_pass = p->free_pass == requester ? UVM_ID_INVALID : requester;
	} else if (p->free_pass == UVM_ID_INVALID) {
		p->free_pass = requester;
	}
}

/* Memory as good as their own to a processor (8b): fast, and with atomics. */
static u16 thrashing_fast(const struct uvm_topology *topology, unsigned int id)
{
	return BIT(id) | (topology->fast_link[id] & topology->native_atomics[id]);
}

/* Who does atomics on the page can use it only where these work. */
static u16 thrashing_reach(const struct uvm_thrashing_ctx *ctx,
			   const struct uvm_thrashing_page *p, unsigned int id)
{
	u16 reach = ctx->topology->can_access[id];

	return p->atomics & BIT(id) ? reach & ctx->topology->native_atomics[id] : reach;
}

/* Steps 7 and 8: the policy decides. */
static struct uvm_thrashing_answer thrashing_decide(struct uvm_thrashing_ctx *ctx,
						    const struct uvm_thrashing_fault *fault)
{
	const struct uvm_thrashing_page *p = &ctx->block->pages[fault->page];
	struct uvm_thrashing_query query = {
		.requester = fault->requester,
		.preferred = fault->preferred,
		.resident = fault->resident,
		.pinned_at = p->pinned_at,
		.free_pass = p->free_pass,
		.revoked = p->revoked,
		.processors = p->processors,
		.accessible = thrashing_reach(ctx, p, fault->requester),
		.common = thrashing_reach(ctx, p, fault->requester),
		.fast = thrashing_fast(ctx->topology, fault->requester),
	};
	unsigned int id;

	for_each_uvm_id(id) {
		if (!(p->processors & BIT(id)))
			continue;
		query.common &= thrashing_reach(ctx, p, id);
		query.fast &= thrashing_fast(ctx->topology, id);
	}
	/* nvidia-uvm always has such a place, so it does not say what to do without */
	if (!query.common) {
		thrashing_unpin(ctx, fault->page);
		query.pinned_at = UVM_ID_INVALID;
	}
	query.persistent = query.common && p->throttles >= ctx->params->pin_threshold;
	query.closest_common = uvm_topology_closest(ctx->topology, fault->requester, query.common);
	return uvm_policy_check_thrashing(&query, ctx->params->policy->decide(&query));
}

/* Step 9, PIN.  The pin ends when the first one would have: moving does not prolong it. */
static void thrashing_pin(struct uvm_thrashing_ctx *ctx, const struct uvm_thrashing_fault *fault,
			  unsigned int where)
{
	struct uvm_thrashing_block *block = ctx->block;
	struct uvm_thrashing_page *p = &block->pages[fault->page];
	bool first = p->pinned_at == UVM_ID_INVALID;

	if (first || !(fault->residents & BIT(where)))
		thrashing_end_throttles(ctx, fault->page);
	if (first) {
		if (check_add_overflow(ctx->now, ctx->params->pin_ns, &p->pin_end))
			p->pin_end = U64_MAX;
		uvm_page_mask_set(&block->pinned, fault->page);
		block->nr_pinned++;
		p->throttles = 0;
	}
	if (p->pinned_at == where)
		return;
	p->pinned_at = where;
	ctx->report(ctx, UVM_THRASHING_PINNED, fault->page, where);
}

/* Step 9, THROTTLE.  Replays bring the fault again, but a processor waits once per nap. */
static void thrashing_throttle(struct uvm_thrashing_ctx *ctx, unsigned int page,
			       unsigned int requester)
{
	struct uvm_thrashing_page *p = &ctx->block->pages[page];

	if (p->throttled & BIT(requester))
		return;
	p->throttled |= BIT(requester);
	ctx->report(ctx, UVM_THRASHING_THROTTLE_START, page, requester);
	if (p->pinned_at == UVM_ID_INVALID && p->throttles < UVM_THRASHING_THROTTLES_MAX)
		p->throttles++;
}

/* Step 5; true if the page no longer thrashes. */
static bool thrashing_has_ceased(struct uvm_thrashing_ctx *ctx, struct uvm_thrashing_page *p)
{
	u64 gap = thrashing_gap(ctx, p->stamp);

	uvm_thrashing_lapse_vote(ctx->lapse, ctx->params, gap);
	return gap > uvm_thrashing_lapse_get(ctx->lapse, ctx->params) &&
	       p->pinned_at == UVM_ID_INVALID;
}

/**
 * uvm_thrashing_hint - what to do about a fault
 * @ctx: the block; the caller keeps others from @ctx->lapse
 * @fault: the fault; its requester has no permission that would serve it
 *
 * Does not sleep and cannot fail.
 *
 * Return: serve it as usual, leave it for later, or keep the page somewhere.
 */
struct uvm_thrashing_hint_result uvm_thrashing_hint(struct uvm_thrashing_ctx *ctx,
						    const struct uvm_thrashing_fault *fault)
{
	struct uvm_thrashing_hint_result result = {
		.hint = UVM_THRASHING_HINT_NONE,
		.where = UVM_ID_INVALID,
	};
	unsigned int page = fault->page, requester = fault->requester;
	struct uvm_thrashing_answer answer;
	struct uvm_thrashing_page *p;

	if (!ctx->block->pages || thrashing_forget_block(ctx))
		return result;
	p = &ctx->block->pages[page];
	if (!uvm_page_mask_test(&ctx->block->thrashing, page))		/* step 3 */
		return result;
	if (thrashing_still_naps(ctx, page, requester)) {
		answer.hint = UVM_THRASHING_HINT_THROTTLE;
	} else {
		if (thrashing_has_ceased(ctx, p))
			return result;
		p->processors |= BIT(requester);
		if (fault->atomic)
			p->atomics |= BIT(requester);
		thrashing_update_period(ctx, p, requester);
		answer = thrashing_decide(ctx, fault);
	}
	result.hint = answer.hint;
	if (answer.hint == UVM_THRASHING_HINT_PIN) {
		thrashing_pin(ctx, fault, answer.where);
		result.where = answer.where;
	} else if (answer.hint == UVM_THRASHING_HINT_THROTTLE) {
		thrashing_throttle(ctx, page, requester);
		result.until = p->nap_end;
	}
	return result;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_thrashing_hint);

/* ---- unpinning ----------------------------------------------------------- */

/**
 * uvm_thrashing_expired - pins that have ended
 * @block: the block
 * @now: driver time, ns
 * @out: out: the pages; the caller unmaps and resets them
 *
 * Return: true if there are any.
 */
bool uvm_thrashing_expired(const struct uvm_thrashing_block *block, u64 now,
			   struct uvm_page_mask *out)
{
	unsigned int page;

	uvm_page_mask_zero(out);
	if (!block->pages)
		return false;
	for_each_page_in_mask(page, &block->pinned, uvm_region_make(0, UVM_PAGES_PER_BLOCK)) {
		if (block->pages[page].pin_end <= now + UVM_THRASHING_UNPIN_SLOP_NS)
			uvm_page_mask_set(out, page);
	}
	return !uvm_page_mask_empty(out);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_thrashing_expired);

/**
 * uvm_thrashing_next_unpin - when the next pin ends
 * @block: the block
 *
 * Return: driver time, ns; U64_MAX for never.
 */
u64 uvm_thrashing_next_unpin(const struct uvm_thrashing_block *block)
{
	u64 next = U64_MAX;
	unsigned int page;

	if (!block->pages)
		return next;
	for_each_page_in_mask(page, &block->pinned, uvm_region_make(0, UVM_PAGES_PER_BLOCK))
		next = min(next, block->pages[page].pin_end);
	return next;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_thrashing_next_unpin);

/**
 * uvm_thrashing_processors - who fights for a pinned page
 * @block: the block
 * @page: the page
 *
 * Return: bit per processor, 0 if the page is not pinned.
 */
u16 uvm_thrashing_processors(const struct uvm_thrashing_block *block, unsigned int page)
{
	return uvm_page_mask_test(&block->pinned, page) ? block->pages[page].processors : 0;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_thrashing_processors);
