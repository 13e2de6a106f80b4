// SPDX-License-Identifier: GPL-2.0
/*
 * Going through the blocks of a span that exist, on behalf of the user.
 */
#include <linux/sched/signal.h>
#include "gpu/gpu.h"
#include "block/service.h"
#include "block/va_block.h"
#include "space/va_space.h"
#include "base/work.h"

/* Fill in the next block at or after *@addr, and its part of [*@addr, @last]. */
static bool uvm_visit_next(struct uvm_service_request *request, u64 *addr, u64 last,
			   struct uvm_region *region)
{
	struct uvm_va_space *va_space = request->va_space;
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
			request->block = uvm_va_block_get(range->blocks[i]);
			request->span.start = uvm_va_range_start(range);
			request->span.end = uvm_va_range_end(range);
			request->span.policy = range->policy;
			*region = uvm_va_block_pages(request->block, first, end);
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
	struct uvm_va_block *block = service->request.block;
	struct uvm_page_mask *wanted = &service->pages.wanted;
	const struct uvm_visit *visit = arg;

	uvm_page_mask_and(wanted, wanted, &block->valid);
	return block->dead ? 0 : visit->fn(service, visit->arg);
}

/**
 * uvm_service_visit - uvm_va_space_visit() on behalf of something larger
 * @service: begins an operation for each block
 * @request: what these have in common, without block and span
 * @base: first byte, page aligned
 * @last: last byte
 * @visit: as there
 * @arg: its argument
 *
 * Return: as there.
 */
int uvm_service_visit(struct uvm_service *service, const struct uvm_service_request *request,
		      u64 base, u64 last, uvm_service_fn visit, const void *arg)
{
	const struct uvm_visit visitor = { .fn = visit, .arg = arg };
	struct uvm_va_space *va_space = request->va_space;
	struct uvm_service_request next = *request;
	struct uvm_region region;
	u64 addr = base;
	bool found;
	int ret = 0;

	sim_assert_held(&va_space->lock);
	while (!ret && addr <= last) {
		if (fatal_signal_pending(current))
			return -EINTR;
		mutex_lock(&va_space->ranges_lock);
		found = uvm_visit_next(&next, &addr, last, &region);
		mutex_unlock(&va_space->ranges_lock);
		if (!found)
			break;
		uvm_service_begin(service, &next);
		uvm_service_want_region(service, region);
		ret = uvm_service_try(service, uvm_visit_attempt, &visitor);
		uvm_va_block_put(next.block);
	}
	return ret;
}

/**
 * uvm_va_space_visit - do something to every block of a span that exists
 * @va_space: the VA space; lock held
 * @base: first byte, page aligned
 * @length: bytes, page aligned
 * @visit: called with the block's lock held, service->pages.wanted are its pages of the
 *	span; -EAGAIN if it dropped the lock: then it is called again
 * @arg: its argument
 *
 * Return: 0, -ENOMEM, -EIO, -EINTR (killed, between two blocks), or what @visit said
 * first.
 */
int uvm_va_space_visit(struct uvm_va_space *va_space, u64 base, u64 length,
		       uvm_service_fn visit, const void *arg)
{
	struct uvm_work work;
	const struct uvm_service_request request = {
		.work = &work,
		.va_space = va_space,
		.requester = UVM_ID_CPU,
		.cause = UVM_CAUSE_POLICY,
	};
	struct uvm_service *service = uvm_service_alloc();
	int ret;

	if (!service)
		return -ENOMEM;
	uvm_work_begin(&work, NULL, &va_space->stats, UVM_PHASE_MIGRATE);
	ret = uvm_service_visit(service, &request, base, base + length - 1, visit, arg);
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
