// SPDX-License-Identifier: GPL-2.0
/*
 * Interrupt service of replayable faults: top half, hand-over of the service
 * lock to the bottom half, and back (nvidia-uvm 2.2).
 */
#include <linux/bitfield.h>
#include <linux/slab.h>
#include <softgpu/regs.h>
#include "base/debugfs.h"
#include "fault/access_counter.h"
#include "fault/fault.h"
#include "fault/gpu_concurrency.h"
#include "fault/isr_enable.h"
#include "fault/non_replayable.h"
#include "gpu/gpu.h"
#include "gpu/replay.h"
#include "gpu/tracker.h"
#include "base/work.h"
#include "memory/pmm.h"
#include "memory/pmm_recorder.h"
#include "policy/param.h"
#include "block/service.h"

/*
 * Top half, in hard interrupt context: trylock, mask, kick.  The service lock
 * stays held until the bottom half has re-enabled the interrupt; releasing it
 * earlier would lose a wake-up.
 */
static void uvm_isr_faults_top_half(struct uvm_gpu *gpu)
{
	struct uvm_fault_service *faults = &gpu->faults;

	if (!READ_ONCE(faults->enabled))
		return;
	uvm_non_replayable_top_half(gpu);
	if (!sim_sem_trylock(&faults->service_lock))
		return;
	if (!uvm_faults_pending(gpu)) {
		sim_sem_up(&faults->service_lock);
		return;
	}
	faults->interrupts++;
	rm_reg_write(gpu->rm, REG_INTR_EN_CLEAR, REG_INTR_REPLAYABLE_FAULT);
	/* an eviction that is requested here begins now: only then is the wake-up charged */
	faults->ahead = uvm_pmm_wants_room(gpu);
	WRITE_ONCE(faults->kicked, true);
	sim_kthread_kick(&faults->bottom_half, faults->ahead ? 0 : uvm_cost(gpu, bh_wake));
}

/*
 * Give the service lock back.  Enabling comes last: it makes the device re-evaluate its pending
 * bit, so records that arrived since the last look interrupt again, and the top half then finds
 * the lock free.  (nvidia-uvm does it the other way round, under a spinlock that also keeps its
 * top half out.)
 */
static void uvm_isr_unlock(struct uvm_gpu *gpu)
{
	struct uvm_fault_service *faults = &gpu->faults;

	sim_sem_up(&faults->service_lock);
	if (!READ_ONCE(faults->enabled))
		return;
	uvm_isr_enable(gpu, REG_INTR_REPLAYABLE_FAULT, true);
}

/* The recorder's ring is half full: it is emptied soon, or walks will wait. */
static void uvm_isr_recorder_top_half(struct uvm_gpu *gpu)
{
	if (likely(!uvm_pmm_hits_pending(gpu)) || !READ_ONCE(gpu->faults.enabled))
		return;
	rm_reg_write(gpu->rm, REG_INTR_EN_CLEAR, REG_INTR_RECORDER);
	WRITE_ONCE(gpu->faults.recorder_kicked, true);
	sim_kthread_kick(&gpu->faults.bottom_half, uvm_cost(gpu, bh_wake));
}

static void uvm_isr_recorder_bottom_half(struct uvm_gpu *gpu)
{
	struct uvm_work work;

	if (likely(!READ_ONCE(gpu->faults.recorder_kicked)))
		return;
	WRITE_ONCE(gpu->faults.recorder_kicked, false);
	uvm_work_begin(&work, &gpu->stats, NULL, UVM_PHASE_EVICT);
	uvm_pmm_fetch_hits(gpu, &work);
	uvm_work_end(&work);
	rm_reg_write(gpu->rm, REG_INTR_EN_SET, REG_INTR_RECORDER);
}

/* One line for all; each looks at its own ring. */
static void uvm_isr_top_half(void *data)
{
	struct uvm_gpu *gpu = data;

	uvm_isr_faults_top_half(gpu);
	uvm_access_counters_top_half(gpu);
	uvm_isr_recorder_top_half(gpu);
}

/* One thread for both, faults first: nvidia-uvm has them in one queue. */
static void uvm_isr_bottom_half(void *data)
{
	struct uvm_gpu *gpu = data;

	uvm_gpu_concurrency_step(gpu);
	uvm_isr_recorder_bottom_half(gpu);
	if (READ_ONCE(gpu->faults.kicked)) {
		WRITE_ONCE(gpu->faults.kicked, false);
		uvm_fault_service_run(gpu);
		uvm_isr_unlock(gpu);
	}
	uvm_access_counters_bottom_half(gpu);
}

/**
 * uvm_isr_revive - faults can be served again
 * @gpu: the GPU; its channels have been replaced
 */
void uvm_isr_revive(struct uvm_gpu *gpu)
{
	rm_gpu_set_lost(gpu->rm, false);
	rm_reg_write(gpu->rm, REG_INTR_EN_SET, REG_INTR_REPLAYABLE_FAULT |
		     REG_INTR_NON_REPLAYABLE_FAULT | REG_INTR_ACCESS_COUNTER |
		     REG_INTR_RECORDER);
}

/**
 * uvm_isr_flush - wait until no bottom half runs or is due
 * @gpu: the GPU
 *
 * Caller is a participant and holds no lock that the bottom half takes.
 */
void uvm_isr_flush(struct uvm_gpu *gpu)
{
	sim_kthread_flush(&gpu->faults.bottom_half);
	uvm_non_replayable_flush(gpu);
}

static void uvm_isr_exit_batch(struct uvm_gpu *gpu)
{
	struct uvm_fault_batch *batch = &gpu->faults.batch;

	kvfree(batch->faults);
	kvfree(batch->sorted);
	kvfree(batch->utlb_last);
}

/* A batch never holds more than the ring does. */
static int uvm_isr_init_batch(struct uvm_gpu *gpu)
{
	struct uvm_fault_batch *batch = &gpu->faults.batch;
	const struct rm_gpu_info *info = gpu->info;

	batch->max = gpu->faults.entries;
	batch->gpu = gpu->id;
	batch->geometry.utlb_count = info->utlb_count;
	batch->geometry.utlbs_per_gpc = info->utlbs_per_gpc;
	batch->geometry.clients_per_utlb = info->sms_per_utlb;
	batch->faults = kvcalloc(batch->max, sizeof(*batch->faults), GFP_KERNEL);
	batch->sorted = kvcalloc(batch->max, sizeof(*batch->sorted), GFP_KERNEL);
	batch->utlb_last = kvcalloc(info->utlb_count, sizeof(*batch->utlb_last), GFP_KERNEL);
	if (batch->faults && batch->sorted && batch->utlb_last)
		return 0;
	uvm_isr_exit_batch(gpu);
	return -ENOMEM;
}

/**
 * uvm_isr_init - start handling the faults of a GPU
 * @gpu: the GPU
 *
 * Return: 0 or a negative errno.
 */
int uvm_isr_init(struct uvm_gpu *gpu)
{
	struct uvm_fault_service *faults = &gpu->faults;
	char name[TASK_COMM_LEN];
	int ret;

	faults->gpu = gpu;
	faults->entries = gpu->info->fault_ring_entries;
	sim_sem_init(&faults->service_lock, 1);
	uvm_tracker_init(&faults->batch_tracker);
	uvm_tracker_init(&faults->replay_tracker);
	uvm_replays_init(&gpu->replays);
	ret = uvm_isr_init_batch(gpu);
	if (ret)
		return ret;
	faults->service = uvm_service_alloc();
	if (!faults->service) {
		ret = -ENOMEM;
		goto free_batch;
	}
	snprintf(name, sizeof(name), "uvm-gpu%u-bh", gpu->index);
	ret = sim_kthread_start(&faults->bottom_half, uvm_isr_bottom_half, gpu, name);
	if (ret)
		goto free_service;
	uvm_object_inc(UVM_OBJECT_THREAD);
	ret = uvm_gpu_concurrency_start(gpu);
	if (ret)
		goto stop_bottom_half;
	ret = uvm_non_replayable_init(gpu);
	if (ret)
		goto stop_concurrency;
	faults->origin = uvm_params_module()->fault_origin &&
			 (rm_reg_read(gpu->rm, REG_CAPS) & REG_CAP_FAULT_ORIGIN);
	uvm_gpu_set_extensions(gpu, ~0U, faults->origin ? REG_CAP_FAULT_ORIGIN : 0);
	ret = uvm_access_counters_init(gpu);
	if (ret)
		goto exit_non_replayable;

	faults->cached_get = FIELD_GET(REG_FAULT_GET_INDEX, rm_reg_read(gpu->rm, REG_FAULT_GET));
	faults->cached_put = faults->cached_get;
	WRITE_ONCE(faults->enabled, true);
	rm_gpu_set_lost(gpu->rm, false);
	rm_intr_register(gpu->rm, uvm_isr_top_half, gpu);
	rm_reg_write(gpu->rm, REG_INTR_EN_SET,
		     REG_INTR_REPLAYABLE_FAULT | REG_INTR_NON_REPLAYABLE_FAULT |
		     REG_INTR_RECORDER);
	return 0;

exit_non_replayable:
	uvm_non_replayable_exit(gpu);
stop_concurrency:
	uvm_gpu_concurrency_stop(gpu);
stop_bottom_half:
	sim_kthread_stop(&faults->bottom_half);
	uvm_object_dec(UVM_OBJECT_THREAD);
free_service:
	uvm_service_free(faults->service);
free_batch:
	uvm_isr_exit_batch(gpu);
	return ret;
}

/**
 * uvm_isr_exit - stop handling the faults of a GPU
 * @gpu: the GPU; no VA space uses it any more
 */
void uvm_isr_exit(struct uvm_gpu *gpu)
{
	struct uvm_fault_service *faults = &gpu->faults;

	WRITE_ONCE(faults->enabled, false);
	WRITE_ONCE(gpu->counters.enabled, false);
	rm_reg_write(gpu->rm, REG_INTR_EN_CLEAR,
		     REG_INTR_REPLAYABLE_FAULT | REG_INTR_NON_REPLAYABLE_FAULT |
		     REG_INTR_RECORDER);
	rm_intr_register(gpu->rm, NULL, NULL);
	uvm_non_replayable_exit(gpu);
	uvm_gpu_set_extensions(gpu, ~0U, 0);
	uvm_gpu_concurrency_stop(gpu);
	sim_kthread_stop(&faults->bottom_half);
	uvm_object_dec(UVM_OBJECT_THREAD);
	uvm_access_counters_exit(gpu);
	uvm_service_free(faults->service);
	uvm_isr_exit_batch(gpu);
	uvm_tracker_deinit(&faults->batch_tracker);
	uvm_tracker_deinit(&faults->replay_tracker);
}
