// SPDX-License-Identifier: GPL-2.0
/*
 * Fixture of the clock's tests, see clock_fixture.h.
 */
#include <linux/preempt.h>
#include "clock_fixture.h"

/* Only the baton holder or the event loop logs, so there is no lock. */
static void clock_log(struct clock_fixture *fx, char who)
{
	fx->len += scnprintf(fx->trace + fx->len, sizeof(fx->trace) - fx->len, "%s%c%llu",
			     fx->len ? " " : "", who, sim_now() - fx->base);
}

/*
 * Script: a number charges that many ns; LU mutex, Rr read, Ww write, Ss
 * semaphore, P waits for the flag, p sets it, k kicks actor d, x logs the time.
 */
static void clock_step(struct clock_actor *a, char op)
{
	struct clock_fixture *fx = a->fx;

	switch (op) {
	case 'L':
		return sim_mutex_lock(&fx->mutex);
	case 'U':
		return sim_mutex_unlock(&fx->mutex);
	case 'R':
		return sim_down_read(&fx->rwsem);
	case 'r':
		return sim_up_read(&fx->rwsem);
	case 'W':
		return sim_down_write(&fx->rwsem);
	case 'w':
		return sim_up_write(&fx->rwsem);
	case 'S':
		return sim_sem_down(&fx->sem);
	case 's':
		return sim_sem_up(&fx->sem);
	case 'P':
		if (sim_wait_event(&fx->wq, READ_ONCE(fx->flag)))
			clock_log(fx, '!');
		return;
	case 'p':
		WRITE_ONCE(fx->flag, true);
		return sim_wake(&fx->wq);
	case 'k':
		return sim_kthread_kick(&fx->actors[3].kt, 1);
	case 'x':
		return clock_log(fx, a->name);
	}
}

static void clock_play(void *data)
{
	struct clock_actor *a = data;
	const char *p;

	a->fx->runs++;
	for (p = a->script; *p; p++) {
		if (*p >= '0' && *p <= '9')
			sim_charge(*p - '0');
		else
			clock_step(a, *p);
	}
}

static void clock_event_fn(struct sgpu_event *ev)
{
	struct clock_dev_event *e = container_of(ev, struct clock_dev_event, ev);
	struct clock_fixture *fx = e->fx;

	if (e->name)
		clock_log(fx, e->name);
	if (e->raises)
		sgpu_irq_raise(&fx->irq);
	if (e->repeat) {
		e->repeat--;
		sgpu_event_at(ev, sgpu_now_ps() + e->period_ps);
	} else if (atomic_dec_and_test(&fx->pending_events)) {
		sim_wake(&fx->wq);
	}
}

static void clock_irq_fn(void *data)
{
	struct clock_fixture *fx = data;

	fx->irqs++;
	fx->in_hardirq = in_hardirq();
	if (fx->irq_kicks)
		sim_kthread_kick(&fx->irq_kicks->kt, 3);
}

void clock_arm(struct clock_fixture *fx, unsigned int i, char name, unsigned int gpu, s64 at_ns)
{
	struct clock_dev_event *e = &fx->events[i];

	e->fx = fx;
	e->name = name;
	sgpu_event_init(&e->ev, gpu, 0, clock_event_fn);
	atomic_inc(&fx->pending_events);
	sgpu_event_at(&e->ev, (fx->base + at_ns) * PS_PER_NS);
}

void clock_begin(struct clock_fixture *fx)
{
	fx->base = sim_now();
	fx->len = 0;
	fx->trace[0] = '\0';
	fx->flag = false;
	fx->runs = 0;
	fx->irqs = 0;
	atomic_set(&fx->pending_events, 0);
}

int clock_kunit_init(struct kunit *test)
{
	struct clock_fixture *fx = kunit_kzalloc(test, sizeof(*fx), GFP_KERNEL);
	int i, ret;

	if (!fx)
		return -ENOMEM;
	sim_mutex_init(&fx->mutex);
	sim_rwsem_init(&fx->rwsem);
	sim_sem_init(&fx->sem, 2);
	sim_waitq_init(&fx->wq);
	sgpu_irq_init(&fx->irq);
	sgpu_irq_set_handler(&fx->irq, clock_irq_fn, fx);
	test->priv = fx;
	for (i = 0; i < CLOCK_THREADS; i++) {
		struct clock_actor *a = &fx->actors[i];

		a->fx = fx;
		a->name = 'a' + i;
		a->script = "";
		ret = sim_kthread_start(&a->kt, clock_play, a, "clock_kunit");
		if (ret)
			return ret;
		a->started = true;
	}
	return 0;
}

void clock_kunit_exit(struct kunit *test)
{
	struct clock_fixture *fx = test->priv;
	int i;

	if (!fx)
		return;
	for (i = 0; i < CLOCK_EVENTS; i++)
		if (fx->events[i].fx)
			sgpu_event_cancel(&fx->events[i].ev);
	sgpu_irq_set_handler(&fx->irq, NULL, NULL);
	for (i = 0; i < CLOCK_THREADS; i++)
		if (fx->actors[i].started)
			sim_kthread_stop(&fx->actors[i].kt);
	sim_mutex_destroy(&fx->mutex);
}
