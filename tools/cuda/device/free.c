// SPDX-License-Identifier: GPL-2.0
/* free() of device code.  Classes with virtual destructors call it, and need no heap for that. */
#include <stddef.h>
#include <softgpu_kernel.h>
#include "heap.h"

extern struct heap __softuvm_heap __attribute__((weak));

void free(void *at)
{
	struct heap *heap = &__softuvm_heap;
	uint64_t offset, seen, was;
	unsigned int class;

	if (!heap || !at)
		return;
	offset = (uint64_t)((char *)at - heap->bytes) - HEAP_HEADER;
	/* What malloc() did not give ends the launch, as CUDA's does. */
	if (offset >= HEAP_BYTES || offset % HEAP_HEADER ||
	    *(uint32_t *)(heap->bytes + offset) >= HEAP_CLASSES)
		__asm__ volatile("ebreak");
	class = *(uint32_t *)(heap->bytes + offset);
	seen = *(volatile uint64_t *)&heap->freed[class];
	for (;; seen = was) {
		*(volatile uint32_t *)(heap->bytes + offset) = seen;
		was = atomic_cas_u64(&heap->freed[class], seen, ((seen >> 32) + 1) << 32 | offset);
		if (was == seen)
			return;
	}
}
