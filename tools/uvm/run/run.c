// SPDX-License-Identifier: GPL-2.0
/* One run of one workload: from opening the device to the counters. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "out/device_json.h"
#include "out/device_use.h"
#include "out/events_file.h"
#include "run/host_memory.h"
#include "out/progress.h"
#include "run/run.h"
#include "run/run_touches.h"
#include "out/stats_json.h"
#include "uvm_cmd.h"

/* Of a run whose touches are recorded. */
struct run_recorder {
	struct run_touches *touches;
	const struct wl_run *run;
};

static void run_fail(struct run_result *result, int status, const char *text)
{
	result->status = status;
	snprintf(result->error, sizeof(result->error), "%s", text);
}

static int run_device(struct run_result *result, struct wl_run *run, int err)
{
	if (err)
		run_fail(result, EXIT_DEVICE, uvm_last_error(run->uvm));
	return err;
}

/* Of a workload's function: 0, a negative errno with words in run->error, or 1. */
static int run_step(struct run_result *result, struct wl_run *run,
		    int (*step)(struct wl_run *run), const char *stage)
{
	int err;

	progress_stage(stage);
	err = step(run);
	if (err > 0)
		run_fail(result, EXIT_WRONG, run->error);
	else if (err == -EINVAL && step == run->workload->setup)
		run_fail(result, EXIT_USAGE, run->error);
	else if (err)
		run_fail(result, EXIT_DEVICE, run->error);
	return err;
}

static int run_set_params(const struct run_config *config, struct wl_run *run,
			  struct run_result *result)
{
	unsigned int i;

	for (i = 0; i < config->sets.count; i++) {
		const char *equals = strchr(config->sets.word[i], '=');
		char name[64];
		int err;

		/* The command line was checked for the '='. */
		snprintf(name, sizeof(name), "%.*s", (int)(equals - config->sets.word[i]),
			 config->sets.word[i]);
		err = uvm_param_set(run->uvm, name, equals + 1);
		if (err) {
			run_fail(result, err == -EINVAL || err == -ENOENT ? EXIT_USAGE :
				 EXIT_DEVICE, uvm_last_error(run->uvm));
			return err;
		}
	}
	return 0;
}

/* Before anything is filled: there may be less memory than that takes. */
static int run_check_memory(struct run_result *result)
{
	FILE *meminfo = fopen("/proc/meminfo", "r");
	struct host_memory memory;
	int err;

	if (!meminfo)
		return 0;
	memory = host_memory_read(meminfo);
	fclose(meminfo);
	err = host_memory_lacking(&memory, result->footprint, result->error,
				  sizeof(result->error));
	if (err)
		result->status = EXIT_DEVICE;
	return err;
}

/* The workload's memory is to live on another GPU, which the one that runs reaches. */
static int run_use_peer(const struct run_config *config, struct wl_run *run,
			struct run_result *result)
{
	unsigned int i;
	int err;

	if (config->peer < 0)
		return 0;
	err = uvm_add_gpu(run->uvm, config->peer);
	if (!err)
		err = uvm_enable_peer_access(run->uvm, run->gpu, config->peer);
	/* over NVLink they are */
	if (err == -EEXIST)
		err = 0;
	for (i = 0; !err && i < run->buffer_count; i++)
		err = uvm_advise(run->uvm, run->buffers[i].ptr, run->buffers[i].bytes,
				 UVM_ADVICE_PREFERRED_LOCATION, config->peer);
	return run_device(result, run, err);
}

/* What kernels printed goes to stderr, away from reports. */
static void run_forward_output(struct wl_run *run)
{
	char text[4096];
	long got;

	while ((got = uvm_gpu_output(run->uvm, run->gpu, text, sizeof(text))) > 0)
		fwrite(text, 1, got, stderr);
}

/* The kernels alone, counted apart: filling and verifying make CPU faults. */
static int run_execute(const struct run_config *config, struct wl_run *run,
		       struct run_result *result)
{
	struct uvm_stats before;
	int err;

	if (config->bound_count && run_visits_begin(config->record, run)) {
		run_fail(result, EXIT_DEVICE, run->error);
		return -EIO;
	}
	err = run_device(result, run, uvm_stats_read(run->uvm, &before, false));
	if (!err)
		err = run_device(result, run, uvm_gpu_info(run->uvm, run->gpu, &result->first));
	if (err)
		return err;
	err = run_step(result, run, run->workload->execute, "running on the GPU");
	run_forward_output(run);
	if (err)
		return err;
	err = run_device(result, run, uvm_stats_read(run->uvm, &result->execution, false));
	if (!err)
		err = run_device(result, run, run_read_patterns(run->uvm, &result->patterns));
	if (!err)
		err = run_device(result, run, uvm_gpu_info(run->uvm, run->gpu, &result->last));
	if (!err)
		stats_subtract(&result->execution, &before);
	return err;
}

/* Before the CPU looks at the results and takes them home. */
static int run_residency(const struct run_config *config, struct wl_run *run,
			 struct run_result *result)
{
	int err = 0;

	if (config->residency)
		err = run_write_residency(config->residency, run->uvm, result->error,
					  sizeof(result->error));
	if (err)
		result->status = EXIT_DEVICE;
	return err;
}

static uint64_t run_profile(const struct wl_run *run, const struct run_result *result,
			    const char *name)
{
	return device_profile_value(run->uvm, run->gpu, result->info.profile_entries, name);
}

static void run_read_rates(const struct wl_run *run, struct run_result *result)
{
	result->rates.link_mbps = run_profile(run, result, "copy_htod_mbps") *
				  run_profile(run, result, "ce_htod") *
				  run_profile(run, result, "link_compression_percent") / 100;
	result->rates.service_ns = run_profile(run, result, "cost_block") +
				   run_profile(run, result, "cost_map");
}

/* With eviction_policy=min or fnu: once it is known how much memory there is. */
static int run_plan_ahead(const struct run_config *config, struct wl_run *run,
			  struct run_result *result)
{
	const struct run_space space = {
		.bytes = result->vram, .piece = run_piece(config),
		.delay = (uint32_t)run_parameter(config, "min_delay", RUN_MIN_DELAY),
	};
	int err;

	if (!config->future)
		return 0;
	if (config->future->uses)
		err = run_uses_apply(config->future->uses, run, result->vram, &result->known);
	else
		err = run_touches_apply(config->future, run, &space, &result->ideal);
	if (err)
		run_fail(result, EXIT_DEVICE, run->error);
	return err;
}

/* Everything between open and close. */
static void run_opened(const struct run_config *config, struct wl_run *run,
		       struct run_result *result)
{
	const struct workload *wl = run->workload;

	if (run_set_params(config, run, result))
		return;
	if (run_device(result, run, uvm_load_builtin(run->uvm, run->gpu, wl->image, &run->image)))
		return;
	if (run_step(result, run, wl->setup, "allocating"))
		return;
	result->footprint = uvm_footprint(run->uvm);
	if (run_device(result, run, run_limit_memory(config, run, result)))
		return;
	if (run_check_memory(result) ||
	    run_use_peer(config, run, result))
		return;
	if (run_plan_ahead(config, run, result))
		return;

	/* The counters cover the whole life of the data: filling, kernels, checking. */
	if (run_device(result, run, uvm_wait_quiet(run->uvm)) ||
	    run_device(result, run, uvm_gpu_info(run->uvm, run->gpu, &result->before)) ||
	    run_device(result, run, uvm_stats_read(run->uvm, &result->stats, true)))
		return;
	uvm_reset_totals(run->uvm);

	if (run_step(result, run, wl->init, "filling memory on the CPU"))
		return;
	/* with --explicit copies belong to the GPU's time; else they do nothing */
	if (run_step(result, run, wl_copy_in, "copying to the GPU") ||
	    run_execute(config, run, result) ||
	    run_residency(config, run, result) ||
	    run_step(result, run, wl_copy_out, "copying to the CPU"))
		return;
	run_step(result, run, wl->verify, "verifying on the CPU");

	if (run_device(result, run, uvm_wait_quiet(run->uvm)) ||
	    run_device(result, run, uvm_stats_read(run->uvm, &result->stats, false)) ||
	    run_device(result, run, device_use_counters(run->uvm, result->counters,
							&result->gpu_count)) ||
	    run_device(result, run, uvm_gpu_info(run->uvm, run->gpu, &result->info)))
		return;
	result->policy = device_use_policy_json(run->uvm, run->gpu);
	if (config->bound_count)
		run_read_rates(run, result);
	result->totals = uvm_launch_totals(run->uvm);
	result->totals.gpu_time_ns += result->totals.copy_time_ns;
}

static void run_with_events(const struct run_config *config, struct wl_run *run,
			    struct run_result *result)
{
	uint64_t mask = config->event_types ? event_types_parse(config->event_types) : 0;
	struct events_file events;
	int err;

	if (!config->events) {
		run_opened(config, run, result);
		return;
	}

	err = events_file_open(&events, config->events);
	if (err) {
		snprintf(result->error, sizeof(result->error), "events file %s: %s",
			 config->events, strerror(-err));
		result->status = EXIT_USAGE;
		return;
	}
	if (!run_device(result, run, events_file_start(&events, run->uvm, mask))) {
		run_opened(config, run, result);
		err = events_file_stop(&events, &result->events_lost);
		if (result->events_lost)
			fprintf(stderr, "uvm: %llu events were lost\n",
				(unsigned long long)result->events_lost);
		if (err && result->status == EXIT_OK)
			run_fail(result, EXIT_DEVICE, uvm_last_error(run->uvm));
	}
	err = events_file_close(&events);
	if (err && result->status == EXIT_OK)
		run_fail(result, EXIT_DEVICE, err == -ENOMEM ? "no memory for the events file" :
			 "cannot write the events file");
}

static void run_touched(void *arg, const struct uvm_event *event)
{
	struct run_recorder *recorder = arg;

	run_touches_add(recorder->touches, recorder->run, event);
}

static int run_launched(struct wl_run *run)
{
	struct run_touches *touches = run->observer;

	return touches->uses ? run_uses_launched(touches->uses, run) :
			       run_visits_launched(touches, run);
}

static void run_recording(const struct run_config *config, struct wl_run *run,
			  struct run_result *result)
{
	struct run_recorder recorder = { .touches = config->record, .run = run };
	uint64_t mask = 1ULL << UVM_EVENT_GPU_FAULT | 1ULL << UVM_EVENT_WALK_HIT;

	if (run_device(result, run, uvm_events_start(run->uvm, mask, run_touched, &recorder)))
		return;
	run->observer = config->record;
	run->launched = config->bound_count || config->record->uses ? run_launched : NULL;
	run_opened(config, run, result);
	run->launched = NULL;
	result->events_lost = uvm_events_dropped(run->uvm);
	if (uvm_events_stop(run->uvm) && result->status == EXIT_OK)
		run_fail(result, EXIT_DEVICE, uvm_last_error(run->uvm));
	else if (result->events_lost && result->status == EXIT_OK)
		run_fail(result, EXIT_DEVICE, "touches were lost: the order is not known");
}

static void run_with_trace(const struct run_config *config, struct wl_run *run,
			   struct run_result *result)
{
	struct trace_file trace;
	int err;

	err = trace_file_begin(&trace, run->uvm, &run->gpu, 1, config->trace,
			       &config->trace_options);
	if (!err) {
		run_opened(config, run, result);
		err = trace_file_end(&trace);
	}
	if (err && result->status == EXIT_OK) {
		snprintf(result->error, sizeof(result->error), "trace file %s: %s", config->trace,
			 strerror(-err));
		result->status = EXIT_DEVICE;
	}
}

static double run_host_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

static void run_once(const struct run_config *config, struct wl_run *run, struct run_result *result)
{
	double start = run_host_seconds();

	memset(result, 0, sizeof(*result));
	run->gpu = config->gpu;
	run->seed = config->seed;
	run->explicit_memory = config->explicit_memory;
	run->buffer_count = 0;
	run->data = calloc(1, run->workload->data_bytes + 1);
	if (!run->data) {
		run_fail(result, EXIT_DEVICE, "out of memory");
		return;
	}

	if (uvm_open(&run->uvm, &run->gpu, 1)) {
		run_fail(result, EXIT_DEVICE, uvm_last_error(NULL));
	} else {
		if (!config->quiet)
			progress_start(run->workload->name);
		if (config->record)
			run_recording(config, run, result);
		else if (config->trace)
			run_with_trace(config, run, result);
		else
			run_with_events(config, run, result);
		if (!config->quiet)
			progress_stop();
	}
	if (run->workload->cleanup)
		run->workload->cleanup(run);
	uvm_close(run->uvm);
	run->uvm = NULL;
	free(run->data);
	run->data = NULL;
	result->wall_s = run_host_seconds() - start;
}

/* The last --set of the eviction policy, or of a bundle, of which fnu alone is called as its own. */
static const char *run_eviction_policy(const struct run_config *config)
{
	static const char name[] = "eviction_policy=", bundle[] = "policy=";
	const char *policy = "";
	unsigned int i;

	for (i = 0; i < config->sets.count; i++) {
		if (!strncmp(config->sets.word[i], name, sizeof(name) - 1))
			policy = config->sets.word[i] + sizeof(name) - 1;
		else if (!strncmp(config->sets.word[i], bundle, sizeof(bundle) - 1))
			policy = config->sets.word[i] + sizeof(bundle) - 1;
	}
	return policy;
}

/* One of RUN_SETS_OWN. */
static void run_config_set(struct run_config *config, const char *set)
{
	config->sets.word[config->sets.count++] = set;
}

/* The same run with all memory, each access walked and each walk told: what it touches. */
static void run_look_ahead(const struct run_config *config, struct wl_run *run,
			   struct run_result *result, struct run_touches *touches)
{
	struct run_config unlimited = *config;

	unlimited.oversubscription = 0;
	unlimited.vram = 0;
	unlimited.events = NULL;
	unlimited.trace = NULL;
	unlimited.residency = NULL;
	unlimited.record = touches;
	run_config_set(&unlimited, "eviction_policy=lru_walk");
	run_config_set(&unlimited, "recorder_no_fill=1");
	/* requests are counted when they are performed, whether they had faulted or not */
	if (touches->uses)
		run_config_set(&unlimited, "hpe_readings=replays+every_walk");
	run_once(&unlimited, run, result);
}

/* What no policy can do without, from a run with all memory; that is the one that is reported. */
static void run_with_bounds(const struct run_config *config, struct wl_run *run,
			    struct run_result *result)
{
	struct run_touches touches = { 0 };
	unsigned int i;

	run_look_ahead(config, run, result, &touches);
	for (i = 0; i < config->bound_count; i++)
		result->bounds[i].memory = run_memory_at(config, result, config->bounds[i]);
	if (result->status == EXIT_OK &&
	    run_touches_bounds(&touches, run, result->bounds, config->bound_count,
			       &result->touched))
		run_fail(result, EXIT_DEVICE, run->error);
	run_touches_free(&touches);
}

/* One that knows the future, from a run with all memory before. */
static void run_with_future(const struct run_config *config, struct wl_run *run,
			    struct run_result *result, bool uses)
{
	struct run_config known = *config;
	struct run_touches touches = { 0 };

	if (uses)
		touches.uses = run_uses_create(run_piece(config));
	if (uses && !touches.uses) {
		run_fail(result, EXIT_DEVICE, "out of memory");
		return;
	}
	run_look_ahead(config, run, result, &touches);
	/* if this run has failed it is the one that is reported, without them */
	json_object_put(result->policy);
	json_object_put(result->patterns);
	result->policy = NULL;
	result->patterns = NULL;
	known.future = &touches;
	if (result->status == EXIT_OK)
		run_once(&known, run, result);
	run_touches_free(&touches);
}

void run_workload(const struct run_config *config, struct wl_run *run, struct run_result *result)
{
	const char *policy = run_eviction_policy(config);

	if (config->bound_count)
		run_with_bounds(config, run, result);
	else if (!strcmp(policy, "min") || !strcmp(policy, "fnu"))
		run_with_future(config, run, result, !strcmp(policy, "fnu"));
	else
		run_once(config, run, result);
}
