// SPDX-License-Identifier: GPL-2.0
/*
 * Ours, for working sets that do not fit (Documentation/batch-aware.rst): only what was asked for
 * comes, what was not used for longest leaves, and nobody waits for evictions.
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
