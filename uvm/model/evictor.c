// SPDX-License-Identifier: GPL-2.0
/* An eviction policy in force on a GPU; see evictor.h. */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/math64.h>
#include <linux/slab.h>
#include "base/page_mask.h"
#include "model/evictor.h"
#include "policy/param.h"

static void evictor_free(struct uvm_evictor *evictor)
{
	kvfree(evictor->ctx.came);
	kvfree(evictor->ctx.units);
	kvfree(evictor->ctx.state);
	uvm_params_put(evictor->params);
	kfree(evictor);
}

/* What the policy keeps; false: no memory. */
static bool evictor_alloc(struct uvm_evictor *evictor)
{
	const struct uvm_eviction_ops *ops = evictor->ops;
	struct uvm_eviction_ctx *ctx = &evictor->ctx;

	if (ops->state_bytes)
		ctx->state = kvzalloc(ops->state_bytes, GFP_KERNEL);
	if (ops->unit_bytes)
		ctx->units = kvcalloc(ctx->nr_units, ctx->unit_bytes, GFP_KERNEL);
	if (uvm_evictor_wants_pages(evictor))
		ctx->came = kvcalloc(BITS_TO_LONGS(ctx->nr_units), sizeof(long), GFP_KERNEL);
	return (!ops->state_bytes || ctx->state) && (!ops->unit_bytes || ctx->units) &&
	       (!uvm_evictor_wants_pages(evictor) || ctx->came);
}

/**
 * uvm_evictor_create - a policy comes into force
 * @ops: the policy
 * @memory: what it is to choose from
 *
 * Return: the evictor; NULL: no memory.
 */
struct uvm_evictor *uvm_evictor_create(const struct uvm_eviction_ops *ops,
				       const struct uvm_evictor_memory *memory)
{
	struct uvm_evictor *evictor = kzalloc(sizeof(*evictor), GFP_KERNEL);

	if (!evictor)
		return NULL;
	evictor->ops = ops;
	evictor->params = uvm_params_dup(memory->params);
	evictor->ctx = (struct uvm_eviction_ctx){
		.view = memory->view, .memory = memory->memory,
		.unit_bytes = ALIGN(ops->unit_bytes, sizeof(u64)), .nr_units = memory->nr_units,
		.unit_pages = memory->unit_pages, .params = evictor->params,
		.plan = memory->plan,
	};
	if (!evictor->params || !evictor_alloc(evictor)) {
		evictor_free(evictor);
		return NULL;
	}
	uvm_random_init(&evictor->ctx.random, evictor->params);
	if (ops->init)
		ops->init(&evictor->ctx);
	return evictor;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_evictor_create);

/**
 * uvm_evictor_destroy - another one takes over, or nobody
 * @evictor: the evictor, or NULL
 */
void uvm_evictor_destroy(struct uvm_evictor *evictor)
{
	if (!evictor)
		return;
	if (evictor->ops->exit)
		evictor->ops->exit(&evictor->ctx);
	evictor_free(evictor);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_evictor_destroy);

/* Fault injection; others may write the number at any time. */
static bool evictor_is_broken(struct uvm_evictor *evictor)
{
	u32 left = evictor->inject ? READ_ONCE(*evictor->inject) : 0;

	if (left)
		WRITE_ONCE(*evictor->inject, left - 1);
	return left;
}

/**
 * uvm_evictor_pick - which unit is to go?
 * @evictor: the evictor; there is an evictable unit
 *
 * One who has all of memory evicted twice while no page comes takes away again and again what
 * whoever needs room has just got, and would do so for ever: that is wrong, too.
 *
 * Return: what the policy says if that is evictable, else the first of the allocator's order.
 */
u32 uvm_evictor_pick(struct uvm_evictor *evictor)
{
	struct uvm_eviction_ctx *ctx = &evictor->ctx;
	u32 unit;

	if (!evictor->was_full) {
		evictor->was_full = true;
		if (evictor->ops->full)
			evictor->ops->full(ctx);
	}
	/* all are at rest: nobody could answer */
	if (uvm_eviction_first(ctx) == UVM_UNIT_NONE)
		return ctx->view->first(ctx->memory);
	unit = evictor->ops->pick(ctx);
	if (unlikely(evictor_is_broken(evictor)))
		unit = UVM_UNIT_NONE;
	if (likely(unit < ctx->nr_units && uvm_eviction_evictable(ctx, unit) &&
		   evictor->idle++ < 2ULL * ctx->nr_units))
		return unit;
	evictor->wrong++;
	return uvm_eviction_first(ctx);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_evictor_pick);

/**
 * uvm_evictor_touch - hardware says that memory was accessed
 * @evictor: the evictor
 * @unit: the unit, or UVM_UNIT_NONE for what is not in this memory
 * @touch: what is known of it
 */
void uvm_evictor_touch(struct uvm_evictor *evictor, u32 unit,
		       const struct uvm_eviction_touch *touch)
{
	if (!evictor->ops->touch)
		return;
	evictor->calls++;
	evictor->touches++;
	evictor->ops->touch(&evictor->ctx, unit, touch);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_evictor_touch);

/* UVM_FEED_ACCESSED: whoever was accessed since the last sweep. */
static void evictor_sweep(struct uvm_evictor *evictor)
{
	struct uvm_eviction_ctx *ctx = &evictor->ctx;
	u32 now = uvm_eviction_now(ctx), unit;

	for (unit = uvm_eviction_first(ctx); unit != UVM_UNIT_NONE;
	     unit = uvm_eviction_next(ctx, unit)) {
		struct uvm_eviction_touch touch = {
			.when = uvm_eviction_last_access(ctx, unit), .count = 1,
		};

		if (touch.when && !uvm_eviction_before(touch.when, evictor->swept))
			uvm_evictor_touch(evictor, unit, &touch);
	}
	evictor->swept = now;
}

/* All ticks up to @count of what they are counted by, one call for each. */
static void evictor_tick(struct uvm_evictor *evictor, u64 count)
{
	const struct uvm_eviction_ops *ops = evictor->ops;
	u64 due = div64_u64(count, ops->tick_every);

	if (due == evictor->ticks)
		return;
	if (ops->policy.feeds & UVM_FEED_ACCESSED && ops->touch)
		evictor_sweep(evictor);
	while (evictor->ticks < due) {
		evictor->ticks++;
		if (!ops->tick)
			continue;
		evictor->calls++;
		ops->tick(&evictor->ctx, evictor->ticks);
	}
}

/**
 * uvm_evictor_arrive - a page came
 * @evictor: the evictor
 * @unit: where to
 * @page: the page; its @fault is written
 */
void uvm_evictor_arrive(struct uvm_evictor *evictor, u32 unit, struct uvm_eviction_page *page)
{
	const struct uvm_eviction_ops *ops = evictor->ops;

	page->fault = evictor->faults;
	if (evictor->ctx.came)
		__set_bit(unit, evictor->ctx.came);
	if (ops->refault && page->returned) {
		evictor->calls++;
		ops->refault(&evictor->ctx, unit, page);
	}
	if (ops->arrive) {
		evictor->calls++;
		ops->arrive(&evictor->ctx, unit, page);
	}
	evictor->pages++;
	evictor->faults += page->demanded;
	if (ops->tick_by == UVM_TICK_FAULTS)
		evictor_tick(evictor, evictor->faults);
	else if (ops->tick_by == UVM_TICK_PAGES)
		evictor_tick(evictor, evictor->pages);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_evictor_arrive);

/* A policy that was away, or asleep, is told of no more ticks than that at once. */
#define EVICTOR_TICKS_AT_ONCE	1024

/**
 * uvm_evictor_time - time has passed
 * @evictor: the evictor
 * @now_ns: driver time
 */
void uvm_evictor_time(struct uvm_evictor *evictor, u64 now_ns)
{
	const struct uvm_eviction_ops *ops = evictor->ops;
	u64 due;

	if (ops->tick_by != UVM_TICK_NS)
		return;
	evictor->start_ns = evictor->start_ns ?: now_ns;
	due = div64_u64(now_ns - evictor->start_ns, ops->tick_every);
	if (due > evictor->ticks + EVICTOR_TICKS_AT_ONCE)
		evictor->ticks = due - EVICTOR_TICKS_AT_ONCE;
	evictor_tick(evictor, now_ns - evictor->start_ns);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_evictor_time);

/**
 * uvm_evictor_launch - a launch begins on the GPU, or has ended
 * @evictor: the evictor
 * @launch: the launch
 * @begins: which
 */
void uvm_evictor_launch(struct uvm_evictor *evictor, const struct uvm_eviction_launch *launch,
			bool begins)
{
	const struct uvm_eviction_ops *ops = evictor->ops;

	if (begins ? !ops->launch_begin : !ops->launch_end)
		return;
	evictor->calls++;
	evictor->launches++;
	if (begins)
		ops->launch_begin(&evictor->ctx, launch);
	else
		ops->launch_end(&evictor->ctx, launch);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_evictor_launch);

/**
 * uvm_evictor_refuse - what need not be prefetched?
 * @evictor: the evictor
 * @prefetch: what is to come
 * @pages: what a prefetcher has chosen; bits are cleared, and none is set
 */
void uvm_evictor_refuse(struct uvm_evictor *evictor, const struct uvm_eviction_prefetch *prefetch,
			struct uvm_page_mask *pages)
{
	struct uvm_page_mask chosen;

	if (!evictor->ops->refuse)
		return;
	evictor->calls++;
	uvm_page_mask_copy(&chosen, pages);
	evictor->ops->refuse(&evictor->ctx, prefetch, pages);
	uvm_page_mask_and(pages, pages, &chosen);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_evictor_refuse);

/**
 * uvm_evictor_also - what goes with a victim?
 * @evictor: the evictor
 * @unit: the victim
 * @victim: where it is in its block
 * @pages: of the block; bits are set.  Only what is resident on the GPU
 */
void uvm_evictor_also(struct uvm_evictor *evictor, u32 unit,
		      const struct uvm_eviction_victim *victim, struct uvm_page_mask *pages)
{
	if (!evictor->ops->also)
		return;
	evictor->ops->also(&evictor->ctx, unit, victim, pages);
	uvm_page_mask_and(pages, pages, victim->resident);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_evictor_also);
