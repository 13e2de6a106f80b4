// SPDX-License-Identifier: GPL-2.0
/*
 * Sequential-local eviction, SLe (Ganguly et al., ISCA 2019): of the least recently accessed 2 MB
 * the least recently accessed unit, which is to be 64 KB, and no more.
 *
 * Standing: published (Ganguly et al., ISCA 2019, SLe).  No figure of that paper is reproduced.
 *
 * Deviates: units are seen as in lru_block.
 */
#include "policy/adaptive/eviction_block.h"

UVM_POLICY(eviction, sle, "of the least recently accessed 2 MB the oldest unit (SLe)",
	   .policy.feeds = UVM_FEED_ACCESSED,
	   .state_bytes = sizeof(struct uvm_eviction_blocks),
	   UVM_EVICTION_BLOCK_OPS,
	   .pick = uvm_eviction_block_pick);
