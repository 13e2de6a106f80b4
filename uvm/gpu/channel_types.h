/* SPDX-License-Identifier: GPL-2.0 */
/* Channels of one GPU: the structures; see channel.h. */
#ifndef UVM_CHANNEL_TYPES_H
#define UVM_CHANNEL_TYPES_H

#include <linux/atomic.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <softgpu/rm.h>
#include "gpu/pushbuffer.h"
#include "gpu/semaphore.h"

struct uvm_gpu;

/**
 * enum uvm_channel_type - what a channel is for; decides its copy engine
 * @UVM_CHANNEL_CPU_TO_GPU: copies into GPU memory
 * @UVM_CHANNEL_GPU_TO_CPU: copies out of it
 * @UVM_CHANNEL_GPU_INTERNAL: clears and copies inside
 * @UVM_CHANNEL_MEMOPS: page tables, TLB invalidates, replays
 * @UVM_CHANNEL_TYPES: number of types
 */
enum uvm_channel_type {
	UVM_CHANNEL_CPU_TO_GPU,
	UVM_CHANNEL_GPU_TO_CPU,
	UVM_CHANNEL_GPU_INTERNAL,
	UVM_CHANNEL_MEMOPS,
	UVM_CHANNEL_TYPES
};

#define UVM_CHANNELS_PER_TYPE	2
#define UVM_CHANNELS		(UVM_CHANNEL_TYPES * UVM_CHANNELS_PER_TYPE)

/**
 * struct uvm_gpfifo_entry - our side of a GPFIFO entry: one ended push
 * @value: tracking value that its semaphore release writes
 * @span: its pushbuffer memory
 * @fn: called once when completion is noticed, may be NULL
 * @data: for @fn
 */
struct uvm_gpfifo_entry {
	u64 value;
	struct uvm_pushbuffer_span span;
	void (*fn)(void *data);
	void *data;
};

/**
 * struct uvm_channel - one channel
 * @gpu: its GPU
 * @type: what it is for
 * @rm: RM handle; NULL: stopped.  Changed under the manager's lock
 * @info: ring and indices; valid while @rm is
 * @tracking: tracking semaphore
 * @entries: @num_entries of them, indexed as the ring
 * @num_entries: GPFIFO size, a power of two
 * @put: ended pushes since start; index = @put modulo @num_entries
 * @get: reclaimed pushes since start
 * @reserved: entries that open pushes will need
 * @queued: last value given out
 * @completed: last value known to be released
 *
 * @put to @completed are protected by the manager's lock; @completed may be
 * read without.
 */
struct uvm_channel {
	struct uvm_gpu *gpu;
	enum uvm_channel_type type;
	struct rm_channel *rm;
	const struct rm_channel_info *info;
	struct uvm_semaphore tracking;
	struct uvm_gpfifo_entry *entries;
	unsigned int num_entries;
	unsigned int put;
	unsigned int get;
	unsigned int reserved;
	u64 queued;
	u64 completed;
};

/**
 * struct uvm_channel_manager - all channels of a GPU; embedded in struct uvm_gpu
 * @lock: see the top of channel.h
 * @complete_lock: see the top of channel.h
 * @concurrent: counts down the pushes that may still be opened
 * @space_waiters: threads waiting for pushbuffer or GPFIFO room
 * @error: a channel died or hung; nothing completes any more
 * @next: round robin position, per type; protected by @lock
 * @pushbuffer: pushbuffer; protected by @lock
 * @semaphores: tracking semaphores
 * @channels: channels, grouped by type
 */
struct uvm_channel_manager {
	spinlock_t lock;		/* see the top of channel.h */
	struct mutex complete_lock;	/* see the top of channel.h */
	struct sim_sem concurrent;
	atomic_t space_waiters;
	bool error;
	unsigned int next[UVM_CHANNEL_TYPES];
	struct uvm_pushbuffer pushbuffer;
	struct uvm_semaphore_pool semaphores;
	struct uvm_channel channels[UVM_CHANNELS];
};

#endif
