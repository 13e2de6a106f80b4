/* SPDX-License-Identifier: GPL-2.0 */
/* Concurrency: how much a GPU runs at once. */
#ifndef UVM_CONCURRENCY_POLICY_H
#define UVM_CONCURRENCY_POLICY_H

#include <linux/types.h>
#include "policy/declare.h"

/**
 * struct uvm_concurrency_answer - how much a GPU runs at once
 * @extra: blocks per SM beyond what its resources hold (REG_OVERSUB_LIMIT)
 * @sms: SMs that issue (REG_SM_LIMIT)
 */
struct uvm_concurrency_answer {
	u32 extra;
	u32 sms;
};

/**
 * struct uvm_concurrency_query - what happened in a window of time
 * @now: in force
 * @extra_max: what the device can do
 * @sm_count: SMs that the device has
 * @window: number of the window, from 0
 * @evicted: units evicted in it
 * @lifetime_ns: average time for which these had been in use; 0 with none
 * @evicted_before: units evicted in all windows before it
 * @lifetime_before_ns: the same of the last window before it with evictions, or 0
 * @arrived: pages that came to the GPU for faults
 * @returned: of these, pages that had been evicted before
 */
struct uvm_concurrency_query {
	struct uvm_concurrency_answer now;
	u32 extra_max;
	u32 sm_count;
	u64 window;
	u64 evicted;
	u64 lifetime_ns;
	u64 evicted_before;
	u64 lifetime_before_ns;
	u64 arrived;
	u64 returned;
};

/**
 * struct uvm_concurrency_ops - how much a GPU runs at once
 * @policy: its name, for all kinds the same
 * @start: of a first VA space; only @now, @extra_max and @sm_count of the query count.
 *	NULL: what the resources of the SMs hold
 * @window: at the first batch after each window, UVM_CONCURRENCY_WINDOW_CYCLES long, and
 *	while SMs are off at its end; may be NULL.  Both checked by
 *	uvm_policy_check_concurrency()
 */
struct uvm_concurrency_ops {
	struct uvm_policy policy;
	struct uvm_concurrency_answer (*start)(const struct uvm_concurrency_query *query);
	struct uvm_concurrency_answer (*window)(const struct uvm_concurrency_query *query);
};

struct uvm_concurrency_answer
uvm_policy_check_concurrency(const struct uvm_concurrency_query *query,
			     struct uvm_concurrency_answer answer);

#endif
