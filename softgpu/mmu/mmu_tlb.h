/* SPDX-License-Identifier: GPL-2.0 */
/* Lookups in the uTLBs and in the L2 TLB, and fills. */
#ifndef SOFTGPU_MMU_TLB_H
#define SOFTGPU_MMU_TLB_H

#include "mmu/mmu_types.h"
#include "mmu/tlb.h"

struct rm_gpu;
struct sgpu_page;

/**
 * sgpu_mmu_tag - how TLB entries name an address space
 * @as: the address space, bound
 *
 * Return: sgpu_tlb_tag() of its page directory.
 */
static inline u64 sgpu_mmu_tag(const struct sgpu_address_space *as)
{
	return sgpu_tlb_tag(as->pdb_aperture == RM_APERTURE_SYS, as->pdb);
}

/**
 * sgpu_utlb_lock - keep others out of a uTLB: on the real clock SMs use it without the MMU lock
 * @mmu: its MMU
 * @utlb: the uTLB
 *
 * Context: any but interrupts; does nothing on the virtual clock.
 */
void sgpu_utlb_lock(struct sgpu_mmu *mmu, struct sgpu_utlb *utlb);

/**
 * sgpu_utlb_unlock - the reverse of sgpu_utlb_lock()
 * @mmu: its MMU
 * @utlb: the uTLB
 */
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

/**
 * sgpu_mmu_fill - put the page that a walk found into the L2 TLB and a uTLB
 * @gpu: the GPU
 * @utlb: of the access that missed
 * @as: address space
 * @va: virtual address
 * @page: what the walk found
 *
 * The recorder may want none filled (REG_RECORDER_NO_FILL).
 * Context: the MMU's lock is held.
 */
void sgpu_mmu_fill(struct rm_gpu *gpu, struct sgpu_utlb *utlb, const struct sgpu_address_space *as,
		   u64 va, const struct sgpu_page *page);

/**
 * sgpu_mmu_lookup_l2 - translate through the L2 TLB
 * @gpu: the GPU
 * @as: address space
 * @va: virtual address
 * @kind: access class; an entry that does not allow it is dropped
 * @page: out
 *
 * Context: the MMU's lock is held.
 * Return: true on a hit that allows the access.
 */
bool sgpu_mmu_lookup_l2(struct rm_gpu *gpu, const struct sgpu_address_space *as, u64 va,
			enum sgpu_access_kind kind, struct sgpu_page *page);

#endif
