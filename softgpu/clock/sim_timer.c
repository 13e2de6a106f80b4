// SPDX-License-Identifier: GPL-2.0
/*
 * Driver timers: kicks and sleeps that lie in the future.
 *
 * Unlike a delayed kick of a kthread, a timer that has not expired keeps
 * nobody inside and does not make time pass: it is an event like those of the
 * device, and comes when the clock gets there by itself.
 */
#include <linux/export.h>
#include <linux/hrtimer.h>
#include <linux/slab.h>
#include "clock/clock_priv.h"

/* At equal times the GPUs' own events go first. */
#define SIM_TIMER_GPU	U32_MAX

/**
 * struct sim_timer - kicks a kthread at a time
 * @kt: the thread
 * @event: virtual clock
 * @real: real clock
 */
struct sim_timer {
	struct sim_kthread *kt;
	struct sgpu_event event;
	struct hrtimer real;
};

static void sim_timer_expire_virtual(struct sgpu_event *event)
{
	sim_kthread_kick(container_of(event, struct sim_timer, event)->kt, 0);
}

static enum hrtimer_restart sim_timer_expire_real(struct hrtimer *real)
{
	sim_kthread_kick(container_of(real, struct sim_timer, real)->kt, 0);
	return HRTIMER_NORESTART;
}

struct sim_timer *sim_timer_create(struct sim_kthread *kt)
{
	struct sim_timer *timer = kzalloc(sizeof(*timer), GFP_KERNEL);

	if (!timer)
		return NULL;
	timer->kt = kt;
	sgpu_event_init(&timer->event, SIM_TIMER_GPU, 0, sim_timer_expire_virtual);
	hrtimer_init(&timer->real, CLOCK_MONOTONIC, HRTIMER_MODE_ABS);
	timer->real.function = sim_timer_expire_real;
	return timer;
}
EXPORT_SYMBOL_NS_GPL(sim_timer_create, SOFTGPU);

void sim_timer_start(struct sim_timer *timer, u64 when_ns)
{
	if (when_ns > SIM_LAST_NS)
		return;
	if (sim_clk.is_virtual)
		sgpu_event_at(&timer->event, when_ns * PS_PER_NS);
	else
		hrtimer_start(&timer->real, ktime_add_ns(sim_clk.base, when_ns), HRTIMER_MODE_ABS);
}
EXPORT_SYMBOL_NS_GPL(sim_timer_start, SOFTGPU);

void sim_timer_cancel(struct sim_timer *timer)
{
	if (sim_clk.is_virtual)
		sgpu_event_cancel(&timer->event);
	hrtimer_cancel(&timer->real);
}
EXPORT_SYMBOL_NS_GPL(sim_timer_cancel, SOFTGPU);

void sim_timer_destroy(struct sim_timer *timer)
{
	if (!timer)
		return;
	sim_timer_cancel(timer);
	kfree(timer);
}
EXPORT_SYMBOL_NS_GPL(sim_timer_destroy, SOFTGPU);

/* ---- sleeping -------------------------------------------------------- */

struct sim_sleeper {
	struct sgpu_event event;
	struct sim_waitq wq;
	bool over;
};

static void sim_sleep_over(struct sgpu_event *event)
{
	struct sim_sleeper *s = container_of(event, struct sim_sleeper, event);

	WRITE_ONCE(s->over, true);
	sim_wake(&s->wq);
}

static int sim_sleep_virtual(u64 ns)
{
	struct sim_sleeper s = {};
	u64 now = sim_now();
	int ret;

	if (ns > SIM_LAST_NS || now > SIM_LAST_NS - ns)
		return -ETIME;
	sgpu_event_init(&s.event, SIM_TIMER_GPU, 0, sim_sleep_over);
	sim_waitq_init(&s.wq);
	sgpu_event_at(&s.event, (now + ns) * PS_PER_NS);
	ret = sim_wait_event_killable(&s.wq, READ_ONCE(s.over));
	sgpu_event_cancel(&s.event);
	return ret;
}

int sim_sleep_killable(u64 ns)
{
	ktime_t timeout = ns_to_ktime(min_t(u64, ns, KTIME_MAX));

	sim_might_block();
	if (sim_clk.is_virtual)
		return sim_sleep_virtual(ns);
	while (!fatal_signal_pending(current)) {
		set_current_state(TASK_KILLABLE);
		if (!schedule_hrtimeout(&timeout, HRTIMER_MODE_REL))
			return 0;
	}
	return -EINTR;
}
EXPORT_SYMBOL_NS_GPL(sim_sleep_killable, SOFTGPU);
