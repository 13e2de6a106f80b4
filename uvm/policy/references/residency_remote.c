// SPDX-License-Identifier: GPL-2.0
/*
 * Pages in system memory stay there.
 *
 * Standing: reference: what it costs if nothing comes.
 */
#include <linux/bits.h>
#include "policy/residency.h"

static u8 policy_residency_remote_select(const struct uvm_residency_query *query)
{
	if (query->operation != UVM_OPERATION_ACCESS_COUNTER &&
	    query->requester != query->preferred && uvm_id_is_gpu(query->requester) &&
	    uvm_id_is_cpu(query->resident) &&
	    (query->accessible & BIT(UVM_ID_CPU)))
		return UVM_ID_CPU;
	return uvm_residency_first_touch_select(query);
}

UVM_POLICY(residency, remote,
	   "a page in system memory stays unless preferred here; GPUs use the link",
	   .select = policy_residency_remote_select);
