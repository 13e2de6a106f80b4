/* SPDX-License-Identifier: GPL-2.0 */
/* Non-replayable faults of one GPU: the structure; see non_replayable.h. */
#ifndef UVM_NON_REPLAYABLE_TYPES_H
#define UVM_NON_REPLAYABLE_TYPES_H

#include <linux/types.h>
#include <softgpu/sim.h>
#include "gpu/tracker_types.h"

struct uvm_service;

/**
 * struct uvm_non_replayable - non-replayable faults of one GPU
 * @bottom_half: the thread that serves, and the only one to use what follows
 * @service: scratch for serving blocks
 * @tracker: what the present fault's channel has to wait for
 * @count: faults so far, stands for the batch id
 */
struct uvm_non_replayable {
	struct sim_kthread bottom_half;
	struct uvm_service *service;
	struct uvm_tracker tracker;
	u64 count;
};

#endif
