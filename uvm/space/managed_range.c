// SPDX-License-Identifier: GPL-2.0
/*
 * Managed ranges: their memory, and cutting one in two.
 */
#include <linux/slab.h>
#include "base/debugfs.h"
#include "base/trace.h"
#include "block/va_block.h"
#include "space/managed_range.h"

/**
 * struct uvm_managed_range - a managed range, and who pays for its table of blocks
 * @range: the range
 * @charge: of both
 */
struct uvm_managed_range {
	struct uvm_va_range range;
	struct rm_charge charge;
};

void uvm_managed_range_free(struct uvm_va_range *range)
{
	struct uvm_managed_range *own = container_of(range, struct uvm_managed_range, range);

	uvm_va_range_fini(range);
	rm_uncharge(&own->charge);
	kfree(own);
}

struct uvm_va_range *uvm_managed_range_new(u64 start, u64 end)
{
	struct uvm_managed_range *own = kzalloc(sizeof(*own), UVM_GFP_ACCOUNT);
	u64 slots = (end >> UVM_BLOCK_SHIFT) - (start >> UVM_BLOCK_SHIFT) + 1;

	if (!own)
		return NULL;
	if (rm_charge(&own->charge, sizeof(*own) + slots * sizeof(*own->range.blocks)) ||
	    uvm_va_range_init(&own->range, start, end, UVM_GFP_ACCOUNT)) {
		uvm_managed_range_free(&own->range);
		return NULL;
	}
	return &own->range;
}

int uvm_va_space_split_range(struct uvm_va_space *va_space, struct uvm_va_range *range, u64 addr)
{
	struct uvm_va_range *right;
	void *shared = NULL;
	int ret;

	right = uvm_managed_range_new(addr, uvm_va_range_end(range));
	if (!right)
		return -ENOMEM;
	ret = uvm_va_range_split(&va_space->ranges, range, right, &shared);
	if (ret) {
		uvm_managed_range_free(right);
		return ret;
	}
	if (shared)
		uvm_va_block_get(shared);
	uvm_object_inc(UVM_OBJECT_VA_RANGE);
	trace_uvm_va_range(sim_now(), va_space->id, UVM_TRACE_RANGE_SPLIT,
			   uvm_va_range_start(right), uvm_va_range_end(right));
	return 0;
}
