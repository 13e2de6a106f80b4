/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Channels: the queues through which uvm gives a GPU work.
 *
 * Every push of a channel ends with a release of its tracking semaphore; the
 * low 32 bits of a 64-bit counter.  Work of one channel completes in order, so
 * "value v of channel c" names everything up to that push.
 *
 * Locks: @lock (spinlock, a leaf) protects channels and pushbuffer.
 * @complete_lock (mutex) serialises reclaiming, so that completion functions
 * run once and in push order; it is never held across a simulated wait.
 *
 * A channel error, or a hang, is the end of all channels of the GPU: whoever
 * notices stops them and calls the completion functions that are still due,
 * before his wait or begin returns -EIO.  When the last VA space has left the
 * GPU and the next one comes they begin anew (nvidia-uvm needs a reset).
 */
#ifndef UVM_CHANNEL_H
#define UVM_CHANNEL_H

#include <linux/atomic.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <softgpu/rm.h>
#include "gpu/semaphore.h"
#include "gpu/pushbuffer.h"
#include "gpu/channel_types.h"

struct uvm_gpu;
struct uvm_push;

/**
 * uvm_channels_init - create the channels of a GPU
 * @gpu: the GPU; its rm is set
 * @entries: GPFIFO entries per channel, a power of two, at least 32
 *
 * Queues the first push of each channel (it binds the copy class) and does not
 * wait for it, so the caller need not be a participant.
 *
 * Return: 0 or a negative errno; nothing to undo on error.
 */
int uvm_channels_init(struct uvm_gpu *gpu, unsigned int entries);

/**
 * uvm_channels_exit - free the channels
 * @gpu: the GPU; no push is open, no tracker with its entries is used any more
 *
 * Waits for nothing: see uvm_channels_wait_idle() for that.  Completion
 * functions that are still due are called.
 */
void uvm_channels_exit(struct uvm_gpu *gpu);

/**
 * uvm_channels_restart - let the channels of each type take turns from the first
 * @gpu: the GPU; nothing is queued
 *
 * When a first VA space comes: no run inherits whose turn it was.
 */
void uvm_channels_restart(struct uvm_gpu *gpu);

/**
 * uvm_channels_revive - if the channels are dead, replace them
 * @gpu: the GPU; nobody uses it, no bottom half runs
 *
 * Work that the dead ones owed counts as done: nobody is left whom it could
 * concern, and the device has forgotten it.  Caller is a participant.
 *
 * Return: 0, -ENOMEM; on error they are as dead as before.
 */
int uvm_channels_revive(struct uvm_gpu *gpu);

/**
 * uvm_channels_update_progress - notice completed pushes
 * @gpu: the GPU
 *
 * Reclaims their space and calls their completion functions.  Participants
 * only; not under a spinlock.
 */
void uvm_channels_update_progress(struct uvm_gpu *gpu);

/**
 * uvm_channels_wait_idle - wait for everything queued so far
 * @gpu: the GPU
 *
 * Context: a participant.
 * Return: 0 or -EIO.
 */
int uvm_channels_wait_idle(struct uvm_gpu *gpu);

/**
 * uvm_channels_wait_type - wait for everything queued so far on the channels of one type
 * @gpu: the GPU
 * @type: the type
 *
 * Context: a participant.
 * Return: 0 or -EIO.
 */
int uvm_channels_wait_type(struct uvm_gpu *gpu, enum uvm_channel_type type);

/**
 * uvm_gpu_channel_error - has a channel of the GPU died or hung?
 * @gpu: the GPU
 *
 * Context: any but hard interrupts; takes channels.lock.
 * Return: true if so; every wait for its work returns -EIO then, until uvm_channels_revive().
 */
bool uvm_gpu_channel_error(struct uvm_gpu *gpu);

/**
 * uvm_channel_is_completed - has the GPU released a value?
 * @channel: the channel
 * @value: tracking value of a push
 *
 * Context: any but hard interrupts; reads the semaphore.
 * Return: true if so.
 */
bool uvm_channel_is_completed(struct uvm_channel *channel, u64 value);

/**
 * uvm_channel_wait - wait until a value is released
 * @channel: the channel
 * @value: the value
 * @killable: SIGKILL ends the wait
 *
 * Completion functions up to @value have run on return of 0.
 *
 * Return: 0, -EIO (channel error or hang) or -EINTR.
 */
int uvm_channel_wait(struct uvm_channel *channel, u64 value, bool killable);

/* For channel_init.c: take it from the device; its completion functions have run. */

/**
 * uvm_channel_stop - take a channel from the device
 * @channel: the channel
 *
 * What it has not executed is finished, so that nobody's completion function is lost.  For
 * channel_init.c.
 *
 * Context: complete_lock held; a participant.
 */
void uvm_channel_stop(struct uvm_channel *channel);

/**
 * uvm_channel_try_reserve - room for one push, without waiting; for push.c
 * @gpu: the GPU
 * @type: of channel: its channels take turns
 * @push: out: opened
 *
 * Context: takes channels.lock.
 * Return: false: there is no room.
 */
bool uvm_channel_try_reserve(struct uvm_gpu *gpu, enum uvm_channel_type type,
			     struct uvm_push *push);

/**
 * uvm_channel_try_reserve_on - as uvm_channel_try_reserve(), on one channel
 * @channel: the channel
 * @push: out: opened
 *
 * Context: takes channels.lock.
 * Return: false: there is no room.
 */
bool uvm_channel_try_reserve_on(struct uvm_channel *channel, struct uvm_push *push);

/**
 * uvm_channels_reclaimable - is some finished push there to be reclaimed? for push.c
 * @gpu: the GPU
 *
 * Context: takes channels.lock.
 * Return: true if so.
 */
bool uvm_channels_reclaimable(struct uvm_gpu *gpu);

/**
 * uvm_channel_submit - give a push its value, and ring the doorbell; for push.c
 * @push: the push
 * @write_release: adds the last words, which release @payload
 *
 * If the channel has been stopped after an error the push will be finished without execution.
 *
 * Context: takes channels.lock.
 */
void uvm_channel_submit(struct uvm_push *push,
			void (*write_release)(struct uvm_push *push, u32 payload));

#endif
