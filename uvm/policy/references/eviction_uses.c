// SPDX-License-Identifier: GPL-2.0
/*
 * When memory is used next; see eviction_uses.h.  All that is kept of 64 KB only goes forward, so
 * whatever the plan, and whoever asks, its uses are looked at once, and once more for each page.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include "policy/references/eviction_uses.h"

void uvm_uses_begin(struct uvm_eviction_plan *plan)
{
	struct uvm_eviction_used *used;
	u32 i;

	plan->missing = 0;
	plan->excess = 0;
	for (i = 0; i < plan->nr_used; i++) {
		used = &plan->used[i];
		*used = (struct uvm_eviction_used){
			.number = used->number, .first = used->first, .count = used->count,
		};
	}
}
EXPORT_SYMBOL_IF_KUNIT(uvm_uses_begin);

u32 uvm_uses_from(const struct uvm_eviction_plan *plan, u64 number)
{
	u32 low = 0, high = plan->nr_used;

	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (plan->used[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The position with which a launch begins; with one that is not in the plan nothing does. */
static u32 uses_start(const struct uvm_eviction_plan *plan, u32 launch)
{
	if (!launch)
		return 0;
	return launch < plan->nr_launches ? plan->launches[launch] : UVM_USE_NEVER;
}

static const struct uvm_use *uses_of(const struct uvm_eviction_plan *plan,
				     const struct uvm_eviction_used *used, u32 i)
{
	return &plan->uses[used->first + i];
}

/* A launch begins: what was before is behind. */
static void uses_launch(const struct uvm_eviction_plan *plan, struct uvm_eviction_used *used,
			u32 launch)
{
	u32 start = uses_start(plan, launch);

	if (launch <= used->launch)
		return;
	used->launch = launch;
	while (used->from < used->count && uses_of(plan, used, used->from)->position < start)
		used->from++;
}

/* Requests that are over, of uses up to @end.  Return: those that are left. */
static u32 uses_take(const struct uvm_eviction_plan *plan, struct uvm_eviction_used *used,
		     u32 requests, u32 end)
{
	while (requests && used->at < end) {
		u32 left = uses_of(plan, used, used->at)->requests - used->done;
		u32 take = min(left, requests);

		requests -= take;
		used->done += take;
		if (take < left)
			break;
		used->at++;
		used->done = 0;
	}
	return requests;
}

void uvm_uses_count(struct uvm_eviction_plan *plan, struct uvm_eviction_used *used,
		    u32 launch, u32 requests)
{
	u32 end = uses_start(plan, launch + 1);

	uses_launch(plan, used, launch);
	requests = uses_take(plan, used, requests, used->from);
	for (; used->at < used->from; used->at++, used->done = 0)
		plan->missing += uses_of(plan, used, used->at)->requests - used->done;
	while (requests && used->at < used->count && uses_of(plan, used, used->at)->position < end)
		requests = uses_take(plan, used, requests, used->at + 1);
	plan->excess += requests;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_uses_count);

u16 uvm_uses_begun(const struct uvm_eviction_plan *plan, struct uvm_eviction_used *used,
		   u32 launch)
{
	uses_launch(plan, used, launch);
	if (used->at < used->from || !used->done)
		return 0;
	return uses_of(plan, used, used->at)->pages;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_uses_begun);

static u32 uses_next_of_page(const struct uvm_eviction_plan *plan, struct uvm_eviction_used *used,
			     unsigned int page)
{
	u32 i = max3(used->at, used->from, used->next[page]);

	while (i < used->count && !(uses_of(plan, used, i)->pages >> page & 1))
		i++;
	used->next[page] = i;
	return i;
}

u32 uvm_uses_next(const struct uvm_eviction_plan *plan, struct uvm_eviction_used *used, u32 launch,
		  u16 pages)
{
	unsigned int page;
	u32 next = used->count;

	uses_launch(plan, used, launch);
	for (page = 0; page < UVM_PAGES_PER_BIG; page++)
		if (pages >> page & 1)
			next = min(next, uses_next_of_page(plan, used, page));
	return next < used->count ? uses_of(plan, used, next)->position : UVM_USE_NEVER;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_uses_next);
