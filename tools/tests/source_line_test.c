// SPDX-License-Identifier: GPL-2.0
/* Which lines of its source the instructions of a kernel are from. */
#include <string.h>

#include "../lib/internal.h"
#include "test.h"

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

/**
 * struct image - an ELF file in memory
 * @bytes: how many
 * @data: the same
 */
struct image {
	size_t bytes;
	char data[1 << 20];
};

static struct image wild, plain, stripped, source;

static void read_image(struct image *image, const char *path)
{
	FILE *file = fopen(path, "r");

	if (file) {
		image->bytes = fread(image->data, 1, sizeof(image->data), file);
		fclose(file);
	}
	CHECK(image->bytes, "%s", path);
}

static bool line_at(const struct image *image, uint64_t pc, char *text, size_t room)
{
	return uvm_source_line(image->data, image->bytes, pc, text, room);
}

/* Some instruction is told to be from there. */
static bool told(const struct image *image, const char *want)
{
	char text[256];
	uint64_t pc;

	for (pc = BEGIN; pc < BEGIN + 0x10000; pc += 4)
		if (line_at(image, pc, text, sizeof(text)) && strstr(text, want) &&
		    !strcmp(strstr(text, want), want))
			return true;
	return false;
}

int main(void)
{
	char want[256], text[256], small[8];
	uint64_t pc;

	snprintf(want, sizeof(want), SOURCE ":%d in test_wild", line_of(SOURCE, "= 0x57494c44;"));
	read_image(&wild, IMAGES "/test_wild.elf");
	read_image(&plain, IMAGES "/plain.elf");
	read_image(&stripped, IMAGES "/stripped.elf");
	read_image(&source, TOOLS "/tests/source_line_test.c");
	CHECK(told(&wild, want), "%s", want);
	snprintf(want, sizeof(want), " in atomic_add_u32, called at " SOURCE ":%d in test_wild",
		 line_of(SOURCE, "atomic_add_u32("));
	CHECK(told(&wild, want), "%s", want);

	snprintf(want, sizeof(want), PLAIN ":%d in plain", line_of(PLAIN, "words[0] ="));
	CHECK(told(&plain, want), "%s", want);
	CHECK(told(&stripped, "plain, compiled without -gline-tables-only"), "no lines, a symbol");

	/* Code that belongs to no one line is told with the line before it. */
	for (pc = BEGIN; line_at(&wild, pc, text, sizeof(text)); pc += 4)
		CHECK(!strstr(text, ":0") && strstr(text, " in "), "%#llx: %s",
		      (unsigned long long)pc, text);
	CHECK(pc > BEGIN, "no line at all");
	CHECK(line_at(&wild, BEGIN, small, sizeof(small)), "little room");
	CHECK(!strcmp(small, "kernels"), "%s", small);
	CHECK(!line_at(&wild, 0x1000, text, sizeof(text)), "%s", text);
	CHECK(!line_at(&source, BEGIN, text, sizeof(text)), "%s", text);
	return test_end("source lines");
}
