// SPDX-License-Identifier: GPL-2.0
/*
 * Preprocessing of a batch (nvidia-uvm 2.6): translate instance pointers, sort,
 * report.
 */
#include "fault/fault.h"
#include "gpu/gpu.h"
#include "base/trace.h"
#include "space/va_space.h"
#include "base/work.h"

/*
 * Give each fault its VA space.  Sorted by instance first, so each is looked up
 * once.  A record without one is stale: its context is gone.
 */
static bool uvm_fault_translate(struct uvm_gpu *gpu)
{
	struct uvm_fault_batch *batch = &gpu->faults.batch;
	struct uvm_gpu_va_space *gvs = NULL;
	bool stale = false;
	unsigned int i;

	for (i = 0; i < batch->nr_coalesced; i++) {
		struct uvm_fault *fault = batch->sorted[i];

		if (!i || fault->instance != batch->sorted[i - 1]->instance)
			gvs = uvm_gpu_find_va_space(gpu, uvm_fault_instance_pa(fault));
		fault->va_space = gvs;
		fault->va_space_id = gvs ? gvs->va_space->id : 0;
		fault->gpu = gpu->id;
		stale |= !gvs;
	}
	return stale;
}

static void uvm_fault_count(struct uvm_gpu *gpu, struct uvm_stats_set *stats,
			    const struct uvm_fault *fault)
{
	static const enum uvm_stat by_access[] = {
		[UVM_ACCESS_PREFETCH] = UVM_STAT_FAULTS_PREFETCH,
		[UVM_ACCESS_READ] = UVM_STAT_FAULTS_READ,
		[UVM_ACCESS_WRITE] = UVM_STAT_FAULTS_WRITE,
		[UVM_ACCESS_ATOMIC] = UVM_STAT_FAULTS_ATOMIC,
	};
	bool duplicate = fault->filtered || fault->duplicate;

	uvm_stat_add(stats, UVM_STAT_FAULTS_FETCHED, 1);
	uvm_stat_add(&gpu->stats, UVM_STAT_FAULTS_FETCHED, 1);
	uvm_stat_add(stats, by_access[fault->access], 1);
	uvm_stat_add(&gpu->stats, by_access[fault->access], 1);
	if (!duplicate)
		return;
	uvm_stat_add(stats, UVM_STAT_FAULTS_DUPLICATE, 1);
	uvm_stat_add(&gpu->stats, UVM_STAT_FAULTS_DUPLICATE, 1);
}

/**
 * uvm_fault_event_origin - have an event say who made the access
 * @ev: the event
 * @fault: the fault; if the device did not say, nothing is written
 */
void uvm_fault_event_origin(struct uvm_event *ev, const struct uvm_fault *fault)
{
	if (!fault->has_origin)
		return;
	ev->flags |= UVM_EVENT_ORIGIN;
	ev->sm = fault->sm;
	ev->warp = fault->warp;
	ev->block = fault->block;
	ev->pc = fault->pc;
}

static void uvm_fault_tell(struct uvm_gpu *gpu, struct uvm_event_queues *listeners,
			   const struct uvm_fault *fault)
{
	struct uvm_event ev = {
		.type = UVM_EVENT_GPU_FAULT,
		.gpu = gpu->index,
		.count = fault->filtered || fault->duplicate,
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
	uvm_events_emit(listeners, &ev);
}

/* Every record, merged or not, in the order of the ring. */
static void uvm_fault_report(struct uvm_gpu *gpu, const struct uvm_fault *fault)
{
	bool duplicate = fault->filtered || fault->duplicate;
	const struct uvm_fault *rep = fault;
	const struct uvm_gpu_va_space *gvs;
	struct uvm_va_space *va_space;

	while (rep->representative)
		rep = rep->representative;
	trace_uvm_fault(fault->timestamp, gpu->index, gpu->faults.batch_id, fault->address,
			fault->type, fault->access, fault->gpc, fault->client, fault->utlb,
			duplicate);
	gvs = rep->va_space;
	if (!gvs)
		return;
	va_space = gvs->va_space;
	uvm_fault_count(gpu, &va_space->stats, fault);
	uvm_counters_fault(&va_space->counters, gpu->id, fault->access, duplicate);
	if (uvm_event_enabled(&va_space->events, UVM_EVENT_GPU_FAULT))
		uvm_fault_tell(gpu, &va_space->events, fault);
}

/**
 * uvm_fault_preprocess - make the batch ready to be served
 * @gpu: the GPU; service lock held
 * @work: charged
 *
 * Return: 0; -ESTALE if some record belongs to nobody: then nothing was
 * reported, and the caller flushes, replays and starts again.
 */
int uvm_fault_preprocess(struct uvm_gpu *gpu, struct uvm_work *work)
{
	struct uvm_fault_batch *batch = &gpu->faults.batch;
	unsigned int i;

	uvm_work_enter(work, UVM_PHASE_PREPROCESS, uvm_cost(gpu, preprocess) +
		       batch->nr_cached * uvm_cost(gpu, preprocess_fault));
	uvm_fault_batch_sort_by_instance(batch);
	if (uvm_fault_translate(gpu))
		return -ESTALE;
	uvm_fault_batch_sort(batch);
	for (i = 0; i < batch->nr_cached; i++)
		uvm_fault_report(gpu, &batch->faults[i]);
	return 0;
}
