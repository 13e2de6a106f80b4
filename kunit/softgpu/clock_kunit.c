// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the clock (softgpu/clock/clock.c, sim_lock.c): who runs when, events,
 * interrupts, workers.
 */
#include <linux/delay.h>
#include <linux/kthread.h>
#include "clock_fixture.h"
#include "softgpu/clock/clock.h"

/* Order of execution: who runs when. */

struct clock_order {
	const char *desc;
	const char *script[CLOCK_THREADS];
	u64 delay[CLOCK_THREADS];
	struct {
		char name;
		unsigned int gpu;
		int at;
	} event[CLOCK_EVENTS];
	const char *trace;
};

static const struct clock_order clock_orders[] = {
	/* Wake-ups come by (virtual time, sequence number), so that a run repeats. */
	{ "charges of two interleave", { "x3x3x", "x2x2x2x" },
	  .trace = "a0 b0 b2 a3 b4 a6 b6" },
	{ "equal times: first charged, first served", { "x4x", "1x3x", "2x2x" },
	  .trace = "a0 b1 c2 a4 b4 c4" },
	{ "no charge, no hand-over", { "xx0x", "x" }, .trace = "a0 a0 a0 b0" },
	/* Hints of sim_kthread_kick(): latency from kick to baton. */
	{ "delayed kicks", { "x", "x", "x" }, { 7, 0, 5 }, .trace = "b0 c5 a7" },
	{ "a kick that finds it kicked is the same kick", { "1kk1x", NULL, NULL, "9x" },
	  .trace = "a2 d11" },
	{ "a kick while it runs causes one more run", { "1k1kk1x", NULL, NULL, "9x" },
	  .trace = "a3 d11 d20" },
	{ "the second run goes behind others that are due", { "1k3k9x", NULL, NULL, "9x" },
	  .trace = "d11 a13 d20" },
	/* One heap for all GPUs: events tie-break by (time, gpu id, seq). */
	{ "events by time, gpu, sequence", { NULL }, .event = {
	  { 'W', 1, 5 }, { 'X', 0, 5 }, { 'Y', 0, 5 }, { 'Z', 2, 4 } },
	  .trace = "Z4 X5 Y5 W5" },
	{ "an event goes before a charge that ends with it", { "5x4x" }, .event = {
	  { 'X', 7, 5 }, { 'Y', 0, 9 } }, .trace = "X5 a5 Y9 a9" },
	{ "an event in the past happens now", { NULL }, .event = {
	  { 'X', 0, -3 }, { 'Y', 0, 1 } }, .trace = "X0 Y1" },
	{ "events during a charge happen at their own time", { "x9x" }, .event = {
	  { 'X', 0, 2 }, { 'Y', 0, 7 }, { 'Z', 0, 12 } }, .trace = "a0 X2 Y7 a9 Z12" },
	/* A contended lock under a charge is served in order, so that a run repeats. */
	{ "mutex held across a charge", { "L5xU", "L5xU", "L5xU" },
	  .trace = "a5 b10 c15" },
	{ "mutex: the owner may not overtake", { "L5xUL5xU", "L5xU" },
	  .trace = "a5 b10 a15" },
	{ "mutex: order of arrival, not of start", { "9L1xU", "L9Ux", "3L5xU" },
	  .trace = "b9 c14 a15" },
	{ "rwsem: readers share", { "R5xr", "R5xr", "W5xw" }, .trace = "a5 b5 c10" },
	{ "rwsem: a waiting writer is not starved", { "R5xr", "1W5xw", "2R5xr" },
	  .trace = "a5 b10 c15" },
	{ "rwsem: readers follow a writer together", { "W5xw", "R5xr", "R3xr", "W1xw" },
	  .trace = "a5 c8 b10 d11" },
	{ "semaphore: count of two", { "S5xs", "S5xs", "S5xs", "S5xs" },
	  .trace = "a5 b5 c10 d10" },
	{ "semaphore: strictly in order", { "S5xsS5xs", "S6xs", "S5xs" },
	  .trace = "a5 b6 c10 a11" },
	{ "a condition wakes all in order", { "Px", "1Px", "4px2x" }, .trace = "c4 a4 b4 c6" },
};

KUNIT_ARRAY_PARAM_DESC(clock_orders, clock_orders, desc);

static void clock_run_order(struct clock_fixture *fx, const struct clock_order *o)
{
	struct sim_task self;
	int i;

	sim_enter(&self);
	clock_begin(fx);
	for (i = 0; i < CLOCK_EVENTS; i++)
		if (o->event[i].name)
			clock_arm(fx, i, o->event[i].name, o->event[i].gpu, o->event[i].at);
	for (i = 0; i < CLOCK_THREADS; i++) {
		fx->actors[i].script = o->script[i] ?: "";
		/* Actor d belongs to 'k' where there are no b and c. */
		if (o->script[i] && (i < 3 || o->script[1]))
			sim_kthread_kick(&fx->actors[i].kt, o->delay[i]);
	}
	sim_wait_event(&fx->wq, !atomic_read(&fx->pending_events));
	sim_leave(&self);
}

static void clock_test_order(struct kunit *test)
{
	const struct clock_order *o = test->param_value;
	struct clock_fixture *fx = test->priv;

	if (!sim_is_virtual())
		kunit_skip(test, "virtual clock only");
	clock_run_order(fx, o);
	KUNIT_EXPECT_STREQ(test, o->trace, fx->trace);
}

/* clock.h: queue, or move; cancel; horizon; re-queued by its own function. */
static void clock_test_event_queue(struct kunit *test)
{
	struct clock_fixture *fx = test->priv;
	struct sim_task self;
	u64 horizon;

	if (!sim_is_virtual())
		kunit_skip(test, "virtual clock only");
	sim_enter(&self);
	clock_begin(fx);
	clock_arm(fx, 0, 'X', 0, 10);
	clock_arm(fx, 1, 'Y', 0, 20);
	KUNIT_EXPECT_TRUE(test, sgpu_event_queued(&fx->events[0].ev));
	horizon = sgpu_horizon_ps();
	KUNIT_EXPECT_EQ(test, horizon, (fx->base + 10) * PS_PER_NS);

	sgpu_event_at(&fx->events[0].ev, (fx->base + 30) * PS_PER_NS);
	sgpu_event_cancel(&fx->events[1].ev);
	atomic_dec(&fx->pending_events);
	KUNIT_EXPECT_FALSE(test, sgpu_event_queued(&fx->events[1].ev));
	fx->events[0].repeat = 2;
	fx->events[0].period_ps = 5 * PS_PER_NS;
	sim_wait_event(&fx->wq, !atomic_read(&fx->pending_events));
	KUNIT_EXPECT_STREQ(test, fx->trace, "X30 X35 X40");
	KUNIT_EXPECT_FALSE(test, sgpu_event_queued(&fx->events[0].ev));
	sim_leave(&self);
}

/* Rule 6: hard interrupt context; the raiser waits until the handler has run. */
static void clock_test_irq(struct kunit *test)
{
	struct clock_fixture *fx = test->priv;
	int i;

	clock_begin(fx);
	for (i = 1; i <= 3; i++) {
		sgpu_irq_raise(&fx->irq);
		if (!sim_is_virtual())
			irq_work_sync(&fx->irq.work);
		KUNIT_EXPECT_EQ(test, fx->irqs, i);
	}
	KUNIT_EXPECT_TRUE(test, fx->in_hardirq);
	sgpu_irq_set_handler(&fx->irq, NULL, NULL);
	sgpu_irq_raise(&fx->irq);
	irq_work_sync(&fx->irq.work);
	KUNIT_EXPECT_EQ(test, fx->irqs, 3);
}

/* Same inputs, same nanoseconds, whatever the machine does. */

static int clock_disturber(void *data)
{
	unsigned int n = 0;

	while (!kthread_should_stop()) {
		if (++n % 64)
			cpu_relax();
		else if (n % 4096)
			cond_resched();
		else
			usleep_range(1, 50);
	}
	return 0;
}

static const struct clock_order clock_busy = {
	.script = { "L3U1L2xUR4rS1s", "R2rL5xUW1xwS3sk", "2L1xUW3wxS2xsk", "S1xs" },
	.event = { { 'X', 1, 2 }, { 'Y', 0, 4 }, { 'Z', 0, 4 } },
};

static void clock_test_determinism(struct kunit *test)
{
	struct clock_fixture *fx = test->priv;
	struct task_struct *disturber;
	char first[sizeof(fx->trace)] = "";
	int run, i;

	if (!sim_is_virtual())
		kunit_skip(test, "virtual clock only");
	disturber = kthread_run(clock_disturber, NULL, "clock_kunit_busy");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, disturber);
	fx->irq_kicks = &fx->actors[1];
	for (run = 0; run < 20; run++) {
		for (i = 0; i < 3; i++) {
			fx->events[i].repeat = 7;
			fx->events[i].period_ps = (3 + i) * PS_PER_NS + 500;
			fx->events[i].raises = i == 1;
		}
		clock_run_order(fx, &clock_busy);
		if (!run)
			strscpy(first, fx->trace);
		KUNIT_EXPECT_STREQ(test, first, fx->trace);
		KUNIT_EXPECT_EQ(test, fx->irqs, 8);
	}
	kthread_stop(disturber);
	KUNIT_EXPECT_GT(test, strlen(first), 100);
}

/* The real clock: the same calls, real concurrency. */

struct clock_counted {
	struct sgpu_event ev;
	struct clock_fixture *fx;
	unsigned int nr;
	unsigned int left;
};

static void clock_counted_fn(struct sgpu_event *ev)
{
	struct clock_counted *c = container_of(ev, struct clock_counted, ev);

	c->fx->len += scnprintf(c->fx->trace + c->fx->len, sizeof(c->fx->trace) - c->fx->len,
				"%u", c->nr);
	if (c->left && --c->left)
		sgpu_event_at(ev, 0);
	else if (atomic_dec_and_test(&c->fx->pending_events))
		sim_wake(&c->fx->wq);
}

/* clock.h: in order within a worker, time ignored, may re-queue itself. */
static void clock_test_lane_order(struct kunit *test)
{
	struct clock_fixture *fx = test->priv;
	struct clock_counted *c;
	struct sim_task self;
	int i, ret;

	if (sim_is_virtual())
		kunit_skip(test, "real clock only");
	c = kunit_kcalloc(test, 3, sizeof(*c), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, c);
	sim_enter(&self);
	clock_begin(fx);
	atomic_set(&fx->pending_events, 3);
	for (i = 0; i < 3; i++) {
		c[i] = (struct clock_counted){ .fx = fx, .nr = i, .left = 2 };
		sgpu_event_init(&c[i].ev, 0, 5, clock_counted_fn);
	}
	for (i = 0; i < 3; i++)
		sgpu_event_at(&c[i].ev, U64_MAX - i);
	ret = sim_wait_event(&fx->wq, !atomic_read(&fx->pending_events));
	sim_leave(&self);
	for (i = 0; i < 3; i++)
		sgpu_event_cancel(&c[i].ev);
	KUNIT_EXPECT_EQ(test, ret, 0);
	KUNIT_EXPECT_EQ(test, fx->len, 6);
	/* The first round is in order; how the rounds mix is timing. */
	for (i = 0; i < 2; i++)
		KUNIT_EXPECT_TRUE(test, strchr(fx->trace, '0' + i) < strchr(fx->trace, '1' + i));
}

static void clock_slow_fn(struct sgpu_event *ev)
{
	struct clock_dev_event *e = container_of(ev, struct clock_dev_event, ev);

	WRITE_ONCE(e->fx->flag, true);
	msleep(20);
	if (!e->repeat)
		sgpu_event_at(ev, 0);
	WRITE_ONCE(e->fx->runs, e->fx->runs + 1);
}

/* Cancel waits for the function, and wins over its re-queueing. */
static void clock_test_cancel_running(struct kunit *test)
{
	struct clock_fixture *fx = test->priv;
	struct clock_dev_event *e = &fx->events[0];
	unsigned int runs;
	int i;

	if (sim_is_virtual())
		kunit_skip(test, "real clock only");
	clock_begin(fx);
	e->fx = fx;
	sgpu_event_init(&e->ev, 0, 0, clock_slow_fn);
	sgpu_event_at(&e->ev, 0);
	for (i = 0; i < 5000 && !READ_ONCE(fx->flag); i++)
		usleep_range(100, 200);
	sgpu_event_cancel(&e->ev);
	runs = READ_ONCE(fx->runs);
	KUNIT_EXPECT_GE(test, runs, 1);
	KUNIT_EXPECT_FALSE(test, sgpu_event_queued(&e->ev));
	msleep(50);
	KUNIT_EXPECT_EQ(test, READ_ONCE(fx->runs), runs);
}

static struct kunit_case clock_cases[] = {
	KUNIT_CASE_PARAM(clock_test_order, clock_orders_gen_params),
	KUNIT_CASE(clock_test_event_queue),
	KUNIT_CASE(clock_test_irq),
	KUNIT_CASE(clock_test_determinism),
	KUNIT_CASE(clock_test_lane_order),
	KUNIT_CASE(clock_test_cancel_running),
	{}
};

struct kunit_suite softgpu_clock_suite = {
	.name = "softgpu_clock",
	.init = clock_kunit_init,
	.exit = clock_kunit_exit,
	.test_cases = clock_cases,
};
