// SPDX-License-Identifier: GPL-2.0
/*
 * The least recently accessed 2 MB of addresses go, with all of their pages that are resident, in
 * one unmap and the same copies.  "LRU 2 MB", the baseline of the adaptive framework (DATE 2021,
 * II) and of Ganguly et al. (ISCA 2019).
 *
 * Standing: published ("LRU 2 MB", DATE 2021, II).  How far it is from the paper's figures:
 * Documentation/adaptive.rst, *Measured*.
 *
 * Deviates: nobody knows here which accesses are in flight, so no unit stays for one.  What is
 * clean is copied out, too, as in the authors' simulator.  A unit of which only a part is
 * resident may go, which that simulator waits for in vain.
 */
#include "policy/adaptive/eviction_block.h"

UVM_POLICY(eviction, lru_block, "the least recently accessed 2 MB",
	   .policy.feeds = UVM_FEED_ACCESSED,
	   .state_bytes = sizeof(struct uvm_eviction_blocks),
	   UVM_EVICTION_BLOCK_OPS,
	   .pick = uvm_eviction_block_pick,
	   .also = uvm_eviction_block_all);
