// SPDX-License-Identifier: GPL-2.0
/*
 * Going through the blocks of a span that exist, on behalf of the user.
 */
#include <linux/sched/signal.h>
#include "gpu/gpu.h"
#include "block/va_block.h"
#include "space/va_space.h"
#include "base/work.h"

/* Fill in the next block at or after *@addr, and its part of [*@addr, @last]. */
static bool uvm_visit_next(struct uvm_service *service, u64 *addr, u64 last)
{
	struct uvm_va_space *va_space = service->va_space;
	struct uvm_va_range *range;
	unsigned int i;
	u64 first;

	lockdep_assert_held(&va_space->ranges_lock);
	for_each_uvm_va_range_in(range, &va_space->ranges, *addr, last) {
		first = max(*addr, uvm_va_range_start(range));
		for (i = uvm_va_range_block_index(range, first); i < range->nr_blocks; i++) {
			u64 end = min(last, uvm_va_range_block_end(range, i));

			first = max(*addr, uvm_va_range_block_start(range, i));
			if (first > last)
				return false;
			if (!range->blocks[i])
				continue;
			service->block = uvm_va_block_get(range->blocks[i]);
			service->span.start = uvm_va_range_start(range);
			service->span.end = uvm_va_range_end(range);
			service->span.policy = range->policy;
			uvm_page_mask_fill_region(&service->wanted,
						  uvm_va_block_pages(service->block, first, end));
			*addr = end + 1;
			return true;
		}
	}
	return false;
}

struct uvm_visit {
	uvm_service_fn fn;
	const void *arg;
};

static int uvm_visit_attempt(struct uvm_service *service, const void *arg)
{
	const struct uvm_visit *visit = arg;

	uvm_page_mask_and(&service->wanted, &service->wanted, &service->block->valid);
	return service->block->dead ? 0 : visit->fn(service, visit->arg);
}

/**
 * uvm_service_visit - uvm_va_space_visit() within an operation that is under way
 * @service: the operation, between two blocks: its block, span and wanted pages are
 *	overwritten
 * @base: first byte, page aligned
 * @last: last byte
 * @visit: as there
 * @arg: its argument
 *
 * Return: as there.
 */
int uvm_service_visit(struct uvm_service *service, u64 base, u64 last, uvm_service_fn visit,
		      const void *arg)
{
	const struct uvm_visit visitor = { .fn = visit, .arg = arg };
	struct uvm_va_space *va_space = service->va_space;
	u64 addr = base;
	bool found;
	int ret = 0;

	sim_assert_held(&va_space->lock);
	while (!ret && addr <= last) {
		if (fatal_signal_pending(current))
			return -EINTR;
		mutex_lock(&va_space->ranges_lock);
		found = uvm_visit_next(service, &addr, last);
		mutex_unlock(&va_space->ranges_lock);
		if (!found)
			break;
		ret = uvm_service_try(service, uvm_visit_attempt, &visitor);
		uvm_va_block_put(service->block);
	}
	return ret;
}

/**
 * uvm_va_space_visit - do something to every block of a span that exists
 * @va_space: the VA space; lock held
 * @base: first byte, page aligned
 * @length: bytes, page aligned
 * @visit: called with the block's lock held, service->wanted are its pages of the
 *	span; -EAGAIN if it dropped the lock: then it is called again
 * @arg: its argument
 *
 * Return: 0, -ENOMEM, -EIO, -EINTR (killed, between two blocks), or what @visit said
 * first.
 */
int uvm_va_space_visit(struct uvm_va_space *va_space, u64 base, u64 length,
		       uvm_service_fn visit, const void *arg)
{
	struct uvm_service *service = uvm_service_alloc();
	struct uvm_work work;
	int ret;

	if (!service)
		return -ENOMEM;
	uvm_work_begin(&work, NULL, &va_space->stats, UVM_PHASE_MIGRATE);
	service->work = &work;
	service->va_space = va_space;
	service->requester = UVM_ID_CPU;
	service->cause = UVM_CAUSE_POLICY;
	ret = uvm_service_visit(service, base, base + length - 1, visit, arg);
	uvm_work_end(&work);
	uvm_service_free(service);
	return ret;
}

/**
 * uvm_va_space_next_block - walk the blocks that exist
 * @va_space: the VA space; lock held
 * @addr: in: where to look from; out: past the block
 *
 * Return: the block with a reference, or NULL.
 */
struct uvm_va_block *uvm_va_space_next_block(struct uvm_va_space *va_space, u64 *addr)
{
	struct uvm_va_block *block = NULL;
	struct uvm_va_range *range;
	unsigned int i;

	mutex_lock(&va_space->ranges_lock);
	for_each_uvm_va_range_in(range, &va_space->ranges, *addr, U64_MAX >> 1) {
		i = 0;
		if (uvm_va_range_start(range) < *addr)
			i = uvm_va_range_block_index(range, *addr);
		for (; i < range->nr_blocks && !block; i++) {
			if (!range->blocks[i])
				continue;
			block = uvm_va_block_get(range->blocks[i]);
			*addr = uvm_va_range_block_end(range, i) + 1;
		}
		if (block)
			break;
	}
	mutex_unlock(&va_space->ranges_lock);
	return block;
}
