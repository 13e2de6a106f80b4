// SPDX-License-Identifier: GPL-2.0
/*
 * Ours: the tree.  But if many prefetched pages of an allocation were evicted unused, only the 64
 * KB around a fault come there.
 *
 * Standing: ours.
 */
#include "policy/nvidia/prefetch_tree.h"
#include "policy/pilot/range_pilot.h"

static void policy_prefetch_pilot(const struct uvm_prefetch_input *in,
				  struct uvm_page_mask *prefetch)
{
	if (!in->dst_is_cpu && in->load.evicting && uvm_range_pilot_wastes(in->range))
		uvm_prefetch_around_compute(in, prefetch);
	else
		uvm_prefetch_tree_compute(in, prefetch);
}

UVM_POLICY(prefetch, pilot, "the tree where what it brings is used, else the 64 KB around a fault",
	   .policy.params = "perf_prefetch_threshold perf_prefetch_min_faults "
			    "prefetch_quirks",
	   .policy.range_state = &uvm_range_pilot,
	   .select = policy_prefetch_pilot);
