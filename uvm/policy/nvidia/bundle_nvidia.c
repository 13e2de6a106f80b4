// SPDX-License-Identifier: GPL-2.0
/*
 * What nvidia-uvm does: the default of every kind.
 *
 * Standing: nvidia-uvm: the rules of the real driver, which Documentation/nvidia-uvm.rst lists.
 */
#include "policy/bundle.h"

static const struct uvm_bundle_setting bundle_nvidia[] = { {} };

UVM_POLICY(bundle, nvidia, "what nvidia-uvm does",
	   .settings = bundle_nvidia);
