/* SPDX-License-Identifier: GPL-2.0 */
/* The density tree of nvidia-uvm's prefetcher, which policies of other systems use, too. */
#ifndef UVM_PREFETCH_TREE_H
#define UVM_PREFETCH_TREE_H

#include "policy/prefetch.h"

void uvm_prefetch_tree_compute(const struct uvm_prefetch_input *in,
			       struct uvm_page_mask *prefetch);
/* Nothing but the 64 KB around each fault, which the link is good for. */
void uvm_prefetch_around_compute(const struct uvm_prefetch_input *in,
				 struct uvm_page_mask *prefetch);

#endif
