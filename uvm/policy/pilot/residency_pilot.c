// SPDX-License-Identifier: GPL-2.0
/*
 * Ours: once memory is full, a page that would soon be evicted again is read over the link, until
 * it was read so often that coming is worth it (delay.h).  This is so for an allocation if half of
 * its evicted pages return.  Pages of a stream come, because none of them return.
 *
 * Standing: ours.
 *
 * Deviates: the threshold's authors have all data wait, and before memory is full, too.
 */
#include "policy/lib/delay.h"
#include "policy/pilot/range_pilot.h"

static u8 policy_residency_pilot_select(const struct uvm_residency_query *query)
{
	u32 remote, trips;

	if (!query->full || !uvm_range_pilot_returns(query->range) || !uvm_delay_applies(query))
		return uvm_residency_first_touch_select(query);
	uvm_range_pilot_remote(query->range, query->va, &remote, &trips);
	return uvm_delay_by(query, remote, trips);
}

UVM_POLICY(residency, pilot,
	   "when memory is full, what keeps returning is read over the link until it is worth it (ours)",
	   .policy.params = "adaptive_penalty perf_access_counter_threshold "
			    "perf_access_counter_migration_enable",
	   .policy.feeds = UVM_FEED_COUNTERS,
	   .policy.range_state = &uvm_range_pilot,
	   .asks_memory = true,
	   .maps_around = true,
	   .select = policy_residency_pilot_select);
