// SPDX-License-Identifier: GPL-2.0
/* uvm cc: compile GPU kernels with stock clang and lld, with the flags that matter. */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "uvm_cmd.h"

#define CC_WORDS	256

/**
 * struct cc_line - a command line being built
 * @word: words; those from sprintf are never freed, the process ends soon
 * @count: how many
 */
struct cc_line {
	char *word[CC_WORDS + 1];
	unsigned int count;
};

static bool cc_add(struct cc_line *line, const char *word)
{
	if (line->count == CC_WORDS) {
		fprintf(stderr, "uvm cc: too many arguments\n");
		return false;
	}
	line->word[line->count] = strdup(word);
	return line->word[line->count++];
}

/* Flags as the build had them: words separated by blanks. */
static bool cc_add_flags(struct cc_line *line, const char *flags)
{
	char *copy = strdup(flags), *save = NULL, *word;

	for (word = copy ? strtok_r(copy, " ", &save) : NULL; word;
	     word = strtok_r(NULL, " ", &save))
		if (!cc_add(line, word))
			return false;
	free(copy);
	return true;
}

static int cc_execute(const struct cc_line *line, bool verbose)
{
	unsigned int i;
	int status;
	pid_t pid;

	for (i = 0; verbose && i < line->count; i++)
		fprintf(stderr, "%s%s", line->word[i], i + 1 < line->count ? " " : "\n");

	pid = fork();
	if (!pid) {
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

/* Headers and the linker script: $UVM_TOOLS, else where this was built from. */
static const char *cc_tools_directory(void)
{
	const char *directory = getenv("UVM_TOOLS");

	return directory ? directory : UVM_TOOLS_DIRECTORY;
}

static bool cc_compile_line(struct cc_line *line, const char *tools)
{
	const char *compiler = getenv("UVM_CLANG");
	char text[PATH_MAX + 32];

	if (!cc_add(line, compiler ? compiler : "clang") || !cc_add_flags(line, UVM_KERNEL_CFLAGS))
		return false;
	snprintf(text, sizeof(text), "-I%s/include", tools);
	if (!cc_add(line, text))
		return false;
	snprintf(text, sizeof(text), "-I%s/../include", tools);
	return cc_add(line, text) && cc_add(line, "-c");
}

static int cc_link(const char *object, const char *output, const char *tools, bool verbose)
{
	const char *linker = getenv("UVM_LLD");
	struct cc_line line = { 0 };
	char script[PATH_MAX + 32];

	snprintf(script, sizeof(script), "%s/include/softgpu.ld", tools);
	if (!cc_add(&line, linker ? linker : "ld.lld") ||
	    !cc_add_flags(&line, UVM_KERNEL_LDFLAGS) || !cc_add(&line, "-T") ||
	    !cc_add(&line, script) || !cc_add(&line, object) || !cc_add(&line, "-o") ||
	    !cc_add(&line, output))
		return EXIT_USAGE;
	return cc_execute(&line, verbose);
}

static void cc_usage(FILE *to)
{
	fprintf(to,
		"usage: uvm cc [-v] [CLANG-OPTION]... KERNEL.c [-o KERNEL.elf]\n\n"
		"Compiles a GPU kernel (see softgpu_kernel.h) into an image for uvm_load_image().\n"
		"Uses clang and ld.lld, or $UVM_CLANG and $UVM_LLD; -v shows the commands.\n"
		"Headers and linker script are taken from $UVM_TOOLS, or %s.\n",
		UVM_TOOLS_DIRECTORY);
}

int cmd_cc(int argc, char **argv)
{
	const char *tools = cc_tools_directory(), *source = NULL, *output = NULL;
	char object[PATH_MAX + 8], image[PATH_MAX];
	struct cc_line line = { 0 };
	bool verbose = false;
	size_t length;
	int i, status;

	if (!cc_compile_line(&line, tools))
		return EXIT_USAGE;
	for (i = 1; i < argc; i++) {
		length = strlen(argv[i]);
		if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
			cc_usage(stdout);
			return EXIT_OK;
		}
		if (!strcmp(argv[i], "-v")) {
			verbose = true;
		} else if (!strcmp(argv[i], "-o") && i + 1 < argc) {
			output = argv[++i];
		} else {
			if (length > 2 && !strcmp(argv[i] + length - 2, ".c"))
				source = argv[i];
			if (!cc_add(&line, argv[i]))
				return EXIT_USAGE;
		}
	}
	if (!source) {
		cc_usage(stderr);
		return EXIT_USAGE;
	}

	length = strlen(source) - 2;
	snprintf(image, sizeof(image), "%.*s.elf", (int)length, source);
	if (!output)
		output = image;
	snprintf(object, sizeof(object), "%s.o", output);
	if (!cc_add(&line, "-o") || !cc_add(&line, object))
		return EXIT_USAGE;

	status = cc_execute(&line, verbose);
	if (!status)
		status = cc_link(object, output, tools, verbose);
	unlink(object);
	return status;
}
