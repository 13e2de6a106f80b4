// SPDX-License-Identifier: GPL-2.0
/* Units for eviction_policy=pilot; see pilot_units.h. */
#include <linux/math64.h>
#include "base/types.h"
#include "policy/pilot/pilot_units.h"

static struct uvm_pilot_unit *pilot_unit(struct uvm_eviction_ctx *ctx, u32 unit)
{
	return &uvm_pilot_record(ctx, unit)->unit;
}

static u64 pilot_unit_bytes(const struct uvm_eviction_ctx *ctx)
{
	return (u64)ctx->unit_pages << UVM_PAGE_SHIFT;
}

static struct uvm_key_hash pilot_held(struct uvm_eviction_ctx *ctx)
{
	return (struct uvm_key_hash){
		.slots = &pilot_unit(ctx, 0)->held, .nr = ctx->nr_units,
		.record_bytes = ctx->unit_bytes, .per = 1,
	};
}

static struct uvm_key pilot_key(const struct uvm_eviction_ctx *ctx, u64 va_space, u64 va)
{
	return (struct uvm_key){
		.space = va_space, .number = div64_u64(va, pilot_unit_bytes(ctx)),
	};
}

/* ---- ranges ---------------------------------------------------------------- */

static struct uvm_key_hash pilot_ranges(struct uvm_eviction_ctx *ctx)
{
	return (struct uvm_key_hash){
		.slots = &uvm_pilot_record(ctx, 0)->range.slot, .nr = ctx->nr_units,
		.record_bytes = ctx->unit_bytes, .per = 1,
	};
}

static u32 pilot_range_get(struct uvm_eviction_ctx *ctx, const struct uvm_key *key)
{
	struct uvm_key_hash hash = pilot_ranges(ctx);
	struct uvm_pilot_units *units = ctx->state;
	u32 i = uvm_key_find(&hash, key);
	struct uvm_pilot_range *range;

	if (i != UVM_KEY_NONE)
		return i;
	i = units->free ? units->free - 1 : units->ranges++;
	range = &uvm_pilot_record(ctx, i)->range;
	units->free = units->free ? range->next : 0;
	uvm_key_add(&hash, i, key);
	range->units = 0;
	return i;
}

static void pilot_range_quit(struct uvm_eviction_ctx *ctx, struct uvm_pilot_unit *unit)
{
	struct uvm_key_hash hash = pilot_ranges(ctx);
	struct uvm_pilot_units *units = ctx->state;
	struct uvm_pilot_range *range;

	if (!unit->range)
		return;
	range = &uvm_pilot_record(ctx, unit->range - 1)->range;
	if (!--range->units) {
		uvm_key_remove(&hash, unit->range - 1);
		range->next = units->free;
		units->free = unit->range;
	}
	unit->range = 0;
}

/* What the range knows of its address, and the range's rhythm. */
static void pilot_range_join(struct uvm_eviction_ctx *ctx, struct uvm_pilot_unit *unit,
			     struct uvm_pilot_arrival *arrival)
{
	struct uvm_key key = { .space = unit->held.key.space };
	struct uvm_pilot_range *range;
	u32 i;

	unit->interval = 0;
	if (!uvm_eviction_range(ctx, &uvm_range_pilot, key.space, unit->va,
				uvm_range_pilot_arrive, arrival))
		return;
	key.number = arrival->start;
	i = pilot_range_get(ctx, &key);
	range = &uvm_pilot_record(ctx, i)->range;
	range->units++;
	range->rhythm = arrival->rhythm;
	unit->range = i + 1;
	unit->interval = arrival->interval;
}

/* ---- what a unit holds ------------------------------------------------------ */

static void pilot_forget(struct uvm_eviction_ctx *ctx, u32 unit)
{
	struct uvm_key_hash hash = pilot_held(ctx);
	struct uvm_pilot_unit *u = pilot_unit(ctx, unit);

	pilot_range_quit(ctx, u);
	if (u->known)
		uvm_key_remove(&hash, unit);
	u->known = false;
}

/* The unit holds what is at the address from now on. */
static void pilot_hold(struct uvm_eviction_ctx *ctx, u32 unit, const struct uvm_key *key, u64 va,
		       bool stayed)
{
	struct uvm_pilot_arrival arrival = {
		.va = key->number * pilot_unit_bytes(ctx),
		.bytes = pilot_unit_bytes(ctx),
		.now = uvm_eviction_now(ctx),
		.stayed = stayed,
	};
	struct uvm_key_hash hash = pilot_held(ctx);
	u32 before;

	pilot_forget(ctx, unit);
	/* a unit may have had pieces of several blocks: the last one to come counts */
	before = uvm_key_find(&hash, key);
	if (before != UVM_KEY_NONE)
		pilot_forget(ctx, before);
	uvm_key_add(&hash, unit, key);
	pilot_unit(ctx, unit)->known = true;
	pilot_unit(ctx, unit)->va = va;
	pilot_range_join(ctx, pilot_unit(ctx, unit), &arrival);
}

/* ---- told ------------------------------------------------------------------ */

/* What was to go along with the unit has stayed, too. */
static void pilot_stay(struct uvm_eviction_ctx *ctx, const struct uvm_pilot_unit *u)
{
	u64 start = uvm_block_align_down(u->va), at, bytes = pilot_unit_bytes(ctx);
	u32 unit;

	for (at = 0; at < UVM_BLOCK_SIZE; at += bytes) {
		unit = uvm_pilot_units_find(ctx, u->held.key.space, start + at);
		if (unit != UVM_UNIT_NONE)
			pilot_unit(ctx, unit)->going = false;
	}
}

void uvm_pilot_units_enter(struct uvm_eviction_ctx *ctx, u32 unit, u32 when,
			   enum uvm_enter_why why)
{
	struct uvm_pilot_unit *u = pilot_unit(ctx, unit);
	struct uvm_pilot_units *units = ctx->state;
	struct uvm_key before = u->held.key;

	u->used = when;
	u->going = false;
	if (u->in_use)
		return;
	u->in_use = true;
	u->place = units->in_use++;
	uvm_pilot_record(ctx, u->place)->at = unit;
	if (!u->known && before.space && uvm_eviction_returns(why))
		pilot_hold(ctx, unit, &before, u->va, true);
	if (why == UVM_ENTER_BACK)
		pilot_stay(ctx, u);
}

/* It has no place any more; who had the last one gets its. */
static void pilot_unplace(struct uvm_eviction_ctx *ctx, struct uvm_pilot_unit *u)
{
	struct uvm_pilot_units *units = ctx->state;
	u32 last = uvm_pilot_record(ctx, --units->in_use)->at;

	u->in_use = false;
	uvm_pilot_record(ctx, u->place)->at = last;
	pilot_unit(ctx, last)->place = u->place;
}

static void pilot_tell_range(struct uvm_eviction_ctx *ctx, const struct uvm_pilot_unit *u)
{
	struct uvm_pilot_eviction eviction = {
		.va = u->held.key.number * pilot_unit_bytes(ctx),
		.bytes = pilot_unit_bytes(ctx),
		.used = u->used,
		.prefetched = u->prefetched,
		.unused = u->unused,
	};

	uvm_eviction_range(ctx, &uvm_range_pilot, u->held.key.space, u->va,
			   uvm_range_pilot_evict, &eviction);
}

void uvm_pilot_units_leave(struct uvm_eviction_ctx *ctx, u32 unit, enum uvm_leave_why why)
{
	struct uvm_pilot_unit *u = pilot_unit(ctx, unit);

	if (u->in_use)
		pilot_unplace(ctx, u);
	if (u->known && (why == UVM_LEAVE_EVICTED || u->going))
		pilot_tell_range(ctx, u);
	pilot_forget(ctx, unit);
	if (!uvm_eviction_may_return(why))
		u->held.key.space = 0;
}

void uvm_pilot_units_arrive(struct uvm_eviction_ctx *ctx, u32 unit,
			    const struct uvm_eviction_page *page)
{
	struct uvm_key key = pilot_key(ctx, page->va_space, page->va);
	struct uvm_pilot_unit *u = pilot_unit(ctx, unit);
	struct uvm_pilot_units *units = ctx->state;

	u->used = uvm_eviction_now(ctx);
	u->going = false;
	if (!u->known || !uvm_key_equal(&u->held.key, &key)) {
		pilot_hold(ctx, unit, &key, page->va, false);
		u->prefetched = true;
		u->unused = true;
		uvm_pilot_record(ctx, units->came++ % ctx->nr_units)->came = u->used;
	}
	if (page->demanded) {
		u->prefetched = false;
		u->unused = false;
	}
}

/* ---- asked ----------------------------------------------------------------- */

u32 uvm_pilot_units_find(struct uvm_eviction_ctx *ctx, u64 va_space, u64 va)
{
	struct uvm_key key = pilot_key(ctx, va_space, va);
	struct uvm_key_hash hash = pilot_held(ctx);
	u32 unit = uvm_key_find(&hash, &key);

	return unit == UVM_KEY_NONE ? UVM_UNIT_NONE : unit;
}

u32 uvm_pilot_units_came(struct uvm_eviction_ctx *ctx, u32 back)
{
	const struct uvm_pilot_units *units = ctx->state;

	if (units->came < back)
		return 0;
	return uvm_pilot_record(ctx, (units->came - back) % ctx->nr_units)->came;
}

bool uvm_pilot_units_use(struct uvm_eviction_ctx *ctx, u32 unit, u32 when)
{
	struct uvm_pilot_unit *u = pilot_unit(ctx, unit);

	if (!uvm_eviction_before(u->used, when))
		return false;
	u->used = when;
	u->unused = false;
	return true;
}

bool uvm_pilot_units_ask(struct uvm_eviction_ctx *ctx, u32 unit)
{
	const struct uvm_pilot_units *units = ctx->state;
	u32 used = units->told ? 0 : uvm_eviction_last_access(ctx, unit);

	return used && uvm_pilot_units_use(ctx, unit, used);
}
