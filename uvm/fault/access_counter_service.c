// SPDX-License-Identifier: GPL-2.0
/*
 * Serving access-counter notifications (nvidia-uvm 2.12): fetch, sort, and per
 * block migrate what is worth it, then clear the counters.
 */
#include <linux/bitfield.h>
#include <softgpu/access_counter_format.h>
#include <softgpu/regs.h>
#include "fault/access_counter.h"
#include "gpu/channel.h"
#include "gpu/gpu.h"
#include "gpu/hal.h"
#include "memory/pmm_policy.h"
#include "gpu/tracker.h"
#include "policy/param.h"
#include "gpu/push.h"
#include "base/trace.h"
#include "block/service.h"
#include "block/va_block.h"
#include "space/va_space.h"
#include "base/work.h"

/* Clears of one push: five words each, and a push has room for many more. */
#define UVM_ACCESS_CLEARS_PER_PUSH	64

/* As many as of faults (nvidia-uvm has no limit here). */
#define UVM_ACCESS_MAX_BATCHES		20

/**
 * struct uvm_access_run - serving one batch
 * @gpu: the GPU
 * @work: charged
 * @granule_bytes: bytes of a granule
 * @pages: scratch: pages of a block that notifications are about
 * @moved: scratch: work that clears must wait for
 */
struct uvm_access_run {
	struct uvm_gpu *gpu;
	struct uvm_work *work;
	u64 granule_bytes;
	struct uvm_page_mask pages;
	struct uvm_tracker moved;
};

/* ---- fetch ----------------------------------------------------------- */

static u32 *uvm_access_record(struct uvm_gpu *gpu, unsigned int index)
{
	return gpu->info->access_ring + index * ACCESS_RECORD_WORDS;
}

/* Copy a record out; its VALID bit is cleared for the device's next round. */
static void uvm_access_take(struct uvm_gpu *gpu, unsigned int index, u32 *record)
{
	u32 *slot = uvm_access_record(gpu, index);

	smp_rmb();	/* VALID was seen: the rest of the record is there */
	memcpy(record, slot, ACCESS_RECORD_BYTES);
	WRITE_ONCE(slot[7], slot[7] & ~ACCESS_W7_VALID);
}

/* PUT is read again only if nothing is left up to the cached one. */
static unsigned int uvm_access_fetch(struct uvm_gpu *gpu, unsigned int max, struct uvm_work *work)
{
	struct uvm_access_counters *ac = &gpu->counters;
	u32 record[ACCESS_RECORD_WORDS];

	uvm_access_batch_reset(&ac->batch);
	if (ac->cached_get == ac->cached_put)
		ac->cached_put = FIELD_GET(REG_ACCESS_COUNTER_INDEX,
					   rm_reg_read(gpu->rm, REG_ACCESS_COUNTER_PUT));
	while (ac->batch.count < min(max, ac->batch.max) && ac->cached_get != ac->cached_put) {
		/* the device moves PUT after the record: one that is not valid is an error */
		if (!(READ_ONCE(uvm_access_record(gpu, ac->cached_get)[7]) & ACCESS_W7_VALID))
			break;
		uvm_access_take(gpu, ac->cached_get, record);
		uvm_access_batch_add_record(&ac->batch, record);
		ac->cached_get = ac->cached_get + 1 == ac->entries ? 0 : ac->cached_get + 1;
	}
	if (!ac->batch.count)
		return 0;
	uvm_work_enter(work, UVM_PHASE_FETCH, uvm_cost(gpu, fetch) +
		       ac->batch.count * uvm_cost(gpu, fetch_fault));
	/* room first, then "there was none": as for faults */
	rm_reg_write(gpu->rm, REG_ACCESS_COUNTER_GET, ac->cached_get);
	rm_reg_write(gpu->rm, REG_ACCESS_COUNTER_GET, ac->cached_get | REG_ACCESS_COUNTER_OVERFLOW);
	return ac->batch.count;
}

/* ---- preprocess ------------------------------------------------------ */

static void uvm_access_report(struct uvm_gpu *gpu, const struct uvm_access_notification *n,
			      u64 granule_bytes)
{
	struct uvm_gpu_va_space *gvs = n->va_space;
	struct uvm_event ev = {
		.type = UVM_EVENT_ACCESS_COUNTER,
		.gpu = gpu->index,
		.count = n->count,
		.time_ns = sim_now(),
		.address = n->address,
		.bytes = granule_bytes,
		.src = gpu->index,
		/* a record does not say whose memory of several peers */
		.dst = n->peer ? UVM_PROCESSOR_NONE : UVM_PROCESSOR_CPU,
		.value = n->sub_granularity,
	};

	trace_uvm_access_counter(ev.time_ns, gpu->index, gvs ? gvs->va_space->id : 0, n->address,
				 n->sub_granularity, n->count, n->bank, n->tag);
	uvm_stat_add(&gpu->stats, UVM_STAT_COUNTER_NOTIFICATIONS, 1);
	if (!gvs)
		return;
	uvm_stat_add(&gvs->va_space->stats, UVM_STAT_COUNTER_NOTIFICATIONS, 1);
	uvm_events_emit(&gvs->va_space->events, &ev);
}

/* The 64 KB in the 2 MB of its address that a counter of 64 KB or 2 MB knows of. */
static unsigned int uvm_access_tell_block(struct uvm_access_run *run,
					  const struct uvm_access_notification *n)
{
	u64 window = n->address & ~(UVM_BLOCK_SIZE - 1);
	struct uvm_range_touch touch = { .remote = n->count };
	unsigned int page, calls = 0;

	uvm_page_mask_zero(&run->pages);
	uvm_access_expand(n, run->granule_bytes, window, &run->pages);
	for (page = 0; page < UVM_PAGES_PER_BLOCK; page += UVM_PAGES_PER_BIG) {
		touch.va = window + ((u64)page << UVM_PAGE_SHIFT);
		if (uvm_page_mask_test(&run->pages, page))
			calls += uvm_pmm_tell_ranges(n->va_space, &touch);
	}
	return calls;
}

/*
 * Range states hear of each 64 KB that the counter knows of.  One of more than 2 MB knows too
 * little, and would have too much to tell: they hear of the access that made it tell.
 */
static void uvm_access_tell_ranges(struct uvm_access_run *run,
				   const struct uvm_access_notification *n)
{
	struct uvm_range_touch touch = { .va = n->address, .remote = 1 };
	struct uvm_gpu_va_space *gvs = n->va_space;
	unsigned int calls;

	if (!uvm_range_states_any(&gvs->va_space->range_states))
		return;
	calls = run->granule_bytes > UVM_BLOCK_SIZE ? uvm_pmm_tell_ranges(gvs, &touch) :
						      uvm_access_tell_block(run, n);
	uvm_work_charge(run->work, UVM_PHASE_EVICT, calls * uvm_cost(run->gpu, policy));
}

/* Policies may want to know what is used over the link. */
static void uvm_access_tell_policies(struct uvm_access_run *run,
				     const struct uvm_access_notification *n)
{
	struct uvm_eviction_touch touch = {
		.count = n->count, .va = n->address, .va_space = n->va_space_id,
	};

	if (!n->va_space)
		return;
	uvm_pmm_tell_remote(run->gpu, &touch, run->work);
	uvm_access_tell_ranges(run, n);
}

/* Whose are they, in which order are they served; told in the order of the ring. */
static void uvm_access_preprocess(struct uvm_access_run *run)
{
	struct uvm_access_batch *batch = &run->gpu->counters.batch;
	struct uvm_gpu_va_space *gvs = NULL;
	unsigned int i;

	uvm_work_enter(run->work, UVM_PHASE_PREPROCESS, uvm_cost(run->gpu, preprocess) +
		       batch->count * uvm_cost(run->gpu, preprocess_fault));
	uvm_access_batch_sort_by_instance(batch);
	for (i = 0; i < batch->count; i++) {
		struct uvm_access_notification *n = batch->sorted[i];

		if (!i || n->instance != batch->sorted[i - 1]->instance)
			gvs = uvm_gpu_find_va_space(run->gpu, n->instance);
		n->va_space = gvs;
		n->va_space_id = gvs ? gvs->va_space->id : 0;
	}
	uvm_access_batch_sort(batch);
	for (i = 0; i < batch->count; i++) {
		uvm_access_report(run->gpu, &batch->notifications[i], run->granule_bytes);
		uvm_access_tell_policies(run, &batch->notifications[i]);
	}
}

/* ---- clear ----------------------------------------------------------- */

/* What another GPU owes whose channels are dead never comes: accesses may wait for the clear. */
static int uvm_access_clear_begin(struct uvm_gpu *gpu, struct uvm_tracker *tracker,
				  struct uvm_push *push)
{
	int ret = uvm_push_begin_acquire(gpu, UVM_CHANNEL_MEMOPS, tracker, push);

	if (ret != -EIO || uvm_gpu_channel_error(gpu))
		return ret;
	uvm_tracker_remove_dead(tracker);
	return uvm_push_begin_acquire(gpu, UVM_CHANNEL_MEMOPS, tracker, push);
}

/*
 * The counters of sorted[@first ... @outer) begin at 0 again, when @tracker says
 * that what they counted has moved: accesses until then are not counted twice.
 */
static int uvm_access_clear(struct uvm_access_run *run, unsigned int first, unsigned int outer,
			    struct uvm_tracker *tracker)
{
	struct uvm_gpu *gpu = run->gpu;
	struct uvm_access_batch *batch = &gpu->counters.batch;
	unsigned int i, end;
	struct uvm_push push;
	int ret;

	for (; first < outer; first = end) {
		end = min(outer, first + UVM_ACCESS_CLEARS_PER_PUSH);
		uvm_work_enter(run->work, UVM_PHASE_SERVICE, uvm_cost(gpu, counter_clear));
		ret = uvm_access_clear_begin(gpu, tracker, &push);
		if (ret)
			return ret;
		for (i = first; i < end; i++)
			uvm_host_access_counter_clear(&push, batch->sorted[i]->bank,
						      batch->sorted[i]->tag);
		uvm_push_end(&push);
	}
	return 0;
}

/* ---- blocks ---------------------------------------------------------- */

/*
 * The next range in [*@addr, @last], an aligned 2 MB, that has a block there: without
 * one nothing is mapped.  *@addr moves behind it; @at: its first byte there.
 */
static bool uvm_access_next_block(struct uvm_va_space *va_space, u64 *addr, u64 last, u64 *at)
{
	struct uvm_va_range *range;
	bool found = false;

	mutex_lock(&va_space->ranges_lock);
	for_each_uvm_va_range_in(range, &va_space->ranges, *addr, last) {
		*at = max(*addr, uvm_va_range_start(range));
		*addr = uvm_va_range_end(range) + 1;
		found = range->blocks[uvm_va_range_block_index(range, *at)];
		if (found)
			break;
	}
	mutex_unlock(&va_space->ranges_lock);
	return found;
}

/* What its range group keeps in place stays there (nvidia-uvm 2.12). */
static void uvm_access_skip_fixed(struct uvm_va_block *block, struct uvm_page_mask *pages)
{
	struct uvm_range_groups *groups = &block->va_space->groups;
	u64 first = uvm_va_block_address(block, block->region.first);
	u64 last = uvm_va_block_address(block, block->region.outer) - 1;
	u64 end;

	for (; first <= last; first = end + 1) {
		if (!uvm_range_group_next_run(groups, first, last, &end))
			uvm_page_mask_clear_region(pages, uvm_va_block_pages(block, first, end));
	}
}

/*
 * The residency policy decides as for a prefetching access (2.12).  What cannot be
 * moved, for want of memory, stays where it is.
 */
static void uvm_access_serve_block(struct uvm_access_run *run,
				   const struct uvm_service_request *request)
{
	struct uvm_service *service = run->gpu->counters.service;
	struct uvm_va_block *block = request->block;
	u64 first = max(request->span.start, block->start);
	u64 last = min(request->span.end, block->start + UVM_BLOCK_SIZE - 1);
	struct uvm_page_mask pages;

	uvm_page_mask_copy(&pages, &run->pages);
	uvm_page_mask_and_region(&pages, uvm_va_block_pages(block, first, last));
	uvm_access_skip_fixed(block, &pages);
	uvm_service_begin(service, request);
	uvm_service_want_mask(service, &pages, UVM_ACCESS_PREFETCH);
	uvm_work_enter(run->work, UVM_PHASE_SERVICE, uvm_cost(run->gpu, block));
	if (uvm_service_block(service))
		return;
	uvm_work_stat(run->work, UVM_STAT_BYTES_HTOD_COUNTER, service->result.bytes_from_cpu);
	sim_mutex_lock(&block->lock);
	uvm_tracker_add_tracker_safe(&run->moved, &block->tracker);
	sim_mutex_unlock(&block->lock);
}

/* Blocks in the 2 MB from @window on. */
static noinline_for_stack void uvm_access_serve_window(struct uvm_access_run *run,
						       struct uvm_va_space *va_space, u64 window)
{
	struct uvm_service_request request = {
		.work = run->work,
		.va_space = va_space,
		.requester = run->gpu->id,
		.operation = UVM_OPERATION_ACCESS_COUNTER,
		.cause = UVM_CAUSE_ACCESS_COUNTER,
	};
	u64 addr = window, last = window + UVM_BLOCK_SIZE - 1, at;

	while (addr <= last && uvm_access_next_block(va_space, &addr, last, &at)) {
		if (uvm_va_space_find_block(va_space, at, &request.span, &request.block))
			continue;
		uvm_access_serve_block(run, &request);
		uvm_va_block_put(request.block);
	}
}

/*
 * sorted[@first ... @outer): of one VA space, in one granule or in one 2 MB.  The
 * counters are cleared also if memory ran out: then they will tell again.
 */
static void uvm_access_serve_run(struct uvm_access_run *run, struct uvm_va_space *va_space,
				 unsigned int first, unsigned int outer, u64 span)
{
	struct uvm_access_batch *batch = &run->gpu->counters.batch;
	u64 start = batch->sorted[first]->address & ~(span - 1), window;
	unsigned int i;
	bool some;

	uvm_tracker_init(&run->moved);
	for (window = start; window - start < span; window += UVM_BLOCK_SIZE) {
		uvm_page_mask_zero(&run->pages);
		some = false;
		for (i = first; i < outer; i++)
			if (batch->sorted[i]->usable)
				some |= uvm_access_expand(batch->sorted[i], run->granule_bytes,
							  window, &run->pages);
		if (some)
			uvm_access_serve_window(run, va_space, window);
	}
	uvm_access_clear(run, first, outer, &run->moved);
	uvm_tracker_deinit(&run->moved);
}

/* ---- VA spaces ------------------------------------------------------- */

/* sorted[@first ... @outer) may tell again, though nothing has moved. */
static noinline_for_stack void uvm_access_rearm(struct uvm_access_run *run, unsigned int first,
						unsigned int outer)
{
	struct uvm_tracker nothing = UVM_TRACKER_INIT();

	uvm_access_clear(run, first, outer, &nothing);
	uvm_tracker_deinit(&nothing);
}

static void uvm_access_migrate(struct uvm_access_run *run, struct uvm_va_space *va_space,
			       unsigned int first, unsigned int outer)
{
	struct uvm_access_batch *batch = &run->gpu->counters.batch;
	u64 span = max_t(u64, run->granule_bytes, UVM_BLOCK_SIZE);
	unsigned int next;

	uvm_va_space_reap(va_space);
	for (; first < outer; first = next) {
		next = uvm_access_batch_run(batch, first, span);
		uvm_access_serve_run(run, va_space, first, next, span);
	}
}

/*
 * Without migration nothing is cleared either: each granule tells once, until somebody clears it.
 * But there may be an eviction policy that wants to be told again, or accesses that wait for it.
 */
static void uvm_access_serve_va_space(struct uvm_access_run *run, struct uvm_gpu_va_space *gvs,
				      unsigned int first, unsigned int outer)
{
	struct uvm_va_space *va_space = gvs->va_space;
	bool here;

	uvm_work_set_va_space(run->work, &va_space->stats);
	sim_down_read(&va_space->lock);
	/* it may have left the GPU while we waited */
	here = va_space->gpus[run->gpu->index] == gvs;
	if (here && uvm_params_counters_migrate(&va_space->params))
		uvm_access_migrate(run, va_space, first, outer);
	else if (run->gpu->counters.stall || (here && uvm_pmm_counts_remote(&run->gpu->pmm)))
		uvm_access_rearm(run, first, outer);
	sim_up_read(&va_space->lock);
}

static void uvm_access_serve_batch(struct uvm_access_run *run)
{
	struct uvm_access_batch *batch = &run->gpu->counters.batch;
	unsigned int first, outer;

	for (first = 0; first < batch->count; first = outer) {
		outer = first + 1;
		while (outer < batch->count &&
		       batch->sorted[outer]->va_space_id == batch->sorted[first]->va_space_id)
			outer++;
		if (batch->sorted[first]->va_space)
			uvm_access_serve_va_space(run, batch->sorted[first]->va_space, first,
						  outer);
		else	/* of a context that is gone */
			uvm_access_rearm(run, first, outer);
	}
}

/* False if there was nothing to do. */
static bool uvm_access_one_batch(struct uvm_gpu *gpu)
{
	unsigned int max = uvm_params_module()->perf_access_counter_batch_count;
	unsigned int granularity = FIELD_GET(REG_ACCESS_COUNTER_GRANULARITY,
					     READ_ONCE(gpu->counters.config));
	struct uvm_work work;
	struct uvm_access_run run = {
		.gpu = gpu,
		.work = &work,
		.granule_bytes = uvm_access_granule_bytes(granularity),
	};
	bool some;

	uvm_work_begin(&work, &gpu->stats, NULL, UVM_PHASE_FETCH);
	some = uvm_access_fetch(gpu, max, &work);
	if (some) {
		uvm_access_preprocess(&run);
		uvm_access_serve_batch(&run);
	}
	uvm_work_end(&work);
	return some;
}

/**
 * uvm_access_counters_service - one run of the bottom half
 * @gpu: the GPU; service lock held
 *
 * Until the ring is empty or a limit is reached; the interrupt comes again for
 * what is left.
 */
void uvm_access_counters_service(struct uvm_gpu *gpu)
{
	unsigned int batches = 0;

	while (batches < UVM_ACCESS_MAX_BATCHES && uvm_access_one_batch(gpu))
		batches++;
	uvm_channels_update_progress(gpu);
}
