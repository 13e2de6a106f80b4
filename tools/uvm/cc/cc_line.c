// SPDX-License-Identifier: GPL-2.0
/* Command lines of compilers and linkers. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cc/cc.h"
#include "child.h"
#include "uvm_cmd.h"

char *cc_copy(const char *text)
{
	char *copy = strdup(text);

	if (!copy)
		perror("uvm cc");
	return copy;
}

bool cc_add(struct cc_line *line, const char *word)
{
	if (line->count == CC_WORDS) {
		fprintf(stderr, "uvm cc: too many arguments\n");
		return false;
	}
	line->word[line->count] = cc_copy(word);
	return line->word[line->count] && ++line->count;
}

bool cc_add_flags(struct cc_line *line, const char *flags)
{
	char *copy = cc_copy(flags), *save = NULL, *word;
	bool good = copy;

	for (word = good ? strtok_r(copy, " ", &save) : NULL; good && word;
	     word = strtok_r(NULL, " ", &save))
		good = cc_add(line, word);
	free(copy);
	return good;
}

bool cc_addf(struct cc_line *line, const char *format, ...)
{
	va_list arguments;
	char *word;
	bool good;

	va_start(arguments, format);
	good = vasprintf(&word, format, arguments) >= 0;
	va_end(arguments);
	if (!good) {
		perror("uvm cc");
		return false;
	}
	good = cc_add(line, word);
	free(word);
	return good;
}

bool cc_add_line(struct cc_line *line, const struct cc_line *words)
{
	for (unsigned int i = 0; i < words->count; i++)
		if (!cc_add(line, words->word[i]))
			return false;
	return true;
}

/**
 * struct cc_output - where a command's output goes
 * @fd: its descriptor
 * @to: the file
 */
struct cc_output {
	int fd;
	const char *to;
};

/* In the process that becomes the command. */
static void cc_redirect(const void *arg)
{
	const struct cc_output *output = arg;
	int file = open(output->to, O_WRONLY | O_CREAT | O_TRUNC, 0666);

	if (file >= 0 && dup2(file, output->fd) >= 0)
		return;
	fprintf(stderr, "uvm cc: %s: %s\n", output->to, strerror(errno));
	_exit(CHILD_MISSING);
}

int cc_execute(const struct cc_line *line, bool verbose, int fd, const char *to)
{
	struct cc_output output = { fd, to };
	unsigned int i;
	int status;

	for (i = 0; verbose && i < line->count; i++)
		fprintf(stderr, "%s%s", line->word[i], i + 1 < line->count ? " " : "\n");

	status = child_run("cc", (char **)line->word, to ? cc_redirect : NULL, &output);
	if (status < 0 || status == CHILD_MISSING)
		return EXIT_DEVICE;
	return status ? EXIT_WRONG : EXIT_OK;
}

FILE *cc_open_said(const char *path)
{
	FILE *said = fopen(path, "r");

	if (!said && errno != ENOENT)
		fprintf(stderr, "uvm cc: %s: %s\n", path, strerror(errno));
	return said;
}

bool cc_ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);

	return length >= tail && !strcmp(text + length - tail, end);
}
