// SPDX-License-Identifier: GPL-2.0
/* Where managed pages are, and eviction by address. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

#include "internal.h"

int uvm_residency(struct uvm *u, const void *ptr, size_t bytes, struct uvm_page_residency *pages)
{
	struct uvm_residency r = { .size = sizeof(r) };
	uint64_t at, length;
	size_t count;

	for (uvm_span_pages(ptr, bytes, &at, &length); length; at += r.length, length -= r.length) {
		count = length / UVM_PAGE_SIZE;
		if (count > UVM_RESIDENCY_PAGES)
			count = UVM_RESIDENCY_PAGES;
		r.base = at;
		r.length = count * UVM_PAGE_SIZE;
		if (ioctl(u->fd, UVM_IOC_RESIDENCY, &r))
			return uvm_fail(u, errno, "residency of %p+%zu", ptr, bytes);
		memcpy(pages, r.pages, count * sizeof(*pages));
		pages += count;
	}
	return 0;
}

int uvm_evict(struct uvm *u, const void *ptr, size_t bytes, int gpu, uint64_t *freed)
{
	struct uvm_evict e = { .size = sizeof(e), .gpu = gpu };
	uint64_t base, length;

	uvm_span_pages(ptr, bytes, &base, &length);
	e.base = base;
	e.length = length;
	if (ioctl(u->fd, UVM_IOC_EVICT, &e))
		return uvm_fail(u, errno, "eviction of %p+%zu from gpu%d", ptr, bytes, gpu);
	if (freed)
		*freed = e.bytes;
	return 0;
}

int uvm_validate_range(struct uvm *u, const void *ptr, size_t bytes)
{
	struct uvm_validate_range v = { .size = sizeof(v) };
	uint64_t base, length;

	uvm_span_pages(ptr, bytes, &base, &length);
	v.base = base;
	v.length = length;
	if (ioctl(u->fd, UVM_IOC_VALIDATE_RANGE, &v))
		return uvm_fail(u, errno, "%p+%zu is not in one range", ptr, bytes);
	return 0;
}

int uvm_pattern(struct uvm *u, const void *ptr, struct uvm_get_pattern *found)
{
	*found = (struct uvm_get_pattern){ .size = sizeof(*found), .address = (uintptr_t)ptr };
	if (!ioctl(u->fd, UVM_IOC_PATTERN, found))
		return 0;
	if (errno == ENOENT)
		return -ENOENT;
	return uvm_fail(u, errno, "pattern of %p", ptr);
}

const char *uvm_pattern_name(unsigned int pattern)
{
	static const char * const names[UVM_PATTERN_COUNT] = {
#define X(name, text) [UVM_PATTERN_##name] = text,
		UVM_PATTERNS(X)
#undef X
	};

	return pattern < UVM_PATTERN_COUNT ? names[pattern] : NULL;
}

int uvm_pageable_access(struct uvm *u)
{
	struct uvm_pageable_access p = { .size = sizeof(p) };

	if (ioctl(u->fd, UVM_IOC_PAGEABLE_ACCESS, &p))
		return uvm_fail(u, errno, "access to pageable memory");
	return p.access;
}

int uvm_next_managed(struct uvm *u, uint64_t *address, uint64_t *bytes, char *name, size_t room)
{
	struct uvm_allocation *a, *first = NULL;

	pthread_mutex_lock(&u->alloc_lock);
	for (a = u->allocations; a; a = a->next)
		if (a->kind == UVM_MEMORY_MANAGED && a->base >= *address &&
		    (!first || a->base < first->base))
			first = a;
	if (first) {
		*address = first->base;
		*bytes = first->bytes;
		snprintf(name, room, "%s", first->name);
	}
	pthread_mutex_unlock(&u->alloc_lock);
	return first ? 0 : -ENOENT;
}
