/* SPDX-License-Identifier: GPL-2.0 */
/* Trackers: the structures; see tracker.h. */
#ifndef UVM_TRACKER_TYPES_H
#define UVM_TRACKER_TYPES_H

#include <linux/types.h>

struct uvm_channel;

struct uvm_tracker_entry {
	struct uvm_channel *channel;
	u64 value;
};

/**
 * struct uvm_tracker - work to wait for
 * @one: storage as long as one entry is enough
 * @many: storage for more, NULL while @one is used
 * @count: entries in use
 * @room: entries that fit into @many
 */
struct uvm_tracker {
	struct uvm_tracker_entry one;
	struct uvm_tracker_entry *many;
	unsigned int count;
	unsigned int room;
};

#endif
