// SPDX-License-Identifier: GPL-2.0
/* MMU: its TLBs, lookups and invalidates.  Misses are mmu_mshr.c. */
#include <linux/bitmap.h>
#include <linux/log2.h>
#include <linux/slab.h>
#include <kunit/visibility.h>
#include <softgpu/mmu_format.h>
#include "base/gpu.h"
#include "clock/clock.h"
#include "base/trace.h"
#include "mmu/far_fault.h"
#include "mmu/mmu.h"
#include "mmu/mmu_mshr.h"
#include "mmu/mmu_replay.h"
#include "mmu/mmu_tlb.h"
#include "mmu/tlb.h"
#include "mmu/walker.h"

static void sgpu_utlb_exit(struct sgpu_utlb *utlb)
{
	sgpu_tlb_exit(&utlb->tlb);
	kvfree(utlb->mshrs);
	bitmap_free(utlb->used);
}

static int sgpu_utlb_init(struct rm_gpu *gpu, struct sgpu_utlb *utlb, unsigned int index)
{
	struct sgpu_mmu *mmu = &gpu->mmu;
	unsigned int i;
	int ret;

	spin_lock_init(&utlb->lock);
	INIT_LIST_HEAD(&utlb->stalled);
	INIT_LIST_HEAD(&utlb->faulted);
	ret = sgpu_tlb_init(&utlb->tlb, sgpu_prof(gpu, utlb_entries), sgpu_prof(gpu, utlb_ways),
			    SGPU_TLB_INDEX_MODULO);
	if (ret)
		return ret;
	utlb->mshrs = kvcalloc(mmu->utlb_mshrs, sizeof(*utlb->mshrs), GFP_KERNEL);
	utlb->used = bitmap_zalloc(mmu->utlb_mshrs, GFP_KERNEL);
	if (!utlb->mshrs || !utlb->used)
		return -ENOMEM;
	for (i = 0; i < mmu->utlb_mshrs; i++) {
		utlb->mshrs[i].utlb = index;
		INIT_LIST_HEAD(&utlb->mshrs[i].accesses);
		INIT_LIST_HEAD(&utlb->mshrs[i].node);
	}
	return 0;
}

static void sgpu_mmu_read_profile(struct rm_gpu *gpu)
{
	struct sgpu_mmu *mmu = &gpu->mmu;
	unsigned int sms = sgpu_prof(gpu, sm_count);

	mmu->sms_per_utlb = sgpu_prof(gpu, sms_per_utlb);
	mmu->utlb_count = DIV_ROUND_UP(sms, mmu->sms_per_utlb);
	mmu->utlbs_per_gpc = DIV_ROUND_UP(mmu->utlb_count, sgpu_prof(gpu, gpc_count));
	mmu->utlb_mshrs = sgpu_prof(gpu, utlb_faults);
	mmu->mshr_shift = ilog2(sgpu_prof(gpu, miss_bytes));
	mmu->walks_max = sgpu_prof(gpu, walks_in_flight);
	mmu->port_ps = sgpu_prof(gpu, utlb_port_cycles) * gpu->cycle_ps;
	mmu->l2_ps = sgpu_prof(gpu, l2tlb_cycles) * gpu->cycle_ps;
	mmu->l2_ports = sgpu_prof(gpu, l2tlb_ports);
	mmu->cycle_ps = gpu->cycle_ps;
	mmu->walk_ps = sgpu_prof(gpu, walk_cycles) * gpu->cycle_ps;
	mmu->replay_ps = sgpu_prof(gpu, replay_ns) * PS_PER_NS;
}

int sgpu_mmu_init(struct rm_gpu *gpu)
{
	struct sgpu_mmu *mmu = &gpu->mmu;
	unsigned int i, sms = sgpu_prof(gpu, sm_count);
	int ret;

	memset(mmu, 0, sizeof(*mmu));
	mmu->real = !sim_is_virtual();
	sgpu_mmu_read_profile(gpu);
	sgpu_mmu_mshr_init(gpu);
	sgpu_mmu_replay_init(gpu);
	ret = sgpu_far_faults_init(gpu);
	if (ret)
		goto err;
	ret = sgpu_tlb_init(&mmu->l2, sgpu_prof(gpu, l2tlb_entries), sgpu_prof(gpu, l2tlb_ways),
			    sgpu_prof(gpu, l2tlb_index));
	if (ret)
		goto err;
	ret = -ENOMEM;
	mmu->utlbs = kvcalloc(mmu->utlb_count, sizeof(*mmu->utlbs), GFP_KERNEL);
	mmu->by_sm = kvcalloc(sms, sizeof(*mmu->by_sm), GFP_KERNEL);
	if (!mmu->utlbs || !mmu->by_sm)
		goto err;
	for (i = 0; i < mmu->utlb_count; i++) {
		ret = sgpu_utlb_init(gpu, &mmu->utlbs[i], i);
		if (ret)
			goto err;
	}
	for (i = 0; i < sms; i++)
		mmu->by_sm[i] = &mmu->utlbs[i / mmu->sms_per_utlb];
	return 0;
err:
	sgpu_mmu_exit(gpu);
	return ret;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_mmu_init);

void sgpu_mmu_exit(struct rm_gpu *gpu)
{
	struct sgpu_mmu *mmu = &gpu->mmu;
	unsigned int i;

	sgpu_event_cancel(&mmu->event);
	sgpu_event_cancel(&mmu->replay_event);
	for (i = 0; mmu->utlbs && i < mmu->utlb_count; i++)
		sgpu_utlb_exit(&mmu->utlbs[i]);
	kvfree(mmu->utlbs);
	kvfree(mmu->by_sm);
	sgpu_far_faults_exit(gpu);
	sgpu_tlb_exit(&mmu->l2);
	mmu->utlbs = NULL;
	mmu->by_sm = NULL;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_mmu_exit);

/*
 * The epoch moves first: a translation read before that is refused by the SM
 * that gets it, one read later sees the tables as they are now.
 */
void sgpu_mmu_invalidate(struct rm_gpu *gpu, const struct sgpu_invalidate *inv)
{
	struct sgpu_mmu *mmu = &gpu->mmu;
	u64 first = 0, last = (1ULL << MMU_VA_BITS) - 1, tag = 0;
	unsigned int i;

	if (READ_ONCE(mmu->ignore_invalidate))
		return;
	if (!inv->all_pdbs)
		tag = sgpu_tlb_tag(inv->pdb_aperture == RM_APERTURE_SYS, inv->pdb);
	if (inv->targeted && inv->log2_pages + 12 < MMU_VA_BITS) {
		u64 span = 1ULL << (inv->log2_pages + 12);

		first = inv->va & last & ~(span - 1);
		last = first + span - 1;
	}
	trace_softgpu_tlb_invalidate(gpu->index, inv->pdb, inv->va, inv->log2_pages);
	spin_lock(&mmu->lock);
	mmu->invalidates++;
	atomic64_inc(&mmu->epoch);
	sgpu_tlb_invalidate(&mmu->l2, tag, first, last);
	for (i = 0; i < mmu->utlb_count; i++) {
		struct sgpu_utlb *utlb = &mmu->utlbs[i];

		sgpu_utlb_lock(mmu, utlb);
		sgpu_tlb_invalidate(&utlb->tlb, tag, first, last);
		sgpu_utlb_unlock(mmu, utlb);
	}
	spin_unlock(&mmu->lock);
	if (!mmu->real)
		return;
	mmu->client->quiesce(gpu);
	if (mmu->quiesce_copies)
		mmu->quiesce_copies(gpu);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_mmu_invalidate);

u64 sgpu_mmu_epoch(struct rm_gpu *gpu)
{
	return atomic64_read(&gpu->mmu.epoch);
}

void sgpu_mmu_read_counters(struct rm_gpu *gpu, struct sgpu_mmu_counters *counters)
{
	struct sgpu_mmu *mmu = &gpu->mmu;
	unsigned int i;

	memset(counters, 0, sizeof(*counters));
	for (i = 0; i < mmu->utlb_count; i++) {
		counters->tlb_hits += READ_ONCE(mmu->utlbs[i].hits);
		counters->tlb_misses += READ_ONCE(mmu->utlbs[i].misses);
	}
	counters->walks = READ_ONCE(mmu->walks);
	counters->merged = READ_ONCE(mmu->merged);
	counters->retried = READ_ONCE(mmu->retried);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_mmu_read_counters);
