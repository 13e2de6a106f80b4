// SPDX-License-Identifier: GPL-2.0
/*
 * Physical chunks of one GPU: less memory than the frames that hold it.
 *
 * Frames come and go whole.  Where less is to be used, the rest of one is *withheld*: units that
 * nobody gets, in a frame whose other units are like any other.
 */
#include <kunit/visibility.h>
#include <linux/errno.h>
#include <linux/export.h>
#include "model/chunk.h"
#include "model/chunk_priv.h"

static u32 chunk_units_per_frame(const struct uvm_chunk_pool *pool)
{
	return UVM_BLOCK_SIZE / uvm_chunk_bytes(pool->unit);
}

/**
 * uvm_chunk_pool_units - how much memory there is to be used
 * @pool: the allocator
 *
 * Return: units that are not PMA's, free or not, without those withheld.
 */
u32 uvm_chunk_pool_units(const struct uvm_chunk_pool *pool)
{
	return uvm_chunk_pool_frames(pool) * chunk_units_per_frame(pool) - pool->nr_withheld;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_chunk_pool_units);

/**
 * uvm_chunk_pool_units_of - how many units a limit of so much leaves
 * @pool: the allocator
 * @bytes: any number
 *
 * A block gets all that it needs at once or tries again, so memory for one is the least there can
 * be.
 *
 * Return: the nearest number of units, at least those of a frame.
 */
u64 uvm_chunk_pool_units_of(const struct uvm_chunk_pool *pool, u64 bytes)
{
	u64 unit = uvm_chunk_bytes(pool->unit);

	return max_t(u64, chunk_units_per_frame(pool),
		     (bytes + unit / 2) >> uvm_chunk_shift(pool->unit));
}
EXPORT_SYMBOL_IF_KUNIT(uvm_chunk_pool_units_of);

/**
 * uvm_chunk_pool_frames_of - how many frames hold so much
 * @pool: the allocator
 * @bytes: any number
 *
 * Return: frames that have uvm_chunk_pool_units_of() units.
 */
unsigned int uvm_chunk_pool_frames_of(const struct uvm_chunk_pool *pool, u64 bytes)
{
	return DIV_ROUND_UP_ULL(uvm_chunk_pool_units_of(pool, bytes), chunk_units_per_frame(pool));
}
EXPORT_SYMBOL_IF_KUNIT(uvm_chunk_pool_frames_of);

static int chunk_withhold_one(struct uvm_chunk_pool *pool, gfp_t gfp)
{
	struct uvm_chunk *chunk;
	int ret = uvm_chunk_alloc(pool, pool->unit, gfp, &chunk);

	if (ret)
		return ret;
	uvm_chunk_set_state(pool, chunk, UVM_CHUNK_WITHHELD);
	list_add(&chunk->list, &pool->withheld);
	pool->nr_withheld++;
	return 0;
}

static void chunk_give_one(struct uvm_chunk_pool *pool)
{
	struct uvm_chunk *chunk = list_first_entry(&pool->withheld, struct uvm_chunk, list);

	list_del_init(&chunk->list);
	pool->nr_withheld--;
	uvm_chunk_release(pool, chunk);
}

/**
 * uvm_chunk_pool_withhold - so many units are for nobody
 * @pool: the allocator
 * @units: how many, of all: more or fewer than now
 * @gfp: for the structures of a split
 *
 * Return: 0; -ENOSPC if not so many are free, -ENOMEM; then it is as before.
 */
int uvm_chunk_pool_withhold(struct uvm_chunk_pool *pool, u32 units, gfp_t gfp)
{
	u32 before = pool->nr_withheld;
	int ret = 0;

	uvm_chunk_assert_locked(pool);
	while (!ret && pool->nr_withheld < units)
		ret = chunk_withhold_one(pool, gfp);
	while (pool->nr_withheld > (ret ? before : units))
		chunk_give_one(pool);
	return ret;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_chunk_pool_withhold);

/**
 * uvm_chunk_pool_in_use - has anybody memory of it?
 * @pool: the allocator
 *
 * Return: true if a chunk is allocated or pinned.
 */
bool uvm_chunk_pool_in_use(const struct uvm_chunk_pool *pool)
{
	unsigned int size;

	for (size = 0; size < UVM_CHUNK_SIZES; size++)
		if (pool->count[size][UVM_CHUNK_ALLOCATED] ||
		    pool->count[size][UVM_CHUNK_TEMP_PINNED])
			return true;
	return false;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_chunk_pool_in_use);
