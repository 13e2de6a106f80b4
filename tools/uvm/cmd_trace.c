// SPDX-License-Identifier: GPL-2.0
/*
 * uvm trace: run a command with the trace events of both modules on; record a
 * run; turn a recording into Chrome trace-event JSON.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "allocations.h"
#include "child.h"
#include "options.h"
#include "out/output.h"
#include "out/perfetto.h"
#include "uvm_cmd.h"

#define TRACE_DIRECTORY		"/sys/kernel/tracing"
#define TRACE_BUFFER_KB		"16384"

static const char * const trace_switches[] = {
	TRACE_DIRECTORY "/events/uvm/enable",
	TRACE_DIRECTORY "/events/softgpu/enable",
};

static bool trace_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	bool good;

	good = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	if (!good)
		fprintf(stderr, "uvm trace: %s: %s\n", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return good;
}

static bool trace_enable(const char *value)
{
	return trace_write(trace_switches[0], value) && trace_write(trace_switches[1], value);
}

static bool trace_start(void)
{
	/* A bare initramfs has it not mounted. */
	if (access(TRACE_DIRECTORY "/trace", F_OK))
		mount("tracefs", TRACE_DIRECTORY, "tracefs", 0, NULL);
	return trace_write(TRACE_DIRECTORY "/buffer_size_kb", TRACE_BUFFER_KB) &&
	       trace_write(TRACE_DIRECTORY "/trace", "") && trace_enable("1");
}

static bool trace_copy(const char *output)
{
	FILE *from = fopen(TRACE_DIRECTORY "/trace", "r"), *to = output_open(output);
	char buffer[65536];
	bool good = from && to;
	size_t got;

	while (good && (got = fread(buffer, 1, sizeof(buffer), from)) > 0)
		good = fwrite(buffer, 1, got, to) == got;
	if (from) {
		good = good && !ferror(from);
		fclose(from);
	}
	if (to && output_close(to))
		good = false;
	if (!good)
		fprintf(stderr, "uvm trace: %s: %s\n", output, strerror(errno));
	return good;
}

static int trace_perfetto(const char *input, const char *output)
{
	FILE *from = fopen(input, "r"), *to = NULL;
	int status = EXIT_DEVICE;
	const char *error = "";
	unsigned long line;

	if (from)
		to = output_open(output ? output : "-");
	if (!to) {
		fprintf(stderr, "uvm trace: %s: %s\n", from ? output : input, strerror(errno));
	} else if (!perfetto_convert(from, to, &line, &error) && !allocations_failed()) {
		status = EXIT_OK;
	} else if (allocations_failed()) {
		fprintf(stderr, "uvm trace: %s: out of memory\n", input);
	} else if (line) {
		fprintf(stderr, "uvm trace: %s:%lu: %s\n", input, line, error);
		status = EXIT_USAGE;
	} else {
		fprintf(stderr, "uvm trace: %s\n", error);
	}
	if (to && output_close(to) && status == EXIT_OK) {
		fprintf(stderr, "uvm trace: %s: %s\n", output ? output : "-", strerror(errno));
		status = EXIT_DEVICE;
	}
	if (from)
		fclose(from);
	return status;
}

/* Tracing is of the whole machine: it ends however the command does. */
static int trace_events(char **argv, const char *output)
{
	bool good;
	int status;

	if (!trace_start())
		return EXIT_DEVICE;
	status = child_run("trace", argv, NULL, NULL);
	good = trace_enable("0") && trace_copy(output) && status >= 0;
	child_pass_signal();
	return status > 0 || good ? status : EXIT_DEVICE;
}

/* A full path, in case the command goes elsewhere. */
static bool trace_set_path(const char *output)
{
	char directory[PATH_MAX], *path = NULL;
	bool good;

	if (output[0] == '/')
		return !setenv("UVM_TRACE", output, 1);
	if (!getcwd(directory, sizeof(directory)) ||
	    asprintf(&path, "%s/%s", directory, output) < 0)
		return false;
	good = !setenv("UVM_TRACE", path, 1);
	free(path);
	return good;
}

static int trace_record(char **argv, const char *output)
{
	int status;

	if (!trace_set_path(output)) {
		fprintf(stderr, "uvm trace: %s: %s\n", output, strerror(errno));
		return EXIT_DEVICE;
	}
	status = child_run("trace", argv, NULL, NULL);
	child_pass_signal();
	return status < 0 ? EXIT_DEVICE : status;
}

struct trace_line {
	const char *output;
	const char *perfetto;
};

static const struct option_row trace_rows[] = {
	{ "output", OPTION_TEXT(struct trace_line, output), "FILE",
	  "where it goes; without it uvm.trace, with --perfetto stdout", .letter = 'o' },
	{ "perfetto", OPTION_TEXT(struct trace_line, perfetto), "FILE",
	  "the recording to turn into Chrome trace-event JSON" },
	{ 0 },
};

static const struct options trace_options = {
	.command = "trace",
	.usage = "trace record [-o FILE] COMMAND [ARGUMENT]...\n"
		 "trace --perfetto FILE [-o OUTPUT]\n"
		 "trace [-o FILE] COMMAND [ARGUMENT]...",
	.about =
		"The first records what driver and GPU do while COMMAND, a 'uvm run', runs: the same\n"
		"as its option --trace FILE.\n"
		"The second turns a recording into Chrome trace-event JSON: open it in\n"
		"ui.perfetto.dev or chrome://tracing.\n"
		"The third runs any COMMAND with the kernel's trace events of uvm and softgpu on, and\n"
		"writes them to FILE as text.  For more, trace-cmd record -e uvm -e softgpu does as\n"
		"well.  The exit status is that of COMMAND.\n",
	.rows = trace_rows,
	.first_ends = true,
};

int cmd_trace(int argc, char **argv)
{
	bool record = argc > 1 && !strcmp(argv[1], "record");
	struct trace_line line = { 0 };
	int first;

	argc -= record;
	argv += record;
	first = options_parse(&trace_options, &line, argc, argv);
	if ((first == argc) != !!line.perfetto || (record && line.perfetto)) {
		options_help(&trace_options, stderr);
		return EXIT_USAGE;
	}
	if (line.perfetto)
		return trace_perfetto(line.perfetto, line.output);
	if (!line.output)
		line.output = "uvm.trace";
	return record ? trace_record(argv + first, line.output) :
			trace_events(argv + first, line.output);
}
