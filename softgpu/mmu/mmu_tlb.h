/* SPDX-License-Identifier: GPL-2.0 */
/* Lookups in the uTLBs and in the L2 TLB, and fills. */
#ifndef SOFTGPU_MMU_TLB_H
#define SOFTGPU_MMU_TLB_H

#include "mmu/mmu_types.h"
#include "mmu/tlb.h"

struct rm_gpu;
struct sgpu_page;

static inline u64 sgpu_mmu_tag(const struct sgpu_address_space *as)
{
	return sgpu_tlb_tag(as->pdb_aperture == RM_APERTURE_SYS, as->pdb);
}

/* Real clock: a uTLB is looked up in without the MMU's lock. */
void sgpu_utlb_lock(struct sgpu_mmu *mmu, struct sgpu_utlb *utlb);
void sgpu_utlb_unlock(struct sgpu_mmu *mmu, struct sgpu_utlb *utlb);

/**
 * sgpu_mmu_lookup - translate through the uTLB of an SM
 * @gpu: the GPU
 * @sm: SM index
 * @as: address space
 * @va: virtual address, below 2^49
 * @kind: access class
 * @xlat: out
 *
 * Return: true on a hit that allows the access; false otherwise: then make a
 * request (a hit without permission is a miss too: the walk decides).
 */
bool sgpu_mmu_lookup(struct rm_gpu *gpu, unsigned int sm, const struct sgpu_address_space *as,
		     u64 va, enum sgpu_access_kind kind, struct sgpu_translation *xlat);

/* Caller holds sgpu_mmu.lock. */
void sgpu_mmu_fill(struct rm_gpu *gpu, struct sgpu_utlb *utlb, const struct sgpu_address_space *as,
		   u64 va, const struct sgpu_page *page);
/* L2 lookup; an entry that does not allow the access is dropped. */
bool sgpu_mmu_lookup_l2(struct rm_gpu *gpu, const struct sgpu_address_space *as, u64 va,
			enum sgpu_access_kind kind, struct sgpu_page *page);

#endif
