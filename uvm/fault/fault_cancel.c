// SPDX-License-Identifier: GPL-2.0
/*
 * Precise cancel of fatal faults (nvidia-uvm 2.9).
 */
#include <kunit/visibility.h>
#include "fault/fault.h"
#include "gpu/gpu.h"
#include "gpu/hal.h"
#include "base/trace.h"
#include "gpu/push.h"
#include "gpu/tracker.h"
#include "mmu/page_tree.h"
#include "space/va_space.h"
#include "base/work.h"

static void uvm_cancel_report(struct uvm_fault_run *run, struct uvm_gpu_va_space *gvs,
			      const struct uvm_fault *fault)
{
	struct uvm_gpu *gpu = run->gpu;
	struct uvm_event ev = {
		.type = UVM_EVENT_FATAL_FAULT,
		.gpu = gpu->index,
		.time_ns = fault->timestamp,
		.address = fault->address,
		.batch = gpu->faults.batch_id,
		.src = gpu->index,
		.dst = UVM_PROCESSOR_NONE,
		.fault_type = fault->type,
		.access = fault->access,
		.gpc = fault->gpc,
		.client = fault->client,
		.utlb = fault->utlb,
	};

	uvm_fault_event_origin(&ev, fault);
	uvm_work_stat(run->work, UVM_STAT_FAULTS_FATAL, 1);
	trace_uvm_fatal_fault(fault->timestamp, gpu->index, ev.batch, fault->address, fault->type,
			      fault->access, fault->gpc, fault->client, fault->utlb, false);
	uvm_events_emit(&gvs->va_space->events, &ev);
}

static unsigned int uvm_cancel_access(enum uvm_cancel_mode mode)
{
	return mode == UVM_CANCEL_WRITE_AND_ATOMIC ? HOST_CANCEL_WRITE_AND_ATOMIC :
						     HOST_CANCEL_ALL;
}

/* End the accesses to one page; reported before, waited for here. */
static int uvm_cancel_one(struct uvm_fault_run *run, struct uvm_gpu_va_space *gvs,
			  const struct uvm_fault *fault)
{
	struct uvm_push push;
	int ret;

	if (!fault->invalid_prefetch) {
		uvm_cancel_report(run, gvs, fault);
		/* just before: the context remembers one */
		rm_context_set_fault_error(gvs->context, fault->address, fault->error ?: EFAULT);
	}
	ret = uvm_push_begin_acquire(run->gpu, UVM_CHANNEL_MEMOPS,
				     &run->gpu->faults.batch_tracker, &push);
	if (ret)
		return ret;
	uvm_host_cancel_va(&push, uvm_page_tree_pdb(&gvs->page_tree), fault->address,
			   uvm_cancel_access(fault->cancel_mode));
	return uvm_push_end_and_wait(&push);
}

static int uvm_cancel_batch(struct uvm_fault_run *run, struct uvm_gpu_va_space *gvs)
{
	struct uvm_fault_batch *batch = &run->gpu->faults.batch;
	unsigned int i, first = 0, outer = batch->nr_coalesced;
	int ret = 0;

	run->cancelling = true;
	while (first < outer && batch->sorted[first]->va_space != gvs)
		first++;
	while (outer > first && batch->sorted[outer - 1]->va_space != gvs)
		outer--;
	uvm_fault_serve(run, gvs, first, outer);
	for (i = first; i < outer && !ret; i++)
		if (batch->sorted[i]->fatal)
			ret = uvm_cancel_one(run, gvs, batch->sorted[i]);
	return ret;
}

static int uvm_cancel_locked(struct uvm_fault_run *run, struct uvm_gpu_va_space *gvs)
{
	struct uvm_gpu *gpu = run->gpu;
	unsigned int flushed;
	int ret;

	/*
	 * Start from a clean slate under the VA space lock: whatever faults now
	 * is no older than the mappings we look at.
	 */
	flushed = uvm_fault_flush(gpu, UVM_FLUSH_WAIT_UPDATE_PUT, run->work);
	ret = uvm_fault_replay(gpu, HOST_REPLAY_START_ACK_ALL, flushed, run->work);
	if (!ret)
		ret = uvm_tracker_wait(&gpu->faults.replay_tracker);
	if (ret)
		return ret;
	gpu->faults.batch_id++;
	if (!uvm_fault_fetch(gpu, gpu->faults.batch.max, UVM_FETCH_ALL, run->work))
		return 0;
	ret = uvm_fault_preprocess(gpu, run->work);
	if (ret)
		return ret == -ESTALE ? 0 : ret;
	return uvm_cancel_batch(run, gvs);
}

/**
 * uvm_fault_cancel - cancel the fatal faults of one VA space, and no others
 * @run: the batch that found them
 * @instance: the context
 *
 * Flush, replay, fetch everything again, serve what can be served, cancel the
 * rest; then flush and replay once more, for everybody else's faults.
 *
 * Return: 0 or -EIO.  Nothing is replayed if the context has left.
 */
int uvm_fault_cancel(struct uvm_fault_run *run, u64 instance)
{
	struct uvm_gpu *gpu = run->gpu;
	struct uvm_gpu_va_space *gvs = uvm_gpu_find_va_space(gpu, instance);
	unsigned int flushed;
	int ret = 0;

	if (!gvs)
		return 0;
	ret = uvm_tracker_wait(&gpu->faults.batch_tracker);
	if (ret)
		return ret;
	uvm_work_set_va_space(run->work, &gvs->va_space->stats);
	sim_down_read(&gvs->va_space->lock);
	if (gvs->va_space->gpus[gpu->index] == gvs)
		ret = uvm_cancel_locked(run, gvs);
	sim_up_read(&gvs->va_space->lock);
	if (ret)
		return ret;
	flushed = uvm_fault_flush(gpu, UVM_FLUSH_UPDATE_PUT, run->work);
	return uvm_fault_replay(gpu, HOST_REPLAY_START_ACK_ALL, flushed, run->work);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_fault_cancel);
