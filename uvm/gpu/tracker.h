/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trackers: sets of GPU work that somebody has to wait for, or that other GPU
 * work has to wait for.
 *
 * An entry is (channel, value): work of a channel completes in order, so one
 * entry per channel is enough.  A tracker has no lock of its own: its owner's
 * lock protects it.  Entries must not outlive their channel.
 */
#ifndef UVM_TRACKER_H
#define UVM_TRACKER_H

#include <linux/types.h>
#include "gpu/tracker_types.h"

struct uvm_channel;
struct uvm_gpu;
struct uvm_push;

#define UVM_TRACKER_INIT() { .count = 0 }

void uvm_tracker_init(struct uvm_tracker *tracker);
/* Frees the storage; the work itself is not waited for. */
void uvm_tracker_deinit(struct uvm_tracker *tracker);
/* Forget the entries, keep the storage. */
void uvm_tracker_clear(struct uvm_tracker *tracker);

static inline struct uvm_tracker_entry *uvm_tracker_entries(struct uvm_tracker *tracker)
{
	return tracker->many ?: &tracker->one;
}

static inline bool uvm_tracker_is_empty(const struct uvm_tracker *tracker)
{
	return !tracker->count;
}

/* The entry added last, if there is one. */
static inline bool uvm_tracker_last(struct uvm_tracker *tracker, struct uvm_tracker_entry *entry)
{
	if (!tracker->count)
		return false;
	*entry = uvm_tracker_entries(tracker)[tracker->count - 1];
	return true;
}

/* Make room for @more entries on other channels, so that adding them cannot fail. */
int uvm_tracker_reserve(struct uvm_tracker *tracker, unsigned int more);
/* @push has ended.  Return: 0, or -ENOMEM with the tracker unchanged. */
int uvm_tracker_add_push(struct uvm_tracker *tracker, const struct uvm_push *push);
int uvm_tracker_add_entry(struct uvm_tracker *tracker, struct uvm_tracker_entry entry);
int uvm_tracker_add_tracker(struct uvm_tracker *dst, struct uvm_tracker *src);
/*
 * The safe ones wait for the work itself when there is no memory to remember
 * it.  Return: 0, or -EIO if that wait failed.
 */
int uvm_tracker_add_push_safe(struct uvm_tracker *tracker, const struct uvm_push *push);
int uvm_tracker_add_entry_safe(struct uvm_tracker *tracker, struct uvm_tracker_entry entry);
int uvm_tracker_add_tracker_safe(struct uvm_tracker *dst, struct uvm_tracker *src);
/* Replace the entries of @dst by those of @src. */
int uvm_tracker_overwrite_safe(struct uvm_tracker *dst, struct uvm_tracker *src);

/**
 * uvm_tracker_wait - wait for all entries
 * @tracker: the tracker; empty afterwards if 0 is returned
 *
 * The caller is a participant.
 *
 * Return: 0, or -EIO after a channel error or hang (entries are kept that are not completed;
 * those of other GPUs were waited for all the same).
 */
int uvm_tracker_wait(struct uvm_tracker *tracker);
/* As uvm_tracker_wait(); SIGKILL ends it with -EINTR, the rest is kept. */
int uvm_tracker_wait_killable(struct uvm_tracker *tracker);
/* Wait and free the storage whatever the result was. */
int uvm_tracker_wait_deinit(struct uvm_tracker *tracker);
/* Drops completed entries; true if none is left.  Any context. */
bool uvm_tracker_is_completed(struct uvm_tracker *tracker);
void uvm_tracker_remove_completed(struct uvm_tracker *tracker);
/* Forget the work of a GPU that will not do it any more; of all whose channels are dead. */
void uvm_tracker_remove_gpu(struct uvm_tracker *tracker, const struct uvm_gpu *gpu);
void uvm_tracker_remove_dead(struct uvm_tracker *tracker);

#endif
