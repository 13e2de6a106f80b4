/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The future of a run, for eviction_policy=fnu: which 64 KB it uses in each launch, in which order, and
 * by how many requests, from a run with memory enough whose walks fill no TLB, so that the recorder
 * hears of each.
 *
 * Requests of the same memory become one use if little else is asked for in between.  Who is used next
 * with so few others in front of him is not the farthest of all that fits, so no choice is another one.
 */
#ifndef UVM_RUN_USES_H
#define UVM_RUN_USES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run/run_ends.h"
#include "run/run_plan.h"
#include "run/workload.h"

struct uvm_event;

/*
 * Uses that may begin between two requests of one.  Twice as many others at most are asked for in
 * between, in uses that began before or since: 32, and memory is 32 times 64 KB at least (2 MB,
 * gpu_memory_limit_kb).
 */
#define RUN_USES_NEAR		16

/**
 * struct run_use - a use, whose position is its place among all
 * @piece: 64 KB of the buffer, counted from the one that its first byte is in
 * @requests: how many
 * @pages: bit per page of 4 KB
 * @buffer: of the run
 */
struct run_use {
	uint32_t piece;
	uint32_t requests;
	uint16_t pages;
	uint16_t buffer;
};

/**
 * struct run_uses - all of a run
 * @use: them; @count of them
 * @count: how many
 * @room: for so many
 * @last: by buffer and piece: its last use and 1; 0: there is none
 * @start: by buffer: its address
 * @begin: with which use each launch begins, or the next one would; @launches of them
 * @launches: that events were told of
 * @ends: of launches
 * @piece: bytes that memory is given up by
 * @whole: pages of 64 KB need no order: they go together
 * @endless: there were more than UVM_USES_MAX
 * @failed: no memory for more
 */
struct run_uses {
	struct run_use *use;
	size_t count;
	size_t room;
	uint32_t *last[WL_BUFFERS_MAX];
	uint64_t start[WL_BUFFERS_MAX];
	uint32_t *begin;
	uint32_t launches;
	struct run_ends ends;
	uint64_t piece;
	bool whole;
	bool endless;
	bool failed;
};

/**
 * struct run_known - what a plan has
 * @uses: how many
 * @requests: in all of them
 * @launches: how many
 * @pieces: of memory that are used
 * @units: of these, how many fit
 * @min_faults: with MIN, off line, in the order of uses; 0: memory goes in other pieces than these
 */
struct run_known {
	uint64_t uses;
	uint64_t requests;
	uint64_t launches;
	uint64_t pieces;
	uint64_t units;
	uint64_t min_faults;
};

/* @piece: bytes that GPU memory is given up by.  NULL: no memory. */
struct run_uses *run_uses_create(uint64_t piece);
/* Page-walk hits, in the order of events. */
void run_uses_add(struct run_uses *uses, const struct wl_run *run, const struct uvm_event *event);
/*
 * After each launch; then, for another run, tell the driver.  0, or a negative errno and words in
 * @run->error.  @bytes: memory that there is.
 */
int run_uses_launched(struct run_uses *uses, struct wl_run *run);
int run_uses_apply(const struct run_uses *uses, struct wl_run *run, uint64_t bytes,
		   struct run_known *known);
void run_uses_free(struct run_uses *uses);

#endif
