// SPDX-License-Identifier: GPL-2.0
/*
 * FIFO of event records between one producer and one consumer, who need no
 * lock between them.  Pure: no mm, no device, no locks.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include <asm/barrier.h>
#include <kunit/visibility.h>
#include "base/event.h"

/**
 * uvm_event_ring_init - make an empty ring
 * @ring: the ring
 * @records: storage for @mark + @slack records
 * @mark: records at which the ring counts as full
 * @slack: room for more
 */
void uvm_event_ring_init(struct uvm_event_ring *ring, struct uvm_event *records, u32 mark,
			 u32 slack)
{
	memset(ring, 0, sizeof(*ring));
	ring->records = records;
	ring->mark = mark;
	ring->capacity = mark + slack;
	ring->threshold = 1;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_event_ring_init);

/**
 * uvm_event_ring_queued - records in the ring
 * @ring: the ring
 *
 * Return: their number; as seen by the other side it may be old.
 */
u64 uvm_event_ring_queued(const struct uvm_event_ring *ring)
{
	/*
	 * get first: it never passes put, so the difference is never negative.
	 * Pairs with the release in consume: what it frees can be overwritten.
	 */
	u64 get = smp_load_acquire(&ring->get);

	/* Pairs with the release in append: what it counts can be read. */
	return smp_load_acquire(&ring->put) - get;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_event_ring_queued);

/**
 * uvm_event_ring_due - is there enough to tell the consumer?
 * @ring: the ring
 *
 * Return: true if as many records wait as the threshold says, or one that was
 * flushed.
 */
bool uvm_event_ring_due(const struct uvm_event_ring *ring)
{
	/* As in queued. */
	u64 get = smp_load_acquire(&ring->get);
	u64 put = smp_load_acquire(&ring->put);	/* as in queued */

	return put - get >= READ_ONCE(ring->threshold) ||
	       (put != get && get < READ_ONCE(ring->flushed));
}
EXPORT_SYMBOL_IF_KUNIT(uvm_event_ring_due);

/**
 * uvm_event_ring_wakes - producer: does what was appended wake the consumer?
 * @ring: the ring
 *
 * Once until it takes something: a consumer that was told and has not come yet
 * is not told again (nvidia-uvm 6.6).
 *
 * Return: true if the consumer is to be woken; it counts as told then.
 */
bool uvm_event_ring_wakes(struct uvm_event_ring *ring)
{
	u64 get = READ_ONCE(ring->get);

	if (!uvm_event_ring_due(ring) || (ring->woken && ring->woken_get == get))
		return false;
	ring->woken = true;
	ring->woken_get = get;
	return true;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_event_ring_wakes);

/**
 * uvm_event_ring_set_threshold - producer: another threshold
 * @ring: the ring
 * @threshold: 1 ... mark
 */
void uvm_event_ring_set_threshold(struct uvm_event_ring *ring, u32 threshold)
{
	WRITE_ONCE(ring->threshold, threshold);
	ring->woken = false;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_event_ring_set_threshold);

/**
 * uvm_event_ring_flush - producer: what is there now is due, whatever the threshold
 * @ring: the ring
 */
void uvm_event_ring_flush(struct uvm_event_ring *ring)
{
	WRITE_ONCE(ring->flushed, ring->put);
	ring->woken = false;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_event_ring_flush);

/**
 * uvm_event_ring_append - producer: add a record
 * @ring: the ring
 * @ev: the record
 *
 * Return: false if there is no room; the record is dropped and counted.
 */
bool uvm_event_ring_append(struct uvm_event_ring *ring, const struct uvm_event *ev)
{
	if (uvm_event_ring_queued(ring) >= ring->capacity) {
		WRITE_ONCE(ring->dropped, ring->dropped + 1);
		return false;
	}
	ring->records[ring->put_at] = *ev;
	if (++ring->put_at == ring->capacity)
		ring->put_at = 0;
	/* Pairs with the acquire in queued: the record before its number. */
	smp_store_release(&ring->put, ring->put + 1);
	return true;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_event_ring_append);

/**
 * uvm_event_ring_peek - consumer: look at the oldest records
 * @ring: the ring
 * @first: out: the oldest one
 *
 * Return: how many can be read from @first on; may be fewer than are queued,
 * where the storage wraps around.
 */
u32 uvm_event_ring_peek(const struct uvm_event_ring *ring, const struct uvm_event **first)
{
	u64 queued = uvm_event_ring_queued(ring);

	*first = ring->records + ring->get_at;
	return min_t(u64, queued, ring->capacity - ring->get_at);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_event_ring_peek);

/**
 * uvm_event_ring_consume - consumer: take records
 * @ring: the ring
 * @count: how many, at most what uvm_event_ring_peek() said
 */
void uvm_event_ring_consume(struct uvm_event_ring *ring, u32 count)
{
	ring->get_at += count;
	if (ring->get_at == ring->capacity)
		ring->get_at = 0;
	/* Pairs with the acquire in queued: read before it is overwritten. */
	smp_store_release(&ring->get, ring->get + count);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_event_ring_consume);
