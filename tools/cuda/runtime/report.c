// SPDX-License-Identifier: GPL-2.0
/*
 * The report of a program, SOFTUVM_STATS=FILE: what `uvm run --json` says of a workload, as far as
 * it applies.  It covers everything from the first call that needs a GPU to the end of the program.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "out/device_use.h"
#include "out/events_json.h"
#include "out/output.h"
#include "out/stats_json.h"
#include "uvm_cmd.h"
#include "environment.h"

static double report_host_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void rt_report_begin(struct rt_environment *e, const char *path)
{
	struct uvm_stats stats;

	if (!path)
		return;
	e->report = output_open(path);
	if (!e->report) {
		fprintf(stderr, "softuvm: %s: %s\n", path, strerror(errno));
		_Exit(EXIT_USAGE);
	}
	e->start_s = report_host_seconds();
	uvm_wait_quiet(rt.u);
	uvm_gpu_info(rt.u, rt.devices[0].gpu, &e->before);
	uvm_stats_read(rt.u, &stats, true);
}

static struct json_object *report_parameters(const struct rt_environment *e)
{
	struct json_object *o = json_object_new_object(), *sets = json_object_new_object();

	for (unsigned int i = 0; i < e->set_count; i++) {
		const char *equals = strchr(e->sets[i], '=');
		char name[64];

		snprintf(name, sizeof(name), "%.*s", (int)(equals - e->sets[i]), e->sets[i]);
		json_add_text(sets, name, equals + 1);
	}
	json_add(o, "set", sets);
	return o;
}

/* Managed memory at its most, the GPU's that was there for it, and the one in percent of the other. */
static void report_add_memory(struct json_object *o, const struct softgpu_info *info)
{
	uint64_t footprint = rt_footprint(), device = rt_chunk_peak();
	uint64_t usable = rt_usable(&rt.devices[0], info);
	double room = (double)usable - (double)device;

	json_add_u64(o, "footprint_bytes", footprint);
	json_add_u64(o, "device_bytes", device);
	json_add_u64(o, "vram_bytes", usable);
	json_add(o, "oversubscription_percent",
		 json_new_decimal(room > 0 ? 100.0 * (double)footprint / room : 0));
}

static void report_add_totals(struct json_object *o, double wall_s)
{
	struct uvm_totals totals = uvm_launch_totals(rt.u);
	char wall[32];

	json_add_u64(o, "gpu_time_ns", totals.gpu_time_ns);
	json_add_u64(o, "copy_time_ns", totals.copy_time_ns);
	json_add_u64(o, "copies", totals.copies);
	json_add_u64(o, "copied_bytes", totals.copy_bytes);
	snprintf(wall, sizeof(wall), "%.3f", wall_s);
	json_add(o, "wall_time_s", json_object_new_double_s(wall_s, wall));
	json_add_u64(o, "launches", totals.launches);
	json_add_u64(o, "warp_instructions", totals.instructions);
}

static struct json_object *report_json(const struct rt_environment *e)
{
	struct uvm_counters counters[1 + UVM_GPU_MAX] = { 0 };
	struct json_object *o = json_object_new_object();
	int gpu = rt.devices[0].gpu, gpus = 0;
	struct uvm_stats stats = { 0 };
	struct softgpu_info info;

	uvm_wait_quiet(rt.u);
	uvm_stats_read(rt.u, &stats, false);
	device_use_counters(rt.u, counters, &gpus);
	uvm_gpu_info(rt.u, gpu, &info);
	json_add_text(o, "program", program_invocation_short_name);
	json_add(o, "parameters", report_parameters(e));
	json_add_text(o, "profile", info.profile);
	json_add_text(o, "clock", info.clock ? "real" : "virtual");
	report_add_memory(o, &info);
	report_add_totals(o, report_host_seconds() - e->start_s);
	device_use_add_json(o, &e->before, &info);
	stats_add_json(o, &stats);
	json_add(o, "eviction_policy", device_use_policy_json(rt.u, gpu));
	json_add(o, "processors", device_use_processors_json(counters, gpus));
	if (rt.sticky)
		json_add_text(o, "error", cudaGetErrorName(rt.sticky));
	return o;
}

void rt_report_end(struct rt_environment *e)
{
	struct json_object *o;

	if (!e->report)
		return;
	o = report_json(e);
	json_print_line(e->report, o);
	json_object_put(o);
	if (output_close(e->report) || json_lost())
		fprintf(stderr, "softuvm: cannot write the report%s\n",
			json_lost() ? ": out of memory" : "");
	e->report = NULL;
}
