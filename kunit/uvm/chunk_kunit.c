// SPDX-License-Identifier: GPL-2.0
/*
 * Physical chunks, by tables; random use is in chunk_model_kunit.c.
 */
#include <kunit/test.h>
#include "uvm/model/chunk.h"
#include "evictor_fixture.h"
#include "uvm_pure.h"

#define ROOTS	6
#define M2	0x200000ULL
#define S4K	UVM_CHUNK_4K
#define S64K	UVM_CHUNK_64K
#define S2M	UVM_CHUNK_2M

struct chunk_fixture {
	struct uvm_chunk_pool pool;
	struct uvm_chunk roots[ROOTS];
	unsigned int asserted;
};

static void chunk_note_assert(void *data)
{
	struct chunk_fixture *f = data;

	f->asserted++;
}

static void chunk_reset(struct chunk_fixture *f)
{
	memset(f, 0, sizeof(*f));
	uvm_chunk_pool_init(&f->pool, f->roots, ROOTS, chunk_note_assert, f);
}

static int chunk_init(struct kunit *test)
{
	struct chunk_fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	if (!f)
		return -ENOMEM;
	chunk_reset(f);
	test->priv = f;
	return 0;
}

static struct uvm_chunk *chunk_get(struct kunit *test, enum uvm_chunk_size size)
{
	struct chunk_fixture *f = test->priv;
	struct uvm_chunk *chunk = NULL;

	KUNIT_ASSERT_EQ(test, uvm_chunk_alloc(&f->pool, size, GFP_KERNEL, &chunk), 0);
	KUNIT_ASSERT_NOT_NULL(test, chunk);
	KUNIT_EXPECT_EQ(test, chunk->state, UVM_CHUNK_TEMP_PINNED);
	KUNIT_EXPECT_EQ(test, chunk->size, size);
	return chunk;
}

/* Allocate for a block; owners are told by numbers in place of pointers. */
static struct uvm_chunk *chunk_get_owned(struct kunit *test, enum uvm_chunk_size size, long owner)
{
	struct chunk_fixture *f = test->priv;
	struct uvm_chunk *chunk = chunk_get(test, size);

	uvm_chunk_unpin(&f->pool, chunk, (void *)owner, 0);
	return chunk;
}

static unsigned int chunk_count(struct chunk_fixture *f, enum uvm_chunk_size size,
				enum uvm_chunk_state state)
{
	return f->pool.count[size][state];
}

static void chunk_expect_idle(struct kunit *test)
{
	struct chunk_fixture *f = test->priv;

	while (uvm_chunk_pool_take_free_root(&f->pool))
		;
	KUNIT_EXPECT_TRUE(test, uvm_chunk_pool_idle(&f->pool));
	for (int size = 0; size < UVM_CHUNK_SIZES; size++) {
		for (int state = 0; state < UVM_CHUNK_STATES; state++)
			KUNIT_EXPECT_EQ(test, chunk_count(f, size, state),
					size == S2M && state == UVM_CHUNK_PMA_OWNED ? ROOTS : 0);
	}
	KUNIT_EXPECT_EQ(test, f->pool.in_eviction, 0);
}

/* ---- frames ------------------------------------------------------------------ */

struct add_case {
	u64 pa;
	bool want;
};

static const struct add_case add_cases[] = {
	{ 0, true }, { 0, false }, { M2 / 2, false }, { 5 * M2, true }, { 6 * M2, false },
	{ ~0ULL & ~(M2 - 1), false }, { 3 * M2, true },
};

static void chunk_add_roots(struct kunit *test)
{
	struct chunk_fixture *f = test->priv;

	KUNIT_EXPECT_TRUE(test, uvm_chunk_pool_idle(&f->pool));
	for (int i = 0; i < ARRAY_SIZE(add_cases); i++) {
		struct uvm_chunk *root =
			uvm_chunk_pool_add_root(&f->pool, add_cases[i].pa, false);

		KUNIT_EXPECT_EQ_MSG(test, !!root, add_cases[i].want, "case %d", i);
		if (root) {
			KUNIT_EXPECT_EQ(test, root->pa, add_cases[i].pa);
			KUNIT_EXPECT_EQ(test, uvm_root_chunk_index(&f->pool, root),
					add_cases[i].pa / M2);
		}
	}
	KUNIT_EXPECT_FALSE(test, uvm_chunk_pool_idle(&f->pool));
	KUNIT_EXPECT_EQ(test, f->asserted, ARRAY_SIZE(add_cases));
	chunk_expect_idle(test);
}

/* Allocation takes zeroed frames first, PMA gets them back last. */
static void chunk_zero_preference(struct kunit *test)
{
	struct chunk_fixture *f = test->priv;
	struct uvm_chunk *a, *b;

	uvm_chunk_pool_add_root(&f->pool, 0, false);
	uvm_chunk_pool_add_root(&f->pool, M2, true);
	uvm_chunk_pool_add_root(&f->pool, 2 * M2, false);
	a = chunk_get(test, S2M);
	KUNIT_EXPECT_EQ(test, a->pa, M2);
	KUNIT_EXPECT_TRUE(test, a->zeroed);
	b = chunk_get(test, S2M);
	KUNIT_EXPECT_EQ(test, b->pa, 0);
	KUNIT_EXPECT_FALSE(test, b->zeroed);
	uvm_chunk_free(&f->pool, a, true);
	uvm_chunk_free(&f->pool, b, false);
	KUNIT_EXPECT_EQ(test, uvm_chunk_pool_take_free_root(&f->pool)->pa, 2 * M2);
	KUNIT_EXPECT_EQ(test, uvm_chunk_pool_take_free_root(&f->pool)->pa, 0);
	KUNIT_EXPECT_EQ(test, uvm_chunk_pool_take_free_root(&f->pool)->pa, M2);
	KUNIT_EXPECT_NULL(test, uvm_chunk_pool_take_free_root(&f->pool));
	chunk_expect_idle(test);
}

/* ---- split and merge --------------------------------------------------------- */

struct split_case {
	const char *rule;
	enum uvm_chunk_size size;
	u64 pa;
	/* counts after it */
	unsigned int free_2m, free_64k, free_4k, split_2m, split_64k;
};

/* One zeroed frame at 2M; one allocation after the other. */
static const struct split_case split_cases[] = {
	{ "4K out of a whole frame splits twice", S4K, M2, 0, 31, 15, 1, 1 },
	{ "64K: the next free one", S64K, M2 + 0x10000, 0, 30, 15, 1, 1 },
	{ "4K: from what is split already", S4K, M2 + 0x1000, 0, 30, 14, 1, 1 },
	{ "64K again", S64K, M2 + 0x20000, 0, 29, 14, 1, 1 },
};

static void chunk_split_and_merge(struct kunit *test)
{
	struct chunk_fixture *f = test->priv;
	struct uvm_chunk *got[ARRAY_SIZE(split_cases)], *none = NULL;

	uvm_chunk_pool_add_root(&f->pool, M2, true);
	for (int i = 0; i < ARRAY_SIZE(split_cases); i++) {
		const struct split_case *c = &split_cases[i];

		got[i] = chunk_get(test, c->size);
		KUNIT_EXPECT_EQ_MSG(test, got[i]->pa, c->pa, "%s", c->rule);
		KUNIT_EXPECT_TRUE_MSG(test, got[i]->zeroed, "%s", c->rule);
		KUNIT_EXPECT_EQ_MSG(test, chunk_count(f, S2M, UVM_CHUNK_FREE), c->free_2m,
				    "%s", c->rule);
		KUNIT_EXPECT_EQ_MSG(test, chunk_count(f, S64K, UVM_CHUNK_FREE), c->free_64k,
				    "%s", c->rule);
		KUNIT_EXPECT_EQ_MSG(test, chunk_count(f, S4K, UVM_CHUNK_FREE), c->free_4k,
				    "%s", c->rule);
		KUNIT_EXPECT_EQ_MSG(test, chunk_count(f, S2M, UVM_CHUNK_SPLIT), c->split_2m,
				    "%s", c->rule);
		KUNIT_EXPECT_EQ_MSG(test, chunk_count(f, S64K, UVM_CHUNK_SPLIT), c->split_64k,
				    "%s", c->rule);
		KUNIT_EXPECT_EQ_MSG(test, f->roots[1].pinned, i + 1, "%s", c->rule);
		KUNIT_EXPECT_PTR_EQ(test, uvm_chunk_root(got[i]), &f->roots[1]);
	}
	KUNIT_EXPECT_EQ(test, uvm_chunk_alloc(&f->pool, S2M, GFP_KERNEL, &none), -ENOSPC);
	KUNIT_EXPECT_NULL(test, none);

	/* Siblings merge as soon as the last of them is free, and no sooner. */
	uvm_chunk_free(&f->pool, got[0], true);
	KUNIT_EXPECT_EQ(test, chunk_count(f, S4K, UVM_CHUNK_FREE), 15);
	uvm_chunk_free(&f->pool, got[2], false);
	KUNIT_EXPECT_EQ(test, chunk_count(f, S4K, UVM_CHUNK_FREE), 0);
	KUNIT_EXPECT_EQ(test, chunk_count(f, S64K, UVM_CHUNK_FREE), 30);
	uvm_chunk_free(&f->pool, got[1], true);
	uvm_chunk_free(&f->pool, got[3], true);
	KUNIT_EXPECT_EQ(test, chunk_count(f, S2M, UVM_CHUNK_FREE), 1);
	/* One piece was dirty: so is the whole. */
	KUNIT_EXPECT_FALSE(test, f->roots[1].zeroed);
	chunk_expect_idle(test);
}

static void chunk_no_space(struct kunit *test)
{
	struct chunk_fixture *f = test->priv;
	struct uvm_chunk *chunk = NULL;

	for (int size = 0; size < UVM_CHUNK_SIZES; size++)
		KUNIT_EXPECT_EQ(test, uvm_chunk_alloc(&f->pool, size, GFP_KERNEL, &chunk), -ENOSPC);
	KUNIT_EXPECT_NULL(test, chunk);
}

/* ---- lists and victims ------------------------------------------------------- */

enum victim_op {
	ADD, GET, SUB, FREE, USED, LEFT, UNUSED, DISCARD, PIN, PICK, PICK_FAIL, DONE, FAIL, SIZE
};

struct victim_step {
	enum victim_op op;
	int arg;	/* root, or what is expected */
};

struct victim_case {
	const char *rule;
	const char *policy;
	struct victim_step step[24];
};

#define END	{ -1, 0 }

/*
 * ADD a frame; GET all of the next free frame for a block, SUB 4K of it;
 * PIN: GET without unpin; USED, UNUSED, DISCARD, FREE: the chunk of that frame; LEFT: some
 * pages left it; SIZE: the smallest chunk whose arrivals refresh its frame.
 */
static const struct victim_case victim_cases[] = {
	{ "nothing at all: no space", "lru", { { PICK_FAIL, -ENOSPC }, END } },
	{ "free frames first", "lru",
	  { { ADD, 0 }, { GET, 0 }, { ADD, 1 }, { PICK, 1 }, { DONE, 1 }, END } },
	{ "then the one migrated to least recently", "lru",
	  { { ADD, 0 }, { GET, 0 }, { ADD, 1 }, { GET, 1 }, { ADD, 2 }, { GET, 2 },
	    { PICK, 0 }, { DONE, 0 }, { PICK, 1 }, { DONE, 1 }, { PICK, 2 }, { DONE, 2 }, END } },
	{ "use moves to the tail", "lru",
	  { { ADD, 0 }, { GET, 0 }, { ADD, 1 }, { GET, 1 }, { USED, 0 }, { PICK, 1 }, { DONE, 1 },
	    { PICK, 0 }, { DONE, 0 }, END } },
	{ "unused ones before used ones", "lru",
	  { { ADD, 0 }, { GET, 0 }, { ADD, 1 }, { GET, 1 }, { UNUSED, 1 }, { PICK, 1 },
	    { DONE, 1 }, { PICK, 0 }, { DONE, 0 }, END } },
	{ "unused ones in their order; used again is used", "lru",
	  { { ADD, 0 }, { GET, 0 }, { ADD, 1 }, { GET, 1 }, { ADD, 2 }, { GET, 2 },
	    { UNUSED, 2 }, { UNUSED, 1 }, { UNUSED, 0 }, { USED, 2 }, { PICK, 1 }, { DONE, 1 },
	    { PICK, 0 }, { DONE, 0 }, { PICK, 2 }, { DONE, 2 }, END } },
	/* nvidia-uvm 4.2, 4.4: UNUSED, DISCARDED, USED */
	{ "discarded ones after unused ones and before used ones", "lru",
	  { { ADD, 0 }, { GET, 0 }, { ADD, 1 }, { GET, 1 }, { ADD, 2 }, { GET, 2 },
	    { DISCARD, 1 }, { UNUSED, 2 }, { PICK, 2 }, { DONE, 2 }, { PICK, 1 }, { DONE, 1 },
	    { PICK, 0 }, { DONE, 0 }, END } },
	{ "discarded ones in their order; used again is used", "lru",
	  { { ADD, 0 }, { GET, 0 }, { ADD, 1 }, { GET, 1 }, { ADD, 2 }, { GET, 2 },
	    { DISCARD, 2 }, { DISCARD, 0 }, { DISCARD, 1 }, { USED, 0 }, { PICK, 2 }, { DONE, 2 },
	    { PICK, 1 }, { DONE, 1 }, { PICK, 0 }, { DONE, 0 }, END } },
	{ "discarded, then without resident pages: unused", "lru",
	  { { ADD, 0 }, { GET, 0 }, { ADD, 1 }, { GET, 1 }, { DISCARD, 0 }, { DISCARD, 1 },
	    { UNUSED, 1 }, { PICK, 1 }, { DONE, 1 }, { PICK, 0 }, { DONE, 0 }, END } },
	{ "the policy is not asked about discarded ones", "random",
	  { { ADD, 0 }, { GET, 0 }, { ADD, 1 }, { GET, 1 }, { ADD, 2 }, { GET, 2 },
	    { DISCARD, 1 }, { PICK, 1 }, { DONE, 1 }, END } },
	/* nvidia-uvm 4.2: only arrivals refresh, and only a frame that is one chunk */
	{ "pages that go leave the frame where it is", "lru",
	  { { ADD, 0 }, { GET, 0 }, { ADD, 1 }, { GET, 1 }, { LEFT, 0 }, { PICK, 0 }, { DONE, 0 },
	    { PICK, 1 }, { DONE, 1 }, END } },
	{ "arrivals in a piece of a frame leave it where it is", "lru",
	  { { ADD, 0 }, { SUB, 0 }, { ADD, 1 }, { GET, 1 }, { USED, 0 }, { PICK, 0 }, { DONE, 0 },
	    { PICK, 1 }, { DONE, 1 }, END } },
	{ "unless they are to count", "lru",
	  { { SIZE, S4K }, { ADD, 0 }, { SUB, 0 }, { ADD, 1 }, { GET, 1 }, { USED, 0 },
	    { PICK, 1 }, { DONE, 1 }, { PICK, 0 }, { DONE, 0 }, END } },
	{ "they count from a size on", "lru",
	  { { SIZE, S64K }, { ADD, 0 }, { SUB, 0 }, { ADD, 1 }, { GET, 1 }, { USED, 0 },
	    { PICK, 0 }, { DONE, 0 }, END } },
	{ "a piece that is given back counts as use of the rest", "lru",
	  { { ADD, 0 }, { SUB, 0 }, { SUB, 0 }, { ADD, 1 }, { GET, 1 }, { FREE, 0 },
	    { PICK, 1 }, { DONE, 1 }, { PICK, 0 }, { DONE, 0 }, END } },
	{ "what is wanted again is in use again, arrived or not", "lru",
	  { { ADD, 0 }, { GET, 0 }, { ADD, 1 }, { GET, 1 }, { DISCARD, 0 }, { LEFT, 0 },
	    { PICK, 1 }, { DONE, 1 }, { PICK, 0 }, { DONE, 0 }, END } },
	{ "a piece of a frame is not the frame", "lru",
	  { { ADD, 0 }, { GET, 0 }, { ADD, 1 }, { SUB, 1 }, { DISCARD, 1 }, { PICK, 0 },
	    { DONE, 0 }, { PICK, 1 }, { DONE, 1 }, END } },
	{ "discarded while being evicted: on no list", "lru",
	  { { ADD, 0 }, { GET, 0 }, { PICK, 0 }, { DISCARD, 0 }, { PICK_FAIL, -EAGAIN },
	    { DONE, 0 }, END } },
	{ "pinned frames are passed over", "lru",
	  { { ADD, 0 }, { PIN, 0 }, { ADD, 1 }, { GET, 1 }, { PICK, 1 }, { DONE, 1 },
	    { PICK_FAIL, -EAGAIN }, END } },
	{ "a frame with a pinned leaf is passed over", "lru",
	  { { ADD, 0 }, { SUB, 0 }, { SUB, 0 }, { PIN, 0 }, { ADD, 1 }, { GET, 1 }, { PICK, 1 },
	    { DONE, 1 }, END } },
	{ "all being evicted: try again", "lru",
	  { { ADD, 0 }, { GET, 0 }, { PICK, 0 }, { PICK_FAIL, -EAGAIN }, { DONE, 0 }, END } },
	{ "being evicted is being on no list, whatever its block says", "lru",
	  { { ADD, 0 }, { GET, 0 }, { PICK, 0 }, { UNUSED, 0 }, { USED, 0 },
	    { PICK_FAIL, -EAGAIN }, { DONE, 0 }, END } },
	{ "a failed eviction: last to be tried again", "lru",
	  { { ADD, 0 }, { GET, 0 }, { ADD, 1 }, { GET, 1 }, { PICK, 0 }, { FAIL, 0 }, { PICK, 1 },
	    { FAIL, 1 }, { PICK, 0 }, { DONE, 0 }, END } },
	{ "splitting does not change the order", "lru",
	  { { ADD, 0 }, { SUB, 0 }, { ADD, 1 }, { GET, 1 }, { PICK, 0 }, { DONE, 0 }, { PICK, 1 },
	    { DONE, 1 }, END } },
	{ "a new piece counts as use", "lru",
	  { { ADD, 0 }, { SUB, 0 }, { ADD, 1 }, { GET, 1 }, { SUB, 0 }, { PICK, 1 }, { DONE, 1 },
	    END } },
	{ "freed is free", "lru",
	  { { ADD, 0 }, { GET, 0 }, { ADD, 1 }, { GET, 1 }, { FREE, 1 }, { PICK, 1 }, { DONE, 1 },
	    END } },
};

struct victim_run {
	struct uvm_chunk *chunk[ROOTS];		/* last one of each frame */
	struct uvm_chunk *victim;
};

static void victim_finish(struct kunit *test, struct uvm_chunk *root, bool ok)
{
	struct chunk_fixture *f = test->priv;
	struct uvm_chunk *leaf;

	while (ok && (leaf = uvm_chunk_pool_evict_next_leaf(&f->pool, root)))
		uvm_chunk_free(&f->pool, leaf, false);
	uvm_chunk_pool_evict_done(&f->pool, root, ok);
	if (!ok)
		return;
	KUNIT_EXPECT_EQ(test, root->state, UVM_CHUNK_TEMP_PINNED);
	KUNIT_EXPECT_FALSE(test, root->zeroed);
	uvm_chunk_pool_release_root(&f->pool, root);
}

static void victim_step(struct kunit *test, const struct victim_case *c,
			const struct victim_step *s, struct victim_run *run)
{
	struct chunk_fixture *f = test->priv;
	int ret;

	switch (s->op) {
	case ADD:
		KUNIT_ASSERT_NOT_NULL(test, uvm_chunk_pool_add_root(&f->pool, s->arg * M2, true));
		break;
	case GET:
	case SUB:
		run->chunk[s->arg] = chunk_get_owned(test, s->op == GET ? S2M : S4K, 1);
		KUNIT_EXPECT_PTR_EQ_MSG(test, uvm_chunk_root(run->chunk[s->arg]),
					&f->roots[s->arg], "%s", c->rule);
		break;
	case PIN:
		chunk_get(test, run->chunk[s->arg] ? S4K : S2M);
		break;
	case FREE:
		uvm_chunk_free(&f->pool, run->chunk[s->arg], false);
		break;
	case USED:
	case LEFT:
		uvm_chunk_mark_used(&f->pool, run->chunk[s->arg], s->op == USED);
		break;
	case SIZE:
		f->pool.refresh = s->arg;
		break;
	case UNUSED:
		uvm_chunk_mark_unused(&f->pool, run->chunk[s->arg]);
		KUNIT_EXPECT_EQ_MSG(test, f->roots[s->arg].lru, f->roots[s->arg].in_eviction ?
				    UVM_CHUNK_LISTS : UVM_CHUNK_LIST_UNUSED, "%s", c->rule);
		break;
	case DISCARD:
		uvm_chunk_mark_discarded(&f->pool, run->chunk[s->arg]);
		break;
	case PICK:
		ret = uvm_chunk_pool_pick_victim(&f->pool, S2M, &run->victim);
		KUNIT_ASSERT_EQ_MSG(test, ret, 0, "%s", c->rule);
		KUNIT_EXPECT_EQ_MSG(test, uvm_root_chunk_index(&f->pool, run->victim), s->arg,
				    "%s", c->rule);
		KUNIT_EXPECT_TRUE(test, run->victim->in_eviction);
		break;
	case PICK_FAIL:
		ret = uvm_chunk_pool_pick_victim(&f->pool, S2M, &run->victim);
		KUNIT_EXPECT_EQ_MSG(test, ret, s->arg, "%s", c->rule);
		break;
	case DONE:
	case FAIL:
		victim_finish(test, &f->roots[s->arg], s->op == DONE);
		break;
	}
}

static struct uvm_chunk *chunk_first_busy(struct uvm_chunk *chunk)
{
	struct uvm_chunk *leaf = NULL;

	if (chunk->state == UVM_CHUNK_ALLOCATED || chunk->state == UVM_CHUNK_TEMP_PINNED)
		return chunk;
	if (chunk->state == UVM_CHUNK_SPLIT)
		for (unsigned int i = 0; !leaf && i < chunk->children->count; i++)
			leaf = chunk_first_busy(&chunk->children->chunk[i]);
	return leaf;
}

/* Free whatever is left, pinned or not. */
static void chunk_drain(struct chunk_fixture *f)
{
	struct uvm_chunk *leaf;

	for (int r = 0; r < ROOTS; r++) {
		while ((leaf = chunk_first_busy(&f->roots[r])))
			uvm_chunk_free(&f->pool, leaf, false);
	}
}

static void chunk_victims(struct kunit *test)
{
	struct chunk_fixture *f = test->priv;

	for (int i = 0; i < ARRAY_SIZE(victim_cases); i++) {
		const struct victim_case *c = &victim_cases[i];
		struct victim_run run = {};

		chunk_reset(f);
		evictor_fixture_use(test, &f->pool, uvm_policy_find_eviction(c->policy));
		for (const struct victim_step *s = c->step; (int)s->op >= 0; s++)
			victim_step(test, c, s, &run);
		chunk_drain(f);
		chunk_expect_idle(test);
	}
}

/* The policy `random`: repeatable by seed, only candidates, all of them in time. */
static unsigned int chunk_random_sequence(struct kunit *test, const char *seed,
					  u8 *sequence)
{
	struct chunk_fixture *f = test->priv;
	struct uvm_evictor *evictor;
	struct uvm_params *params = fixture_params(test);
	struct uvm_chunk *victim;
	unsigned int seen = 0;

	chunk_reset(f);
	FIXTURE_SET(test, params, "eviction_seed", seed);
	evictor = evictor_fixture_use_params(test, &f->pool, uvm_policy_find_eviction("random"),
					     params);
	for (int r = 0; r < ROOTS; r++) {
		uvm_chunk_pool_add_root(&f->pool, r * M2, true);
		chunk_get_owned(test, S2M, 1);
	}
	/* One frame is pinned in part and never a candidate. */
	uvm_chunk_free(&f->pool, &f->roots[2], false);
	chunk_get(test, S4K);
	chunk_get_owned(test, S64K, 1);
	for (int i = 0; i < 40; i++) {
		KUNIT_ASSERT_EQ(test, uvm_chunk_pool_pick_victim(&f->pool, S2M, &victim), 0);
		uvm_evictor_came(evictor);
		sequence[i] = uvm_root_chunk_index(&f->pool, victim);
		seen |= BIT(sequence[i]);
		uvm_chunk_pool_evict_done(&f->pool, victim, false);
	}
	KUNIT_EXPECT_EQ(test, evictor->wrong, 0);
	chunk_drain(f);
	chunk_expect_idle(test);
	return seen;
}

static void chunk_policy_random(struct kunit *test)
{
	u8 a[40], b[40], c[40];

	KUNIT_EXPECT_EQ(test, chunk_random_sequence(test, "42", a), 0x3b);
	KUNIT_EXPECT_EQ(test, chunk_random_sequence(test, "42", b), 0x3b);
	KUNIT_EXPECT_EQ(test, chunk_random_sequence(test, "43", c), 0x3b);
	KUNIT_EXPECT_EQ(test, memcmp(a, b, sizeof(a)), 0);
	KUNIT_EXPECT_NE(test, memcmp(a, c, sizeof(a)), 0);
	/* Seed 0 would stop the generator: it is another seed. */
	chunk_random_sequence(test, "0", c);
}

static u32 pick_none(struct uvm_eviction_ctx *ctx)
{
	return UVM_UNIT_NONE;
}

static u32 pick_pinned(struct uvm_eviction_ctx *ctx)
{
	return 0;
}

static u32 pick_beyond(struct uvm_eviction_ctx *ctx)
{
	return ROOTS;
}

static const struct uvm_eviction_ops bad_policies[] = {
	{ .policy.name = "none", .pick = pick_none },
	{ .policy.name = "pinned", .pick = pick_pinned },
	{ .policy.name = "beyond", .pick = pick_beyond },
};

/* A wrong answer costs a count and the head of the list is taken. */
static void chunk_policy_answers_are_checked(struct kunit *test)
{
	struct chunk_fixture *f = test->priv;
	struct uvm_chunk *victim;

	for (int r = 0; r < 3; r++)
		uvm_chunk_pool_add_root(&f->pool, r * M2, true);
	chunk_get(test, S2M);
	chunk_get_owned(test, S2M, 1);
	chunk_get_owned(test, S2M, 1);
	for (int i = 0; i < ARRAY_SIZE(bad_policies); i++) {
		struct uvm_evictor *evictor = evictor_fixture_use(test, &f->pool,
								  &bad_policies[i]);

		KUNIT_ASSERT_EQ(test, uvm_chunk_pool_pick_victim(&f->pool, S2M, &victim), 0);
		KUNIT_EXPECT_EQ(test, uvm_root_chunk_index(&f->pool, victim), 1 + i % 2);
		KUNIT_EXPECT_EQ(test, evictor->wrong, 1);
		uvm_chunk_pool_evict_done(&f->pool, victim, false);
	}
	chunk_drain(f);
	chunk_expect_idle(test);
}

static void hear_arrive(struct uvm_eviction_ctx *ctx, u32 unit,
			const struct uvm_eviction_page *page)
{
}

static u32 pick_first(struct uvm_eviction_ctx *ctx)
{
	return uvm_eviction_first(ctx);
}

/* A page that came to memory which was freed before it was in use is no page of the next owner. */
static void chunk_unit_rests(struct kunit *test)
{
	static const struct uvm_eviction_ops ops = {
		.policy.name = "hears", .arrive = hear_arrive, .pick = pick_first,
	};
	struct chunk_fixture *f = test->priv;
	struct uvm_evictor *e = evictor_fixture_use(test, &f->pool, &ops);
	struct uvm_eviction_page page = {};
	struct uvm_chunk *chunk;
	u32 unit;

	uvm_chunk_pool_add_root(&f->pool, 0, true);
	chunk = chunk_get(test, S64K);
	unit = uvm_chunk_unit_number(&f->pool, chunk);
	uvm_evictor_arrive(e, unit, &page);
	uvm_chunk_free(&f->pool, chunk, false);
	chunk = chunk_get_owned(test, S2M, 1);
	KUNIT_EXPECT_EQ(test, uvm_chunk_unit_number(&f->pool, chunk), unit);
	KUNIT_EXPECT_FALSE(test, uvm_eviction_evictable(&e->ctx, unit));
	KUNIT_EXPECT_EQ(test, uvm_eviction_first(&e->ctx), UVM_UNIT_NONE);
	uvm_evictor_arrive(e, unit, &page);
	KUNIT_EXPECT_TRUE(test, uvm_eviction_evictable(&e->ctx, unit));
	chunk_drain(f);
	chunk_expect_idle(test);
}

/* Leaves leave in order of address; frees while evicting go to the evictor. */
static void chunk_evict_split_root(struct kunit *test)
{
	struct chunk_fixture *f = test->priv;
	struct uvm_chunk *root;
	struct uvm_chunk *leaf, *none = NULL;
	long order[] = { 10, 12, 11, 13 };

	uvm_chunk_pool_add_root(&f->pool, 0, true);
	chunk_get_owned(test, S4K, 10);
	chunk_get_owned(test, S64K, 11);
	chunk_get_owned(test, S4K, 12);
	chunk_get_owned(test, S64K, 13);
	KUNIT_ASSERT_EQ(test, uvm_chunk_pool_pick_victim(&f->pool, S2M, &root), 0);
	KUNIT_EXPECT_FALSE(test, uvm_chunk_evictable(root));
	KUNIT_EXPECT_EQ(test, uvm_chunk_pool_begin_evict(&f->pool, root), -EAGAIN);
	/* Free pieces of a frame being evicted are nobody's to take. */
	KUNIT_EXPECT_EQ(test, uvm_chunk_alloc(&f->pool, S4K, GFP_KERNEL, &none), -ENOSPC);
	for (int i = 0; i < ARRAY_SIZE(order); i++) {
		leaf = uvm_chunk_pool_evict_next_leaf(&f->pool, root);
		KUNIT_ASSERT_NOT_NULL(test, leaf);
		KUNIT_EXPECT_EQ(test, (long)leaf->owner, order[i]);
		uvm_chunk_mark_used(&f->pool, leaf, true);	/* no effect while evicting */
		KUNIT_EXPECT_EQ(test, root->lru, UVM_CHUNK_LISTS);
		uvm_chunk_free(&f->pool, leaf, true);
		KUNIT_EXPECT_EQ(test, leaf->state, UVM_CHUNK_TEMP_PINNED);
		KUNIT_EXPECT_NULL(test, leaf->owner);
	}
	KUNIT_EXPECT_NULL(test, uvm_chunk_pool_evict_next_leaf(&f->pool, root));
	uvm_chunk_pool_evict_done(&f->pool, root, true);
	KUNIT_EXPECT_EQ(test, root->state, UVM_CHUNK_TEMP_PINNED);
	KUNIT_EXPECT_EQ(test, root->pinned, 1);
	KUNIT_EXPECT_FALSE(test, root->zeroed);
	/* Freed by the evictor, it can be split at once for somebody. */
	uvm_chunk_free(&f->pool, root, false);
	uvm_chunk_free(&f->pool, chunk_get(test, S64K), false);
	chunk_expect_idle(test);
}

/* An eviction that stops half-way: what left is free, the rest stays. */
static void chunk_evict_fails(struct kunit *test)
{
	struct chunk_fixture *f = test->priv;
	struct uvm_chunk *root = &f->roots[0];

	uvm_chunk_pool_add_root(&f->pool, 0, true);
	chunk_get_owned(test, S4K, 1);
	chunk_get_owned(test, S4K, 2);
	chunk_get_owned(test, S64K, 3);
	KUNIT_EXPECT_EQ(test, uvm_chunk_pool_begin_evict(&f->pool, &f->roots[1]), -ENOENT);
	KUNIT_ASSERT_EQ(test, uvm_chunk_pool_begin_evict(&f->pool, root), 0);
	uvm_chunk_free(&f->pool, uvm_chunk_pool_evict_next_leaf(&f->pool, root), false);
	uvm_chunk_free(&f->pool, uvm_chunk_pool_evict_next_leaf(&f->pool, root), false);
	uvm_chunk_pool_evict_done(&f->pool, root, false);
	/* Both 4K pieces went: their 64K merged; the 64K of block 3 stays. */
	KUNIT_EXPECT_EQ(test, chunk_count(f, S4K, UVM_CHUNK_FREE), 0);
	KUNIT_EXPECT_EQ(test, chunk_count(f, S64K, UVM_CHUNK_FREE), 31);
	KUNIT_EXPECT_EQ(test, chunk_count(f, S64K, UVM_CHUNK_ALLOCATED), 1);
	KUNIT_EXPECT_EQ(test, root->lru, UVM_CHUNK_LIST_USED);
	KUNIT_EXPECT_TRUE(test, uvm_chunk_evictable(root));
	/* Everything left after all: the frame is free. */
	KUNIT_ASSERT_EQ(test, uvm_chunk_pool_begin_evict(&f->pool, root), 0);
	uvm_chunk_free(&f->pool, uvm_chunk_pool_evict_next_leaf(&f->pool, root), false);
	uvm_chunk_pool_evict_done(&f->pool, root, false);
	KUNIT_EXPECT_EQ(test, chunk_count(f, S2M, UVM_CHUNK_FREE), 1);
	chunk_expect_idle(test);
}

/* ---- units smaller than a frame ------------------------------------------------ */

#define K64	0x10000ULL

static struct uvm_chunk *chunk_evict(struct kunit *test, enum uvm_chunk_size size)
{
	struct chunk_fixture *f = test->priv;
	struct uvm_chunk *victim = NULL, *leaf;

	KUNIT_ASSERT_EQ(test, uvm_chunk_pool_pick_victim(&f->pool, size, &victim), 0);
	while ((leaf = uvm_chunk_pool_evict_next_leaf(&f->pool, victim)))
		uvm_chunk_free(&f->pool, leaf, false);
	uvm_chunk_pool_evict_done(&f->pool, victim, true);
	return victim;
}

/* demystifying VI-B: what is evicted, and what has a place in the order, is 64 KB. */
static void chunk_units(struct kunit *test)
{
	struct chunk_fixture *f = test->priv;
	struct uvm_chunk *c[4], *victim;

	KUNIT_ASSERT_EQ(test, uvm_chunk_pool_set_unit(&f->pool, S64K), 0);
	uvm_chunk_pool_add_root(&f->pool, 0, true);
	KUNIT_EXPECT_EQ(test, uvm_chunk_pool_set_unit(&f->pool, S2M), -EBUSY);
	KUNIT_EXPECT_EQ(test, uvm_chunk_pool_set_unit(&f->pool, S64K), 0);
	for (int i = 0; i < ARRAY_SIZE(c); i++)
		c[i] = chunk_get_owned(test, i == 3 ? S4K : S64K, i + 1);
	for (int i = 4; i < 32; i++)
		chunk_get_owned(test, S64K, 9);
	f->pool.refresh = S64K;
	uvm_chunk_mark_used(&f->pool, c[0], true);
	uvm_chunk_mark_discarded(&f->pool, c[2]);
	/* A piece of a unit is not the unit. */
	uvm_chunk_mark_unused(&f->pool, c[3]);
	victim = chunk_evict(test, S64K);
	KUNIT_EXPECT_EQ(test, victim->pa, 2 * K64);
	KUNIT_EXPECT_EQ(test, victim->size, S64K);
	KUNIT_EXPECT_EQ(test, victim->state, UVM_CHUNK_TEMP_PINNED);
	/* The neighbours stay where they are. */
	KUNIT_EXPECT_EQ(test, chunk_count(f, S64K, UVM_CHUNK_ALLOCATED), 30);
	uvm_chunk_free(&f->pool, victim, false);
	KUNIT_EXPECT_PTR_EQ(test, chunk_get_owned(test, S64K, 5), victim);
	/* 1 is the oldest now, then the unit of the 4K piece, which was split. */
	victim = chunk_evict(test, S4K);
	KUNIT_EXPECT_EQ(test, victim->pa, K64);
	uvm_chunk_free(&f->pool, victim, false);
	victim = chunk_evict(test, S64K);
	KUNIT_EXPECT_EQ(test, victim->pa, K64);	/* free ones first */
	victim = chunk_evict(test, S64K);
	KUNIT_EXPECT_EQ(test, victim->pa, 3 * K64);
	KUNIT_EXPECT_EQ(test, victim->size, S64K);
	chunk_drain(f);
	chunk_expect_idle(test);
}

/* PMA wants frames: of the unit that is due all around it goes, if it can. */
static void chunk_frames_around_units(struct kunit *test)
{
	struct chunk_fixture *f = test->priv;
	struct uvm_chunk *pinned, *victim, *none = NULL;

	KUNIT_ASSERT_EQ(test, uvm_chunk_pool_set_unit(&f->pool, S64K), 0);
	for (int r = 0; r < 3; r++) {
		uvm_chunk_pool_add_root(&f->pool, r * M2, true);
		for (int i = 0; i < 31; i++)
			chunk_get_owned(test, S64K, 1);
		if (r)
			chunk_get_owned(test, S64K, 1);
		else
			pinned = chunk_get(test, S64K);
	}
	/* Frame 0 has the oldest units, and one that is pinned. */
	victim = chunk_evict(test, S2M);
	KUNIT_EXPECT_PTR_EQ(test, victim, &f->roots[1]);
	uvm_chunk_pool_release_root(&f->pool, victim);
	KUNIT_ASSERT_EQ(test, uvm_chunk_pool_begin_evict(&f->pool, &f->roots[2]), 0);
	KUNIT_EXPECT_EQ(test, uvm_chunk_pool_begin_evict(&f->pool, &f->roots[0]), -EAGAIN);
	KUNIT_EXPECT_EQ(test, uvm_chunk_pool_begin_evict(&f->pool, &f->roots[1]), -ENOENT);
	KUNIT_EXPECT_EQ(test, uvm_chunk_pool_pick_victim(&f->pool, S2M, &none), -EAGAIN);
	/* No unit of a frame that is on its way is anybody's. */
	for (int i = 0; i < 32; i++)
		KUNIT_EXPECT_FALSE(test, uvm_chunk_evictable(&f->roots[2].children->chunk[i]));
	/* It stays after all: its units are the last to go, in order of address. */
	uvm_chunk_pool_evict_done(&f->pool, &f->roots[2], false);
	uvm_chunk_unpin(&f->pool, pinned, (void *)2, 0);
	for (int i = 0; i < 64; i++) {
		victim = chunk_evict(test, S64K);
		KUNIT_EXPECT_EQ_MSG(test, victim->pa, i < 31 ? i * K64 : i < 63 ?
				    2 * M2 + (i - 31) * K64 : 31 * K64, "victim %d", i);
	}
	chunk_drain(f);
	chunk_expect_idle(test);
}

/* While a unit is being evicted its frame cannot be, however full of others. */
static void chunk_eviction_pins_frame(struct kunit *test)
{
	struct chunk_fixture *f = test->priv;
	struct uvm_chunk *a, *b;

	KUNIT_ASSERT_EQ(test, uvm_chunk_pool_set_unit(&f->pool, S4K), 0);
	uvm_chunk_pool_add_root(&f->pool, 0, true);
	a = chunk_get_owned(test, S4K, 1);
	b = chunk_get_owned(test, S4K, 2);
	KUNIT_ASSERT_EQ(test, uvm_chunk_pool_begin_evict(&f->pool, a), 0);
	KUNIT_EXPECT_EQ(test, uvm_chunk_pool_begin_evict(&f->pool, &f->roots[0]), -EAGAIN);
	KUNIT_EXPECT_EQ(test, uvm_chunk_pool_begin_evict(&f->pool, b), 0);
	uvm_chunk_pool_evict_done(&f->pool, b, false);
	uvm_chunk_free(&f->pool, a, false);
	uvm_chunk_pool_evict_done(&f->pool, a, true);
	uvm_chunk_free(&f->pool, a, false);
	KUNIT_EXPECT_EQ(test, f->roots[0].pinned, 0);
	KUNIT_EXPECT_EQ(test, uvm_chunk_pool_begin_evict(&f->pool, &f->roots[0]), 0);
	uvm_chunk_pool_evict_done(&f->pool, &f->roots[0], false);
	chunk_drain(f);
	chunk_expect_idle(test);
}

static struct kunit_case chunk_kunit_cases[] = {
	KUNIT_CASE(chunk_add_roots),
	KUNIT_CASE(chunk_zero_preference),
	KUNIT_CASE(chunk_split_and_merge),
	KUNIT_CASE(chunk_no_space),
	KUNIT_CASE(chunk_victims),
	KUNIT_CASE(chunk_policy_random),
	KUNIT_CASE(chunk_policy_answers_are_checked),
	KUNIT_CASE(chunk_unit_rests),
	KUNIT_CASE(chunk_evict_split_root),
	KUNIT_CASE(chunk_evict_fails),
	KUNIT_CASE(chunk_units),
	KUNIT_CASE(chunk_frames_around_units),
	KUNIT_CASE(chunk_eviction_pins_frame),
	{}
};

struct kunit_suite uvm_chunk_suite = {
	.name = "uvm_chunk",
	.init = chunk_init,
	.test_cases = chunk_kunit_cases,
};
