// SPDX-License-Identifier: GPL-2.0
/*
 * Physical memory of a GPU: PMA below, chunks in the middle, eviction when
 * there is nothing left (nvidia-uvm 4).
 */
#include <linux/debugfs.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include "base/debugfs.h"
#include "gpu/channel.h"
#include "gpu/gpu.h"
#include "policy/param.h"
#include "memory/pmm_priv.h"
#include "policy/policy.h"
#include "base/trace.h"
#include "base/work.h"

void uvm_pmm_progress(struct uvm_pmm *pmm)
{
	lockdep_assert_held(&pmm->lock);
	WRITE_ONCE(pmm->generation, pmm->generation + 1);
	sim_wake(&pmm->waitq);
}

/* ---- PMA ------------------------------------------------------------- */

/* Frames that the limit leaves. */
static unsigned int uvm_pmm_frames_left(struct uvm_pmm *pmm)
{
	unsigned int have = uvm_chunk_pool_frames(&pmm->pool) + pmm->coming, most;

	lockdep_assert_held(&pmm->lock);
	most = pmm->limit ? uvm_chunk_pool_frames_of(&pmm->pool, pmm->limit) : UINT_MAX;
	return most > have ? most - have : 0;
}

int uvm_pmm_fit(struct uvm_pmm *pmm)
{
	u64 have = uvm_chunk_pool_units(&pmm->pool) + pmm->pool.nr_withheld, most;

	lockdep_assert_held(&pmm->lock);
	most = pmm->limit ? uvm_chunk_pool_units_of(&pmm->pool, pmm->limit) : have;
	return uvm_chunk_pool_withhold(&pmm->pool, have > most ? have - most : 0, GFP_KERNEL);
}

/* Frames from PMA are the pool's; what the limit cannot be kept with is not.  Return: how many. */
static int uvm_pmm_take_frames(struct uvm_pmm *pmm, const u64 *frames, int n, bool zeroed)
{
	int i, ret;

	lockdep_assert_held(&pmm->lock);
	for (i = 0; i < n; i++)
		WARN_ON_ONCE(!uvm_chunk_pool_add_root(&pmm->pool, frames[i], zeroed));
	ret = uvm_pmm_fit(pmm);
	for (i = 0; ret && i < n; i++)
		uvm_chunk_pool_release_root(&pmm->pool,
					    &pmm->roots[frames[i] >> UVM_BLOCK_SHIFT]);
	WRITE_ONCE(pmm->moves, pmm->moves + 1);
	return ret ?: n;
}

/* @n frames at most.  Return: how many came, or -ENOMEM. */
static int uvm_pmm_get_frames(struct uvm_pmm *pmm, u64 *frames, unsigned int n)
{
	struct uvm_gpu *gpu = pmm->gpu;
	bool zeroed = false;
	int got, ret;

	got = n ? rm_pma_alloc(gpu->rm, n, RM_PMA_PARTIAL | RM_PMA_DONT_EVICT, frames, &zeroed) : 0;
	ret = max(got, 0);
	mutex_lock(&pmm->lock);
	pmm->coming -= n;
	if (got > 0) {
		trace_uvm_pma(sim_now(), gpu->index, UVM_TRACE_PMA_ALLOC, got, frames[0]);
		ret = uvm_pmm_take_frames(pmm, frames, got, zeroed);
	}
	mutex_unlock(&pmm->lock);
	if (ret < 0)
		rm_pma_free(gpu->rm, got, frames);
	return ret;
}

int uvm_pmm_grow(struct uvm_pmm *pmm, struct uvm_work *work)
{
	unsigned int most = 1 << uvm_params_module()->perf_pma_batch_nonpinned_order;
	struct uvm_gpu *gpu = pmm->gpu;
	enum uvm_phase phase;
	u64 *frames;
	int n;

	frames = kmalloc_array(most, sizeof(*frames), GFP_KERNEL);
	if (!frames)
		return -ENOMEM;
	phase = uvm_work_enter(work, UVM_PHASE_PMA_ALLOC, uvm_cost(gpu, pma));
	sim_down_read(&pmm->pma_lock);
	mutex_lock(&pmm->lock);
	most = min(most, uvm_pmm_frames_left(pmm));
	pmm->coming += most;
	mutex_unlock(&pmm->lock);
	n = uvm_pmm_get_frames(pmm, frames, most);
	WRITE_ONCE(pmm->dry, n <= 0);
	sim_up_read(&pmm->pma_lock);
	/*
	 * A call that finds nothing is cheap, or every eviction would pay for one;
	 * what it costs to be given memory makes the floor of small runs.
	 */
	if (n > 0)
		uvm_work_enter(work, UVM_PHASE_PMA_ALLOC, uvm_cost(gpu, pma_grant));
	uvm_work_enter(work, phase, 0);
	kfree(frames);
	if (n < 0)
		return n;
	return n ? 0 : -ENOSPC;
}

bool uvm_pmm_keeps_all(struct uvm_pmm *pmm)
{
	return uvm_gpu_channel_error(pmm->gpu) && !uvm_gpu_is_unused(pmm->gpu);
}

/*
 * Give one free frame back if @keep units stay free without it: the only cache is what
 * is left of the last PMA call (nvidia-uvm 4.3).  PMA scrubs, so the frame must be idle.
 */
static bool uvm_pmm_shrink(struct uvm_pmm *pmm, unsigned int keep)
{
	struct uvm_chunk *root = NULL;

	if (uvm_pmm_keeps_all(pmm))
		return false;
	sim_down_read(&pmm->pma_lock);
	mutex_lock(&pmm->lock);
	if (pmm->pool.room >= keep + UVM_BLOCK_SIZE / uvm_chunk_bytes(pmm->pool.unit))
		root = uvm_chunk_pool_take_free_root(&pmm->pool);
	mutex_unlock(&pmm->lock);
	if (root) {
		uvm_pmm_wait_frame(pmm, root);
		trace_uvm_pma(sim_now(), pmm->gpu->index, UVM_TRACE_PMA_FREE, 1, root->pa);
		rm_pma_free(pmm->gpu->rm, 1, &root->pa);
		mutex_lock(&pmm->lock);
		WRITE_ONCE(pmm->moves, pmm->moves + 1);
		WRITE_ONCE(pmm->dry, false);
		mutex_unlock(&pmm->lock);
	}
	sim_up_read(&pmm->pma_lock);
	return root;
}

/*
 * Give every free frame back to PMA.  When the last VA space leaves: what one run has cached must
 * not make the next one cheaper.
 */
static void uvm_pmm_release_free(struct uvm_gpu *gpu)
{
	struct uvm_pmm *pmm = &gpu->pmm;

	mutex_lock(&pmm->lock);
	if (!uvm_chunk_pool_in_use(&pmm->pool))
		uvm_chunk_pool_withhold(&pmm->pool, 0, GFP_KERNEL);
	mutex_unlock(&pmm->lock);
	while (uvm_pmm_shrink(pmm, 0))
		;
	/* somebody may have come meanwhile */
	mutex_lock(&pmm->lock);
	uvm_pmm_fit(pmm);
	mutex_unlock(&pmm->lock);
}

void uvm_pmm_clear_up(struct uvm_gpu *gpu)
{
	mutex_lock(&gpu->pmm.lock);
	uvm_pmm_forget_stays(&gpu->pmm);
	mutex_unlock(&gpu->pmm.lock);
	uvm_pmm_release_free(gpu);
}

/* ---- allocation ------------------------------------------------------ */

static int uvm_pmm_try_alloc(struct uvm_pmm *pmm, u32 size, struct uvm_chunk **chunk)
{
	int ret;

	mutex_lock(&pmm->lock);
	ret = uvm_chunk_alloc(&pmm->pool, uvm_chunk_size_of(size), GFP_KERNEL, chunk);
	pmm->taken += ret ? 0 : size;
	mutex_unlock(&pmm->lock);
	if (ret)
		return ret;
	uvm_object_inc(UVM_OBJECT_CHUNK);
	trace_uvm_chunk(sim_now(), pmm->gpu->index, UVM_TRACE_CHUNK_ALLOC, (*chunk)->pa, size);
	return 0;
}

int uvm_pmm_alloc(struct uvm_gpu *gpu, u32 size, unsigned int flags, struct uvm_work *work,
		  struct uvm_chunk **chunk)
{
	struct uvm_pmm *pmm = &gpu->pmm;
	u64 moves;
	int ret;

	for (;;) {
		moves = READ_ONCE(pmm->moves);
		ret = uvm_pmm_try_alloc(pmm, size, chunk);
		if (ret != -ENOSPC)
			return ret;
		ret = uvm_pmm_grow(pmm, work);
		if (ret == -ENOSPC && (flags & UVM_PMM_EVICT))
			ret = uvm_pmm_evict_one(pmm, size, flags, moves, work);
		if (ret && ret != -EAGAIN)
			return ret;
	}
}

void uvm_pmm_free(struct uvm_gpu *gpu, struct uvm_chunk *chunk, struct uvm_tracker *tracker)
{
	struct uvm_pmm *pmm = &gpu->pmm;
	u32 size = uvm_chunk_bytes(chunk->size);
	u64 pa = chunk->pa;

	if (tracker)
		uvm_pmm_leave_tracker(gpu, chunk, tracker);
	mutex_lock(&pmm->lock);
	uvm_chunk_free(&pmm->pool, chunk, false);
	uvm_pmm_progress(pmm);
	mutex_unlock(&pmm->lock);
	uvm_object_dec(UVM_OBJECT_CHUNK);
	trace_uvm_chunk(sim_now(), gpu->index, UVM_TRACE_CHUNK_FREE, pa, size);
	/* what was made free ahead of need is not to be fetched from PMA again */
	uvm_pmm_shrink(pmm, READ_ONCE(pmm->kept));
}

void uvm_pmm_unpin(struct uvm_gpu *gpu, struct uvm_chunk *chunk, void *block, unsigned int page)
{
	mutex_lock(&gpu->pmm.lock);
	uvm_chunk_unpin(&gpu->pmm.pool, chunk, block, page);
	chunk->born = sim_now();
	uvm_pmm_progress(&gpu->pmm);
	mutex_unlock(&gpu->pmm.lock);
}

void uvm_pmm_mark_used(struct uvm_gpu *gpu, struct uvm_chunk *chunk, bool arrived)
{
	mutex_lock(&gpu->pmm.lock);
	uvm_chunk_mark_used(&gpu->pmm.pool, chunk, arrived);
	mutex_unlock(&gpu->pmm.lock);
}

void uvm_pmm_mark_unused(struct uvm_gpu *gpu, struct uvm_chunk *chunk)
{
	mutex_lock(&gpu->pmm.lock);
	uvm_chunk_mark_unused(&gpu->pmm.pool, chunk);
	mutex_unlock(&gpu->pmm.lock);
}

void uvm_pmm_mark_discarded(struct uvm_gpu *gpu, struct uvm_chunk *chunk)
{
	mutex_lock(&gpu->pmm.lock);
	uvm_chunk_mark_discarded(&gpu->pmm.pool, chunk);
	mutex_unlock(&gpu->pmm.lock);
}

enum uvm_chunk_size uvm_pmm_granularity(struct uvm_gpu *gpu)
{
	return READ_ONCE(gpu->pmm.pool.unit);
}

struct uvm_pmm_shape uvm_pmm_shape(struct uvm_gpu *gpu)
{
	struct uvm_pmm *pmm = &gpu->pmm;
	struct uvm_pmm_shape shape;

	mutex_lock(&pmm->lock);
	shape = (struct uvm_pmm_shape){ uvm_chunk_bytes(pmm->pool.unit), pmm->limit };
	mutex_unlock(&pmm->lock);
	return shape;
}

/* Units have other numbers then, so their policy begins anew. */
static int uvm_pmm_set_unit(struct uvm_pmm *pmm, enum uvm_chunk_size unit)
{
	enum uvm_chunk_size before = pmm->pool.unit;
	int ret;

	lockdep_assert_held(&pmm->lock);
	if (unit == before)
		return 0;
	ret = uvm_chunk_pool_set_unit(&pmm->pool, unit);
	if (ret)
		return ret;
	/* it was for other units */
	uvm_pmm_forget_stays(pmm);
	ret = uvm_pmm_use_evictor(pmm, pmm->pool.evictor->ops,
				  pmm->pool.evictor->ctx.params);
	if (ret)
		WARN_ON_ONCE(uvm_chunk_pool_set_unit(&pmm->pool, before));
	return ret;
}

int uvm_pmm_set_shape(struct uvm_gpu *gpu, struct uvm_pmm_shape shape)
{
	struct uvm_pmm_shape now = uvm_pmm_shape(gpu);
	struct uvm_pmm *pmm = &gpu->pmm;
	int ret;

	if (shape.unit == now.unit && shape.limit == now.limit)
		return 0;
	uvm_pmm_release_free(gpu);
	mutex_lock(&pmm->lock);
	ret = uvm_chunk_pool_idle(&pmm->pool) && !pmm->coming ? 0 : -EBUSY;
	if (!ret)
		ret = uvm_pmm_set_unit(pmm, uvm_chunk_size_of(shape.unit));
	if (!ret)
		pmm->limit = shape.limit;
	mutex_unlock(&pmm->lock);
	return ret;
}

void uvm_pmm_note_arrival(struct uvm_gpu *gpu, unsigned int pages, unsigned int faulted,
			  unsigned int refaulted)
{
	struct uvm_pmm *pmm = &gpu->pmm;
	struct uvm_prefetch_memory memory;

	mutex_lock(&pmm->lock);
	memory = uvm_pmm_prefetch_memory(pmm);
	uvm_prefetch_meter_came(&pmm->prefetch, &memory, pages, faulted, refaulted);
	uvm_evictor_came(pmm->pool.evictor);
	pmm->traffic.arrived += faulted;
	pmm->traffic.returned += refaulted;
	mutex_unlock(&pmm->lock);
}

struct uvm_prefetch_load uvm_pmm_prefetch_load(struct uvm_gpu *gpu)
{
	struct uvm_prefetch_load load;

	mutex_lock(&gpu->pmm.lock);
	load = gpu->pmm.prefetch.load;
	mutex_unlock(&gpu->pmm.lock);
	return load;
}

static void uvm_pmm_assert_locked(void *data)
{
	struct uvm_pmm *pmm = data;

	lockdep_assert_held(&pmm->lock);
}

int uvm_pmm_init(struct uvm_gpu *gpu, const struct uvm_chunk_owner_ops *owners)
{
	unsigned int frames = gpu->info->vram_bytes >> RM_FRAME_SHIFT;
	const struct uvm_params *params = uvm_params_module();
	struct uvm_pmm *pmm = &gpu->pmm;
	int ret;

	pmm->gpu = gpu;
	pmm->owners = owners;
	sim_rwsem_init(&pmm->pma_lock);
	mutex_init(&pmm->lock);
	sim_waitq_init(&pmm->waitq);
	pmm->timing = params->eviction_timing;
	pmm->roots = kvcalloc(frames, sizeof(*pmm->roots), GFP_KERNEL);
	if (!pmm->roots)
		return -ENOMEM;
	ret = uvm_pmm_trackers_init(pmm, frames);
	if (ret)
		goto free_roots;
	uvm_chunk_pool_init(&pmm->pool, pmm->roots, frames, uvm_pmm_assert_locked, pmm);
	uvm_pmm_policy_init(pmm);
	mutex_lock(&pmm->lock);
	ret = uvm_pmm_use_evictor(pmm, params->eviction_policy, params);
	mutex_unlock(&pmm->lock);
	if (ret)
		goto free_trackers;
	ret = rm_pma_register(gpu->rm, &uvm_pmm_pma_ops, pmm);
	if (ret)
		goto free_evictor;
	return 0;

free_evictor:
	uvm_evictor_destroy(pmm->pool.evictor);
free_trackers:
	uvm_pmm_trackers_exit(pmm);
free_roots:
	kvfree(pmm->roots);
	return ret;
}

void uvm_pmm_exit(struct uvm_gpu *gpu)
{
	struct uvm_pmm *pmm = &gpu->pmm;
	struct uvm_chunk *root;
	struct sim_task self;

	/* nobody looks any more */
	debugfs_remove(pmm->debugfs);
	/* an allocation of explicit memory may be asking us for frames just now */
	sim_enter(&self);
	rm_pma_unregister(gpu->rm);
	sim_leave(&self);
	mutex_lock(&pmm->lock);
	while ((root = uvm_chunk_pool_take_free_root(&pmm->pool)))
		rm_pma_free(gpu->rm, 1, &root->pa);
	WARN_ON_ONCE(!uvm_chunk_pool_idle(&pmm->pool));
	uvm_pmm_forget_stays(pmm);
	uvm_evictor_destroy(pmm->pool.evictor);
	mutex_unlock(&pmm->lock);
	uvm_pmm_trackers_exit(pmm);
	kvfree(pmm->roots);
	mutex_destroy(&pmm->lock);
}
