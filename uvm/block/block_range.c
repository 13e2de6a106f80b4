// SPDX-License-Identifier: GPL-2.0
/*
 * What policies keep of managed ranges (policy/range_state.h): where pages of a block come and
 * go, and where its policies are asked.  What no policy has asked for costs a look at a count.
 */
#include "base/work.h"
#include "block/block_range.h"
#include "block/service_priv.h"
#include "block/va_block.h"
#include "gpu/gpu.h"
#include "space/va_space_types.h"

/* ---- told ------------------------------------------------------------------ */

static void block_range_charge(struct uvm_service *service, struct uvm_gpu *gpu,
			       unsigned int calls)
{
	uvm_work_charge(service->request.work, UVM_PHASE_EVICT, calls * uvm_cost(gpu, policy));
}

struct block_heard {
	struct uvm_va_space *va_space;
	struct uvm_gpu *gpu;
};

static void block_tell_pattern(void *arg, const struct uvm_range_view *range,
			       enum uvm_pattern pattern)
{
	const struct block_heard *heard = arg;
	struct uvm_event ev = {
		.type = UVM_EVENT_PATTERN,
		.gpu = heard->gpu->index,
		.time_ns = sim_now(),
		.address = range->start,
		.bytes = range->end - range->start + 1,
		.src = UVM_PROCESSOR_NONE,
		.dst = UVM_PROCESSOR_NONE,
		.value = pattern,
	};

	uvm_events_emit(&heard->va_space->events, &ev);
}

void uvm_block_tell_arrival(struct uvm_service *service, struct uvm_gpu *gpu,
			    const struct uvm_page_mask *pages,
			    const struct uvm_page_mask *demanded)
{
	struct uvm_va_space *va_space = service->request.va_space;
	struct uvm_va_block *block = service->request.block;
	struct uvm_page_mask returned;
	struct uvm_range_pages told = {
		.va = block->start, .id = gpu->id, .pages = pages, .demanded = demanded,
		.returned = &returned,
	};
	struct block_heard heard = { va_space, gpu };
	const struct uvm_range_listener listener = { block_tell_pattern, &heard };
	unsigned int calls;
	bool hears;

	if (!uvm_range_states_any(&va_space->range_states))
		return;
	hears = uvm_event_enabled(&va_space->events, UVM_EVENT_PATTERN);
	uvm_page_mask_and(&returned, pages, &block->gpu[gpu->index]->evicted);
	spin_lock(&va_space->range_lock);
	calls = uvm_range_states_arrive(&va_space->range_states, &told, hears ? &listener : NULL);
	spin_unlock(&va_space->range_lock);
	block_range_charge(service, gpu, calls);
}

static void block_tell_leaving(struct uvm_service *service, struct uvm_gpu *gpu,
			       const struct uvm_page_mask *pages, bool evicted)
{
	struct uvm_va_space *va_space = service->request.va_space;
	struct uvm_range_pages told = {
		.va = service->request.block->start,
		.id = gpu->id,
		.pages = pages,
		.evicted = evicted,
	};
	unsigned int calls;

	spin_lock(&va_space->range_lock);
	calls = uvm_range_states_leave(&va_space->range_states, &told);
	spin_unlock(&va_space->range_lock);
	block_range_charge(service, gpu, calls);
}

void uvm_block_tell_leaving(struct uvm_service *service, unsigned int dst,
			    const struct uvm_page_mask *pages, enum uvm_event_cause cause)
{
	struct uvm_block_state *state = &service->request.block->state;
	struct uvm_page_mask mine;
	unsigned int id;

	if (!uvm_range_states_any(&service->request.va_space->range_states))
		return;
	for_each_uvm_gpu_id(id) {
		if (id != dst && (state->resident_procs & BIT(id)) &&
		    uvm_page_mask_and(&mine, pages, uvm_block_state_resident(state, id)))
			block_tell_leaving(service, uvm_gpu(uvm_id_gpu_index(id)), &mine,
					   cause == UVM_CAUSE_EVICTION);
	}
}

/* ---- asked ----------------------------------------------------------------- */

u8 uvm_block_ask_residency(struct uvm_service *service, const struct uvm_residency_ops *policy,
			   struct uvm_residency_query *query, unsigned int page)
{
	const struct uvm_range_state *state = policy->policy.range_state;
	struct uvm_va_space *va_space = service->request.va_space;
	struct uvm_range_view view;
	u8 answer;

	if (likely(!state))
		return policy->select(query);
	query->va = uvm_va_block_address(service->request.block, page);
	spin_lock(&va_space->range_lock);
	query->range = uvm_range_states_find(&va_space->range_states, state, query->va, &view);
	answer = policy->select(query);
	spin_unlock(&va_space->range_lock);
	return answer;
}

bool uvm_block_ask_prefetch(struct uvm_service *service, const struct uvm_prefetch_ops *policy,
			    struct uvm_prefetch_request *req)
{
	const struct uvm_range_state *state = policy->policy.range_state;
	struct uvm_va_space *va_space = service->request.va_space;
	struct uvm_page_mask *prefetch = &service->scratch->prefetch;
	struct uvm_va_block *block = service->request.block;
	struct uvm_range_view view;
	bool some;

	req->select = policy->select;
	if (likely(!state))
		return uvm_prefetch_decide(&block->prefetch, req, prefetch);
	spin_lock(&va_space->range_lock);
	req->in.range = uvm_range_states_find(&va_space->range_states, state,
					      uvm_va_block_address(block,
								   req->in.faulted_region.first),
					      &view);
	some = uvm_prefetch_decide(&block->prefetch, req, prefetch);
	spin_unlock(&va_space->range_lock);
	return some;
}
