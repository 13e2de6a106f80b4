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

void uvm_range_pilot_evict(const struct uvm_range_view *range, void *arg)
{
	const struct uvm_pilot_eviction *eviction = arg;
	struct range_pilot_piece *piece = range_pilot_piece(range, eviction->va);
	struct range_pilot *p = range->state;

	piece->used = eviction->used ?: 1;
	piece->trips = min(piece->trips + 1, PILOT_TRIPS);
	p->left++;
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

/* The eviction that was told of last has failed. */
static void range_pilot_undo(struct range_pilot *p, struct range_pilot_piece *piece)
{
	if (!piece->used)
		return;
	piece->trips -= !!piece->trips;
	p->left -= !!p->left;
}

void uvm_range_pilot_arrive(const struct uvm_range_view *range, void *arg)
{
	struct uvm_pilot_arrival *arrival = arg;
	struct range_pilot_piece *piece = range_pilot_piece(range, arrival->va);
	struct range_pilot *p = range->state;

	arrival->start = range->start;
	if (arrival->stayed) {
		range_pilot_undo(p, piece);
	} else if (piece->used) {
		arrival->interval = max(arrival->now - piece->used, 1u);
		range_pilot_learn(&p->rhythm, arrival->interval);
		p->returned++;
	}
	piece->used = 0;
	piece->remote = 0;
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
