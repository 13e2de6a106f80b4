// SPDX-License-Identifier: GPL-2.0
/*
 * A unit is evicted while somebody else's copy out of it is still under way: pages that
 * migrate to the CPU are resident there at once, so the unit is empty and the first to be
 * taken.  Exits with 1 and says why when bytes of the next owner come home instead.
 *
 *	migrate-evict TIMING
 */
#include <string.h>
#include <unistd.h>

#include "pages_test.h"

#define PAGES	1024U
#define BYTES	(PAGES * UVM_PAGE_SIZE)
/* times BYTES: more than the GPU has */
#define OTHERS	3

static struct uvm *u;

static void check(int err)
{
	if (err)
		fail("%s", uvm_last_error(u));
}

static char *allocate(const char *name)
{
	char *at = uvm_malloc_managed(u, BYTES, name);

	if (!at)
		fail("%s", uvm_last_error(u));
	return at;
}

/* Every word of a page tells whose it is. */
static uint32_t value(unsigned int owner, unsigned int page)
{
	return (owner + 1) << 24 | page;
}

static void fill(char *at, unsigned int owner)
{
	for (unsigned int page = 0; page < PAGES; page++)
		for (unsigned int word = 0; word < PAGE_WORDS; word++)
			*page_word(at, page, word) = value(owner, page);
}

static void look(char *at, unsigned int owner)
{
	for (unsigned int page = 0; page < PAGES; page++)
		for (unsigned int word = 0; word < PAGE_WORDS; word++)
			if (*page_word(at, page, word) != value(owner, page))
				fail("page %u of %u has %08x", page, owner,
				     *page_word(at, page, word));
}

int main(int argc, char **argv)
{
	char *first, *other[OTHERS];
	unsigned int i;
	int gpu = 0;

	check(uvm_open(&u, &gpu, 1));
	check(uvm_param_set(u, "root_chunk_granularity", "64k"));
	check(uvm_param_set(u, "eviction_timing", argc > 1 ? argv[1] : ""));
	first = allocate("first");
	fill(first, 0);
	for (i = 0; i < OTHERS; i++) {
		other[i] = allocate("other");
		fill(other[i], i + 1);
	}
	check(uvm_prefetch(u, first, BYTES, 0));
	check(uvm_prefetch_async(u, first, BYTES, UVM_PROCESSOR_CPU, NULL));
	for (i = 0; i < OTHERS; i++)
		check(uvm_prefetch_async(u, other[i], BYTES, 0, NULL));
	check(uvm_wait_fence(u, 0));
	look(first, 0);
	for (i = 0; i < OTHERS; i++)
		look(other[i], i + 1);
	uvm_close(u);
	return 0;
}
