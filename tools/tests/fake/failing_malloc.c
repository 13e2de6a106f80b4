// SPDX-License-Identifier: GPL-2.0
/*
 * An allocator that fails once: FAIL_ALLOCATION=N, the N-th call of the program, constructors included.  The C
 * library's own start is not counted: it ends the program.  The program is static, so the allocator is put
 * between by the linker (--wrap).  The file FAILED_ALLOCATION is made when it fails.
 * ALLOCATION_STACKS=FILE: each N whose callers, up to main(), are not those of a smaller one, a line each.
 */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <unwind.h>

#include "../../lib/allocations_wrap.h"

bool allocator_has_failed(void);
bool allocations_failed(void);
void json_read_fail(void) __attribute__((weak));

#define STACKS	(1 << 14)	/* more than a program has */

static atomic_ulong allocator_calls;
static bool allocator_counts;
static _Thread_local bool allocator_notes;

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

static _Unwind_Reason_Code allocator_hash(struct _Unwind_Context *frame, void *hash)
{
	*(uint64_t *)hash = (*(uint64_t *)hash ^ _Unwind_GetIP(frame)) * 0x100000001b3;
	return _URC_NO_REASON;
}

/* It was not called like this before. */
static bool allocator_is_new(void)
{
	static _Atomic uint64_t seen[STACKS];
	uint64_t hash = 0xcbf29ce484222325, was;

	_Unwind_Backtrace(allocator_hash, &hash);
	for (size_t i = hash % STACKS; ; i = (i + 1) % STACKS) {
		was = 0;
		if (atomic_compare_exchange_strong(&seen[i], &was, hash))
			return true;
		if (was == hash)
			return false;
	}
}

/* This may allocate itself. */
static void allocator_note(unsigned long call)
{
	const char *stacks = getenv("ALLOCATION_STACKS");
	int fd;

	if (!stacks)
		return;
	allocator_notes = true;
	fd = allocator_is_new() ? open(stacks, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
	if (fd >= 0) {
		dprintf(fd, "%lu\n", call);
		close(fd);
	}
	allocator_notes = false;
}

static bool allocator_fails(void)
{
	unsigned long call;
	const char *mark;
	int fd;

	if (!allocator_counts || allocator_notes)
		return false;
	call = ++allocator_calls;
	allocator_note(call);
	if (call != allocator_bad())
		return false;
	mark = getenv("FAILED_ALLOCATION");
	fd = mark ? open(mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0666) : -1;
	if (fd >= 0)
		close(fd);
	errno = ENOMEM;
	if (json_read_fail)
		json_read_fail();
	return true;
}

bool allocator_has_failed(void)
{
	return allocator_bad() && allocator_calls >= allocator_bad();
}

/* Instead of tools/uvm/allocations.c, as json_read_fail() of the command. */
bool allocations_failed(void)
{
	return allocator_has_failed();
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
