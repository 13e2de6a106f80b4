// SPDX-License-Identifier: GPL-2.0
/*
 * Prefetch policies.
 */
#include <linux/minmax.h>
#include "policy/policy.h"

/* Nothing but the 64 KB around a fault are so dense, or they would not lack it. */
#define FITTING_FULL	99U

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

/*
 * Ours, for working sets that do not fit: what the tree adds costs a page that is used as
 * soon as something has to leave for it; the 64 KB that the link is good for do not.
 */
static void policy_prefetch_fitting(const struct uvm_prefetch_input *in,
				    struct uvm_page_mask *prefetch)
{
	struct uvm_prefetch_input now = *in;

	if (!in->dst_is_cpu && in->load.evicting)
		now.threshold = max(in->threshold, FITTING_FULL);
	uvm_prefetch_tree_compute(&now, prefetch);
}

const struct uvm_prefetch_ops uvm_prefetch_fitting = {
	.name = "fitting",
	.what = "the tree while all fits, 64 KB around a fault once pages are evicted",
	.select = policy_prefetch_fitting,
};

const struct uvm_prefetch_ops uvm_prefetch_tree = {
	.name = "tree",
	.what = "fill the largest subtree of the block that is dense enough",
	.select = uvm_prefetch_tree_compute,
};
