// SPDX-License-Identifier: GPL-2.0
/*
 * uvm exec: run a program that brings its own kernels (one of `uvm cc PROGRAM.cu`, or any that links
 * libuvmcuda), with the memory and parameters of a run, and report what the driver did.  The options
 * go to the program by the environment; its runtime does the rest.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <json-c/json.h>

#include "out/events_json.h"
#include "memory_limit.h"
#include "parse.h"
#include "out/stats_json.h"
#include "usage.h"
#include "uvm_cmd.h"

#define EXEC_SETS_MAX	32
#define EXEC_MISSING	127	/* what a shell says of a program that there is not */
#define EXEC_KILLED	(128 + SIGKILL)	/* what a shell says of one that the kernel killed */

/**
 * struct exec_line - the command line
 * @oversubscription: in 0.1 %, 0 if not given
 * @vram: usable GPU memory as given, or NULL
 * @sets: PARAM=VALUE
 * @set_count: how many
 * @events: file, or NULL
 * @types: of events, or NULL
 * @trace: file, or NULL
 * @json: report as JSON
 * @quiet: no report
 * @argv: the program with its arguments
 */
struct exec_line {
	uint64_t oversubscription;
	const char *vram;
	const char *sets[EXEC_SETS_MAX];
	unsigned int set_count;
	const char *events;
	const char *types;
	const char *trace;
	bool json;
	bool quiet;
	char **argv;
};

enum exec_option {
	EXEC_HELP, EXEC_OVERSUBSCRIPTION, EXEC_VRAM, EXEC_SET, EXEC_EVENTS, EXEC_TYPES, EXEC_TRACE,
	EXEC_JSON, EXEC_QUIET,
};

static const struct option exec_options[] = {
	{ "help", no_argument, NULL, EXEC_HELP },
	{ "oversubscription", required_argument, NULL, EXEC_OVERSUBSCRIPTION },
	{ "vram", required_argument, NULL, EXEC_VRAM },
	{ "set", required_argument, NULL, EXEC_SET },
	{ "events", required_argument, NULL, EXEC_EVENTS },
	{ "event-types", required_argument, NULL, EXEC_TYPES },
	{ "trace", required_argument, NULL, EXEC_TRACE },
	{ "json", no_argument, NULL, EXEC_JSON },
	{ "quiet", no_argument, NULL, EXEC_QUIET },
	{ NULL, 0, NULL, 0 },
};

static void exec_usage(FILE *to)
{
	fprintf(to,
		"usage: uvm exec [OPTION]... [--] PROGRAM [ARGUMENT]...\n\n"
		"Run a CUDA program of 'uvm cc', and report what the driver did.\n\n"
		"  --oversubscription PCT  managed memory over usable GPU memory, as 150; the program\n"
		"                          runs once before, with all memory and unheard, to find how\n"
		"                          much managed memory it has\n"
		"  --vram SIZE             GPU memory of the program instead, with that of cudaMalloc()\n"
		"  --set PARAM=VALUE       set a parameter of the driver, as often as needed\n"
		"  --events FILE           the driver's events, one JSON object per line; not with\n"
		"                          --trace\n"
		"  --event-types LIST      only those of these types\n"
		"  --trace FILE            what driver and GPU did and when; see uvm trace --help\n"
		"  --json                  one line of JSON instead of a page\n"
		"  --quiet                 no report\n\n"
		"Exit status: that of the program; 128 and the number of the signal that ended it; 127\n"
		"it cannot be started, 2 a wrong command line, 3 a footprint that could not be found.\n");
}

static bool exec_bad(const char *what, const char *value, const char *form)
{
	fprintf(stderr, "uvm exec: bad %s '%s': it must be %s\n", what, value, form);
	return false;
}

static bool exec_take(struct exec_line *line, int option, const char *value)
{
	uint64_t number;

	switch (option) {
	case EXEC_OVERSUBSCRIPTION:
		return parse_percent(value, &line->oversubscription) ||
		       exec_bad("--oversubscription", value, "per cent, with one decimal at most, as 150 or 133.3");
	case EXEC_VRAM:
		line->vram = value;
		return (parse_size(value, &number) && number) ||
		       exec_bad("--vram", value, PARSE_SIZE_FORM);
	case EXEC_SET:
		if (!strchr(value, '=') || value[0] == '=' || strchr(value, ',') ||
		    line->set_count == EXEC_SETS_MAX)
			return exec_bad("--set", value, "NAME=VALUE; 'uvm list' shows them");
		line->sets[line->set_count++] = value;
		return true;
	case EXEC_EVENTS:
		line->events = value;
		return true;
	case EXEC_TYPES:
		line->types = value;
		if (event_types_parse(value))
			return true;
		fprintf(stderr, "uvm exec: ");
		event_types_explain(stderr, value);
		return false;
	case EXEC_TRACE:
		line->trace = value;
		return true;
	case EXEC_JSON:
		line->json = true;
		return true;
	default:
		line->quiet = true;
		return true;
	}
}

/* EXIT_OK to go on, else the exit status; -1 after --help. */
static int exec_parse(struct exec_line *line, int argc, char **argv)
{
	int option;

	opterr = 0;
	/* what stands behind the program is the program's */
	while ((option = getopt_long(argc, argv, "+:h", exec_options, NULL)) != -1) {
		if (option == EXEC_HELP || option == 'h') {
			exec_usage(stdout);
			return -1;
		}
		if (option == '?' || option == ':')
			return usage_bad_option("exec", option, argv, exec_options);
		if (!exec_take(line, option, optarg))
			return EXIT_USAGE;
	}
	line->argv = argv + optind;
	if (optind == argc)
		fprintf(stderr, "uvm exec: say which program; see uvm exec --help\n");
	else if (line->oversubscription && line->vram)
		fprintf(stderr, "uvm exec: --oversubscription and --vram exclude each other\n");
	else if (line->events && line->trace)
		fprintf(stderr, "uvm exec: --events and --trace exclude each other\n");
	else if (line->types && !line->events)
		fprintf(stderr, "uvm exec: --event-types is for --events\n");
	else
		return EXIT_OK;
	return EXIT_USAGE;
}

/* ---- one run ---------------------------------------------------------- */

static void exec_setenv(const char *variable, const char *value)
{
	if (value)
		setenv(variable, value, 1);
	else
		unsetenv(variable);
}

static void exec_set_parameters(const struct exec_line *line)
{
	char list[4096] = "";
	size_t at = 0;

	for (unsigned int i = 0; i < line->set_count && at < sizeof(list); i++)
		at += (size_t)snprintf(list + at, sizeof(list) - at, "%s%s", i ? "," : "",
				       line->sets[i]);
	exec_setenv("SOFTUVM_SET", line->set_count ? list : NULL);
}

/* A run that only measures is not to be heard or to take what the real one reads. */
static void exec_mute(void)
{
	int null = open("/dev/null", O_RDWR);

	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
}

/* The program's exit status as a shell has it; @report gets what it reported, or NULL. */
static int exec_run(const struct exec_line *line, const char *vram, bool muted,
		    struct json_object **report)
{
	char path[] = "/tmp/uvm-exec-XXXXXX";
	int fd = mkstemp(path), status = 0;
	pid_t pid;

	*report = NULL;
	if (fd < 0) {
		fprintf(stderr, "uvm exec: %s: %s\n", path, strerror(errno));
		return EXIT_DEVICE;
	}
	close(fd);
	fflush(NULL);
	pid = fork();
	if (!pid) {
		/* who ends uvm exec means the program */
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		exec_set_parameters(line);
		exec_setenv("SOFTUVM_VRAM", vram);
		exec_setenv("SOFTUVM_STATS", path);
		exec_setenv("SOFTUVM_EVENTS", muted ? NULL : line->events);
		exec_setenv("SOFTUVM_EVENT_TYPES", muted ? NULL : line->types);
		exec_setenv("SOFTUVM_TRACE", muted ? NULL : line->trace);
		if (muted)
			exec_mute();
		execvp(line->argv[0], line->argv);
		fprintf(stderr, "uvm exec: %s: %s\n", line->argv[0], strerror(errno));
		_exit(EXEC_MISSING);
	}
	if (pid > 0)
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
	*report = json_object_from_file(path);
	remove(path);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
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
static int exec_measure(const struct exec_line *line, uint64_t *footprint, char *vram, size_t room)
{
	uint64_t piece = memory_piece(line->sets, line->set_count), device;
	struct json_object *report;
	int status = exec_run(line, NULL, true, &report);

	*footprint = status || !report ? 0 : exec_number(report, "footprint_bytes");
	if (!*footprint) {
		exec_no_footprint(line->argv[0], status, report);
		json_object_put(report);
		return status == EXEC_MISSING || status == EXEC_KILLED ? status : EXIT_DEVICE;
	}
	device = exec_number(report, "device_bytes");
	snprintf(vram, room, "%" PRIu64,
		 device + memory_usable(*footprint, line->oversubscription, piece));
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

	return json_object_object_get_ex(o, key, &value) ? json_object_get_string(value) : NULL;
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
	char vram[24];
	int status;

	status = exec_parse(&line, argc, argv);
	if (status)
		return status < 0 ? EXIT_OK : status;
	if (line.oversubscription) {
		status = exec_measure(&line, &footprint, vram, sizeof(vram));
		if (status)
			return status;
		line.vram = vram;
	}
	status = exec_run(&line, line.vram, false, &report);
	if (!report && status != EXEC_MISSING)
		fprintf(stderr, "uvm exec: %s made no report: it used no GPU, or was killed\n",
			line.argv[0]);
	if (report && footprint && exec_number(report, "footprint_bytes") != footprint)
		fprintf(stderr, "uvm exec: the footprint depends on the memory that there is\n");
	if (report && line.json && !line.quiet)
		json_print_line(stdout, report);
	else if (report && !line.quiet)
		exec_print(report);
	json_object_put(report);
	return status;
}
