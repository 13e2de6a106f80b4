// SPDX-License-Identifier: GPL-2.0
/*
 * The tree prefetcher as the adaptive framework has it ("An Adaptive Framework for Oversubscription
 * Management in CPU-GPU Unified Memory", DATE 2021, II; after Ganguly et al., ISCA 2019): TBNp.
 *
 * The 64 KB of a block are the leaves of a binary tree.  All leaves that fault come.  Then the
 * nodes are looked at from the leaves up.  If *more than half* of a node's leaves are there or
 * come, the rest of the node comes, too.  What comes counts for the nodes above, so one fault may
 * cascade to all of a block.  nvidia-uvm's tree looks for one subtree around each fault and does
 * not count what it adds.
 *
 * Standing: published (Ganguly et al., ISCA 2019, TBNp; DATE 2021).  How far it is from the
 * paper's figures: Documentation/adaptive.rst, *Measured*.
 *
 * Deviates: none is known.
 */
#include <linux/bitmap.h>
#include "policy/prefetch.h"

#define TBN_LEAVES	UVM_BIG_PER_BLOCK

static struct uvm_region tbn_leaf(const struct uvm_prefetch_input *in, unsigned int leaf)
{
	unsigned int first = leaf * UVM_PAGES_PER_BIG;

	return uvm_region_and(uvm_region_make(first, first + UVM_PAGES_PER_BIG), in->max_region);
}

/* Is all of it there? */
static bool tbn_resident(const struct uvm_prefetch_input *in, struct uvm_region leaf)
{
	return in->resident && uvm_page_mask_region_weight(in->resident, leaf) ==
			       uvm_region_num_pages(leaf);
}

/* From the leaves up: what is more than half full comes.  @leaves: those that the block has. */
static u32 tbn_cascade(u32 leaves, u32 taken)
{
	unsigned int size, first;

	for (size = 2; size <= TBN_LEAVES; size *= 2) {
		for (first = 0; first < TBN_LEAVES; first += size) {
			u32 node = leaves & GENMASK(first + size - 1, first);

			if (2 * hweight32(taken & node) > hweight32(node))
				taken |= node;
		}
	}
	return taken;
}

static void policy_prefetch_tbn(const struct uvm_prefetch_input *in,
				struct uvm_page_mask *prefetch)
{
	u32 leaves = 0, there = 0, taken = 0;
	unsigned int i;

	uvm_page_mask_zero(prefetch);
	for (i = 0; i < TBN_LEAVES; i++) {
		struct uvm_region leaf = tbn_leaf(in, i);

		if (uvm_region_empty(leaf))
			continue;
		leaves |= BIT(i);
		if (tbn_resident(in, leaf))
			there |= BIT(i);
		else if (!uvm_page_mask_region_empty(in->faulted, leaf))
			taken |= BIT(i);
	}
	if (!taken)
		return;
	taken = tbn_cascade(leaves, taken | there) & ~there;
	for (i = 0; i < TBN_LEAVES; i++)
		if (taken & BIT(i))
			uvm_page_mask_or_region(prefetch, tbn_leaf(in, i));
	uvm_prefetch_clamp(in, prefetch);
}

UVM_POLICY(prefetch, tbn,
	   "each subtree of the block of which more than half is there or comes (TBNp)",
	   .policy.params = "perf_prefetch_min_faults",
	   .select = policy_prefetch_tbn);
