// SPDX-License-Identifier: GPL-2.0
/*
 * Residency policies: where a page goes that is not read-duplicated.
 */
#include "policy/policy.h"

static bool policy_residency_can_reach(const struct uvm_residency_query *query, u8 id)
{
	return uvm_id_is_valid(id) && (query->accessible & BIT(id));
}

/*
 * nvidia-uvm 3.1, steps 3 to 11; 1 is uvm_policy_check_residency(), 2 is
 * uvm_policy_may_duplicate(), 4 is for pageable memory, and 10 needs a processor that
 * reads for another process.
 */
static u8 policy_residency_first_touch_select(const struct uvm_residency_query *query)
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

const struct uvm_residency_ops uvm_residency_first_touch = {
	.name = "first_touch",
	.what = "to the preferred location if there is one, else to who touches it",
	.select = policy_residency_first_touch_select,
};

static u8 policy_residency_remote_select(const struct uvm_residency_query *query)
{
	if (query->operation != UVM_OPERATION_ACCESS_COUNTER &&
	    query->requester != query->preferred && uvm_id_is_gpu(query->requester) &&
	    uvm_id_is_cpu(query->resident) &&
	    (query->accessible & BIT(UVM_ID_CPU)))
		return UVM_ID_CPU;
	return policy_residency_first_touch_select(query);
}

const struct uvm_residency_ops uvm_residency_remote = {
	.name = "remote",
	.what = "a page in system memory stays unless preferred here; GPUs use the link",
	.select = policy_residency_remote_select,
};

/*
 * The static threshold of "Adaptive oversubscription", section on page migration
 * and pinning: what is in system memory is read over the link until its access
 * counter reaches the threshold; a write brings it at once.  That it is preferred
 * there says no more than that it should wait.
 */
static u8 policy_residency_delayed_select(const struct uvm_residency_query *query)
{
	bool first = query->resident == UVM_ID_INVALID && uvm_id_is_cpu(query->preferred);

	if (!uvm_id_is_gpu(query->requester) || !(query->accessible & BIT(UVM_ID_CPU)) ||
	    query->pinned != UVM_ID_INVALID)
		return policy_residency_first_touch_select(query);
	if (query->requester == query->preferred ||
	    query->operation == UVM_OPERATION_ACCESS_COUNTER ||
	    query->access == UVM_ACCESS_WRITE || query->access == UVM_ACCESS_ATOMIC)
		return query->requester;
	if (first || uvm_id_is_cpu(query->resident))
		return UVM_ID_CPU;
	return query->requester;
}

const struct uvm_residency_ops uvm_residency_delayed = {
	.name = "delayed",
	.what = "a page in system memory is read over the link until it is hot or written",
	.delays = true,
	.select = policy_residency_delayed_select,
};
