// SPDX-License-Identifier: GPL-2.0
/*
 * Pushes.
 */
#include <linux/align.h>
#include <linux/bitfield.h>
#include <linux/bug.h>
#include <linux/string.h>
#include <softgpu/host_class.h>
#include <kunit/visibility.h>
#include "gpu/gpu.h"
#include "gpu/channel.h"
#include "gpu/hal.h"
#include "gpu/push.h"
#include "gpu/tracker.h"

int uvm_push_begin(struct uvm_gpu *gpu, enum uvm_channel_type type, struct uvm_push *push)
{
	struct uvm_channel_manager *mgr = &gpu->channels;
	bool reserved = false;
	int ret;

	if (!sim_sem_trylock(&mgr->concurrent))
		sim_sem_down(&mgr->concurrent);
	for (;;) {
		uvm_channels_update_progress(gpu);
		if (uvm_gpu_channel_error(gpu))
			break;
		if (uvm_channel_try_reserve(gpu, type, push))
			return 0;
		atomic_inc(&mgr->space_waiters);
		ret = sim_wait_event(rm_gpu_waitq(gpu->rm),
				     (reserved = uvm_channel_try_reserve(gpu, type, push)) ||
				     uvm_channels_reclaimable(gpu) || uvm_gpu_channel_error(gpu));
		atomic_dec(&mgr->space_waiters);
		if (reserved)
			return 0;
		if (ret)
			WRITE_ONCE(mgr->error, true);
	}
	sim_sem_up(&mgr->concurrent);
	return -EIO;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_push_begin);

/* A GPU cannot acquire another one's semaphores here: wait for their work. */
static int uvm_push_wait_other_gpus(struct uvm_gpu *gpu, struct uvm_tracker *tracker)
{
	struct uvm_tracker_entry *entry;
	unsigned int i;
	int ret;

	for (i = 0; i < tracker->count; i++) {
		entry = &uvm_tracker_entries(tracker)[i];
		if (entry->channel->gpu == gpu)
			continue;
		ret = uvm_channel_wait(entry->channel, entry->value, false);
		if (ret)
			return ret;
	}
	uvm_tracker_remove_completed(tracker);
	return 0;
}

/*
 * Acquire in the order of the channels, not of the tracker: the latter depends
 * on work of long ago, and the time that the GPU needs depends on the order.
 */
static void uvm_push_acquire(struct uvm_push *push, struct uvm_tracker *tracker)
{
	const struct uvm_tracker_entry *entry;
	struct uvm_channel *channel;
	unsigned int c, i;

	for (c = 0; c < UVM_CHANNELS; c++) {
		channel = &push->gpu->channels.channels[c];
		if (channel == push->channel)
			continue;
		for (i = 0; i < tracker->count; i++) {
			entry = &uvm_tracker_entries(tracker)[i];
			if (entry->channel == channel)
				uvm_host_semaphore_acquire(push, channel->tracking.va,
							   (u32)entry->value);
		}
	}
}

int uvm_push_begin_acquire(struct uvm_gpu *gpu, enum uvm_channel_type type,
			   struct uvm_tracker *tracker, struct uvm_push *push)
{
	int ret;

	if (tracker) {
		ret = uvm_push_wait_other_gpus(gpu, tracker);
		if (ret)
			return ret;
	}
	ret = uvm_push_begin(gpu, type, push);
	if (ret || !tracker)
		return ret;

	uvm_tracker_remove_completed(tracker);
	uvm_push_acquire(push, tracker);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_push_begin_acquire);

static void uvm_push_write_release(struct uvm_push *push, u32 payload)
{
	/* What is left of a push that did not fit must not be executed. */
	if (push->overflow)
		push->next = push->begin;
	uvm_push_open_end(push);
	uvm_ce_semaphore_release(push, push->channel->tracking.va, payload);
}

u64 uvm_push_end(struct uvm_push *push)
{
	struct uvm_channel_manager *mgr = &push->gpu->channels;

	if (push->overflow)
		WRITE_ONCE(mgr->error, true);
	uvm_channel_submit(push, uvm_push_write_release);
	sim_sem_up(&mgr->concurrent);
	return push->value;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_push_end);

int uvm_push_wait(const struct uvm_push *push)
{
	return uvm_channel_wait(push->channel, push->value, false);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_push_wait);

int uvm_push_end_and_wait(struct uvm_push *push)
{
	uvm_push_end(push);
	return uvm_push_wait(push);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_push_end_and_wait);

void uvm_push_on_complete(struct uvm_push *push, void (*fn)(void *data), void *data)
{
	WARN_ON_ONCE(push->fn);
	push->fn = fn;
	push->data = data;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_push_on_complete);

const u64 *uvm_push_timestamp(struct uvm_push *push)
{
	u64 va;
	u32 *slot = uvm_push_slot(push, &va);

	uvm_ce_semaphore_timestamp(push, va);
	return (const u64 *)(slot + 2);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_push_timestamp);
