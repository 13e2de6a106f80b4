// SPDX-License-Identifier: GPL-2.0
/* softgpu histories: what is known of launches and copies that have ended. */
#include <kunit/test.h>
#include <linux/slab.h>
#include "softgpu/base/history.h"

#define ITEMS	(2 * (SGPU_HISTORY_GOOD + SGPU_HISTORY_FAILED))

struct history_fixture {
	struct sgpu_history history;
	struct sgpu_history_item item[ITEMS + 1];	/* by id */
};

static void history_free(void *f)
{
	kvfree(f);
}

static struct history_fixture *history_make(struct kunit *test)
{
	struct history_fixture *f = kvzalloc(sizeof(*f), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, f);
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, history_free, f));
	sgpu_history_init(&f->history);
	return f;
}

/* It ends; returns the id of what is forgotten, or 0. */
static u64 history_end(struct history_fixture *f, u64 id, bool failed)
{
	struct sgpu_history_item *forgotten;

	f->item[id].id = id;
	f->item[id].failed = failed;
	forgotten = sgpu_history_add(&f->history, &f->item[id]);
	return forgotten ? forgotten->id : 0;
}

/* Of those that ended well the newest are kept, and the others are implied. */
static void history_good(struct kunit *test)
{
	struct history_fixture *f = history_make(test);
	u64 id, last = SGPU_HISTORY_GOOD + 10;

	for (id = 1; id <= last; id++)
		KUNIT_ASSERT_EQ(test, history_end(f, id, false),
				id > SGPU_HISTORY_GOOD ? id - SGPU_HISTORY_GOOD : 0);
	for (id = 1; id <= last; id++) {
		KUNIT_ASSERT_PTR_EQ(test, sgpu_history_find(&f->history, id),
				    id > 10 ? &f->item[id] : NULL);
		KUNIT_ASSERT_TRUE(test, sgpu_history_ended_well(&f->history, id));
	}
	KUNIT_EXPECT_FALSE(test, sgpu_history_full(&f->history));
}

/* A failure is known however many ended well behind it. */
static void history_failure_stays(struct kunit *test)
{
	struct history_fixture *f = history_make(test);
	u64 id;

	for (id = 1; id <= 3 * SGPU_HISTORY_GOOD; id++)
		KUNIT_ASSERT_NE(test, history_end(f, id, id == 5), 5);
	KUNIT_EXPECT_PTR_EQ(test, sgpu_history_find(&f->history, 5), &f->item[5]);
	KUNIT_EXPECT_NULL(test, sgpu_history_find(&f->history, 6));
	sgpu_history_tell(&f->history, &f->item[5]);
	KUNIT_EXPECT_PTR_EQ(test, sgpu_history_find(&f->history, 5), &f->item[5]);
}

/* Failures that nobody asked for fill it; told ones make room, and are then not known. */
static void history_full(struct kunit *test)
{
	struct history_fixture *f = history_make(test);
	u64 id;

	for (id = 1; id <= SGPU_HISTORY_FAILED; id++) {
		KUNIT_ASSERT_FALSE(test, sgpu_history_full(&f->history));
		KUNIT_ASSERT_EQ(test, history_end(f, id, true), 0);
	}
	KUNIT_EXPECT_TRUE(test, sgpu_history_full(&f->history));
	/* under way already */
	KUNIT_EXPECT_EQ(test, history_end(f, id++, true), 0);
	sgpu_history_tell(&f->history, &f->item[7]);
	KUNIT_EXPECT_TRUE(test, sgpu_history_full(&f->history));
	sgpu_history_tell(&f->history, &f->item[9]);
	sgpu_history_tell(&f->history, &f->item[9]);
	KUNIT_EXPECT_FALSE(test, sgpu_history_full(&f->history));
	KUNIT_EXPECT_EQ(test, history_end(f, id++, true), 7);
	KUNIT_EXPECT_NULL(test, sgpu_history_find(&f->history, 7));
	KUNIT_EXPECT_FALSE(test, sgpu_history_ended_well(&f->history, 7));
	KUNIT_EXPECT_TRUE(test, sgpu_history_ended_well(&f->history, 8));
	KUNIT_EXPECT_PTR_EQ(test, sgpu_history_find(&f->history, 8), &f->item[8]);
}

/* Copies do not end in the order of their ids. */
static void history_any_order(struct kunit *test)
{
	struct history_fixture *f = history_make(test);
	u64 id;

	for (id = 100; id; id--)
		history_end(f, id * 37 % 101, id % 3 == 0);
	for (id = 1; id <= 100; id++)
		KUNIT_EXPECT_PTR_EQ(test, sgpu_history_find(&f->history, id), &f->item[id]);
	KUNIT_EXPECT_NULL(test, sgpu_history_find(&f->history, 101));
	for (id = 0; sgpu_history_take(&f->history); id++)
		;
	KUNIT_EXPECT_EQ(test, id, 100);
	KUNIT_EXPECT_TRUE(test, RB_EMPTY_ROOT(&f->history.ids));
}

static struct kunit_case history_cases[] = {
	KUNIT_CASE(history_good),
	KUNIT_CASE(history_failure_stays),
	KUNIT_CASE(history_full),
	KUNIT_CASE(history_any_order),
	{}
};

struct kunit_suite softgpu_history_suite = {
	.name = "softgpu_history",
	.test_cases = history_cases,
};
