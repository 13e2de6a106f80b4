// SPDX-License-Identifier: GPL-2.0
/* uvm cc FILE.cu...: CUDA C++ into a program, by stock clang and lld, without NVIDIA's SDK. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cc_cuda.h"
#include "child.h"
#include "places.h"
#include "uvm_cmd.h"

/* Of files that are no kernels in C, which stay what they were. */
static const char * const source_suffixes[] = { ".cu", ".cpp", ".cc", ".cxx", ".C", NULL };
/* ".obj" is nvcc's name of an object, and of Makefiles that are for Windows, too. */
static const char * const object_suffixes[] = { ".o", ".obj", ".a", NULL };

static bool has_suffix(const char *word, const char * const *suffix)
{
	for (; *suffix; suffix++)
		if (cc_ends_with(word, *suffix))
			return true;
	return false;
}

static bool is_object(const char *word)
{
	return has_suffix(word, object_suffixes);
}

static bool is_cuda_file(const char *word)
{
	return has_suffix(word, source_suffixes) || is_object(word);
}

/* -c asks for an object: a Makefile compiles all its files with nvcc, those in C, too. */
static bool is_cuda_word(const char *word)
{
	return !strcmp(word, "-c") || !strcmp(word, "-xcu") || !strcmp(word, "--version") ||
	       !strcmp(word, "-V") || (word[0] != '-' && is_cuda_file(word));
}

bool cc_is_cuda(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "-o"))
			i++;
		else if (is_cuda_word(argv[i]) ||
			 (!strcmp(argv[i], "-x") && i + 1 < argc &&
			  (!strcmp(argv[i + 1], "cu") || !strcmp(argv[i + 1], "cuda"))))
			return true;
	}
	return false;
}

/* "clang-19" is also a C++ compiler by the name clang++-19. */
static bool name_clangxx(struct cc_places *p)
{
	const char *name = strrchr(p->clang, '/') ? strrchr(p->clang, '/') + 1 : p->clang;

	if (strncmp(name, "clang", 5) || !strncmp(name, "clang++", 7))
		return places_path(p->clangxx, sizeof(p->clangxx), "%s", p->clang);
	return places_path(p->clangxx, sizeof(p->clangxx), "%.*sclang++%s", (int)(name - p->clang),
			   p->clang, name + 5);
}

/* cuBLAS, which needs all the rest, is built last, and by this command. */
static bool find_places(struct cc_places *p, bool links)
{
	const char *tmp = getenv("TMPDIR");

	if (!places_have(links ? "libcublas.a" : "cuda/device.symbols"))
		return false;
	p->tools = places_tools();
	p->libraries = places_libraries();
	p->clang = getenv("UVM_CLANG") ? getenv("UVM_CLANG") : UVM_KERNEL_CLANG;
	p->lld = getenv("UVM_LLD") ? getenv("UVM_LLD") : UVM_KERNEL_LLD;
	if (!name_clangxx(p) ||
	    !places_path(p->work, sizeof(p->work), "%s/uvm-cc.XXXXXX", tmp ? tmp : "/tmp"))
		return false;
	if (!mkdtemp(p->work)) {
		perror("uvm cc");
		return false;
	}
	p->files = opendir(p->work);
	if (p->files)
		return true;
	perror("uvm cc");
	rmdir(p->work);
	return false;
}

/* It has no folders. */
static void remove_work(const struct cc_places *p)
{
	struct dirent *entry;

	rewinddir(p->files);
	while ((entry = readdir(p->files)))
		unlinkat(dirfd(p->files), entry->d_name, 0);
	closedir(p->files);
	if (rmdir(p->work))
		fprintf(stderr, "uvm cc: %s: %s\n", p->work, strerror(errno));
}

/* Only the device's half is told by clang's driver. */
static bool add_unit(struct cc_line *line, const struct cc_options *o)
{
	return !o->relocatable || (cc_add(line, "-Xclang") && cc_addf(line, "-cuid=%s", o->unit));
}

/* The host's half, with the image as its constant, or the IR that one is to be made of. */
static int compile_host(const struct cc_options *o, const struct cc_places *p, const char *source,
			const char *image, const char *object)
{
	struct cc_line line = { 0 };

	if (!cc_add(&line, p->clangxx) || !cc_cuda_flags(&line, o, p) ||
	    !cc_add_flags(&line, "--cuda-host-only -O2 -Xclang -fcuda-include-gpubinary -Xclang") ||
	    !cc_add(&line, image) || !add_unit(&line, o) || !cc_add_line(&line, &o->host) || !cc_add(&line, "-c") ||
	    !cc_add(&line, source) || !cc_add(&line, "-o") || !cc_add(&line, object))
		return EXIT_USAGE;
	return cc_compile(&line, o, p);
}

/* Of where source and object are: one source may be two objects of a program (FNV-1a, 64 bits). */
static void name_unit(struct cc_options *o, const char *source, const char *object)
{
	unsigned long long hash = 0xcbf29ce484222325ULL;
	char directory[PATH_MAX] = "";
	const char *name = o->compile_only ? object : strrchr(object, '/') + 1;
	const char *parts[] = { directory, "/", source, "\n", name };

	if (!getcwd(directory, sizeof(directory)))
		directory[0] = '\0';
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		for (const char *c = parts[i]; *c; c++)
			hash = (hash ^ (unsigned char)*c) * 0x100000001b3ULL;
	snprintf(o->unit, sizeof(o->unit), "%016llx", hash);
}

/* The copy of a source without blanks in "<<<" still includes what lies beside it. */
static int compile_cuda(const struct cc_options *o, const struct cc_places *p, const char *source,
			const char *object)
{
	char image[PATH_MAX + 16], copy[PATH_MAX + 16];
	struct cc_options beside = *o;
	const char *text;
	int status;

	snprintf(image, sizeof(image), "%s/image", p->work);
	snprintf(copy, sizeof(copy), "%s/source.cu", p->work);
	text = cc_chevrons(source, copy);
	if (!text || !cc_includes(&beside, p, source))
		return EXIT_USAGE;
	if (text != source && !cc_addf(&beside.both, "-iquote%.*s", strrchr(source, '/') ?
				       (int)(strrchr(source, '/') - source) + 1 : 1,
				       strrchr(source, '/') ? source : "."))
		return EXIT_USAGE;
	if (!o->relocatable) {
		status = cc_image(&beside, p, text, image);
	} else {
		name_unit(&beside, source, object);
		status = cc_device_ir(&beside, p, text, image);
	}
	if (!status)
		status = compile_host(&beside, p, text, image, object);
	return status || !o->relocatable ? status : cc_name_unit(&beside, p, object);
}

/* The standard of C++ is not that of C, with which it may stand on one command line. */
static bool add_without_cxx(struct cc_line *line, const struct cc_line *words)
{
	for (unsigned int i = 0; i < words->count; i++)
		if (!(!strncmp(words->word[i], "-std=", 5) && strstr(words->word[i], "++")) &&
		    !cc_add(line, words->word[i]))
			return false;
	return true;
}

static int compile_other(const struct cc_options *o, const struct cc_places *p, const char *source,
			 const char *object)
{
	bool c = cc_ends_with(source, ".c");
	bool (*add)(struct cc_line *line, const struct cc_line *words) =
		c ? add_without_cxx : cc_add_line;
	struct cc_line line = { 0 };

	if (!cc_add(&line, c ? p->clang : p->clangxx) ||
	    !cc_add_headers(&line, p) || !cc_add(&line, "-O2") ||
	    !cc_add_flags(&line, c ? CC_AS_GCC : CC_AS_GXX) ||
	    !add(&line, &o->both) || !add(&line, &o->host) ||
	    !cc_add(&line, "-c") || !cc_add(&line, source) || !cc_add(&line, "-o") ||
	    !cc_add(&line, object))
		return EXIT_USAGE;
	return cc_compile(&line, o, p);
}

/* Where it finds __cxa_demangle(), the runtime tells names of kernels as the source has them. */
static int link_program(const struct cc_options *o, const struct cc_places *p,
			const struct cc_line *objects)
{
	struct cc_line line = { 0 };

	if (!cc_add(&line, p->clangxx) || !cc_add(&line, "-static") || !cc_add_line(&line, objects) ||
	    !cc_add_line(&line, &o->link) || !cc_addf(&line, "%s/libcublas.a", p->libraries) ||
	    !cc_addf(&line, "%s/libuvmcuda.a", p->libraries) ||
	    !cc_addf(&line, "%s/libuvm.a", p->libraries) ||
	    !cc_add_flags(&line, "-ljson-c -lm -lpthread -Wl,-u,__cxa_demangle -o") ||
	    !cc_add(&line, o->output ? o->output : "a.out"))
		return EXIT_USAGE;
	return cc_execute(&line, o->verbose, -1, NULL);
}

/* Where the object of an input goes: with -c beside where the command runs, as compilers do. */
static bool name_object(char *object, size_t bytes, const struct cc_options *o,
			const struct cc_places *p, unsigned int n)
{
	const char *path = o->input[n].path;
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	const char *dot = strrchr(name, '.');

	if (!o->compile_only)
		return places_path(object, bytes, "%s/%u.o", p->work, n);
	if (o->output)
		return places_path(object, bytes, "%s", o->output);
	return places_path(object, bytes, "%.*s.o", (int)(dot ? dot - name : (long)strlen(name)),
			   name);
}

static int build_input(const struct cc_options *o, const struct cc_places *p,
		       const struct cc_input *input, const char *object)
{
	int status = EXIT_OK;

	if (o->reads)
		status = cc_reading(o, p, input, o->compile_only ? object :
						 o->output ? o->output : "a.out");
	if (status || o->reads_only)
		return status;
	return input->cuda ? compile_cuda(o, p, input->path, object) :
			     compile_other(o, p, input->path, object);
}

/* First device code, if it is relocatable and nobody has linked it. */
static int link_all(const struct cc_options *o, const struct cc_places *p, struct cc_line *objects)
{
	char object[PATH_MAX + 16];
	bool linked;
	int status;

	if (!(o->device_link ? places_path(object, sizeof(object), "%s", o->output ? o->output :
					   "a_dlink.o") :
			       places_path(object, sizeof(object), "%s/linked.o", p->work)))
		return EXIT_USAGE;
	status = cc_device_link(o, p, objects, object, &linked);
	if (status || o->device_link)
		return status;
	if (linked && !cc_add(objects, object))
		return EXIT_USAGE;
	return link_program(o, p, objects);
}

static int build(const struct cc_options *o, const struct cc_places *p)
{
	struct cc_line objects = { 0 };
	char object[PATH_MAX + 16];
	int status = EXIT_OK;

	for (unsigned int i = 0; i < o->inputs && !status; i++) {
		const char *path = o->input[i].path;

		if (is_object(path)) {
			if (!cc_add(&objects, path))
				return EXIT_USAGE;
			continue;
		}
		if (!name_object(object, sizeof(object), o, p, i))
			return EXIT_USAGE;
		status = build_input(o, p, &o->input[i], object);
		if (!cc_add(&objects, object))
			return EXIT_USAGE;
	}
	if (!status && !o->compile_only && !o->reads_only)
		status = link_all(o, p, &objects);
	return status;
}

static void usage(FILE *to)
{
	fprintf(to,
		"usage: uvm cc [-v] [-c] [OPTION]... FILE.cu... [-o PROGRAM]\n\n"
		"Compiles CUDA C++ for this GPU, and links it with the runtime into a static program.\n"
		"Options are clang's (-I -D -O -std= -g -l -L -x cu); of nvcc's the common ones are\n"
		"taken, or refused by name.  Uses %s and %s; Documentation/cuda.rst has the rest.\n",
		UVM_KERNEL_CLANG, UVM_KERNEL_LLD);
}

int cc_cuda(int argc, char **argv)
{
	static struct cc_options options;
	struct cc_places places;
	int status;

	if (!cc_options_read(&options, argc, argv))
		return EXIT_USAGE;
	if (options.help) {
		usage(stdout);
		return EXIT_OK;
	}
	if (options.version) {
		printf("uvm cc, in the place of nvcc\n"
		       "Cuda compilation tools, release 12.0, V12.0.0\n");
		return EXIT_OK;
	}
	if (!options.inputs || (options.compile_only && options.output && options.inputs > 1)) {
		fprintf(stderr, options.inputs ? "uvm cc: -c with -o takes one file\n" :
						 "uvm cc: no file\n");
		return EXIT_USAGE;
	}
	child_hold_signals();
	if (!find_places(&places, !options.compile_only && !options.reads_only))
		return EXIT_DEVICE;
	status = build(&options, &places);
	remove_work(&places);
	child_pass_signal();
	return status;
}
