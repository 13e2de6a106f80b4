// SPDX-License-Identifier: GPL-2.0
/*
 * uvm_prefetch_release() of libuvm: exits with 1 and says why when
 * something is wrong.
 *
 *	release to-gpu|to-cpu|at-once|foreign
 */
#include <string.h>
#include <unistd.h>

#include "pages_test.h"

#define PAGES	1024U
#define BYTES	(PAGES * UVM_PAGE_SIZE)

static struct uvm *u;

static void check(int err)
{
	if (err)
		fail("%s", uvm_last_error(u));
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	volatile uint32_t *word;
	int gpu = 0, err;
	char *at;

	check(uvm_open(&u, &gpu, 1));
	at = uvm_malloc_managed(u, BYTES, "buffer");
	word = uvm_malloc_pinned(u, UVM_PAGE_SIZE, "word");
	if (!at || !word)
		fail("%s", uvm_last_error(u));
	pages_fill(at, PAGES);
	word[1] = 5;
	if (!strcmp(what, "at-once")) {
		check(uvm_prefetch_release(u, NULL, 0, 0, (uint32_t *)word + 1, 77));
	} else if (!strcmp(what, "foreign")) {
		err = uvm_prefetch_release(u, at, BYTES, 0, (uint32_t *)at, 77);
		if (err != -ENOENT)
			fail("a word in managed memory: %d", err);
		word[1] = 77;
	} else {
		check(uvm_prefetch(u, at, BYTES, strcmp(what, "to-cpu") ? UVM_PROCESSOR_CPU : 0));
		check(uvm_prefetch_release(u, at, BYTES,
					   strcmp(what, "to-cpu") ? 0 : UVM_PROCESSOR_CPU,
					   (uint32_t *)word + 1, 77));
		check(uvm_wait_fence(u, 0));
	}
	if (word[0] || word[1] != 77 || word[2])
		fail("%s: the words are %u %u %u", what, word[0], word[1], word[2]);
	for (unsigned int i = 0; i < PAGES; i++)
		if (*page_word(at, i, WORD_GPU) != pages_before(i))
			fail("%s: page %u is wrong", what, i);
	uvm_close(u);
	return 0;
}
