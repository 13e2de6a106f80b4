// SPDX-License-Identifier: GPL-2.0
/*
 * Allocations one by one: those whose pages keep returning stay where they are, on either side
 * of the link, and the others stream past them.  The members share what they know
 * (range_returns.h).
 *
 * Standing: ours.
 */
#include "policy/bundle.h"

static const struct uvm_bundle_setting bundle_returning[] = {
	{ "eviction_policy", "returning" },
	{ "prefetch_policy", "returning" },
	{ "residency_policy", "returning" },
	{}
};

UVM_POLICY(bundle, returning, "allocations whose pages keep returning stay where they are",
	   .settings = bundle_returning);
