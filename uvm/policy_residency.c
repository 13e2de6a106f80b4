// SPDX-License-Identifier: GPL-2.0
/*
 * Residency policies: where a faulted page goes.
 */
#include "policy.h"

static bool policy_residency_can_prefer(const struct uvm_residency_query *query)
{
	return uvm_id_is_valid(query->preferred) && (query->accessible & BIT(query->preferred));
}

/*
 * nvidia-uvm's order, as far as there is no accessed-by, read duplication or
 * pinning: the preferred location wins where the requester can reach it,
 * unless the page is with the requester already; else it comes to the requester.
 */
static u8 policy_residency_first_touch_select(const struct uvm_residency_query *query)
{
	if (query->requester == query->preferred)
		return query->requester;
	if (query->resident == query->requester)
		return query->requester;
	if (policy_residency_can_prefer(query))
		return query->preferred;
	return query->requester;
}

const struct uvm_residency_ops uvm_residency_first_touch = {
	.name = "first_touch",
	.what = "to the preferred location if there is one, else to who touches it",
	.select = policy_residency_first_touch_select,
};

static u8 policy_residency_remote_select(const struct uvm_residency_query *query)
{
	/* A GPU has no atomics to memory beyond the link: these bring the page. */
	if (query->requester != query->preferred && uvm_id_is_gpu(query->requester) &&
	    uvm_id_is_cpu(query->resident) &&
	    (query->accessible & BIT(UVM_ID_CPU)) && query->access != UVM_ACCESS_ATOMIC)
		return UVM_ID_CPU;
	return policy_residency_first_touch_select(query);
}

const struct uvm_residency_ops uvm_residency_remote = {
	.name = "remote",
	.what = "a page in system memory stays unless preferred here; GPUs use the link",
	.select = policy_residency_remote_select,
};
