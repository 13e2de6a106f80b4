// SPDX-License-Identifier: GPL-2.0
/*
 * Windows of concurrency, and what the policies make of them: the premature-eviction
 * monitor of batch-aware (4.1, 5.1), and throttling.
 */
#include <kunit/test.h>
#include "uvm/model/concurrency.h"
#include "uvm_pure.h"

#define SMS		16
#define EXTRA_MAX	4
#define CYCLE_PS	1000		/* 1 GHz: a window is 100 us */
#define WINDOW		(100 * NSEC_PER_USEC)

static const struct uvm_concurrency_ops *concurrency_policy(struct kunit *test, const char *name)
{
	const struct uvm_concurrency_ops *ops = uvm_policy_find_concurrency(name);

	KUNIT_ASSERT_NOT_NULL(test, ops);
	return ops;
}

/* One window: units evicted, their average lifetime, and the limit that follows. */
struct monitor_step {
	const char *rule;
	u64 evicted;
	u64 lifetime;
	u32 extra;
};

static const struct monitor_step monitor_steps[] = {
	{ "nothing evicted: one more", 0, 0, 2 },
	{ "the first lifetimes: one more", 10, 1000, 3 },
	{ "20 % shorter is not too short", 10, 800, 4 },
	{ "at most what the device holds", 10, 800, 4 },
	{ "more than 20 % shorter: one fewer", 10, 639, 3 },
	{ "compared with the last window, not the first", 10, 639, 4 },
	{ "shorter again", 10, 300, 3 },
	{ "a window without evictions is no news of lifetimes", 0, 0, 4 },
	{ "it is compared with the last that had some", 10, 239, 3 },
	{ "down", 10, 100, 2 },
	{ "down", 10, 50, 1 },
	{ "down", 10, 20, 0 },
	{ "never below none", 10, 5, 0 },
	{ "longer: up again", 10, 500, 1 },
	{ "averages count, not sums", 1, 500, 2 },
	{ "averages count, not sums", 1000, 399, 1 },
	{ "a unit that lived for no time", 1, 0, 0 },
	{ "nothing is shorter than no time", 1, 0, 1 },
};

static void concurrency_monitor(struct kunit *test)
{
	const struct uvm_concurrency_ops *ops = concurrency_policy(test, "oversubscribe");
	struct uvm_concurrency c;
	u64 now = 12345;
	unsigned int i;

	uvm_concurrency_init(&c, SMS, EXTRA_MAX, CYCLE_PS);
	uvm_concurrency_begin(&c, ops, now);
	KUNIT_EXPECT_EQ(test, c.now.extra, 1);
	KUNIT_EXPECT_EQ(test, c.now.sms, SMS);
	for (i = 0; i < ARRAY_SIZE(monitor_steps); i++) {
		const struct monitor_step *s = &monitor_steps[i];
		struct uvm_memory_traffic traffic = {
			.evicted = s->evicted,
			.lifetime_ns = s->evicted * s->lifetime,
		};
		u32 before = c.now.extra;
		bool changed;

		uvm_concurrency_note(&c, &traffic);
		KUNIT_EXPECT_FALSE_MSG(test, uvm_concurrency_step(&c, ops, now + WINDOW - 1),
				       "%s", s->rule);
		KUNIT_EXPECT_EQ_MSG(test, c.now.extra, before, "%s", s->rule);
		now += WINDOW;
		changed = uvm_concurrency_step(&c, ops, now);
		KUNIT_EXPECT_EQ_MSG(test, c.now.extra, s->extra, "%s", s->rule);
		KUNIT_EXPECT_EQ_MSG(test, changed, s->extra != before, "%s", s->rule);
	}
	KUNIT_EXPECT_EQ(test, c.now.sms, SMS);
}

/* What is noted in pieces counts as a whole; windows begin when the last one was looked at. */
static void concurrency_windows(struct kunit *test)
{
	const struct uvm_concurrency_ops *ops = concurrency_policy(test, "oversubscribe");
	struct uvm_memory_traffic some = { .evicted = 1, .lifetime_ns = 1000 };
	struct uvm_memory_traffic more = { .evicted = 3, .lifetime_ns = 9000 };
	struct uvm_concurrency c;

	uvm_concurrency_init(&c, SMS, EXTRA_MAX, CYCLE_PS);
	uvm_concurrency_begin(&c, ops, 0);
	uvm_concurrency_note(&c, &some);
	uvm_concurrency_note(&c, &more);
	KUNIT_EXPECT_TRUE(test, uvm_concurrency_step(&c, ops, 7 * WINDOW + 3));
	KUNIT_EXPECT_EQ(test, c.lifetime_before_ns, 2500);
	KUNIT_EXPECT_EQ(test, c.window, 1);
	KUNIT_EXPECT_EQ(test, c.traffic.evicted, 0);
	KUNIT_EXPECT_FALSE(test, uvm_concurrency_step(&c, ops, 8 * WINDOW + 2));
	KUNIT_EXPECT_TRUE(test, uvm_concurrency_step(&c, ops, 8 * WINDOW + 3));
	/* a policy that comes anew forgets */
	uvm_concurrency_note(&c, &more);
	uvm_concurrency_begin(&c, ops, 9 * WINDOW);
	KUNIT_EXPECT_EQ(test, c.now.extra, 1);
	KUNIT_EXPECT_EQ(test, c.lifetime_before_ns, 0);
	KUNIT_EXPECT_EQ(test, c.traffic.evicted, 0);
	KUNIT_EXPECT_EQ(test, c.window, 0);
}

static void concurrency_none(struct kunit *test)
{
	const struct uvm_concurrency_ops *ops = concurrency_policy(test, "none");
	struct uvm_memory_traffic traffic = { .evicted = 9, .lifetime_ns = 9 };
	struct uvm_concurrency c;

	uvm_concurrency_init(&c, SMS, EXTRA_MAX, CYCLE_PS);
	uvm_concurrency_begin(&c, ops, 0);
	uvm_concurrency_note(&c, &traffic);
	KUNIT_EXPECT_FALSE(test, uvm_concurrency_step(&c, ops, 2 * WINDOW));
	KUNIT_EXPECT_EQ(test, c.now.extra, 0);
	KUNIT_EXPECT_EQ(test, c.now.sms, SMS);
}

/* A device without room for extra blocks, or with one SM. */
static void concurrency_small_device(struct kunit *test)
{
	struct uvm_memory_traffic traffic = { .evicted = 9, .lifetime_ns = 9, .arrived = 1 };
	const struct uvm_concurrency_ops *ops = concurrency_policy(test, "oversubscribe");
	struct uvm_concurrency c;

	uvm_concurrency_init(&c, 1, 0, CYCLE_PS);
	uvm_concurrency_begin(&c, ops, 0);
	KUNIT_EXPECT_EQ(test, c.now.extra, 0);
	KUNIT_EXPECT_FALSE(test, uvm_concurrency_step(&c, ops, WINDOW));
	ops = concurrency_policy(test, "throttle");
	uvm_concurrency_begin(&c, ops, WINDOW);
	uvm_concurrency_note(&c, &traffic);
	KUNIT_EXPECT_FALSE(test, uvm_concurrency_step(&c, ops, 2 * WINDOW));
	KUNIT_EXPECT_EQ(test, c.now.sms, 1);
}

struct throttle_step {
	const char *rule;
	u64 evicted, arrived, returned;
	u32 sms;
};

/* A window's answer holds for the next one. */
static const struct throttle_step throttle_steps[] = {
	{ "memory is not short", 0, 100, 0, 16 },
	{ "nor now", 0, 100, 0, 16 },
	{ "short for the first time: half", 5, 100, 0, 8 },
	{ "until detection", 5, 100, 90, 8 },
	{ "detection with all SMs", 5, 100, 90, 16 },
	{ "one page in four is not too much", 5, 100, 25, 16 },
	{ "until the next detection, whatever comes", 5, 100, 100, 16 },
	{ "so it is", 5, 100, 100, 16 },
	{ "and is", 5, 100, 100, 16 },
	{ "detection with all SMs", 5, 100, 100, 16 },
	{ "more than one in four came back: half", 5, 100, 26, 8 },
	{ "while the epoch lasts", 5, 100, 0, 8 },
	{ "while the epoch lasts", 0, 0, 0, 8 },
	{ "while the epoch lasts", 5, 100, 0, 8 },
	{ "detection with all SMs", 5, 100, 0, 16 },
	{ "nothing came", 0, 0, 0, 16 },
};

static void concurrency_throttle(struct kunit *test)
{
	const struct uvm_concurrency_ops *ops = concurrency_policy(test, "throttle");
	struct uvm_concurrency c;
	unsigned int i;

	uvm_concurrency_init(&c, SMS, EXTRA_MAX, CYCLE_PS);
	uvm_concurrency_begin(&c, ops, 0);
	KUNIT_EXPECT_EQ(test, c.now.sms, SMS);
	for (i = 0; i < ARRAY_SIZE(throttle_steps); i++) {
		const struct throttle_step *s = &throttle_steps[i];
		struct uvm_memory_traffic traffic = {
			.evicted = s->evicted, .lifetime_ns = s->evicted,
			.arrived = s->arrived, .returned = s->returned,
		};

		uvm_concurrency_note(&c, &traffic);
		uvm_concurrency_step(&c, ops, (i + 1) * WINDOW);
		KUNIT_EXPECT_EQ_MSG(test, c.now.sms, s->sms, "window %u: %s", i, s->rule);
		KUNIT_EXPECT_EQ(test, c.now.extra, 0);
	}
}

/* Memory is short even if what was evicted had lived for no time: all SMs come back. */
static void concurrency_throttle_short_lives(struct kunit *test)
{
	const struct uvm_concurrency_ops *ops = concurrency_policy(test, "throttle");
	struct uvm_memory_traffic traffic = { .evicted = 1, .lifetime_ns = 0 };
	struct uvm_concurrency c;
	unsigned int i;

	uvm_concurrency_init(&c, SMS, EXTRA_MAX, CYCLE_PS);
	uvm_concurrency_begin(&c, ops, 0);
	uvm_concurrency_note(&c, &traffic);
	uvm_concurrency_step(&c, ops, WINDOW);
	KUNIT_EXPECT_EQ(test, c.now.sms, SMS / 2);
	for (i = 2; i < 8; i++)
		uvm_concurrency_step(&c, ops, i * WINDOW);
	KUNIT_EXPECT_EQ(test, c.now.sms, SMS);
}

/* A policy may answer anything. */
static void concurrency_answers_are_checked(struct kunit *test)
{
	struct uvm_concurrency_query query = { .extra_max = 3, .sm_count = 8 };
	struct uvm_concurrency_answer a;

	a = uvm_policy_check_concurrency(&query, (struct uvm_concurrency_answer){ 4, 9 });
	KUNIT_EXPECT_EQ(test, a.extra, 3);
	KUNIT_EXPECT_EQ(test, a.sms, 8);
	a = uvm_policy_check_concurrency(&query, (struct uvm_concurrency_answer){ U32_MAX, 0 });
	KUNIT_EXPECT_EQ(test, a.extra, 3);
	KUNIT_EXPECT_EQ(test, a.sms, 1);
}

static struct kunit_case concurrency_cases[] = {
	KUNIT_CASE(concurrency_monitor),
	KUNIT_CASE(concurrency_windows),
	KUNIT_CASE(concurrency_none),
	KUNIT_CASE(concurrency_small_device),
	KUNIT_CASE(concurrency_throttle),
	KUNIT_CASE(concurrency_throttle_short_lives),
	KUNIT_CASE(concurrency_answers_are_checked),
	{ }
};

struct kunit_suite uvm_concurrency_suite = {
	.name = "uvm_concurrency",
	.test_cases = concurrency_cases,
};
