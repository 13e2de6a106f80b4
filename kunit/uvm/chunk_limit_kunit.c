// SPDX-License-Identifier: GPL-2.0
/* Physical chunks: units that are withheld, so that there is less memory than frames. */
#include <kunit/test.h>
#include "uvm/model/chunk.h"
#include "uvm_pure.h"

#define ROOTS	3
#define M2	0x200000ULL
#define UNITS	512
#define CHUNKS	4

struct limit_fixture {
	struct uvm_chunk_pool pool;
	struct uvm_chunk roots[ROOTS];
	struct uvm_chunk *got[CHUNKS];	/* what a case has, freed at its end */
	unsigned int nr_got;
};

static int limit_init(struct kunit *test)
{
	struct limit_fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	if (!f)
		return -ENOMEM;
	uvm_chunk_pool_init(&f->pool, f->roots, ROOTS, NULL, NULL);
	test->priv = f;
	return uvm_chunk_pool_set_unit(&f->pool, UVM_CHUNK_4K);
}

static struct uvm_chunk_pool *limit_pool(struct kunit *test)
{
	struct limit_fixture *f = test->priv;

	return &f->pool;
}

/* Frames are whole again: what splits them is memory that nothing else frees. */
static void limit_exit(struct kunit *test)
{
	struct limit_fixture *f = test->priv;

	if (!f)
		return;
	for (int i = 0; i < f->nr_got; i++)
		if (f->got[i])
			uvm_chunk_free(&f->pool, f->got[i], false);
	KUNIT_EXPECT_EQ(test, uvm_chunk_pool_withhold(&f->pool, 0, GFP_KERNEL), 0);
	KUNIT_EXPECT_EQ(test, f->pool.count[UVM_CHUNK_2M][UVM_CHUNK_FREE],
			uvm_chunk_pool_frames(&f->pool));
}

static struct uvm_chunk *limit_get(struct kunit *test, enum uvm_chunk_size size, bool used)
{
	struct limit_fixture *f = test->priv;
	struct uvm_chunk_pool *pool = &f->pool;
	struct uvm_chunk *chunk = NULL;

	KUNIT_ASSERT_LT(test, f->nr_got, CHUNKS);
	KUNIT_ASSERT_EQ(test, uvm_chunk_alloc(pool, size, GFP_KERNEL, &chunk), 0);
	f->got[f->nr_got++] = chunk;
	if (used)
		uvm_chunk_unpin(pool, chunk, pool, 0);
	return chunk;
}

static unsigned int limit_free_units(const struct uvm_chunk_pool *pool)
{
	return pool->room;
}

/* ---- sizes --------------------------------------------------------------- */

struct limit_size_case {
	u64 bytes;
	enum uvm_chunk_size unit;
	u64 units;
	unsigned int frames;
};

/* To the nearest unit, at least those of a frame; frames hold it all. */
static const struct limit_size_case limit_size_cases[] = {
	{ 0, UVM_CHUNK_4K, 512, 1 },
	{ 1, UVM_CHUNK_2M, 1, 1 },
	{ M2 - 1, UVM_CHUNK_64K, 32, 1 },
	{ M2 + 2047, UVM_CHUNK_4K, 512, 1 },
	{ M2 + 2048, UVM_CHUNK_4K, 513, 2 },
	{ M2, UVM_CHUNK_4K, 512, 1 },
	{ M2 + 4096, UVM_CHUNK_4K, 513, 2 },
	{ M2 + 4096, UVM_CHUNK_64K, 32, 1 },
	{ M2 + 32768, UVM_CHUNK_64K, 33, 2 },
	{ 9 * M2 / 4, UVM_CHUNK_64K, 72, 3 },
	{ 9 * M2 / 4, UVM_CHUNK_2M, 2, 2 },
	{ 5 * M2 / 2, UVM_CHUNK_2M, 3, 3 },
	{ (u64)U32_MAX << 10, UVM_CHUNK_4K, 1ULL << 30, 1 << 21 },
};

static void limit_sizes(struct kunit *test)
{
	struct uvm_chunk_pool *pool = limit_pool(test);

	for (int i = 0; i < ARRAY_SIZE(limit_size_cases); i++) {
		const struct limit_size_case *c = &limit_size_cases[i];

		KUNIT_ASSERT_EQ(test, uvm_chunk_pool_set_unit(pool, c->unit), 0);
		KUNIT_EXPECT_EQ_MSG(test, uvm_chunk_pool_units_of(pool, c->bytes), c->units,
				    "%llu", c->bytes);
		KUNIT_EXPECT_EQ_MSG(test, uvm_chunk_pool_frames_of(pool, c->bytes), c->frames,
				    "%llu", c->bytes);
	}
}

/* ---- withhold and give back ------------------------------------------------ */

static void limit_withhold(struct kunit *test)
{
	struct uvm_chunk_pool *pool = limit_pool(test);
	struct uvm_chunk *none = NULL;

	uvm_chunk_pool_add_root(pool, 0, false);
	uvm_chunk_pool_add_root(pool, M2, false);
	KUNIT_EXPECT_EQ(test, uvm_chunk_pool_units(pool), 2 * UNITS);
	KUNIT_ASSERT_EQ(test, uvm_chunk_pool_withhold(pool, 300, GFP_KERNEL), 0);
	KUNIT_EXPECT_EQ(test, uvm_chunk_pool_units(pool), 2 * UNITS - 300);
	KUNIT_EXPECT_EQ(test, limit_free_units(pool), 2 * UNITS - 300);
	KUNIT_EXPECT_FALSE(test, uvm_chunk_pool_in_use(pool));
	/* one frame is cut, the other is whole */
	limit_get(test, UVM_CHUNK_2M, true);
	KUNIT_EXPECT_TRUE(test, uvm_chunk_pool_in_use(pool));
	KUNIT_EXPECT_EQ(test, uvm_chunk_alloc(pool, UVM_CHUNK_2M, GFP_KERNEL, &none), -ENOSPC);
	/* fewer, more, none */
	KUNIT_ASSERT_EQ(test, uvm_chunk_pool_withhold(pool, 10, GFP_KERNEL), 0);
	KUNIT_EXPECT_EQ(test, limit_free_units(pool), UNITS - 10);
	KUNIT_ASSERT_EQ(test, uvm_chunk_pool_withhold(pool, 512, GFP_KERNEL), 0);
	KUNIT_EXPECT_EQ(test, limit_free_units(pool), 0);
	KUNIT_ASSERT_EQ(test, uvm_chunk_pool_withhold(pool, 0, GFP_KERNEL), 0);
	KUNIT_EXPECT_EQ(test, pool->count[UVM_CHUNK_2M][UVM_CHUNK_FREE], 1);
	KUNIT_EXPECT_EQ(test, pool->count[UVM_CHUNK_4K][UVM_CHUNK_FREE], 0);
	KUNIT_EXPECT_EQ(test, pool->count[UVM_CHUNK_4K][UVM_CHUNK_WITHHELD], 0);
}

/* More than is free: what was withheld before stays, and no more. */
static void limit_too_much(struct kunit *test)
{
	struct uvm_chunk_pool *pool = limit_pool(test);

	uvm_chunk_pool_add_root(pool, 0, false);
	KUNIT_ASSERT_EQ(test, uvm_chunk_pool_withhold(pool, 100, GFP_KERNEL), 0);
	limit_get(test, UVM_CHUNK_64K, true);
	KUNIT_EXPECT_EQ(test, uvm_chunk_pool_withhold(pool, 497, GFP_KERNEL), -ENOSPC);
	KUNIT_EXPECT_EQ(test, pool->nr_withheld, 100);
	KUNIT_EXPECT_EQ(test, limit_free_units(pool), 512 - 100 - 16);
	KUNIT_EXPECT_EQ(test, uvm_chunk_pool_withhold(pool, 496, GFP_KERNEL), 0);
	KUNIT_EXPECT_EQ(test, limit_free_units(pool), 0);
}

/* Units beside those withheld are evicted like any other; their frame is not. */
static void limit_evict(struct kunit *test)
{
	struct limit_fixture *f = test->priv;
	struct uvm_chunk_pool *pool = &f->pool;
	struct uvm_chunk *kept, *victim = NULL, *root = &pool->roots[0];

	uvm_chunk_pool_add_root(pool, 0, false);
	KUNIT_ASSERT_EQ(test, uvm_chunk_pool_withhold(pool, 510, GFP_KERNEL), 0);
	kept = limit_get(test, UVM_CHUNK_4K, true);
	limit_get(test, UVM_CHUNK_4K, true);
	KUNIT_EXPECT_EQ(test, uvm_chunk_pool_begin_evict(pool, root), -EBUSY);
	/* somebody wants a whole frame: there is none, and waiting for one would be in vain */
	KUNIT_EXPECT_EQ(test, uvm_chunk_pool_pick_victim(pool, UVM_CHUNK_2M, &victim), -ENOSPC);
	KUNIT_ASSERT_EQ(test, uvm_chunk_pool_pick_victim(pool, UVM_CHUNK_4K, &victim), 0);
	KUNIT_EXPECT_PTR_EQ(test, victim, kept);
	uvm_chunk_free(pool, uvm_chunk_pool_evict_next_leaf(pool, victim), false);
	uvm_chunk_pool_evict_done(pool, victim, true);
	uvm_chunk_free(pool, victim, false);
	f->got[0] = NULL;
	KUNIT_EXPECT_EQ(test, limit_free_units(pool), 1);
	/* without it, a pin is something that ends */
	limit_get(test, UVM_CHUNK_4K, false);
	KUNIT_EXPECT_EQ(test, uvm_chunk_pool_pick_victim(pool, UVM_CHUNK_2M, &victim), -EAGAIN);
}

static struct kunit_case limit_kunit_cases[] = {
	KUNIT_CASE(limit_sizes),
	KUNIT_CASE(limit_withhold),
	KUNIT_CASE(limit_too_much),
	KUNIT_CASE(limit_evict),
	{}
};

struct kunit_suite uvm_chunk_limit_suite = {
	.name = "uvm_chunk_limit",
	.init = limit_init,
	.exit = limit_exit,
	.test_cases = limit_kunit_cases,
};
