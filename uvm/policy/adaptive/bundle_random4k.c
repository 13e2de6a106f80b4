// SPDX-License-Identifier: GPL-2.0
/*
 * Pages that come and go at random (Ganguly et al., ISCA 2019: Rp with Re).
 *
 * Standing: published (Ganguly et al., ISCA 2019, Rp with Re).  No figure of that paper is
 * reproduced.
 */
#include "policy/bundle.h"

static const struct uvm_bundle_setting bundle_random4k[] = {
	{ "prefetch_policy", "random4k" },
	{ "eviction_policy", "random" },
	{}
};

UVM_POLICY(bundle, random4k, "pages come and go at random: with root_chunk_granularity=4k",
	   .settings = bundle_random4k);
