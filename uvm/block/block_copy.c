// SPDX-License-Identifier: GPL-2.0
/*
 * Moving pages of a block: make_resident (nvidia-uvm 3.3, 3.5).
 */
#include <linux/slab.h>
#include "block/block_thrashing.h"
#include "gpu/gpu.h"
#include "gpu/hal.h"
#include "gpu/tracker.h"
#include "memory/pmm.h"
#include "memory/pmm_policy.h"
#include "gpu/push.h"
#include "base/trace.h"
#include "block/block_range.h"
#include "block/service_priv.h"
#include "block/va_block.h"
#include "space/va_space_types.h"
#include "base/work.h"

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

/* Between GPUs the one that has the pages copies (nvidia-uvm 3.5). */
static struct uvm_gpu *uvm_copy_copier(unsigned int src, unsigned int dst)
{
	return uvm_gpu(uvm_id_gpu_index(uvm_id_is_cpu(src) ? dst : src));
}

/*
 * Peers over PCIe share the way out with the CPU, and the engine that drives it; a
 * link of their own goes with the engine that is left.
 */
static enum uvm_channel_type uvm_copy_channel(const struct uvm_topology *topology,
					      unsigned int src, unsigned int dst)
{
	if (uvm_id_is_cpu(src))
		return UVM_CHANNEL_CPU_TO_GPU;
	if (uvm_id_is_gpu(dst) && (topology->fast_link[src] & BIT(dst)))
		return UVM_CHANNEL_GPU_INTERNAL;
	return UVM_CHANNEL_GPU_TO_CPU;
}

/* Pages of a run from its first on whose memory lies behind each other on both sides. */
static struct uvm_region uvm_copy_extent(struct uvm_va_block *block, const struct uvm_copy *copy,
					 struct uvm_region run)
{
	unsigned int ids[] = { copy->src, copy->dst }, i;
	struct uvm_region extent = run, chunk;

	for (i = 0; i < ARRAY_SIZE(ids); i++) {
		if (uvm_id_is_cpu(ids[i]))
			continue;
		chunk = uvm_va_block_chunk_region(block, uvm_gpu(uvm_id_gpu_index(ids[i])),
						  run.first);
		extent = uvm_region_and(extent, chunk);
	}
	extent.first = run.first;
	return extent;
}

/*
 * Consecutive pages are one copy as far as the chunks go; system pages have
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
		chunk = uvm_copy_extent(block, copy, uvm_region_make(page, run.outer));
		if (page != run.first)
			uvm_push_set_flag(push, UVM_PUSH_CE_NEXT_PIPELINED);
		if (uvm_id_is_cpu(copy->src) || uvm_id_is_cpu(copy->dst))
			uvm_va_block_dma_map(block, gpu, chunk);
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
	struct uvm_stats_set *gpu_stats = &uvm_copy_copier(src, dst)->stats;
	struct uvm_va_space *va_space = service->request.va_space;
	struct uvm_stats_set *va_stats = &va_space->stats;
	struct uvm_page_mask asked;
	u64 bytes = (u64)uvm_page_mask_weight(pages) << PAGE_SHIFT;
	u64 asked_bytes;

	uvm_page_mask_and(&asked, pages, demand);
	asked_bytes = (u64)uvm_page_mask_weight(&asked) << PAGE_SHIFT;
	uvm_counters_migrated(&va_space->counters, src, dst, bytes, asked_bytes, cause);
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
	service->result.bytes_to_gpu += bytes;
	if (uvm_id_is_gpu(src)) {
		uvm_stat_add(gpu_stats, UVM_STAT_BYTES_PEER, bytes);
		uvm_stat_add(va_stats, UVM_STAT_BYTES_PEER, bytes);
		return;
	}
	service->result.bytes_from_cpu += bytes;
	uvm_stat_add(gpu_stats, UVM_STAT_BYTES_HTOD, bytes);
	uvm_stat_add(va_stats, UVM_STAT_BYTES_HTOD, bytes);
	if (cause != UVM_CAUSE_FAULT)
		return;
	uvm_stat_add(gpu_stats, UVM_STAT_BYTES_HTOD_DEMAND, asked_bytes);
	uvm_stat_add(va_stats, UVM_STAT_BYTES_HTOD_DEMAND, asked_bytes);
	uvm_stat_add(gpu_stats, UVM_STAT_BYTES_HTOD_PREFETCH, bytes - asked_bytes);
	uvm_stat_add(va_stats, UVM_STAT_BYTES_HTOD_PREFETCH, bytes - asked_bytes);
}

/* Who gets memory of @id next waits for the copy: into it, or out of it. */
static void uvm_copy_note(struct uvm_va_block *block, unsigned int id,
			  const struct uvm_page_mask *pages, const struct uvm_push *push)
{
	if (uvm_id_is_gpu(id))
		uvm_va_block_note_use(block, uvm_gpu(uvm_id_gpu_index(id)), pages, push);
}

/* Copy pages between system memory and a GPU, in either direction, or between peers. */
static int uvm_copy_between(struct uvm_service *service, unsigned int src, unsigned int dst,
			    const struct uvm_page_mask *pages,
			    const struct uvm_page_mask *demand, enum uvm_event_cause cause)
{
	struct uvm_va_block *block = service->request.block;
	struct uvm_gpu *gpu = uvm_copy_copier(src, dst);
	struct uvm_page_mask *own;
	struct uvm_copy *copy;
	struct uvm_push push;
	int ret;

	copy = kvzalloc(struct_size(copy, runs, uvm_copy_count_runs(block, pages, demand)),
			GFP_KERNEL);
	if (!copy)
		return -ENOMEM;
	copy->va_space = service->request.va_space;
	copy->gpu = gpu;
	copy->src = src;
	copy->dst = dst;
	copy->batch = service->request.batch;
	ret = uvm_push_begin_acquire(gpu, uvm_copy_channel(block->state.topology, src, dst),
				     &block->tracker, &push);
	if (ret) {
		kvfree(copy);
		return ret;
	}
	uvm_copy_push_runs(&push, block, copy, pages, demand, cause);
	uvm_push_on_complete(&push, uvm_copy_complete, copy);
	if (!service->result.first_copy_ns)
		service->result.first_copy_ns = sim_now();
	uvm_push_end(&push);
	uvm_copy_note(block, src, pages, &push);
	uvm_copy_note(block, dst, pages, &push);
	own = dst == UVM_ID_CPU ? &block->own : &block->gpu[uvm_id_gpu_index(dst)]->own;
	uvm_page_mask_or(own, own, pages);
	uvm_copy_account(service, src, dst, pages, demand, cause);
	return uvm_tracker_add_push_safe(&block->tracker, &push);
}

/* ---- make_resident --------------------------------------------------- */

void uvm_service_revoke_cpu(struct uvm_service *service, struct uvm_page_mask *mask,
			    struct uvm_page_mask *pages, enum uvm_prot prot)
{
	struct uvm_gpu *gpu = uvm_gpu(0);
	struct uvm_page_mask wanted;

	uvm_work_enter(service->request.work, UVM_PHASE_CPU_UNMAP, uvm_cost(gpu, cpu_unmap) +
		       uvm_page_mask_weight(mask) * uvm_cost(gpu, cpu_unmap_page));
	uvm_page_mask_copy(&wanted, mask);
	uvm_va_block_revoke_cpu(service->request.block, mask, prot, false);
	uvm_page_mask_andnot(&wanted, &wanted, mask);
	uvm_page_mask_andnot(pages, pages, &wanted);
}

static int uvm_resident_unmap(struct uvm_service *service, unsigned int dst,
			      struct uvm_page_mask *pages)
{
	struct uvm_va_block *block = service->request.block;
	struct uvm_va_space *va_space = service->request.va_space;
	struct uvm_page_mask mask;
	unsigned int i;
	int ret = 0;

	if (uvm_block_state_to_unmap(&block->state, dst, pages, UVM_ID_CPU, &mask))
		uvm_service_revoke_cpu(service, &mask, pages, UVM_PROT_NONE);
	for (i = 0; i < UVM_MAX_GPUS && !ret; i++) {
		if (block->gpu[i] && va_space->gpus[i] &&
		    uvm_block_state_to_unmap(&block->state, dst, pages, UVM_ID_GPU(i), &mask))
			ret = uvm_va_block_unmap_gpu(block, va_space->gpus[i], &mask);
	}
	return ret;
}

int uvm_va_block_share(struct uvm_service *service, struct uvm_page_mask *pages)
{
	struct uvm_va_block *block = service->request.block;
	struct uvm_block_state *state = &block->state;
	struct uvm_va_space *va_space = service->request.va_space;
	struct uvm_page_mask mask;
	unsigned int i;
	int ret = 0;

	if (uvm_page_mask_and(&mask, pages, &state->cpu_writable))
		uvm_service_revoke_cpu(service, &mask, pages, UVM_PROT_READ_ONLY);
	for (i = 0; i < UVM_MAX_GPUS && !ret; i++) {
		if (!block->gpu[i] || !va_space->gpus[i])
			continue;
		if (uvm_page_mask_andnot(&mask, pages, &block->gpu[i]->state.resident))
			ret = uvm_va_block_unmap_gpu(block, va_space->gpus[i], &mask);
		if (!ret && uvm_page_mask_and(&mask, pages, &block->gpu[i]->state.resident))
			ret = uvm_va_block_revoke_gpu(block, va_space->gpus[i], &mask,
						      UVM_PROT_READ_ONLY);
	}
	return ret;
}

/*
 * One source: between GPUs that are no peers by way of system memory, which then has
 * the pages, too.
 */
static int uvm_resident_copy_from(struct uvm_service *service, unsigned int src, unsigned int dst,
				  const struct uvm_page_mask *pages,
				  const struct uvm_page_mask *demand, enum uvm_event_cause cause)
{
	struct uvm_gpu *gpu = uvm_gpu(0);
	int ret;

	uvm_work_enter(service->request.work, UVM_PHASE_COPY, uvm_cost(gpu, copy) +
		       uvm_page_mask_weight(pages) * uvm_cost(gpu, copy_page));
	if (uvm_topology_can_copy(service->request.block->state.topology, src, dst))
		return uvm_copy_between(service, src, dst, pages, demand, cause);
	ret = uvm_va_block_populate(service, UVM_ID_CPU, pages);
	if (!ret)
		ret = uvm_copy_between(service, src, UVM_ID_CPU, pages, demand, cause);
	if (!ret)
		ret = uvm_copy_between(service, UVM_ID_CPU, dst, pages, demand, cause);
	return ret;
}

/*
 * Copy what is resident somewhere and still wanted, from the closest copy.
 * @staged: out: pages that went by way of system memory.
 */
static int uvm_resident_copy(struct uvm_service *service, unsigned int dst,
			     const struct uvm_page_mask *pages,
			     const struct uvm_page_mask *demand, enum uvm_event_cause cause,
			     struct uvm_page_mask *staged)
{
	struct uvm_block_state *state = &service->request.block->state;
	u16 sources = state->resident_procs & ~BIT(dst);
	struct uvm_page_mask left, mask, copied;
	unsigned int src;
	int ret = 0;

	uvm_page_mask_zero(staged);
	uvm_page_mask_zero(&copied);
	uvm_page_mask_andnot(&left, pages, &state->discarded);
	for (; sources && !ret; sources &= ~BIT(src)) {
		src = uvm_topology_closest(state->topology, dst, sources);
		if (!uvm_page_mask_and(&mask, &left, uvm_block_state_resident(state, src)))
			continue;
		ret = uvm_resident_copy_from(service, src, dst, &mask, demand, cause);
		uvm_page_mask_andnot(&left, &left, &mask);
		uvm_page_mask_or(&copied, &copied, &mask);
		if (!uvm_topology_can_copy(state->topology, src, dst))
			uvm_page_mask_or(staged, staged, &mask);
	}
	if (!ret && uvm_page_mask_andnot(&mask, pages, &copied))
		uvm_counter_add(&service->request.va_space->counters, dst,
				UVM_COUNTER_BYTES_POPULATED,
				(u64)uvm_page_mask_weight(&mask) << PAGE_SHIFT);
	return ret;
}

/* What prefetch policies are told of @pages that came to a GPU, see prefetch_load.h. */
static void uvm_resident_note_arrival(struct uvm_service *service, unsigned int index,
				      const struct uvm_page_mask *pages,
				      const struct uvm_page_mask *demand)
{
	struct uvm_va_block *block = service->request.block;
	struct uvm_gpu *gpu = uvm_gpu(index);
	struct uvm_page_mask faulted, returned;
	unsigned int n = 0, again = 0;

	if (uvm_page_mask_and(&returned, pages, &block->gpu[index]->evicted))
		uvm_work_stat(service->request.work, UVM_STAT_RETURNED_PAGES,
			      uvm_page_mask_weight(&returned));
	uvm_page_mask_zero(&faulted);
	if (service->request.operation == UVM_OPERATION_FAULT &&
	    service->request.cause == UVM_CAUSE_FAULT &&
	    uvm_page_mask_and(&faulted, pages, demand)) {
		n = uvm_page_mask_weight(&faulted);
		uvm_page_mask_and(&returned, &faulted, &block->gpu[index]->evicted);
		again = uvm_page_mask_weight(&returned);
	}
	uvm_pmm_note_arrival(gpu, uvm_page_mask_weight(pages), n, again);
	if (unlikely(READ_ONCE(gpu->pmm.wants_pages)))
		uvm_pmm_tell_arrivals(gpu, &(struct uvm_arrivals){
			.va = uvm_va_block_address(block, 0),
			.va_space = block->va_space->id,
			.chunks = block->gpu[index]->chunks,
			.pages = pages,
			.demanded = &faulted,
			.returned = &block->gpu[index]->evicted,
		}, service->request.work);
	uvm_block_tell_arrival(service, gpu, pages, &faulted);
}

/*
 * Chunks that gained resident pages change their place in the eviction order, and those
 * that lost all; which of them lost some does not matter (nvidia-uvm 4.2).
 */
static void uvm_resident_mark(struct uvm_service *service, unsigned int dst, u16 before,
			      const struct uvm_page_mask *pages,
			      const struct uvm_page_mask *demand)
{
	struct uvm_va_block *block = service->request.block;
	unsigned int id;

	for_each_uvm_gpu_id(id) {
		if (id != dst && !(before & BIT(id)))
			continue;
		uvm_va_block_mark_chunks(block, uvm_gpu(uvm_id_gpu_index(id)), pages, id == dst);
	}
	if (dst != UVM_ID_CPU) {
		struct uvm_va_block_gpu *bg = block->gpu[uvm_id_gpu_index(dst)];

		uvm_resident_note_arrival(service, uvm_id_gpu_index(dst), pages, demand);
		uvm_page_mask_andnot(&bg->evicted, &bg->evicted, pages);
	}
}

static void uvm_resident_report(struct uvm_service *service, enum uvm_event_type type,
				unsigned int dst, const struct uvm_page_mask *pages)
{
	struct uvm_va_block *block = service->request.block;
	struct uvm_region sub;

	for_each_subregion(sub, pages, block->region) {
		struct uvm_event ev = {
			.type = type,
			.gpu = uvm_id_to_user(dst),
			.time_ns = sim_now(),
			.address = uvm_va_block_address(block, sub.first),
			.bytes = uvm_region_bytes(sub),
			.batch = service->request.batch,
			.src = UVM_PROCESSOR_NONE,
			.dst = uvm_id_to_user(dst),
			.cause = UVM_CAUSE_POLICY,
		};

		uvm_events_emit(&service->request.va_space->events, &ev);
	}
}

/* Wanted here again is as good as moved here, for eviction. */
static void uvm_resident_touch(struct uvm_service *service, unsigned int dst,
			       const struct uvm_page_mask *pages)
{
	if (dst != UVM_ID_CPU && !uvm_page_mask_empty(pages))
		uvm_va_block_mark_chunks(service->request.block, uvm_gpu(uvm_id_gpu_index(dst)),
					 pages, true);
}

int uvm_va_block_make_resident(struct uvm_service *service, unsigned int dst,
			       struct uvm_page_mask *pages, const struct uvm_page_mask *demand,
			       enum uvm_event_cause cause)
{
	struct uvm_va_block *block = service->request.block;
	const struct uvm_page_mask *here = uvm_block_state_resident(&block->state, dst);
	u16 before = block->state.resident_procs;
	struct uvm_page_mask move, change, stays, copies;
	int ret;

	sim_mutex_assert_held(&block->lock);
	uvm_page_mask_andnot(&move, pages, here);
	uvm_page_mask_and(&copies, pages, &block->state.read_duplicated);
	uvm_page_mask_or(&change, &move, &copies);
	if (uvm_page_mask_empty(&change)) {
		uvm_resident_touch(service, dst, pages);
		return 0;
	}

	uvm_work_enter(service->request.work, UVM_PHASE_POPULATE,
		       uvm_page_mask_weight(&move) * uvm_cost(uvm_gpu(0), populate_page));
	ret = uvm_va_block_populate(service, dst, &move);
	if (ret)
		return ret;
	uvm_page_mask_copy(&stays, &change);
	ret = uvm_resident_unmap(service, dst, &change);
	if (ret)
		return ret;
	uvm_page_mask_andnot(&stays, &stays, &change);
	uvm_page_mask_andnot(pages, pages, &stays);
	uvm_page_mask_and(&move, &move, pages);
	uvm_page_mask_and(&copies, &copies, pages);
	ret = uvm_resident_copy(service, dst, &move, demand, cause, &stays);
	if (ret)
		return ret;
	uvm_resident_report(service, UVM_EVENT_READ_DUPLICATE_INVALIDATE, dst, &copies);
	uvm_block_thrashing_migrated(block, dst, &move, demand, cause,
				     service->request.span.policy.read_duplication ==
				     UVM_READ_DUPLICATION_ENABLED);
	uvm_block_tell_leaving(service, dst, &change, cause);
	uvm_block_state_set_resident(&block->state, dst, &change);
	uvm_va_block_count_resident(block);
	uvm_resident_mark(service, dst, before, &change, demand);
	return 0;
}

int uvm_va_block_duplicate(struct uvm_service *service, unsigned int dst,
			   struct uvm_page_mask *pages, const struct uvm_page_mask *demand,
			   enum uvm_event_cause cause)
{
	struct uvm_va_block *block = service->request.block;
	u16 before = block->state.resident_procs;
	struct uvm_page_mask add, stays, staged;
	int ret;

	sim_mutex_assert_held(&block->lock);
	if (!uvm_page_mask_andnot(&add, pages, uvm_block_state_resident(&block->state, dst))) {
		uvm_resident_touch(service, dst, pages);
		return 0;
	}

	uvm_work_enter(service->request.work, UVM_PHASE_POPULATE,
		       uvm_page_mask_weight(&add) * uvm_cost(uvm_gpu(0), populate_page));
	ret = uvm_va_block_populate(service, dst, &add);
	if (ret)
		return ret;
	uvm_page_mask_copy(&stays, &add);
	ret = uvm_va_block_share(service, &add);
	if (ret)
		return ret;
	uvm_page_mask_andnot(&stays, &stays, &add);
	uvm_page_mask_andnot(pages, pages, &stays);
	ret = uvm_resident_copy(service, dst, &add, demand, cause, &staged);
	if (ret)
		return ret;
	uvm_block_thrashing_migrated(block, dst, &add, demand, cause, true);
	uvm_block_state_add_resident(&block->state, UVM_ID_CPU, &staged);
	uvm_block_state_add_resident(&block->state, dst, &add);
	uvm_va_block_count_resident(block);
	uvm_page_mask_and(&add, &add, &block->state.read_duplicated);
	uvm_resident_report(service, UVM_EVENT_READ_DUPLICATE, dst, &add);
	uvm_resident_mark(service, dst, before, pages, demand);
	return 0;
}

static int uvm_resident_collapse_to(struct uvm_service *service, unsigned int id,
				    const struct uvm_page_mask *pages)
{
	struct uvm_block_state *state = &service->request.block->state;
	struct uvm_page_mask copies;

	uvm_page_mask_and(&copies, pages, &state->read_duplicated);
	if (!uvm_page_mask_and(&copies, &copies, uvm_block_state_resident(state, id)))
		return 0;
	return uvm_va_block_make_resident(service, id, &copies, &copies, UVM_CAUSE_POLICY);
}

int uvm_va_block_collapse(struct uvm_service *service, const struct uvm_page_mask *pages)
{
	unsigned int id, preferred = service->request.span.policy.preferred;
	int ret = 0;

	if (preferred != UVM_ID_INVALID)
		ret = uvm_resident_collapse_to(service, preferred, pages);
	for_each_uvm_id(id) {
		if (!ret)
			ret = uvm_resident_collapse_to(service, id, pages);
	}
	return ret;
}
