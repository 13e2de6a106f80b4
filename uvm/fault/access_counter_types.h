/* SPDX-License-Identifier: GPL-2.0 */
/* Access counters of one GPU: the structures; see access_counter.h. */
#ifndef UVM_ACCESS_COUNTER_TYPES_H
#define UVM_ACCESS_COUNTER_TYPES_H

#include <linux/mutex.h>
#include <linux/types.h>
#include <softgpu/sim.h>
#include "model/access_counter_batch.h"

struct uvm_service;

/**
 * struct uvm_access_counters - access counters of one GPU
 * @service_lock: taken by trylock in the top half, released by the bottom half;
 *	orders all readers of the ring
 * @kicked: the bottom half has the lock and shall serve
 * @enabled: notifications are to be handled; cleared at teardown
 * @stall: accesses wait until the counter that they made tell is cleared (REG_CAP_ACCESS_STALL)
 * @cached_get: ring index of the next record to read
 * @cached_put: last PUT read from the register
 * @entries: ring size
 * @batch: notifications of the current batch
 * @service: scratch for serving blocks
 * @config_lock: protects @config; outside of it only VA space locks
 * @config: REG_ACCESS_COUNTER_CONFIG
 * @interrupts: top halves run
 */
struct uvm_access_counters {
	struct sim_sem service_lock;
	bool kicked;
	bool enabled;
	bool stall;
	unsigned int cached_get;
	unsigned int cached_put;
	unsigned int entries;
	struct uvm_access_batch batch;
	struct uvm_service *service;
	struct mutex config_lock;	/* config */
	u32 config;
	u64 interrupts;
};

/**
 * struct uvm_access_config - what a VA space asked for on one GPU
 * @enable: count, whatever the parameters say
 * @granularity: bytes, 0 for perf_access_counter_granularity
 * @threshold: accesses, 0 for perf_access_counter_threshold
 */
struct uvm_access_config {
	bool enable;
	u64 granularity;
	u32 threshold;
};

#endif
