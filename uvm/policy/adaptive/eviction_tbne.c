// SPDX-License-Identifier: GPL-2.0
/*
 * Tree-based eviction, TBNe (Ganguly et al., ISCA 2019): the victim of SLe, and each subtree of
 * its 2 MB that is less than half full without it (tree_evict.h).
 *
 * Standing: published (Ganguly et al., ISCA 2019, TBNe; DATE 2021).  How far it is from the
 * paper's figures: Documentation/adaptive.rst, *Measured*.
 *
 * Deviates: units are seen as in lru_block.
 */
#include "policy/adaptive/eviction_block.h"

UVM_POLICY(eviction, tbne, "as sle, and what the prefetch tree would not have there (TBNe)",
	   .policy.feeds = UVM_FEED_ACCESSED,
	   .state_bytes = sizeof(struct uvm_eviction_blocks),
	   UVM_EVICTION_BLOCK_OPS,
	   .pick = uvm_eviction_block_pick,
	   .also = uvm_eviction_block_tree);
