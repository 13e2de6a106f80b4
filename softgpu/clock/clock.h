/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The clock as the device sees it: events.  (The driver's side is sim.h.)
 *
 * Virtual: one heap for all GPUs, ordered by (time, gpu, sequence); functions
 * run one at a time, in the context of whichever participant blocked last,
 * with interrupts on and no lock held.  They allocate nothing, take no driver
 * lock and never sleep in simulated time.
 * Real: an event is a work item of one of a few device kthreads (its "worker"
 * modulo their number); its time is ignored and it runs as soon as possible,
 * in order within that.
 */
#ifndef SOFTGPU_CLOCK_H
#define SOFTGPU_CLOCK_H

#include <linux/rbtree.h>
#include <linux/irq_work.h>
#include <linux/limits.h>
#include <softgpu/sim.h>

#define PS_PER_NS	1000ULL

/* The last whole ns; beyond it there is no time.  U64_MAX means never. */
#define SGPU_LAST_PS	((U64_MAX / PS_PER_NS - 1) * PS_PER_NS)

/* @ns after @now_ps, or the end of time. */
static inline u64 sgpu_ps_after(u64 now_ps, u64 ns)
{
	if (now_ps >= SGPU_LAST_PS || ns > (SGPU_LAST_PS - now_ps) / PS_PER_NS)
		return SGPU_LAST_PS;
	return now_ps + ns * PS_PER_NS;
}

/**
 * struct sgpu_event - something the device does at a time
 */
struct sgpu_event {
	/* private: */
	struct rb_node rb;
	struct list_head node;
	u64 when;
	u64 seq;
	u32 gpu;
	u32 worker;
	u32 cancelling;		/* threads that wait for the running function */
	bool queued;
	void (*fn)(struct sgpu_event *ev);
};

/* @worker: events that must not run at the same time share a worker (real clock). */
void sgpu_event_init(struct sgpu_event *ev, unsigned int gpu, unsigned int worker,
		     void (*fn)(struct sgpu_event *ev));
/* Queue, or move to another time if queued; a time in the past means now. */
void sgpu_event_at(struct sgpu_event *ev, u64 when_ps);
/*
 * Take it out of the queue and wait for its function, if that runs in another
 * thread; whoever queues it again meanwhile (the function itself) is ignored.
 */
void sgpu_event_cancel(struct sgpu_event *ev);
bool sgpu_event_queued(struct sgpu_event *ev);

/* Now, in ps; any context. */
u64 sgpu_now_ps(void);
/* Virtual: time of the next event in the heap, U64_MAX if none.  Real: U64_MAX. */
u64 sgpu_horizon_ps(void);

/*
 * Run @handler(@data) in hard interrupt context; virtual: returns after it
 * ran.  Caller holds no lock and has interrupts on.
 */
struct sgpu_irq {
	/* private: */
	struct irq_work work;
	void (*handler)(void *data);
	void *data;
};

void sgpu_irq_init(struct sgpu_irq *irq);
void sgpu_irq_set_handler(struct sgpu_irq *irq, void (*handler)(void *data), void *data);
void sgpu_irq_raise(struct sgpu_irq *irq);

/*
 * Called once when a hang is found (virtual): the event heap is empty and a
 * participant waits.  Set by the module; ends running launches.
 */
typedef void (*sgpu_hang_fn)(void);
/* Returns the handler before. */
sgpu_hang_fn sgpu_clock_set_hang_handler(sgpu_hang_fn fn);
/*
 * Called after each event of the virtual clock, outside of its lock; it may wait in real time.
 * Before anybody uses the clock.
 */
void sgpu_clock_set_throttle(void (*throttle)(void));

/* @is_virtual: the clock; @workers: device kthreads for the real clock. */
int sgpu_clock_init(bool is_virtual, unsigned int workers);
void sgpu_clock_exit(void);

#endif
