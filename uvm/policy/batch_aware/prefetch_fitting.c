// SPDX-License-Identifier: GPL-2.0
/*
 * Ours, for working sets that do not fit: as soon as a page has to leave for what the tree adds,
 * that costs a page that is used.  The 64 KB around a fault, for which the link is good, do not
 * cost that.
 *
 * Standing: ours.
 */
#include "policy/nvidia/prefetch_tree.h"

static void policy_prefetch_fitting(const struct uvm_prefetch_input *in,
				    struct uvm_page_mask *prefetch)
{
	if (!in->dst_is_cpu && in->load.evicting)
		uvm_prefetch_around_compute(in, prefetch);
	else
		uvm_prefetch_tree_compute(in, prefetch);
}

UVM_POLICY(prefetch, fitting,
	   "the tree while all fits, 64 KB around a fault once pages are evicted",
	   .policy.params = "perf_prefetch_threshold perf_prefetch_min_faults "
			    "prefetch_quirks",
	   .select = policy_prefetch_fitting);
