/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of the clock share.  There is one clock for all GPUs, so its
 * state is one static object.
 */
#ifndef SOFTGPU_CLOCK_PRIV_H
#define SOFTGPU_CLOCK_PRIV_H

#include "clock/clock.h"

/**
 * enum sim_state - what a participant does
 * @SIM_IDLE: kthread without work; it holds nothing and waits for a kick
 * @SIM_RUNNING: holds the baton
 * @SIM_READY: waits for the baton in the ready list
 * @SIM_SLEEPING: charged; in the tree of sleepers
 * @SIM_WAITING: waits for a condition; a hang ends the wait with -EIO
 * @SIM_LOCKING: waits for a lock; only its owner can end the wait
 * @SIM_LEAVING: waits until no kthread is in service; the last to give up
 * @SIM_NESTED: entered twice: our bug, counts for nothing
 */
enum sim_state {
	SIM_IDLE,
	SIM_RUNNING,
	SIM_READY,
	SIM_SLEEPING,
	SIM_WAITING,
	SIM_LOCKING,
	SIM_LEAVING,
	SIM_NESTED,
};

/**
 * struct sim_clock - the clock
 * @is_virtual: fixed at init
 * @lock: protects all below; leaf, taken from hard interrupts
 * @now_ps: virtual time; read without the lock
 * @seq: order of equals
 * @running: holder of the baton, NULL while the event loop runs or nobody is in
 * @running_thread: its thread
 * @driver: thread that runs the event loop
 * @current_event: event whose function runs in the loop
 * @ready: participants that wait for the baton, in the order they became ready
 * @events: device events by (time, gpu, seq)
 * @sleepers: charged participants by (time, seq); at equal times events go first
 * @all: every participant
 * @users: user threads inside
 * @in_service: kthreads kicked or busy
 * @stuck: the event loop found nothing it could do, so nobody drives
 * @hang_handled: the hang handler had its chance
 * @user_cpu: where the only user inside blocked last; for speed, never a result
 * @leavers: users that wait until no kthread is in service
 * @throttle: see sgpu_clock_set_throttle()
 * @hang_handler: see sgpu_clock_set_hang_handler()
 * @base: real clock: ktime of time 0
 */
struct sim_clock {
	bool is_virtual;
	raw_spinlock_t lock;
	u64 now_ps;
	u64 seq;
	struct sim_task *running;
	struct task_struct *running_thread;
	struct task_struct *driver;
	struct sgpu_event *current_event;
	struct list_head ready;
	struct rb_root_cached events;
	struct rb_root_cached sleepers;
	struct list_head all;
	unsigned int users;
	unsigned int in_service;
	bool stuck;
	bool hang_handled;
	int user_cpu;
	struct list_head leavers;
	void (*throttle)(void);
	sgpu_hang_fn hang_handler;
	ktime_t base;
};

extern struct sim_clock sim_clk;

/**
 * sim_is_running - does the caller hold the baton?
 *
 * Context: any thread; needs no lock, for nobody else could take the baton from the caller.
 * Return: true if it does.
 */
static inline bool sim_is_running(void)
{
	return READ_ONCE(sim_clk.running_thread) == current;
}

/*
 * All below: virtual clock, caller holds sim_clk.lock with interrupts off.
 */

/**
 * sim_make_ready - put a participant at the end of the ready list
 * @t: on no list
 *
 * It gets the baton if nobody is active.
 */
void sim_make_ready(struct sim_task *t);

/**
 * sim_poke - let somebody go on if anybody can; called after the state changed
 */
void sim_poke(void);

/**
 * sim_block - give the baton up and sleep until it is back
 * @self: the caller, on the list that it waits on
 *
 * Also ends for a kthread that is stopped while idle, without the baton.
 * Context: drops the lock meanwhile; sleeps, or drives the clock.
 */
void sim_block(struct sim_task *self);

/**
 * sim_block_in - the baton holder waits on a list
 * @waiters: goes to its end
 * @state: SIM_WAITING, SIM_LOCKING or SIM_LEAVING: what may end the wait
 *
 * Context: drops the lock meanwhile; sleeps, or drives the clock.
 * Return: 0, or what ended the wait: -EINTR, or -EIO (hang).
 */
int sim_block_in(struct list_head *waiters, enum sim_state state);

/**
 * sim_sleep_until - a participant sleeps until a time
 * @t: on no list, and without the baton
 * @when: ps
 */
void sim_sleep_until(struct sim_task *t, u64 when);

/**
 * sim_ready_all - ready all that wait on a list, in its order
 * @waiters: is empty afterwards
 */
void sim_ready_all(struct list_head *waiters);

/**
 * sim_next_due - when the event loop would do something next
 *
 * Return: ps, U64_MAX: never.
 */
u64 sim_next_due(void);

/**
 * sim_run_event - run the first event if it is due by a time
 * @limit: no later than this, ps
 *
 * Context: drops the lock meanwhile; the event's function and the throttle run without it.
 * Return: true if one has run.
 */
bool sim_run_event(u64 limit);

/*
 * What lockdep knows of the clock.  To be inside is a lock that every participant holds, so
 * that what a participant needs and what is held when one enters are never the same.  It is
 * entered under mmap_lock, so a participant that touches user memory is reported.
 */
extern struct lockdep_map sim_inside_map;
/* Held by who entered with sim_enter_locked(): may wait under mmap_lock. */
extern struct lockdep_map sim_locked_map;

/**
 * sim_might_block - complain about a sleeping call under a spinlock or mmap_lock
 *
 * An mmap_lock that sim_enter_locked() knows of is none to complain about.
 */
static inline void sim_might_block(void)
{
	might_sleep();
	if (IS_ENABLED(CONFIG_LOCKDEP) && current->mm && !lock_is_held(&sim_locked_map))
		lockdep_assert_not_held(&current->mm->mmap_lock);
}

#endif
