/* SPDX-License-Identifier: GPL-2.0 */
/* Prefetch: which pages move along with faulted ones. */
#ifndef UVM_PREFETCH_H
#define UVM_PREFETCH_H

#include "policy/nvidia/prefetch_tree.h"
#include "policy/declare.h"

/**
 * struct uvm_prefetch_ops - which pages to move along with faulted ones
 * @policy: its name, for all kinds the same
 * @select: fill the mask; checked by uvm_prefetch_clamp()
 */
struct uvm_prefetch_ops {
	struct uvm_policy policy;
	uvm_prefetch_select_fn select;
};

#endif
