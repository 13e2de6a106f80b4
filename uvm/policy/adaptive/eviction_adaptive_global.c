// SPDX-License-Identifier: GPL-2.0
/*
 * The adaptive framework's eviction, as its authors' simulator has it: one choice for all
 * allocations.  Eviction is by 2 MB while every allocation streams.  It is by TBNe from the moment
 * when pages of one have come again, and stays so: the range state remembers the latest kind that
 * any of them ever had.
 *
 * Accesses are fetched from the recorder once some allocation is random, because
 * residency_policy=adaptive_global needs them then.  The counts include earlier accesses.
 *
 * Standing: published (the authors' simulator of DATE 2021).  How far it is from the paper's
 * figures: Documentation/adaptive.rst, *Measured*.
 *
 * Deviates: units are seen as in lru_block.
 */
#include "policy/adaptive/eviction_block.h"
#include "policy/adaptive/range_adaptive.h"

struct adaptive_global {
	struct uvm_eviction_blocks blocks;	/* first */
	enum uvm_adaptive_kind kind;
};

static void adaptive_global_read(const struct uvm_range_view *range, void *arg)
{
	enum uvm_adaptive_kind *kind = arg;

	*kind = uvm_adaptive_all(range);
}

static void eviction_adaptive_global_also(struct uvm_eviction_ctx *ctx, u32 unit,
					  const struct uvm_eviction_victim *victim,
					  struct uvm_page_mask *pages)
{
	struct adaptive_global *g = ctx->state;
	enum uvm_adaptive_kind kind = UVM_ADAPTIVE_STREAM;

	uvm_eviction_range(ctx, &uvm_range_adaptive, victim->va_space,
			   victim->va + ((u64)victim->first << UVM_PAGE_SHIFT),
			   adaptive_global_read, &kind);
	if (kind > g->kind)
		g->kind = kind;
	if (kind == UVM_ADAPTIVE_STREAM)
		uvm_eviction_block_all(ctx, unit, victim, pages);
	else
		uvm_eviction_block_tree(ctx, unit, victim, pages);
}

static u32 eviction_adaptive_global_fetch_every(struct uvm_eviction_ctx *ctx)
{
	struct adaptive_global *g = ctx->state;

	return g->kind >= UVM_ADAPTIVE_RANDOM;
}

UVM_POLICY(eviction, adaptive_global,
	   "as lru_block while all allocations stream, then as tbne (DATE 2021's simulator)",
	   .policy.feeds = UVM_FEED_ACCESSED | UVM_FEED_ACCESSES,
	   .policy.params = "adaptive_inversions adaptive_log_demand adaptive_mixed_reuse",
	   .policy.range_state = &uvm_range_adaptive,
	   .state_bytes = sizeof(struct adaptive_global),
	   UVM_EVICTION_BLOCK_OPS,
	   .fetch_every = eviction_adaptive_global_fetch_every,
	   .pick = uvm_eviction_block_pick,
	   .also = eviction_adaptive_global_also);
