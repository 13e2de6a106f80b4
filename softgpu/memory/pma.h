/* SPDX-License-Identifier: GPL-2.0 */
/*
 * PMA: who owns which 2 MB frame of GPU memory, and the reserve beside the
 * frames for page tables.
 *
 * A frame is free, evictable or pinned.  Lowest address first.  A frame is dirty
 * at first and when it has been freed, and is zeroed when it is handed out, so
 * every allocation reads as zero.  A limit pins frames that nobody reads: they
 * stay as they are.
 */
#ifndef SOFTGPU_PMA_H
#define SOFTGPU_PMA_H

#include <linux/types.h>
#include <linux/spinlock.h>
#include <softgpu/rm.h>
#include "memory/pma_types.h"

/**
 * sgpu_pma_init - all frames are free, and dirty
 * @gpu: its @vram_bytes are set
 *
 * Return: 0 or -ENOMEM.
 */
int sgpu_pma_init(struct rm_gpu *gpu);

/**
 * sgpu_pma_exit - free the maps
 * @gpu: nobody allocates any more
 *
 * Also after sgpu_pma_init() has failed.
 */
void sgpu_pma_exit(struct rm_gpu *gpu);

/**
 * sgpu_pma_set_limit - leave users @bytes of GPU memory
 * @gpu: the GPU
 * @limit: the caller's share of the limit; replaced
 * @bytes: rounded up to 2 MB; 0 removes this share
 * @run: what the share grows by is one run of frames, as high as there is one
 *
 * Caller is a participant; may call the client to evict.
 * Return: 0, -ENOMEM (also: more than the user's share), or -EBUSY if the frames
 * cannot be had (then the earlier limit stays).
 */
int sgpu_pma_set_limit(struct rm_gpu *gpu, struct sgpu_pma_limit *limit, u64 bytes, bool run);

/**
 * sgpu_pma_release_limit - give a share of the limit back
 * @gpu: the GPU
 * @limit: the share; empty afterwards
 *
 * Context: may sleep.
 */
void sgpu_pma_release_limit(struct rm_gpu *gpu, struct sgpu_pma_limit *limit);

#define SGPU_RESERVE_INSTANCES	1024U		/* 4K pages that page tables leave alone */

/**
 * sgpu_reserve_init - all of the reserve is free
 * @gpu: its @vram_bytes and @reserve_bytes are set
 *
 * Return: 0 or -ENOMEM.
 */
int sgpu_reserve_init(struct rm_gpu *gpu);

/**
 * sgpu_reserve_exit - free the maps
 * @gpu: nobody allocates any more
 *
 * Also after sgpu_reserve_init() has failed.
 */
void sgpu_reserve_exit(struct rm_gpu *gpu);

/**
 * sgpu_reserve_alloc_instance - as rm_reserve_alloc(), for the 4K instance block of a context
 * @gpu: the GPU
 * @pa: out: physical address
 *
 * It may use the pages that page tables leave alone.
 * Return: 0 or -ENOMEM.
 */
int sgpu_reserve_alloc_instance(struct rm_gpu *gpu, u64 *pa);

#endif
