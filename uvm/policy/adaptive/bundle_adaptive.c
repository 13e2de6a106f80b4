// SPDX-License-Identifier: GPL-2.0
/*
 * The adaptive framework as its paper has it ("An Adaptive Framework for Oversubscription
 * Management in CPU-GPU Unified Memory", DATE 2021): each allocation by its own pattern.  Access
 * counters count what is used over the link, as on published GPUs.
 *
 * Standing: published ("An Adaptive Framework for Oversubscription Management", DATE 2021).  How
 * far it is from the paper's figures: Documentation/adaptive.rst, *Measured*.
 */
#include "policy/bundle.h"

static const struct uvm_bundle_setting bundle_adaptive[] = {
	{ "prefetch_policy", "tbn" },
	{ "eviction_policy", "adaptive" },
	{ "residency_policy", "adaptive" },
	{ "perf_access_counter_threshold", "8" },
	{ "perf_access_counter_granularity", "64k" },
	{ "perf_map_remote_on_eviction", "0" },
	{}
};

UVM_POLICY(bundle, adaptive, "allocations by their patterns, one by one (DATE 2021)",
	   .settings = bundle_adaptive);
