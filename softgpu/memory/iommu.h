/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Software IOMMU: the only way from the device to system memory.
 *
 * Device addresses ("iova") start at 1 GB and are handed out first fit, so
 * they depend on the sequence of requests only, never on the host's pages.
 * The address space is cut in 2 MB windows; a window has a table of 512 pages,
 * so a lookup costs two loads.  A mapped page is referenced until it is
 * unmapped and looked up under the lock: a stale device access finds either
 * the old page, still allocated, or nothing (a counted DMA fault).
 */
#ifndef SOFTGPU_IOMMU_H
#define SOFTGPU_IOMMU_H

#include <linux/types.h>
#include <linux/spinlock.h>
#include <linux/atomic.h>
#include <softgpu/rm.h>
#include "memory/iommu_types.h"

#define SGPU_IOVA_BASE		0x40000000ULL

/**
 * sgpu_iommu_init - no device address is reserved yet
 * @gpu: the GPU
 *
 * Return: 0 or -ENOMEM.
 */
int sgpu_iommu_init(struct rm_gpu *gpu);

/**
 * sgpu_iommu_exit - free the tables
 * @gpu: nothing of it is mapped any more
 *
 * Also after sgpu_iommu_init() has failed.
 */
void sgpu_iommu_exit(struct rm_gpu *gpu);

/**
 * sgpu_iommu_lock - keep the pages that are found from being freed
 * @gpu: the GPU
 *
 * Context: no nesting, no sleep until sgpu_iommu_unlock(); sgpu_mem_get() of a system address takes
 * the same lock, for reading.
 */
void sgpu_iommu_lock(struct rm_gpu *gpu);

/**
 * sgpu_iommu_unlock - pages that were found may go
 * @gpu: the GPU
 */
void sgpu_iommu_unlock(struct rm_gpu *gpu);

/**
 * sgpu_iommu_ptr - CPU pointer to a device address, with the lock held
 * @gpu: the GPU
 * @iova: device address
 *
 * Return: pointer, good to the end of the 4K page; NULL if not mapped
 * (counted).
 */
void *sgpu_iommu_ptr(struct rm_gpu *gpu, u64 iova);

#endif
