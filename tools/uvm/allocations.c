// SPDX-License-Identifier: GPL-2.0
/* Allocations that fail; see allocations.h.  The linker puts these functions in between (--wrap). */
#include <stdatomic.h>

#include "../lib/allocations_wrap.h"
#include "allocations.h"
#include "out/json_read.h"

static atomic_bool allocations_have_failed;

bool allocations_failed(void)
{
	return atomic_load(&allocations_have_failed);
}

static void *allocations_note(void *memory)
{
	if (!memory) {
		atomic_store(&allocations_have_failed, true);
		json_read_fail();
	}
	return memory;
}

void *__wrap_malloc(size_t bytes)
{
	return allocations_note(__real_malloc(bytes));
}

void *__wrap_calloc(size_t count, size_t bytes)
{
	return allocations_note(__real_calloc(count, bytes));
}

/* To nothing is a free(). */
void *__wrap_realloc(void *old, size_t bytes)
{
	void *memory = __real_realloc(old, bytes);

	return bytes ? allocations_note(memory) : memory;
}
