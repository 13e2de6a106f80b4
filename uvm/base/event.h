/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Event queues: a VA space tells its listeners (/dev/uvm-tools) what happened.
 *
 * On the virtual clock nothing is lost and the listener's speed reaches no
 * result: a queue that is full (its "mark") makes participants wait in real
 * time, with simulated time standing still, at their next charge; what they
 * emit until then goes to the slack behind the mark.  On the real clock a full
 * queue drops and counts.
 */
#ifndef UVM_EVENT_H
#define UVM_EVENT_H

#include <linux/bits.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/uvm.h>
#include <linux/wait.h>
#include <softgpu/backpressure.h>
#include <softgpu/rm.h>

/* More than any driver emits between two charges. */
#define UVM_EVENT_SLACK		4096
#define UVM_EVENT_ENTRIES_MIN	64
#define UVM_EVENT_ENTRIES_MAX	BIT(20)
/* Bit per event type that exists. */
#define UVM_EVENT_MASK_ALL	GENMASK_ULL(UVM_EVENT_COUNT - 1, 1)

/**
 * struct uvm_event_ring - FIFO of records, pure: one producer and one consumer
 * @records: storage, @capacity long
 * @mark: above this many records the ring is full
 * @capacity: @mark and the slack
 * @put_at: where the next record goes.  The producer's
 * @get_at: the oldest record.  The consumer's
 * @put: records ever appended.  The producer's, read by both
 * @get: records ever taken.  The consumer's, read by both
 * @dropped: records that found no room.  The producer's
 * @threshold: records that are worth waking the consumer for, at most @mark
 * @flushed: records up to this count of @put are, whatever the threshold
 * @woken: the consumer was told that ...
 * @woken_get: ... it has something to do, when @get was this.  The producer's
 */
struct uvm_event_ring {
	struct uvm_event *records;
	u32 mark;
	u32 capacity;
	u32 put_at;
	u32 get_at;
	u64 put;
	u64 get;
	u64 dropped;
	u32 threshold;
	u64 flushed;
	bool woken;
	u64 woken_get;
};

void uvm_event_ring_init(struct uvm_event_ring *ring, struct uvm_event *records, u32 mark,
			 u32 slack);
bool uvm_event_ring_append(struct uvm_event_ring *ring, const struct uvm_event *ev);
u32 uvm_event_ring_peek(const struct uvm_event_ring *ring, const struct uvm_event **first);
void uvm_event_ring_consume(struct uvm_event_ring *ring, u32 count);
u64 uvm_event_ring_queued(const struct uvm_event_ring *ring);
bool uvm_event_ring_due(const struct uvm_event_ring *ring);
bool uvm_event_ring_wakes(struct uvm_event_ring *ring);
void uvm_event_ring_set_threshold(struct uvm_event_ring *ring, u32 threshold);
void uvm_event_ring_flush(struct uvm_event_ring *ring);

/**
 * struct uvm_event_queues - the listeners of one VA space
 * @lock: protects @list and the producer's side of each queue on it.  Any
 *	context; nothing but a queue's lock and a wait queue is taken inside
 * @list: of uvm_event_queue.node
 * @mask: union of their masks.  Written under @lock
 * @closed: the VA space is going, no more listeners.  Protected by @lock
 */
struct uvm_event_queues {
	spinlock_t lock;	/* see above */
	struct list_head list;
	u64 mask;
	bool closed;
};

/**
 * struct uvm_event_queue - one listener
 * @node: in uvm_event_queues.list
 * @queues: the VA space's queues, NULL when detached.  Protected by a mutex of
 *	event.c
 * @mask: bit per event type wanted.  Written under uvm_event_queues.lock
 * @ring: the records
 * @charge: of their memory
 * @dropped: records lost, by type.  Written under uvm_event_queues.lock
 * @wait: the reader
 * @reader_lock: serialises readers, the consumer's side
 * @listener: stops the clock when @ring is full
 */
struct uvm_event_queue {
	struct list_head node;
	struct uvm_event_queues *queues;
	u64 mask;
	struct uvm_event_ring ring;
	struct rm_charge charge;
	u64 dropped[UVM_EVENT_COUNT];
	wait_queue_head_t wait;
	struct mutex reader_lock;	/* see above */
	struct sim_listener listener;
};

void uvm_event_queues_init(struct uvm_event_queues *queues);
void uvm_event_queues_detach_all(struct uvm_event_queues *queues);

/**
 * uvm_event_enabled - does anybody want this type?
 * @queues: queues of a VA space
 * @type: enum uvm_event_type
 *
 * Cheap; for callers that would have to gather data first.
 *
 * Return: true if some queue's mask has it.
 */
static inline bool uvm_event_enabled(const struct uvm_event_queues *queues,
				     enum uvm_event_type type)
{
	return READ_ONCE(queues->mask) & BIT_ULL(type);
}

void uvm_events_emit(struct uvm_event_queues *queues, const struct uvm_event *ev);
void uvm_events_throttle(void);

/* For tools.c. */
struct uvm_event_queue *uvm_event_queue_create(u32 entries, u64 mask);
void uvm_event_queue_destroy(struct uvm_event_queue *queue);
int uvm_event_queue_attach(struct uvm_event_queue *queue, struct uvm_event_queues *queues);
ssize_t uvm_event_queue_read(struct uvm_event_queue *queue, char __user *buf, size_t bytes,
			     bool nonblock);
bool uvm_event_queue_readable(struct uvm_event_queue *queue, bool *eof);
void uvm_event_queue_consume(struct uvm_event_queue *queue, u32 count);
void uvm_event_queue_status(struct uvm_event_queue *queue, struct uvm_tools_status *status);
int uvm_event_queue_change_mask(struct uvm_event_queue *queue, u64 add, u64 remove);
int uvm_event_queue_set_threshold(struct uvm_event_queue *queue, u32 threshold);
void uvm_event_queue_flush(struct uvm_event_queue *queue);

#endif
