/* SPDX-License-Identifier: GPL-2.0 */
/* Cancels of accesses that wait for a replay; see mmu.h. */
#ifndef SOFTGPU_MMU_CANCEL_H
#define SOFTGPU_MMU_CANCEL_H

#include <linux/types.h>
#include "mmu/mmu_types.h"

struct rm_gpu;

#define SGPU_MMU_ALL_SMS	(-1)

/*
 * Why the accesses to a page are cancelled next, a positive errno.  It is theirs
 * from the cancel on, whenever their owner gets to hear of it.
 */
void sgpu_mmu_set_cancel_error(struct rm_gpu *gpu, struct sgpu_address_space *as, u64 va,
			       int error);
/*
 * Cancel the waiting accesses of one page of an address space whose class is
 * in @access (HOST_CANCEL_*); with EFAULT if nobody said why.  Those issued since
 * the driver last moved GET are left alone: it cannot have them in mind.
 */
void sgpu_mmu_cancel(struct rm_gpu *gpu, enum rm_aperture pdb_aperture, u64 pdb, u64 va,
		     unsigned int access);
/*
 * Cancel the accesses of an instance that have faulted in the uTLB of an SM, or in all:
 * whatever their page and class.  One that waits for an MSHR has not faulted.  Likewise
 * those issued since the driver last moved GET are left alone.
 */
void sgpu_mmu_cancel_instance(struct rm_gpu *gpu, u64 instance, int sm);
/* The SM that fault records name so; -ENXIO: there is none. */
int sgpu_mmu_client_sm(struct rm_gpu *gpu, unsigned int gpc, unsigned int client);
/* The driver has read records up to here: it decides about accesses issued by now. */
void sgpu_mmu_records_read(struct rm_gpu *gpu);
/* Why an access is cancelled, a positive errno. */
int sgpu_access_cancel_error(const struct sgpu_access *a);

#endif
