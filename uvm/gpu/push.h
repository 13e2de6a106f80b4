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
#include "gpu/channel.h"
#include "gpu/gpu_memory.h"
#include "gpu/tracker.h"

/*
 * Flags for the next copy-engine operation, which consumes them: copy, memset,
 * or the semaphore release of uvm_push_end().
 */
#define UVM_PUSH_CE_NEXT_PIPELINED	BIT(0)	/* may overlap earlier copies */
#define UVM_PUSH_NEXT_MEMBAR_NONE	BIT(1)
#define UVM_PUSH_NEXT_MEMBAR_GPU	BIT(2)	/* default: system */

enum uvm_membar {
	UVM_MEMBAR_NONE,
	UVM_MEMBAR_GPU,
	UVM_MEMBAR_SYS,
};

/**
 * struct uvm_push - a push, on its author's stack
 * @gpu: the GPU
 * @channel: the channel, chosen at begin
 * @value: tracking value, valid after end
 * @begin: first word
 * @next: where the next word goes
 * @limit: where words end
 * @chunk: pushbuffer chunk
 * @flags: UVM_PUSH_*
 * @inline_header: open inline data: its NOP header
 * @overflow: too many methods; a bug, the push is not executed
 * @fn: completion function
 * @data: for @fn
 */
struct uvm_push {
	struct uvm_gpu *gpu;
	struct uvm_channel *channel;
	u64 value;
	u32 *begin;
	u32 *next;
	u32 *limit;
	unsigned int chunk;
	u32 flags;
	u32 *inline_header;
	bool overflow;
	void (*fn)(void *data);
	void *data;
};

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
/* Wait for an ended push.  Return: 0, or -EIO. */
int uvm_push_wait(const struct uvm_push *push);
int uvm_push_end_and_wait(struct uvm_push *push);

static inline void uvm_push_set_flag(struct uvm_push *push, u32 flag)
{
	push->flags |= flag;
}

/* Bytes of methods that still fit; one copy, memset, membar or invalidate takes at most 64. */
size_t uvm_push_space(const struct uvm_push *push);

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

/*
 * Inline data: words in the pushbuffer that the host skips.  Nothing else may
 * be added to the push between begin and end.
 */
#define UVM_PUSH_INLINE_MAX_BYTES	32760
void uvm_push_inline_begin(struct uvm_push *push);
void uvm_push_inline_add(struct uvm_push *push, const void *data, size_t bytes);
size_t uvm_push_inline_bytes(const struct uvm_push *push);
/* Return: address of the first byte, for a copy. */
struct uvm_gpu_address uvm_push_inline_end(struct uvm_push *push);

/* For the HAL: room for @words words, which the caller fills. */
u32 *uvm_push_words(struct uvm_push *push, unsigned int words);
/* For the HAL: 16-byte aligned 16 bytes that the host skips; @va: where channels find them. */
u32 *uvm_push_slot(struct uvm_push *push, u64 *va);
/* For the HAL: consume the flags. */
enum uvm_membar uvm_push_take_membar(struct uvm_push *push);
bool uvm_push_take_pipelined(struct uvm_push *push);
/* For channel.c: a new push at @offset of the pushbuffer. */
void uvm_push_open(struct uvm_push *push, struct uvm_channel *channel, unsigned int chunk);

#endif
