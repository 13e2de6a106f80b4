// SPDX-License-Identifier: GPL-2.0
/*
 * Mappings after an eviction (nvidia-uvm 3.9): who a range is accessed by reaches the pages
 * at their new place at once, and with access counters so does the GPU that lost them, for
 * a counter brings back what is worth it.
 *
 * An eviction holds no VA space lock, and the advice is under it: the reaper does it.
 */
#include "block/va_block.h"
#include "policy/param.h"

bool uvm_va_space_remaps_evicted(const struct uvm_va_space *va_space)
{
	return READ_ONCE(va_space->params.perf_map_remote_on_eviction) &&
	       uvm_params_counters_migrate(&va_space->params);
}

/**
 * uvm_va_block_remap_later - pages of a block were evicted
 * @block: the block; lock held, so that its VA space is there
 *
 * Both reasons are looked at again when it comes to it.
 */
void uvm_va_block_remap_later(struct uvm_va_block *block)
{
	struct uvm_va_space *va_space = block->va_space;

	sim_mutex_assert_held(&block->lock);
	if (!READ_ONCE(va_space->accessed_by) && !uvm_va_space_remaps_evicted(va_space))
		return;
	mutex_lock(&va_space->pending_lock);
	if (list_empty(&block->remap_node)) {
		uvm_va_block_get(block);
		list_add_tail(&block->remap_node, &va_space->remap);
	}
	mutex_unlock(&va_space->pending_lock);
	sim_kthread_kick(&va_space->reaper, 0);
}
