/* SPDX-License-Identifier: GPL-2.0 */
/* Physical memory of one GPU: page-walk hits, for eviction policies that have asked for them. */
#ifndef UVM_PMM_RECORDER_H
#define UVM_PMM_RECORDER_H

#include <linux/types.h>

struct uvm_gpu;
struct uvm_work;

/**
 * uvm_pmm_fetch_hits - fetch hits from the device, if the policy wants them
 * @gpu: the GPU
 * @work: charged
 *
 * Context: no lock held; waits for a transfer of the device; takes pmm->lock.
 */
void uvm_pmm_fetch_hits(struct uvm_gpu *gpu, struct uvm_work *work);

/**
 * uvm_pmm_batch_fetched - the faults of a batch are known: fetch hits if it is time to
 * @gpu: the GPU
 * @faults: pages that are about to be demanded
 * @work: charged
 *
 * Between uvm_pmm_batch_begin() and uvm_pmm_batch_end(), which cannot know how many there are.
 *
 * Context: as uvm_pmm_fetch_hits().
 */
void uvm_pmm_batch_fetched(struct uvm_gpu *gpu, unsigned int faults, struct uvm_work *work);

/**
 * uvm_pmm_before_full - a victim is about to be chosen: fetch hits if it is the first one
 * @gpu: the GPU
 * @work: charged
 *
 * Context: as uvm_pmm_fetch_hits().
 */
void uvm_pmm_before_full(struct uvm_gpu *gpu, struct uvm_work *work);

/**
 * uvm_pmm_wants_walks - does the policy want to know each walk?
 * @gpu: the GPU
 *
 * Context: any.
 * Return: true with UVM_FEED_WALKS.
 */
bool uvm_pmm_wants_walks(struct uvm_gpu *gpu);

/**
 * uvm_pmm_hits_pending - is the device short of room for walks that the policy wants?
 * @gpu: the GPU
 *
 * Context: any.
 * Return: true if so.
 */
bool uvm_pmm_hits_pending(struct uvm_gpu *gpu);

#endif
