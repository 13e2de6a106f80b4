// SPDX-License-Identifier: GPL-2.0
/* What pilot keeps of an allocation; see range_pilot.h. */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include "policy/pilot/range_pilot.h"

/* Returns before a rhythm is believed, and the share of the newest one in it: assumed. */
#define PILOT_RETURNS		8
#define PILOT_SHARE		8
/* Evictions after which those before count half; prefetched ones before waste is believed. */
#define PILOT_WINDOW		64
#define PILOT_PREFETCHED	8
/* Waste: more than one in so many. */
#define PILOT_WASTE		8
/* Evictions before returns are believed, and of how many of them one is to return. */
#define PILOT_EVICTED		16
#define PILOT_SHARE_RETURNS	2
/* Round trips that are counted; as UVM_ADAPTIVE_TRIPS. */
#define PILOT_TRIPS		31

struct range_pilot {
	struct uvm_pilot_rhythm rhythm;
	u32 evicted;		/* in this window */
	u32 prefetched;
	u32 unused;
	u32 left;		/* of these and of those before, likewise */
	u32 returned;
};

/* Of 2 MB. */
struct range_pilot_block {
	struct range_pilot_piece {
		u32 used;	/* tick of the last use before an eviction; 0: not away */
		u32 remote;
		u8 trips;
	} piece[UVM_BIG_PER_BLOCK];
};

static struct range_pilot_piece *range_pilot_piece(const struct uvm_range_view *range, u64 va)
{
	struct range_pilot_block *block = uvm_range_block(range, max(va, range->start));

	return &block->piece[va >> UVM_BIG_PAGE_SHIFT & (UVM_BIG_PER_BLOCK - 1)];
}

/* The 64 KB of a unit, from the first on; NULL: it has no more. */
static struct range_pilot_piece *range_pilot_next(const struct uvm_range_view *range, u64 va,
						  u64 bytes, u64 *at)
{
	u64 now = *at;

	*at += 1 << UVM_BIG_PAGE_SHIFT;
	return now < bytes && va + now <= range->end ? range_pilot_piece(range, va + now) : NULL;
}

/* Of units smaller than 64 KB those that share them leave, and return, together. */
static void range_pilot_away(const struct uvm_range_view *range,
			     const struct uvm_pilot_eviction *eviction)
{
	struct range_pilot *p = range->state;
	struct range_pilot_piece *piece;
	u64 at = 0;

	p->left += !range_pilot_piece(range, eviction->va)->used;
	while ((piece = range_pilot_next(range, eviction->va, eviction->bytes, &at))) {
		if (!piece->used)
			piece->trips = min(piece->trips + 1, PILOT_TRIPS);
		piece->used = eviction->used ?: 1;
	}
}

void uvm_range_pilot_evict(const struct uvm_range_view *range, void *arg)
{
	const struct uvm_pilot_eviction *eviction = arg;
	struct range_pilot *p = range->state;

	range_pilot_away(range, eviction);
	p->prefetched += eviction->prefetched;
	p->unused += eviction->unused;
	if (++p->evicted < PILOT_WINDOW)
		return;
	p->evicted = 0;
	p->prefetched /= 2;
	p->unused /= 2;
	p->left /= 2;
	p->returned /= 2;
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

/* It is there; @stayed: the eviction that was told of has failed. */
static void range_pilot_here(const struct uvm_range_view *range,
			     const struct uvm_pilot_arrival *arrival)
{
	struct range_pilot_piece *piece;
	u64 at = 0;

	while ((piece = range_pilot_next(range, arrival->va, arrival->bytes, &at))) {
		if (arrival->stayed && piece->used)
			piece->trips -= !!piece->trips;
		piece->used = 0;
		piece->remote = 0;
	}
}

void uvm_range_pilot_arrive(const struct uvm_range_view *range, void *arg)
{
	struct uvm_pilot_arrival *arrival = arg;
	u32 used = range_pilot_piece(range, arrival->va)->used;
	struct range_pilot *p = range->state;

	arrival->start = range->start;
	if (used && arrival->stayed) {
		p->left -= !!p->left;
	} else if (used) {
		arrival->interval = max(arrival->now - used, 1u);
		range_pilot_learn(&p->rhythm, arrival->interval);
		p->returned++;
	}
	range_pilot_here(range, arrival);
	arrival->rhythm = p->rhythm;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_range_pilot_arrive);

bool uvm_range_pilot_wastes(const struct uvm_range_view *range)
{
	const struct range_pilot *p = range ? range->state : NULL;

	return p && p->prefetched >= PILOT_PREFETCHED && p->unused * PILOT_WASTE > p->prefetched;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_range_pilot_wastes);

bool uvm_range_pilot_returns(const struct uvm_range_view *range)
{
	const struct range_pilot *p = range ? range->state : NULL;

	return p && p->left >= PILOT_EVICTED && p->returned * PILOT_SHARE_RETURNS >= p->left;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_range_pilot_returns);

void uvm_range_pilot_remote(const struct uvm_range_view *range, u64 va, u32 *remote, u32 *trips)
{
	const struct range_pilot_piece *piece = range_pilot_piece(range, va);

	*remote = piece->remote;
	*trips = piece->trips;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_range_pilot_remote);

static void range_pilot_touch(const struct uvm_range_view *range,
			      const struct uvm_range_touch *touch)
{
	struct range_pilot_piece *piece = range_pilot_piece(range, touch->va);

	piece->remote = min_t(u64, (u64)piece->remote + touch->remote, U32_MAX);
}

bool uvm_pilot_is_periodic(const struct uvm_pilot_rhythm *rhythm)
{
	return rhythm->returns >= PILOT_RETURNS && rhythm->dev < rhythm->mean / 2;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_pilot_is_periodic);

const struct uvm_range_state uvm_range_pilot = {
	.name = "pilot",
	.bytes = sizeof(struct range_pilot),
	.block_bytes = sizeof(struct range_pilot_block),
	.touch = range_pilot_touch,
};
EXPORT_SYMBOL_IF_KUNIT(uvm_range_pilot);
