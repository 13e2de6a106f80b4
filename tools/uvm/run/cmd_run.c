// SPDX-License-Identifier: GPL-2.0
/* uvm run: command line of a run. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../lib/nearest.h"
#include "out/events_json.h"
#include "out/output.h"
#include "parse.h"
#include "run/run.h"
#include "usage.h"
#include "uvm_cmd.h"

enum run_option {
	RUN_HELP = 256,
	RUN_OVERSUBSCRIPTION,
	RUN_VRAM,
	RUN_SEED,
	RUN_SET,
	RUN_BOUNDS,
	RUN_EVENTS,
	RUN_EVENT_TYPES,
	RUN_RESIDENCY,
	RUN_TRACE,
	RUN_TRACE_STALL,
	RUN_TRACE_BLOCKS,
	RUN_JSON,
	RUN_GPU,
	RUN_PEER,
	RUN_QUIET,
	RUN_EXPLICIT,
	RUN_WHOLE_CHUNKS,
	RUN_WORKLOAD,		/* and up: options of workloads */
};

static const struct option run_common[] = {
	{ "help", no_argument, NULL, RUN_HELP },
	{ "oversubscription", required_argument, NULL, RUN_OVERSUBSCRIPTION },
	{ "vram", required_argument, NULL, RUN_VRAM },
	{ "seed", required_argument, NULL, RUN_SEED },
	{ "set", required_argument, NULL, RUN_SET },
	{ "bounds", required_argument, NULL, RUN_BOUNDS },
	{ "events", required_argument, NULL, RUN_EVENTS },
	{ "event-types", required_argument, NULL, RUN_EVENT_TYPES },
	{ "residency", required_argument, NULL, RUN_RESIDENCY },
	{ "trace", required_argument, NULL, RUN_TRACE },
	{ "trace-stall", required_argument, NULL, RUN_TRACE_STALL },
	{ "trace-blocks", no_argument, NULL, RUN_TRACE_BLOCKS },
	{ "json", no_argument, NULL, RUN_JSON },
	{ "gpu", required_argument, NULL, RUN_GPU },
	{ "peer", required_argument, NULL, RUN_PEER },
	{ "quiet", no_argument, NULL, RUN_QUIET },
	{ "explicit", no_argument, NULL, RUN_EXPLICIT },
	{ "whole-chunks", no_argument, NULL, RUN_WHOLE_CHUNKS },
};

#define RUN_COMMON		(sizeof(run_common) / sizeof(run_common[0]))
#define RUN_OPTIONS_MAX		96

struct run_given {
	const char *name;
	const char *value;
};

struct run_line {
	struct run_config config;
	struct option options[RUN_OPTIONS_MAX];
	unsigned int option_count;
	struct run_given given[RUN_OPTIONS_MAX];
	unsigned int given_count;
	const char *workload;
};

/* A workload's options, each with what it is if it is not given. */
static void run_usage_options(FILE *to, const struct workload *w)
{
	static const char * const kinds[] = {
		[WL_COUNT] = " N", [WL_BYTES] = " SIZE", [WL_TEXT] = " TEXT", [WL_FLAG] = "",
	};
	const struct wl_option *o;
	char text[64];

	for (o = w->options; o->name; o++) {
		snprintf(text, sizeof(text), "--%s%s", o->name, kinds[o->type]);
		fprintf(to, "  %-24s%s", text, o->what);
		fprintf(to, o->value[0] ? " (%s)\n" : "\n", o->value);
	}
}

static void run_usage_workload(FILE *to, const struct workload *w)
{
	fprintf(to, "usage: uvm run %s [OPTION]...\n\n%s: %s\n\n", w->name, w->name, w->what);
	run_usage_options(to, w);
	fprintf(to, "\n'uvm run --help' has the options that all workloads have.\n");
}

static void run_usage(FILE *to)
{
	const struct workload *w;

	fprintf(to,
		"usage: uvm run WORKLOAD|all|graphbig|hpe|adaptive [OPTION]...\n\n"
		"Runs a workload on a GPU, verifies its result on the CPU, and reports.  Counters\n"
		"cover everything after allocation: filling on the CPU, kernels, verification.\n"
		"'all' runs those of no suite, 'graphbig', 'hpe' and 'adaptive' the suite of that name.\n\n"
		"  --oversubscription PCT  let usable GPU memory be footprint * 100 / PCT, to the\n"
		"                          nearest piece of root_chunk_granularity (2 MB); the report\n"
		"                          has the true percentage\n"
		"  --vram SIZE             or give it directly\n"
		"  --whole-chunks          to the nearest 2 MB at any granularity, so that runs with\n"
		"                          different ones have the same memory\n"
		"  --seed N                of everything random (1)\n"
		"  --set PARAM=VALUE       driver parameter of this run; see 'uvm list'\n"
		"  --bounds PCT,...        what no policy can do without at these oversubscriptions; the\n"
		"                          run itself has all memory, and each access is recorded\n"
		"  --events FILE           write the driver's events, one JSON object per line; - is stdout\n"
		"  --event-types LIST      ... of these types only, as gpu_fault,batch\n"
		"  --residency FILE        write where all managed memory is when the kernels have ended\n"
		"  --trace FILE            record the driver and the GPU for 'uvm trace --perfetto'\n"
		"  --trace-stall NS        ... with stalls of SMs of at least NS (1000)\n"
		"  --trace-blocks          ... with thread blocks\n"
		"  --json                  report as one JSON object (per workload)\n"
		"  --explicit              device memory and explicit copies instead of managed memory;\n"
		"                          the GPU time includes the copies\n"
		"  --gpu N                 which GPU (0)\n"
		"  --peer N                keep the memory on GPU N, and let it and the GPU that runs\n"
		"                          be peers: kernels use it over their link\n"
		"  --quiet                 no progress on stderr\n\n"
		"Sizes and numbers take K, M, G, T, as in 64K, 1.5M, 4GiB.\n\n"
		"Workloads; 'uvm run WORKLOAD --help' shows the options of one:\n");
	for (w = workloads; w; w = w->next)
		fprintf(to, "  %-12s%s\n", w->name, w->what);
}

/* The workload that is named somewhere on the command line. */
static const struct workload *run_named(int argc, char **argv)
{
	const struct workload *w = NULL;
	int i;

	for (i = 1; i < argc && !w; i++)
		w = wl_find(argv[i]);
	return w;
}

static void run_help(int argc, char **argv)
{
	const struct workload *w = run_named(argc, argv);

	if (w)
		run_usage_workload(stdout, w);
	else
		run_usage(stdout);
}

/* getopt wants one table: common options and those of all workloads, once each. */
static void run_collect_options(struct run_line *line)
{
	const struct wl_option *o;
	const struct workload *w;
	unsigned int i;

	memcpy(line->options, run_common, sizeof(run_common));
	line->option_count = RUN_COMMON;
	for (w = workloads; w; w = w->next) {
		for (o = w->options; o->name; o++) {
			for (i = 0; i < line->option_count; i++)
				if (!strcmp(line->options[i].name, o->name))
					break;
			if (i < line->option_count || i == RUN_OPTIONS_MAX - 1)
				continue;
			line->options[i].name = o->name;
			line->options[i].has_arg = o->type == WL_FLAG ? no_argument :
							    required_argument;
			line->options[i].val = RUN_WORKLOAD + (int)i;
			line->option_count++;
		}
	}
}

static bool run_bad(const char *what, const char *value, const char *form)
{
	fprintf(stderr, "uvm run: bad %s '%s': it must be %s\n", what, value, form);
	return false;
}

static bool run_take_bounds(struct run_config *config, const char *value)
{
	char list[256], *rest = list, *one;

	if (snprintf(list, sizeof(list), "%s", value) >= (int)sizeof(list))
		return false;
	config->bound_count = 0;
	while ((one = strsep(&rest, ",")))
		if (config->bound_count == RUN_BOUNDS_MAX ||
		    !parse_percent(one, &config->bounds[config->bound_count++]))
			return false;
	return true;
}

static bool run_take_common(struct run_config *config, int option, const char *value)
{
	uint64_t number;

	switch (option) {
	case RUN_OVERSUBSCRIPTION:
		return parse_percent(value, &config->oversubscription) ||
		       run_bad("--oversubscription", value, "per cent, with one decimal at most, as 150 or 133.3");
	case RUN_VRAM:
		return (parse_size(value, &config->vram) && config->vram) ||
		       run_bad("--vram", value, PARSE_SIZE_FORM);
	case RUN_SEED:
		return parse_size(value, &config->seed) ||
		       run_bad("--seed", value, "a whole number");
	case RUN_SET:
		if (!strchr(value, '=') || value[0] == '=' ||
		    strchr(value, '=') - value >= 48 || config->set_count == RUN_SETS_MAX)
			return run_bad("--set", value, "NAME=VALUE; 'uvm list' shows them");
		config->sets[config->set_count++] = value;
		return true;
	case RUN_GPU:
		if (!parse_size(value, &number) || number >= UVM_GPU_MAX)
			return run_bad("--gpu", value, "a number of a GPU, from 0");
		config->gpu = (int)number;
		return true;
	case RUN_PEER:
		if (!parse_size(value, &number) || number >= UVM_GPU_MAX)
			return run_bad("--peer", value, "a number of a GPU, from 0");
		config->peer = (int)number;
		return true;
	case RUN_BOUNDS:
		return run_take_bounds(config, value) ||
		       run_bad("--bounds", value, "up to 16 of per cent, with commas, as 133.3,200");
	case RUN_EVENTS:
		config->events = value;
		return true;
	case RUN_EVENT_TYPES:
		config->event_mask = event_types_parse(value);
		if (config->event_mask)
			return true;
		fprintf(stderr, "uvm run: ");
		event_types_explain(stderr, value);
		return false;
	case RUN_RESIDENCY:
		config->residency = value;
		return true;
	case RUN_TRACE:
		config->trace = value;
		return true;
	case RUN_TRACE_STALL:
		return parse_size(value, &config->trace_options.stall_ns) ||
		       run_bad("--trace-stall", value, "nanoseconds");
	case RUN_TRACE_BLOCKS:
		config->trace_options.blocks = true;
		return true;
	case RUN_JSON:
		config->json = true;
		return true;
	case RUN_QUIET:
		config->quiet = true;
		return true;
	case RUN_EXPLICIT:
		config->explicit_memory = true;
		return true;
	case RUN_WHOLE_CHUNKS:
		config->whole_chunks = true;
		return true;
	}
	return false;
}

static bool run_can_bound(const struct run_config *config)
{
	return config->json && !config->oversubscription && !config->vram && !config->events &&
	       !config->trace && !config->explicit_memory && config->peer < 0;
}

/* EXIT_OK to go on, else the exit status; -1 after --help. */
static int run_parse(struct run_line *line, int argc, char **argv)
{
	int option;

	line->config.seed = 1;
	line->config.peer = -1;
	line->config.trace = getenv("UVM_TRACE");
	line->config.trace_options.stall_ns = TRACE_STALL_NS;
	run_collect_options(line);
	opterr = 0;
	while ((option = getopt_long(argc, argv, ":h", line->options, NULL)) != -1) {
		if (option == RUN_HELP || option == 'h') {
			run_help(argc, argv);
			return -1;
		}
		if (option == '?' || option == ':')
			return usage_bad_option("run", option, argv, line->options);
		if (option < RUN_WORKLOAD) {
			if (!run_take_common(&line->config, option, optarg))
				return EXIT_USAGE;
			continue;
		}
		if (line->given_count == RUN_OPTIONS_MAX)
			return EXIT_USAGE;
		line->given[line->given_count].name = line->options[option - RUN_WORKLOAD].name;
		line->given[line->given_count].value = optarg ? optarg : "on";
		line->given_count++;
	}

	if (optind != argc - 1) {
		fprintf(stderr, "uvm run: say one workload, or all; see uvm run --help\n");
		return EXIT_USAGE;
	}
	if (line->config.oversubscription && line->config.vram) {
		fprintf(stderr, "uvm run: --oversubscription and --vram exclude each other\n");
		return EXIT_USAGE;
	}
	if (line->config.peer == line->config.gpu ||
	    (line->config.peer >= 0 && line->config.explicit_memory)) {
		fprintf(stderr, "uvm run: --peer is another GPU, with managed memory\n");
		return EXIT_USAGE;
	}
	if (line->config.event_mask && !line->config.events) {
		fprintf(stderr, "uvm run: --event-types is for --events\n");
		return EXIT_USAGE;
	}
	if (line->config.events && line->config.trace) {
		fprintf(stderr, "uvm run: --events and --trace exclude each other\n");
		return EXIT_USAGE;
	}
	if (line->config.bound_count && !run_can_bound(&line->config)) {
		fprintf(stderr, "uvm run: --bounds is for --json, of managed memory and all of it\n");
		return EXIT_USAGE;
	}
	line->workload = argv[optind];
	return EXIT_OK;
}

/* Options in force for one workload; those of others are an error unless all run. */
static bool run_apply_options(const struct run_line *line, struct wl_run *run, bool all)
{
	const struct wl_option *options = run->workload->options;
	uint64_t number;
	char name[64];
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
			snprintf(name, sizeof(name), "--%s", options[at].name);
			return run_bad(name, value, PARSE_SIZE_FORM);
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

/* Each workload has a file of its own, but for stdout. */
static const char *run_file_of(const struct workload *w, const char *given, char *path,
			       size_t room)
{
	if (!given || output_is_stdout(given))
		return given;
	snprintf(path, room, "%s.%s", given, w->name);
	return path;
}

static int run_all(struct run_line *line, const char *group)
{
	struct run_result result;
	const char **files[] = {
		&line->config.events, &line->config.trace, &line->config.residency,
	};
	const char *given[] = { *files[0], *files[1], *files[2] };
	char path[3][4096];
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
		for (i = 0; i < sizeof(files) / sizeof(files[0]); i++)
			*files[i] = run_file_of(w, given[i], path[i], sizeof(path[i]));
		run_workload(&line->config, &run, &result);
		if (line->config.json) {
			run_report(line, &run, &result);
		} else {
			run_report_row(&run, &result);
			fflush(stdout);
			if (result.status != EXIT_OK)
				fprintf(stderr, "uvm run: %s: %s\n", w->name, result.error);
		}
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
	struct wl_run run = { 0 };
	int status;

	status = run_parse(&line, argc, argv);
	if (status)
		return status < 0 ? EXIT_OK : status;
	if (!strcmp(line.workload, "all"))
		return run_all(&line, NULL);
	if (run_is_group(line.workload))
		return run_all(&line, line.workload);

	run.workload = wl_find(line.workload);
	if (!run.workload) {
		run_unknown(line.workload);
		return EXIT_USAGE;
	}
	if (!run_apply_options(&line, &run, false))
		return EXIT_USAGE;
	run_workload(&line.config, &run, &result);
	run_report(&line, &run, &result);
	return result.status;
}
