// SPDX-License-Identifier: GPL-2.0
/*
 * Ours, for working sets that do not fit (Documentation/batch-aware.rst): what is brought is what
 * was asked for, what leaves is what was not used for longest, and nobody waits for either.
 *
 * Standing: ours.
 */
#include "policy/bundle.h"

static const struct uvm_bundle_setting bundle_fitting[] = {
	{ "eviction_timing", "unobtrusive" },
	{ "eviction_policy", "accessed" },
	{ "prefetch_policy", "fitting" },
	{ "replay_policy", "block_flush" },
	{}
};

UVM_POLICY(bundle, fitting, "ours, for what does not fit: see its members' own sentences",
	   .settings = bundle_fitting);
