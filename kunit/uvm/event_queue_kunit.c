// SPDX-License-Identifier: GPL-2.0
/*
 * Event queues: the ring, who gets what, reading, and how a full queue holds
 * the driver back on the virtual clock.
 */
#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/kthread.h>
#include <linux/mman.h>
#include <linux/pid.h>
#include <linux/uaccess.h>
#include <linux/uvm.h>
#include <softgpu/sim.h>
#include "uvm/base/event.h"

/* Records say in @value which they are. */
static struct uvm_event uvm_event_numbered(enum uvm_event_type type, u64 value)
{
	return (struct uvm_event){ .type = type, .value = value };
}

/* ---- the ring -------------------------------------------------------- */

#define RING_MARK	3
#define RING_SLACK	2
#define RING_CAPACITY	(RING_MARK + RING_SLACK)

/* A step: append so many, then take so many; then this is the state. */
struct uvm_event_ring_step {
	u32 append;
	u32 take;
	u64 queued;
	u32 peek;
	u64 dropped;
};

struct uvm_event_ring_case {
	const char *rule;
	struct uvm_event_ring_step steps[4];
};

/* Storage of 5 records, a mark of 3. */
static const struct uvm_event_ring_case uvm_event_ring_cases[] = {
	{ "empty", { { 0, 0, 0, 0, 0 } } },
	{ "first in, first out", { { 3, 1, 2, 2, 0 }, { 0, 2, 0, 0, 0 } } },
	{ "the slack holds what is above the mark", { { 5, 0, 5, 5, 0 } } },
	{ "beyond the slack is dropped and counted", { { 7, 0, 5, 5, 2 } } },
	{ "room again after taking", { { 6, 1, 4, 4, 1 }, { 1, 0, 5, 4, 1 } } },
	{ "peek ends where storage ends",
	  { { 5, 4, 1, 1, 0 }, { 3, 0, 4, 1, 0 }, { 0, 1, 3, 3, 0 } } },
	{ "wraps exactly at the end", { { 5, 5, 0, 0, 0 }, { 5, 0, 5, 5, 0 } } },
	{ "round and round",
	  { { 4, 4, 0, 0, 0 }, { 4, 1, 3, 3, 0 }, { 2, 3, 2, 2, 0 }, { 4, 2, 3, 3, 1 } } },
};

static void uvm_event_ring_desc(const struct uvm_event_ring_case *c, char *desc)
{
	strscpy(desc, c->rule, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(uvm_event_ring, uvm_event_ring_cases, uvm_event_ring_desc);

/* Take records one by one, checking that they are the next of @expect. */
static u32 uvm_event_ring_take(struct kunit *test, struct uvm_event_ring *ring, u32 count,
			       const u64 *expect)
{
	const struct uvm_event *first;
	u32 i;

	for (i = 0; i < count && uvm_event_ring_peek(ring, &first); i++) {
		KUNIT_EXPECT_EQ(test, first->value, expect[i]);
		uvm_event_ring_consume(ring, 1);
	}
	KUNIT_EXPECT_EQ(test, i, count);
	return i;
}

static void uvm_event_ring_steps(struct kunit *test)
{
	const struct uvm_event_ring_case *c = test->param_value;
	struct uvm_event *records = kunit_kcalloc(test, RING_CAPACITY, sizeof(*records),
						  GFP_KERNEL);
	u64 kept[32], number = 0;
	u32 n_kept = 0, taken = 0, i, j;
	struct uvm_event_ring ring;

	KUNIT_ASSERT_NOT_NULL(test, records);
	uvm_event_ring_init(&ring, records, RING_MARK, RING_SLACK);
	for (i = 0; i < ARRAY_SIZE(c->steps); i++) {
		const struct uvm_event_ring_step *step = &c->steps[i];
		const struct uvm_event *first;

		/* The rest of the table is zeros. */
		if (i && !step->append && !step->take)
			break;
		for (j = 0; j < step->append; j++) {
			struct uvm_event ev = uvm_event_numbered(UVM_EVENT_COPY, number);

			if (uvm_event_ring_append(&ring, &ev))
				kept[n_kept++] = number;
			number++;
		}
		taken += uvm_event_ring_take(test, &ring, step->take, kept + taken);
		KUNIT_EXPECT_EQ_MSG(test, uvm_event_ring_queued(&ring), step->queued,
				    "step %u", i);
		KUNIT_EXPECT_EQ_MSG(test, uvm_event_ring_peek(&ring, &first), step->peek,
				    "step %u", i);
		KUNIT_EXPECT_EQ_MSG(test, ring.dropped, step->dropped, "step %u", i);
	}
	/* Whatever is left comes out in order too. */
	uvm_event_ring_take(test, &ring, n_kept - taken, kept + taken);
	KUNIT_EXPECT_EQ(test, uvm_event_ring_queued(&ring), 0ULL);
}

/* ---- queues ---------------------------------------------------------- */

#define MASK(type)	BIT_ULL(UVM_EVENT_##type)
#define N		UVM_EVENT_ENTRIES_MIN

struct uvm_event_fixture {
	struct uvm_event_queues queues;
	struct uvm_event_queue *queue;
	struct task_struct *thread;
	struct completion done;
};

static struct uvm_event_queue *uvm_event_listen(struct kunit *test,
						struct uvm_event_queues *queues, u64 mask)
{
	struct uvm_event_queue *queue = uvm_event_queue_create(N, mask);

	KUNIT_ASSERT_NOT_NULL(test, queue);
	KUNIT_EXPECT_EQ(test, uvm_event_queue_attach(queue, queues), 0);
	return queue;
}

static int uvm_event_init(struct kunit *test)
{
	struct uvm_event_fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	if (!f)
		return -ENOMEM;
	uvm_event_queues_init(&f->queues);
	f->queue = uvm_event_queue_create(N, MASK(COPY) | MASK(REPLAY));
	if (!f->queue)
		return -ENOMEM;
	if (uvm_event_queue_attach(f->queue, &f->queues)) {
		uvm_event_queue_destroy(f->queue);
		return -ENODEV;
	}
	init_completion(&f->done);
	test->priv = f;
	return 0;
}

static void uvm_event_exit(struct kunit *test)
{
	struct uvm_event_fixture *f = test->priv;

	if (!f)
		return;
	/* Lets a throttled thread go, whatever failed. */
	uvm_event_queues_detach_all(&f->queues);
	if (f->thread)
		kthread_stop_put(f->thread);
	uvm_event_queue_destroy(f->queue);
}

static void uvm_event_emit(struct uvm_event_fixture *f, enum uvm_event_type type, u32 count)
{
	struct uvm_event ev;
	u32 i;

	for (i = 0; i < count; i++) {
		ev = uvm_event_numbered(type, i);
		uvm_events_emit(&f->queues, &ev);
	}
}

static void uvm_event_take(struct uvm_event_queue *queue, u32 count)
{
	mutex_lock(&queue->reader_lock);
	while (count--)
		uvm_event_queue_consume(queue, 1);
	mutex_unlock(&queue->reader_lock);
}

static u64 uvm_event_queued(struct uvm_event_queue *queue)
{
	return uvm_event_ring_queued(&queue->ring);
}

static u64 uvm_event_dropped(struct uvm_event_queue *queue)
{
	return queue->ring.dropped;
}

/* Every attached queue that wants the type gets it, no other. */
static void uvm_event_goes_to_who_wants_it(struct kunit *test)
{
	struct uvm_event_fixture *f = test->priv;
	struct uvm_event_queue *other = uvm_event_listen(test, &f->queues,
							 MASK(REPLAY) | MASK(BATCH));
	static const struct {
		enum uvm_event_type type;
		u64 first;
		u64 other;
		bool enabled;
	} rows[] = {
		{ UVM_EVENT_COPY, 1, 0, true },
		{ UVM_EVENT_REPLAY, 2, 1, true },
		{ UVM_EVENT_BATCH, 2, 2, true },
		{ UVM_EVENT_GPU_FAULT, 2, 2, false },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		KUNIT_EXPECT_EQ(test, uvm_event_enabled(&f->queues, rows[i].type),
				rows[i].enabled);
		uvm_event_emit(f, rows[i].type, 1);
		KUNIT_EXPECT_EQ_MSG(test, uvm_event_queued(f->queue), rows[i].first, "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, uvm_event_queued(other), rows[i].other, "row %u", i);
	}
	uvm_event_queue_destroy(other);
	/* What only it wanted is not gathered any more. */
	KUNIT_EXPECT_FALSE(test, uvm_event_enabled(&f->queues, UVM_EVENT_BATCH));
	KUNIT_EXPECT_TRUE(test, uvm_event_enabled(&f->queues, UVM_EVENT_REPLAY));
}

/* Each type has its bit in the mask that a listener may ask for. */
static void uvm_event_mask_covers_types(struct kunit *test)
{
	u64 mask = 0;
	unsigned int type;

	for (type = UVM_EVENT_GPU_FAULT; type < UVM_EVENT_COUNT; type++)
		mask |= BIT_ULL(type);
	KUNIT_EXPECT_EQ(test, (u64)UVM_EVENT_MASK_ALL, mask);
}

/* uapi: the VA space gone, what is queued can be read, then comes the end. */
static void uvm_event_end_after_last_record(struct kunit *test)
{
	struct uvm_event_fixture *f = test->priv;
	struct uvm_event_queue *late;
	bool eof;

	uvm_event_emit(f, UVM_EVENT_COPY, 2);
	KUNIT_EXPECT_TRUE(test, uvm_event_queue_readable(f->queue, &eof));
	KUNIT_EXPECT_FALSE(test, eof);
	uvm_event_queues_detach_all(&f->queues);
	KUNIT_EXPECT_FALSE(test, uvm_event_enabled(&f->queues, UVM_EVENT_COPY));
	uvm_event_emit(f, UVM_EVENT_COPY, 1);
	KUNIT_EXPECT_TRUE(test, uvm_event_queue_readable(f->queue, &eof));
	KUNIT_EXPECT_TRUE(test, eof);
	KUNIT_EXPECT_EQ(test, uvm_event_queued(f->queue), 2ULL);
	uvm_event_take(f->queue, 2);
	KUNIT_EXPECT_FALSE(test, uvm_event_queue_readable(f->queue, &eof));
	KUNIT_EXPECT_TRUE(test, eof);

	/* And nobody can begin to listen. */
	late = uvm_event_queue_create(N, MASK(COPY));
	KUNIT_ASSERT_NOT_NULL(test, late);
	KUNIT_EXPECT_EQ(test, uvm_event_queue_attach(late, &f->queues), -ENODEV);
	uvm_event_queue_destroy(late);
}

/* uapi: virtual loses nothing before the slack is used up, real has none. */
static void uvm_event_overflow_is_counted(struct kunit *test)
{
	struct uvm_event_fixture *f = test->priv;
	u64 room = N + (sim_is_virtual() ? UVM_EVENT_SLACK : 0);

	uvm_event_emit(f, UVM_EVENT_COPY, room);
	KUNIT_EXPECT_EQ(test, uvm_event_queued(f->queue), room);
	KUNIT_EXPECT_EQ(test, uvm_event_dropped(f->queue), 0ULL);
	uvm_event_emit(f, UVM_EVENT_REPLAY, 7);
	KUNIT_EXPECT_EQ(test, uvm_event_queued(f->queue), room);
	KUNIT_EXPECT_EQ(test, uvm_event_dropped(f->queue), 7ULL);
	uvm_event_take(f->queue, 1);
	uvm_event_emit(f, UVM_EVENT_REPLAY, 1);
	KUNIT_EXPECT_EQ(test, uvm_event_queued(f->queue), room);
	KUNIT_EXPECT_EQ(test, uvm_event_dropped(f->queue), 7ULL);
}

/* uapi: the status tells how many records are queued, and of which type the lost ones are. */
static void uvm_event_drops_by_type(struct kunit *test)
{
	struct uvm_event_fixture *f = test->priv;
	struct uvm_tools_status *status = kunit_kzalloc(test, sizeof(*status), GFP_KERNEL);
	u64 room = N + (sim_is_virtual() ? UVM_EVENT_SLACK : 0);
	unsigned int type;

	KUNIT_ASSERT_NOT_NULL(test, status);
	uvm_event_emit(f, UVM_EVENT_COPY, room - 1);
	uvm_event_emit(f, UVM_EVENT_REPLAY, 4);
	uvm_event_emit(f, UVM_EVENT_COPY, 2);
	uvm_event_queue_status(f->queue, status);
	KUNIT_EXPECT_EQ(test, status->queued, room);
	KUNIT_EXPECT_EQ(test, status->dropped, 5ULL);
	for (type = 0; type < UVM_EVENT_TYPES_MAX; type++) {
		u64 want = type == UVM_EVENT_REPLAY ? 3 : type == UVM_EVENT_COPY ? 2 : 0;

		KUNIT_EXPECT_EQ_MSG(test, status->dropped_by_type[type], want, "type %u", type);
	}
}

/* uapi: types are enabled and disabled after attaching; what is queued stays. */
static void uvm_event_mask_changes(struct kunit *test)
{
	struct uvm_event_fixture *f = test->priv;
	static const struct {
		u64 add;
		u64 remove;
		u64 mask;
	} rows[] = {
		{ 0, 0, MASK(COPY) | MASK(REPLAY) },
		{ MASK(BATCH), 0, MASK(COPY) | MASK(REPLAY) | MASK(BATCH) },
		{ 0, MASK(COPY), MASK(REPLAY) | MASK(BATCH) },
		{ MASK(BATCH), MASK(GPU_FAULT), MASK(REPLAY) | MASK(BATCH) },
		{ 0, MASK(REPLAY) | MASK(BATCH), 0 },
		{ MASK(COPY), 0, MASK(COPY) },
	};
	unsigned int i, type;
	u64 queued = 0;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		KUNIT_EXPECT_EQ(test, uvm_event_queue_change_mask(f->queue, rows[i].add,
								  rows[i].remove), 0);
		for (type = UVM_EVENT_GPU_FAULT; type < UVM_EVENT_COUNT; type++) {
			bool on = rows[i].mask & BIT_ULL(type);

			KUNIT_EXPECT_EQ_MSG(test, uvm_event_enabled(&f->queues, type), on,
					    "row %u type %u", i, type);
			uvm_event_emit(f, type, 1);
			queued += on;
		}
		KUNIT_EXPECT_EQ_MSG(test, uvm_event_queued(f->queue), queued, "row %u", i);
	}
	uvm_event_queues_detach_all(&f->queues);
	KUNIT_EXPECT_EQ(test, uvm_event_queue_change_mask(f->queue, MASK(COPY), 0), -ENODEV);
}

/* uapi: readable from the threshold on, after a flush, and at the end. */
static void uvm_event_threshold(struct kunit *test)
{
	struct uvm_event_fixture *f = test->priv;
	bool eof;

	KUNIT_EXPECT_EQ(test, uvm_event_queue_set_threshold(f->queue, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, uvm_event_queue_set_threshold(f->queue, N + 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, uvm_event_queue_set_threshold(f->queue, N), 0);
	uvm_event_emit(f, UVM_EVENT_COPY, N - 1);
	KUNIT_EXPECT_FALSE(test, uvm_event_queue_readable(f->queue, &eof));
	uvm_event_queue_flush(f->queue);
	KUNIT_EXPECT_TRUE(test, uvm_event_queue_readable(f->queue, &eof));
	uvm_event_take(f->queue, N - 1);
	KUNIT_EXPECT_FALSE(test, uvm_event_queue_readable(f->queue, &eof));
	uvm_event_emit(f, UVM_EVENT_COPY, 3);
	KUNIT_EXPECT_FALSE(test, uvm_event_queue_readable(f->queue, &eof));
	KUNIT_EXPECT_EQ(test, uvm_event_queue_set_threshold(f->queue, 3), 0);
	KUNIT_EXPECT_TRUE(test, uvm_event_queue_readable(f->queue, &eof));
	KUNIT_EXPECT_FALSE(test, eof);
	KUNIT_EXPECT_EQ(test, uvm_event_queue_set_threshold(f->queue, 4), 0);
	KUNIT_EXPECT_FALSE(test, uvm_event_queue_readable(f->queue, &eof));
	uvm_event_queues_detach_all(&f->queues);
	KUNIT_EXPECT_TRUE(test, uvm_event_queue_readable(f->queue, &eof));
	KUNIT_EXPECT_TRUE(test, eof);
}

/* ---- reading --------------------------------------------------------- */

struct uvm_event_read_case {
	const char *rule;
	u32 queued;
	size_t bytes;
	bool gone;
	bool bad;
	ssize_t ret;
	u64 left;
};

#define R	sizeof(struct uvm_event)

static const struct uvm_event_read_case uvm_event_read_cases[] = {
	{ "nothing there", 0, 4 * R, false, false, -EAGAIN, 0 },
	{ "all of it", 3, 4 * R, false, false, 3 * R, 0 },
	{ "as much as fits", 3, 2 * R, false, false, 2 * R, 1 },
	{ "whole records only", 3, 3 * R - 1, false, false, 2 * R, 1 },
	{ "no room for a record", 3, R - 1, false, false, -EINVAL, 3 },
	{ "no room at all", 3, 0, false, false, -EINVAL, 3 },
	{ "bad pointer loses nothing", 3, 4 * R, false, true, -EFAULT, 3 },
	{ "gone: the rest", 3, 4 * R, true, false, 3 * R, 0 },
	{ "gone: then the end", 0, 4 * R, true, false, 0, 0 },
};

static void uvm_event_read_desc(const struct uvm_event_read_case *c, char *desc)
{
	strscpy(desc, c->rule, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(uvm_event_read, uvm_event_read_cases, uvm_event_read_desc);

static void uvm_event_read_records(struct kunit *test)
{
	const struct uvm_event_read_case *c = test->param_value;
	struct uvm_event_fixture *f = test->priv;
	struct uvm_event got[4] = { };
	unsigned long user;
	ssize_t ret;
	u32 i;

	user = kunit_vm_mmap(test, NULL, 0, PAGE_SIZE, PROT_READ | PROT_WRITE,
			     MAP_ANONYMOUS | MAP_PRIVATE, 0);
	KUNIT_ASSERT_NE(test, user, 0UL);
	uvm_event_emit(f, UVM_EVENT_COPY, c->queued);
	if (c->gone)
		uvm_event_queues_detach_all(&f->queues);
	ret = uvm_event_queue_read(f->queue, c->bad ? (char __user *)8 : (char __user *)user,
				   c->bytes, true);
	KUNIT_EXPECT_EQ(test, ret, c->ret);
	KUNIT_EXPECT_EQ(test, uvm_event_queued(f->queue), c->left);
	if (ret <= 0)
		return;
	KUNIT_ASSERT_EQ(test, copy_from_user(got, (void __user *)user, ret), 0UL);
	for (i = 0; i < ret / R; i++) {
		KUNIT_EXPECT_EQ(test, got[i].type, (u16)UVM_EVENT_COPY);
		KUNIT_EXPECT_EQ(test, got[i].value, (u64)i);
	}
}

/* One read crosses the end of the storage. */
static void uvm_event_read_wraps(struct kunit *test)
{
	struct uvm_event_fixture *f = test->priv;
	u32 room = f->queue->ring.capacity;
	struct uvm_event got[4] = { };
	unsigned long user;
	u32 i;

	user = kunit_vm_mmap(test, NULL, 0, PAGE_SIZE, PROT_READ | PROT_WRITE,
			     MAP_ANONYMOUS | MAP_PRIVATE, 0);
	KUNIT_ASSERT_NE(test, user, 0UL);
	uvm_event_emit(f, UVM_EVENT_REPLAY, room - 2);
	uvm_event_take(f->queue, room - 2);
	uvm_event_emit(f, UVM_EVENT_COPY, 4);
	KUNIT_EXPECT_EQ(test, uvm_event_queue_read(f->queue, (char __user *)user, 4 * R, false),
			(ssize_t)(4 * R));
	KUNIT_ASSERT_EQ(test, copy_from_user(got, (void __user *)user, 4 * R), 0UL);
	for (i = 0; i < 4; i++)
		KUNIT_EXPECT_EQ(test, got[i].value, (u64)i);
}

/* ---- holding back ---------------------------------------------------- */

static int uvm_event_throttled_thread(void *data)
{
	struct uvm_event_fixture *f = data;

	uvm_events_throttle();
	complete(&f->done);
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return 0;
}

/* Start a thread that is held back; it is, after a while. */
static void uvm_event_start_throttled(struct kunit *test, struct uvm_event_fixture *f)
{
	struct task_struct *thread;

	if (!sim_is_virtual())
		kunit_skip(test, "needs clock=virtual");
	uvm_event_emit(f, UVM_EVENT_COPY, N);
	thread = kthread_run(uvm_event_throttled_thread, f, "uvm-throttled");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, thread);
	f->thread = get_task_struct(thread);
	KUNIT_EXPECT_EQ(test, wait_for_completion_timeout(&f->done, HZ / 5), 0UL);
}

static void uvm_event_expect_released(struct kunit *test, struct uvm_event_fixture *f)
{
	KUNIT_EXPECT_GT(test, wait_for_completion_timeout(&f->done, 10 * HZ), 0UL);
}

/* uapi: a full queue stops the clock until it is drained; not before it is full. */
static void uvm_event_full_queue_holds_back(struct kunit *test)
{
	struct uvm_event_fixture *f = test->priv;

	uvm_event_emit(f, UVM_EVENT_COPY, N - 1);
	uvm_events_throttle();
	uvm_event_take(f->queue, N - 1);

	uvm_event_start_throttled(test, f);
	/* One above half: not yet. */
	uvm_event_take(f->queue, N / 2 - 1);
	KUNIT_EXPECT_EQ(test, wait_for_completion_timeout(&f->done, HZ / 5), 0UL);
	uvm_event_take(f->queue, 1);
	uvm_event_expect_released(test, f);
	KUNIT_EXPECT_EQ(test, uvm_event_queued(f->queue), (u64)N / 2);
	KUNIT_EXPECT_EQ(test, uvm_event_dropped(f->queue), 0ULL);
	/* Full again. */
	uvm_event_emit(f, UVM_EVENT_COPY, N / 2);
	KUNIT_EXPECT_FALSE(test, list_empty(&f->queue->listener.node));
}

/* Emitting goes on behind the mark while nobody is at a charge point. */
static void uvm_event_slack_behind_the_mark(struct kunit *test)
{
	struct uvm_event_fixture *f = test->priv;

	uvm_event_start_throttled(test, f);
	uvm_event_emit(f, UVM_EVENT_COPY, UVM_EVENT_SLACK);
	KUNIT_EXPECT_EQ(test, uvm_event_dropped(f->queue), 0ULL);
	uvm_event_take(f->queue, UVM_EVENT_SLACK + N / 2);
	uvm_event_expect_released(test, f);
}

static void uvm_event_released_by_va_space(struct kunit *test)
{
	struct uvm_event_fixture *f = test->priv;

	uvm_event_start_throttled(test, f);
	uvm_event_queues_detach_all(&f->queues);
	uvm_event_expect_released(test, f);
}

static void uvm_event_released_by_close(struct kunit *test)
{
	struct uvm_event_fixture *f = test->priv;

	uvm_event_start_throttled(test, f);
	uvm_event_queue_destroy(f->queue);
	uvm_event_expect_released(test, f);
	f->queue = uvm_event_listen(test, &f->queues, MASK(COPY));
}

/* One full queue of two is enough. */
static void uvm_event_every_queue_counts(struct kunit *test)
{
	struct uvm_event_fixture *f = test->priv;
	struct uvm_event_queue *other;

	if (!sim_is_virtual())
		kunit_skip(test, "needs clock=virtual");
	other = uvm_event_listen(test, &f->queues, MASK(COPY));
	uvm_event_start_throttled(test, f);
	uvm_event_take(f->queue, N);
	KUNIT_EXPECT_EQ(test, wait_for_completion_timeout(&f->done, HZ / 5), 0UL);
	uvm_event_queue_destroy(other);
	uvm_event_expect_released(test, f);
}

static int uvm_event_short_thread(void *data)
{
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return 0;
}

/* A reader that is dead reads no more: it must not stop the clock for ever. */
static void uvm_event_dead_reader_is_abandoned(struct kunit *test)
{
	struct uvm_event_fixture *f = test->priv;
	struct task_struct *reader;

	uvm_event_start_throttled(test, f);
	reader = kthread_run(uvm_event_short_thread, NULL, "uvm-reader");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, reader);
	get_task_struct(reader);
	put_pid(f->queue->listener.owner);
	f->queue->listener.owner = get_pid(task_tgid(reader));
	KUNIT_EXPECT_EQ(test, wait_for_completion_timeout(&f->done, HZ / 5), 0UL);
	kthread_stop_put(reader);
	uvm_event_expect_released(test, f);
	KUNIT_EXPECT_TRUE(test, f->queue->listener.abandoned);
	/* It fills up and drops instead. */
	uvm_event_emit(f, UVM_EVENT_COPY, UVM_EVENT_SLACK + 2);
	uvm_events_throttle();
	KUNIT_EXPECT_EQ(test, uvm_event_dropped(f->queue), 2ULL);
	/* Somebody else has it, and reads: it counts again. */
	uvm_event_take(f->queue, N);
	KUNIT_EXPECT_FALSE(test, f->queue->listener.abandoned);
}

static struct kunit_case uvm_event_cases[] = {
	KUNIT_CASE_PARAM(uvm_event_ring_steps, uvm_event_ring_gen_params),
	KUNIT_CASE(uvm_event_goes_to_who_wants_it),
	KUNIT_CASE(uvm_event_mask_covers_types),
	KUNIT_CASE(uvm_event_end_after_last_record),
	KUNIT_CASE(uvm_event_overflow_is_counted),
	KUNIT_CASE(uvm_event_drops_by_type),
	KUNIT_CASE(uvm_event_mask_changes),
	KUNIT_CASE(uvm_event_threshold),
	KUNIT_CASE_PARAM(uvm_event_read_records, uvm_event_read_gen_params),
	KUNIT_CASE(uvm_event_read_wraps),
	KUNIT_CASE(uvm_event_full_queue_holds_back),
	KUNIT_CASE(uvm_event_slack_behind_the_mark),
	KUNIT_CASE(uvm_event_released_by_va_space),
	KUNIT_CASE(uvm_event_released_by_close),
	KUNIT_CASE(uvm_event_every_queue_counts),
	KUNIT_CASE(uvm_event_dead_reader_is_abandoned),
	{ }
};

struct kunit_suite uvm_event_suite = {
	.name = "uvm_event",
	.init = uvm_event_init,
	.exit = uvm_event_exit,
	.test_cases = uvm_event_cases,
};
