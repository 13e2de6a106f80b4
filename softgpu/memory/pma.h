/* SPDX-License-Identifier: GPL-2.0 */
/*
 * PMA: who owns which 2 MB frame of GPU memory, and the reserve beside the
 * frames for page tables.
 *
 * A frame is free, evictable or pinned.  Lowest address first.  A freed frame
 * is marked dirty and zeroed when it is handed out again, so every allocation
 * reads as zero.
 */
#ifndef SOFTGPU_PMA_H
#define SOFTGPU_PMA_H

#include <linux/types.h>
#include <linux/spinlock.h>
#include <softgpu/rm.h>

/**
 * struct sgpu_pma - frames of one GPU
 * @lock: protects everything here
 * @frames: number of frames
 * @used: bit per frame not free
 * @pinned: bit per frame that is pinned
 * @dirty: bit per frame to be zeroed before use
 * @used_count: bits in @used
 * @limited: frames pinned by VRAM limits
 * @ops: the client, or NULL
 * @data: its argument
 * @evicting: calls of the client under way
 * @waitq: woken when @evicting becomes 0
 * @allocs: allocation calls since load
 * @evicted: frames that the client gave back since load
 */
struct sgpu_pma {
	spinlock_t lock;	/* everything below */
	unsigned int frames;
	unsigned long *used;
	unsigned long *pinned;
	unsigned long *dirty;
	unsigned int used_count;
	unsigned int limited;
	const struct rm_pma_ops *ops;
	void *data;
	unsigned int evicting;
	struct sim_waitq waitq;
	u64 allocs;
	u64 evicted;
};

/**
 * struct sgpu_pma_limit - frames that one file keeps from users
 * @count: how many
 * @frames: their addresses, %NULL if none ever
 * @user: of whose share they are, NULL: nobody's
 *
 * Zero-initialised by its owner but for @user, who serialises the calls below.
 */
struct sgpu_pma_limit {
	unsigned int count;
	u64 *frames;
	struct rm_user *user;
};

int sgpu_pma_init(struct rm_gpu *gpu);
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
void sgpu_pma_release_limit(struct rm_gpu *gpu, struct sgpu_pma_limit *limit);

#define SGPU_RESERVE_INSTANCES	1024U		/* 4K pages that page tables leave alone */
#define SGPU_RESERVE_ORDERS	5		/* 256 ... 4096 bytes */

/**
 * struct sgpu_reserve - small pieces of GPU memory
 * @lock: protects everything here
 * @base: physical address of the first page
 * @pages: 4K pages
 * @tables: of these, those that page tables may have: contexts find room behind them
 * @free: bit per page wholly free
 * @partial: by log2(size / 256): bit per page cut in pieces of that size, some
 *	of them free
 * @pieces: per page: bit per piece in use
 * @order: per page: log2(size / 256) of its pieces
 * @used: bytes in use
 */
struct sgpu_reserve {
	spinlock_t lock;	/* everything below */
	u64 base;
	unsigned int pages;
	unsigned int tables;
	unsigned long *free;
	unsigned long *partial[SGPU_RESERVE_ORDERS];
	u16 *pieces;
	u8 *order;
	u64 used;
};

int sgpu_reserve_init(struct rm_gpu *gpu);
void sgpu_reserve_exit(struct rm_gpu *gpu);
/* As rm_reserve_alloc(), for the 4K instance block of a context. */
int sgpu_reserve_alloc_instance(struct rm_gpu *gpu, u64 *pa);

#endif
