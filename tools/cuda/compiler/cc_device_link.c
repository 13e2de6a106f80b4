// SPDX-License-Identifier: GPL-2.0
/*
 * The link of device code.  A relocatable object (nvcc -rdc=true) has the IR of its device half where
 * others have an image, and calls __cudaRegisterLinkedBinaryNAME(), which nobody defines.  Here all IR
 * becomes one image, in an object that defines these functions.
 */
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cc_cuda.h"
#include "uvm_cmd.h"

#define REGISTER	"__cudaRegisterLinkedBinary"
#define IR_SECTION	"__nv_relfatbin"	/* clang's name for it */

/**
 * struct device_link - what the objects have
 * @places: where files go
 * @irs: files with the IR of those that nobody has linked
 * @names: functions that they call, with REGISTER in front
 * @defined: likewise, those that an object of an earlier link defines
 * @good: nothing has failed
 */
struct device_link {
	const struct cc_places *places;
	struct cc_line irs, names, defined;
	bool good;
};

static Elf_Scn *find_section(Elf *elf, const char *wanted, GElf_Word type, GElf_Shdr *header)
{
	Elf_Scn *section = NULL;
	size_t strings;

	if (elf_getshdrstrndx(elf, &strings))
		return NULL;
	while ((section = elf_nextscn(elf, section))) {
		const char *name;

		if (!gelf_getshdr(section, header))
			continue;
		name = elf_strptr(elf, strings, header->sh_name);
		if (wanted ? name && !strcmp(name, wanted) : header->sh_type == type)
			return section;
	}
	return NULL;
}

/* The name that @elf waits for, NULL: none.  What it defines is remembered. */
static const char *read_names(struct device_link *l, Elf *elf)
{
	const char *waits = NULL;
	GElf_Shdr header;
	Elf_Scn *section = find_section(elf, NULL, SHT_SYMTAB, &header);
	Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
	GElf_Sym symbol;

	for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
		const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);

		if (!name || strncmp(name, REGISTER, strlen(REGISTER)) || !name[strlen(REGISTER)])
			continue;
		if (symbol.st_shndx == SHN_UNDEF)
			waits = name;
		else
			l->good &= cc_add(&l->defined, name);
	}
	return waits;
}

int cc_name_unit(const struct cc_options *o, const struct cc_places *p, const char *object)
{
	int fd = open(object, O_RDONLY | O_CLOEXEC);
	struct device_link link = { .places = p, .good = true };
	struct cc_line line = { 0 };
	const char *waits = NULL;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);
	waits = elf ? read_names(&link, elf) : NULL;
	if (!waits) {
		fprintf(stderr, "uvm cc: %s: the compiler has made no relocatable object\n", object);
		return EXIT_USAGE;
	}
	if (!cc_add(&line, "objcopy") ||
	    !cc_addf(&line, "--redefine-sym=%s=" REGISTER "_%s", waits, o->unit) ||
	    !cc_addf(&line, "--redefine-sym=__fatbinwrap%s=__fatbinwrap_%s",
		     waits + strlen(REGISTER), o->unit) ||
	    !cc_add(&line, object))
		return EXIT_USAGE;
	elf_end(elf);
	close(fd);
	return cc_execute(&line, o->verbose, -1, NULL);
}

/* IR has words of 4 bytes; clang 14 ends it as a text, with a byte more. */
static bool save_ir(struct device_link *l, Elf *elf)
{
	GElf_Shdr header;
	Elf_Scn *section = find_section(elf, IR_SECTION, 0, &header);
	Elf_Data *data = section ? elf_rawdata(section, NULL) : NULL;
	char path[PATH_MAX + 32];
	bool good;
	FILE *file;

	if (!data || data->d_size < 4)
		return false;
	snprintf(path, sizeof(path), "%s/linked.%u.bc", l->places->work, l->irs.count);
	file = fopen(path, "w");
	if (!file)
		return false;
	good = fwrite(data->d_buf, data->d_size & ~3UL, 1, file) == 1;
	return !fclose(file) && good && cc_add(&l->irs, path);
}

static bool has_word(const struct cc_line *line, const char *word)
{
	for (unsigned int i = 0; i < line->count; i++)
		if (!strcmp(line->word[i], word))
			return true;
	return false;
}

static void read_object(struct device_link *l, Elf *elf, const char *path)
{
	const char *waits = elf_kind(elf) == ELF_K_ELF ? read_names(l, elf) : NULL;

	/* a library that is named twice is one */
	if (!waits || has_word(&l->names, waits))
		return;
	if (!cc_add(&l->names, waits)) {
		l->good = false;
	} else if (!save_ir(l, elf)) {
		fprintf(stderr, "uvm cc: %s: its device code cannot be read\n", path);
		l->good = false;
	}
}

/* An object, or a library of them.  What cannot be read the linker will say. */
static void read_file(struct device_link *l, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *file = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL), *member;
	Elf_Cmd next = ELF_C_READ;

	if (file && elf_kind(file) == ELF_K_AR)
		while (next != ELF_C_NULL && (member = elf_begin(fd, next, file))) {
			read_object(l, member, path);
			next = elf_next(member);
			elf_end(member);
		}
	else if (file)
		read_object(l, file, path);
	if (file)
		elf_end(file);
	if (fd >= 0)
		close(fd);
}

/* "-lNAME": where the linker would find it among the folders of the command line. */
static void read_library(struct device_link *l, const struct cc_line *words, const char *name)
{
	char path[PATH_MAX];

	for (unsigned int i = 0; i < words->count; i++) {
		if (strncmp(words->word[i], "-L", 2))
			continue;
		/* a longer one nobody can read */
		if (snprintf(path, sizeof(path), "%s/lib%s.a", words->word[i] + 2, name) >= PATH_MAX)
			continue;
		if (!access(path, R_OK)) {
			read_file(l, path);
			return;
		}
	}
}

static void read_all(struct device_link *l, const struct cc_line *objects,
		     const struct cc_line *words)
{
	for (unsigned int i = 0; i < objects->count; i++)
		read_file(l, objects->word[i]);
	for (unsigned int i = 0; i < words->count; i++)
		if (!strncmp(words->word[i], "-l", 2))
			read_library(l, words, words->word[i] + 2);
}

/* Those that an earlier link has are done. */
static void leave_out_linked(struct device_link *l)
{
	unsigned int i, n = 0;

	for (i = 0; i < l->names.count; i++)
		if (!has_word(&l->defined, l->names.word[i])) {
			l->names.word[n] = l->names.word[i];
			l->irs.word[n++] = l->irs.word[i];
		}
	l->names.count = n;
	l->irs.count = n;
	l->names.word[n] = NULL;
	l->irs.word[n] = NULL;
}

/* In C: each function hands its file's registration over, and where the image is. */
static bool write_source(const struct device_link *l, const char *path, const char *image)
{
	FILE *file = fopen(path, "w");

	if (!file) {
		perror(path);
		return false;
	}
	fprintf(file, "__asm__(\".section .rodata\\n.balign 8\\nlinked_image: .incbin \\\"%s\\\"\\n"
		".previous\");\n"
		"extern const char linked_image[];\n"
		"void " REGISTER "(void (*registers)(void **), const void *image);\n", image);
	for (unsigned int i = 0; i < l->names.count; i++)
		fprintf(file, "void %s(void (*registers)(void **))\n"
			"{ " REGISTER "(registers, linked_image); }\n", l->names.word[i]);
	if (!fclose(file))
		return true;
	perror(path);
	return false;
}

static int compile_source(const struct cc_options *o, const struct cc_places *p, const char *source,
			  const char *object)
{
	struct cc_line line = { 0 };

	if (!cc_add(&line, p->clang) || !cc_add_flags(&line, "-O2 -w -c -x c") ||
	    !cc_add(&line, source) || !cc_add(&line, "-o") || !cc_add(&line, object))
		return EXIT_USAGE;
	return cc_execute(&line, o->verbose, -1, NULL);
}

int cc_device_link(const struct cc_options *o, const struct cc_places *p,
		   const struct cc_line *objects, const char *object, bool *linked)
{
	struct device_link link = { .places = p, .good = true };
	char image[PATH_MAX + 16], source[PATH_MAX + 16];
	int status = EXIT_OK;

	elf_version(EV_CURRENT);
	read_all(&link, objects, &o->link);
	if (!link.good)
		return EXIT_USAGE;
	leave_out_linked(&link);
	*linked = link.names.count;
	if (!*linked && !o->device_link)
		return EXIT_OK;
	snprintf(image, sizeof(image), "%s/linked.image", p->work);
	snprintf(source, sizeof(source), "%s/linked.c", p->work);
	if (*linked)
		status = cc_image_of(o, p, &link.irs, image);
	if (!status && !write_source(&link, source, *linked ? image : "/dev/null"))
		status = EXIT_USAGE;
	return status ? status : compile_source(o, p, source, object);
}
