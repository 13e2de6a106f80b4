// SPDX-License-Identifier: GPL-2.0
/*
 * The 2 MB that were accessed least often since they were allocated, of equals the first that came
 * ("LFU 2 MB", DATE 2021, II).  The device's recorder counts accesses; counts outlast an eviction,
 * in the range state.
 *
 * Standing: published ("LFU 2 MB", DATE 2021, II).  No figure of that paper has it alone, so none
 * is reproduced.
 *
 * Deviates: the simulator of that paper lets what was only read go before what was written; here
 * nobody knows which that is.  Units are seen as in lru_block.
 */
#include "base/types.h"
#include "policy/adaptive/eviction_block.h"
#include "policy/adaptive/range_adaptive.h"

/* In: the address of the 2 MB; out: their accesses. */
static void lfu_read(const struct uvm_range_view *range, void *arg)
{
	u64 *heat = arg, big = 1ULL << UVM_BIG_PAGE_SHIFT;
	u64 va = *heat, end = va + UVM_BLOCK_SIZE;

	for (*heat = 0; va < end; va += big)
		if (va + big > range->start && va <= range->end)
			*heat += uvm_adaptive_heat(range, va)->accesses;
}

static void eviction_lfu_arrive(struct uvm_eviction_ctx *ctx, u32 unit,
				const struct uvm_eviction_page *page)
{
	u64 heat = page->va & ~(UVM_BLOCK_SIZE - 1);
	bool first = !uvm_eviction_block_find(ctx, page->va_space, page->va);

	uvm_eviction_blocks_arrive(ctx, unit, page);
	if (first && uvm_eviction_range(ctx, &uvm_range_adaptive, page->va_space, page->va,
					lfu_read, &heat))
		uvm_eviction_block_of(ctx, unit)->heat = heat;
}

static void eviction_lfu_touch(struct uvm_eviction_ctx *ctx, u32 unit,
			       const struct uvm_eviction_touch *touch)
{
	struct uvm_eviction_block *block = uvm_eviction_block_find(ctx, touch->va_space,
								   touch->va);

	if (block)
		block->heat += touch->count;
}

static u32 eviction_lfu_pick(struct uvm_eviction_ctx *ctx)
{
	struct uvm_eviction_blocks *blocks = ctx->state;
	struct uvm_eviction_block *block;
	u32 found = UVM_UNIT_NONE, unit;
	u64 least = U64_MAX;

	list_for_each_entry(block, &blocks->order, node) {
		ctx->spent.compared++;
		if (block->heat >= least)
			continue;
		unit = uvm_eviction_block_unit(ctx, block);
		if (unit == UVM_UNIT_NONE)
			continue;
		least = block->heat;
		found = unit;
	}
	return found == UVM_UNIT_NONE ? uvm_eviction_first(ctx) : found;
}

UVM_POLICY(eviction, lfu, "the least often accessed 2 MB (by the recorder)",
	   .policy.feeds = UVM_FEED_ACCESSES,
	   .policy.range_state = &uvm_range_adaptive,
	   .state_bytes = sizeof(struct uvm_eviction_blocks),
	   .unit_bytes = sizeof(struct uvm_eviction_block_record),
	   .init = uvm_eviction_blocks_init,
	   .enter = uvm_eviction_blocks_enter,
	   .leave = uvm_eviction_blocks_leave,
	   .arrive = eviction_lfu_arrive,
	   .touch = eviction_lfu_touch,
	   .pick = eviction_lfu_pick,
	   .also = uvm_eviction_block_all);
