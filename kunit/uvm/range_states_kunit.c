// SPDX-License-Identifier: GPL-2.0
/*
 * What policies keep of managed ranges: the numbered rules of range_states.h.
 */
#include <kunit/test.h>
#include "uvm/base/page_mask.h"
#include "uvm/model/range_states.h"
#include "uvm/policy/policy.h"
#include "uvm/policy/returning/range_returns.h"
#include "uvm_pure.h"

#define M2	UVM_BLOCK_SIZE
#define BASE	0x7f0000000000ULL

/* A state that notes what it is told. */
struct noted {
	u32 arrived;
	u32 left;
	u32 demanded;
	u64 begun;
};

static void noted_arrive(const struct uvm_range_view *range, const struct uvm_range_pages *pages)
{
	struct noted *n = range->state;
	u32 *block = uvm_range_block(range, max(pages->va, range->start));

	n->arrived += uvm_page_mask_weight(pages->pages);
	n->demanded += uvm_page_mask_weight(pages->demanded);
	n->begun = range->begun;
	*block += uvm_page_mask_weight(pages->pages);
}

static void noted_leave(const struct uvm_range_view *range, const struct uvm_range_pages *pages)
{
	struct noted *n = range->state;

	n->left += uvm_page_mask_weight(pages->pages);
}

static const struct uvm_range_state noted_state = {
	.name = "noted", .bytes = sizeof(struct noted), .block_bytes = sizeof(u32),
	.arrive = noted_arrive, .leave = noted_leave,
};

/* One that wants to be told of nothing, and has nothing but bytes of blocks. */
static const struct uvm_range_state silent_state = { .name = "silent", .block_bytes = 1 };

/* What a listener has heard: how often, and of which range the last time. */
struct heard {
	unsigned int times;
	u64 start;
	u64 end;
	enum uvm_pattern pattern;
};

struct states_fixture {
	struct uvm_range_states states;
	struct uvm_range_listener listener;
	struct heard heard;
	struct uvm_range_area area[4];
	unsigned int areas;
};

static void states_heard(void *arg, const struct uvm_range_view *range, enum uvm_pattern pattern)
{
	struct heard *heard = arg;

	*heard = (struct heard){
		heard->times + 1, range->start - BASE, range->end - BASE, pattern,
	};
}

static int states_init(struct kunit *test)
{
	struct states_fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	if (!f)
		return -ENOMEM;
	uvm_range_states_init(&f->states, NULL);
	f->listener = (struct uvm_range_listener){ states_heard, &f->heard };
	test->priv = f;
	return 0;
}

static void states_exit(struct kunit *test)
{
	struct states_fixture *f = test->priv;

	for (unsigned int i = 0; f && i < f->areas; i++)
		for (unsigned int n = 0; n < UVM_RANGE_STATES; n++)
			uvm_range_area_drop(&f->area[i], n);
}

static int states_keep(struct states_fixture *f, const struct uvm_range_state *state)
{
	int number = uvm_range_states_free_number(&f->states), ret = 0;

	for (unsigned int i = 0; i < f->areas && !ret; i++)
		ret = uvm_range_area_add(&f->area[i], number, state, GFP_KERNEL);
	uvm_range_states_keep(&f->states, number, state);
	return ret;
}

/* Bytes from BASE; @end is one past the last. */
static struct uvm_range_area *states_area(struct kunit *test, u64 start, u64 end)
{
	struct states_fixture *f = test->priv;
	struct uvm_range_area *area = &f->area[f->areas++];

	area->node.start = BASE + start;
	area->node.last = BASE + end - 1;
	for (unsigned int i = 0; i < UVM_RANGE_STATES; i++)
		if (f->states.kept[i])
			KUNIT_ASSERT_EQ(test, 0, uvm_range_area_add(area, i, f->states.kept[i],
								    GFP_KERNEL));
	return area;
}

static void states_insert(struct kunit *test, u64 start, u64 end)
{
	struct states_fixture *f = test->priv;

	uvm_range_states_insert(&f->states, states_area(test, start, end));
}

/* Pages [@first, @outer) of the 2 MB at @va; every other one was demanded. */
static unsigned int states_tell(struct states_fixture *f, u64 va, unsigned int first,
				unsigned int outer, bool arrive)
{
	struct uvm_page_mask pages, demanded;
	struct uvm_range_pages told = {
		.va = BASE + va, .id = UVM_ID_GPU(0), .pages = &pages, .demanded = &demanded,
		.returned = &demanded,
	};

	uvm_page_mask_zero(&demanded);
	uvm_page_mask_fill_region(&pages, uvm_region_make(first, outer));
	for (unsigned int i = first; i < outer; i += 2)
		uvm_page_mask_set(&demanded, i);
	return arrive ? uvm_range_states_arrive(&f->states, &told, &f->listener) :
			uvm_range_states_leave(&f->states, &told);
}

static const struct noted *states_noted(struct states_fixture *f, u64 va)
{
	struct uvm_range_view view;

	return uvm_range_states_find(&f->states, &noted_state, BASE + va, &view) ? view.state :
										   NULL;
}

static u32 states_block(struct states_fixture *f, u64 va)
{
	struct uvm_range_view view;

	if (!uvm_range_states_find(&f->states, &noted_state, BASE + va, &view))
		return U32_MAX;
	return *(u32 *)uvm_range_block(&view, BASE + va);
}

/* 1. What nobody keeps is not found, costs no call, and there is nothing to look at. */
static void states_none(struct kunit *test)
{
	struct states_fixture *f = test->priv;

	states_insert(test, 0, M2);
	KUNIT_EXPECT_FALSE(test, uvm_range_states_any(&f->states));
	KUNIT_EXPECT_PTR_EQ(test, states_noted(f, 0), NULL);
	KUNIT_EXPECT_EQ(test, states_tell(f, 0, 0, 8, true), 0);
	KUNIT_ASSERT_EQ(test, states_keep(f, &noted_state), 0);
	KUNIT_EXPECT_TRUE(test, uvm_range_states_any(&f->states));
	uvm_range_states_keep(&f->states, uvm_range_states_number(&f->states, &noted_state), NULL);
	KUNIT_EXPECT_FALSE(test, uvm_range_states_any(&f->states));
	KUNIT_EXPECT_PTR_EQ(test, states_noted(f, 0), NULL);
}

/* 2. Each range has its own, which begins as zeros; addresses between have none. */
static void states_by_address(struct kunit *test)
{
	struct states_fixture *f = test->priv;

	KUNIT_ASSERT_EQ(test, states_keep(f, &noted_state), 0);
	states_insert(test, 0, M2);
	states_insert(test, 2 * M2, 4 * M2);
	KUNIT_EXPECT_EQ(test, states_tell(f, 2 * M2, 0, 10, true), 1);
	KUNIT_EXPECT_EQ(test, states_noted(f, 0)->arrived, 0);
	KUNIT_EXPECT_EQ(test, states_noted(f, 3 * M2)->arrived, 10);
	KUNIT_EXPECT_PTR_EQ(test, states_noted(f, M2), NULL);
	KUNIT_EXPECT_PTR_EQ(test, states_noted(f, 4 * M2), NULL);
}

/* 3. Each 2 MB of a range has its bytes. */
static void states_blocks(struct kunit *test)
{
	struct states_fixture *f = test->priv;

	KUNIT_ASSERT_EQ(test, states_keep(f, &noted_state), 0);
	states_insert(test, M2 / 2, 3 * M2);
	states_tell(f, 0, 256, 512, true);
	states_tell(f, 2 * M2, 0, 3, true);
	KUNIT_EXPECT_EQ(test, states_block(f, M2 / 2), 256);
	KUNIT_EXPECT_EQ(test, states_block(f, M2), 0);
	KUNIT_EXPECT_EQ(test, states_block(f, 2 * M2), 3);
	KUNIT_EXPECT_EQ(test, uvm_range_area_bytes(&f->area[0], &noted_state),
			sizeof(struct noted) + 3 * sizeof(u32));
}

/* 4. Two ranges in one 2 MB are told of their own pages; each function called is counted. */
static void states_shared_block(struct kunit *test)
{
	struct states_fixture *f = test->priv;

	KUNIT_ASSERT_EQ(test, states_keep(f, &noted_state), 0);
	KUNIT_ASSERT_EQ(test, states_keep(f, &silent_state), 0);
	states_insert(test, 0, M2 / 2);
	states_insert(test, M2 / 2, M2);
	KUNIT_EXPECT_EQ(test, states_tell(f, 0, 250, 260, true), 2);
	KUNIT_EXPECT_EQ(test, states_noted(f, 0)->arrived, 6);
	KUNIT_EXPECT_EQ(test, states_noted(f, M2 / 2)->arrived, 4);
	KUNIT_EXPECT_EQ(test, states_tell(f, 0, 0, 10, false), 1);
	KUNIT_EXPECT_EQ(test, states_noted(f, 0)->left, 10);
	KUNIT_EXPECT_EQ(test, states_noted(f, M2 / 2)->left, 0);
}

/* 5. A range that is cut in two: both halves know what the whole did, then each its own. */
static void states_cut(struct kunit *test)
{
	struct states_fixture *f = test->priv;

	KUNIT_ASSERT_EQ(test, states_keep(f, &noted_state), 0);
	states_insert(test, 0, 3 * M2);
	states_tell(f, 0, 0, 5, true);
	states_tell(f, M2, 0, 7, true);
	states_tell(f, 2 * M2, 0, 9, true);
	uvm_range_states_split(&f->states, &f->area[0],
			       states_area(test, M2 + M2 / 2, 3 * M2));
	KUNIT_EXPECT_EQ(test, states_noted(f, 0)->arrived, 21);
	KUNIT_EXPECT_EQ(test, states_noted(f, 2 * M2)->arrived, 21);
	KUNIT_EXPECT_EQ(test, states_block(f, 0), 5);
	KUNIT_EXPECT_EQ(test, states_block(f, M2), 7);
	KUNIT_EXPECT_EQ(test, states_block(f, M2 + M2 / 2), 7);
	KUNIT_EXPECT_EQ(test, states_block(f, 2 * M2), 9);
	states_tell(f, 2 * M2, 0, 1, true);
	KUNIT_EXPECT_EQ(test, states_noted(f, 0)->arrived, 21);
	KUNIT_EXPECT_EQ(test, states_noted(f, 2 * M2)->arrived, 22);
	KUNIT_EXPECT_EQ(test, states_block(f, 2 * M2), 10);
}

/* 6. A state that comes later begins with zeros, one that is there goes on. */
static void states_later(struct kunit *test)
{
	static const struct uvm_range_state other = {
		.name = "other", .bytes = sizeof(struct noted), .block_bytes = sizeof(u32),
		.arrive = noted_arrive,
	};
	struct states_fixture *f = test->priv;
	struct uvm_range_view view;

	KUNIT_ASSERT_EQ(test, states_keep(f, &noted_state), 0);
	states_insert(test, 0, M2);
	states_tell(f, 0, 0, 5, true);
	KUNIT_ASSERT_EQ(test, states_keep(f, &other), 0);
	KUNIT_EXPECT_EQ(test, states_tell(f, 0, 0, 2, true), 2);
	KUNIT_EXPECT_EQ(test, states_noted(f, 0)->arrived, 7);
	KUNIT_ASSERT_PTR_EQ(test, uvm_range_states_find(&f->states, &other, BASE, &view), &view);
	KUNIT_EXPECT_EQ(test, ((struct noted *)view.state)->arrived, 2);
	KUNIT_EXPECT_EQ(test, states_tell(f, 0, 0, 2, false), 1);
}

/* 7. What is told says how many launches there were. */
static void states_launches(struct kunit *test)
{
	struct states_fixture *f = test->priv;
	struct uvm_range_view view;

	KUNIT_ASSERT_EQ(test, states_keep(f, &noted_state), 0);
	states_insert(test, 0, M2);
	uvm_range_states_launch(&f->states, true);
	uvm_range_states_launch(&f->states, false);
	uvm_range_states_launch(&f->states, true);
	states_tell(f, 0, 0, 1, true);
	KUNIT_EXPECT_EQ(test, states_noted(f, 0)->begun, 2);
	uvm_range_states_find(&f->states, &noted_state, BASE, &view);
	KUNIT_EXPECT_EQ(test, view.begun, 2);
	KUNIT_EXPECT_EQ(test, view.ended, 1);
}

/* 8. Who is gone is not found. */
static void states_removed(struct kunit *test)
{
	struct states_fixture *f = test->priv;

	KUNIT_ASSERT_EQ(test, states_keep(f, &noted_state), 0);
	states_insert(test, 0, M2);
	uvm_range_states_remove(&f->states, &f->area[0]);
	KUNIT_EXPECT_PTR_EQ(test, states_noted(f, 0), NULL);
	KUNIT_EXPECT_EQ(test, states_tell(f, 0, 0, 1, true), 0);
}

/* ---- "returns": what the policies of that name judge by ---------------------- */

/* A state whose pattern is how much has come: two pages are linear, four random. */
static enum uvm_pattern counted_pattern(const struct uvm_range_view *range)
{
	const struct noted *n = range->state;

	return n->arrived >= 4 ? UVM_PATTERN_RANDOM : n->arrived >= 2 ? UVM_PATTERN_LINEAR :
								       UVM_PATTERN_UNDECIDED;
}

static const struct uvm_range_state counted_state = {
	.name = "counted", .bytes = sizeof(struct noted), .block_bytes = sizeof(u32),
	.arrive = noted_arrive, .pattern = counted_pattern,
};

/* Who listens hears of a pattern when it changes, of each range of its own; anybody may ask. */
static void states_patterns(struct kunit *test)
{
	struct states_fixture *f = test->priv;
	struct uvm_range_view view;
	enum uvm_pattern pattern;

	states_insert(test, 0, M2 / 2);
	states_insert(test, M2 / 2, 2 * M2);
	KUNIT_ASSERT_EQ(test, states_keep(f, &noted_state), 0);
	states_tell(f, 0, 0, 8, true);
	KUNIT_EXPECT_EQ(test, f->heard.times, 0);
	KUNIT_EXPECT_FALSE(test, uvm_range_states_pattern(&f->states, BASE, &view, &pattern));

	KUNIT_ASSERT_EQ(test, states_keep(f, &counted_state), 0);
	KUNIT_EXPECT_TRUE(test, uvm_range_states_pattern(&f->states, BASE, &view, &pattern));
	KUNIT_EXPECT_EQ(test, pattern, UVM_PATTERN_UNDECIDED);
	states_tell(f, 0, 255, 257, true);	/* a page of each */
	KUNIT_EXPECT_EQ(test, f->heard.times, 0);
	states_tell(f, 0, 255, 257, true);
	KUNIT_EXPECT_EQ(test, f->heard.times, 2);
	KUNIT_EXPECT_EQ(test, f->heard.start, M2 / 2);
	KUNIT_EXPECT_EQ(test, f->heard.end, 2 * M2 - 1);
	KUNIT_EXPECT_EQ(test, f->heard.pattern, UVM_PATTERN_LINEAR);
	states_tell(f, 0, 0, 1, true);		/* three: as before */
	KUNIT_EXPECT_EQ(test, f->heard.times, 2);
	states_tell(f, 0, 0, 1, true);
	KUNIT_EXPECT_EQ(test, f->heard.times, 3);
	KUNIT_EXPECT_EQ(test, f->heard.start, 0);
	KUNIT_EXPECT_EQ(test, f->heard.pattern, UVM_PATTERN_RANDOM);
	states_tell(f, 0, 0, 1, false);		/* what leaves changes no pattern */
	KUNIT_EXPECT_EQ(test, f->heard.times, 3);
	KUNIT_EXPECT_TRUE(test, uvm_range_states_pattern(&f->states, BASE + M2, &view, &pattern));
	KUNIT_EXPECT_EQ(test, pattern, UVM_PATTERN_LINEAR);
	KUNIT_EXPECT_EQ(test, view.start, BASE + M2 / 2);
	KUNIT_EXPECT_FALSE(test,
			   uvm_range_states_pattern(&f->states, BASE + 2 * M2, &view, &pattern));
}

struct returns_case {
	const char *rule;
	unsigned int first[4], again[4];	/* pages that came anew, and that came again */
	bool much;
};

/* The range has 512 pages. */
static const struct returns_case returns_cases[] = {
	{ "nothing is known", { 0 }, { 0 }, false },
	{ "all is new", { 512 }, { 0 }, false },
	{ "all comes again", { 0, 0 }, { 200, 200 }, true },
	{ "half is enough", { 64 }, { 64 }, true },
	{ "less is not", { 65 }, { 64 }, false },
	{ "an eighth must have been evicted", { 0 }, { 63 }, false },
	{ "that is enough", { 0 }, { 64 }, true },
	{ "what is long ago fades", { 512 }, { 0, 512, 200 }, true },
	{ "and comes back", { 0, 512, 512, 200 }, { 512 }, false },
};

static void returns_table(struct kunit *test)
{
	struct states_fixture *f = test->priv;

	states_insert(test, 0, M2);
	for (int i = 0; i < ARRAY_SIZE(returns_cases); i++) {
		const struct returns_case *c = &returns_cases[i];
		struct uvm_page_mask pages, none;
		struct uvm_range_pages told = { .va = BASE, .pages = &pages, .demanded = &pages };
		struct uvm_range_view view;

		uvm_page_mask_zero(&none);
		KUNIT_ASSERT_EQ(test, states_keep(f, &uvm_range_returns), 0);
		for (int n = 0; n < ARRAY_SIZE(c->first); n++) {
			uvm_page_mask_fill_region(&pages, uvm_region_make(0, c->first[n]));
			told.returned = &none;
			uvm_range_states_arrive(&f->states, &told, NULL);
			uvm_page_mask_fill_region(&pages, uvm_region_make(0, c->again[n]));
			told.returned = &pages;
			told.evicted = true;
			uvm_range_states_leave(&f->states, &told);
			uvm_range_states_arrive(&f->states, &told, NULL);
		}
		uvm_range_states_find(&f->states, &uvm_range_returns, BASE, &view);
		KUNIT_EXPECT_EQ_MSG(test, uvm_range_returns_much(&view), c->much, "%s", c->rule);
		uvm_range_states_keep(&f->states, 0, NULL);
		uvm_range_area_drop(&f->area[0], 0);
	}
	KUNIT_EXPECT_FALSE(test, uvm_range_returns_much(NULL));
}

/* The members of the bundle name the same state, so what they know is one thing. */
static void returns_shared(struct kunit *test)
{
	KUNIT_EXPECT_PTR_EQ(test, uvm_policy_find_eviction("returning")->policy.range_state,
			    &uvm_range_returns);
	KUNIT_EXPECT_PTR_EQ(test, uvm_policy_find_prefetch("returning")->policy.range_state,
			    &uvm_range_returns);
	KUNIT_EXPECT_PTR_EQ(test, uvm_policy_find_residency("returning")->policy.range_state,
			    &uvm_range_returns);
}

static struct kunit_case range_states_cases[] = {
	KUNIT_CASE(states_none),
	KUNIT_CASE(states_by_address),
	KUNIT_CASE(states_blocks),
	KUNIT_CASE(states_shared_block),
	KUNIT_CASE(states_cut),
	KUNIT_CASE(states_later),
	KUNIT_CASE(states_launches),
	KUNIT_CASE(states_removed),
	KUNIT_CASE(states_patterns),
	KUNIT_CASE(returns_table),
	KUNIT_CASE(returns_shared),
	{}
};

struct kunit_suite uvm_range_states_suite = {
	.name = "uvm_range_states",
	.init = states_init,
	.exit = states_exit,
	.test_cases = range_states_cases,
};
