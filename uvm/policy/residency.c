// SPDX-License-Identifier: GPL-2.0
/* Checks of what residency policies answer. */
#include <kunit/visibility.h>
#include <linux/bits.h>
#include <linux/export.h>
#include "policy/residency.h"

/**
 * uvm_policy_may_duplicate - may the requester have a copy of its own to read?
 * @query: what is asked
 *
 * The range says so, or does not say no and the page has copies already; a
 * page that thrashes stays one (nvidia-uvm 3.1, step 2).  Whoever writes
 * becomes the only owner.  A discarded page is not copied, so that copies of it
 * would not be the same; what is forced to system memory is there alone (step 1).
 *
 * Return: true if so; then the page goes to the requester, whatever it wants.
 */
bool uvm_policy_may_duplicate(const struct uvm_residency_query *query)
{
	if (query->discarded || query->force_sysmem)
		return false;
	if (query->advice == UVM_READ_DUPLICATION_ENABLED)
		return true;
	return query->advice != UVM_READ_DUPLICATION_DISABLED && query->duplicated &&
	       query->pinned == UVM_ID_INVALID;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_policy_may_duplicate);

/**
 * uvm_policy_check_residency - make sure that a page goes where it can be used
 * @query: what was asked
 * @answer: what the policy said
 *
 * Return: @answer if the requester can reach the memory of that processor,
 * else the requester, which always can; the CPU if everything is to go there
 * (nvidia-uvm 3.1, step 1).
 */
u8 uvm_policy_check_residency(const struct uvm_residency_query *query, u8 answer)
{
	if (query->force_sysmem)
		answer = UVM_ID_CPU;
	if (!uvm_id_is_valid(answer) || !(query->accessible & BIT(answer)))
		return query->requester;
	return answer;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_policy_check_residency);
