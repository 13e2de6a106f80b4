// SPDX-License-Identifier: GPL-2.0
/*
 * Policies: the lists, and what the small ones answer.
 */
#include <kunit/test.h>
#include "uvm/policy/param.h"
#include "uvm/policy/policy.h"
#include "uvm_pure.h"

#define GPU0	UVM_ID_GPU(0)
#define GPU1	UVM_ID_GPU(1)
#define CPU	UVM_ID_CPU
#define NONE	UVM_ID_INVALID
#define ACC(id)	BIT(id)

/* Is every word the name of a parameter? */
static void policy_check_params(struct kunit *test, const struct uvm_policy *policy)
{
	struct uvm_params *params = kunit_kzalloc(test, sizeof(*params), GFP_KERNEL);
	char *names = kunit_kstrdup(test, policy->params ?: "", GFP_KERNEL), *name;
	struct uvm_get_param got = { };
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, params);
	KUNIT_ASSERT_NOT_NULL(test, names);
	uvm_params_defaults(params);
	while ((name = strsep(&names, " "))) {
		if (!*name)
			continue;
		for (i = 0; !uvm_params_get(params, i, &got) && strcmp(got.name, name); i++)
			;
		KUNIT_EXPECT_STREQ_MSG(test, got.name, name, "%s: no such parameter",
				       policy->name);
	}
}

/* What users are told of a policy is whole, and it is found by its name and kind alone. */
static void policy_check_one(struct kunit *test, enum uvm_policy_kind kind,
			     const struct uvm_policy *policy)
{
	KUNIT_EXPECT_EQ(test, policy->kind, kind);
	KUNIT_EXPECT_PTR_EQ(test, uvm_policy_find(kind, policy->name), policy);
	KUNIT_EXPECT_LT(test, strlen(policy->name), sizeof_field(struct uvm_set_param, value));
	KUNIT_EXPECT_GT(test, strlen(policy->what), 0UL);
	KUNIT_EXPECT_LT_MSG(test, strlen(policy->what),
			    sizeof_field(struct uvm_get_choice, what), "%s", policy->name);
	KUNIT_EXPECT_LT_MSG(test, strlen(policy->params ?: ""),
			    sizeof_field(struct uvm_get_choice, params), "%s", policy->name);
	policy_check_params(test, policy);
}

/* Policies of a kind are listed once, in the order of their names; nothing else is found. */
static void policy_lists(struct kunit *test)
{
	const struct uvm_policy *policy, *last;
	unsigned int kind, i;

	for (kind = 0; kind < UVM_POLICY_COUNT; kind++) {
		last = NULL;
		for (i = 0; (policy = uvm_policy_nth(kind, i)); i++, last = policy) {
			policy_check_one(test, kind, policy);
			if (last)
				KUNIT_EXPECT_LT(test, strcmp(last->name, policy->name), 0);
		}
		KUNIT_EXPECT_GT(test, i, 1);
		KUNIT_EXPECT_NULL(test, uvm_policy_nth(kind, i + 7));
		KUNIT_ASSERT_NOT_NULL(test, uvm_policy_default(kind));
		KUNIT_EXPECT_NULL(test, uvm_policy_find(kind, ""));
		KUNIT_EXPECT_NULL(test, uvm_policy_find(kind, "no_such_policy"));
		KUNIT_EXPECT_LT(test, strlen(uvm_policy_kind_name(kind)),
				sizeof_field(struct uvm_get_choice, kind));
	}
}

/* Found by Kbuild, from files of their own: some that there must be. */
static void policy_found(struct kunit *test)
{
	KUNIT_EXPECT_NOT_NULL(test, uvm_policy_find_replay("batch_flush"));
	KUNIT_EXPECT_NOT_NULL(test, uvm_policy_find_prefetch("adaptive"));
	KUNIT_EXPECT_NOT_NULL(test, uvm_policy_find_eviction("random"));
	KUNIT_EXPECT_NOT_NULL(test, uvm_policy_find_residency("delayed"));
	KUNIT_EXPECT_NOT_NULL(test, uvm_policy_find_thrashing("none"));
	KUNIT_EXPECT_NOT_NULL(test, uvm_policy_find_timing("ideal"));
	KUNIT_EXPECT_NOT_NULL(test, uvm_policy_find_concurrency("throttle"));
	KUNIT_EXPECT_NULL(test, uvm_policy_find_concurrency("batch_flush"));
}

struct timing_case {
	const char *name;
	bool pipelined, serial, free;
	unsigned int units, taken, before, after;
};

static const struct timing_case timing_cases[] = {
	{ "reactive", false, false, false, 100, 7, 0, 0 },
	{ "serial", false, true, false, 100, 7, 0, 0 },
	/* a single one, however much the last batch took */
	{ "unobtrusive", true, false, false, 100, 7, 1, 0 },
	{ "unobtrusive", true, false, false, 1, 0, 0, 0 },
	/* as much as the last batch took, at most a quarter */
	{ "proactive", false, false, false, 100, 7, 0, 7 },
	{ "proactive", false, false, false, 100, 26, 0, 25 },
	{ "proactive", false, false, false, 100, 0, 0, 0 },
	{ "ideal", false, false, true, 100, 7, 0, 0 },
	/* as many as the last batch took, at least one, at most a quarter */
	{ "eager", true, false, false, 100, 7, 7, 0 },
	{ "eager", true, false, false, 100, 26, 25, 0 },
	{ "eager", true, false, false, 100, 0, 1, 0 },
	{ "eager", true, false, false, 1, 1, 0, 0 },
};

static void policy_timing_answers(struct kunit *test)
{
	for (int i = 0; i < ARRAY_SIZE(timing_cases); i++) {
		const struct timing_case *c = &timing_cases[i];
		const struct uvm_timing_ops *ops = uvm_policy_find_timing(c->name);
		struct uvm_timing_query q = { .units = c->units, .taken = c->taken };
		unsigned int before, after;

		KUNIT_ASSERT_NOT_NULL(test, ops);
		before = ops->before ? ops->before(&q) : 0;
		after = ops->after ? ops->after(&q) : 0;
		KUNIT_EXPECT_EQ_MSG(test, ops->pipelined, c->pipelined, "%s", c->name);
		KUNIT_EXPECT_EQ_MSG(test, ops->serial, c->serial, "%s", c->name);
		KUNIT_EXPECT_EQ_MSG(test, ops->free, c->free, "%s", c->name);
		KUNIT_EXPECT_EQ_MSG(test, uvm_policy_check_timing(&q, before), c->before, "%s",
				    c->name);
		KUNIT_EXPECT_EQ_MSG(test, uvm_policy_check_timing(&q, after), c->after, "%s",
				    c->name);
	}
}

/* Half of memory at most: the rest is for those who run. */
static void policy_timing_is_checked(struct kunit *test)
{
	struct uvm_timing_query q = { .units = 9 };

	KUNIT_EXPECT_EQ(test, uvm_policy_check_timing(&q, 4), 4);
	KUNIT_EXPECT_EQ(test, uvm_policy_check_timing(&q, UINT_MAX), 4);
	q.units = 0;
	KUNIT_EXPECT_EQ(test, uvm_policy_check_timing(&q, 1), 0);
}

struct replay_case {
	const char *name;
	bool stale_block, fresh_block;	/* replays after it */
	bool empty, below_half, half;	/* after a batch with the ring that full */
	bool flush, wait;
};

/* nvidia-uvm's four policies, and ours. */
static const struct replay_case replay_cases[] = {
	{ "block", true, true, false, false, false, false, false },
	{ "batch", false, false, true, true, true, false, false },
	{ "batch_flush", false, false, true, true, true, true, true },
	{ "once", false, false, false, false, false, false, false },
	{ "block_flush", false, true, false, false, true, true, true },
};

static void policy_replay_rules(struct kunit *test)
{
	for (int i = 0; i < ARRAY_SIZE(replay_cases); i++) {
		const struct replay_case *c = &replay_cases[i];
		const struct uvm_replay_ops *ops = uvm_policy_find_replay(c->name);

		KUNIT_ASSERT_NOT_NULL(test, ops);
		KUNIT_EXPECT_EQ_MSG(test, c->stale_block,
				    uvm_policy_replays_block(ops, false, false), "%s", c->name);
		KUNIT_EXPECT_EQ_MSG(test, c->fresh_block,
				    uvm_policy_replays_block(ops, true, false), "%s", c->name);
		KUNIT_EXPECT_FALSE_MSG(test, uvm_policy_replays_block(ops, true, true),
				       "%s: with a fatal fault", c->name);
		KUNIT_EXPECT_EQ_MSG(test, uvm_policy_replays_batch(ops, 0, 1024), c->empty,
				    "%s", c->name);
		KUNIT_EXPECT_EQ_MSG(test, uvm_policy_replays_batch(ops, 511, 1024), c->below_half,
				    "%s", c->name);
		KUNIT_EXPECT_EQ_MSG(test, uvm_policy_replays_batch(ops, 512, 1024), c->half,
				    "%s", c->name);
		KUNIT_EXPECT_EQ_MSG(test, uvm_policy_replays_batch(ops, 1023, 1024), c->half,
				    "%s", c->name);
		KUNIT_EXPECT_EQ_MSG(test, ops->flush, c->flush, "%s", c->name);
		KUNIT_EXPECT_EQ_MSG(test, ops->wait, c->wait, "%s", c->name);
	}
}

struct residency_case {
	const char *policy;
	const char *rule;
	struct uvm_residency_query query;
	u8 want;
};

#define BOTH	(ACC(CPU) | ACC(GPU0))
#define COUNTER	UVM_OPERATION_ACCESS_COUNTER

/* requester, preferred, resident, pinned, access, accessible, and what else matters */
#define Q(r, p, at, pin, acc, can, ...) { \
	.requester = (r), .preferred = (p), .resident = (at), .pinned = (pin), \
	.access = UVM_ACCESS_##acc, .accessible = (can), ##__VA_ARGS__ }

/* Steps are those of nvidia-uvm 3.1. */
static const struct residency_case residency_cases[] = {
	{ "first_touch", "3: requester is the preferred location",
	  Q(GPU0, GPU0, CPU, NONE, READ, BOTH), GPU0 },
	{ "first_touch", "3 before 5: preferred here, pinned there",
	  Q(GPU0, GPU0, CPU, CPU, READ, BOTH), GPU0 },
	{ "first_touch", "5: pinned", Q(GPU0, NONE, GPU0, CPU, WRITE, BOTH), CPU },
	{ "first_touch", "5 before 7: pinned elsewhere than it is",
	  Q(GPU0, NONE, CPU, GPU0, READ, BOTH, .accessed_by = true), GPU0 },
	{ "first_touch", "6: resident nowhere, no preferred: requester",
	  Q(GPU0, NONE, NONE, NONE, READ, BOTH), GPU0 },
	{ "first_touch", "6: resident nowhere: preferred",
	  Q(GPU0, CPU, NONE, NONE, WRITE, BOTH), CPU },
	{ "first_touch", "6: preferred out of reach: requester",
	  Q(CPU, GPU0, NONE, NONE, WRITE, ACC(CPU)), CPU },
	{ "first_touch", "6: accessed by the requester changes nothing",
	  Q(GPU0, NONE, NONE, NONE, READ, BOTH, .accessed_by = true), GPU0 },
	{ "first_touch", "7: accessed by the requester, in reach: stays",
	  Q(GPU0, NONE, CPU, NONE, READ, BOTH, .accessed_by = true), CPU },
	{ "first_touch", "7 before 9: and not to the preferred location",
	  Q(GPU0, GPU1, CPU, NONE, WRITE, BOTH | ACC(GPU1), .accessed_by = true), CPU },
	{ "first_touch", "7: out of reach: comes",
	  Q(CPU, NONE, GPU0, NONE, READ, ACC(CPU), .accessed_by = true), CPU },
	{ "first_touch", "7: a counter that ran full moves it nevertheless",
	  Q(GPU0, NONE, CPU, NONE, READ, BOTH, .accessed_by = true,
	    .operation = UVM_OPERATION_ACCESS_COUNTER), GPU0 },
	{ "first_touch", "9: elsewhere: preferred if in reach",
	  Q(GPU0, CPU, GPU1, NONE, READ, BOTH), CPU },
	{ "first_touch", "9: preferred out of reach: requester",
	  Q(GPU0, GPU1, CPU, NONE, READ, BOTH), GPU0 },
	{ "first_touch", "9: already with the requester: stays",
	  Q(GPU0, CPU, GPU0, NONE, WRITE, BOTH), GPU0 },
	{ "first_touch", "6: resident nowhere: preferred, at a peer",
	  Q(GPU0, GPU1, NONE, NONE, WRITE, BOTH | ACC(GPU1)), GPU1 },
	{ "first_touch", "7: accessed by the requester, at a peer: stays",
	  Q(GPU0, NONE, GPU1, NONE, WRITE, BOTH | ACC(GPU1), .accessed_by = true), GPU1 },
	{ "first_touch", "9: preferred is a peer",
	  Q(GPU0, GPU1, CPU, NONE, READ, BOTH | ACC(GPU1)), GPU1 },
	{ "first_touch", "11: comes from a peer",
	  Q(GPU0, NONE, GPU1, NONE, READ, BOTH | ACC(GPU1)), GPU0 },
	{ "first_touch", "11: comes to the requester",
	  Q(CPU, NONE, GPU0, NONE, READ, ACC(CPU)), CPU },
	{ "first_touch", "8: a peer's page stays for atomics over NVLink, if that is wanted",
	  Q(GPU0, NONE, GPU1, NONE, ATOMIC, BOTH | ACC(GPU1), .only_atomics = true,
	    .leave_atomics = ACC(GPU1)), GPU1 },
	{ "first_touch", "8: not if it is not",
	  Q(GPU0, NONE, GPU1, NONE, ATOMIC, BOTH | ACC(GPU1), .only_atomics = true), GPU0 },
	{ "first_touch", "8: nor if it is read, too",
	  Q(GPU0, NONE, GPU1, NONE, ATOMIC, BOTH | ACC(GPU1), .leave_atomics = ACC(GPU1)), GPU0 },
	{ "first_touch", "8 before 9: and not to the preferred location",
	  Q(GPU0, CPU, GPU1, NONE, ATOMIC, BOTH | ACC(GPU1), .only_atomics = true,
	    .leave_atomics = ACC(GPU1)), GPU1 },
	{ "first_touch", "3 before 8: but to who prefers it",
	  Q(GPU0, GPU0, GPU1, NONE, ATOMIC, BOTH | ACC(GPU1), .only_atomics = true,
	    .leave_atomics = ACC(GPU1)), GPU0 },
	{ "remote", "data of the CPU stays for a reading GPU",
	  Q(GPU0, NONE, CPU, NONE, READ, BOTH), CPU },
	{ "remote", "and for a writing one", Q(GPU0, NONE, CPU, NONE, WRITE, BOTH), CPU },
	{ "remote", "and for its atomics", Q(GPU0, NONE, CPU, NONE, ATOMIC, BOTH), CPU },
	{ "remote", "preferred here: it comes", Q(GPU0, GPU0, CPU, NONE, READ, BOTH), GPU0 },
	{ "remote", "first touch goes to the requester",
	  Q(GPU0, NONE, NONE, NONE, READ, BOTH), GPU0 },
	{ "remote", "the CPU cannot use GPU memory: it comes home",
	  Q(CPU, NONE, GPU0, NONE, READ, ACC(CPU)), CPU },
	{ "remote", "a counter says that it is worth it (2.12)",
	  Q(GPU0, NONE, CPU, NONE, PREFETCH, BOTH, .operation = COUNTER), GPU0 },
	{ "first_touch", "a counter does not overrule the preferred location (3.1, step 9)",
	  Q(GPU0, CPU, CPU, NONE, PREFETCH, BOTH, .operation = COUNTER), CPU },
	{ "first_touch", "without one, what is mapped remotely comes",
	  Q(GPU0, NONE, CPU, NONE, PREFETCH, BOTH, .operation = COUNTER), GPU0 },
	{ "delayed", "reads of system memory wait for the counter",
	  Q(GPU0, NONE, CPU, NONE, READ, BOTH), CPU },
	{ "delayed", "so do prefetches",
	  Q(GPU0, NONE, CPU, NONE, PREFETCH, BOTH), CPU },
	{ "delayed", "the counter brings it",
	  Q(GPU0, NONE, CPU, NONE, PREFETCH, BOTH, .operation = COUNTER), GPU0 },
	{ "delayed", "a write brings it irrespective of the threshold (adaptive)",
	  Q(GPU0, NONE, CPU, NONE, WRITE, BOTH), GPU0 },
	{ "delayed", "an atomic, too",
	  Q(GPU0, NONE, CPU, NONE, ATOMIC, BOTH), GPU0 },
	{ "delayed", "preferred on the CPU: soft-pinned, reads wait",
	  Q(GPU0, CPU, CPU, NONE, READ, BOTH), CPU },
	{ "delayed", "preferred on the CPU: the counter brings it (adaptive)",
	  Q(GPU0, CPU, CPU, NONE, PREFETCH, BOTH, .operation = COUNTER), GPU0 },
	{ "delayed", "preferred on the CPU: a first touch is one of system memory",
	  Q(GPU0, CPU, NONE, NONE, READ, BOTH), CPU },
	{ "delayed", "a first touch without advice goes to the requester",
	  Q(GPU0, NONE, NONE, NONE, READ, BOTH), GPU0 },
	{ "delayed", "pinned: it stays, even if the counter would bring it",
	  Q(GPU0, NONE, CPU, CPU, PREFETCH, BOTH, .operation = COUNTER), CPU },
	{ "delayed", "preferred here: it comes at once",
	  Q(GPU0, GPU0, CPU, NONE, READ, BOTH), GPU0 },
	{ "delayed", "what another GPU has comes at once",
	  Q(GPU0, NONE, GPU1, NONE, READ, BOTH), GPU0 },
	{ "delayed", "system memory out of reach: it comes at once",
	  Q(GPU0, NONE, CPU, NONE, READ, ACC(GPU0)), GPU0 },
	{ "delayed", "the CPU takes its pages back",
	  Q(CPU, NONE, GPU0, NONE, READ, ACC(CPU)), CPU },
};

struct duplicate_case {
	const char *rule;
	struct uvm_residency_query query;
	bool want;
};

#define D(adv, dup, pin, ...) { .requester = GPU0, .resident = CPU, .pinned = (pin), \
	.advice = UVM_READ_DUPLICATION_##adv, .duplicated = (dup), .accessible = BOTH, \
	__VA_ARGS__ }

/* nvidia-uvm 3.1, step 2. */
static const struct duplicate_case duplicate_cases[] = {
	{ "enabled", D(ENABLED, false, NONE), true },
	{ "enabled and pinned", D(ENABLED, false, CPU), true },
	{ "not advised", D(UNSET, false, NONE), false },
	{ "not advised, but it has copies", D(UNSET, true, NONE), true },
	{ "copies, and it thrashes", D(UNSET, true, CPU), false },
	{ "disabled", D(DISABLED, true, NONE), false },
	{ "enabled, but all is to be in system memory",
	  D(ENABLED, false, NONE, .force_sysmem = true), false },
	{ "enabled, but its bytes are not copied", D(ENABLED, false, NONE, .discarded = true),
	  false },
};

static void policy_residency_duplicates(struct kunit *test)
{
	for (int i = 0; i < ARRAY_SIZE(duplicate_cases); i++)
		KUNIT_EXPECT_EQ_MSG(test, uvm_policy_may_duplicate(&duplicate_cases[i].query),
				    duplicate_cases[i].want, "%s", duplicate_cases[i].rule);
}

static void policy_residency_choices(struct kunit *test)
{
	for (int i = 0; i < ARRAY_SIZE(residency_cases); i++) {
		const struct residency_case *c = &residency_cases[i];
		const struct uvm_residency_ops *ops = uvm_policy_find_residency(c->policy);

		KUNIT_ASSERT_NOT_NULL(test, ops);
		KUNIT_EXPECT_EQ_MSG(test, ops->select(&c->query), c->want, "%s: %s", c->policy,
				    c->rule);
	}
}

static void policy_answers_are_checked(struct kunit *test)
{
	struct uvm_residency_query query = { .requester = GPU0, .accessible = BOTH };

	KUNIT_EXPECT_EQ(test, uvm_policy_check_residency(&query, CPU), CPU);
	KUNIT_EXPECT_EQ(test, uvm_policy_check_residency(&query, GPU0), GPU0);
	KUNIT_EXPECT_EQ(test, uvm_policy_check_residency(&query, GPU1), GPU0);
	KUNIT_EXPECT_EQ(test, uvm_policy_check_residency(&query, NONE), GPU0);
	KUNIT_EXPECT_EQ(test, uvm_policy_check_residency(&query, UVM_MAX_PROCESSORS), GPU0);
	/* step 1 */
	query.force_sysmem = true;
	KUNIT_EXPECT_EQ(test, uvm_policy_check_residency(&query, GPU0), CPU);
	query.accessible = ACC(GPU0);
	KUNIT_EXPECT_EQ(test, uvm_policy_check_residency(&query, CPU), GPU0);
}

static void policy_prefetch_none_is_empty(struct kunit *test)
{
	struct uvm_prefetch_input in = {};
	struct uvm_page_mask mask;

	uvm_page_mask_fill(&mask);
	uvm_policy_find_prefetch("none")->select(&in, &mask);
	KUNIT_EXPECT_TRUE(test, uvm_page_mask_empty(&mask));
}

struct id_case {
	s32 user;
	u8 id;
};

static const struct id_case id_cases[] = {
	{ UVM_PROCESSOR_CPU, UVM_ID_CPU }, { 0, GPU0 }, { 7, UVM_ID_GPU(7) },
	{ UVM_PROCESSOR_NONE, UVM_ID_INVALID },
};

static const s32 not_ids[] = { UVM_MAX_GPUS, -3, INT_MAX, INT_MIN };

static void policy_processor_ids(struct kunit *test)
{
	for (int i = 0; i < ARRAY_SIZE(id_cases); i++) {
		KUNIT_EXPECT_EQ(test, uvm_id_from_user(id_cases[i].user), id_cases[i].id);
		KUNIT_EXPECT_EQ(test, uvm_id_to_user(id_cases[i].id), id_cases[i].user);
	}
	for (int i = 0; i < ARRAY_SIZE(not_ids); i++)
		KUNIT_EXPECT_EQ(test, uvm_id_from_user(not_ids[i]), UVM_ID_INVALID);
}

/* Whole words only. */
static void policy_looks_at(struct kunit *test)
{
	static const struct uvm_policy none, two = { .params = "hpe_jumps  rrip_bits" };

	KUNIT_EXPECT_FALSE(test, uvm_policy_looks_at(&none, "rrip_bits"));
	KUNIT_EXPECT_TRUE(test, uvm_policy_looks_at(&two, "hpe_jumps"));
	KUNIT_EXPECT_TRUE(test, uvm_policy_looks_at(&two, "rrip_bits"));
	KUNIT_EXPECT_FALSE(test, uvm_policy_looks_at(&two, "hpe_jump"));
	KUNIT_EXPECT_FALSE(test, uvm_policy_looks_at(&two, "rrip_bits_"));
	KUNIT_EXPECT_FALSE(test, uvm_policy_looks_at(&two, ""));
}

static struct kunit_case policy_kunit_cases[] = {
	KUNIT_CASE(policy_looks_at),
	KUNIT_CASE(policy_lists),
	KUNIT_CASE(policy_found),
	KUNIT_CASE(policy_timing_answers),
	KUNIT_CASE(policy_timing_is_checked),
	KUNIT_CASE(policy_replay_rules),
	KUNIT_CASE(policy_residency_choices),
	KUNIT_CASE(policy_residency_duplicates),
	KUNIT_CASE(policy_answers_are_checked),
	KUNIT_CASE(policy_prefetch_none_is_empty),
	KUNIT_CASE(policy_processor_ids),
	{}
};

struct kunit_suite uvm_policy_suite = {
	.name = "uvm_policy",
	.test_cases = policy_kunit_cases,
};
