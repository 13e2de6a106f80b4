// SPDX-License-Identifier: GPL-2.0
/*
 * Physical memory of a GPU: page-walk hits and accesses, from the device's recorder to the
 * eviction policy that has asked for them (HPE, TCAD 2020, IV-C), and to range states.
 */
#include <linux/bitfield.h>
#include <softgpu/recorder_format.h>
#include <softgpu/regs.h>
#include "base/event.h"
#include "base/work.h"
#include "gpu/gpu.h"
#include "memory/pmm_policy.h"
#include "memory/pmm_recorder.h"
#include "policy/lib/recorder.h"
#include "space/va_space_types.h"

/* Records that are read before others get the lock, and full event queues their readers. */
#define PMM_RECORDS_AT_ONCE	16

/**
 * struct uvm_pmm_hit - page-walk hits of one page
 * @instance: context
 * @va: address of the page
 * @count: how many, at least one
 * @requests: that they served; 0: not known
 */
struct uvm_pmm_hit {
	u64 instance;
	u64 va;
	u32 count;
	u32 requests;
};

/* Who listens to the VA space hears of it.  Return: its number; 0: it is gone, or not ours. */
static u64 uvm_pmm_emit_hit(struct uvm_pmm *pmm, const struct uvm_pmm_hit *hit)
{
	struct uvm_event ev = {
		.type = UVM_EVENT_WALK_HIT,
		.gpu = pmm->gpu->index,
		.time_ns = sim_now(),
		.address = hit->va,
		.bytes = UVM_PAGE_SIZE,
		.count = hit->count,
		.value = hit->requests,
	};
	struct uvm_gpu_va_space *gvs;
	u64 id = 0;

	spin_lock(&pmm->gpu->instance_lock);
	list_for_each_entry(gvs, &pmm->gpu->gpu_va_spaces, node) {
		if (gvs->instance != hit->instance)
			continue;
		id = gvs->va_space->id;
		uvm_events_emit(&gvs->va_space->events, &ev);
	}
	spin_unlock(&pmm->gpu->instance_lock);
	return id;
}

static void uvm_pmm_tell_hit(struct uvm_pmm *pmm, const struct uvm_pmm_hit *hit)
{
	struct uvm_eviction_touch touch = {
		.when = uvm_eviction_now(&pmm->pool.evictor->ctx),
		.count = hit->count,
		.va = hit->va,
		.va_space = uvm_pmm_emit_hit(pmm, hit),
	};

	if (touch.va_space)
		uvm_evictor_touch(pmm->pool.evictor, UVM_UNIT_NONE, &touch);
}

/* Counter @i of a record of HIR. */
static u32 uvm_pmm_hit_counter(const u32 *record, unsigned int i, unsigned int bits)
{
	unsigned int bit = i * bits, at = 4 + bit / 32;
	u64 both = record[at];

	if (at < 6)
		both |= (u64)record[at + 1] << 32;
	return both >> bit % 32 & (BIT(bits) - 1);
}

/* 64 KB were accessed: the ranges of the VA space hear of it first, if it is lines. */
static void uvm_pmm_tell_accesses(struct uvm_pmm *pmm, u64 instance,
				  const struct uvm_range_touch *accesses)
{
	struct uvm_eviction_touch touch = {
		.when = uvm_eviction_now(&pmm->pool.evictor->ctx),
		.count = accesses->all,
		.va = accesses->va,
	};
	struct uvm_gpu_va_space *gvs;

	lockdep_assert_held(&pmm->lock);
	spin_lock(&pmm->gpu->instance_lock);
	list_for_each_entry(gvs, &pmm->gpu->gpu_va_spaces, node) {
		if (gvs->instance != instance)
			continue;
		touch.va_space = gvs->va_space->id;
		if (pmm->feeds & UVM_FEED_ACCESSES)
			pmm->pool.evictor->calls += uvm_pmm_tell_ranges(gvs, accesses);
	}
	spin_unlock(&pmm->gpu->instance_lock);
	if (touch.va_space)
		uvm_evictor_touch(pmm->pool.evictor, UVM_UNIT_NONE, &touch);
}

static void uvm_pmm_read_record(struct uvm_pmm *pmm, const u32 *record)
{
	unsigned int pages = rm_profile(pmm->gpu->rm, RM_PROFILE_recorder_pages), i;
	unsigned int bits = rm_profile(pmm->gpu->rm, RM_PROFILE_recorder_counter_bits);
	struct uvm_pmm_hit hit = {
		.instance = (u64)record[1] << 32 | (record[0] & RECORDER_W0_INST_LO),
		.va = (u64)record[3] << 32 | record[2],
		.count = 1,
	};

	if (FIELD_GET(RECORDER_W0_TYPE, record[0]) == RECORDER_TYPE_WALK) {
		hit.requests = FIELD_GET(RECORDER_W5_REQUESTS, record[5]);
		uvm_pmm_tell_hit(pmm, &hit);
		return;
	}
	pmm->pool.evictor->ctx.spent.records++;
	if (FIELD_GET(RECORDER_W0_TYPE, record[0]) == RECORDER_TYPE_ACCESSES) {
		uvm_pmm_tell_accesses(pmm, hit.instance, &(struct uvm_range_touch){
			.va = hit.va,
			.all = FIELD_GET(RECORDER_W4_LOCAL, record[4]) +
			       FIELD_GET(RECORDER_W5_REMOTE, record[5]),
		});
		return;
	}
	for (i = 0; i < pages; i++, hit.va += UVM_PAGE_SIZE) {
		hit.count = uvm_pmm_hit_counter(record, i, bits);
		if (hit.count)
			uvm_pmm_tell_hit(pmm, &hit);
	}
}

/* Some records go to the policy, in order.  Return: how many. */
static u32 uvm_pmm_read_records(struct uvm_pmm *pmm)
{
	const struct rm_gpu_info *info = pmm->gpu->info;
	u32 get = rm_reg_read(pmm->gpu->rm, REG_RECORDER_GET), n = 0;
	u32 put = rm_reg_read(pmm->gpu->rm, REG_RECORDER_PUT);

	lockdep_assert_held(&pmm->lock);
	if (!(pmm->feeds & UVM_RECORDER_FEEDS))
		return 0;
	for (; get != put && n < PMM_RECORDS_AT_ONCE; n++) {
		const u32 *record = info->recorder_ring + get * RECORDER_RECORD_WORDS;

		if (!(READ_ONCE(record[7]) & RECORDER_W7_VALID))
			break;
		smp_rmb();	/* VALID before the rest */
		uvm_pmm_read_record(pmm, record);
		get = (get + 1) % info->recorder_ring_entries;
	}
	rm_reg_write(pmm->gpu->rm, REG_RECORDER_GET, get);
	return n;
}

/*
 * One ring of records at most: a kernel whose walks never end must not keep the driver from the
 * faults of others.  What is left interrupts again.
 */
static void uvm_pmm_read_ring(struct uvm_pmm *pmm, struct uvm_work *work)
{
	u32 n, all = 0, most = pmm->gpu->info->recorder_ring_entries;
	bool more;
	u64 ns;

	do {
		mutex_lock(&pmm->lock);
		ns = pmm->pool.readings;
		n = uvm_pmm_read_records(pmm);
		all += n;
		more = n == PMM_RECORDS_AT_ONCE && all < most;
		if (!more) {
			pmm->recorder.fetches++;
			pmm->recorder.records += all;
			pmm->recorder.longest = max(pmm->recorder.longest, all);
		}
		ns = uvm_pmm_policy_ns(pmm, ns);
		mutex_unlock(&pmm->lock);
		uvm_work_charge(work, UVM_PHASE_EVICT, ns);
		uvm_events_throttle();
	} while (more);
}

void uvm_pmm_fetch_hits(struct uvm_gpu *gpu, struct uvm_work *work)
{
	struct uvm_pmm *pmm = &gpu->pmm;

	if (!(READ_ONCE(pmm->feeds) & UVM_RECORDER_FEEDS))
		return;
	if (READ_ONCE(pmm->feeds) & (UVM_RECORDER_FEEDS & ~UVM_FEED_WALKS)) {
		rm_reg_write(gpu->rm, REG_RECORDER_TRANSFER, 1);
		uvm_work_wait_begin(work);
		sim_wait_event(rm_gpu_waitq(gpu->rm),
			       !rm_reg_read(gpu->rm, REG_RECORDER_BUSY));
		uvm_work_wait_end(work);
	}
	uvm_pmm_read_ring(pmm, work);
}

void uvm_pmm_batch_fetched(struct uvm_gpu *gpu, unsigned int faults, struct uvm_work *work)
{
	struct uvm_pmm *pmm = &gpu->pmm;
	bool due;

	if (likely(!(READ_ONCE(pmm->feeds) & UVM_RECORDER_FEEDS)))
		return;
	mutex_lock(&pmm->lock);
	due = uvm_evictor_fetches(pmm->pool.evictor, faults);
	mutex_unlock(&pmm->lock);
	if (due)
		uvm_pmm_fetch_hits(gpu, work);
}

void uvm_pmm_before_full(struct uvm_gpu *gpu, struct uvm_work *work)
{
	struct uvm_pmm *pmm = &gpu->pmm;
	bool due;

	if (likely(!(READ_ONCE(pmm->feeds) & UVM_RECORDER_FEEDS)))
		return;
	mutex_lock(&pmm->lock);
	due = uvm_evictor_fetches_full(pmm->pool.evictor);
	mutex_unlock(&pmm->lock);
	if (due)
		uvm_pmm_fetch_hits(gpu, work);
}

bool uvm_pmm_wants_walks(struct uvm_gpu *gpu)
{
	return READ_ONCE(gpu->pmm.feeds) & UVM_FEED_WALKS;
}

bool uvm_pmm_hits_pending(struct uvm_gpu *gpu)
{
	return uvm_pmm_wants_walks(gpu) &&
	       (rm_reg_read(gpu->rm, REG_INTR_PENDING) & REG_INTR_RECORDER);
}
