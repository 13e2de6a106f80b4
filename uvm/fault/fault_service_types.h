/* SPDX-License-Identifier: GPL-2.0 */
/* Replayable faults of one GPU: the structure; see fault.h. */
#ifndef UVM_FAULT_SERVICE_TYPES_H
#define UVM_FAULT_SERVICE_TYPES_H

#include <linux/types.h>
#include <softgpu/sim.h>
#include "gpu/tracker_types.h"
#include "model/fault_batch.h"
#include "model/fault_governor.h"

struct uvm_gpu;
struct uvm_service;

/**
 * struct uvm_fault_service - replayable faults of one GPU
 * @gpu: the GPU
 * @service_lock: taken by trylock in the top half, kept over the hand-over,
 *	released by the bottom half; orders all readers of the ring
 * @bottom_half: the thread that serves
 * @kicked: it has the lock and shall serve
 * @recorder_kicked: it shall empty the recorder's ring
 * @ahead: the top half has found memory full: evict, then charge the wake-up
 * @enabled: faults are to be handled; cleared at teardown
 * @cached_get: ring index of the next record to read
 * @cached_put: last PUT read from the register
 * @entries: ring size
 * @origin: the extension REG_CAP_FAULT_ORIGIN is on
 * @batch_id: batches so far; 0 is no batch
 * @batch: records of the current batch
 * @batch_tracker: work that a replay must wait for
 * @replay_tracker: replays under way
 * @service: scratch for serving blocks
 * @governor: prefetch faults on or off
 * @overflow: the ring has overflown; noticed when GET is written
 * @owed: records were fetched or dropped since the last replay
 * @interrupts: top halves run
 */
struct uvm_fault_service {
	struct uvm_gpu *gpu;
	struct sim_sem service_lock;
	struct sim_kthread bottom_half;
	bool kicked;
	bool recorder_kicked;
	bool ahead;
	bool enabled;
	unsigned int cached_get;
	unsigned int cached_put;
	unsigned int entries;
	bool origin;
	u64 batch_id;
	struct uvm_fault_batch batch;
	struct uvm_tracker batch_tracker;
	struct uvm_tracker replay_tracker;
	struct uvm_service *service;
	struct uvm_fault_governor governor;
	bool overflow;
	bool owed;
	u64 interrupts;
};

#endif
