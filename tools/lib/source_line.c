// SPDX-License-Identifier: GPL-2.0
/* Source lines of GPU kernels, by elfutils' libdw. */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

/* The function that an address is in, inlined ones first; "" if that is not known. */
static const char *line_function(Dwarf_Die *unit, uint64_t pc)
{
	Dwarf_Die *scopes = NULL;
	const char *name = NULL;
	int i, count = dwarf_getscopes(unit, pc, &scopes);

	for (i = 0; i < count && !name; i++)
		if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram ||
		    dwarf_tag(&scopes[i]) == DW_TAG_inlined_subroutine)
			name = dwarf_diename(&scopes[i]);
	free(scopes);
	return name ? name : "";
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

static bool line_find(Dwarf *dwarf, uint64_t pc, char *text, size_t room)
{
	const char *path, *function;
	Dwarf_Line *line;
	Dwarf_Die unit;
	int number;

	if (!line_unit(dwarf, pc, &unit))
		return false;
	line = dwarf_getsrc_die(&unit, pc);
	path = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
	if (!path || dwarf_lineno(line, &number))
		return false;
	function = line_function(&unit, pc);
	snprintf(text, room, "%s:%d%s%s", line_short_path(&unit, path), number,
		 *function ? " in " : "", function);
	return true;
}

bool uvm_source_line(const char *image, uint64_t pc, char *text, size_t room)
{
	int fd = open(image, O_RDONLY | O_CLOEXEC);
	bool found = false;
	Dwarf *dwarf;

	if (fd < 0)
		return false;
	dwarf = dwarf_begin(fd, DWARF_C_READ);
	if (dwarf) {
		found = line_find(dwarf, pc, text, room);
		dwarf_end(dwarf);
	}
	close(fd);
	return found;
}
