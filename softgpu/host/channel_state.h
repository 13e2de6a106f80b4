/* SPDX-License-Identifier: GPL-2.0 */
/* States of channels: who waits, who has died, and who is told. */
#ifndef SOFTGPU_CHANNEL_STATE_H
#define SOFTGPU_CHANNEL_STATE_H

#include "host/host_types.h"
#include "mmu/mmu_types.h"

enum sgpu_channel_state {
	SGPU_CHANNEL_IDLE,		/* GET == PUT; a doorbell wakes it */
	SGPU_CHANNEL_ACTIVE,		/* its event is queued or runs */
	SGPU_CHANNEL_ACQUIRE,		/* blocked on a semaphore */
	SGPU_CHANNEL_COPIES_FULL,	/* until one of its copies is done */
	SGPU_CHANNEL_COPIES_IDLE,	/* until all of its copies are done */
	SGPU_CHANNEL_DEAD,		/* channel error */
};

/* What a channel does when its event comes due, before the next method. */
enum sgpu_channel_action {
	SGPU_ACTION_NONE,
	SGPU_ACTION_MEM_OP,
	SGPU_ACTION_CLEAR_FAULTED,
	SGPU_ACTION_SW_CANCEL,
	SGPU_ACTION_SW_CLEAR,
	SGPU_ACTION_REPLAY_ACK,		/* REPLAY_START_ACK_ALL: until all are answered */
	SGPU_ACTION_SEMAPHORE,
	SGPU_ACTION_WFI,
	SGPU_ACTION_LAUNCH,
};

/**
 * sgpu_channel_enter - a channel enters a state
 * @channel: the channel
 * @state: which
 *
 * Context: sgpu_host.lock is held.
 * Return: true; false: the channel is dead, which it stays.
 */
bool sgpu_channel_enter(struct rm_channel *channel, enum sgpu_channel_state state);

/**
 * sgpu_channel_wake - let a channel run
 * @channel: not dead
 * @when_ps: when, or as far as it has got in time
 *
 * Context: sgpu_host.lock is held.
 */
void sgpu_channel_wake(struct rm_channel *channel, u64 when_ps);

/**
 * sgpu_channel_die - a channel does nothing any more
 * @channel: the channel
 *
 * Context: takes sgpu_host.lock.
 */
void sgpu_channel_die(struct rm_channel *channel);

/**
 * sgpu_channel_kill - a channel dies of an error, and whoever waits for the GPU is woken
 * @channel: the channel
 * @error: RM_CHANNEL_ERR_*
 *
 * Context: takes sgpu_host.lock.
 */
void sgpu_channel_kill(struct rm_channel *channel, u32 error);

/**
 * sgpu_channel_fail - the driver gives up on the fault of a channel: it dies
 * @channel: one that has faulted
 * @error: a positive errno, which its owner is told
 *
 * Context: takes sgpu_host.lock.
 */
void sgpu_channel_fail(struct rm_channel *channel, int error);

/**
 * sgpu_channel_stall - an engine's first copy found no translation: its channel's copies leave it
 * @copy: that one; its @fault_va, @fault_type and @fault_write say why
 * @now_ps: when
 *
 * Context: sgpu_host.lock is held.
 */
void sgpu_channel_stall(struct sgpu_copy *copy, u64 now_ps);

/**
 * sgpu_channel_copy_done - an engine is through with a copy
 * @copy: the channel may reuse it
 * @error: 0, or RM_CHANNEL_ERR_*, of which the channel dies
 *
 * Context: event of the engine; takes sgpu_host.lock.
 */
void sgpu_channel_copy_done(struct sgpu_copy *copy, u32 error);

/**
 * sgpu_channel_mem_get - CPU pointer to a channel's pushbuffer or semaphore
 * @channel: the channel
 * @addr: address, in @channel's host_as if it has one
 * @kind: what is done there
 * @aperture: out: for sgpu_mem_put(), to which the rules of sgpu_mem_get() lead
 *
 * Return: pointer, good up to the end of its 4K page; NULL without a translation, or for
 * what sgpu_mem_get() refuses.
 */
void *sgpu_channel_mem_get(struct rm_channel *channel, u64 addr, enum sgpu_access_kind kind,
			   enum rm_aperture *aperture);

#endif
