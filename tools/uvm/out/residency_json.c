// SPDX-License-Identifier: GPL-2.0
/* Where pages are, as JSON objects and as lines for people. */
#include <inttypes.h>
#include <string.h>

#include "out/events_json.h"
#include "parse.h"
#include "out/residency_json.h"
#include "uvm_cmd.h"

#define PROCESSORS	16	/* bits of a mask: the CPU, then GPUs */

static const char *residency_processor(unsigned int bit, char *text, size_t room)
{
	if (bit)
		snprintf(text, room, "gpu%u", bit - 1);
	else
		snprintf(text, room, "cpu");
	return text;
}

static struct json_object *residency_processors(unsigned int mask)
{
	struct json_object *a = json_object_new_array();
	unsigned int bit;
	char text[16];

	for (bit = 0; bit < PROCESSORS; bit++)
		if (mask & 1u << bit)
			json_append(a, json_object_new_string(
				residency_processor(bit, text, sizeof(text))));
	return a;
}

/* The strongest access that a mapping allows. */
static const char *residency_access(const struct uvm_page_residency *page, unsigned int bit)
{
	if (page->atomic & 1u << bit)
		return "atomic";
	return page->writable & 1u << bit ? "write" : "read";
}

static unsigned int residency_pte_bytes(const struct uvm_page_residency *page, unsigned int bit)
{
	if (page->pte_2m & 1u << bit)
		return 2u << 20;
	return page->pte_64k & 1u << bit ? 64u << 10 : 4u << 10;
}

static struct json_object *residency_mapped(const struct uvm_page_residency *page)
{
	struct json_object *a = json_object_new_array();
	unsigned int bit;
	char text[16];

	for (bit = 0; bit < PROCESSORS; bit++) {
		struct json_object *o;

		if (!(page->readable & 1u << bit))
			continue;
		o = json_object_new_object();
		json_add_text(o, "by", residency_processor(bit, text, sizeof(text)));
		json_add_text(o, "access", residency_access(page, bit));
		json_add_u64(o, "pte_bytes", residency_pte_bytes(page, bit));
		json_append(a, o);
	}
	return a;
}

struct json_object *residency_to_json(const char *name, uint64_t offset, uint64_t pages,
				      const struct uvm_page_residency *page)
{
	struct json_object *o = json_object_new_object();

	json_add_text(o, "residency", name);
	json_add_u64(o, "offset", offset);
	json_add_u64(o, "bytes", pages * UVM_PAGE_SIZE);
	json_add(o, "resident", residency_processors(page->resident));
	json_add(o, "populated", residency_processors(page->populated));
	json_add(o, "mapped", residency_mapped(page));
	if (page->flags & UVM_PAGE_DISCARDED)
		json_add_flag(o, "discarded", true);
	return o;
}

static void residency_text_processors(FILE *to, const char *what, unsigned int mask)
{
	unsigned int bit;
	char text[16];

	fprintf(to, "  %s", what);
	for (bit = 0; bit < PROCESSORS; bit++)
		if (mask & 1u << bit)
			fprintf(to, " %s", residency_processor(bit, text, sizeof(text)));
	if (!mask)
		fputs(" nowhere", to);
}

static void residency_text(FILE *to, const char *name, uint64_t offset, uint64_t pages,
			   const struct uvm_page_residency *page)
{
	char where[64], text[24];
	unsigned int bit;

	snprintf(where, sizeof(where), "%s+%#" PRIx64, name, offset);
	fprintf(to, "  %-20s %8s", where, format_bytes(pages * UVM_PAGE_SIZE, text, sizeof(text)));
	residency_text_processors(to, "resident", page->resident);
	residency_text_processors(to, "populated", page->populated);
	for (bit = 0; bit < PROCESSORS; bit++)
		if (page->readable & 1u << bit)
			fprintf(to, "  %s: %s by %uK", residency_processor(bit, text, sizeof(text)),
				residency_access(page, bit), residency_pte_bytes(page, bit) >> 10);
	fputs(page->flags & UVM_PAGE_DISCARDED ? "  discarded\n" : "\n", to);
}

void residency_print(FILE *to, bool json, const char *name, uint64_t offset,
		     const struct uvm_page_residency *pages, uint64_t count)
{
	uint64_t first, next;

	for (first = 0; first < count; first = next) {
		for (next = first + 1; next < count; next++)
			if (memcmp(&pages[first], &pages[next], sizeof(*pages)))
				break;
		if (json) {
			struct json_object *o = residency_to_json(name,
								  offset + first * UVM_PAGE_SIZE,
								  next - first, &pages[first]);

			json_print_line(to, o);
			json_object_put(o);
		} else {
			residency_text(to, name, offset + first * UVM_PAGE_SIZE, next - first,
				       &pages[first]);
		}
	}
}
