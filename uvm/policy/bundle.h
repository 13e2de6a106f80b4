/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Bundles: policies of several kinds, and other parameters, by one name.
 *
 * Whoever chooses a bundle has the default of every kind, and on top of them what the bundle
 * sets.  Each parameter can still be changed alone behind it.
 */
#ifndef UVM_BUNDLE_H
#define UVM_BUNDLE_H

#include "policy/declare.h"

/**
 * struct uvm_bundle_setting - a parameter that a bundle sets
 * @param: its name; one that can be set at run time
 * @value: as users write it
 */
struct uvm_bundle_setting {
	const char *param;
	const char *value;
};

/**
 * struct uvm_bundle_ops - a bundle
 * @policy: its name, for all kinds the same
 * @settings: what it sets, in this order; the last has no name
 */
struct uvm_bundle_ops {
	struct uvm_policy policy;
	const struct uvm_bundle_setting *settings;
};

#endif
