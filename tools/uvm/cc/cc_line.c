// SPDX-License-Identifier: GPL-2.0
/* Command lines of compilers and linkers. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cc/cc.h"
#include "uvm_cmd.h"

bool cc_add(struct cc_line *line, const char *word)
{
	if (line->count == CC_WORDS) {
		fprintf(stderr, "uvm cc: too many arguments\n");
		return false;
	}
	line->word[line->count] = strdup(word);
	return line->word[line->count++];
}

bool cc_add_flags(struct cc_line *line, const char *flags)
{
	char *copy = strdup(flags), *save = NULL, *word;

	for (word = copy ? strtok_r(copy, " ", &save) : NULL; word;
	     word = strtok_r(NULL, " ", &save))
		if (!cc_add(line, word))
			return false;
	free(copy);
	return true;
}

bool cc_addf(struct cc_line *line, const char *format, ...)
{
	va_list arguments;
	char *word;
	bool good;

	va_start(arguments, format);
	good = vasprintf(&word, format, arguments) >= 0;
	va_end(arguments);
	if (!good)
		return false;
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

int cc_execute(const struct cc_line *line, bool verbose, int fd, const char *to)
{
	unsigned int i;
	int status, file;
	pid_t pid;

	for (i = 0; verbose && i < line->count; i++)
		fprintf(stderr, "%s%s", line->word[i], i + 1 < line->count ? " " : "\n");

	pid = fork();
	if (!pid) {
		file = to ? open(to, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
		if (to && (file < 0 || dup2(file, fd) < 0))
			_exit(127);
		execvp(line->word[0], line->word);
		fprintf(stderr, "uvm cc: %s: %s\n", line->word[0], strerror(errno));
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return EXIT_DEVICE;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return EXIT_DEVICE;
	return WIFEXITED(status) && !WEXITSTATUS(status) ? EXIT_OK : EXIT_WRONG;
}

bool cc_ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);

	return length >= tail && !strcmp(text + length - tail, end);
}
