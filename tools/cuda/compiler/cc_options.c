// SPDX-License-Identifier: GPL-2.0
/* The command line of a CUDA program: clang's options, and nvcc's by their names. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cc_cuda.h"

enum nvcc_action {
	NVCC_NOTHING,		/* accepted, changes nothing here */
	NVCC_HOST,		/* its value is for the host compiler */
	NVCC_LINKER,		/* its value is for the linker */
	NVCC_CLANG,		/* clang has it by another name: @says */
	NVCC_REFUSED,		/* @says what there is instead */
};

/**
 * struct nvcc_option - an option of nvcc that clang has not, or has otherwise
 * @name: without the dashes: nvcc takes one or two
 * @value: it has one, as the next word or behind "="
 * @action: what is done about it
 * @says: see @action
 */
struct nvcc_option {
	const char *name;
	bool value;
	enum nvcc_action action;
	const char *says;
};

/* Names: NVIDIA's documentation of nvcc 12. */
static const struct nvcc_option nvcc_options[] = {
	{ "arch", true, NVCC_NOTHING, NULL },
	{ "gpu-architecture", true, NVCC_NOTHING, NULL },
	{ "code", true, NVCC_NOTHING, NULL },
	{ "gpu-code", true, NVCC_NOTHING, NULL },
	{ "gencode", true, NVCC_NOTHING, NULL },
	{ "generate-code", true, NVCC_NOTHING, NULL },
	{ "ccbin", true, NVCC_NOTHING, NULL },
	{ "compiler-bindir", true, NVCC_NOTHING, NULL },
	{ "cudart", true, NVCC_NOTHING, NULL },
	{ "maxrregcount", true, NVCC_NOTHING, NULL },
	{ "Xptxas", true, NVCC_NOTHING, NULL },
	{ "ptxas-options", true, NVCC_NOTHING, NULL },
	{ "Xnvlink", true, NVCC_NOTHING, NULL },
	{ "Xcudafe", true, NVCC_NOTHING, NULL },
	{ "diag-suppress", true, NVCC_NOTHING, NULL },
	{ "t", true, NVCC_NOTHING, NULL },
	{ "threads", true, NVCC_NOTHING, NULL },
	{ "ftz", true, NVCC_NOTHING, NULL },
	{ "prec-div", true, NVCC_NOTHING, NULL },
	{ "prec-sqrt", true, NVCC_NOTHING, NULL },
	{ "fmad", true, NVCC_NOTHING, NULL },
	{ "use_fast_math", false, NVCC_NOTHING, NULL },
	{ "expt-relaxed-constexpr", false, NVCC_NOTHING, NULL },
	{ "expt-extended-lambda", false, NVCC_NOTHING, NULL },
	{ "extended-lambda", false, NVCC_NOTHING, NULL },
	{ "lineinfo", false, NVCC_NOTHING, NULL },
	{ "generate-line-info", false, NVCC_NOTHING, NULL },
	{ "G", false, NVCC_NOTHING, NULL },
	{ "device-debug", false, NVCC_NOTHING, NULL },
	{ "res-usage", false, NVCC_NOTHING, NULL },
	{ "resource-usage", false, NVCC_NOTHING, NULL },
	{ "m64", false, NVCC_NOTHING, NULL },
	{ "m", true, NVCC_CLANG, "-m" },
	{ "machine", true, NVCC_CLANG, "-m" },
	{ "link", false, NVCC_NOTHING, NULL },
	{ "restrict", false, NVCC_NOTHING, NULL },
	{ "Xcicc", true, NVCC_NOTHING, NULL },
	{ "Xarchive", true, NVCC_NOTHING, NULL },
	{ "Werror", true, NVCC_NOTHING, NULL },
	{ "Wreorder", false, NVCC_NOTHING, NULL },
	{ "Wdefault-stream-launch", false, NVCC_NOTHING, NULL },
	{ "Wmissing-launch-bounds", false, NVCC_NOTHING, NULL },
	{ "Wext-lambda-captures-this", false, NVCC_NOTHING, NULL },
	{ "Wno-deprecated-gpu-targets", false, NVCC_NOTHING, NULL },
	{ "diag-warn", true, NVCC_NOTHING, NULL },
	{ "diag-error", true, NVCC_NOTHING, NULL },
	{ "err-no", false, NVCC_NOTHING, NULL },
	{ "display-error-number", false, NVCC_NOTHING, NULL },
	{ "no-display-error-number", false, NVCC_NOTHING, NULL },
	{ "allow-unsupported-compiler", false, NVCC_NOTHING, NULL },
	{ "forward-unknown-to-host-compiler", false, NVCC_NOTHING, NULL },
	{ "forward-unknown-to-host-linker", false, NVCC_NOTHING, NULL },
	{ "forward-unknown-opts", false, NVCC_NOTHING, NULL },
	{ "extra-device-vectorization", false, NVCC_NOTHING, NULL },
	{ "cudadevrt", true, NVCC_NOTHING, NULL },
	{ "dopt", true, NVCC_NOTHING, NULL },
	{ "dlto", false, NVCC_NOTHING, NULL },
	{ "dlink-time-opt", false, NVCC_NOTHING, NULL },
	{ "no-device-link", false, NVCC_NOTHING, NULL },
	{ "nodlink", false, NVCC_NOTHING, NULL },
	{ "source-in-ptx", false, NVCC_NOTHING, NULL },
	{ "src-in-ptx", false, NVCC_NOTHING, NULL },
	{ "split-compile", true, NVCC_NOTHING, NULL },
	{ "keep", false, NVCC_NOTHING, NULL },
	{ "keep-dir", true, NVCC_NOTHING, NULL },
	{ "save-temps", false, NVCC_NOTHING, NULL },
	{ "objtemp", false, NVCC_NOTHING, NULL },
	{ "objdir-as-tempdir", false, NVCC_NOTHING, NULL },
	{ "std", true, NVCC_CLANG, "-std=" },
	{ "optimize", true, NVCC_CLANG, "-O" },
	{ "preprocess", false, NVCC_CLANG, "-E" },
	{ "generate-dependencies", false, NVCC_CLANG, "-M" },
	{ "generate-nonsystem-dependencies", false, NVCC_CLANG, "-MM" },
	{ "generate-dependencies-with-compile", false, NVCC_CLANG, "-MD" },
	{ "generate-nonsystem-dependencies-with-compile", false, NVCC_CLANG, "-MMD" },
	{ "generate-dependency-targets", false, NVCC_CLANG, "-MP" },
	{ "dependency-output", true, NVCC_CLANG, "-MF" },
	{ "dependency-target-name", true, NVCC_CLANG, "-MT" },
	{ "include-path", true, NVCC_CLANG, "-I" },
	{ "define-macro", true, NVCC_CLANG, "-D" },
	{ "undefine-macro", true, NVCC_CLANG, "-U" },
	{ "pre-include", true, NVCC_CLANG, "-include" },
	{ "system-include", true, NVCC_CLANG, "-isystem" },
	{ "library", true, NVCC_CLANG, "-l" },
	{ "library-path", true, NVCC_CLANG, "-L" },
	{ "output-file", true, NVCC_CLANG, "-o" },
	{ "compile", false, NVCC_CLANG, "-c" },
	{ "debug", false, NVCC_CLANG, "-g" },
	{ "verbose", false, NVCC_CLANG, "-v" },
	{ "disable-warnings", false, NVCC_CLANG, "-w" },
	{ "Xcompiler", true, NVCC_HOST, NULL },
	{ "compiler-options", true, NVCC_HOST, NULL },
	{ "Xlinker", true, NVCC_LINKER, NULL },
	{ "linker-options", true, NVCC_LINKER, NULL },
	{ "dw", false, NVCC_CLANG, "-c" },
	{ "device-w", false, NVCC_CLANG, "-c" },
	{ "odir", true, NVCC_REFUSED, "-o with the path of the file" },
	{ "output-directory", true, NVCC_REFUSED, "-o with the path of the file" },
	{ "optf", true, NVCC_REFUSED, "give the words of the file themselves" },
	{ "options-file", true, NVCC_REFUSED, "give the words of the file themselves" },
	{ "ptx", false, NVCC_REFUSED, "this GPU has no PTX; -c" },
	{ "cubin", false, NVCC_REFUSED, "an image is a part of its program; -c" },
	{ "fatbin", false, NVCC_REFUSED, "an image is a part of its program; -c" },
	{ "lib", false, NVCC_REFUSED, "-c, and ar" },
	{ "run", false, NVCC_REFUSED, "-o, and run the program where the driver is" },
	{ "m32", false, NVCC_REFUSED, "all is of 64 bits; leave it out" },
	{ "shared", false, NVCC_REFUSED, "programs are static; -c" },
};

/* Libraries: those that the runtime or a header is, and those of CUDA's that are not here. */
static const char * const runtime_libraries[] = { "cudart", "cudart_static", "cuda", "cudadevrt",
						  "gomp", "omp", "iomp5", "curand",
						  "curand_static", "nvToolsExt", "cublas",
						  "cublas_static", "culibos" };
static const char * const missing_libraries[] = { "cublasLt", "cufft", "cufftw", "cusparse",
						  "cusolver", "cudnn", "nccl", "nvrtc", "nvjpeg",
						  "nvidia-ml", "cupti", "nppc", "nppial",
						  "nppicc", "nppidei", "nppif", "nppig", "nppim",
						  "nppist", "nppisu", "nppitc", "npps" };

/* clang's options whose value is a word of its own, for the compilers and for the linker. */
static const char * const words_of_two[] = { "-I", "-D", "-U", "-include", "-isystem", "-iquote",
					     "-idirafter", "-imacros" };

#define OPENMP_FLAG "-Wno-source-uses-openmp"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static bool among(const char *text, const char * const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(text, list[i]))
			return true;
	return false;
}

/**
 * struct words - the command line, as it is read
 * @next: the word to read
 * @end: behind the last
 * @language: of -x: CUDA
 */
struct words {
	char **next, **end;
	bool language;
};

static const struct nvcc_option *find(const char *word, const char **value)
{
	const char *name = word + 1 + (word[1] == '-');
	size_t length = strcspn(name, "=");

	*value = name[length] ? name + length + 1 : NULL;
	for (size_t i = 0; i < COUNT(nvcc_options); i++)
		if (strlen(nvcc_options[i].name) == length &&
		    !strncmp(nvcc_options[i].name, name, length) &&
		    (!*value || nvcc_options[i].value))
			return &nvcc_options[i];
	return NULL;
}

static const char *take_value(struct words *w, const char *option)
{
	if (w->next == w->end) {
		fprintf(stderr, "uvm cc: %s: its value is missing\n", option);
		return NULL;
	}
	return *w->next++;
}

/* The CPU's half has one thread, that of omp.h here: pragmas are passed over. */
static bool is_openmp(const char *word)
{
	return !strncmp(word, "-fopenmp", 8);
}

/* What the preprocessor reads: nvcc gives it to both halves, though it is of the host compiler. */
static bool is_preprocessor(const char *word)
{
	return (word[0] == '-' && word[1] && strchr("DUI", word[1])) || !strncmp(word, "-std=", 5) ||
	       !strncmp(word, "-include", 8) || !strncmp(word, "-isystem", 8) ||
	       !strncmp(word, "-iquote", 7);
}

/* "-a,-b", or "-a -b" in quotes: two words. */
static bool add_host_list(struct cc_options *o, const char *list)
{
	char *copy = cc_copy(list), *save = NULL, *word;
	struct cc_line *to = &o->host;
	bool good = copy, value = false;	/* the word is the value of the one before */

	for (word = good ? strtok_r(copy, ", ", &save) : NULL; good && word;
	     word = strtok_r(NULL, ", ", &save)) {
		if (!value)
			to = is_preprocessor(word) ? &o->both : &o->host;
		value = !value && among(word, words_of_two, COUNT(words_of_two));
		good = cc_add(to, is_openmp(word) ? OPENMP_FLAG : word);
	}
	free(copy);
	return good;
}

static bool add_linker_list(struct cc_options *o, const char *list)
{
	char *copy = cc_copy(list), *save = NULL, *word;
	bool good = copy;

	for (word = good ? strtok_r(copy, ",", &save) : NULL; good && word;
	     word = strtok_r(NULL, ",", &save))
		good = cc_addf(&o->link, "-Wl,%s", word);
	free(copy);
	return good;
}

static bool read_word(struct cc_options *o, struct words *w, const char *word);

/* By clang's name. */
static bool read_renamed(struct cc_options *o, struct words *w, const char *name, const char *value)
{
	struct cc_line line = { 0 };
	bool good = cc_addf(&line, "%s%s", name, value) && read_word(o, w, line.word[0]);

	free(line.word[0]);
	return good;
}

static bool read_nvcc(struct cc_options *o, struct words *w, const char *word,
		      const struct nvcc_option *option, const char *value)
{
	if (option->value && !value)
		value = take_value(w, word);
	if (option->value && !value)
		return false;
	switch (option->action) {
	case NVCC_NOTHING:
		return true;
	case NVCC_HOST:
		return add_host_list(o, value);
	case NVCC_LINKER:
		return add_linker_list(o, value);
	case NVCC_CLANG:
		return read_renamed(o, w, option->says, value ? value : "");
	default:
		fprintf(stderr, "uvm cc: %s is not available: %s\n", word, option->says);
		return false;
	}
}

static bool add_file(struct cc_options *o, const struct words *w, const char *path)
{
	if (o->inputs == CC_WORDS) {
		fprintf(stderr, "uvm cc: too many files\n");
		return false;
	}
	o->input[o->inputs] = (struct cc_input){ cc_copy(path),
						 w->language || cc_ends_with(path, ".cu") };
	return o->input[o->inputs++].path;
}

static bool is_missing(const char *library)
{
	char name[32];

	snprintf(name, sizeof(name), "%s", library);
	if (cc_ends_with(name, "_static"))
		name[strlen(name) - strlen("_static")] = '\0';
	return among(name, missing_libraries, COUNT(missing_libraries));
}

/* A program may name a library that it does not use; of one that it does clang names the header. */
static bool read_library(struct cc_options *o, const char *name)
{
	if (among(name, runtime_libraries, COUNT(runtime_libraries)))
		return true;
	if (is_missing(name)) {
		fprintf(stderr, "uvm cc: -l%s is left out: that library of NVIDIA's is not here\n", name);
		return true;
	}
	return cc_addf(&o->link, "-l%s", name);
}

/* Options of a letter: a value that may be a word of its own, or behind "=", as nvcc has it. */
static bool read_letter(struct cc_options *o, struct words *w, const char *word)
{
	const char *value = word[2] ? word + 2 + (word[2] == '=') : take_value(w, word);

	if (!value)
		return false;
	if (strchr("DIU", word[1]))
		return cc_addf(&o->both, "-%c%s", word[1], value);
	if (word[1] == 'l')
		return read_library(o, value);
	if (word[1] == 'o') {
		o->output = cc_copy(value);
		return o->output;
	}
	if (word[1] == 'L')
		return cc_addf(&o->link, "-L%s", value);
	w->language = !strcmp(value, "cu") || !strcmp(value, "cuda");
	return true;
}

/* Relocatable device code is nvcc's name for device code that calls another file's. */
static bool read_rdc(struct cc_options *o, struct words *w, const char *word)
{
	const char *value = strchr(word, '=') ? strchr(word, '=') + 1 : take_value(w, word);

	if (value && strcmp(value, "true") && strcmp(value, "false")) {
		fprintf(stderr, "uvm cc: %s: true or false\n", word);
		return false;
	}
	o->relocatable = value && !strcmp(value, "true");
	return value;
}

static bool is_rdc(const char *word)
{
	word += word[1] == '-';
	return !strncmp(word, "-rdc", 4) || !strncmp(word, "-relocatable-device-code", 24);
}

/* -dc and -dlink: a compilation, and a link, of relocatable device code. */
static bool read_device_step(struct cc_options *o, const char *word)
{
	word += word[1] == '-';
	if (!strcmp(word, "-dc") || !strcmp(word, "-device-c"))
		return o->relocatable = o->compile_only = true;
	if (!strcmp(word, "-dlink") || !strcmp(word, "-device-link"))
		return o->device_link = true;
	return false;
}

static bool read_stream(struct cc_options *o, struct words *w, const char *word)
{
	const char *value = strchr(word, '=') ? strchr(word, '=') + 1 : take_value(w, word);

	if (!value)
		return false;
	if (!strcmp(value, "per-thread"))
		return cc_add(&o->both, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
	if (!strcmp(value, "legacy") || !strcmp(value, "null"))
		return true;
	fprintf(stderr, "uvm cc: %s: legacy, null or per-thread\n", word);
	return false;
}

/* -E, -M and its like: what is read is told, instead of the compilation or beside it. */
static bool read_reading(struct cc_options *o, struct words *w, const char *word)
{
	const char *value;

	if (strchr("FTQ", word[2]) && word[2]) {
		value = word[3] ? word + 3 : take_value(w, word);
		value = value ? cc_copy(value) : NULL;
		if (word[2] == 'F')
			o->list = value;
		else
			o->target = value;
		return value && cc_addf(&o->reading, "-M%c", word[2]) && cc_add(&o->reading, value);
	}
	if (!strcmp(word, "-MP"))
		return cc_add(&o->reading, word);
	o->reads = true;
	o->reads_only |= word[strlen(word) - 1] != 'D';
	return cc_addf(&o->reading, "%.*s", (int)strcspn(word, "D"), word);
}

static bool is_reading(const char *word)
{
	static const char * const words[] = { "-E", "-M", "-MM", "-MD", "-MMD", "-MP" };

	return among(word, words, COUNT(words)) ||
	       (!strncmp(word, "-M", 2) && word[2] && strchr("FTQ", word[2]));
}

static bool read_word(struct cc_options *o, struct words *w, const char *word)
{
	const struct nvcc_option *option;
	const char *value;

	if (word[0] != '-' || !word[1])
		return add_file(o, w, word);
	if (!strcmp(word, "--help") || !strcmp(word, "-h"))
		return o->help = true;
	if (!strcmp(word, "--version") || !strcmp(word, "-V"))
		return o->version = true;
	if (!strcmp(word, "-v"))
		return o->verbose = true;
	if (!strcmp(word, "-c"))
		return o->compile_only = true;
	if (is_reading(word))
		return read_reading(o, w, word);
	if (read_device_step(o, word))
		return true;
	if (is_rdc(word))
		return read_rdc(o, w, word);
	if (strstr(word, "-default-stream") == word + (word[1] == '-'))
		return read_stream(o, w, word);
	if (!strncmp(word, "-std=", 5))
		return cc_add(&o->both, word);
	option = find(word, &value);
	if (option)
		return read_nvcc(o, w, word, option, value);
	if (strchr("DILUlox", word[1]))
		return read_letter(o, w, word);
	if (among(word, words_of_two, COUNT(words_of_two))) {
		value = take_value(w, word);
		return value && cc_add(&o->both, word) && cc_add(&o->both, value);
	}
	if (is_openmp(word))
		return cc_add(&o->both, OPENMP_FLAG);
	if (!strncmp(word, "-Wl,", 4) || !strcmp(word, "-pthread"))
		return cc_add(&o->link, word);
	if (word[1] == 'O' || word[1] == 'g' || !strncmp(word, "-fsanitize", 10))
		return cc_add(&o->host, word);
	return cc_add(&o->both, word);
}

bool cc_options_read(struct cc_options *o, int argc, char **argv)
{
	struct words w = { .next = argv + 1, .end = argv + argc };

	while (w.next < w.end)
		if (!read_word(o, &w, *w.next++))
			return false;
	return true;
}
