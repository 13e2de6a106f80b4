/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Copies of users: virtual addresses on both sides, through channels that RM
 * keeps for a context, one per direction, made when first needed.
 *
 * Each copy is one GPFIFO entry: a semaphore with the time before the copy and
 * one behind it.  A copy that faults for good ends with the errno the driver
 * gave, kills its channel, and those behind it with ECANCELED; the next copy
 * gets a new channel.
 */
#ifndef SOFTGPU_USER_COPY_H
#define SOFTGPU_USER_COPY_H

#include <linux/list.h>
#include <uapi/linux/softgpu.h>
#include <softgpu/rm.h>
#include "base/history.h"
#include "user_copy_types.h"

#define SGPU_COPY_SLOTS		64	/* copies a channel has under way */
#define SGPU_COPY_SLOT_BYTES	256
#define SGPU_COPY_PAGES		8	/* pushbuffer, then semaphores */

/**
 * struct sgpu_user_copy - one copy
 * @node: in sgpu_copy_channel.pending, until it has ended
 * @ended: in sgpu_copies.ended, once it has
 * @charge: of itself
 * @id: handle
 * @slot: place in its channel
 * @payload: what its semaphores are released with
 * @bytes: asked for
 * @state: SOFTGPU_COPY_*
 * @error: positive errno, with %SOFTGPU_COPY_FAILED
 * @fault: @address and @access say where
 * @write: access
 * @address: of the fault
 * @start_ns: device time of its begin
 * @end_ns: and of its end
 */
struct sgpu_user_copy {
	struct list_head node;
	struct sgpu_history_item ended;
	struct rm_charge charge;
	u64 id;
	unsigned int slot;
	u32 payload;
	u64 bytes;
	u32 state;
	u32 error;
	bool fault;
	bool write;
	u64 address;
	u64 start_ns;
	u64 end_ns;
};

/**
 * struct sgpu_copy_channel - the channel of one direction
 * @rm: the channel
 * @iova: of @pages
 * @pages: pushbuffer slots, then semaphore slots
 * @pending: copies, oldest first
 * @pending_count: length of it
 * @seq: copies so far
 * @bound: the copy class is bound
 */
struct sgpu_copy_channel {
	struct rm_channel *rm;
	u64 iova;
	struct page *pages[SGPU_COPY_PAGES];
	struct list_head pending;
	unsigned int pending_count;
	u32 seq;
	bool bound;
};

/**
 * sgpu_copies_init - a context has no copies
 * @copies: storage
 */
void sgpu_copies_init(struct sgpu_copies *copies);

/**
 * sgpu_copies_exit - forget how copies ended
 * @copies: stopped by sgpu_copies_stop()
 */
void sgpu_copies_exit(struct sgpu_copies *copies);

/**
 * sgpu_copy_submit - queue a copy
 * @context: the context
 * @arg: checked arguments; copy_id is written
 *
 * Participant.  Waits, killably, while the channel is full.
 *
 * Return: 0, -ENODEV (context stopped or not registered with a driver), -EIO (the
 * GPU is lost), -ENOMEM, -EINTR, -ENOBUFS (so many failed of which nobody has been told
 * that no more can be remembered).
 */
int sgpu_copy_submit(struct rm_context *context, struct softgpu_copy *arg);

/**
 * sgpu_copy_ended - has a copy ended?
 * @context: whose
 * @id: from sgpu_copy_submit()
 *
 * Context: any but interrupts.
 * Return: true if so, or there is none of that id.
 */
bool sgpu_copy_ended(struct rm_context *context, u64 id);

/**
 * sgpu_copy_result - tell the user how a copy ended, or that it runs
 * @context: whose
 * @id: from sgpu_copy_submit()
 * @out: filled
 *
 * Context: any but interrupts.
 * Return: 0 or -ENOENT.
 */
int sgpu_copy_result(struct rm_context *context, u64 id, struct softgpu_copy_wait *out);

/**
 * sgpu_copies_stop - end all copies; none is in flight on return
 * @context: has been stopped: it takes no more
 *
 * Context: may sleep.
 */
void sgpu_copies_stop(struct rm_context *context);

/**
 * sgpu_copies_hang - copies that wait for a fault end with -EIO
 * @context: whose
 *
 * Context: any but interrupts.
 */
void sgpu_copies_hang(struct rm_context *context);

#endif
