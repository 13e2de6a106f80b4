// SPDX-License-Identifier: GPL-2.0
/*
 * How much a GPU runs at once.
 */
#include <linux/minmax.h>
#include "policy/policy.h"

const struct uvm_concurrency_ops uvm_concurrency_none = {
	.name = "none",
	.what = "what the SMs hold",
};

/* Batch-aware, 4.1: one additional block per SM from the beginning ... */
static struct uvm_concurrency_answer
policy_oversubscribe_start(const struct uvm_concurrency_query *query)
{
	return (struct uvm_concurrency_answer){ .extra = 1, .sms = query->sm_count };
}

/*
 * ... and fewer when pages live shorter than before by more than the threshold, 20 %
 * (5.1), since that says premature eviction; else more, one by one.
 */
static struct uvm_concurrency_answer
policy_oversubscribe_window(const struct uvm_concurrency_query *query)
{
	struct uvm_concurrency_answer answer = query->now;

	if (query->evicted && query->lifetime_ns * 5 < query->lifetime_before_ns * 4)
		answer.extra -= !!answer.extra;
	else
		answer.extra++;
	return answer;
}

const struct uvm_concurrency_ops uvm_concurrency_oversubscribe = {
	.name = "oversubscribe",
	.what = "more blocks than SMs hold, fewer of them when pages live shorter (batch-aware)",
	.start = policy_oversubscribe_start,
	.window = policy_oversubscribe_window,
};

/*
 * ETC's memory-aware throttling as batch-aware tells it (footnote 8): half of the SMs
 * when memory is first short, then detection and execution epochs in turn.  Not told,
 * so assumed: an epoch of detection is one window with all SMs, one of execution four
 * windows; the former decides for the latter, and for half of the SMs if one page in
 * four that came had been evicted before.
 */
#define THROTTLE_EPOCH		5
#define THROTTLE_SHARE		4

static struct uvm_concurrency_answer
policy_throttle_window(const struct uvm_concurrency_query *query)
{
	struct uvm_concurrency_answer answer = query->now;
	u32 half = max(query->sm_count / 2, 1u);

	/* nothing evicted ever: memory is not short */
	if (!query->evicted && !query->evicted_before)
		return answer;
	if (!query->evicted_before)
		answer.sms = half;
	else if (query->window % THROTTLE_EPOCH == THROTTLE_EPOCH - 1)
		answer.sms = query->sm_count;
	else if (query->window % THROTTLE_EPOCH == 0)
		answer.sms = query->returned * THROTTLE_SHARE > query->arrived ? half :
									  query->sm_count;
	return answer;
}

const struct uvm_concurrency_ops uvm_concurrency_throttle = {
	.name = "throttle",
	.what = "half of the SMs while pages come back that were evicted (ETC)",
	.window = policy_throttle_window,
};
