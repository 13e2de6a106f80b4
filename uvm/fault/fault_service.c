// SPDX-License-Identifier: GPL-2.0
/*
 * The bottom half: batches of replayable faults, from fetch to replay
 * (nvidia-uvm 2.3, 2.7).
 */
#include <linux/bitfield.h>
#include <kunit/visibility.h>
#include <softgpu/fault_format.h>
#include <softgpu/regs.h>
#include "fault/fault.h"
#include "fault/gpu_concurrency.h"
#include "gpu/channel.h"
#include "gpu/gpu.h"
#include "gpu/hal.h"
#include "gpu/tracker.h"
#include "memory/pmm.h"
#include "memory/pmm_recorder.h"
#include "policy/param.h"
#include "policy/policy.h"
#include "base/trace.h"
#include "space/va_space.h"
#include "base/work.h"

/* Limits of one run of the bottom half; the first fault's VA space decides. */
struct uvm_fault_limits {
	unsigned int batch;
	unsigned int batches;
	unsigned int throttled;
	unsigned int put_ratio;
	const struct uvm_replay_ops *policy;
	unsigned int prefetch_lapse;
	bool coalesce;
};

/*
 * Whose is the first record?  False if there is none; @gvs is NULL if its context has gone.
 * Only what is seen here is fetched: another VA space's limits are not for it.
 */
static bool uvm_fault_peek(struct uvm_gpu *gpu, struct uvm_gpu_va_space **gvs)
{
	struct uvm_fault_service *faults = &gpu->faults;
	const u32 *record = gpu->info->fault_ring + faults->cached_get * FAULT_RECORD_WORDS;

	*gvs = NULL;
	if (!uvm_faults_pending(gpu) || !uvm_fault_wait_first(gpu))
		return false;
	*gvs = uvm_gpu_find_va_space(gpu, ((u64)record[1] << 32) |
				     (record[0] & FAULT_W0_INST_LO));
	return true;
}

static void uvm_fault_read_limits(struct uvm_gpu *gpu, struct uvm_gpu_va_space *gvs,
				  struct uvm_fault_limits *limits)
{
	const struct uvm_params *params = gvs ? &gvs->va_space->params : uvm_params_module();

	limits->batch = READ_ONCE(params->perf_fault_batch_count);
	limits->batches = READ_ONCE(params->perf_fault_max_batches_per_service);
	limits->throttled = READ_ONCE(params->perf_fault_max_throttle_per_service);
	limits->put_ratio = READ_ONCE(params->perf_fault_replay_update_put_ratio);
	limits->policy = READ_ONCE(params->replay_policy);
	limits->coalesce = READ_ONCE(params->perf_fault_coalesce);
	limits->prefetch_lapse = READ_ONCE(params->perf_reenable_prefetch_faults_lapse_msec);
}

/* End of the faults of the VA space that sorted[@first] belongs to. */
static unsigned int uvm_fault_va_space_outer(const struct uvm_fault_batch *batch,
					     unsigned int first)
{
	unsigned int i = first;

	while (i < batch->nr_coalesced &&
	       batch->sorted[i]->va_space == batch->sorted[first]->va_space)
		i++;
	return i;
}

static void uvm_fault_serve_va_space(struct uvm_fault_run *run, struct uvm_gpu_va_space *gvs,
				     unsigned int first, unsigned int outer)
{
	struct uvm_va_space *va_space = gvs->va_space;

	uvm_work_set_va_space(run->work, &va_space->stats);
	sim_down_read(&va_space->lock);
	/* it may have left the GPU while we waited; then its faults are stale */
	if (va_space->gpus[run->gpu->index] == gvs) {
		uvm_va_space_reap(va_space);
		uvm_fault_serve(run, gvs, first, outer);
	}
	sim_up_read(&va_space->lock);
}

/* Cancel what is fatal, one VA space after the other. */
static int uvm_fault_cancel_fatal(struct uvm_fault_run *run)
{
	struct uvm_fault_batch *batch = &run->gpu->faults.batch;
	struct uvm_fault *first = NULL;
	unsigned int i;

	/*
	 * Cancelling refills the batch: one VA space at a time, others fault
	 * again.  Prefetches come last, for they end no launch: one that makes
	 * them for ever must not keep another from its end.
	 */
	for (i = 0; i < batch->nr_coalesced; i++) {
		struct uvm_fault *fault = batch->sorted[i];

		if (fault->fatal && (!first || (first->invalid_prefetch &&
						!fault->invalid_prefetch)))
			first = fault;
	}
	return first ? uvm_fault_cancel(run, uvm_fault_instance_pa(first)) : 0;
}

static int uvm_fault_replay_batch(struct uvm_fault_run *run, const struct uvm_fault_limits *limits)
{
	struct uvm_gpu *gpu = run->gpu;
	struct uvm_fault_batch *batch = &gpu->faults.batch;
	unsigned int flushed = 0, records = 0;
	int ret;

	if (limits->policy->ring_percent)
		records = uvm_fault_records(gpu);
	if (!uvm_policy_replays_batch(limits->policy, records, gpu->faults.entries))
		return 0;
	if (limits->policy->flush) {
		bool update = batch->nr_duplicates * 100 > batch->nr_cached * limits->put_ratio;

		flushed = uvm_fault_flush(gpu, update ? UVM_FLUSH_UPDATE_PUT :
							UVM_FLUSH_CACHED_PUT, run->work);
	}
	ret = uvm_fault_replay(gpu, HOST_REPLAY_START, flushed, run->work);
	if (ret || !limits->policy->wait)
		return ret;
	uvm_work_wait_begin(run->work);
	ret = uvm_tracker_wait(&gpu->faults.replay_tracker);
	uvm_work_wait_end(run->work);
	return ret;
}

static void uvm_fault_report_batch(struct uvm_fault_run *run, struct uvm_va_space *va_space,
				   unsigned int faults, u64 began, u64 id)
{
	u64 now = sim_now();
	u64 handling = (run->first_copy_ns ? run->first_copy_ns : now) - began;
	struct uvm_event ev = {
		.type = UVM_EVENT_BATCH,
		.gpu = run->gpu->index,
		.count = faults,
		.time_ns = began,
		.duration_ns = now - began,
		.bytes = run->bytes,
		.batch = id,
		.src = run->gpu->index,
		.dst = run->gpu->index,
		.value = handling,
	};
	struct uvm_stats_set *sets[] = { &va_space->stats, &run->gpu->stats };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sets); i++) {
		uvm_stat_add(sets[i], UVM_STAT_BATCHES, 1);
		uvm_stat_max(sets[i], UVM_STAT_BATCH_FAULTS_MAX, faults);
		uvm_stat_add(sets[i], UVM_STAT_BATCH_BYTES, run->bytes);
		uvm_stat_add(sets[i], UVM_STAT_BATCH_TIME_NS, ev.duration_ns);
		uvm_stat_add(sets[i], UVM_STAT_BATCH_HANDLING_NS, handling);
		uvm_stat_batch(sets[i], faults);
	}
	uvm_events_emit(&va_space->events, &ev);
}

/* Step 4 of nvidia-uvm 2.3, before the replay: it is to drop what was just disabled. */
static void uvm_fault_govern(struct uvm_fault_run *run, const struct uvm_fault_limits *limits)
{
	struct uvm_fault_governor *governor = &run->gpu->faults.governor;
	unsigned int invalid = run->gpu->faults.batch.nr_invalid_prefetch;
	bool was = governor->disabled;

	uvm_fault_governor_step(governor, invalid, limits->batch, limits->prefetch_lapse,
				sim_now());
	if (governor->disabled == was)
		return;
	rm_reg_write(run->gpu->rm, REG_FAULT_PREFETCH, was);
	uvm_work_stat(run->work, UVM_STAT_PREFETCH_DISABLED, !was);
}

/*
 * Prefetches of nothing end by a replay when prefetch faults are off: the device
 * drops them.  While they are on, nvidia-uvm would replay them as well; here they
 * would come back for ever, below the governor's limit, so they are cancelled.
 */
static bool uvm_fault_must_cancel(const struct uvm_fault_run *run)
{
	const struct uvm_fault_service *faults = &run->gpu->faults;

	return faults->batch.nr_fatal ||
	       (faults->batch.nr_invalid_prefetch && !faults->governor.disabled);
}

/**
 * uvm_fault_governor_reset - prefetch faults are on again
 * @gpu: the GPU; nobody uses it
 *
 * When a first VA space comes: no run inherits what another one has provoked.
 */
void uvm_fault_governor_reset(struct uvm_gpu *gpu)
{
	gpu->faults.governor.disabled = false;
	rm_reg_write(gpu->rm, REG_FAULT_PREFETCH, 1);
}

/*
 * Serve the batch that was fetched.  Its books go to the VA space of its first
 * fault; that is all of it unless processes share the GPU.
 */
static int uvm_fault_serve_batch(struct uvm_fault_run *run, const struct uvm_fault_limits *limits,
				 u64 began)
{
	struct uvm_fault_batch *batch = &run->gpu->faults.batch;
	struct uvm_gpu_va_space *owner = batch->sorted[0]->va_space;
	unsigned int faults = batch->nr_cached, first, outer;
	unsigned int distinct = batch->nr_coalesced, duplicates;
	u64 id = run->gpu->faults.batch_id;
	int ret;

	run->owner = owner;
	uvm_pmm_batch_fetched(run->gpu, batch->nr_coalesced, run->work);
	for (first = 0; first < batch->nr_coalesced; first = outer) {
		outer = uvm_fault_va_space_outer(batch, first);
		uvm_fault_serve_va_space(run, batch->sorted[first]->va_space, first, outer);
	}
	duplicates = batch->nr_duplicates;
	uvm_fault_govern(run, limits);
	if (uvm_fault_must_cancel(run))
		ret = uvm_fault_cancel_fatal(run);
	else
		ret = uvm_fault_replay_batch(run, limits);
	uvm_fault_report_batch(run, owner->va_space, faults, began, id);
	trace_uvm_batch_end(sim_now(), run->gpu->index, id, faults, distinct, duplicates,
			    run->blocks, run->bytes, sim_now() - began);
	return ret;
}

/* Records of contexts that are gone: drop everything, what still waits comes back. */
static int uvm_fault_restart(struct uvm_fault_run *run)
{
	unsigned int flushed = uvm_fault_flush(run->gpu, UVM_FLUSH_UPDATE_PUT, run->work);

	return uvm_fault_replay(run->gpu, HOST_REPLAY_START, flushed, run->work);
}

/*
 * Before the faults of a batch are fetched: what runs on the GPU is decided, and memory that the
 * batch will need is freed if the eviction timing says so (batch-aware, 4.2).  After an interrupt
 * that is before the thread that serves has woken up, as far as time goes.
 */
static void uvm_fault_batch_begin(struct uvm_gpu *gpu, struct uvm_gpu_va_space *gvs)
{
	struct uvm_work work;

	uvm_gpu_concurrency_step(gpu);
	if (uvm_pmm_wants_room(gpu) && uvm_faults_pending(gpu)) {
		uvm_work_begin(&work, &gpu->stats, gvs ? &gvs->va_space->stats : NULL,
			       UVM_PHASE_EVICT);
		uvm_pmm_batch_begin(gpu, &work);
		uvm_work_end(&work);
	}
	if (gpu->faults.ahead)
		sim_charge(uvm_cost(gpu, bh_wake));
	gpu->faults.ahead = false;
}

/* After its replay, whatever became of it. */
static void uvm_fault_batch_end(struct uvm_gpu *gpu, struct uvm_work *work)
{
	uvm_pmm_batch_end(gpu, work);
	uvm_work_end(work);
}

static int uvm_fault_one_batch(struct uvm_fault_run *run, struct uvm_fault_limits *limits)
{
	struct uvm_gpu *gpu = run->gpu;
	struct uvm_gpu_va_space *gvs;
	bool pending = uvm_fault_peek(gpu, &gvs);
	struct uvm_work work;
	u64 began = sim_now();
	int ret;

	uvm_fault_batch_begin(gpu, gvs);
	if (!pending && !uvm_fault_peek(gpu, &gvs))	/* time has passed */
		return -ENODATA;
	run->work = &work;
	uvm_fault_read_limits(gpu, gvs, limits);
	run->policy = limits->policy;
	gpu->faults.batch.coalesce = limits->coalesce;
	uvm_work_begin(&work, &gpu->stats, gvs ? &gvs->va_space->stats : NULL, UVM_PHASE_FETCH);
	if (!uvm_fault_fetch(gpu, limits->batch, UVM_FETCH_READY, &work)) {
		uvm_work_end(&work);
		return -ENODATA;
	}
	gpu->faults.batch_id++;
	trace_uvm_batch_begin(began, gpu->index, gpu->faults.batch_id);
	ret = uvm_fault_preprocess(gpu, &work);
	if (ret == -ESTALE)
		ret = uvm_fault_restart(run) ? : -EAGAIN;
	else if (!ret)
		ret = uvm_fault_serve_batch(run, limits, began);
	uvm_fault_batch_end(gpu, &work);
	return ret;
}

/**
 * uvm_fault_last_replay - end a run with a replay, if it needs one
 * @gpu: the GPU; service lock held
 * @owner: whose run it was, or NULL
 * @replays_before: replays issued when it began
 *
 * A replay has to follow whatever was fetched: that of policies that replay
 * once, of batches that were put off, of a cancel whose context has left.  As in
 * nvidia-uvm a run that has issued none ends with one even if it found no record.
 */
void uvm_fault_last_replay(struct uvm_gpu *gpu, struct uvm_gpu_va_space *owner,
			   u64 replays_before)
{
	struct uvm_work work;

	if (!gpu->faults.owed && gpu->replays.count != replays_before)
		return;
	uvm_work_begin(&work, &gpu->stats, owner ? &owner->va_space->stats : NULL,
		       UVM_PHASE_REPLAY);
	uvm_fault_replay(gpu, HOST_REPLAY_START, 0, &work);
	uvm_work_end(&work);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_fault_last_replay);

/**
 * uvm_fault_service_run - one run of the bottom half
 * @gpu: the GPU; service lock held
 *
 * Until the ring is empty or a limit is reached; the interrupt comes again for
 * what is left.
 */
void uvm_fault_service_run(struct uvm_gpu *gpu)
{
	struct uvm_gpu_va_space *owner = NULL;
	struct uvm_fault_limits limits = {};
	unsigned int batches = 0, throttled = 0;
	u64 replays = gpu->replays.count;
	int ret = 0;

	do {
		struct uvm_fault_run run = { .gpu = gpu };

		ret = uvm_fault_one_batch(&run, &limits);
		if (run.owner)
			owner = run.owner;
		if (ret == -EAGAIN) {
			ret = 0;
			continue;	/* a restart is not a batch */
		}
		throttled += !!run.throttled;
		batches++;
	} while (!ret && batches < limits.batches && throttled < limits.throttled);
	if (ret != -EIO)
		uvm_fault_last_replay(gpu, owner, replays);
	uvm_channels_update_progress(gpu);
}
