// SPDX-License-Identifier: GPL-2.0
/*
 * Eviction that knows accesses ("GPU memory access-aware eviction", demystifying
 * VI-A and VI-B).
 *
 * lru knows faults, and what is used often and resident does not fault: the hottest
 * memory sinks to the end of the order.  Here the hardware says when it was accessed
 * last (REG_ACCESSED_*).  Nobody asks for all of memory: only whoever is first in the
 * order is looked at.  If it was used since it got its place, it gets the one that it
 * should have; the first whose place is right was not used for longer than any
 * other, as theirs can only be too early.
 *
 * Without the extension nothing counts as accessed, and this is lru.
 */
#include "policy/eviction.h"

/* Readings before the first is taken nevertheless: what a choice costs at most. */
#define ACCESSED_READINGS	64

static struct uvm_chunk *policy_eviction_accessed_pick(struct uvm_eviction_ctx *ctx)
{
	unsigned int left = ACCESSED_READINGS;

	while (left-- && uvm_eviction_place(ctx, uvm_eviction_first(ctx)))
		;
	return uvm_eviction_first(ctx);
}

UVM_POLICY(eviction, accessed, "what was least recently accessed (by a hardware extension)",
	   .policy.feeds = UVM_FEED_ACCESSED,
	   .pick = policy_eviction_accessed_pick);
