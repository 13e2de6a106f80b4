// SPDX-License-Identifier: GPL-2.0
/* Memory: managed, of a GPU, pinned; which allocation an address is of. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph.h"

/* Rows of cudaMallocPitch() begin at multiples of this (texture pitch alignment is 32 at most). */
#define MEMORY_PITCH	512UL

/* By address. */
static struct rt_memory *memory_list;
static size_t memory_count, memory_capacity;
static uint64_t memory_managed, memory_footprint;
/* Memory of a GPU, or pinned, that was asked for last and not there. */
static uint64_t memory_refused;
static enum rt_kind memory_refused_kind;

/* The first allocation that begins behind an address. */
static size_t memory_behind(uint64_t address)
{
	size_t low = 0, high = memory_count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (memory_list[middle].base <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct rt_memory *rt_find(const void *ptr)
{
	size_t i = memory_behind((uintptr_t)ptr);
	struct rt_memory *m;

	if (!i)
		return NULL;
	m = &memory_list[i - 1];
	return (uintptr_t)ptr - m->base < m->bytes ? m : NULL;
}

struct rt_memory *rt_find_span(const void *ptr, size_t bytes)
{
	struct rt_memory *m = rt_find(ptr);

	return m && bytes <= m->bytes - ((uintptr_t)ptr - m->base) ? m : NULL;
}

uint64_t rt_footprint(void)
{
	return memory_footprint;
}

/* Room for one more; false: there is no memory for that. */
static bool memory_room(void)
{
	size_t capacity = memory_capacity ? 2 * memory_capacity : 64;
	struct rt_memory *list;

	if (memory_count < memory_capacity)
		return true;
	list = realloc(memory_list, capacity * sizeof(*list));
	if (!list)
		return false;
	memory_list = list;
	memory_capacity = capacity;
	return true;
}

/* Where there is room for it. */
static void memory_add(const struct rt_memory *m)
{
	size_t at = memory_behind(m->base);

	memmove(&memory_list[at + 1], &memory_list[at], (memory_count - at) * sizeof(*m));
	memory_list[at] = *m;
	memory_count++;
	if (m->kind == RT_MANAGED)
		memory_managed += m->room;
	if (memory_managed > memory_footprint)
		memory_footprint = memory_managed;
}

void rt_forget(struct rt_memory *m)
{
	size_t at = m - memory_list;

	if (m->kind == RT_MANAGED)
		memory_managed -= m->room;
	if (m->pool)
		rt_pool_used(m->pool, 0, m->bytes);
	if (m->registered)
		uvm_free(rt.u, (void *)(m->base & ~(UVM_PAGE_SIZE - 1)));
	else
		rt_chunk_give(m->chunk, m->base, m->room);
	free(m->pages);
	memory_count--;
	memmove(m, m + 1, (memory_count - at) * sizeof(*m));
}

cudaError_t rt_remember(void *ptr, size_t bytes, enum rt_kind kind, unsigned int flags)
{
	const struct rt_memory m = {
		.base = (uintptr_t)ptr, .bytes = bytes, .room = bytes, .kind = kind,
		.device = rt_current, .flags = flags, .registered = true,
	};

	if (!memory_room())
		return cudaErrorMemoryAllocation;
	memory_add(&m);
	return cudaSuccess;
}

void rt_free_all(void)
{
	while (memory_count)
		rt_forget(&memory_list[memory_count - 1]);
	memory_refused = 0;
}

void rt_explain_memory(void)
{
	if (memory_refused)
		fprintf(stderr, "softuvm: before, the %s had no room for an allocation of %.1f MB; with "
			"'softuvm run', SOFTUVM_MEMORY=MB gives more\n",
			memory_refused_kind == RT_DEVICE ? "GPU" : "CPU", memory_refused / 1048576.0);
	memory_refused = 0;
}

/* @m: what is asked for */
static cudaError_t memory_take(void **out, struct rt_memory m)
{
	struct rt_device *d = rt_device_at(m.device);

	if (!out || !d)
		return out ? cudaErrorInvalidDevice : cudaErrorInvalidValue;
	*out = NULL;
	if (!m.bytes)
		return cudaSuccess;
	if (!memory_room())
		return cudaErrorMemoryAllocation;
	m.chunk = rt_chunk_take(m.kind, d->gpu, m.pool, m.bytes, &m.base, &m.room);
	if (!m.chunk) {
		if (m.kind != RT_MANAGED) {
			memory_refused = m.bytes;
			memory_refused_kind = m.kind;
		}
		return cudaErrorMemoryAllocation;
	}
	memory_add(&m);
	if (m.pool)
		rt_pool_used(m.pool, m.bytes, 0);
	*out = (void *)m.base;
	return cudaSuccess;
}

cudaError_t rt_allocate(void **out, size_t bytes, enum rt_kind kind, int device, unsigned int flags)
{
	return memory_take(out, (struct rt_memory){ .bytes = bytes, .kind = kind,
						    .device = device, .flags = flags });
}

cudaError_t rt_allocate_from(void **out, size_t bytes, struct CUmemPoolHandle_st *pool, int device)
{
	return memory_take(out, (struct rt_memory){ .bytes = bytes, .kind = RT_DEVICE,
						    .device = device, .pool = pool });
}

cudaError_t rt_allocate_own(void **out, size_t bytes, int device)
{
	cudaError_t error = rt_allocate(out, bytes, RT_DEVICE, device, 0);

	if (!error && *out)
		rt_find(*out)->own = true;
	return error;
}

static cudaError_t memory_new(void **out, size_t bytes, enum rt_kind kind, unsigned int flags)
{
	return rt_allocate(out, bytes, kind, rt_current, flags);
}

/* CUDA waits for the GPU before it frees. */
static cudaError_t memory_free(void *ptr, bool pinned)
{
	struct rt_memory *m;
	cudaError_t error;

	if (!ptr)
		return cudaSuccess;
	if (!pinned && rt_is_block(ptr))
		return rt_block_free_at(ptr);
	m = rt_find(ptr);
	if (!m || m->base != (uintptr_t)ptr || (m->kind == RT_PINNED) != pinned ||
	    m->registered || m->own)
		return cudaErrorInvalidValue;
	error = rt_finish();
	rt_forget(m);
	return error;
}

cudaError_t rt_free(void *ptr)
{
	return memory_free(ptr, false);
}

cudaError_t cudaMallocManaged(void **out, size_t bytes, unsigned int flags)
{
	cudaError_t error = rt_enter_unsafe();

	if (!error && ((flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) || !bytes))
		error = cudaErrorInvalidValue;
	return rt_leave(error ? error : memory_new(out, bytes, RT_MANAGED, flags));
}

cudaError_t cudaMalloc(void **out, size_t bytes)
{
	cudaError_t error = rt_enter_unsafe();

	return rt_leave(error ? error : memory_new(out, bytes, RT_DEVICE, 0));
}

static cudaError_t memory_new_pitched(void **out, size_t *pitch, size_t width, size_t rows)
{
	if (!pitch || !out || width > SIZE_MAX / 2)
		return cudaErrorInvalidValue;
	*pitch = (width + MEMORY_PITCH - 1) & ~(MEMORY_PITCH - 1);
	if (rows && *pitch > SIZE_MAX / rows)
		return cudaErrorMemoryAllocation;
	return memory_new(out, *pitch * rows, RT_DEVICE, 0);
}

cudaError_t cudaMallocPitch(void **out, size_t *pitch, size_t width, size_t height)
{
	cudaError_t error = rt_enter_unsafe();

	return rt_leave(error ? error : memory_new_pitched(out, pitch, width, height));
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *out, struct cudaExtent extent)
{
	cudaError_t error = rt_enter_unsafe();

	if (!error && (!out || (extent.depth && extent.height > SIZE_MAX / extent.depth)))
		error = cudaErrorInvalidValue;
	if (!error)
		error = memory_new_pitched(&out->ptr, &out->pitch, extent.width,
					   extent.height * extent.depth);
	if (!error) {
		out->xsize = extent.width;
		out->ysize = extent.height;
	}
	return rt_leave(error);
}

cudaError_t cudaHostAlloc(void **out, size_t bytes, unsigned int flags)
{
	cudaError_t error = rt_enter_unsafe();

	if (!error && flags & ~(cudaHostAllocPortable | cudaHostAllocMapped |
				cudaHostAllocWriteCombined))
		error = cudaErrorInvalidValue;
	return rt_leave(error ? error : memory_new(out, bytes, RT_PINNED, flags));
}

cudaError_t cudaMallocHost(void **out, size_t bytes)
{
	return cudaHostAlloc(out, bytes, cudaHostAllocDefault);
}

cudaError_t cudaFree(void *ptr)
{
	cudaError_t error = rt_enter_unsafe();

	return rt_leave(error ? error : memory_free(ptr, false));
}

cudaError_t cudaFreeAsync(void *ptr, cudaStream_t stream)
{
	struct rt_work work = { .type = cudaGraphNodeTypeMemFree, .memory = { .at = ptr } };
	cudaError_t error = rt_enter();

	if (!error && !ptr)
		error = cudaErrorInvalidValue;
	return rt_leave(error ? error : rt_submit(stream, &work));
}

cudaError_t cudaFreeHost(void *ptr)
{
	cudaError_t error = rt_enter_unsafe();

	return rt_leave(error ? error : memory_free(ptr, true));
}

cudaError_t cudaHostGetDevicePointer(void **out, void *host, unsigned int flags)
{
	cudaError_t error = rt_enter();
	struct rt_memory *m = error ? NULL : rt_find(host);

	if (!error && (flags || !out || !m || m->kind == RT_DEVICE))
		error = cudaErrorInvalidValue;
	if (!error)
		*out = host;
	return rt_leave(error);
}

cudaError_t cudaHostGetFlags(unsigned int *flags, void *host)
{
	cudaError_t error = rt_enter();
	struct rt_memory *m = error ? NULL : rt_find(host);

	if (!error && (!flags || !m || m->kind != RT_PINNED))
		error = cudaErrorInvalidValue;
	/* with unified addresses all of it is mapped */
	if (!error)
		*flags = m->flags | cudaHostAllocMapped;
	return rt_leave(error);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *a, const void *ptr)
{
	static const enum cudaMemoryType types[RT_KINDS] = {
		[RT_MANAGED] = cudaMemoryTypeManaged,
		[RT_DEVICE] = cudaMemoryTypeDevice,
		[RT_PINNED] = cudaMemoryTypeHost,
	};
	cudaError_t error = rt_enter();
	struct rt_memory *m = error ? NULL : rt_find(ptr);

	if (!error && !a)
		error = cudaErrorInvalidValue;
	if (error)
		return rt_leave(error);
	memset(a, 0, sizeof(*a));
	a->type = m ? types[m->kind] : cudaMemoryTypeUnregistered;
	a->device = m ? m->device : cudaInvalidDeviceId;
	if (m)
		a->devicePointer = (void *)ptr;
	if (!m || m->kind != RT_DEVICE)
		a->hostPointer = (void *)ptr;
	return rt_leave(cudaSuccess);
}

/* Of what SOFTUVM_VRAM leaves: what neither cudaMalloc() nor pages that are there have. */
cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total)
{
	cudaError_t error = rt_enter();
	struct rt_device *d = error ? NULL : rt_device();
	struct uvm_counters counters;
	struct softgpu_info info;
	uint64_t used;

	if (!error && (!free_bytes || !total || !d))
		error = cudaErrorInvalidValue;
	if (!error)
		error = rt_error(uvm_gpu_info(rt.u, d->gpu, &info));
	if (!error)
		error = rt_error(uvm_processor_counters(rt.u, d->gpu, &counters));
	if (error)
		return rt_leave(error);
	used = rt_chunk_bytes(d->gpu) + counters.bytes_resident;
	*total = rt_usable(d, &info);
	*free_bytes = used < *total ? *total - used : 0;
	return rt_leave(cudaSuccess);
}
