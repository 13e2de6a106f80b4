/* SPDX-License-Identifier: GPL-2.0 */
/* Non-replayable faults of a GPU; see non_replayable.h. */
#ifndef SOFTGPU_NON_REPLAYABLE_TYPES_H
#define SOFTGPU_NON_REPLAYABLE_TYPES_H

#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/types.h>

/**
 * struct sgpu_non_replayable - faults the driver has not fetched yet
 * @lock: protects the list; taken in interrupts
 * @faulted: of rm_channel.fault_node, oldest first
 * @count: length of it; read without the lock
 * @faults: faults since load
 * @cleared: faults cleared by the driver since load
 */
struct sgpu_non_replayable {
	spinlock_t lock;	/* everything below */
	struct list_head faulted;
	unsigned int count;
	u64 faults;
	u64 cleared;
};

#endif
