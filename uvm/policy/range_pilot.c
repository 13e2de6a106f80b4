// SPDX-License-Identifier: GPL-2.0
/* What pilot keeps of an allocation; see range_pilot.h. */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include "policy/range_pilot.h"

/* Returns before a rhythm is believed, and the share of the newest one in it: assumed. */
#define PILOT_RETURNS		8
#define PILOT_SHARE		8
/* Evictions after which those before count half; prefetched ones before waste is believed. */
#define PILOT_WINDOW		64
#define PILOT_PREFETCHED	8
/* Waste: more than one in so many. */
#define PILOT_WASTE		8

struct range_pilot {
	struct uvm_pilot_rhythm rhythm;
	u32 evicted;
	u32 prefetched;
	u32 unused;
};

/* Of 2 MB. */
struct range_pilot_block {
	u32 used[UVM_BIG_PER_BLOCK];	/* tick of the last use before an eviction; 0: not away */
};

static u32 *range_pilot_used(const struct uvm_range_view *range, u64 va)
{
	struct range_pilot_block *block = uvm_range_block(range, va);

	return &block->used[va >> UVM_BIG_PAGE_SHIFT & (UVM_BIG_PER_BLOCK - 1)];
}

void uvm_range_pilot_evict(const struct uvm_range_view *range, void *arg)
{
	const struct uvm_pilot_eviction *eviction = arg;
	struct range_pilot *p = range->state;

	*range_pilot_used(range, eviction->va) = eviction->used ?: 1;
	p->prefetched += eviction->prefetched;
	p->unused += eviction->unused;
	if (++p->evicted < PILOT_WINDOW)
		return;
	p->evicted = 0;
	p->prefetched /= 2;
	p->unused /= 2;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_range_pilot_evict);

static void range_pilot_learn(struct uvm_pilot_rhythm *rhythm, u32 interval)
{
	s32 off = interval - rhythm->mean;

	if (!rhythm->returns) {
		rhythm->mean = interval;
		rhythm->dev = interval / 2;
	} else {
		rhythm->mean += off / PILOT_SHARE;
		rhythm->dev += ((s32)abs(off) - (s32)rhythm->dev) / PILOT_SHARE;
	}
	if (rhythm->returns < 255)
		rhythm->returns++;
}

void uvm_range_pilot_arrive(const struct uvm_range_view *range, void *arg)
{
	struct uvm_pilot_arrival *arrival = arg;
	u32 *used = range_pilot_used(range, arrival->va);
	struct range_pilot *p = range->state;

	arrival->start = range->start;
	if (*used && !arrival->stayed) {
		arrival->interval = max(arrival->now - *used, 1u);
		range_pilot_learn(&p->rhythm, arrival->interval);
	}
	*used = 0;
	arrival->rhythm = p->rhythm;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_range_pilot_arrive);

bool uvm_range_pilot_wastes(const struct uvm_range_view *range)
{
	const struct range_pilot *p = range ? range->state : NULL;

	return p && p->prefetched >= PILOT_PREFETCHED && p->unused * PILOT_WASTE > p->prefetched;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_range_pilot_wastes);

bool uvm_pilot_is_periodic(const struct uvm_pilot_rhythm *rhythm)
{
	return rhythm->returns >= PILOT_RETURNS && rhythm->dev < rhythm->mean / 2;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_pilot_is_periodic);

const struct uvm_range_state uvm_range_pilot = {
	.name = "pilot",
	.bytes = sizeof(struct range_pilot),
	.block_bytes = sizeof(struct range_pilot_block),
};
EXPORT_SYMBOL_IF_KUNIT(uvm_range_pilot);
