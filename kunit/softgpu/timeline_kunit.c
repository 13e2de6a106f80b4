// SPDX-License-Identifier: GPL-2.0
/*
 * Timelines: who gets what, what is lost, and how a full one stops the clock.
 */
#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/kthread.h>
#include <linux/pid.h>
#include "softgpu/clock/clock.h"
#include "softgpu/base/timeline.h"

#define MASK(type)	BIT_ULL(SOFTGPU_TIMELINE_##type)
#define N		SGPU_TIMELINE_MIN

struct timeline_fixture {
	struct sgpu_timelines timelines;
	struct sgpu_timeline *timeline;
	struct task_struct *thread;
	struct completion done;
	u64 number;
};

static int timeline_init(struct kunit *test)
{
	struct timeline_fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	if (!f)
		return -ENOMEM;
	sgpu_timelines_init(&f->timelines);
	f->timeline = sgpu_timeline_create(&f->timelines, N, MASK(COPY) | MASK(STALL), 100);
	if (!f->timeline)
		return -ENOMEM;
	sgpu_timeline_listen(f->timeline);
	init_completion(&f->done);
	test->priv = f;
	return 0;
}

static void timeline_exit(struct kunit *test)
{
	struct timeline_fixture *f = test->priv;

	if (!f)
		return;
	if (f->timeline)
		sgpu_timeline_destroy(f->timeline);
	if (f->thread)
		kthread_stop_put(f->thread);
}

/* Records say in @value which they are. */
static void timeline_emit(struct timeline_fixture *f, enum softgpu_timeline_type type, u64 count)
{
	while (count--)
		sgpu_timeline_emit(&f->timelines, .type = type, .gpu = 3, .time_ns = 70 + f->number,
				   .duration_ns = 100, .value = f->number++);
}

static u32 timeline_length(struct timeline_fixture *f)
{
	return kfifo_len(&f->timeline->records);
}

static struct softgpu_timeline_record timeline_take(struct timeline_fixture *f)
{
	struct softgpu_timeline_record record = { };

	mutex_lock(&f->timeline->reader_lock);
	if (!kfifo_get(&f->timeline->records, &record))
		record.type = SOFTGPU_TIMELINE_COUNT;
	sgpu_timeline_drained(f->timeline);
	mutex_unlock(&f->timeline->reader_lock);
	return record;
}

/* Each listener gets what it asked for; what nobody asked for is not gathered. */
static void timeline_goes_to_who_wants_it(struct kunit *test)
{
	struct timeline_fixture *f = test->priv;
	struct sgpu_timeline *other = sgpu_timeline_create(&f->timelines, N, MASK(REPLAY), 0);
	static const struct {
		enum softgpu_timeline_type type;
		u32 first;
		u32 other;
		bool enabled;
	} rows[] = {
		{ SOFTGPU_TIMELINE_COPY, 1, 0, true },
		{ SOFTGPU_TIMELINE_STALL, 2, 0, true },
		{ SOFTGPU_TIMELINE_REPLAY, 2, 1, true },
		{ SOFTGPU_TIMELINE_LAUNCH, 2, 1, false },
	};
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, other);
	sgpu_timeline_listen(other);
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		KUNIT_EXPECT_EQ(test, sgpu_timeline_enabled(&f->timelines, rows[i].type),
				rows[i].enabled);
		timeline_emit(f, rows[i].type, 1);
		KUNIT_EXPECT_EQ_MSG(test, timeline_length(f), rows[i].first, "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, kfifo_len(&other->records), rows[i].other, "row %u", i);
	}
	sgpu_timeline_destroy(other);
	KUNIT_EXPECT_FALSE(test, sgpu_timeline_enabled(&f->timelines, SOFTGPU_TIMELINE_REPLAY));
	KUNIT_EXPECT_TRUE(test, sgpu_timeline_enabled(&f->timelines, SOFTGPU_TIMELINE_COPY));
}

/* Before its owner can read it, a timeline is told nothing, so that it stops nothing. */
static void timeline_not_yet_told(struct kunit *test)
{
	struct timeline_fixture *f = test->priv;
	struct sgpu_timeline *other = sgpu_timeline_create(&f->timelines, N, MASK(REPLAY), 0);

	KUNIT_ASSERT_NOT_NULL(test, other);
	KUNIT_EXPECT_FALSE(test, sgpu_timeline_enabled(&f->timelines, SOFTGPU_TIMELINE_REPLAY));
	timeline_emit(f, SOFTGPU_TIMELINE_REPLAY, 2 * N);
	KUNIT_EXPECT_EQ(test, kfifo_len(&other->records), 0);
	sgpu_timeline_destroy(other);
	KUNIT_EXPECT_TRUE(test, sgpu_timeline_enabled(&f->timelines, SOFTGPU_TIMELINE_COPY));
}

/* uapi: stalls shorter than min_stall_ns are left out, other types never. */
static void timeline_short_stalls(struct kunit *test)
{
	struct timeline_fixture *f = test->priv;
	static const struct {
		enum softgpu_timeline_type type;
		u64 ns;
		u32 length;
	} rows[] = {
		{ SOFTGPU_TIMELINE_STALL, 0, 0 },
		{ SOFTGPU_TIMELINE_STALL, 99, 0 },
		{ SOFTGPU_TIMELINE_STALL, 100, 1 },
		{ SOFTGPU_TIMELINE_STALL, 101, 2 },
		{ SOFTGPU_TIMELINE_COPY, 1, 3 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		sgpu_timeline_emit(&f->timelines, .type = rows[i].type, .duration_ns = rows[i].ns);
		KUNIT_EXPECT_EQ_MSG(test, timeline_length(f), rows[i].length, "row %u", i);
	}
}

/* uapi: what finds no room is counted, and told by the next record that does. */
static void timeline_lost_records(struct kunit *test)
{
	struct timeline_fixture *f = test->priv;
	u32 room = kfifo_size(&f->timeline->records), i;
	struct softgpu_timeline_record record;

	KUNIT_EXPECT_GE(test, room, N + (sim_is_virtual() ? SGPU_TIMELINE_SLACK : 0));
	timeline_emit(f, SOFTGPU_TIMELINE_COPY, room + 5);
	KUNIT_EXPECT_EQ(test, timeline_length(f), room);
	KUNIT_EXPECT_EQ(test, timeline_take(f).value, 0ULL);
	/* One free entry: no room for the loss and the record. */
	timeline_emit(f, SOFTGPU_TIMELINE_COPY, 1);
	KUNIT_EXPECT_EQ(test, timeline_take(f).value, 1ULL);
	timeline_emit(f, SOFTGPU_TIMELINE_COPY, 1);
	for (i = 2; i < room; i++)
		KUNIT_EXPECT_EQ(test, timeline_take(f).value, (u64)i);
	record = timeline_take(f);
	KUNIT_EXPECT_EQ(test, record.type, (u16)SOFTGPU_TIMELINE_LOST);
	KUNIT_EXPECT_EQ(test, record.value, 6ULL);
	KUNIT_EXPECT_EQ(test, record.gpu, (u16)3);
	KUNIT_EXPECT_EQ(test, record.time_ns, 70ULL + room + 6);
	KUNIT_EXPECT_EQ(test, timeline_take(f).value, (u64)room + 6);
	KUNIT_EXPECT_EQ(test, timeline_length(f), 0U);
}

static int timeline_throttled_thread(void *data)
{
	struct timeline_fixture *f = data;

	sgpu_timeline_throttle();
	complete(&f->done);
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return 0;
}

/* Fill the timeline to its mark; a thread that runs the event loop is held back then. */
static void timeline_start_throttled(struct kunit *test, struct timeline_fixture *f)
{
	struct task_struct *thread;

	if (!sim_is_virtual())
		kunit_skip(test, "needs clock=virtual");
	timeline_emit(f, SOFTGPU_TIMELINE_COPY, N - 1);
	sgpu_timeline_throttle();
	timeline_emit(f, SOFTGPU_TIMELINE_COPY, 1);
	thread = kthread_run(timeline_throttled_thread, f, "sgpu-throttled");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, thread);
	f->thread = get_task_struct(thread);
	KUNIT_EXPECT_EQ(test, wait_for_completion_timeout(&f->done, HZ / 5), 0UL);
}

/* uapi: a full queue stops the clock until it is half drained. */
static void timeline_full_holds_back(struct kunit *test)
{
	struct timeline_fixture *f = test->priv;
	unsigned int i;

	timeline_start_throttled(test, f);
	for (i = 1; i < N / 2; i++)
		timeline_take(f);
	KUNIT_EXPECT_EQ(test, wait_for_completion_timeout(&f->done, HZ / 5), 0UL);
	timeline_take(f);
	KUNIT_EXPECT_GT(test, wait_for_completion_timeout(&f->done, 10 * HZ), 0UL);
}

/* Closing lets the clock go on. */
static void timeline_released_by_close(struct kunit *test)
{
	struct timeline_fixture *f = test->priv;

	timeline_start_throttled(test, f);
	sgpu_timeline_destroy(f->timeline);
	f->timeline = NULL;
	KUNIT_EXPECT_GT(test, wait_for_completion_timeout(&f->done, 10 * HZ), 0UL);
	KUNIT_EXPECT_FALSE(test, sgpu_timeline_enabled(&f->timelines, SOFTGPU_TIMELINE_COPY));
}

static int timeline_short_thread(void *data)
{
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return 0;
}

/* A reader that is dead reads no more: it must not stop the clock for ever. */
static void timeline_dead_reader(struct kunit *test)
{
	struct timeline_fixture *f = test->priv;
	struct task_struct *reader;

	timeline_start_throttled(test, f);
	reader = kthread_run(timeline_short_thread, NULL, "sgpu-reader");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, reader);
	get_task_struct(reader);
	put_pid(f->timeline->listener.owner);
	f->timeline->listener.owner = get_pid(task_tgid(reader));
	KUNIT_EXPECT_EQ(test, wait_for_completion_timeout(&f->done, HZ / 5), 0UL);
	kthread_stop_put(reader);
	KUNIT_EXPECT_GT(test, wait_for_completion_timeout(&f->done, 10 * HZ), 0UL);
	KUNIT_EXPECT_TRUE(test, f->timeline->listener.abandoned);
	timeline_emit(f, SOFTGPU_TIMELINE_COPY, 2 * SGPU_TIMELINE_SLACK);
	sgpu_timeline_throttle();
	KUNIT_EXPECT_GT(test, f->timeline->lost, 0ULL);
	/* Somebody else has it, and reads: it counts again. */
	timeline_take(f);
	KUNIT_EXPECT_FALSE(test, f->timeline->listener.abandoned);
}

static struct kunit_case timeline_cases[] = {
	KUNIT_CASE(timeline_goes_to_who_wants_it),
	KUNIT_CASE(timeline_not_yet_told),
	KUNIT_CASE(timeline_short_stalls),
	KUNIT_CASE(timeline_lost_records),
	KUNIT_CASE(timeline_full_holds_back),
	KUNIT_CASE(timeline_released_by_close),
	KUNIT_CASE(timeline_dead_reader),
	{ }
};

struct kunit_suite softgpu_timeline_suite = {
	.name = "softgpu_timeline",
	.init = timeline_init,
	.exit = timeline_exit,
	.test_cases = timeline_cases,
};
