// SPDX-License-Identifier: GPL-2.0
/*
 * Serving the faults of one VA space, block by block (nvidia-uvm 2.7, 2.8).
 */
#include <kunit/visibility.h>
#include "block/block_thrashing.h"
#include "fault/fault.h"
#include "gpu/gpu.h"
#include "gpu/hal.h"
#include "gpu/tracker.h"
#include "policy/param.h"
#include "policy/policy.h"
#include "base/trace.h"
#include "block/service.h"
#include "block/va_block.h"
#include "space/va_space.h"
#include "base/work.h"

/* Faults from @first on that lie in the block and the range. */
static unsigned int uvm_fault_block_outer(struct uvm_fault_batch *batch,
					  struct uvm_va_block *block,
					  const struct uvm_span *span, unsigned int first,
					  unsigned int outer)
{
	u64 end = min(uvm_va_block_address(block, block->region.outer), span->end + 1);

	while (first < outer && batch->sorted[first]->address < end)
		first++;
	return first;
}

/* Left for later, this time; who is told hears of it once. */
static void uvm_fault_throttle(struct uvm_fault_run *run, struct uvm_gpu_va_space *gvs,
			       struct uvm_fault *fault)
{
	struct uvm_event ev = {
		.type = UVM_EVENT_THROTTLE,
		.gpu = run->gpu->index,
		.time_ns = sim_now(),
		.address = fault->address,
		.bytes = PAGE_SIZE,
		.batch = run->gpu->faults.batch_id,
		.src = run->gpu->index,
		.dst = UVM_PROCESSOR_NONE,
		.access = fault->access,
	};

	if (fault->throttled)
		return;
	fault->throttled = true;
	run->throttled++;
	uvm_work_stat(run->work, UVM_STAT_THROTTLED, 1);
	trace_uvm_throttle(ev.time_ns, gvs->va_space->id, fault->address, run->gpu->id);
	uvm_events_emit(&gvs->va_space->events, &ev);
}

/* Is the page fought for, and is it not this GPU's turn?  Pins are put down. */
static bool uvm_fault_thrashes(struct uvm_fault_run *run, struct uvm_gpu_va_space *gvs,
			       struct uvm_service *service, struct uvm_fault *fault,
			       enum uvm_access access)
{
	struct uvm_va_block *block = service->request.block;
	struct uvm_thrashing_hint_result result;

	result = uvm_block_thrashing_hint(block, &service->request.span, gvs->gpu->id,
					  fault->address, access);
	switch (result.hint) {
	case UVM_THRASHING_HINT_THROTTLE:
		uvm_fault_throttle(run, gvs, fault);
		return true;
	case UVM_THRASHING_HINT_PIN:
		uvm_service_pin(service, uvm_va_block_page(block, fault->address), result.where);
		return false;
	default:
		return false;
	}
}

/*
 * Decide about one fault; true if its page is wanted.  Managed memory allows
 * everything: mprotect is for the CPU (nvidia-uvm 2.8, production quirk).  Further
 * attempts ask about thrashing again; what is fatal has been counted then.
 */
static bool uvm_fault_admit(struct uvm_fault_run *run, struct uvm_gpu_va_space *gvs,
			    struct uvm_service *service, struct uvm_fault *fault,
			    const struct uvm_fault *previous)
{
	struct uvm_va_block *block = service->request.block;
	unsigned int page = uvm_va_block_page(block, fault->address);
	struct uvm_fault_batch *batch = &run->gpu->faults.batch;
	bool first_attempt = !service->result.retries;
	struct uvm_fault_verdict verdict;

	if (fault->fatal && fault->cancel_mode == UVM_CANCEL_ALL) {	/* nothing can serve it */
		batch->nr_fatal += first_attempt;
		return false;
	}
	if (first_attempt)
		uvm_fault_batch_meet(batch, fault);
	if (uvm_va_block_is_granted(block, page)) {
		uvm_fault_throttle(run, gvs, fault);
		return false;
	}
	if (fault->duplicate && previous && !previous->fatal) {
		fault->throttled = previous->throttled;
		return false;
	}
	verdict = uvm_fault_judge(fault->access, fault->access_mask, UVM_PROT_READ_WRITE_ATOMIC);
	if (verdict.cancel_mode != UVM_CANCEL_NONE && first_attempt)
		uvm_fault_batch_mark_fatal(batch, fault, verdict.cancel_mode, -EFAULT);
	if (verdict.action == UVM_FAULT_CANCEL)
		return false;
	if (uvm_fault_thrashes(run, gvs, service, fault, verdict.serve))
		return false;
	fault->throttled = false;
	uvm_service_want(service, page, verdict.serve,
			 fault->access_mask == BIT(UVM_ACCESS_ATOMIC));
	return true;
}

static unsigned int uvm_fault_gather(struct uvm_fault_run *run, struct uvm_gpu_va_space *gvs,
				     struct uvm_service *service, unsigned int first,
				     unsigned int outer)
{
	struct uvm_fault_batch *batch = &run->gpu->faults.batch;
	unsigned int i, served = 0;

	uvm_service_want_nothing(service);
	for (i = first; i < outer; i++) {
		if (uvm_fault_admit(run, gvs, service, batch->sorted[i],
				    i > first ? batch->sorted[i - 1] : NULL))
			served++;
	}
	return served;
}

/* No memory or a dead channel: the launch ends with that error, never with wrong data. */
static void uvm_fault_fail(struct uvm_fault_run *run, unsigned int first, unsigned int outer,
			   int error)
{
	struct uvm_fault_batch *batch = &run->gpu->faults.batch;
	unsigned int i;

	for (i = first; i < outer; i++) {
		struct uvm_fault *fault = batch->sorted[i];

		if (fault->throttled)
			continue;
		uvm_fault_batch_mark_fatal(batch, fault, UVM_CANCEL_ALL, error);
	}
}

static void uvm_fault_block_done(struct uvm_fault_run *run, struct uvm_service *service)
{
	struct uvm_fault_service *faults = &run->gpu->faults;
	struct uvm_va_block *block = service->request.block;

	run->blocks++;
	run->bytes += service->result.bytes_to_gpu;
	if (!run->first_copy_ns)
		run->first_copy_ns = service->result.first_copy_ns;
	sim_mutex_lock(&block->lock);
	uvm_tracker_add_tracker_safe(&faults->batch_tracker, &block->tracker);
	sim_mutex_unlock(&block->lock);
}

/*
 * Some policies replay after each block, with what is done so far, whether it was served or
 * left for later.  Without one, whoever waits for the block has been retried if another block
 * of the batch was replayed, for all records of the batch are older, and has faulted again if
 * it missed; else one is owed.
 */
static void uvm_fault_replay_block(struct uvm_fault_run *run, bool fresh)
{
	struct uvm_fault_service *faults = &run->gpu->faults;

	if (run->cancelling ||
	    !uvm_policy_replays_block(run->policy, fresh, faults->batch.nr_fatal))
		return;
	uvm_fault_replay(run->gpu, HOST_REPLAY_START, 0, run->work);
	faults->batch_id++;
}

/**
 * uvm_fault_attempt - serve faults of a block
 * @service: the block is set and locked
 * @arg: struct uvm_fault_group
 *
 * An attempt that dropped the block's lock took time: who may go on is asked anew
 * (nvidia-uvm asks for the thrashing hint inside its retry loop).
 *
 * Return: as uvm_service_try() takes it.
 */
int uvm_fault_attempt(struct uvm_service *service, const void *arg)
{
	const struct uvm_fault_group *group = arg;
	struct uvm_fault_run *run = group->run;

	run->served = uvm_fault_gather(run, group->gvs, service, group->first, group->outer);
	return run->served ? uvm_service_attempt(service, NULL) : 0;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_fault_attempt);

static void uvm_fault_serve_block(struct uvm_fault_run *run, struct uvm_gpu_va_space *gvs,
				  const struct uvm_service_request *request, unsigned int first,
				  unsigned int outer)
{
	struct uvm_service *service = run->gpu->faults.service;
	const struct uvm_fault_group group = { run, gvs, first, outer };
	u64 began = sim_now();
	int ret;

	uvm_service_begin(service, request);
	uvm_work_enter(run->work, UVM_PHASE_SERVICE, uvm_cost(run->gpu, block));
	ret = uvm_service_try(service, uvm_fault_attempt, &group);
	if (ret == -EFAULT)	/* died under us: the replay brings the faults back */
		return;
	if (ret) {
		uvm_fault_fail(run, first, outer, ret);
		return;
	}
	if (!run->served)
		return;
	uvm_work_stat(run->work, UVM_STAT_FAULTS_SERVICED, run->served);
	trace_uvm_block_service(began, run->gpu->index, request->batch, gvs->va_space->id,
				request->block->start, outer - first,
				uvm_page_mask_weight(&service->pages.wanted),
				service->result.prefetched, sim_now() - began);
	uvm_fault_block_done(run, service);
}

/**
 * uvm_fault_serve - serve faults of one VA space
 * @run: the batch being served
 * @gvs: the VA space on this GPU; its lock is held for reading
 * @first: index of the first fault in sorted[]
 * @outer: one past the last
 *
 * Faults that cannot be served are marked fatal and counted in the batch.
 */
void uvm_fault_serve(struct uvm_fault_run *run, struct uvm_gpu_va_space *gvs,
		     unsigned int first, unsigned int outer)
{
	struct uvm_fault_batch *batch = &run->gpu->faults.batch;
	const struct uvm_service_result *result = &run->gpu->faults.service->result;
	struct uvm_service_request request = {
		.work = run->work,
		.va_space = gvs->va_space,
		.requester = run->gpu->id,
		.cause = UVM_CAUSE_FAULT,
	};
	unsigned int next;

	for (; first < outer; first = next) {
		struct uvm_fault *fault = batch->sorted[first];
		int ret;

		/* also what is left for later, or dies, wants another try */
		run->gpu->faults.owed = true;
		ret = uvm_va_space_find_block(gvs->va_space, fault->address, &request.span,
					      &request.block);
		if (ret) {
			uvm_fault_batch_mark_fatal(batch, fault, UVM_CANCEL_ALL, ret);
			next = first + 1;
			uvm_fault_replay_block(run, false);
			continue;
		}
		next = uvm_fault_block_outer(batch, request.block, &request.span, first, outer);
		request.batch = run->gpu->faults.batch_id;
		uvm_fault_serve_block(run, gvs, &request, first, next);
		uvm_fault_replay_block(run, result->fresh);
		uvm_va_block_put(request.block);
	}
}
