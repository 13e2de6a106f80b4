/* SPDX-License-Identifier: GPL-2.0 */
/* What mmu.c (TLBs), mmu_miss.c (misses, faults, replays) and mmu_cancel.c share. */
#ifndef SOFTGPU_MMU_PRIV_H
#define SOFTGPU_MMU_PRIV_H

#include "base/gpu.h"
#include "mmu/tlb.h"
#include "mmu/walker.h"

/* Real clock: lane of the MMU, the fault buffer and the interrupt. */
#define SGPU_LANE_MMU		0

enum sgpu_miss_state {
	SGPU_MISS_L2,			/* in the due tree */
	SGPU_MISS_WALK_WAIT,		/* in walk_wait */
	SGPU_MISS_WALK,			/* in the due tree, has a walker */
	SGPU_MISS_FAULTED,		/* waits for a replay */
};

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

/* Have the event run when the next thing is due. */
void sgpu_mmu_arm(struct sgpu_mmu *mmu);
void sgpu_miss_remove(struct sgpu_miss *m, struct sgpu_access *a);
/* Some accesses of an entry that is in no list or tree are done: free it, or go on. */
void sgpu_miss_rest(struct sgpu_mmu *mmu, struct sgpu_miss *m, u64 now);
/* The access is through: it will be called back. */
void sgpu_access_done(struct sgpu_mmu *mmu, struct sgpu_access *a, bool cancelled);
/* Why an access is cancelled, a positive errno. */
int sgpu_access_cancel_error(const struct sgpu_access *a);

/* FAULT_TYPE_* of a walk that found no translation. */
u8 sgpu_fault_type(enum sgpu_walk_result res);

void sgpu_mmu_miss_init(struct rm_gpu *gpu);

/* Events of the MMU. */
void sgpu_mmu_due(struct sgpu_event *ev);
void sgpu_mmu_replay_due(struct sgpu_event *ev);

#endif
