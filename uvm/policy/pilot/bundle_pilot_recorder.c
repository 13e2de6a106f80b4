// SPDX-License-Identifier: GPL-2.0
/*
 * Ours: pilot, on a GPU with a recorder, which tells of all accesses, so that none has to be
 * asked for.
 *
 * Standing: ours.
 */
#include "policy/bundle.h"

static const struct uvm_bundle_setting bundle_pilot_recorder[] = {
	{ "eviction_policy", "pilot_recorder" },
	{ "eviction_timing", "free_buffer" },
	{ "prefetch_policy", "pilot" },
	{ "residency_policy", "pilot" },
	{ "perf_map_remote_on_eviction", "0" },
	{ "replay_policy", "block_flush" },
	{}
};

UVM_POLICY(bundle, pilot_recorder, "ours: as pilot, on a GPU that tells all accesses (pilot.rst)",
	   .settings = bundle_pilot_recorder);
