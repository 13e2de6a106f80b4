/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The future of a run, for eviction_policy=min: which pages it touches, in which order, from a run
 * with memory enough whose walks fill no TLB, so that the recorder hears of each access.
 */
#ifndef UVM_RUN_TOUCHES_H
#define UVM_RUN_TOUCHES_H

#include <stddef.h>
#include <stdint.h>

#include "run_bound.h"
#include "workload.h"

struct uvm_event;

/**
 * struct run_touches - touches in their order
 * @touch: which page: number of the buffer << 40 | page of it
 * @when: of each, when the driver heard of it, ns
 * @count: how many
 * @room: for so many
 * @seen: by buffer: pages that have been touched
 * @filled: by buffer: pages whose bytes the CPU has before the kernels; NULL: nobody has asked
 * @launch_end: when each launch was over and all of its touches told, ns
 * @launches: how many
 * @launch_room: for so many
 * @failed: no memory for more
 */
struct run_touches {
	uint64_t *touch;
	uint64_t *when;
	size_t count;
	size_t room;
	uint8_t *seen[WL_BUFFERS_MAX];
	uint8_t *filled[WL_BUFFERS_MAX];
	uint64_t *launch_end;
	uint32_t launches;
	uint32_t launch_room;
	int failed;
};

/**
 * struct run_ideal - what replacement can do at best
 * @touches: how many
 * @pieces: of memory that are touched
 * @units: of these, how many fit
 * @min_faults: with MIN, off line
 * @lru_faults: with LRU, off line
 * @plan_faults: with the plan that the driver got
 */
struct run_ideal {
	uint64_t touches;
	uint64_t pieces;
	uint64_t units;
	uint64_t min_faults;
	uint64_t lru_faults;
	uint64_t plan_faults;
};

/**
 * struct run_space - the memory that a plan is for
 * @bytes: how much
 * @piece: in what pieces, bytes
 * @delay: a piece touched in the last so many loads goes only if all are: min_delay
 */
struct run_space {
	uint64_t bytes;
	uint64_t piece;
	uint32_t delay;
};

/**
 * struct run_touched - what a run touches
 * @touches: how many touches, in pages of 4 KB
 * @pages: how many pages
 * @empty: of these, those whose bytes nobody had before the kernels
 */
struct run_touched {
	uint64_t touches;
	uint64_t pages;
	uint64_t empty;
};

/* A fault of the GPU or page-walk hits, in the order of events. */
void run_touches_add(struct run_touches *touches, const struct wl_run *run,
		     const struct uvm_event *event);
/*
 * Make a plan for the buffers of this run, and tell the driver.  0, or a negative errno and words
 * in @run->error.
 */
int run_touches_apply(const struct run_touches *touches, struct wl_run *run,
		      const struct run_space *space, struct run_ideal *ideal);
/*
 * For bounds: what the CPU has filled, before the kernels, and that a launch has ended.  0, or a
 * negative errno and words in @run->error.
 */
int run_touches_filled(struct run_touches *touches, struct wl_run *run);
int run_touches_launched(struct run_touches *touches, struct wl_run *run);
/* Of a run that has ended, with each of @count sizes of memory; likewise. */
int run_touches_bounds(const struct run_touches *touches, struct wl_run *run,
		       struct run_bound *bounds, unsigned int count, struct run_touched *touched);
void run_touches_free(struct run_touches *touches);

#endif
