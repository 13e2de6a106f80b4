// SPDX-License-Identifier: GPL-2.0
/* Check of what timing policies answer. */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include "policy/timing.h"

/**
 * uvm_policy_check_timing - check how many units a timing policy wants free
 * @query: what it was asked
 * @answer: its answer
 *
 * Return: the answer, at most half of the units: the rest is for those who run.
 */
unsigned int uvm_policy_check_timing(const struct uvm_timing_query *query, unsigned int answer)
{
	return min(answer, query->units / 2);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_policy_check_timing);
