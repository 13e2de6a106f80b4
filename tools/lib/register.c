// SPDX-License-Identifier: GPL-2.0
/*
 * Memory that the program has already, for GPUs.  The driver pins and manages memory of its own only:
 * its pages take the place of the program's, with the same contents, at the same address.  When it
 * is given back they change places again.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "internal.h"

/* Does anything of libuvm's lie there? */
static bool register_is_taken(struct uvm *u, uint64_t base, uint64_t bytes)
{
	struct uvm_allocation *a;

	pthread_mutex_lock(&u->alloc_lock);
	for (a = u->allocations; a; a = a->next)
		if (a->base < base + bytes && base < a->base + a->bytes)
			break;
	pthread_mutex_unlock(&u->alloc_lock);
	return a;
}

/* What is to become of pages of the program; NULL after uvm_fail(). */
static struct uvm_allocation *register_new(struct uvm *u, uint64_t base, uint64_t bytes,
					   enum uvm_memory_kind kind, const char *name)
{
	struct uvm_allocation *a = calloc(1, sizeof(*a));

	if (!a) {
		uvm_fail(u, ENOMEM, "register %llu bytes", (unsigned long long)bytes);
		return NULL;
	}
	a->base = base;
	a->bytes = bytes;
	a->kind = kind;
	a->in_place = true;
	strncpy(a->name, name ? name : "", sizeof(a->name) - 1);
	return a;
}

int uvm_host_register(struct uvm *u, void *ptr, size_t bytes, const char *name)
{
	struct uvm_allocation *a;
	uint64_t base, length;
	int err;

	uvm_span_pages(ptr, bytes, &base, &length);
	if (!bytes || length < bytes)
		return uvm_fail(u, EINVAL, "register %zu bytes at %p", bytes, ptr);
	if (register_is_taken(u, base, length))
		return uvm_fail(u, EEXIST, "register %zu bytes at %p", bytes, ptr);
	a = register_new(u, base, length, UVM_MEMORY_PINNED, name);
	if (!a)
		return -ENOMEM;
	err = uvm_explicit_register(u, a);
	if (err) {
		free(a);
		return err;
	}
	uvm_allocation_add(u, a);
	return 0;
}

int uvm_manage(struct uvm *u, void *ptr, size_t bytes, const char *name)
{
	struct uvm_allocation *a;
	void *copy;
	int err = 0;

	if (!bytes || ((uintptr_t)ptr | bytes) & (UVM_PAGE_SIZE - 1))
		return uvm_fail(u, EINVAL, "manage %zu bytes at %p", bytes, ptr);
	if (register_is_taken(u, (uintptr_t)ptr, bytes))
		return uvm_fail(u, EEXIST, "manage %zu bytes at %p", bytes, ptr);
	a = register_new(u, (uintptr_t)ptr, bytes, UVM_MEMORY_MANAGED, name);
	copy = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (!a || copy == MAP_FAILED) {
		free(a);
		return uvm_fail(u, ENOMEM, "manage %zu bytes", bytes);
	}
	memcpy(copy, ptr, bytes);
	if (mmap(ptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, u->fd,
		 (off_t)(uintptr_t)ptr) == MAP_FAILED) {
		err = uvm_fail(u, errno, "manage %zu bytes", bytes);
		mremap(copy, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, ptr);
		free(a);
		return err;
	}
	memcpy(ptr, copy, bytes);
	munmap(copy, bytes);
	uvm_allocation_add(u, a);
	return 0;
}

/* Ordinary memory with the same contents is put where the other is. */
void uvm_in_place_undo(struct uvm_allocation *a)
{
	void *own = mmap(NULL, a->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	/* without memory for it the program keeps these pages, which live as long as their map */
	if (own == MAP_FAILED)
		return;
	memcpy(own, (void *)a->base, a->bytes);
	mremap(own, a->bytes, a->bytes, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)a->base);
}
