// SPDX-License-Identifier: GPL-2.0
/*
 * The adaptive framework's policy engine, as its paper has it (DATE 2021, III-C), for each
 * allocation by itself.  Once memory is full, allocations with a random pattern stay where they
 * are, on either side of the link ("hard pinning").  Pages of mixed ones wait for accesses before
 * they come.
 *
 * Standing: published (DATE 2021, III-C).  How far it is from the paper's figures:
 * Documentation/adaptive.rst, *Measured*.
 *
 * Deviates: a threshold is met at the next multiple of perf_access_counter_threshold, since a
 * counter tells each so many accesses.
 */
#include <linux/compiler.h>
#include "policy/lib/delay.h"
#include "policy/policy_param.h"
#include "policy/adaptive/range_adaptive.h"

UVM_POLICY_PARAM(adaptive_pin, BOOL, 1, 0, 1,
		 "allocations with a random pattern stay in system memory once memory is full");

static u8 policy_residency_adaptive_select(const struct uvm_residency_query *query)
{
	enum uvm_adaptive_kind kind = uvm_adaptive_kind(query->range);

	if (!query->full || kind < UVM_ADAPTIVE_RANDOM || !uvm_delay_applies(query))
		return uvm_residency_first_touch_select(query);
	if (kind == UVM_ADAPTIVE_RANDOM && uvm_param(query->range->params, adaptive_pin))
		return UVM_ID_CPU;
	return uvm_delay_dynamic(query);
}

UVM_POLICY(residency, adaptive,
	   "when memory is full, random data stay in system memory and mixed ones wait (DATE 2021)",
	   .policy.params = "adaptive_pin adaptive_penalty adaptive_inversions "
			    "adaptive_log_demand adaptive_mixed_reuse "
			    "perf_access_counter_threshold perf_access_counter_migration_enable",
	   .policy.feeds = UVM_FEED_COUNTERS,
	   .policy.range_state = &uvm_range_adaptive,
	   .asks_memory = true,
	   .maps_around = true,
	   .select = policy_residency_adaptive_select);
