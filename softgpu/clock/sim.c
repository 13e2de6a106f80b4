// SPDX-License-Identifier: GPL-2.0
/*
 * Simulated time as the driver sees it: who holds the baton, who drives the
 * event loop, charges and waits.
 *
 * One participant executes (sim_clk.running), or one blocked participant runs
 * the event loop (sim_clk.driver), or neither: then no user thread is inside,
 * or the clock is stuck in a deadlock of driver locks.  Every change that could
 * leave the clock with nobody active ends in sim_make_ready(), sim_poke() or
 * the loop itself; a thread goes to sleep only after it saw, under the lock,
 * that somebody else is active.  That is what makes a lost driver impossible.
 */
#include <linux/export.h>
#include <linux/kthread.h>
#include <linux/mmap_lock.h>
#include <linux/pid.h>
#include <linux/ratelimit.h>
#include <linux/sched/signal.h>
#include <softgpu/backpressure.h>
#include "clock/clock_kcov.h"
#include "clock/clock_priv.h"

#undef pr_fmt
#define pr_fmt(fmt) "softgpu: " fmt

static const char *const sim_state_names[] = {
	[SIM_IDLE] = "idle",
	[SIM_RUNNING] = "running",
	[SIM_READY] = "ready",
	[SIM_SLEEPING] = "charged",
	[SIM_WAITING] = "waiting",
	[SIM_LOCKING] = "locking",
	[SIM_LEAVING] = "leaving",
	[SIM_NESTED] = "nested",
};

/* Print every participant: for a hang, where only the log tells what went wrong. */
static void sim_dump(void)
{
	struct sim_task *t;

	pr_err("clock at %llu ps, %u user threads inside, %u kthreads in service\n",
	       sim_clk.now_ps, sim_clk.users, sim_clk.in_service);
	list_for_each_entry(t, &sim_clk.all, all)
		pr_err("  %s %s: %s since or until %llu ps\n", t->user ? "user" : "kthread",
		       t->thread->comm, sim_state_names[t->state], t->when);
}

/* The baton. */

static void sim_set_running(struct sim_task *t)
{
	sim_clk.running = t;
	WRITE_ONCE(sim_clk.running_thread, t ? t->thread : NULL);
}

static void sim_grant_first(void)
{
	struct sim_task *t = list_first_entry(&sim_clk.ready, struct sim_task, node);

	list_del_init(&t->node);
	t->state = SIM_RUNNING;
	/*
	 * Drivers act at whole ns only: then everything the device does follows
	 * from such a time, and the same work takes the same ns whatever fraction
	 * of one the work before it ended at.
	 */
	WRITE_ONCE(sim_clk.now_ps, roundup(sim_clk.now_ps, PS_PER_NS));
	sim_set_running(t);
	/*
	 * Under the lock: @t looks for the baton only with the lock held, so it
	 * cannot go away with its stack before the wake-up is done.
	 */
	if (t->thread != current)
		wake_up_process(t->thread);
}

void sim_poke(void)
{
	struct sim_task *t;

	lockdep_assert_held(&sim_clk.lock);
	if (sim_clk.running || sim_clk.driver || !sim_clk.users)
		return;
	if (!list_empty(&sim_clk.ready)) {
		sim_grant_first();
		return;
	}
	/* All who are inside are blocked: one of them must drive. */
	list_for_each_entry(t, &sim_clk.all, all) {
		if (t->user) {
			wake_up_process(t->thread);
			return;
		}
	}
}

void sim_make_ready(struct sim_task *t)
{
	lockdep_assert_held(&sim_clk.lock);
	t->state = SIM_READY;
	t->when = sim_clk.now_ps;
	t->seq = ++sim_clk.seq;
	list_add_tail(&t->node, &sim_clk.ready);
	sim_clk.stuck = false;
	sim_poke();
}

static bool sim_task_less(struct rb_node *a, const struct rb_node *b)
{
	const struct sim_task *x = rb_entry(a, struct sim_task, rb);
	const struct sim_task *y = rb_entry(b, struct sim_task, rb);

	return x->when != y->when ? x->when < y->when : x->seq < y->seq;
}

void sim_sleep_until(struct sim_task *t, u64 when)
{
	lockdep_assert_held(&sim_clk.lock);
	t->state = SIM_SLEEPING;
	t->when = when;
	t->seq = ++sim_clk.seq;
	rb_add_cached(&t->rb, &sim_clk.sleepers, sim_task_less);
}

/* End the wait of all participants in @state with -EIO; true if there was one. */
static bool sim_fail_waiters(enum sim_state state)
{
	struct sim_task *t;
	bool any = false;

	list_for_each_entry(t, &sim_clk.all, all) {
		if (t->state != state)
			continue;
		list_del_init(&t->node);
		t->ret = -EIO;
		sim_make_ready(t);
		any = true;
	}
	return any;
}

/*
 * Nobody is ready and nothing will ever happen.  First the hang handler may
 * find something to do; then all who wait for a condition get an error; what
 * remains is a deadlock of locks, which only a fix of the driver can cure.
 */
static bool sim_hang(void)
{
	static DEFINE_RATELIMIT_STATE(limit, DEFAULT_RATELIMIT_INTERVAL, 1);
	sgpu_hang_fn fn = sim_clk.hang_handler;

	if (!sim_clk.hang_handled) {
		sim_clk.hang_handled = true;
		if (__ratelimit(&limit)) {
			pr_err("device hang: nothing will happen any more\n");
			sim_dump();
		}
		if (fn) {
			raw_spin_unlock_irq(&sim_clk.lock);
			fn();
			raw_spin_lock_irq(&sim_clk.lock);
		}
		return true;
	}
	sim_clk.hang_handled = false;
	if (sim_fail_waiters(SIM_WAITING))
		return true;
	pr_err_once("deadlock: all participants wait for locks\n");
	return sim_fail_waiters(SIM_LEAVING);
}

/* Advance the clock by one event or one sleeper; false: nothing can be done. */
static bool sim_step(void)
{
	struct sim_task *t = rb_entry_safe(rb_first_cached(&sim_clk.sleepers), struct sim_task, rb);

	/* At equal times the device goes first: what is charged for comes after. */
	if (sim_run_event(t ? t->when : U64_MAX))
		return true;
	if (!t)
		return sim_hang();

	rb_erase_cached(&t->rb, &sim_clk.sleepers);
	if (t->when > sim_clk.now_ps)
		WRITE_ONCE(sim_clk.now_ps, t->when);
	sim_make_ready(t);
	return true;
}

/* A fatal signal ends the killable wait of @self, which is the current thread. */
static bool sim_interrupted(struct sim_task *self)
{
	if (!self->killable || !fatal_signal_pending(current))
		return false;
	if (self->state != SIM_WAITING && self->state != SIM_LEAVING)
		return false;
	self->killable = false;
	self->ret = -EINTR;
	list_del_init(&self->node);
	sim_make_ready(self);
	return true;
}

/* An idle kthread is to end: others drive, for who waits for its end is not inside. */
static bool sim_is_stopped(const struct sim_task *self)
{
	return self->state == SIM_IDLE && kthread_should_stop();
}

/* The event loop, run by blocked @self until somebody can have the baton. */
static void sim_drive(struct sim_task *self)
{
	sim_clk.driver = current;
	while (list_empty(&sim_clk.ready) && sim_clk.users) {
		if (sim_interrupted(self) || sim_is_stopped(self))
			break;
		if (!sim_step()) {
			sim_clk.stuck = true;
			break;
		}
	}
	sim_clk.driver = NULL;
	if (!list_empty(&sim_clk.ready))
		sim_poke();
}

void sim_block(struct sim_task *self)
	__must_hold(&sim_clk.lock)
{
	lockdep_assert_held(&sim_clk.lock);
	if (self->user && sim_clk.users == 1)
		sim_clk.user_cpu = smp_processor_id();
	while (sim_clk.running != self) {
		if (sim_is_stopped(self)) {
			sim_poke();
			return;
		}
		if (!sim_clk.running && !sim_clk.driver && !sim_clk.stuck && sim_clk.users) {
			sim_drive(self);
			continue;
		}
		if (sim_interrupted(self))
			continue;
		/* Not TASK_UNINTERRUPTIBLE: a long launch is not a hung task. */
		set_current_state(self->killable ? TASK_KILLABLE : TASK_IDLE);
		raw_spin_unlock_irq(&sim_clk.lock);
		/* kthread_stop() wakes us up, before or now */
		if (!sim_is_stopped(self))
			schedule();
		__set_current_state(TASK_RUNNING);
		raw_spin_lock_irq(&sim_clk.lock);
	}
}

int sim_block_in(struct list_head *waiters, enum sim_state state)
{
	struct sim_task *self = sim_clk.running;

	self->state = state;
	self->when = sim_clk.now_ps;
	self->ret = 0;
	list_add_tail(&self->node, waiters);
	sim_set_running(NULL);
	sim_block(self);
	return self->ret;
}

void sim_assert_running(void)
{
	WARN_ON_ONCE(sim_clk.is_virtual && !sim_is_running());
}
EXPORT_SYMBOL_NS_GPL(sim_assert_running, SOFTGPU);

/* Entering and leaving. */

#ifdef CONFIG_LOCKDEP
static struct lock_class_key sim_inside_key, sim_locked_key;
struct lockdep_map sim_inside_map = STATIC_LOCKDEP_MAP_INIT("sim_inside", &sim_inside_key);
struct lockdep_map sim_locked_map = STATIC_LOCKDEP_MAP_INIT("sim_locked", &sim_locked_key);
#endif

static void sim_come_in(struct sim_task *self)
{
	/* Waiting for ourselves would stop the machine: count for nothing instead. */
	if (WARN_ON_ONCE(sim_is_running())) {
		self->state = SIM_NESTED;
		return;
	}
	self->thread = current;
	self->user = true;

	raw_spin_lock_irq(&sim_clk.lock);
	sim_clk.users++;
	sim_clk.hang_handled = false;
	list_add_tail(&self->all, &sim_clk.all);
	/* Behind the kthreads that were kicked while nobody was inside. */
	sim_make_ready(self);
	raw_spin_unlock_irq(&sim_clk.lock);

	/* The baton's holder may wait for a listener of another process. */
	sim_backpressure_look_again();

	raw_spin_lock_irq(&sim_clk.lock);
	sim_block(self);
	raw_spin_unlock_irq(&sim_clk.lock);
}

void sim_enter(struct sim_task *self)
{
	memset(self, 0, sizeof(*self));
	sim_kcov_enter();
	sim_might_block();
	if (sim_clk.is_virtual)
		sim_come_in(self);
	if (self->state != SIM_NESTED)
		lock_map_acquire(&sim_inside_map);
}
EXPORT_SYMBOL_NS_GPL(sim_enter, SOFTGPU);

bool sim_only_process(const struct pid *process)
{
	struct sim_task *t;
	unsigned long flags;
	bool only = true;

	raw_spin_lock_irqsave(&sim_clk.lock, flags);
	list_for_each_entry(t, &sim_clk.all, all)
		only &= !t->user || task_tgid(t->thread) == process;
	raw_spin_unlock_irqrestore(&sim_clk.lock, flags);
	return only;
}
EXPORT_SYMBOL_NS_GPL(sim_only_process, SOFTGPU);

void sim_enter_locked(struct sim_task *self, struct mm_struct *mm)
{
	mmap_assert_locked(mm);
	lock_map_acquire(&sim_locked_map);
	memset(self, 0, sizeof(*self));
	self->mm = mm;
	sim_kcov_enter();
	if (sim_clk.is_virtual)
		sim_come_in(self);
	if (self->state != SIM_NESTED)
		lock_map_acquire(&sim_inside_map);
}
EXPORT_SYMBOL_NS_GPL(sim_enter_locked, SOFTGPU);

bool sim_lock_is_wanted(void)
{
	struct sim_task *t;
	unsigned long flags;
	bool wanted = false;

	raw_spin_lock_irqsave(&sim_clk.lock, flags);
	list_for_each_entry(t, &sim_clk.all, all)
		wanted |= t->mm && mmap_lock_is_contended(t->mm);
	raw_spin_unlock_irqrestore(&sim_clk.lock, flags);
	return wanted;
}

static void sim_go_out(struct sim_task *self)
{
	if (WARN_ON_ONCE(!sim_is_running()))
		return;
	sim_might_block();

	raw_spin_lock_irq(&sim_clk.lock);
	self->killable = true;
	while (sim_clk.in_service && !fatal_signal_pending(current)) {
		/* An error is the way out of a deadlock of kthreads. */
		if (sim_block_in(&sim_clk.leavers, SIM_LEAVING))
			break;
	}
	list_del(&self->all);
	sim_clk.users--;
	sim_clk.hang_handled = false;
	sim_set_running(NULL);
	sim_poke();
	raw_spin_unlock_irq(&sim_clk.lock);
}

void sim_leave(struct sim_task *self)
{
	if (self->state != SIM_NESTED) {
		lock_map_release(&sim_inside_map);
		if (sim_clk.is_virtual)
			sim_go_out(self);
	}
	if (self->mm)
		lock_map_release(&sim_locked_map);
}
EXPORT_SYMBOL_NS_GPL(sim_leave, SOFTGPU);

/* Charges and waits. */

void sim_charge(u64 ns)
{
	struct sim_task *self;
	u64 when;

	if (!sim_clk.is_virtual || !ns)
		return;
	sim_might_block();
	if (WARN_ON_ONCE(!sim_is_running()))
		return;

	raw_spin_lock_irq(&sim_clk.lock);
	when = sgpu_ps_after(sim_clk.now_ps, ns);
	if (list_empty(&sim_clk.ready) && sim_next_due() > when) {
		WRITE_ONCE(sim_clk.now_ps, when);
	} else {
		self = sim_clk.running;
		sim_sleep_until(self, when);
		sim_set_running(NULL);
		sim_block(self);
	}
	raw_spin_unlock_irq(&sim_clk.lock);
}
EXPORT_SYMBOL_NS_GPL(sim_charge, SOFTGPU);

void sim_waitq_init(struct sim_waitq *wq)
{
	INIT_LIST_HEAD(&wq->waiters);
	wq->gen = 0;
	wq->seen = 0;
	init_waitqueue_head(&wq->real);
}
EXPORT_SYMBOL_NS_GPL(sim_waitq_init, SOFTGPU);

void sim_ready_all(struct list_head *waiters)
{
	struct sim_task *t, *next;

	lockdep_assert_held(&sim_clk.lock);
	list_for_each_entry_safe(t, next, waiters, node) {
		list_del_init(&t->node);
		sim_make_ready(t);
	}
}

void sim_wake(struct sim_waitq *wq)
{
	unsigned long flags;

	if (!sim_clk.is_virtual) {
		wake_up_all(&wq->real);
		return;
	}
	raw_spin_lock_irqsave(&sim_clk.lock, flags);
	WRITE_ONCE(wq->gen, wq->gen + 1);
	sim_ready_all(&wq->waiters);
	raw_spin_unlock_irqrestore(&sim_clk.lock, flags);
}
EXPORT_SYMBOL_NS_GPL(sim_wake, SOFTGPU);

int sim_block_on(struct sim_waitq *wq, bool killable)
{
	struct sim_task *self;
	int ret = 0;

	sim_might_block();
	if (WARN_ON_ONCE(!sim_is_running()))
		return -EIO;
	if (killable && fatal_signal_pending(current))
		return -EINTR;

	raw_spin_lock_irq(&sim_clk.lock);
	/* Woken since the condition was looked at?  (By one who is no participant.) */
	if (wq->gen == wq->seen) {
		self = sim_clk.running;
		self->killable = killable;
		ret = sim_block_in(&wq->waiters, SIM_WAITING);
		self->killable = false;
	}
	raw_spin_unlock_irq(&sim_clk.lock);
	return ret;
}
EXPORT_SYMBOL_NS_GPL(sim_block_on, SOFTGPU);
