// SPDX-License-Identifier: GPL-2.0
/* The report of a run: JSON, a page for people, a row of a table. */
#include <stdio.h>
#include <string.h>

#include "out/device_use.h"
#include "parse.h"
#include "run/run.h"
#include "out/stats_json.h"
#include "uvm_cmd.h"

static double report_percent(const struct run_result *r)
{
	return r->vram ? 100.0 * (double)r->footprint / (double)r->vram : 0.0;
}

static struct json_object *report_parameters(const struct run_config *config,
					     const struct wl_run *run)
{
	struct json_object *o = json_object_new_object(), *sets;
	const struct wl_option *option = run->workload->options;
	uint64_t number;
	unsigned int i;

	for (i = 0; option[i].name; i++) {
		if (option[i].type == WL_TEXT)
			json_add_text(o, option[i].name, run->value[i]);
		else if (option[i].type == WL_FLAG)
			json_add_flag(o, option[i].name, run->value[i][0]);
		else if (parse_size(run->value[i], &number))
			json_add_u64(o, option[i].name, number);
	}
	json_add_u64(o, "seed", config->seed);

	sets = json_object_new_object();
	for (i = 0; i < config->sets.count; i++) {
		const char *equals = strchr(config->sets.word[i], '=');
		char name[64];

		snprintf(name, sizeof(name), "%.*s", (int)(equals - config->sets.word[i]),
			 config->sets.word[i]);
		json_add_text(sets, name, equals + 1);
	}
	json_add(o, "set", sets);
	return o;
}

static struct json_object *report_known(const struct run_known *known)
{
	struct json_object *o = json_object_new_object();

	json_add_u64(o, "uses", known->uses);
	json_add_u64(o, "requests", known->requests);
	json_add_u64(o, "launches", known->launches);
	json_add_u64(o, "pieces", known->pieces);
	json_add_u64(o, "units", known->units);
	json_add_u64(o, "min_faults", known->min_faults);
	return o;
}

static struct json_object *report_ideal(const struct run_ideal *ideal)
{
	struct json_object *o = json_object_new_object();

	json_add_u64(o, "touches", ideal->touches);
	json_add_u64(o, "pieces", ideal->pieces);
	json_add_u64(o, "units", ideal->units);
	json_add_u64(o, "min_faults", ideal->min_faults);
	json_add_u64(o, "lru_faults", ideal->lru_faults);
	json_add_u64(o, "plan_faults", ideal->plan_faults);
	return o;
}

/* The driver serves a block at a time: its pages come at once at best. */
static uint64_t report_services(uint64_t loads)
{
	const uint64_t pages = UVM_BLOCK_SIZE / RUN_PAGE_BYTES;

	return (loads + pages - 1) / pages;
}

static struct json_object *report_bound(uint64_t permille, const struct run_bound *bound,
					const struct run_rates *rates)
{
	uint64_t services = report_services(bound->any_loads);
	struct json_object *o = json_object_new_object();

	json_add(o, "oversubscription", json_new_decimal((double)permille / 10));
	json_add_u64(o, "memory_bytes", bound->memory);
	json_add_u64(o, "units", bound->units);
	if (bound->min_loads) {
		json_add_u64(o, "min_loads", bound->min_loads);
		json_add_u64(o, "min_bytes", bound->min_bytes);
	}
	json_add_u64(o, "any_loads", bound->any_loads);
	json_add_u64(o, "any_bytes", bound->any_bytes);
	json_add_u64(o, "remote_bytes", bound->remote_bytes);
	if (rates->link_mbps)
		json_add_u64(o, "link_ns", bound->any_bytes * 1000 / rates->link_mbps);
	json_add_u64(o, "services", services);
	json_add_u64(o, "service_ns", services * rates->service_ns);
	return o;
}

static struct json_object *report_bounds(const struct run_config *config,
					 const struct run_result *r)
{
	struct json_object *o = json_object_new_object(), *list = json_object_new_array();
	unsigned int i;

	if (r->touched.touches)
		json_add_u64(o, "touches", r->touched.touches);
	json_add_u64(o, "pages", r->touched.pages);
	json_add_u64(o, "empty_pages", r->touched.empty);
	for (i = 0; i < config->bound_count; i++)
		json_append(list, report_bound(config->bounds[i], &r->bounds[i], &r->rates));
	json_add(o, "at", list);
	return o;
}

struct json_object *run_report_json(const struct run_config *config, const struct wl_run *run,
				    const struct run_result *r)
{
	struct json_object *o = json_object_new_object(), *execution;
	char wall[32];

	json_add_text(o, "workload", run->workload->name);
	json_add(o, "parameters", report_parameters(config, run));
	json_add_text(o, "profile", r->info.profile);
	json_add_text(o, "clock", r->info.clock ? "real" : "virtual");
	json_add_flag(o, "verified", r->status == EXIT_OK);
	json_add_u64(o, "footprint_bytes", r->footprint);
	json_add_u64(o, "vram_bytes", r->vram);
	json_add(o, "oversubscription_percent", json_new_decimal(report_percent(r)));
	json_add_u64(o, "gpu_time_ns", r->totals.gpu_time_ns);
	if (run->explicit_memory) {
		json_add_text(o, "memory", "explicit");
		json_add_u64(o, "copy_time_ns", r->totals.copy_time_ns);
		json_add_u64(o, "copies", r->totals.copies);
		json_add_u64(o, "copied_bytes", r->totals.copy_bytes);
	}
	snprintf(wall, sizeof(wall), "%.3f", r->wall_s);
	json_add(o, "wall_time_s", json_object_new_double_s(r->wall_s, wall));
	json_add_u64(o, "launches", r->totals.launches);
	json_add_u64(o, "warp_instructions", r->totals.instructions);
	device_use_add_json(o, &r->before, &r->info);
	stats_add_json(o, &r->stats);
	if (r->policy)
		json_add(o, "eviction_policy", json_object_get(r->policy));
	if (r->patterns)
		json_add(o, "patterns", json_object_get(r->patterns));
	if (r->ideal.touches)
		json_add(o, "ideal", report_ideal(&r->ideal));
	if (r->known.uses)
		json_add(o, "plan", report_known(&r->known));
	if (config->bound_count && r->status == EXIT_OK)
		json_add(o, "bounds", report_bounds(config, r));
	json_add(o, "processors", device_use_processors_json(r->counters, r->gpu_count));
	execution = json_object_new_object();
	json_add(execution, "link", device_use_link_json(&r->first, &r->last));
	stats_add_json(execution, &r->execution);
	json_add(o, "execution", execution);
	if (config->events)
		json_add_u64(o, "events_lost", r->events_lost);
	if (r->status != EXIT_OK)
		json_add_text(o, "error", r->error);
	return o;
}

static void report_bytes(const char *label, uint64_t bytes)
{
	char text[32];

	printf("  %-28s%16s\n", label, format_bytes(bytes, text, sizeof(text)));
}

static void report_number(const char *label, uint64_t number)
{
	printf("  %-28s%16llu\n", label, (unsigned long long)number);
}

static void report_ns(const char *label, uint64_t ns)
{
	char text[32];

	printf("  %-28s%16s\n", label, format_ns(ns, text, sizeof(text)));
}

/* What the policy has seen, an allocation or part of one on a line. */
static void report_patterns(struct json_object *patterns)
{
	struct json_object *range, *name, *pattern;
	char label[32];
	size_t i;

	for (i = 0; i < json_object_array_length(patterns); i++) {
		range = json_object_array_get_idx(patterns, i);
		json_object_object_get_ex(range, "name", &name);
		json_object_object_get_ex(range, "pattern", &pattern);
		snprintf(label, sizeof(label), "pattern of %s", json_object_get_string(name));
		printf("  %-28s%16s\n", label, json_object_get_string(pattern));
	}
}

void run_report_text(const struct wl_run *run, const struct run_result *r)
{
	printf("%s on %s, %s clock: %s\n", run->workload->name, r->info.profile,
	       r->info.clock ? "real" : "virtual",
	       r->status == EXIT_OK ? "verified" : "WRONG RESULT");
	report_bytes("footprint", r->footprint);
	report_bytes("usable GPU memory", r->vram);
	printf("  %-28s%14.1f %%\n", "oversubscription", report_percent(r));
	report_ns("GPU time", r->totals.gpu_time_ns);
	if (run->explicit_memory) {
		report_ns("  of it explicit copies", r->totals.copy_time_ns);
		report_bytes("  copied", r->totals.copy_bytes);
	}
	printf("  %-28s%14.3f s\n", "host time", r->wall_s);
	report_number("launches", r->totals.launches);
	report_number("warp instructions", r->totals.instructions);
	stats_print(&r->stats);
	if (r->patterns)
		report_patterns(r->patterns);
}

void run_report_row_header(void)
{
	printf("%-9s %-9s %9s %9s %7s %12s %8s %8s %9s %9s %7s %7s\n", "workload", "result",
	       "footprint", "memory", "over %", "GPU time", "faults", "batches", "to GPU",
	       "to CPU", "evicted", "host s");
}

void run_report_row(const struct wl_run *run, const struct run_result *r)
{
	char footprint[32], vram[32], time[32], htod[32], dtoh[32];

	printf("%-9s %-9s %9s %9s %7.1f %12s %8llu %8llu %9s %9s %7llu %7.1f\n",
	       run->workload->name,
	       r->status == EXIT_OK ? "verified" : r->status == EXIT_WRONG ? "WRONG" : "FAILED",
	       format_bytes(r->footprint, footprint, sizeof(footprint)),
	       format_bytes(r->vram, vram, sizeof(vram)), report_percent(r),
	       format_ns(r->totals.gpu_time_ns, time, sizeof(time)),
	       (unsigned long long)r->stats.faults_fetched, (unsigned long long)r->stats.batches,
	       format_bytes(r->stats.bytes_htod, htod, sizeof(htod)),
	       format_bytes(r->stats.bytes_dtoh, dtoh, sizeof(dtoh)),
	       (unsigned long long)r->stats.evicted_chunks, r->wall_s);
}
