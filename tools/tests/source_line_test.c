// SPDX-License-Identifier: GPL-2.0
/* Which lines of its source the instructions of a kernel are from. */
#include <string.h>

#include "../lib/internal.h"
#include "test.h"

#define IMAGE	IMAGES "/test_wild.elf"
#define PLAIN	"tests/fake/plain.c"
#define SOURCE	"kernels/test_wild.c"
#define BEGIN	0x4000000000000000

/* Line of the first @text in a file below tools/, 0 if there is none. */
static int line_of(const char *path, const char *text)
{
	char name[512], line[256];
	int number = 0, found = 0;
	FILE *file;

	snprintf(name, sizeof(name), TOOLS "/%s", path);
	file = fopen(name, "r");
	while (file && !found && fgets(line, sizeof(line), file)) {
		number++;
		if (strstr(line, text))
			found = number;
	}
	if (file)
		fclose(file);
	return found;
}

/* Some instruction is told to be from there. */
static bool told(const char *image, const char *want)
{
	char text[256];
	uint64_t pc;

	for (pc = BEGIN; pc < BEGIN + 0x10000; pc += 4)
		if (uvm_source_line(image, pc, text, sizeof(text)) && strstr(text, want) &&
		    !strcmp(strstr(text, want), want))
			return true;
	return false;
}

int main(void)
{
	char want[256], text[256], small[8];
	uint64_t pc;

	snprintf(want, sizeof(want), SOURCE ":%d in test_wild", line_of(SOURCE, "= 0x57494c44;"));
	CHECK(told(IMAGE, want), "%s", want);
	snprintf(want, sizeof(want), " in atomic_add_u32, called at " SOURCE ":%d in test_wild",
		 line_of(SOURCE, "atomic_add_u32("));
	CHECK(told(IMAGE, want), "%s", want);

	snprintf(want, sizeof(want), PLAIN ":%d in plain", line_of(PLAIN, "words[0] ="));
	CHECK(told(IMAGES "/plain.elf", want), "%s", want);

	/* Code that belongs to no one line is told with the line before it. */
	for (pc = BEGIN; uvm_source_line(IMAGE, pc, text, sizeof(text)); pc += 4)
		CHECK(!strstr(text, ":0") && strstr(text, " in "), "%#llx: %s",
		      (unsigned long long)pc, text);
	CHECK(pc > BEGIN, "no line at all");
	CHECK(uvm_source_line(IMAGE, BEGIN, small, sizeof(small)), "little room");
	CHECK(!strcmp(small, "kernels"), "%s", small);
	CHECK(!uvm_source_line(IMAGE, 0x1000, text, sizeof(text)), "%s", text);
	CHECK(!uvm_source_line(__FILE__, BEGIN, text, sizeof(text)), "%s", text);
	return test_end("source lines");
}
