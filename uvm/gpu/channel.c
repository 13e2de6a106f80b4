// SPDX-License-Identifier: GPL-2.0
/*
 * Channels: submission, progress.
 */
#include <linux/bitfield.h>
#include <softgpu/host_class.h>
#include <kunit/visibility.h>
#include "base/debugfs.h"
#include "gpu/gpu.h"
#include "gpu/channel.h"
#include "gpu/push_words.h"

/* ---- progress -------------------------------------------------------- */

bool uvm_gpu_channel_error(struct uvm_gpu *gpu)
{
	struct uvm_channel_manager *mgr = &gpu->channels;
	unsigned int i;

	if (READ_ONCE(mgr->error))
		return true;
	spin_lock(&mgr->lock);
	for (i = 0; i < UVM_CHANNELS; i++) {
		if (mgr->channels[i].rm && READ_ONCE(*mgr->channels[i].info->error))
			WRITE_ONCE(mgr->error, true);
	}
	spin_unlock(&mgr->lock);
	return READ_ONCE(mgr->error);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_gpu_channel_error);

static void uvm_channel_update_locked(struct uvm_channel *channel)
{
	u64 value;
	u32 payload;

	lockdep_assert_held(&channel->gpu->channels.lock);
	/* What the push wrote is read after its semaphore. */
	payload = smp_load_acquire(channel->tracking.payload);
	value = uvm_semaphore_extend(channel->completed, payload);
	if (value > channel->queued)
		WRITE_ONCE(channel->gpu->channels.error, true);
	else
		WRITE_ONCE(channel->completed, value);
}

bool uvm_channel_is_completed(struct uvm_channel *channel, u64 value)
{
	spinlock_t *lock = &channel->gpu->channels.lock;

	if (READ_ONCE(channel->completed) >= value)
		return true;
	spin_lock(lock);
	uvm_channel_update_locked(channel);
	spin_unlock(lock);
	return READ_ONCE(channel->completed) >= value;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_channel_is_completed);

static struct uvm_gpfifo_entry *uvm_channel_entry(struct uvm_channel *channel, unsigned int n)
{
	return &channel->entries[n & (channel->num_entries - 1)];
}

static bool uvm_channel_reclaimable_locked(struct uvm_channel *channel)
{
	if (channel->get == channel->put)
		return false;
	uvm_channel_update_locked(channel);
	return uvm_channel_entry(channel, channel->get)->value <= channel->completed;
}

bool uvm_channels_reclaimable(struct uvm_gpu *gpu)
{
	struct uvm_channel_manager *mgr = &gpu->channels;
	bool found = false;
	unsigned int i;

	spin_lock(&mgr->lock);
	for (i = 0; i < UVM_CHANNELS && !found; i++)
		found = uvm_channel_reclaimable_locked(&mgr->channels[i]);
	spin_unlock(&mgr->lock);
	return found;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_channels_reclaimable);

/* Finish the oldest push.  Its memory stays until its function has run. */
static void uvm_channel_finish_oldest(struct uvm_channel *channel)
{
	struct uvm_channel_manager *mgr = &channel->gpu->channels;
	struct uvm_gpfifo_entry *entry = uvm_channel_entry(channel, channel->get);

	lockdep_assert_held(&mgr->complete_lock);
	if (entry->fn)
		entry->fn(entry->data);
	spin_lock(&mgr->lock);
	uvm_pushbuffer_release(&entry->span);
	channel->get++;
	spin_unlock(&mgr->lock);
}

static bool uvm_channel_reap(struct uvm_channel *channel)
{
	struct uvm_channel_manager *mgr = &channel->gpu->channels;
	bool found, any = false;

	lockdep_assert_held(&mgr->complete_lock);
	/* most are idle most of the time; what is pushed just now has not completed */
	while (channel->get != READ_ONCE(channel->put)) {
		spin_lock(&mgr->lock);
		found = uvm_channel_reclaimable_locked(channel);
		spin_unlock(&mgr->lock);
		if (!found)
			break;
		uvm_channel_finish_oldest(channel);
		any = true;
	}
	return any;
}

void uvm_channel_stop(struct uvm_channel *channel)
{
	struct uvm_channel_manager *mgr = &channel->gpu->channels;
	struct rm_channel *rm;
	unsigned int put;

	lockdep_assert_held(&mgr->complete_lock);
	spin_lock(&mgr->lock);
	rm = channel->rm;
	put = channel->put;
	channel->rm = NULL;
	channel->info = NULL;
	spin_unlock(&mgr->lock);
	if (rm) {
		rm_channel_free(rm);
		uvm_object_dec(UVM_OBJECT_CHANNEL);
	}
	while (channel->get != put)
		uvm_channel_finish_oldest(channel);
}

static void uvm_channels_room_made(struct uvm_gpu *gpu)
{
	if (atomic_read(&gpu->channels.space_waiters))
		sim_wake(rm_gpu_waitq(gpu->rm));
}

void uvm_channels_update_progress(struct uvm_gpu *gpu)
{
	struct uvm_channel_manager *mgr = &gpu->channels;
	bool any = false;
	unsigned int i;

	mutex_lock(&mgr->complete_lock);
	for (i = 0; i < UVM_CHANNELS; i++)
		any |= uvm_channel_reap(&mgr->channels[i]);
	/* One dead channel and the order of work is gone: stop them all. */
	for (i = 0; i < UVM_CHANNELS && uvm_gpu_channel_error(gpu); i++)
		uvm_channel_stop(&mgr->channels[i]);
	mutex_unlock(&mgr->complete_lock);
	if (any)
		uvm_channels_room_made(gpu);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_channels_update_progress);

static bool uvm_channel_is_over(struct uvm_channel *channel, u64 value)
{
	return uvm_channel_is_completed(channel, value) || uvm_gpu_channel_error(channel->gpu);
}

int uvm_channel_wait(struct uvm_channel *channel, u64 value, bool killable)
{
	struct uvm_gpu *gpu = channel->gpu;
	struct sim_waitq *wq = rm_gpu_waitq(gpu->rm);
	int ret;

	if (killable)
		ret = sim_wait_event_killable(wq, uvm_channel_is_over(channel, value));
	else
		ret = sim_wait_event(wq, uvm_channel_is_over(channel, value));
	/* Nothing that was queued before a hang will ever complete. */
	if (ret == -EIO)
		WRITE_ONCE(gpu->channels.error, true);
	uvm_channels_update_progress(gpu);
	if (uvm_channel_is_completed(channel, value))
		return 0;
	return ret ?: -EIO;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_channel_wait);

/* Everything queued so far on channels [@first, @outer). */
static int uvm_channels_wait(struct uvm_gpu *gpu, unsigned int first, unsigned int outer)
{
	struct uvm_channel_manager *mgr = &gpu->channels;
	unsigned int i;
	int ret;

	for (i = first; i < outer; i++) {
		ret = uvm_channel_wait(&mgr->channels[i], READ_ONCE(mgr->channels[i].queued),
				       false);
		if (ret)
			return ret;
	}
	return 0;
}

int uvm_channels_wait_idle(struct uvm_gpu *gpu)
{
	return uvm_channels_wait(gpu, 0, UVM_CHANNELS);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_channels_wait_idle);

int uvm_channels_wait_type(struct uvm_gpu *gpu, enum uvm_channel_type type)
{
	unsigned int first = type * UVM_CHANNELS_PER_TYPE;

	return uvm_channels_wait(gpu, first, first + UVM_CHANNELS_PER_TYPE);
}

/* ---- submission ------------------------------------------------------ */

static bool uvm_channel_try_reserve_locked(struct uvm_channel *channel, struct uvm_push *push)
{
	struct uvm_channel_manager *mgr = &channel->gpu->channels;
	int chunk;

	/* GET == PUT means empty: one entry of the ring is never used. */
	if (channel->put - channel->get + channel->reserved >= channel->num_entries - 1)
		return false;
	chunk = uvm_pushbuffer_begin(&mgr->pushbuffer);
	if (chunk < 0)
		return false;
	channel->reserved++;
	uvm_push_open(push, channel, chunk);
	return true;
}

bool uvm_channel_try_reserve_on(struct uvm_channel *channel, struct uvm_push *push)
{
	bool ok;

	spin_lock(&channel->gpu->channels.lock);
	ok = uvm_channel_try_reserve_locked(channel, push);
	spin_unlock(&channel->gpu->channels.lock);
	return ok;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_channel_try_reserve_on);

bool uvm_channel_try_reserve(struct uvm_gpu *gpu, enum uvm_channel_type type,
			     struct uvm_push *push)
{
	struct uvm_channel_manager *mgr = &gpu->channels;
	struct uvm_channel *channel;
	unsigned int i, n;
	bool ok = false;

	spin_lock(&mgr->lock);
	for (i = 0; i < UVM_CHANNELS_PER_TYPE && !ok; i++) {
		n = (mgr->next[type] + i) % UVM_CHANNELS_PER_TYPE;
		channel = &mgr->channels[type * UVM_CHANNELS_PER_TYPE + n];
		ok = uvm_channel_try_reserve_locked(channel, push);
		if (ok)
			mgr->next[type] = n + 1;
	}
	spin_unlock(&mgr->lock);
	return ok;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_channel_try_reserve);

static u64 uvm_channel_gp_entry(u64 address, u32 bytes)
{
	u32 lo = (u32)address & HOST_GP0_ADDR_LO;
	u32 hi = FIELD_PREP(HOST_GP1_ADDR_HI, address >> 32) |
		 FIELD_PREP(HOST_GP1_LENGTH, bytes / sizeof(u32));

	return (u64)hi << 32 | lo;
}

void uvm_channel_submit(struct uvm_push *push,
			void (*write_release)(struct uvm_push *push, u32 payload))
{
	struct uvm_channel *channel = push->channel;
	struct uvm_channel_manager *mgr = &channel->gpu->channels;
	struct uvm_gpfifo_entry *entry;
	unsigned int index, mask = channel->num_entries - 1;
	u32 offset, bytes;

	spin_lock(&mgr->lock);
	push->value = ++channel->queued;
	write_release(push, (u32)push->value);
	bytes = (push->next - push->begin) * sizeof(u32);
	offset = uvm_pushbuffer_offset(&mgr->pushbuffer, push->chunk);

	index = channel->put & mask;
	entry = &channel->entries[index];
	entry->value = push->value;
	entry->fn = push->fn;
	entry->data = push->data;
	uvm_pushbuffer_end(&mgr->pushbuffer, push->chunk, bytes, &entry->span);
	channel->reserved--;
	WRITE_ONCE(channel->put, channel->put + 1);
	/* Stopped after an error: the push will be finished without execution. */
	if (channel->rm) {
		channel->info->gpfifo[index] =
			uvm_channel_gp_entry(mgr->pushbuffer.memory.va + offset, bytes);
		/* The device must see the push and its entry before PUT. */
		smp_store_release(channel->info->gp_put, channel->put & mask);
		rm_channel_doorbell(channel->rm);
	}
	spin_unlock(&mgr->lock);
	uvm_channels_room_made(channel->gpu);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_channel_submit);
