// SPDX-License-Identifier: GPL-2.0
/*
 * uvm exec: run a program that brings its own kernels (one of `uvm cc PROGRAM.cu`, or any that links
 * libuvmcuda), with the memory and parameters of a run, and report what the driver did.  The options
 * go to the program by the environment; its runtime does the rest.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "allocations.h"
#include "child.h"
#include "memory_limit.h"
#include "options.h"
#include "out/events_json.h"
#include "out/json_read.h"
#include "parse.h"
#include "out/stats_json.h"
#include "uvm_cmd.h"

#define EXEC_SETS_MAX	32	/* RT_SETS_MAX of the program's runtime */
#define EXEC_KILLED	(128 + SIGKILL)	/* what a shell says of one that the kernel killed */

/**
 * struct exec_line - the command line
 * @oversubscription: in 0.1 %, 0 if not given
 * @vram: usable GPU memory in bytes, 0 if not given
 * @sets: PARAM=VALUE
 * @events: file, or NULL
 * @types: of events, or NULL
 * @trace: file, or NULL
 * @json: report as JSON
 * @quiet: no report
 * @argv: the program with its arguments
 */
struct exec_line {
	uint64_t oversubscription;
	uint64_t vram;
	struct option_words sets;
	const char *events;
	const char *types;
	const char *trace;
	bool json;
	bool quiet;
	char **argv;
};

/* SOFTUVM_SET has commas between. */
static bool exec_check_set(const char *value)
{
	return parse_setting(value) && !strchr(value, ',');
}

#define LINE(kind, member)	OPTION_##kind(struct exec_line, member)

static const struct option_row exec_rows[] = {
	{ "oversubscription", LINE(PERCENT, oversubscription), "PCT",
	  "managed memory over usable GPU memory, as 150; the program runs once before, with all "
	  "memory and unheard, to find how much managed memory it has", .without = "vram" },
	{ "vram", LINE(SIZE, vram), "SIZE",
	  "GPU memory of the program instead, with that of cudaMalloc()", .min = 1 },
	{ "set", LINE(WORDS, sets), "PARAM=VALUE",
	  "set a parameter of the driver, as often as needed", .max = EXEC_SETS_MAX,
	  .check = exec_check_set, .form = PARSE_SETTING_FORM },
	{ "events", LINE(TEXT, events), "FILE", "the driver's events, one JSON object per line",
	  .without = "trace" },
	{ "event-types", LINE(TEXT, types), "LIST", "only those of these types, as gpu_fault,batch",
	  .needs = "events", .check = event_types_check, .explain = event_types_explain },
	{ "trace", LINE(TEXT, trace), "FILE", "what driver and GPU did and when: 'uvm trace --help'" },
	{ "json", LINE(FLAG, json), "one line of JSON instead of a page" },
	{ "quiet", LINE(FLAG, quiet), "no report" },
	{ 0 },
};

static const struct options exec_options = {
	.command = "exec",
	.usage = "exec [OPTION]... [--] PROGRAM [ARGUMENT]...",
	.about = "Run a CUDA program of 'uvm cc', and report what the driver did.\n",
	.rows = exec_rows,
	.after = "Exit status: that of the program; 128 and the number of the signal that ended it; 127\n"
		 "it cannot be started, 2 a wrong command line, 3 a footprint that could not be found.\n",
	.first_ends = true,
};

/* ---- one run ---------------------------------------------------------- */

/* In the process that becomes the program. */
static _Noreturn void exec_cannot(void)
{
	perror("uvm exec");
	_exit(EXIT_DEVICE);
}

static void exec_setenv(const char *variable, const char *value)
{
	if (value ? setenv(variable, value, 1) : unsetenv(variable))
		exec_cannot();
}

/* All settings as one word. */
static void exec_set_parameters(const struct option_words *sets)
{
	char *list = NULL;
	size_t size;
	FILE *to = open_memstream(&list, &size);

	for (unsigned int i = 0; to && i < sets->count; i++)
		fprintf(to, "%s%s", i ? "," : "", sets->word[i]);
	if (!to || fclose(to) || !list)
		exec_cannot();
	exec_setenv("SOFTUVM_SET", sets->count ? list : NULL);
	free(list);
}

/* A run that only measures is not to be heard or to take what the real one reads. */
static void exec_mute(void)
{
	int null = open("/dev/null", O_RDWR);

	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
}

/**
 * struct exec_once - one run of the program
 * @line: the command line
 * @vram: bytes; 0: all
 * @muted: it only measures
 * @report: where the program writes its report
 */
struct exec_once {
	const struct exec_line *line;
	uint64_t vram;
	bool muted;
	char report[48];
};

/* In the process that becomes the program. */
static void exec_prepare(const void *arg)
{
	const struct exec_once *once = arg;
	const struct exec_line *line = once->line;
	char vram[24];

	snprintf(vram, sizeof(vram), "%" PRIu64, once->vram);
	exec_set_parameters(&line->sets);
	exec_setenv("SOFTUVM_VRAM", once->vram ? vram : NULL);
	exec_setenv("SOFTUVM_STATS", once->report);
	exec_setenv("SOFTUVM_EVENTS", once->muted ? NULL : line->events);
	exec_setenv("SOFTUVM_EVENT_TYPES", once->muted ? NULL : line->types);
	exec_setenv("SOFTUVM_TRACE", once->muted ? NULL : line->trace);
	if (once->muted)
		exec_mute();
}

/* The program may have done well, but what it reported is not all here. */
static int exec_checked(int status)
{
	if (!allocations_failed())
		return status;
	fprintf(stderr, "uvm exec: no memory for the report\n");
	return status ? status : EXIT_DEVICE;
}

/*
 * The program's exit status as a shell has it; @report gets what it reported, or NULL.  The report
 * lies in memory under this process: however that ends, no file is left.
 */
static int exec_run(const struct exec_line *line, uint64_t vram, bool muted,
		    struct json_object **report)
{
	struct exec_once once = { .line = line, .vram = vram, .muted = muted };
	int fd = memfd_create("uvm-exec", MFD_CLOEXEC), status;

	if (fd < 0) {
		fprintf(stderr, "uvm exec: no file in memory: %s\n", strerror(errno));
		exit(EXIT_DEVICE);
	}
	snprintf(once.report, sizeof(once.report), "/proc/%d/fd/%d", (int)getpid(), fd);
	status = child_run("exec", line->argv, exec_prepare, &once);
	child_pass_signal();
	if (status < 0)
		exit(EXIT_DEVICE);
	lseek(fd, 0, SEEK_SET);
	*report = json_read_file(fd, JSON_TOKENER_DEFAULT_DEPTH);	/* NULL: empty */
	close(fd);
	if (allocations_failed())
		exit(exec_checked(status));
	return status;
}

/* ---- how much memory -------------------------------------------------- */

static uint64_t exec_number(struct json_object *report, const char *key)
{
	struct json_object *value;

	return json_object_object_get_ex(report, key, &value) ? json_object_get_uint64(value) : 0;
}

/* What the program says in that run nobody sees. */
static void exec_no_footprint(const char *program, int status, bool report)
{
	fprintf(stderr, "uvm exec: no footprint: in a run with all memory %s ", program);
	if (status == EXEC_KILLED)
		fprintf(stderr, "was killed, as for want of the CPU's memory\n");
	else if (status)
		fprintf(stderr, "fails, with status %d; without --oversubscription it can say why\n", status);
	else if (!report)
		fprintf(stderr, "makes no report\n");
	else
		fprintf(stderr, "allocates no managed memory\n");
}

/* Managed memory has what is left of it by what the program allocates on the GPU itself. */
static int exec_measure(const struct exec_line *line, uint64_t *footprint, uint64_t *vram)
{
	uint64_t piece = memory_piece(line->sets.word, line->sets.count);
	struct json_object *report;
	int status = exec_run(line, 0, true, &report);

	*footprint = status || !report ? 0 : exec_number(report, "footprint_bytes");
	if (!*footprint) {
		exec_no_footprint(line->argv[0], status, report);
		json_object_put(report);
		return status == CHILD_MISSING || status == EXEC_KILLED ? status : EXIT_DEVICE;
	}
	*vram = exec_number(report, "device_bytes") +
		memory_usable(*footprint, line->oversubscription, piece);
	json_object_put(report);
	return EXIT_OK;
}

/* ---- the report ------------------------------------------------------- */

static void exec_print_bytes(struct json_object *o, const char *label, const char *key)
{
	char text[32];

	printf("  %-28s%16s\n", label, format_bytes(exec_number(o, key), text, sizeof(text)));
}

static void exec_print_ns(struct json_object *o, const char *label, const char *key)
{
	char text[32];

	printf("  %-28s%16s\n", label, format_ns(exec_number(o, key), text, sizeof(text)));
}

static const char *exec_text(struct json_object *o, const char *key)
{
	struct json_object *value;
	const char *text;

	if (!json_object_object_get_ex(o, key, &value))
		return NULL;
	text = json_object_get_string(value);
	/* a number becomes text, which takes memory */
	if (!text && allocations_failed())
		exit(exec_checked(EXIT_OK));
	return text;
}

static void exec_print(struct json_object *o)
{
	const char *error = exec_text(o, "error"), *percent = exec_text(o, "oversubscription_percent");

	printf("%s on %s, %s clock%s%s\n", exec_text(o, "program"), exec_text(o, "profile"),
	       exec_text(o, "clock"), error ? ": " : "", error ? error : "");
	exec_print_bytes(o, "footprint", "footprint_bytes");
	exec_print_bytes(o, "allocated on the GPU", "device_bytes");
	exec_print_bytes(o, "usable GPU memory", "vram_bytes");
	printf("  %-28s%14s %%\n", "oversubscription", percent);
	exec_print_ns(o, "GPU time of kernels", "gpu_time_ns");
	exec_print_ns(o, "of explicit copies", "copy_time_ns");
	printf("  %-28s%14s s\n", "host time", exec_text(o, "wall_time_s"));
	printf("  %-28s%16" PRIu64 "\n", "launches", exec_number(o, "launches"));
	printf("  %-28s%16" PRIu64 "\n", "warp instructions", exec_number(o, "warp_instructions"));
	stats_print_json(o);
}

int cmd_exec(int argc, char **argv)
{
	struct exec_line line = { 0 };
	struct json_object *report;
	uint64_t footprint = 0;
	int status;

	line.argv = argv + options_parse(&exec_options, &line, argc, argv);
	if (!line.argv[0]) {
		fprintf(stderr, "uvm exec: say which program; see uvm exec --help\n");
		return EXIT_USAGE;
	}
	if (line.oversubscription) {
		status = exec_measure(&line, &footprint, &line.vram);
		if (status)
			return status;
	}
	status = exec_run(&line, line.vram, false, &report);
	if (!report && status != CHILD_MISSING)
		fprintf(stderr, "uvm exec: %s made no report: it used no GPU, or was killed\n",
			line.argv[0]);
	if (report && footprint && exec_number(report, "footprint_bytes") != footprint)
		fprintf(stderr, "uvm exec: the footprint depends on the memory that there is\n");
	if (report && line.json && !line.quiet)
		json_print_line(stdout, report);
	else if (report && !line.quiet)
		exec_print(report);
	json_object_put(report);
	return exec_checked(status);
}
