// SPDX-License-Identifier: GPL-2.0
/* Check of what thrashing policies answer. */
#include <kunit/visibility.h>
#include <linux/bits.h>
#include <linux/export.h>
#include "policy/thrashing.h"

/**
 * uvm_policy_check_thrashing - make sure that an answer can be followed
 * @query: what was asked
 * @answer: what the policy said
 *
 * Return: @answer; no hint instead of nonsense; a pin where the requester
 * cannot reach the page becomes one at the requester.
 */
struct uvm_thrashing_answer uvm_policy_check_thrashing(const struct uvm_thrashing_query *query,
						       struct uvm_thrashing_answer answer)
{
	switch (answer.hint) {
	case UVM_THRASHING_HINT_PIN:
		if (!uvm_id_is_valid(answer.where) || !(query->accessible & BIT(answer.where)))
			answer.where = query->requester;
		return answer;
	case UVM_THRASHING_HINT_THROTTLE:
		break;
	default:
		answer.hint = UVM_THRASHING_HINT_NONE;
	}
	answer.where = UVM_ID_INVALID;
	return answer;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_policy_check_thrashing);
