/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trace files: what the driver and the GPUs did during a run, as lines of JSON.
 *
 * First {"softuvm_trace":1,...}: version, clock, profile, GPUs.  Then the
 * driver's events in order, as "uvm run --events" writes them and phases too;
 * then the timeline of each GPU, {"timeline":...}; last {"end":...} with the
 * numbers of lines and of lost records.  Times are ns since the recording
 * began, batches count from 1, so that equal runs make equal files.
 */
#ifndef UVM_TRACE_FILE_H
#define UVM_TRACE_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../../lib/uvm.h"
#include "out/events_json.h"

#define TRACE_FILE_VERSION	1
#define TRACE_STALL_NS		1000	/* stalls from here on, unless the user says else */

struct trace_gpu {
	struct trace_file *file;
	FILE *lines;		/* of its timeline, until the end */
	int gpu;
	uint64_t count;
	uint64_t lost;
};

/**
 * struct trace_file - a recording
 * @uvm: what is recorded
 * @file: where it goes
 * @base_ns: device time at its begin
 * @batch: batch before the first one of each GPU; valid if @batch_known
 * @batch_known: a batch was seen
 * @events: events written
 * @gpus: timelines
 * @gpu_count: how many
 */
struct trace_file {
	struct uvm *uvm;
	FILE *file;
	uint64_t base_ns;
	uint64_t batch[UVM_GPU_MAX];
	bool batch_known[UVM_GPU_MAX];
	uint64_t events;
	struct trace_gpu gpus[UVM_GPU_MAX];
	int gpu_count;
};

/**
 * struct trace_options - what is recorded
 * @stall_ns: leave out shorter stalls of SMs
 * @blocks: thread blocks too
 */
struct trace_options {
	uint64_t stall_ns;
	bool blocks;
};

/* Begin to record @gpus of @u into the file @path.  0 or a negative errno; see uvm_last_error(). */
int trace_file_begin(struct trace_file *t, struct uvm *u, const int *gpus, int count,
		     const char *path, const struct trace_options *options);
/* Take what is there and close; @t may never have begun. */
int trace_file_end(struct trace_file *t);

/* A line of the timeline; for tests too. */
struct json_object *trace_timeline_json(const struct softgpu_timeline_record *record,
					event_resolve_fn resolve, void *arg);

#endif
