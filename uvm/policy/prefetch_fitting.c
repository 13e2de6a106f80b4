// SPDX-License-Identifier: GPL-2.0
/*
 * Ours, for working sets that do not fit: what the tree adds costs a page that is used as
 * soon as something has to leave for it; the 64 KB that the link is good for do not.
 */
#include <linux/minmax.h>
#include "policy/prefetch.h"

/* Nothing but the 64 KB around a fault are so dense, or they would not lack it. */
#define FITTING_FULL	99U

static void policy_prefetch_fitting(const struct uvm_prefetch_input *in,
				    struct uvm_page_mask *prefetch)
{
	struct uvm_prefetch_input now = *in;

	if (!in->dst_is_cpu && in->load.evicting)
		now.threshold = max(in->threshold, FITTING_FULL);
	uvm_prefetch_tree_compute(&now, prefetch);
}

UVM_POLICY(prefetch, fitting,
	   "the tree while all fits, 64 KB around a fault once pages are evicted",
	   .policy.params = "perf_prefetch_threshold perf_prefetch_min_faults "
			    "prefetch_quirks",
	   .select = policy_prefetch_fitting);
