// SPDX-License-Identifier: GPL-2.0
/*
 * The order of nvidia-uvm (4.2), which the allocator keeps.
 *
 * Standing: nvidia-uvm: the rules of the real driver, which Documentation/nvidia-uvm.rst lists.
 */
#include "policy/eviction.h"

static u32 eviction_lru_pick(struct uvm_eviction_ctx *ctx)
{
	return uvm_eviction_first(ctx);
}

UVM_POLICY(eviction, lru, "what was least recently migrated to",
	   .pick = eviction_lru_pick);
