// SPDX-License-Identifier: GPL-2.0
/*
 * Memory that the program has already, for GPUs.  The driver pins memory of its own only: its pages
 * take the place of the program's, with the same contents, at the same address.  When it is given
 * back they change places again.
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
	a = calloc(1, sizeof(*a));
	if (!a)
		return uvm_fail(u, ENOMEM, "register %zu bytes", bytes);
	a->base = base;
	a->bytes = length;
	a->kind = UVM_MEMORY_REGISTERED;
	strncpy(a->name, name ? name : "", sizeof(a->name) - 1);
	err = uvm_explicit_register(u, a);
	if (err) {
		free(a);
		return err;
	}
	uvm_allocation_add(u, a);
	return 0;
}

/* Ordinary memory with the same contents is put where the pinned one is. */
void uvm_register_undo(struct uvm_allocation *a)
{
	void *own = mmap(NULL, a->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	/* without memory for it the program keeps the pinned pages, which live as long as their map */
	if (own == MAP_FAILED)
		return;
	memcpy(own, (void *)a->base, a->bytes);
	mremap(own, a->bytes, a->bytes, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)a->base);
}
