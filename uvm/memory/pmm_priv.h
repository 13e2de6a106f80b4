/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of the physical memory manager share: pmm.c allocates, pmm_evict.c
 * evicts, pmm_policy.c asks policies and tells them, pmm_tracker.c remembers the GPU work that
 * still uses free memory.
 */
#ifndef UVM_PMM_PRIV_H
#define UVM_PMM_PRIV_H

#include "memory/pmm.h"
#include "memory/pmm_policy.h"

/* Something that an allocation may have waited for has happened.  Locked. */
void uvm_pmm_progress(struct uvm_pmm *pmm);
/* No frame may go to others, for the GPU is dead and may be at work in it still. */
bool uvm_pmm_keeps_all(struct uvm_pmm *pmm);
/* What frames have beyond the limit is withheld.  Return: 0, -ENOMEM, -ENOSPC.  Locked. */
int uvm_pmm_fit(struct uvm_pmm *pmm);
/* Get frames from PMA.  Return: 0, -ENOSPC, -ENOMEM. */
int uvm_pmm_grow(struct uvm_pmm *pmm, struct uvm_work *work);
/* Neither PMA has a frame nor we: wait for those on their way.  -EAGAIN or -ENOSPC. */
int uvm_pmm_wait_moves(struct uvm_pmm *pmm, u64 seen);

/* pmm_evict.c */
extern const struct rm_pma_ops uvm_pmm_pma_ops;
struct uvm_prefetch_memory uvm_pmm_prefetch_memory(const struct uvm_pmm *pmm);
/* Evict for an allocation.  Return: 0 or -EAGAIN: try again; -ENOSPC, -ENOMEM, -EIO. */
int uvm_pmm_evict_one(struct uvm_pmm *pmm, u32 size, unsigned int flags, u64 moves,
		      struct uvm_work *work);

/* pmm_tracker.c */
int uvm_pmm_trackers_init(struct uvm_pmm *pmm, unsigned int frames);
void uvm_pmm_trackers_exit(struct uvm_pmm *pmm);
/* Wait for all that uses a frame, which is PMA's: nobody else touches its trackers. */
void uvm_pmm_wait_frame(struct uvm_pmm *pmm, const struct uvm_chunk *root);

#endif
