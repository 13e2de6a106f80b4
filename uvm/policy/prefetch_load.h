/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Eviction load of one GPU, for prefetch policies that follow it ("adaptive
 * prefetching", demystifying VI-B).
 *
 * Measured in windows, whose end is a matter of pages, never of time: a window is
 * over when an eighth of the memory in use has been filled, or emptied.  Two
 * shares, each the mean of the last window's and of what it was before:
 *
 *   evicting	of the pages that came, how many had others leave for them
 *   refaulting	of the pages that faulted, how many had been here and left
 *
 * Whether prefetched pages are used the driver cannot see: what is used does not
 * fault.  So when memory thrashes (both shares reach half) prefetching *stops*, and
 * what leaves then shows how many of its pages were asked for.  What leaves first
 * came before the stop, so only after all memory has been turned over once do
 * evicted chunks count: if they were so full that the tree would have filled them,
 * prefetching goes on.  Stop and go ask different questions, so nothing
 * oscillates between the two on one noisy share; and since a workload that uses all
 * that it evicts thrashes again at once, each time that prefetching was stopped in
 * vain the next stop needs twice as many turnovers, from four on, until memory
 * suffices for a window.
 *
 * nvidia-uvm has nothing of this; but for the thresholds that the paper names all
 * numbers are ours.  Pure: the caller's lock.
 */
#ifndef UVM_PREFETCH_LOAD_H
#define UVM_PREFETCH_LOAD_H

#include <linux/types.h>

/* Shares at which prefetching stops, percent (assumed: half). */
#define UVM_PREFETCH_STOP_PERCENT	50
/* Windows of a turnover of memory (assumed). */
#define UVM_PREFETCH_WINDOWS		8
/* Turnovers between a stop in vain and the next one: at first, and at most. */
#define UVM_PREFETCH_PATIENCE_MIN	4
#define UVM_PREFETCH_PATIENCE_MAX	64

/**
 * struct uvm_prefetch_load - what a prefetch policy is told
 * @evicting: pages evicted, percent of those that came, at most 100
 * @refaulting: faulted pages that had been evicted, percent of those that faulted
 * @stopped: prefetching does not pay
 */
struct uvm_prefetch_load {
	u8 evicting;
	u8 refaulting;
	bool stopped;
};

/**
 * struct uvm_prefetch_meter - how it is measured
 * @load: the result
 * @came: pages that came in this window
 * @faulted: of these, the ones that somebody asked for
 * @refaulted: of these, the ones that had been evicted
 * @left: pages evicted in this window
 * @room: pages that fit in what they were evicted from
 * @turned: room evicted since prefetching stopped or went on
 * @patience: turnovers that must pass before it may stop
 */
struct uvm_prefetch_meter {
	struct uvm_prefetch_load load;
	u64 came;
	u64 faulted;
	u64 refaulted;
	u64 left;
	u64 room;
	u64 turned;
	unsigned int patience;
};

/**
 * struct uvm_prefetch_memory - what the meter measures by
 * @pages: 4K pages of GPU memory in use by the driver
 * @threshold: percent of a chunk above which the tree would have filled it
 */
struct uvm_prefetch_memory {
	u64 pages;
	unsigned int threshold;
};

void uvm_prefetch_meter_came(struct uvm_prefetch_meter *meter,
			     const struct uvm_prefetch_memory *memory, unsigned int pages,
			     unsigned int faulted, unsigned int refaulted);
void uvm_prefetch_meter_left(struct uvm_prefetch_meter *meter,
			     const struct uvm_prefetch_memory *memory, unsigned int pages,
			     unsigned int room);

#endif
