// SPDX-License-Identifier: GPL-2.0
/*
 * Random eviction.
 *
 * Standing: reference: what any better choice has to beat.
 */
#include "policy/eviction.h"

static u32 eviction_random_pick(struct uvm_eviction_ctx *ctx)
{
	unsigned int candidates = 0, skip;
	u32 unit;

	for (unit = uvm_eviction_first(ctx); unit != UVM_UNIT_NONE;
	     unit = uvm_eviction_next(ctx, unit))
		candidates++;
	if (!candidates)
		return UVM_UNIT_NONE;
	skip = uvm_random_next(&ctx->random) % candidates;
	for (unit = uvm_eviction_first(ctx); skip; skip--)
		unit = uvm_eviction_next(ctx, unit);
	return unit;
}

UVM_POLICY(eviction, random, "any memory in use, from a seed per GPU",
	   .policy.params = "eviction_seed",
	   .pick = eviction_random_pick);
