// SPDX-License-Identifier: GPL-2.0
/* What is said of a command line that is wrong. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "../lib/nearest.h"
#include "usage.h"
#include "uvm_cmd.h"

static const char *usage_option_name(const struct option *options, int value)
{
	for (; options->name; options++)
		if (options->val == value)
			return options->name;
	return NULL;
}

/* A long option that does not exist, or the beginning of several. */
static void usage_unknown(const char *command, const char *given, const struct option *options)
{
	char word[64], hint[96];
	struct nearest n = { .word = word };

	snprintf(word, sizeof(word), "%.*s", (int)strcspn(given, "="), given);
	for (; options->name; options++)
		nearest_try(&n, options->name);
	if (n.name)
		snprintf(hint, sizeof(hint), "; did you mean '--%s'?", n.name);
	else
		snprintf(hint, sizeof(hint), "; see 'uvm %s --help'", command);
	fprintf(stderr, "uvm %s: no such option '--%s'%s\n", command, word, hint);
}

int usage_bad_option(const char *command, int found, char **argv, const struct option *options)
{
	const char *name = optopt ? usage_option_name(options, optopt) : NULL;
	const char *given = argv[optind - 1];

	if (found == ':' && name)
		fprintf(stderr, "uvm %s: --%s needs a value\n", command, name);
	else if (found == ':')
		fprintf(stderr, "uvm %s: -%c needs a value\n", command, optopt);
	else if (name)
		fprintf(stderr, "uvm %s: --%s takes no value\n", command, name);
	else if (optopt)
		fprintf(stderr, "uvm %s: no such option '-%c'; see 'uvm %s --help'\n", command,
			optopt, command);
	else
		usage_unknown(command, given + 2, options);
	return EXIT_USAGE;
}
