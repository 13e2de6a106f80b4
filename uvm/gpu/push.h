/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pushes: one batch of methods for a channel, ended by a release of the
 * channel's tracking semaphore.
 *
 * A thread has at most one push open, takes no sleeping lock between begin and
 * end that is taken around a begin elsewhere, and gives the baton up in
 * between only in uvm_work charges.  Beginning may wait (for one of the 16
 * places, for pushbuffer memory, for a GPFIFO entry, and for other GPUs' work
 * in a tracker to acquire); ending never waits or fails.
 */
#ifndef UVM_PUSH_H
#define UVM_PUSH_H

#include <linux/bits.h>
#include <linux/types.h>
#include "gpu/channel_types.h"
#include "gpu/push_words.h"
#include "gpu/tracker.h"

/**
 * uvm_push_begin - open a push
 * @gpu: the GPU
 * @type: kind of channel; the channels of a type take turns
 * @push: out
 *
 * Return: 0, or -EIO after a channel error.
 */
int uvm_push_begin(struct uvm_gpu *gpu, enum uvm_channel_type type, struct uvm_push *push);

/**
 * uvm_push_begin_acquire - open a push that executes after other work
 * @gpu: the GPU
 * @type: kind of channel
 * @tracker: the work, or NULL; completed entries are removed from it
 * @push: out
 *
 * Work on other channels of this GPU is acquired by the GPU; that of the same
 * channel is in order anyway.  Work of other GPUs is waited for here.
 *
 * Return: 0, or -EIO.
 */
int uvm_push_begin_acquire(struct uvm_gpu *gpu, enum uvm_channel_type type,
			   struct uvm_tracker *tracker, struct uvm_push *push);

/**
 * uvm_push_end - submit a push
 * @push: the push; @push->channel and @push->value name it from now on
 *
 * Return: its tracking value.
 */
u64 uvm_push_end(struct uvm_push *push);

/**
 * uvm_push_wait - wait for an ended push
 * @push: the push
 *
 * Context: a participant.
 * Return: 0 or -EIO.
 */
int uvm_push_wait(const struct uvm_push *push);

/**
 * uvm_push_end_and_wait - submit a push, and wait for it
 * @push: the push
 *
 * Context: a participant.
 * Return: 0 or -EIO.
 */
int uvm_push_end_and_wait(struct uvm_push *push);

/**
 * uvm_push_on_complete - have a function called when the push has completed
 * @push: open push; at most one function each
 * @fn: runs once, in a participant, in push order per channel, when progress is
 *	noticed, before a wait for this push returns; must not wait in simulated
 *	time, begin a push, or take a lock that is held around a begin or a wait
 * @data: its argument
 *
 * After a channel error it runs although the push was not executed: before
 * a wait for the push returns -EIO.
 */
void uvm_push_on_complete(struct uvm_push *push, void (*fn)(void *data), void *data);

/**
 * uvm_push_timestamp - record when the copies so far are done
 * @push: open push
 *
 * Adds a copy-engine semaphore release: in order with the channel's copies, so
 * it gives the end of the previous one and the start of the next.  (For host
 * methods: uvm_host_timestamp().)
 *
 * Return: where the time (device ns) will be.  The place is part of the push's
 * memory: it is to be read in the push's completion function and nowhere else;
 * 0 there means that it was not executed (channel error).
 */
const u64 *uvm_push_timestamp(struct uvm_push *push);

#endif
