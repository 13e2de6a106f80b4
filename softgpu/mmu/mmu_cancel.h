/* SPDX-License-Identifier: GPL-2.0 */
/* Cancels of accesses that wait for a replay; see mmu.h. */
#ifndef SOFTGPU_MMU_CANCEL_H
#define SOFTGPU_MMU_CANCEL_H

#include <linux/types.h>
#include "mmu/mmu_types.h"

struct rm_gpu;

#define SGPU_MMU_ALL_SMS	(-1)

/**
 * sgpu_mmu_set_cancel_error - say why the accesses to a page are cancelled next
 * @gpu: the GPU
 * @as: their address space
 * @va: in the page of 4K
 * @error: a positive errno: theirs from the cancel on, whenever their owner gets to hear of it
 *
 * Context: any but interrupts; takes the MMU's lock.
 */
void sgpu_mmu_set_cancel_error(struct rm_gpu *gpu, struct sgpu_address_space *as, u64 va,
			       int error);

/**
 * sgpu_mmu_cancel - cancel the waiting accesses of one page, as MEM_OP says it
 * @gpu: the GPU
 * @pdb_aperture: with @pdb
 * @pdb: their address space
 * @va: in the page of 4K
 * @access: HOST_CANCEL_*, which classes of access
 *
 * With EFAULT if nobody said why.  Those issued since the driver last moved GET are left alone: it
 * cannot have them in mind.
 * Context: event; takes the MMU's lock.
 */
void sgpu_mmu_cancel(struct rm_gpu *gpu, enum rm_aperture pdb_aperture, u64 pdb, u64 va,
		     unsigned int access);

/**
 * sgpu_mmu_cancel_instance - cancel the accesses of an instance that have faulted
 * @gpu: the GPU
 * @instance: context
 * @sm: of those in the uTLB of this SM only, or SGPU_MMU_ALL_SMS
 *
 * Whatever their page and class.  One that waits for an MSHR has not faulted.  Those issued since
 * the driver last moved GET are left alone.
 * Context: event; takes the MMU's lock.
 */
void sgpu_mmu_cancel_instance(struct rm_gpu *gpu, u64 instance, int sm);

/**
 * sgpu_mmu_client_sm - the SM that a fault record names
 * @gpu: the GPU
 * @gpc: of the record
 * @client: of the record
 *
 * Return: its number, or -ENXIO: there is none.
 */
int sgpu_mmu_client_sm(struct rm_gpu *gpu, unsigned int gpc, unsigned int client);

/**
 * sgpu_access_cancel_error - why an access is cancelled
 * @a: the access
 *
 * Context: the MMU's lock is held.
 * Return: a positive errno: of sgpu_mmu_set_cancel_error() for its page, or EFAULT.
 */
int sgpu_access_cancel_error(const struct sgpu_access *a);

#endif
