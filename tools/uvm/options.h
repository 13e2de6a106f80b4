/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The options of a command: one table, a row for each.  The parser, its error messages and --help
 * are made from it.
 */
#ifndef UVM_OPTIONS_H
#define UVM_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define OPTIONS_MAX		96	/* rows of one table */
#define OPTION_WORDS_MAX	36

enum option_kind {
	OPTION_KIND_END,	/* no row */
	OPTION_KIND_GROUP,	/* no option: @help is the heading of the rows that follow */
	OPTION_KIND_FLAG,	/* bool; it takes no value */
	OPTION_KIND_NUMBER,	/* int, from @min to @max */
	OPTION_KIND_SIZE,	/* uint64_t, at least @min: parse_size() */
	OPTION_KIND_PERCENT,	/* uint64_t, in 0.1 %: parse_percent() */
	OPTION_KIND_TEXT,	/* const char * */
	OPTION_KIND_WORDS,	/* struct option_words, at most @max: it may be given again and again */
	OPTION_KIND_CALL,	/* @take has it */
};

/**
 * struct option_words - the values of an option that is repeated
 * @word: in the order of the command line
 * @count: how many
 */
struct option_words {
	const char *word[OPTION_WORDS_MAX];
	unsigned int count;
};

/**
 * struct option_row - an option
 * @name: without dashes
 * @kind: how its value is read
 * @field: where the value goes: offset in the command's struct
 * @argument: what --help calls its value, as "FILE"; NULL: it takes none
 * @help: what it does, in one line however long
 * @otherwise: its value if it is not given, as on the command line; NULL: the field stays.
 *	OPTION_KIND_CALL: only --help has it
 * @environment: the variable that gives it, if the command line does not; or NULL
 * @form: what the value must be, for the error; NULL: that of the kind
 * @without: the name of an option that excludes this one, or NULL
 * @needs: the name of an option that this one is for, or NULL
 * @min: see @kind
 * @max: see @kind
 * @letter: its short name, or 0
 * @check: of a text or word: is the value allowed?  NULL: all are
 * @explain: complete an error about a refused value, instead of @form; or NULL
 * @take: OPTION_KIND_CALL: take the value (NULL: there is none), or return false: it is refused
 */
struct option_row {
	const char *name;
	enum option_kind kind;
	size_t field;
	const char *argument;
	const char *help;
	const char *otherwise;
	const char *environment;
	const char *form;
	const char *without;
	const char *needs;
	uint64_t min;
	uint64_t max;
	char letter;
	bool (*check)(const char *value);
	void (*explain)(FILE *to, const char *value);
	bool (*take)(void *into, const struct option_row *row, const char *value);
};

/* The offset of a member, if it has the type that its kind writes. */
#define OPTION_FIELD(type, member, wanted)	\
	(offsetof(type, member) + 0 * _Generic(((type *)0)->member, wanted: 0))

/* Kind and field of a row, behind its name and before its argument. */
#define OPTION_FLAG(type, member)	\
	.kind = OPTION_KIND_FLAG, .field = OPTION_FIELD(type, member, bool), NULL
#define OPTION_NUMBER(type, member)	\
	.kind = OPTION_KIND_NUMBER, .field = OPTION_FIELD(type, member, int)
#define OPTION_SIZE(type, member)	\
	.kind = OPTION_KIND_SIZE, .field = OPTION_FIELD(type, member, uint64_t)
#define OPTION_PERCENT(type, member)	\
	.kind = OPTION_KIND_PERCENT, .field = OPTION_FIELD(type, member, uint64_t)
#define OPTION_TEXT(type, member)	\
	.kind = OPTION_KIND_TEXT, .field = OPTION_FIELD(type, member, const char *)
#define OPTION_WORDS(type, member)	\
	.kind = OPTION_KIND_WORDS, .field = OPTION_FIELD(type, member, struct option_words)
/* A number's text, for @otherwise. */
#define OPTION_DEFAULT_(number)	#number
#define OPTION_DEFAULT(number)	OPTION_DEFAULT_(number)

/* A heading. */
#define OPTION_GROUP(text)	{ .kind = OPTION_KIND_GROUP, .help = (text) }

/**
 * struct options - the command line of a command
 * @command: its name
 * @usage: what may follow "uvm", a line each
 * @about: what it does, for --help; or NULL
 * @rows: its options; ends with OPTION_KIND_END.  --help and -h are understood besides
 * @after: more, behind the options; or NULL
 * @first_ends: what follows the first word that is no option is not ours
 * @help: prints --help instead of options_help(), or NULL
 */
struct options {
	const char *command;
	const char *usage;
	const char *about;
	const struct option_row *rows;
	const char *after;
	bool first_ends;
	void (*help)(int argc, char **argv);
};

/**
 * options_parse - read a command line
 * @o: its options; at most OPTIONS_MAX rows
 * @into: the command's struct.  Fields of options that are not given keep their values, unless the
 *	row has one
 * @argc: of main(), from the command on
 * @argv: likewise; words that are no options go to its end
 *
 * Ends the program after --help (EXIT_OK) and after saying what is wrong (EXIT_USAGE).
 *
 * Return: the index in @argv of the first word that is no option; @argc: there is none.
 */
int options_parse(const struct options *o, void *into, int argc, char **argv);

/* The page of --help. */
void options_help(const struct options *o, FILE *to);

/* Rows of --help alone. */
void options_print(const struct option_row *rows, FILE *to);

/* Say on stderr that a value is refused: "uvm COMMAND: bad --NAME 'VALUE': it must be FORM". */
void options_refuse(const char *command, const char *name, const char *value, const char *form);

#endif
