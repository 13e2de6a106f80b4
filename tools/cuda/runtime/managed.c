// SPDX-License-Identifier: GPL-2.0
/* What programs say of managed memory: prefetch, advise, and what of it is in force. */
#include <stdlib.h>
#include <string.h>

#include "work.h"

/* A device, the CPU, or what is neither. */
static bool managed_is_place(int device)
{
	return device == cudaCpuDeviceId || rt_device_at(device);
}

static int managed_processor(int device)
{
	return device == cudaCpuDeviceId ? UVM_PROCESSOR_CPU : rt_device_at(device)->gpu;
}

/* There is one NUMA node. */
static int managed_place(struct cudaMemLocation location)
{
	switch (location.type) {
	case cudaMemLocationTypeDevice:
		return location.id < 0 ? cudaInvalidDeviceId : location.id;
	case cudaMemLocationTypeHost:
	case cudaMemLocationTypeHostNumaCurrent:
		return cudaCpuDeviceId;
	case cudaMemLocationTypeHostNuma:
		return location.id ? cudaInvalidDeviceId : cudaCpuDeviceId;
	default:
		return cudaInvalidDeviceId;
	}
}

static struct rt_memory *managed_span(const void *ptr, size_t bytes)
{
	struct rt_memory *m = rt_find_span(ptr, bytes);

	return m && m->kind == RT_MANAGED && bytes ? m : NULL;
}

/* The pages of a span, for the driver does everything by pages; NULL: no memory. */
static struct rt_page *managed_pages(struct rt_memory *m, const void *ptr, size_t bytes,
				     size_t *count)
{
	uint64_t base = m->base & ~(UVM_PAGE_SIZE - 1);
	uint64_t first = ((uintptr_t)ptr - base) / UVM_PAGE_SIZE;
	uint64_t last = ((uintptr_t)ptr + bytes - 1 - base) / UVM_PAGE_SIZE;
	uint64_t all = (m->base + m->room - 1 - base) / UVM_PAGE_SIZE + 1;

	if (!m->pages) {
		m->pages = calloc(all, sizeof(*m->pages));
		if (!m->pages)
			return NULL;
		for (uint64_t i = 0; i < all; i++) {
			m->pages[i].preferred = cudaInvalidDeviceId;
			m->pages[i].prefetched = cudaInvalidDeviceId;
		}
	}
	*count = last - first + 1;
	return m->pages + first;
}

/* ---- prefetch --------------------------------------------------------- */

cudaError_t rt_prefetch_check(const struct rt_prefetch_work *work)
{
	if (!managed_span(work->at, work->bytes))
		return cudaErrorInvalidValue;
	return managed_is_place(work->device) ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t rt_prefetch_run(const struct rt_prefetch_work *work, struct CUstream_st *s)
{
	cudaError_t error = rt_stream_before(s, RT_MIGRATE);
	struct rt_page *pages;
	size_t count;
	int err;

	if (error)
		return error;
	pages = managed_pages(managed_span(work->at, work->bytes), work->at, work->bytes, &count);
	if (!pages)
		return cudaErrorMemoryAllocation;
	err = uvm_prefetch_async(rt.u, work->at, work->bytes, managed_processor(work->device),
				 &s->fence);
	if (err) {
		rt_complain("prefetch");
		return rt_error(err);
	}
	for (size_t i = 0; i < count; i++)
		pages[i].prefetched = work->device;
	return cudaSuccess;
}

cudaError_t cudaMemPrefetchAsync(const void *ptr, size_t bytes, int device, cudaStream_t stream)
{
	struct rt_work work = { .type = RT_WORK_PREFETCH, .prefetch = { ptr, bytes, device } };
	cudaError_t error = rt_enter();

	return rt_leave(error ? error : rt_submit(stream, &work));
}

cudaError_t cudaMemPrefetchAsync_v2(const void *ptr, size_t bytes, struct cudaMemLocation location,
				    unsigned int flags, cudaStream_t stream)
{
	if (flags)
		return rt_note(cudaErrorInvalidValue);
	return cudaMemPrefetchAsync(ptr, bytes, managed_place(location), stream);
}

/* ---- advise ----------------------------------------------------------- */

static int managed_tell(const void *ptr, size_t bytes, enum cudaMemoryAdvise advice, int device)
{
	switch (advice) {
	case cudaMemAdviseSetReadMostly:
		return uvm_advise(rt.u, ptr, bytes, UVM_ADVICE_READ_DUPLICATE, UVM_PROCESSOR_NONE);
	case cudaMemAdviseUnsetReadMostly:
		return uvm_unadvise(rt.u, ptr, bytes, UVM_ADVICE_READ_DUPLICATE,
				    UVM_PROCESSOR_NONE);
	case cudaMemAdviseSetPreferredLocation:
		return uvm_advise(rt.u, ptr, bytes, UVM_ADVICE_PREFERRED_LOCATION,
				  managed_processor(device));
	case cudaMemAdviseUnsetPreferredLocation:
		return uvm_unadvise(rt.u, ptr, bytes, UVM_ADVICE_PREFERRED_LOCATION,
				    UVM_PROCESSOR_NONE);
	case cudaMemAdviseSetAccessedBy:
		return uvm_advise(rt.u, ptr, bytes, UVM_ADVICE_ACCESSED_BY,
				  managed_processor(device));
	default:
		return uvm_unadvise(rt.u, ptr, bytes, UVM_ADVICE_ACCESSED_BY,
				    managed_processor(device));
	}
}

static void managed_keep(struct rt_page *page, enum cudaMemoryAdvise advice, int device)
{
	uint64_t bit = 1ULL << (device + 1);

	switch (advice) {
	case cudaMemAdviseSetReadMostly:
	case cudaMemAdviseUnsetReadMostly:
		page->read_mostly = advice == cudaMemAdviseSetReadMostly;
		break;
	case cudaMemAdviseSetPreferredLocation:
		page->preferred = device;
		break;
	case cudaMemAdviseUnsetPreferredLocation:
		page->preferred = cudaInvalidDeviceId;
		break;
	case cudaMemAdviseSetAccessedBy:
		page->accessed_by |= bit;
		break;
	default:
		page->accessed_by &= ~bit;
	}
}

/* These two and unsetting a location take no notice of the device. */
static bool managed_wants_place(enum cudaMemoryAdvise advice)
{
	return advice == cudaMemAdviseSetPreferredLocation ||
	       advice == cudaMemAdviseSetAccessedBy || advice == cudaMemAdviseUnsetAccessedBy;
}

static cudaError_t managed_advise(const void *ptr, size_t bytes, enum cudaMemoryAdvise advice,
				  int device)
{
	struct rt_memory *m = managed_span(ptr, bytes);
	struct rt_page *pages;
	size_t count;
	int err;

	if (!m || advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy)
		return cudaErrorInvalidValue;
	if (!managed_wants_place(advice))
		device = cudaCpuDeviceId;
	else if (!managed_is_place(device))
		return cudaErrorInvalidDevice;
	pages = managed_pages(m, ptr, bytes, &count);
	if (!pages)
		return cudaErrorMemoryAllocation;
	err = managed_tell(ptr, bytes, advice, device);
	if (err) {
		rt_complain("advise");
		return rt_error(err);
	}
	for (size_t i = 0; i < count; i++)
		managed_keep(&pages[i], advice, device);
	return cudaSuccess;
}

cudaError_t cudaMemAdvise(const void *ptr, size_t bytes, enum cudaMemoryAdvise advice, int device)
{
	cudaError_t error = rt_enter();

	return rt_leave(error ? error : managed_advise(ptr, bytes, advice, device));
}

cudaError_t cudaMemAdvise_v2(const void *ptr, size_t bytes, enum cudaMemoryAdvise advice,
			     struct cudaMemLocation location)
{
	return cudaMemAdvise(ptr, bytes, advice, managed_place(location));
}

/* ---- what is in force ------------------------------------------------- */

/* A place that all pages agree on. */
static int managed_same_place(const struct rt_page *pages, size_t count, bool prefetched)
{
	int place = prefetched ? pages[0].prefetched : pages[0].preferred;

	for (size_t i = 1; i < count; i++)
		if ((prefetched ? pages[i].prefetched : pages[i].preferred) != place)
			return cudaInvalidDeviceId;
	return place;
}

static int managed_place_type(int place)
{
	return place == cudaInvalidDeviceId ? cudaMemLocationTypeInvalid :
	       place == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
}

/* As many devices as there is room for, then cudaInvalidDeviceId. */
static void managed_accessed_by(const struct rt_page *pages, size_t count, int *list, size_t room)
{
	uint64_t all = ~0ULL;
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		all &= pages[i].accessed_by;
	for (int device = cudaCpuDeviceId; device < rt.count && n < room; device++)
		if (all & 1ULL << (device + 1))
			list[n++] = device;
	while (n < room)
		list[n++] = cudaInvalidDeviceId;
}

static cudaError_t managed_attribute(int *data, size_t bytes, enum cudaMemRangeAttribute attribute,
				     const void *ptr, size_t span)
{
	struct rt_memory *m = managed_span(ptr, span);
	struct rt_page *pages;
	size_t count;

	if (!m || !data || !bytes || bytes % sizeof(int) ||
	    (bytes != sizeof(int) && attribute != cudaMemRangeAttributeAccessedBy))
		return cudaErrorInvalidValue;
	pages = managed_pages(m, ptr, span, &count);
	if (!pages)
		return cudaErrorMemoryAllocation;
	switch (attribute) {
	case cudaMemRangeAttributeReadMostly:
		*data = 1;
		for (size_t i = 0; i < count; i++)
			*data &= pages[i].read_mostly;
		return cudaSuccess;
	case cudaMemRangeAttributePreferredLocation:
	case cudaMemRangeAttributePreferredLocationId:
		*data = managed_same_place(pages, count, false);
		return cudaSuccess;
	case cudaMemRangeAttributePreferredLocationType:
		*data = managed_place_type(managed_same_place(pages, count, false));
		return cudaSuccess;
	case cudaMemRangeAttributeLastPrefetchLocation:
	case cudaMemRangeAttributeLastPrefetchLocationId:
		*data = managed_same_place(pages, count, true);
		return cudaSuccess;
	case cudaMemRangeAttributeLastPrefetchLocationType:
		*data = managed_place_type(managed_same_place(pages, count, true));
		return cudaSuccess;
	case cudaMemRangeAttributeAccessedBy:
		managed_accessed_by(pages, count, data, bytes / sizeof(int));
		return cudaSuccess;
	default:
		return cudaErrorInvalidValue;
	}
}

cudaError_t cudaMemRangeGetAttribute(void *data, size_t bytes, enum cudaMemRangeAttribute attribute,
				     const void *ptr, size_t count)
{
	cudaError_t error = rt_enter();

	return rt_leave(error ? error : managed_attribute(data, bytes, attribute, ptr, count));
}

cudaError_t cudaMemRangeGetAttributes(void **data, size_t *bytes,
				      enum cudaMemRangeAttribute *attributes, size_t number,
				      const void *ptr, size_t count)
{
	cudaError_t error = rt_enter();

	if (!error && (!data || !bytes || !attributes || !number))
		error = cudaErrorInvalidValue;
	for (size_t i = 0; i < number && !error; i++)
		error = managed_attribute(data[i], bytes[i], attributes[i], ptr, count);
	return rt_leave(error);
}
