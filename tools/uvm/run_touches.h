/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The future of a run, for eviction_policy=min: which pages it touches, in which order, from a run
 * with memory enough.
 */
#ifndef UVM_RUN_TOUCHES_H
#define UVM_RUN_TOUCHES_H

#include <stddef.h>
#include <stdint.h>

#include "workload.h"

struct uvm_event;

/**
 * struct run_touches - touches in their order
 * @touch: which page: number of the buffer << 40 | page of it
 * @count: how many
 * @room: for so many
 * @seen: by buffer: pages that have been touched
 * @failed: no memory for more
 */
struct run_touches {
	uint64_t *touch;
	size_t count;
	size_t room;
	uint8_t *seen[WL_BUFFERS_MAX];
	int failed;
};

/* A fault of the GPU or page-walk hits, in the order of events. */
void run_touches_add(struct run_touches *touches, const struct wl_run *run,
		     const struct uvm_event *event);
/* Tell the driver, for the buffers of this run; 0 or a negative errno. */
int run_touches_apply(const struct run_touches *touches, struct wl_run *run, uint64_t piece);
void run_touches_free(struct run_touches *touches);

#endif
