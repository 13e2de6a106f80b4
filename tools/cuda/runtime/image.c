// SPDX-License-Identifier: GPL-2.0
/* Reading the ELF image of a module. */
#include <elf.h>
#include <string.h>

#include "image.h"

#define IMAGE_MAX	(64UL << 20)	/* the device takes 16 MB; the rest are lines and names */

static size_t image_end(size_t end, uint64_t offset, uint64_t bytes)
{
	return offset <= IMAGE_MAX && bytes <= IMAGE_MAX && offset + bytes > end ? offset + bytes :
										  end;
}

/* The compiler hands over where the image is, but not how long. */
size_t image_bytes(const void *data)
{
	const Elf64_Ehdr *h = data;
	const Elf64_Shdr *s;
	size_t end;

	if (memcmp(h->e_ident, ELFMAG, SELFMAG) || h->e_ident[EI_CLASS] != ELFCLASS64 ||
	    h->e_machine != EM_RISCV || h->e_shentsize != sizeof(*s))
		return 0;
	end = image_end(sizeof(*h), h->e_shoff, (uint64_t)h->e_shnum * sizeof(*s));
	end = image_end(end, h->e_phoff, (uint64_t)h->e_phnum * sizeof(Elf64_Phdr));
	if (h->e_shoff > IMAGE_MAX)
		return 0;
	s = (const Elf64_Shdr *)((const char *)data + h->e_shoff);
	for (unsigned int i = 0; i < h->e_shnum; i++)
		if (s[i].sh_type != SHT_NOBITS)
			end = image_end(end, s[i].sh_offset, s[i].sh_size);
	return end;
}

static Elf_Data *image_symbols(Elf *elf, Elf64_Shdr **header)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(elf, section))) {
		*header = elf64_getshdr(section);
		if (*header && (*header)->sh_type == SHT_SYMTAB)
			return elf_getdata(section, NULL);
	}
	return NULL;
}

bool image_symbol(Elf *elf, const char *name, Elf64_Sym *out)
{
	Elf64_Shdr *header;
	Elf_Data *data = image_symbols(elf, &header);
	const Elf64_Sym *symbols = data ? data->d_buf : NULL;

	for (size_t i = 0; symbols && i < data->d_size / sizeof(*symbols); i++) {
		const char *found = elf_strptr(elf, header->sh_link, symbols[i].st_name);

		if (found && !strcmp(found, name) && symbols[i].st_shndx != SHN_UNDEF) {
			*out = symbols[i];
			return true;
		}
	}
	return false;
}

uint64_t image_value(Elf *elf, const char *name, uint64_t otherwise)
{
	Elf64_Sym symbol;

	return image_symbol(elf, name, &symbol) ? symbol.st_value : otherwise;
}

Elf_Scn *image_section(Elf *elf, uint64_t address, Elf64_Shdr **header)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(elf, section))) {
		*header = elf64_getshdr(section);
		if (*header && (*header)->sh_flags & SHF_ALLOC && address >= (*header)->sh_addr &&
		    address - (*header)->sh_addr < (*header)->sh_size)
			return section;
	}
	return NULL;
}

void *image_at(Elf *elf, uint64_t address, size_t bytes)
{
	Elf64_Shdr *header;
	Elf_Scn *section = image_section(elf, address, &header);
	size_t total;
	char *file;

	if (!section || header->sh_type == SHT_NOBITS ||
	    bytes > header->sh_size - (address - header->sh_addr))
		return NULL;
	file = elf_rawfile(elf, &total);
	if (!file || header->sh_offset > total || header->sh_size > total - header->sh_offset)
		return NULL;
	return file + header->sh_offset + (address - header->sh_addr);
}
