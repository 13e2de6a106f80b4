// SPDX-License-Identifier: GPL-2.0
/*
 * Explicit migration (nvidia-uvm 6.1).
 */
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include "base/ioctl_row.h"
#include "gpu/tracker.h"
#include "space/external.h"
#include "gpu/gpu.h"
#include "request/preunmap.h"
#include "base/trace.h"
#include "block/service.h"
#include "block/va_block.h"
#include "space/va_space.h"
#include "base/work.h"

/**
 * struct uvm_migrate_job - one explicit migration
 * @service: an operation for each block
 * @request: what these have in common; the block and its span are the next one's
 * @dst: where to
 * @flags: UVM_MIGRATE_*
 * @map: this pass maps what it moved
 * @preunmap: the CPU loses several blocks at once
 * @preunmapped: the first byte behind those
 * @release: a semaphore is to be released behind it: remember the work in @tracker
 * @tracker: that work
 */
struct uvm_migrate_job {
	struct uvm_service *service;
	struct uvm_service_request request;
	unsigned int dst;
	unsigned int flags;
	bool map;
	bool preunmap;
	u64 preunmapped;
	bool release;
	struct uvm_tracker tracker;
};

static bool uvm_migrate_duplicates(const struct uvm_migrate_job *job)
{
	return job->request.span.policy.read_duplication == UVM_READ_DUPLICATION_ENABLED;
}

/*
 * After a move: whoever has the pages may use them without a fault.  The CPU
 * maps its pages when it touches them; that is no fault to be served once the
 * copies are done, so they are waited for, unless nobody is to wait.
 */
static int uvm_migrate_map(struct uvm_migrate_job *job, const struct uvm_page_mask *pages)
{
	struct uvm_work *work = job->request.work;
	bool copies = uvm_migrate_duplicates(job);
	struct uvm_gpu *gpu = uvm_gpu(0);
	u64 n = uvm_page_mask_weight(pages);
	int ret;

	if (job->dst != UVM_ID_CPU) {
		uvm_work_enter(work, UVM_PHASE_MAP,
			       uvm_cost(gpu, map) + n * uvm_cost(gpu, map_page));
		return uvm_service_map_local(job->service, job->dst, pages, copies);
	}
	uvm_work_enter(work, UVM_PHASE_MAP, n * uvm_cost(gpu, cpu_map_page));
	if (job->flags & UVM_MIGRATE_ASYNC)
		return 0;
	ret = uvm_tracker_wait(&job->request.block->tracker);
	return ret ?: uvm_service_map_local(job->service, job->dst, pages, copies);
}

/* Whoever the range is accessed by sees the pages at their new place. */
static int uvm_migrate_map_others(struct uvm_migrate_job *job, const struct uvm_page_mask *pages)
{
	u16 others = job->request.span.policy.accessed_by & ~BIT(job->dst);
	unsigned int id;
	int ret = 0;

	if (uvm_migrate_duplicates(job))
		return 0;
	for_each_uvm_id(id) {
		if (!ret && (others & BIT(id)) &&
		    uvm_va_space_has_processor(job->request.va_space, id))
			ret = uvm_service_map_accessed_by(job->service, id, pages);
	}
	return ret;
}

static int uvm_migrate_move(struct uvm_migrate_job *job, struct uvm_page_mask *pages)
{
	struct uvm_block_state *state = &job->request.block->state;

	/* whoever moves pages wants their bytes */
	uvm_page_mask_andnot(&state->discarded, &state->discarded, pages);
	if (uvm_migrate_duplicates(job))
		return uvm_va_block_duplicate(job->service, job->dst, pages, pages,
					      UVM_CAUSE_USER);
	return uvm_va_block_make_resident(job->service, job->dst, pages, pages, UVM_CAUSE_USER);
}

static int uvm_migrate_block_locked(struct uvm_migrate_job *job)
{
	struct uvm_va_block *block = job->request.block;
	struct uvm_page_mask pages, resident;
	int ret;

	uvm_page_mask_and(&pages, &job->service->pages.wanted, &block->valid);
	if (job->flags & UVM_MIGRATE_POPULATE) {
		uvm_block_state_resident_any(&block->state, &resident);
		uvm_page_mask_andnot(&pages, &pages, &resident);
	}
	ret = uvm_migrate_move(job, &pages);
	if (ret || !job->map)
		return ret;
	ret = uvm_migrate_map(job, &pages);
	return ret ?: uvm_migrate_map_others(job, &pages);
}

/* Work that uvm_va_space_wait() waits for. */
static int uvm_migrate_remember(struct uvm_va_space *va_space, struct uvm_tracker *tracker)
{
	int ret;

	mutex_lock(&va_space->pending_lock);
	ret = uvm_tracker_add_tracker(&va_space->pending, tracker);
	mutex_unlock(&va_space->pending_lock);
	/* no memory to remember the work: it is waited for instead */
	return ret ? uvm_tracker_wait(tracker) : 0;
}

static int uvm_migrate_attempt(struct uvm_service *service, const void *arg)
{
	/* @arg points to a pointer: the job itself is written to */
	struct uvm_migrate_job *job = *(struct uvm_migrate_job *const *)arg;
	struct uvm_va_block *block = job->request.block;
	int ret;

	ret = block->dead ? 0 : uvm_migrate_block_locked(job);
	if (!ret)
		ret = uvm_migrate_remember(job->request.va_space, &block->tracker);
	if (!ret && job->release)
		ret = uvm_tracker_add_tracker_safe(&job->tracker, &block->tracker);
	return ret;
}

static bool uvm_migrate_covered(struct uvm_va_space *va_space, u64 base, u64 length)
{
	bool covered;

	mutex_lock(&va_space->ranges_lock);
	covered = uvm_va_space_is_managed(va_space, base, length);
	mutex_unlock(&va_space->ranges_lock);
	return covered;
}

/* Where the next managed byte is, or @last + 1. */
static u64 uvm_migrate_skip_hole(struct uvm_va_space *va_space, u64 addr, u64 last)
{
	struct uvm_va_range *range;
	u64 next = last + 1;

	mutex_lock(&va_space->ranges_lock);
	range = uvm_va_range_first(&va_space->ranges, addr, last);
	if (range)
		next = max(addr, uvm_va_range_start(range));
	mutex_unlock(&va_space->ranges_lock);
	return next;
}

/* Before the first block of a group moves. */
static int uvm_migrate_preunmap(struct uvm_migrate_job *job, u64 addr, u64 last)
{
	int ret;

	if (!job->preunmap || addr < job->preunmapped)
		return 0;
	ret = uvm_preunmap_group(job->service, &job->request, job->dst, addr, last, &last);
	job->preunmapped = last + 1;
	return ret;
}

/* One pass over [base, last], all of it migratable. */
static int uvm_migrate_run(struct uvm_migrate_job *job, u64 base, u64 last)
{
	struct uvm_service_request *request = &job->request;
	struct uvm_va_space *va_space = request->va_space;
	u64 addr = base, next;
	int ret = 0;

	for (; addr <= last && !ret; addr = next) {
		/* a span may be as long as memory lasts: nobody waits for the dead */
		if (fatal_signal_pending(current))
			return -EINTR;
		ret = uvm_migrate_preunmap(job, addr, last);
		if (ret)
			return ret;
		ret = uvm_va_space_find_block(va_space, addr, &request->span, &request->block);
		if (ret == -EFAULT && (job->flags & UVM_MIGRATE_HOLES)) {
			ret = 0;
			next = uvm_migrate_skip_hole(va_space, addr, last);
			continue;
		}
		if (ret)
			return ret;
		next = min(last + 1, uvm_va_block_address(request->block,
							  request->block->region.outer));
		/* a block cut by munmap goes on in another range: stop at this one's end */
		next = min(next, request->span.end + 1);
		uvm_service_begin(job->service, request);
		uvm_service_want_region(job->service,
					uvm_va_block_pages(request->block, addr, next - 1));
		ret = uvm_service_try(job->service, uvm_migrate_attempt, &job);
		uvm_va_block_put(request->block);
	}
	return ret;
}

/* Memory that its group keeps in place is left out (nvidia-uvm 6.1). */
static int uvm_migrate_pass(struct uvm_migrate_job *job, u64 base, u64 last)
{
	struct uvm_va_space *va_space = job->request.va_space;
	u64 addr, end;
	int ret = 0;

	if (job->flags & UVM_MIGRATE_FIXED)
		return uvm_migrate_run(job, base, last);
	for (addr = base; addr <= last && !ret; addr = end + 1) {
		if (uvm_range_group_next_run(&va_space->groups, addr, last, &end))
			ret = uvm_migrate_run(job, addr, end);
	}
	return ret;
}

/*
 * Several blocks go in two passes: first all move, so that the copies follow each
 * other closely, then all are mapped, or moved again if they had to leave
 * meanwhile (nvidia-uvm 6.1).
 */
static int uvm_migrate_span(struct uvm_migrate_job *job, u64 base, u64 last)
{
	int ret = 0;

	/* what has got memory in a first pass is nothing to be populated in a second */
	if (uvm_block_align_down(base) != uvm_block_align_down(last) &&
	    !(job->flags & UVM_MIGRATE_POPULATE)) {
		job->preunmap = uvm_preunmap_wanted(job->request.va_space, job->dst, base, last);
		ret = uvm_migrate_pass(job, base, last);
	}
	job->map = true;
	return ret ?: uvm_migrate_pass(job, base, last);
}

static int uvm_migrate_locked(struct uvm_migrate_job *job, u64 base, u64 length)
{
	struct uvm_va_space *va_space = job->request.va_space;
	struct uvm_gpu *gpu = uvm_gpu(job->dst == UVM_ID_CPU ? 0 : uvm_id_gpu_index(job->dst));
	struct uvm_work work;
	int ret;

	if (!uvm_va_space_has_processor(va_space, job->dst))
		return -ENODEV;
	if (!(job->flags & UVM_MIGRATE_HOLES) && !uvm_migrate_covered(va_space, base, length))
		return -EINVAL;
	uvm_work_begin(&work, &gpu->stats, &va_space->stats, UVM_PHASE_MIGRATE);
	job->request.work = &work;
	ret = uvm_migrate_span(job, base, base + length - 1);
	uvm_work_end(&work);
	/* munmap came in between: it was managed, and is not any more */
	return ret == -EFAULT ? -EINVAL : ret;
}

/* The GPU that moves things to @dst, so that it need not wait for another one. */
static unsigned int uvm_migrate_releaser(struct uvm_migrate_job *job)
{
	struct uvm_tracker_entry last;

	if (job->dst != UVM_ID_CPU)
		return uvm_id_gpu_index(job->dst);
	return uvm_tracker_last(&job->tracker, &last) ? last.channel->gpu->index : 0;
}

/*
 * Move and release.  The word is looked for before anything moves, and again
 * behind it: it may have been unmapped meanwhile.
 */
static int uvm_migrate_and_release(struct uvm_migrate_job *job,
				   const struct uvm_migration *migration)
{
	struct uvm_va_space *va_space = job->request.va_space;
	int ret;

	ret = uvm_external_semaphore_check(va_space, migration->semaphore);
	if (ret)
		return ret;
	if (migration->length)
		ret = uvm_migrate_locked(job, migration->base, migration->length);
	else if (!uvm_va_space_has_processor(va_space, job->dst))
		ret = -ENODEV;
	if (!ret)
		ret = uvm_external_semaphore_release(va_space, migration->semaphore,
						     migration->payload,
						     uvm_migrate_releaser(job), &job->tracker);
	return ret ?: uvm_migrate_remember(va_space, &job->tracker);
}

/**
 * uvm_migrate - move a span of managed memory
 * @va_space: the VA space
 * @migration: what is wanted; its fence is set
 *
 * With a semaphore, a release of it is queued behind the work of the migration.
 *
 * Return: 0, -EINVAL (not all managed), -ENODEV, -ENOMEM, -EIO, -EINTR (killed,
 * between two blocks); or as uvm_external_semaphore_check(), before anything moved.
 */
int uvm_migrate(struct uvm_va_space *va_space, struct uvm_migration *migration)
{
	struct uvm_migrate_job job = {
		.service = uvm_service_alloc(),
		.request = {
			.va_space = va_space,
			.requester = migration->dst,
			.cause = UVM_CAUSE_USER,
		},
		.dst = migration->dst,
		.flags = migration->flags,
		.release = migration->semaphore,
		.tracker = UVM_TRACKER_INIT(),
	};
	int ret;

	if (!job.service)
		return -ENOMEM;
	sim_down_read(&va_space->lock);
	uvm_va_space_reap(va_space);
	if (job.release)
		ret = uvm_migrate_and_release(&job, migration);
	else
		ret = uvm_migrate_locked(&job, migration->base, migration->length);
	sim_up_read(&va_space->lock);
	uvm_tracker_deinit(&job.tracker);
	uvm_service_free(job.service);
	if (ret)
		return ret;
	mutex_lock(&va_space->pending_lock);
	migration->fence = ++va_space->next_fence;
	mutex_unlock(&va_space->pending_lock);
	return job.flags & UVM_MIGRATE_ASYNC ? 0 : uvm_va_space_wait(va_space, 0);
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

/**
 * uvm_va_space_poll - are asynchronous migrations done
 * @va_space: the VA space
 * @fence: from uvm_migrate(), or 0 for all
 *
 * Context: no lock held.
 * Return: 0, -ENOENT (no such fence), -EIO, or -EAGAIN: something is not done, perhaps behind the
 * fence.
 */
int uvm_va_space_poll(struct uvm_va_space *va_space, u64 fence)
{
	int ret = -ENOENT;

	mutex_lock(&va_space->pending_lock);
	if (fence <= va_space->next_fence)
		ret = uvm_tracker_poll(&va_space->pending);
	mutex_unlock(&va_space->pending_lock);
	return ret;
}

/* ---- ioctls ------------------------------------------------------------ */

/* A semaphore is for who does not wait; without a span it is all there is to do. */
static int uvm_ioctl_migrate_check(struct file *file, const void *data)
{
	const struct uvm_migrate *arg = data;
	bool span_ok = door_span_ok(arg->base, arg->length);

	if (!arg->semaphore && (arg->payload || !span_ok))
		return -EINVAL;
	if (arg->semaphore && (!(arg->flags & UVM_MIGRATE_ASYNC) ||
			       !IS_ALIGNED(arg->semaphore, sizeof(u32)) ||
			       (arg->length && !span_ok)))
		return -EINVAL;
	return uvm_ioctl_processor_check(arg->dst);
}

static int uvm_ioctl_migrate(struct file *file, void *data)
{
	struct uvm_migrate *arg = data;
	struct uvm_migration migration = {
		.base = arg->base, .length = arg->length, .dst = uvm_id_from_user(arg->dst),
		.flags = arg->flags, .semaphore = arg->semaphore, .payload = arg->payload,
	};
	int ret = uvm_migrate(file->private_data, &migration);

	arg->fence = migration.fence;
	return ret;
}

UVM_IOCTL(UVM_IOC_MIGRATE, uvm_migrate, uvm_ioctl_migrate,
	  .min_size = offsetofend(struct uvm_migrate, fence), .flags = UVM_MIGRATE_ASYNC,
	  .reserved = { DOOR_AT(uvm_migrate, __reserved), DOOR_AT(uvm_migrate, __reserved2) },
	  .check = uvm_ioctl_migrate_check, .cost = DOOR_COST(ioctl), .out = true);

static int uvm_ioctl_populate_check(struct file *file, const void *data)
{
	const struct uvm_populate *arg = data;

	return uvm_ioctl_processor_check(arg->dst);
}

static int uvm_ioctl_populate(struct file *file, void *data)
{
	const struct uvm_populate *arg = data;
	struct uvm_migration migration = {
		.base = arg->base, .length = arg->length, .dst = uvm_id_from_user(arg->dst),
		.flags = UVM_MIGRATE_POPULATE | UVM_MIGRATE_FIXED,
	};

	return uvm_migrate(file->private_data, &migration);
}

UVM_IOCTL(UVM_IOC_POPULATE, uvm_populate, uvm_ioctl_populate,
	  .reserved = { DOOR_AT(uvm_populate, __reserved) }, .span = DOOR_AT(uvm_populate, base),
	  .check = uvm_ioctl_populate_check, .cost = DOOR_COST(ioctl));

static int uvm_ioctl_wait(struct file *file, void *data)
{
	const struct uvm_wait *arg = data;

	return arg->flags & UVM_WAIT_POLL ? uvm_va_space_poll(file->private_data, arg->fence) :
					    uvm_va_space_wait(file->private_data, arg->fence);
}

UVM_IOCTL(UVM_IOC_WAIT, uvm_wait, uvm_ioctl_wait, .flags = UVM_WAIT_POLL,
	  .cost = DOOR_COST(ioctl));
