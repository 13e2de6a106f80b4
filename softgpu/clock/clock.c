// SPDX-License-Identifier: GPL-2.0
/*
 * The clock: time, device events and interrupts.  Who executes when is sim.c.
 */
#include <linux/export.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/slab.h>
#include <kunit/visibility.h>
#include "clock/arch.h"
#include "clock/clock_priv.h"

#undef pr_fmt
#define pr_fmt(fmt) "softgpu: " fmt

struct sim_clock sim_clk = {
	.lock = __RAW_SPIN_LOCK_UNLOCKED(sim_clk.lock),
	.ready = LIST_HEAD_INIT(sim_clk.ready),
	.all = LIST_HEAD_INIT(sim_clk.all),
	.leavers = LIST_HEAD_INIT(sim_clk.leavers),
	.events = RB_ROOT_CACHED,
	.sleepers = RB_ROOT_CACHED,
};

/**
 * struct clock_lane - a device kthread of the real clock
 * @lock: protects the rest
 * @queue: of sgpu_event.node
 * @current_event: its function runs; may be freed by that function
 * @work: woken when @queue grows
 * @done: woken when a function has returned
 * @thread: the kthread
 */
struct clock_lane {
	raw_spinlock_t lock;
	struct list_head queue;
	struct sgpu_event *current_event;
	wait_queue_head_t work;
	wait_queue_head_t done;
	struct task_struct *thread;
};

static struct clock_lane *clock_lanes;
static unsigned int clock_nr_lanes;

bool sim_is_virtual(void)
{
	return sim_clk.is_virtual;
}
EXPORT_SYMBOL_NS_GPL(sim_is_virtual, SOFTGPU);

u64 sim_now(void)
{
	if (sim_clk.is_virtual)
		return div_u64(READ_ONCE(sim_clk.now_ps), PS_PER_NS);
	return ktime_to_ns(ktime_sub(ktime_get(), sim_clk.base));
}
EXPORT_SYMBOL_NS_GPL(sim_now, SOFTGPU);

u64 sgpu_now_ps(void)
{
	if (sim_clk.is_virtual)
		return READ_ONCE(sim_clk.now_ps);
	return sim_now() * PS_PER_NS;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_now_ps);

/* Virtual clock: the heap. */

static bool clock_event_less(struct rb_node *a, const struct rb_node *b)
{
	const struct sgpu_event *x = rb_entry(a, struct sgpu_event, rb);
	const struct sgpu_event *y = rb_entry(b, struct sgpu_event, rb);

	if (x->when != y->when)
		return x->when < y->when;
	if (x->gpu != y->gpu)
		return x->gpu < y->gpu;
	return x->seq < y->seq;
}

static struct sgpu_event *clock_first_event(void)
{
	return rb_entry_safe(rb_first_cached(&sim_clk.events), struct sgpu_event, rb);
}

static struct sim_task *clock_first_sleeper(void)
{
	return rb_entry_safe(rb_first_cached(&sim_clk.sleepers), struct sim_task, rb);
}

u64 sim_next_due(void)
{
	struct sgpu_event *ev = clock_first_event();
	struct sim_task *t = clock_first_sleeper();
	u64 due = U64_MAX;

	if (ev)
		due = ev->when;
	if (t)
		due = min(due, t->when);
	return due;
}

bool sim_run_event(u64 limit)
	__must_hold(&sim_clk.lock)
{
	struct sgpu_event *ev = clock_first_event();

	lockdep_assert_held(&sim_clk.lock);
	if (!ev || ev->when > limit)
		return false;

	rb_erase_cached(&ev->rb, &sim_clk.events);
	ev->queued = false;
	if (ev->when > sim_clk.now_ps)
		WRITE_ONCE(sim_clk.now_ps, ev->when);
	sim_clk.current_event = ev;
	raw_spin_unlock_irq(&sim_clk.lock);

	ev->fn(ev);
	/* before the throttle: who cancels it waits outside of the clock, for nobody's reader */
	raw_spin_lock_irq(&sim_clk.lock);
	sim_clk.current_event = NULL;
	raw_spin_unlock_irq(&sim_clk.lock);

	if (sim_clk.throttle)
		sim_clk.throttle();
	cond_resched();

	raw_spin_lock_irq(&sim_clk.lock);
	return true;
}

static void clock_event_at_virtual(struct sgpu_event *ev, u64 when_ps)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&sim_clk.lock, flags);
	if (ev->cancelling)
		goto out;
	if (ev->queued)
		rb_erase_cached(&ev->rb, &sim_clk.events);
	ev->when = clamp(when_ps, sim_clk.now_ps, max(sim_clk.now_ps, SGPU_LAST_PS));
	ev->seq = ++sim_clk.seq;
	ev->queued = true;
	rb_add_cached(&ev->rb, &sim_clk.events, clock_event_less);
	if (sim_clk.stuck) {
		sim_clk.stuck = false;
		sim_poke();
	}
out:
	raw_spin_unlock_irqrestore(&sim_clk.lock, flags);
}

static bool clock_runs_virtual(struct sgpu_event *ev)
{
	return sim_clk.current_event == ev && sim_clk.driver != current;
}

static void clock_event_cancel_virtual(struct sgpu_event *ev)
{
	raw_spin_lock_irq(&sim_clk.lock);
	if (ev->queued)
		rb_erase_cached(&ev->rb, &sim_clk.events);
	ev->queued = false;
	/*
	 * Never so for a participant: nothing runs while it holds the baton.
	 * Others (a device that goes away) are rare enough to poll.
	 */
	ev->cancelling++;
	while (clock_runs_virtual(ev)) {
		raw_spin_unlock_irq(&sim_clk.lock);
		schedule_timeout_idle(1);
		raw_spin_lock_irq(&sim_clk.lock);
	}
	ev->cancelling--;
	raw_spin_unlock_irq(&sim_clk.lock);
}

/* Real clock: lanes. */

static struct clock_lane *clock_event_lane(struct sgpu_event *ev)
{
	return &clock_lanes[ev->lane % clock_nr_lanes];
}

static void clock_event_at_real(struct sgpu_event *ev)
{
	struct clock_lane *lane = clock_event_lane(ev);
	unsigned long flags;

	raw_spin_lock_irqsave(&lane->lock, flags);
	if (!ev->queued && !ev->cancelling) {
		ev->queued = true;
		list_add_tail(&ev->node, &lane->queue);
	}
	raw_spin_unlock_irqrestore(&lane->lock, flags);
	wake_up(&lane->work);
}

static bool clock_runs_real(struct clock_lane *lane, struct sgpu_event *ev)
{
	bool runs;

	raw_spin_lock_irq(&lane->lock);
	runs = lane->current_event == ev && lane->thread != current;
	raw_spin_unlock_irq(&lane->lock);
	return runs;
}

static void clock_event_cancel_real(struct sgpu_event *ev)
{
	struct clock_lane *lane = clock_event_lane(ev);

	raw_spin_lock_irq(&lane->lock);
	if (ev->queued)
		list_del(&ev->node);
	ev->queued = false;
	ev->cancelling++;
	raw_spin_unlock_irq(&lane->lock);

	wait_event_idle(lane->done, !clock_runs_real(lane, ev));

	raw_spin_lock_irq(&lane->lock);
	ev->cancelling--;
	raw_spin_unlock_irq(&lane->lock);
}

/* Run the oldest event of the lane, if any. */
static bool clock_lane_step(struct clock_lane *lane)
{
	struct sgpu_event *ev;

	raw_spin_lock_irq(&lane->lock);
	ev = list_first_entry_or_null(&lane->queue, struct sgpu_event, node);
	if (ev) {
		list_del(&ev->node);
		ev->queued = false;
		lane->current_event = ev;
	}
	raw_spin_unlock_irq(&lane->lock);
	if (!ev)
		return false;

	ev->fn(ev);

	raw_spin_lock_irq(&lane->lock);
	lane->current_event = NULL;
	raw_spin_unlock_irq(&lane->lock);
	if (wq_has_sleeper(&lane->done))
		wake_up_all(&lane->done);
	return true;
}

static int clock_lane_thread(void *data)
{
	struct clock_lane *lane = data;

	while (!kthread_should_stop()) {
		if (clock_lane_step(lane))
			cond_resched();
		else
			wait_event_idle(lane->work, kthread_should_stop() ||
					!list_empty_careful(&lane->queue));
	}
	return 0;
}

static void clock_stop_lanes(void)
{
	unsigned int i;

	for (i = 0; i < clock_nr_lanes; i++)
		kthread_stop(clock_lanes[i].thread);
	kfree(clock_lanes);
	clock_lanes = NULL;
	clock_nr_lanes = 0;
}

static int clock_start_lanes(unsigned int lanes)
{
	unsigned int i;

	clock_lanes = kcalloc(lanes, sizeof(*clock_lanes), GFP_KERNEL);
	if (!clock_lanes)
		return -ENOMEM;

	for (i = 0; i < lanes; i++) {
		struct clock_lane *lane = &clock_lanes[i];

		raw_spin_lock_init(&lane->lock);
		INIT_LIST_HEAD(&lane->queue);
		init_waitqueue_head(&lane->work);
		init_waitqueue_head(&lane->done);
		lane->thread = kthread_run(clock_lane_thread, lane, "softgpu/%u", i);
		if (IS_ERR(lane->thread)) {
			int ret = PTR_ERR(lane->thread);

			clock_stop_lanes();
			return ret;
		}
		clock_nr_lanes = i + 1;
	}
	return 0;
}

/* Events, either clock. */

void sgpu_event_init(struct sgpu_event *ev, unsigned int gpu, unsigned int lane,
		     void (*fn)(struct sgpu_event *ev))
{
	memset(ev, 0, sizeof(*ev));
	INIT_LIST_HEAD(&ev->node);
	RB_CLEAR_NODE(&ev->rb);
	ev->gpu = gpu;
	ev->lane = lane;
	ev->fn = fn;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_event_init);

void sgpu_event_at(struct sgpu_event *ev, u64 when_ps)
{
	if (sim_clk.is_virtual)
		clock_event_at_virtual(ev, when_ps);
	else
		clock_event_at_real(ev);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_event_at);

void sgpu_event_cancel(struct sgpu_event *ev)
{
	if (sim_clk.is_virtual)
		clock_event_cancel_virtual(ev);
	else
		clock_event_cancel_real(ev);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_event_cancel);

bool sgpu_event_queued(struct sgpu_event *ev)
{
	return READ_ONCE(ev->queued);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_event_queued);

u64 sgpu_horizon_ps(void)
{
	unsigned long flags;
	u64 due;

	if (!sim_clk.is_virtual)
		return U64_MAX;
	raw_spin_lock_irqsave(&sim_clk.lock, flags);
	/* Somebody already waits for the baton: do not run on past that. */
	due = list_empty(&sim_clk.ready) ? sim_next_due() : sim_clk.now_ps;
	raw_spin_unlock_irqrestore(&sim_clk.lock, flags);
	return due;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_horizon_ps);

/* Interrupts. */

static void clock_irq_work(struct irq_work *work)
{
	struct sgpu_irq *irq = container_of(work, struct sgpu_irq, work);
	/* Pairs with the release in sgpu_irq_set_handler(): @data is that of @handler. */
	void (*handler)(void *data) = smp_load_acquire(&irq->handler);

	if (handler)
		handler(irq->data);
}

void sgpu_irq_init(struct sgpu_irq *irq)
{
	irq->work = IRQ_WORK_INIT_HARD(clock_irq_work);
	irq->handler = NULL;
	irq->data = NULL;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_irq_init);

void sgpu_irq_set_handler(struct sgpu_irq *irq, void (*handler)(void *data), void *data)
{
	WRITE_ONCE(irq->handler, NULL);
	irq_work_sync(&irq->work);
	if (!handler)
		return;
	irq->data = data;
	/* Pairs with the acquire in clock_irq_work(). */
	smp_store_release(&irq->handler, handler);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_irq_set_handler);

void sgpu_irq_raise(struct sgpu_irq *irq)
{
	sgpu_arch_interrupt(&irq->work, sim_clk.is_virtual);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_irq_raise);

sgpu_hang_fn sgpu_clock_set_hang_handler(sgpu_hang_fn fn)
{
	sgpu_hang_fn old;

	raw_spin_lock_irq(&sim_clk.lock);
	old = sim_clk.hang_handler;
	sim_clk.hang_handler = fn;
	raw_spin_unlock_irq(&sim_clk.lock);
	return old;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_clock_set_hang_handler);

void sgpu_clock_set_throttle(void (*throttle)(void))
{
	sim_clk.throttle = throttle;
}

/**
 * sgpu_clock_init - choose the clock and start it at time 0
 * @is_virtual: which
 * @lanes: device kthreads of the real clock, at least one
 *
 * Return: 0 or a negative errno.
 */
int sgpu_clock_init(bool is_virtual, unsigned int lanes)
{
	sim_clk.is_virtual = is_virtual;
	sim_clk.now_ps = 0;
	sim_clk.seq = 0;
	sim_clk.base = ktime_get();
	if (is_virtual)
		return 0;
	return clock_start_lanes(max(lanes, 1U));
}

/**
 * sgpu_clock_exit - end the clock; no participant and no event is left
 */
void sgpu_clock_exit(void)
{
	WARN_ON_ONCE(sim_clk.users || !list_empty(&sim_clk.all));
	WARN_ON_ONCE(!RB_EMPTY_ROOT(&sim_clk.events.rb_root));
	clock_stop_lanes();
	sim_clk.hang_handler = NULL;
	sim_clk.throttle = NULL;
}
