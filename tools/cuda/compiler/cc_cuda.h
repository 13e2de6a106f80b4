/* SPDX-License-Identifier: GPL-2.0 */
/* CUDA programs: what their command line asks for, and the steps to it. */
#ifndef CC_CUDA_H
#define CC_CUDA_H

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>

#include "cc/cc.h"

/**
 * struct cc_input - a file of the command line
 * @path: as given
 * @cuda: compile it as CUDA C++
 */
struct cc_input {
	const char *path;
	bool cuda;
};

/**
 * struct cc_options - what the command line asks for
 * @both: for each compilation: -I, -D, -std, ...
 * @host: for what the CPU runs: -O, -g, -Xcompiler, ...
 * @link: for the link of the program: -l, -L, -Wl, ...
 * @input: files, in their order
 * @inputs: how many
 * @output: of -o, or NULL
 * @compile_only: -c
 * @verbose: -v
 * @help: --help
 * @version: --version
 * @reading: of -E and -M, what clang is given
 * @reads: one of these is there
 * @reads_only: one without a compilation
 * @relocatable: -rdc=true, -dc: objects keep the IR of device code, and images are made of several
 * @device_link: -dlink: of objects, into an object that has their image
 * @unit: with @relocatable, no other object's
 * @list: the file of -MF, or NULL
 * @target: of -MT, or NULL
 */
struct cc_options {
	struct cc_line both, host, link, reading;
	struct cc_input input[CC_WORDS];
	unsigned int inputs;
	const char *output, *list, *target;
	bool compile_only, verbose, help, version, reads, reads_only, relocatable, device_link;
	char unit[17];
};

/* cc_options.c: false, and said, if something cannot be done. */
bool cc_options_read(struct cc_options *o, int argc, char **argv);

/* Errors of clang that are warnings of g++, and of gcc, which nvcc has for the CPU's half. */
#define CC_AS_GXX "-Wno-error=c++11-narrowing -Wno-error=register -Wno-error=reserved-user-defined-literal "
#define CC_AS_GCC "-Wno-error=implicit-function-declaration -Wno-error=implicit-int " \
		  "-Wno-error=int-conversion -Wno-error=incompatible-function-pointer-types "

/**
 * struct cc_places - where things are
 * @tools: headers, tools/ of the source tree
 * @libraries: libuvm.a, libuvmcuda.a and cuda/, from the build
 * @clang: compiler of both halves
 * @clangxx: the same for C++
 * @lld: linker of images
 * @work: a directory for what is in between
 * @files: the same, open from the start: to remove it takes no memory
 */
struct cc_places {
	const char *tools, *libraries, *clang, *lld;
	char clangxx[PATH_MAX], work[PATH_MAX];
	DIR *files;
};

/* cc_image.c: the image of the device's half of @source, as @image; an EXIT_ status. */
int cc_image(const struct cc_options *o, const struct cc_places *p, const char *source,
	     const char *image);

/* cc_image.c: the IR of the device's half, as @ir, and the image of such files; an EXIT_ status. */
int cc_device_ir(const struct cc_options *o, const struct cc_places *p, const char *source,
		 const char *ir);
int cc_image_of(const struct cc_options *o, const struct cc_places *p, const struct cc_line *irs,
		const char *image);

/*
 * cc_device_link.c: a relocatable object by clang has names of the path of its source, as it was given:
 * they become those of the unit.
 */
int cc_name_unit(const struct cc_options *o, const struct cc_places *p, const char *object);

/*
 * cc_device_link.c: an object with the image of the IR that @objects have, as @object.  *@linked: some
 * of them wait for it; else it is made for -dlink only, and has nothing.  An EXIT_ status.
 */
int cc_device_link(const struct cc_options *o, const struct cc_places *p,
		   const struct cc_line *objects, const char *object, bool *linked);

/* cc_explain.c: run a compiler; what it says comes with what is not here, and what to do. */
int cc_compile(const struct cc_line *line, const struct cc_options *o, const struct cc_places *p);

/* cc_reading.c: what the preprocessor reads for @input, whose object is @object; an EXIT_ status. */
int cc_reading(const struct cc_options *o, const struct cc_places *p, const struct cc_input *input,
	       const char *object);

/* cc_image.c: where the headers of CUDA are. */
bool cc_add_headers(struct cc_line *line, const struct cc_places *p);

/* cc_image.c: words for both halves of a CUDA source. */
bool cc_cuda_flags(struct cc_line *line, const struct cc_options *o, const struct cc_places *p);

/* cc_chevrons.c: the file to compile for @source: itself, or a copy at @room without blanks
 * inside "<<<" and ">>>"; NULL if there is an error.
 */
const char *cc_chevrons(const char *source, const char *room);
/*
 * The same, with types before arguments in braces, of @text, which it changes: *@mended, NULL if
 * all is well.  False, and said, without memory.
 */
bool cc_launches(char *text, char **mended);
/* A file's text; NULL, and said, if it cannot be read. */
char *cc_read_source(const char *path);

/* cc_includes.c: the same for what @source includes, by options for clang; false if it fails. */
bool cc_includes(struct cc_options *o, const struct cc_places *p, const char *source);

#endif
