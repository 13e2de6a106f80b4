// SPDX-License-Identifier: GPL-2.0
/* uvm run: command line of a run. */
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../lib/nearest.h"
#include "options.h"
#include "out/events_json.h"
#include "out/output.h"
#include "parse.h"
#include "run/run.h"
#include "uvm_cmd.h"

struct run_given {
	const char *name;
	const char *value;
};

/**
 * struct run_line - the command line
 * @config: what all workloads have
 * @given: options of workloads
 * @given_count: how many
 */
struct run_line {
	struct run_config config;
	struct run_given given[OPTIONS_MAX];
	unsigned int given_count;
};

/* Up to RUN_BOUNDS_MAX of per cent, with commas between. */
static bool run_take_bounds(void *into, const struct option_row *row, const char *value)
{
	struct run_config *config = &((struct run_line *)into)->config;
	char one[32];
	size_t length;

	(void)row;
	for (config->bound_count = 0; config->bound_count < RUN_BOUNDS_MAX; value += length + 1) {
		length = strcspn(value, ",");
		if (length >= sizeof(one))
			return false;
		memcpy(one, value, length);
		one[length] = '\0';
		if (!parse_percent(one, &config->bounds[config->bound_count++]))
			return false;
		if (!value[length])
			return true;
	}
	return false;
}

/* Its value is looked at once the workload is known. */
static bool run_take_workloads(void *into, const struct option_row *row, const char *value)
{
	struct run_line *line = into;

	if (line->given_count == OPTIONS_MAX)
		return false;
	line->given[line->given_count++] = (struct run_given){ row->name, value ? value : "on" };
	return true;
}

#define LINE(kind, member)	OPTION_##kind(struct run_line, config.member)

static const struct option_row run_common[] = {
	OPTION_GROUP("Memory"),
	{ "oversubscription", LINE(PERCENT, oversubscription), "PCT",
	  "let usable GPU memory be footprint * 100 / PCT, to the nearest piece of "
	  "root_chunk_granularity (2 MB); the report has the true percentage", .without = "vram" },
	{ "vram", LINE(SIZE, vram), "SIZE", "or give it directly", .min = 1 },
	{ "whole-chunks", LINE(FLAG, whole_chunks),
	  "to the nearest 2 MB at any granularity, so that runs with different ones have the same "
	  "memory" },
	{ "explicit", LINE(FLAG, explicit_memory),
	  "device memory and explicit copies instead of managed memory; the GPU time includes the "
	  "copies" },
	{ "gpu", LINE(NUMBER, gpu), "N", "which GPU", "0", .max = UVM_GPU_MAX - 1 },
	{ "peer", LINE(NUMBER, peer), "N",
	  "keep the memory on GPU N, and let it and the GPU that runs be peers: kernels use it over "
	  "their link", .max = UVM_GPU_MAX - 1 },
	OPTION_GROUP("Driver and workload"),
	{ "set", LINE(WORDS, sets), "PARAM=VALUE", "driver parameter of this run; see 'uvm list'",
	  .max = RUN_SETS_MAX, .check = parse_setting, .form = PARSE_SETTING_FORM },
	{ "seed", LINE(SIZE, seed), "N", "of everything random", "1", .form = "a whole number" },
	OPTION_GROUP("What is reported"),
	{ "json", LINE(FLAG, json), "report as one JSON object (per workload)" },
	{ "quiet", LINE(FLAG, quiet), "no progress on stderr" },
	{ "bounds", .kind = OPTION_KIND_CALL, .argument = "PCT,...",
	  .help = "what no policy can do without at these oversubscriptions; the run itself has all memory, "
	  "and each access is recorded", .take = run_take_bounds,
	  .form = "up to 16 of per cent, with commas, as 133.3,200", .needs = "json" },
	{ "events", LINE(TEXT, events), "FILE",
	  "write the driver's events, one JSON object per line; - is stdout", .without = "trace" },
	{ "event-types", LINE(TEXT, event_types), "LIST",
	  "only those of these types, as gpu_fault,batch", .needs = "events",
	  .check = event_types_check, .explain = event_types_explain },
	{ "residency", LINE(TEXT, residency), "FILE",
	  "write where all managed memory is when the kernels have ended" },
	{ "trace", LINE(TEXT, trace), "FILE",
	  "record the driver and the GPU for 'uvm trace --perfetto'", .environment = "UVM_TRACE" },
	{ "trace-stall", LINE(SIZE, trace_options.stall_ns), "NS",
	  "of SMs record stalls of at least NS", OPTION_DEFAULT(TRACE_STALL_NS), .form = "nanoseconds" },
	{ "trace-blocks", LINE(FLAG, trace_options.blocks), "record thread blocks, too" },
};

#define RUN_COMMON		(sizeof(run_common) / sizeof(run_common[0]))

/* A row of a workload's option. */
static struct option_row run_workload_row(const struct wl_option *o)
{
	static const char * const arguments[] = {
		[WL_COUNT] = "N", [WL_BYTES] = "SIZE", [WL_TEXT] = "TEXT", [WL_FLAG] = NULL,
	};

	return (struct option_row){
		.name = o->name, .kind = OPTION_KIND_CALL, .argument = arguments[o->type],
		.help = o->what, .otherwise = o->value[0] ? o->value : NULL,
		.take = run_take_workloads,
	};
}

static void run_help_workload(const struct workload *w)
{
	struct option_row rows[WL_OPTIONS_MAX + 1] = { 0 };

	for (int i = 0; w->options[i].name; i++)
		rows[i] = run_workload_row(&w->options[i]);
	printf("usage: uvm run %s [OPTION]...\n\n%s: %s\n\n", w->name, w->name, w->what);
	options_print(rows, stdout);
	printf("\n'uvm run --help' has the options that all workloads have.\n");
}

static void run_help(int argc, char **argv);

/* Common options and those of all workloads, once each; made by run_collect_rows(). */
static struct option_row run_rows[OPTIONS_MAX + 1];

static const struct options run_options = {
	.command = "run",
	.usage = "run WORKLOAD|all|graphbig|hpe|adaptive [OPTION]...",
	.about =
		"Run a workload on a GPU, verify its result on the CPU, and report.  Counters cover\n"
		"everything after allocation: filling on the CPU, kernels, verification.\n"
		"'all' runs those of no suite, 'graphbig', 'hpe' and 'adaptive' the suite of that name.\n",
	.after =
		"Sizes and numbers take K, M, G, T, as in 64K, 1.5M, 4GiB.\n\n"
		"Workloads; 'uvm run WORKLOAD --help' shows the options of one:\n",
	.rows = run_rows,
	.help = run_help,
};

/* Of the workload that is named somewhere on the command line, or of all. */
static void run_help(int argc, char **argv)
{
	const struct workload *w;

	for (int i = 1; i < argc; i++) {
		w = wl_find(argv[i]);
		if (w) {
			run_help_workload(w);
			return;
		}
	}
	memset(&run_rows[RUN_COMMON], 0, sizeof(run_rows[0]));
	options_help(&run_options, stdout);
	for (w = workloads; w; w = w->next)
		printf("  %-12s%s\n", w->name, w->what);
}

static void run_collect_rows(void)
{
	unsigned int count = RUN_COMMON, i;
	const struct wl_option *o;
	const struct workload *w;

	memcpy(run_rows, run_common, sizeof(run_common));
	for (w = workloads; w; w = w->next) {
		for (o = w->options; o->name; o++) {
			for (i = 0; i < count; i++)
				if (run_rows[i].name && !strcmp(run_rows[i].name, o->name))
					break;
			assert(i < OPTIONS_MAX);
			if (i == count)
				run_rows[count++] = run_workload_row(o);
		}
	}
}

static bool run_can_bound(const struct run_config *config)
{
	return !config->oversubscription && !config->vram && !config->events && !config->trace &&
	       !config->explicit_memory && config->peer < 0;
}

/* The name of what is to run; what is wrong ends the program. */
static const char *run_parse(struct run_line *line, int argc, char **argv)
{
	struct run_config *config = &line->config;
	const char *bad = NULL;
	int first;

	config->peer = -1;
	run_collect_rows();
	first = options_parse(&run_options, line, argc, argv);
	if (first != argc - 1)
		bad = "say one workload, or all; see uvm run --help";
	else if (config->peer == config->gpu || (config->peer >= 0 && config->explicit_memory))
		bad = "--peer is another GPU, with managed memory";
	else if (config->bound_count && !run_can_bound(config))
		bad = "--bounds is for --json, of managed memory and all of it";
	if (!bad)
		return argv[first];
	fprintf(stderr, "uvm run: %s\n", bad);
	exit(EXIT_USAGE);
}

/* Options in force for one workload; those of others are an error unless all run. */
static bool run_apply_options(const struct run_line *line, struct wl_run *run, bool all)
{
	const struct wl_option *options = run->workload->options;
	uint64_t number;
	unsigned int i;
	int at;

	for (i = 0; options[i].name; i++)
		run->value[i] = options[i].value;

	for (i = 0; i < line->given_count; i++) {
		const char *value = line->given[i].value;

		at = wl_option_index(run->workload, line->given[i].name);
		if (at < 0) {
			if (all)
				continue;
			fprintf(stderr, "uvm run: %s has no option --%s; see 'uvm run %s --help'\n",
				run->workload->name, line->given[i].name, run->workload->name);
			return false;
		}
		if ((options[at].type == WL_COUNT || options[at].type == WL_BYTES) &&
		    !parse_size(value, &number)) {
			options_refuse("run", options[at].name, value, PARSE_SIZE_FORM);
			return false;
		}
		run->value[at] = value;
	}
	return true;
}

static void run_report(const struct run_line *line, const struct wl_run *run,
		       const struct run_result *result)
{
	bool ran = result->status == EXIT_OK || result->status == EXIT_WRONG;

	if (line->config.json && result->status != EXIT_USAGE) {
		struct json_object *o = run_report_json(&line->config, run, result);

		json_print_line(stdout, o);
		json_object_put(o);
	} else if (ran) {
		run_report_text(run, result);
	}
	if (result->status != EXIT_OK)
		fprintf(stderr, "uvm run: %s: %s\n", run->workload->name, result->error);
	json_object_put(result->policy);
	json_object_put(result->patterns);
	fflush(stdout);
}

/* Those of one suite, or with NULL those of none. */
static bool run_in_group(const struct workload *w, const char *group)
{
	return group ? w->group && !strcmp(w->group, group) : !w->group;
}

static bool run_is_group(const char *group)
{
	const struct workload *w;

	for (w = workloads; w; w = w->next)
		if (run_in_group(w, group))
			return true;
	return false;
}

/* Each workload has a file of its own, but for stdout; to be freed.  false: there is no memory. */
static bool run_file_of(const struct workload *w, const char *given, char **path)
{
	bool own;

	*path = NULL;
	if (!given)
		return true;
	own = !output_is_stdout(given);
	if (asprintf(path, "%s%s%s", given, own ? "." : "", own ? w->name : "") >= 0)
		return true;
	*path = NULL;
	return false;
}

static int run_all(struct run_line *line, const char *group)
{
	struct run_result result;
	const char **files[] = {
		&line->config.events, &line->config.trace, &line->config.residency,
	};
	const char *given[] = { *files[0], *files[1], *files[2] };
	char *path[3];
	struct workload *w;
	int worst = EXIT_OK;
	unsigned int i;

	if (!line->config.json)
		run_report_row_header();
	for (w = workloads; w; w = w->next) {
		struct wl_run run = { .workload = w };

		if (!run_in_group(w, group))
			continue;
		if (!run_apply_options(line, &run, true))
			return EXIT_USAGE;
		for (i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
			if (!run_file_of(w, given[i], &path[i])) {
				perror("uvm run");
				return EXIT_DEVICE;
			}
			*files[i] = path[i];
		}
		run_workload(&line->config, &run, &result);
		if (line->config.json) {
			run_report(line, &run, &result);
		} else {
			run_report_row(&run, &result);
			fflush(stdout);
			if (result.status != EXIT_OK)
				fprintf(stderr, "uvm run: %s: %s\n", w->name, result.error);
		}
		for (i = 0; i < sizeof(files) / sizeof(files[0]); i++)
			free(path[i]);
		if (result.status > worst)
			worst = result.status;
	}
	if (!line->config.json)
		printf("%s\n", worst == EXIT_OK ? "all verified" : "NOT all verified");
	return worst;
}

static void run_unknown(const char *name)
{
	struct nearest n = { .word = name };
	const struct workload *w;
	char hint[96];

	nearest_try(&n, "all");
	for (w = workloads; w; w = w->next) {
		nearest_try(&n, w->name);
		if (w->group)
			nearest_try(&n, w->group);
	}
	fprintf(stderr, "uvm run: no such workload '%s'%s\n", name,
		n.name ? nearest_hint(&n, hint, sizeof(hint)) : "; 'uvm list' shows them");
}

int cmd_run(int argc, char **argv)
{
	struct run_line line = { 0 };
	struct run_result result;
	const char *name = run_parse(&line, argc, argv);
	struct wl_run run = { 0 };

	if (!strcmp(name, "all"))
		return run_all(&line, NULL);
	if (run_is_group(name))
		return run_all(&line, name);

	run.workload = wl_find(name);
	if (!run.workload) {
		run_unknown(name);
		return EXIT_USAGE;
	}
	if (!run_apply_options(&line, &run, false))
		return EXIT_USAGE;
	run_workload(&line.config, &run, &result);
	run_report(&line, &run, &result);
	return result.status;
}
