// SPDX-License-Identifier: GPL-2.0
/* uvm cc: compile GPU kernels with stock clang and lld, with the flags that matter. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "allocations.h"
#include "cc/cc.h"
#include "cc/cc_refuse.h"
#include "cc/cc_source.h"
#include "child.h"
#include "places.h"
#include "out/json_read.h"
#include "uvm_cmd.h"

/* Expressions within expressions: clang itself gives up at 256 parentheses. */
#define CC_TREE_DEPTH	10000

/* Beside those of all kernels: what errors need to name lines and sizes. */
#define CC_FLAGS "-Werror=implicit-function-declaration -gline-tables-only -fstack-size-section -c"

static bool cc_compile_line(struct cc_line *line, const char *tools)
{
	const char *compiler = getenv("UVM_CLANG");

	return cc_add(line, compiler ? compiler : UVM_KERNEL_CLANG) &&
	       cc_add_flags(line, UVM_KERNEL_CFLAGS) &&
	       cc_addf(line, "-I%s/include/kernel", tools) &&
	       cc_addf(line, "-I%s/include", tools) &&
	       cc_addf(line, "-I%s/../include/uapi", tools) && cc_add_flags(line, CC_FLAGS);
}

/**
 * struct cc_files - what lies beside the image while it is made
 * @image: the result
 * @object: the compiler's
 * @tree: the syntax tree
 * @script: which functions can be launched, for the linker
 * @said: by the linker
 */
struct cc_files {
	char image[PATH_MAX], object[PATH_MAX + 8], tree[PATH_MAX + 8], script[PATH_MAX + 8],
	     said[PATH_MAX + 8];
};

/* FILE.c makes FILE.elf, if nothing else is asked for. */
static bool cc_files_name(struct cc_files *f, const char *source, const char *output)
{
	return (output ? places_path(f->image, sizeof(f->image), "%s", output) :
			 places_path(f->image, sizeof(f->image), "%.*s.elf",
				     (int)strlen(source) - 2, source)) &&
	       places_path(f->object, sizeof(f->object), "%s.o", f->image) &&
	       places_path(f->tree, sizeof(f->tree), "%s.ast", f->image) &&
	       places_path(f->script, sizeof(f->script), "%s.map", f->image) &&
	       places_path(f->said, sizeof(f->said), "%s.err", f->image);
}

static void cc_files_remove(const struct cc_files *f)
{
	unlink(f->object);
	unlink(f->tree);
	unlink(f->script);
	unlink(f->said);
}

/* Kernels are global, so that launches find them; all else is local. */
static bool cc_write_script(const struct cc_source *source, const char *path)
{
	FILE *file = fopen(path, "w");

	if (!file) {
		perror(path);
		return false;
	}
	fprintf(file, "{ global: __softgpu_*;");
	for (int i = 0; i < source->count; i++)
		if (cc_is_kernel(&source->list[i]))
			fprintf(file, " %s;", source->list[i].name);
	fprintf(file, " local: *; };\n");
	if (!fclose(file))
		return true;
	perror(path);
	return false;
}

static int cc_link(const struct cc_files *f, const struct cc_source *source,
		   const char *tools, bool verbose)
{
	const char *linker = getenv("UVM_LLD"), *library = getenv("UVM_KERNEL_LIBRARY");
	struct cc_line line = { 0 };
	FILE *said;
	int status;

	if (!library && !places_have("kernel-library.a"))
		return EXIT_DEVICE;
	if (!cc_add(&line, linker ? linker : UVM_KERNEL_LLD) ||
	    !cc_add_flags(&line, UVM_KERNEL_LDFLAGS) || !cc_add(&line, "-T") ||
	    !cc_addf(&line, "%s/include/softgpu.ld", tools) || !cc_add(&line, "--version-script") ||
	    !cc_add(&line, f->script) || !cc_add(&line, f->object) ||
	    !(library ? cc_add(&line, library) :
			cc_addf(&line, "%s/kernel-library.a", places_libraries())) ||
	    !cc_add(&line, "-o") || !cc_add(&line, f->image))
		return EXIT_USAGE;
	status = cc_execute(&line, verbose, STDERR_FILENO, f->said);
	said = cc_open_said(f->said);
	if (!said)
		return EXIT_DEVICE;
	cc_explain_link(said, source);
	fclose(said);
	return status;
}

/* The compiler again, for the syntax tree; what it has to say it has said. */
static int cc_read_source(struct cc_source *source, struct cc_line *line,
			  const struct cc_files *f, bool verbose)
{
	struct json_object *tree = NULL;
	int status, file;

	if (!cc_add_flags(line, "-w -fsyntax-only -Xclang -ast-dump=json"))
		return EXIT_USAGE;
	status = cc_execute(line, verbose, STDOUT_FILENO, f->tree);
	if (status)
		return status;
	file = open(f->tree, O_RDONLY);
	if (file >= 0) {
		tree = json_read_file(file, CC_TREE_DEPTH);
		close(file);
	}
	if (!tree || allocations_failed()) {
		fprintf(stderr, "uvm cc: no syntax tree: %s\n", allocations_failed() ?
			strerror(ENOMEM) : json_util_get_last_err());
		json_object_put(tree);
		return EXIT_DEVICE;
	}
	return cc_source_read(source, tree) ? EXIT_OK : EXIT_WRONG;
}

static int cc_build(struct cc_line *line, const struct cc_files *f, const char *source,
		    const char *tools, bool verbose)
{
	static struct cc_source found;
	int status = cc_execute(line, verbose, -1, NULL);

	if (!status)
		status = cc_read_source(&found, line, f, verbose);
	if (!status && !cc_has_kernel(&found, source))
		status = EXIT_WRONG;
	if (!status && !cc_write_script(&found, f->script))
		status = EXIT_DEVICE;
	if (!status)
		status = cc_link(f, &found, tools, verbose);
	if (!status && (!cc_check_globals(f->image, &found) | !cc_check_stack(f->image, &found))) {
		unlink(f->image);
		status = EXIT_WRONG;
	}
	if (!status && allocations_failed()) {
		fprintf(stderr, "uvm cc: %s: no memory to check it\n", f->image);
		unlink(f->image);
		status = EXIT_DEVICE;
	}
	return status;
}

static void cc_usage(FILE *to)
{
	fprintf(to,
		"usage: uvm cc [-v] [CLANG-OPTION]... KERNEL.c [-o KERNEL.elf]\n"
		"       uvm cc [-v] [OPTION]... FILE.cu... [-o PROGRAM]\n\n"
		"Compiles a GPU kernel (see softgpu_kernel.h) into an image for uvm_load_image(), or\n"
		"CUDA C++ into a program, in the place of nvcc: 'uvm cc FILE.cu --help' has its\n"
		"options, Documentation/cuda.rst the rest.\n"
		"Uses %s and %s, or $UVM_CLANG and $UVM_LLD; -v shows the commands.\n"
		"Headers and linker script are taken from $UVM_TOOLS, or %s.\n",
		UVM_KERNEL_CLANG, UVM_KERNEL_LLD, places_tools());
}

int cmd_cc(int argc, char **argv)
{
	const char *tools = places_tools(), *source = NULL, *output = NULL;
	struct cc_files files;
	struct cc_line line = { 0 };
	bool verbose = false;
	size_t length;
	int i, status;

	if (cc_is_cuda(argc, argv))
		return cc_cuda(argc, argv);
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

	if (!cc_files_name(&files, source, output) || !cc_add(&line, "-o") || !cc_add(&line, files.object))
		return EXIT_USAGE;

	child_hold_signals();
	status = cc_build(&line, &files, source, tools, verbose);
	cc_files_remove(&files);
	child_pass_signal();
	return status;
}
