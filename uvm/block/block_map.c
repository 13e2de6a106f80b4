// SPDX-License-Identifier: GPL-2.0
/*
 * After pages have moved: who may use them, and how (nvidia-uvm 3.2, steps 2
 * to 6).
 *
 * Writing needs the only copy.  What each may do is worked out in block_prot.c; here it
 * is carried out, and reported.
 */
#include "block/block_thrashing.h"
#include "block/service_priv.h"
#include "gpu/gpu.h"
#include "gpu/tracker.h"
#include "policy/param.h"
#include "policy/policy.h"
#include "block/va_block.h"
#include "space/va_space_types.h"
#include "base/work.h"

/* A policy that leaves pages to access counters wants to hear of writes over the link. */
static bool uvm_map_delays(const struct uvm_service *service, unsigned int dst)
{
	return uvm_id_is_cpu(dst) &&
	       uvm_residency_delays(READ_ONCE(service->request.va_space->params.residency_policy));
}

static void uvm_map_charge(struct uvm_service *service, struct uvm_gpu *gpu,
			   const struct uvm_page_mask *pages)
{
	uvm_work_enter(service->request.work, UVM_PHASE_MAP, uvm_cost(gpu, map) +
		       uvm_page_mask_weight(pages) * uvm_cost(gpu, map_page));
}

static void uvm_map_report_cause(struct uvm_service *service, unsigned int id,
				 const struct uvm_page_mask *pages, unsigned int dst,
				 enum uvm_event_cause cause)
{
	struct uvm_va_block *block = service->request.block;
	struct uvm_region sub;

	for_each_subregion(sub, pages, block->region) {
		struct uvm_event ev = {
			.type = UVM_EVENT_MAP_REMOTE,
			.gpu = uvm_id_to_user(id),
			.time_ns = sim_now(),
			.address = uvm_va_block_address(block, sub.first),
			.bytes = uvm_region_bytes(sub),
			.batch = service->request.batch,
			.src = uvm_id_to_user(id),
			.dst = uvm_id_to_user(dst),
			.cause = cause,
		};

		uvm_events_emit(&service->request.va_space->events, &ev);
	}
}

/* @cause: UVM_CAUSE_EVICTION, or UVM_CAUSE_POLICY, which thrashing may be the reason for. */
static void uvm_map_report_remote(struct uvm_service *service, unsigned int id,
				  const struct uvm_page_mask *pages, unsigned int dst,
				  enum uvm_event_cause cause)
{
	const struct uvm_page_mask *pinned = &service->request.block->thrashing.pinned;
	struct uvm_page_mask mask;

	if (cause == UVM_CAUSE_EVICTION) {
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
			  const struct uvm_page_mask *pages, enum uvm_prot prot,
			  enum uvm_event_cause cause)
{
	struct uvm_va_block *block = service->request.block;
	struct uvm_gpu_va_space *gvs = service->request.va_space->gpus[uvm_id_gpu_index(id)];
	struct uvm_page_mask fresh;
	int ret;

	uvm_block_state_mapped(&block->state, id, min(prot, UVM_PROT_READ_WRITE), &fresh);
	uvm_page_mask_andnot(&fresh, pages, &fresh);
	ret = uvm_va_block_map_gpu(block, gvs, pages, prot);
	if (!ret && dst != id)
		uvm_map_report_remote(service, id, &fresh, dst, cause);
	return ret;
}

/* Map pages that are at @dst as scratch->prot says. */
static int uvm_map_by_prot(struct uvm_service *service, unsigned int id, unsigned int dst,
			   enum uvm_event_cause cause)
{
	struct uvm_page_mask *pages = service->scratch->prot;
	enum uvm_prot prot;
	int ret = 0;

	for (prot = UVM_PROT_READ_ONLY; prot <= UVM_PROT_READ_WRITE_ATOMIC && !ret; prot++)
		if (!uvm_page_mask_empty(&pages[prot]))
			ret = uvm_map_on_gpu(service, id, dst, &pages[prot], prot, cause);
	return ret;
}

/* What the pages of a destination are asked for; nobody may write copies yet. */
static void uvm_map_asked(struct uvm_service *service, unsigned int dst,
			  struct uvm_prot_asked *asked)
{
	const struct uvm_page_mask *pages = &service->scratch->dst[dst];
	struct uvm_va_block *block = service->request.block;
	const u8 *access = service->pages.access;
	struct uvm_page_mask wanted;
	unsigned int page;

	uvm_page_mask_copy(&asked->read, pages);
	uvm_page_mask_zero(&asked->atomic);
	uvm_page_mask_and(&wanted, pages, &service->pages.wanted);
	for_each_page_in_mask(page, &wanted, block->region) {
		if (access[page] > UVM_ACCESS_READ)
			uvm_page_mask_clear(&asked->read, page);
		if (access[page] == UVM_ACCESS_ATOMIC)
			uvm_page_mask_set(&asked->atomic, page);
	}
	uvm_page_mask_copy(&asked->only_read, &asked->read);
	if (!uvm_id_is_gpu(service->request.requester) || !uvm_map_delays(service, dst))
		uvm_page_mask_and(&asked->only_read, &asked->only_read, &block->state.discarded);
	uvm_page_mask_and(&wanted, pages, &service->scratch->duplicate);
	uvm_page_mask_or(&asked->only_read, &asked->only_read, &wanted);
}

/* Step 3: one processor loses what the requester's new permissions exclude. */
static int uvm_map_revoke_one(struct uvm_service *service, unsigned int dst, enum uvm_prot prot,
			      unsigned int id)
{
	const struct uvm_service_request *request = &service->request;
	struct uvm_page_mask *pages = &service->scratch->prot[prot], lost;
	struct uvm_va_block *block = request->block;
	enum uvm_prot left;

	left = uvm_block_prot_revoked(&block->state, request->requester, dst, pages, prot, id,
				      &lost);
	if (left == UVM_PROT_READ_WRITE_ATOMIC)
		return 0;
	uvm_block_thrashing_revoked(block, id, &lost);
	if (uvm_id_is_gpu(id))
		return uvm_va_block_revoke_gpu(block,
					       request->va_space->gpus[uvm_id_gpu_index(id)],
					       &lost, left);
	uvm_service_revoke_cpu(service, &lost, pages, left);
	return 0;
}

/* Pages that the CPU is being given stay as they are: the requester faults again. */
static int uvm_map_revoke(struct uvm_service *service, unsigned int dst)
{
	enum uvm_prot prot;
	unsigned int id;
	int ret = 0;

	for (prot = UVM_PROT_READ_WRITE; prot <= UVM_PROT_READ_WRITE_ATOMIC; prot++) {
		if (uvm_page_mask_empty(&service->scratch->prot[prot]))
			continue;
		for_each_uvm_id(id)
			if (!ret)
				ret = uvm_map_revoke_one(service, dst, prot, id);
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

static void uvm_map_keep_written(struct uvm_service *service, unsigned int dst)
{
	struct uvm_page_mask *pages = service->scratch->prot;

	uvm_map_keep(service->request.block, dst, &pages[UVM_PROT_READ_WRITE]);
	uvm_map_keep(service->request.block, dst, &pages[UVM_PROT_READ_WRITE_ATOMIC]);
}

static int uvm_map_requester_gpu(struct uvm_service *service, unsigned int dst)
{
	unsigned int id = service->request.requester;
	int ret;

	uvm_map_charge(service, uvm_gpu(uvm_id_gpu_index(id)), &service->scratch->dst[dst]);
	ret = uvm_map_revoke(service, dst);
	if (!ret)
		ret = uvm_map_by_prot(service, id, dst, UVM_CAUSE_POLICY);
	if (!ret)
		uvm_map_keep_written(service, dst);
	return ret;
}

static int uvm_map_wait(struct uvm_service *service)
{
	int ret;

	uvm_work_enter(service->request.work, UVM_PHASE_COPY, 0);
	uvm_work_wait_begin(service->request.work);
	ret = uvm_tracker_wait(&service->request.block->tracker);
	uvm_work_wait_end(service->request.work);
	return ret;
}

/* From now on the CPU may use pages of its memory as scratch->prot says. */
static void uvm_map_admit_cpu(struct uvm_service *service)
{
	const struct uvm_page_mask *pages = service->scratch->prot;
	enum uvm_prot prot;

	for (prot = UVM_PROT_READ_ONLY; prot <= UVM_PROT_READ_WRITE_ATOMIC; prot++)
		if (!uvm_page_mask_empty(&pages[prot]))
			uvm_va_block_admit_cpu(service->request.block, &pages[prot], prot);
}

/*
 * The pages are home, and nobody else's any more, when the work on them is done; the
 * second pass maps them.
 */
static int uvm_map_requester_cpu(struct uvm_service *service)
{
	struct uvm_va_block *block = service->request.block;
	const struct uvm_page_mask *pages = &service->scratch->dst[UVM_ID_CPU];
	unsigned int page = uvm_page_mask_first(&service->pages.wanted, block->region);
	int ret;

	ret = uvm_map_revoke(service, UVM_ID_CPU) ?: uvm_map_wait(service);
	if (ret)
		return ret;
	uvm_work_enter(service->request.work, UVM_PHASE_MAP, uvm_page_mask_weight(pages) *
		       uvm_cost(uvm_gpu(0), cpu_map_page));
	uvm_map_admit_cpu(service);
	uvm_va_block_grant_cpu(block, pages, page,
			       service->pages.access[page] > UVM_ACCESS_READ);
	uvm_map_keep_written(service, UVM_ID_CPU);
	return 0;
}

int uvm_service_map_local(struct uvm_service *service, unsigned int id,
			  const struct uvm_page_mask *pages, bool copies)
{
	struct uvm_page_mask *prot = service->scratch->prot;

	uvm_block_prot_highest(&service->request.block->state, id, id, pages, prot);
	if (copies) {
		uvm_page_mask_copy(&prot[UVM_PROT_READ_ONLY], pages);
		uvm_page_mask_zero(&prot[UVM_PROT_READ_WRITE_ATOMIC]);
	}
	if (uvm_id_is_gpu(id))
		return uvm_map_by_prot(service, id, id, UVM_CAUSE_POLICY);
	uvm_map_admit_cpu(service);
	return 0;
}

/* Pages that are at @dst and nowhere else, and that somebody wants, as far as @id reaches. */
static bool uvm_map_reachable(struct uvm_service *service, unsigned int id, unsigned int dst,
			      const struct uvm_page_mask *pages, struct uvm_page_mask *out)
{
	const struct uvm_block_state *state = &service->request.block->state;

	if (!uvm_topology_can_access(&service->request.va_space->topology, id, dst) ||
	    !uvm_page_mask_and(out, pages, uvm_block_state_resident(state, dst)))
		return false;
	uvm_page_mask_andnot(out, out, &state->read_duplicated);
	return uvm_page_mask_andnot(out, out, &state->discarded);
}

int uvm_service_map_evicted(struct uvm_service *service, unsigned int id,
			    const struct uvm_page_mask *pages)
{
	struct uvm_page_mask mask;
	unsigned int dst;
	int ret = 0;

	for_each_uvm_id(dst) {
		if (ret || !uvm_map_reachable(service, id, dst, pages, &mask))
			continue;
		uvm_map_charge(service, uvm_gpu(uvm_id_gpu_index(id)), &mask);
		if (uvm_map_delays(service, dst)) {
			ret = uvm_map_on_gpu(service, id, dst, &mask, UVM_PROT_READ_ONLY,
					     UVM_CAUSE_EVICTION);
			continue;
		}
		uvm_block_prot_highest(&service->request.block->state, id, dst, &mask,
				       service->scratch->prot);
		ret = uvm_map_by_prot(service, id, dst, UVM_CAUSE_EVICTION);
	}
	return ret;
}

int uvm_service_map_accessed_by(struct uvm_service *service, unsigned int id,
				const struct uvm_page_mask *pages)
{
	unsigned int dst, preferred = service->request.span.policy.preferred;
	int ret = 0;

	/* it has no pages elsewhere, unless none are to come */
	if (READ_ONCE(service->request.va_space->params.fault_force_sysmem))
		preferred = UVM_ID_INVALID;
	for_each_uvm_id(dst) {
		struct uvm_page_mask mask;

		if (ret || (id == preferred && id != dst) ||
		    !uvm_map_reachable(service, id, dst, pages, &mask))
			continue;
		uvm_block_prot_highest(&service->request.block->state, id, dst, &mask,
				       service->scratch->prot);
		if (uvm_id_is_cpu(id)) {
			/* its entries are made when it touches the pages */
			ret = uvm_map_wait(service);
			if (!ret)
				uvm_map_admit_cpu(service);
			continue;
		}
		uvm_map_charge(service, uvm_gpu(uvm_id_gpu_index(id)), &mask);
		ret = uvm_map_by_prot(service, id, dst, UVM_CAUSE_POLICY);
	}
	return ret;
}

/* Of pages that are kept in one place, those that a processor fights for but has not mapped. */
static bool uvm_map_thrashing(struct uvm_service *service, unsigned int id,
			      const struct uvm_page_mask *pages, struct uvm_page_mask *out)
{
	struct uvm_va_block *block = service->request.block;
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
	u16 others = service->request.span.policy.accessed_by & ~BIT(service->request.requester);
	struct uvm_page_mask pages = {}, fought;
	unsigned int id;
	int ret = 0;

	if (!others && !service->request.block->thrashing.nr_pinned)
		return 0;
	for_each_uvm_id(id)
		uvm_page_mask_or(&pages, &pages, &service->scratch->dst[id]);
	uvm_page_mask_andnot(&pages, &pages, &service->scratch->duplicate);
	for_each_uvm_id(id) {
		if (ret || id == service->request.requester ||
		    !uvm_va_space_has_processor(service->request.va_space, id))
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
	struct uvm_service_scratch *scratch = service->scratch;
	unsigned int dst, id = service->request.requester;
	struct uvm_prot_asked asked;
	int ret = 0;

	for_each_uvm_id(dst) {
		if (ret || uvm_page_mask_empty(&scratch->dst[dst]))
			continue;
		uvm_map_asked(service, dst, &asked);
		uvm_block_prot_requested(&service->request.block->state, id, dst,
					 &scratch->dst[dst], &asked, scratch->prot);
		if (uvm_id_is_gpu(id))
			ret = uvm_map_requester_gpu(service, dst);
		else if (uvm_id_is_cpu(dst))
			ret = uvm_map_requester_cpu(service);
	}
	return ret ?: uvm_map_others(service);
}
