// SPDX-License-Identifier: GPL-2.0
/*
 * A launch that dies, or whose hints lead nowhere, leaves the driver with pages to cancel.
 * It ends with the first of them; by the time the others are cancelled, memory may be mapped
 * there and another launch may wait for it.  No such access may end.
 *
 * stale-cancel ROUNDS
 */
#include "common.h"
#include "explicit.h"

#define PAGES	64

static struct pair pair;

/* Launch @first where nothing is mapped, then map and use the same addresses. */
static void test_rounds(const char *first, long reason, unsigned int rounds)
{
	uint64_t at = fresh_address(PAGES * PAGE), *out = managed(pair.uvm, PAGE);
	struct test_args args = { .address = at, .value = 1, .out = (uintptr_t)out,
				  .count = PAGES, .stride = PAGE };
	unsigned int died = 0, bad = 0, wrong = 0;

	for (unsigned int i = 0; i < rounds; i++) {
		uint64_t *words;

		died += run_shape(&pair, first, 1, PAGES, &args, NULL) == reason;
		words = map_managed(pair.uvm, at, PAGES * PAGE);
		must(words);
		bad += run_shape(&pair, "t_add", 1, PAGES, &args, NULL) != 0;
		for (unsigned int page = 0; page < PAGES; page++)
			wrong += words[page * PAGE / sizeof(*words)] != 1;
		munmap(words, PAGES * PAGE);
	}
	is(died, rounds, "%s: of so many launches where nothing is mapped", first);
	is(bad, 0, "%s: good launches on the same addresses that failed", first);
	is(wrong, 0, "%s: and words that were not added to", first);
	munmap(out, PAGE);
}

/* The same where memory is managed, but the GPU has none left for it. */
static void test_no_memory(unsigned int rounds)
{
	uint64_t *at = managed(pair.uvm, PAGES * PAGE);
	struct test_args args = { .address = (uintptr_t)at, .value = 1, .count = PAGES,
				  .stride = PAGE };
	unsigned int died = 0, bad = 0;
	struct softgpu_alloc alloc;

	must(!vram_limit(pair.gpu, 4 * MB));
	for (unsigned int i = 0; i < rounds; i++) {
		must(!object_alloc(pair.gpu, DEVICE, 4 * MB, 0, &alloc));
		died += run_shape(&pair, "t_add", 1, PAGES, &args, NULL) ==
			SOFTGPU_FAIL_NO_MEMORY;
		must(!object_free(pair.gpu, alloc.handle));
		bad += run_shape(&pair, "t_add", 1, PAGES, &args, NULL) != 0;
	}
	must(!vram_limit(pair.gpu, 0));
	is(died, rounds, "no memory: of so many launches");
	is(bad, 0, "no memory: good launches on the same addresses that failed");
}

int main(int argc, char **argv)
{
	unsigned int rounds = argc > 1 ? atoi(argv[1]) : 20;

	pair = pair_open();
	test_rounds("t_add", SOFTGPU_FAIL_FAULT, rounds);
	test_rounds("t_prefetch", 0, rounds);
	test_no_memory(rounds);
	pair_close(&pair);
	return tap_finish();
}
