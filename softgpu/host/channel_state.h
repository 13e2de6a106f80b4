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

/* Enter @state; false if the channel is dead, which it stays.  Under sgpu_host.lock. */
bool sgpu_channel_enter(struct rm_channel *channel, enum sgpu_channel_state state);
/* It runs at @when_ps, or as far as it has got in time.  Under sgpu_host.lock. */
void sgpu_channel_wake(struct rm_channel *channel, u64 when_ps);
/* It does nothing any more. */
void sgpu_channel_die(struct rm_channel *channel);
/* Likewise, with an error: RM_CHANNEL_ERR_*. */
void sgpu_channel_kill(struct rm_channel *channel, u32 error);
/* The driver gives up on the fault of a channel: it is dead.  @error: positive errno. */
void sgpu_channel_fail(struct rm_channel *channel, int error);
/*
 * From the copy engines: the first copy of an engine found no translation.  The
 * channel's copies leave the engine.  Under sgpu_host.lock.
 */
void sgpu_channel_stall(struct sgpu_copy *copy, u64 now_ps);
/* From the copy engines: a copy is done (@error 0) or failed. */
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
