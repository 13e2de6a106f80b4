// SPDX-License-Identifier: GPL-2.0
/*
 * Counters and phase brackets.
 */
#include <kunit/test.h>
#include <linux/uvm.h>
#include <softgpu/sim.h>
#include "uvm/base/stats.h"
#include "uvm/base/work.h"

struct uvm_stats_bucket_case {
	const char *rule;
	u64 faults;
	unsigned int bucket;
};

/* uapi: bucket b holds 2^b <= faults < 2^(b+1), 16 buckets. */
static const struct uvm_stats_bucket_case uvm_stats_bucket_cases[] = {
	{ "no faults, no bucket", 0, UVM_BATCH_BUCKETS },
	{ "2^0", 1, 0 },
	{ "2^1", 2, 1 },
	{ "below 2^2", 3, 1 },
	{ "2^2", 4, 2 },
	{ "below 2^8", 255, 7 },
	{ "default batch size", 256, 8 },
	{ "above it", 257, 8 },
	{ "below 2^15", 32767, 14 },
	{ "2^15", 32768, 15 },
	{ "last bucket is open", 65536, 15 },
	{ "largest number", U64_MAX, 15 },
};

static void uvm_stats_bucket_desc(const struct uvm_stats_bucket_case *c, char *desc)
{
	strscpy(desc, c->rule, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(uvm_stats_bucket, uvm_stats_bucket_cases, uvm_stats_bucket_desc);

static void uvm_stats_bucket_of_batch(struct kunit *test)
{
	const struct uvm_stats_bucket_case *c = test->param_value;
	struct uvm_stats_set *set = kunit_kzalloc(test, sizeof(*set), GFP_KERNEL);
	struct uvm_stats *out = kunit_kzalloc(test, sizeof(*out), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, set);
	KUNIT_ASSERT_NOT_NULL(test, out);
	KUNIT_EXPECT_EQ(test, uvm_stats_bucket(c->faults), c->bucket);
	uvm_stat_batch(set, c->faults);
	uvm_stats_report(set, out, false);
	for (i = 0; i < UVM_BATCH_BUCKETS; i++)
		KUNIT_EXPECT_EQ(test, out->batch_histogram[i], (u64)(i == c->bucket));
}

/*
 * Written out, so that a counter reported in another's place is found.  What
 * counters were added later is covered by uvm_stats_all_words().
 */
static const struct {
	enum uvm_stat stat;
	size_t offset;
} uvm_stats_members[] = {
	{ UVM_STAT_FAULTS_FETCHED, offsetof(struct uvm_stats, faults_fetched) },
	{ UVM_STAT_FAULTS_DUPLICATE, offsetof(struct uvm_stats, faults_duplicate) },
	{ UVM_STAT_FAULTS_SERVICED, offsetof(struct uvm_stats, faults_serviced) },
	{ UVM_STAT_FAULTS_READ, offsetof(struct uvm_stats, faults_read) },
	{ UVM_STAT_FAULTS_WRITE, offsetof(struct uvm_stats, faults_write) },
	{ UVM_STAT_FAULTS_ATOMIC, offsetof(struct uvm_stats, faults_atomic) },
	{ UVM_STAT_FAULTS_PREFETCH, offsetof(struct uvm_stats, faults_prefetch) },
	{ UVM_STAT_FAULTS_FATAL, offsetof(struct uvm_stats, faults_fatal) },
	{ UVM_STAT_FAULTS_CPU, offsetof(struct uvm_stats, faults_cpu) },
	{ UVM_STAT_BATCHES, offsetof(struct uvm_stats, batches) },
	{ UVM_STAT_BATCH_FAULTS_MAX, offsetof(struct uvm_stats, batch_faults_max) },
	{ UVM_STAT_BATCH_BYTES, offsetof(struct uvm_stats, batch_bytes) },
	{ UVM_STAT_BATCH_TIME_NS, offsetof(struct uvm_stats, batch_time_ns) },
	{ UVM_STAT_BATCH_HANDLING_NS, offsetof(struct uvm_stats, batch_handling_ns) },
	{ UVM_STAT_REPLAYS, offsetof(struct uvm_stats, replays) },
	{ UVM_STAT_BYTES_HTOD, offsetof(struct uvm_stats, bytes_htod) },
	{ UVM_STAT_BYTES_DTOH, offsetof(struct uvm_stats, bytes_dtoh) },
	{ UVM_STAT_BYTES_HTOD_DEMAND, offsetof(struct uvm_stats, bytes_htod_demand) },
	{ UVM_STAT_BYTES_HTOD_PREFETCH, offsetof(struct uvm_stats, bytes_htod_prefetch) },
	{ UVM_STAT_BYTES_DTOH_EVICTION, offsetof(struct uvm_stats, bytes_dtoh_eviction) },
	{ UVM_STAT_EVICTED_CHUNKS, offsetof(struct uvm_stats, evicted_chunks) },
	{ UVM_STAT_EVICTED_PAGES, offsetof(struct uvm_stats, evicted_pages) },
	{ UVM_STAT_PREMATURE_PAGES, offsetof(struct uvm_stats, premature_pages) },
	{ UVM_STAT_RETURNED_PAGES, offsetof(struct uvm_stats, returned_pages) },
	{ UVM_STAT_THROTTLED, offsetof(struct uvm_stats, throttled) },
	{ UVM_STAT_THRASHING_PAGES, offsetof(struct uvm_stats, thrashing_pages) },
	{ UVM_STAT_THROTTLES_CPU, offsetof(struct uvm_stats, throttles_cpu) },
	{ UVM_STAT_THROTTLES_GPU, offsetof(struct uvm_stats, throttles_gpu) },
	{ UVM_STAT_PINS_LOCAL, offsetof(struct uvm_stats, pins_local) },
	{ UVM_STAT_PINS_REMOTE, offsetof(struct uvm_stats, pins_remote) },
	{ UVM_STAT_THRASHING_RESETS, offsetof(struct uvm_stats, thrashing_resets) },
};

static u64 uvm_stats_member(const struct uvm_stats *stats, unsigned int i)
{
	return *(const u64 *)((const void *)stats + uvm_stats_members[i].offset);
}

static void uvm_stats_each_counter_has_its_member(struct kunit *test)
{
	struct uvm_stats_set *set = kunit_kzalloc(test, sizeof(*set), GFP_KERNEL);
	struct uvm_stats *out = kunit_kzalloc(test, sizeof(*out), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, set);
	KUNIT_ASSERT_NOT_NULL(test, out);
	memset(out, 0xaa, sizeof(*out));
	out->size = 12;
	out->flags = 34;
	for (i = 0; i < ARRAY_SIZE(uvm_stats_members); i++)
		uvm_stat_add(set, uvm_stats_members[i].stat, 1000 + i);
	for (i = 0; i < UVM_PHASE_COUNT; i++)
		uvm_stat_phase(set, i, 50 + i);
	uvm_stats_report(set, out, false);
	for (i = 0; i < ARRAY_SIZE(uvm_stats_members); i++)
		KUNIT_EXPECT_EQ_MSG(test, uvm_stats_member(out, i), 1000ULL + i, "row %u", i);
	for (i = 0; i < UVM_PHASE_MAX; i++)
		KUNIT_EXPECT_EQ_MSG(test, out->phase_ns[i], i < UVM_PHASE_COUNT ? 50ULL + i : 0,
				    "phase %u", i);
	for (i = 0; i < UVM_BATCH_BUCKETS; i++)
		KUNIT_EXPECT_EQ(test, out->batch_histogram[i], 0ULL);
	/* The caller's, not the report's. */
	KUNIT_EXPECT_EQ(test, out->size, 12U);
	KUNIT_EXPECT_EQ(test, out->flags, 34U);
}

/* Every word is reported in its place and none but the head is left out. */
static void uvm_stats_all_words(struct kunit *test)
{
	struct uvm_stats_set *set = kunit_kzalloc(test, sizeof(*set), GFP_KERNEL);
	struct uvm_stats *out = kunit_kzalloc(test, sizeof(*out), GFP_KERNEL);
	const u64 *words = (const u64 *)out;
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, set);
	KUNIT_ASSERT_NOT_NULL(test, out);
	for (i = 0; i < UVM_STATS_WORDS; i++)
		uvm_stat_add(set, i, 7 + i);
	uvm_stats_report(set, out, true);
	KUNIT_EXPECT_EQ(test, words[0], 0ULL);
	for (i = 1; i < sizeof(*out) / sizeof(u64); i++)
		KUNIT_EXPECT_EQ_MSG(test, words[i], 6ULL + i, "word %u", i);
	uvm_stats_report(set, out, false);
	for (i = 1; i < sizeof(*out) / sizeof(u64); i++)
		KUNIT_EXPECT_EQ_MSG(test, words[i], 0ULL, "word %u", i);
}

/* UVM_STATS_RESET: reset after reading; without it nothing changes. */
static void uvm_stats_reset_after_reading(struct kunit *test)
{
	struct uvm_stats_set *set = kunit_kzalloc(test, sizeof(*set), GFP_KERNEL);
	struct uvm_stats *out = kunit_kzalloc(test, sizeof(*out), GFP_KERNEL);
	static const u64 counted[] = { 3, 3, 0 };
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, set);
	KUNIT_ASSERT_NOT_NULL(test, out);
	uvm_stat_add(set, UVM_STAT_THROTTLED, 3);
	uvm_stat_phase(set, UVM_PHASE_COUNT - 1, 3);
	uvm_stat_add(set, UVM_STAT_BATCHES, 3);
	uvm_stat_max(set, UVM_STAT_BATCH_FAULTS_MAX, 300);
	for (i = 0; i < 3; i++)
		uvm_stat_batch(set, 300);
	for (i = 0; i < ARRAY_SIZE(counted); i++) {
		uvm_stats_report(set, out, i == 1);
		KUNIT_EXPECT_EQ(test, out->throttled, counted[i]);
		KUNIT_EXPECT_EQ(test, out->batches, counted[i]);
		KUNIT_EXPECT_EQ(test, out->batch_histogram[8], counted[i]);
		KUNIT_EXPECT_EQ(test, out->phase_ns[UVM_PHASE_COUNT - 1], counted[i]);
		KUNIT_EXPECT_EQ(test, out->batch_faults_max, i == 2 ? 0ULL : 300ULL);
	}
}

static void uvm_stats_max_keeps_the_largest(struct kunit *test)
{
	struct uvm_stats_set *set = kunit_kzalloc(test, sizeof(*set), GFP_KERNEL);
	struct uvm_stats *out = kunit_kzalloc(test, sizeof(*out), GFP_KERNEL);
	static const struct {
		u64 value;
		u64 max;
	} steps[] = {
		{ 5, 5 }, { 4, 5 }, { 0, 5 }, { 5, 5 }, { 6, 6 },
		{ U64_MAX, U64_MAX }, { 1, U64_MAX },
	};
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, set);
	KUNIT_ASSERT_NOT_NULL(test, out);
	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		uvm_stat_max(set, UVM_STAT_BATCH_FAULTS_MAX, steps[i].value);
		uvm_stats_report(set, out, false);
		KUNIT_EXPECT_EQ(test, out->batch_faults_max, steps[i].max);
	}
}

/* A set may be NULL: work before its GPU or VA space is known. */
static void uvm_stats_no_set(struct kunit *test)
{
	uvm_stat_add(NULL, UVM_STAT_BATCHES, 1);
	uvm_stat_max(NULL, UVM_STAT_BATCHES, 1);
	uvm_stat_phase(NULL, UVM_PHASE_MAP, 1);
	uvm_stat_batch(NULL, 1);
	KUNIT_SUCCEED(test);
}

/* What a piece of work books; all three sets are fresh. */
struct uvm_stats_work_fixture {
	struct uvm_stats_set gpu;
	struct uvm_stats_set first;
	struct uvm_stats_set second;
	struct uvm_work work;
	struct sim_task self;
	u64 total;
};

static u64 uvm_stats_phase_of(struct uvm_stats_set *set, enum uvm_phase phase)
{
	return atomic64_read(&set->word[UVM_STATS_WORD(phase_ns) + phase]);
}

/* The example that the next case checks row by row. */
static void uvm_stats_do_work(struct uvm_stats_work_fixture *f)
{
	struct uvm_work *work = &f->work;
	enum uvm_phase previous;

	sim_enter(&f->self);
	uvm_work_begin(work, &f->gpu, NULL, UVM_PHASE_FETCH);
	uvm_work_enter(work, UVM_PHASE_FETCH, 100);
	uvm_work_enter(work, UVM_PHASE_SERVICE, 20);
	uvm_work_set_va_space(work, &f->first);
	sim_charge(3);
	previous = uvm_work_enter(work, UVM_PHASE_EVICT, 4000);
	uvm_work_enter(work, previous, 0);
	sim_charge(500);
	uvm_work_set_va_space(work, &f->second);
	uvm_work_enter(work, UVM_PHASE_COPY, 60000);
	uvm_work_wait_begin(work);
	sim_charge(700000);
	uvm_work_wait_end(work);
	f->total = uvm_work_end(work);
	sim_leave(&f->self);
}

/* On the virtual clock: time of a phase is what passed from its entry to the next. */
static void uvm_stats_work_books_time(struct kunit *test)
{
	struct uvm_stats_work_fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);
	static const struct {
		enum uvm_phase phase;
		u64 gpu;
		u64 first;
		u64 second;
	} rows[] = {
		{ UVM_PHASE_FETCH, 100, 0, 0 },		/* no VA space yet */
		{ UVM_PHASE_SERVICE, 523, 503, 0 },	/* nested phase left out; 20 before it */
		{ UVM_PHASE_EVICT, 4000, 4000, 0 },
		{ UVM_PHASE_COPY, 760000, 0, 760000 },	/* the wait counts */
		{ UVM_PHASE_REPLAY, 0, 0, 0 },
	};
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, f);
	if (!sim_is_virtual())
		kunit_skip(test, "needs clock=virtual");
	uvm_stats_do_work(f);
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		enum uvm_phase phase = rows[i].phase;

		KUNIT_EXPECT_EQ_MSG(test, f->work.phase_ns[phase], rows[i].gpu, "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, uvm_stats_phase_of(&f->gpu, phase), rows[i].gpu,
				    "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, uvm_stats_phase_of(&f->first, phase), rows[i].first,
				    "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, uvm_stats_phase_of(&f->second, phase), rows[i].second,
				    "row %u", i);
	}
	KUNIT_EXPECT_EQ(test, f->total, 764623ULL);
}

/* On both clocks the phases of a work add up to its duration. */
static void uvm_stats_work_phases_add_up(struct kunit *test)
{
	struct uvm_stats_work_fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);
	u64 sum = 0, booked = 0;
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, f);
	uvm_stats_do_work(f);
	for (i = 0; i < UVM_PHASE_COUNT; i++) {
		sum += f->work.phase_ns[i];
		booked += uvm_stats_phase_of(&f->gpu, i);
	}
	KUNIT_EXPECT_EQ(test, sum, f->total);
	KUNIT_EXPECT_EQ(test, booked, f->total);
}

static struct kunit_case uvm_stats_cases[] = {
	KUNIT_CASE_PARAM(uvm_stats_bucket_of_batch, uvm_stats_bucket_gen_params),
	KUNIT_CASE(uvm_stats_each_counter_has_its_member),
	KUNIT_CASE(uvm_stats_all_words),
	KUNIT_CASE(uvm_stats_reset_after_reading),
	KUNIT_CASE(uvm_stats_max_keeps_the_largest),
	KUNIT_CASE(uvm_stats_no_set),
	KUNIT_CASE(uvm_stats_work_books_time),
	KUNIT_CASE(uvm_stats_work_phases_add_up),
	{ }
};

struct kunit_suite uvm_stats_suite = {
	.name = "uvm_stats",
	.test_cases = uvm_stats_cases,
};
