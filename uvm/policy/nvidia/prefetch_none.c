// SPDX-License-Identifier: GPL-2.0
/*
 * Prefetch nothing.
 *
 * Standing: nvidia-uvm: what the driver does with uvm_perf_prefetch_enable=0.
 */
#include "policy/prefetch.h"

static void policy_prefetch_none(const struct uvm_prefetch_input *in,
				 struct uvm_page_mask *prefetch)
{
	uvm_page_mask_zero(prefetch);
}

UVM_POLICY(prefetch, none, "only the faulted pages move",
	   .select = policy_prefetch_none);
