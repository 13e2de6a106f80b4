// SPDX-License-Identifier: GPL-2.0
/*
 * Where a page goes that is not read-duplicated: as in nvidia-uvm.
 *
 * Standing: nvidia-uvm: the rules of the real driver, which Documentation/nvidia-uvm.rst lists.
 */
#include <linux/bits.h>
#include "policy/residency.h"

static bool policy_residency_can_reach(const struct uvm_residency_query *query, u8 id)
{
	return uvm_id_is_valid(id) && (query->accessible & BIT(id));
}

/*
 * nvidia-uvm 3.1, steps 3 to 11; 1 is uvm_policy_check_residency(), 2 is
 * uvm_policy_may_duplicate(), 4 is for pageable memory, and 10 needs a processor that
 * reads for another process.
 */
u8 uvm_residency_first_touch_select(const struct uvm_residency_query *query)
{
	if (query->requester == query->preferred)
		return query->requester;				/* 3 */
	if (query->pinned != UVM_ID_INVALID)
		return query->pinned;					/* 5 */
	if (query->resident == UVM_ID_INVALID)				/* 6 */
		return policy_residency_can_reach(query, query->preferred) ? query->preferred :
									     query->requester;
	if (query->accessed_by && query->operation != UVM_OPERATION_ACCESS_COUNTER &&
	    policy_residency_can_reach(query, query->resident))
		return query->resident;					/* 7 */
	if (query->only_atomics && (query->leave_atomics & BIT(query->resident)))
		return query->resident;					/* 8 */
	if (query->resident != query->requester &&
	    policy_residency_can_reach(query, query->preferred))
		return query->preferred;				/* 9 */
	return query->requester;					/* 11 */
}

UVM_POLICY(residency, first_touch,
	   "to the preferred location if there is one, else to who touches it",
	   .select = uvm_residency_first_touch_select);
