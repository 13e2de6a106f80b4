// SPDX-License-Identifier: GPL-2.0
/*
 * VA spaces: blocks of an address, reaping after munmap.
 */
#include "block/va_block.h"
#include "gpu/channel.h"
#include "gpu/tracker.h"
#include "space/va_space.h"

/**
 * uvm_va_space_wait_pending - wait for asynchronous work, come what may
 * @va_space: the VA space
 *
 * Needs no memory.  Others may wait and tidy up at the same time, so an entry
 * is looked at under the lock and waited for without.
 */
void uvm_va_space_wait_pending(struct uvm_va_space *va_space)
{
	struct uvm_tracker_entry entry;
	bool found;

	for (;;) {
		mutex_lock(&va_space->pending_lock);
		uvm_tracker_remove_completed(&va_space->pending);
		found = uvm_tracker_last(&va_space->pending, &entry);
		mutex_unlock(&va_space->pending_lock);
		/* a dead channel completes nothing any more */
		if (!found || uvm_channel_wait(entry.channel, entry.value, false))
			return;
	}
}

bool uvm_va_space_is_managed(struct uvm_va_space *va_space, u64 base, u64 length)
{
	lockdep_assert_held(&va_space->ranges_lock);
	return uvm_va_range_covers(&va_space->ranges, base, base + length - 1);
}

static struct uvm_va_block *uvm_va_space_new_block(struct uvm_va_space *va_space,
						   struct uvm_va_range *range, unsigned int index)
{
	return uvm_va_block_create(va_space, uvm_va_range_block_start(range, index),
				   uvm_va_range_block_end(range, index));
}

/* The block of @addr: 0, -EFAULT, -ENOMEM, or -EAGAIN: reap before it is made. */
static int uvm_va_space_try_find_block(struct uvm_va_space *va_space, u64 addr,
				       struct uvm_span *span, struct uvm_va_block **block)
{
	struct uvm_va_range *range = uvm_va_range_find(&va_space->ranges, addr);
	unsigned int index;

	lockdep_assert_held(&va_space->ranges_lock);
	if (!range)
		return -EFAULT;
	span->start = uvm_va_range_start(range);
	span->end = uvm_va_range_end(range);
	span->policy = range->policy;
	index = uvm_va_range_block_index(range, addr);
	if (!range->blocks[index]) {
		/* an old block of these addresses would unmap the pages of a new one */
		if (va_space->reaping || !list_empty(&va_space->detached))
			return -EAGAIN;
		range->blocks[index] = uvm_va_space_new_block(va_space, range, index);
	}
	if (!range->blocks[index])
		return -ENOMEM;
	*block = uvm_va_block_get(range->blocks[index]);
	return 0;
}

int uvm_va_space_find_block(struct uvm_va_space *va_space, u64 addr, struct uvm_span *span,
			    struct uvm_va_block **block)
{
	int ret;

	sim_assert_held(&va_space->lock);
	for (;;) {
		mutex_lock(&va_space->ranges_lock);
		ret = uvm_va_space_try_find_block(va_space, addr, span, block);
		mutex_unlock(&va_space->ranges_lock);
		if (ret != -EAGAIN)
			return ret;
		uvm_va_space_reap(va_space);
	}
}

static struct uvm_va_block *uvm_va_space_next_detached(struct uvm_va_space *va_space,
						       struct uvm_page_mask *pages)
{
	struct uvm_va_block *block;

	mutex_lock(&va_space->ranges_lock);
	block = list_first_entry_or_null(&va_space->detached, struct uvm_va_block, detached_node);
	if (block) {
		list_del_init(&block->detached_node);
		uvm_page_mask_copy(pages, &block->unmapped);
		uvm_page_mask_zero(&block->unmapped);
	}
	va_space->reaping = block;
	mutex_unlock(&va_space->ranges_lock);
	return block;
}

void uvm_va_space_reap(struct uvm_va_space *va_space)
{
	struct uvm_va_block *block;
	struct uvm_page_mask pages;

	sim_assert_held(&va_space->lock);
	/* an empty list does not mean that the last block has been unmapped */
	sim_mutex_lock(&va_space->reap_lock);
	while ((block = uvm_va_space_next_detached(va_space, &pages))) {
		uvm_va_block_reap(block, &pages);
		uvm_va_block_put(block);
	}
	sim_mutex_unlock(&va_space->reap_lock);
}
