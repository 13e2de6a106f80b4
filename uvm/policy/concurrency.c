// SPDX-License-Identifier: GPL-2.0
/* Check of what concurrency policies answer. */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include "policy/concurrency.h"

/**
 * uvm_policy_check_concurrency - check what a concurrency policy wants
 * @query: what it was asked
 * @answer: its answer
 *
 * Return: the answer, within what the device can do; at least one SM runs.
 */
struct uvm_concurrency_answer
uvm_policy_check_concurrency(const struct uvm_concurrency_query *query,
			     struct uvm_concurrency_answer answer)
{
	answer.extra = min(answer.extra, query->extra_max);
	answer.sms = clamp(answer.sms, 1u, max(query->sm_count, 1u));
	return answer;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_policy_check_concurrency);
