// SPDX-License-Identifier: GPL-2.0
/*
 * Ranges of a VA space: the numbered cases of va_range.h.
 */
#include <kunit/test.h>
#include "uvm/model/va_range.h"
#include "uvm_pure.h"

#define K	0x1000ULL
#define M2	0x200000ULL
#define BASE	0x7f0000000000ULL

struct range_fixture {
	struct uvm_va_range_tree tree;
	struct uvm_va_range range[8];
};

static int range_init(struct kunit *test)
{
	struct range_fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	if (!f)
		return -ENOMEM;
	uvm_va_range_tree_init(&f->tree);
	test->priv = f;
	return 0;
}

static void range_exit(struct kunit *test)
{
	struct range_fixture *f = test->priv;

	for (int i = 0; f && i < ARRAY_SIZE(f->range); i++)
		uvm_va_range_fini(&f->range[i]);
}

/* Offsets from BASE; @end is one past the last byte. */
static int range_add(struct range_fixture *f, int i, u64 start, u64 end)
{
	int ret;

	uvm_va_range_fini(&f->range[i]);
	ret = uvm_va_range_init(&f->range[i], BASE + start, BASE + end - 1, GFP_KERNEL);

	return ret ? ret : uvm_va_range_insert(&f->tree, &f->range[i]);
}

struct init_case {
	const char *rule;
	u64 start, end;		/* inclusive */
	int want;
	unsigned int blocks;
};

static const struct init_case init_cases[] = {
	{ "one page", K, 2 * K - 1, 0, 1 },
	{ "one aligned block", M2, 2 * M2 - 1, 0, 1 },
	{ "two pages across a border", M2 - K, M2 + K - 1, 0, 2 },
	{ "short first and last block", M2 + K, 3 * M2 + K - 1, 0, 3 },
	{ "end of the address space", -M2, -1, 0, 1 },
	{ "start off a page", 1, 2 * K - 1, -EINVAL, 0 },
	{ "end off a page", 0, K, -EINVAL, 0 },
	{ "start above end", 2 * K, K - 1, -EINVAL, 0 },
	{ "empty", K, K - 1, -EINVAL, 0 },
};

static void range_init_args(struct kunit *test)
{
	for (int i = 0; i < ARRAY_SIZE(init_cases); i++) {
		const struct init_case *c = &init_cases[i];
		struct uvm_va_range range = {};
		int ret = uvm_va_range_init(&range, c->start, c->end, GFP_KERNEL);

		KUNIT_EXPECT_EQ_MSG(test, ret, c->want, "%s", c->rule);
		KUNIT_EXPECT_EQ_MSG(test, range.nr_blocks, c->blocks, "%s", c->rule);
		if (!ret)
			KUNIT_EXPECT_EQ_MSG(test, range.policy.preferred, UVM_ID_INVALID,
					    "%s", c->rule);
		uvm_va_range_fini(&range);
	}
}

struct insert_case {
	const char *rule;
	u64 start, end;
	int want;
};

/* Into a tree with [4K, 8K) and [16K, 32K); cases 1 and 2. */
static const struct insert_case insert_cases[] = {
	{ "1: touching below", 0, 4 * K, 0 },
	{ "1: touching both", 8 * K, 16 * K, 0 },
	{ "2: the same", 4 * K, 8 * K, -EEXIST },
	{ "2: over the start", 3 * K, 5 * K, -EEXIST },
	{ "2: over the end", 31 * K, 33 * K, -EEXIST },
	{ "2: inside", 20 * K, 21 * K, -EEXIST },
	{ "2: around", 0, 64 * K, -EEXIST },
	{ "2: last page only", 31 * K, 32 * K, -EEXIST },
};

static void range_insert(struct kunit *test)
{
	struct range_fixture *f = test->priv;

	KUNIT_ASSERT_EQ(test, range_add(f, 0, 4 * K, 8 * K), 0);
	KUNIT_ASSERT_EQ(test, range_add(f, 1, 16 * K, 32 * K), 0);
	for (int i = 0; i < ARRAY_SIZE(insert_cases); i++) {
		const struct insert_case *c = &insert_cases[i];
		int ret = range_add(f, 2, c->start, c->end);

		KUNIT_EXPECT_EQ_MSG(test, ret, c->want, "%s", c->rule);
		if (!ret)
			uvm_va_range_remove(&f->tree, &f->range[2]);
		KUNIT_EXPECT_EQ_MSG(test, f->tree.count, 2, "%s", c->rule);
	}
}

struct find_case {
	u64 addr;
	int want;	/* index, -1 for none */
};

static const struct find_case find_cases[] = {
	{ 4 * K - 1, -1 }, { 4 * K, 0 }, { 8 * K - 1, 0 }, { 8 * K, 1 }, { 12 * K - 1, 1 },
	{ 12 * K, -1 }, { 16 * K - 1, -1 }, { 16 * K, 2 }, { 20 * K, -1 },
};

struct cover_case {
	const char *rule;
	u64 start, end;
	bool want;
	int want_ranges;
};

/* Over [4K, 8K) [8K, 12K) [16K, 20K); case 7. */
static const struct cover_case cover_cases[] = {
	{ "7: one range", 4 * K, 8 * K, true, 1 },
	{ "7: across two that touch", 5 * K, 11 * K, true, 2 },
	{ "7: two to their ends", 4 * K, 12 * K, true, 2 },
	{ "7: a hole at the end", 4 * K, 13 * K, false, 2 },
	{ "7: a hole at the start", 3 * K, 8 * K, false, 1 },
	{ "7: a hole in the middle", 4 * K, 20 * K, false, 3 },
	{ "7: only hole", 12 * K, 16 * K, false, 0 },
	{ "7: one page", 19 * K, 20 * K, true, 1 },
};

static void range_find_and_cover(struct kunit *test)
{
	struct range_fixture *f = test->priv;
	struct uvm_va_range *range;

	KUNIT_ASSERT_EQ(test, range_add(f, 2, 16 * K, 20 * K), 0);
	KUNIT_ASSERT_EQ(test, range_add(f, 0, 4 * K, 8 * K), 0);
	KUNIT_ASSERT_EQ(test, range_add(f, 1, 8 * K, 12 * K), 0);
	for (int i = 0; i < ARRAY_SIZE(find_cases); i++)
		KUNIT_EXPECT_PTR_EQ_MSG(test,
					uvm_va_range_find(&f->tree, BASE + find_cases[i].addr),
					find_cases[i].want < 0 ? NULL :
					&f->range[find_cases[i].want], "case %d", i);
	for (int i = 0; i < ARRAY_SIZE(cover_cases); i++) {
		const struct cover_case *c = &cover_cases[i];
		int n = 0;
		u64 last = 0;

		KUNIT_EXPECT_EQ_MSG(test, uvm_va_range_covers(&f->tree, BASE + c->start,
							      BASE + c->end - 1),
				    c->want, "%s", c->rule);
		for_each_uvm_va_range_in(range, &f->tree, BASE + c->start, BASE + c->end - 1) {
			KUNIT_EXPECT_GT_MSG(test, uvm_va_range_start(range), last, "%s", c->rule);
			last = uvm_va_range_end(range);
			n++;
		}
		KUNIT_EXPECT_EQ_MSG(test, n, c->want_ranges, "%s", c->rule);
	}
	KUNIT_EXPECT_FALSE(test, uvm_va_range_covers(&f->tree, BASE + 5 * K, BASE + 4 * K));
	for_each_uvm_va_range_in(range, &f->tree, 0, ~0ULL)
		uvm_va_range_remove(&f->tree, range);
	KUNIT_EXPECT_EQ(test, f->tree.count, 0);
	KUNIT_EXPECT_NULL(test, uvm_va_range_first(&f->tree, 0, ~0ULL));
}

struct split_case {
	const char *rule;
	u64 start, end, at;
	int want;
	unsigned int left_blocks, right_blocks;
	int shared;	/* index of the old block, -1 for none */
};

static const struct split_case split_cases[] = {
	{ "3: on a border", 0, 2 * M2, M2, 0, 1, 1, -1 },
	{ "3: on a border, short ends", K, 3 * M2 - K, 2 * M2, 0, 2, 1, -1 },
	{ "4: inside the second block", 0, 2 * M2, M2 + 8 * K, 0, 2, 1, 1 },
	{ "4: last page of the first block", 0, 2 * M2, M2 - K, 0, 1, 2, 0 },
	{ "4: first page of the second block", 0, 2 * M2, M2 + K, 0, 2, 1, 1 },
	{ "5: inside the only block", 4 * K, 12 * K, 8 * K, 0, 1, 1, 0 },
	{ "6: at the start", 4 * K, 12 * K, 4 * K, -EINVAL, 0, 0, -1 },
	{ "6: below the start", 4 * K, 12 * K, 2 * K, -EINVAL, 0, 0, -1 },
};

/* Blocks are told by numbers in place of pointers. */
static void range_split_one(struct kunit *test, const struct split_case *c)
{
	struct range_fixture *f = test->priv;
	struct uvm_va_range *left = &f->range[0], *right = &f->range[1];
	void *shared = f;
	unsigned int old;

	KUNIT_ASSERT_EQ_MSG(test, range_add(f, 0, c->start, c->end), 0, "%s", c->rule);
	left->policy.preferred = UVM_ID_GPU(2);
	old = left->nr_blocks;
	for (unsigned long i = 0; i < old; i++)
		left->blocks[i] = (void *)(i + 1);
	uvm_va_range_fini(right);
	KUNIT_ASSERT_EQ(test, uvm_va_range_init(right, BASE + c->at, BASE + c->end - 1,
						GFP_KERNEL), 0);
	KUNIT_EXPECT_EQ_MSG(test, uvm_va_range_split(&f->tree, left, right, &shared), c->want,
			    "%s", c->rule);
	if (c->want) {
		KUNIT_EXPECT_EQ_MSG(test, f->tree.count, 1, "%s", c->rule);
		KUNIT_EXPECT_EQ_MSG(test, uvm_va_range_end(left), BASE + c->end - 1, "%s", c->rule);
		uvm_va_range_remove(&f->tree, left);
		return;
	}
	KUNIT_EXPECT_EQ_MSG(test, f->tree.count, 2, "%s", c->rule);
	KUNIT_EXPECT_EQ_MSG(test, uvm_va_range_end(left), BASE + c->at - 1, "%s", c->rule);
	KUNIT_EXPECT_EQ_MSG(test, right->policy.preferred, UVM_ID_GPU(2), "%s", c->rule);
	KUNIT_EXPECT_EQ_MSG(test, left->nr_blocks, c->left_blocks, "%s", c->rule);
	KUNIT_EXPECT_EQ_MSG(test, right->nr_blocks, c->right_blocks, "%s", c->rule);
	KUNIT_EXPECT_EQ_MSG(test, (long)shared, c->shared + 1, "%s", c->rule);
	for (unsigned long i = 0; i < left->nr_blocks; i++)
		KUNIT_EXPECT_EQ_MSG(test, (unsigned long)left->blocks[i], i + 1, "%s", c->rule);
	for (unsigned long i = 0; i < right->nr_blocks; i++)
		KUNIT_EXPECT_EQ_MSG(test, (unsigned long)right->blocks[i],
				    old - right->nr_blocks + i + 1, "%s", c->rule);
	KUNIT_EXPECT_PTR_EQ(test, uvm_va_range_find(&f->tree, BASE + c->at), right);
	KUNIT_EXPECT_PTR_EQ(test, uvm_va_range_find(&f->tree, BASE + c->at - 1), left);
	KUNIT_EXPECT_TRUE(test, uvm_va_range_covers(&f->tree, BASE + c->start, BASE + c->end - 1));
	uvm_va_range_remove(&f->tree, left);
	uvm_va_range_remove(&f->tree, right);
}

static void range_split(struct kunit *test)
{
	for (int i = 0; i < ARRAY_SIZE(split_cases); i++)
		range_split_one(test, &split_cases[i]);
}

struct block_case {
	unsigned int index;
	u64 start, end;
};

/* Of [2M - 4K, 6M + 4K) */
static const struct block_case block_cases[] = {
	{ 0, M2 - K, M2 }, { 1, M2, 2 * M2 }, { 2, 2 * M2, 3 * M2 }, { 3, 3 * M2, 3 * M2 + K },
};

static void range_blocks(struct kunit *test)
{
	struct range_fixture *f = test->priv;

	KUNIT_ASSERT_EQ(test, range_add(f, 0, M2 - K, 3 * M2 + K), 0);
	KUNIT_ASSERT_EQ(test, f->range[0].nr_blocks, ARRAY_SIZE(block_cases));
	for (int i = 0; i < ARRAY_SIZE(block_cases); i++) {
		const struct block_case *c = &block_cases[i];

		KUNIT_EXPECT_EQ(test, uvm_va_range_block_start(&f->range[0], c->index),
				BASE + c->start);
		KUNIT_EXPECT_EQ(test, uvm_va_range_block_end(&f->range[0], c->index),
				BASE + c->end - 1);
		KUNIT_EXPECT_EQ(test, uvm_va_range_block_index(&f->range[0], BASE + c->start),
				c->index);
		KUNIT_EXPECT_EQ(test, uvm_va_range_block_index(&f->range[0], BASE + c->end - 1),
				c->index);
	}
}

static struct kunit_case range_kunit_cases[] = {
	KUNIT_CASE(range_init_args),
	KUNIT_CASE(range_insert),
	KUNIT_CASE(range_find_and_cover),
	KUNIT_CASE(range_split),
	KUNIT_CASE(range_blocks),
	{}
};

struct kunit_suite uvm_va_range_suite = {
	.name = "uvm_va_range",
	.init = range_init,
	.exit = range_exit,
	.test_cases = range_kunit_cases,
};
