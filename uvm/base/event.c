// SPDX-License-Identifier: GPL-2.0
/*
 * Event queues: who listens, and how a full queue holds the driver back.
 *
 * Locks: uvm_event_attach_lock (who is attached to what), then
 * uvm_event_queues.lock (the producer's side), then that of the backpressure (who is full).
 * A reader holds reader_lock and none of them while it copies to userspace.
 */
#include <linux/poll.h>
#include <linux/slab.h>
#include <kunit/visibility.h>
#include <softgpu/sim.h>
#include "base/debugfs.h"
#include "base/event.h"
#include "base/types.h"

static DEFINE_MUTEX(uvm_event_attach_lock);
static DEFINE_SIM_BACKPRESSURE(uvm_event_backpressure);

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

static u64 uvm_event_queue_queued(const struct sim_listener *listener)
{
	return uvm_event_ring_queued(&container_of(listener, struct uvm_event_queue,
						   listener)->ring);
}

static void uvm_event_queue_append(struct uvm_event_queue *queue, const struct uvm_event *ev)
{
	if (!uvm_event_ring_append(&queue->ring, ev))
		WRITE_ONCE(queue->dropped[ev->type], queue->dropped[ev->type] + 1);
	sim_backpressure_apply(&uvm_event_backpressure, &queue->listener);
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
	sim_backpressure_throttle(&uvm_event_backpressure);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_events_throttle);

/**
 * uvm_event_queue_create - make a queue, not attached
 * @entries: its length
 * @mask: bit per event type wanted
 *
 * Charged to the caller's memory cgroup and to his user.
 *
 * Return: the queue, or NULL without memory.
 */
struct uvm_event_queue *uvm_event_queue_create(u32 entries, u64 mask)
{
	u32 slack = sim_is_virtual() ? UVM_EVENT_SLACK : 0;
	struct uvm_event_queue *queue;
	struct uvm_event *records = NULL;

	queue = kzalloc(sizeof(*queue), GFP_KERNEL_ACCOUNT);
	if (!queue)
		return NULL;
	if (!rm_charge(&queue->charge, (u64)(entries + slack) * sizeof(*records)))
		records = kvcalloc(entries + slack, sizeof(*records), UVM_GFP_ACCOUNT);
	if (!records) {
		rm_uncharge(&queue->charge);
		kfree(queue);
		return NULL;
	}
	INIT_LIST_HEAD(&queue->node);
	queue->mask = mask;
	sim_listener_init(&queue->listener, uvm_event_queue_queued, entries);
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
	sim_backpressure_release(&uvm_event_backpressure, &queue->listener);
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
	sim_listener_exit(&uvm_event_backpressure, &queue->listener);
	mutex_destroy(&queue->reader_lock);
	kvfree(queue->ring.records);
	rm_uncharge(&queue->charge);
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
 */
void uvm_event_queue_consume(struct uvm_event_queue *queue, u32 count)
{
	lockdep_assert_held(&queue->reader_lock);
	uvm_event_ring_consume(&queue->ring, count);
	sim_backpressure_drained(&uvm_event_backpressure, &queue->listener);
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
		if (sim_backpressure_put_user(&uvm_event_backpressure, &queue->listener,
					      buf + done * sizeof(*first), first,
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
