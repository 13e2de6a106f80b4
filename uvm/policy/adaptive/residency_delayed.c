// SPDX-License-Identifier: GPL-2.0
/*
 * The static threshold of "Adaptive oversubscription", section on page migration
 * and pinning: what is in system memory is read over the link until its access
 * counter reaches the threshold; a write brings it at once.  That it is preferred
 * there says no more than that it should wait.
 *
 * Standing: published ("An Adaptive Framework for Oversubscription Management", DATE 2021, II,
 * static threshold).  No figure of that paper has it alone, so none is reproduced.
 *
 * Deviates: the threshold is not told; 256 is nvidia-uvm's.
 */
#include <linux/bits.h>
#include "policy/residency.h"

static u8 policy_residency_delayed_select(const struct uvm_residency_query *query)
{
	bool first = query->resident == UVM_ID_INVALID && uvm_id_is_cpu(query->preferred);

	if (!uvm_id_is_gpu(query->requester) || !(query->accessible & BIT(UVM_ID_CPU)) ||
	    query->pinned != UVM_ID_INVALID)
		return uvm_residency_first_touch_select(query);
	if (query->requester == query->preferred ||
	    query->operation == UVM_OPERATION_ACCESS_COUNTER ||
	    query->access == UVM_ACCESS_WRITE || query->access == UVM_ACCESS_ATOMIC)
		return query->requester;
	if (first || uvm_id_is_cpu(query->resident))
		return UVM_ID_CPU;
	return query->requester;
}

UVM_POLICY(residency, delayed,
	   "a page in system memory is read over the link until it is hot or written",
	   .policy.params = "perf_access_counter_migration_enable "
			    "perf_access_counter_threshold",
	   .policy.feeds = UVM_FEED_COUNTERS,
	   .select = policy_residency_delayed_select);
