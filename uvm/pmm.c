// SPDX-License-Identifier: GPL-2.0
/*
 * Physical memory of a GPU: PMA below, chunks in the middle, eviction when
 * there is nothing left (nvidia-uvm 4).
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include <softgpu/regs.h>
#include "debugfs.h"
#include "gpu.h"
#include "param.h"
#include "pmm.h"
#include "policy.h"
#include "trace.h"
#include "va_block.h"
#include "work.h"

static struct uvm_tracker *uvm_pmm_tracker(struct uvm_pmm *pmm, struct uvm_chunk *chunk)
{
	lockdep_assert_held(&pmm->lock);
	return &pmm->trackers[uvm_root_chunk_index(&pmm->pool, uvm_chunk_root(chunk))];
}

/* Something that an allocation may have waited for has happened. */
static void uvm_pmm_progress(struct uvm_pmm *pmm)
{
	lockdep_assert_held(&pmm->lock);
	WRITE_ONCE(pmm->generation, pmm->generation + 1);
	sim_wake(&pmm->waitq);
}

/* ---- PMA ------------------------------------------------------------- */

/*
 * Get frames from PMA, many at a time: the call is costly (demystifying-uvm,
 * Fig. 4), so nvidia-uvm asks for 2^6 and takes what it gets.
 */
static int uvm_pmm_grow(struct uvm_pmm *pmm, struct uvm_work *work)
{
	unsigned int order = uvm_params_module()->perf_pma_batch_nonpinned_order;
	struct uvm_gpu *gpu = pmm->gpu;
	enum uvm_phase phase;
	bool zeroed = false;
	u64 *frames;
	int i, n;

	frames = kmalloc_array(1 << order, sizeof(*frames), GFP_KERNEL);
	if (!frames)
		return -ENOMEM;
	phase = uvm_work_enter(work, UVM_PHASE_PMA_ALLOC, uvm_cost(gpu, pma));
	sim_down_read(&pmm->pma_lock);
	n = rm_pma_alloc(gpu->rm, 1 << order, RM_PMA_PARTIAL | RM_PMA_DONT_EVICT, frames, &zeroed);
	if (n > 0) {
		trace_uvm_pma(sim_now(), gpu->index, UVM_TRACE_PMA_ALLOC, n, frames[0]);
		mutex_lock(&pmm->lock);
		for (i = 0; i < n; i++)
			WARN_ON_ONCE(!uvm_chunk_pool_add_root(&pmm->pool, frames[i], zeroed));
		WRITE_ONCE(pmm->moves, pmm->moves + 1);
		mutex_unlock(&pmm->lock);
	}
	sim_up_read(&pmm->pma_lock);
	/*
	 * A call that finds nothing is cheap, or every eviction would pay for one;
	 * what it costs to be given memory makes the floor of small runs.
	 */
	if (n > 0)
		uvm_work_enter(work, UVM_PHASE_PMA_ALLOC, uvm_cost(gpu, pma_grant));
	uvm_work_enter(work, phase, 0);
	kfree(frames);
	return n > 0 ? 0 : -ENOSPC;
}

/*
 * Give one free frame back: the only cache is what is left of the last PMA
 * call (nvidia-uvm 4.3).  PMA scrubs, so the frame must be idle.
 */
static bool uvm_pmm_shrink(struct uvm_pmm *pmm)
{
	struct uvm_chunk *root;

	sim_down_read(&pmm->pma_lock);
	mutex_lock(&pmm->lock);
	root = uvm_chunk_pool_take_free_root(&pmm->pool);
	mutex_unlock(&pmm->lock);
	if (root) {
		/* PMA-owned: nobody else touches its tracker */
		uvm_tracker_wait(&pmm->trackers[uvm_root_chunk_index(&pmm->pool, root)]);
		trace_uvm_pma(sim_now(), pmm->gpu->index, UVM_TRACE_PMA_FREE, 1, root->pa);
		rm_pma_free(pmm->gpu->rm, 1, &root->pa);
		mutex_lock(&pmm->lock);
		WRITE_ONCE(pmm->moves, pmm->moves + 1);
		mutex_unlock(&pmm->lock);
	}
	sim_up_read(&pmm->pma_lock);
	return root;
}

/**
 * uvm_pmm_release_free - give every free frame back to PMA
 * @gpu: the GPU
 *
 * When the last VA space leaves: what one run has cached must not make the
 * next one cheaper.
 */
void uvm_pmm_release_free(struct uvm_gpu *gpu)
{
	while (uvm_pmm_shrink(&gpu->pmm))
		;
}

/* ---- eviction -------------------------------------------------------- */

static u32 uvm_pmm_now(void *data)
{
	return sim_now() >> REG_ACCESSED_TICK_SHIFT;
}

static u32 uvm_pmm_last_access(void *data, const struct uvm_chunk *unit)
{
	struct uvm_pmm *pmm = data;

	return rm_reg_read(pmm->gpu->rm, unit->size == UVM_CHUNK_2M ?
			   REG_ACCESSED_2M(unit->pa >> UVM_BLOCK_SHIFT) :
			   REG_ACCESSED_64K(unit->pa >> UVM_BIG_PAGE_SHIFT));
}

/* The hardware remembers accesses while the eviction policy asks for them. */
static void uvm_pmm_watch_accesses(struct uvm_pmm *pmm)
{
	struct rm_gpu *rm = pmm->gpu->rm;
	u32 wanted = rm_reg_read(rm, REG_EXT_ENABLE) & ~REG_CAP_ACCESSED;

	lockdep_assert_held(&pmm->lock);
	if (pmm->eviction->accessed)
		wanted |= rm_reg_read(rm, REG_CAPS) & REG_CAP_ACCESSED;
	rm_reg_write(rm, REG_EXT_ENABLE, wanted);
}

static struct uvm_prefetch_memory uvm_pmm_prefetch_memory(const struct uvm_pmm *pmm)
{
	return (struct uvm_prefetch_memory){
		.pages = (u64)uvm_chunk_pool_frames(&pmm->pool) * UVM_PAGES_PER_BLOCK,
		.threshold = uvm_params_module()->perf_prefetch_threshold,
	};
}

static struct uvm_va_block *uvm_pmm_next_owner(struct uvm_pmm *pmm, struct uvm_chunk *victim,
					       struct uvm_chunk **leaf)
{
	struct uvm_va_block *block = NULL;

	mutex_lock(&pmm->lock);
	*leaf = uvm_chunk_pool_evict_next_leaf(&pmm->pool, victim);
	/* a block that owns a chunk is alive: it frees its chunks before it goes */
	if (*leaf)
		block = uvm_va_block_get((*leaf)->owner);
	mutex_unlock(&pmm->lock);
	return block;
}

/* Empty what was picked.  No block lock is held (nvidia-uvm 4.4). */
static int uvm_pmm_empty(struct uvm_pmm *pmm, struct uvm_chunk *victim, struct uvm_work *work)
{
	struct uvm_eviction_report report = {};
	unsigned int room = uvm_chunk_pages(victim);
	struct uvm_prefetch_memory memory;
	struct uvm_va_block *block;
	struct uvm_chunk *leaf;
	u64 began = sim_now();
	u64 pa = victim->pa;
	int ret = 0;

	while (!ret && (block = uvm_pmm_next_owner(pmm, victim, &leaf))) {
		ret = uvm_va_block_evict(block, pmm->gpu, leaf, work, &report);
		uvm_va_block_put(block);
	}
	mutex_lock(&pmm->lock);
	uvm_chunk_pool_evict_done(&pmm->pool, victim, !ret);
	memory = uvm_pmm_prefetch_memory(pmm);
	if (report.blocks)
		uvm_prefetch_meter_left(&pmm->prefetch, &memory, report.pages, room);
	uvm_pmm_progress(pmm);
	mutex_unlock(&pmm->lock);
	if (!ret && report.pages)
		uvm_stat_add(&pmm->gpu->stats, UVM_STAT_EVICTED_CHUNKS, 1);
	if (report.blocks)
		trace_uvm_eviction(began, pmm->gpu->index, pa, report.blocks, report.pages,
				   sim_now() - began);
	return ret;
}

/* Looking for a victim takes time when the hardware is asked; no lock is held. */
static void uvm_pmm_charge_readings(struct uvm_pmm *pmm, struct uvm_work *work, u64 readings)
{
	enum uvm_phase phase;

	if (!readings)
		return;
	phase = uvm_work_enter(work, UVM_PHASE_EVICT, readings * uvm_cost(pmm->gpu, accessed));
	uvm_work_enter(work, phase, 0);
}

/*
 * Evict a unit, or more if @size is more; it is pinned for the caller.
 *
 * A victim may have no system memory to go to because its memory cgroup has none
 * left.  That is nobody else's concern: the next one is tried, as the failed one is
 * now the last to be evicted.
 */
static int uvm_pmm_evict(struct uvm_pmm *pmm, struct uvm_work *work, enum uvm_chunk_size size,
			 struct uvm_chunk **victim)
{
	unsigned int attempts = pmm->pool.nr_roots;
	u64 readings;
	int ret;

	do {
		mutex_lock(&pmm->lock);
		readings = pmm->pool.readings;
		ret = uvm_chunk_pool_pick_victim(&pmm->pool, pmm->eviction, size, victim);
		readings = pmm->pool.readings - readings;
		mutex_unlock(&pmm->lock);
		uvm_pmm_charge_readings(pmm, work, readings);
		if (!ret)
			ret = uvm_pmm_empty(pmm, *victim, work);
	} while (ret == -ENOMEM && --attempts);
	return ret;
}

/* ---- PMA wants frames back, for somebody else ------------------------ */

/* Attempts at a frame that others keep pinning, each after something happened. */
#define UVM_PMM_RANGE_ATTEMPTS	1000

static u64 uvm_pmm_give_root(struct uvm_pmm *pmm, struct uvm_chunk *root)
{
	mutex_lock(&pmm->lock);
	uvm_chunk_pool_release_root(&pmm->pool, root);
	/* who waits for the pin to end may have no frame left to wait for */
	uvm_pmm_progress(pmm);
	mutex_unlock(&pmm->lock);
	/* PMA-owned: nobody else touches its tracker */
	uvm_tracker_wait(&pmm->trackers[uvm_root_chunk_index(&pmm->pool, root)]);
	trace_uvm_pma(sim_now(), pmm->gpu->index, UVM_TRACE_PMA_EVICT, 1, root->pa);
	return root->pa;
}

/* Return: 0; -ENOENT: not ours; -EBUSY: others keep it pinned; -ENOMEM, -EIO. */
static int uvm_pmm_evict_frame(struct uvm_pmm *pmm, struct uvm_work *work, struct uvm_chunk *root)
{
	unsigned int attempts;
	int ret = -EAGAIN;
	u64 seen;

	for (attempts = 0; attempts < UVM_PMM_RANGE_ATTEMPTS && ret == -EAGAIN; attempts++) {
		mutex_lock(&pmm->lock);
		seen = pmm->generation;
		ret = uvm_chunk_pool_begin_evict(&pmm->pool, root);
		mutex_unlock(&pmm->lock);
		if (ret == -EAGAIN &&
		    sim_wait_event(&pmm->waitq, READ_ONCE(pmm->generation) != seen))
			return -EIO;
	}
	if (ret)
		return ret == -EAGAIN ? -EBUSY : ret;
	return uvm_pmm_empty(pmm, root, work);
}

static void uvm_pmm_pma_barrier(struct uvm_pmm *pmm)
{
	sim_down_write(&pmm->pma_lock);
	sim_up_write(&pmm->pma_lock);
}

/*
 * Neither PMA has a frame nor we: that is so for good, or for as long as others who
 * are the first to use the GPU, or the last, carry them from the one to the other.
 */
static int uvm_pmm_wait_moves(struct uvm_pmm *pmm, u64 seen)
{
	uvm_pmm_pma_barrier(pmm);
	return READ_ONCE(pmm->moves) != seen ? -EAGAIN : -ENOSPC;
}

/*
 * The first frame in the order of eviction.  Frames on their way are waited for, like
 * those that others keep pinned.  Return: as uvm_pmm_evict(), but never -EAGAIN.
 */
static int uvm_pmm_evict_next(struct uvm_pmm *pmm, struct uvm_work *work, struct uvm_chunk **root)
{
	unsigned int attempts;
	int ret = -EAGAIN;
	u64 seen, moves;

	for (attempts = 0; attempts < UVM_PMM_RANGE_ATTEMPTS && ret == -EAGAIN; attempts++) {
		moves = READ_ONCE(pmm->moves);
		seen = READ_ONCE(pmm->generation);
		ret = uvm_pmm_evict(pmm, work, UVM_CHUNK_2M, root);
		if (ret == -ENOSPC)
			ret = uvm_pmm_wait_moves(pmm, moves);
		else if (ret == -EAGAIN &&
			 sim_wait_event(&pmm->waitq, READ_ONCE(pmm->generation) != seen))
			return -EIO;
	}
	return ret == -EAGAIN ? -EBUSY : ret;
}

/* Any frames, in the order of eviction. */
static unsigned int uvm_pmm_evict_any(struct uvm_pmm *pmm, struct uvm_work *work,
				      unsigned int count, u64 *frames)
{
	struct uvm_chunk *root;
	unsigned int n = 0;

	while (n < count && !uvm_pmm_evict_next(pmm, work, &root))
		frames[n++] = uvm_pmm_give_root(pmm, root);
	return n;
}

/*
 * Certain frames (nvidia-uvm 4.5): all that are ours between two addresses.
 * Those on the way from PMA arrive before we look, those on the way to PMA
 * before it does.
 */
static unsigned int uvm_pmm_evict_range(struct uvm_pmm *pmm, struct uvm_work *work,
					unsigned int count, u64 *frames, u64 first, u64 last)
{
	unsigned int i, n = 0, end = min_t(u64, last >> UVM_BLOCK_SHIFT, pmm->pool.nr_roots - 1);
	int ret = 0;

	uvm_pmm_pma_barrier(pmm);
	for (i = first >> UVM_BLOCK_SHIFT; i <= end && n < count; i++) {
		ret = uvm_pmm_evict_frame(pmm, work, &pmm->roots[i]);
		if (!ret)
			frames[n++] = uvm_pmm_give_root(pmm, &pmm->roots[i]);
		else if (ret != -ENOENT)
			break;
	}
	uvm_pmm_pma_barrier(pmm);
	return n;
}

static unsigned int uvm_pmm_evict_frames(void *data, unsigned int count, u64 *frames,
					 u64 first, u64 last)
{
	struct uvm_pmm *pmm = data;
	struct uvm_work work;
	unsigned int n;

	if (!uvm_params_module()->global_oversubscription)
		return 0;
	uvm_work_begin(&work, &pmm->gpu->stats, NULL, UVM_PHASE_EVICT);
	if (!first && last >= pmm->gpu->info->vram_bytes - 1)
		n = uvm_pmm_evict_any(pmm, &work, count, frames);
	else
		n = uvm_pmm_evict_range(pmm, &work, count, frames, first, last);
	uvm_work_end(&work);
	return n;
}

static const struct rm_pma_ops uvm_pmm_pma_ops = {
	.evict_frames = uvm_pmm_evict_frames,
};

/* ---- allocation ------------------------------------------------------ */

static int uvm_pmm_try_alloc(struct uvm_pmm *pmm, u32 size, struct uvm_chunk **chunk)
{
	int ret;

	mutex_lock(&pmm->lock);
	ret = uvm_chunk_alloc(&pmm->pool, uvm_chunk_size_of(size), GFP_KERNEL, chunk);
	mutex_unlock(&pmm->lock);
	if (ret)
		return ret;
	uvm_object_inc(UVM_OBJECT_CHUNK);
	trace_uvm_chunk(sim_now(), pmm->gpu->index, UVM_TRACE_CHUNK_ALLOC, (*chunk)->pa, size);
	return 0;
}

/* What was evicted is pinned for us: let it go, the next try finds it. */
static int uvm_pmm_evict_one(struct uvm_pmm *pmm, u32 size, unsigned int flags, u64 moves,
			     struct uvm_work *work)
{
	struct uvm_chunk *victim;
	u64 seen = READ_ONCE(pmm->generation);
	int ret;

	ret = uvm_pmm_evict(pmm, work, uvm_chunk_size_of(size), &victim);
	if (ret == -EAGAIN && (flags & UVM_PMM_NOWAIT))
		return -ENOSPC;
	if (ret == -ENOSPC && !(flags & UVM_PMM_NOWAIT))
		return uvm_pmm_wait_moves(pmm, moves);
	if (ret == -EAGAIN)
		return sim_wait_event(&pmm->waitq, READ_ONCE(pmm->generation) != seen) ?
		       -ENOSPC : -EAGAIN;
	if (ret)
		return ret;
	mutex_lock(&pmm->lock);
	uvm_chunk_free(&pmm->pool, victim, false);
	/* who was woken when the eviction ended has found it pinned */
	uvm_pmm_progress(pmm);
	mutex_unlock(&pmm->lock);
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

int uvm_pmm_add_tracker(struct uvm_gpu *gpu, struct uvm_chunk *chunk,
			struct uvm_tracker *tracker)
{
	struct uvm_pmm *pmm = &gpu->pmm;
	struct uvm_tracker_entry entry;
	bool found;
	int ret;

	mutex_lock(&pmm->lock);
	ret = uvm_tracker_add_tracker(tracker, uvm_pmm_tracker(pmm, chunk));
	mutex_unlock(&pmm->lock);
	/*
	 * No memory to remember the work: wait for it, without the lock.  It stays
	 * in the frame's tracker meanwhile, for others take chunks of the frame.
	 */
	while (ret == -ENOMEM) {
		mutex_lock(&pmm->lock);
		uvm_tracker_remove_completed(uvm_pmm_tracker(pmm, chunk));
		found = uvm_tracker_last(uvm_pmm_tracker(pmm, chunk), &entry);
		mutex_unlock(&pmm->lock);
		if (!found)
			return 0;
		if (uvm_channel_wait(entry.channel, entry.value, false))
			ret = -EIO;
	}
	return ret;
}

void uvm_pmm_free(struct uvm_gpu *gpu, struct uvm_chunk *chunk, struct uvm_tracker *tracker)
{
	struct uvm_pmm *pmm = &gpu->pmm;
	u32 size = uvm_chunk_bytes(chunk->size);
	u64 pa = chunk->pa;

	/*
	 * With no memory to remember the work, wait for it: the caller holds
	 * the chunk, so its frame cannot go meanwhile.
	 */
	if (tracker) {
		int ret;

		mutex_lock(&pmm->lock);
		ret = uvm_tracker_add_tracker(uvm_pmm_tracker(pmm, chunk), tracker);
		mutex_unlock(&pmm->lock);
		if (ret)
			uvm_tracker_wait(tracker);
	}
	mutex_lock(&pmm->lock);
	uvm_chunk_free(&pmm->pool, chunk, false);
	uvm_pmm_progress(pmm);
	mutex_unlock(&pmm->lock);
	uvm_object_dec(UVM_OBJECT_CHUNK);
	trace_uvm_chunk(sim_now(), gpu->index, UVM_TRACE_CHUNK_FREE, pa, size);
	uvm_pmm_shrink(pmm);
}

void uvm_pmm_unpin(struct uvm_gpu *gpu, struct uvm_chunk *chunk, void *block, unsigned int page)
{
	mutex_lock(&gpu->pmm.lock);
	uvm_chunk_unpin(&gpu->pmm.pool, chunk, block, page);
	uvm_pmm_progress(&gpu->pmm);
	mutex_unlock(&gpu->pmm.lock);
}

void uvm_pmm_mark_used(struct uvm_gpu *gpu, struct uvm_chunk *chunk)
{
	mutex_lock(&gpu->pmm.lock);
	uvm_chunk_mark_used(&gpu->pmm.pool, chunk);
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

int uvm_pmm_set_granularity(struct uvm_gpu *gpu, u32 bytes)
{
	int ret;

	if (uvm_pmm_granularity(gpu) == uvm_chunk_size_of(bytes))
		return 0;
	uvm_pmm_release_free(gpu);
	mutex_lock(&gpu->pmm.lock);
	ret = uvm_chunk_pool_set_unit(&gpu->pmm.pool, uvm_chunk_size_of(bytes));
	mutex_unlock(&gpu->pmm.lock);
	return ret;
}

void uvm_pmm_set_eviction(struct uvm_gpu *gpu, const struct uvm_eviction_ops *ops)
{
	mutex_lock(&gpu->pmm.lock);
	gpu->pmm.eviction = ops;
	uvm_pmm_watch_accesses(&gpu->pmm);
	mutex_unlock(&gpu->pmm.lock);
}

void uvm_pmm_reset_policy(struct uvm_gpu *gpu, const struct uvm_eviction_ops *ops)
{
	mutex_lock(&gpu->pmm.lock);
	gpu->pmm.eviction = ops;
	/* xorshift never leaves 0 */
	gpu->pmm.pool.random = uvm_params_module()->eviction_seed ?: 1;
	memset(&gpu->pmm.prefetch, 0, sizeof(gpu->pmm.prefetch));
	uvm_pmm_watch_accesses(&gpu->pmm);
	mutex_unlock(&gpu->pmm.lock);
}

void uvm_pmm_note_arrival(struct uvm_gpu *gpu, unsigned int pages, unsigned int faulted,
			  unsigned int refaulted)
{
	struct uvm_pmm *pmm = &gpu->pmm;
	struct uvm_prefetch_memory memory;

	mutex_lock(&pmm->lock);
	memory = uvm_pmm_prefetch_memory(pmm);
	uvm_prefetch_meter_came(&pmm->prefetch, &memory, pages, faulted, refaulted);
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

int uvm_pmm_init(struct uvm_gpu *gpu)
{
	unsigned int frames = gpu->info->vram_bytes >> RM_FRAME_SHIFT;
	const struct uvm_params *params = uvm_params_module();
	struct uvm_pmm *pmm = &gpu->pmm;
	unsigned int i;
	int ret;

	pmm->gpu = gpu;
	sim_rwsem_init(&pmm->pma_lock);
	mutex_init(&pmm->lock);
	sim_waitq_init(&pmm->waitq);
	pmm->eviction = params->eviction_policy;
	pmm->roots = kvcalloc(frames, sizeof(*pmm->roots), GFP_KERNEL);
	pmm->trackers = kvcalloc(frames, sizeof(*pmm->trackers), GFP_KERNEL);
	ret = -ENOMEM;
	if (!pmm->roots || !pmm->trackers)
		goto free_arrays;
	for (i = 0; i < frames; i++)
		uvm_tracker_init(&pmm->trackers[i]);
	uvm_chunk_pool_init(&pmm->pool, pmm->roots, frames, params->eviction_seed,
			    uvm_pmm_assert_locked, pmm);
	pmm->pool.now = uvm_pmm_now;
	pmm->pool.last_access = uvm_pmm_last_access;
	ret = rm_pma_register(gpu->rm, &uvm_pmm_pma_ops, pmm);
	if (ret)
		goto free_arrays;
	return 0;

free_arrays:
	kvfree(pmm->trackers);
	kvfree(pmm->roots);
	return ret;
}

void uvm_pmm_exit(struct uvm_gpu *gpu)
{
	struct uvm_pmm *pmm = &gpu->pmm;
	struct uvm_chunk *root;
	struct sim_task self;
	unsigned int i;

	/* an allocation of explicit memory may be asking us for frames just now */
	sim_enter(&self);
	rm_pma_unregister(gpu->rm);
	sim_leave(&self);
	mutex_lock(&pmm->lock);
	while ((root = uvm_chunk_pool_take_free_root(&pmm->pool)))
		rm_pma_free(gpu->rm, 1, &root->pa);
	WARN_ON_ONCE(!uvm_chunk_pool_idle(&pmm->pool));
	mutex_unlock(&pmm->lock);
	for (i = 0; i < pmm->pool.nr_roots; i++)
		uvm_tracker_deinit(&pmm->trackers[i]);
	kvfree(pmm->trackers);
	kvfree(pmm->roots);
	mutex_destroy(&pmm->lock);
}
