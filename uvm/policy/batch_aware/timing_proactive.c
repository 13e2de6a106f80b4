// SPDX-License-Identifier: GPL-2.0
/*
 * ETC's proactive eviction, as far as batch-aware describes it: predict how much will be
 * needed and when.  Here: as much as the last batch took, now.
 *
 * Standing: published (ETC, ASPLOS 2019), as the batch-aware paper tells it.  How far it is from
 * that paper's figures: Documentation/batch-aware.rst, *Measured*.
 *
 * Deviates: how ETC predicts is not told there; ETC's own paper was not read.
 */
#include <linux/minmax.h>
#include "policy/timing.h"

static unsigned int policy_timing_proactive_after(const struct uvm_timing_query *query)
{
	return min(query->taken, query->units / 4);
}

UVM_POLICY(timing, proactive, "after a batch as much as it took, for the next one (ETC)",
	   .after = policy_timing_proactive_after);
