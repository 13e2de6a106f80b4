/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How much a GPU runs at once: windows of time, what happened in them, and the answers
 * of the policy (policy.h).
 *
 * Batch-aware, 4.1 and 5.1: the average lifetime of pages, from allocation to eviction,
 * is taken every 100,000 cycles; that it falls tells of premature eviction.
 *
 * Pure: the caller's lock protects it.
 */
#ifndef UVM_CONCURRENCY_H
#define UVM_CONCURRENCY_H

#include <linux/types.h>
#include "policy/policy.h"

#define UVM_CONCURRENCY_WINDOW_CYCLES	100000

/**
 * struct uvm_memory_traffic - what came to GPU memory and left it
 * @evicted: units evicted
 * @lifetime_ns: sum of the times for which they had been in use
 * @arrived: pages that came for faults
 * @returned: of these, pages that had been evicted
 */
struct uvm_memory_traffic {
	u64 evicted;
	u64 lifetime_ns;
	u64 arrived;
	u64 returned;
};

/**
 * struct uvm_concurrency - the present window of one GPU
 * @now: in force
 * @extra_max: REG_OVERSUB_MAX
 * @sm_count: SMs
 * @window_ns: length of a window
 * @ends: driver time at which this one ends, ns
 * @window: its number
 * @traffic: what happened in it
 * @evicted_before: units evicted before this window
 * @lifetime_before_ns: average lifetime in the last window that had evictions, or 0
 * @told: what the policy was told at the end of the window before; 0 in the first
 */
struct uvm_concurrency {
	struct uvm_concurrency_answer now;
	u32 extra_max;
	u32 sm_count;
	u64 window_ns;
	u64 ends;
	u64 window;
	struct uvm_memory_traffic traffic;
	u64 evicted_before;
	u64 lifetime_before_ns;
	struct uvm_concurrency_query told;
};

void uvm_concurrency_init(struct uvm_concurrency *c, u32 sm_count, u32 extra_max, u64 cycle_ps);
void uvm_concurrency_begin(struct uvm_concurrency *c, const struct uvm_concurrency_ops *ops,
			   u64 now);
void uvm_concurrency_note(struct uvm_concurrency *c, const struct uvm_memory_traffic *traffic);
bool uvm_concurrency_step(struct uvm_concurrency *c, const struct uvm_concurrency_ops *ops,
			  u64 now);

#endif
