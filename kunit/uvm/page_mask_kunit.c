// SPDX-License-Identifier: GPL-2.0
/*
 * Page masks and regions, against one bool per page.
 */
#include <kunit/test.h>
#include "uvm/base/page_mask.h"
#include "uvm_pure.h"

/* Up to three runs; an empty one ends the list. */
struct mask_case {
	const char *rule;
	struct uvm_region set[3];
	struct uvm_region look;
	struct uvm_region runs[3];
	unsigned int weight;
};

static const struct mask_case mask_cases[] = {
	{ "an empty set has no runs", {}, { 0, 512 }, {}, 0 },
	{ "a full set is one run", { { 0, 512 } }, { 0, 512 }, { { 0, 512 } }, 512 },
	{ "a region cuts runs at both ends", { { 10, 200 } }, { 60, 70 }, { { 60, 70 } }, 10 },
	{ "runs are maximal and ascending", { { 0, 1 }, { 63, 65 }, { 511, 512 } }, { 0, 512 },
	  { { 0, 1 }, { 63, 65 }, { 511, 512 } }, 4 },
	{ "runs that touch are one", { { 5, 10 }, { 10, 20 } }, { 0, 512 }, { { 5, 20 } }, 15 },
	{ "an empty region sees nothing", { { 0, 512 } }, { 64, 64 }, {}, 0 },
	{ "word borders count exactly", { { 64, 128 } }, { 64, 128 }, { { 64, 128 } }, 64 },
	{ "one below and above a word", { { 63, 129 } }, { 64, 128 }, { { 64, 128 } }, 64 },
	{ "outer is not inside", { { 128, 130 } }, { 0, 128 }, {}, 0 },
};

static void mask_fill(struct uvm_page_mask *mask, const struct uvm_region *runs)
{
	uvm_page_mask_zero(mask);
	for (int i = 0; i < 3 && !uvm_region_empty(runs[i]); i++)
		uvm_page_mask_or_region(mask, runs[i]);
}

static void mask_runs(struct kunit *test)
{
	for (int i = 0; i < ARRAY_SIZE(mask_cases); i++) {
		const struct mask_case *c = &mask_cases[i];
		struct uvm_page_mask mask, seen;
		struct uvm_region run;
		unsigned int n = 0, page, pages = 0;

		mask_fill(&mask, c->set);
		for_each_subregion(run, &mask, c->look) {
			KUNIT_ASSERT_LT_MSG(test, n, 3, "%s", c->rule);
			KUNIT_EXPECT_EQ_MSG(test, run.first, c->runs[n].first, "%s", c->rule);
			KUNIT_EXPECT_EQ_MSG(test, run.outer, c->runs[n].outer, "%s", c->rule);
			n++;
		}
		KUNIT_EXPECT_TRUE_MSG(test, n == 3 || uvm_region_empty(c->runs[n]), "%s", c->rule);

		uvm_page_mask_zero(&seen);
		for_each_page_in_mask(page, &mask, c->look) {
			KUNIT_EXPECT_TRUE_MSG(test, uvm_region_contains(c->look, page),
					      "%s", c->rule);
			uvm_page_mask_set(&seen, page);
			pages++;
		}
		KUNIT_EXPECT_EQ_MSG(test, page, c->look.outer, "%s", c->rule);
		KUNIT_EXPECT_EQ_MSG(test, pages, c->weight, "%s", c->rule);
		KUNIT_EXPECT_EQ_MSG(test, uvm_page_mask_region_weight(&mask, c->look),
				    c->weight, "%s", c->rule);
		KUNIT_EXPECT_EQ_MSG(test, uvm_page_mask_region_empty(&mask, c->look),
				    !c->weight, "%s", c->rule);
		uvm_page_mask_and_region(&mask, c->look);
		KUNIT_EXPECT_TRUE_MSG(test, uvm_page_mask_equal(&mask, &seen), "%s", c->rule);
	}
}

/* Every pair of region ends: weight, set, clear, fill agree with counting. */
static void mask_all_regions(struct kunit *test)
{
	struct uvm_page_mask thirds, mask;
	unsigned int first, outer, page;

	uvm_page_mask_zero(&thirds);
	for (page = 0; page < UVM_PAGES_PER_BLOCK; page += 3)
		uvm_page_mask_set(&thirds, page);
	for (first = 0; first <= UVM_PAGES_PER_BLOCK; first += 7) {
		for (outer = first; outer <= UVM_PAGES_PER_BLOCK; outer += 5) {
			struct uvm_region r = uvm_region_make(first, outer);
			unsigned int want = (outer + 2) / 3 - (first + 2) / 3;

			KUNIT_ASSERT_EQ(test, uvm_page_mask_region_weight(&thirds, r), want);
			uvm_page_mask_fill_region(&mask, r);
			KUNIT_ASSERT_EQ(test, uvm_page_mask_weight(&mask), outer - first);
			KUNIT_ASSERT_TRUE(test, uvm_page_mask_region_full(&mask, r));
			uvm_page_mask_copy(&mask, &thirds);
			uvm_page_mask_clear_region(&mask, r);
			KUNIT_ASSERT_EQ(test, uvm_page_mask_weight(&mask), 171 - want);
		}
	}
}

static void mask_units(struct kunit *test)
{
	struct uvm_page_mask sevenths;
	unsigned int page, unit;

	uvm_page_mask_zero(&sevenths);
	for (page = 0; page < UVM_PAGES_PER_BLOCK; page += 7)
		uvm_page_mask_set(&sevenths, page);
	for (unit = 0; unit < UVM_BIG_PER_BLOCK; unit++) {
		u16 want = 0;

		for (page = 0; page < UVM_PAGES_PER_BIG; page++)
			want |= uvm_page_mask_test(&sevenths,
						   unit * UVM_PAGES_PER_BIG + page) << page;
		KUNIT_EXPECT_EQ_MSG(test, uvm_page_mask_unit(&sevenths, unit), want, "unit %u",
				    unit);
	}
}

/* Results and return values, for every way in which two masks can meet. */
static void mask_operations(struct kunit *test)
{
	static const struct uvm_region regions[] = {
		{ 0, 0 }, { 0, 512 }, { 0, 1 }, { 511, 512 }, { 60, 70 }, { 64, 128 }, { 3, 509 },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(regions) * ARRAY_SIZE(regions); i++) {
		struct uvm_region ra = regions[i / ARRAY_SIZE(regions)];
		struct uvm_region rb = regions[i % ARRAY_SIZE(regions)];
		struct uvm_page_mask a, b, both, without, either;
		unsigned int page, n_both = 0, n_without = 0;
		bool any_both, any_without;

		uvm_page_mask_fill_region(&a, ra);
		uvm_page_mask_fill_region(&b, rb);
		any_both = uvm_page_mask_and(&both, &a, &b);
		any_without = uvm_page_mask_andnot(&without, &a, &b);
		uvm_page_mask_or(&either, &a, &b);
		for (page = 0; page < UVM_PAGES_PER_BLOCK; page++) {
			bool in_a = uvm_region_contains(ra, page);
			bool in_b = uvm_region_contains(rb, page);

			n_both += in_a && in_b;
			n_without += in_a && !in_b;
			KUNIT_ASSERT_EQ(test, uvm_page_mask_test(&both, page), in_a && in_b);
			KUNIT_ASSERT_EQ(test, uvm_page_mask_test(&without, page), in_a && !in_b);
			KUNIT_ASSERT_EQ(test, uvm_page_mask_test(&either, page), in_a || in_b);
		}
		KUNIT_EXPECT_EQ(test, any_both, n_both > 0);
		KUNIT_EXPECT_EQ(test, any_without, n_without > 0);
		KUNIT_EXPECT_EQ(test, uvm_page_mask_empty(&both), !n_both);
		/* the result may be one of the operands */
		uvm_page_mask_or(&b, &a, &b);
		KUNIT_EXPECT_TRUE(test, uvm_page_mask_equal(&b, &either));
		uvm_page_mask_fill_region(&b, rb);
		uvm_page_mask_andnot(&b, &a, &b);
		KUNIT_EXPECT_TRUE(test, uvm_page_mask_equal(&b, &without));
		uvm_page_mask_fill_region(&b, rb);
		uvm_page_mask_and(&a, &a, &b);
		KUNIT_EXPECT_TRUE(test, uvm_page_mask_equal(&a, &both));
	}
}

struct region_case {
	struct uvm_region a, b, both;
};

static const struct region_case region_cases[] = {
	{ { 0, 512 }, { 16, 32 }, { 16, 32 } },
	{ { 0, 20 }, { 10, 30 }, { 10, 20 } },
	{ { 0, 10 }, { 10, 20 }, { 10, 10 } },	/* meeting is not overlapping */
	{ { 0, 10 }, { 20, 30 }, { 20, 20 } },
	{ { 5, 5 }, { 0, 10 }, { 5, 5 } },
};

static void mask_region_and(struct kunit *test)
{
	for (int i = 0; i < ARRAY_SIZE(region_cases); i++) {
		const struct region_case *c = &region_cases[i];
		struct uvm_region ab = uvm_region_and(c->a, c->b);
		struct uvm_region ba = uvm_region_and(c->b, c->a);

		KUNIT_EXPECT_EQ_MSG(test, ab.first, c->both.first, "case %d", i);
		KUNIT_EXPECT_EQ_MSG(test, ab.outer, c->both.outer, "case %d", i);
		KUNIT_EXPECT_EQ_MSG(test, uvm_region_num_pages(ba), uvm_region_num_pages(ab),
				    "case %d", i);
	}
}

static void mask_set_algebra(struct kunit *test)
{
	struct uvm_page_mask a, b, out;

	uvm_page_mask_fill_region(&a, uvm_region_make(0, 100));
	uvm_page_mask_fill_region(&b, uvm_region_make(50, 150));
	KUNIT_EXPECT_TRUE(test, uvm_page_mask_intersects(&a, &b));
	KUNIT_EXPECT_FALSE(test, uvm_page_mask_subset(&a, &b));
	KUNIT_EXPECT_TRUE(test, uvm_page_mask_and(&out, &a, &b));
	KUNIT_EXPECT_EQ(test, uvm_page_mask_weight(&out), 50);
	KUNIT_EXPECT_TRUE(test, uvm_page_mask_subset(&out, &b));
	KUNIT_EXPECT_TRUE(test, uvm_page_mask_andnot(&out, &a, &b));
	KUNIT_EXPECT_EQ(test, uvm_page_mask_span(&out).outer, 50);
	KUNIT_EXPECT_FALSE(test, uvm_page_mask_andnot(&out, &out, &a));
	KUNIT_EXPECT_TRUE(test, uvm_page_mask_empty(&out));
	KUNIT_EXPECT_EQ(test, uvm_region_num_pages(uvm_page_mask_span(&out)), 0);
	uvm_page_mask_or(&out, &a, &b);
	KUNIT_EXPECT_EQ(test, uvm_page_mask_span(&out).first, 0);
	KUNIT_EXPECT_EQ(test, uvm_page_mask_span(&out).outer, 150);
}

static struct kunit_case mask_kunit_cases[] = {
	KUNIT_CASE(mask_runs),
	KUNIT_CASE(mask_all_regions),
	KUNIT_CASE(mask_units),
	KUNIT_CASE(mask_operations),
	KUNIT_CASE(mask_region_and),
	KUNIT_CASE(mask_set_algebra),
	{}
};

struct kunit_suite uvm_page_mask_suite = {
	.name = "uvm_page_mask",
	.test_cases = mask_kunit_cases,
};
