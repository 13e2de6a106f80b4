// SPDX-License-Identifier: GPL-2.0
/*
 * Event queues: who listens, and how a full queue holds the driver back.
 *
 * Locks: uvm_event_attach_lock (who is attached to what), then
 * uvm_event_queues.lock (the producer's side), then uvm_event_full_lock (who is full).
 * A reader holds reader_lock and none of them while it copies to userspace.
 */
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/poll.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <kunit/visibility.h>
#include <softgpu/sim.h>
#include "debugfs.h"
#include "event.h"

static DEFINE_MUTEX(uvm_event_attach_lock);
static DEFINE_SPINLOCK(uvm_event_full_lock);
static LIST_HEAD(uvm_event_full);
static DECLARE_WAIT_QUEUE_HEAD(uvm_event_drained);

/**
 * uvm_event_queues_init - no listeners yet
 * @queues: queues of a new VA space
 */
void uvm_event_queues_init(struct uvm_event_queues *queues)
{
	spin_lock_init(&queues->lock);
	INIT_LIST_HEAD(&queues->list);
	queues->mask = 0;
	queues->closed = false;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_event_queues_init);

static bool uvm_event_queue_is_full(const struct uvm_event_queue *queue)
{
	return !list_empty(&queue->full_node);
}

/* The queue no longer stops the clock. */
static void uvm_event_unfull_locked(struct uvm_event_queue *queue)
{
	lockdep_assert_held(&uvm_event_full_lock);
	if (!uvm_event_queue_is_full(queue))
		return;
	list_del_init(&queue->full_node);
	if (list_empty(&uvm_event_full))
		wake_up_all(&uvm_event_drained);
}

static void uvm_event_check_full(struct uvm_event_queue *queue)
{
	unsigned long flags;

	spin_lock_irqsave(&uvm_event_full_lock, flags);
	/* Looked at again under the lock: the reader may have drained it. */
	if (!queue->abandoned && !queue->faulting && !uvm_event_queue_is_full(queue) &&
	    uvm_event_ring_queued(&queue->ring) >= queue->ring.mark)
		list_add_tail(&queue->full_node, &uvm_event_full);
	spin_unlock_irqrestore(&uvm_event_full_lock, flags);
}

static void uvm_event_queue_append(struct uvm_event_queue *queue, const struct uvm_event *ev)
{
	if (!uvm_event_ring_append(&queue->ring, ev))
		WRITE_ONCE(queue->dropped[ev->type], queue->dropped[ev->type] + 1);
	if (sim_is_virtual() && uvm_event_ring_queued(&queue->ring) >= queue->ring.mark)
		uvm_event_check_full(queue);
	if (uvm_event_ring_wakes(&queue->ring) && wq_has_sleeper(&queue->wait))
		wake_up_interruptible_poll(&queue->wait, EPOLLIN | EPOLLRDNORM);
}

/**
 * uvm_events_emit - tell every listener that wants to know
 * @queues: queues of a VA space
 * @ev: what happened
 *
 * Any context; never sleeps.
 */
void uvm_events_emit(struct uvm_event_queues *queues, const struct uvm_event *ev)
{
	struct uvm_event_queue *queue;
	unsigned long flags;

	if (!uvm_event_enabled(queues, ev->type))
		return;
	spin_lock_irqsave(&queues->lock, flags);
	list_for_each_entry(queue, &queues->list, node) {
		if (queue->mask & BIT_ULL(ev->type))
			uvm_event_queue_append(queue, ev);
	}
	spin_unlock_irqrestore(&queues->lock, flags);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_events_emit);

/*
 * A process that is being killed reads no more, and may not get to close its
 * files before the participant that waits for it here goes on.
 */
static bool uvm_event_owner_gone(struct pid *owner)
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

static bool uvm_events_drained(void)
{
	struct uvm_event_queue *queue, *next;
	unsigned long flags;
	bool drained;

	spin_lock_irqsave(&uvm_event_full_lock, flags);
	list_for_each_entry_safe(queue, next, &uvm_event_full, full_node) {
		if (uvm_event_owner_gone(queue->owner)) {
			queue->abandoned = true;
			uvm_event_unfull_locked(queue);
		}
	}
	drained = list_empty(&uvm_event_full);
	spin_unlock_irqrestore(&uvm_event_full_lock, flags);
	return drained;
}

/**
 * uvm_events_throttle - wait, in real time, until no queue is full
 *
 * Called by a participant at charge points, with no spinlock and no foreign
 * sleeping lock held.  It keeps the baton, so simulated time stands still.
 * Ends early if the caller is killed; also when the reader is or closes, or
 * the VA space goes.  Never waits on the real clock.
 */
void uvm_events_throttle(void)
{
	might_sleep();
	if (likely(list_empty_careful(&uvm_event_full)))
		return;
	/* Looked at from time to time: nobody tells when an owner is killed. */
	while (!uvm_events_drained() && !fatal_signal_pending(current))
		wait_event_killable_timeout(uvm_event_drained,
					    list_empty_careful(&uvm_event_full), HZ / 10);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_events_throttle);

/**
 * uvm_event_queue_create - make a queue, not attached
 * @entries: its length
 * @mask: bit per event type wanted
 *
 * Charged to the caller's memory cgroup.
 *
 * Return: the queue, or NULL without memory.
 */
struct uvm_event_queue *uvm_event_queue_create(u32 entries, u64 mask)
{
	u32 slack = sim_is_virtual() ? UVM_EVENT_SLACK : 0;
	struct uvm_event_queue *queue;
	struct uvm_event *records;

	queue = kzalloc(sizeof(*queue), GFP_KERNEL_ACCOUNT);
	if (!queue)
		return NULL;
	records = kvcalloc(entries + slack, sizeof(*records), GFP_KERNEL_ACCOUNT);
	if (!records) {
		kfree(queue);
		return NULL;
	}
	INIT_LIST_HEAD(&queue->node);
	INIT_LIST_HEAD(&queue->full_node);
	queue->mask = mask;
	queue->owner = get_pid(task_tgid(current));
	init_waitqueue_head(&queue->wait);
	mutex_init(&queue->reader_lock);
	uvm_event_ring_init(&queue->ring, records, entries, slack);
	uvm_object_inc(UVM_OBJECT_QUEUE);
	return queue;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_event_queue_create);

/* What at least one listener wants. */
static void uvm_event_queues_update_mask(struct uvm_event_queues *queues)
{
	struct uvm_event_queue *queue;
	u64 mask = 0;

	lockdep_assert_held(&queues->lock);
	list_for_each_entry(queue, &queues->list, node)
		mask |= queue->mask;
	WRITE_ONCE(queues->mask, mask);
}

static void uvm_event_queue_detach(struct uvm_event_queue *queue)
{
	struct uvm_event_queues *queues = queue->queues;
	unsigned long flags;

	lockdep_assert_held(&uvm_event_attach_lock);
	if (!queues)
		return;
	spin_lock_irqsave(&queues->lock, flags);
	list_del_init(&queue->node);
	uvm_event_queues_update_mask(queues);
	spin_unlock_irqrestore(&queues->lock, flags);

	/* Nothing is appended any more: end of file comes after the last record. */
	smp_store_release(&queue->queues, NULL);
	spin_lock_irqsave(&uvm_event_full_lock, flags);
	queue->abandoned = true;
	uvm_event_unfull_locked(queue);
	spin_unlock_irqrestore(&uvm_event_full_lock, flags);
	wake_up_interruptible_poll(&queue->wait, EPOLLIN | EPOLLRDNORM | EPOLLHUP);
}

/**
 * uvm_event_queue_destroy - detach if need be, and free
 * @queue: the queue; nobody reads
 */
void uvm_event_queue_destroy(struct uvm_event_queue *queue)
{
	mutex_lock(&uvm_event_attach_lock);
	uvm_event_queue_detach(queue);
	mutex_unlock(&uvm_event_attach_lock);
	uvm_object_dec(UVM_OBJECT_QUEUE);
	put_pid(queue->owner);
	mutex_destroy(&queue->reader_lock);
	kvfree(queue->ring.records);
	kfree(queue);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_event_queue_destroy);

/**
 * uvm_event_queue_attach - listen from now on
 * @queue: a new queue
 * @queues: queues of a VA space that cannot go meanwhile
 *
 * Return: 0, or -ENODEV if the VA space is closing.
 */
int uvm_event_queue_attach(struct uvm_event_queue *queue, struct uvm_event_queues *queues)
{
	unsigned long flags;
	int ret = -ENODEV;

	mutex_lock(&uvm_event_attach_lock);
	spin_lock_irqsave(&queues->lock, flags);
	if (!queues->closed) {
		list_add_tail(&queue->node, &queues->list);
		uvm_event_queues_update_mask(queues);
		WRITE_ONCE(queue->queues, queues);
		ret = 0;
	}
	spin_unlock_irqrestore(&queues->lock, flags);
	mutex_unlock(&uvm_event_attach_lock);
	return ret;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_event_queue_attach);

/**
 * uvm_event_queues_detach_all - the VA space is going
 * @queues: its queues; none is attached any more on return
 *
 * Readers get what is queued, then end of file.
 */
void uvm_event_queues_detach_all(struct uvm_event_queues *queues)
{
	struct uvm_event_queue *queue, *next;
	unsigned long flags;

	mutex_lock(&uvm_event_attach_lock);
	spin_lock_irqsave(&queues->lock, flags);
	queues->closed = true;
	spin_unlock_irqrestore(&queues->lock, flags);
	list_for_each_entry_safe(queue, next, &queues->list, node)
		uvm_event_queue_detach(queue);
	mutex_unlock(&uvm_event_attach_lock);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_event_queues_detach_all);

/**
 * uvm_event_queue_consume - the reader has taken records
 * @queue: the queue; reader_lock held
 * @count: how many
 *
 * A full queue lets the clock go on when it is half empty, so that reader and
 * driver do not take turns for every record.
 */
void uvm_event_queue_consume(struct uvm_event_queue *queue, u32 count)
{
	struct pid *owner = task_tgid(current);
	unsigned long flags;

	lockdep_assert_held(&queue->reader_lock);
	uvm_event_ring_consume(&queue->ring, count);
	spin_lock_irqsave(&uvm_event_full_lock, flags);
	if (queue->owner != owner) {
		put_pid(queue->owner);
		queue->owner = get_pid(owner);
	}
	if (uvm_event_ring_queued(&queue->ring) <= queue->ring.mark / 2)
		uvm_event_unfull_locked(queue);
	spin_unlock_irqrestore(&uvm_event_full_lock, flags);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_event_queue_consume);

/**
 * uvm_event_queue_change_mask - listen to more or fewer types from now on
 * @queue: an attached queue
 * @add: bit per type to enable
 * @remove: bit per type to disable; what is queued already stays
 *
 * Return: 0, or -ENODEV if the VA space is gone.
 */
int uvm_event_queue_change_mask(struct uvm_event_queue *queue, u64 add, u64 remove)
{
	struct uvm_event_queues *queues;
	int ret = -ENODEV;

	mutex_lock(&uvm_event_attach_lock);
	queues = queue->queues;
	if (queues) {
		spin_lock_irq(&queues->lock);
		queue->mask = (queue->mask | add) & ~remove;
		uvm_event_queues_update_mask(queues);
		spin_unlock_irq(&queues->lock);
		ret = 0;
	}
	mutex_unlock(&uvm_event_attach_lock);
	return ret;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_event_queue_change_mask);

static void uvm_event_queue_change(struct uvm_event_queue *queue,
				   void (*fn)(struct uvm_event_ring *ring, u32 arg), u32 arg)
{
	fn(&queue->ring, arg);
	if (uvm_event_ring_wakes(&queue->ring))
		wake_up_interruptible_poll(&queue->wait, EPOLLIN | EPOLLRDNORM);
}

/* Do @fn as the producer, with appending held off, then wake whom it may concern. */
static void uvm_event_queue_produce(struct uvm_event_queue *queue,
				    void (*fn)(struct uvm_event_ring *ring, u32 arg), u32 arg)
{
	struct uvm_event_queues *queues;

	mutex_lock(&uvm_event_attach_lock);
	queues = queue->queues;
	if (queues) {
		spin_lock_irq(&queues->lock);
		uvm_event_queue_change(queue, fn, arg);
		spin_unlock_irq(&queues->lock);
	} else {
		uvm_event_queue_change(queue, fn, arg);
	}
	mutex_unlock(&uvm_event_attach_lock);
}

/**
 * uvm_event_queue_set_threshold - how many records make the queue readable
 * @queue: the queue
 * @threshold: 1 ... its length
 *
 * Return: 0 or -EINVAL.
 */
int uvm_event_queue_set_threshold(struct uvm_event_queue *queue, u32 threshold)
{
	if (!threshold || threshold > queue->ring.mark)
		return -EINVAL;
	uvm_event_queue_produce(queue, uvm_event_ring_set_threshold, threshold);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_event_queue_set_threshold);

static void uvm_event_ring_flush_now(struct uvm_event_ring *ring, u32 unused)
{
	uvm_event_ring_flush(ring);
}

/**
 * uvm_event_queue_flush - make what is queued now readable, whatever the threshold
 * @queue: the queue
 */
void uvm_event_queue_flush(struct uvm_event_queue *queue)
{
	uvm_event_queue_produce(queue, uvm_event_ring_flush_now, 0);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_event_queue_flush);

/**
 * uvm_event_queue_readable - will a blocking read return at once?
 * @queue: the queue
 * @eof: out: nothing will ever be appended any more
 *
 * Return: true if there are records enough, or the last ones.
 */
bool uvm_event_queue_readable(struct uvm_event_queue *queue, bool *eof)
{
	/* Detached first: then no record can come after the look at the ring. */
	*eof = !smp_load_acquire(&queue->queues);
	return *eof ? uvm_event_ring_queued(&queue->ring) > 0 : uvm_event_ring_due(&queue->ring);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_event_queue_readable);

static void uvm_event_queue_set_faulting(struct uvm_event_queue *queue, bool faulting)
{
	spin_lock_irq(&uvm_event_full_lock);
	queue->faulting = faulting;
	if (faulting)
		uvm_event_unfull_locked(queue);
	spin_unlock_irq(&uvm_event_full_lock);
}

/*
 * The buffer may be managed memory: a fault on it needs the clock that a full
 * queue stops.  What happens until it is served may not fit into the queue, and
 * is counted as dropped.
 */
static int uvm_event_queue_put_user(struct uvm_event_queue *queue, void __user *buf,
				    const struct uvm_event *first, size_t bytes)
{
	int ret = 0;

	if (!copy_to_user_nofault(buf, first, bytes))
		return 0;
	uvm_event_queue_set_faulting(queue, true);
	if (copy_to_user(buf, first, bytes))
		ret = -EFAULT;
	uvm_event_queue_set_faulting(queue, false);
	return ret;
}

static ssize_t uvm_event_queue_copy(struct uvm_event_queue *queue, char __user *buf,
				    size_t records)
{
	const struct uvm_event *first;
	size_t done = 0;
	u32 count;

	while (done < records) {
		count = min_t(size_t, uvm_event_ring_peek(&queue->ring, &first),
			      records - done);
		if (!count)
			break;
		if (uvm_event_queue_put_user(queue, buf + done * sizeof(*first), first,
					     count * sizeof(*first)))
			return done ? done * sizeof(*first) : -EFAULT;
		uvm_event_queue_consume(queue, count);
		done += count;
	}
	return done * sizeof(*first);
}

/**
 * uvm_event_queue_read - read(2)
 * @queue: the queue
 * @buf: where to
 * @bytes: room; whole records are copied
 * @nonblock: do not wait, take what there is
 *
 * Return: bytes, 0 at the end, -EINVAL (no room for one record), -EAGAIN,
 * -ERESTARTSYS, -EFAULT (nothing is lost).
 */
ssize_t uvm_event_queue_read(struct uvm_event_queue *queue, char __user *buf, size_t bytes,
			     bool nonblock)
{
	size_t records = bytes / sizeof(struct uvm_event);
	bool eof, ready;
	ssize_t ret;

	if (!records)
		return -EINVAL;
	records = min_t(size_t, records, UVM_EVENT_ENTRIES_MAX);
	do {
		ready = uvm_event_queue_readable(queue, &eof);
		if (!ready && eof)
			return 0;
		if (nonblock && !uvm_event_ring_queued(&queue->ring))
			return -EAGAIN;
		if (!nonblock &&
		    wait_event_interruptible(queue->wait,
					     uvm_event_queue_readable(queue, &eof) || eof))
			return -ERESTARTSYS;
		if (mutex_lock_interruptible(&queue->reader_lock))
			return -ERESTARTSYS;
		ret = uvm_event_queue_copy(queue, buf, records);
		mutex_unlock(&queue->reader_lock);
		/* 0: another reader was quicker. */
	} while (!ret);
	return ret;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_event_queue_read);

/**
 * uvm_event_queue_status - how full is it?
 * @queue: the queue
 * @status: filled, but for size and flags
 */
void uvm_event_queue_status(struct uvm_event_queue *queue, struct uvm_tools_status *status)
{
	unsigned int i;

	BUILD_BUG_ON(UVM_EVENT_COUNT > UVM_EVENT_TYPES_MAX);
	status->queued = uvm_event_ring_queued(&queue->ring);
	status->dropped = READ_ONCE(queue->ring.dropped);
	for (i = 0; i < UVM_EVENT_COUNT; i++)
		status->dropped_by_type[i] = READ_ONCE(queue->dropped[i]);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_event_queue_status);
