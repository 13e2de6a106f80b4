// SPDX-License-Identifier: GPL-2.0
/*
 * With each page that faults another one of its block, at random (Ganguly et al., ISCA 2019, their
 * random prefetcher, Rp): what any better choice has to beat.
 *
 * Standing: published (Ganguly et al., ISCA 2019, Rp).  No figure of that paper is reproduced.
 *
 * Deviates: the numbers follow from the seed, which page faults and how many are there, so that a
 * run repeats.
 */
#include "policy/random.h"
#include "policy/prefetch.h"

/* The @nth page of the block that is not there, @nth counted from 0. */
static unsigned int random4k_nth(const struct uvm_page_mask *there, struct uvm_region region,
				 unsigned int nth)
{
	unsigned int page;

	for (page = region.first; page < region.outer; page++)
		if (!uvm_page_mask_test(there, page) && !nth--)
			break;
	return page;
}

static void policy_prefetch_random4k(const struct uvm_prefetch_input *in,
				     struct uvm_page_mask *prefetch)
{
	struct uvm_page_mask there;
	unsigned int page, left;

	uvm_page_mask_zero(prefetch);
	uvm_page_mask_copy(&there, in->faulted);
	if (in->resident)
		uvm_page_mask_or(&there, &there, in->resident);
	for_each_page_in_mask(page, in->faulted, in->faulted_region) {
		unsigned int have = uvm_page_mask_region_weight(&there, in->max_region);
		u64 key = page + 1 + (u64)have * UVM_PAGES_PER_BLOCK;

		left = uvm_region_num_pages(in->max_region) - have;
		if (!left)
			break;
		left = uvm_random_below(in->params, key, left);
		left = random4k_nth(&there, in->max_region, left);
		uvm_page_mask_set(&there, left);
		uvm_page_mask_set(prefetch, left);
	}
	uvm_prefetch_clamp(in, prefetch);
}

UVM_POLICY(prefetch, random4k, "with each page another one of its 2 MB, at random (Rp)",
	   .policy.params = "perf_prefetch_min_faults eviction_seed",
	   .select = policy_prefetch_random4k);
