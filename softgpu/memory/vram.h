/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory of a GPU: frames of 2 MB, beside each other for the device only.
 *
 * A frame is 2 MB of the host's memory in one piece, reached through the kernel's
 * direct map: nothing has to be mapped.  (User Mode Linux maps 4 KB by a system
 * call.)  Where memory is too fragmented for that the frame is vmalloc'ed.
 *
 * A pointer is good up to the end of its frame, and no access goes beyond:
 *
 * * Page walks, SMs and whatever else calls sgpu_mem_get() stay in the 4K page of
 *   the address they ask for: entries of tables are read where they are naturally
 *   aligned (sgpu_walk()), and so are operands of instructions (sgpu_mem_issue()).
 * * Copies are cut by sgpu_vram_extent().
 * * PMA scrubs frame by frame.  A piece of the reserve is at most 4 KB and
 *   naturally aligned.
 *
 * Channels (GPFIFO, pushbuffers, semaphores) live in system memory.  TLBs, accesses
 * under way and copies remember physical addresses, never pointers.
 */
#ifndef SOFTGPU_VRAM_H
#define SOFTGPU_VRAM_H

#include <linux/nospec.h>
#include <linux/types.h>
#include <softgpu/rm.h>
#include "memory/vram_types.h"

/**
 * struct sgpu_vram_source - where frames come from
 * @direct: pages of the direct map, of order SGPU_VRAM_ORDER; or %NULL
 * @mapped: asked when @direct has none: vmalloc'ed; or %NULL
 *
 * Both are told which frame it is to become.  What is in it is anything: PMA and the reserve
 * zero what they hand out, so that memory nobody uses costs nothing.
 */
struct sgpu_vram_source {
	void *(*direct)(unsigned int index);
	void *(*mapped)(unsigned int index);
};

#define SGPU_VRAM_ORDER		(RM_FRAME_SHIFT - PAGE_SHIFT)

/* The host's memory. */
extern const struct sgpu_vram_source sgpu_vram_host;

/**
 * sgpu_vram_alloc - get the memory of a GPU
 * @vram: filled; nothing to free if this fails
 * @bytes: a multiple of RM_FRAME_SIZE
 * @source: where frames come from
 *
 * Return: 0 or -ENOMEM.
 */
int sgpu_vram_alloc(struct sgpu_vram *vram, u64 bytes, const struct sgpu_vram_source *source);

/**
 * sgpu_vram_free - give the memory of a GPU back
 * @vram: harmless if there is none
 */
void sgpu_vram_free(struct sgpu_vram *vram);

/**
 * sgpu_vram_ptr - CPU pointer to memory of a GPU
 * @vram: the memory
 * @pa: physical address
 *
 * For every memory instruction.
 *
 * Return: pointer, good for sgpu_vram_extent() bytes; %NULL behind the memory.
 */
static inline void *sgpu_vram_ptr(const struct sgpu_vram *vram, u64 pa)
{
	u64 index = pa >> RM_FRAME_SHIFT;

	if (index >= vram->frames)
		return NULL;
	index = array_index_nospec(index, vram->frames);
	return vram->frame[index] + (pa & (RM_FRAME_SIZE - 1));
}

/**
 * sgpu_vram_extent - bytes from an address to the end of its frame
 * @pa: physical address
 *
 * Return: 1 ...  RM_FRAME_SIZE.
 */
static inline u64 sgpu_vram_extent(u64 pa)
{
	return RM_FRAME_SIZE - (pa & (RM_FRAME_SIZE - 1));
}

#endif
