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

/**
 * sgpu_ps_after - some ns after a time, or the end of time
 * @now_ps: from when, ps
 * @ns: how long
 *
 * Return: ps, at most SGPU_LAST_PS.
 */
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

/**
 * sgpu_event_init - make an event that is not queued
 * @ev: storage
 * @gpu: number of its GPU, which orders events of one time
 * @worker: real clock: events that must not run at the same time share a worker
 * @fn: what happens; see the top of this file for what it may do
 */
void sgpu_event_init(struct sgpu_event *ev, unsigned int gpu, unsigned int worker,
		     void (*fn)(struct sgpu_event *ev));

/**
 * sgpu_event_at - queue an event, or move it to another time if it is queued
 * @ev: the event
 * @when_ps: when, ps; a time in the past means now, and the real clock takes every time for now
 *
 * Context: any.
 */
void sgpu_event_at(struct sgpu_event *ev, u64 when_ps);

/**
 * sgpu_event_cancel - take an event out of the queue
 * @ev: the event; whoever queues it again meanwhile (the function itself) is ignored
 *
 * Waits for its function if that runs in another thread.
 * Context: thread with interrupts on, no lock held that the function takes; may sleep.
 */
void sgpu_event_cancel(struct sgpu_event *ev);

/**
 * sgpu_event_queued - is an event queued?
 * @ev: the event
 *
 * Context: any; a hint, unless the caller's lock keeps others from queueing it.
 * Return: true from sgpu_event_at() until its function begins.
 */
bool sgpu_event_queued(struct sgpu_event *ev);

/**
 * sgpu_now_ps - the time
 *
 * Context: any.
 * Return: ps, see sim_now().
 */
u64 sgpu_now_ps(void);

/**
 * sgpu_horizon_ps - until when has the caller's event the device for itself?
 *
 * Context: an event's function; takes the clock's lock.
 * Return: virtual: when the next event or participant is due, ps; now, if a participant waits for
 * the baton already; U64_MAX: never.  Real: U64_MAX.
 */
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

/**
 * sgpu_irq_init - make an interrupt that nobody handles
 * @irq: storage
 */
void sgpu_irq_init(struct sgpu_irq *irq);

/**
 * sgpu_irq_set_handler - say who handles an interrupt
 * @irq: the interrupt
 * @handler: called in hard interrupt context, or NULL
 * @data: its argument
 *
 * Context: may sleep: returns after a handler before it has run for the last time.  One caller at a
 * time.
 */
void sgpu_irq_set_handler(struct sgpu_irq *irq, void (*handler)(void *data), void *data);

/**
 * sgpu_irq_raise - run the handler in hard interrupt context
 * @irq: the interrupt; without a handler nothing happens
 *
 * Context: no lock held, interrupts on.  Virtual: returns after the handler has run.
 */
void sgpu_irq_raise(struct sgpu_irq *irq);

/*
 * Called once when a hang is found (virtual): the event heap is empty and a
 * participant waits.  Set by the module; ends running launches.
 */
typedef void (*sgpu_hang_fn)(void);

/**
 * sgpu_clock_set_hang_handler - say who is told of a hang
 * @fn: called once a hang, see &sgpu_hang_fn; or NULL
 *
 * Context: thread with interrupts on; does not sleep.
 * Return: the handler before.
 */
sgpu_hang_fn sgpu_clock_set_hang_handler(sgpu_hang_fn fn);

/**
 * sgpu_clock_set_throttle - say what is called after each event of the virtual clock
 * @throttle: called without the clock's lock; it may wait in real time
 *
 * Context: before anybody uses the clock.
 */
void sgpu_clock_set_throttle(void (*throttle)(void));

/* @is_virtual: the clock; @workers: device kthreads for the real clock. */
int sgpu_clock_init(bool is_virtual, unsigned int workers);
void sgpu_clock_exit(void);

#endif
