// SPDX-License-Identifier: GPL-2.0
/*
 * Launches written as "k<< <grid, block>> >(...)": nvcc takes blanks inside "<<<" and ">>>", and
 * formatters of C++ write them; to clang they are other operators.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cc_cuda.h"

/* Behind the comment, string or character that begins at @at, or @at. */
static const char *skip_quoted(const char *at)
{
	char quote = *at;
	const char *end;

	if (at[0] == '/' && at[1] == '/')
		return at + strcspn(at, "\n");
	if (at[0] == '/' && at[1] == '*') {
		end = strstr(at + 2, "*/");
		return end ? end + 2 : at + strlen(at);
	}
	if (quote != '"' && quote != '\'')
		return at;
	for (at++; *at && *at != quote && *at != '\n'; at++)
		at += *at == '\\' && at[1];
	return *at == quote ? at + 1 : at;
}

/* Three of @sign with blanks between, but not three in a row: behind them; else NULL. */
static char *spaced(char *at, char sign)
{
	char *start = at;
	int found = 0;

	for (; found < 3; at++) {
		if (*at == sign)
			found++;
		else if (!found || !strchr(" \t\n", *at) || !*at)
			return NULL;
	}
	return at - start > 3 ? at : NULL;
}

/* The three signs first, then the blanks: the length stays, and so do lines but for these. */
static void close_up(char *at, char *end, char sign)
{
	char *to = end;

	for (char *c = end - 1; c >= at; c--)
		if (*c != sign)
			*--to = *c;
	memset(at, sign, 3);
}

static char *next_sign(char *at, char sign)
{
	while (*at && *at != sign && *at != ';') {
		char *behind = (char *)skip_quoted(at);

		at = behind == at ? at + 1 : behind;
	}
	return at;
}

/* The ">> >" of a launch that began before @at: what a "(" follows. */
static char *find_end(char *at, char **end)
{
	for (at = next_sign(at, '>'); *at == '>'; at = next_sign(at + 1, '>')) {
		*end = spaced(at, '>');
		if (!*end && !strncmp(at, ">>>", 3))
			*end = at + 3;
		if (*end && (*end)[strspn(*end, " \t\n\\")] == '(')
			return at;
	}
	return NULL;
}

static bool close_all(char *text)
{
	char *at = text, *end, *close, *close_end;
	bool found = false;

	while (*at) {
		char *behind = (char *)skip_quoted(at);

		if (behind != at) {
			at = behind;
			continue;
		}
		end = spaced(at, '<');
		if (!end && !strncmp(at, "<<<", 3))
			end = at + 3;
		close = end ? find_end(end, &close_end) : NULL;
		if (!close) {
			at++;
			continue;
		}
		if (end - at > 3 || close_end - close > 3)
			found = true;
		if (close_end - close > 3)
			close_up(close, close_end, '>');
		if (end - at > 3)
			close_up(at, end, '<');
		at = end;
	}
	return found;
}

static char *read_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	size_t room = 1 << 16, bytes = 0, more;
	char *text = malloc(room + 1);

	if (!file || !text) {
		perror(path);
		free(text);
		if (file)
			fclose(file);
		return NULL;
	}
	while ((more = fread(text + bytes, 1, room - bytes, file))) {
		bytes += more;
		if (bytes == room)
			text = realloc(text, (room *= 2) + 1);
	}
	fclose(file);
	text[bytes] = '\0';
	return text;
}

const char *cc_chevrons(const char *source, const char *room)
{
	char *text = read_file(source);
	const char *result = source;
	FILE *copy;

	if (!text)
		return NULL;
	if (close_all(text)) {
		result = NULL;
		copy = fopen(room, "w");
		if (copy) {
			fprintf(copy, "#line 1 \"%s\"\n%s", source, text);
			result = fclose(copy) ? NULL : room;
		}
		if (!result)
			perror(room);
	}
	free(text);
	return result;
}
