// SPDX-License-Identifier: GPL-2.0
/*
 * The adaptive framework (DATE 2021): rows of an independent model of it, and what its range state
 * keeps.  Its patterns are range_pattern_kunit.c.
 */
#include <kunit/test.h>
#include "eviction_script.h"
#include "evictor_fixture.h"
#include "uvm/base/page_mask.h"
#include "params_fixture.h"
#include "uvm/policy/lib/delay.h"
#include "uvm/policy/adaptive/range_adaptive.h"
#include "uvm/policy/adaptive/tree_evict.h"
#include "uvm_pure.h"

/* ---- TBNe ------------------------------------------------------------------ */

/* Bit i is leaf i. */
struct tree_case {
	const char *rule;
	u32 leaves;
	u32 valid;
	unsigned int victim;
	u32 gone;
};

static const struct tree_case tree_cases[] = {
	{ "all there: the victim alone", 0xff, 0xff, 1, 0x02 },
	{ "then its cousin", 0xff, 0xfd, 3, 0x08 },
	{ "then one of the other half", 0xff, 0xf5, 4, 0x10 },
	{ "then a quarter is less than half, and so is all", 0xff, 0xe5, 0, 0xe5 },
	{ "3 of 8 are less than half", 0xff, 0x0f, 0, 0x0f },
	{ "so is 1", 0xff, 0x03, 0, 0x03 },
	{ "4 of 8 are not", 0xff, 0x1f, 4, 0x10 },
	{ "the other half is whole", 0xff, 0xf1, 0, 0x01 },
	{ "32 leaves, 16 left", ~0U, 0x1ffff, 16, 0x10000 },
	{ "32 leaves, 15 left", ~0U, 0xffff, 0, 0xffff },
	{ "half of those that the block has", 0x7, 0x7, 0, 0x1 },
	{ "of 3 one is less", 0x7, 0x6, 1, 0x6 },
};

static void adaptive_tree(struct kunit *test)
{
	for (int i = 0; i < ARRAY_SIZE(tree_cases); i++) {
		const struct tree_case *c = &tree_cases[i];
		u32 there = c->valid & ~BIT(c->victim);

		KUNIT_EXPECT_EQ_MSG(test, uvm_tree_evict(c->leaves, there) | BIT(c->victim),
				    c->gone, "%s", c->rule);
	}
}

/* ---- what goes along -------------------------------------------------------- */

/* 64 KB of a block of 8 of them that are resident, and the victim: which go with it? */
static u32 adaptive_also(struct kunit *test, const char *policy, u32 resident, unsigned int victim)
{
	const struct uvm_eviction_ops *ops = uvm_policy_find_eviction(policy);
	struct uvm_page_mask *masks = kunit_kzalloc(test, 2 * sizeof(*masks), GFP_KERNEL);
	struct uvm_eviction_victim v = {
		.resident = &masks[0], .begin = 0, .end = 8 * UVM_PAGES_PER_BIG,
		.first = victim * UVM_PAGES_PER_BIG, .outer = (victim + 1) * UVM_PAGES_PER_BIG,
	};
	struct uvm_eviction_ctx ctx = { .view = &uvm_chunk_pool_view };
	u32 gone = 0;

	KUNIT_ASSERT_NOT_NULL(test, masks);
	KUNIT_ASSERT_NOT_NULL(test, ops);
	for (unsigned int i = 0; i < 8; i++)
		if (resident & BIT(i))
			uvm_page_mask_set(&masks[0], i * UVM_PAGES_PER_BIG + i);
	if (ops->also)
		ops->also(&ctx, 0, &v, &masks[1]);
	uvm_page_mask_and(&masks[1], &masks[1], &masks[0]);
	for (unsigned int i = 0; i < 8; i++)
		if (uvm_page_mask_test(&masks[1], i * UVM_PAGES_PER_BIG + i))
			gone |= BIT(i);
	return gone | BIT(victim);
}

static void adaptive_with_victim(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, adaptive_also(test, "sle", 0xe5, 0), 0x01);
	KUNIT_EXPECT_EQ(test, adaptive_also(test, "tbne", 0xe5, 0), 0xe5);
	KUNIT_EXPECT_EQ(test, adaptive_also(test, "tbne", 0xf1, 0), 0x01);
	KUNIT_EXPECT_EQ(test, adaptive_also(test, "lru_block", 0xf1, 0), 0xf1);
	KUNIT_EXPECT_EQ(test, adaptive_also(test, "reserve_lru", 0xf1, 0), 0xf1);
	KUNIT_EXPECT_EQ(test, adaptive_also(test, "lfu", 0xf1, 0), 0xf1);
}

/* ---- the dynamic threshold --------------------------------------------------- */

struct delay_case {
	u32 threshold;
	u32 penalty;
	u32 trips;
	bool full;
	u32 occupancy;
	u64 want;
};

static const struct delay_case delay_cases[] = {
	{ 8, 2, 0, false, 0, 1 },
	{ 8, 2, 0, false, 500, 5 },
	{ 8, 2, 0, false, 990, 8 },
	{ 8, 2, 0, true, 1000, 16 },
	{ 8, 2, 1, true, 1000, 32 },
	{ 8, 2, 3, true, 1000, 64 },
	{ 8, 8, 0, true, 1000, 64 },
	{ U16_MAX, 64, 31, true, 1000, 134215680 },
};

static void adaptive_delay(struct kunit *test)
{
	for (int i = 0; i < ARRAY_SIZE(delay_cases); i++) {
		const struct delay_case *c = &delay_cases[i];

		KUNIT_EXPECT_EQ_MSG(test, uvm_delay_threshold(c->threshold, c->penalty, c->trips,
							      c->full, c->occupancy),
				    c->want, "row %d", i);
	}
}

/* ---- the range state ---------------------------------------------------------- */

#define BASE		0x7f0000000000ULL
#define BLOCK_WORDS	64

struct adaptive_fixture {
	u64 state[16];
	u64 blocks[2 * BLOCK_WORDS];
	u64 space;
	struct uvm_params *params;
	struct uvm_range_view range;
};

static int adaptive_init(struct kunit *test)
{
	struct adaptive_fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	if (!f)
		return -ENOMEM;
	test->priv = f;
	KUNIT_ASSERT_LE(test, uvm_range_adaptive.bytes, sizeof(f->state));
	KUNIT_ASSERT_LE(test, uvm_range_adaptive.block_bytes, BLOCK_WORDS * sizeof(u64));
	f->params = fixture_params(test);
	/* not aligned to 2 MB: it begins with the last 64 KB of a block */
	f->range = (struct uvm_range_view){
		.start = BASE - 0x10000, .end = BASE + UVM_BLOCK_SIZE - 1, .begun = 1,
		.params = f->params, .space = &f->space, .state = f->state,
		.blocks = f->blocks, .block_bytes = uvm_range_adaptive.block_bytes,
	};
	return 0;
}

static void adaptive_move(struct adaptive_fixture *f, u64 va, bool arrives, bool evicted)
{
	unsigned int page = (va >> UVM_PAGE_SHIFT) % UVM_PAGES_PER_BLOCK;
	struct uvm_page_mask pages;
	struct uvm_range_pages told = {
		.va = va & ~(UVM_BLOCK_SIZE - 1), .id = UVM_ID_GPU(0), .pages = &pages,
		.demanded = &pages, .returned = &pages, .evicted = evicted,
	};

	uvm_page_mask_zero(&pages);
	uvm_page_mask_set(&pages, page);
	if (arrives)
		uvm_range_adaptive.arrive(&f->range, &told);
	else
		uvm_range_adaptive.leave(&f->range, &told);
}

static void adaptive_touch(struct adaptive_fixture *f, u64 va, u32 all, u32 remote)
{
	struct uvm_range_touch touch = { .va = va, .all = all, .remote = remote };

	uvm_range_adaptive.touch(&f->range, &touch);
}

static void adaptive_heat(struct kunit *test)
{
	struct adaptive_fixture *f = test->priv;
	const struct uvm_adaptive_heat *first = uvm_adaptive_heat(&f->range, BASE - 0x10000);
	const struct uvm_adaptive_heat *other = uvm_adaptive_heat(&f->range, BASE + 0x10000);

	adaptive_touch(f, BASE - 0x10000, 3, 0);
	adaptive_touch(f, BASE + 0x10000, 5, 2);
	adaptive_touch(f, BASE + 0x1ffff, 1, 1);
	KUNIT_EXPECT_EQ(test, first->accesses, 3);
	KUNIT_EXPECT_EQ(test, other->accesses, 6);
	KUNIT_EXPECT_EQ(test, other->remote, 3);
	adaptive_move(f, BASE + 0x11000, true, false);
	KUNIT_EXPECT_EQ(test, other->remote, 0);
	KUNIT_EXPECT_EQ(test, other->accesses, 6);
	adaptive_move(f, BASE + 0x11000, false, false);
	KUNIT_EXPECT_EQ(test, other->trips, 0);
	for (int i = 0; i < 40; i++)
		adaptive_move(f, BASE + 0x11000, false, true);
	KUNIT_EXPECT_EQ(test, other->trips, 31);
	KUNIT_EXPECT_EQ(test, first->trips, 0);
}

static void adaptive_saturates(struct kunit *test)
{
	struct adaptive_fixture *f = test->priv;
	const struct uvm_adaptive_heat *one = uvm_adaptive_heat(&f->range, BASE);
	const struct uvm_adaptive_heat *two = uvm_adaptive_heat(&f->range, BASE + 0x10000);

	adaptive_touch(f, BASE + 0x10000, 10, 0);
	adaptive_touch(f, BASE, U32_MAX, U32_MAX);
	KUNIT_EXPECT_EQ(test, one->accesses, UVM_ADAPTIVE_ACCESSES / 2);
	KUNIT_EXPECT_EQ(test, one->remote, UVM_ADAPTIVE_ACCESSES);
	KUNIT_EXPECT_EQ(test, two->accesses, 5);
}

/* What a pattern asks for, and that the VA space remembers the last of them. */
static void adaptive_kinds(struct kunit *test)
{
	struct adaptive_fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, uvm_adaptive_kind(NULL), UVM_ADAPTIVE_STREAM);
	KUNIT_EXPECT_EQ(test, uvm_adaptive_all(NULL), UVM_ADAPTIVE_STREAM);
	adaptive_move(f, BASE, true, false);
	KUNIT_EXPECT_EQ(test, uvm_adaptive_kind(&f->range), UVM_ADAPTIVE_STREAM);
	adaptive_move(f, BASE, true, false);
	KUNIT_EXPECT_EQ(test, uvm_adaptive_kind(&f->range), UVM_ADAPTIVE_REGULAR);
	adaptive_move(f, BASE - 0x1000, true, false);
	KUNIT_EXPECT_EQ(test, uvm_adaptive_kind(&f->range), UVM_ADAPTIVE_RANDOM);
	KUNIT_EXPECT_EQ(test, uvm_adaptive_all(&f->range), UVM_ADAPTIVE_RANDOM);
	f->range.ended = 1;
	f->range.begun = 2;
	adaptive_move(f, BASE, true, false);
	KUNIT_EXPECT_EQ(test, uvm_adaptive_kind(&f->range), UVM_ADAPTIVE_MIXED);
	memset(f->state, 0, sizeof(f->state));
	KUNIT_EXPECT_EQ(test, uvm_adaptive_kind(&f->range), UVM_ADAPTIVE_STREAM);
	KUNIT_EXPECT_EQ(test, uvm_adaptive_all(&f->range), UVM_ADAPTIVE_MIXED);
}

/* One of four neighbours is the wrong way round. */
static void adaptive_inversions(struct kunit *test)
{
	struct adaptive_fixture *f = test->priv;
	static const u8 order[] = { 0, 1, 3, 2, 4 };

	for (int i = 0; i < ARRAY_SIZE(order); i++)
		adaptive_move(f, BASE + order[i] * 0x10000ULL, true, false);
	KUNIT_EXPECT_EQ(test, uvm_adaptive_pattern(&f->range), UVM_PATTERN_RANDOM);
	FIXTURE_SET(test, f->params, "adaptive_inversions", "24");
	KUNIT_EXPECT_EQ(test, uvm_adaptive_pattern(&f->range), UVM_PATTERN_RANDOM);
	FIXTURE_SET(test, f->params, "adaptive_inversions", "25");
	KUNIT_EXPECT_EQ(test, uvm_adaptive_pattern(&f->range), UVM_PATTERN_LINEAR);
}

/* With adaptive_mixed_reuse a mixed pattern may become one that is used again. */
static void adaptive_mixed_reuse(struct kunit *test)
{
	static const u8 order[][2] = { { 0, 1 }, { 5, 3 }, { 0, 1 } };
	struct adaptive_fixture *f = test->priv;

	for (int i = 0; i < ARRAY_SIZE(order); i++) {
		f->range.ended = i;
		f->range.begun = i + 1;
		adaptive_move(f, BASE + order[i][0] * 0x10000ULL, true, false);
		adaptive_move(f, BASE + order[i][1] * 0x10000ULL, true, false);
	}
	KUNIT_EXPECT_EQ(test, uvm_adaptive_pattern(&f->range), UVM_PATTERN_MIXED);
	FIXTURE_SET(test, f->params, "adaptive_mixed_reuse", "1");
	KUNIT_EXPECT_EQ(test, uvm_adaptive_pattern(&f->range), UVM_PATTERN_MIXED_REUSE);
}

/* ---- where pages go ------------------------------------------------------------ */

struct residency_case {
	const char *policy;
	const char *rule;
	enum uvm_adaptive_kind kind;
	bool full;
	bool counter;
	enum uvm_access access;
	u32 accesses;
	u32 remote;
	u8 trips;
	bool gpu;
};

#define STREAM	UVM_ADAPTIVE_STREAM
#define REGULAR	UVM_ADAPTIVE_REGULAR
#define RANDOM	UVM_ADAPTIVE_RANDOM
#define MIXED	UVM_ADAPTIVE_MIXED
#define R	UVM_ACCESS_READ
#define W	UVM_ACCESS_WRITE

static const struct residency_case residency_cases[] = {
	{ "adaptive", "there is room", RANDOM, false, false, R, 0, 0, 0, true },
	{ "adaptive", "full, it streams", STREAM, true, false, R, 0, 0, 0, true },
	{ "adaptive", "full, it is used again", REGULAR, true, false, R, 0, 0, 0, true },
	{ "adaptive", "full, random: it stays", RANDOM, true, false, R, 0, 0, 0, false },
	{ "adaptive", "also if written", RANDOM, true, false, W, 0, 0, 0, false },
	{ "adaptive", "also if a counter is full", RANDOM, true, true, R, 0, 99, 0, false },
	{ "adaptive", "full, mixed: it waits", MIXED, true, false, R, 0, 0, 0, false },
	{ "adaptive", "until it is written", MIXED, true, false, W, 0, 0, 0, true },
	{ "adaptive", "or for 16 accesses", MIXED, true, true, R, 0, 15, 0, false },
	{ "adaptive", "these are 16", MIXED, true, true, R, 0, 16, 0, true },
	{ "adaptive", "with the one that faults", MIXED, true, false, R, 0, 15, 0, true },
	{ "adaptive", "after a round trip for 32", MIXED, true, true, R, 0, 31, 1, false },
	{ "adaptive", "these are 32", MIXED, true, true, R, 0, 32, 1, true },
	{ "adaptive", "those in GPU memory do not count", MIXED, true, true, R, 99, 0, 0, false },
	{ "adaptive_global", "there is room", MIXED, false, false, R, 0, 0, 0, true },
	{ "adaptive_global", "full, used again", REGULAR, true, false, R, 0, 0, 0, true },
	{ "adaptive_global", "full, random: it waits", RANDOM, true, false, R, 6, 0, 0, false },
	{ "adaptive_global", "with 8 accesses it does not", RANDOM, true, false, R, 7, 0, 0, true },
	{ "adaptive_global", "over the link", RANDOM, true, false, R, 0, 7, 0, true },
	{ "adaptive_global", "nor if written", RANDOM, true, false, W, 0, 0, 0, true },
	{ "adaptive_global", "or a counter tells", RANDOM, true, true, R, 0, 0, 0, true },
	{ "adaptive_global", "round trips make no difference", MIXED, true, false, R, 7, 0, 9,
	  true },
	{ "delayed_dynamic", "an empty GPU: the first access", STREAM, false, false, R, 0, 0, 0,
	  true },
	{ "delayed_dynamic", "full", STREAM, true, false, R, 0, 0, 0, false },
	{ "delayed_dynamic", "full, written", STREAM, true, false, W, 0, 0, 0, true },
	{ "delayed_dynamic", "full, 16 accesses", STREAM, true, true, R, 0, 16, 0, true },
	{ "delayed_dynamic", "full, 16 after three trips", STREAM, true, true, R, 0, 63, 3, false },
	{ "delayed_dynamic", "full, 64 after three trips", STREAM, true, true, R, 0, 64, 3, true },
};

/* Launches that make the range of a kind. */
static void residency_make(struct adaptive_fixture *f, enum uvm_adaptive_kind kind)
{
	static const u8 launches[][2] = {
		[STREAM] = { 1, 2 }, [REGULAR] = { 1, 1 }, [RANDOM] = { 2, 1 }, [MIXED] = { 2, 1 },
	};

	adaptive_move(f, BASE + launches[kind][0] * 0x10000ULL, true, false);
	adaptive_move(f, BASE + launches[kind][1] * 0x10000ULL, true, false);
	f->range.ended = 1;
	f->range.begun = 2;
	if (kind == MIXED)
		adaptive_move(f, BASE + 0x30000, true, false);
}

static void residency_ask(struct kunit *test, const struct residency_case *c)
{
	const struct uvm_residency_ops *ops = uvm_policy_find_residency(c->policy);
	struct adaptive_fixture *f = test->priv;
	struct uvm_residency_query query = {
		.va = BASE, .requester = UVM_ID_GPU(0), .preferred = UVM_ID_INVALID,
		.resident = UVM_ID_CPU, .pinned = UVM_ID_INVALID, .access = c->access,
		.operation = c->counter ? UVM_OPERATION_ACCESS_COUNTER : UVM_OPERATION_FAULT,
		.accessible = BIT(UVM_ID_CPU) | BIT(UVM_ID_GPU(0)), .full = c->full,
		.range = &f->range,
	};

	KUNIT_ASSERT_NOT_NULL(test, ops);
	KUNIT_EXPECT_TRUE(test, ops->asks_memory);
	KUNIT_EXPECT_TRUE(test, ops->maps_around);
	f->params->perf_access_counter_threshold = 8;
	residency_make(f, c->kind);
	KUNIT_EXPECT_EQ_MSG(test, uvm_adaptive_kind(&f->range), c->kind, "%s", c->rule);
	adaptive_touch(f, BASE, c->accesses, c->remote);
	for (int i = 0; i < c->trips; i++)
		adaptive_move(f, BASE, false, true);
	KUNIT_EXPECT_EQ_MSG(test, ops->select(&query), c->gpu ? UVM_ID_GPU(0) : UVM_ID_CPU,
			    "%s: %s", c->policy, c->rule);
	query.range = NULL;
	KUNIT_EXPECT_EQ_MSG(test, ops->select(&query), UVM_ID_GPU(0), "%s: nothing is known",
			    c->policy);
	query.range = &f->range;
	query.preferred = UVM_ID_GPU(0);
	KUNIT_EXPECT_EQ_MSG(test, ops->select(&query), UVM_ID_GPU(0), "%s: preferred",
			    c->policy);
}

/* Nobody else maps more than nvidia-uvm does. */
static void adaptive_others(struct kunit *test)
{
	static const char * const names[] = { "first_touch", "remote", "delayed", "returning" };

	for (int i = 0; i < ARRAY_SIZE(names); i++) {
		const struct uvm_residency_ops *ops = uvm_policy_find_residency(names[i]);

		KUNIT_ASSERT_NOT_NULL_MSG(test, ops, "%s", names[i]);
		KUNIT_EXPECT_FALSE_MSG(test, ops->maps_around, "%s", names[i]);
	}
}

static void adaptive_residency(struct kunit *test)
{
	struct adaptive_fixture *f = test->priv;
	struct adaptive_fixture *fresh = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, fresh);
	*fresh = *f;
	for (int i = 0; i < ARRAY_SIZE(residency_cases); i++) {
		*f = *fresh;
		residency_ask(test, &residency_cases[i]);
	}
	*f = *fresh;
	FIXTURE_SET(test, f->params, "adaptive_pin", "0");
	residency_ask(test, &(struct residency_case){
		"adaptive", "not pinned: it waits", RANDOM, true, true, R, 0, 16, 0, true });
}

static struct kunit_case adaptive_cases[] = {
	KUNIT_CASE(adaptive_tree),
	KUNIT_CASE(adaptive_with_victim),
	KUNIT_CASE(adaptive_delay),
	KUNIT_CASE(adaptive_heat),
	KUNIT_CASE(adaptive_saturates),
	KUNIT_CASE(adaptive_kinds),
	KUNIT_CASE(adaptive_inversions),
	KUNIT_CASE(adaptive_mixed_reuse),
	KUNIT_CASE(adaptive_residency),
	KUNIT_CASE(adaptive_others),
	{}
};

struct kunit_suite uvm_adaptive_suite = {
	.name = "uvm_adaptive",
	.init = adaptive_init,
	.test_cases = adaptive_cases,
};
