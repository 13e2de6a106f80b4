// SPDX-License-Identifier: GPL-2.0
/* In what order data come; see range_pattern.h. */
#include <linux/bits.h>
#include <kunit/visibility.h>
#include <linux/export.h>
#include "base/page_mask.h"
#include "policy/policy_param.h"
#include "policy/adaptive/range_pattern.h"

UVM_POLICY_PARAM(adaptive_inversions, UINT, 0, 0, 100,
		 "percent of 64 KB that may come out of order in a launch that is linear");
UVM_POLICY_PARAM(adaptive_log_demand, BOOL, 0, 0, 1,
		 "a launch's order is that of demanded pages, without prefetched ones");
UVM_POLICY_PARAM(adaptive_mixed_reuse, BOOL, 0, 0, 1,
		 "a mixed pattern that is used again is called so");

/* What a launch was like. */
enum pattern_launch {
	PATTERN_NOTHING,
	PATTERN_LINEAR,
	PATTERN_LINEAR_REUSE,
	PATTERN_RANDOM,
	PATTERN_RANDOM_REUSE,
	PATTERN_LAUNCHES
};

#define U(name)	UVM_PATTERN_##name

/* Rule 4.  The columns are those of enum pattern_launch. */
static const u8 pattern_table[UVM_PATTERN_COUNT][PATTERN_LAUNCHES] = {
	[U(UNDECIDED)] = { U(UNDECIDED), U(LINEAR), U(LINEAR_REUSE), U(RANDOM), U(RANDOM_REUSE) },
	[U(LINEAR)] = { U(LINEAR), U(LINEAR), U(LINEAR_REUSE), U(MIXED), U(MIXED_REUSE) },
	[U(LINEAR_REUSE)] = { U(LINEAR_REUSE), U(LINEAR_REUSE), U(LINEAR_REUSE), U(MIXED_REUSE),
			      U(MIXED_REUSE) },
	[U(RANDOM)] = { U(RANDOM), U(MIXED), U(MIXED_REUSE), U(RANDOM), U(RANDOM_REUSE) },
	[U(RANDOM_REUSE)] = { U(RANDOM_REUSE), U(MIXED_REUSE), U(MIXED_REUSE), U(RANDOM_REUSE),
			      U(RANDOM_REUSE) },
	[U(MIXED)] = { U(MIXED), U(MIXED), U(MIXED), U(MIXED), U(MIXED) },
	[U(MIXED_REUSE)] = { U(MIXED_REUSE), U(MIXED_REUSE), U(MIXED_REUSE), U(MIXED_REUSE),
			     U(MIXED_REUSE) },
};

#undef U

/* Are so many of the neighbours in the wrong order that it is random? */
static bool pattern_is_random(const struct uvm_pattern_range *p, const struct uvm_params *params)
{
	u64 percent = params ? uvm_param(params, adaptive_inversions) : 0;

	return p->back && p->back * 100 > percent * (p->came - 1);
}

static enum pattern_launch pattern_launch_now(const struct uvm_pattern_range *p,
					      const struct uvm_params *params)
{
	if (!p->came)
		return PATTERN_NOTHING;
	if (pattern_is_random(p, params))
		return p->reuse ? PATTERN_RANDOM_REUSE : PATTERN_RANDOM;
	return p->reuse ? PATTERN_LINEAR_REUSE : PATTERN_LINEAR;
}

enum uvm_pattern uvm_pattern_now(const struct uvm_pattern_range *p,
				 const struct uvm_params *params)
{
	enum pattern_launch launch = pattern_launch_now(p, params);
	bool reuse = launch == PATTERN_LINEAR_REUSE || launch == PATTERN_RANDOM_REUSE;

	if (p->before == UVM_PATTERN_MIXED && reuse && params &&
	    uvm_param(params, adaptive_mixed_reuse))
		return UVM_PATTERN_MIXED_REUSE;
	return pattern_table[p->before][launch];
}
EXPORT_SYMBOL_IF_KUNIT(uvm_pattern_now);

static void pattern_begin_launch(struct uvm_pattern_range *p, const struct uvm_range_view *range)
{
	*p = (struct uvm_pattern_range){
		.before = uvm_pattern_now(p, range->params), .launch = range->begun,
	};
}

/* 64 KB came: has it before, in this launch or an earlier one? */
static bool pattern_again(struct uvm_pattern_block *block, u64 launch, unsigned int i)
{
	bool again;

	if (block->launch != launch) {
		block->before |= block->now;
		block->now = 0;
		block->launch = launch;
	}
	again = (block->before | block->now) & BIT(i);
	block->now |= BIT(i);
	return again;
}

void uvm_pattern_note(struct uvm_pattern_range *p, struct uvm_pattern_block *block,
		      const struct uvm_range_view *range, const struct uvm_range_pages *pages)
{
	bool demand = range->params && uvm_param(range->params, adaptive_log_demand);
	const struct uvm_page_mask *logged = demand ? pages->demanded : pages->pages;
	unsigned int i;

	/* what moves between launches is nobody's access */
	if (!uvm_id_is_gpu(pages->id) || range->begun == range->ended)
		return;
	if (p->launch != range->begun)
		pattern_begin_launch(p, range);
	for (i = 0; i < UVM_BIG_PER_BLOCK; i++) {
		u64 number = (pages->va >> UVM_BIG_PAGE_SHIFT) + i;
		unsigned int page = i * UVM_PAGES_PER_BIG;

		if (uvm_page_mask_region_empty(logged,
					       uvm_region_make(page, page + UVM_PAGES_PER_BIG)))
			continue;
		p->back += p->came++ && number < p->last;
		p->reuse |= pattern_again(block, range->begun, i);
		p->last = number;
	}
}
EXPORT_SYMBOL_IF_KUNIT(uvm_pattern_note);
