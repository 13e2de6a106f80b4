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

/**
 * uvm_tracker_init - an empty tracker
 * @tracker: written; also UVM_TRACKER_INIT()
 */
void uvm_tracker_init(struct uvm_tracker *tracker);

/**
 * uvm_tracker_deinit - free the storage
 * @tracker: empty afterwards; the work itself is not waited for
 */
void uvm_tracker_deinit(struct uvm_tracker *tracker);

/**
 * uvm_tracker_clear - forget the entries, keep the storage
 * @tracker: the tracker
 */
void uvm_tracker_clear(struct uvm_tracker *tracker);

/**
 * uvm_tracker_entries - the entries
 * @tracker: the tracker
 *
 * Return: @tracker->count of them, valid until one is added.
 */
static inline struct uvm_tracker_entry *uvm_tracker_entries(struct uvm_tracker *tracker)
{
	return tracker->many ?: &tracker->one;
}

/**
 * uvm_tracker_is_empty - has the tracker no entries?
 * @tracker: the tracker
 *
 * Return: true if so; entries that are completed count.
 */
static inline bool uvm_tracker_is_empty(const struct uvm_tracker *tracker)
{
	return !tracker->count;
}

/**
 * uvm_tracker_last - the entry added last
 * @tracker: the tracker
 * @entry: out
 *
 * Return: false: there is none.
 */
static inline bool uvm_tracker_last(struct uvm_tracker *tracker, struct uvm_tracker_entry *entry)
{
	if (!tracker->count)
		return false;
	*entry = uvm_tracker_entries(tracker)[tracker->count - 1];
	return true;
}

/**
 * uvm_tracker_add_push - add a push
 * @tracker: its owner serialises, as all here
 * @push: the push, ended
 *
 * Context: may sleep for memory.
 * Return: 0, or -ENOMEM with the tracker unchanged.
 */
int uvm_tracker_add_push(struct uvm_tracker *tracker, const struct uvm_push *push);

/**
 * uvm_tracker_add_entry - add an entry
 * @tracker: the tracker
 * @entry: replaces one of the same channel with an earlier value
 *
 * Context: may sleep for memory.
 * Return: 0, or -ENOMEM with the tracker unchanged.
 */
int uvm_tracker_add_entry(struct uvm_tracker *tracker, struct uvm_tracker_entry entry);

/**
 * uvm_tracker_add_tracker - add all entries of another tracker
 * @dst: the tracker
 * @src: the other one; its completed entries are dropped
 *
 * Context: may sleep for memory.
 * Return: 0, or -ENOMEM with @dst unchanged but for completed entries.
 */
int uvm_tracker_add_tracker(struct uvm_tracker *dst, struct uvm_tracker *src);

/**
 * uvm_tracker_add_push_safe - add a push; without memory to remember it, wait for it
 * @tracker: the tracker
 * @push: the push, ended
 *
 * Context: a participant.
 * Return: 0, or -EIO if that wait failed.
 */
int uvm_tracker_add_push_safe(struct uvm_tracker *tracker, const struct uvm_push *push);

/**
 * uvm_tracker_add_entry_safe - add an entry; without memory to remember it, wait for it
 * @tracker: the tracker
 * @entry: the entry
 *
 * Context: a participant.
 * Return: 0, or -EIO if that wait failed.
 */
int uvm_tracker_add_entry_safe(struct uvm_tracker *tracker, struct uvm_tracker_entry entry);

/**
 * uvm_tracker_add_tracker_safe - add all entries; without memory to remember them, wait for them
 * @dst: the tracker
 * @src: the other one; its completed entries are dropped
 *
 * Context: a participant.
 * Return: 0, or -EIO if that wait failed.
 */
int uvm_tracker_add_tracker_safe(struct uvm_tracker *dst, struct uvm_tracker *src);

/**
 * uvm_tracker_overwrite_safe - replace the entries by those of another tracker
 * @dst: the tracker
 * @src: the other one; its completed entries are dropped
 *
 * Context: a participant.
 * Return: as uvm_tracker_add_tracker_safe().
 */
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

/**
 * uvm_tracker_wait_killable - as uvm_tracker_wait(); SIGKILL ends it
 * @tracker: what is not completed is kept
 *
 * Context: a participant.
 * Return: 0, -EIO or -EINTR.
 */
int uvm_tracker_wait_killable(struct uvm_tracker *tracker);

/**
 * uvm_tracker_wait_deinit - wait, and free the storage whatever the result was
 * @tracker: empty afterwards
 *
 * Context: a participant.
 * Return: 0 or -EIO.
 */
int uvm_tracker_wait_deinit(struct uvm_tracker *tracker);

/**
 * uvm_tracker_is_completed - is no work left?
 * @tracker: completed entries are dropped
 *
 * Context: any but hard interrupts.
 * Return: true if none is left.
 */
bool uvm_tracker_is_completed(struct uvm_tracker *tracker);

/**
 * uvm_tracker_poll - has all of it ended, without a wait
 * @tracker: the tracker
 *
 * Context: any but hard interrupts.
 * Return: 0, -EAGAIN (something goes on), -EIO (a GPU of it has failed, so that it never ends).
 */
int uvm_tracker_poll(struct uvm_tracker *tracker);

/**
 * uvm_tracker_remove_completed - drop completed entries
 * @tracker: the tracker
 *
 * Context: any but hard interrupts.
 */
void uvm_tracker_remove_completed(struct uvm_tracker *tracker);

/**
 * uvm_tracker_remove_gpu - forget the work of a GPU that will not do it any more
 * @tracker: the tracker
 * @gpu: the GPU
 */
void uvm_tracker_remove_gpu(struct uvm_tracker *tracker, const struct uvm_gpu *gpu);

/**
 * uvm_tracker_remove_dead - forget the work of all GPUs whose channels are dead
 * @tracker: the tracker
 *
 * Context: any but hard interrupts.
 */
void uvm_tracker_remove_dead(struct uvm_tracker *tracker);

#endif
