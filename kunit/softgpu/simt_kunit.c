// SPDX-License-Identifier: GPL-2.0
/*
 * softgpu divergence and reconvergence: order of diverged lanes.  Rule:
 * deepest call frame, then lowest PC; after 1,024 picks that leave others
 * waiting, those get a turn; lanes that meet at a PC go on together.
 */
#include <kunit/test.h>
#include <linux/slab.h>
#include "softgpu/isa/simt.h"
#include "softgpu/isa/warp.h"

/**
 * struct simt_step - one thing that happens and who executes then
 * @op: b branch, g uniform goto, c call by all, r return by all, n next
 *	instruction, x exit, p park, u unpark
 * @lanes: b: taken; x: leaving; p, u: the result
 * @target: b, g, c, r: instruction
 * @active: lanes that execute afterwards
 * @pc: at this instruction
 */
struct simt_step {
	char op;
	u32 lanes;
	u32 target;
	u32 active;
	u32 pc;
};

struct simt_case {
	const char *name;
	u32 lanes;
	struct simt_step steps[12];
};

static const struct simt_case simt_cases[] = {
	{ "if without else joins at its end", 0xff, {
		{ 'b', 0x0f, 12, 0xf0, 11 }, { 'n', 0, 0, 0xff, 12 } } },
	{ "nobody takes a branch", 0xff, { { 'b', 0, 50, 0xff, 11 } } },
	{ "all take a branch", 0xff, { { 'b', 0xff, 50, 0xff, 50 } } },
	{ "idle lanes do not decide", 0x0f, { { 'b', 0xfffffff0, 50, 0x0f, 11 } } },
	{ "backwards first: the loop runs until all are through", 0x03, {
		{ 'b', 0x01, 5, 0x01, 5 }, { 'g', 0, 10, 0x01, 10 }, { 'b', 0, 5, 0x03, 11 } } },
	{ "if and else, then the join", 0x0f, {
		{ 'b', 0x03, 20, 0x0c, 11 }, { 'g', 0, 30, 0x03, 20 }, { 'g', 0, 30, 0x0f, 30 } } },
	{ "a jump past the waiting lanes lets them go first", 0x0f, {
		{ 'b', 0x03, 20, 0x0c, 11 }, { 'g', 0, 21, 0x03, 20 }, { 'n', 0, 0, 0x0f, 21 } } },
	{ "a called function ends before lower code outside goes on", 0x03, {
		{ 'b', 0x01, 40, 0x02, 11 }, { 'c', 0, 100, 0x02, 100 },
		{ 'r', 0, 12, 0x02, 12 } } },
	{ "same PC, other depth: no join", 0x03, {
		{ 'b', 0x01, 100, 0x02, 11 }, { 'c', 0, 100, 0x02, 100 }, { 'n', 0, 0, 0x02, 101 },
		{ 'r', 0, 12, 0x02, 12 }, { 'g', 0, 100, 0x03, 100 } } },
	{ "nested divergence joins inside out", 0x0f, {
		{ 'b', 0x08, 40, 0x07, 11 }, { 'b', 0x04, 20, 0x03, 12 },
		{ 'b', 0x02, 14, 0x01, 13 },
		{ 'n', 0, 0, 0x03, 14 }, { 'g', 0, 20, 0x07, 20 }, { 'g', 0, 40, 0x0f, 40 } } },
	{ "exit of some: the others go on", 0x0f, {
		{ 'b', 0x03, 20, 0x0c, 11 }, { 'x', 0x0c, 0, 0x03, 20 },
		{ 'n', 0, 0, 0x03, 21 } } },
	{ "exit of all", 0x0f, { { 'x', 0x0f, 0, 0, 0 } } },
	{ "parked lanes wait for the others", 0x0f, {
		{ 'b', 0x03, 20, 0x0c, 11 }, { 'p', 0, 0, 0x03, 20 }, { 'g', 0, 11, 0x03, 11 },
		{ 'p', 1, 0, 0x0f, 11 } } },
	{ "parked at different places", 0x0f, {
		{ 'b', 0x03, 20, 0x0c, 11 }, { 'p', 0, 0, 0x03, 20 },
		{ 'p', -EDEADLK, 0, 0x03, 20 } } },
	{ "parked: those that have exited are not waited for", 0x0f, {
		{ 'b', 0x03, 20, 0x0c, 11 }, { 'x', 0x0c, 0, 0x03, 20 },
		{ 'p', 1, 0, 0x03, 20 } } },
	{ "the last that was not parked exits", 0x0f, {
		{ 'b', 0x03, 20, 0x0c, 11 }, { 'p', 0, 0, 0x03, 20 }, { 'x', 0x01, 0, 0x02, 20 },
		{ 'n', 0, 0, 0x02, 21 }, { 'x', 0x02, 0, 0, 0 }, { 'u', 1, 0, 0x0c, 11 },
		{ 'n', 0, 0, 0x0c, 12 } } },
	{ "one of those that are not parked exits", 0x0f, {
		{ 'b', 0x03, 20, 0x0c, 11 }, { 'p', 0, 0, 0x03, 20 }, { 'x', 0x01, 0, 0x02, 20 },
		{ 'u', 0, 0, 0x02, 20 } } },
	{ "those that are left are parked at different places", 0x0f, {
		{ 'b', 0x0c, 20, 0x03, 11 }, { 'b', 0x02, 30, 0x01, 12 }, { 'p', 0, 0, 0x0c, 20 },
		{ 'p', 0, 0, 0x02, 30 }, { 'x', 0x02, 0, 0, 0 }, { 'u', -EDEADLK, 0, 0, 0 } } },
	{ "all have exited: nobody waits", 0x03, {
		{ 'x', 0x03, 0, 0, 0 }, { 'u', 0, 0, 0, 0 } } },
};

static void simt_desc(const struct simt_case *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(simt, simt_cases, simt_desc);

static struct sgpu_warp *simt_warp(struct kunit *test, u32 lanes)
{
	struct sgpu_warp *warp = kunit_kzalloc(test, sizeof(*warp), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, warp);
	sgpu_simt_start(warp, lanes, 10);
	return warp;
}

static void simt_do(struct kunit *test, struct sgpu_warp *warp, const struct simt_step *s)
{
	switch (s->op) {
	case 'b':
		sgpu_simt_branch(warp, s->lanes, s->target, warp->pc + 1);
		break;
	case 'g':
		sgpu_simt_goto(warp, s->target, 0);
		break;
	case 'c':
		sgpu_simt_goto(warp, s->target, 1);
		break;
	case 'r':
		sgpu_simt_goto(warp, s->target, -1);
		break;
	case 'n':
		warp->pc++;
		break;
	case 'x':
		sgpu_simt_exit(warp, s->lanes);
		break;
	case 'p':
		KUNIT_EXPECT_EQ(test, (int)s->lanes, sgpu_simt_park(warp));
		return;
	case 'u':
		KUNIT_EXPECT_EQ(test, (int)s->lanes, sgpu_simt_unpark(warp));
		return;
	}
	if (!sgpu_warp_converged(warp))
		sgpu_simt_picked(warp);
}

static void simt_order(struct kunit *test)
{
	const struct simt_case *c = test->param_value;
	struct sgpu_warp *warp = simt_warp(test, c->lanes);
	u32 i;

	for (i = 0; i < ARRAY_SIZE(c->steps) && c->steps[i].op; i++) {
		simt_do(test, warp, &c->steps[i]);
		KUNIT_ASSERT_EQ_MSG(test, c->steps[i].active, warp->active, "step %u", i);
		if (!warp->active)
			continue;
		KUNIT_ASSERT_EQ_MSG(test, c->steps[i].pc, warp->pc, "step %u", i);
	}
}

/* Lane 0 spins at 11; lane 1, which holds the lock, waits at 20. */
static void simt_fairness(struct kunit *test)
{
	struct sgpu_warp *warp = simt_warp(test, 3);
	u32 picks = 0;

	sgpu_simt_branch(warp, 2, 20, 11);
	KUNIT_ASSERT_EQ(test, 1, warp->active);
	while (warp->active == 1 && picks < 5000) {
		sgpu_simt_branch(warp, warp->active, 11, 12);
		sgpu_simt_picked(warp);
		picks++;
	}
	KUNIT_EXPECT_EQ(test, SGPU_FAIR_PICKS, picks);
	KUNIT_EXPECT_EQ(test, 2, warp->active);
	KUNIT_EXPECT_EQ(test, 20, warp->pc);
	/* the holder does not lose its turn at once, and the spinner gets one again */
	for (picks = 0; warp->active == 2 && picks < 5000; picks++) {
		warp->pc = 21;
		sgpu_simt_picked(warp);
	}
	KUNIT_EXPECT_EQ(test, SGPU_FAIR_PICKS, picks);
	KUNIT_EXPECT_EQ(test, 1, warp->active);
}

/* With three groups that never meet, all of them run. */
static void simt_fairness_three(struct kunit *test)
{
	struct sgpu_warp *warp = simt_warp(test, 7);
	u32 seen = 0, picks;

	sgpu_simt_branch(warp, 6, 20, 11);
	sgpu_simt_exit(warp, 0);
	KUNIT_ASSERT_EQ(test, 1, warp->active);
	for (picks = 0; picks < 6 * SGPU_FAIR_PICKS; picks++) {
		if (warp->active == 6)
			sgpu_simt_branch(warp, 4, 40, warp->pc);
		seen |= warp->active;
		if (!sgpu_warp_converged(warp))
			sgpu_simt_picked(warp);
	}
	KUNIT_EXPECT_EQ(test, 7, seen);
}

static struct kunit_case simt_suite_cases[] = {
	KUNIT_CASE_PARAM(simt_order, simt_gen_params),
	KUNIT_CASE(simt_fairness),
	KUNIT_CASE(simt_fairness_three),
	{}
};

struct kunit_suite softgpu_simt_suite = {
	.name = "softgpu_simt",
	.test_cases = simt_suite_cases,
};
