// SPDX-License-Identifier: GPL-2.0
/* In what order data come; see range_pattern.h. */
#include <linux/bits.h>
#include <kunit/visibility.h>
#include <linux/export.h>
#include "base/page_mask.h"
#include "policy/range_pattern.h"

/* What a launch was like. */
enum pattern_launch {
	PATTERN_NOTHING,
	PATTERN_LINEAR,
	PATTERN_LINEAR_REUSE,
	PATTERN_RANDOM,
	PATTERN_RANDOM_REUSE,
	PATTERN_LAUNCHES
};

/**
 * struct range_pattern - of a range
 * @before: pattern of the launches before this one
 * @launch: number of the launch, as uvm_range_view.begun
 * @last: number of the latest 64 KB that came in it
 * @now: what it is like
 */
struct range_pattern {
	enum uvm_pattern before;
	u64 launch;
	u64 last;
	enum pattern_launch now;
};

/**
 * struct range_pattern_block - of 2 MB
 * @before: 64 KB that came in earlier launches
 * @launch: number of the latest launch in which something came
 * @now: what came in it
 */
struct range_pattern_block {
	u32 before;
	u32 now;
	u64 launch;
};

#define U(name)	UVM_PATTERN_##name

/* Rule 4.  The columns are those of enum pattern_launch. */
static const u8 pattern_table[UVM_PATTERNS][PATTERN_LAUNCHES] = {
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

static enum uvm_pattern pattern_so_far(const struct range_pattern *p)
{
	return pattern_table[p->before][p->now];
}

static void pattern_begin_launch(struct range_pattern *p, u64 launch)
{
	p->before = pattern_so_far(p);
	p->now = PATTERN_NOTHING;
	p->launch = launch;
}

/* 64 KB came: has it before, in this launch or an earlier one? */
static bool pattern_again(struct range_pattern_block *block, u64 launch, unsigned int i)
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

static void pattern_note(struct range_pattern *p, u64 number, bool again)
{
	bool any = p->now != PATTERN_NOTHING;
	bool random = p->now == PATTERN_RANDOM || p->now == PATTERN_RANDOM_REUSE;
	bool reuse = p->now == PATTERN_LINEAR_REUSE || p->now == PATTERN_RANDOM_REUSE;

	random |= any && number < p->last;
	reuse |= again;
	p->last = number;
	if (random)
		p->now = reuse ? PATTERN_RANDOM_REUSE : PATTERN_RANDOM;
	else
		p->now = reuse ? PATTERN_LINEAR_REUSE : PATTERN_LINEAR;
}

static void range_pattern_arrive(const struct uvm_range_view *range,
				 const struct uvm_range_pages *pages)
{
	struct range_pattern_block *block = uvm_range_block(range, pages->va);
	struct range_pattern *p = range->state;
	unsigned int i;

	/* what moves between launches is nobody's access */
	if (!uvm_id_is_gpu(pages->id) || range->begun == range->ended)
		return;
	if (p->launch != range->begun)
		pattern_begin_launch(p, range->begun);
	for (i = 0; i < UVM_BIG_PER_BLOCK; i++) {
		unsigned int page = i * UVM_PAGES_PER_BIG;

		if (uvm_page_mask_region_empty(pages->pages,
					       uvm_region_make(page, page + UVM_PAGES_PER_BIG)))
			continue;
		pattern_note(p, (pages->va >> UVM_BIG_PAGE_SHIFT) + i,
			     pattern_again(block, range->begun, i));
	}
}

enum uvm_pattern uvm_range_pattern(const struct uvm_range_view *range)
{
	return range ? pattern_so_far(range->state) : UVM_PATTERN_UNDECIDED;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_range_pattern);

const struct uvm_range_state uvm_range_patterns = {
	.name = "pattern",
	.bytes = sizeof(struct range_pattern),
	.block_bytes = sizeof(struct range_pattern_block),
	.arrive = range_pattern_arrive,
};
EXPORT_SYMBOL_IF_KUNIT(uvm_range_patterns);
