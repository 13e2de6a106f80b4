// SPDX-License-Identifier: GPL-2.0
/* Which unit is used last; see pilot_choice.h. */
#include <linux/minmax.h>
#include "base/page_mask.h"
#include "base/types.h"
#include "policy/pilot/pilot_choice.h"

/* New units that are looked at for one choice, which costs time, and rounds of them... */
#define PILOT_LOOKS	24
#define PILOT_ROUNDS	8
/* ...and as long as none of them may go: others wait for the lock. */
#define PILOT_LOOKS_MAX	4096
/* Share of memory that is at work, and that goes at once at most: assumed. */
#define PILOT_SHARE	8

/* The unit's range, if it has a rhythm; NULL. */
static const struct uvm_pilot_rhythm *pilot_rhythm(struct uvm_eviction_ctx *ctx,
						   const struct uvm_pilot_unit *unit)
{
	const struct uvm_pilot_rhythm *rhythm = uvm_pilot_units_rhythm(ctx, unit);

	return rhythm && uvm_pilot_is_periodic(rhythm) ? rhythm : NULL;
}

/* Ticks to the next use of the unit, as far as can be guessed. */
static u32 pilot_far(struct uvm_eviction_ctx *ctx, const struct uvm_pilot_unit *unit, u32 now)
{
	const struct uvm_pilot_rhythm *rhythm = pilot_rhythm(ctx, unit);
	u32 age = now - unit->used, interval;

	if (!rhythm || unit->unused)
		return age;
	interval = unit->interval ?: rhythm->mean;
	if (age < interval)
		return interval - age;
	return age - interval < interval ? 0 : age;
}

/* Was the unit used after an eighth of memory came? */
static bool pilot_at_work(struct uvm_eviction_ctx *ctx, const struct uvm_pilot_unit *unit)
{
	const struct uvm_pilot *pilot = ctx->state;
	u32 since = uvm_pilot_units_came(ctx, max(pilot->units.in_use / PILOT_SHARE, 1u));

	return since && uvm_eviction_before(since, unit->used);
}

static void pilot_consider(struct uvm_pilot_choice *choice, u32 unit, u32 far)
{
	u32 i;

	for (i = 0; i < choice->count; i++)
		if (choice->unit[i] == unit)
			return;
	if (choice->count < UVM_PILOT_ASKED)
		choice->count++;
	else if (far <= choice->far[UVM_PILOT_ASKED - 1])
		return;
	for (i = choice->count - 1; i && choice->far[i - 1] < far; i--) {
		choice->unit[i] = choice->unit[i - 1];
		choice->far[i] = choice->far[i - 1];
	}
	choice->unit[i] = unit;
	choice->far[i] = far;
}

/* One more unit is looked at, if it may go and is at work, or is not. */
static void pilot_look_at(struct uvm_eviction_ctx *ctx, struct uvm_pilot_choice *choice, u32 unit,
			  bool at_work)
{
	const struct uvm_pilot_unit *u = &uvm_pilot_record(ctx, unit)->unit;

	ctx->spent.compared++;
	if (u->in_use && uvm_eviction_evictable(ctx, unit) && pilot_at_work(ctx, u) == at_work)
		pilot_consider(choice, unit, pilot_far(ctx, u, uvm_eviction_now(ctx)));
}

/*
 * Those that are next to go: of those that were so the last time, and of others, who take turns;
 * of these so many that something is found.
 */
static void pilot_look(struct uvm_eviction_ctx *ctx, bool at_work)
{
	struct uvm_pilot *pilot = ctx->state;
	struct uvm_pilot_choice last = pilot->choice;
	u32 most = min_t(u32, pilot->units.in_use, PILOT_LOOKS_MAX), n, i;

	pilot->choice.count = 0;
	for (i = 0; i < last.count; i++)
		pilot_look_at(ctx, &pilot->choice, last.unit[i], at_work);
	for (n = 0; n < most; n++) {
		if (n >= PILOT_LOOKS && pilot->choice.count)
			break;
		if (pilot->hand >= pilot->units.in_use)
			pilot->hand = 0;
		pilot_look_at(ctx, &pilot->choice, uvm_pilot_record(ctx, pilot->hand++)->at,
			      at_work);
	}
}

/* The first that was not used since what is known; UVM_UNIT_NONE: all were. */
static u32 pilot_choose(struct uvm_eviction_ctx *ctx, const struct uvm_pilot_choice *choice)
{
	struct uvm_pilot *pilot = ctx->state;
	u32 i;

	for (i = 0; i < choice->count; i++) {
		pilot->far = choice->far[i];
		if (!uvm_pilot_units_ask(ctx, choice->unit[i]))
			return choice->unit[i];
	}
	return UVM_UNIT_NONE;
}

u32 uvm_pilot_pick(struct uvm_eviction_ctx *ctx)
{
	struct uvm_pilot *pilot = ctx->state;
	u32 rounds = PILOT_ROUNDS, unit = UVM_UNIT_NONE;

	while (rounds-- && unit == UVM_UNIT_NONE) {
		pilot_look(ctx, false);
		if (!pilot->choice.count)
			pilot_look(ctx, true);
		if (!pilot->choice.count)
			return uvm_eviction_first(ctx);
		unit = pilot_choose(ctx, &pilot->choice);
	}
	return unit == UVM_UNIT_NONE ? pilot->choice.unit[0] : unit;
}

/* Would the unit be a victim just as well as the one that was picked? */
static bool pilot_goes_along(struct uvm_eviction_ctx *ctx, u32 unit)
{
	const struct uvm_pilot_unit *u = &uvm_pilot_record(ctx, unit)->unit;
	const struct uvm_pilot *pilot = ctx->state;
	u32 far = pilot->far - pilot->far / PILOT_SHARE;

	return uvm_eviction_evictable(ctx, unit) && !pilot_at_work(ctx, u) &&
	       pilot_far(ctx, u, uvm_eviction_now(ctx)) >= far && !uvm_pilot_units_ask(ctx, unit);
}

void uvm_pilot_also(struct uvm_eviction_ctx *ctx, u32 unit,
		    const struct uvm_eviction_victim *victim, struct uvm_page_mask *pages)
{
	const struct uvm_pilot *pilot = ctx->state;
	u32 left = pilot->units.in_use / PILOT_SHARE, other, i;

	for (i = 0; i < UVM_PAGES_PER_BLOCK && left; i += ctx->unit_pages) {
		struct uvm_region region = uvm_region_and(uvm_region_make(i, i + ctx->unit_pages),
							  uvm_region_make(victim->begin,
									  victim->end));

		if (uvm_region_empty(region) || (i >= victim->first && i < victim->outer) ||
		    uvm_page_mask_region_empty(victim->resident, region))
			continue;
		other = uvm_pilot_units_find(ctx, victim->va_space,
					     victim->va + ((u64)i << UVM_PAGE_SHIFT));
		if (other == UVM_UNIT_NONE || !pilot_goes_along(ctx, other))
			continue;
		uvm_page_mask_or_region(pages, region);
		uvm_pilot_record(ctx, other)->unit.going = true;
		left--;
	}
}
