/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the tests of the clock share: kthreads that play scripts, events and an
 * interrupt, all on the clock of the loaded module, virtual or real.  Times are
 * relative to clock_begin().  No KUNIT_ASSERT while the baton is held: it would
 * leave with it.
 */
#ifndef KUNIT_CLOCK_FIXTURE_H
#define KUNIT_CLOCK_FIXTURE_H

#include <kunit/test.h>
#include "../softgpu/clock.h"

#define CLOCK_THREADS	4
#define CLOCK_EVENTS	4
#define CLOCK_TIMEOUT	(10 * HZ)

struct clock_fixture;

/* One kthread that plays a script: see clock_play(). */
struct clock_actor {
	struct clock_fixture *fx;
	struct sim_kthread kt;
	const char *script;
	char name;
	bool started;
};

struct clock_dev_event {
	struct clock_fixture *fx;
	struct sgpu_event ev;
	unsigned int repeat;
	u64 period_ps;
	char name;
	bool raises;
};

struct clock_fixture {
	struct clock_actor actors[CLOCK_THREADS];
	struct clock_dev_event events[CLOCK_EVENTS];
	struct sim_mutex mutex;
	struct sim_rwsem rwsem;
	struct sim_sem sem;
	struct sim_waitq wq;
	struct sgpu_irq irq;
	struct clock_actor *irq_kicks;
	atomic_t pending_events;
	bool flag;
	bool in_hardirq;
	unsigned int irqs;
	unsigned int runs;
	u64 base;
	unsigned int len;
	char trace[512];
};

extern struct kunit_suite softgpu_clock_suite;
extern struct kunit_suite softgpu_sim_suite;

/* Suite init and exit; test->priv is the fixture. */
int clock_kunit_init(struct kunit *test);
void clock_kunit_exit(struct kunit *test);
/* Time 0 of a case; forget what was traced. */
void clock_begin(struct clock_fixture *fx);
/* Queue event @i, which traces @name (unless 0). */
void clock_arm(struct clock_fixture *fx, unsigned int i, char name, unsigned int gpu, s64 at_ns);

#endif
