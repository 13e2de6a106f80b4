// SPDX-License-Identifier: GPL-2.0
/*
 * Eviction of a chunk from its block (nvidia-uvm 3.9): only the block lock is
 * held, neither mmap_lock nor the VA space lock.
 */
#include "gpu/gpu.h"
#include "gpu/replay.h"
#include "gpu/tracker.h"
#include "memory/pmm.h"
#include "memory/pmm_policy.h"
#include "base/trace.h"
#include "block/service.h"
#include "block/va_block.h"
#include "space/va_space_types.h"
#include "base/work.h"

/* The chunk's place in the block, or false if it has left it. */
static bool uvm_block_evict_find(struct uvm_va_block *block, struct uvm_gpu *gpu,
				 struct uvm_chunk *chunk, struct uvm_region *region)
{
	struct uvm_va_block_gpu *bg = block->gpu[gpu->index];
	unsigned int page;

	if (block->dead || !bg)
		return false;
	for (page = block->region.first; page < block->region.outer; page++) {
		if (bg->chunks[page] == chunk) {
			*region = uvm_va_block_chunk_region(block, gpu, page);
			return true;
		}
	}
	return false;
}

/* A root chunk counts once for a VA space, however many of its blocks it held. */
static bool uvm_block_evict_is_first(struct uvm_eviction_report *report, u64 va_space_id)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(report->va_space_ids); i++) {
		if (report->va_space_ids[i] == va_space_id)
			return false;
		if (!report->va_space_ids[i]) {
			report->va_space_ids[i] = va_space_id;
			return true;
		}
	}
	return false;
}

static void uvm_block_evict_account(struct uvm_va_block *block, struct uvm_gpu *gpu,
				    const struct uvm_page_mask *pages, u64 began,
				    struct uvm_eviction_report *report)
{
	struct uvm_va_space *va_space = block->va_space;
	unsigned int n = uvm_page_mask_weight(pages);
	struct uvm_region span = uvm_page_mask_span(pages);
	struct uvm_event ev = {
		.type = UVM_EVENT_EVICTION,
		.gpu = gpu->index,
		.time_ns = began,
		.duration_ns = sim_now() - began,
		.address = uvm_va_block_address(block, span.first),
		.bytes = (u64)n << PAGE_SHIFT,
		.src = gpu->index,
		.dst = UVM_PROCESSOR_CPU,
		.cause = UVM_CAUSE_EVICTION,
	};

	report->blocks++;
	report->pages += n;
	if (!n)
		return;
	/* the victim pays in its own books, whoever wanted the memory */
	uvm_stat_add(&gpu->stats, UVM_STAT_EVICTED_PAGES, n);
	uvm_stat_add(&va_space->stats, UVM_STAT_EVICTED_PAGES, n);
	if (uvm_block_evict_is_first(report, va_space->id))
		uvm_stat_add(&va_space->stats, UVM_STAT_EVICTED_CHUNKS, 1);
	uvm_events_emit(&va_space->events, &ev);
}

/* What nobody wants is not copied out: the next touch finds zeros. */
static int uvm_block_evict_discarded(struct uvm_va_block *block, struct uvm_gpu *gpu,
				     struct uvm_page_mask *pages)
{
	struct uvm_va_space *va_space = block->va_space;
	struct uvm_page_mask gone;
	unsigned int i;
	int ret = 0;

	if (!uvm_page_mask_and(&gone, pages, &block->state.discarded))
		return 0;
	for (i = 0; i < UVM_MAX_GPUS && !ret; i++)
		if (block->gpu[i] && va_space->gpus[i])
			ret = uvm_va_block_unmap_gpu(block, va_space->gpus[i], &gone);
	if (ret)
		return ret;
	uvm_block_state_clear_resident(&block->state, gpu->id, &gone);
	uvm_va_block_count_resident(block);
	uvm_page_mask_andnot(pages, pages, &gone);
	return 0;
}

/*
 * What is unmapped waits for the latest replay, of the GPU itself and of peers that
 * use the pages over their link.
 */
static int uvm_block_evict_track(struct uvm_va_block *block, struct uvm_gpu *gpu,
				 const struct uvm_page_mask *pages)
{
	struct uvm_page_mask mapped;
	unsigned int id;
	int ret;

	ret = uvm_replays_track(&gpu->replays, &block->tracker);
	for_each_uvm_gpu_id(id) {
		if (ret || id == gpu->id || !(block->state.mapped_procs & BIT(id)))
			continue;
		uvm_block_state_mapped(&block->state, id, UVM_PROT_READ_ONLY, &mapped);
		uvm_page_mask_andnot(&mapped, &mapped, uvm_block_state_resident(&block->state, id));
		if (uvm_page_mask_intersects(&mapped, pages))
			ret = uvm_replays_track(&uvm_gpu(uvm_id_gpu_index(id))->replays,
						&block->tracker);
	}
	return ret;
}

/*
 * What an eviction has to wait for is less than all work on its block: page tables, and
 * what was copied into the chunk and out of it.  So it can run beside a copy into another
 * chunk of the block.  With a second GPU in it there is more to it.
 */
static bool uvm_block_evict_is_narrow(const struct uvm_va_block *block, const struct uvm_gpu *gpu)
{
	unsigned int i;

	for (i = 0; i < UVM_MAX_GPUS; i++)
		if (block->gpu[i] && i != gpu->index)
			return false;
	return READ_ONCE(gpu->pmm.timing)->pipelined && block->gpu[gpu->index]->narrow;
}

/* From here to uvm_block_evict_widen() the block's tracker has only that. */
static int uvm_block_evict_narrow(struct uvm_va_block *block, struct uvm_gpu *gpu,
				  struct uvm_chunk *chunk, struct uvm_tracker *all)
{
	struct uvm_va_block_gpu *bg = block->gpu[gpu->index];

	*all = block->tracker;
	uvm_tracker_init(&block->tracker);
	return uvm_tracker_add_tracker_safe(&block->tracker, &bg->ptes) ?:
	       uvm_pmm_add_tracker(gpu, chunk, &block->tracker);
}

static int uvm_block_evict_widen(struct uvm_va_block *block, struct uvm_tracker *all)
{
	int ret = uvm_tracker_add_tracker_safe(&block->tracker, all);

	uvm_tracker_deinit(all);
	return ret;
}

/* A copy of the VA space takes what another one, or its own other operand, has. */
static void uvm_block_evict_note_copy(struct uvm_va_block *block, struct uvm_gpu *gpu,
				      struct uvm_region region, const struct uvm_work *work)
{
	struct uvm_gpu_va_space *gvs = block->va_space->gpus[gpu->index];
	unsigned int i;

	if (!work->copy || work->gpu != &gpu->stats ||
	    work->va_space != &block->va_space->stats || !gvs)
		return;
	for (i = 0; i < UVM_COPY_ENGINES; i++)
		uvm_copy_progress_take(&gvs->copies[i], uvm_va_block_address(block, region.first),
				       uvm_va_block_address(block, region.outer) - 1);
}

/* What the policy wants to go along with the chunk. */
static void uvm_block_evict_also(struct uvm_va_block *block, struct uvm_gpu *gpu,
				 const struct uvm_chunk *chunk, struct uvm_region region,
				 struct uvm_page_mask *also)
{
	struct uvm_eviction_victim victim = {
		.va = uvm_va_block_address(block, 0),
		.va_space = block->va_space->id,
		.resident = &block->gpu[gpu->index]->state.resident,
		.begin = block->region.first,
		.end = block->region.outer,
		.first = region.first,
		.outer = region.outer,
	};

	uvm_page_mask_zero(also);
	uvm_pmm_also(gpu, chunk, &victim, also);
}

static int uvm_block_evict_locked(struct uvm_service *service, struct uvm_gpu *gpu,
				  struct uvm_chunk *chunk, struct uvm_region region,
				  const struct uvm_page_mask *also,
				  struct uvm_eviction_report *report)
{
	struct uvm_va_block *block = service->request.block;
	struct uvm_va_block_gpu *bg = block->gpu[gpu->index];
	struct uvm_page_mask pages;
	struct uvm_work *work = service->request.work;
	u64 began = sim_now();
	unsigned int page;
	int ret;

	uvm_page_mask_copy(&pages, &bg->state.resident);
	uvm_page_mask_and_region(&pages, region);
	uvm_page_mask_or(&pages, &pages, also);
	uvm_work_enter(work, UVM_PHASE_EVICT, uvm_cost(gpu, evict) +
		       uvm_page_mask_weight(&pages) * uvm_cost(gpu, evict_page));
	ret = uvm_block_evict_track(block, gpu, &pages);
	if (!ret)
		ret = uvm_block_evict_discarded(block, gpu, &pages);
	if (!ret)
		ret = uvm_va_block_make_resident(service, UVM_ID_CPU, &pages, &pages,
						 UVM_CAUSE_EVICTION);
	if (ret)
		return ret;
	uvm_page_mask_or(&bg->evicted, &bg->evicted, &pages);
	uvm_block_evict_note_copy(block, gpu, region, work);
	if (!uvm_page_mask_empty(also))
		uvm_block_evict_note_copy(block, gpu, uvm_page_mask_span(also), work);
	for (page = region.first; page < region.outer; page++)
		bg->chunks[page] = NULL;
	uvm_block_evict_account(block, gpu, &pages, began, report);
	uvm_pmm_free(gpu, chunk, &block->tracker);
	if (!uvm_page_mask_empty(&pages))
		uvm_va_block_remap_later(block);
	return 0;
}

int uvm_va_block_evict(struct uvm_va_block *block, struct uvm_gpu *gpu, struct uvm_chunk *chunk,
		       struct uvm_work *work, struct uvm_eviction_report *report)
{
	const struct uvm_service_request request = {
		.work = work,
		.va_space = block->va_space,
		.block = block,
		.cause = UVM_CAUSE_EVICTION,
	};
	struct uvm_service *service = uvm_service_alloc();
	enum uvm_phase phase = work->phase;
	struct uvm_page_mask also;
	struct uvm_region region;
	struct uvm_tracker all;
	bool narrow;
	int ret = 0;

	if (!service)
		return -ENOMEM;
	uvm_service_begin(service, &request);
	sim_mutex_lock(&block->lock);
	if (uvm_block_evict_find(block, gpu, chunk, &region)) {
		uvm_block_evict_also(block, gpu, chunk, region, &also);
		narrow = uvm_page_mask_empty(&also) && uvm_block_evict_is_narrow(block, gpu);
		if (narrow)
			ret = uvm_block_evict_narrow(block, gpu, chunk, &all);
		if (!ret)
			ret = uvm_block_evict_locked(service, gpu, chunk, region, &also, report);
		if (narrow)
			ret = uvm_block_evict_widen(block, &all) ?: ret;
	}
	sim_mutex_unlock(&block->lock);
	uvm_work_enter(work, phase, 0);
	uvm_service_free(service);
	return ret;
}

static void uvm_block_owner_get(void *owner)
{
	uvm_va_block_get(owner);
}

static void uvm_block_owner_put(void *owner)
{
	uvm_va_block_put(owner);
}

static int uvm_block_owner_evict(void *owner, struct uvm_gpu *gpu, struct uvm_chunk *chunk,
				 struct uvm_work *work, struct uvm_eviction_report *report)
{
	return uvm_va_block_evict(owner, gpu, chunk, work, report);
}

const struct uvm_chunk_owner_ops uvm_va_block_owner_ops = {
	.get = uvm_block_owner_get,
	.put = uvm_block_owner_put,
	.evict = uvm_block_owner_evict,
};
