/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What no policy can do without, from what a run touches.
 *
 * For the order of touches that was recorded Belady's MIN has the fewest loads, whatever is prefetched
 * or batched: a page that comes before its use can as well come at it.  A run with less memory has
 * another order, though, and may have fewer.  What it cannot change is which pages each launch
 * touches, and that launches run one after the other.  So of the pages that one launch touches and
 * a later one needs again no more are there in between than fit; all others come again.
 */
#ifndef UVM_RUN_BOUND_H
#define UVM_RUN_BOUND_H

#include "run/run_plan.h"

#define RUN_PAGE_BYTES		4096
/* The least that an SM asks the link for (softgpu/sm/lsu.c: sectors). */
#define RUN_SECTOR_BYTES	32

/**
 * struct run_launches - what launches touch
 * @order: all touches in their order; NULL: that is not known
 * @string: touches of which only the launch is known, each page at least once for each launch
 * @launch: of each of those its launch, from 0; never less than the one before
 * @count: launches
 * @empty: pages with no bytes before the kernels: whoever is first has nothing to copy
 */
struct run_launches {
	const struct run_string *order;
	const struct run_string *string;
	const uint32_t *launch;
	uint32_t count;
	uint32_t empty;
};

/**
 * struct run_bound - with one size of memory
 * @memory: bytes
 * @units: pages that fit
 * @min_loads: of MIN, with the order that was recorded; 0: that is not known
 * @any_loads: with any order within launches, at least
 * @min_bytes: over the link to GPU memory, with the order that was recorded, at least
 * @any_bytes: with any order within launches, at least
 * @remote_bytes: over the link either way, with any order, at least, where SMs may reach over it
 *	instead of having a page come
 */
struct run_bound {
	uint64_t memory;
	uint32_t units;
	uint64_t min_loads;
	uint64_t any_loads;
	uint64_t min_bytes;
	uint64_t any_bytes;
	uint64_t remote_bytes;
};

/* @bound->memory and @units are the caller's, the rest is told.  0, -ENOMEM, or -E2BIG. */
int run_bound_make(const struct run_launches *launches, struct run_bound *bound);

#endif
