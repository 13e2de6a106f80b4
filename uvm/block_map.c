// SPDX-License-Identifier: GPL-2.0
/*
 * After pages have moved: who may use them, and how (nvidia-uvm 3.2, steps 2
 * to 6).
 *
 * Writing needs the only copy.  Where the page is, atomics work, so a local
 * mapping allows everything at once; over a link without atomics a remote one
 * allows everything else.
 */
#include "block_thrashing.h"
#include "gpu.h"
#include "param.h"
#include "policy.h"
#include "va_block.h"
#include "va_space.h"
#include "work.h"

static enum uvm_prot uvm_map_prot(struct uvm_service *service, unsigned int id, unsigned int dst)
{
	return service->va_space->topology.native_atomics[id] & BIT(dst) ?
	       UVM_PROT_READ_WRITE_ATOMIC : UVM_PROT_READ_WRITE;
}

/* A policy that leaves pages to access counters wants to hear of writes over the link. */
static enum uvm_prot uvm_map_faulting_prot(struct uvm_service *service, unsigned int id,
					   unsigned int dst)
{
	const struct uvm_residency_ops *policy =
		READ_ONCE(service->va_space->params.residency_policy);

	if (uvm_id_is_cpu(dst) && policy->delays)
		return UVM_PROT_READ_ONLY;
	return uvm_map_prot(service, id, dst);
}

static void uvm_map_charge(struct uvm_service *service, struct uvm_gpu *gpu,
			   const struct uvm_page_mask *pages)
{
	uvm_work_enter(service->work, UVM_PHASE_MAP, uvm_cost(gpu, map) +
		       uvm_page_mask_weight(pages) * uvm_cost(gpu, map_page));
}

static void uvm_map_report_cause(struct uvm_service *service, unsigned int id,
				 const struct uvm_page_mask *pages, unsigned int dst,
				 enum uvm_event_cause cause)
{
	struct uvm_va_block *block = service->block;
	struct uvm_region sub;

	for_each_subregion(sub, pages, block->region) {
		struct uvm_event ev = {
			.type = UVM_EVENT_MAP_REMOTE,
			.gpu = uvm_id_to_user(id),
			.time_ns = sim_now(),
			.address = uvm_va_block_address(block, sub.first),
			.bytes = uvm_region_bytes(sub),
			.batch = service->batch,
			.src = uvm_id_to_user(id),
			.dst = uvm_id_to_user(dst),
			.cause = cause,
		};

		uvm_events_emit(&service->va_space->events, &ev);
	}
}

static void uvm_map_report_remote(struct uvm_service *service, unsigned int id,
				  const struct uvm_page_mask *pages, unsigned int dst)
{
	const struct uvm_page_mask *pinned = &service->block->thrashing.pinned;
	struct uvm_page_mask mask;

	if (service->cause == UVM_CAUSE_EVICTION) {
		uvm_map_report_cause(service, id, pages, dst, UVM_CAUSE_EVICTION);
		return;
	}
	uvm_page_mask_and(&mask, pages, pinned);
	uvm_map_report_cause(service, id, &mask, dst, UVM_CAUSE_THRASHING);
	uvm_page_mask_andnot(&mask, pages, pinned);
	uvm_map_report_cause(service, id, &mask, dst, UVM_CAUSE_POLICY);
}

/* Map pages that are resident at @dst on a GPU; reported is what it had not mapped. */
static int uvm_map_on_gpu(struct uvm_service *service, unsigned int id, unsigned int dst,
			  const struct uvm_page_mask *pages, enum uvm_prot prot)
{
	struct uvm_gpu_va_space *gvs = service->va_space->gpus[uvm_id_gpu_index(id)];
	struct uvm_page_mask fresh;
	int ret;

	uvm_block_state_mapped(&service->block->state, id, min(prot, UVM_PROT_READ_WRITE), &fresh);
	uvm_page_mask_andnot(&fresh, pages, &fresh);
	ret = uvm_va_block_map_gpu(service->block, gvs, pages, prot);
	if (!ret && dst != id)
		uvm_map_report_remote(service, id, &fresh, dst);
	return ret;
}

/*
 * Pages of a destination that nobody may write yet: copies, and discarded ones
 * that were asked for to be read.
 */
static void uvm_map_read_only(struct uvm_service *service, unsigned int dst,
			      struct uvm_page_mask *out)
{
	struct uvm_va_block *block = service->block;
	struct uvm_page_mask discarded;
	unsigned int page;

	uvm_page_mask_and(out, &service->dst[dst], &service->duplicate);
	if (!uvm_page_mask_and(&discarded, &service->dst[dst], &block->state.discarded))
		return;
	for_each_page_in_mask(page, &discarded, block->region) {
		if (!uvm_page_mask_test(&service->wanted, page) ||
		    service->access[page] <= UVM_ACCESS_READ)
			uvm_page_mask_set(out, page);
	}
}

/*
 * Atomics of a GPU on its own memory, or on a peer's over a link that has them,
 * exclude writers over a link without (step 3).  Other requests take nothing from
 * anybody: who has atomics has them natively, and what has moved is mapped by nobody.
 */
static int uvm_map_revoke(struct uvm_service *service, unsigned int dst,
			  const struct uvm_page_mask *pages)
{
	struct uvm_va_block *block = service->block;
	const u16 *native = service->va_space->topology.native_atomics;
	unsigned int id, requester = service->requester;
	struct uvm_page_mask lost;
	int ret = 0;

	if (uvm_id_is_cpu(requester) || !(native[requester] & BIT(dst)))
		return 0;
	for_each_uvm_gpu_id(id) {
		if (ret || id == requester || !(block->state.mapped_procs & BIT(id)) ||
		    (native[id] & BIT(dst)))
			continue;
		uvm_block_state_mapped(&block->state, id, UVM_PROT_READ_WRITE, &lost);
		if (!uvm_page_mask_and(&lost, &lost, pages))
			continue;
		uvm_block_thrashing_revoked(block, id, &lost);
		ret = uvm_va_block_revoke_gpu(block, service->va_space->gpus[uvm_id_gpu_index(id)],
					      &lost, UVM_PROT_READ_ONLY);
	}
	return ret;
}

/* Pages that may be written have bytes that are wanted again (step 6). */
static void uvm_map_keep(struct uvm_va_block *block, unsigned int dst,
			 const struct uvm_page_mask *pages)
{
	if (!uvm_page_mask_intersects(pages, &block->state.discarded))
		return;
	uvm_page_mask_andnot(&block->state.discarded, &block->state.discarded, pages);
	if (uvm_id_is_gpu(dst))
		uvm_va_block_mark_chunks(block, uvm_gpu(uvm_id_gpu_index(dst)), pages, false);
}

static int uvm_map_requester_gpu(struct uvm_service *service, unsigned int dst,
				 const struct uvm_page_mask *read_only)
{
	unsigned int id = service->requester;
	struct uvm_page_mask write;
	int ret;

	uvm_map_charge(service, uvm_gpu(uvm_id_gpu_index(id)), &service->dst[dst]);
	uvm_page_mask_andnot(&write, &service->dst[dst], read_only);
	ret = uvm_map_revoke(service, dst, &write);
	if (!ret)
		ret = uvm_map_on_gpu(service, id, dst, read_only, UVM_PROT_READ_ONLY);
	if (!ret)
		ret = uvm_map_on_gpu(service, id, dst, &write,
				     uvm_map_faulting_prot(service, id, dst));
	if (!ret)
		uvm_map_keep(service->block, dst, &write);
	return ret;
}

static int uvm_map_wait(struct uvm_service *service)
{
	int ret;

	uvm_work_enter(service->work, UVM_PHASE_COPY, 0);
	uvm_work_wait_begin(service->work);
	ret = uvm_tracker_wait(&service->block->tracker);
	uvm_work_wait_end(service->work);
	return ret;
}

/* The pages are home when the copies are done; the second pass maps them. */
static int uvm_map_requester_cpu(struct uvm_service *service, const struct uvm_page_mask *read_only)
{
	struct uvm_va_block *block = service->block;
	const struct uvm_page_mask *pages = &service->dst[UVM_ID_CPU];
	unsigned int page = uvm_page_mask_first(&service->wanted, block->region);
	struct uvm_page_mask write;
	int ret;

	ret = uvm_map_wait(service);
	if (ret)
		return ret;
	uvm_work_enter(service->work, UVM_PHASE_MAP, uvm_page_mask_weight(pages) *
		       uvm_cost(uvm_gpu(0), cpu_map_page));
	uvm_page_mask_andnot(&write, pages, read_only);
	uvm_va_block_admit_cpu(block, read_only, UVM_PROT_READ_ONLY);
	uvm_va_block_admit_cpu(block, &write, UVM_PROT_READ_WRITE_ATOMIC);
	uvm_va_block_grant_cpu(block, pages, page, service->access[page] > UVM_ACCESS_READ);
	uvm_map_keep(block, UVM_ID_CPU, &write);
	return 0;
}

/* Pages that are at @dst and nowhere else, and that somebody wants, as far as @id reaches. */
static bool uvm_map_reachable(struct uvm_service *service, unsigned int id, unsigned int dst,
			      const struct uvm_page_mask *pages, struct uvm_page_mask *out)
{
	const struct uvm_block_state *state = &service->block->state;

	if (!uvm_topology_can_access(&service->va_space->topology, id, dst) ||
	    !uvm_page_mask_and(out, pages, uvm_block_state_resident(state, dst)))
		return false;
	uvm_page_mask_andnot(out, out, &state->read_duplicated);
	return uvm_page_mask_andnot(out, out, &state->discarded);
}

int uvm_service_map_evicted(struct uvm_service *service, unsigned int id,
			    const struct uvm_page_mask *pages)
{
	enum uvm_event_cause cause = service->cause;
	struct uvm_page_mask mask;
	unsigned int dst;
	int ret = 0;

	service->cause = UVM_CAUSE_EVICTION;
	for_each_uvm_id(dst) {
		if (ret || !uvm_map_reachable(service, id, dst, pages, &mask))
			continue;
		uvm_map_charge(service, uvm_gpu(uvm_id_gpu_index(id)), &mask);
		ret = uvm_map_on_gpu(service, id, dst, &mask,
				     uvm_map_faulting_prot(service, id, dst));
	}
	service->cause = cause;
	return ret;
}

int uvm_service_map_accessed_by(struct uvm_service *service, unsigned int id,
				const struct uvm_page_mask *pages)
{
	struct uvm_va_block *block = service->block;
	unsigned int dst;
	int ret = 0;

	for_each_uvm_id(dst) {
		struct uvm_page_mask mask;

		if (ret || (id == service->span.policy.preferred && id != dst) ||
		    !uvm_map_reachable(service, id, dst, pages, &mask))
			continue;
		if (uvm_id_is_cpu(id)) {
			/* its entries are made when it touches the pages */
			ret = uvm_map_wait(service);
			if (!ret)
				uvm_va_block_admit_cpu(block, &mask, UVM_PROT_READ_WRITE_ATOMIC);
			continue;
		}
		uvm_map_charge(service, uvm_gpu(uvm_id_gpu_index(id)), &mask);
		ret = uvm_map_on_gpu(service, id, dst, &mask, uvm_map_prot(service, id, dst));
	}
	return ret;
}

/* Of pages that are kept in one place, those that a processor fights for but has not mapped. */
static bool uvm_map_thrashing(struct uvm_service *service, unsigned int id,
			      const struct uvm_page_mask *pages, struct uvm_page_mask *out)
{
	struct uvm_va_block *block = service->block;
	struct uvm_page_mask mapped;

	if (!uvm_block_thrashing_pages(block, id, pages, out))
		return false;
	if (uvm_id_is_gpu(id) && !block->gpu[uvm_id_gpu_index(id)])
		return true;
	uvm_block_state_mapped(&block->state, id, UVM_PROT_READ_WRITE, &mapped);
	return uvm_page_mask_andnot(out, out, &mapped);
}

/* Step 5: the pages of the operation that may be written, for whoever is to see them. */
static int uvm_map_others(struct uvm_service *service)
{
	u16 others = service->span.policy.accessed_by & ~BIT(service->requester);
	struct uvm_page_mask pages = {}, fought;
	unsigned int id;
	int ret = 0;

	if (!others && !service->block->thrashing.nr_pinned)
		return 0;
	for_each_uvm_id(id)
		uvm_page_mask_or(&pages, &pages, &service->dst[id]);
	uvm_page_mask_andnot(&pages, &pages, &service->duplicate);
	for_each_uvm_id(id) {
		if (ret || id == service->requester ||
		    !uvm_va_space_has_processor(service->va_space, id))
			continue;
		if (uvm_map_thrashing(service, id, &pages, &fought))
			ret = uvm_service_map_accessed_by(service, id, &fought);
		if (!ret && (others & BIT(id)))
			ret = uvm_service_map_accessed_by(service, id, &pages);
	}
	/* without memory for tables they fault when they come (nvidia-uvm 3.2, note) */
	return ret == -ENOMEM ? 0 : ret;
}

int uvm_service_map(struct uvm_service *service)
{
	struct uvm_page_mask read_only;
	unsigned int dst;
	int ret = 0;

	for_each_uvm_id(dst) {
		if (ret || uvm_page_mask_empty(&service->dst[dst]))
			continue;
		uvm_map_read_only(service, dst, &read_only);
		if (uvm_id_is_gpu(service->requester))
			ret = uvm_map_requester_gpu(service, dst, &read_only);
		else if (uvm_id_is_cpu(dst))
			ret = uvm_map_requester_cpu(service, &read_only);
	}
	return ret ?: uvm_map_others(service);
}
