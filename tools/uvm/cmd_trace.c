// SPDX-License-Identifier: GPL-2.0
/*
 * uvm trace: run a command with the trace events of both modules on; record a
 * run; turn a recording into Chrome trace-event JSON.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "out/perfetto.h"
#include "out/output.h"
#include "usage.h"
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

static int trace_command(char **argv)
{
	int status;
	pid_t pid;

	pid = fork();
	if (!pid) {
		execvp(argv[0], argv);
		fprintf(stderr, "uvm trace: %s: %s\n", argv[0], strerror(errno));
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return EXIT_DEVICE;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
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

static void trace_usage(FILE *to)
{
	fprintf(to,
		"usage: uvm trace record [-o FILE] COMMAND [ARGUMENT]...\n"
		"       uvm trace --perfetto FILE [-o OUTPUT]\n"
		"       uvm trace [-o FILE] COMMAND [ARGUMENT]...\n\n"
		"The first records what driver and GPU do while COMMAND, a 'uvm run', runs: the same\n"
		"as its option --trace FILE (uvm.trace).\n"
		"The second turns a recording into Chrome trace-event JSON on stdout or in OUTPUT: open\n"
		"it in ui.perfetto.dev or chrome://tracing.\n"
		"The third runs any COMMAND with the kernel's trace events of uvm and softgpu on, and\n"
		"writes them to FILE as text.  For more, trace-cmd record -e uvm -e softgpu does as\n"
		"well.  The exit status is that of COMMAND.\n");
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
	} else if (!perfetto_convert(from, to, &line, &error)) {
		status = EXIT_OK;
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

static int trace_events(char **argv, const char *output)
{
	int status;

	if (!trace_start())
		return EXIT_DEVICE;
	status = trace_command(argv);
	if (!trace_enable("0") || !trace_copy(output))
		return status ? status : EXIT_DEVICE;
	return status;
}

static int trace_record(char **argv, const char *output)
{
	/* A full path, in case the command goes elsewhere. */
	char path[4096];

	if (output[0] == '/' || !getcwd(path, sizeof(path) - strlen(output) - 2))
		path[0] = '\0';
	else
		strcat(path, "/");
	if (strlen(path) + strlen(output) >= sizeof(path))
		return EXIT_USAGE;
	strcat(path, output);
	setenv("UVM_TRACE", path, 1);
	return trace_command(argv);
}

int cmd_trace(int argc, char **argv)
{
	static const struct option options[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "perfetto", required_argument, NULL, 'p' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	const char *output = NULL, *perfetto = NULL;
	bool record = argc > 1 && !strcmp(argv[1], "record");
	int option;

	argc -= record;
	argv += record;
	/* '+': what follows the command is the command's. */
	opterr = 0;
	while ((option = getopt_long(argc, argv, "+:ho:", options, NULL)) != -1) {
		if (option == 'o') {
			output = optarg;
		} else if (option == 'p' && !record) {
			perfetto = optarg;
		} else if (option == '?' || option == ':') {
			return usage_bad_option("trace", option, argv, options);
		} else {
			trace_usage(option == 'h' ? stdout : stderr);
			return option == 'h' ? EXIT_OK : EXIT_USAGE;
		}
	}
	if ((optind == argc) != !!perfetto) {
		trace_usage(stderr);
		return EXIT_USAGE;
	}
	if (perfetto)
		return trace_perfetto(perfetto, output);
	if (!output)
		output = "uvm.trace";
	return record ? trace_record(argv + optind, output) : trace_events(argv + optind, output);
}
