// SPDX-License-Identifier: GPL-2.0
/*
 * Memory pools.  What is freed goes back at once, so a pool holds what is used of it and nothing
 * else: its attributes are kept, its sums are told.
 */
#include <stdlib.h>

#include "graph.h"

/**
 * struct CUmemPoolHandle_st - a pool
 * @next: list of those that the program made
 * @device: whose memory it is
 * @users: bit per device that uses it, but for its own
 * @begun: it is there
 * @destroyed: the handle is gone, memory of it is still used
 * @reuse: cudaMemPoolReuse*, as set; nothing depends on them
 * @threshold: cudaMemPoolAttrReleaseThreshold, likewise
 * @used: bytes that are used
 * @high: the most of them
 */
struct CUmemPoolHandle_st {
	struct CUmemPoolHandle_st *next;
	int device;
	uint32_t users;
	bool begun;
	bool destroyed;
	int reuse[3];
	uint64_t threshold;
	uint64_t used;
	uint64_t high;
};

static struct CUmemPoolHandle_st *pool_list, pool_default[UVM_GPU_MAX];
static struct CUmemPoolHandle_st *pool_current[UVM_GPU_MAX];

static void pool_begin(struct CUmemPoolHandle_st *pool, int device)
{
	*pool = (struct CUmemPoolHandle_st){ .device = device, .begun = true,
					      .reuse = { 1, 1, 1 } };
}

static struct CUmemPoolHandle_st *pool_of_device(int device)
{
	if (!pool_default[device].begun)
		pool_begin(&pool_default[device], device);
	if (!pool_current[device])
		pool_current[device] = &pool_default[device];
	return pool_current[device];
}

static struct CUmemPoolHandle_st *pool_find(cudaMemPool_t handle)
{
	struct CUmemPoolHandle_st *pool;

	for (int i = 0; i < rt.count; i++) {
		pool_of_device(i);
		if (handle == &pool_default[i])
			return handle;
	}
	for (pool = pool_list; pool; pool = pool->next)
		if (pool == handle && !pool->destroyed)
			return pool;
	return NULL;
}

uint32_t rt_pool_users(const struct CUmemPoolHandle_st *pool)
{
	return pool->users;
}

static void pool_close(struct CUmemPoolHandle_st *pool, int device)
{
	if (!(pool->users & 1U << device))
		return;
	pool->users &= ~(1U << device);
	rt_chunks_close(rt.devices[pool->device].gpu, pool, rt.devices[device].gpu);
	rt_peers_part(pool->device, device);
}

static void pool_close_all(struct CUmemPoolHandle_st *pool)
{
	for (int i = 0; i < rt.count; i++)
		pool_close(pool, i);
}

/* Nobody finds a destroyed pool, but its memory. */
static void pool_end_if_done(struct CUmemPoolHandle_st *pool)
{
	struct CUmemPoolHandle_st **link;

	if (!pool->destroyed || pool->used)
		return;
	for (link = &pool_list; *link != pool; link = &(*link)->next)
		;
	*link = pool->next;
	pool_close_all(pool);
	free(pool);
}

void rt_pool_used(struct CUmemPoolHandle_st *pool, uint64_t add, uint64_t sub)
{
	pool->used += add - sub;
	if (pool->used > pool->high)
		pool->high = pool->used;
	pool_end_if_done(pool);
}

void rt_pools_free(void)
{
	struct CUmemPoolHandle_st *pool;

	while ((pool = pool_list)) {
		pool_list = pool->next;
		pool_close_all(pool);
		free(pool);
	}
	for (int i = 0; i < UVM_GPU_MAX; i++) {
		pool_close_all(&pool_default[i]);
		pool_begin(&pool_default[i], i);
		pool_current[i] = NULL;
	}
}

/* ---- the API ---------------------------------------------------------- */

static cudaError_t pool_enter(cudaMemPool_t handle, struct CUmemPoolHandle_st **pool)
{
	cudaError_t error = rt_enter();

	if (error)
		return error;
	*pool = pool_find(handle);
	return *pool ? cudaSuccess : cudaErrorInvalidValue;
}

static cudaError_t pool_enter_device(int device, const void *out)
{
	cudaError_t error = rt_enter();

	if (error)
		return error;
	if (!out)
		return cudaErrorInvalidValue;
	return rt_device_at(device) ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *out, int device)
{
	cudaError_t error = pool_enter_device(device, out);

	if (!error) {
		pool_of_device(device);
		*out = &pool_default[device];
	}
	return rt_leave(error);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *out, int device)
{
	cudaError_t error = pool_enter_device(device, out);

	if (!error)
		*out = pool_of_device(device);
	return rt_leave(error);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t handle)
{
	cudaError_t error = pool_enter_device(device, &handle);
	struct CUmemPoolHandle_st *pool = error ? NULL : pool_find(handle);

	if (!error && (!pool || pool->device != device))
		error = cudaErrorInvalidValue;
	if (!error)
		pool_current[device] = pool;
	return rt_leave(error);
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *out, const struct cudaMemPoolProps *props)
{
	cudaError_t error = pool_enter_device(props ? props->location.id : 0, out);

	if (!error && !props)
		error = cudaErrorInvalidValue;
	if (!error && (props->allocType != cudaMemAllocationTypePinned ||
		       props->location.type != cudaMemLocationTypeDevice || props->handleTypes))
		error = cudaErrorNotSupported;
	if (error)
		return rt_leave(error);
	*out = malloc(sizeof(**out));
	if (!*out)
		return rt_leave(cudaErrorMemoryAllocation);
	pool_begin(*out, props->location.id);
	(*out)->next = pool_list;
	pool_list = *out;
	return rt_leave(cudaSuccess);
}

/* Its memory stays until it is freed, and so does it; the device goes on with its default pool. */
cudaError_t cudaMemPoolDestroy(cudaMemPool_t handle)
{
	struct CUmemPoolHandle_st *pool;
	cudaError_t error = pool_enter(handle, &pool);

	if (!error && pool == &pool_default[pool->device])
		error = cudaErrorInvalidValue;
	if (!error) {
		pool->destroyed = true;
		if (pool_current[pool->device] == pool)
			pool_current[pool->device] = NULL;
		pool_end_if_done(pool);
	}
	return rt_leave(error);
}

/* In stream order is in order of calls. */
cudaError_t rt_memory_allocate(const struct rt_memory_work *m, struct rt_run *run)
{
	cudaError_t error;

	if (m->block)
		return rt_block_allocate(m->block, rt_exec_allocates_again(run->exec));
	error = rt_capture_refuse(run->stream);
	return error ? error : rt_allocate_from(m->out, m->bytes, m->pool, m->device);
}

cudaError_t rt_memory_free(const struct rt_memory_work *m, struct rt_run *run)
{
	cudaError_t error;

	if (m->block)
		return rt_block_free(m->block);
	error = rt_capture_refuse(run->stream);
	return error ? error : rt_free((void *)m->at);
}

static cudaError_t pool_allocate(void **out, size_t bytes, struct CUmemPoolHandle_st *pool,
				 cudaStream_t stream)
{
	struct rt_work work = { .type = cudaGraphNodeTypeMemAlloc, .memory = {
		.out = out, .bytes = bytes, .device = pool->device, .pool = pool } };

	return rt_submit(stream, &work);
}

cudaError_t cudaMallocFromPoolAsync(void **out, size_t bytes, cudaMemPool_t handle,
				    cudaStream_t stream)
{
	struct CUmemPoolHandle_st *pool;
	cudaError_t error = pool_enter(handle, &pool);

	return rt_leave(error ? error : pool_allocate(out, bytes, pool, stream));
}

cudaError_t cudaMallocAsync(void **out, size_t bytes, cudaStream_t stream)
{
	struct CUstream_st *s;
	cudaError_t error = rt_enter();

	if (!error)
		error = rt_stream(stream, &s);
	return rt_leave(error ? error : pool_allocate(out, bytes, pool_of_device(s->device), stream));
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t handle, size_t keep)
{
	struct CUmemPoolHandle_st *pool;

	(void)keep;
	return rt_leave(pool_enter(handle, &pool));
}

static uint64_t *pool_number(struct CUmemPoolHandle_st *pool, enum cudaMemPoolAttr attribute)
{
	switch (attribute) {
	case cudaMemPoolAttrReleaseThreshold:
		return &pool->threshold;
	case cudaMemPoolAttrReservedMemCurrent:
	case cudaMemPoolAttrUsedMemCurrent:
		return &pool->used;
	case cudaMemPoolAttrReservedMemHigh:
	case cudaMemPoolAttrUsedMemHigh:
		return &pool->high;
	default:
		return NULL;
	}
}

static bool pool_is_reuse(enum cudaMemPoolAttr attribute)
{
	return attribute >= cudaMemPoolReuseFollowEventDependencies &&
	       attribute <= cudaMemPoolReuseAllowInternalDependencies;
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t handle, enum cudaMemPoolAttr attribute, void *value)
{
	struct CUmemPoolHandle_st *pool;
	cudaError_t error = pool_enter(handle, &pool);

	if (!error && (!value || (!pool_is_reuse(attribute) && !pool_number(pool, attribute))))
		error = cudaErrorInvalidValue;
	if (!error && pool_is_reuse(attribute))
		*(int *)value = pool->reuse[attribute - cudaMemPoolReuseFollowEventDependencies];
	else if (!error)
		*(uint64_t *)value = *pool_number(pool, attribute);
	return rt_leave(error);
}

/* Of the sums only the highest can be set, to 0: it begins anew. */
static cudaError_t pool_set(struct CUmemPoolHandle_st *pool, enum cudaMemPoolAttr attribute,
			    const void *value)
{
	if (pool_is_reuse(attribute)) {
		pool->reuse[attribute - cudaMemPoolReuseFollowEventDependencies] = *(const int *)value;
		return cudaSuccess;
	}
	switch (attribute) {
	case cudaMemPoolAttrReleaseThreshold:
		pool->threshold = *(const uint64_t *)value;
		return cudaSuccess;
	case cudaMemPoolAttrReservedMemHigh:
	case cudaMemPoolAttrUsedMemHigh:
		if (*(const uint64_t *)value)
			return cudaErrorInvalidValue;
		pool->high = pool->used;
		return cudaSuccess;
	default:
		return cudaErrorInvalidValue;
	}
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t handle, enum cudaMemPoolAttr attribute, void *value)
{
	struct CUmemPoolHandle_st *pool;
	cudaError_t error = pool_enter(handle, &pool);

	if (!error && !value)
		error = cudaErrorInvalidValue;
	return rt_leave(error ? error : pool_set(pool, attribute, value));
}

/* ---- access by other GPUs --------------------------------------------- */

static bool pool_location_is_good(const struct cudaMemLocation *location)
{
	return location->type == cudaMemLocationTypeDevice && rt_device_at(location->id);
}

/* What there is of it now, and what will be. */
static cudaError_t pool_open(struct CUmemPoolHandle_st *pool, int device)
{
	cudaError_t error;

	if (pool->users & 1U << device)
		return cudaSuccess;
	error = rt_peers_join(pool->device, device);
	if (error)
		return error;
	error = rt_error(rt_chunks_open(rt.devices[pool->device].gpu, pool,
					rt.devices[device].gpu));
	if (error)
		rt_peers_part(pool->device, device);
	else
		pool->users |= 1U << device;
	return error;
}

/* A GPU always reads and writes its own pools, others when they are let. */
static cudaError_t pool_allow(struct CUmemPoolHandle_st *pool,
			      const struct cudaMemAccessDesc *desc)
{
	bool own = desc->location.id == pool->device;
	cudaError_t error;

	if (!pool_location_is_good(&desc->location))
		return cudaErrorInvalidValue;
	switch (desc->flags) {
	case cudaMemAccessFlagsProtNone:
		if (own)
			return cudaErrorInvalidValue;
		error = rt_finish();
		pool_close(pool, desc->location.id);
		return error;
	case cudaMemAccessFlagsProtReadWrite:
		return own ? cudaSuccess : pool_open(pool, desc->location.id);
	default:
		return cudaErrorInvalidValue;
	}
}

static bool pool_is_used_by(const struct CUmemPoolHandle_st *pool, int device)
{
	return device == pool->device || pool->users & 1U << device;
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t handle, const struct cudaMemAccessDesc *list,
				 size_t count)
{
	struct CUmemPoolHandle_st *pool;
	cudaError_t error = pool_enter(handle, &pool);

	if (!error && count && !list)
		error = cudaErrorInvalidValue;
	for (size_t i = 0; i < count && !error; i++)
		error = pool_allow(pool, &list[i]);
	return rt_leave(error);
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t handle,
				 struct cudaMemLocation *location)
{
	struct CUmemPoolHandle_st *pool;
	cudaError_t error = pool_enter(handle, &pool);

	if (!error && (!flags || !location || !pool_location_is_good(location)))
		error = cudaErrorInvalidValue;
	if (!error)
		*flags = pool_is_used_by(pool, location->id) ? cudaMemAccessFlagsProtReadWrite :
							       cudaMemAccessFlagsProtNone;
	return rt_leave(error);
}
