// SPDX-License-Identifier: GPL-2.0
/* Which pages wait for accesses over the link, and for how many; see delay.h. */
#include <linux/bits.h>
#include <linux/compiler.h>
#include "policy/lib/delay.h"
#include "policy/param_table.h"
#include "policy/policy_param.h"

UVM_POLICY_PARAM(adaptive_penalty, UINT, 2, 1, 64,
		 "by what the threshold of delayed_dynamic grows with each round trip, and when full");

bool uvm_delay_applies(const struct uvm_residency_query *query)
{
	return uvm_id_is_gpu(query->requester) && (query->accessible & BIT(UVM_ID_CPU)) &&
	       query->pinned == UVM_ID_INVALID && query->requester != query->preferred &&
	       (query->resident == UVM_ID_INVALID || uvm_id_is_cpu(query->resident));
}

static u64 delay_of(const struct uvm_residency_query *query, u32 trips)
{
	const struct uvm_params *params = query->range->params;

	return uvm_delay_threshold(READ_ONCE(params->perf_access_counter_threshold),
				   uvm_param(params, adaptive_penalty), trips, query->full,
				   query->occupancy);
}

/* A write brings the page at once.  A fault is an access itself. */
u8 uvm_delay_by(const struct uvm_residency_query *query, u32 remote, u32 trips)
{
	bool fault = query->operation == UVM_OPERATION_FAULT;

	if (query->access == UVM_ACCESS_WRITE || query->access == UVM_ACCESS_ATOMIC)
		return query->requester;
	return (u64)remote + fault >= delay_of(query, trips) ? query->requester : UVM_ID_CPU;
}
