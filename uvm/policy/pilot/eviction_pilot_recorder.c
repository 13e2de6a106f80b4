// SPDX-License-Identifier: GPL-2.0
/*
 * Ours, on a GPU with a recorder: it tells of each 64 KB that were accessed before each batch, so
 * that nobody has to ask, and what is prefetched and used is known at once.
 *
 * Standing: ours.
 */
#include "base/types.h"
#include "policy/pilot/pilot_choice.h"

static void eviction_pilot_recorder_init(struct uvm_eviction_ctx *ctx)
{
	struct uvm_pilot_units *units = ctx->state;

	units->told = true;
}

static void eviction_pilot_recorder_touch(struct uvm_eviction_ctx *ctx, u32 unit,
					  const struct uvm_eviction_touch *touch)
{
	u64 bytes = (u64)ctx->unit_pages << UVM_PAGE_SHIFT, at;

	/* units smaller than 64 KB share them */
	for (at = 0; at < 1 << UVM_BIG_PAGE_SHIFT; at += bytes) {
		unit = uvm_pilot_units_find(ctx, touch->va_space, touch->va + at);
		if (unit != UVM_UNIT_NONE)
			uvm_pilot_units_use(ctx, unit, touch->when);
	}
}

UVM_POLICY(eviction, pilot_recorder, "as pilot, told of all accesses by a recorder (ours)",
	   .policy.feeds = UVM_FEED_ACCESSES,
	   UVM_PILOT_OPS,
	   .init = eviction_pilot_recorder_init,
	   .touch = eviction_pilot_recorder_touch);
