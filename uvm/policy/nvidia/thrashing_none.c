// SPDX-License-Identifier: GPL-2.0
/*
 * Do nothing about pages that thrash.
 *
 * Standing: nvidia-uvm: what the driver does with uvm_perf_thrashing_enable=0.
 */
#include "policy/thrashing.h"

static struct uvm_thrashing_answer
policy_thrashing_none_decide(const struct uvm_thrashing_query *query)
{
	return (struct uvm_thrashing_answer){ UVM_THRASHING_HINT_NONE, UVM_ID_INVALID };
}

UVM_POLICY(thrashing, none, "pages may go to and fro for ever, and nobody looks",
	   .detect = false,
	   .decide = policy_thrashing_none_decide);
