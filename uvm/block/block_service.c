// SPDX-License-Identifier: GPL-2.0
/*
 * Serving one block: residency, prefetch, move, map (nvidia-uvm 3.1, 3.2).
 */
#include <linux/slab.h>
#include "gpu/gpu.h"
#include "memory/pmm.h"
#include "policy/param.h"
#include "policy/policy.h"
#include "base/trace.h"
#include "block/block_range.h"
#include "block/va_block.h"
#include "space/va_space_types.h"
#include "base/work.h"

/**
 * uvm_service_alloc - make an operation
 *
 * Return: it, to be filled in, or NULL.
 */
struct uvm_service *uvm_service_alloc(void)
{
	struct uvm_service *service = kvzalloc(sizeof(*service), GFP_KERNEL);
	unsigned int i;

	if (!service)
		return NULL;
	for (i = 0; i < UVM_MAX_GPUS; i++) {
		INIT_LIST_HEAD(&service->parked[i]);
		INIT_LIST_HEAD(&service->used[i]);
	}
	return service;
}

/**
 * uvm_service_free - the reverse
 * @service: the operation, or NULL
 */
void uvm_service_free(struct uvm_service *service)
{
	if (!service)
		return;
	uvm_service_free_parked(service);
	kvfree(service);
}

/* ---- attempts -------------------------------------------------------- */

/*
 * So many that ended without enough memory, then an operation takes its turn.  One that
 * fills a block unit by unit may have one for each unit besides.
 */
#define UVM_SERVICE_PATIENCE	16

/*
 * Operations that together want more memory than there is may take it from each other
 * for ever, chunk by chunk; on the virtual clock nothing breaks the symmetry.
 */
static struct sim_mutex uvm_service_turn;

void uvm_service_init(void)
{
	sim_mutex_init(&uvm_service_turn);
}

void uvm_service_exit(void)
{
	sim_mutex_destroy(&uvm_service_turn);
}

int uvm_service_try(struct uvm_service *service, uvm_service_fn attempt, const void *arg)
{
	struct uvm_va_block *block = service->block;
	bool turn = false;
	int ret;

	sim_assert_held(&service->va_space->lock);
	service->chosen = false;
	for (service->retries = 0;; service->retries++) {
		if (!turn && service->retries >= UVM_SERVICE_PATIENCE +
						 (service->chosen ? UVM_BIG_PER_BLOCK : 0)) {
			/* who waits holds nothing that others wait for */
			uvm_service_free_parked(service);
			sim_mutex_lock(&uvm_service_turn);
			turn = true;
		}
		sim_mutex_lock(&block->lock);
		ret = attempt(service, arg);
		uvm_service_unpin(service);
		sim_mutex_unlock(&block->lock);
		if (ret != -EAGAIN)
			break;
	}
	uvm_service_free_parked(service);
	if (turn)
		sim_mutex_unlock(&uvm_service_turn);
	/* only eviction can have said so, and it could not help */
	return ret == -ENOSPC ? -ENOMEM : ret;
}

/* ---- residency ------------------------------------------------------- */

/*
 * GPUs at which pages stay for the requester's atomics (nvidia-uvm 3.1, step 8); those of
 * the CPU cannot be told from writes, and on its memory a GPU has none that are native.
 */
static u16 uvm_service_leave_atomics(const struct uvm_service *service)
{
	struct uvm_va_space *va_space = service->va_space;

	if (uvm_id_is_cpu(service->requester) ||
	    !READ_ONCE(va_space->params.perf_map_remote_on_native_atomics_fault))
		return 0;
	return va_space->topology.native_atomics[service->requester] & ~BIT(UVM_ID_CPU);
}

static void uvm_service_query(struct uvm_service *service, unsigned int page,
			      struct uvm_residency_query *query)
{
	const struct uvm_va_policy *advice = &service->span.policy;
	struct uvm_va_space *va_space = service->va_space;
	struct uvm_block_state *state = &service->block->state;
	unsigned int id = service->requester;

	*query = (struct uvm_residency_query){
		.requester = id,
		.preferred = advice->preferred,
		.resident = uvm_block_state_closest(state, id, page),
		.pinned = uvm_page_mask_test(&service->pinned, page) ?
			  service->pinned_at[page] : UVM_ID_INVALID,
		.access = service->access[page],
		.operation = service->operation,
		.advice = advice->read_duplication,
		.duplicated = uvm_page_mask_test(&state->read_duplicated, page),
		.discarded = uvm_page_mask_test(&state->discarded, page),
		.accessed_by = advice->accessed_by & BIT(id),
		.force_sysmem = READ_ONCE(va_space->params.fault_force_sysmem),
		.only_atomics = uvm_page_mask_test(&service->only_atomics, page),
		.accessible = va_space->topology.can_access[id],
		.leave_atomics = uvm_service_leave_atomics(service),
	};
	query->held = query->resident == UVM_ID_CPU && id != UVM_ID_CPU && !query->duplicated &&
		      uvm_va_block_is_held(service->block, page);
	if (query->preferred != UVM_ID_INVALID &&
	    !uvm_va_space_has_processor(va_space, query->preferred))
		query->preferred = UVM_ID_INVALID;
}

/* Where a page goes; those to be copied rather than moved are put down. */
static unsigned int uvm_service_residency(struct uvm_service *service, unsigned int page)
{
	struct uvm_va_space *va_space = service->va_space;
	const struct uvm_residency_ops *policy = READ_ONCE(va_space->params.residency_policy);
	struct uvm_residency_query query;

	uvm_service_query(service, page, &query);
	if (!query.held && uvm_policy_may_duplicate(&query)) {
		if (query.access <= UVM_ACCESS_READ)
			uvm_page_mask_set(&service->duplicate, page);
		return service->requester;
	}
	if (query.held)
		return UVM_ID_CPU;
	return uvm_policy_check_residency(&query, uvm_block_ask_residency(service, policy, &query,
									  page));
}

/*
 * Counters are about what the requester uses over the link, and only about that;
 * what is kept in place because it thrashes stays there (nvidia-uvm 2.12).
 */
static void uvm_service_keep_remote(struct uvm_service *service)
{
	struct uvm_block_state *state = &service->block->state;
	struct uvm_page_mask remote;

	uvm_block_state_mapped(state, service->requester, UVM_PROT_READ_ONLY, &remote);
	uvm_page_mask_andnot(&remote, &remote,
			     uvm_block_state_resident(state, service->requester));
	uvm_page_mask_and(&service->wanted, &service->wanted, &remote);
	uvm_page_mask_andnot(&service->wanted, &service->wanted, &service->block->thrashing.pinned);
}

/* Does the requester need anything that it has not? */
static bool uvm_service_is_served(struct uvm_service *service, unsigned int page)
{
	struct uvm_va_block *block = service->block;

	return service->operation == UVM_OPERATION_FAULT && service->requester != UVM_ID_CPU &&
	       block->gpu[uvm_id_gpu_index(service->requester)] &&
	       uvm_prot_allows(uvm_block_state_prot(&block->state, service->requester, page),
			       service->access[page]);
}

/*
 * Sort the wanted pages by destination.  Pages that the requester may use
 * already need nothing.  Returns the number of destinations.
 */
static unsigned int uvm_service_choose(struct uvm_service *service)
{
	struct uvm_va_block *block = service->block;
	unsigned int page, id, n = 0;

	for_each_uvm_id(id)
		uvm_page_mask_zero(&service->dst[id]);
	uvm_page_mask_zero(&service->duplicate);
	uvm_page_mask_and(&service->wanted, &service->wanted, &block->valid);
	if (service->operation == UVM_OPERATION_ACCESS_COUNTER)
		uvm_service_keep_remote(service);
	for_each_page_in_mask(page, &service->wanted, block->region) {
		if (uvm_service_is_served(service, page))
			continue;
		id = uvm_service_residency(service, page);
		/* to be mapped where it is, as it is already, is no news from a counter */
		if (service->operation == UVM_OPERATION_FAULT || id == service->requester)
			uvm_page_mask_set(&service->dst[id], page);
	}
	for_each_uvm_id(id)
		n += !uvm_page_mask_empty(&service->dst[id]);
	return n;
}

/* ---- prefetch -------------------------------------------------------- */

/* Pages of the block that belong to the range being served. */
static struct uvm_region uvm_service_max_region(struct uvm_service *service)
{
	struct uvm_va_block *block = service->block;
	u64 first = max(service->span.start, uvm_va_block_address(block, block->region.first));
	u64 last = min(service->span.end, uvm_va_block_address(block, block->region.outer) - 1);

	return uvm_va_block_pages(block, first, last);
}

/* Nothing is prefetched of a range group without a fault (nvidia-uvm 5.1, step 9). */
static void uvm_service_filter_groups(struct uvm_service *service, unsigned int dst)
{
	struct uvm_va_block *block = service->block;
	u64 first = uvm_va_block_address(block, block->region.first);
	u64 last = uvm_va_block_address(block, block->region.outer) - 1;
	struct uvm_range_group_span *span;

	span = uvm_range_group_first(&service->va_space->groups, first, last);
	for (; span; span = uvm_range_group_next(span, first, last)) {
		struct uvm_region slice;

		slice = uvm_va_block_pages(block, max_t(u64, first, span->node.start),
					   min_t(u64, last, span->node.last));
		if (uvm_page_mask_region_empty(&service->dst[dst], slice))
			uvm_page_mask_clear_region(&service->prefetch, slice);
	}
}

/* Prefetched pages are read, if at all: which of them are copied (nvidia-uvm 3.2)? */
static void uvm_service_duplicate_prefetched(struct uvm_service *service)
{
	struct uvm_page_mask copies;

	switch (service->span.policy.read_duplication) {
	case UVM_READ_DUPLICATION_ENABLED:
		uvm_page_mask_or(&service->duplicate, &service->duplicate, &service->prefetch);
		break;
	case UVM_READ_DUPLICATION_UNSET:
		uvm_page_mask_and(&copies, &service->prefetch,
				  &service->block->state.read_duplicated);
		uvm_page_mask_or(&service->duplicate, &service->duplicate, &copies);
		break;
	default:
		return;
	}
	uvm_page_mask_andnot(&service->duplicate, &service->duplicate,
			     &service->block->state.discarded);
}

/*
 * Does the timing of evictions want blocks to be filled unit by unit?  As long as there are
 * frames nothing is evicted, so there is nothing to run beside, and one copy costs less.
 */
static bool uvm_service_by_units(unsigned int dst)
{
	const struct uvm_pmm *pmm;

	if (!uvm_id_is_gpu(dst))
		return false;
	pmm = &uvm_gpu(uvm_id_gpu_index(dst))->pmm;
	return READ_ONCE(pmm->dry) && READ_ONCE(pmm->timing)->pipelined;
}

static void uvm_service_choose_prefetch(struct uvm_service *service, unsigned int dst)
{
	struct uvm_va_space *va_space = service->va_space;
	struct uvm_va_block *block = service->block;
	struct uvm_block_state *state = &block->state;
	struct uvm_prefetch_request req = {
		.in = {
			.resident = state->resident_procs & BIT(dst) ?
				    uvm_block_state_resident(state, dst) : NULL,
			.faulted = &service->dst[dst],
			.thrashing = block->thrashing.pages ? &block->thrashing.thrashing : NULL,
			.max_region = uvm_service_max_region(service),
			.faulted_region = uvm_page_mask_span(&service->dst[dst]),
			.threshold = READ_ONCE(va_space->params.perf_prefetch_threshold),
			.threshold_min = READ_ONCE(va_space->params.perf_prefetch_threshold_min),
			.dst_is_cpu = dst == UVM_ID_CPU,
			.quirks = READ_ONCE(va_space->params.prefetch_quirks),
		},
		.enable = READ_ONCE(va_space->params.perf_prefetch_enable),
		.min_faults = READ_ONCE(va_space->params.perf_prefetch_min_faults),
		.dst = dst,
		.preferred = service->span.policy.preferred,
		.resident_anywhere = state->resident_procs,
	};

	if (dst != UVM_ID_CPU)
		req.in.load = uvm_pmm_prefetch_load(uvm_gpu(uvm_id_gpu_index(dst)));
	if (dst == UVM_ID_CPU) {
		uvm_page_mask_and(&service->tmp[0], &state->cpu_resident, &state->cpu_mapped);
		req.in.cpu_mapped_resident = &service->tmp[0];
	}
	if (!uvm_block_ask_prefetch(service, READ_ONCE(va_space->params.prefetch_policy), &req))
		uvm_page_mask_zero(&service->prefetch);
}

/*
 * Only with a single destination (nvidia-uvm 5.1).  What was chosen stays
 * chosen while the block fills, or each unit that came would make the next choice bolder.
 */
static void uvm_service_prefetch(struct uvm_service *service, unsigned int dst)
{
	struct uvm_va_space *va_space = service->va_space;
	struct uvm_va_block *block = service->block;
	struct uvm_block_state *state = &block->state;

	if (!service->chosen)
		uvm_service_choose_prefetch(service, dst);
	if (!service->chosen && uvm_service_by_units(dst)) {
		/* a unit evicted for another one of the block is not to come back at once */
		uvm_page_mask_andnot(&service->prefetch, &service->prefetch,
				     uvm_block_state_resident(state, dst));
		service->chosen = true;
	}
	uvm_page_mask_and(&service->prefetch, &service->prefetch, &block->valid);
	uvm_service_filter_groups(service, dst);
	/* what counters brought does not go back because a neighbour stays */
	if (dst != service->requester &&
	    uvm_residency_delays(READ_ONCE(va_space->params.residency_policy)))
		uvm_page_mask_andnot(&service->prefetch, &service->prefetch,
				     uvm_block_state_resident(state, service->requester));
	if (uvm_page_mask_empty(&service->prefetch))
		return;
	trace_uvm_prefetch(sim_now(), va_space->id, block->start, dst,
			   uvm_page_mask_weight(&service->dst[dst]),
			   uvm_page_mask_weight(&service->prefetch));
	uvm_page_mask_or(&service->dst[dst], &service->dst[dst], &service->prefetch);
	uvm_service_duplicate_prefetched(service);
}

/* ---- move ------------------------------------------------------------ */

static int uvm_service_move_pages(struct uvm_service *service, unsigned int dst,
				  struct uvm_page_mask *pages)
{
	struct uvm_page_mask copies, moves;
	int ret;

	uvm_page_mask_and(&copies, pages, &service->duplicate);
	uvm_page_mask_andnot(&moves, pages, &service->duplicate);
	ret = uvm_va_block_duplicate(service, dst, &copies, &service->wanted, service->cause);
	if (!ret)
		ret = uvm_va_block_make_resident(service, dst, &moves, &service->wanted,
						 service->cause);
	uvm_page_mask_or(pages, &copies, &moves);
	return ret;
}

/* What is filled at a time: a unit of eviction, but no less than 64 KB. */
static struct uvm_region uvm_service_unit(struct uvm_service *service, struct uvm_gpu *gpu,
					  unsigned int page)
{
	struct uvm_region unit = uvm_va_block_chunk_region(service->block, gpu, page);

	unit.first = min(unit.first, round_down(page, UVM_PAGES_PER_BIG));
	unit.outer = max(unit.outer, round_down(page, UVM_PAGES_PER_BIG) + UVM_PAGES_PER_BIG);
	return unit;
}

/*
 * One unit after the other: the copy into the first is pushed before the second one's
 * victim is evicted.
 */
static int uvm_service_move_by_units(struct uvm_service *service, struct uvm_gpu *gpu)
{
	struct uvm_page_mask *pages = &service->dst[gpu->id];
	struct uvm_region rest = service->block->region, unit;
	struct uvm_page_mask part, left;
	int ret = 0;

	if (!uvm_va_block_gpu_get(service->block, gpu))
		return -ENOMEM;
	uvm_page_mask_copy(&left, pages);
	while (!ret && !uvm_page_mask_empty(&left)) {
		unit = uvm_service_unit(service, gpu, uvm_page_mask_first(&left, rest));
		uvm_page_mask_copy(&part, &left);
		uvm_page_mask_and_region(&part, unit);
		uvm_page_mask_clear_region(&left, unit);
		uvm_page_mask_clear_region(pages, unit);
		ret = uvm_service_move_pages(service, gpu->id, &part);
		uvm_page_mask_or(pages, pages, &part);
	}
	return ret;
}

static int uvm_service_move(struct uvm_service *service, unsigned int dst)
{
	if (uvm_service_by_units(dst))
		return uvm_service_move_by_units(service, uvm_gpu(uvm_id_gpu_index(dst)));
	return uvm_service_move_pages(service, dst, &service->dst[dst]);
}

/* ---- the whole ------------------------------------------------------- */

static void uvm_service_count_premature(struct uvm_service *service)
{
	struct uvm_va_block_gpu *bg;
	struct uvm_page_mask again;

	if (service->requester == UVM_ID_CPU || service->retries ||
	    service->operation != UVM_OPERATION_FAULT)
		return;
	bg = service->block->gpu[uvm_id_gpu_index(service->requester)];
	if (bg && uvm_page_mask_and(&again, &bg->evicted, &service->wanted))
		uvm_work_stat(service->work, UVM_STAT_PREMATURE_PAGES,
			      uvm_page_mask_weight(&again));
}

static int uvm_service_locked(struct uvm_service *service)
{
	unsigned int id, n;
	int ret;

	uvm_service_count_premature(service);
	n = uvm_service_choose(service);
	if (!n)
		return 0;
	service->fresh = true;
	if (!service->chosen)
		uvm_page_mask_zero(&service->prefetch);
	for_each_uvm_id(id) {
		if (uvm_page_mask_empty(&service->dst[id]))
			continue;
		if (n == 1)
			uvm_service_prefetch(service, id);
		ret = uvm_service_move(service, id);
		if (ret)
			return ret;
	}
	return uvm_service_map(service);
}

int uvm_service_attempt(struct uvm_service *service, const void *arg)
{
	return service->block->dead ? -EFAULT : uvm_service_locked(service);
}

int uvm_service_block(struct uvm_service *service)
{
	return uvm_service_try(service, uvm_service_attempt, NULL);
}
