// SPDX-License-Identifier: GPL-2.0
/*
 * The adaptive framework's eviction, as its paper has it (DATE 2021, III-C): the pattern of the
 * victim's allocation decides.  An allocation that streams is evicted by 2 MB.  One whose pages
 * come again is evicted by TBNe.  So is a mixed one: for these the paper tried 2 MB LFU and found
 * TBNe better.
 *
 * Standing: published (DATE 2021, III-C).  How far it is from the paper's figures:
 * Documentation/adaptive.rst, *Measured*.
 *
 * Deviates: the paper does not say whether a choice sticks.  Here each eviction goes by the
 * pattern of that moment.  Units are seen as in lru_block.
 */
#include "policy/adaptive/eviction_block.h"
#include "policy/adaptive/range_adaptive.h"

static void adaptive_read(const struct uvm_range_view *range, void *arg)
{
	enum uvm_adaptive_kind *kind = arg;

	*kind = uvm_adaptive_kind(range);
}

static void eviction_adaptive_also(struct uvm_eviction_ctx *ctx, u32 unit,
				   const struct uvm_eviction_victim *victim,
				   struct uvm_page_mask *pages)
{
	enum uvm_adaptive_kind kind = UVM_ADAPTIVE_STREAM;

	uvm_eviction_range(ctx, &uvm_range_adaptive, victim->va_space,
			   victim->va + ((u64)victim->first << UVM_PAGE_SHIFT), adaptive_read,
			   &kind);
	if (kind == UVM_ADAPTIVE_STREAM)
		uvm_eviction_block_all(ctx, unit, victim, pages);
	else
		uvm_eviction_block_tree(ctx, unit, victim, pages);
}

UVM_POLICY(eviction, adaptive,
	   "as lru_block for what streams, else as tbne, by allocation (DATE 2021)",
	   .policy.feeds = UVM_FEED_ACCESSED,
	   .policy.params = "adaptive_inversions adaptive_log_demand adaptive_mixed_reuse",
	   .policy.range_state = &uvm_range_adaptive,
	   .state_bytes = sizeof(struct uvm_eviction_blocks),
	   UVM_EVICTION_BLOCK_OPS,
	   .pick = uvm_eviction_block_pick,
	   .also = eviction_adaptive_also);
