/* SPDX-License-Identifier: GPL-2.0 */
/* What is said of a command line that is wrong. */
#ifndef UVM_USAGE_H
#define UVM_USAGE_H

struct option;

/*
 * getopt_long() with @options, whose short ones began with ':', returned @found, '?' or ':', for
 * "uvm @command": say what is wrong on stderr, and the option most like it.  Returns EXIT_USAGE.
 */
int usage_bad_option(const char *command, int found, char **argv, const struct option *options);

#endif
