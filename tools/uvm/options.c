// SPDX-License-Identifier: GPL-2.0
/* Command lines from tables of options: parser, errors, --help. */
#define _GNU_SOURCE
#include <assert.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/nearest.h"
#include "options.h"
#include "parse.h"
#include "uvm_cmd.h"

#define HELP_COLUMN	26	/* where texts begin */
#define HELP_WIDTH	80
#define LONG_OPTION	256	/* getopt's value of the first row; letters are below */

/**
 * struct options_line - a command line that is read
 * @o: what may be there
 * @into: the command's struct
 * @longs: the same options for getopt, with --help
 * @letters: likewise
 * @given: by row
 */
struct options_line {
	const struct options *o;
	void *into;
	struct option longs[OPTIONS_MAX + 2];
	char letters[2 * OPTIONS_MAX + 4];
	bool given[OPTIONS_MAX];
};

/* ---- --help ----------------------------------------------------------- */

/* Words from HELP_COLUMN to HELP_WIDTH; the cursor is at @at. */
static void help_words(FILE *to, const char *text, int at)
{
	int length;

	if (at >= HELP_COLUMN) {
		fputc('\n', to);
		at = 0;
	}
	fprintf(to, "%*s", HELP_COLUMN - at, "");
	for (at = HELP_COLUMN; *text; text += length + (text[length] == ' ')) {
		length = (int)strcspn(text, " ");
		if (at > HELP_COLUMN && at + 1 + length > HELP_WIDTH) {
			fprintf(to, "\n%*s", HELP_COLUMN, "");
			at = HELP_COLUMN;
		}
		at += fprintf(to, "%s%.*s", at > HELP_COLUMN ? " " : "", length, text);
	}
	fputc('\n', to);
}

static void help_row(FILE *to, const struct option_row *row)
{
	int at = fprintf(to, "  ");
	char *text;

	if (row->letter)
		at += fprintf(to, "-%c, ", row->letter);
	at += fprintf(to, "--%s%s%s", row->name, row->argument ? " " : "",
		      row->argument ? row->argument : "");
	if (asprintf(&text, "%s%s%s%s%s%s%s%s%s", row->help,
		     row->needs ? "; with --" : "", row->needs ? row->needs : "",
		     row->without ? "; not with --" : "", row->without ? row->without : "",
		     row->otherwise ? " (" : row->environment ? " ($" : "",
		     row->otherwise ? row->otherwise : "", row->environment ? row->environment : "",
		     row->otherwise || row->environment ? ")" : "") < 0)
		return;	/* main() says so at the end */
	/* "  --name" takes two columns at least before its text */
	help_words(to, text, at > HELP_COLUMN - 2 ? HELP_COLUMN : at);
	free(text);
}

void options_print(const struct option_row *rows, FILE *to)
{
	for (const struct option_row *row = rows; row->kind != OPTION_KIND_END; row++) {
		if (row->kind == OPTION_KIND_GROUP)
			fprintf(to, "%s%s:\n", row == rows ? "" : "\n", row->help);
		else
			help_row(to, row);
	}
}

void options_help(const struct options *o, FILE *to)
{
	const char *line = o->usage;
	int length = (int)strcspn(line, "\n");

	fprintf(to, "usage: uvm %.*s\n", length, line);
	while (line[length]) {
		line += length + 1;
		length = (int)strcspn(line, "\n");
		fprintf(to, "       uvm %.*s\n", length, line);
	}
	if (o->about)
		fprintf(to, "\n%s", o->about);
	fputc('\n', to);
	options_print(o->rows, to);
	if (o->after)
		fprintf(to, "\n%s", o->after);
}

/* ---- errors ----------------------------------------------------------- */

void options_refuse(const char *command, const char *name, const char *value, const char *form)
{
	fprintf(stderr, "uvm %s: bad --%s '%s': it must be %s\n", command, name, value, form);
}

static void options_bad_value(const struct options *o, const struct option_row *row,
			      const char *value)
{
	char range[64];

	if (row->explain) {
		fprintf(stderr, "uvm %s: ", o->command);
		row->explain(stderr, value);
		return;
	}
	if (row->kind == OPTION_KIND_NUMBER)
		snprintf(range, sizeof(range), "a whole number from %" PRIu64 " to %" PRIu64,
			 row->min, row->max);
	options_refuse(o->command, row->name, value,
		       row->form ? row->form :
		       row->kind == OPTION_KIND_NUMBER ? range :
		       row->kind == OPTION_KIND_PERCENT ? PARSE_PERCENT_FORM : PARSE_SIZE_FORM);
}

static const char *options_name(const struct options_line *line, int value)
{
	for (const struct option *option = line->longs; option->name; option++)
		if (option->val == value)
			return option->name;
	return NULL;
}

/* A long option that does not exist, or the beginning of several. */
static void options_unknown(const struct options_line *line, const char *given)
{
	struct nearest n = { .word = strndup(given, strcspn(given, "=")) };
	const char *command = line->o->command;

	if (!n.word) {
		fprintf(stderr, "uvm %s: no such option '--%s'\n", command, given);
		return;
	}
	for (const struct option *option = line->longs; option->name; option++)
		nearest_try(&n, option->name);
	fprintf(stderr, "uvm %s: no such option '--%s'; ", command, n.word);
	if (n.name)
		fprintf(stderr, "did you mean '--%s'?\n", n.name);
	else
		fprintf(stderr, "see 'uvm %s --help'\n", command);
	free((char *)n.word);
}

/* getopt_long() returned '?' or ':'. */
static void options_bad_option(const struct options_line *line, int found, char **argv)
{
	const char *name = optopt ? options_name(line, optopt) : NULL;
	const char *command = line->o->command;

	if (found == ':')
		fprintf(stderr, "uvm %s: --%s needs a value\n", command, name);
	else if (name)
		fprintf(stderr, "uvm %s: --%s takes no value\n", command, name);
	else if (optopt)
		fprintf(stderr, "uvm %s: no such option '-%c'; see 'uvm %s --help'\n", command,
			optopt, command);
	else
		options_unknown(line, argv[optind - 1] + 2);
}

/* ---- values ----------------------------------------------------------- */

static bool options_take_words(const struct options *o, const struct option_row *row,
			       struct option_words *words, const char *value)
{
	if (words->count == row->max) {
		fprintf(stderr, "uvm %s: --%s can be given %" PRIu64 " times at most\n", o->command,
			row->name, row->max);
		exit(EXIT_USAGE);
	}
	words->word[words->count++] = value;
	return true;
}

static bool options_take_number(const struct option_row *row, int *field, const char *value)
{
	uint64_t number;

	if (!parse_size(value, &number) || number < row->min || number > row->max)
		return false;
	*field = (int)number;
	return true;
}

static bool options_take(const struct options_line *line, const struct option_row *row,
			 const char *value)
{
	void *field = (char *)line->into + row->field;

	if (row->check && !row->check(value))
		return false;
	switch (row->kind) {
	case OPTION_KIND_FLAG:
		return *(bool *)field = true;
	case OPTION_KIND_NUMBER:
		return options_take_number(row, field, value);
	case OPTION_KIND_SIZE:
		return parse_size(value, field) && *(uint64_t *)field >= row->min;
	case OPTION_KIND_PERCENT:
		return parse_percent(value, field);
	case OPTION_KIND_WORDS:
		return options_take_words(line->o, row, field, value);
	case OPTION_KIND_CALL:
		return row->take(line->into, row, value);
	default:
		*(const char **)field = value;
		return true;
	}
}

static void options_set(struct options_line *line, const struct option_row *row, const char *value)
{
	if (!options_take(line, row, value)) {
		options_bad_value(line->o, row, value);
		exit(EXIT_USAGE);
	}
}

/* ---- the line --------------------------------------------------------- */

/* getopt's tables; what nobody gives has its value. */
static void options_begin(struct options_line *line)
{
	const struct option_row *rows = line->o->rows;
	struct option *option = line->longs;
	char *letter = line->letters;

	if (line->o->first_ends)
		*letter++ = '+';
	*letter++ = ':';
	*letter++ = 'h';
	*option++ = (struct option){ "help", no_argument, NULL, 'h' };
	for (int i = 0; rows[i].kind != OPTION_KIND_END; i++) {
		const struct option_row *row = &rows[i];
		int argument = row->argument ? required_argument : no_argument;
		const char *value = row->environment ? getenv(row->environment) : NULL;

		assert(i < OPTIONS_MAX);
		if (row->kind == OPTION_KIND_GROUP)
			continue;
		*option++ = (struct option){ row->name, argument, NULL,
					     row->letter ? row->letter : LONG_OPTION + i };
		if (row->letter)
			letter += sprintf(letter, "%c%s", row->letter, row->argument ? ":" : "");
		line->given[i] = value;
		if (!value && row->kind != OPTION_KIND_CALL)
			value = row->otherwise;
		if (value)
			options_set(line, row, value);
	}
}

/* The row of what getopt found. */
static const struct option_row *options_row(const struct options_line *line, int found)
{
	const struct option_row *row = line->o->rows;

	if (found >= LONG_OPTION)
		return row + (found - LONG_OPTION);
	while (row->letter != found)
		row++;
	return row;
}

static bool options_given(const struct options_line *line, const char *name)
{
	const struct option_row *rows = line->o->rows;

	for (int i = 0; rows[i].kind != OPTION_KIND_END; i++)
		if (line->given[i] && !strcmp(rows[i].name, name))
			return true;
	return false;
}

/* What needs or excludes what. */
static void options_check(const struct options_line *line)
{
	const char *command = line->o->command;

	for (int i = 0; line->o->rows[i].kind != OPTION_KIND_END; i++) {
		const struct option_row *row = &line->o->rows[i];

		if (!line->given[i])
			continue;
		if (row->without && options_given(line, row->without))
			fprintf(stderr, "uvm %s: --%s and --%s exclude each other\n", command,
				row->name, row->without);
		else if (row->needs && !options_given(line, row->needs))
			fprintf(stderr, "uvm %s: --%s is for --%s\n", command, row->name,
				row->needs);
		else
			continue;
		exit(EXIT_USAGE);
	}
}

int options_parse(const struct options *o, void *into, int argc, char **argv)
{
	struct options_line line = { .o = o, .into = into };
	const struct option_row *row;
	int found;

	options_begin(&line);
	opterr = 0;
	optind = 0;	/* from the beginning, whatever was read before */
	while ((found = getopt_long(argc, argv, line.letters, line.longs, NULL)) != -1) {
		if (found == 'h') {
			if (o->help)
				o->help(argc, argv);
			else
				options_help(o, stdout);
			exit(EXIT_OK);
		}
		if (found == '?' || found == ':') {
			options_bad_option(&line, found, argv);
			exit(EXIT_USAGE);
		}
		row = options_row(&line, found);
		options_set(&line, row, optarg);
		line.given[row - o->rows] = true;
	}
	options_check(&line);
	return optind;
}
