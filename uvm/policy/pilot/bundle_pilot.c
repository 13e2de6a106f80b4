// SPDX-License-Identifier: GPL-2.0
/*
 * Ours, for memory that does not suffice: what is used last goes first and early, and what would
 * only come to be evicted again stays in system memory.  pilot.rst has how it was made and what
 * it brings.
 *
 * Standing: ours.
 */
#include "policy/bundle.h"

static const struct uvm_bundle_setting bundle_pilot[] = {
	{ "eviction_policy", "pilot" },
	{ "eviction_timing", "free_buffer" },
	{ "prefetch_policy", "pilot" },
	{ "residency_policy", "pilot" },
	{ "perf_map_remote_on_eviction", "0" },
	{ "replay_policy", "block_flush" },
	{}
};

UVM_POLICY(bundle, pilot, "ours: what is used last goes first, and early (pilot.rst)",
	   .settings = bundle_pilot);
