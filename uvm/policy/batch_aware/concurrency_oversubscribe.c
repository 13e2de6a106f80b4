// SPDX-License-Identifier: GPL-2.0
/*
 * Thread oversubscription (batch-aware, 4.1).
 *
 * Standing: published ("Batch-Aware Unified Memory Management", ASPLOS 2020, 4.1).  How far it is
 * from the paper's figures: Documentation/batch-aware.rst, *Measured*.
 *
 * Deviates: the paper does not say what an average lifetime is compared with.  Here it is compared
 * with that of the window before, so a slow decline is not seen.  A window ends when a batch
 * begins.
 */
#include "policy/concurrency.h"

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

UVM_POLICY(concurrency, oversubscribe,
	   "more blocks than SMs hold, fewer of them when pages live shorter (batch-aware)",
	   .start = policy_oversubscribe_start,
	   .window = policy_oversubscribe_window);
