// SPDX-License-Identifier: GPL-2.0
/*
 * lru in small pieces, out in large ones: with the victim goes whatever else is resident of its
 * VA block, in the same unmap and the same copies.  What leaves first, of 2 MB, says that the
 * rest will not be needed soon.  With units of 2 MB this is lru.
 *
 * An example of a policy that takes more than a unit.
 */
#include "base/page_mask.h"
#include "policy/eviction.h"

static u32 eviction_lru_block_pick(struct uvm_eviction_ctx *ctx)
{
	return uvm_eviction_first(ctx);
}

static void eviction_lru_block_also(struct uvm_eviction_ctx *ctx, u32 unit,
				    const struct uvm_eviction_victim *victim,
				    struct uvm_page_mask *pages)
{
	uvm_page_mask_copy(pages, victim->resident);
}

UVM_POLICY(eviction, lru_block, "what was least recently migrated to, and the rest of its 2 MB",
	   .pick = eviction_lru_block_pick,
	   .also = eviction_lru_block_also);
