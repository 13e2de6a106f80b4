// SPDX-License-Identifier: GPL-2.0
/*
 * prefetch_policy=tbn, by leaves of 64 KB.  The first rows are those of an independent model of the
 * DATE 2021 paper, with 8 leaves.
 */
#include <kunit/test.h>
#include <linux/bitops.h>
#include "uvm/policy/policy.h"
#include "uvm/policy/prefetch.h"
#include "uvm_pure.h"

#define BIG	UVM_PAGES_PER_BIG
#define LEAF(i)	BIT(i)

struct tbn_case {
	const char *rule;
	u32 first, outer;	/* pages of the block */
	u32 there;		/* leaves */
	u32 faulted;		/* of these, one page each */
	u32 want;		/* leaves that come */
};

static const struct tbn_case tbn_cases[] = {
	{ "one fault: its 64 KB", 0, 8 * BIG, 0, LEAF(0), LEAF(0) },
	{ "half of a node is not more than half", 0, 8 * BIG, LEAF(0), LEAF(1), LEAF(1) },
	{ "three of four", 0, 8 * BIG, LEAF(0) | LEAF(1), LEAF(2), LEAF(2) | LEAF(3) },
	{ "what comes counts: a cascade", 0, 8 * BIG, LEAF(0) | LEAF(1) | LEAF(4), LEAF(2),
	  LEAF(2) | LEAF(3) | LEAF(5) | LEAF(6) | LEAF(7) },
	{ "four of eight, two of four each", 0, 8 * BIG, LEAF(0) | LEAF(2) | LEAF(4), LEAF(6),
	  LEAF(6) },
	{ "three of four, the odd ones", 0, 8 * BIG, LEAF(1) | LEAF(3), LEAF(0),
	  LEAF(0) | LEAF(2) },
	{ "faults of one call count for each other", 0, 8 * BIG, 0, LEAF(0) | LEAF(1) | LEAF(2),
	  LEAF(0) | LEAF(1) | LEAF(2) | LEAF(3) },
	{ "all is there but one", 0, 8 * BIG, 0x7f, LEAF(7), LEAF(7) },
	{ "2 MB: 17 of 32", 0, 512, 0xffff, LEAF(31), 0xffff0000 },
	{ "a node that the block has in part: two of three are more than half", 0, 3 * BIG,
	  LEAF(0), LEAF(1), LEAF(1) | LEAF(2) },
	{ "a block that begins later", 4 * BIG, 8 * BIG, LEAF(4) | LEAF(5), LEAF(6),
	  LEAF(6) | LEAF(7) },
	{ "a leaf that the block has in part is one", 8, 3 * BIG, LEAF(1), LEAF(0),
	  LEAF(0) | LEAF(2) },
};

static void tbn_fill(const struct tbn_case *c, u32 leaves, struct uvm_page_mask *mask)
{
	struct uvm_region block = uvm_region_make(c->first, c->outer);

	uvm_page_mask_zero(mask);
	for (int i = 0; i < UVM_BIG_PER_BLOCK; i++)
		if (leaves & BIT(i))
			uvm_page_mask_or_region(mask, uvm_region_make(i * BIG, (i + 1) * BIG));
	uvm_page_mask_and_region(mask, block);
}

static void tbn_examples(struct kunit *test)
{
	const struct uvm_prefetch_ops *ops = uvm_policy_find_prefetch("tbn");

	KUNIT_ASSERT_NOT_NULL(test, ops);
	for (int i = 0; i < ARRAY_SIZE(tbn_cases); i++) {
		const struct tbn_case *c = &tbn_cases[i];
		struct uvm_page_mask resident, faulted, want, got;
		struct uvm_prefetch_input in = {
			.resident = &resident, .faulted = &faulted, .threshold = 51,
			.max_region = uvm_region_make(c->first, c->outer),
			.faulted_region = uvm_region_make(c->first, c->outer),
		};

		tbn_fill(c, c->there, &resident);
		tbn_fill(c, c->want, &want);
		uvm_page_mask_zero(&faulted);
		for (int leaf = 0; leaf < UVM_BIG_PER_BLOCK; leaf++)
			if (c->faulted & BIT(leaf))
				uvm_page_mask_set(&faulted, max_t(u32, leaf * BIG, c->first) + 3);
		uvm_page_mask_andnot(&want, &want, &faulted);
		ops->select(&in, &got);
		KUNIT_EXPECT_TRUE_MSG(test, uvm_page_mask_equal(&got, &want),
				      "%s: got %*pbl, want %*pbl", c->rule, UVM_PAGES_PER_BLOCK,
				      got.bits, UVM_PAGES_PER_BLOCK, want.bits);
	}
}

/* A leaf is there when all of it is.  Pages that thrash do not come. */
static void tbn_partly_resident(struct kunit *test)
{
	const struct uvm_prefetch_ops *ops = uvm_policy_find_prefetch("tbn");
	struct uvm_page_mask resident, faulted, thrashing, got;
	struct uvm_region all = uvm_region_make(0, 4 * BIG);
	struct uvm_prefetch_input in = {
		.resident = &resident, .faulted = &faulted, .max_region = all,
		.faulted_region = all, .thrashing = &thrashing,
	};

	uvm_page_mask_fill_region(&resident, uvm_region_make(0, 2 * BIG - 1));
	uvm_page_mask_fill_region(&faulted, uvm_region_make(2 * BIG, 2 * BIG + 1));
	uvm_page_mask_fill_region(&thrashing, uvm_region_make(2 * BIG + 5, 2 * BIG + 7));
	ops->select(&in, &got);
	/* one leaf of four is there, and one comes: no more than half */
	KUNIT_EXPECT_EQ(test, uvm_page_mask_weight(&got), BIG - 3);
	uvm_page_mask_set(&resident, 2 * BIG - 1);
	ops->select(&in, &got);
	KUNIT_EXPECT_EQ(test, uvm_page_mask_weight(&got), 2 * BIG - 3);
	KUNIT_EXPECT_FALSE(test, uvm_page_mask_test(&got, 2 * BIG + 6));
}

static struct kunit_case prefetch_tbn_cases[] = {
	KUNIT_CASE(tbn_examples),
	KUNIT_CASE(tbn_partly_resident),
	{}
};

struct kunit_suite uvm_prefetch_tbn_suite = {
	.name = "uvm_prefetch_tbn",
	.test_cases = prefetch_tbn_cases,
};
