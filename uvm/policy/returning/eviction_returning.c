// SPDX-License-Identifier: GPL-2.0
/*
 * Pages that keep returning are used again and again.  So they stay if the older half of lru's
 * order has something that is used once and can go.
 *
 * Standing: ours.
 */
#include "policy/lib/eviction_older.h"
#include "policy/returning/range_returns.h"

/* An address of what the unit holds. */
struct returning_unit {
	u64 va_space;
	u64 va;
};

static void eviction_returning_arrive(struct uvm_eviction_ctx *ctx, u32 unit,
				      const struct uvm_eviction_page *page)
{
	struct returning_unit *u = uvm_eviction_unit(ctx, unit);

	u->va_space = page->va_space;
	u->va = page->va;
}

static void returning_read(const struct uvm_range_view *range, void *arg)
{
	bool *much = arg;

	*much = uvm_range_returns_much(range);
}

static bool returning_keep(struct uvm_eviction_ctx *ctx, u32 unit)
{
	struct returning_unit *u = uvm_eviction_unit(ctx, unit);
	bool much = false;

	uvm_eviction_range(ctx, &uvm_range_returns, u->va_space, u->va, returning_read, &much);
	return much;
}

static u32 eviction_returning_pick(struct uvm_eviction_ctx *ctx)
{
	return uvm_eviction_older(ctx, returning_keep);
}

UVM_POLICY(eviction, returning, "as lru, but allocations whose pages keep returning stay",
	   .policy.range_state = &uvm_range_returns,
	   .unit_bytes = sizeof(struct returning_unit),
	   .arrive = eviction_returning_arrive,
	   .pick = eviction_returning_pick);
