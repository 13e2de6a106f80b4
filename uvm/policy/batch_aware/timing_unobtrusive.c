// SPDX-License-Identifier: GPL-2.0
/*
 * Unobtrusive eviction (batch-aware, 4.2).
 *
 * Standing: published ("Batch-Aware Unified Memory Management", ASPLOS 2020, 4.2).  How far it is
 * from the paper's figures: Documentation/batch-aware.rst, *Measured*.
 *
 * Deviates: none is known.
 */
#include "policy/timing.h"

/* Batch-aware, 4.2: a single eviction before the first migration. */
static unsigned int policy_timing_unobtrusive_before(const struct uvm_timing_query *query)
{
	return 1;
}

UVM_POLICY(timing, unobtrusive,
	   "one before a batch, the others beside its migrations (batch-aware)",
	   .before = policy_timing_unobtrusive_before,
	   .pipelined = true);
