/* SPDX-License-Identifier: GPL-2.0 */
/* Structures of far faults that wait; see far_fault.h. */
#ifndef SOFTGPU_FAR_FAULT_TYPES_H
#define SOFTGPU_FAR_FAULT_TYPES_H

#include <linux/list.h>

#define SGPU_FAR_FAULT_BUCKETS	1024

/* Values of the profile key far_faults. */
#define SGPU_FAR_FAULTS_REPLAY	0
#define SGPU_FAR_FAULTS_WAIT	1

struct sgpu_far_fault;

/**
 * struct sgpu_far_faults - the pages that accesses of one GPU wait for
 * @all: one for each MSHR; NULL unless the profile has far_faults:wait
 * @waiting: those in use, in order of their last report
 * @free: the others
 * @buckets: those in use, by page
 *
 * All members are protected by sgpu_mmu.lock.
 */
struct sgpu_far_faults {
	struct sgpu_far_fault *all;
	struct list_head waiting;
	struct list_head free;
	struct hlist_head buckets[SGPU_FAR_FAULT_BUCKETS];
};

#endif
