// SPDX-License-Identifier: GPL-2.0
/*
 * The adaptive framework as its authors' simulator has it, with which the figures of the paper
 * (DATE 2021) were made: one choice for all allocations, and all accesses count.
 *
 * Standing: published (the authors' simulator of DATE 2021).  How far it is from the paper's
 * figures: Documentation/adaptive.rst, *Measured*.
 */
#include "policy/bundle.h"

static const struct uvm_bundle_setting bundle_adaptive_global[] = {
	{ "prefetch_policy", "tbn" },
	{ "eviction_policy", "adaptive_global" },
	{ "residency_policy", "adaptive_global" },
	{ "perf_access_counter_threshold", "8" },
	{ "perf_access_counter_granularity", "64k" },
	{ "perf_map_remote_on_eviction", "0" },
	{}
};

UVM_POLICY(bundle, adaptive_global,
	   "all allocations by the worst pattern of any (DATE 2021's simulator)",
	   .settings = bundle_adaptive_global);
