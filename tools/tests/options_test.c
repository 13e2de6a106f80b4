// SPDX-License-Identifier: GPL-2.0
/* Tables of options: values, what is refused and how, --help. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../uvm/options.h"
#include "../uvm/uvm_cmd.h"
#include "test.h"

struct line {
	bool flag;
	int number;
	uint64_t size, percent;
	const char *text, *variable;
	struct option_words words;
	unsigned int calls;
};

static bool no_x(const char *value)
{
	return !strchr(value, 'x');
}

static void explain(FILE *to, const char *value)
{
	fprintf(to, "no x in '%s'\n", value);
}

static bool call(void *into, const struct option_row *row, const char *value)
{
	struct line *line = into;

	line->calls += strlen(row->name) + (value ? strlen(value) : 0);
	return !value || no_x(value);
}

#define LINE(kind, member)	OPTION_##kind(struct line, member)

static const struct option_row rows[] = {
	OPTION_GROUP("One"),
	{ "flag", LINE(FLAG, flag), "short" },
	{ "number", LINE(NUMBER, number), "N", "of things", "3", .min = 1, .max = 9, .letter = 'n' },
	{ "size", LINE(SIZE, size), "SIZE", "at least 4 KB", .min = 4096 },
	OPTION_GROUP("Two"),
	{ "percent", LINE(PERCENT, percent), "PCT", "some", .without = "size" },
	{ "text", LINE(TEXT, text), "TEXT", "any without x", .check = no_x, .explain = explain },
	{ "words", LINE(WORDS, words), "WORD", "for a text", .max = 2, .needs = "text" },
	{ "variable", LINE(TEXT, variable), "TEXT", "from there", .environment = "OPTIONS_TEST",
	  .check = no_x, .form = "without x" },
	{ "call", .kind = OPTION_KIND_CALL, .argument = "V", "one", .take = call, .form = "no x" },
	{ "a-name-that-is-long", .kind = OPTION_KIND_CALL, .help =
	  "a text of so many words that it does not fit where it is to stand", .take = call },
	{ 0 },
};

static const struct options options = {
	.command = "test", .usage = "test A\ntest B", .about = "About.\n", .rows = rows,
	.after = "After.\n",
};

static const char page[] =
	"usage: uvm test A\n"
	"       uvm test B\n"
	"\n"
	"About.\n"
	"\n"
	"One:\n"
	"  --flag                  short\n"
	"  -n, --number N          of things (3)\n"
	"  --size SIZE             at least 4 KB\n"
	"\n"
	"Two:\n"
	"  --percent PCT           some; not with --size\n"
	"  --text TEXT             any without x\n"
	"  --words WORD            for a text; with --text\n"
	"  --variable TEXT         from there ($OPTIONS_TEST)\n"
	"  --call V                one\n"
	"  --a-name-that-is-long   a text of so many words that it does not fit where it\n"
	"                          is to stand\n"
	"\n"
	"After.\n";

/* Lines that end the program, and what they say. */
static const struct {
	const char *words, *says;
	int status;
} ends[] = {
	{ "--help", page, EXIT_OK },
	{ "-h --flga", page, EXIT_OK },
	{ "--flga", "uvm test: no such option '--flga'; did you mean '--flag'?\n", EXIT_USAGE },
	{ "--zzzzzz=1", "uvm test: no such option '--zzzzzz'; see 'uvm test --help'\n", EXIT_USAGE },
	{ "-z", "uvm test: no such option '-z'; see 'uvm test --help'\n", EXIT_USAGE },
	{ "--flag=yes", "uvm test: --flag takes no value\n", EXIT_USAGE },
	{ "--size", "uvm test: --size needs a value\n", EXIT_USAGE },
	{ "-n", "uvm test: --number needs a value\n", EXIT_USAGE },
	{ "-n0", "uvm test: bad --number '0': it must be a whole number from 1 to 9\n", EXIT_USAGE },
	{ "-n 10", "uvm test: bad --number '10': it must be a whole number from 1 to 9\n", EXIT_USAGE },
	{ "-n 99999999999", "uvm test: bad --number '99999999999': it must be a whole number from 1 to 9\n",
	  EXIT_USAGE },
	{ "--size 4095", "uvm test: bad --size '4095': it must be a whole number, or one with K, M, G "
	  "or T, as 64K, 1.5M, 4GiB\n", EXIT_USAGE },
	{ "--percent 0", "uvm test: bad --percent '0': it must be per cent, with one decimal at most, "
	  "as 150 or 133.3\n", EXIT_USAGE },
	{ "--text xy", "uvm test: no x in 'xy'\n", EXIT_USAGE },
	{ "--variable xy", "uvm test: bad --variable 'xy': it must be without x\n", EXIT_USAGE },
	{ "--call x", "uvm test: bad --call 'x': it must be no x\n", EXIT_USAGE },
	{ "--text a --words 1 --words 2 --words 3", "uvm test: --words can be given 2 times at most\n",
	  EXIT_USAGE },
	{ "--words 1", "uvm test: --words is for --text\n", EXIT_USAGE },
	{ "--size 4K --percent 5", "uvm test: --percent and --size exclude each other\n", EXIT_USAGE },
};

static int split(char *words, char **argv)
{
	int argc = 0;

	argv[argc++] = "test";
	while ((argv[argc] = strsep(&words, " ")))
		argc++;
	return argc;
}

/* What a line says that ends the program, and its exit status; -1: it does not end it. */
static int end_of(const char *words, char *said, size_t room)
{
	char *argv[16], *copy = strdup(words);
	int argc = split(copy, argv), fds[2], status = -1;
	ssize_t got;
	pid_t pid;

	if (pipe(fds))
		return -1;
	fflush(NULL);
	pid = fork();
	if (!pid) {
		struct line line = { 0 };

		dup2(fds[1], STDOUT_FILENO);
		dup2(fds[1], STDERR_FILENO);
		options_parse(&options, &line, argc, argv);
		_exit(99);
	}
	close(fds[1]);
	for (size_t at = 0; (got = read(fds[0], said + at, room - at - 1)) > 0; at += got)
		said[at + got] = '\0';
	close(fds[0]);
	waitpid(pid, &status, 0);
	free(copy);
	return WEXITSTATUS(status);
}

int main(void)
{
	char *argv[16], said[4096], first[] = "word --flag -n 5 --si 8K --text=a --words b --words c rest",
	     second[] = "--call four --a-name-that-is-long -- --flag";
	struct line line = { 0 };
	int argc;

	for (size_t i = 0; i < ROWS(ends); i++) {
		said[0] = '\0';
		CHECK(end_of(ends[i].words, said, sizeof(said)) == ends[i].status, "%s", ends[i].words);
		CHECK(!strcmp(said, ends[i].says), "%s: %s", ends[i].words, said);
	}

	argc = split(first, argv);
	CHECK(options_parse(&options, &line, argc, argv) == argc - 2, "two words are left");
	CHECK(!strcmp(argv[argc - 2], "word") && !strcmp(argv[argc - 1], "rest"), "they are last");
	CHECK(line.flag && line.number == 5 && line.size == 8192 && !line.percent, "values");
	CHECK(line.words.count == 2 && !strcmp(line.words.word[1], "c"), "words");
	CHECK(!line.variable, "no variable");

	memset(&line, 0, sizeof(line));
	line.percent = 7;
	setenv("OPTIONS_TEST", "there", 1);
	argc = split(second, argv);
	CHECK(options_parse(&options, &line, argc, argv) == argc - 1, "behind --");
	CHECK(!line.flag && line.number == 3 && line.percent == 7, "what is not given");
	CHECK(line.calls == 4 + 4 + 19, "%u", line.calls);
	CHECK(line.variable && !strcmp(line.variable, "there"), "of the environment");
	return test_end("options");
}
