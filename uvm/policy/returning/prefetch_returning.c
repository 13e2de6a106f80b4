// SPDX-License-Identifier: GPL-2.0
/*
 * What keeps returning does not fit: only the 64 KB around a fault come of it.
 *
 * Standing: ours.
 */
#include "policy/nvidia/prefetch_tree.h"
#include "policy/returning/range_returns.h"

static void policy_prefetch_returning(const struct uvm_prefetch_input *in,
				      struct uvm_page_mask *prefetch)
{
	if (!in->dst_is_cpu && uvm_range_returns_much(in->range))
		uvm_prefetch_around_compute(in, prefetch);
	else
		uvm_prefetch_tree_compute(in, prefetch);
}

UVM_POLICY(prefetch, returning,
	   "the tree, but 64 KB around a fault in allocations whose pages keep returning",
	   .policy.params = "perf_prefetch_threshold perf_prefetch_min_faults prefetch_quirks",
	   .policy.range_state = &uvm_range_returns,
	   .select = policy_prefetch_returning);
