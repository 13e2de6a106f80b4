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

/**
 * uvm_pmm_progress - something that an allocation may have waited for has happened
 * @pmm: the GPU's memory
 *
 * Context: pmm->lock held.
 */
void uvm_pmm_progress(struct uvm_pmm *pmm);

/**
 * uvm_pmm_keeps_all - may no frame go to others?
 * @pmm: the GPU's memory
 *
 * On a dead channel nothing is unmapped.  A kernel that still runs may write through the old
 * entries, so nobody else gets the memory before its context has been stopped, as that of all VA
 * spaces has when the GPU has none any more.
 *
 * Return: true if the GPU is dead and may be at work in it still.
 */
bool uvm_pmm_keeps_all(struct uvm_pmm *pmm);

/**
 * uvm_pmm_fit - what frames have beyond the limit is withheld
 * @pmm: the GPU's memory
 *
 * Context: pmm->lock held; may sleep.
 * Return: 0, -ENOMEM, -ENOSPC.
 */
int uvm_pmm_fit(struct uvm_pmm *pmm);

/**
 * uvm_pmm_grow - get frames from PMA, many at a time
 * @pmm: the GPU's memory
 * @work: charged
 *
 * The call is costly (demystifying-uvm, Fig. 4), so nvidia-uvm asks for 2^6 and takes what it gets:
 * perf_pma_batch_nonpinned_order.
 *
 * Context: takes pma_lock and pmm->lock; may sleep.
 * Return: 0, -ENOSPC: PMA has none, -ENOMEM.
 */
int uvm_pmm_grow(struct uvm_pmm *pmm, struct uvm_work *work);

/* pmm_evict.c */
extern const struct rm_pma_ops uvm_pmm_pma_ops;

/**
 * uvm_pmm_prefetch_memory - what the prefetch load is measured against
 * @pmm: the GPU's memory
 *
 * Context: pmm->lock held.
 * Return: pages that there are, and the threshold in percent.
 */
struct uvm_prefetch_memory uvm_pmm_prefetch_memory(const struct uvm_pmm *pmm);

/**
 * uvm_pmm_evict_one - evict for an allocation
 * @pmm: the GPU's memory
 * @size: bytes that are wanted
 * @flags: UVM_PMM_NOWAIT: not to wait for what others have pinned
 * @moves: pmm->moves when the caller last looked at PMA
 * @work: charged
 *
 * Context: no block lock; may sleep and wait for GPUs.
 * Return: 0 or -EAGAIN: try again; -ENOSPC, -ENOMEM, -EIO.
 */
int uvm_pmm_evict_one(struct uvm_pmm *pmm, u32 size, unsigned int flags, u64 moves,
		      struct uvm_work *work);

/* pmm_tracker.c */

/**
 * uvm_pmm_trackers_init - no frame is used by any work
 * @pmm: the GPU's memory; its trackers are made, one for each 64 KB
 * @frames: how many
 *
 * Return: 0 or -ENOMEM.
 */
int uvm_pmm_trackers_init(struct uvm_pmm *pmm, unsigned int frames);

/**
 * uvm_pmm_trackers_exit - the reverse of uvm_pmm_trackers_init()
 * @pmm: the GPU's memory
 */
void uvm_pmm_trackers_exit(struct uvm_pmm *pmm);

/**
 * uvm_pmm_wait_frame - wait for all that uses a frame
 * @pmm: the GPU's memory
 * @root: the frame, which is PMA's: nobody else touches its trackers
 *
 * Context: may sleep.
 */
void uvm_pmm_wait_frame(struct uvm_pmm *pmm, const struct uvm_chunk *root);

#endif
