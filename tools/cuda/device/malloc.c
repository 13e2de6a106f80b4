// SPDX-License-Identifier: GPL-2.0
/* malloc() of device code. */
#include <stddef.h>
#include <softgpu_kernel.h>
#include "heap.h"

struct heap __softuvm_heap;

/* A block that was free, or 0. */
static uint32_t take_freed(struct heap *heap, unsigned int class)
{
	uint64_t seen = *(volatile uint64_t *)&heap->freed[class], was, next;

	for (; (uint32_t)seen; seen = was) {
		next = *(volatile uint32_t *)(heap->bytes + (uint32_t)seen);
		was = atomic_cas_u64(&heap->freed[class], seen, ((seen >> 32) + 1) << 32 | next);
		if (was == seen)
			return seen;
	}
	return 0;
}

static uint32_t take_new(struct heap *heap, uint32_t bytes)
{
	uint32_t seen = *(volatile uint32_t *)&heap->used, start, was;

	for (;; seen = was) {
		start = seen ? seen : HEAP_HEADER;
		if (bytes > HEAP_BYTES - start)
			return 0;
		was = atomic_cas_u32(&heap->used, seen, start + bytes);
		if (was == seen)
			return start;
	}
}

void *malloc(size_t bytes)
{
	struct heap *heap = &__softuvm_heap;
	unsigned int class = 0;
	uint32_t block;

	if (bytes > HEAP_BYTES)
		return NULL;
	while (16u << class < bytes)
		class++;
	block = take_freed(heap, class);
	if (!block)
		block = take_new(heap, (16u << class) + HEAP_HEADER);
	if (!block)
		return NULL;
	*(uint32_t *)(heap->bytes + block) = class;
	return heap->bytes + block + HEAP_HEADER;
}
