/* SPDX-License-Identifier: GPL-2.0 */
/* The latest replays of a GPU: the structure; see replay.h. */
#ifndef UVM_REPLAY_TYPES_H
#define UVM_REPLAY_TYPES_H

#include <linux/spinlock.h>
#include <linux/types.h>
#include "gpu/tracker_types.h"

/*
 * Replays that may wait for the GPU on the real clock.  Each brings back, as new
 * records, what was fetched and not yet mapped when it was issued; a driver that
 * runs further ahead serves them all for nothing, and replays after each.  Not a
 * rule of nvidia-uvm: hardware replays in a microsecond, the device's threads
 * take a hundred.
 */
#define UVM_REPLAYS_UNDER_WAY	8

/**
 * struct uvm_replays - the latest replays of one GPU
 * @lock: protects @last and writes of @count, a leaf
 * @last: they, number n at n modulo their number; no channel: none yet
 * @count: replays issued; read without @lock by who issues them
 */
struct uvm_replays {
	spinlock_t lock;	/* last, count */
	struct uvm_tracker_entry last[UVM_REPLAYS_UNDER_WAY];
	u64 count;
};

#endif
