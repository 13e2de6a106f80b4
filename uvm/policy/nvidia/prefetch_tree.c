// SPDX-License-Identifier: GPL-2.0
/*
 * Density tree of nvidia-uvm's prefetcher.
 *
 * The pages of a block are the leaves of a binary tree.  For a faulted page
 * the largest subtree around it of which *more* than the threshold is taken
 * (resident or faulted) is filled.  Before that, each 64K page that holds a
 * faulted page counts as wholly taken, so one fault always brings its 64K.
 *
 * Standing: nvidia-uvm: the rules of the real driver, which Documentation/nvidia-uvm.rst lists.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/math.h>
#include "policy/nvidia/prefetch_tree.h"

/* The leaves: pages of max_region, shifted so that 64K pages are subtrees. */
struct prefetch_tree {
	struct uvm_page_mask taken;
	unsigned int leaves;
	unsigned int offset;
};

/* The 64K pages wholly inside a region; empty if there is none. */
static struct uvm_region prefetch_big_region(struct uvm_region region)
{
	unsigned int first = round_up(region.first, UVM_PAGES_PER_BIG);
	unsigned int outer = round_down(region.outer, UVM_PAGES_PER_BIG);

	return uvm_region_make(first, outer > first ? outer : first);
}

/* Take all of a unit if it faulted somewhere and thrashes nowhere. */
static void prefetch_grow_unit(const struct uvm_prefetch_input *in, struct uvm_page_mask *taken,
			       unsigned int first, unsigned int outer)
{
	struct uvm_region unit = uvm_region_make(first, outer);

	if (uvm_page_mask_region_empty(in->faulted, unit))
		return;
	if (in->thrashing && !uvm_page_mask_region_empty(in->thrashing, unit))
		return;
	uvm_page_mask_or_region(taken, unit);
}

static void prefetch_grow(const struct uvm_prefetch_input *in, struct uvm_region big,
			  struct uvm_page_mask *taken)
{
	unsigned int first;

	if (uvm_region_empty(big)) {
		prefetch_grow_unit(in, taken, in->max_region.first, in->max_region.outer);
		return;
	}
	prefetch_grow_unit(in, taken, in->max_region.first, big.first);
	for (first = big.first; first < big.outer; first += UVM_PAGES_PER_BIG)
		prefetch_grow_unit(in, taken, first, first + UVM_PAGES_PER_BIG);
	prefetch_grow_unit(in, taken, big.outer, in->max_region.outer);
}

static void prefetch_tree_init(const struct uvm_prefetch_input *in, struct prefetch_tree *tree)
{
	struct uvm_region big = prefetch_big_region(in->max_region);
	struct uvm_page_mask pages;

	uvm_page_mask_copy(&pages, in->faulted);
	if (in->resident)
		uvm_page_mask_or(&pages, &pages, in->resident);
	uvm_page_mask_and_region(&pages, in->max_region);
	prefetch_grow(in, big, &pages);

	tree->offset = 0;
	if (!uvm_region_empty(big) && big.first > in->max_region.first)
		tree->offset = UVM_PAGES_PER_BIG - (big.first - in->max_region.first);
	tree->leaves = uvm_region_num_pages(in->max_region) + tree->offset;

	bitmap_shift_right(tree->taken.bits, pages.bits, in->max_region.first,
			   UVM_PAGES_PER_BLOCK);
	if (tree->offset)
		bitmap_shift_left(tree->taken.bits, tree->taken.bits, tree->offset,
				  UVM_PAGES_PER_BLOCK);
}

/* Largest subtree around a leaf that passes, clipped to the leaves; maybe none. */
static struct uvm_region prefetch_tree_best(const struct prefetch_tree *tree, unsigned int leaf,
					    unsigned int threshold)
{
	struct uvm_region best = uvm_region_make(0, 0);
	unsigned int size;

	for (size = 1; ; size *= 2) {
		unsigned int first = round_down(leaf, size);
		struct uvm_region node = uvm_region_make(first, min(first + size, tree->leaves));
		unsigned int taken = uvm_page_mask_region_weight(&tree->taken, node);

		if (taken * 100 > uvm_region_num_pages(node) * threshold)
			best = node;
		if (size >= tree->leaves)
			return best;
	}
}

/*
 * From leaves to pages, as nvidia-uvm clips it (uvm_perf_prefetch.c): where a subtree begins
 * before the first page, the number of leaves before it is taken for the page.  So a subtree
 * from leaf 0 leaves out as many pages at the start as there are leaves without a page.
 */
static unsigned int prefetch_tree_quirk(const struct prefetch_tree *tree, unsigned int leaf)
{
	return leaf < tree->offset ? tree->offset : leaf - tree->offset;
}

static struct uvm_region prefetch_tree_pages(const struct uvm_prefetch_input *in,
					     const struct prefetch_tree *tree,
					     struct uvm_region leaves)
{
	unsigned int first = max(leaves.first, tree->offset) - tree->offset;
	unsigned int outer = leaves.outer - tree->offset;

	if (in->quirks)
		first = prefetch_tree_quirk(tree, leaves.first);
	if (first >= outer)
		return uvm_region_make(0, 0);
	return uvm_region_and(uvm_region_make(in->max_region.first + first,
					      in->max_region.first + outer), in->max_region);
}

/*
 * All pages of a subtree chosen for one of them have the same answer, for their
 * larger subtrees are the same: go on behind it.
 */
static void prefetch_tree_select(const struct uvm_prefetch_input *in,
				 struct uvm_page_mask *prefetch)
{
	struct uvm_region left = uvm_region_and(in->faulted_region, in->max_region);
	struct prefetch_tree tree;

	prefetch_tree_init(in, &tree);
	while (!uvm_region_empty(left)) {
		unsigned int page = uvm_page_mask_first(in->faulted, left);
		struct uvm_region best;

		if (page >= left.outer)
			break;
		left.first = page + 1;
		if (in->thrashing && uvm_page_mask_test(in->thrashing, page))
			continue;
		best = prefetch_tree_best(&tree, page - in->max_region.first + tree.offset,
					  in->threshold);
		if (uvm_region_empty(best))
			continue;
		best = prefetch_tree_pages(in, &tree, best);
		uvm_page_mask_or_region(prefetch, best);
		left.first = max(left.first, best.outer);
	}
}

/* What else is so dense would not lack it. */
#define PREFETCH_FULL	99U

void uvm_prefetch_around_compute(const struct uvm_prefetch_input *in,
				 struct uvm_page_mask *prefetch)
{
	struct uvm_prefetch_input now = *in;

	now.threshold = max(in->threshold, PREFETCH_FULL);
	uvm_prefetch_tree_compute(&now, prefetch);
}

/**
 * uvm_prefetch_tree_compute - pages that the density tree adds to faulted ones
 * @in: the situation
 * @prefetch: out: the pages; none of @in->faulted
 */
void uvm_prefetch_tree_compute(const struct uvm_prefetch_input *in, struct uvm_page_mask *prefetch)
{
	uvm_page_mask_zero(prefetch);
	if (in->first_touch_preferred)
		uvm_page_mask_or_region(prefetch, in->max_region);
	else if (!uvm_region_empty(in->max_region))
		prefetch_tree_select(in, prefetch);
	uvm_prefetch_clamp(in, prefetch);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_prefetch_tree_compute);

UVM_POLICY(prefetch, tree, "fill the largest subtree of the block that is dense enough",
	   .policy.params = "perf_prefetch_threshold perf_prefetch_min_faults prefetch_quirks",
	   .select = uvm_prefetch_tree_compute);
