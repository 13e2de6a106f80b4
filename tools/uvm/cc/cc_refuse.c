// SPDX-License-Identifier: GPL-2.0
/* Refuses at compile time what the device would refuse or a launch would die of. */
#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <linux/softgpu_kernel_abi.h>

#include "cc/cc_refuse.h"

bool cc_has_kernel(const struct cc_source *source, const char *file)
{
	const struct cc_definition *d;

	for (d = source->list; d < source->list + source->count; d++)
		if (cc_is_kernel(d))
			return true;
	fprintf(stderr, "%s: no kernel: a launch needs a function that is not static, as in\n"
		"%s:   void NAME(const struct NAME_args *args)\n", file, file);
	for (d = source->list; d < source->list + source->count; d++)
		if (d->function)
			fprintf(stderr, "%s:%d: '%s' is '%s'\n", d->file, d->line, d->name, d->type);
	return false;
}

/* The compiler's helpers for double and long double: __muldf3, __extendsfdf2, __addtf3 ... */
static bool cc_is_double(const char *symbol)
{
	return !strncmp(symbol, "__", 2) && (strstr(symbol, "df") || strstr(symbol, "tf"));
}

/* "k.c:0" is code that belongs to no one line: then that of the function. */
static void cc_say_place(const struct cc_source *source, const char *place, const char *function)
{
	const char *colon = strrchr(place, ':');
	const struct cc_definition *d;

	for (d = source ? source->list : NULL; d && colon && !strcmp(colon, ":0") && d < source->list + source->count; d++)
		if (d->function && !strcmp(d->name, function)) {
			fprintf(stderr, "%s:%d: ", d->file, d->line);
			return;
		}
	fprintf(stderr, "%s: ", place);
}

static void cc_say_undefined(const char *symbol, const char *function, bool cuda)
{
	if (cuda)
		fprintf(stderr, "error: '%s' is not defined; to use that of another file takes "
			"-rdc=true\n", symbol);
	else if (cc_is_double(symbol))
		fprintf(stderr, "error: double is not available on this GPU (%s in %s()); use float, "
			"and constants like 1.5f\n", symbol, function);
	else
		fprintf(stderr, "error: '%s', called in %s(), is neither in the source nor in the "
			"kernels' library (<string.h>, <math.h>)\n", symbol, function);
}

/*
 * ld.lld: error: undefined symbol: NAME
 * >>> referenced by k.c:5 (/tmp/k.c:5)
 * >>>               k.elf.o:(FUNCTION)
 *
 * A line is told once, though it may need several of the compiler's helpers.
 */
void cc_explain_link(FILE *said, const struct cc_source *source)
{
	char line[1024], symbol[128] = "", place[256] = "", told[256] = "";
	char function[128];
	const char *open;

	while (fgets(line, sizeof(line), said)) {
		if (sscanf(line, "%*[^ ] error: undefined symbol: %127s", symbol) == 1)
			continue;
		if (!symbol[0]) {
			fputs(line, stderr);
			continue;
		}
		if (sscanf(line, ">>> referenced by %255s", place) == 1 && !strstr(line, ":("))
			continue;
		open = strstr(line, ":(");
		if (!open || sscanf(open, ":(%127[^)]", function) != 1 || !strcmp(place, told))
			continue;
		cc_say_place(source, place, function);
		cc_say_undefined(symbol, function, !source);
		strcpy(told, place);
	}
}

/**
 * struct cc_image - a linked image in memory
 * @bytes: of the file
 * @section: its section headers
 * @sections: how many
 * @symbol: its symbols
 * @symbols: how many
 * @names: of the symbols
 */
struct cc_image {
	char *bytes;
	const Elf64_Shdr *section;
	unsigned int sections;
	const Elf64_Sym *symbol;
	unsigned int symbols;
	const char *names;
};

/* ld.lld has just written it: it is taken as valid. */
static bool cc_image_open(struct cc_image *image, const char *path)
{
	FILE *file = fopen(path, "rb");
	const Elf64_Ehdr *header;
	long length;

	memset(image, 0, sizeof(*image));
	if (!file) {
		perror(path);
		return false;
	}
	fseek(file, 0, SEEK_END);
	length = ftell(file);
	rewind(file);
	image->bytes = malloc(length);
	if (!image->bytes || fread(image->bytes, 1, length, file) != (size_t)length) {
		perror(path);
		free(image->bytes);
		fclose(file);
		return false;
	}
	fclose(file);
	header = (const void *)image->bytes;
	image->section = (const void *)(image->bytes + header->e_shoff);
	image->sections = header->e_shnum;
	for (unsigned int i = 0; i < image->sections; i++) {
		const Elf64_Shdr *s = &image->section[i];

		if (s->sh_type != SHT_SYMTAB)
			continue;
		image->symbol = (const void *)(image->bytes + s->sh_offset);
		image->symbols = s->sh_size / sizeof(*image->symbol);
		image->names = image->bytes + image->section[s->sh_link].sh_offset;
	}
	return true;
}

/* Where @symbol is defined; clang calls a static variable of a function FUNCTION.NAME. */
static const struct cc_definition *cc_find_variable(const struct cc_source *source,
						    const char *symbol)
{
	const char *dot = strrchr(symbol, '.');
	const char *name = dot ? dot + 1 : symbol;
	const struct cc_definition *d;

	for (d = source->list; d < source->list + source->count; d++)
		if (!d->function && !strcmp(d->name, name))
			return d;
	return NULL;
}

static void cc_say_global(const struct cc_source *source, const char *symbol)
{
	const struct cc_definition *d = cc_find_variable(source, symbol);

	if (d)
		fprintf(stderr, "%s:%d: ", d->file, d->line);
	fprintf(stderr, "error: '%s' is a writable global, which this GPU does not have; make it "
		"const, SGPU_SHARED (one per block), or memory that the arguments point to\n", symbol);
}

bool cc_check_globals(const char *image, const struct cc_source *source)
{
	struct cc_image elf;
	bool good = true;

	if (!cc_image_open(&elf, image))
		return false;
	for (unsigned int i = 0; i < elf.symbols; i++) {
		const Elf64_Sym *symbol = &elf.symbol[i];
		const Elf64_Shdr *section;

		if (ELF64_ST_TYPE(symbol->st_info) != STT_OBJECT || symbol->st_shndx >= elf.sections)
			continue;
		section = &elf.section[symbol->st_shndx];
		if (!(section->sh_flags & SHF_WRITE) || symbol->st_value >= SGPU_WINDOW_SHARED)
			continue;
		cc_say_global(source, elf.names + symbol->st_name);
		good = false;
	}
	free(elf.bytes);
	return good;
}
