// SPDX-License-Identifier: GPL-2.0
/*
 * Counters by processor.
 */
#include <kunit/test.h>
#include <linux/uvm.h>
#include "uvm/base/counters.h"

#define GPU0	UVM_ID_GPU(0)
#define GPU1	UVM_ID_GPU(1)

struct counters_migrated_case {
	const char *rule;
	unsigned int src;
	unsigned int dst;
	enum uvm_event_cause cause;
	u64 prefetched;
	u64 in;
	u64 out;
};

/* Sixteen pages move, ten of which were asked for (nvidia-uvm 6.6, 6.7). */
static const struct counters_migrated_case counters_migrated_cases[] = {
	{ "a GPU fault fetches from the CPU", UVM_ID_CPU, GPU0, UVM_CAUSE_FAULT, 6, 16, 0 },
	{ "a GPU fault fetches from another GPU", GPU1, GPU0, UVM_CAUSE_FAULT, 6, 16, 16 },
	{ "on the way from GPU to GPU", GPU1, UVM_ID_CPU, UVM_CAUSE_FAULT, 6, 0, 16 },
	{ "a CPU fault prefetches too", GPU0, UVM_ID_CPU, UVM_CAUSE_CPU_FAULT, 6, 0, 0 },
	{ "an eviction prefetches nothing", GPU0, UVM_ID_CPU, UVM_CAUSE_EVICTION, 0, 0, 0 },
	{ "nor does a migration by request", UVM_ID_CPU, GPU1, UVM_CAUSE_USER, 0, 0, 0 },
	{ "nor is what a copy engine faults on a replayable fault's", UVM_ID_CPU, GPU0,
	  UVM_CAUSE_NON_REPLAYABLE, 0, 0, 0 },
	{ "nor an unregistered GPU", GPU1, UVM_ID_CPU, UVM_CAUSE_UNREGISTER, 0, 0, 0 },
};

static void counters_migrated_desc(const struct counters_migrated_case *c, char *desc)
{
	strscpy(desc, c->rule, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(counters_migrated, counters_migrated_cases, counters_migrated_desc);

static void counters_by_pair(struct kunit *test)
{
	const struct counters_migrated_case *c = test->param_value;
	struct uvm_counter_sets *sets = kunit_kzalloc(test, sizeof(*sets), GFP_KERNEL);
	struct uvm_counters *out = kunit_kzalloc(test, sizeof(*out), GFP_KERNEL);
	unsigned int id, from;

	KUNIT_ASSERT_NOT_NULL(test, sets);
	KUNIT_ASSERT_NOT_NULL(test, out);
	uvm_counters_migrated(sets, c->src, c->dst, 16 * PAGE_SIZE, 10 * PAGE_SIZE, c->cause);
	for (id = 0; id < UVM_MAX_PROCESSORS; id++) {
		uvm_counters_report(sets, id, out);
		for (from = 0; from < UVM_COUNTER_PROCESSORS; from++) {
			bool pair = id == c->dst && from == c->src;

			KUNIT_EXPECT_EQ(test, out->bytes_from[from], pair ? 16 * PAGE_SIZE : 0);
			KUNIT_EXPECT_EQ(test, out->prefetch_bytes_from[from],
					pair ? c->prefetched * PAGE_SIZE : 0);
		}
		KUNIT_EXPECT_EQ(test, out->fault_pages_in, id == c->dst ? c->in : 0);
		KUNIT_EXPECT_EQ(test, out->fault_pages_out, id == c->src ? c->out : 0);
	}
}

/* Merged records count by access too (nvidia-uvm 6.7). */
static void counters_faults(struct kunit *test)
{
	struct uvm_counter_sets *sets = kunit_kzalloc(test, sizeof(*sets), GFP_KERNEL);
	struct uvm_counters *out = kunit_kzalloc(test, sizeof(*out), GFP_KERNEL);
	static const struct {
		enum uvm_access access;
		bool duplicate;
	} rows[] = {
		{ UVM_ACCESS_READ, false }, { UVM_ACCESS_READ, true }, { UVM_ACCESS_READ, true },
		{ UVM_ACCESS_WRITE, false }, { UVM_ACCESS_WRITE, true },
		{ UVM_ACCESS_ATOMIC, false }, { UVM_ACCESS_PREFETCH, true },
	};
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, sets);
	KUNIT_ASSERT_NOT_NULL(test, out);
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		uvm_counters_fault(sets, GPU1, rows[i].access, rows[i].duplicate);
	uvm_counters_report(sets, GPU1, out);
	KUNIT_EXPECT_EQ(test, out->faults, 7ULL);
	KUNIT_EXPECT_EQ(test, out->faults_duplicate, 4ULL);
	KUNIT_EXPECT_EQ(test, out->faults_read, 3ULL);
	KUNIT_EXPECT_EQ(test, out->faults_write, 2ULL);
	KUNIT_EXPECT_EQ(test, out->faults_atomic, 1ULL);
	KUNIT_EXPECT_EQ(test, out->faults_prefetch, 1ULL);
	uvm_counters_report(sets, GPU0, out);
	KUNIT_EXPECT_EQ(test, out->faults, 0ULL);
}

/* What a VA space counts is counted over all of them too, and without one. */
static void counters_over_all(struct kunit *test)
{
	struct uvm_counter_sets *sets = kunit_kzalloc(test, sizeof(*sets), GFP_KERNEL);
	struct uvm_counters *out = kunit_kzalloc(test, sizeof(*out), GFP_KERNEL);
	u64 before;

	KUNIT_ASSERT_NOT_NULL(test, sets);
	KUNIT_ASSERT_NOT_NULL(test, out);
	uvm_counters_report(NULL, GPU1, out);
	before = out->replays_start;
	uvm_counter_add(sets, GPU1, UVM_COUNTER_REPLAYS_START, 3);
	uvm_counter_add(NULL, GPU1, UVM_COUNTER_REPLAYS_START, 4);
	uvm_counters_report(NULL, GPU1, out);
	KUNIT_EXPECT_EQ(test, out->replays_start - before, 7ULL);
	uvm_counters_report(sets, GPU1, out);
	KUNIT_EXPECT_EQ(test, out->replays_start, 3ULL);
	KUNIT_EXPECT_EQ(test, out->replays_start_ack_all, 0ULL);
}

/* What is no member of the user's struct is counted likewise, and is in none of them. */
static void counters_of_debugfs(struct kunit *test)
{
	struct uvm_counter_sets *sets = kunit_kzalloc(test, sizeof(*sets), GFP_KERNEL);
	struct uvm_counters *out = kunit_kzalloc(test, sizeof(*out), GFP_KERNEL);
	struct uvm_counters *zero = kunit_kzalloc(test, sizeof(*zero), GFP_KERNEL);
	u64 before = uvm_counter_read(NULL, GPU1, UVM_COUNTER_THRASHING_PAGES);

	KUNIT_ASSERT_NOT_NULL(test, sets);
	KUNIT_ASSERT_NOT_NULL(test, out);
	KUNIT_ASSERT_NOT_NULL(test, zero);
	uvm_counter_add(sets, GPU1, UVM_COUNTER_THRASHING_PAGES, 2);
	uvm_counter_add(sets, GPU1, UVM_COUNTER_THRASHING_PIN_REMOTE, 3);
	KUNIT_EXPECT_EQ(test, 2ULL, uvm_counter_read(sets, GPU1, UVM_COUNTER_THRASHING_PAGES));
	KUNIT_EXPECT_EQ(test, 0ULL, uvm_counter_read(sets, GPU0, UVM_COUNTER_THRASHING_PAGES));
	KUNIT_EXPECT_EQ(test, before + 2,
			uvm_counter_read(NULL, GPU1, UVM_COUNTER_THRASHING_PAGES));
	uvm_counters_report(sets, GPU1, out);
	KUNIT_EXPECT_MEMEQ(test, out, zero, sizeof(*out));
}

static struct kunit_case counters_cases[] = {
	KUNIT_CASE_PARAM(counters_by_pair, counters_migrated_gen_params),
	KUNIT_CASE(counters_faults),
	KUNIT_CASE(counters_over_all),
	KUNIT_CASE(counters_of_debugfs),
	{ }
};

struct kunit_suite uvm_counters_suite = {
	.name = "uvm_counters",
	.test_cases = counters_cases,
};
