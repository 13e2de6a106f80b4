// SPDX-License-Identifier: GPL-2.0
/*
 * Ours: this assumes that a batch is as large as the last one and needs as many victims.  All of
 * them may leave while its faults are handled.  They are a quarter of memory at most, because the
 * rest is in use.
 *
 * Standing: ours.
 */
#include <linux/minmax.h>
#include "policy/timing.h"

static unsigned int policy_timing_eager_before(const struct uvm_timing_query *query)
{
	return max(min(query->taken, query->units / 4), 1u);
}

UVM_POLICY(timing, eager,
	   "as many before a batch as the last one took, others beside its migrations",
	   .before = policy_timing_eager_before,
	   .pipelined = true);
