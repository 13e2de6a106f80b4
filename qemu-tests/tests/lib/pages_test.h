/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the programs here share: a buffer whose pages have a word for the GPU
 * and words for CPU threads.  Both sides change words of their own in the same
 * pages at the same time, and every lost or stale page shows.
 */
#ifndef PAGES_TEST_H
#define PAGES_TEST_H

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uvm.h>

#include "../../../tools/kernels/pages.c"
#include "../../../tools/kernels/test_atomic.c"

/* 32-bit words of a page; the GPU's is the one kernel "pages" changes. */
#define WORD_GPU	0
#define WORD_CPU	1	/* and the next ones, one per thread */
#define PAGE_WORDS	(UVM_PAGE_SIZE / 4)

static inline void fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
static inline void fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	fflush(stdout);
	_exit(1);
}

static inline volatile uint32_t *page_word(void *buffer, uint64_t page, unsigned int word)
{
	return (volatile uint32_t *)buffer + page * PAGE_WORDS + word;
}

/* What the GPU's word of a page holds after so many launches over it. */
static inline uint32_t page_want(uint64_t page, unsigned int launches)
{
	return launches & 1 ? pages_after(page) : pages_before(page);
}

static inline void pages_fill(void *buffer, uint64_t pages)
{
	for (uint64_t i = 0; i < pages; i++)
		*page_word(buffer, i, WORD_GPU) = pages_before(i);
}

/* Start the kernel that inverts the GPU's word of each page. */
static inline int pages_launch(struct uvm *u, uint32_t image, void *buffer, uint64_t pages)
{
	struct pages_args args = {
		.buffer = buffer, .pages = pages, .page_bytes = UVM_PAGE_SIZE,
		.access = PAGES_READ | PAGES_WRITE,
	};
	struct uvm_launch_params launch = {
		.image = image, .entry = "pages", .args = &args, .args_bytes = sizeof(args),
		.grid = UVM_DIM((uint32_t)(pages + 127) / 128), .block = UVM_DIM(128),
	};

	return uvm_launch(u, &launch);
}

/* A generator of one's own: libc's would be shared by threads. */
static inline uint32_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (uint32_t)(*state >> 33);
}

#endif
