// SPDX-License-Identifier: GPL-2.0
/*
 * Non-replayable faults; see non_replayable.h.
 */
#include <softgpu/fault_format.h>
#include "base/debugfs.h"
#include "fault/isr_enable.h"
#include "fault/non_replayable.h"
#include "gpu/channel.h"
#include "gpu/push.h"
#include "gpu/tracker.h"
#include "model/fault_batch.h"
#include "gpu/gpu.h"
#include "gpu/hal.h"
#include "base/trace.h"
#include "block/service.h"
#include "block/va_block.h"
#include "space/va_space.h"
#include "base/work.h"

static void nr_emit(struct uvm_gpu *gpu, struct uvm_va_space *va_space,
		    const struct uvm_fault *fault, enum uvm_event_type type)
{
	struct uvm_event ev = {
		.type = type,
		.gpu = gpu->index,
		.time_ns = fault->timestamp,
		.address = fault->address,
		.batch = gpu->non_replayable.count,
		.src = gpu->index,
		.dst = UVM_PROCESSOR_NONE,
		.fault_type = fault->type,
		.access = fault->access,
		.client = fault->client,
		.value = fault->engine - FAULT_ENGINE_CE0,
	};

	uvm_events_emit(&va_space->events, &ev);
}

static void nr_report(struct uvm_gpu *gpu, struct uvm_gpu_va_space *gvs,
		      const struct uvm_fault *fault, struct uvm_work *work)
{
	uvm_work_stat(work, UVM_STAT_FAULTS_NON_REPLAYABLE, 1);
	trace_uvm_fault(fault->timestamp, gpu->index, gpu->non_replayable.count, fault->address,
			fault->type, fault->access, fault->gpc, fault->client, fault->utlb, 0);
	nr_emit(gpu, gvs->va_space, fault, UVM_EVENT_NON_REPLAYABLE);
}

/* The page is there, or on its way: the channel goes on behind that. */
static int nr_clear_faulted(struct uvm_gpu *gpu, struct uvm_gpu_va_space *gvs,
			    const struct uvm_fault *fault, struct uvm_va_block *block)
{
	struct uvm_non_replayable *nr = &gpu->non_replayable;
	int chid = rm_context_channel_id(gvs->context, fault->engine);
	struct uvm_push push;
	int ret;

	if (chid < 0)	/* closed meanwhile */
		return 0;
	uvm_tracker_clear(&nr->tracker);
	sim_mutex_lock(&block->lock);
	ret = uvm_tracker_add_tracker_safe(&nr->tracker, &block->tracker);
	sim_mutex_unlock(&block->lock);
	if (!ret)
		ret = uvm_push_begin_acquire(gpu, UVM_CHANNEL_MEMOPS, &nr->tracker, &push);
	if (ret)
		return ret;
	uvm_host_clear_faulted(&push, chid);
	uvm_push_end(&push);
	return 0;
}

/* Is it to be given up, because copies take the same memory from each other? */
static bool nr_is_stuck(struct uvm_gpu *gpu, struct uvm_gpu_va_space *gvs,
			const struct uvm_fault *fault, struct uvm_va_block *block)
{
	unsigned int engine = min_t(unsigned int, fault->engine - FAULT_ENGINE_CE0,
				    UVM_COPY_ENGINES - 1);
	struct uvm_va_block_gpu *bg;
	bool evicted;

	sim_mutex_lock(&block->lock);
	bg = block->gpu[gpu->index];
	evicted = bg && uvm_page_mask_test(&bg->evicted,
					   uvm_va_block_page(block, fault->address));
	sim_mutex_unlock(&block->lock);
	return uvm_copy_progress_fault(&gvs->copies[engine], fault->address,
				       fault->access == UVM_ACCESS_WRITE, evicted,
				       rm_context_copies_moved(gvs->context, fault->engine));
}

static int nr_serve_block(struct uvm_gpu *gpu, struct uvm_gpu_va_space *gvs,
			  const struct uvm_fault *fault, const struct uvm_service_request *request)
{
	struct uvm_service *service = gpu->non_replayable.service;
	int ret;

	uvm_service_begin(service, request);
	uvm_service_want(service, uvm_va_block_page(request->block, fault->address),
			 fault->access, false);
	uvm_work_enter(request->work, UVM_PHASE_SERVICE, uvm_cost(gpu, block));
	ret = uvm_service_block(service);
	/*
	 * If the block died under us, or the page has been granted to the CPU, the copy
	 * faults once more.
	 */
	if (!ret || ret == -EFAULT)
		ret = nr_clear_faulted(gpu, gvs, fault, request->block);
	return ret;
}

/* Under the VA space lock.  Return: 0, or why the channel has to die. */
static int nr_serve_locked(struct uvm_gpu *gpu, struct uvm_gpu_va_space *gvs,
			   const struct uvm_fault *fault, struct uvm_work *work)
{
	struct uvm_service_request request = {
		.work = work,
		.va_space = gvs->va_space,
		.requester = gpu->id,
		.batch = gpu->non_replayable.count,
		.cause = UVM_CAUSE_NON_REPLAYABLE,
	};
	int ret;

	nr_report(gpu, gvs, fault, work);
	if (fault->fatal)
		return -EFAULT;
	uvm_va_space_reap(gvs->va_space);
	ret = uvm_va_space_find_block(gvs->va_space, fault->address, &request.span,
				      &request.block);
	if (ret)
		return ret;
	if (nr_is_stuck(gpu, gvs, fault, request.block))
		ret = -ENOMEM;
	else
		ret = nr_serve_block(gpu, gvs, fault, &request);
	uvm_va_block_put(request.block);
	return ret;
}

/* Nobody but the channel is hit; its context hears of it from the copy. */
static void nr_kill(struct uvm_gpu *gpu, struct uvm_gpu_va_space *gvs,
		    const struct uvm_fault *fault, struct uvm_work *work, int error)
{
	uvm_work_stat(work, UVM_STAT_FAULTS_FATAL, 1);
	trace_uvm_fatal_fault(fault->timestamp, gpu->index, gpu->non_replayable.count,
			      fault->address, fault->type, fault->access, fault->gpc,
			      fault->client, fault->utlb, false);
	nr_emit(gpu, gvs->va_space, fault, UVM_EVENT_FATAL_FAULT);
	rm_context_report_fault(gvs->context, fault->engine, error);
}

static void nr_serve(struct uvm_gpu *gpu, const u32 *record)
{
	struct uvm_non_replayable *nr = &gpu->non_replayable;
	struct uvm_gpu_va_space *gvs;
	struct uvm_fault fault;
	struct uvm_work work;
	int ret;

	nr->count++;
	uvm_fault_parse(&fault, record, &gpu->faults.batch.geometry);
	uvm_work_begin(&work, &gpu->stats, NULL, UVM_PHASE_FETCH);
	work.copy = true;
	uvm_work_enter(&work, UVM_PHASE_FETCH, uvm_cost(gpu, fetch) + uvm_cost(gpu, fetch_fault));
	gvs = uvm_gpu_find_va_space(gpu, uvm_fault_instance_pa(&fault));
	/* without one its context is gone, and the channel with it */
	if (gvs) {
		uvm_work_set_va_space(&work, &gvs->va_space->stats);
		sim_down_read(&gvs->va_space->lock);
		if (gvs->va_space->gpus[gpu->index] == gvs) {
			ret = nr_serve_locked(gpu, gvs, &fault, &work);
			if (ret)
				nr_kill(gpu, gvs, &fault, &work, ret);
		}
		sim_up_read(&gvs->va_space->lock);
	}
	uvm_work_end(&work);
}

static void nr_bottom_half(void *data)
{
	u32 record[FAULT_RECORD_WORDS];
	struct uvm_gpu *gpu = data;

	while (rm_nonreplayable_get(gpu->rm, record))
		nr_serve(gpu, record);
	uvm_channels_update_progress(gpu);
	/* The interrupt stays on: with dead channels each fault ends its copy. */
	uvm_isr_is_lost(gpu, true);
}

/**
 * uvm_non_replayable_top_half - wake the bottom half if there is a fault of a copy engine
 * @gpu: the GPU
 *
 * Context: the GPU's interrupt.
 */
void uvm_non_replayable_top_half(struct uvm_gpu *gpu)
{
	if (rm_nonreplayable_pending(gpu->rm))
		sim_kthread_kick(&gpu->non_replayable.bottom_half, uvm_cost(gpu, bh_wake));
}

/**
 * uvm_non_replayable_flush - wait until the bottom half neither runs nor is due
 * @gpu: the GPU
 *
 * Context: may sleep; as uvm_isr_flush().
 */
void uvm_non_replayable_flush(struct uvm_gpu *gpu)
{
	sim_kthread_flush(&gpu->non_replayable.bottom_half);
}

/**
 * uvm_non_replayable_init - be ready for faults of copy engines
 * @gpu: the GPU; its interrupt is not enabled yet
 *
 * Return: 0 or a negative errno.
 */
int uvm_non_replayable_init(struct uvm_gpu *gpu)
{
	struct uvm_non_replayable *nr = &gpu->non_replayable;
	char name[TASK_COMM_LEN];
	int ret;

	uvm_tracker_init(&nr->tracker);
	nr->service = uvm_service_alloc();
	if (!nr->service)
		return -ENOMEM;
	snprintf(name, sizeof(name), "uvm-gpu%u-nr", gpu->index);
	ret = sim_kthread_start(&nr->bottom_half, nr_bottom_half, gpu, name);
	if (ret) {
		uvm_service_free(nr->service);
		return ret;
	}
	uvm_object_inc(UVM_OBJECT_THREAD);
	return 0;
}

/**
 * uvm_non_replayable_exit - the reverse of uvm_non_replayable_init()
 * @gpu: the GPU; its interrupt is off
 *
 * Context: may sleep.
 */
void uvm_non_replayable_exit(struct uvm_gpu *gpu)
{
	struct uvm_non_replayable *nr = &gpu->non_replayable;

	sim_kthread_stop(&nr->bottom_half);
	uvm_object_dec(UVM_OBJECT_THREAD);
	uvm_service_free(nr->service);
	uvm_tracker_deinit(&nr->tracker);
}
