// SPDX-License-Identifier: GPL-2.0
/*
 * Moving pages of a block: make_resident (nvidia-uvm 3.3, 3.5).
 */
#include <linux/slab.h>
#include "gpu.h"
#include "hal.h"
#include "pmm.h"
#include "push.h"
#include "trace.h"
#include "va_block.h"
#include "va_space.h"
#include "work.h"

/* One migration event: consecutive pages with the same cause. */
struct uvm_copy_run {
	u64 address;
	u64 bytes;
	enum uvm_event_cause cause;
	const u64 *begin;
	const u64 *end;
};

/**
 * struct uvm_copy - one push of copies between two processors
 * @va_space: whose pages; outlives the push
 * @gpu: GPU that copies
 * @src: from
 * @dst: to
 * @batch: batch id, 0 if none
 * @count: runs recorded
 * @runs: what to report when the GPU is done
 *
 * Timestamps are taken for every run whether somebody listens or not, so that
 * listening changes no result.
 */
struct uvm_copy {
	struct uvm_va_space *va_space;
	struct uvm_gpu *gpu;
	unsigned int src;
	unsigned int dst;
	u64 batch;
	unsigned int count;
	struct uvm_copy_run runs[];
};

static void uvm_copy_report_run(struct uvm_copy *copy, const struct uvm_copy_run *run)
{
	struct uvm_event ev = {
		.type = UVM_EVENT_MIGRATION,
		.gpu = copy->gpu->index,
		.time_ns = *run->begin,
		.duration_ns = *run->end - *run->begin,
		.address = run->address,
		.bytes = run->bytes,
		.batch = copy->batch,
		.src = uvm_id_to_user(copy->src),
		.dst = uvm_id_to_user(copy->dst),
		.cause = run->cause,
	};

	if (!*run->end)		/* never executed: the channel died */
		return;
	trace_uvm_migration(ev.time_ns, copy->va_space->id, run->address, run->bytes, copy->src,
			    copy->dst, run->cause);
	uvm_events_emit(&copy->va_space->events, &ev);
}

static void uvm_copy_report_push(struct uvm_copy *copy)
{
	const struct uvm_copy_run *last = &copy->runs[copy->count - 1];
	struct uvm_event ev = {
		.type = UVM_EVENT_COPY,
		.gpu = copy->gpu->index,
		.time_ns = *copy->runs[0].begin,
		.duration_ns = *last->end - *copy->runs[0].begin,
		.address = copy->runs[0].address,
		.batch = copy->batch,
		.src = uvm_id_to_user(copy->src),
		.dst = uvm_id_to_user(copy->dst),
		.cause = copy->runs[0].cause,
	};
	unsigned int i;

	if (!*last->end)
		return;
	for (i = 0; i < copy->count; i++)
		ev.bytes += copy->runs[i].bytes;
	trace_uvm_copy(ev.time_ns, copy->va_space->id, ev.address, ev.bytes, copy->src, copy->dst,
		       ev.cause);
	uvm_events_emit(&copy->va_space->events, &ev);
}

static void uvm_copy_complete(void *data)
{
	struct uvm_copy *copy = data;
	unsigned int i;

	for (i = 0; i < copy->count; i++)
		uvm_copy_report_run(copy, &copy->runs[i]);
	if (copy->count)
		uvm_copy_report_push(copy);
	kvfree(copy);
}

static enum uvm_channel_type uvm_copy_channel(unsigned int dst)
{
	return dst == UVM_ID_CPU ? UVM_CHANNEL_GPU_TO_CPU : UVM_CHANNEL_CPU_TO_GPU;
}

/*
 * Consecutive pages are one copy as far as the chunk goes; system pages have
 * consecutive DMA addresses.  The first copy of a run waits for the one before
 * it, the rest are pipelined.
 */
static void uvm_copy_push_run(struct uvm_push *push, struct uvm_va_block *block,
			      struct uvm_copy *copy, struct uvm_region run)
{
	struct uvm_gpu *gpu = copy->gpu;
	struct uvm_region chunk;
	unsigned int page;

	for (page = run.first; page < run.outer; page = chunk.outer) {
		chunk = uvm_region_and(uvm_va_block_chunk_region(block, page), run);
		chunk.first = page;
		if (page != run.first)
			uvm_push_set_flag(push, UVM_PUSH_CE_NEXT_PIPELINED);
		uvm_push_set_flag(push, UVM_PUSH_NEXT_MEMBAR_NONE);
		uvm_ce_memcopy(push, uvm_va_block_page_address(block, copy->dst, gpu, page),
			       uvm_va_block_page_address(block, copy->src, gpu, page),
			       uvm_region_bytes(chunk));
	}
}

static void uvm_copy_push_runs(struct uvm_push *push, struct uvm_va_block *block,
			       struct uvm_copy *copy, const struct uvm_page_mask *pages,
			       const struct uvm_page_mask *demand, enum uvm_event_cause cause)
{
	const u64 *begin = uvm_push_timestamp(push);
	struct uvm_region sub, run;
	struct uvm_copy_run *out;

	for_each_subregion(sub, pages, block->region) {
		for (run.first = sub.first; run.first < sub.outer; run.first = run.outer) {
			bool asked = uvm_page_mask_test(demand, run.first);
			struct uvm_region rest = uvm_region_make(run.first, sub.outer);

			run.outer = asked ? uvm_page_mask_first_zero(demand, rest) :
					    uvm_page_mask_first(demand, rest);
			uvm_copy_push_run(push, block, copy, run);
			out = &copy->runs[copy->count++];
			out->address = uvm_va_block_address(block, run.first);
			out->bytes = uvm_region_bytes(run);
			out->cause = asked ? cause : UVM_CAUSE_PREFETCH;
			out->begin = begin;
			out->end = uvm_push_timestamp(push);
			begin = out->end;
		}
	}
}

/* Runs of pages with one cause: at most this many. */
static unsigned int uvm_copy_count_runs(struct uvm_va_block *block,
					const struct uvm_page_mask *pages,
					const struct uvm_page_mask *demand)
{
	struct uvm_page_mask part;
	struct uvm_region sub;
	unsigned int n = 0;

	uvm_page_mask_and(&part, pages, demand);
	for_each_subregion(sub, &part, block->region)
		n++;
	uvm_page_mask_andnot(&part, pages, demand);
	for_each_subregion(sub, &part, block->region)
		n++;
	return n;
}

static void uvm_copy_account(struct uvm_service *service, unsigned int src, unsigned int dst,
			     const struct uvm_page_mask *pages,
			     const struct uvm_page_mask *demand, enum uvm_event_cause cause)
{
	unsigned int copier = uvm_id_gpu_index(dst == UVM_ID_CPU ? src : dst);
	struct uvm_stats_set *gpu_stats = &uvm_gpu(copier)->stats;
	struct uvm_stats_set *va_stats = &service->va_space->stats;
	struct uvm_page_mask asked;
	u64 bytes = (u64)uvm_page_mask_weight(pages) << PAGE_SHIFT;
	u64 asked_bytes;

	uvm_page_mask_and(&asked, pages, demand);
	asked_bytes = (u64)uvm_page_mask_weight(&asked) << PAGE_SHIFT;
	uvm_counters_migrated(&service->va_space->counters, src, dst, bytes, asked_bytes, cause);
	if (dst == UVM_ID_CPU) {
		uvm_stat_add(gpu_stats, UVM_STAT_BYTES_DTOH, bytes);
		uvm_stat_add(va_stats, UVM_STAT_BYTES_DTOH, bytes);
		if (cause == UVM_CAUSE_CPU_FAULT) {
			uvm_stat_add(gpu_stats, UVM_STAT_BYTES_DTOH_PREFETCH, bytes - asked_bytes);
			uvm_stat_add(va_stats, UVM_STAT_BYTES_DTOH_PREFETCH, bytes - asked_bytes);
		}
		if (cause == UVM_CAUSE_EVICTION) {
			uvm_stat_add(gpu_stats, UVM_STAT_BYTES_DTOH_EVICTION, bytes);
			uvm_stat_add(va_stats, UVM_STAT_BYTES_DTOH_EVICTION, bytes);
		}
		return;
	}
	service->bytes_to_gpu += bytes;
	uvm_stat_add(gpu_stats, UVM_STAT_BYTES_HTOD, bytes);
	uvm_stat_add(va_stats, UVM_STAT_BYTES_HTOD, bytes);
	if (cause != UVM_CAUSE_FAULT)
		return;
	uvm_stat_add(gpu_stats, UVM_STAT_BYTES_HTOD_DEMAND, asked_bytes);
	uvm_stat_add(va_stats, UVM_STAT_BYTES_HTOD_DEMAND, asked_bytes);
	uvm_stat_add(gpu_stats, UVM_STAT_BYTES_HTOD_PREFETCH, bytes - asked_bytes);
	uvm_stat_add(va_stats, UVM_STAT_BYTES_HTOD_PREFETCH, bytes - asked_bytes);
}

/* Copy pages between system memory and one GPU, in either direction. */
static int uvm_copy_between(struct uvm_service *service, unsigned int src, unsigned int dst,
			    const struct uvm_page_mask *pages,
			    const struct uvm_page_mask *demand, enum uvm_event_cause cause)
{
	struct uvm_va_block *block = service->block;
	struct uvm_gpu *gpu = uvm_gpu(uvm_id_gpu_index(dst == UVM_ID_CPU ? src : dst));
	struct uvm_copy *copy;
	struct uvm_push push;
	int ret;

	copy = kvzalloc(struct_size(copy, runs, uvm_copy_count_runs(block, pages, demand)),
			GFP_KERNEL);
	if (!copy)
		return -ENOMEM;
	copy->va_space = service->va_space;
	copy->gpu = gpu;
	copy->src = src;
	copy->dst = dst;
	copy->batch = service->batch;
	ret = uvm_push_begin_acquire(gpu, uvm_copy_channel(dst), &block->tracker, &push);
	if (ret) {
		kvfree(copy);
		return ret;
	}
	uvm_copy_push_runs(&push, block, copy, pages, demand, cause);
	uvm_push_on_complete(&push, uvm_copy_complete, copy);
	if (!service->first_copy_ns)
		service->first_copy_ns = sim_now();
	uvm_push_end(&push);
	uvm_copy_account(service, src, dst, pages, demand, cause);
	return uvm_tracker_add_push_safe(&block->tracker, &push);
}

/* ---- make_resident --------------------------------------------------- */

static int uvm_resident_unmap(struct uvm_service *service, unsigned int dst,
			      struct uvm_page_mask *pages)
{
	struct uvm_va_block *block = service->block;
	struct uvm_va_space *va_space = service->va_space;
	struct uvm_gpu *gpu = uvm_gpu(0);
	struct uvm_page_mask mask, wanted;
	unsigned int i;
	int ret = 0;

	if (uvm_block_state_to_unmap(&block->state, dst, pages, UVM_ID_CPU, &mask)) {
		uvm_work_enter(service->work, UVM_PHASE_CPU_UNMAP, uvm_cost(gpu, cpu_unmap) +
			       uvm_page_mask_weight(&mask) * uvm_cost(gpu, cpu_unmap_page));
		uvm_page_mask_copy(&wanted, &mask);
		uvm_va_block_unmap_cpu(block, &mask, false);
		/* those the CPU has been promised stay behind */
		uvm_page_mask_andnot(&wanted, &wanted, &mask);
		uvm_page_mask_andnot(pages, pages, &wanted);
	}
	for (i = 0; i < UVM_MAX_GPUS && !ret; i++) {
		if (block->gpu[i] && va_space->gpus[i] &&
		    uvm_block_state_to_unmap(&block->state, dst, pages, UVM_ID_GPU(i), &mask))
			ret = uvm_va_block_unmap_gpu(block, va_space->gpus[i], &mask);
	}
	return ret;
}

/* Copy what is resident somewhere; from GPU to GPU by way of system memory. */
static int uvm_resident_copy(struct uvm_service *service, unsigned int dst,
			     const struct uvm_page_mask *pages,
			     const struct uvm_page_mask *demand, enum uvm_event_cause cause)
{
	struct uvm_va_block *block = service->block;
	struct uvm_gpu *gpu = uvm_gpu(0);
	struct uvm_page_mask mask;
	unsigned int src;
	int ret = 0;

	for_each_uvm_id(src) {
		const struct uvm_page_mask *resident;

		if (src == dst || !(block->state.resident_procs & BIT(src)))
			continue;
		resident = uvm_block_state_resident(&block->state, src);
		if (!uvm_page_mask_and(&mask, pages, resident))
			continue;
		uvm_work_enter(service->work, UVM_PHASE_COPY, uvm_cost(gpu, copy) +
			       uvm_page_mask_weight(&mask) * uvm_cost(gpu, copy_page));
		if (src != UVM_ID_CPU && dst != UVM_ID_CPU) {
			ret = uvm_va_block_populate(service, UVM_ID_CPU, &mask);
			if (!ret)
				ret = uvm_copy_between(service, src, UVM_ID_CPU, &mask, demand,
						       cause);
			if (!ret)
				ret = uvm_copy_between(service, UVM_ID_CPU, dst, &mask, demand,
						       cause);
		} else {
			ret = uvm_copy_between(service, src, dst, &mask, demand, cause);
		}
		if (ret)
			return ret;
	}
	return ret;
}

/* Chunks that gained or lost resident pages change their place in the eviction order. */
static void uvm_resident_finish(struct uvm_service *service, unsigned int dst,
				const struct uvm_page_mask *pages)
{
	struct uvm_va_block *block = service->block;
	u16 before = block->state.resident_procs;
	unsigned int id;

	uvm_block_state_set_resident(&block->state, dst, pages);
	for_each_uvm_gpu_id(id) {
		if (id != dst && !(before & BIT(id)))
			continue;
		uvm_va_block_mark_chunks(block, uvm_gpu(uvm_id_gpu_index(id)), pages);
	}
	if (dst != UVM_ID_CPU) {
		struct uvm_va_block_gpu *bg = block->gpu[uvm_id_gpu_index(dst)];

		uvm_page_mask_andnot(&bg->evicted, &bg->evicted, pages);
	}
}

int uvm_va_block_make_resident(struct uvm_service *service, unsigned int dst,
			       struct uvm_page_mask *pages, const struct uvm_page_mask *demand,
			       enum uvm_event_cause cause)
{
	struct uvm_va_block *block = service->block;
	struct uvm_page_mask move;
	struct uvm_page_mask stays;
	int ret;

	sim_mutex_assert_held(&block->lock);
	if (block->state.resident_procs & BIT(dst))
		uvm_page_mask_andnot(&move, pages, uvm_block_state_resident(&block->state, dst));
	else
		uvm_page_mask_copy(&move, pages);
	if (uvm_page_mask_empty(&move)) {
		/* wanted here again is as good as moved here, for eviction */
		if (dst != UVM_ID_CPU)
			uvm_va_block_mark_chunks(block, uvm_gpu(uvm_id_gpu_index(dst)), pages);
		return 0;
	}

	uvm_work_enter(service->work, UVM_PHASE_POPULATE,
		       uvm_page_mask_weight(&move) * uvm_cost(uvm_gpu(0), populate_page));
	ret = uvm_va_block_populate(service, dst, &move);
	if (ret)
		return ret;
	uvm_page_mask_copy(&stays, &move);
	ret = uvm_resident_unmap(service, dst, &move);
	if (ret)
		return ret;
	uvm_page_mask_andnot(&stays, &stays, &move);
	uvm_page_mask_andnot(pages, pages, &stays);
	ret = uvm_resident_copy(service, dst, &move, demand, cause);
	if (ret)
		return ret;
	uvm_resident_finish(service, dst, &move);
	return 0;
}
