// SPDX-License-Identifier: GPL-2.0
/*
 * The replayable fault buffer: fetch, flush, replay (nvidia-uvm 2.3 - 2.5).
 */
#include <linux/bitfield.h>
#include <linux/slab.h>
#include <kunit/visibility.h>
#include <softgpu/fault_format.h>
#include <softgpu/regs.h>
#include "fault/fault.h"
#include "gpu/gpu.h"
#include "gpu/hal.h"
#include "gpu/push.h"
#include "gpu/replay.h"
#include "gpu/tracker.h"
#include "policy/param.h"
#include "base/trace.h"
#include "space/va_space.h"
#include "base/work.h"

static u32 *uvm_fault_record(struct uvm_gpu *gpu, unsigned int index)
{
	return gpu->info->fault_ring + index * FAULT_RECORD_WORDS;
}

static bool uvm_fault_is_valid(struct uvm_gpu *gpu, unsigned int index)
{
	return READ_ONCE(uvm_fault_record(gpu, index)[7]) & FAULT_W7_VALID;
}

static void uvm_fault_read_put(struct uvm_gpu *gpu)
{
	gpu->faults.cached_put = FIELD_GET(REG_FAULT_PUT_INDEX,
					   rm_reg_read(gpu->rm, REG_FAULT_PUT));
}

/*
 * Two writes: the index alone, then the index with the clear bits.  In one
 * write a fault that arrives meanwhile could set overflow again at once
 * (nvidia-uvm 2.1).
 */
static void uvm_fault_write_get(struct uvm_gpu *gpu)
{
	u32 get = FIELD_PREP(REG_FAULT_GET_INDEX, gpu->faults.cached_get);

	if (rm_reg_read(gpu->rm, REG_FAULT_PUT) & REG_FAULT_PUT_OVERFLOW)
		gpu->faults.overflow = true;
	rm_reg_write(gpu->rm, REG_FAULT_GET, get);
	rm_reg_write(gpu->rm, REG_FAULT_GET,
		     get | REG_FAULT_GET_CLEAR_CORRUPTED | REG_FAULT_GET_CLEAR_OVERFLOW);
}

static unsigned int uvm_fault_next(struct uvm_gpu *gpu, unsigned int index)
{
	return index + 1 == gpu->faults.entries ? 0 : index + 1;
}

/* Records become valid out of order; the device writes each very soon. */
static bool uvm_fault_wait_valid(struct uvm_gpu *gpu, unsigned int index)
{
	return !sim_wait_event(rm_gpu_waitq(gpu->rm), uvm_fault_is_valid(gpu, index));
}

/**
 * uvm_fault_wait_first - wait until the next record can be read
 * @gpu: the GPU; service lock held, records are pending
 *
 * Return: true; false if the device writes it no more.
 */
bool uvm_fault_wait_first(struct uvm_gpu *gpu)
{
	unsigned int first = gpu->faults.cached_get;

	if (!uvm_fault_is_valid(gpu, first) && !uvm_fault_wait_valid(gpu, first))
		return false;
	smp_rmb();	/* VALID was seen: the rest of the record is there */
	return true;
}

/*
 * Records were lost.  Nothing is to be done about it: their accesses wait, and fault
 * again after the next replay.  It concerns every VA space on the GPU.
 */
static void uvm_fault_report_overflow(struct uvm_gpu *gpu, struct uvm_work *work)
{
	struct uvm_gpu_va_space *gvs;
	struct uvm_event ev = {
		.type = UVM_EVENT_FAULT_BUFFER_OVERFLOW,
		.gpu = gpu->index,
		.time_ns = sim_now(),
		.batch = gpu->faults.batch_id,
		.src = gpu->index,
		.dst = gpu->index,
	};

	if (!gpu->faults.overflow)
		return;
	gpu->faults.overflow = false;
	uvm_work_stat(work, UVM_STAT_FAULT_OVERFLOWS, 1);
	spin_lock(&gpu->instance_lock);
	list_for_each_entry(gvs, &gpu->gpu_va_spaces, node)
		uvm_events_emit(&gvs->va_space->events, &ev);
	spin_unlock(&gpu->instance_lock);
}

/* Copy a record out; its VALID bit is cleared for the device's next round. */
static void uvm_fault_take(struct uvm_gpu *gpu, unsigned int index, u32 *record)
{
	u32 *slot = uvm_fault_record(gpu, index);

	smp_rmb();	/* VALID was seen: the rest of the record is there */
	memcpy(record, slot, FAULT_RECORD_BYTES);
	WRITE_ONCE(slot[7], slot[7] & ~FAULT_W7_VALID);
}

/* The extension's record of the same index; nobody overwrites it before GET moves. */
static void uvm_fault_take_origin(struct uvm_gpu *gpu, unsigned int index, struct uvm_fault *fault)
{
	u32 record[FAULT_ORIGIN_WORDS];

	memcpy(record, gpu->info->fault_origin_ring + index * FAULT_ORIGIN_WORDS,
	       FAULT_ORIGIN_BYTES);
	uvm_fault_parse_origin(fault, record);
}

/**
 * uvm_fault_fetch - read records into the batch
 * @gpu: the GPU; service lock held
 * @max: most records
 * @mode: what to do about records that are not valid yet
 * @work: charged
 *
 * PUT is read again only if nothing is left up to the cached one.
 *
 * Return: number of records.
 */
unsigned int uvm_fault_fetch(struct uvm_gpu *gpu, unsigned int max, enum uvm_fetch_mode mode,
			     struct uvm_work *work)
{
	struct uvm_fault_service *faults = &gpu->faults;
	u32 record[FAULT_RECORD_WORDS];
	struct uvm_fault *fault;
	unsigned int n = 0;

	uvm_fault_batch_reset(&faults->batch);
	if (mode == UVM_FETCH_ALL || faults->cached_get == faults->cached_put)
		uvm_fault_read_put(gpu);
	while (n < min(max, faults->batch.max) && faults->cached_get != faults->cached_put) {
		if (!uvm_fault_is_valid(gpu, faults->cached_get)) {
			if (mode == UVM_FETCH_READY && n)
				break;
			if (!uvm_fault_wait_valid(gpu, faults->cached_get))
				break;
		}
		uvm_fault_take(gpu, faults->cached_get, record);
		fault = uvm_fault_batch_add_record(&faults->batch, record);
		if (faults->origin && fault)
			uvm_fault_take_origin(gpu, faults->cached_get, fault);
		faults->cached_get = uvm_fault_next(gpu, faults->cached_get);
		n++;
	}
	if (!n)
		return 0;
	faults->owed = true;
	uvm_work_enter(work, UVM_PHASE_FETCH,
		       uvm_cost(gpu, fetch) + n * uvm_cost(gpu, fetch_fault));
	uvm_fault_write_get(gpu);
	uvm_fault_report_overflow(gpu, work);
	return n;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_fault_fetch);

/**
 * uvm_fault_records - how many records are there to fetch?
 * @gpu: the GPU; service lock held
 *
 * Reads PUT.
 *
 * Return: 0 ... entries of the ring - 1, valid or not yet.
 */
unsigned int uvm_fault_records(struct uvm_gpu *gpu)
{
	struct uvm_fault_service *faults = &gpu->faults;

	uvm_fault_read_put(gpu);
	return uvm_fault_ring_records(faults->cached_get, faults->cached_put, faults->entries);
}

/**
 * uvm_fault_flush - drop records without serving them
 * @gpu: the GPU; service lock held
 * @mode: how far
 * @work: charged
 *
 * What they stood for faults again after the next replay, which the caller
 * must issue.
 *
 * Return: number of records dropped.
 */
unsigned int uvm_fault_flush(struct uvm_gpu *gpu, enum uvm_flush_mode mode,
			     struct uvm_work *work)
{
	struct uvm_fault_service *faults = &gpu->faults;
	u32 record[FAULT_RECORD_WORDS];
	unsigned int n = 0;

	if (mode == UVM_FLUSH_WAIT_UPDATE_PUT)
		uvm_tracker_wait(&faults->replay_tracker);
	if (mode != UVM_FLUSH_CACHED_PUT)
		uvm_fault_read_put(gpu);
	while (faults->cached_get != faults->cached_put) {
		if (!uvm_fault_is_valid(gpu, faults->cached_get) &&
		    !uvm_fault_wait_valid(gpu, faults->cached_get))
			break;
		uvm_fault_take(gpu, faults->cached_get, record);
		faults->cached_get = uvm_fault_next(gpu, faults->cached_get);
		n++;
	}
	if (!n)
		return 0;	/* GET is written when it has moved only */
	faults->owed = true;
	uvm_work_stat(work, UVM_STAT_FAULTS_FLUSHED, n);
	uvm_work_enter(work, UVM_PHASE_REPLAY, n * uvm_cost(gpu, flush_fault));
	uvm_fault_write_get(gpu);
	uvm_fault_report_overflow(gpu, work);
	return n;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_fault_flush);

/* ---- replay ---------------------------------------------------------- */

struct uvm_replay_report {
	struct uvm_gpu *gpu;
	u64 batch;
	const u64 *when;
};

/* Tell every VA space on the GPU: a replay is for all of them. */
static void uvm_replay_complete(void *data)
{
	struct uvm_replay_report *report = data;
	struct uvm_gpu *gpu = report->gpu;
	struct uvm_gpu_va_space *gvs;
	struct uvm_event ev = {
		.type = UVM_EVENT_REPLAY,
		.gpu = gpu->index,
		.time_ns = *report->when,
		.batch = report->batch,
		.src = gpu->index,
		.dst = gpu->index,
	};

	if (ev.time_ns) {
		spin_lock(&gpu->instance_lock);
		list_for_each_entry(gvs, &gpu->gpu_va_spaces, node)
			uvm_events_emit(&gvs->va_space->events, &ev);
		spin_unlock(&gpu->instance_lock);
	}
	kfree(report);
}

/**
 * uvm_fault_replay - let waiting accesses try again
 * @gpu: the GPU; service lock held
 * @type: HOST_REPLAY_START or HOST_REPLAY_START_ACK_ALL
 * @flushed: records dropped before, for the trace
 * @work: charged; its VA space counts the replay, though it is for all of them
 *
 * The replay waits on the GPU for the batch tracker, so page tables are
 * written before it; it is added to the replay tracker.
 *
 * Return: 0 or -EIO.
 */
int uvm_fault_replay(struct uvm_gpu *gpu, unsigned int type, unsigned int flushed,
		     struct uvm_work *work)
{
	struct uvm_fault_service *faults = &gpu->faults;
	struct uvm_replay_report *report;
	struct uvm_push push;
	const u64 *when;
	int ret;

	uvm_work_enter(work, UVM_PHASE_REPLAY, uvm_cost(gpu, replay));
	ret = uvm_replays_bound(&gpu->replays, work);
	if (ret)
		return ret;
	/* without memory the replay goes unreported, never undone */
	report = kmalloc(sizeof(*report), GFP_KERNEL);
	ret = uvm_push_begin_acquire(gpu, UVM_CHANNEL_MEMOPS, &faults->batch_tracker, &push);
	if (ret) {
		kfree(report);
		return ret;
	}
	/* taken in any case: whether somebody is told must not change the time */
	when = uvm_host_timestamp(&push);
	if (report) {
		report->gpu = gpu;
		report->batch = faults->batch_id;
		report->when = when;
		uvm_push_on_complete(&push, uvm_replay_complete, report);
	}
	uvm_host_replay(&push, type);
	uvm_push_end(&push);
	uvm_tracker_clear(&faults->batch_tracker);
	faults->owed = false;
	uvm_work_stat(work, UVM_STAT_REPLAYS, 1);
	uvm_counter_add(work->va_space ? work->va_space->counters : NULL, gpu->id,
			type == HOST_REPLAY_START ? UVM_COUNTER_REPLAYS_START :
						    UVM_COUNTER_REPLAYS_ACK_ALL, 1);
	trace_uvm_replay(sim_now(), gpu->index, faults->batch_id, flushed);
	uvm_replays_add(&gpu->replays, &push);
	return uvm_tracker_add_push_safe(&faults->replay_tracker, &push);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_fault_replay);

/**
 * uvm_faults_pending - are there records to read?
 * @gpu: the GPU
 *
 * Any context.  Only the holder of the service lock may change the answer.
 *
 * Return: true if GET and PUT differ.
 */
bool uvm_faults_pending(struct uvm_gpu *gpu)
{
	struct uvm_fault_service *faults = &gpu->faults;

	if (faults->cached_get != faults->cached_put)
		return true;
	return faults->cached_get !=
	       FIELD_GET(REG_FAULT_PUT_INDEX, rm_reg_read(gpu->rm, REG_FAULT_PUT));
}
