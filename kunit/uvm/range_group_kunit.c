// SPDX-License-Identifier: GPL-2.0
/*
 * Range groups: who has which addresses, and how far a run goes.
 */
#include <kunit/test.h>
#include "uvm/model/range_group.h"
#include "uvm_pure.h"

#define AT(page)	((u64)(page) << 12)
#define LAST(page)	(AT(page) - 1)

/*
 * Pages 0 ... 9; what a step does, and the group of each page afterwards as a
 * letter, '.' is none.  Numbers are the cases of range_group.h.
 */
struct set_step {
	const char *rule;
	char group;
	u8 first, outer;
	const char *want;
};

static const struct set_step set_steps[] = {
	{ "1: over nothing", 'a', 2, 8, "..aaaaaa.." },
	{ "2: inside another", 'b', 4, 6, "..aabbaa.." },
	{ "3: across several", 'c', 3, 7, "..acccca.." },
	{ "4: to none, inside", '.', 4, 5, "..ac.cca.." },
	{ "to none, where there is none", '.', 0, 2, "..ac.cca.." },
	{ "the same again", 'c', 5, 7, "..ac.cca.." },
	{ "the start of one", 'b', 2, 3, "..bc.cca.." },
	{ "everything", 'a', 0, 10, "aaaaaaaaaa" },
	{ "both ends", '.', 9, 10, "aaaaaaaaa." },
	{ "to none, all", '.', 0, 10, ".........." },
};

static char group_letter(struct uvm_range_groups *groups, unsigned int page)
{
	struct uvm_range_group_span *span = uvm_range_group_first(groups, AT(page),
								  LAST(page + 1));

	return span ? 'a' + span->group->id - 1 : '.';
}

static void group_set(struct kunit *test)
{
	struct uvm_range_group *group[3];
	struct uvm_range_groups groups;
	char got[11] = "";
	int i, page;

	uvm_range_groups_init(&groups);
	for (i = 0; i < 3; i++) {
		KUNIT_ASSERT_EQ(test, uvm_range_group_create(&groups, GFP_KERNEL, &group[i]), 0);
		KUNIT_EXPECT_EQ(test, group[i]->id, i + 1);
		KUNIT_EXPECT_TRUE(test, group[i]->migratable);
	}
	for (i = 0; i < ARRAY_SIZE(set_steps); i++) {
		const struct set_step *s = &set_steps[i];
		struct uvm_range_group *g = s->group == '.' ? NULL : group[s->group - 'a'];

		KUNIT_ASSERT_EQ(test, uvm_range_group_set(&groups, g, AT(s->first), LAST(s->outer),
							  GFP_KERNEL), 0);
		for (page = 0; page < 10; page++)
			got[page] = group_letter(&groups, page);
		KUNIT_EXPECT_STREQ_MSG(test, got, s->want, "%s", s->rule);
	}
	uvm_range_groups_fini(&groups);
}

static void group_destroy(struct kunit *test)
{
	struct uvm_range_group *a, *b;
	struct uvm_range_groups groups;

	uvm_range_groups_init(&groups);
	KUNIT_ASSERT_EQ(test, uvm_range_group_create(&groups, GFP_KERNEL, &a), 0);
	KUNIT_ASSERT_EQ(test, uvm_range_group_create(&groups, GFP_KERNEL, &b), 0);
	KUNIT_ASSERT_EQ(test, uvm_range_group_set(&groups, a, AT(0), LAST(4), GFP_KERNEL), 0);
	KUNIT_ASSERT_EQ(test, uvm_range_group_set(&groups, b, AT(4), LAST(8), GFP_KERNEL), 0);
	uvm_range_group_destroy(&groups, a);
	KUNIT_EXPECT_NULL(test, uvm_range_group_find(&groups, 1));
	KUNIT_EXPECT_PTR_EQ(test, uvm_range_group_find(&groups, 2), b);
	KUNIT_EXPECT_EQ(test, group_letter(&groups, 3), '.');
	KUNIT_EXPECT_EQ(test, group_letter(&groups, 4), 'b');
	/* ids are not used twice */
	KUNIT_ASSERT_EQ(test, uvm_range_group_create(&groups, GFP_KERNEL, &a), 0);
	KUNIT_EXPECT_EQ(test, a->id, 3);
	uvm_range_groups_fini(&groups);
}

/* 'm' migratable, 'f' fixed, '.' no group: where runs from a page end. */
struct run_case {
	const char *pages;
	u8 from, to;
	bool migratable;
	u8 outer;
};

/* nvidia-uvm 1.6: maximal runs that are all migratable or all not; no group is. */
static const struct run_case run_cases[] = {
	{ "..........", 0, 10, true, 10 },
	{ "mmmmmmmmmm", 0, 10, true, 10 },
	{ "ffffffffff", 0, 10, false, 10 },
	{ "..mm..mm..", 0, 10, true, 10 },
	{ "...ff.....", 0, 10, true, 3 },
	{ "...ff.....", 3, 10, false, 5 },
	{ "...ff.....", 5, 10, true, 10 },
	{ "mmmfff....", 1, 10, true, 3 },
	{ "fff...fff.", 0, 10, false, 3 },
	{ "ffffff....", 2, 4, false, 4 },
	{ "mmmm..ff..", 2, 10, true, 6 },
	{ "fffmm.....", 0, 10, false, 3 },
	{ ".....f....", 0, 5, true, 5 },
};

static void group_runs(struct kunit *test)
{
	for (int i = 0; i < ARRAY_SIZE(run_cases); i++) {
		const struct run_case *c = &run_cases[i];
		struct uvm_range_group *m, *f, *g;
		struct uvm_range_groups groups;
		u64 last;
		int page;

		uvm_range_groups_init(&groups);
		KUNIT_ASSERT_EQ(test, uvm_range_group_create(&groups, GFP_KERNEL, &m), 0);
		KUNIT_ASSERT_EQ(test, uvm_range_group_create(&groups, GFP_KERNEL, &f), 0);
		f->migratable = false;
		for (page = 0; page < 10; page++) {
			g = c->pages[page] == 'm' ? m : f;
			if (c->pages[page] != '.')
				KUNIT_ASSERT_EQ(test, uvm_range_group_set(&groups, g, AT(page),
									  LAST(page + 1),
									  GFP_KERNEL), 0);
		}
		KUNIT_EXPECT_EQ_MSG(test, uvm_range_group_next_run(&groups, AT(c->from),
								   LAST(c->to), &last),
				    c->migratable, "%s from %u", c->pages, c->from);
		KUNIT_EXPECT_EQ_MSG(test, last, LAST(c->outer), "%s from %u", c->pages, c->from);
		uvm_range_groups_fini(&groups);
	}
}

static struct kunit_case group_cases[] = {
	KUNIT_CASE(group_set),
	KUNIT_CASE(group_destroy),
	KUNIT_CASE(group_runs),
	{}
};

struct kunit_suite uvm_range_group_suite = {
	.name = "uvm_range_group",
	.test_cases = group_cases,
};
