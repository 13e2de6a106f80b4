/* SPDX-License-Identifier: GPL-2.0 */
/* Thrashing of a VA space: the structure; see block_thrashing.h. */
#ifndef UVM_BLOCK_THRASHING_TYPES_H
#define UVM_BLOCK_THRASHING_TYPES_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <softgpu/sim.h>
#include "model/thrashing.h"

/**
 * struct uvm_va_space_thrashing - what the blocks of a VA space share
 * @lock: protects the rest; only event queues are locked inside.  No spinlock, for
 *	a history that is forgotten under it is freed
 * @origin: driver time when one of its pages first moved, 0 before; needs no lock
 * @lapse: adapts to the faults of all blocks
 * @pinned: blocks with pinned pages, of uvm_va_block.pinned_node, in the order
 *	in which the first of them was pinned
 * @unpin: kicks the reaper when the first pin ends
 * @next_unpin: driver time for which @unpin was started, U64_MAX if it was not
 */
struct uvm_va_space_thrashing {
	u64 origin;
	struct mutex lock;	/* see above */
	struct uvm_thrashing_lapse lapse;
	struct list_head pinned;
	struct sim_timer *unpin;
	u64 next_unpin;
};

#endif
