// SPDX-License-Identifier: GPL-2.0
/*
 * Serving one block: residency, prefetch, move, map (nvidia-uvm 3.1, 3.2).
 */
#include "block/service_priv.h"
#include "gpu/gpu.h"
#include "memory/pmm.h"
#include "memory/pmm_policy.h"
#include "policy/param.h"
#include "policy/policy.h"
#include "base/trace.h"
#include "block/block_range.h"
#include "block/va_block.h"
#include "space/va_space_types.h"
#include "base/work.h"

/* ---- residency ------------------------------------------------------- */

/*
 * GPUs at which pages stay for the requester's atomics (nvidia-uvm 3.1, step 8); those of
 * the CPU cannot be told from writes, and on its memory a GPU has none that are native.
 */
static u16 uvm_service_leave_atomics(const struct uvm_service *service)
{
	struct uvm_va_space *va_space = service->request.va_space;

	if (uvm_id_is_cpu(service->request.requester) ||
	    !READ_ONCE(va_space->params.perf_map_remote_on_native_atomics_fault))
		return 0;
	return va_space->topology.native_atomics[service->request.requester] & ~BIT(UVM_ID_CPU);
}

/* How full the requester's memory is, if the policy asks. */
static void uvm_service_ask_memory(struct uvm_service *service)
{
	const struct uvm_params *params = &service->request.va_space->params;
	unsigned int id = service->request.requester;
	struct uvm_gpu *gpu;

	if (likely(!READ_ONCE(params->residency_policy)->asks_memory) || !uvm_id_is_gpu(id))
		return;
	gpu = uvm_gpu(uvm_id_gpu_index(id));
	service->scratch->full = READ_ONCE(gpu->pmm.full);
	service->scratch->occupancy = uvm_pmm_occupancy(gpu);
}

static void uvm_service_query(struct uvm_service *service, unsigned int page,
			      struct uvm_residency_query *query)
{
	const struct uvm_service_request *request = &service->request;
	const struct uvm_service_pages *pages = &service->pages;
	const struct uvm_va_policy *advice = &request->span.policy;
	struct uvm_block_state *state = &request->block->state;
	struct uvm_va_space *va_space = request->va_space;
	unsigned int id = request->requester;

	*query = (struct uvm_residency_query){
		.requester = id,
		.preferred = advice->preferred,
		.resident = uvm_block_state_closest(state, id, page),
		.pinned = uvm_page_mask_test(&pages->pinned, page) ?
			  pages->pinned_at[page] : UVM_ID_INVALID,
		.access = pages->access[page],
		.operation = request->operation,
		.advice = advice->read_duplication,
		.duplicated = uvm_page_mask_test(&state->read_duplicated, page),
		.discarded = uvm_page_mask_test(&state->discarded, page),
		.accessed_by = advice->accessed_by & BIT(id),
		.force_sysmem = READ_ONCE(va_space->params.fault_force_sysmem),
		.only_atomics = uvm_page_mask_test(&pages->only_atomics, page),
		.accessible = va_space->topology.can_access[id],
		.leave_atomics = uvm_service_leave_atomics(service),
		.full = service->scratch->full,
		.occupancy = service->scratch->occupancy,
	};
	query->held = query->resident == UVM_ID_CPU && id != UVM_ID_CPU && !query->duplicated &&
		      uvm_va_block_is_held(request->block, page);
	if (query->preferred != UVM_ID_INVALID &&
	    !uvm_va_space_has_processor(va_space, query->preferred))
		query->preferred = UVM_ID_INVALID;
}

/* Where a page goes; those to be copied rather than moved are put down. */
static unsigned int uvm_service_residency(struct uvm_service *service, unsigned int page)
{
	struct uvm_va_space *va_space = service->request.va_space;
	const struct uvm_residency_ops *policy = READ_ONCE(va_space->params.residency_policy);
	struct uvm_residency_query query;

	uvm_service_query(service, page, &query);
	if (!query.held && uvm_policy_may_duplicate(&query)) {
		if (query.access <= UVM_ACCESS_READ)
			uvm_page_mask_set(&service->scratch->duplicate, page);
		return service->request.requester;
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
	struct uvm_page_mask *wanted = &service->pages.wanted, remote;
	struct uvm_va_block *block = service->request.block;
	unsigned int id = service->request.requester;

	uvm_block_state_mapped(&block->state, id, UVM_PROT_READ_ONLY, &remote);
	uvm_page_mask_andnot(&remote, &remote, uvm_block_state_resident(&block->state, id));
	uvm_page_mask_and(wanted, wanted, &remote);
	uvm_page_mask_andnot(wanted, wanted, &block->thrashing.pinned);
}

/* Does the requester need anything that it has not? */
static bool uvm_service_is_served(struct uvm_service *service, unsigned int page)
{
	struct uvm_va_block *block = service->request.block;
	unsigned int id = service->request.requester;

	return service->request.operation == UVM_OPERATION_FAULT && id != UVM_ID_CPU &&
	       block->gpu[uvm_id_gpu_index(id)] &&
	       uvm_prot_allows(uvm_block_state_prot(&block->state, id, page),
			       service->pages.access[page]);
}

/*
 * Sort the wanted pages by destination.  Pages that the requester may use
 * already need nothing.  Returns the number of destinations.
 */
static unsigned int uvm_service_choose(struct uvm_service *service)
{
	const struct uvm_service_request *request = &service->request;
	struct uvm_page_mask *wanted = &service->pages.wanted;
	struct uvm_va_block *block = request->block;
	unsigned int page, id, n = 0;

	for_each_uvm_id(id)
		uvm_page_mask_zero(&service->scratch->dst[id]);
	uvm_page_mask_zero(&service->scratch->duplicate);
	uvm_service_ask_memory(service);
	uvm_page_mask_and(wanted, wanted, &block->valid);
	if (request->operation == UVM_OPERATION_ACCESS_COUNTER)
		uvm_service_keep_remote(service);
	for_each_page_in_mask(page, wanted, block->region) {
		if (uvm_service_is_served(service, page))
			continue;
		id = uvm_service_residency(service, page);
		/* to be mapped where it is, as it is already, is no news from a counter */
		if (request->operation == UVM_OPERATION_FAULT || id == request->requester)
			uvm_page_mask_set(&service->scratch->dst[id], page);
	}
	for_each_uvm_id(id)
		n += !uvm_page_mask_empty(&service->scratch->dst[id]);
	return n;
}

/* ---- prefetch -------------------------------------------------------- */

/* Pages of the block that belong to the range being served. */
static struct uvm_region uvm_service_max_region(struct uvm_service *service)
{
	const struct uvm_span *span = &service->request.span;
	struct uvm_va_block *block = service->request.block;
	u64 first = max(span->start, uvm_va_block_address(block, block->region.first));
	u64 last = min(span->end, uvm_va_block_address(block, block->region.outer) - 1);

	return uvm_va_block_pages(block, first, last);
}

/* Nothing is prefetched of a range group without a fault (nvidia-uvm 5.1, step 9). */
static void uvm_service_filter_groups(struct uvm_service *service, unsigned int dst)
{
	struct uvm_va_block *block = service->request.block;
	u64 first = uvm_va_block_address(block, block->region.first);
	u64 last = uvm_va_block_address(block, block->region.outer) - 1;
	struct uvm_range_group_span *span;

	span = uvm_range_group_first(&service->request.va_space->groups, first, last);
	for (; span; span = uvm_range_group_next(span, first, last)) {
		struct uvm_region slice;

		slice = uvm_va_block_pages(block, max_t(u64, first, span->node.start),
					   min_t(u64, last, span->node.last));
		if (uvm_page_mask_region_empty(&service->scratch->dst[dst], slice))
			uvm_page_mask_clear_region(&service->scratch->prefetch, slice);
	}
}

/* Prefetched pages are read, if at all: which of them are copied (nvidia-uvm 3.2)? */
static void uvm_service_duplicate_prefetched(struct uvm_service *service)
{
	const struct uvm_block_state *state = &service->request.block->state;
	const struct uvm_page_mask *prefetch = &service->scratch->prefetch;
	struct uvm_page_mask *duplicate = &service->scratch->duplicate, copies;

	switch (service->request.span.policy.read_duplication) {
	case UVM_READ_DUPLICATION_ENABLED:
		uvm_page_mask_or(duplicate, duplicate, prefetch);
		break;
	case UVM_READ_DUPLICATION_UNSET:
		uvm_page_mask_and(&copies, prefetch, &state->read_duplicated);
		uvm_page_mask_or(duplicate, duplicate, &copies);
		break;
	default:
		return;
	}
	uvm_page_mask_andnot(duplicate, duplicate, &state->discarded);
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

/* Who knows better what is needed in GPU memory refuses the rest. */
static void uvm_service_refuse_prefetch(struct uvm_service *service,
					const struct uvm_prefetch_request *req)
{
	struct uvm_eviction_prefetch prefetch = {
		.va = service->request.block->start,
		.va_space = service->request.va_space->id,
		.faulted = req->in.faulted,
		.resident = req->in.resident,
	};

	if (uvm_id_is_gpu(req->dst))
		uvm_pmm_refuse(uvm_gpu(uvm_id_gpu_index(req->dst)), &prefetch,
			       &service->scratch->prefetch);
}

static void uvm_service_choose_prefetch(struct uvm_service *service, unsigned int dst)
{
	struct uvm_va_space *va_space = service->request.va_space;
	struct uvm_va_block *block = service->request.block;
	struct uvm_block_state *state = &block->state;
	struct uvm_prefetch_request req = {
		.in = {
			.resident = state->resident_procs & BIT(dst) ?
				    uvm_block_state_resident(state, dst) : NULL,
			.faulted = &service->scratch->dst[dst],
			.thrashing = block->thrashing.pages ? &block->thrashing.thrashing : NULL,
			.max_region = uvm_service_max_region(service),
			.faulted_region = uvm_page_mask_span(&service->scratch->dst[dst]),
			.threshold = READ_ONCE(va_space->params.perf_prefetch_threshold),
			.params = &va_space->params,
			.dst_is_cpu = dst == UVM_ID_CPU,
			.quirks = READ_ONCE(va_space->params.prefetch_quirks),
		},
		.enable = READ_ONCE(va_space->params.perf_prefetch_enable),
		.min_faults = READ_ONCE(va_space->params.perf_prefetch_min_faults),
		.dst = dst,
		.preferred = service->request.span.policy.preferred,
		.resident_anywhere = state->resident_procs,
	};

	if (dst != UVM_ID_CPU)
		req.in.load = uvm_pmm_prefetch_load(uvm_gpu(uvm_id_gpu_index(dst)));
	if (dst == UVM_ID_CPU) {
		struct uvm_page_mask *mapped = &service->scratch->cpu_mapped;

		uvm_page_mask_and(mapped, &state->cpu_resident, &state->cpu_mapped);
		req.in.cpu_mapped_resident = mapped;
	}
	if (!uvm_block_ask_prefetch(service, READ_ONCE(va_space->params.prefetch_policy), &req))
		uvm_page_mask_zero(&service->scratch->prefetch);
	else
		uvm_service_refuse_prefetch(service, &req);
}

/*
 * Only with a single destination (nvidia-uvm 5.1).  What was chosen stays
 * chosen while the block fills, or each unit that came would make the next choice bolder.
 */
static void uvm_service_prefetch(struct uvm_service *service, unsigned int dst)
{
	struct uvm_va_space *va_space = service->request.va_space;
	struct uvm_service_scratch *scratch = service->scratch;
	struct uvm_page_mask *prefetch = &scratch->prefetch;
	struct uvm_va_block *block = service->request.block;
	struct uvm_block_state *state = &block->state;

	if (!scratch->chosen)
		uvm_service_choose_prefetch(service, dst);
	if (!scratch->chosen && uvm_service_by_units(dst)) {
		/* a unit evicted for another one of the block is not to come back at once */
		uvm_page_mask_andnot(prefetch, prefetch, uvm_block_state_resident(state, dst));
		scratch->chosen = true;
	}
	uvm_page_mask_and(prefetch, prefetch, &block->valid);
	uvm_service_filter_groups(service, dst);
	/* what counters brought does not go back because a neighbour stays */
	if (dst != service->request.requester &&
	    uvm_residency_delays(READ_ONCE(va_space->params.residency_policy)))
		uvm_page_mask_andnot(prefetch, prefetch,
				     uvm_block_state_resident(state, service->request.requester));
	service->result.prefetched = uvm_page_mask_weight(prefetch);
	if (!service->result.prefetched)
		return;
	trace_uvm_prefetch(sim_now(), va_space->id, block->start, dst,
			   uvm_page_mask_weight(&scratch->dst[dst]), service->result.prefetched);
	uvm_page_mask_or(&scratch->dst[dst], &scratch->dst[dst], prefetch);
	uvm_service_duplicate_prefetched(service);
}

/* ---- what stays ------------------------------------------------------ */

/* Would a page stay in system memory if the requester read it? */
static bool uvm_service_stays(struct uvm_service *service, unsigned int page)
{
	struct uvm_va_space *va_space = service->request.va_space;
	const struct uvm_residency_ops *policy = READ_ONCE(va_space->params.residency_policy);
	struct uvm_residency_query query;

	uvm_service_query(service, page, &query);
	query.access = UVM_ACCESS_READ;
	query.only_atomics = false;
	if (query.held)
		return true;
	if (uvm_policy_may_duplicate(&query))
		return false;
	return uvm_id_is_cpu(uvm_policy_check_residency(&query,
			     uvm_block_ask_residency(service, policy, &query, page)));
}

/* Pages in system memory, in 64 KB with one that faulted and stays, that the requester lacks. */
static void uvm_service_around(struct uvm_service *service, struct uvm_page_mask *around)
{
	const struct uvm_page_mask *dst = &service->scratch->dst[UVM_ID_CPU];
	const struct uvm_page_mask *wanted = &service->pages.wanted;
	struct uvm_region max_region = uvm_service_max_region(service);
	struct uvm_va_block *block = service->request.block;
	unsigned int id = service->request.requester, first;
	struct uvm_page_mask mask;

	uvm_page_mask_zero(around);
	uvm_page_mask_and(&mask, dst, wanted);
	for (first = 0; first < UVM_PAGES_PER_BLOCK; first += UVM_PAGES_PER_BIG) {
		struct uvm_region big = uvm_region_make(first, first + UVM_PAGES_PER_BIG);

		if (!uvm_page_mask_region_empty(&mask, big))
			uvm_page_mask_or_region(around, uvm_region_and(big, max_region));
	}
	uvm_page_mask_and(around, around, &block->state.cpu_resident);
	uvm_page_mask_andnot(around, around, wanted);
	uvm_page_mask_andnot(around, around, uvm_block_state_resident(&block->state, id));
	uvm_block_state_mapped(&block->state, id, UVM_PROT_READ_ONLY, &mask);
	uvm_page_mask_andnot(around, around, &mask);
	if (block->thrashing.pages)
		uvm_page_mask_andnot(around, around, &block->thrashing.thrashing);
}

/*
 * The rest of 64 KB of which a page stays is mapped along with it, if the policy wants that.
 * Nothing of it moves, so it is no prefetching and does not wait for perf_prefetch_enable.
 */
static void uvm_service_map_around(struct uvm_service *service)
{
	const struct uvm_service_request *request = &service->request;
	struct uvm_page_mask around;
	unsigned int page;

	if (likely(!READ_ONCE(request->va_space->params.residency_policy)->maps_around) ||
	    request->operation != UVM_OPERATION_FAULT || !uvm_id_is_gpu(request->requester))
		return;
	uvm_service_around(service, &around);
	for_each_page_in_mask(page, &around, request->block->region)
		if (uvm_service_stays(service, page))
			uvm_page_mask_set(&service->scratch->dst[UVM_ID_CPU], page);
}

/* ---- move ------------------------------------------------------------ */

static int uvm_service_move_pages(struct uvm_service *service, unsigned int dst,
				  struct uvm_page_mask *pages)
{
	const struct uvm_page_mask *demand = &service->pages.wanted;
	enum uvm_event_cause cause = service->request.cause;
	struct uvm_page_mask copies, moves;
	int ret;

	uvm_page_mask_and(&copies, pages, &service->scratch->duplicate);
	uvm_page_mask_andnot(&moves, pages, &service->scratch->duplicate);
	ret = uvm_va_block_duplicate(service, dst, &copies, demand, cause);
	if (!ret)
		ret = uvm_va_block_make_resident(service, dst, &moves, demand, cause);
	uvm_page_mask_or(pages, &copies, &moves);
	return ret;
}

/* What is filled at a time: a unit of eviction, but no less than 64 KB. */
static struct uvm_region uvm_service_unit(struct uvm_service *service, struct uvm_gpu *gpu,
					  unsigned int page)
{
	struct uvm_region unit = uvm_va_block_chunk_region(service->request.block, gpu, page);

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
	struct uvm_page_mask *pages = &service->scratch->dst[gpu->id];
	struct uvm_region rest = service->request.block->region, unit;
	struct uvm_page_mask part, left;
	int ret = 0;

	if (!uvm_va_block_gpu_get(service->request.block, gpu))
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
	return uvm_service_move_pages(service, dst, &service->scratch->dst[dst]);
}

/* ---- the whole ------------------------------------------------------- */

static void uvm_service_count_premature(struct uvm_service *service)
{
	const struct uvm_service_request *request = &service->request;
	struct uvm_va_block_gpu *bg;
	struct uvm_page_mask again;

	if (request->requester == UVM_ID_CPU || service->result.retries ||
	    request->operation != UVM_OPERATION_FAULT)
		return;
	bg = request->block->gpu[uvm_id_gpu_index(request->requester)];
	if (bg && uvm_page_mask_and(&again, &bg->evicted, &service->pages.wanted))
		uvm_work_stat(request->work, UVM_STAT_PREMATURE_PAGES,
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
	service->result.fresh = true;
	if (!service->scratch->chosen) {
		uvm_page_mask_zero(&service->scratch->prefetch);
		service->result.prefetched = 0;
	}
	for_each_uvm_id(id) {
		if (uvm_page_mask_empty(&service->scratch->dst[id]))
			continue;
		if (n == 1)
			uvm_service_prefetch(service, id);
		if (uvm_id_is_cpu(id))
			uvm_service_map_around(service);
		ret = uvm_service_move(service, id);
		if (ret)
			return ret;
	}
	return uvm_service_map(service);
}

int uvm_service_attempt(struct uvm_service *service, const void *arg)
{
	return service->request.block->dead ? -EFAULT : uvm_service_locked(service);
}

int uvm_service_block(struct uvm_service *service)
{
	return uvm_service_try(service, uvm_service_attempt, NULL);
}
