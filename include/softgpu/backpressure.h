/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Backpressure: how listeners that are full stop the virtual clock.
 *
 * Driver and device tell listeners what happens, and on the virtual clock nothing of it
 * is lost: who is full makes whoever produces wait, in real time, while simulated time
 * stands still.  There is one clock for all, so a listener may do that only while nobody but
 * its own process is inside or wants to be; with others about, what finds no room is counted
 * as lost.  Nobody waits for a listener that is killed, or whose reader is having its own
 * buffer faulted in, for that needs the clock.
 */
#ifndef SOFTGPU_BACKPRESSURE_H
#define SOFTGPU_BACKPRESSURE_H

#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/types.h>

struct pid;

/**
 * struct sim_backpressure - the full listeners of one sort
 * @lock: protects @full and the listeners' state; inner-most but for wait queues and the
 *	clock's lock
 * @full: of sim_listener.node: who stops the clock
 */
struct sim_backpressure {
	spinlock_t lock;	/* see above */
	struct list_head full;
};

#define DEFINE_SIM_BACKPRESSURE(name)						\
	struct sim_backpressure name = {					\
		.lock = __SPIN_LOCK_UNLOCKED(name.lock),			\
		.full = LIST_HEAD_INIT(name.full),				\
	}

/**
 * struct sim_listener - one who may stop the clock; all under the lock of its backpressure
 * @node: in sim_backpressure.full while it does; empty unless it was filled to the mark and has
 *	not been drained
 * @queued: how many records it has
 * @mark: records at which it is full
 * @owner: process that read last, or began it: the only one that it may stop
 * @abandoned: @owner is gone: does not stop the clock until another process reads
 * @faulting: does not stop it now: its reader's buffer is being faulted in
 */
struct sim_listener {
	struct list_head node;
	u64 (*queued)(const struct sim_listener *listener);
	u32 mark;
	struct pid *owner;
	bool abandoned;
	bool faulting;
};

void sim_listener_init(struct sim_listener *listener,
		       u64 (*queued)(const struct sim_listener *listener), u32 mark);
void sim_listener_exit(struct sim_backpressure *bp, struct sim_listener *listener);

void sim_backpressure_apply(struct sim_backpressure *bp, struct sim_listener *listener);
void sim_backpressure_drained(struct sim_backpressure *bp, struct sim_listener *listener);
void sim_backpressure_release(struct sim_backpressure *bp, struct sim_listener *listener);
void sim_backpressure_wait(struct sim_backpressure *bp);
/* For the clock: no lock held. */
void sim_backpressure_look_again(void);
int sim_backpressure_put_user(struct sim_backpressure *bp, struct sim_listener *listener,
			      void __user *to, const void *from, size_t bytes);

/**
 * sim_backpressure_throttle - wait, in real time, until no listener is full
 * @bp: of its sort of listener
 *
 * For producers: no spinlock and no foreign sleeping lock held.  Who holds the baton keeps
 * it.  Ends early if the caller is killed, or a thread of another process than the full
 * listener's enters the clock.
 */
static inline void sim_backpressure_throttle(struct sim_backpressure *bp)
{
	if (unlikely(!list_empty_careful(&bp->full)))
		sim_backpressure_wait(bp);
}

#endif
