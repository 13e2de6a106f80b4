// SPDX-License-Identifier: GPL-2.0
/*
 * Physical memory of a GPU: eviction, for an allocation, ahead of one, and for PMA
 * (nvidia-uvm 4.4, 4.5).
 */
#include "gpu/channel.h"
#include "gpu/gpu.h"
#include "gpu/tracker.h"
#include "policy/param.h"
#include "memory/pmm_priv.h"
#include "memory/pmm_recorder.h"
#include "policy/policy.h"
#include "base/trace.h"
#include "base/work.h"

struct uvm_prefetch_memory uvm_pmm_prefetch_memory(const struct uvm_pmm *pmm)
{
	return (struct uvm_prefetch_memory){
		.pages = uvm_chunk_pool_units(&pmm->pool) *
			 (uvm_chunk_bytes(pmm->pool.unit) >> UVM_PAGE_SHIFT),
		.threshold = uvm_params_module()->perf_prefetch_threshold,
	};
}

/* ---- eviction -------------------------------------------------------- */

static void *uvm_pmm_next_owner(struct uvm_pmm *pmm, struct uvm_chunk *victim,
				struct uvm_chunk **leaf, u64 *born)
{
	void *owner = NULL;

	mutex_lock(&pmm->lock);
	*leaf = uvm_chunk_pool_evict_next_leaf(&pmm->pool, victim);
	/* who owns a chunk is alive: he frees his chunks before he goes */
	if (*leaf) {
		owner = (*leaf)->owner;
		pmm->owners->get(owner);
		*born = min(*born, (*leaf)->born);
	}
	mutex_unlock(&pmm->lock);
	return owner;
}

/* A unit was evicted that had been in use since @born. */
static void uvm_pmm_note_lifetime(struct uvm_pmm *pmm, u64 born)
{
	lockdep_assert_held(&pmm->lock);
	pmm->traffic.evicted++;
	pmm->traffic.lifetime_ns += sim_now() - min(born, sim_now());
}

struct uvm_memory_traffic uvm_pmm_take_traffic(struct uvm_gpu *gpu)
{
	struct uvm_memory_traffic taken;

	mutex_lock(&gpu->pmm.lock);
	taken = gpu->pmm.traffic;
	gpu->pmm.traffic = (struct uvm_memory_traffic){};
	mutex_unlock(&gpu->pmm.lock);
	return taken;
}

/* Empty what was picked.  No block lock is held (nvidia-uvm 4.4). */
static int uvm_pmm_empty(struct uvm_pmm *pmm, struct uvm_chunk *victim, struct uvm_work *work)
{
	struct uvm_eviction_report report = {};
	unsigned int room = uvm_chunk_pages(victim);
	struct uvm_prefetch_memory memory;
	struct uvm_chunk *leaf;
	void *owner;
	u64 began = sim_now();
	u64 pa = victim->pa, born = U64_MAX;
	int ret = 0;

	while (!ret && (owner = uvm_pmm_next_owner(pmm, victim, &leaf, &born))) {
		ret = pmm->owners->evict(owner, pmm->gpu, leaf, work, &report);
		pmm->owners->put(owner);
	}
	mutex_lock(&pmm->lock);
	uvm_chunk_pool_evict_done(&pmm->pool, victim, !ret);
	memory = uvm_pmm_prefetch_memory(pmm);
	if (report.blocks)
		uvm_prefetch_meter_left(&pmm->prefetch, &memory, report.pages, room);
	if (!ret && report.pages)
		uvm_pmm_note_lifetime(pmm, born);
	uvm_pmm_progress(pmm);
	mutex_unlock(&pmm->lock);
	if (!ret && report.pages)
		uvm_stat_add(&pmm->gpu->stats, UVM_STAT_EVICTED_CHUNKS, 1);
	if (report.blocks)
		trace_uvm_eviction(began, pmm->gpu->index, pa, report.blocks, report.pages,
				   sim_now() - began);
	return ret;
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
	unsigned int attempts = uvm_pmm_units(pmm, pmm->pool.nr_roots);
	u64 ns;
	int ret;

	uvm_pmm_before_full(pmm->gpu, work);
	WRITE_ONCE(pmm->full, true);
	do {
		mutex_lock(&pmm->lock);
		ns = pmm->pool.readings;
		ret = uvm_chunk_pool_pick_victim(&pmm->pool, size, victim);
		ns = uvm_pmm_policy_ns(pmm, ns);
		uvm_pmm_eject(pmm);
		mutex_unlock(&pmm->lock);
		uvm_work_charge(work, UVM_PHASE_EVICT, ns);
		if (!ret)
			ret = uvm_pmm_empty(pmm, *victim, work);
	} while (ret == -ENOMEM && --attempts);
	return ret;
}

/* ---- for an allocation ----------------------------------------------- */

/* Serial timing: an eviction begins when nothing is on its way in. */
static int uvm_pmm_quiet(struct uvm_pmm *pmm, struct uvm_work *work)
{
	int ret;

	if (!READ_ONCE(pmm->timing)->serial)
		return 0;
	uvm_work_wait_begin(work);
	ret = uvm_channels_wait_type(pmm->gpu, UVM_CHANNEL_CPU_TO_GPU);
	uvm_work_wait_end(work);
	return ret;
}

/* Serial timing: nothing else is done before a victim is out. */
static int uvm_pmm_settle(struct uvm_pmm *pmm, struct uvm_chunk *victim, struct uvm_work *work)
{
	struct uvm_tracker tracker = UVM_TRACKER_INIT();
	int ret;

	if (!READ_ONCE(pmm->timing)->serial)
		return 0;
	ret = uvm_pmm_add_tracker(pmm->gpu, victim, &tracker);
	uvm_work_wait_begin(work);
	ret = uvm_tracker_wait_deinit(&tracker) ?: ret;
	uvm_work_wait_end(work);
	return ret;
}

/* Evict one as the timing wants it done; it is pinned for the caller.  As uvm_pmm_evict(). */
static int uvm_pmm_take_out(struct uvm_pmm *pmm, u32 size, struct uvm_work *work,
			    struct uvm_chunk **victim)
{
	int ret;

	ret = uvm_pmm_quiet(pmm, work);
	return ret ? ret : uvm_pmm_evict(pmm, work, uvm_chunk_size_of(size), victim);
}

static void uvm_pmm_let_go(struct uvm_pmm *pmm, struct uvm_chunk *victim)
{
	mutex_lock(&pmm->lock);
	uvm_chunk_free(&pmm->pool, victim, false);
	/* who was woken when the eviction ended has found it pinned */
	uvm_pmm_progress(pmm);
	mutex_unlock(&pmm->lock);
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

/* What was evicted is pinned for us: let it go, the next try finds it. */
int uvm_pmm_evict_one(struct uvm_pmm *pmm, u32 size, unsigned int flags, u64 moves,
		      struct uvm_work *work)
{
	struct uvm_chunk *victim;
	u64 seen = READ_ONCE(pmm->generation);
	int ret;

	ret = uvm_pmm_take_out(pmm, size, work, &victim);
	if (ret == -EAGAIN && (flags & UVM_PMM_NOWAIT))
		return -ENOSPC;
	if (ret == -ENOSPC && !(flags & UVM_PMM_NOWAIT))
		return uvm_pmm_wait_moves(pmm, moves);
	if (ret == -EAGAIN)
		return sim_wait_event(&pmm->waitq, READ_ONCE(pmm->generation) != seen) ?
		       -ENOSPC : -EAGAIN;
	if (ret)
		return ret;
	ret = uvm_pmm_settle(pmm, victim, work);
	uvm_pmm_let_go(pmm, victim);
	return ret;
}

/* ---- ahead of allocations -------------------------------------------- */

/* Unless another timing has come in force meanwhile, which keeps nothing. */
static void uvm_pmm_keep(struct uvm_pmm *pmm, unsigned int units)
{
	mutex_lock(&pmm->lock);
	if (pmm->timing->before || pmm->timing->after)
		WRITE_ONCE(pmm->kept, units);
	mutex_unlock(&pmm->lock);
}

/*
 * Until so many units are free, or somebody else has all that could be evicted.  Victims
 * are let go together: one that is free already would be the next one's choice.  The first
 * choices are chunks that are free anyway, of as many units as they have.
 */
static void uvm_pmm_make_room(struct uvm_pmm *pmm, unsigned int wanted, struct uvm_work *work)
{
	u32 size = uvm_chunk_bytes(uvm_pmm_granularity(pmm->gpu));
	struct uvm_chunk **held;
	unsigned int n = 0, units = 0, tries;
	int ret = 0;

	uvm_pmm_keep(pmm, wanted);
	held = kvmalloc_array(wanted, sizeof(*held), GFP_KERNEL);
	if (!held)
		return;
	atomic_inc(&pmm->making);
	/* others may take what PMA gave: then they need no more of it */
	for (tries = 0; !ret && tries < 2 * wanted && units + READ_ONCE(pmm->pool.room) < wanted;
	     tries++) {
		ret = uvm_pmm_grow(pmm, work);
		if (ret == -ENOSPC)
			ret = uvm_pmm_take_out(pmm, size, work, &held[n]);
		else if (!ret)
			continue;
		if (ret)
			continue;
		units += max(uvm_chunk_bytes(held[n]->size) / size, 1U);
		ret = uvm_pmm_settle(pmm, held[n++], work);
	}
	while (n)
		uvm_pmm_let_go(pmm, held[--n]);
	atomic_dec(&pmm->making);
	kvfree(held);
}

bool uvm_pmm_wants_room(struct uvm_gpu *gpu)
{
	struct uvm_pmm *pmm = &gpu->pmm;

	return READ_ONCE(pmm->dry) && READ_ONCE(pmm->pool.room) < READ_ONCE(pmm->ahead);
}

void uvm_pmm_batch_begin(struct uvm_gpu *gpu, struct uvm_work *work)
{
	if (uvm_pmm_wants_room(gpu))
		uvm_pmm_make_room(&gpu->pmm, READ_ONCE(gpu->pmm.ahead), work);
}

void uvm_pmm_batch_end(struct uvm_gpu *gpu, struct uvm_work *work)
{
	struct uvm_pmm *pmm = &gpu->pmm;
	struct uvm_timing_query query;
	unsigned int wanted = 0;
	u64 ns;

	mutex_lock(&pmm->lock);
	ns = pmm->pool.readings;
	uvm_evictor_time(pmm->pool.evictor, sim_now());
	ns = uvm_pmm_policy_ns(pmm, ns);
	pmm->taken_last = pmm->taken;
	pmm->taken = 0;
	query = uvm_pmm_timing_query(pmm);
	if (pmm->timing->after)
		wanted = uvm_policy_check_timing(&query, pmm->timing->after(&query));
	uvm_pmm_plan_ahead(pmm);
	mutex_unlock(&pmm->lock);
	uvm_work_charge(work, UVM_PHASE_EVICT, ns);
	if (wanted && READ_ONCE(pmm->dry))
		uvm_pmm_make_room(pmm, wanted, work);
}

/* ---- PMA wants frames back, for somebody else ------------------------ */

/* Attempts at a frame that others keep pinning, each after something happened. */
#define UVM_PMM_RANGE_ATTEMPTS	1000

/*
 * How many attempts there were with this one.  Who makes room pins more and more, and many
 * things happen until all is let go at once; but it ends, so that waiting for it counts not.
 */
static unsigned int uvm_pmm_attempted(struct uvm_pmm *pmm, unsigned int attempts)
{
	return attempts + !atomic_read(&pmm->making);
}

static u64 uvm_pmm_give_root(struct uvm_pmm *pmm, struct uvm_chunk *root)
{
	mutex_lock(&pmm->lock);
	uvm_chunk_pool_release_root(&pmm->pool, root);
	uvm_pmm_fit(pmm);
	/* who waits for the pin to end may have no frame left to wait for */
	uvm_pmm_progress(pmm);
	mutex_unlock(&pmm->lock);
	uvm_pmm_wait_frame(pmm, root);
	trace_uvm_pma(sim_now(), pmm->gpu->index, UVM_TRACE_PMA_EVICT, 1, root->pa);
	return root->pa;
}

/* Return: 0; -ENOENT: not ours; -EBUSY: others keep it pinned; -ENOMEM, -EIO. */
static int uvm_pmm_evict_frame(struct uvm_pmm *pmm, struct uvm_work *work, struct uvm_chunk *root)
{
	unsigned int attempts = 0;
	int ret = -EAGAIN;
	u64 seen;

	while (attempts < UVM_PMM_RANGE_ATTEMPTS && ret == -EAGAIN) {
		attempts = uvm_pmm_attempted(pmm, attempts);
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

/*
 * The first frame in the order of eviction.  Frames on their way are waited for, like
 * those that others keep pinned.  Return: as uvm_pmm_evict(), but never -EAGAIN.
 */
static int uvm_pmm_evict_next(struct uvm_pmm *pmm, struct uvm_work *work, struct uvm_chunk **root)
{
	unsigned int attempts = 0;
	int ret = -EAGAIN;
	u64 seen, moves;

	while (attempts < UVM_PMM_RANGE_ATTEMPTS && ret == -EAGAIN) {
		attempts = uvm_pmm_attempted(pmm, attempts);
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

	if (!uvm_params_module()->global_oversubscription || uvm_pmm_keeps_all(pmm))
		return 0;
	uvm_work_begin(&work, &pmm->gpu->stats, NULL, UVM_PHASE_EVICT);
	if (!first && last >= pmm->gpu->info->vram_bytes - 1)
		n = uvm_pmm_evict_any(pmm, &work, count, frames);
	else
		n = uvm_pmm_evict_range(pmm, &work, count, frames, first, last);
	uvm_work_end(&work);
	return n;
}

const struct rm_pma_ops uvm_pmm_pma_ops = {
	.evict_frames = uvm_pmm_evict_frames,
};

