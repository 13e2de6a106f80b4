// SPDX-License-Identifier: GPL-2.0
/*
 * Explicit migration and advice (nvidia-uvm 6.1, 6.2).
 */
#include <linux/slab.h>
#include "gpu.h"
#include "trace.h"
#include "va_block.h"
#include "va_space.h"
#include "work.h"

/* After a move: whoever has the pages may use them without a fault. */
static int uvm_migrate_map(struct uvm_service *service, unsigned int dst,
			   const struct uvm_page_mask *pages)
{
	struct uvm_va_block *block = service->block;
	struct uvm_gpu *gpu = uvm_gpu(0);
	u64 n = uvm_page_mask_weight(pages);

	if (dst == UVM_ID_CPU) {
		uvm_work_enter(service->work, UVM_PHASE_MAP, n * uvm_cost(gpu, cpu_map_page));
		return 0;
	}
	uvm_work_enter(service->work, UVM_PHASE_MAP,
		       uvm_cost(gpu, map) + n * uvm_cost(gpu, map_page));
	return uvm_va_block_map_gpu(block, service->va_space->gpus[uvm_id_gpu_index(dst)], pages,
				    UVM_PROT_READ_WRITE_ATOMIC);
}

/*
 * The CPU maps its pages when it touches them; that is no fault to be served
 * once the copies are done, so they are waited for here.
 */
static int uvm_migrate_admit_cpu(struct uvm_va_block *block, const struct uvm_page_mask *pages)
{
	int ret = uvm_tracker_wait(&block->tracker);

	if (ret)
		return ret;
	mutex_lock(&block->map_lock);
	uvm_page_mask_or(&block->cpu_mappable, &block->cpu_mappable, pages);
	mutex_unlock(&block->map_lock);
	uvm_block_state_map(&block->state, UVM_ID_CPU, pages, UVM_PROT_READ_WRITE_ATOMIC);
	return 0;
}

static int uvm_migrate_block_locked(struct uvm_service *service, unsigned int dst, bool async)
{
	struct uvm_va_block *block = service->block;
	struct uvm_page_mask *pages = &service->dst[dst];
	int ret;

	uvm_page_mask_and(pages, &service->wanted, &block->valid);
	ret = uvm_va_block_make_resident(service, dst, pages, pages, UVM_CAUSE_USER);
	if (ret)
		return ret;
	ret = uvm_migrate_map(service, dst, pages);
	if (!ret && dst == UVM_ID_CPU && !async)
		ret = uvm_migrate_admit_cpu(block, pages);
	return ret;
}

static int uvm_migrate_block(struct uvm_service *service, unsigned int dst, bool async)
{
	struct uvm_va_space *va_space = service->va_space;
	struct uvm_va_block *block = service->block;
	int ret;

	do {
		sim_mutex_lock(&block->lock);
		ret = block->dead ? 0 : uvm_migrate_block_locked(service, dst, async);
		uvm_service_unpin(service);
		if (!ret) {
			mutex_lock(&va_space->pending_lock);
			ret = uvm_tracker_add_tracker(&va_space->pending, &block->tracker);
			mutex_unlock(&va_space->pending_lock);
			/* no memory to remember the work: it is waited for instead */
			if (ret)
				ret = uvm_tracker_wait(&block->tracker);
		}
		sim_mutex_unlock(&block->lock);
	} while (ret == -EAGAIN);
	uvm_service_free_parked(service);
	return ret == -ENOSPC ? -ENOMEM : ret;
}

static bool uvm_migrate_covered(struct uvm_va_space *va_space, u64 base, u64 length)
{
	bool covered;

	mutex_lock(&va_space->ranges_lock);
	covered = uvm_va_range_covers(&va_space->ranges, base, base + length - 1);
	mutex_unlock(&va_space->ranges_lock);
	return covered;
}

static int uvm_migrate_span(struct uvm_service *service, u64 base, u64 length, unsigned int dst,
			    bool async)
{
	u64 addr, next, end = base + length;
	int ret = 0;

	for (addr = base; addr < end && !ret; addr = next) {
		struct uvm_va_block *block;

		ret = uvm_va_space_find_block(service->va_space, addr, &service->span, &block);
		if (ret)
			return ret;
		next = min(end, uvm_va_block_address(block, block->region.outer));
		/* a block cut by munmap goes on in another range: stop at this one's end */
		next = min(next, service->span.end + 1);
		service->block = block;
		uvm_page_mask_fill_region(&service->wanted,
					  uvm_region_make(uvm_va_block_page(block, addr),
							  uvm_va_block_page(block, next - 1) + 1));
		ret = uvm_migrate_block(service, dst, async);
		uvm_va_block_put(block);
	}
	return ret;
}

/**
 * uvm_migrate - move a span of managed memory
 * @va_space: the VA space
 * @base: first byte, page aligned
 * @length: bytes, page aligned
 * @dst: processor id
 * @async: do not wait for the copies
 * @fence: out: for uvm_va_space_wait()
 *
 * Return: 0, -EINVAL (not all managed), -ENODEV, -ENOMEM, -EIO.
 */
int uvm_migrate(struct uvm_va_space *va_space, u64 base, u64 length, unsigned int dst,
		bool async, u64 *fence)
{
	struct uvm_service *service = uvm_service_alloc();
	struct uvm_gpu *gpu = uvm_gpu(dst == UVM_ID_CPU ? 0 : uvm_id_gpu_index(dst));
	struct uvm_work work;
	int ret;

	if (!service)
		return -ENOMEM;
	sim_down_read(&va_space->lock);
	uvm_va_space_reap(va_space);
	ret = -ENODEV;
	if (!uvm_va_space_has_processor(va_space, dst))
		goto unlock;
	ret = -EINVAL;
	if (!uvm_migrate_covered(va_space, base, length))
		goto unlock;
	uvm_work_begin(&work, &gpu->stats, &va_space->stats, UVM_PHASE_MIGRATE);
	service->work = &work;
	service->va_space = va_space;
	service->requester = dst;
	ret = uvm_migrate_span(service, base, length, dst, async);
	uvm_work_end(&work);
unlock:
	sim_up_read(&va_space->lock);
	uvm_service_free(service);
	if (ret)
		return ret;
	mutex_lock(&va_space->pending_lock);
	*fence = ++va_space->next_fence;
	mutex_unlock(&va_space->pending_lock);
	return async ? 0 : uvm_va_space_wait(va_space, 0);
}

/**
 * uvm_va_space_wait - wait for asynchronous migrations
 * @va_space: the VA space
 * @fence: from uvm_migrate(), or 0 for all; a later one includes the earlier
 *
 * Return: 0, -ENOENT (no such fence), -EINTR, -EIO.
 */
int uvm_va_space_wait(struct uvm_va_space *va_space, u64 fence)
{
	struct uvm_tracker pending = UVM_TRACKER_INIT();
	int ret;

	mutex_lock(&va_space->pending_lock);
	ret = fence > va_space->next_fence ? -ENOENT :
	      uvm_tracker_add_tracker(&pending, &va_space->pending);
	mutex_unlock(&va_space->pending_lock);
	if (!ret)
		ret = uvm_tracker_wait_killable(&pending);
	uvm_tracker_deinit(&pending);
	if (ret)
		return ret;
	mutex_lock(&va_space->pending_lock);
	uvm_tracker_remove_completed(&va_space->pending);
	mutex_unlock(&va_space->pending_lock);
	return 0;
}

/* ---- preferred location ---------------------------------------------- */

/* Make @addr a boundary between ranges; ranges_lock held. */
static int uvm_advise_split_at(struct uvm_va_space *va_space, u64 addr)
{
	struct uvm_va_range *range = uvm_va_range_find(&va_space->ranges, addr);

	if (!range || uvm_va_range_start(range) == addr)
		return 0;
	return uvm_va_space_split_range(va_space, range, addr);
}

/**
 * uvm_set_preferred_location - where pages of a span should live
 * @va_space: the VA space
 * @base: first byte, page aligned
 * @length: bytes, page aligned
 * @id: processor id, or %UVM_ID_INVALID for nowhere in particular
 *
 * Moves nothing (nvidia-uvm 6.2).
 *
 * Return: 0, -EINVAL (not all managed), -ENODEV, -ENOMEM.
 */
int uvm_set_preferred_location(struct uvm_va_space *va_space, u64 base, u64 length,
			       unsigned int id)
{
	struct uvm_va_range *range;
	u64 end = base + length - 1;
	int ret;

	sim_down_write(&va_space->lock);
	uvm_va_space_reap(va_space);
	ret = -ENODEV;
	if (id != UVM_ID_INVALID && !uvm_va_space_has_processor(va_space, id))
		goto unlock;
	mutex_lock(&va_space->ranges_lock);
	ret = -EINVAL;
	if (uvm_va_range_covers(&va_space->ranges, base, end)) {
		ret = uvm_advise_split_at(va_space, base);
		if (!ret)
			ret = uvm_advise_split_at(va_space, end + 1);
	}
	if (!ret)
		for_each_uvm_va_range_in(range, &va_space->ranges, base, end)
			range->policy.preferred = id;
	mutex_unlock(&va_space->ranges_lock);
unlock:
	sim_up_write(&va_space->lock);
	return ret;
}
