// SPDX-License-Identifier: GPL-2.0
/* MMU: cancels of accesses that wait for a replay, by address or by client; see mmu.h. */
#include <linux/bitmap.h>
#include <kunit/visibility.h>
#include <softgpu/host_class.h>
#include "base/gpu.h"
#include "clock/clock.h"
#include "mmu/mmu_cancel.h"
#include "mmu/mmu_mshr.h"
#include "mmu/mmu_tlb.h"

/* A cancel of all that an MSHR stands for. */
#define SGPU_CANCEL_ANY_PAGE	U64_MAX

int sgpu_access_cancel_error(const struct sgpu_access *a)
{
	return a->as->cancel_error && a->as->cancel_page == a->va >> 12 ? a->as->cancel_error :
									  EFAULT;
}

/*
 * Does a cancel of the page mean this access?  Not one issued since the driver looked: the
 * page may have been mapped since, and be asked for by another launch.
 */
static bool sgpu_cancel_means(const struct sgpu_mmu *mmu, const struct sgpu_access *a, u64 page)
{
	if (a->issue_seq >= READ_ONCE(mmu->cancel_before))
		return false;
	return page == SGPU_CANCEL_ANY_PAGE || a->va >> 12 == page;
}

/* Cancel what is meant of an MSHR that waits for a replay. */
static void sgpu_mshr_cancel(struct rm_gpu *gpu, struct sgpu_mshr *m, u64 page, u64 now)
{
	struct sgpu_mmu *mmu = &gpu->mmu;
	unsigned int before = m->count;
	struct sgpu_access *a, *next;

	list_for_each_entry_safe(a, next, &m->accesses, node) {
		if (!sgpu_cancel_means(mmu, a, page))
			continue;
		sgpu_mshr_remove(m, a);
		mmu->waiting--;
		sgpu_access_done(mmu, a, true);
	}
	if (m->count == before)
		return;
	/* the record of another page stands for those that are left */
	if (m->count && page != SGPU_CANCEL_ANY_PAGE && m->page != page)
		return;
	sgpu_mshr_unwait(gpu, m);
	mmu->waiting -= m->count;
	sgpu_mshr_continue(mmu, m, now);
}

static bool sgpu_cancel_covers(unsigned int access, enum sgpu_access_kind kind)
{
	switch (access) {
	case HOST_CANCEL_READ:
		return kind == SGPU_READ;
	case HOST_CANCEL_WRITE:
		return kind == SGPU_WRITE;
	case HOST_CANCEL_ATOMIC_STRONG:
	case HOST_CANCEL_ATOMIC_ALL:
		return kind == SGPU_ATOMIC;
	case HOST_CANCEL_WRITE_AND_ATOMIC:
		return kind == SGPU_WRITE || kind == SGPU_ATOMIC;
	case HOST_CANCEL_ALL:
		return true;
	default:
		/* There are no weak atomics. */
		return false;
	}
}

void sgpu_mmu_set_cancel_error(struct rm_gpu *gpu, struct sgpu_address_space *as, u64 va,
			       int error)
{
	spin_lock(&gpu->mmu.lock);
	as->cancel_page = va >> 12;
	as->cancel_error = error;
	spin_unlock(&gpu->mmu.lock);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_mmu_set_cancel_error);

void sgpu_mmu_cancel(struct rm_gpu *gpu, enum rm_aperture pdb_aperture, u64 pdb, u64 va,
		     unsigned int access)
{
	struct sgpu_address_space as = { .pdb_aperture = pdb_aperture, .pdb = pdb };
	struct sgpu_mmu *mmu = &gpu->mmu;
	u64 now = sgpu_now_ps(), tag = sgpu_mmu_tag(&as);
	struct sgpu_access *a, *next;
	unsigned int u, i;

	spin_lock(&mmu->lock);
	for (u = 0; u < mmu->utlb_count; u++) {
		struct sgpu_utlb *utlb = &mmu->utlbs[u];

		/* First those that have no MSHR, lest they get one. */
		list_for_each_entry_safe(a, next, &utlb->stalled, node) {
			if (!sgpu_cancel_means(mmu, a, va >> 12) ||
			    sgpu_mmu_tag(a->as) != tag || !sgpu_cancel_covers(access, a->kind))
				continue;
			list_del(&a->node);
			mmu->waiting--;
			sgpu_access_done(mmu, a, true);
		}
		for_each_set_bit(i, utlb->used, mmu->utlb_mshrs) {
			struct sgpu_mshr *m = &utlb->mshrs[i];

			if (m->state == SGPU_MSHR_FAULTED &&
			    m->page >> (mmu->mshr_shift - 12) == va >> mmu->mshr_shift &&
			    sgpu_mmu_tag(m->as) == tag && sgpu_cancel_covers(access, m->kind))
				sgpu_mshr_cancel(gpu, m, va >> 12, now);
		}
	}
	sgpu_mmu_arm(mmu);
	spin_unlock(&mmu->lock);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_mmu_cancel);

int sgpu_mmu_client_sm(struct rm_gpu *gpu, unsigned int gpc, unsigned int client)
{
	unsigned int clients = gpu->mmu.utlbs_per_gpc * gpu->mmu.sms_per_utlb;
	unsigned int sm = gpc * clients + client;

	return client < clients && sm < sgpu_prof(gpu, sm_count) ? (int)sm : -ENXIO;
}

/* MSHRs that become free go to accesses that waited for one: those have not faulted. */
static void sgpu_utlb_cancel(struct rm_gpu *gpu, struct sgpu_utlb *utlb, u64 instance, u64 now)
{
	unsigned int i;

	for_each_set_bit(i, utlb->used, gpu->mmu.utlb_mshrs) {
		struct sgpu_mshr *m = &utlb->mshrs[i];

		if (m->state == SGPU_MSHR_FAULTED && m->as->instance == instance)
			sgpu_mshr_cancel(gpu, m, SGPU_CANCEL_ANY_PAGE, now);
	}
}

void sgpu_mmu_cancel_instance(struct rm_gpu *gpu, u64 instance, int sm)
{
	struct sgpu_mmu *mmu = &gpu->mmu;
	u64 now = sgpu_now_ps();
	unsigned int u;

	spin_lock(&mmu->lock);
	for (u = 0; u < mmu->utlb_count; u++)
		if (sm == SGPU_MMU_ALL_SMS || mmu->by_sm[sm] == &mmu->utlbs[u])
			sgpu_utlb_cancel(gpu, &mmu->utlbs[u], instance, now);
	sgpu_mmu_arm(mmu);
	spin_unlock(&mmu->lock);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_mmu_cancel_instance);
