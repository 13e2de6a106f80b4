// SPDX-License-Identifier: GPL-2.0
/*
 * An allocator that fails once: FAIL_ALLOCATION=N, the N-th call of the program, constructors included.  The C
 * library's own start is not counted: it ends the program.  The program is static, so the allocator is put
 * between by the linker (--wrap).
 */
#include <malloc.h>

#include "cuda_test.h"

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);

static unsigned long allocator_calls;
static bool allocator_counts;

/* Before all other constructors. */
static __attribute__((constructor(101))) void allocator_begin(void)
{
	allocator_counts = true;
}

static unsigned long allocator_bad(void)
{
	static unsigned long bad;
	static bool known;
	const char *value;

	if (!known) {
		value = getenv("FAIL_ALLOCATION");
		bad = value ? strtoul(value, NULL, 10) : 0;
		known = true;
	}
	return bad;
}

static bool allocator_fails(void)
{
	return allocator_counts && ++allocator_calls == allocator_bad();
}

bool allocator_has_failed(void)
{
	return allocator_bad() && allocator_calls >= allocator_bad();
}

void *__wrap_malloc(size_t bytes)
{
	return allocator_fails() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
	return allocator_fails() ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *old, size_t bytes)
{
	/* what is large enough already may as well stay: asprintf() gives back what it did not need */
	if (old && bytes <= malloc_usable_size(old))
		return __real_realloc(old, bytes);
	return allocator_fails() ? NULL : __real_realloc(old, bytes);
}
