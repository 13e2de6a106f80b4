// SPDX-License-Identifier: GPL-2.0
/* Memory: allocation at deterministic addresses, migration, advice. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "addresses.h"
#include "internal.h"

/*
 * Addresses reach results (they decide page table and TLB sets), so they must
 * not depend on ASLR, nor on the kernel: a region far from everything the loader
 * and the kernel place by themselves is handed out in order.  Allocations are a
 * block apart unless uvm_leave_gap() says else, so that running over one is a wild
 * access rather than the next one's data.  The second region is for programs in which the first is taken, as
 * by AddressSanitizer; not every kernel has it.
 */
static const struct memory_region {
	uint64_t start, end;
} memory_regions[] = {
	{ UVM_ADDRESSES_START, UVM_ADDRESSES_END },
	{ 0x200000000000, 0x204000000000 },
};

#define MEMORY_REGION	(UVM_ADDRESSES_END - UVM_ADDRESSES_START)

static pthread_mutex_t memory_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned int memory_region;
static uint64_t memory_next = UVM_ADDRESSES_START;

static uint64_t memory_round_up(uint64_t value, uint64_t unit)
{
	return (value + unit - 1) & ~(unit - 1);
}

/*
 * Reserve in one region from memory_next on; what happens to be taken is stepped over.
 * At the end it goes on at the start, where something may have been freed meanwhile.
 */
static void *memory_reserve(const struct memory_region *region, size_t bytes, uint64_t gap)
{
	uint64_t step = memory_round_up(bytes, UVM_BLOCK_SIZE) + gap;
	uint64_t tried = 0;
	void *base;

	while (tried < region->end - region->start) {
		if (memory_next + step > region->end) {
			tried += region->end - memory_next;
			memory_next = region->start;
			continue;
		}
		base = mmap((void *)memory_next, bytes, PROT_NONE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
			    -1, 0);
		tried += UVM_BLOCK_SIZE;
		memory_next += base == MAP_FAILED ? UVM_BLOCK_SIZE : step;
		if (base != MAP_FAILED)
			return base;
		if (errno != EEXIST)
			return MAP_FAILED;
	}
	errno = ENOMEM;
	return MAP_FAILED;
}

void *uvm_reserve(size_t bytes, uint64_t gap)
{
	void *base;

	pthread_mutex_lock(&memory_lock);
	base = memory_reserve(&memory_regions[memory_region], bytes, gap);
	if (base == MAP_FAILED && bytes <= MEMORY_REGION / 2 &&
	    memory_region + 1 < sizeof(memory_regions) / sizeof(memory_regions[0])) {
		memory_next = memory_regions[++memory_region].start;
		base = memory_reserve(&memory_regions[memory_region], bytes, gap);
	}
	if (base == MAP_FAILED)
		errno = ENOMEM;
	pthread_mutex_unlock(&memory_lock);
	return base;
}

struct uvm_allocation *uvm_allocation_new(struct uvm *u, size_t bytes, const char *name)
{
	struct uvm_allocation *a = NULL;
	void *base;

	if (!bytes || bytes > MEMORY_REGION) {
		uvm_fail(u, EINVAL, "allocation of %zu bytes", bytes);
		return NULL;
	}
	a = calloc(1, sizeof(*a));
	if (!a) {
		uvm_fail(u, ENOMEM, "allocation of %zu bytes", bytes);
		return NULL;
	}
	a->bytes = memory_round_up(bytes, UVM_PAGE_SIZE);
	base = uvm_reserve(a->bytes, u->gap);
	if (base == MAP_FAILED) {
		uvm_fail(u, errno, "address space for %zu bytes", bytes);
		free(a);
		return NULL;
	}
	a->base = (uintptr_t)base;
	snprintf(a->name, sizeof(a->name), "%s", name ? name : "");
	return a;
}

void uvm_allocation_add(struct uvm *u, struct uvm_allocation *a)
{
	pthread_mutex_lock(&u->alloc_lock);
	a->next = u->allocations;
	u->allocations = a;
	u->footprint += a->bytes;
	pthread_mutex_unlock(&u->alloc_lock);
}

void *uvm_malloc_managed(struct uvm *u, size_t bytes, const char *name)
{
	struct uvm_allocation *a = uvm_allocation_new(u, bytes, name);
	void *ptr;

	if (!a)
		return NULL;
	ptr = mmap((void *)a->base, a->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
		   u->fd, (off_t)a->base);
	if (ptr == MAP_FAILED) {
		uvm_fail(u, errno, "mmap of %zu managed bytes", bytes);
		munmap((void *)a->base, a->bytes);
		free(a);
		return NULL;
	}
	uvm_allocation_add(u, a);
	return ptr;
}

int uvm_free(struct uvm *u, void *ptr)
{
	struct uvm_allocation **link, *a;

	if (!ptr)
		return 0;

	pthread_mutex_lock(&u->alloc_lock);
	for (link = &u->allocations; *link; link = &(*link)->next)
		if ((*link)->base == (uintptr_t)ptr)
			break;
	a = *link;
	if (a) {
		*link = a->next;
		u->footprint -= a->bytes;
	}
	pthread_mutex_unlock(&u->alloc_lock);

	if (!a)
		return uvm_fail(u, EINVAL, "free of %p, which was not allocated", ptr);
	uvm_explicit_undo(u, a);
	if (a->in_place)
		uvm_in_place_undo(a);
	else
		munmap(ptr, a->bytes);
	free(a);
	return 0;
}

void uvm_free_all(struct uvm *u)
{
	while (u->allocations)
		uvm_free(u, (void *)u->allocations->base);
}

int uvm_find_allocation(struct uvm *u, uint64_t address, char *name, size_t name_bytes,
			uint64_t *offset)
{
	struct uvm_allocation *a;

	pthread_mutex_lock(&u->alloc_lock);
	for (a = u->allocations; a; a = a->next)
		if (address >= a->base && address - a->base < a->bytes)
			break;
	if (a) {
		snprintf(name, name_bytes, "%s", a->name);
		*offset = address - a->base;
	}
	pthread_mutex_unlock(&u->alloc_lock);
	return a ? 0 : -ENOENT;
}

void uvm_leave_gap(struct uvm *u, uint64_t bytes)
{
	u->gap = memory_round_up(bytes, UVM_BLOCK_SIZE);
}

uint64_t uvm_footprint(const struct uvm *u)
{
	return u->footprint;
}

void uvm_span_pages(const void *ptr, size_t bytes, uint64_t *base, uint64_t *length)
{
	uint64_t start = (uintptr_t)ptr & ~(UVM_PAGE_SIZE - 1);
	uint64_t end = memory_round_up((uintptr_t)ptr + bytes, UVM_PAGE_SIZE);

	*base = start;
	*length = end - start;
}

static int memory_migrate(struct uvm *u, const void *ptr, size_t bytes, struct uvm_migrate *m)
{
	uint64_t base = 0, length = 0;

	if (bytes)
		uvm_span_pages(ptr, bytes, &base, &length);
	m->size = sizeof(*m);
	m->base = base;
	m->length = length;
	if (ioctl(u->fd, UVM_IOC_MIGRATE, m))
		return uvm_fail(u, errno, "prefetch of %p+%zu", ptr, bytes);
	return 0;
}

int uvm_prefetch(struct uvm *u, const void *ptr, size_t bytes, int processor)
{
	struct uvm_migrate m = { .dst = processor };

	return memory_migrate(u, ptr, bytes, &m);
}

int uvm_prefetch_async(struct uvm *u, const void *ptr, size_t bytes, int processor,
		       uint64_t *fence)
{
	struct uvm_migrate m = { .flags = UVM_MIGRATE_ASYNC, .dst = processor };
	int err = memory_migrate(u, ptr, bytes, &m);

	if (!err && fence)
		*fence = m.fence;
	return err;
}

int uvm_prefetch_release(struct uvm *u, const void *ptr, size_t bytes, int processor,
			 uint32_t *word, uint32_t payload)
{
	struct uvm_migrate m = { .flags = UVM_MIGRATE_ASYNC, .dst = processor,
				 .semaphore = (uintptr_t)word, .payload = payload };

	return memory_migrate(u, ptr, bytes, &m);
}

int uvm_wait_fence(struct uvm *u, uint64_t fence)
{
	struct uvm_wait w = { .size = sizeof(w), .fence = fence };

	if (ioctl(u->fd, UVM_IOC_WAIT, &w))
		return uvm_fail(u, errno, "wait for fence %llu", (unsigned long long)fence);
	return 0;
}

int uvm_fence_state(struct uvm *u, uint64_t fence, bool *done)
{
	struct uvm_wait w = { .size = sizeof(w), .flags = UVM_WAIT_POLL, .fence = fence };

	*done = !ioctl(u->fd, UVM_IOC_WAIT, &w);
	if (!*done && errno != EAGAIN)
		return uvm_fail(u, errno, "state of fence %llu", (unsigned long long)fence);
	return 0;
}

static int memory_advise(struct uvm *u, const void *ptr, size_t bytes, unsigned int advice,
			 int processor, unsigned int flags)
{
	struct uvm_advise a = {
		.size = sizeof(a), .flags = flags, .advice = advice, .processor = processor,
	};
	uint64_t base, length;

	uvm_span_pages(ptr, bytes, &base, &length);
	a.base = base;
	a.length = length;
	if (ioctl(u->fd, UVM_IOC_ADVISE, &a))
		return uvm_fail(u, errno, "advise %p+%zu", ptr, bytes);
	return 0;
}

int uvm_advise(struct uvm *u, const void *ptr, size_t bytes, unsigned int advice,
	       int processor)
{
	return memory_advise(u, ptr, bytes, advice, processor, 0);
}

int uvm_unadvise(struct uvm *u, const void *ptr, size_t bytes, unsigned int advice,
		 int processor)
{
	if (advice == UVM_ADVICE_PREFERRED_LOCATION)
		return memory_advise(u, ptr, bytes, advice, UVM_PROCESSOR_NONE, 0);
	return memory_advise(u, ptr, bytes, advice, processor, UVM_ADVISE_UNSET);
}

int uvm_discard(struct uvm *u, const void *ptr, size_t bytes, bool unmap)
{
	struct uvm_discard d = { .size = sizeof(d), .flags = unmap ? UVM_DISCARD_UNMAP : 0 };
	uint64_t base, length;

	uvm_span_pages(ptr, bytes, &base, &length);
	d.base = base;
	d.length = length;
	if (ioctl(u->fd, UVM_IOC_DISCARD, &d))
		return uvm_fail(u, errno, "discard %p+%zu", ptr, bytes);
	return 0;
}

int uvm_populate(struct uvm *u, const void *ptr, size_t bytes, int processor)
{
	struct uvm_populate p = { .size = sizeof(p), .dst = processor };
	uint64_t base, length;

	uvm_span_pages(ptr, bytes, &base, &length);
	p.base = base;
	p.length = length;
	if (ioctl(u->fd, UVM_IOC_POPULATE, &p))
		return uvm_fail(u, errno, "populate %p+%zu", ptr, bytes);
	return 0;
}

/* ---- range groups ------------------------------------------------------ */

int uvm_group_create(struct uvm *u, uint64_t *group)
{
	struct uvm_group g = { .size = sizeof(g) };

	if (ioctl(u->fd, UVM_IOC_GROUP_CREATE, &g))
		return uvm_fail(u, errno, "create a range group");
	*group = g.id;
	return 0;
}

int uvm_group_destroy(struct uvm *u, uint64_t group)
{
	struct uvm_group g = { .size = sizeof(g), .id = group };

	if (ioctl(u->fd, UVM_IOC_GROUP_DESTROY, &g))
		return uvm_fail(u, errno, "destroy range group %llu", (unsigned long long)group);
	return 0;
}

int uvm_group_set(struct uvm *u, const void *ptr, size_t bytes, uint64_t group)
{
	struct uvm_group_set g = { .size = sizeof(g), .id = group };
	uint64_t base, length;

	uvm_span_pages(ptr, bytes, &base, &length);
	g.base = base;
	g.length = length;
	if (ioctl(u->fd, UVM_IOC_GROUP_SET, &g))
		return uvm_fail(u, errno, "put %p+%zu into range group %llu", ptr, bytes,
				(unsigned long long)group);
	return 0;
}

int uvm_group_set_migration(struct uvm *u, uint64_t group, bool allow)
{
	struct uvm_group_migration g = {
		.size = sizeof(g), .flags = allow ? 0 : UVM_GROUP_PREVENT, .count = 1,
		.ids = { group },
	};

	if (ioctl(u->fd, UVM_IOC_GROUP_MIGRATION, &g))
		return uvm_fail(u, errno, "%s migration of range group %llu",
				allow ? "allow" : "prevent", (unsigned long long)group);
	return 0;
}

int uvm_group_migrate(struct uvm *u, uint64_t group, int processor)
{
	struct uvm_group_migrate g = { .size = sizeof(g), .id = group, .dst = processor };

	if (ioctl(u->fd, UVM_IOC_GROUP_MIGRATE, &g))
		return uvm_fail(u, errno, "migrate range group %llu", (unsigned long long)group);
	return 0;
}

int uvm_access_counters(struct uvm *u, int gpu, bool enable, uint64_t granularity,
			unsigned int threshold)
{
	struct uvm_config_access_counters c = {
		.size = sizeof(c), .gpu = gpu, .enable = enable, .granularity = granularity,
		.threshold = threshold,
	};

	if (ioctl(u->fd, UVM_IOC_CONFIG_ACCESS_COUNTERS, &c))
		return uvm_fail(u, errno, "access counters of gpu%d", gpu);
	return 0;
}

int uvm_clear_access_counters(struct uvm *u, int gpu)
{
	struct uvm_clear_access_counters c = { .size = sizeof(c), .gpu = gpu };

	if (ioctl(u->fd, UVM_IOC_CLEAR_ACCESS_COUNTERS, &c))
		return uvm_fail(u, errno, "clear access counters of gpu%d", gpu);
	return 0;
}
