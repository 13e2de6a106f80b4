// SPDX-License-Identifier: GPL-2.0
/*
 * Thread oversubscription and unobtrusive eviction together: TO+UE of batch-aware.
 *
 * Standing: published ("Batch-Aware Unified Memory Management", ASPLOS 2020).  How far it is from
 * the paper's figures: Documentation/batch-aware.rst, *Measured*.
 */
#include "policy/bundle.h"

static const struct uvm_bundle_setting bundle_batch_aware[] = {
	{ "eviction_timing", "unobtrusive" },
	{ "concurrency_policy", "oversubscribe" },
	{}
};

UVM_POLICY(bundle, batch_aware, "thread oversubscription and unobtrusive eviction (batch-aware)",
	   .settings = bundle_batch_aware);
