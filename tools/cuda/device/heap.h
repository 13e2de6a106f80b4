/* SPDX-License-Identifier: GPL-2.0 */
/* The heap of device code: malloc.c takes of it, free.c gives back. */
#ifndef CUDA_HEAP_H
#define CUDA_HEAP_H

#include <stdint.h>

/* CUDA's own size, if nobody sets it (CUDA C++ Programming Guide, "Heap Memory Allocation"). */
#define HEAP_BYTES	(8u << 20)
#define HEAP_HEADER	16	/* before each block: its class; what is behind is aligned to this */
#define HEAP_CLASSES	20	/* blocks of 16 bytes, 32, ... 8 MB, and their headers */

/**
 * struct heap - blocks of powers of two
 * @used: bytes that blocks were ever made of
 * @freed: for each class, where the first free block is, by its offset from @bytes, 0 if there is
 *	none; and above these 32 bits how often that changed, so that none is taken for what it was
 * @bytes: the blocks; the first 16 bytes are none's
 *
 * Threads change a word only if nobody did meanwhile.  A free block begins with the next one's
 * offset.
 */
struct heap {
	uint32_t used;
	uint64_t freed[HEAP_CLASSES];
	char bytes[HEAP_BYTES] __attribute__((aligned(16)));
};

#endif
