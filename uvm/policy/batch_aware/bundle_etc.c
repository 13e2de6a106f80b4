// SPDX-License-Identifier: GPL-2.0
/*
 * ETC, as far as batch-aware tells it: proactive eviction, throttling, compression.
 *
 * Standing: published (ETC, ASPLOS 2019), as the batch-aware paper tells it.  How far it is from
 * that paper's figures: Documentation/batch-aware.rst, *Measured*.
 *
 * Deviates: compressed memory holds more; the user has to allow for this with --vram.
 */
#include "policy/bundle.h"

static const struct uvm_bundle_setting bundle_etc[] = {
	{ "eviction_timing", "proactive" },
	{ "concurrency_policy", "throttle" },
	{ "capacity_compression", "1" },
	{}
};

UVM_POLICY(bundle, etc, "proactive eviction, throttling and compression (ETC)",
	   .settings = bundle_etc);
