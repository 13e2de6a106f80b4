// SPDX-License-Identifier: GPL-2.0
/* uvm: one command for everything. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../lib/nearest.h"
#include "allocations.h"
#include "places.h"
#include "uvm_cmd.h"

struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *what;
};

static const struct command commands[] = {
	{ "run", cmd_run, "run a workload, verify it, report where the time went" },
	{ "exec", cmd_exec, "run a CUDA program with so much memory, report what the driver did" },
	{ "probe", cmd_probe, "run a script of single accesses and show the driver's events" },
	{ "list", cmd_list, "list workloads, policies and parameters" },
	{ "info", cmd_info, "show the GPUs, the profile with its sources, the driver" },
	{ "stat", cmd_stat, "show the counters of the GPUs" },
	{ "trace", cmd_trace, "run a command with the trace events of both modules on" },
	{ "cc", cmd_cc, "compile a GPU kernel" },
	{ "report", cmd_report, "reproduce a published evaluation" },
	{ "arena", cmd_arena, "run policies x workloads x memory from one file" },
	{ "sweep", cmd_sweep, "run one workload over a grid of parameters" },
	{ "compare", cmd_compare, "show what differs between runs" },
};

#define COMMANDS	(sizeof(commands) / sizeof(commands[0]))

static const struct command *main_command;	/* that runs */

static void main_usage(FILE *to)
{
	size_t i;

	fprintf(to, "usage: uvm COMMAND [OPTION]...\n\n");
	for (i = 0; i < COMMANDS; i++)
		fprintf(to, "  %-8s%s\n", commands[i].name, commands[i].what);
	fprintf(to, "\n'uvm COMMAND --help' tells more; 'uvm --version' says which this is.\n"
		"Exit status: 0 done and verified, 1 wrong result, 2 usage, 3 device or driver error.\n");
}

static const struct command *main_find(const char *name)
{
	size_t i;

	for (i = 0; i < COMMANDS; i++)
		if (!strcmp(name, commands[i].name))
			return &commands[i];
	return NULL;
}

static int main_unknown(const char *name)
{
	struct nearest n = { .word = name };
	char hint[96];
	size_t i;

	for (i = 0; i < COMMANDS; i++)
		nearest_try(&n, commands[i].name);
	fprintf(stderr, "uvm: no such command '%s'%s\n\n", name,
		nearest_hint(&n, hint, sizeof(hint)));
	main_usage(stderr);
	return EXIT_USAGE;
}

/* "uvm help run bfs" is "uvm run --help bfs". */
static int main_help(const char *name, const char *about)
{
	char *argv[] = { (char *)name, "--help", (char *)about, NULL };

	main_command = main_find(name);
	return main_command ? main_command->run(about ? 3 : 2, argv) : main_unknown(name);
}

/* What could not be printed is an error: a disk may be full.  A reader that has gone is SIGPIPE. */
static int main_end_output(int status)
{
	bool lost = ferror(stdout);

	errno = 0;
	if (!fflush(stdout) && !lost)
		return status;
	fprintf(stderr, "uvm: stdout: %s\n", errno ? strerror(errno) : "cannot be written");
	return status ? status : EXIT_DEVICE;
}

/* Nor is good what was done without memory: something may be missing. */
static int main_end_memory(int status)
{
	if (status || !allocations_failed())
		return status;
	fprintf(stderr, "uvm%s%s: out of memory\n", main_command ? " " : "",
		main_command ? main_command->name : "");
	return EXIT_DEVICE;
}

static void main_end(int status, void *arg)
{
	int end = main_end_output(main_end_memory(status));

	(void)arg;
	if (end != status)
		_exit(end);
}

int main(int argc, char **argv)
{
	on_exit(main_end, NULL);
	if (argc < 2) {
		main_usage(stderr);
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "help") && argc > 2)
		return main_help(argv[2], argv[3]);
	if (!strcmp(argv[1], "--version")) {
		printf("uvm %s\n", places_version());
		return EXIT_OK;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
		main_usage(stdout);
		return EXIT_OK;
	}
	main_command = main_find(argv[1]);
	if (main_command)
		return main_command->run(argc - 1, argv + 1);
	return main_unknown(argv[1]);
}
