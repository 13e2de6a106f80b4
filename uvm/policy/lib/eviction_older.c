// SPDX-License-Identifier: GPL-2.0
/* The first unit of the older half of the order that may go; see eviction_older.h. */
#include <linux/minmax.h>
#include "policy/lib/eviction_older.h"

u32 uvm_eviction_older(struct uvm_eviction_ctx *ctx,
		       bool (*keep)(struct uvm_eviction_ctx *ctx, u32 unit))
{
	u32 looks = min_t(u32, uvm_eviction_count(ctx) / 2, UVM_EVICTION_LOOKS);
	u32 unit, first = uvm_eviction_first(ctx);

	for (unit = first; unit != UVM_UNIT_NONE && looks--; unit = uvm_eviction_next(ctx, unit))
		if (!keep(ctx, unit))
			return unit;
	return first;
}
