/* SPDX-License-Identifier: GPL-2.0 */
/* Physical memory of one GPU: page-walk hits, for eviction policies that have asked for them. */
#ifndef UVM_PMM_RECORDER_H
#define UVM_PMM_RECORDER_H

#include <linux/types.h>

struct uvm_gpu;
struct uvm_work;

/* Fetch hits from the device, if the policy wants them; waits for a transfer.  No lock is held. */
void uvm_pmm_fetch_hits(struct uvm_gpu *gpu, struct uvm_work *work);
/* So many pages are about to be demanded: fetch them if it is time to. */
void uvm_pmm_before_faults(struct uvm_gpu *gpu, unsigned int faults, struct uvm_work *work);
/* A victim is about to be chosen: fetch them if it is the first one. */
void uvm_pmm_before_full(struct uvm_gpu *gpu, struct uvm_work *work);
/* Does the policy want to know each walk? */
bool uvm_pmm_wants_walks(struct uvm_gpu *gpu);
/* Is the device short of room for them?  Any context. */
bool uvm_pmm_hits_pending(struct uvm_gpu *gpu);

#endif
