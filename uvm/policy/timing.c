// SPDX-License-Identifier: GPL-2.0
/*
 * Timing of evictions.
 */
#include <linux/minmax.h>
#include "policy/policy.h"

const struct uvm_timing_ops uvm_timing_reactive = {
	.name = "reactive",
	.what = "when an allocation finds nothing, ordered on the GPU, as nvidia-uvm does",
};

/* Batch-aware, section 3 and Fig. 4: what it takes nvidia-uvm for. */
const struct uvm_timing_ops uvm_timing_serial = {
	.name = "serial",
	.what = "reactive, one transfer at a time: the baseline of batch-aware",
	.serial = true,
};

/* Batch-aware, 4.2: a single eviction before the first migration. */
static unsigned int policy_timing_unobtrusive_before(const struct uvm_timing_query *query)
{
	return 1;
}

const struct uvm_timing_ops uvm_timing_unobtrusive = {
	.name = "unobtrusive",
	.what = "one before a batch, the others beside its migrations (batch-aware)",
	.before = policy_timing_unobtrusive_before,
	.pipelined = true,
};

/*
 * Ours: a batch that is as large as the last one wants as many victims, and all of them may
 * leave while its faults are handled.  A quarter of memory at most: the rest is in use.
 */
static unsigned int policy_timing_eager_before(const struct uvm_timing_query *query)
{
	return max(min(query->taken, query->units / 4), 1u);
}

const struct uvm_timing_ops uvm_timing_eager = {
	.name = "eager",
	.what = "as many before a batch as the last one took, others beside its migrations",
	.before = policy_timing_eager_before,
	.pipelined = true,
};

/*
 * ETC's proactive eviction, as far as batch-aware describes it: predict how much will be
 * needed and when.  Here: as much as the last batch took, now.
 */
static unsigned int policy_timing_proactive_after(const struct uvm_timing_query *query)
{
	return min(query->taken, query->units / 4);
}

const struct uvm_timing_ops uvm_timing_proactive = {
	.name = "proactive",
	.what = "after a batch as much as it took, for the next one (ETC)",
	.after = policy_timing_proactive_after,
};

const struct uvm_timing_ops uvm_timing_ideal = {
	.name = "ideal",
	.what = "reactive, copies out take no time: a reference, needs REG_CAP_FREE_EVICTION",
	.free = true,
};
