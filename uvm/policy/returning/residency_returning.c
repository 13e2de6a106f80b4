// SPDX-License-Identifier: GPL-2.0
/*
 * What keeps returning does not fit: it is read over the link, and a write brings it.
 *
 * Standing: ours.
 */
#include <linux/bits.h>
#include "policy/returning/range_returns.h"
#include "policy/residency.h"

static u8 policy_residency_returning_select(const struct uvm_residency_query *query)
{
	if (uvm_id_is_gpu(query->requester) && uvm_id_is_cpu(query->resident) &&
	    query->requester != query->preferred && query->access == UVM_ACCESS_READ &&
	    (query->accessible & BIT(UVM_ID_CPU)) && uvm_range_returns_much(query->range))
		return UVM_ID_CPU;
	return uvm_residency_first_touch_select(query);
}

UVM_POLICY(residency, returning,
	   "as first_touch, but allocations whose pages keep returning are read over the link",
	   .policy.range_state = &uvm_range_returns,
	   .select = policy_residency_returning_select);
