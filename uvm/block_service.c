// SPDX-License-Identifier: GPL-2.0
/*
 * Serving one block: residency, prefetch, move, map (nvidia-uvm 3.1, 3.2).
 */
#include <linux/slab.h>
#include "gpu.h"
#include "param.h"
#include "policy.h"
#include "trace.h"
#include "va_block.h"
#include "va_space.h"
#include "work.h"

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

/* ---- residency ------------------------------------------------------- */

/* Processors whose memory the requester can reach: its own; GPUs also the CPU's. */
static u16 uvm_service_accessible(unsigned int requester)
{
	return BIT(requester) | BIT(UVM_ID_CPU);
}

static unsigned int uvm_service_residency(struct uvm_service *service, unsigned int page)
{
	struct uvm_va_space *va_space = service->va_space;
	const struct uvm_residency_ops *policy = READ_ONCE(va_space->params.residency_policy);
	struct uvm_residency_query query = {
		.requester = service->requester,
		.preferred = service->span.preferred,
		.resident = uvm_block_state_resident_id(&service->block->state, page),
		.access = service->access[page],
		.accessible = uvm_service_accessible(service->requester),
	};
	unsigned int id;

	if (query.preferred != UVM_ID_INVALID &&
	    !uvm_va_space_has_processor(va_space, query.preferred))
		query.preferred = UVM_ID_INVALID;
	id = uvm_policy_check_residency(&query, policy->select(&query));
	/* no atomics over the link: they need the page at home */
	if (id != service->requester && service->requester != UVM_ID_CPU &&
	    service->access[page] == UVM_ACCESS_ATOMIC)
		id = service->requester;
	return id;
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
	uvm_page_mask_and(&service->wanted, &service->wanted, &block->valid);
	for_each_page_in_mask(page, &service->wanted, block->region) {
		if (service->requester != UVM_ID_CPU &&
		    block->gpu[uvm_id_gpu_index(service->requester)] &&
		    uvm_prot_allows(uvm_block_state_prot(&block->state, service->requester, page),
				    service->access[page]))
			continue;
		uvm_page_mask_set(&service->dst[uvm_service_residency(service, page)], page);
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

	return uvm_region_make(uvm_va_block_page(block, first), uvm_va_block_page(block, last) + 1);
}

/* Only with a single destination (nvidia-uvm 5.1, precondition). */
static void uvm_service_prefetch(struct uvm_service *service, unsigned int dst)
{
	struct uvm_va_space *va_space = service->va_space;
	struct uvm_va_block *block = service->block;
	struct uvm_block_state *state = &block->state;
	struct uvm_prefetch_request req = {
		.in = {
			.resident = state->resident_procs & BIT(dst) ?
				    uvm_block_state_resident(state, dst) : NULL,
			.faulted = &service->dst[dst],
			.max_region = uvm_service_max_region(service),
			.faulted_region = uvm_page_mask_span(&service->dst[dst]),
			.threshold = READ_ONCE(va_space->params.perf_prefetch_threshold),
			.dst_is_cpu = dst == UVM_ID_CPU,
		},
		.select = READ_ONCE(va_space->params.prefetch_policy)->select,
		.enable = READ_ONCE(va_space->params.perf_prefetch_enable),
		.min_faults = READ_ONCE(va_space->params.perf_prefetch_min_faults),
		.dst = dst,
		.preferred = service->span.preferred,
		.resident_anywhere = state->resident_procs,
	};

	if (dst == UVM_ID_CPU) {
		uvm_page_mask_and(&service->tmp[0], &state->cpu_resident, &state->cpu_mapped);
		req.in.cpu_mapped_resident = &service->tmp[0];
	}
	if (!uvm_prefetch_decide(&block->prefetch, &req, &service->prefetch))
		uvm_page_mask_zero(&service->prefetch);
	uvm_page_mask_and(&service->prefetch, &service->prefetch, &block->valid);
	if (uvm_page_mask_empty(&service->prefetch))
		return;
	trace_uvm_prefetch(sim_now(), va_space->id, block->start, dst,
			   uvm_page_mask_weight(&service->dst[dst]),
			   uvm_page_mask_weight(&service->prefetch));
	uvm_page_mask_or(&service->dst[dst], &service->dst[dst], &service->prefetch);
}

/* ---- map ------------------------------------------------------------- */

static void uvm_service_report_remote(struct uvm_service *service,
				      const struct uvm_page_mask *pages, unsigned int dst)
{
	struct uvm_va_block *block = service->block;
	struct uvm_region sub;

	for_each_subregion(sub, pages, block->region) {
		struct uvm_event ev = {
			.type = UVM_EVENT_MAP_REMOTE,
			.gpu = uvm_id_to_user(service->requester),
			.time_ns = sim_now(),
			.address = uvm_va_block_address(block, sub.first),
			.bytes = uvm_region_bytes(sub),
			.batch = service->batch,
			.src = uvm_id_to_user(service->requester),
			.dst = uvm_id_to_user(dst),
			.cause = UVM_CAUSE_POLICY,
		};

		uvm_events_emit(&service->va_space->events, &ev);
	}
}

/*
 * Everybody else was unmapped when the pages moved, and nothing is duplicated:
 * local pages get all permissions at once (nvidia-uvm 3.2-2), remote ones all
 * but atomics.
 */
static int uvm_service_map_gpu(struct uvm_service *service)
{
	unsigned int id = service->requester, dst;
	struct uvm_gpu_va_space *gvs = service->va_space->gpus[uvm_id_gpu_index(id)];
	struct uvm_page_mask fresh;
	int ret = 0;

	for_each_uvm_id(dst) {
		struct uvm_page_mask *pages = &service->dst[dst];

		if (ret || uvm_page_mask_empty(pages))
			continue;
		uvm_work_enter(service->work, UVM_PHASE_MAP, uvm_cost(gvs->gpu, map) +
			       uvm_page_mask_weight(pages) * uvm_cost(gvs->gpu, map_page));
		/* reported is what is mapped only now */
		uvm_block_state_mapped(&service->block->state, id, UVM_PROT_READ_WRITE, &fresh);
		uvm_page_mask_andnot(&fresh, pages, &fresh);
		ret = uvm_va_block_map_gpu(service->block, gvs, pages,
					   dst == id ? UVM_PROT_READ_WRITE_ATOMIC :
						       UVM_PROT_READ_WRITE);
		if (!ret && dst != id)
			uvm_service_report_remote(service, &fresh, dst);
	}
	return ret;
}

/* The pages are home when the copies are done; the second pass maps them. */
static int uvm_service_grant_cpu(struct uvm_service *service)
{
	struct uvm_va_block *block = service->block;
	struct uvm_page_mask *pages = &service->dst[UVM_ID_CPU];
	u64 grant_ns = (u64)READ_ONCE(service->va_space->params.cpu_grant_us) * NSEC_PER_USEC;
	int ret;

	uvm_work_enter(service->work, UVM_PHASE_COPY, 0);
	uvm_work_wait_begin(service->work);
	ret = uvm_tracker_wait(&block->tracker);
	uvm_work_wait_end(service->work);
	if (ret)
		return ret;
	uvm_work_enter(service->work, UVM_PHASE_MAP, uvm_page_mask_weight(pages) *
		       uvm_cost(uvm_gpu(0), cpu_map_page));
	mutex_lock(&block->map_lock);
	uvm_page_mask_or(&block->cpu_mappable, &block->cpu_mappable, pages);
	uvm_page_mask_or(&block->cpu_granted, &block->cpu_granted, pages);
	block->grant_ends = sim_now() + grant_ns;
	mutex_unlock(&block->map_lock);
	uvm_block_state_map(&block->state, UVM_ID_CPU, pages, UVM_PROT_READ_WRITE_ATOMIC);
	return 0;
}

/* ---- the whole ------------------------------------------------------- */

static void uvm_service_count_premature(struct uvm_service *service)
{
	struct uvm_va_block_gpu *bg;
	struct uvm_page_mask again;

	if (service->requester == UVM_ID_CPU || service->retries)
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
	uvm_page_mask_zero(&service->prefetch);
	for_each_uvm_id(id) {
		if (uvm_page_mask_empty(&service->dst[id]))
			continue;
		if (n == 1)
			uvm_service_prefetch(service, id);
		ret = uvm_va_block_make_resident(service, id, &service->dst[id], &service->wanted,
						 service->cause);
		if (ret)
			return ret;
	}
	if (service->requester == UVM_ID_CPU)
		return uvm_service_grant_cpu(service);
	return uvm_service_map_gpu(service);
}

int uvm_service_block(struct uvm_service *service)
{
	struct uvm_va_block *block = service->block;
	int ret;

	sim_assert_held(&service->va_space->lock);
	service->retries = 0;
	do {
		sim_mutex_lock(&block->lock);
		ret = block->dead ? -EFAULT : uvm_service_locked(service);
		uvm_service_unpin(service);
		sim_mutex_unlock(&block->lock);
		service->retries++;
	} while (ret == -EAGAIN);
	uvm_service_free_parked(service);
	/* only eviction can have said so, and it could not help */
	return ret == -ENOSPC ? -ENOMEM : ret;
}
