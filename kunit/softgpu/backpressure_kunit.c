// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of backpressure (softgpu/clock/backpressure.c): whom a full listener may stop.
 */
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/pid.h>
#include <softgpu/backpressure.h>
#include "clock_fixture.h"

/* A thread that is inside and meets backpressure; each kthread is a process of its own. */
struct backpressure_thread {
	struct sim_backpressure *bp;
	struct completion let;
	struct completion go;
	struct completion done;
	struct task_struct *task;
};

static u64 backpressure_always_full(const struct sim_listener *listener)
{
	return listener->mark;
}

static int backpressure_thread_fn(void *data)
{
	struct backpressure_thread *t = data;
	struct sim_task self;

	wait_for_completion(&t->let);
	sim_enter(&self);
	wait_for_completion(&t->go);
	if (t->bp)
		sim_backpressure_throttle(t->bp);
	sim_leave(&self);
	complete(&t->done);
	while (!kthread_should_stop())
		schedule_timeout_idle(1);
	return 0;
}

/* @bp: what it meets, or NULL: it goes in and out. */
static void backpressure_thread_start(struct kunit *test, struct backpressure_thread *t,
				      struct sim_backpressure *bp)
{
	t->bp = bp;
	init_completion(&t->let);
	init_completion(&t->go);
	init_completion(&t->done);
	t->task = kthread_run(backpressure_thread_fn, t, "bp_kunit");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, t->task);
}

static void backpressure_listen(struct sim_backpressure *bp, struct sim_listener *listener,
				struct task_struct *owner)
{
	sim_listener_init(listener, backpressure_always_full, 8);
	put_pid(listener->owner);
	listener->owner = get_pid(task_tgid(owner));
	sim_backpressure_apply(bp, listener);
}

static bool backpressure_is_done(struct backpressure_thread *t, unsigned long jiffies_)
{
	return wait_for_completion_timeout(&t->done, jiffies_);
}

/* Its own process waits, for as long as nobody else comes; who comes waits for nobody. */
static void backpressure_test_visitor(struct kunit *test)
{
	static DEFINE_SIM_BACKPRESSURE(bp);
	struct backpressure_thread *own, *visitor;
	struct sim_listener listener;

	if (!sim_is_virtual())
		kunit_skip(test, "virtual clock only");
	own = kunit_kcalloc(test, 2, sizeof(*own), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, own);
	visitor = &own[1];
	backpressure_thread_start(test, own, &bp);
	backpressure_thread_start(test, visitor, NULL);
	backpressure_listen(&bp, &listener, own->task);
	complete(&own->let);
	complete(&own->go);
	KUNIT_EXPECT_FALSE(test, backpressure_is_done(own, HZ / 5));

	complete(&visitor->go);
	complete(&visitor->let);
	KUNIT_EXPECT_TRUE(test, backpressure_is_done(visitor, CLOCK_TIMEOUT));
	KUNIT_EXPECT_TRUE(test, backpressure_is_done(own, CLOCK_TIMEOUT));
	/* not drained: it stops its own process again */
	KUNIT_EXPECT_FALSE(test, list_empty(&listener.node));
	sim_listener_exit(&bp, &listener);
	kthread_stop(own->task);
	kthread_stop(visitor->task);
}

/* A listener of another process stops nobody, full as it may be. */
static void backpressure_test_foreign(struct kunit *test)
{
	static DEFINE_SIM_BACKPRESSURE(bp);
	struct backpressure_thread *t;
	struct sim_listener listener;

	if (!sim_is_virtual())
		kunit_skip(test, "virtual clock only");
	t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, t);
	backpressure_thread_start(test, t, &bp);
	backpressure_listen(&bp, &listener, current);
	complete(&t->let);
	complete(&t->go);
	KUNIT_EXPECT_TRUE(test, backpressure_is_done(t, CLOCK_TIMEOUT));
	sim_listener_exit(&bp, &listener);
	kthread_stop(t->task);
}

/* Who waits to get in counts as inside; nobody inside is nobody of another process. */
static void backpressure_test_only_process(struct kunit *test)
{
	struct backpressure_thread *t;
	bool before, with_us, with_both;
	struct sim_task self;

	if (!sim_is_virtual())
		kunit_skip(test, "virtual clock only");
	t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, t);
	backpressure_thread_start(test, t, NULL);
	complete(&t->go);
	before = sim_only_process(task_tgid(t->task));
	sim_enter(&self);
	with_us = sim_only_process(task_tgid(current));
	KUNIT_EXPECT_FALSE(test, sim_only_process(task_tgid(t->task)));
	complete(&t->let);
	msleep(50);
	with_both = sim_only_process(task_tgid(current));
	sim_leave(&self);
	KUNIT_EXPECT_TRUE(test, backpressure_is_done(t, CLOCK_TIMEOUT));
	KUNIT_EXPECT_TRUE(test, before);
	KUNIT_EXPECT_TRUE(test, with_us);
	KUNIT_EXPECT_FALSE(test, with_both);
	kthread_stop(t->task);
}

static struct kunit_case backpressure_cases[] = {
	KUNIT_CASE(backpressure_test_visitor),
	KUNIT_CASE(backpressure_test_foreign),
	KUNIT_CASE(backpressure_test_only_process),
	{}
};

struct kunit_suite softgpu_backpressure_suite = {
	.name = "softgpu_backpressure",
	.test_cases = backpressure_cases,
};
