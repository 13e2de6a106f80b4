// SPDX-License-Identifier: GPL-2.0
/*
 * Access-aware eviction: the order that it makes, and what it costs.
 */
#include <kunit/test.h>
#include "uvm/model/chunk.h"
#include "evictor_fixture.h"
#include "uvm_pure.h"

#define M2	0x200000ULL
#define ROOTS	80

struct evict_fixture {
	struct uvm_chunk_pool pool;
	struct uvm_chunk roots[ROOTS];
	u32 stamp[ROOTS];
	u32 stamp_64k[32];	/* of frame 0 */
	u32 now;
	struct uvm_evictor *evictor;
};

static u32 evict_now(void *data)
{
	struct evict_fixture *f = data;

	return f->now;
}

static u32 evict_last_access(void *data, const struct uvm_chunk *unit)
{
	struct evict_fixture *f = data;

	return unit->size == UVM_CHUNK_2M ? f->stamp[unit->pa / M2] :
	       f->stamp_64k[unit->pa >> 16];
}

static void evict_reset(struct evict_fixture *f, u32 now)
{
	memset(f, 0, sizeof(*f));
	f->now = now;
	uvm_chunk_pool_init(&f->pool, f->roots, ROOTS, NULL, f);
	f->pool.now = evict_now;
	f->pool.last_access = evict_last_access;
}

static int evict_init(struct kunit *test)
{
	test->priv = kunit_kzalloc(test, sizeof(struct evict_fixture), GFP_KERNEL);
	return test->priv ? 0 : -ENOMEM;
}

/* @n units that came one after the other, at @now + 1 ... */
static void evict_fill(struct kunit *test, const char *policy, enum uvm_chunk_size unit,
		       unsigned int n)
{
	struct evict_fixture *f = test->priv;

	KUNIT_ASSERT_EQ(test, uvm_chunk_pool_set_unit(&f->pool, unit), 0);
	f->evictor = evictor_fixture_use(test, &f->pool, uvm_policy_find_eviction(policy));
	for (unsigned int i = 0; i < n; i++) {
		struct uvm_chunk *chunk = NULL;

		if (unit == UVM_CHUNK_2M || !i)
			uvm_chunk_pool_add_root(&f->pool, i * M2, true);
		KUNIT_ASSERT_EQ(test, uvm_chunk_alloc(&f->pool, unit, GFP_KERNEL, &chunk), 0);
		f->now++;
		uvm_chunk_unpin(&f->pool, chunk, (void *)1, 0);
	}
}

static struct uvm_chunk *evict_pick(struct kunit *test, enum uvm_chunk_size size)
{
	struct evict_fixture *f = test->priv;
	struct uvm_chunk *victim = NULL;
	int ret;

	ret = uvm_chunk_pool_pick_victim(&f->pool, size, &victim);
	KUNIT_ASSERT_EQ(test, ret, 0);
	return victim;
}

static void evict_drain(struct evict_fixture *f, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		uvm_chunk_free(&f->pool, &f->roots[i], false);
}

struct evict_case {
	const char *rule;
	const char *policy;
	u32 stamp[4];		/* of units that came at 1, 2, 3, 4; 0: never accessed */
	s8 victims[5];		/* in this order; each is put back last, at 100, 101, ... */
	unsigned int readings;
};

static const struct evict_case evict_cases[] = {
	{ "lru does not ask", "lru", { 50, 0, 0, 0 }, { 0, 1, 2, 3, 0 }, 0 },
	{ "never accessed: as lru, with one reading each", "accessed", {}, { 0, 1, 2, 3, 0 }, 5 },
	{ "accessed when it came is no news", "accessed", { 1, 2, 3, 4 }, { 0, 1, 2, 3, -1 }, 4 },
	{ "before it came: somebody else did", "accessed", { 0, 0, 2, 0 }, { 0, 1, 2, 3, -1 }, 4 },
	{ "the hot one, which came first, stays longest", "accessed", { 50, 5, 6, 7 },
	  { 1, 2, 3, 0, -1 }, 8 },
	{ "last accessed goes last, whatever the order of arrival", "accessed", { 9, 7, 8, 6 },
	  { 3, 1, 2, 0, -1 }, 8 },
	{ "accessed at once: in the order of arrival", "accessed", { 9, 9, 9, 9 },
	  { 0, 1, 2, 3, -1 }, 8 },
	{ "one that is not accessed is found behind those that are", "accessed", { 9, 8, 0, 7 },
	  { 2, 3, 1, 0, -1 }, 7 },
};

static void evict_by_access(struct kunit *test, u32 epoch)
{
	struct evict_fixture *f = test->priv;

	for (int i = 0; i < ARRAY_SIZE(evict_cases); i++) {
		const struct evict_case *c = &evict_cases[i];
		struct uvm_chunk *victim;

		evict_reset(f, epoch);
		evict_fill(test, c->policy, UVM_CHUNK_2M, 4);
		for (int r = 0; r < 4; r++)
			f->stamp[r] = c->stamp[r] ? c->stamp[r] + epoch : 0;
		f->now = epoch + 100;
		for (int v = 0; v < ARRAY_SIZE(c->victims) && c->victims[v] >= 0; v++, f->now++) {
			victim = evict_pick(test, UVM_CHUNK_2M);
			KUNIT_EXPECT_EQ_MSG(test, uvm_root_chunk_index(&f->pool, victim),
					    c->victims[v], "%s, victim %d", c->rule, v);
			uvm_chunk_pool_evict_done(&f->pool, victim, false);
		}
		KUNIT_EXPECT_EQ_MSG(test, f->pool.readings, c->readings, "%s", c->rule);
		KUNIT_EXPECT_EQ(test, f->evictor->wrong, 0);
		evict_drain(f, 4);
	}
}

static void evict_accessed(struct kunit *test)
{
	evict_by_access(test, 0);
}

/* Ticks wrap in the middle of it. */
static void evict_accessed_wraps(struct kunit *test)
{
	evict_by_access(test, U32_MAX - 2);
}

/* However much memory is hot, a choice costs a bounded number of readings. */
static void evict_readings_are_bounded(struct kunit *test)
{
	struct evict_fixture *f = test->priv;
	struct uvm_chunk *victim;

	evict_reset(f, 0);
	evict_fill(test, "accessed", UVM_CHUNK_2M, ROOTS);
	for (int r = 0; r < ROOTS; r++)
		f->stamp[r] = 1000 + r;
	victim = evict_pick(test, UVM_CHUNK_2M);
	KUNIT_EXPECT_EQ(test, f->pool.readings, 64);
	/* the first that nobody looked at */
	KUNIT_EXPECT_EQ(test, uvm_root_chunk_index(&f->pool, victim), 64);
	uvm_chunk_pool_evict_done(&f->pool, victim, false);
	evict_drain(f, ROOTS);
}

/* Smaller units have stamps of their own. */
static void evict_pieces(struct kunit *test)
{
	struct evict_fixture *f = test->priv;
	struct uvm_chunk *victim;

	evict_reset(f, 0);
	evict_fill(test, "accessed", UVM_CHUNK_64K, 3);
	f->stamp_64k[0] = 50;
	f->stamp_64k[1] = 60;
	/* a free piece would be taken first: there is none */
	for (int i = 3; i < 32; i++) {
		struct uvm_chunk *chunk = NULL;

		KUNIT_ASSERT_EQ(test, uvm_chunk_alloc(&f->pool, UVM_CHUNK_64K, GFP_KERNEL,
						      &chunk), 0);
		uvm_chunk_unpin(&f->pool, chunk, (void *)1, 0);
	}
	victim = evict_pick(test, UVM_CHUNK_64K);
	KUNIT_EXPECT_EQ(test, victim->pa, 0x20000);
	uvm_chunk_pool_evict_done(&f->pool, victim, false);
	while ((victim = uvm_chunk_pool_evict_next_leaf(&f->pool, &f->roots[0])))
		uvm_chunk_free(&f->pool, victim, false);
}

/* Without hardware that knows, it is lru. */
static void evict_without_hardware(struct kunit *test)
{
	struct evict_fixture *f = test->priv;
	struct uvm_chunk *victim;

	evict_reset(f, 0);
	f->pool.last_access = NULL;
	evict_fill(test, "accessed", UVM_CHUNK_2M, 2);
	victim = evict_pick(test, UVM_CHUNK_2M);
	KUNIT_EXPECT_EQ(test, uvm_root_chunk_index(&f->pool, victim), 0);
	KUNIT_EXPECT_EQ(test, f->pool.readings, 0);
	uvm_chunk_pool_evict_done(&f->pool, victim, false);
	evict_drain(f, 2);
}

static struct kunit_case evict_accessed_cases[] = {
	KUNIT_CASE(evict_accessed),
	KUNIT_CASE(evict_accessed_wraps),
	KUNIT_CASE(evict_readings_are_bounded),
	KUNIT_CASE(evict_pieces),
	KUNIT_CASE(evict_without_hardware),
	{}
};

struct kunit_suite uvm_eviction_accessed_suite = {
	.name = "uvm_eviction_accessed",
	.init = evict_init,
	.test_cases = evict_accessed_cases,
};
