// SPDX-License-Identifier: GPL-2.0
/* What the adaptive framework keeps of an allocation; see range_adaptive.h. */
#include <linux/bits.h>
#include <linux/minmax.h>
#include <kunit/visibility.h>
#include <linux/export.h>
#include "base/page_mask.h"
#include "policy/adaptive/range_adaptive.h"
#include "policy/lib/delay.h"

struct adaptive_block {
	struct uvm_pattern_block pattern;
	struct uvm_adaptive_heat heat[UVM_BIG_PER_BLOCK];
};

static unsigned int adaptive_big(u64 va)
{
	return (va >> UVM_BIG_PAGE_SHIFT) % UVM_BIG_PER_BLOCK;
}

static bool adaptive_has(const struct uvm_page_mask *pages, unsigned int big)
{
	unsigned int first = big * UVM_PAGES_PER_BIG;

	return !uvm_page_mask_region_empty(pages,
					   uvm_region_make(first, first + UVM_PAGES_PER_BIG));
}

/* The table of the policy engine (DATE 2021, III-C; its authors' code has the same). */
static enum uvm_adaptive_kind adaptive_kind_of(enum uvm_pattern pattern)
{
	switch (pattern) {
	case UVM_PATTERN_LINEAR_REUSE:
		return UVM_ADAPTIVE_REGULAR;
	case UVM_PATTERN_RANDOM:
	case UVM_PATTERN_RANDOM_REUSE:
		return UVM_ADAPTIVE_RANDOM;
	case UVM_PATTERN_MIXED:
	case UVM_PATTERN_MIXED_REUSE:
		return UVM_ADAPTIVE_MIXED;
	default:
		return UVM_ADAPTIVE_STREAM;
	}
}

/* First address of the 2 MB that the range has. */
static struct adaptive_block *adaptive_block(const struct uvm_range_view *range, u64 va)
{
	return uvm_range_block(range, max(va, range->start));
}

static void range_adaptive_arrive(const struct uvm_range_view *range,
				  const struct uvm_range_pages *pages)
{
	struct adaptive_block *block = adaptive_block(range, pages->va);
	unsigned int i;

	uvm_pattern_note(range->state, &block->pattern, range, pages);
	*range->space = max_t(u64, *range->space, uvm_adaptive_kind(range));
	for (i = 0; i < UVM_BIG_PER_BLOCK; i++)
		if (uvm_id_is_gpu(pages->id) && adaptive_has(pages->pages, i))
			block->heat[i].remote = 0;
}

static void range_adaptive_leave(const struct uvm_range_view *range,
				 const struct uvm_range_pages *pages)
{
	struct adaptive_block *block = adaptive_block(range, pages->va);
	unsigned int i;

	for (i = 0; pages->evicted && i < UVM_BIG_PER_BLOCK; i++)
		if (adaptive_has(pages->pages, i) && block->heat[i].trips < UVM_ADAPTIVE_TRIPS)
			block->heat[i].trips++;
}

static void adaptive_halve(struct adaptive_block *block)
{
	unsigned int i;

	for (i = 0; i < UVM_BIG_PER_BLOCK; i++)
		block->heat[i].accesses /= 2;
}

static void range_adaptive_touch(const struct uvm_range_view *range,
				 const struct uvm_range_touch *touch)
{
	struct adaptive_block *block = adaptive_block(range, touch->va);
	struct uvm_adaptive_heat *heat = &block->heat[adaptive_big(touch->va)];
	u64 accesses = (u64)heat->accesses + touch->all;

	heat->remote = min_t(u64, (u64)heat->remote + touch->remote, UVM_ADAPTIVE_ACCESSES);
	heat->accesses = min_t(u64, accesses, UVM_ADAPTIVE_ACCESSES);
	if (accesses >= UVM_ADAPTIVE_ACCESSES)
		adaptive_halve(block);
}

enum uvm_pattern uvm_adaptive_pattern(const struct uvm_range_view *range)
{
	return range ? uvm_pattern_now(range->state, range->params) : UVM_PATTERN_UNDECIDED;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_adaptive_pattern);

enum uvm_adaptive_kind uvm_adaptive_kind(const struct uvm_range_view *range)
{
	return adaptive_kind_of(uvm_adaptive_pattern(range));
}
EXPORT_SYMBOL_IF_KUNIT(uvm_adaptive_kind);

enum uvm_adaptive_kind uvm_adaptive_all(const struct uvm_range_view *range)
{
	return range ? *range->space : UVM_ADAPTIVE_STREAM;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_adaptive_all);

const struct uvm_adaptive_heat *uvm_adaptive_heat(const struct uvm_range_view *range, u64 va)
{
	return &adaptive_block(range, va)->heat[adaptive_big(va)];
}
EXPORT_SYMBOL_IF_KUNIT(uvm_adaptive_heat);

u8 uvm_delay_dynamic(const struct uvm_residency_query *query)
{
	const struct uvm_adaptive_heat *heat;

	if (!query->range)
		return query->requester;
	heat = uvm_adaptive_heat(query->range, query->va);
	return uvm_delay_by(query, heat->remote, heat->trips);
}

const struct uvm_range_state uvm_range_adaptive = {
	.name = "adaptive",
	.bytes = sizeof(struct uvm_pattern_range),
	.block_bytes = sizeof(struct adaptive_block),
	.arrive = range_adaptive_arrive,
	.leave = range_adaptive_leave,
	.touch = range_adaptive_touch,
	.pattern = uvm_adaptive_pattern,
};
EXPORT_SYMBOL_IF_KUNIT(uvm_range_adaptive);
