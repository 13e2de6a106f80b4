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
 * struct clock_worker - a device kthread of the real clock
 * @lock: protects the rest
 * @queue: of sgpu_event.node
 * @current_event: its function runs; may be freed by that function
 * @work: woken when @queue grows
 * @done: woken when a function has returned
 * @thread: the kthread
 */
struct clock_worker {
	raw_spinlock_t lock;
	struct list_head queue;
	struct sgpu_event *current_event;
	wait_queue_head_t work;
	wait_queue_head_t done;
	struct task_struct *thread;
};

static struct clock_worker *clock_workers;
static unsigned int clock_nr_workers;

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

/* Real clock: workers. */

static struct clock_worker *clock_event_worker(struct sgpu_event *ev)
{
	return &clock_workers[ev->worker % clock_nr_workers];
}

static void clock_event_at_real(struct sgpu_event *ev)
{
	struct clock_worker *worker = clock_event_worker(ev);
	unsigned long flags;

	raw_spin_lock_irqsave(&worker->lock, flags);
	if (!ev->queued && !ev->cancelling) {
		ev->queued = true;
		list_add_tail(&ev->node, &worker->queue);
	}
	raw_spin_unlock_irqrestore(&worker->lock, flags);
	wake_up(&worker->work);
}

static bool clock_runs_real(struct clock_worker *worker, struct sgpu_event *ev)
{
	bool runs;

	raw_spin_lock_irq(&worker->lock);
	runs = worker->current_event == ev && worker->thread != current;
	raw_spin_unlock_irq(&worker->lock);
	return runs;
}

static void clock_event_cancel_real(struct sgpu_event *ev)
{
	struct clock_worker *worker = clock_event_worker(ev);

	raw_spin_lock_irq(&worker->lock);
	if (ev->queued)
		list_del(&ev->node);
	ev->queued = false;
	ev->cancelling++;
	raw_spin_unlock_irq(&worker->lock);

	wait_event_idle(worker->done, !clock_runs_real(worker, ev));

	raw_spin_lock_irq(&worker->lock);
	ev->cancelling--;
	raw_spin_unlock_irq(&worker->lock);
}

/* Run the oldest event of the worker, if any. */
static bool clock_worker_step(struct clock_worker *worker)
{
	struct sgpu_event *ev;

	raw_spin_lock_irq(&worker->lock);
	ev = list_first_entry_or_null(&worker->queue, struct sgpu_event, node);
	if (ev) {
		list_del(&ev->node);
		ev->queued = false;
		worker->current_event = ev;
	}
	raw_spin_unlock_irq(&worker->lock);
	if (!ev)
		return false;

	ev->fn(ev);

	raw_spin_lock_irq(&worker->lock);
	worker->current_event = NULL;
	raw_spin_unlock_irq(&worker->lock);
	if (wq_has_sleeper(&worker->done))
		wake_up_all(&worker->done);
	return true;
}

static int clock_worker_thread(void *data)
{
	struct clock_worker *worker = data;

	while (!kthread_should_stop()) {
		if (clock_worker_step(worker))
			cond_resched();
		else
			wait_event_idle(worker->work, kthread_should_stop() ||
					!list_empty_careful(&worker->queue));
	}
	return 0;
}

static void clock_stop_workers(void)
{
	unsigned int i;

	for (i = 0; i < clock_nr_workers; i++)
		kthread_stop(clock_workers[i].thread);
	kfree(clock_workers);
	clock_workers = NULL;
	clock_nr_workers = 0;
}

static int clock_start_workers(unsigned int workers)
{
	unsigned int i;

	clock_workers = kcalloc(workers, sizeof(*clock_workers), GFP_KERNEL);
	if (!clock_workers)
		return -ENOMEM;

	for (i = 0; i < workers; i++) {
		struct clock_worker *worker = &clock_workers[i];

		raw_spin_lock_init(&worker->lock);
		INIT_LIST_HEAD(&worker->queue);
		init_waitqueue_head(&worker->work);
		init_waitqueue_head(&worker->done);
		worker->thread = kthread_run(clock_worker_thread, worker, "softgpu/%u", i);
		if (IS_ERR(worker->thread)) {
			int ret = PTR_ERR(worker->thread);

			clock_stop_workers();
			return ret;
		}
		clock_nr_workers = i + 1;
	}
	return 0;
}

/* Events, either clock. */

void sgpu_event_init(struct sgpu_event *ev, unsigned int gpu, unsigned int worker,
		     void (*fn)(struct sgpu_event *ev))
{
	memset(ev, 0, sizeof(*ev));
	INIT_LIST_HEAD(&ev->node);
	RB_CLEAR_NODE(&ev->rb);
	ev->gpu = gpu;
	ev->worker = worker;
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
 * @workers: device kthreads of the real clock, at least one
 *
 * Return: 0 or a negative errno.
 */
int sgpu_clock_init(bool is_virtual, unsigned int workers)
{
	sim_clk.is_virtual = is_virtual;
	sim_clk.now_ps = 0;
	sim_clk.seq = 0;
	sim_clk.base = ktime_get();
	if (is_virtual)
		return 0;
	return clock_start_workers(max(workers, 1U));
}

/**
 * sgpu_clock_exit - end the clock; no participant and no event is left
 */
void sgpu_clock_exit(void)
{
	WARN_ON_ONCE(sim_clk.users || !list_empty(&sim_clk.all));
	WARN_ON_ONCE(!RB_EMPTY_ROOT(&sim_clk.events.rb_root));
	clock_stop_workers();
	sim_clk.hang_handler = NULL;
	sim_clk.throttle = NULL;
}
