// SPDX-License-Identifier: GPL-2.0
/* The TLBs of the MMU: lookups and fills; see mmu_tlb.h. */
#include <kunit/visibility.h>
#include <softgpu/mmu_format.h>
#include "base/gpu.h"
#include "mmu/mmu_tlb.h"
#include "mmu/recorder.h"
#include "mmu/tlb.h"
#include "mmu/walker.h"

/* uTLBs are touched by their SMs and by fills: one thread on the virtual clock. */
void sgpu_utlb_lock(struct sgpu_mmu *mmu, struct sgpu_utlb *utlb)
	__acquires(&utlb->lock)
{
	if (mmu->real)
		spin_lock(&utlb->lock);
	else
		__acquire(&utlb->lock);
}

void sgpu_utlb_unlock(struct sgpu_mmu *mmu, struct sgpu_utlb *utlb)
	__releases(&utlb->lock)
{
	if (mmu->real)
		spin_unlock(&utlb->lock);
	else
		__release(&utlb->lock);
}

bool sgpu_mmu_lookup(struct rm_gpu *gpu, unsigned int sm, const struct sgpu_address_space *as,
		     u64 va, enum sgpu_access_kind kind, struct sgpu_translation *xlat)
{
	struct sgpu_mmu *mmu = &gpu->mmu;
	struct sgpu_utlb *utlb = mmu->by_sm[sm];
	struct sgpu_tlb_entry *e = NULL;
	bool hit = false;

	sgpu_utlb_lock(mmu, utlb);
	if (likely(as->bound))
		e = sgpu_tlb_lookup(&utlb->tlb, sgpu_mmu_tag(as), va);
	if (likely(e)) {
		hit = sgpu_allows(e->write, e->atomic, kind);
		if (likely(hit)) {
			xlat->aperture = e->aperture;
			xlat->pa = e->pa | (va & ((1ULL << e->shift) - 1) & ~0xfffULL);
			xlat->write = e->write;
			xlat->atomic = e->atomic;
		} else {
			sgpu_tlb_drop(&utlb->tlb, e);
		}
	}
	if (hit)
		utlb->hits++;
	else
		utlb->misses++;
	sgpu_utlb_unlock(mmu, utlb);
	return hit;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_mmu_lookup);

bool sgpu_mmu_lookup_l2(struct rm_gpu *gpu, const struct sgpu_address_space *as, u64 va,
			enum sgpu_access_kind kind, struct sgpu_page *page)
{
	struct sgpu_tlb *l2 = &gpu->mmu.l2;
	struct sgpu_tlb_entry *e = sgpu_tlb_lookup(l2, sgpu_mmu_tag(as), va);

	lockdep_assert_held(&gpu->mmu.lock);
	if (!e)
		return false;
	if (!sgpu_allows(e->write, e->atomic, kind)) {
		sgpu_tlb_drop(l2, e);
		return false;
	}
	page->shift = e->shift;
	page->aperture = e->aperture;
	page->pa = e->pa;
	page->write = e->write;
	page->atomic = e->atomic;
	return true;
}

void sgpu_mmu_fill(struct rm_gpu *gpu, struct sgpu_utlb *utlb, const struct sgpu_address_space *as,
		   u64 va, const struct sgpu_page *page)
{
	struct sgpu_mmu *mmu = &gpu->mmu;
	struct sgpu_tlb_entry e = {
		.tag = sgpu_mmu_tag(as),
		.vpn = va >> page->shift,
		.pa = page->pa,
		.shift = page->shift,
		.aperture = page->aperture,
		.write = page->write,
		.atomic = page->atomic,
	};

	lockdep_assert_held(&mmu->lock);
	if (sgpu_recorder_no_fill(&gpu->recorder))
		return;
	sgpu_tlb_fill(&mmu->l2, &e);
	sgpu_utlb_lock(mmu, utlb);
	sgpu_tlb_fill(&utlb->tlb, &e);
	sgpu_utlb_unlock(mmu, utlb);
}
