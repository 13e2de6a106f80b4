// SPDX-License-Identifier: GPL-2.0
/*
 * pages: one thread touches one page, in order ("regular") or in the order of a
 * pseudo-random permutation ("random"), as the page-touch kernels of the
 * published cost study do.
 */
#ifndef KERNEL_PAGES_C
#define KERNEL_PAGES_C

#include <stdint.h>

#define PAGES_READ	1
#define PAGES_WRITE	2

struct pages_args {
	char *buffer;
	uint32_t *seen;		/* what was read, one word per page; NULL if nothing is */
	uint64_t pages;
	uint64_t page_bytes;
	uint64_t seed;
	uint32_t random;
	uint32_t access;	/* PAGES_READ, PAGES_WRITE or both */
};

/* What page @page holds before the kernel, and what the kernel makes of it. */
static inline uint32_t pages_before(uint64_t page)
{
	return (uint32_t)page * 2654435761u + 1;
}

static inline uint32_t pages_after(uint64_t page)
{
	return ~pages_before(page);
}

/*
 * A permutation of 0 ... pages - 1 that needs no memory: a Feistel network over
 * the next even number of bits, walked until it lands inside the range.
 */
static inline uint64_t pages_permute(uint64_t i, uint64_t pages, uint64_t seed)
{
	unsigned int half = 1;
	uint64_t mask;

	while (pages > 1ULL << (2 * half))
		half++;
	mask = (1ULL << half) - 1;

	do {
		uint64_t left = i >> half, right = i & mask;

		for (unsigned int round = 0; round < 4; round++) {
			uint64_t mixed = (right + seed + round) * 0x9e3779b97f4a7c15ULL;
			uint64_t next = left ^ ((mixed ^ mixed >> 29) >> 17 & mask);

			left = right;
			right = next;
		}
		i = left << half | right;
	} while (i >= pages);
	return i;
}

#ifdef __riscv
#include <softgpu_kernel.h>

void pages(const struct pages_args *args)
{
	uint64_t i = global_idx_x();
	uint32_t *word;

	if (i >= args->pages)
		return;
	if (args->random)
		i = pages_permute(i, args->pages, args->seed);

	word = (uint32_t *)(args->buffer + i * args->page_bytes);
	if (args->access == PAGES_READ)
		args->seen[i] = *word;
	else if (args->access == PAGES_WRITE)
		*word = pages_after(i);
	else
		*word = ~*word;
}
#endif

#endif
