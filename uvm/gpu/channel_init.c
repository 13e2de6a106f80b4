// SPDX-License-Identifier: GPL-2.0
/*
 * Channels: made, replaced after an error, freed.
 */
#include <linux/log2.h>
#include <linux/slab.h>
#include <kunit/visibility.h>
#include "base/debugfs.h"
#include "gpu/channel.h"
#include "gpu/gpu.h"
#include "gpu/hal.h"
#include "gpu/push.h"

static enum rm_engine uvm_channel_engine(enum uvm_channel_type type)
{
	switch (type) {
	case UVM_CHANNEL_CPU_TO_GPU:
		return RM_ENGINE_CE_HTOD;
	case UVM_CHANNEL_GPU_TO_CPU:
		return RM_ENGINE_CE_DTOH;
	default:
		return RM_ENGINE_CE_INTERNAL;
	}
}

static int uvm_channel_start(struct uvm_channel *channel)
{
	struct rm_channel *rm;
	int ret;

	ret = rm_channel_alloc(channel->gpu->rm, uvm_channel_engine(channel->type),
			       channel->num_entries, &rm);
	if (ret)
		return ret;
	channel->rm = rm;
	channel->info = rm_channel_info(rm);
	uvm_object_inc(UVM_OBJECT_CHANNEL);
	return 0;
}

static int uvm_channel_init(struct uvm_gpu *gpu, struct uvm_channel *channel,
			    enum uvm_channel_type type, unsigned int entries)
{
	struct uvm_channel_manager *mgr = &gpu->channels;
	int ret;

	channel->gpu = gpu;
	channel->type = type;
	channel->num_entries = entries;
	channel->entries = kvcalloc(entries, sizeof(*channel->entries), GFP_KERNEL);
	if (!channel->entries)
		return -ENOMEM;
	ret = uvm_semaphore_alloc(&mgr->semaphores, &channel->tracking);
	if (ret)
		return ret;
	return uvm_channel_start(channel);
}

static void uvm_channel_exit(struct uvm_channel *channel)
{
	struct uvm_channel_manager *mgr = &channel->gpu->channels;

	mutex_lock(&mgr->complete_lock);
	uvm_channel_stop(channel);
	mutex_unlock(&mgr->complete_lock);
	uvm_semaphore_free(&mgr->semaphores, &channel->tracking);
	kvfree(channel->entries);
	channel->entries = NULL;
}

/* The first push: binds the copy class.  Nothing else is open yet, so there is room. */
static int uvm_channel_bind(struct uvm_channel *channel)
{
	struct uvm_push push;

	if (!sim_sem_trylock(&channel->gpu->channels.concurrent))
		return -EBUSY;
	if (!uvm_channel_try_reserve_on(channel, &push)) {
		sim_sem_up(&channel->gpu->channels.concurrent);
		return -EBUSY;
	}
	uvm_host_set_object(&push);
	uvm_push_end(&push);
	return 0;
}

int uvm_channels_init(struct uvm_gpu *gpu, unsigned int entries)
{
	struct uvm_channel_manager *mgr = &gpu->channels;
	unsigned int i;
	int ret;

	if (entries < 32 || !is_power_of_2(entries))
		return -EINVAL;
	memset(mgr, 0, sizeof(*mgr));
	spin_lock_init(&mgr->lock);
	mutex_init(&mgr->complete_lock);
	sim_sem_init(&mgr->concurrent, UVM_PUSHBUFFER_CHUNKS);
	for (i = 0; i < UVM_CHANNELS; i++)
		mgr->channels[i].gpu = gpu;

	ret = uvm_pushbuffer_init(&mgr->pushbuffer, gpu->rm);
	if (ret)
		return ret;
	ret = uvm_semaphore_pool_init(&mgr->semaphores, gpu->rm);
	if (ret)
		goto error;
	for (i = 0; i < UVM_CHANNELS; i++) {
		ret = uvm_channel_init(gpu, &mgr->channels[i], i / UVM_CHANNELS_PER_TYPE, entries);
		if (!ret)
			ret = uvm_channel_bind(&mgr->channels[i]);
		if (ret)
			goto error;
	}
	return 0;

error:
	uvm_channels_exit(gpu);
	return ret;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_channels_init);

/*
 * Its values go on: trackers remember old ones, and what they name is over.  The ring is a
 * new one, which both sides begin at 0.
 */
static int uvm_channel_revive(struct uvm_channel *channel)
{
	struct uvm_channel_manager *mgr = &channel->gpu->channels;

	spin_lock(&mgr->lock);
	WRITE_ONCE(*channel->tracking.payload, (u32)channel->queued);
	WRITE_ONCE(channel->completed, channel->queued);
	channel->put = 0;
	channel->get = 0;
	spin_unlock(&mgr->lock);
	return uvm_channel_start(channel);
}

/* Dead channels are stopped, all of them, and what was queued is finished. */
static int uvm_channels_start_again(struct uvm_gpu *gpu)
{
	struct uvm_channel_manager *mgr = &gpu->channels;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < UVM_CHANNELS && !ret; i++)
		ret = uvm_channel_revive(&mgr->channels[i]);
	if (!ret)
		WRITE_ONCE(mgr->error, false);
	return ret;
}

int uvm_channels_revive(struct uvm_gpu *gpu)
{
	struct uvm_channel_manager *mgr = &gpu->channels;
	unsigned int i;
	int ret;

	if (!uvm_gpu_channel_error(gpu))
		return 0;
	/* whoever has a push open ends it, and none is begun meanwhile */
	for (i = 0; i < UVM_PUSHBUFFER_CHUNKS; i++)
		sim_sem_down(&mgr->concurrent);
	uvm_channels_update_progress(gpu);
	ret = uvm_channels_start_again(gpu);
	for (i = 0; i < UVM_PUSHBUFFER_CHUNKS; i++)
		sim_sem_up(&mgr->concurrent);
	for (i = 0; i < UVM_CHANNELS && !ret; i++)
		ret = uvm_channel_bind(&mgr->channels[i]);
	if (ret) {
		WRITE_ONCE(mgr->error, true);
		uvm_channels_update_progress(gpu);
	}
	return ret;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_channels_revive);

void uvm_channels_restart(struct uvm_gpu *gpu)
{
	spin_lock(&gpu->channels.lock);
	memset(gpu->channels.next, 0, sizeof(gpu->channels.next));
	spin_unlock(&gpu->channels.lock);
}

void uvm_channels_exit(struct uvm_gpu *gpu)
{
	struct uvm_channel_manager *mgr = &gpu->channels;
	unsigned int i;

	for (i = 0; i < UVM_CHANNELS; i++)
		uvm_channel_exit(&mgr->channels[i]);
	uvm_semaphore_pool_deinit(&mgr->semaphores);
	uvm_pushbuffer_deinit(&mgr->pushbuffer);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_channels_exit);
