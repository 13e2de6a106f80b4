/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which warps of an SM become ready by themselves, and when.  Pure: no locks; the caller
 * serialises.
 *
 * Sorted by time.  Nearly all warps wait for the latency of a memory, so that a new time
 * belongs at the end or close to it, and looking for the earliest is no search.
 */
#ifndef SOFTGPU_WAKE_QUEUE_H
#define SOFTGPU_WAKE_QUEUE_H

#include <linux/bitops.h>
#include <linux/limits.h>
#include <linux/types.h>

#define SGPU_WAKE_SLOTS		64	/* as many as warps on an SM, and a power of 2 */

/**
 * struct sgpu_wake_queue - all that wait for a time
 * @timed: those that do, by slot; zeroed, nobody does
 * @at: when each becomes ready, ps, by slot; of others the last time they had
 * @order: slots, earliest first, beginning at @first and around the end
 * @first: where @order begins
 * @count: how many do
 */
struct sgpu_wake_queue {
	u64 timed;
	u64 at[SGPU_WAKE_SLOTS];
	u8 order[SGPU_WAKE_SLOTS];
	u8 first;
	u8 count;
};

static inline u8 *sgpu_wake_nth(struct sgpu_wake_queue *q, unsigned int n)
{
	return &q->order[(q->first + n) % SGPU_WAKE_SLOTS];
}

/**
 * sgpu_wake_drop - slots no longer wait, if they did
 * @q: the queue
 * @slots: a bit each
 */
static inline void sgpu_wake_drop(struct sgpu_wake_queue *q, u64 slots)
{
	unsigned int n, kept = 0;

	if (!(q->timed & slots))
		return;
	for (n = 0; n < q->count; n++) {
		u8 slot = *sgpu_wake_nth(q, n);

		if (!(slots & BIT_ULL(slot)))
			*sgpu_wake_nth(q, kept++) = slot;
	}
	q->count = kept;
	q->timed &= ~slots;
}

/**
 * sgpu_wake_add - a slot becomes ready at a time, and not at another
 * @q: the queue
 * @slot: the slot
 * @at: when, ps
 */
static inline void sgpu_wake_add(struct sgpu_wake_queue *q, unsigned int slot, u64 at)
{
	unsigned int n;

	sgpu_wake_drop(q, BIT_ULL(slot));
	q->timed |= BIT_ULL(slot);
	q->at[slot] = at;
	for (n = q->count++; n; n--) {
		u8 before = *sgpu_wake_nth(q, n - 1);

		if (q->at[before] <= at)
			break;
		*sgpu_wake_nth(q, n) = before;
	}
	*sgpu_wake_nth(q, n) = slot;
}

/**
 * sgpu_wake_due - take out the slots whose time has come
 * @q: the queue
 * @now: ps
 *
 * Return: the slots, a bit each.
 */
static inline u64 sgpu_wake_due(struct sgpu_wake_queue *q, u64 now)
{
	u64 due = 0;

	while (q->count && q->at[q->order[q->first]] <= now) {
		due |= BIT_ULL(q->order[q->first]);
		q->first = (q->first + 1) % SGPU_WAKE_SLOTS;
		q->count--;
	}
	q->timed &= ~due;
	return due;
}

/**
 * sgpu_wake_next - when the next slot is due
 * @q: the queue
 *
 * Return: ps, U64_MAX: there is none.
 */
static inline u64 sgpu_wake_next(const struct sgpu_wake_queue *q)
{
	return q->count ? q->at[q->order[q->first]] : U64_MAX;
}

#endif
