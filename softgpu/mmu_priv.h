/* SPDX-License-Identifier: GPL-2.0 */
/* What mmu.c (TLBs) and mmu_miss.c (misses, faults, replays) share. */
#ifndef SOFTGPU_MMU_PRIV_H
#define SOFTGPU_MMU_PRIV_H

#include "gpu.h"
#include "walker.h"

/* Real clock: lane of the MMU, the fault buffer and the interrupt. */
#define SGPU_LANE_MMU		0

static inline u64 sgpu_mmu_tag(const struct sgpu_address_space *as)
{
	return sgpu_tlb_tag(as->pdb_aperture == RM_APERTURE_SYS, as->pdb);
}

/* Caller holds sgpu_mmu.lock. */
void sgpu_mmu_fill(struct rm_gpu *gpu, struct sgpu_utlb *utlb, const struct sgpu_address_space *as,
		   u64 va, const struct sgpu_page *page);
/* L2 lookup; an entry that does not allow the access is dropped. */
bool sgpu_mmu_lookup_l2(struct rm_gpu *gpu, const struct sgpu_address_space *as, u64 va,
			enum sgpu_access_kind kind, struct sgpu_page *page);

/* FAULT_TYPE_* of a walk that found no translation. */
u8 sgpu_fault_type(enum sgpu_walk_result res);

void sgpu_mmu_miss_init(struct rm_gpu *gpu);

/* Events of the MMU. */
void sgpu_mmu_due(struct sgpu_event *ev);
void sgpu_mmu_replay_due(struct sgpu_event *ev);

#endif
