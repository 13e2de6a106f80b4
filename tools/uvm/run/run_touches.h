/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The future of a run, for eviction_policy=min and for bounds: which pages it touches, in which order, from a run
 * with memory enough whose walks fill no TLB, so that the recorder hears of each access.
 */
#ifndef UVM_RUN_TOUCHES_H
#define UVM_RUN_TOUCHES_H

#include <stddef.h>
#include <stdint.h>

#include "run/run_bound.h"
#include "run/run_ends.h"
#include "run/run_uses.h"
#include "run/workload.h"

struct uvm_event;

/* Touches whose order is kept for bounds: what follows takes 70 bytes each, of a VM of 1 GB. */
#define RUN_ORDER_MAX	(8U << 20)

/**
 * struct run_list - pages in some order
 * @page: which: number of the buffer << 40 | page of it
 * @count: how many
 * @room: for so many
 */
struct run_list {
	uint64_t *page;
	size_t count;
	size_t room;
};

/**
 * struct run_visits - which launch touches which pages: what bounds are of
 * @pages: each page once for each launch that touches it, by launch
 * @launch: of each of these its launch, from 0; as much room as @pages has
 * @latest: by buffer and page: 1 + the last launch that touched it; 0: none has
 * @filled: by buffer and page: the CPU has its bytes before the kernels
 * @ends: of launches
 */
struct run_visits {
	struct run_list pages;
	uint32_t *launch;
	uint32_t *latest[WL_BUFFERS_MAX];
	uint8_t *filled[WL_BUFFERS_MAX];
	struct run_ends ends;
};

/**
 * struct run_touches - touches in their order
 * @order: them
 * @seen: by buffer: pages that have been touched
 * @visits: for bounds, or NULL
 * @uses: for eviction_policy=fnu, and then nothing else is written; or NULL
 * @endless: there were more than RUN_ORDER_MAX, and with @visits they are not kept
 * @failed: no memory for more
 */
struct run_touches {
	struct run_list order;
	uint8_t *seen[WL_BUFFERS_MAX];
	struct run_visits *visits;
	struct run_uses *uses;
	int endless;
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
 * @touches: how many touches, in pages of 4 KB; 0: more than RUN_ORDER_MAX
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
 * For bounds: once memory is filled, and after each launch.  0, or a negative errno and words in
 * @run->error.
 */
int run_visits_begin(struct run_touches *touches, struct wl_run *run);
int run_visits_launched(struct run_touches *touches, struct wl_run *run);
/* With each of @count sizes of memory, of a run that has ended; likewise. */
int run_touches_bounds(const struct run_touches *touches, struct wl_run *run,
		       struct run_bound *bounds, unsigned int count, struct run_touched *touched);
void run_touches_free(struct run_touches *touches);

#endif
