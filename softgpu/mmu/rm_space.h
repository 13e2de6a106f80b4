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
#include "mmu/rm_space_types.h"

#define SGPU_RM_SPACE_BASE	BIT_ULL(39)

/**
 * sgpu_rm_space_init - nothing is mapped
 * @gpu: whose address space
 *
 * Return: 0.
 */
int sgpu_rm_space_init(struct rm_gpu *gpu);

/**
 * sgpu_rm_space_exit - the reverse of sgpu_rm_space_init()
 * @gpu: nothing is mapped any more
 */
void sgpu_rm_space_exit(struct rm_gpu *gpu);

#endif
