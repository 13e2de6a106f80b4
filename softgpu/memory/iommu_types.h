/* SPDX-License-Identifier: GPL-2.0 */
/* Structures of the software IOMMU; see iommu.h. */
#ifndef SOFTGPU_IOMMU_TYPES_H
#define SOFTGPU_IOMMU_TYPES_H

#include <linux/atomic.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#define SGPU_IOVA_WINDOW_SHIFT	21
#define SGPU_IOVA_WINDOWS	65536		/* of 2 MB: 128 GB */

/**
 * struct sgpu_iova_window - 2 MB of device address space
 * @pages: 512 pages, or NULL if the window is not in use
 * @used: reserved pages; NULL if all are (one reservation has the window)
 */
struct sgpu_iova_window {
	struct page **pages;
	unsigned long *used;
};

/**
 * struct sgpu_iommu - software IOMMU of one GPU
 * @lock: protects everything here; read by the device
 * @windows: SGPU_IOVA_WINDOWS of them
 * @partial: bit per window that has @used; SGPU_IOVA_WINDOWS bits
 * @first_free: no window below is free
 * @end: no window at or above is in use
 * @reserved: 4K pages of address space handed out
 * @mapped: pages mapped
 * @faults: device accesses to unmapped addresses
 */
struct sgpu_iommu {
	rwlock_t lock;
	struct sgpu_iova_window *windows;
	unsigned long *partial;
	unsigned int first_free;
	unsigned int end;
	u64 reserved;
	u64 mapped;
	atomic64_t faults;
};

#endif
