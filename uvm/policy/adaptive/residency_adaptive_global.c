// SPDX-License-Identifier: GPL-2.0
/*
 * The adaptive framework's delayed migration, as its authors' simulator has it: once memory is
 * full and any allocation of the VA space is random or mixed, what is read waits until it was
 * accessed perf_access_counter_threshold times since it was allocated, wherever it was then.
 *
 * So most of what has been on the GPU before comes back at its first fault.  That all accesses
 * count needs the device's recorder: eviction_policy=adaptive_global has it; without it only
 * those over the link do.
 *
 * Standing: published (the authors' simulator of DATE 2021).  How far it is from the paper's
 * figures: Documentation/adaptive.rst, *Measured*.
 *
 * Deviates: the authors look at the counter at each access.  Here a counter tells the driver,
 * and who asks meanwhile reads over the link, so more is read over it than with them
 * (adaptive.rst).
 */
#include <linux/compiler.h>
#include <linux/minmax.h>
#include "policy/lib/delay.h"
#include "policy/param_table.h"
#include "policy/adaptive/range_adaptive.h"

static bool adaptive_global_waits(const struct uvm_residency_query *query)
{
	const struct uvm_adaptive_heat *heat = uvm_adaptive_heat(query->range, query->va);
	u32 threshold = READ_ONCE(query->range->params->perf_access_counter_threshold);

	/* a counter that tells has reached it; the fault is an access itself */
	return query->operation == UVM_OPERATION_FAULT && query->access <= UVM_ACCESS_READ &&
	       max(heat->accesses, heat->remote) + 1 < threshold;
}

static u8 policy_residency_adaptive_global_select(const struct uvm_residency_query *query)
{
	if (!query->full || uvm_adaptive_all(query->range) < UVM_ADAPTIVE_RANDOM ||
	    !uvm_delay_applies(query))
		return uvm_residency_first_touch_select(query);
	return adaptive_global_waits(query) ? UVM_ID_CPU : query->requester;
}

UVM_POLICY(residency, adaptive_global,
	   "when memory is full and anything is random, what was read less often than that waits",
	   .policy.params = "adaptive_inversions adaptive_log_demand adaptive_mixed_reuse "
			    "perf_access_counter_threshold perf_access_counter_migration_enable",
	   .policy.feeds = UVM_FEED_COUNTERS,
	   .policy.range_state = &uvm_range_adaptive,
	   .asks_memory = true,
	   .maps_around = true,
	   .select = policy_residency_adaptive_global_select);
