// SPDX-License-Identifier: GPL-2.0
/*
 * GPU work that still uses memory which has been given up: copies out of it, and
 * page-table entries that pointed there (nvidia-uvm 4.4: a root chunk's tracker).
 *
 * A tracker goes with an address.  Memory that is given up by frames has one per
 * frame; smaller units have one per 64 KB, or who gets one would wait for its
 * neighbours' evictions, too.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/slab.h>
#include "gpu/channel.h"
#include "gpu/gpu.h"
#include "gpu/tracker.h"
#include "memory/pmm_priv.h"

/* Trackers of a chunk: the first, and how many. */
static struct uvm_tracker *pmm_trackers_of(struct uvm_pmm *pmm, const struct uvm_chunk *chunk,
					   unsigned int *count)
{
	u64 pa = chunk->pa;

	*count = 1;
	if (pmm->pool.unit == UVM_CHUNK_2M)
		pa = round_down(pa, UVM_BLOCK_SIZE);
	else if (chunk->size == UVM_CHUNK_2M)
		*count = UVM_BIG_PER_BLOCK;
	return &pmm->trackers[pa >> UVM_BIG_PAGE_SHIFT];
}

static int pmm_collect(struct uvm_pmm *pmm, const struct uvm_chunk *chunk,
		       struct uvm_tracker *to)
{
	struct uvm_tracker *from;
	unsigned int i, count;
	int ret = 0;

	lockdep_assert_held(&pmm->lock);
	from = pmm_trackers_of(pmm, chunk, &count);
	for (i = 0; i < count && !ret; i++)
		ret = uvm_tracker_add_tracker(to, &from[i]);
	return ret;
}

/* Something that a chunk still waits for, if there is anything. */
static bool pmm_last(struct uvm_pmm *pmm, const struct uvm_chunk *chunk,
		     struct uvm_tracker_entry *entry)
{
	struct uvm_tracker *trackers;
	unsigned int i, count;

	lockdep_assert_held(&pmm->lock);
	trackers = pmm_trackers_of(pmm, chunk, &count);
	for (i = 0; i < count; i++) {
		uvm_tracker_remove_completed(&trackers[i]);
		if (uvm_tracker_last(&trackers[i], entry))
			return true;
	}
	return false;
}

int uvm_pmm_add_tracker(struct uvm_gpu *gpu, struct uvm_chunk *chunk, struct uvm_tracker *tracker)
{
	struct uvm_pmm *pmm = &gpu->pmm;
	struct uvm_tracker_entry entry;
	bool found;
	int ret;

	mutex_lock(&pmm->lock);
	ret = pmm_collect(pmm, chunk, tracker);
	mutex_unlock(&pmm->lock);
	/*
	 * No memory to remember the work: wait for it, without the lock.  It stays
	 * in the trackers meanwhile, for others take chunks of the frame.
	 */
	while (ret == -ENOMEM) {
		mutex_lock(&pmm->lock);
		found = pmm_last(pmm, chunk, &entry);
		mutex_unlock(&pmm->lock);
		if (!found)
			return 0;
		if (uvm_channel_wait(entry.channel, entry.value, false))
			ret = -EIO;
	}
	return ret;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_pmm_add_tracker);

void uvm_pmm_leave_tracker(struct uvm_gpu *gpu, const struct uvm_chunk *chunk,
			   struct uvm_tracker *tracker)
{
	struct uvm_pmm *pmm = &gpu->pmm;
	struct uvm_tracker *to;
	unsigned int i, count;
	int ret = 0;

	mutex_lock(&pmm->lock);
	to = pmm_trackers_of(pmm, chunk, &count);
	for (i = 0; i < count && !ret; i++)
		ret = uvm_tracker_add_tracker(&to[i], tracker);
	mutex_unlock(&pmm->lock);
	/* the caller holds the chunk, so its frame cannot go meanwhile */
	if (ret)
		uvm_tracker_wait(tracker);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_pmm_leave_tracker);

void uvm_pmm_wait_frame(struct uvm_pmm *pmm, const struct uvm_chunk *root)
{
	struct uvm_tracker *trackers = &pmm->trackers[root->pa >> UVM_BIG_PAGE_SHIFT];
	unsigned int i;

	for (i = 0; i < UVM_BIG_PER_BLOCK; i++)
		uvm_tracker_wait(&trackers[i]);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_pmm_wait_frame);

int uvm_pmm_trackers_init(struct uvm_pmm *pmm, unsigned int frames)
{
	unsigned int i, count = frames * UVM_BIG_PER_BLOCK;

	pmm->trackers = kvcalloc(count, sizeof(*pmm->trackers), GFP_KERNEL);
	if (!pmm->trackers)
		return -ENOMEM;
	for (i = 0; i < count; i++)
		uvm_tracker_init(&pmm->trackers[i]);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_pmm_trackers_init);

void uvm_pmm_trackers_exit(struct uvm_pmm *pmm)
{
	unsigned int i;

	for (i = 0; i < pmm->pool.nr_roots * UVM_BIG_PER_BLOCK; i++)
		uvm_tracker_deinit(&pmm->trackers[i]);
	kvfree(pmm->trackers);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_pmm_trackers_exit);
