/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Physical chunks of one GPU: who owns which 2 MB, 64 KB or 4 KB of it.
 *
 * A root chunk is a 2 MB frame that comes from PMA.  It is allocated whole or
 * split, 2 MB into 32 x 64 KB into 16 x 4 KB; free siblings merge at once.
 *
 * Eviction takes away a *unit*: a frame, as in nvidia-uvm (4.1, 4.4), or with a
 * finer granularity (ours: "flexible memory allocation granularity",
 * demystifying VI-B) a 64 KB or 4 KB piece of one.  A chunk larger than the
 * unit is a unit of its own.  Units that blocks hold have a place on one of the
 * lists (nvidia-uvm 4.2): the last when a chunk of theirs is given to a block or a
 * piece of them given back, and when pages arrive in a chunk of @refresh or more.
 *
 *   PMA_OWNED --add_root--> FREE --alloc--> TEMP_PINNED --unpin--> ALLOCATED
 *       ^                   |  ^                |                     |
 *       +---take_free_root--+  +------free------+----------free-------+
 *
 * An evictable chunk has at least one ALLOCATED leaf, no TEMP_PINNED one, and no
 * part of it nor anything that it is part of is being evicted.  Eviction:
 *
 *   victim = pick_victim()			free leaves are pinned for the evictor
 *   while (leaf = evict_next_leaf(victim))	drop the lock, empty leaf's owner,
 *						which calls free(): leaf is pinned
 *   evict_done(victim, ok)			one pinned chunk, or undone
 *
 * Pure: every function asserts the caller's lock through the callback given to
 * uvm_chunk_pool_init() and takes none.
 */
#ifndef UVM_CHUNK_H
#define UVM_CHUNK_H

#include <linux/list.h>
#include <linux/slab.h>
#include <linux/types.h>
#include "model/evictor.h"
#include "base/types.h"

enum uvm_chunk_state {
	UVM_CHUNK_PMA_OWNED,	/* roots only: not ours */
	UVM_CHUNK_FREE,
	UVM_CHUNK_SPLIT,
	UVM_CHUNK_TEMP_PINNED,	/* allocated, its user is at work; list node is the user's */
	UVM_CHUNK_ALLOCATED,
	UVM_CHUNK_WITHHELD,	/* for nobody: chunk_limit.c */
	UVM_CHUNK_STATES
};

enum uvm_chunk_size {
	UVM_CHUNK_4K,
	UVM_CHUNK_64K,
	UVM_CHUNK_2M,
	UVM_CHUNK_SIZES
};

enum uvm_chunk_list {
	UVM_CHUNK_LIST_UNUSED,		/* allocated whole, nothing resident there */
	UVM_CHUNK_LIST_DISCARDED,	/* allocated whole, what is there may be lost */
	UVM_CHUNK_LIST_USED,
	UVM_CHUNK_LISTS
};

/**
 * struct uvm_chunk - one piece of GPU memory
 * @list: free list; list of units; of those withheld; free for the user while TEMP_PINNED
 * @parent: chunk it was split from, NULL for a root
 * @children: if SPLIT
 * @owner: VA block, set by uvm_chunk_unpin()
 * @pa: physical address
 * @page_index: first page of @owner that it holds, see page_mask.h
 * @pinned: TEMP_PINNED and WITHHELD chunks at or below it, plus evictions below it
 * @state: enum uvm_chunk_state
 * @size: enum uvm_chunk_size
 * @lru: enum uvm_chunk_list it is on, UVM_CHUNK_LISTS if on none
 * @used: units in use: when they got their place on the list, in ticks that wrap
 * @born: ALLOCATED: driver time at which it was given to @owner; its user's
 * @zeroed: its bytes are known to be zero
 * @in_eviction: between pick_victim and evict_done
 */
struct uvm_chunk {
	struct list_head list;
	struct uvm_chunk *parent;
	struct uvm_chunk_children *children;
	void *owner;
	u64 pa;
	u16 page_index;
	u16 pinned;
	u8 state;
	u8 size;
	u8 lru;
	u32 used;
	u64 born;
	bool zeroed : 1;
	bool in_eviction : 1;
};

/**
 * struct uvm_chunk_children - what a chunk was split into
 * @free: how many are FREE
 * @count: how many there are
 * @chunk: they, by address
 */
struct uvm_chunk_children {
	unsigned int free;
	unsigned int count;
	struct uvm_chunk chunk[] __counted_by(count);
};

/**
 * struct uvm_chunk_pool - the allocator of one GPU
 * @roots: all frames, by physical address; the caller's array
 * @nr_roots: its length
 * @unit: enum uvm_chunk_size: what is evicted at a time
 * @refresh: enum uvm_chunk_size: the smallest chunk in which arriving pages make its
 *	unit the last to be evicted; in nvidia-uvm a whole frame
 * @free: free chunks by size, [0] not known to be zero, [1] zero
 * @lru: units by enum uvm_chunk_list
 * @count: chunks by size and state
 * @room: units that are FREE, or parts of larger ones that are; may be read without lock
 * @in_eviction: chunks being evicted
 * @withheld: units for nobody
 * @nr_withheld: how many
 * @evictor: policy in force; the caller's
 * @readings: calls of @last_access
 * @now: what time it is, in the same ticks; NULL: always 0
 * @last_access: when a unit was accessed; NULL: never
 * @range: as uvm_eviction_range(); NULL: nothing is kept
 * @assert_locked: checks the caller's lock, may be NULL
 * @lock_data: argument of these
 */
struct uvm_chunk_pool {
	struct uvm_chunk *roots;
	unsigned int nr_roots;
	enum uvm_chunk_size unit;
	enum uvm_chunk_size refresh;
	struct list_head free[UVM_CHUNK_SIZES][2];
	struct list_head lru[UVM_CHUNK_LISTS];
	unsigned int count[UVM_CHUNK_SIZES][UVM_CHUNK_STATES];
	unsigned int room;
	unsigned int in_eviction;
	struct list_head withheld;
	u32 nr_withheld;
	struct uvm_evictor *evictor;
	u64 readings;
	u32 (*now)(void *data);
	u32 (*last_access)(void *data, const struct uvm_chunk *unit);
	bool (*range)(void *data, const struct uvm_range_state *state, u64 va_space, u64 va,
		      uvm_range_read_fn read, void *arg);
	void (*assert_locked)(void *data);
	void *lock_data;
};

/**
 * uvm_chunk_shift - log2 of a size
 * @size: the size
 *
 * Return: 12, 16 or 21.
 */
static inline unsigned int uvm_chunk_shift(enum uvm_chunk_size size)
{
	static const u8 shift[UVM_CHUNK_SIZES] = {
		UVM_PAGE_SHIFT, UVM_BIG_PAGE_SHIFT, UVM_BLOCK_SHIFT
	};

	return shift[size];
}

/**
 * uvm_chunk_bytes - a size in bytes
 * @size: the size
 *
 * Return: 4 KB, 64 KB or 2 MB.
 */
static inline u64 uvm_chunk_bytes(enum uvm_chunk_size size)
{
	return 1ULL << uvm_chunk_shift(size);
}

/**
 * uvm_root_chunk_index - number of a frame
 * @pool: the allocator
 * @root: one of its frames
 *
 * Return: its place in @pool->roots.
 */
static inline unsigned int uvm_root_chunk_index(const struct uvm_chunk_pool *pool,
						const struct uvm_chunk *root)
{
	return root - pool->roots;
}

/**
 * uvm_chunk_size_of - the size that has so many bytes
 * @bytes: UVM_PAGE_SIZE, UVM_BIG_PAGE or UVM_BLOCK_SIZE
 *
 * Return: the size.
 */
static inline enum uvm_chunk_size uvm_chunk_size_of(u64 bytes)
{
	if (bytes == UVM_BLOCK_SIZE)
		return UVM_CHUNK_2M;
	return bytes == UVM_BIG_PAGE ? UVM_CHUNK_64K : UVM_CHUNK_4K;
}

/**
 * uvm_chunk_pages - how many pages a chunk holds
 * @chunk: the chunk
 *
 * Return: 1, 16 or 512.
 */
static inline unsigned int uvm_chunk_pages(const struct uvm_chunk *chunk)
{
	return uvm_chunk_bytes(chunk->size) >> UVM_PAGE_SHIFT;
}

void uvm_chunk_pool_init(struct uvm_chunk_pool *pool, struct uvm_chunk *roots,
			 unsigned int nr_roots, void (*assert_locked)(void *data),
			 void *lock_data);
unsigned int uvm_chunk_pool_frames(const struct uvm_chunk_pool *pool);
bool uvm_chunk_pool_idle(const struct uvm_chunk_pool *pool);
int uvm_chunk_pool_set_unit(struct uvm_chunk_pool *pool, enum uvm_chunk_size unit);

/* Between PMA and the pool. */
struct uvm_chunk *uvm_chunk_pool_add_root(struct uvm_chunk_pool *pool, u64 pa, bool zeroed);
struct uvm_chunk *uvm_chunk_pool_take_free_root(struct uvm_chunk_pool *pool);
void uvm_chunk_pool_release_root(struct uvm_chunk_pool *pool, struct uvm_chunk *root);

/* Allocation. */
int uvm_chunk_alloc(struct uvm_chunk_pool *pool, enum uvm_chunk_size size, gfp_t gfp,
		    struct uvm_chunk **chunk);
void uvm_chunk_unpin(struct uvm_chunk_pool *pool, struct uvm_chunk *chunk, void *owner,
		     unsigned int page_index);
void uvm_chunk_free(struct uvm_chunk_pool *pool, struct uvm_chunk *chunk, bool zeroed);
void uvm_chunk_mark_used(struct uvm_chunk_pool *pool, struct uvm_chunk *chunk, bool arrived);
void uvm_chunk_mark_unused(struct uvm_chunk_pool *pool, struct uvm_chunk *chunk);
void uvm_chunk_mark_discarded(struct uvm_chunk_pool *pool, struct uvm_chunk *chunk);
struct uvm_chunk *uvm_chunk_root(struct uvm_chunk *chunk);

/* Less memory than the frames have. */
u32 uvm_chunk_pool_units(const struct uvm_chunk_pool *pool);
u64 uvm_chunk_pool_units_of(const struct uvm_chunk_pool *pool, u64 bytes);
unsigned int uvm_chunk_pool_frames_of(const struct uvm_chunk_pool *pool, u64 bytes);
int uvm_chunk_pool_withhold(struct uvm_chunk_pool *pool, u32 units, gfp_t gfp);
bool uvm_chunk_pool_in_use(const struct uvm_chunk_pool *pool);

/* Eviction. */
bool uvm_chunk_evictable(const struct uvm_chunk *chunk);
extern const struct uvm_eviction_view uvm_chunk_pool_view;
u32 uvm_chunk_pool_nr_units(const struct uvm_chunk_pool *pool);
u32 uvm_chunk_unit_number(const struct uvm_chunk_pool *pool, const struct uvm_chunk *chunk);
void uvm_chunk_pool_set_evictor(struct uvm_chunk_pool *pool, struct uvm_evictor *evictor);
int uvm_chunk_pool_pick_victim(struct uvm_chunk_pool *pool, enum uvm_chunk_size size,
			       struct uvm_chunk **victim);
int uvm_chunk_pool_begin_evict(struct uvm_chunk_pool *pool, struct uvm_chunk *victim);
struct uvm_chunk *uvm_chunk_pool_evict_next_leaf(struct uvm_chunk_pool *pool,
						 struct uvm_chunk *victim);
void uvm_chunk_pool_evict_done(struct uvm_chunk_pool *pool, struct uvm_chunk *victim, bool ok);

#endif
