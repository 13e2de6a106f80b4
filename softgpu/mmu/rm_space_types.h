/* SPDX-License-Identifier: GPL-2.0 */
/* RM's address space; see rm_space.h. */
#ifndef SOFTGPU_RM_SPACE_TYPES_H
#define SOFTGPU_RM_SPACE_TYPES_H

#include <linux/mutex.h>
#include <softgpu/mmu_format.h>
#include "mmu/mmu_types.h"

#define SGPU_RM_SPACE_SLOTS	MMU_PDE0_ENTRIES
#define SGPU_RM_SPACE_LEVELS	4

/**
 * struct sgpu_rm_space - RM's address space on one GPU
 * @lock: protects what follows; not taken by engines, which read @as and the tables while
 *	the driver has them mapped
 * @as: what channels walk; bound while anything is mapped
 * @directories: physical addresses of PDE3 ... PDE0; 0 where there is none
 * @tables: by slot, physical address of its table of 4K pages; 0: free
 * @used: slots in use
 */
struct sgpu_rm_space {
	struct mutex lock;	/* all below; see above */
	struct sgpu_address_space as;
	u64 directories[SGPU_RM_SPACE_LEVELS];
	u64 tables[SGPU_RM_SPACE_SLOTS];
	unsigned int used;
};

#endif
