/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The clock: how driver code takes part in simulated time.
 *
 * With clock=virtual exactly one participant executes at a time; it holds the
 * *baton* and gives it up only in sim_charge(), in a wait, on a contended
 * simulated lock, or when it leaves.  There is no engine thread: the last
 * participant to block runs the device's events until one participant is due.
 * With clock=real the same calls become ordinary locks and waits, charges cost
 * nothing, and a few device kthreads run free.
 *
 * Participants are user threads between sim_enter() and sim_leave(), and
 * sim_kthreads while their function runs.  Only participants may call the
 * sleeping functions below; those marked "any context" may be called from the
 * interrupt handler too.  See Documentation/design.rst, "Two clocks".
 */
#ifndef SOFTGPU_SIM_H
#define SOFTGPU_SIM_H

#include <linux/types.h>
#include <linux/list.h>
#include <linux/rbtree.h>
#include <linux/mutex.h>
#include <linux/rwsem.h>
#include <linux/spinlock.h>
#include <linux/semaphore.h>
#include <linux/wait.h>
#include <linux/sched.h>
#include <linux/time64.h>

struct mm_struct;
struct pid;

/**
 * struct sim_task - one participant
 *
 * Lives on the stack of a user thread between sim_enter() and sim_leave(), or
 * inside a &struct sim_kthread.  All members are private to the clock.
 */
struct sim_task {
	/* private: protected by the clock's lock */
	struct list_head all;		/* every participant, for hangs and hand-overs */
	struct list_head node;		/* ready list, or a waiter list */
	struct rb_node rb;		/* sleeping in sim_charge() */
	struct task_struct *thread;
	struct mm_struct *mm;		/* whose mmap_lock it holds, see sim_enter_locked() */
	u64 when;			/* ps: due (sleeping) or since (ready) */
	u64 seq;
	int ret;			/* what ended the wait */
	u8 state;
	bool user;
	bool killable;
	bool write;			/* rwsem waiters */
};

/**
 * sim_is_virtual - which clock was chosen at load
 *
 * Return: true for the virtual clock.
 */
bool sim_is_virtual(void);

/**
 * sim_now - driver time in ns, any context
 *
 * Return: virtual: simulated time, which stands still while a participant
 * executes; real: ktime since load.
 */
u64 sim_now(void);

/*
 * The virtual clock counts ps in 64 bits, so there are 213 days of it, for all who use it
 * between a load and the next.  What would go on for longer is refused in time, not wrapped
 * around: after SIM_CLOSED_NS no launch and no registration begins any more, so that nothing
 * gets far beyond it; no sleep ends after SIM_LAST_NS, no timer comes after it.
 */
#define SIM_CLOSED_NS	(150ULL * 24 * 3600 * NSEC_PER_SEC)
#define SIM_LAST_NS	(200ULL * 24 * 3600 * NSEC_PER_SEC)

/**
 * sim_is_over - is the virtual clock so late that nothing new may begin?
 *
 * Return: true after SIM_CLOSED_NS; never on the real clock.
 */
static inline bool sim_is_over(void)
{
	return sim_is_virtual() && sim_now() > SIM_CLOSED_NS;
}

/**
 * sim_enter - a user thread enters one of our modules
 * @self: storage on the caller's stack, until sim_leave()
 *
 * Waits for the baton.  Must be called with no lock held that foreign code can
 * wait for, and after all arguments were copied from userspace.  Not nested.
 */
void sim_enter(struct sim_task *self);

/**
 * sim_enter_locked - as sim_enter(), for who cannot drop mmap_lock
 * @self: storage on the caller's stack, until sim_leave()
 * @mm: whose mmap_lock is held, for reading
 *
 * For the faults of kernel code that emulates a user's access and cannot come back
 * (futexes, ptrace, a write to a page that is mapped for reading).  The caller may wait
 * as any participant may.  Nobody whom it waits for needs the lock: no participant takes
 * it or touches user memory, which lockdep proves, and no listener stops the clock while
 * somebody waits for the lock, for that may be its reader.
 */
void sim_enter_locked(struct sim_task *self, struct mm_struct *mm);

/**
 * sim_lock_is_wanted - does anybody wait for an mmap_lock that a participant holds?
 *
 * Context: any that may take spinlocks.
 * Return: true if so; never on the real clock, where sim_enter_locked() notes no mm.
 */
bool sim_lock_is_wanted(void);

/**
 * sim_leave - a user thread is about to return to userspace
 * @self: as given to sim_enter()
 *
 * Runs the clock until no sim_kthread is in service, then gives the baton up.  A thread
 * that is killed does not wait for kthreads: it will not see what they left undone.
 */
void sim_leave(struct sim_task *self);

/**
 * sim_only_process - does nobody but one process use the clock now?
 * @process: the process
 *
 * Any context.  Who waits to get in counts as inside.
 *
 * Return: true if all user threads inside are its, or there is none.
 */
bool sim_only_process(const struct pid *process);

/**
 * sim_assert_running - complain (once) unless the caller holds the baton
 *
 * No-op on the real clock.
 */
void sim_assert_running(void);

/**
 * sim_charge - let @ns of driver time pass
 * @ns: modelled cost; 0 is allowed and returns at once.  What the clock has not left ends
 *	with the clock
 *
 * Gives up the baton: the device and other participants run meanwhile.  Never
 * called with a spinlock, mmap_lock or any other foreign sleeping lock held.
 * Real clock: returns at once.
 */
void sim_charge(u64 ns);

/**
 * sim_sleep_killable - do nothing for @ns of driver time, whatever the clock
 * @ns: how long
 *
 * Unlike a charge it passes on the real clock too, and a fatal signal ends it.
 * Same rules as for a charge: no spinlock, no foreign sleeping lock held.
 *
 * Return: 0, -EINTR, or -ETIME: it would end after SIM_LAST_NS, and has not begun.
 */
int sim_sleep_killable(u64 ns);

/**
 * struct sim_waitq - where participants wait for a condition
 */
struct sim_waitq {
	/* private: */
	struct list_head waiters;	/* of sim_task.node */
	unsigned int gen;		/* counts sim_wake() */
	unsigned int seen;		/* gen before the baton holder looked */
	wait_queue_head_t real;
};

/**
 * sim_waitq_init - make a queue on which nobody waits
 * @wq: storage; there is nothing to destroy
 */
void sim_waitq_init(struct sim_waitq *wq);

/**
 * sim_wake - make every waiter re-check its condition, any context
 * @wq: the queue
 */
void sim_wake(struct sim_waitq *wq);

/**
 * sim_block_on - one blocking step of sim_wait_event() on the virtual clock
 * @wq: whose @seen the caller has set before it looked at its condition
 * @killable: a fatal signal ends the wait
 *
 * Context: participant that holds the baton; sleeps, holds no spinlock and no foreign lock.
 * Return: 0 after sim_wake(), -EINTR, or -EIO: nothing can happen any more (a hang), or the caller
 * has no baton, which is our bug.
 */
int sim_block_on(struct sim_waitq *wq, bool killable);

/**
 * sim_wait_event - wait in simulated time until @cond, not killable
 * @wq: woken by whoever changes @cond
 * @cond: expression; evaluated by the participant only
 *
 * Return: 0, or -EIO when nothing can happen any more that would wake the
 * waiter (the event heap is empty: a device hang, reported once).
 */
#define sim_wait_event(wq, cond) __sim_wait_event(wq, cond, false)

/**
 * sim_wait_event_killable - as sim_wait_event(), ended by SIGKILL
 * @wq: woken by whoever changes @cond
 * @cond: expression
 *
 * Return: 0, -EIO (hang) or -EINTR (fatal signal).
 */
#define sim_wait_event_killable(wq, cond) __sim_wait_event(wq, cond, true)

#define __sim_wait_event(wq, cond, killable_) ({			\
	struct sim_waitq *__wq = (wq);					\
	int __ret = 0;							\
	if (sim_is_virtual()) {						\
		for (;;) {						\
			__wq->seen = READ_ONCE(__wq->gen);		\
			smp_rmb(); /* count wake-ups before looking */	\
			if (cond) {					\
				__ret = 0;				\
				break;					\
			}						\
			if (__ret)					\
				break;					\
			__ret = sim_block_on(__wq, killable_);		\
		}							\
	} else if (killable_) {						\
		__ret = wait_event_killable(__wq->real, cond) ? -EINTR : 0; \
	} else {							\
		wait_event_idle(__wq->real, cond);			\
	}								\
	__ret;								\
})

/*
 * Simulated sleeping locks: real locks underneath (so lockdep sees them),
 * acquired in simulated order.  Use them for every sleeping lock that may be
 * held across a charge or a wait; plain mutexes for all others.
 */

/* private: who owns a simulated lock, and who waits for it in which order */
struct sim_gate {
	int active;			/* readers, or -1: a writer */
	struct list_head waiters;
};

/**
 * struct sim_mutex - mutex that may be held across sim_charge()
 */
struct sim_mutex {
	/* private: */
	struct mutex mutex;
	struct sim_gate gate;
};

/**
 * __sim_mutex_init - use sim_mutex_init()
 * @m: storage
 * @name: for lockdep
 * @key: class for lockdep, one for each place that initialises
 */
void __sim_mutex_init(struct sim_mutex *m, const char *name, struct lock_class_key *key);

#define sim_mutex_init(m) do {						\
	static struct lock_class_key __key;				\
	__sim_mutex_init((m), #m, &__key);				\
} while (0)

/**
 * sim_mutex_destroy - the reverse of sim_mutex_init()
 * @m: nobody holds it or waits for it
 */
void sim_mutex_destroy(struct sim_mutex *m);

/**
 * sim_mutex_lock - take a mutex, in simulated order
 * @m: the mutex; not held by the caller
 *
 * On the virtual clock it is handed over in the order of asking, and a wait gives up the baton.  No
 * signal and no hang ends it.
 * Context: participant, or while nobody is inside (module load); may sleep.
 */
void sim_mutex_lock(struct sim_mutex *m);

/**
 * sim_mutex_unlock - give a mutex up, to who has waited longest
 * @m: held by the caller
 *
 * Context: who took it; does not sleep and keeps the baton.
 */
void sim_mutex_unlock(struct sim_mutex *m);

#define sim_mutex_assert_held(m) lockdep_assert_held(&(m)->mutex)

/**
 * struct sim_rwsem - reader/writer lock that may be held across sim_charge()
 */
struct sim_rwsem {
	/* private: */
	struct rw_semaphore sem;
	struct sim_gate gate;
};

/**
 * __sim_rwsem_init - use sim_rwsem_init()
 * @s: storage
 * @name: for lockdep
 * @key: class for lockdep, one for each place that initialises
 */
void __sim_rwsem_init(struct sim_rwsem *s, const char *name, struct lock_class_key *key);

#define sim_rwsem_init(s) do {						\
	static struct lock_class_key __key;				\
	__sim_rwsem_init((s), #s, &__key);				\
} while (0)

/**
 * sim_down_read - take a lock for reading, in simulated order
 * @s: the lock; not held by the caller
 *
 * Who comes after a writer that waits, waits too, so that no writer starves.
 * Context: participant, or while nobody is inside (module load); may sleep.
 */
void sim_down_read(struct sim_rwsem *s);

/**
 * sim_up_read - give a lock up that was taken for reading
 * @s: held by the caller
 *
 * Context: who took it; does not sleep and keeps the baton.
 */
void sim_up_read(struct sim_rwsem *s);

/**
 * sim_down_write - take a lock for writing, in simulated order
 * @s: the lock; not held by the caller
 *
 * Context: participant, or while nobody is inside (module load); may sleep.
 */
void sim_down_write(struct sim_rwsem *s);

/**
 * sim_up_write - give a lock up that was taken for writing
 * @s: held by the caller
 *
 * Context: who took it; does not sleep and keeps the baton.
 */
void sim_up_write(struct sim_rwsem *s);

#define sim_assert_held(s) lockdep_assert_held(&(s)->sem)
#define sim_assert_held_write(s) lockdep_assert_held_write(&(s)->sem)

/**
 * struct sim_sem - counting semaphore that may be released by another context
 *
 * For the interrupt service lock (taken by trylock in the top half, released
 * by the bottom half) and for bounded resources such as concurrent pushes.
 */
struct sim_sem {
	/* private: */
	spinlock_t lock;
	unsigned int count;
	struct sim_waitq wq;
};

/**
 * sim_sem_init - make a semaphore
 * @s: storage; there is nothing to destroy
 * @count: units that are free
 */
void sim_sem_init(struct sim_sem *s, unsigned int count);

/**
 * sim_sem_trylock - take a unit if one is free
 * @s: the semaphore
 *
 * Context: any, also hard interrupts.
 * Return: true if it was taken.
 */
bool sim_sem_trylock(struct sim_sem *s);

/**
 * sim_sem_down - take a unit, wait for one if none is free
 * @s: the semaphore
 *
 * On the virtual clock units go to the waiters in the order of asking.
 * Context: participant, or while nobody is inside (module load); may sleep.
 */
void sim_sem_down(struct sim_sem *s);

/**
 * sim_sem_up - give a unit back, or on the virtual clock straight to who has waited longest
 * @s: the semaphore
 *
 * Context: any, also hard interrupts; not only who took the unit.
 */
void sim_sem_up(struct sim_sem *s);

/**
 * struct sim_kthread - a driver kthread: runs a function once per kick
 */
struct sim_kthread {
	/* private: */
	struct sim_task task;
	void (*fn)(void *data);
	void *data;
	u64 due;			/* ps: when the pending kick takes effect */
	bool kicked;
	bool busy;
	u64 begun;			/* runs; real clock */
	u64 done;
	struct list_head flushers;	/* of sim_task.node */
	int cpu;			/* bound to it, or -1 */
	wait_queue_head_t idle;		/* real clock */
};

/**
 * sim_kthread_start - create the thread, idle
 * @kt: storage
 * @fn: called with the baton, once for each kick that found it not yet kicked
 * @data: its argument
 * @name: thread name
 *
 * Return: 0 or a negative errno.
 */
int sim_kthread_start(struct sim_kthread *kt, void (*fn)(void *data), void *data,
		      const char *name);

/**
 * sim_kthread_kick - ask for one run of the function, any context
 * @kt: the thread
 * @delay_ns: simulated time from now until it has the baton (wake-up latency)
 *
 * A kick while the function runs causes one more run.  A kick with no user
 * thread inside is remembered; the thread runs when it can have the baton:
 * before the next user thread to enter, at the same virtual time.
 */
void sim_kthread_kick(struct sim_kthread *kt, u64 delay_ns);

/**
 * sim_kthread_flush - wait for what the thread was doing, or had been kicked to do
 * @kt: the thread
 *
 * On the virtual clock until it is idle, on the real one not for kicks that come
 * meanwhile: on a busy machine there may always be one.  Caller is a participant.
 */
void sim_kthread_flush(struct sim_kthread *kt);

/**
 * sim_kthread_stop - end the thread after its current run, if any
 * @kt: the thread; kicks must have been stopped before
 *
 * Caller is not a participant.
 */
void sim_kthread_stop(struct sim_kthread *kt);

struct sim_timer;

/**
 * sim_timer_create - a timer that will kick a kthread
 * @kt: the thread; outlives the timer
 *
 * Return: the timer, not started, or NULL.
 */
struct sim_timer *sim_timer_create(struct sim_kthread *kt);

/**
 * sim_timer_start - kick the thread at a time, any context
 * @timer: the timer; if it has been started before it moves to the new time
 * @when_ns: driver time; in the past means now, after SIM_LAST_NS never: then it is not
 *	started, and not stopped if it was
 *
 * A timer that runs is not yet a thread in service: entries leave without
 * waiting for it, and time does not pass for its sake.  With nobody inside,
 * time stands still and it does not expire.
 */
void sim_timer_start(struct sim_timer *timer, u64 when_ns);

/**
 * sim_timer_cancel - it does not expire any more
 * @timer: the timer, started or not
 *
 * Sleeps until an expiry that is under way is over; the thread may have been kicked.
 */
void sim_timer_cancel(struct sim_timer *timer);

/**
 * sim_timer_destroy - the reverse of creating
 * @timer: the timer, or NULL; nobody starts it any more
 *
 * A kick it has made stays made: flush or stop the thread afterwards.
 */
void sim_timer_destroy(struct sim_timer *timer);

#endif
