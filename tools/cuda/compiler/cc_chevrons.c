// SPDX-License-Identifier: GPL-2.0
/*
 * Launches as nvcc takes them and clang does not: "k<< <grid, block>> >(...)", with blanks inside "<<<"
 * and ">>>", which formatters of C++ write and which to clang are other operators; and
 * "k<<<{2, 2}, {32, 8}>>>(...)", with arguments in braces.
 */
#define _GNU_SOURCE
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

static bool close_chevrons(char *text)
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

/* What arguments are of, to be said before a brace. */
static const char * const argument_types[] = { "dim3", "dim3", "size_t", "cudaStream_t" };

#define ARGUMENTS (sizeof(argument_types) / sizeof(*argument_types))

/* A launch's arguments, from @at to @end: true if a type was said. */
static bool put_arguments(FILE *to, const char *at, const char *end)
{
	bool begins = true, said = false;
	unsigned int argument = 0;
	int depth = 0;

	for (const char *behind; at < end; at = behind) {
		behind = skip_quoted(at);
		if (behind == at) {
			if (begins && *at == '{' && argument < ARGUMENTS) {
				fputs(argument_types[argument], to);
				said = true;
			}
			depth += strchr("({[", *at) ? 1 : strchr(")}]", *at) ? -1 : 0;
			argument += *at == ',' && !depth;
			begins = (*at == ',' && !depth) || (begins && strchr(" \t\n\\", *at));
			behind++;
		}
		fwrite(at, 1, behind - at, to);
	}
	return said;
}

/* True if something is another than in @text. */
static bool put_launches(FILE *to, char *text)
{
	char *at = text, *behind, *close, *close_end;
	bool said = false;

	for (; *at; at = behind) {
		behind = (char *)skip_quoted(at);
		close = behind == at && !strncmp(at, "<<<", 3) ? find_end(at + 3, &close_end) : NULL;
		if (close) {
			fputs("<<<", to);
			said |= put_arguments(to, at + 3, close);
			behind = close;
			continue;
		}
		behind += behind == at;
		fwrite(at, 1, behind - at, to);
	}
	return said;
}

bool cc_launches(char *text, char **mended)
{
	bool closed = close_chevrons(text), said;
	char *result = NULL;
	size_t bytes;
	FILE *to = open_memstream(&result, &bytes);

	*mended = NULL;
	said = to && put_launches(to, text);
	if (!to || fclose(to) || !result) {
		perror("uvm cc");
		free(result);
		return false;
	}
	if (closed || said)
		*mended = result;
	else
		free(result);
	return true;
}

char *cc_read_source(const char *path)
{
	FILE *file = fopen(path, "rb");
	size_t room = 1 << 16, bytes = 0, more;
	char *text = malloc(room + 1), *grown;

	if (!file || !text) {
		perror(path);
		free(text);
		if (file)
			fclose(file);
		return NULL;
	}
	while ((more = fread(text + bytes, 1, room - bytes, file))) {
		bytes += more;
		if (bytes < room)
			continue;
		grown = realloc(text, (room *= 2) + 1);
		if (!grown) {
			perror(path);
			free(text);
			fclose(file);
			return NULL;
		}
		text = grown;
	}
	if (ferror(file)) {
		perror(path);
		free(text);
		text = NULL;
	} else {
		text[bytes] = '\0';
	}
	fclose(file);
	return text;
}

const char *cc_chevrons(const char *source, const char *room)
{
	char *text = cc_read_source(source), *mended;
	const char *result = source;
	FILE *copy;

	if (!text)
		return NULL;
	if (!cc_launches(text, &mended))
		result = NULL;
	if (mended) {
		result = NULL;
		copy = fopen(room, "w");
		if (copy) {
			fprintf(copy, "#line 1 \"%s\"\n%s", source, mended);
			result = fclose(copy) ? NULL : room;
		}
		if (!result)
			perror(room);
	}
	free(mended);
	free(text);
	return result;
}
