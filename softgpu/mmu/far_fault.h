/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Far faults that wait for their page: profile key far_faults:wait.
 *
 * The simulators of the papers have such a table in the GPU's MMU (far-fault MSHRs: adaptive
 * framework, section II; replayable far faults: Zheng et al., HPCA 2016, which HPE builds on).  A
 * page that cannot be accessed is reported once, however many MSHRs wait for it.  A replay
 * (mmu_replay.c) lets go those whose page can be accessed now.  The others stay, and are
 * reported again only if the driver has taken their record from the ring before it asked for the
 * replay: it has flushed the record, or has evicted the page again.
 *
 * Callers hold the MMU's lock.  Nothing here allocates after sgpu_far_faults_init().
 */
#ifndef SOFTGPU_FAR_FAULT_H
#define SOFTGPU_FAR_FAULT_H

#include <linux/types.h>
#include "mmu/far_fault_types.h"
#include "mmu/fault_buffer.h"
#include "mmu/mmu_types.h"
#include "mmu/walker.h"

struct rm_gpu;

/**
 * struct sgpu_far_fault - a page that MSHRs wait for
 * @node: in sgpu_far_faults.waiting or .free
 * @hash: in sgpu_far_faults.buckets, while in use
 * @mshrs: those that wait, in order of their faults
 * @as: address space
 * @page: virtual address >> 12
 * @why: what the last replay found that looked for the page, for the first of @mshrs
 * @report: its record
 */
struct sgpu_far_fault {
	struct list_head node;
	struct hlist_node hash;
	struct list_head mshrs;
	struct sgpu_address_space *as;
	u64 page;
	enum sgpu_walk_result why;
	struct sgpu_fault_queued report;
};

/**
 * sgpu_far_faults_init - no page is waited for
 * @gpu: its profile has been read, and the number of MSHRs is known
 *
 * Return: 0 or -ENOMEM.
 */
int sgpu_far_faults_init(struct rm_gpu *gpu);

/**
 * sgpu_far_faults_exit - free the table
 * @gpu: no access waits
 *
 * Also after sgpu_far_faults_init() has failed, and without it.
 */
void sgpu_far_faults_exit(struct rm_gpu *gpu);

/**
 * sgpu_far_faults_wait - do far faults of this GPU wait for their page?
 * @mmu: its MMU
 *
 * Return: true; false: each replay lets all of them try again.
 */
static inline bool sgpu_far_faults_wait(const struct sgpu_mmu *mmu)
{
	return mmu->far.all;
}

/**
 * sgpu_far_fault_join - an MSHR waits for its page
 * @gpu: the GPU
 * @m: in no list
 * @fault: reported if nobody waits for that page yet
 *
 * Return: true if it is reported.
 */
bool sgpu_far_fault_join(struct rm_gpu *gpu, struct sgpu_mshr *m, const struct sgpu_fault *fault);

/**
 * sgpu_far_fault_leave - an MSHR waits no longer
 * @gpu: the GPU
 * @m: it waits
 *
 * A record that has found no room in the ring yet goes with the last of them.
 */
void sgpu_far_fault_leave(struct rm_gpu *gpu, struct sgpu_mshr *m);

/**
 * sgpu_far_fault_taken - has the driver taken the record from the ring?
 * @far: the page
 * @taken: what sgpu_fault_taken() said when the driver asked
 *
 * Return: true if so.
 */
bool sgpu_far_fault_taken(const struct sgpu_far_fault *far, u64 taken);

/**
 * sgpu_far_fault_again - report a page again, behind all others
 * @gpu: the GPU
 * @far: its record has been taken
 * @fault: the new record
 */
void sgpu_far_fault_again(struct rm_gpu *gpu, struct sgpu_far_fault *far,
			  const struct sgpu_fault *fault);

#endif
