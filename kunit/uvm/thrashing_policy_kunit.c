// SPDX-License-Identifier: GPL-2.0
/*
 * Thrashing policies: what they say about a fault on a page that thrashes (nvidia-uvm
 * 5.4, steps 7 and 8).
 */
#include <kunit/test.h>
#include "uvm/policy/policy.h"
#include "uvm_pure.h"

#define CPU	UVM_ID_CPU
#define GPU0	UVM_ID_GPU(0)
#define GPU1	UVM_ID_GPU(1)
#define NOBODY	UVM_ID_INVALID
#define B(id)	BIT(id)

#define NONE	UVM_THRASHING_HINT_NONE
#define THROTTLE UVM_THRASHING_HINT_THROTTLE
#define PIN	UVM_THRASHING_HINT_PIN

struct decide_case {
	const char *rule;
	struct uvm_thrashing_query q;
	enum uvm_thrashing_hint hint;
	u8 where;
};

/* The CPU and a GPU on PCIe, which reaches system memory; not the other way round. */
#define PAIR	.processors = B(CPU) | B(GPU0), .common = B(CPU), .closest_common = CPU
#define BY_CPU	.requester = CPU, .accessible = B(CPU)
#define BY_GPU	.requester = GPU0, .accessible = B(CPU) | B(GPU0)
#define NO_PREF	.preferred = NOBODY
#define LOOSE	.pinned_at = NOBODY
/* Two GPUs that reach each other as fast as themselves; the CPU is not among them. */
#define PEERS	.processors = B(GPU0) | B(GPU1), .common = B(GPU0) | B(GPU1) | B(CPU), \
		.fast = B(GPU0) | B(GPU1), .requester = GPU0, .closest_common = GPU0, \
		.accessible = B(GPU0) | B(GPU1) | B(CPU)
/* Two GPUs that reach only system memory in common. */
#define STRANGERS .processors = B(GPU0) | B(GPU1), .common = B(CPU), .closest_common = CPU, \
		.requester = GPU0, .accessible = B(CPU) | B(GPU0)
/* Two processors without memory that both reach. */
#define APART	.processors = B(GPU0) | B(GPU1), .common = 0, .closest_common = NOBODY, \
		.requester = GPU0, .accessible = B(GPU0)

static const struct decide_case decide_cases[] = {
	{ "7: pinned, and permissions were revoked: wait",
	  { BY_GPU, PAIR, NO_PREF, .pinned_at = CPU, .free_pass = CPU, .revoked = true },
	  THROTTLE },
	{ "7: not who has the free pass",
	  { BY_GPU, PAIR, NO_PREF, .pinned_at = CPU, .free_pass = GPU0, .revoked = true },
	  PIN, CPU },
	{ "7: before the preferred location",
	  { BY_GPU, PAIR, .preferred = CPU, .pinned_at = CPU, .free_pass = CPU, .revoked = true },
	  THROTTLE },
	{ "7: only if it is pinned",
	  { BY_GPU, PAIR, .preferred = CPU, LOOSE, .free_pass = CPU, .revoked = true },
	  PIN, CPU },
	{ "8a: preferred location that all reach",
	  { BY_GPU, PAIR, .preferred = CPU, LOOSE, .free_pass = CPU, .resident = GPU0 },
	  PIN, CPU },
	{ "8a: wherever it is pinned",
	  { BY_GPU, PAIR, .preferred = CPU, .pinned_at = GPU0, .free_pass = CPU }, PIN, CPU },
	{ "8a: not if one does not reach it",
	  { BY_CPU, PAIR, .preferred = GPU0, LOOSE, .free_pass = GPU0, .resident = GPU0 },
	  THROTTLE },
	{ "8b: all are fast where it is",
	  { PEERS, NO_PREF, LOOSE, .resident = GPU1, .free_pass = GPU1 }, PIN, GPU1 },
	{ "8b: also with a preferred location that does not fight and is out of reach",
	  { PEERS, .preferred = UVM_ID_GPU(2), LOOSE, .resident = GPU1, .free_pass = GPU1 },
	  PIN, GPU1 },
	{ "8b: not if the preferred location fights",
	  { .requester = GPU0, .processors = B(GPU0) | B(GPU1) | B(UVM_ID_GPU(2)),
	    .preferred = UVM_ID_GPU(2), .fast = B(GPU1), .common = B(GPU1), .resident = GPU1,
	    .closest_common = GPU1, .accessible = B(GPU0) | B(GPU1), LOOSE, .free_pass = GPU1 },
	  THROTTLE },
	{ "8b: not if one is slow there",
	  { STRANGERS, NO_PREF, LOOSE, .resident = CPU, .free_pass = GPU1 }, THROTTLE },
	{ "8b: not if it is nowhere",
	  { PEERS, NO_PREF, LOOSE, .resident = NOBODY, .free_pass = GPU1 }, THROTTLE },
	{ "8b: at the CPU, all reach the asking GPU: there",
	  { .requester = GPU0, .processors = B(CPU) | B(GPU0), .common = B(CPU) | B(GPU0),
	    .fast = B(CPU) | B(GPU0), .accessible = B(CPU) | B(GPU0), .resident = CPU,
	    .closest_common = GPU0, NO_PREF, LOOSE, .free_pass = CPU }, PIN, GPU0 },
	{ "8b: at the CPU, and the CPU asks: nothing",
	  { .requester = CPU, .processors = B(CPU) | B(GPU0), .common = B(CPU) | B(GPU0),
	    .fast = B(CPU) | B(GPU0), .accessible = B(CPU) | B(GPU0), .resident = CPU,
	    .closest_common = CPU, NO_PREF, LOOSE, .free_pass = GPU0 }, NONE },
	{ "8b: at the CPU, and the asking GPU is out of reach: stays",
	  { .requester = GPU0, .processors = B(CPU) | B(GPU0), .common = B(CPU),
	    .fast = B(CPU), .accessible = B(CPU) | B(GPU0), .resident = CPU,
	    .closest_common = CPU, NO_PREF, LOOSE, .free_pass = CPU }, PIN, CPU },
	{ "8c: preferred asks, pinned there",
	  { BY_GPU, PAIR, .preferred = GPU0, .pinned_at = GPU0, .free_pass = CPU }, PIN, GPU0 },
	{ "8c: preferred asks, pinned elsewhere, free pass",
	  { BY_GPU, PAIR, .preferred = GPU0, .pinned_at = CPU, .free_pass = GPU0 }, PIN, GPU0 },
	{ "8c: preferred asks, pinned elsewhere, no free pass",
	  { BY_GPU, PAIR, .preferred = GPU0, .pinned_at = CPU, .free_pass = CPU }, THROTTLE },
	{ "8c: preferred asks, not pinned, no free pass",
	  { BY_GPU, PAIR, .preferred = GPU0, LOOSE, .free_pass = CPU, .persistent = true },
	  THROTTLE },
	{ "8c: preferred asks, not pinned, throttled too often",
	  { BY_GPU, PAIR, .preferred = GPU0, LOOSE, .free_pass = GPU0, .persistent = true },
	  PIN, GPU0 },
	{ "8c: preferred asks, not pinned, not yet too often",
	  { BY_GPU, PAIR, .preferred = GPU0, LOOSE, .free_pass = GPU0 }, NONE },
	{ "8d: free pass, all reach who asks",
	  { BY_CPU, PAIR, NO_PREF, .pinned_at = GPU0, .free_pass = CPU }, PIN, CPU },
	{ "8d: free pass, not all reach who asks: closest place that all do",
	  { BY_GPU, PAIR, NO_PREF, .pinned_at = CPU, .free_pass = GPU0 }, PIN, CPU },
	{ "8d: free pass, there is no such place: who asks",
	  { APART, NO_PREF, .pinned_at = GPU1, .free_pass = GPU0 }, PIN, GPU0 },
	{ "8d: no free pass, in reach where it is pinned",
	  { BY_GPU, PAIR, NO_PREF, .pinned_at = CPU, .free_pass = CPU }, PIN, CPU },
	{ "8d: no free pass, out of reach",
	  { BY_CPU, PAIR, NO_PREF, .pinned_at = GPU0, .free_pass = GPU0 }, THROTTLE },
	{ "8d: preferred fights but does not ask",
	  { BY_CPU, PAIR, .preferred = GPU0, .pinned_at = GPU0, .free_pass = NOBODY }, THROTTLE },
	{ "8e: no free pass", { BY_GPU, PAIR, NO_PREF, LOOSE, .free_pass = CPU }, THROTTLE },
	{ "8e: no free pass, though throttled often",
	  { BY_GPU, PAIR, NO_PREF, LOOSE, .free_pass = NOBODY, .persistent = true }, THROTTLE },
	{ "8e: free pass, throttled too often: pinned at who asks",
	  { BY_GPU, PAIR, NO_PREF, LOOSE, .free_pass = GPU0, .persistent = true }, PIN, GPU0 },
	{ "8e: free pass, not yet too often",
	  { BY_GPU, PAIR, NO_PREF, LOOSE, .free_pass = GPU0 }, NONE },
};

static void thrashing_policy_decide(struct kunit *test)
{
	const struct uvm_thrashing_ops *ops = uvm_policy_find_thrashing("throttle_pin");

	KUNIT_ASSERT_NOT_NULL(test, ops);
	KUNIT_EXPECT_TRUE(test, ops->detect);
	for (int i = 0; i < ARRAY_SIZE(decide_cases); i++) {
		const struct decide_case *c = &decide_cases[i];
		struct uvm_thrashing_answer got = ops->decide(&c->q);

		KUNIT_EXPECT_EQ_MSG(test, got.hint, c->hint, "%s", c->rule);
		if (c->hint == PIN)
			KUNIT_EXPECT_EQ_MSG(test, got.where, c->where, "%s", c->rule);
	}
}

static void thrashing_policy_decide_none(struct kunit *test)
{
	const struct uvm_thrashing_ops *ops = uvm_policy_find_thrashing("none");

	KUNIT_ASSERT_NOT_NULL(test, ops);
	KUNIT_EXPECT_FALSE(test, ops->detect);
	for (int i = 0; i < ARRAY_SIZE(decide_cases); i++)
		KUNIT_EXPECT_EQ(test, ops->decide(&decide_cases[i].q).hint, NONE);
}

static void thrashing_policy_is_checked(struct kunit *test)
{
	struct uvm_thrashing_query q = { .requester = GPU0, .accessible = B(CPU) | B(GPU0) };
	static const struct {
		struct uvm_thrashing_answer in, out;
	} cases[] = {
		{ { PIN, CPU }, { PIN, CPU } },
		{ { PIN, GPU1 }, { PIN, GPU0 } },
		{ { PIN, NOBODY }, { PIN, GPU0 } },
		{ { PIN, UVM_MAX_PROCESSORS }, { PIN, GPU0 } },
		{ { THROTTLE, CPU }, { THROTTLE, NOBODY } },
		{ { NONE, CPU }, { NONE, NOBODY } },
		{ { 99, CPU }, { NONE, NOBODY } },
	};

	for (int i = 0; i < ARRAY_SIZE(cases); i++) {
		struct uvm_thrashing_answer got = uvm_policy_check_thrashing(&q, cases[i].in);

		KUNIT_EXPECT_EQ(test, got.hint, cases[i].out.hint);
		KUNIT_EXPECT_EQ(test, got.where, cases[i].out.where);
	}
}

static struct kunit_case thrashing_policy_cases[] = {
	KUNIT_CASE(thrashing_policy_decide),
	KUNIT_CASE(thrashing_policy_decide_none),
	KUNIT_CASE(thrashing_policy_is_checked),
	{}
};

struct kunit_suite uvm_thrashing_policy_suite = {
	.name = "uvm_thrashing_policy",
	.test_cases = thrashing_policy_cases,
};
