// SPDX-License-Identifier: GPL-2.0
/* Listeners that stop the clock; see backpressure.h. */
#include <linux/export.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/uaccess.h>
#include <softgpu/backpressure.h>
#include <softgpu/sim.h>

/* Producers that wait; told when no listener of a sort is full any more, or somebody comes. */
static DECLARE_WAIT_QUEUE_HEAD(backpressure_waiters);

/**
 * sim_listener_init - a listener of the current process, which stops nothing
 * @listener: the listener
 * @queued: how many records it has; any context
 * @mark: records at which it is full
 */
void sim_listener_init(struct sim_listener *listener,
		       u64 (*queued)(const struct sim_listener *listener), u32 mark)
{
	*listener = (struct sim_listener){
		.queued = queued, .mark = mark, .owner = get_pid(task_tgid(current)),
	};
	INIT_LIST_HEAD(&listener->node);
}
EXPORT_SYMBOL_NS_GPL(sim_listener_init, SOFTGPU);

static void backpressure_release_locked(struct sim_backpressure *bp, struct sim_listener *listener)
{
	lockdep_assert_held(&bp->lock);
	if (list_empty(&listener->node))
		return;
	list_del_init(&listener->node);
	if (list_empty(&bp->full))
		wake_up_all(&backpressure_waiters);
}

/**
 * sim_backpressure_release - a listener stops nothing any more, for nobody fills it
 * @bp: of its sort of listener
 * @listener: the listener
 */
void sim_backpressure_release(struct sim_backpressure *bp, struct sim_listener *listener)
{
	unsigned long flags;

	spin_lock_irqsave(&bp->lock, flags);
	listener->abandoned = true;
	backpressure_release_locked(bp, listener);
	spin_unlock_irqrestore(&bp->lock, flags);
}
EXPORT_SYMBOL_NS_GPL(sim_backpressure_release, SOFTGPU);

/**
 * sim_listener_exit - the reverse of sim_listener_init()
 * @bp: of its sort of listener
 * @listener: the listener; nobody fills or reads it any more
 */
void sim_listener_exit(struct sim_backpressure *bp, struct sim_listener *listener)
{
	sim_backpressure_release(bp, listener);
	put_pid(listener->owner);
}
EXPORT_SYMBOL_NS_GPL(sim_listener_exit, SOFTGPU);

/**
 * sim_backpressure_apply - a listener has been filled to its mark: the clock stops
 * @bp: of its sort of listener
 * @listener: the listener
 *
 * Any context; does nothing on the real clock, where what finds no room is lost.
 */
void sim_backpressure_apply(struct sim_backpressure *bp, struct sim_listener *listener)
{
	unsigned long flags;

	if (!sim_is_virtual() || listener->queued(listener) < listener->mark)
		return;
	spin_lock_irqsave(&bp->lock, flags);
	/* Looked at again under the lock: the reader may have drained it. */
	if (!listener->abandoned && !listener->faulting && list_empty(&listener->node) &&
	    listener->queued(listener) >= listener->mark)
		list_add_tail(&listener->node, &bp->full);
	spin_unlock_irqrestore(&bp->lock, flags);
}
EXPORT_SYMBOL_NS_GPL(sim_backpressure_apply, SOFTGPU);

/**
 * sim_backpressure_drained - the current process has taken records
 * @bp: of its sort of listener
 * @listener: the listener; no other reader at the same time
 *
 * A full one lets the clock go on when it is half empty, so that reader and producer do
 * not take turns for every record.
 */
void sim_backpressure_drained(struct sim_backpressure *bp, struct sim_listener *listener)
{
	struct pid *owner = task_tgid(current);
	unsigned long flags;

	spin_lock_irqsave(&bp->lock, flags);
	if (listener->owner != owner) {
		put_pid(listener->owner);
		listener->owner = get_pid(owner);
		listener->abandoned = false;
	}
	if (listener->queued(listener) <= listener->mark / 2)
		backpressure_release_locked(bp, listener);
	spin_unlock_irqrestore(&bp->lock, flags);
}
EXPORT_SYMBOL_NS_GPL(sim_backpressure_drained, SOFTGPU);

/*
 * A process that is being killed reads no more, and may not get to close its files
 * before the participant that waits for it here goes on.
 */
static bool backpressure_owner_gone(struct pid *owner)
{
	struct task_struct *task;
	bool gone;

	rcu_read_lock();
	task = pid_task(owner, PIDTYPE_TGID);
	gone = !task || (READ_ONCE(task->signal->flags) & SIGNAL_GROUP_EXIT) ||
	       !atomic_read(&task->signal->live);
	rcu_read_unlock();
	return gone;
}

/* A listener that is full, and is not to be waited for now, stays full: others come and go. */
static bool backpressure_may_stop(struct sim_backpressure *bp, struct sim_listener *listener)
{
	lockdep_assert_held(&bp->lock);
	if (backpressure_owner_gone(listener->owner)) {
		listener->abandoned = true;
		backpressure_release_locked(bp, listener);
		return false;
	}
	return sim_only_process(listener->owner);
}

static bool backpressure_is_released(struct sim_backpressure *bp)
{
	struct sim_listener *listener, *next;
	bool released = true;
	unsigned long flags;

	spin_lock_irqsave(&bp->lock, flags);
	list_for_each_entry_safe(listener, next, &bp->full, node)
		released &= !backpressure_may_stop(bp, listener);
	spin_unlock_irqrestore(&bp->lock, flags);
	return released;
}

/* Killed; or a kthread that drives the clock while somebody, who is not inside, ends it. */
static bool backpressure_is_ended(void)
{
	return fatal_signal_pending(current) ||
	       ((current->flags & PF_KTHREAD) && kthread_should_stop());
}

/**
 * sim_backpressure_wait - the slow path of sim_backpressure_throttle()
 * @bp: of its sort of listener
 */
void sim_backpressure_wait(struct sim_backpressure *bp)
{
	might_sleep();
	/*
	 * Looked at from time to time: nobody tells when an owner is killed, or when its
	 * reader meets an mmap_lock that a participant holds.
	 */
	while (!backpressure_is_released(bp) && !sim_lock_is_wanted() && !backpressure_is_ended())
		wait_event_killable_timeout(backpressure_waiters,
					    backpressure_is_released(bp) ||
					    backpressure_is_ended(), HZ / 10);
}
EXPORT_SYMBOL_NS_GPL(sim_backpressure_wait, SOFTGPU);

/**
 * sim_backpressure_look_again - a user thread has come to the clock
 *
 * If it is of another process than a full listener it finds the clock running.
 */
void sim_backpressure_look_again(void)
{
	if (wq_has_sleeper(&backpressure_waiters))
		wake_up_all(&backpressure_waiters);
}

static void backpressure_set_faulting(struct sim_backpressure *bp, struct sim_listener *listener,
				      bool faulting)
{
	spin_lock_irq(&bp->lock);
	listener->faulting = faulting;
	if (faulting)
		backpressure_release_locked(bp, listener);
	spin_unlock_irq(&bp->lock);
}

/**
 * sim_backpressure_put_user - give records to the reader
 * @bp: of its sort of listener
 * @listener: the listener
 * @to: the reader's buffer
 * @from: the records
 * @bytes: their size
 *
 * The buffer may be managed memory: a fault on it needs the clock that a full listener
 * stops.  What happens until it is served may not find room, and is counted as lost.
 *
 * Return: 0 or -EFAULT.
 */
int sim_backpressure_put_user(struct sim_backpressure *bp, struct sim_listener *listener,
			      void __user *to, const void *from, size_t bytes)
{
	int ret = 0;

	if (!copy_to_user_nofault(to, from, bytes))
		return 0;
	backpressure_set_faulting(bp, listener, true);
	if (copy_to_user(to, from, bytes))
		ret = -EFAULT;
	backpressure_set_faulting(bp, listener, false);
	return ret;
}
EXPORT_SYMBOL_NS_GPL(sim_backpressure_put_user, SOFTGPU);
