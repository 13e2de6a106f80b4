// SPDX-License-Identifier: GPL-2.0
/*
 * As lru_block, but the first blocks of its order stay (Ganguly et al., ISCA 2019, reservation of
 * the top of the LRU list).  A sweep that is repeated uses first what it used longest ago.
 *
 * Standing: published (Ganguly et al., ISCA 2019).  No figure of that paper is reproduced.
 *
 * Deviates: units are seen as in lru_block.  10 % is that paper's.
 */
#include <linux/compiler.h>
#include <linux/math64.h>
#include "policy/adaptive/eviction_block.h"
#include "policy/policy_param.h"

UVM_POLICY_PARAM(reserve_lru_percent, UINT, 10, 0, 90,
		 "percent of memory that eviction_policy=reserve_lru spares");

static u32 eviction_reserve_lru_pick(struct uvm_eviction_ctx *ctx)
{
	u64 percent = uvm_param(ctx->params, reserve_lru_percent);

	return uvm_eviction_block_oldest(ctx, div_u64(uvm_eviction_count(ctx) * percent, 100));
}

UVM_POLICY(eviction, reserve_lru, "as lru_block, but reserve_lru_percent of memory stay",
	   .policy.feeds = UVM_FEED_ACCESSED,
	   .policy.params = "reserve_lru_percent",
	   .state_bytes = sizeof(struct uvm_eviction_blocks),
	   UVM_EVICTION_BLOCK_OPS,
	   .pick = eviction_reserve_lru_pick,
	   .also = uvm_eviction_block_all);
