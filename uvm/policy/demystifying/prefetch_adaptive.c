// SPDX-License-Identifier: GPL-2.0
/*
 * Prefetching that follows the eviction load ("adaptive prefetching",
 * demystifying IV-C and VI-B).
 *
 * While memory suffices a threshold of 1 % rivals an explicit transfer, so there is little reason
 * not to fetch all of a block at its first fault.  A page for which others are evicted should be
 * used.  So the more pages are evicted for those that come, the nearer the threshold gets to that
 * of the tree.  The more of the faulted pages had been there before, the nearer it gets to 100 %.
 * When memory thrashes nothing is prefetched, until it shows that this was wrong (prefetch_load.h).
 *
 * Standing: published ("Demystifying GPU UVM Cost", 2021, VI-B, a suggestion).  How far it is from
 * the paper's figures: Documentation/demystifying.rst, *The suggestions*.
 *
 * Deviates: the paper has the two thresholds.  Windows, limits and the stop are ours
 * (policies.rst).
 */
#include <linux/minmax.h>
#include "policy/nvidia/prefetch_tree.h"
#include "policy/policy_param.h"

UVM_POLICY_PARAM(perf_prefetch_threshold_min, UINT, 1, 0, 100,
		 "the same for prefetch_policy=adaptive while nothing is evicted");

/* Above this the 64 KB around a fault would not come either: that is "stopped". */
#define ADAPTIVE_MOST	99U

static unsigned int policy_adaptive_threshold(const struct uvm_prefetch_input *in)
{
	unsigned int normal = min(in->threshold, ADAPTIVE_MOST);
	unsigned int low = min(uvm_param(in->params, perf_prefetch_threshold_min), normal);
	unsigned int refaulting = min_t(unsigned int, in->load.refaulting,
					UVM_PREFETCH_STOP_PERCENT);
	unsigned int high = normal + (ADAPTIVE_MOST - normal) * refaulting /
			    UVM_PREFETCH_STOP_PERCENT;

	return low + (high - low) * in->load.evicting / 100;
}

static void policy_adaptive_select(const struct uvm_prefetch_input *in,
				   struct uvm_page_mask *prefetch)
{
	struct uvm_prefetch_input now = *in;

	uvm_page_mask_zero(prefetch);
	/* nobody evicts from system memory */
	if (in->dst_is_cpu) {
		uvm_prefetch_tree_compute(in, prefetch);
		return;
	}
	if (in->load.stopped)
		return;
	now.threshold = policy_adaptive_threshold(in);
	uvm_prefetch_tree_compute(&now, prefetch);
}

UVM_POLICY(prefetch, adaptive, "the tree, with a threshold that follows evictions",
	   .policy.params = "perf_prefetch_threshold perf_prefetch_threshold_min "
			    "perf_prefetch_min_faults prefetch_quirks",
	   .select = policy_adaptive_select);
