/* SPDX-License-Identifier: GPL-2.0 */
/* The density tree of nvidia-uvm's prefetcher, which policies of other systems use, too. */
#ifndef UVM_PREFETCH_TREE_H
#define UVM_PREFETCH_TREE_H

#include "policy/prefetch.h"

void uvm_prefetch_tree_compute(const struct uvm_prefetch_input *in,
			       struct uvm_page_mask *prefetch);

/**
 * uvm_prefetch_around_compute - nothing but the 64 KB around each fault
 * @in: the situation; its threshold counts as 99 if it is less
 * @prefetch: out: the pages; none of @in->faulted
 *
 * For who wants large copies, which the link is good for, and no guess.
 */
void uvm_prefetch_around_compute(const struct uvm_prefetch_input *in,
				 struct uvm_page_mask *prefetch);

#endif
