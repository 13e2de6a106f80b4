// SPDX-License-Identifier: GPL-2.0
/*
 * The dynamic threshold of Ganguly et al. (IPDPS 2020): what is in system memory is read over the
 * link until it was often enough (delay.h), a write brings it at once.
 *
 * Standing: published (Ganguly et al., "Adaptive Page Migration", IPDPS 2020, dynamic threshold).
 * No figure of that paper is reproduced; Documentation/adaptive.rst, *Measured*, has it as a part
 * of the adaptive framework.
 *
 * Deviates: as on published GPUs only accesses over the link are counted, and a counter tells each
 * perf_access_counter_threshold of them; it is cleared then and counts anew.  So thresholds are
 * met at the next multiple of that.
 */
#include "policy/lib/delay.h"
#include "policy/adaptive/range_adaptive.h"

static u8 policy_residency_delayed_dynamic_select(const struct uvm_residency_query *query)
{
	return uvm_delay_applies(query) ? uvm_delay_dynamic(query) :
					  uvm_residency_first_touch_select(query);
}

UVM_POLICY(residency, delayed_dynamic,
	   "as delayed, but the more accesses the fuller memory is and the more often they left",
	   .policy.params = "adaptive_penalty perf_access_counter_threshold "
			    "perf_access_counter_migration_enable",
	   .policy.feeds = UVM_FEED_COUNTERS,
	   .policy.range_state = &uvm_range_adaptive,
	   .asks_memory = true,
	   .maps_around = true,
	   .select = policy_residency_delayed_dynamic_select);
