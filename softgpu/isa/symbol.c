// SPDX-License-Identifier: GPL-2.0
/* Symbols of a kernel image: entry points and declared resources. */
#include <kunit/visibility.h>
#include <linux/elf.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/sched.h>
#include <linux/string.h>
#include "isa/image.h"
#include "isa/isa.h"

#define SYMBOL_STRIDE	4096

static const struct elf64_shdr *symbol_section(const struct sgpu_image *image, unsigned int index)
{
	const struct elf64_hdr *hdr = (const void *)image->elf;

	return (const struct elf64_shdr *)(image->elf + hdr->e_shoff) + index;
}

/* Contents lie inside the file. */
static bool symbol_inside(const struct sgpu_image *image, const struct elf64_shdr *s)
{
	return s->sh_offset <= image->elf_bytes && s->sh_size <= image->elf_bytes - s->sh_offset;
}

/* Section headers were checked by the caller to lie inside the file, aligned. */
int sgpu_image_find_symbols(struct sgpu_image *image, u64 *where)
{
	const struct elf64_hdr *hdr = (const void *)image->elf;
	const struct elf64_shdr *s, *str;
	unsigned int i;

	for (i = 0; i < hdr->e_shnum; i++) {
		s = symbol_section(image, i);
		if (s->sh_type != SHT_SYMTAB)
			continue;
		*where = hdr->e_shoff + i * sizeof(*s);
		if (s->sh_entsize != sizeof(struct elf64_sym) || s->sh_link >= hdr->e_shnum ||
		    !symbol_inside(image, s) || s->sh_offset & 7)
			return -ENOEXEC;
		str = symbol_section(image, s->sh_link);
		*where = hdr->e_shoff + s->sh_link * sizeof(*s);
		if (str->sh_type != SHT_STRTAB || !symbol_inside(image, str) || !str->sh_size ||
		    image->elf[str->sh_offset + str->sh_size - 1])
			return -ENOEXEC;
		image->symtab = s->sh_offset;
		image->symbols = s->sh_size / sizeof(struct elf64_sym);
		image->strtab = str->sh_offset;
		image->strtab_bytes = str->sh_size;
		return 0;
	}
	return 0;
}

/* Next symbol called @name from *@index on. */
static const struct elf64_sym *symbol_next(const struct sgpu_image *image, const char *name,
					   u64 *index)
{
	const struct elf64_sym *table = (const void *)(image->elf + image->symtab);
	const char *strings = (const char *)image->elf + image->strtab;

	for (; *index < image->symbols; ++*index) {
		const struct elf64_sym *sym = &table[*index];

		if (*index % SYMBOL_STRIDE == 0)
			cond_resched();
		if (sym->st_name >= image->strtab_bytes || sym->st_shndx == SHN_UNDEF)
			continue;
		if (!strcmp(strings + sym->st_name, name)) {
			++*index;
			return sym;
		}
	}
	return NULL;
}

int sgpu_image_entry(const struct sgpu_image *image, const char *name, u32 *index)
{
	const struct elf64_sym *sym;
	u64 i = 0, offset;

	while ((sym = symbol_next(image, name, &i))) {
		if (ELF_ST_TYPE(sym->st_info) != STT_FUNC ||
		    ELF_ST_BIND(sym->st_info) == STB_LOCAL)
			continue;
		offset = sym->st_value - image->code_base;
		if (offset & 3 || offset / 4 >= image->code_count)
			continue;
		if (image->code[offset / 4].class == SGPU_CLASS_ILLEGAL)
			continue;
		*index = offset / 4;
		return 0;
	}
	return -ENOENT;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_image_entry);

bool sgpu_image_constant(const struct sgpu_image *image, const char *name, u64 *value)
{
	const struct elf64_sym *sym;
	u64 i = 0;

	while ((sym = symbol_next(image, name, &i))) {
		if (sym->st_shndx != SHN_ABS)
			continue;
		*value = sym->st_value;
		return true;
	}
	return false;
}
