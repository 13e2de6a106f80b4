/* SPDX-License-Identifier: GPL-2.0 */
/* Structures of PMA and of the reserve; see pma.h. */
#ifndef SOFTGPU_PMA_TYPES_H
#define SOFTGPU_PMA_TYPES_H

#include <linux/spinlock.h>
#include <linux/types.h>
#include <softgpu/rm.h>

#define SGPU_RESERVE_ORDERS	5		/* 256 ... 4096 bytes */

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

#endif
