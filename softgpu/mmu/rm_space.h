/* SPDX-License-Identifier: GPL-2.0 */
/*
 * RM's address space: where the driver's channels find their pushbuffers and semaphores.
 *
 * nvidia-uvm's channels live in an address space whose low part is RM's: RM maps what the
 * driver allocates for them and writes the tables itself, through BAR, before there is any
 * channel that could.  Here likewise: tables of RM's in the reserve, written by the CPU.
 *
 * The window has one PDE0 table: 256 slots of 2 MB, each with a table of 4K pages.  It begins
 * at 512 GB, where no DMA address and no lost upper half leads, and ends below 2^40, which is
 * all that a GPFIFO entry can say.  Lowest slot first.  The tables exist while there
 * is a mapping.
 *
 * Engines keep no translations of it: each fetch and each semaphore walks, in no time
 * (assumed), and nothing is invalidated.
 */
#ifndef SOFTGPU_RM_SPACE_H
#define SOFTGPU_RM_SPACE_H

#include <linux/mutex.h>
#include <softgpu/mmu_format.h>
#include "mmu/mmu.h"

#define SGPU_RM_SPACE_BASE	BIT_ULL(39)
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

int sgpu_rm_space_init(struct rm_gpu *gpu);
/* Nothing is mapped any more. */
void sgpu_rm_space_exit(struct rm_gpu *gpu);

#endif
