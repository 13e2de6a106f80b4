/* SPDX-License-Identifier: GPL-2.0 */
/* One run of one workload: from opening the device to the counters. */
#ifndef UVM_RUN_H
#define UVM_RUN_H

#include <json-c/json.h>

#include "options.h"
#include "run/run_touches.h"
#include "out/trace_file.h"
#include "run/workload.h"

#define RUN_SETS_OWN	4
#define RUN_SETS_MAX	(OPTION_WORDS_MAX - RUN_SETS_OWN)	/* of the user */
#define RUN_BOUNDS_MAX	16
#define RUN_MIN_DELAY	64	/* min_delay, if nobody says (policy/param_table.h) */

/**
 * struct run_config - what the user asked for
 * @oversubscription: in 0.1 %, 0 if not given
 * @vram: usable GPU memory in bytes, 0 if not given
 * @gpu: index
 * @peer: GPU to keep the memory on, as a peer of @gpu; -1: none
 * @seed: of everything random
 * @sets: PARAM=VALUE
 * @events: file for events, or NULL
 * @event_types: which, as "gpu_fault,batch"; NULL: the usual ones
 * @residency: file for where memory is when the kernels have ended, or NULL
 * @trace: file for a trace, or NULL
 * @trace_options: what goes there
 * @bounds: oversubscription in 0.1 %, of which bounds are wanted
 * @bound_count: how many
 * @record: what is touched goes there, or NULL
 * @future: what will be touched, or NULL
 * @json: report as JSON
 * @quiet: no progress
 * @explicit_memory: explicit copies instead of managed memory
 * @whole_chunks: memory in whole root chunks, as it comes at a granularity of 2 MB
 */
struct run_config {
	uint64_t oversubscription;
	uint64_t vram;
	int gpu;
	int peer;
	uint64_t seed;
	struct option_words sets;
	const char *events;
	const char *event_types;
	const char *residency;
	const char *trace;
	struct trace_options trace_options;
	uint64_t bounds[RUN_BOUNDS_MAX];
	unsigned int bound_count;
	struct run_touches *record;
	const struct run_touches *future;
	bool json;
	bool quiet;
	bool explicit_memory;
	bool whole_chunks;
};

/**
 * struct run_rates - of a device and its driver, from the profile
 * @link_mbps: of all copies to GPU memory at most, 1e6 bytes/s: copy_htod_mbps, on each of ce_htod
 *	engines, of bytes that link_compression_percent makes more
 * @service_ns: what the driver charges for each block of 2 MB that it serves, whatever moves
 *	(cost_block, fault_block.c; cost_map, block_map.c)
 */
struct run_rates {
	uint64_t link_mbps;
	uint64_t service_ns;
};

/**
 * struct run_result - what came out
 * @status: EXIT_*
 * @error: if @status is not EXIT_OK
 * @info: the GPU, after the run
 * @before: of the GPU, when @stats began
 * @first: the same, when @execution began
 * @last: and when it ended
 * @footprint: managed bytes
 * @vram: usable GPU memory during the run
 * @stats: counters from the end of allocation to the end of verification
 * @execution: of these, from the first launch to the end of the last one
 * @counters: by processor from open to the end of verification, the CPU's first
 * @gpu_count: how many GPUs have some
 * @events_lost: with an events file
 * @policy: what the eviction policy of the GPU tells of itself
 * @patterns: of ranges, as policies see them when the kernels have ended; NULL: none looks at that
 * @ideal: with eviction_policy=min: faults at best; no touches: no memory limit, or another policy
 * @known: with eviction_policy=fnu: what it knows; no uses: another policy
 * @bounds: those of the configuration
 * @touched: what they are of
 * @rates: what a device takes for what bounds count
 * @totals: of the launches
 * @wall_s: host time, open to close
 */
struct run_result {
	int status;
	char error[320];
	struct softgpu_info info;
	struct softgpu_info before;
	struct softgpu_info first;
	struct softgpu_info last;
	uint64_t footprint;
	uint64_t vram;
	struct uvm_stats stats;
	struct uvm_stats execution;
	struct uvm_counters counters[1 + UVM_GPU_MAX];
	int gpu_count;
	uint64_t events_lost;
	struct json_object *policy;
	struct json_object *patterns;
	struct run_ideal ideal;
	struct run_known known;
	struct run_bound bounds[RUN_BOUNDS_MAX];
	struct run_touched touched;
	struct run_rates rates;
	struct uvm_totals totals;
	double wall_s;
};

/* @run carries workload and options; everything else of it is filled here. */
void run_workload(const struct run_config *config, struct wl_run *run, struct run_result *result);

/*
 * Once memory is allocated and before any is used: leave as much of the GPU's as was asked for, and
 * say on stderr if that is far from it.  @result gets how much.  0 or a negative errno.
 */
int run_limit_memory(const struct run_config *config, struct wl_run *run,
		     struct run_result *result);

/*
 * Usable bytes that a run with such an oversubscription (0.1 %) has; @result is of one with all
 * memory.
 */
uint64_t run_memory_at(const struct run_config *config, const struct run_result *result,
		       uint64_t permille);

/* A parameter of the driver that is a number, as this run has it; @otherwise: nobody says. */
uint64_t run_parameter(const struct run_config *config, const char *name, uint64_t otherwise);

/* In what pieces GPU memory is allocated: bytes. */
uint64_t run_piece(const struct run_config *config);

/* One JSON object per run of pages alike; 0, or a negative errno and words in @error. */
int run_write_residency(const char *path, struct uvm *uvm, char *error, size_t room);

/* In what order data have come, by range; NULL if no policy looks at that.  0, or a negative errno. */
int run_read_patterns(struct uvm *uvm, struct json_object **patterns);

struct json_object *run_report_json(const struct run_config *config, const struct wl_run *run,
				    const struct run_result *result);
void run_report_text(const struct wl_run *run, const struct run_result *result);
void run_report_row(const struct wl_run *run, const struct run_result *result);
void run_report_row_header(void);

#endif
