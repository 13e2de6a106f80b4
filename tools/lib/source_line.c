// SPDX-License-Identifier: GPL-2.0
/* Source lines of GPU kernels, by elfutils' libdw. */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* Callers of what is inlined; more are not told. */
#define LINE_CALLERS	3

/**
 * struct line_text - what is found, in words
 * @at: where the next goes
 * @room: bytes left there
 */
struct line_text {
	char *at;
	size_t room;
};

static void line_say(struct line_text *text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static void line_say(struct line_text *text, const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(text->at, text->room, format, args);
	va_end(args);
	if (length < 0 || (size_t)length >= text->room)
		length = text->room ? text->room - 1 : 0;
	text->at += length;
	text->room -= length;
}

/* As the compiler was told, if that is below where it was run. */
static const char *line_short_path(Dwarf_Die *unit, const char *path)
{
	Dwarf_Attribute attribute;
	const char *directory = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
	size_t length = directory ? strlen(directory) : 0;

	if (length && !strncmp(path, directory, length) && path[length] == '/')
		path += length + 1;
	return path;
}

/* Clang makes no .debug_aranges, which dwarf_addrdie() wants: look at each unit. */
static bool line_unit(Dwarf *dwarf, uint64_t pc, Dwarf_Die *unit)
{
	Dwarf_Off at = 0, next;
	size_t header;

	while (!dwarf_nextcu(dwarf, at, &next, &header, NULL, NULL, NULL)) {
		if (dwarf_offdie(dwarf, at + header, unit) && dwarf_haspc(unit, pc) > 0)
			return true;
		at = next;
	}
	return false;
}

/* The row of @pc; line 0 is code that belongs to no one line: then the line before it. */
static Dwarf_Line *line_row(Dwarf_Die *unit, uint64_t pc)
{
	Dwarf_Line *row, *found = NULL;
	Dwarf_Addr address;
	Dwarf_Lines *rows;
	size_t i, count;
	int number;
	bool end;

	if (dwarf_getsrclines(unit, &rows, &count))
		return NULL;
	for (i = 0; i < count; i++) {
		row = dwarf_onesrcline(rows, i);
		if (dwarf_lineaddr(row, &address) || address > pc ||
		    dwarf_lineendsequence(row, &end) || dwarf_lineno(row, &number))
			break;
		if (end)
			found = NULL;
		else if (number)
			found = row;
	}
	return found;
}

/* Where @inlined was called. */
static void line_say_call(struct line_text *text, Dwarf_Die *unit, Dwarf_Die *inlined)
{
	Dwarf_Word file = 0, number = 0;
	const char *path = NULL;
	Dwarf_Attribute a;
	Dwarf_Files *files;
	size_t count;

	dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &a), &file);
	dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &a), &number);
	if (!dwarf_getsrcfiles(unit, &files, &count) && file < count)
		path = dwarf_filesrc(files, file, NULL, NULL);
	if (path)
		line_say(text, ", called at %s:%d", line_short_path(unit, path), (int)number);
}

/* The function that an address is in, and if that is inlined its callers.  False if not known. */
static bool line_say_functions(struct line_text *text, Dwarf_Die *unit, uint64_t pc)
{
	Dwarf_Die *inner = NULL, *scopes = NULL;
	int i, count = 0, said = 0, tag;

	if (dwarf_getscopes(unit, pc, &inner) > 0)
		count = dwarf_getscopes_die(inner, &scopes);
	for (i = 0; i < count; i++) {
		const char *name = dwarf_diename(&scopes[i]);

		tag = dwarf_tag(&scopes[i]);
		if ((tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine) || !name)
			continue;
		line_say(text, " in %s", name);
		if (said++ == LINE_CALLERS || tag == DW_TAG_subprogram)
			break;
		line_say_call(text, unit, &scopes[i]);
	}
	free(scopes);
	free(inner);
	return said;
}

/* Of the C++ library, if the program has it. */
char *__cxa_demangle(const char *name, char *room, size_t *length, int *status)
	__attribute__((weak));

/* A symbol as people wrote it. */
static void line_say_name(struct line_text *text, const char *lead, const char *symbol)
{
	char *plain = __cxa_demangle ? __cxa_demangle(symbol, NULL, NULL, NULL) : NULL;

	line_say(text, "%s%s", lead, plain ? plain : symbol);
	free(plain);
}

/* The function by its symbol: clang describes only those with something inlined. */
static bool line_say_symbol(struct line_text *text, const char *lead, Elf *elf, uint64_t pc)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	GElf_Sym symbol;
	Elf_Data *data;
	int i;

	while ((section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB)
			continue;
		data = elf_getdata(section, NULL);
		for (i = 0; gelf_getsym(data, i, &symbol); i++) {
			const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);

			if (name && GELF_ST_TYPE(symbol.st_info) == STT_FUNC &&
			    pc - symbol.st_value < symbol.st_size) {
				line_say_name(text, lead, name);
				return true;
			}
		}
	}
	return false;
}

static bool line_find(Dwarf *dwarf, uint64_t pc, struct line_text *text)
{
	Dwarf_Addr address;
	const char *path;
	Dwarf_Line *row;
	Dwarf_Die unit;
	int number;

	if (!line_unit(dwarf, pc, &unit))
		return false;
	row = line_row(&unit, pc);
	path = row ? dwarf_linesrc(row, NULL, NULL) : NULL;
	if (!path || dwarf_lineno(row, &number) || dwarf_lineaddr(row, &address))
		return false;
	line_say(text, "%s:%d", line_short_path(&unit, path), number);
	if (!line_say_functions(text, &unit, address))
		line_say_symbol(text, " in ", dwarf_getelf(dwarf), address);
	return true;
}

bool uvm_source_line(const void *image, size_t bytes, uint64_t pc, char *text, size_t room)
{
	struct line_text said = { .at = text, .room = room };
	bool found = false;
	Dwarf *dwarf;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_memory((char *)image, bytes);
	if (!elf)
		return false;
	dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	if (dwarf) {
		found = line_find(dwarf, pc, &said);
		dwarf_end(dwarf);
	}
	if (!found && line_say_symbol(&said, "", elf, pc)) {
		line_say(&said, ", compiled without -gline-tables-only");
		found = true;
	}
	elf_end(elf);
	return found;
}
