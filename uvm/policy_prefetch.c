// SPDX-License-Identifier: GPL-2.0
/*
 * Prefetch policies.
 */
#include "policy.h"

static void policy_prefetch_none(const struct uvm_prefetch_input *in,
				 struct uvm_page_mask *prefetch)
{
	uvm_page_mask_zero(prefetch);
}

const struct uvm_prefetch_ops uvm_prefetch_none = {
	.name = "none",
	.what = "only the faulted pages move",
	.select = policy_prefetch_none,
};

const struct uvm_prefetch_ops uvm_prefetch_tree = {
	.name = "tree",
	.what = "fill the largest subtree of the block that is dense enough",
	.select = uvm_prefetch_tree_compute,
};
