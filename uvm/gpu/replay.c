// SPDX-License-Identifier: GPL-2.0
/*
 * The latest replays of a GPU.
 */
#include <kunit/visibility.h>
#include "base/work.h"
#include "gpu/channel.h"
#include "gpu/push_words.h"
#include "gpu/replay.h"
#include "gpu/tracker.h"

void uvm_replays_init(struct uvm_replays *replays)
{
	spin_lock_init(&replays->lock);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_replays_init);

void uvm_replays_add(struct uvm_replays *replays, const struct uvm_push *push)
{
	struct uvm_tracker_entry *last;

	spin_lock(&replays->lock);
	last = &replays->last[replays->count++ % UVM_REPLAYS_UNDER_WAY];
	last->channel = push->channel;
	last->value = push->value;
	spin_unlock(&replays->lock);
}

int uvm_replays_bound(struct uvm_replays *replays, struct uvm_work *work)
{
	struct uvm_tracker_entry *oldest;
	int ret;

	oldest = &replays->last[replays->count % UVM_REPLAYS_UNDER_WAY];
	if (sim_is_virtual() || !oldest->channel ||
	    uvm_channel_is_completed(oldest->channel, oldest->value))
		return 0;
	uvm_work_wait_begin(work);
	ret = uvm_channel_wait(oldest->channel, oldest->value, false);
	uvm_work_wait_end(work);
	return ret;
}

int uvm_replays_track(struct uvm_replays *replays, struct uvm_tracker *tracker)
{
	struct uvm_tracker_entry entry;

	spin_lock(&replays->lock);
	entry = replays->last[(replays->count - 1) % UVM_REPLAYS_UNDER_WAY];
	spin_unlock(&replays->lock);
	if (!entry.channel || uvm_channel_is_completed(entry.channel, entry.value))
		return 0;
	return uvm_tracker_add_entry_safe(tracker, entry);
}
