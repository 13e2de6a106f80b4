/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Host interface: channels.
 *
 * The owner writes GPFIFO entries (pushbuffer segments in system memory), PUT
 * and the doorbell; doorbell_ns later the channel fetches and executes
 * methods, method_ns each.  Channels run independently of each other.
 *
 * What differs from published hardware, for the manual:
 * - Pushbuffers and semaphores, of the host and of the copy engines, have virtual
 *   addresses (rm_space.h) on the driver's channels; on those of a context DMA addresses
 *   of system memory.  Their walks take no time; one that finds nothing is an error.
 * - Copies and memsets of the driver's channels use physical addresses; a
 *   virtual operand is an error.  Channels of a context have virtual ones too.
 * - A semaphore acquire that is not satisfied blocks its channel (there are no
 *   runlists to switch) and is looked at again after every semaphore release
 *   by this GPU and at the channel's doorbell.
 * - SYNC of a GPFIFO entry changes nothing: no entry is fetched before all methods of those
 *   before it have been executed.
 * - Of control entries there is NOP, which takes no time; all others, conditional fetches and
 *   subroutine levels are errors.
 * - MEM_OP with REPLAY set invalidates first, then replays or cancels.
 * - GPC_DISABLE leaves the GPCs' TLBs alone: nothing else holds translations
 *   here, so the invalidate then has no effect.
 * - CLEAR_FAULTED names the channel by its id; one that has not faulted, or is
 *   gone, is left alone.
 * - The software class runs in the device, not in RM, and its methods take no longer than
 *   others.  Instance blocks are in the GPU's memory and name contexts, so its CLEAR_FAULTED
 *   is for all channels of a context whose fault the driver has fetched.
 *
 * Every unknown method or operand is a channel error: the error word is set,
 * the channel is dead, whoever waits for the GPU is woken.
 */
#ifndef SOFTGPU_HOST_H
#define SOFTGPU_HOST_H

#include <linux/types.h>
#include <linux/atomic.h>
#include <linux/idr.h>
#include <linux/list.h>
#include <linux/spinlock.h>
#include <softgpu/rm.h>
#include "clock/clock.h"
#include "host/copy_engine.h"
#include "mmu/mmu.h"
#include "host/host_types.h"

#define SGPU_CHANNEL_ACK_POLLS	64	/* looks before a replay is taken as answered */
#define SGPU_CHANNEL_ENTRIES	65536	/* GPFIFO entries at most */

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

int sgpu_host_init(struct rm_gpu *gpu);
/* Every channel is gone by now. */
void sgpu_host_exit(struct rm_gpu *gpu);
/* As rm_channel_alloc(), with virtual operands in @as, which outlives the channel. */
int sgpu_channel_alloc(struct rm_gpu *gpu, enum rm_engine engine, unsigned int entries,
		       struct sgpu_address_space *as, struct rm_channel **channel);
/* The driver gives up on the fault of a channel: it is dead.  @error: positive errno. */
void sgpu_channel_fail(struct rm_channel *channel, int error);
/* Channels or copy engines that can make progress? */
bool sgpu_host_busy(struct rm_gpu *gpu);

/* host_method.c: decode and execute one data word of the present header. */
enum sgpu_method_result {
	SGPU_METHOD_DONE,		/* go on with the next word */
	SGPU_METHOD_ACTION,		/* @action due at @now_ps */
	SGPU_METHOD_ERROR,		/* RM_CHANNEL_ERR_* in @error */
};

enum sgpu_method_result sgpu_host_method(struct rm_channel *channel, u32 method, u32 data,
					 u32 *error);
/* Perform the due MEM_OP (no lock held; real clock: waits for the SMs). */
void sgpu_host_mem_op(struct rm_channel *channel);
/* Is the MEM_OP a replay? */
bool sgpu_host_is_replay(const struct rm_channel *channel);
/* Is the MEM_OP a replay that completes only when all accesses are answered? */
bool sgpu_host_wants_ack(const struct rm_channel *channel);
/* Fill @copy from the CE registers; 0 or RM_CHANNEL_ERR_*. */
u32 sgpu_host_decode_copy(struct rm_channel *channel, struct sgpu_copy *copy);

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

/*
 * semaphore.c: 0 or -EFAULT; a release wakes blocked channels and waiters.  @channel: whose
 * method or copy it is.
 */
int sgpu_semaphore_release(struct rm_channel *channel, u64 addr, u64 payload, bool wide,
			   bool timestamp);
/* One more, or 0 from @limit on, as one operation for whoever else increments it; likewise. */
int sgpu_semaphore_increment(struct rm_channel *channel, u64 addr, u32 limit);
int sgpu_semaphore_test(struct rm_channel *channel, bool *satisfied);
void sgpu_host_reevaluate(struct rm_gpu *gpu);

/*
 * From the copy engines: the first copy of an engine found no translation.  The
 * channel's copies leave the engine.  Under sgpu_host.lock.
 */
void sgpu_channel_stall(struct sgpu_copy *copy, u64 now_ps);
/* CLEAR_FAULTED is due. */
void sgpu_host_clear_faulted(struct rm_gpu *gpu, u32 chid);
/* Likewise, by the software class: every channel of the instance whose fault was fetched. */
void sgpu_host_clear_instance(struct rm_gpu *gpu, u64 instance);

/* From the copy engines: a copy is done (@error 0) or failed. */
void sgpu_channel_copy_done(struct sgpu_copy *copy, u32 error);

#endif
