// SPDX-License-Identifier: GPL-2.0
/*
 * A reference: what an earlier run accessed is known (eviction_fnu.c); the rest is nvidia-uvm's.
 *
 * Standing: reference: it needs the future.
 */
#include "policy/bundle.h"

static const struct uvm_bundle_setting bundle_fnu[] = {
	{ "eviction_policy", "fnu" },
	{}
};

UVM_POLICY(bundle, fnu, "farthest next use: a reference that knows the future (arena.rst)",
	   .settings = bundle_fnu);
