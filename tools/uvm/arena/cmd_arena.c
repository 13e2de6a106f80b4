// SPDX-License-Identifier: GPL-2.0
/* uvm arena, sweep and compare: many runs, in virtual machines of their own; programs beside us. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "places.h"
#include "uvm_cmd.h"

/* The program takes the command line as it is. */
static int arena_exec(const char *name, int argc, char **argv)
{
	char path[PATH_MAX];

	(void)argc;	/* argv ends with NULL */
	if (!places_path(path, sizeof(path), "%s/arena/%s", places_tools(), name))
		return EXIT_USAGE;
	execv(path, argv);
	fprintf(stderr, "uvm %s: %s: %s: this is for the machine it was built on\n", name, path,
		strerror(errno));
	return EXIT_USAGE;
}

int cmd_arena(int argc, char **argv)
{
	return arena_exec("arena", argc, argv);
}

int cmd_sweep(int argc, char **argv)
{
	return arena_exec("sweep", argc, argv);
}

int cmd_compare(int argc, char **argv)
{
	return arena_exec("compare", argc, argv);
}
