// SPDX-License-Identifier: GPL-2.0
/*
 * ETC's memory-aware throttling as batch-aware tells it (footnote 8): half of the SMs
 * when memory is first short, then detection and execution epochs in turn.
 *
 * Standing: published (ETC, ASPLOS 2019), as the batch-aware paper tells it.  How far it is from
 * that paper's figures: Documentation/batch-aware.rst, *Measured*.
 *
 * Deviates: the epochs are not described, so they are assumed.  A detection epoch is one window
 * with all SMs.  An execution epoch is the four windows after it.  It has half of the SMs if
 * more than one page in four that came in the detection epoch had been evicted before.
 */
#include <linux/minmax.h>
#include "policy/concurrency.h"

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

UVM_POLICY(concurrency, throttle, "half of the SMs while pages come back that were evicted (ETC)",
	   .window = policy_throttle_window);
