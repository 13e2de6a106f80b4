// SPDX-License-Identifier: GPL-2.0
/*
 * Trackers: sets of GPU work.
 */
#include <linux/slab.h>
#include <kunit/visibility.h>
#include "gpu/channel.h"
#include "gpu/push_words.h"
#include "gpu/tracker.h"

void uvm_tracker_init(struct uvm_tracker *tracker)
{
	memset(tracker, 0, sizeof(*tracker));
}
EXPORT_SYMBOL_IF_KUNIT(uvm_tracker_init);

void uvm_tracker_deinit(struct uvm_tracker *tracker)
{
	kfree(tracker->many);
	uvm_tracker_init(tracker);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_tracker_deinit);

void uvm_tracker_clear(struct uvm_tracker *tracker)
{
	tracker->count = 0;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_tracker_clear);

/* Make room for @more entries on other channels, so that adding them cannot fail. */
static int uvm_tracker_reserve(struct uvm_tracker *tracker, unsigned int more)
{
	unsigned int room = tracker->many ? tracker->room : 1;
	unsigned int need = tracker->count + more;
	struct uvm_tracker_entry *many;

	if (need <= room)
		return 0;
	uvm_tracker_remove_completed(tracker);
	need = tracker->count + more;
	if (need <= room)
		return 0;
	need = max_t(unsigned int, need, UVM_CHANNELS);
	many = kmalloc_array(need, sizeof(*many), GFP_KERNEL);
	if (!many)
		return -ENOMEM;
	memcpy(many, uvm_tracker_entries(tracker), tracker->count * sizeof(*many));
	kfree(tracker->many);
	tracker->many = many;
	tracker->room = need;
	return 0;
}

int uvm_tracker_add_entry(struct uvm_tracker *tracker, struct uvm_tracker_entry entry)
{
	struct uvm_tracker_entry *entries = uvm_tracker_entries(tracker);
	unsigned int i;
	int ret;

	for (i = 0; i < tracker->count; i++) {
		if (entries[i].channel == entry.channel) {
			entries[i].value = max(entries[i].value, entry.value);
			return 0;
		}
	}
	ret = uvm_tracker_reserve(tracker, 1);
	if (ret)
		return ret;
	uvm_tracker_entries(tracker)[tracker->count++] = entry;
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_tracker_add_entry);

int uvm_tracker_add_push(struct uvm_tracker *tracker, const struct uvm_push *push)
{
	struct uvm_tracker_entry entry = { .channel = push->channel, .value = push->value };

	return uvm_tracker_add_entry(tracker, entry);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_tracker_add_push);

int uvm_tracker_add_tracker(struct uvm_tracker *dst, struct uvm_tracker *src)
{
	unsigned int i;
	int ret;

	uvm_tracker_remove_completed(src);
	ret = uvm_tracker_reserve(dst, src->count);
	if (ret)
		return ret;
	for (i = 0; i < src->count; i++)
		uvm_tracker_add_entry(dst, uvm_tracker_entries(src)[i]);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_tracker_add_tracker);

int uvm_tracker_add_entry_safe(struct uvm_tracker *tracker, struct uvm_tracker_entry entry)
{
	if (!uvm_tracker_add_entry(tracker, entry))
		return 0;
	return uvm_channel_wait(entry.channel, entry.value, false);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_tracker_add_entry_safe);

int uvm_tracker_add_push_safe(struct uvm_tracker *tracker, const struct uvm_push *push)
{
	struct uvm_tracker_entry entry = { .channel = push->channel, .value = push->value };

	return uvm_tracker_add_entry_safe(tracker, entry);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_tracker_add_push_safe);

int uvm_tracker_add_tracker_safe(struct uvm_tracker *dst, struct uvm_tracker *src)
{
	if (!uvm_tracker_add_tracker(dst, src))
		return 0;
	return uvm_tracker_wait(src);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_tracker_add_tracker_safe);

int uvm_tracker_overwrite_safe(struct uvm_tracker *dst, struct uvm_tracker *src)
{
	uvm_tracker_clear(dst);
	return uvm_tracker_add_tracker_safe(dst, src);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_tracker_overwrite_safe);

/* What a dead GPU owes never comes, but that of others is still waited for. */
static int uvm_tracker_do_wait(struct uvm_tracker *tracker, bool killable)
{
	struct uvm_tracker_entry entry;
	unsigned int i;
	int ret = 0, err;

	for (i = tracker->count; i--;) {
		entry = uvm_tracker_entries(tracker)[i];
		err = uvm_channel_wait(entry.channel, entry.value, killable);
		if (err == -EINTR)
			return err;
		ret = ret ?: err;
	}
	uvm_tracker_remove_completed(tracker);
	return ret;
}

int uvm_tracker_wait(struct uvm_tracker *tracker)
{
	return uvm_tracker_do_wait(tracker, false);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_tracker_wait);

int uvm_tracker_wait_killable(struct uvm_tracker *tracker)
{
	return uvm_tracker_do_wait(tracker, true);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_tracker_wait_killable);

int uvm_tracker_wait_deinit(struct uvm_tracker *tracker)
{
	int ret = uvm_tracker_wait(tracker);

	uvm_tracker_deinit(tracker);
	return ret;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_tracker_wait_deinit);

void uvm_tracker_remove_gpu(struct uvm_tracker *tracker, const struct uvm_gpu *gpu)
{
	struct uvm_tracker_entry *entries = uvm_tracker_entries(tracker);
	unsigned int i, kept = 0;

	for (i = 0; i < tracker->count; i++) {
		if (entries[i].channel->gpu != gpu)
			entries[kept++] = entries[i];
	}
	tracker->count = kept;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_tracker_remove_gpu);

void uvm_tracker_remove_dead(struct uvm_tracker *tracker)
{
	struct uvm_tracker_entry *entries = uvm_tracker_entries(tracker);
	unsigned int i, kept = 0;

	for (i = 0; i < tracker->count; i++) {
		if (!uvm_gpu_channel_error(entries[i].channel->gpu))
			entries[kept++] = entries[i];
	}
	tracker->count = kept;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_tracker_remove_dead);

void uvm_tracker_remove_completed(struct uvm_tracker *tracker)
{
	struct uvm_tracker_entry *entries = uvm_tracker_entries(tracker);
	unsigned int i, kept = 0;

	for (i = 0; i < tracker->count; i++) {
		if (!uvm_channel_is_completed(entries[i].channel, entries[i].value))
			entries[kept++] = entries[i];
	}
	tracker->count = kept;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_tracker_remove_completed);

bool uvm_tracker_is_completed(struct uvm_tracker *tracker)
{
	uvm_tracker_remove_completed(tracker);
	return !tracker->count;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_tracker_is_completed);

int uvm_tracker_poll(struct uvm_tracker *tracker)
{
	struct uvm_tracker_entry *entries = uvm_tracker_entries(tracker);
	unsigned int i;

	if (uvm_tracker_is_completed(tracker))
		return 0;
	for (i = 0; i < tracker->count; i++)
		if (uvm_gpu_channel_error(entries[i].channel->gpu))
			return -EIO;
	return -EAGAIN;
}
