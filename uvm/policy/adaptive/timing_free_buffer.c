// SPDX-License-Identifier: GPL-2.0
/*
 * Pre-eviction by a buffer of free memory: after a batch units are evicted until a share of memory
 * is free.  So the next faults need not wait for an eviction (Ganguly et al., "Interplay between
 * Hardware Prefetcher and Page Eviction Policy in CPU-GPU Unified Virtual Memory", ISCA 2019, their
 * threshold of free pages).
 *
 * Standing: published (Ganguly et al., ISCA 2019, pre-eviction).  No figure of that paper is
 * reproduced.
 *
 * Deviates: how much is kept free is assumed, and so is that it is looked at after each batch.
 */
#include <linux/math.h>
#include "policy/timing.h"
#include "policy/policy_param.h"

UVM_POLICY_PARAM(eviction_free_percent, UINT, 5, 1, 50,
		 "percent of memory that eviction_timing=free_buffer keeps free");

static unsigned int policy_timing_free_buffer_after(const struct uvm_timing_query *query)
{
	return DIV_ROUND_UP_ULL((u64)query->units * query->number, 100);
}

UVM_POLICY(timing, free_buffer, "after a batch until eviction_free_percent of memory are free",
	   .policy.params = "eviction_free_percent",
	   .number = &uvm_param_eviction_free_percent,
	   .after = policy_timing_free_buffer_after);
