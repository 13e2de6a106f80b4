// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of taking part in simulated time (softgpu/clock/sim.c, sim_kthread.c):
 * charges, entering and leaving, hangs, kills, exclusion.
 */
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/sched/signal.h>
#include "clock_fixture.h"
#include "softgpu/clock/clock.h"

/* "charge, nothing due: inline": no context switch, only time. */
static void sim_test_inline_charge(struct kunit *test)
{
	unsigned long switches;
	struct sim_task self;
	u64 before, after;

	sim_enter(&self);
	sim_assert_running();
	before = sim_now();
	switches = current->nvcsw;
	sim_charge(123);
	switches = current->nvcsw - switches;
	after = sim_now();
	sim_leave(&self);
	if (sim_is_virtual())
		KUNIT_EXPECT_EQ(test, after - before, 123);
	KUNIT_EXPECT_EQ(test, switches, 0);
}

/* Rule 5: an entry returns only when no kthread is in service. */
static void sim_test_leave_waits(struct kunit *test)
{
	struct clock_fixture *fx = test->priv;
	struct sim_task self;

	if (!sim_is_virtual())
		kunit_skip(test, "virtual clock only");
	sim_enter(&self);
	clock_begin(fx);
	fx->actors[0].script = "x9k";
	fx->actors[3].script = "5x";
	sim_kthread_kick(&fx->actors[0].kt, 50);
	sim_leave(&self);
	KUNIT_EXPECT_STREQ(test, fx->trace, "a50 d65");
	KUNIT_EXPECT_EQ(test, sim_now() - fx->base, 65);
}

/* Contract of sim_kthread_kick(): before the next user, at the same time. */
static void sim_test_kick_outside(struct kunit *test)
{
	struct clock_fixture *fx = test->priv;
	struct sim_task self;
	unsigned int runs;

	if (!sim_is_virtual())
		kunit_skip(test, "virtual clock only");
	clock_begin(fx);
	fx->actors[0].script = "x";
	sim_kthread_kick(&fx->actors[0].kt, 1000);
	msleep(20);
	KUNIT_EXPECT_EQ(test, READ_ONCE(fx->runs), 0);
	KUNIT_EXPECT_EQ(test, sim_now(), fx->base);
	sim_enter(&self);
	runs = fx->runs;
	sim_leave(&self);
	KUNIT_EXPECT_EQ(test, runs, 1);
	KUNIT_EXPECT_STREQ(test, fx->trace, "a0");
}

/* A timer comes when the clock gets there by itself: nobody waits for it. */
static void sim_test_timer(struct kunit *test)
{
	struct clock_fixture *fx = test->priv;
	struct sim_timer *timer = sim_timer_create(&fx->actors[0].kt);
	struct sim_task self;

	KUNIT_ASSERT_NOT_NULL(test, timer);
	if (!sim_is_virtual()) {
		sim_timer_destroy(timer);
		kunit_skip(test, "virtual clock only");
	}
	fx->actors[0].script = "x";
	sim_enter(&self);
	clock_begin(fx);
	sim_timer_start(timer, fx->base + 1000);
	sim_leave(&self);
	KUNIT_EXPECT_EQ(test, sim_now(), fx->base);
	sim_enter(&self);
	sim_charge(999);
	KUNIT_EXPECT_EQ(test, fx->runs, 0);
	sim_charge(2);
	sim_timer_start(timer, fx->base + 2000);
	sim_timer_start(timer, fx->base + 3000);	/* moves */
	sim_charge(1900);
	KUNIT_EXPECT_EQ(test, fx->runs, 1);
	sim_charge(1000);
	sim_timer_start(timer, fx->base);		/* in the past: now */
	sim_charge(1);
	sim_timer_start(timer, U64_MAX);		/* never */
	sim_timer_start(timer, fx->base + 5000);
	sim_timer_destroy(timer);
	sim_charge(5000);
	sim_leave(&self);
	KUNIT_EXPECT_STREQ(test, fx->trace, "a1000 a3000 a3901");
}

#define SIM_DAY_NS	(24ULL * 3600 * NSEC_PER_SEC)
#define SIM_YEARS_NS	(3650 * SIM_DAY_NS)

/* Time in ps: right to the last ns, and no sum of it wraps around. */
static void sim_test_end_of_time(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, sgpu_ps_after(0, 0), 0);
	KUNIT_EXPECT_EQ(test, sgpu_ps_after(5000, 7), 12000);
	KUNIT_EXPECT_EQ(test, sgpu_ps_after(0, 200 * SIM_DAY_NS), 200 * SIM_DAY_NS * PS_PER_NS);
	KUNIT_EXPECT_EQ(test, sgpu_ps_after(0, SGPU_LAST_PS / PS_PER_NS), SGPU_LAST_PS);
	KUNIT_EXPECT_EQ(test, sgpu_ps_after(PS_PER_NS, SGPU_LAST_PS / PS_PER_NS), SGPU_LAST_PS);
	KUNIT_EXPECT_EQ(test, sgpu_ps_after(0, SIM_YEARS_NS), SGPU_LAST_PS);
	KUNIT_EXPECT_EQ(test, sgpu_ps_after(0, U64_MAX), SGPU_LAST_PS);
	KUNIT_EXPECT_EQ(test, sgpu_ps_after(SGPU_LAST_PS, 1), SGPU_LAST_PS);
	KUNIT_EXPECT_EQ(test, sgpu_ps_after(U64_MAX, U64_MAX), SGPU_LAST_PS);
	/* a baton holder's time is rounded up to ns */
	KUNIT_EXPECT_EQ(test, SGPU_LAST_PS % PS_PER_NS, 0);
	KUNIT_EXPECT_GT(test, U64_MAX - SGPU_LAST_PS, PS_PER_NS);
	KUNIT_EXPECT_LT(test, SIM_LAST_NS * PS_PER_NS, SGPU_LAST_PS);
	KUNIT_EXPECT_LT(test, SIM_CLOSED_NS, SIM_LAST_NS);
}

/* Ten years, and what is just too long, is refused at once and moves nothing. */
static void sim_test_too_long(struct kunit *test)
{
	struct clock_fixture *fx = test->priv;
	struct sim_timer *timer;
	u64 before, after;
	struct sim_task self;
	int ret[4];

	if (!sim_is_virtual())
		kunit_skip(test, "virtual clock only");
	timer = sim_timer_create(&fx->actors[0].kt);
	KUNIT_ASSERT_NOT_NULL(test, timer);
	sim_enter(&self);
	clock_begin(fx);
	before = sim_now();
	ret[0] = sim_sleep_killable(SIM_YEARS_NS);
	ret[1] = sim_sleep_killable(U64_MAX);
	ret[2] = sim_sleep_killable(U64_MAX - before);
	ret[3] = sim_sleep_killable(SIM_LAST_NS - before + 1);
	sim_timer_start(timer, before + SIM_YEARS_NS);
	sim_timer_start(timer, SIM_LAST_NS + 1);
	sim_charge(10);
	after = sim_now();
	/* one that will not be reached harms nobody */
	sim_timer_start(timer, SIM_LAST_NS);
	sim_charge(10);
	sim_leave(&self);
	sim_timer_destroy(timer);
	KUNIT_EXPECT_EQ(test, after - before, 10);
	KUNIT_EXPECT_EQ(test, fx->runs, 0);
	KUNIT_EXPECT_EQ(test, ret[0], -ETIME);
	KUNIT_EXPECT_EQ(test, ret[1], -ETIME);
	KUNIT_EXPECT_EQ(test, ret[2], -ETIME);
	KUNIT_EXPECT_EQ(test, ret[3], -ETIME);
	KUNIT_EXPECT_FALSE(test, sim_is_over());
}

/* The real clock's timer comes too, and a sleep lasts as long as it should. */
static void sim_test_sleep(struct kunit *test)
{
	struct clock_fixture *fx = test->priv;
	struct sim_timer *timer = sim_timer_create(&fx->actors[0].kt);
	struct sim_task self;
	u64 before, after;
	int ret;

	KUNIT_ASSERT_NOT_NULL(test, timer);
	fx->actors[0].script = "x";
	sim_enter(&self);
	clock_begin(fx);
	before = sim_now();
	sim_timer_start(timer, before + 1000000);
	ret = sim_sleep_killable(50000000);
	after = sim_now();
	sim_kthread_flush(&fx->actors[0].kt);
	sim_leave(&self);
	sim_timer_destroy(timer);
	KUNIT_EXPECT_EQ(test, ret, 0);
	KUNIT_EXPECT_GE(test, after - before, 50000000);
	if (sim_is_virtual())
		KUNIT_EXPECT_EQ(test, after - before, 50000000);
	KUNIT_EXPECT_EQ(test, fx->runs, 1);
}

/* Rule 7: an empty heap with somebody waiting is a hang, reported at once. */

static struct clock_fixture *sim_hang_fx;
static unsigned int sim_hangs;
static bool sim_hang_cures;

static void sim_hang_fn(void)
{
	sim_hangs++;
	if (sim_hang_cures) {
		sim_hang_fx->flag = true;
		sim_wake(&sim_hang_fx->wq);
	}
}

static const struct sim_hang {
	const char *desc;
	bool cures;
	bool kthread;
	int ret;
	const char *trace;
} sim_hang_cases[] = {
	{ "the waiter gets an error", false, false, -EIO, "" },
	{ "the handler may cure it", true, false, 0, "" },
	{ "kthread and user get an error", false, true, -EIO, "!0 a0" },
	{ "the handler may cure both", true, true, 0, "a0" },
};

KUNIT_ARRAY_PARAM_DESC(sim_hang_cases, sim_hang_cases, desc);

static void sim_test_hang(struct kunit *test)
{
	const struct sim_hang *c = test->param_value;
	struct clock_fixture *fx = test->priv;
	struct sim_task self;
	sgpu_hang_fn old;
	int ret, again;

	if (!sim_is_virtual())
		kunit_skip(test, "virtual clock only");
	sim_hang_fx = fx;
	sim_hangs = 0;
	sim_hang_cures = c->cures;
	old = sgpu_clock_set_hang_handler(sim_hang_fn);

	sim_enter(&self);
	clock_begin(fx);
	fx->actors[0].script = "Px";
	if (c->kthread)
		sim_kthread_kick(&fx->actors[0].kt, 0);
	ret = sim_wait_event(&fx->wq, fx->flag);
	sim_leave(&self);
	KUNIT_EXPECT_EQ(test, ret, c->ret);
	KUNIT_EXPECT_EQ(test, sim_hangs, 1);
	KUNIT_EXPECT_STREQ(test, fx->trace, c->trace);

	/* The clock lives on: an ordinary wait ends ordinarily. */
	sim_enter(&self);
	clock_begin(fx);
	clock_arm(fx, 0, 'X', 0, 5);
	again = sim_wait_event_killable(&fx->wq, !atomic_read(&fx->pending_events));
	sim_leave(&self);
	KUNIT_EXPECT_EQ(test, again, 0);
	KUNIT_EXPECT_EQ(test, sim_hangs, 1);
	sgpu_clock_set_hang_handler(old);
}

/* A kthread stuck on a lock may not keep the user inside; once freed, it goes on. */
static void sim_test_deadlock(struct kunit *test)
{
	struct clock_fixture *fx = test->priv;
	struct sim_task self;

	if (!sim_is_virtual())
		kunit_skip(test, "virtual clock only");
	sim_enter(&self);
	clock_begin(fx);
	fx->actors[0].script = "SSSxsss";
	sim_kthread_kick(&fx->actors[0].kt, 0);
	sim_leave(&self);
	KUNIT_EXPECT_EQ(test, fx->runs, 1);
	KUNIT_EXPECT_STREQ(test, fx->trace, "");

	sim_sem_up(&fx->sem);
	sim_enter(&self);
	KUNIT_EXPECT_TRUE(test, sim_sem_trylock(&fx->sem));
	sim_leave(&self);
	KUNIT_EXPECT_STREQ(test, fx->trace, "a0");
}

/* As if another thread made the condition true right after we looked. */
static bool sim_late_wake(struct clock_fixture *fx)
{
	bool seen = fx->flag;

	if (!seen) {
		fx->flag = true;
		sim_wake(&fx->wq);
	}
	return seen;
}

/* "any context" may wake: a wake-up between look and sleep is not lost. */
static void sim_test_no_lost_wake(struct kunit *test)
{
	struct clock_fixture *fx = test->priv;
	struct sim_task self;
	sgpu_hang_fn old;
	int ret;

	sim_hangs = 0;
	sim_hang_cures = false;
	old = sgpu_clock_set_hang_handler(sim_hang_fn);
	sim_enter(&self);
	clock_begin(fx);
	ret = sim_wait_event(&fx->wq, sim_late_wake(fx));
	sim_leave(&self);
	sgpu_clock_set_hang_handler(old);
	KUNIT_EXPECT_EQ(test, ret, 0);
	KUNIT_EXPECT_EQ(test, sim_hangs, 0);
}

/* Users: threads that enter. */

struct sim_user {
	struct clock_fixture *fx;
	struct completion started;
	struct completion done;
	bool killable;
	int ret;
};

static int sim_user_thread(void *data)
{
	struct sim_user *u = data;
	struct clock_fixture *fx = u->fx;
	struct sim_task self;

	allow_signal(SIGKILL);
	complete(&u->started);
	sim_enter(&self);
	if (u->killable)
		u->ret = sim_wait_event_killable(&fx->wq, READ_ONCE(fx->flag));
	else
		u->ret = sim_wait_event(&fx->wq, READ_ONCE(fx->flag));
	sim_leave(&self);
	complete(&u->done);
	/* Stay until stopped: the tester still uses our task. */
	while (!kthread_should_stop())
		schedule_timeout_idle(1);
	return 0;
}

static struct task_struct *sim_start_user(struct clock_fixture *fx, struct sim_user *u,
					  bool killable)
{
	struct task_struct *thread;

	u->fx = fx;
	u->killable = killable;
	u->ret = 1;
	init_completion(&u->started);
	init_completion(&u->done);
	thread = kthread_run(sim_user_thread, u, "clock_kunit_user");
	if (!IS_ERR(thread)) {
		wait_for_completion(&u->started);
		msleep(20);	/* most likely it waits now; right if not, too */
	}
	return thread;
}

static const struct sim_kill {
	const char *desc;
	bool first_is_killed;
} sim_kills[] = {
	{ "the killed thread drives the clock", false },
	{ "another thread drives the clock", true },
};

KUNIT_ARRAY_PARAM_DESC(sim_kills, sim_kills, desc);

/* Rule 7: waits of user threads are killable, whoever drives. */
static void sim_test_kill(struct kunit *test)
{
	const struct sim_kill *c = test->param_value;
	struct clock_fixture *fx = test->priv;
	struct task_struct *thread[2];
	struct sim_user user[2];
	int killed = c->first_is_killed ? 0 : 1;
	unsigned long left;
	int i;

	clock_begin(fx);
	/* The device stays busy, so this is no hang. */
	fx->events[0].repeat = UINT_MAX;
	fx->events[0].period_ps = 1000 * PS_PER_NS;
	clock_arm(fx, 0, 0, 0, 1);
	for (i = 0; i < 2; i++)
		thread[i] = sim_start_user(fx, &user[i], i == killed);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, thread[0]);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, thread[1]);

	send_sig(SIGKILL, thread[killed], 1);
	left = wait_for_completion_timeout(&user[killed].done, CLOCK_TIMEOUT);
	KUNIT_EXPECT_NE(test, left, 0);
	KUNIT_EXPECT_EQ(test, user[killed].ret, -EINTR);
	KUNIT_EXPECT_FALSE(test, completion_done(&user[!killed].done));

	/* And somebody still drives for the other; we are no participant. */
	WRITE_ONCE(fx->flag, true);
	sim_wake(&fx->wq);
	left = wait_for_completion_timeout(&user[!killed].done, CLOCK_TIMEOUT);
	KUNIT_EXPECT_NE(test, left, 0);
	KUNIT_EXPECT_EQ(test, user[!killed].ret, 0);
	for (i = 0; i < 2; i++)
		kthread_stop(thread[i]);
}

/* Kicks a thread that does not end, and leaves. */
static int sim_leaver_thread(void *data)
{
	struct sim_user *u = data;
	struct sim_task self;

	allow_signal(SIGKILL);
	sim_enter(&self);
	sim_kthread_kick(&u->fx->actors[0].kt, 0);
	complete(&u->started);
	sim_leave(&self);
	complete(&u->done);
	while (!kthread_should_stop())
		schedule_timeout_idle(1);
	return 0;
}

/* Rule 7: nor does a thread that is killed wait for kthreads when it leaves. */
static void sim_test_kill_leaver(struct kunit *test)
{
	struct clock_fixture *fx = test->priv;
	struct sim_user user = { .fx = fx };
	struct task_struct *thread;
	struct sim_task self;
	unsigned long left;

	if (!sim_is_virtual())
		kunit_skip(test, "virtual clock only");
	clock_begin(fx);
	init_completion(&user.started);
	init_completion(&user.done);
	fx->actors[0].script = "P";
	fx->events[0].repeat = UINT_MAX;
	fx->events[0].period_ps = 1000 * PS_PER_NS;
	clock_arm(fx, 0, 0, 0, 1);
	thread = kthread_run(sim_leaver_thread, &user, "clock_kunit_user");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, thread);
	wait_for_completion(&user.started);
	KUNIT_EXPECT_EQ(test, wait_for_completion_timeout(&user.done, HZ / 10), 0);
	send_sig(SIGKILL, thread, 1);
	left = wait_for_completion_timeout(&user.done, CLOCK_TIMEOUT);
	KUNIT_EXPECT_NE(test, left, 0);
	/* The kthread stays in service, and is served when somebody comes. */
	WRITE_ONCE(fx->flag, true);
	sim_wake(&fx->wq);
	KUNIT_EXPECT_EQ(test, fx->runs, 1);
	sim_enter(&self);
	sim_kthread_flush(&fx->actors[0].kt);
	sim_leave(&self);
	KUNIT_EXPECT_STREQ(test, fx->trace, "");
	kthread_stop(thread);
}

static void sim_set_flag_fn(struct sgpu_event *ev)
{
	struct clock_dev_event *e = container_of(ev, struct clock_dev_event, ev);

	WRITE_ONCE(e->fx->flag, true);
	sim_wake(&e->fx->wq);
}

/* Rule 2: a leaver that drove hands the loop to one who stays. */
static void sim_test_leaver_hands_over(struct kunit *test)
{
	struct clock_fixture *fx = test->priv;
	struct clock_dev_event *e = &fx->events[0];
	struct task_struct *thread;
	struct sim_user user;
	struct sim_task self;
	unsigned long left;

	if (!sim_is_virtual())
		kunit_skip(test, "virtual clock only");
	sim_enter(&self);
	clock_begin(fx);
	e->fx = fx;
	sgpu_event_init(&e->ev, 0, 0, sim_set_flag_fn);
	sgpu_event_at(&e->ev, (fx->base + 100) * PS_PER_NS);
	thread = sim_start_user(fx, &user, false);
	if (!IS_ERR(thread)) {
		/* The other blocks in its wait; we come back and leave. */
		sim_charge(1);
	}
	sim_leave(&self);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, thread);
	left = wait_for_completion_timeout(&user.done, CLOCK_TIMEOUT);
	KUNIT_EXPECT_NE(test, left, 0);
	KUNIT_EXPECT_EQ(test, user.ret, 0);
	kthread_stop(thread);
	KUNIT_EXPECT_EQ(test, sim_now() - fx->base, 100);
}

/* Locks exclude and every kick is served, on either clock. */

struct sim_adder {
	struct clock_fixture *fx;
	struct sim_kthread kt;
	unsigned int inside;
};

static unsigned int sim_total, sim_overlaps;

static void sim_add(void *data)
{
	struct sim_adder *a = data;
	static unsigned int inside;
	int i;

	for (i = 0; i < 50; i++) {
		sim_mutex_lock(&a->fx->mutex);
		sim_overlaps += READ_ONCE(inside);
		WRITE_ONCE(inside, 1);
		sim_total++;
		sim_charge(10);
		if (!sim_is_virtual())
			cond_resched();
		WRITE_ONCE(inside, 0);
		sim_mutex_unlock(&a->fx->mutex);
	}
}

static void sim_test_exclusion(struct kunit *test)
{
	struct clock_fixture *fx = test->priv;
	struct sim_adder *a;
	struct sim_task self;
	int i, ret[CLOCK_THREADS];

	a = kunit_kcalloc(test, CLOCK_THREADS, sizeof(*a), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, a);
	sim_total = 0;
	sim_overlaps = 0;
	for (i = 0; i < CLOCK_THREADS; i++) {
		a[i].fx = fx;
		ret[i] = sim_kthread_start(&a[i].kt, sim_add, &a[i], "clock_kunit_add");
		KUNIT_EXPECT_EQ(test, ret[i], 0);
	}
	sim_enter(&self);
	for (i = 0; i < CLOCK_THREADS; i++)
		if (!ret[i])
			sim_kthread_kick(&a[i].kt, i);
	for (i = 0; i < CLOCK_THREADS; i++)
		if (!ret[i])
			sim_kthread_flush(&a[i].kt);
	KUNIT_EXPECT_EQ(test, sim_total, 50 * CLOCK_THREADS);
	/* Asked again, it runs again; stopping serves what is pending. */
	sim_kthread_kick(&a[0].kt, 0);
	sim_leave(&self);
	for (i = 0; i < CLOCK_THREADS; i++)
		if (!ret[i])
			sim_kthread_stop(&a[i].kt);
	KUNIT_EXPECT_EQ(test, sim_total, 50 * (CLOCK_THREADS + 1));
	KUNIT_EXPECT_EQ(test, sim_overlaps, 0);
}

/* Contract of sim_kthread_flush() on the real clock: who is kicked for ever is flushed. */

struct sim_busy {
	struct sim_kthread kt;
	unsigned int runs;
	bool enough;
};

/* A GPU that faults all the time: before a run has ended the next one is due. */
static void sim_kick_again(void *data)
{
	struct sim_busy *b = data;

	WRITE_ONCE(b->runs, b->runs + 1);
	if (!READ_ONCE(b->enough))
		sim_kthread_kick(&b->kt, 0);
	cond_resched();
}

static void sim_test_flush_busy(struct kunit *test)
{
	struct sim_busy *b;
	unsigned int before;

	if (sim_is_virtual())
		kunit_skip(test, "the virtual clock waits until it is idle");
	b = kunit_kzalloc(test, sizeof(*b), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, b);
	KUNIT_ASSERT_EQ(test, sim_kthread_start(&b->kt, sim_kick_again, b, "clock_kunit_busy"), 0);
	sim_kthread_kick(&b->kt, 0);
	sim_kthread_flush(&b->kt);
	before = READ_ONCE(b->runs);
	KUNIT_EXPECT_GE(test, before, 1);
	/*
	 * The run that is due is part of a flush.  It may be the one that was counted just now and
	 * has not ended; the one that is due then is not.
	 */
	sim_kthread_flush(&b->kt);
	sim_kthread_flush(&b->kt);
	KUNIT_EXPECT_GT(test, READ_ONCE(b->runs), before);
	WRITE_ONCE(b->enough, true);
	sim_kthread_flush(&b->kt);
	sim_kthread_flush(&b->kt);
	before = READ_ONCE(b->runs);
	sim_kthread_stop(&b->kt);
	KUNIT_EXPECT_EQ(test, READ_ONCE(b->runs), before);
}

/* Several users at once: right answers, never a clock without a driver. */

struct sim_visitor {
	struct clock_fixture *fx;
	struct sgpu_event ev;
	struct sim_waitq wq;
	struct completion done;
	struct task_struct *thread;
	unsigned int nr;
	bool arrived;
};

#define SIM_ROUNDS	60

static unsigned int sim_visits;

static void sim_visitor_event(struct sgpu_event *ev)
{
	struct sim_visitor *v = container_of(ev, struct sim_visitor, ev);

	WRITE_ONCE(v->arrived, true);
	sim_wake(&v->wq);
}

static int sim_visit(struct sim_visitor *v, unsigned int round)
{
	struct clock_fixture *fx = v->fx;
	struct sim_task self;
	int ret = 0;

	sim_enter(&self);
	sim_mutex_lock(&fx->mutex);
	sim_charge(round % 7);
	sim_visits++;
	sim_mutex_unlock(&fx->mutex);
	if (round % 3 == v->nr % 3) {
		v->arrived = false;
		sgpu_event_at(&v->ev, sgpu_now_ps() + 20 * PS_PER_NS);
		ret = sim_wait_event_killable(&v->wq, READ_ONCE(v->arrived));
	}
	sim_kthread_kick(&fx->actors[v->nr].kt, round % 5);
	sim_leave(&self);
	return ret;
}

static int sim_visitor_thread(void *data)
{
	struct sim_visitor *v = data;
	unsigned int round;
	int failed = 0;

	for (round = 0; round < SIM_ROUNDS; round++)
		failed |= sim_visit(v, round);
	complete(&v->done);
	while (!kthread_should_stop())
		schedule_timeout_idle(1);
	return failed;
}

static void sim_test_many_users(struct kunit *test)
{
	struct clock_fixture *fx = test->priv;
	struct sim_visitor *v;
	unsigned long left;
	int i;

	v = kunit_kcalloc(test, CLOCK_THREADS, sizeof(*v), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, v);
	clock_begin(fx);
	sim_visits = 0;
	for (i = 0; i < CLOCK_THREADS; i++) {
		fx->actors[i].script = "1S2s";
		v[i].fx = fx;
		v[i].nr = i;
		sim_waitq_init(&v[i].wq);
		init_completion(&v[i].done);
		sgpu_event_init(&v[i].ev, i, i, sim_visitor_event);
		v[i].thread = kthread_run(sim_visitor_thread, &v[i], "clock_kunit_user");
	}
	for (i = 0; i < CLOCK_THREADS; i++) {
		KUNIT_EXPECT_NOT_ERR_OR_NULL(test, v[i].thread);
		if (IS_ERR(v[i].thread))
			continue;
		left = wait_for_completion_timeout(&v[i].done, CLOCK_TIMEOUT);
		KUNIT_EXPECT_NE(test, left, 0);
		KUNIT_EXPECT_EQ(test, kthread_stop(v[i].thread), 0);
		sgpu_event_cancel(&v[i].ev);
	}
	KUNIT_EXPECT_EQ(test, sim_visits, SIM_ROUNDS * CLOCK_THREADS);
}

/* The interrupt service lock: taken in the top half, released below (either clock). */
static void sim_test_sem_trylock(struct kunit *test)
{
	struct clock_fixture *fx = test->priv;

	KUNIT_EXPECT_TRUE(test, sim_sem_trylock(&fx->sem));
	KUNIT_EXPECT_TRUE(test, sim_sem_trylock(&fx->sem));
	KUNIT_EXPECT_FALSE(test, sim_sem_trylock(&fx->sem));
	sim_sem_up(&fx->sem);
	KUNIT_EXPECT_TRUE(test, sim_sem_trylock(&fx->sem));
	sim_sem_up(&fx->sem);
	sim_sem_up(&fx->sem);
}

static struct kunit_case sim_cases[] = {
	KUNIT_CASE(sim_test_inline_charge),
	KUNIT_CASE(sim_test_leave_waits),
	KUNIT_CASE(sim_test_kick_outside),
	KUNIT_CASE(sim_test_timer),
	KUNIT_CASE(sim_test_end_of_time),
	KUNIT_CASE(sim_test_too_long),
	KUNIT_CASE(sim_test_sleep),
	KUNIT_CASE_PARAM(sim_test_hang, sim_hang_cases_gen_params),
	KUNIT_CASE(sim_test_deadlock),
	KUNIT_CASE(sim_test_no_lost_wake),
	KUNIT_CASE_PARAM(sim_test_kill, sim_kills_gen_params),
	KUNIT_CASE(sim_test_kill_leaver),
	KUNIT_CASE(sim_test_leaver_hands_over),
	KUNIT_CASE(sim_test_exclusion),
	KUNIT_CASE(sim_test_flush_busy),
	KUNIT_CASE(sim_test_many_users),
	KUNIT_CASE(sim_test_sem_trylock),
	{}
};

struct kunit_suite softgpu_sim_suite = {
	.name = "softgpu_sim",
	.init = clock_kunit_init,
	.exit = clock_kunit_exit,
	.test_cases = sim_cases,
};
