/* SPDX-License-Identifier: GPL-2.0 */
/* Command lines of compilers and linkers, for both kinds of source that `uvm cc` takes. */
#ifndef CC_H
#define CC_H

#include <stdbool.h>
#include <stdio.h>

#define CC_WORDS	512

/**
 * struct cc_line - a command line being built
 * @word: words, never freed: the process ends soon
 * @count: how many
 */
struct cc_line {
	char *word[CC_WORDS + 1];
	unsigned int count;
};

/* NULL, and said, without memory. */
char *cc_copy(const char *text);

/* False, and said, if there are too many, or there is no memory. */
bool cc_add(struct cc_line *line, const char *word);
/* Words separated by blanks, as the build had its flags. */
bool cc_add_flags(struct cc_line *line, const char *flags);
bool __attribute__((format(printf, 2, 3))) cc_addf(struct cc_line *line, const char *format, ...);
bool cc_add_line(struct cc_line *line, const struct cc_line *words);

/* Run it, an EXIT_ status; with @to its descriptor @fd goes to that file. */
int cc_execute(const struct cc_line *line, bool verbose, int fd, const char *to);

/* What it said there.  NULL: it has not begun, or that cannot be read; both are said. */
FILE *cc_open_said(const char *path);

bool cc_ends_with(const char *text, const char *end);

/* cc_cuda.c: some of the words is a part of a CUDA program, not a kernel in C. */
bool cc_is_cuda(int argc, char **argv);
int cc_cuda(int argc, char **argv);

#endif
