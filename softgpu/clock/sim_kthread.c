// SPDX-License-Identifier: GPL-2.0
/*
 * Driver kthreads: bottom halves and deferred work, as participants.
 *
 * A kthread is *in service* from the kick until its function has returned and
 * no further kick is pending, also while a delayed kick lies in the future:
 * the interrupt was taken, so the user thread may not see it undone.
 */
#include <linux/export.h>
#include <linux/kthread.h>
#include "clock/clock_kcov.h"
#include "clock/clock_priv.h"

#ifdef CONFIG_KCOV
u64 sim_kcov_handle;
#endif

/* What it was kicked for; its coverage belongs to who is inside. */
static void sim_kthread_run(struct sim_kthread *kt)
{
	sim_kcov_begin();
	lock_map_acquire(&sim_inside_map);
	kt->fn(kt->data);
	lock_map_release(&sim_inside_map);
	sim_kcov_end();
}

/* Caller holds sim_clk.lock; the thread is idle, its kick pending. */
static void sim_kthread_dispatch(struct sim_kthread *kt)
{
	if (kt->due > sim_clk.now_ps)
		sim_sleep_until(&kt->task, kt->due);
	else
		sim_make_ready(&kt->task);
}

/*
 * Run on the CPU of the user thread: only one of them executes at a time, and
 * waking another CPU for every hand-over costs ten times the hand-over itself
 * (hundreds of times in a VM on a busy host).
 */
static void sim_kthread_follow_user(struct sim_kthread *kt)
{
	int cpu = READ_ONCE(sim_clk.user_cpu);

	if (cpu != kt->cpu && !set_cpus_allowed_ptr(current, cpumask_of(cpu)))
		kt->cpu = cpu;
}

static int sim_kthread_virtual(struct sim_kthread *kt)
{
	struct sim_task *self = &kt->task;

	raw_spin_lock_irq(&sim_clk.lock);
	for (;;) {
		sim_block(self);
		if (sim_clk.running != self)
			break;		/* stopped while idle */
		kt->kicked = false;
		kt->busy = true;
		raw_spin_unlock_irq(&sim_clk.lock);

		sim_kthread_follow_user(kt);
		sim_kthread_run(kt);

		raw_spin_lock_irq(&sim_clk.lock);
		kt->busy = false;
		self->state = SIM_IDLE;
		sim_clk.running = NULL;
		WRITE_ONCE(sim_clk.running_thread, NULL);
		if (kt->kicked) {
			sim_kthread_dispatch(kt);
		} else {
			sim_ready_all(&kt->flushers);
			if (!--sim_clk.in_service)
				sim_ready_all(&sim_clk.leavers);
		}
	}
	raw_spin_unlock_irq(&sim_clk.lock);
	return 0;
}

static bool sim_kthread_begin(struct sim_kthread *kt)
{
	bool kicked;

	raw_spin_lock_irq(&sim_clk.lock);
	kicked = kt->kicked;
	kt->kicked = false;
	kt->busy = kicked;
	kt->begun += kicked;
	raw_spin_unlock_irq(&sim_clk.lock);
	return kicked;
}

static bool sim_kthread_has_done(struct sim_kthread *kt, u64 runs)
{
	bool done;

	raw_spin_lock_irq(&sim_clk.lock);
	done = kt->done >= runs;
	raw_spin_unlock_irq(&sim_clk.lock);
	return done;
}

/* Real clock: the run under way, and the one that is due. */
static void sim_kthread_flush_real(struct sim_kthread *kt)
{
	u64 runs;

	raw_spin_lock_irq(&sim_clk.lock);
	runs = kt->begun + kt->kicked;
	raw_spin_unlock_irq(&sim_clk.lock);
	wait_event_idle(kt->idle, sim_kthread_has_done(kt, runs));
}

static int sim_kthread_real(struct sim_kthread *kt)
{
	for (;;) {
		wait_event_idle(kt->idle, READ_ONCE(kt->kicked) || kthread_should_stop());
		if (!sim_kthread_begin(kt))
			break;		/* only stopped: a pending kick goes first */
		sim_kthread_run(kt);
		raw_spin_lock_irq(&sim_clk.lock);
		kt->busy = false;
		kt->done++;
		raw_spin_unlock_irq(&sim_clk.lock);
		wake_up_all(&kt->idle);
	}
	return 0;
}

static int sim_kthread_main(void *data)
{
	return sim_clk.is_virtual ? sim_kthread_virtual(data) : sim_kthread_real(data);
}

int sim_kthread_start(struct sim_kthread *kt, void (*fn)(void *data), void *data,
		      const char *name)
{
	struct task_struct *thread;

	memset(kt, 0, sizeof(*kt));
	kt->fn = fn;
	kt->data = data;
	kt->cpu = -1;
	INIT_LIST_HEAD(&kt->flushers);
	init_waitqueue_head(&kt->idle);
	thread = kthread_create(sim_kthread_main, kt, "%s", name);
	if (IS_ERR(thread))
		return PTR_ERR(thread);

	kt->task.thread = thread;
	kt->task.state = SIM_IDLE;
	raw_spin_lock_irq(&sim_clk.lock);
	list_add_tail(&kt->task.all, &sim_clk.all);
	raw_spin_unlock_irq(&sim_clk.lock);
	wake_up_process(thread);
	return 0;
}
EXPORT_SYMBOL_NS_GPL(sim_kthread_start, SOFTGPU);

/* Virtual clock; caller holds sim_clk.lock. */
static void sim_kthread_kick_locked(struct sim_kthread *kt, u64 delay_ns)
{
	if (kt->kicked)
		return;
	kt->kicked = true;
	/* With nobody inside, time stands still: the latency passes outside of it. */
	kt->due = sim_clk.now_ps;
	if (sim_clk.users)
		kt->due = sgpu_ps_after(sim_clk.now_ps, delay_ns);
	if (kt->busy)
		return;
	sim_clk.in_service++;
	sim_kthread_dispatch(kt);
}

void sim_kthread_kick(struct sim_kthread *kt, u64 delay_ns)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&sim_clk.lock, flags);
	if (sim_clk.is_virtual)
		sim_kthread_kick_locked(kt, delay_ns);
	else
		kt->kicked = true;
	raw_spin_unlock_irqrestore(&sim_clk.lock, flags);
	if (!sim_clk.is_virtual)
		wake_up_all(&kt->idle);
}
EXPORT_SYMBOL_NS_GPL(sim_kthread_kick, SOFTGPU);

void sim_kthread_flush(struct sim_kthread *kt)
{
	if (WARN_ON_ONCE(kt->task.thread == current))
		return;
	sim_might_block();
	if (!sim_clk.is_virtual) {
		sim_kthread_flush_real(kt);
		return;
	}
	if (WARN_ON_ONCE(!sim_is_running()))
		return;
	raw_spin_lock_irq(&sim_clk.lock);
	while (kt->kicked || kt->busy) {
		/* As in sim_leave(): only a deadlock ends this with an error. */
		if (sim_block_in(&kt->flushers, SIM_LEAVING))
			break;
	}
	raw_spin_unlock_irq(&sim_clk.lock);
}
EXPORT_SYMBOL_NS_GPL(sim_kthread_flush, SOFTGPU);

void sim_kthread_stop(struct sim_kthread *kt)
{
	struct sim_task self;

	if (!kt->task.thread)
		return;
	if (sim_clk.is_virtual) {
		/* A pending run needs the baton, so somebody must be inside for it. */
		sim_enter(&self);
		sim_kthread_flush(kt);
		sim_leave(&self);
	}
	kthread_stop(kt->task.thread);
	raw_spin_lock_irq(&sim_clk.lock);
	list_del(&kt->task.all);
	raw_spin_unlock_irq(&sim_clk.lock);
	kt->task.thread = NULL;
}
EXPORT_SYMBOL_NS_GPL(sim_kthread_stop, SOFTGPU);
