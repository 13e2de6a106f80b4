// SPDX-License-Identifier: GPL-2.0
/*
 * Prefetching by the eviction load, and what policies make of it.
 */
#include <kunit/test.h>
#include "params_fixture.h"
#include "uvm/policy/policy.h"
#include "uvm_pure.h"

#define BLOCK	UVM_PAGES_PER_BLOCK

/* ---- the load ------------------------------------------------------------ */

#define CAME	1000

/* 16 frames of memory: a window is two of them, a turnover eight windows. */
static const struct uvm_prefetch_memory load_memory = { .pages = 16 * BLOCK, .threshold = 51 };

/**
 * struct load_step - some windows of the same kind
 * @windows: how many
 * @faulted: of the CAME pages that come in each, percent
 * @refaulted: of these, percent
 * @left: pages that leave, percent of 1024
 * @room: frames that they leave, 0 ... 2
 * @want: afterwards
 */
struct load_step {
	unsigned int windows, faulted, refaulted, left, room;
	struct uvm_prefetch_load want;
};

struct load_case {
	const char *rule;
	struct load_step step[7];
};

/* With 100, 2 all that comes makes as much leave. */
static const struct load_case load_cases[] = {
	{ "memory suffices: no load",
	  { { 20, 10, 0, 0, 0, { 0, 0, false } } } },
	{ "each window counts half",
	  { { 1, 10, 0, 50, 1, { 25, 0, false } }, { 1, 10, 0, 50, 1, { 37, 0, false } },
	    { 1, 10, 0, 0, 0, { 18, 0, false } } } },
	{ "what is used once may be evicted for ever",
	  { { 40, 10, 0, 100, 2, { 99, 0, false } } } },
	{ "some come back: not enough to stop",
	  { { 40, 10, 40, 100, 2, { 99, 39, false } } } },
	{ "memory thrashes: stop",
	  { { 1, 10, 90, 100, 2, { 50, 45, false } }, { 1, 10, 90, 100, 2, { 75, 67, true } } } },
	{ "no evictions, though all had been here once: go on",
	  { { 10, 10, 100, 0, 0, { 0, 99, false } } } },
	{ "stopped, and what leaves is sparse: that was right",
	  { { 2, 10, 90, 100, 2, { 75, 67, true } }, { 40, 100, 90, 10, 2, { 10, 89, true } } } },
	{ "memory suffices again: go on",
	  { { 2, 10, 90, 100, 2, { 75, 67, true } }, { 1, 100, 90, 0, 0, { 37, 0, false } },
	    { 2, 10, 90, 100, 2, { 84, 67, true } } } },
	{ "full is not enough before a turnover, for it came before the stop",
	  { { 2, 10, 90, 100, 2, { 75, 67, true } }, { 7, 10, 90, 100, 2, { 99, 89, true } },
	    { 1, 10, 90, 100, 2, { 99, 0, false } } } },
	{ "exactly the threshold is not full",
	  { { 2, 10, 90, 100, 2, { 75, 67, true } }, { 9, 10, 90, 51, 2, { 52, 89, true } },
	    { 1, 10, 90, 52, 2, { 52, 0, false } } } },
	{ "stopped in vain: patience for four turnovers, then for eight",
	  { { 2, 10, 90, 100, 2, { 75, 67, true } }, { 8, 10, 90, 100, 2, { 99, 0, false } },
	    { 31, 10, 90, 100, 2, { 99, 89, false } }, { 1, 10, 90, 100, 2, { 99, 89, true } },
	    { 8, 10, 90, 100, 2, { 99, 0, false } }, { 63, 10, 90, 100, 2, { 99, 89, false } },
	    { 1, 10, 90, 100, 2, { 99, 89, true } } } },
};

static void load_windows(struct uvm_prefetch_meter *meter, const struct load_step *s)
{
	unsigned int window = 2 * BLOCK, faulted = CAME * s->faulted / 100;

	for (unsigned int w = 0; w < s->windows; w++) {
		uvm_prefetch_meter_came(meter, &load_memory, CAME, faulted,
					faulted * s->refaulted / 100);
		if (s->room)
			uvm_prefetch_meter_left(meter, &load_memory, window * s->left / 100,
						s->room * BLOCK);
		/* unless it ended by the room */
		if (s->room < 2)
			uvm_prefetch_meter_came(meter, &load_memory, window - CAME, 0, 0);
	}
}

static void load_examples(struct kunit *test)
{
	for (int i = 0; i < ARRAY_SIZE(load_cases); i++) {
		const struct load_case *c = &load_cases[i];
		struct uvm_prefetch_meter meter = {};

		for (const struct load_step *s = c->step; s < c->step + ARRAY_SIZE(c->step) &&
		     s->windows; s++) {
			load_windows(&meter, s);
			KUNIT_EXPECT_EQ_MSG(test, meter.load.evicting, s->want.evicting,
					    "%s, step %td", c->rule, s - c->step);
			KUNIT_EXPECT_EQ_MSG(test, meter.load.refaulting, s->want.refaulting,
					    "%s, step %td", c->rule, s - c->step);
			KUNIT_EXPECT_EQ_MSG(test, meter.load.stopped, s->want.stopped,
					    "%s, step %td", c->rule, s - c->step);
		}
	}
}

/* A window is an eighth of memory, at least a block; it ends by either. */
static void load_window_ends(struct kunit *test)
{
	static const struct uvm_prefetch_memory tiny = { .pages = BLOCK, .threshold = 51 };
	struct uvm_prefetch_meter meter = {};

	uvm_prefetch_meter_left(&meter, &load_memory, 2 * BLOCK - 1, 2 * BLOCK - 1);
	uvm_prefetch_meter_came(&meter, &load_memory, 2 * BLOCK - 1, 1, 0);
	KUNIT_EXPECT_EQ(test, meter.load.evicting, 0);
	uvm_prefetch_meter_left(&meter, &load_memory, 1, 1);
	KUNIT_EXPECT_EQ(test, meter.load.evicting, 50);
	KUNIT_EXPECT_EQ(test, meter.came + meter.left + meter.room, 0);
	uvm_prefetch_meter_left(&meter, &tiny, 10, BLOCK - 1);
	KUNIT_EXPECT_EQ(test, meter.load.evicting, 50);
	/* nothing came at all: all that left did so for nothing */
	uvm_prefetch_meter_left(&meter, &tiny, 1, 1);
	KUNIT_EXPECT_EQ(test, meter.load.evicting, 75);
	/* no memory yet: nothing to divide by */
	memset(&meter, 0, sizeof(meter));
	uvm_prefetch_meter_came(&meter, &(struct uvm_prefetch_memory){}, BLOCK, 0, 0);
	KUNIT_EXPECT_EQ(test, meter.came, 0);
}

/* ---- the policies -------------------------------------------------------- */

struct choice_case {
	const char *rule;
	struct uvm_prefetch_load load;
	unsigned int min, threshold;
	bool cpu;
	unsigned int resident;	/* pages from 0 on */
	unsigned int want;	/* pages with the one that faulted, behind them */
};

static const struct choice_case adaptive_cases[] = {
	{ "memory suffices: 1 %, so the first fault brings the block", { 0, 0, false }, 1, 51,
	  false, 0, 512 },
	{ "the user's threshold for that: 16 of 64", { 0, 0, false }, 24, 51, false, 0, 64 },
	{ "never above the tree's", { 0, 0, false }, 100, 51, false, 0, 16 },
	{ "half of what comes evicts: 26 %, 16 of 32 do", { 50, 0, false }, 1, 51, false, 0, 32 },
	{ "all evicts, nothing comes back: as the tree, 16 of 32 do not", { 100, 0, false }, 1,
	  51, false, 0, 16 },
	{ "as the tree: 48 of 64 do", { 100, 0, false }, 1, 51, false, 32, 64 },
	{ "a quarter comes back: 75 %, 48 of 64 do not", { 100, 25, false }, 1, 51, false, 32, 48 },
	{ "but 112 of 128 do", { 100, 25, false }, 1, 51, false, 96, 128 },
	{ "half comes back: 99 %, its 64 KB alone", { 100, 50, false }, 1, 51, false, 96, 112 },
	{ "more is not more", { 100, 100, false }, 1, 51, false, 96, 112 },
	{ "comes back, but evicts nothing: 1 %", { 0, 100, false }, 1, 51, false, 0, 512 },
	{ "a tree that fills nothing: 99 % still brings 64 KB", { 100, 0, false }, 1, 100, false,
	  0, 16 },
	{ "stopped: the page alone", { 0, 0, true }, 1, 51, false, 0, 1 },
	{ "to the CPU: the tree, whatever the GPU does", { 0, 0, true }, 1, 51, true, 0, 16 },
	{ "to the CPU: not 1 %", { 0, 0, false }, 1, 51, true, 0, 16 },
};

static const struct choice_case fitting_cases[] = {
	{ "memory suffices: the tree, 32 of 32", { 0, 0, false }, 1, 51, false, 16, 32 },
	{ "the tree: 48 of 64 are", { 0, 0, false }, 1, 51, false, 32, 64 },
	{ "something is evicted: the 64 KB alone", { 1, 0, false }, 1, 51, false, 32, 48 },
	{ "whatever comes back", { 100, 50, true }, 1, 51, false, 96, 112 },
	{ "the user's threshold if it is higher: the page alone", { 1, 0, false }, 1, 100, false,
	  0, 1 },
	{ "to the CPU: the tree", { 100, 0, false }, 1, 51, true, 32, 64 },
};

static void check_choices(struct kunit *test, const char *name, const struct choice_case *cases,
			  unsigned int count)
{
	const struct uvm_prefetch_ops *ops = uvm_policy_find_prefetch(name);

	KUNIT_ASSERT_NOT_NULL(test, ops);
	for (int i = 0; i < count; i++) {
		const struct choice_case *c = &cases[i];
		struct uvm_params *params = fixture_params(test);
		char min[16];
		struct uvm_page_mask resident, faulted, got;
		struct uvm_prefetch_input in = {
			.resident = &resident,
			.faulted = &faulted,
			.max_region = { 0, BLOCK },
			.faulted_region = { 0, BLOCK },
			.threshold = c->threshold,
			.params = params,
			.load = c->load,
			.dst_is_cpu = c->cpu,
		};

		uvm_page_mask_zero(&resident);
		uvm_page_mask_or_region(&resident, uvm_region_make(0, c->resident));
		uvm_page_mask_zero(&faulted);
		uvm_page_mask_set(&faulted, c->resident);
		snprintf(min, sizeof(min), "%u", c->min);
		FIXTURE_SET(test, params, "perf_prefetch_threshold_min", min);
		ops->select(&in, &got);
		uvm_page_mask_or(&got, &got, &resident);
		uvm_page_mask_or(&got, &got, &faulted);
		KUNIT_EXPECT_EQ_MSG(test, uvm_page_mask_weight(&got), c->want, "%s", c->rule);
	}
}

static void adaptive_choices(struct kunit *test)
{
	check_choices(test, "adaptive", adaptive_cases, ARRAY_SIZE(adaptive_cases));
}

static void fitting_choices(struct kunit *test)
{
	check_choices(test, "fitting", fitting_cases, ARRAY_SIZE(fitting_cases));
}

/* First touch with a preferred location brings all, but not when stopped. */
static void adaptive_first_touch(struct kunit *test)
{
	struct uvm_page_mask faulted, got;
	struct uvm_prefetch_input in = {
		.faulted = &faulted,
		.max_region = { 0, 32 },
		.faulted_region = { 0, 32 },
		.threshold = 51,
		.params = fixture_params(test),
		.load = { 100, 50, false },
		.first_touch_preferred = true,
	};

	uvm_page_mask_zero(&faulted);
	uvm_page_mask_set(&faulted, 3);
	uvm_policy_find_prefetch("adaptive")->select(&in, &got);
	KUNIT_EXPECT_EQ(test, uvm_page_mask_weight(&got), 31);
	in.load.stopped = true;
	uvm_page_mask_fill(&got);
	uvm_policy_find_prefetch("adaptive")->select(&in, &got);
	KUNIT_EXPECT_TRUE(test, uvm_page_mask_empty(&got));
}

static struct kunit_case prefetch_load_cases[] = {
	KUNIT_CASE(load_examples),
	KUNIT_CASE(load_window_ends),
	KUNIT_CASE(adaptive_choices),
	KUNIT_CASE(fitting_choices),
	KUNIT_CASE(adaptive_first_touch),
	{}
};

struct kunit_suite uvm_prefetch_load_suite = {
	.name = "uvm_prefetch_load",
	.test_cases = prefetch_load_cases,
};
