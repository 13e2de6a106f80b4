// SPDX-License-Identifier: GPL-2.0
/*
 * Thrashing of blocks: what happened is told to the history (thrashing.c), what
 * the history reports to listeners and counters; pins end in time.
 */
#include <linux/debugfs.h>
#include <linux/memcontrol.h>
#include <linux/seq_file.h>
#include <linux/sched/mm.h>
#include "block/block_thrashing.h"
#include "gpu/gpu.h"
#include "block/va_block.h"
#include "space/va_space_types.h"
#include "base/work.h"

/**
 * struct uvm_block_look - one look at the history of a block
 * @ctx: for the pure unit
 * @params: what the parameters say now
 * @block: the block; lock held
 * @pins: pages were pinned or unpinned
 */
struct uvm_block_look {
	struct uvm_thrashing_ctx ctx;
	struct uvm_thrashing_params params;
	struct uvm_va_block *block;
	bool pins;
};

/* Counters of the VA space, and of the GPU if the processor is one. */
static void uvm_block_thrashing_stat(struct uvm_va_block *block, unsigned int processor,
				     enum uvm_stat stat)
{
	uvm_stat_add(&block->va_space->stats, stat, 1);
	if (uvm_id_is_gpu(processor))
		uvm_stat_add(&uvm_gpu(uvm_id_gpu_index(processor))->stats, stat, 1);
}

static void uvm_thrashing_emit(struct uvm_va_space *va_space, enum uvm_event_type type, u64 addr,
			       unsigned int processor)
{
	struct uvm_event ev = {
		.type = type,
		.gpu = uvm_id_to_user(processor),
		.time_ns = sim_now(),
		.address = addr,
		.bytes = PAGE_SIZE,
		.src = uvm_id_to_user(processor),
		.dst = UVM_PROCESSOR_NONE,
	};

	uvm_events_emit(&va_space->events, &ev);
}

static void uvm_block_thrashing_emit(struct uvm_va_block *block, enum uvm_event_type type,
				     unsigned int page, unsigned int processor)
{
	uvm_thrashing_emit(block->va_space, type, uvm_va_block_address(block, page), processor);
}

/**
 * uvm_thrashing_cpu_naps - the CPU begins to wait for its turn
 * @va_space: the VA space; no lock
 * @addr: for which page
 *
 * Unlike a GPU, which is held back from the decision on until it may go on, the CPU is
 * so while a thread sleeps (nvidia-uvm 3.8).
 */
void uvm_thrashing_cpu_naps(struct uvm_va_space *va_space, u64 addr)
{
	uvm_stat_add(&va_space->stats, UVM_STAT_THROTTLES_CPU, 1);
	uvm_thrashing_emit(va_space, UVM_EVENT_THROTTLING_START, addr, UVM_ID_CPU);
}

/**
 * uvm_thrashing_cpu_wakes - the reverse; it may still not be its turn
 * @va_space: as before
 * @addr: as before
 */
void uvm_thrashing_cpu_wakes(struct uvm_va_space *va_space, u64 addr)
{
	uvm_thrashing_emit(va_space, UVM_EVENT_THROTTLING_END, addr, UVM_ID_CPU);
}

static void uvm_block_thrashing_report(struct uvm_thrashing_ctx *ctx,
				       enum uvm_thrashing_report what, unsigned int page,
				       unsigned int processor)
{
	struct uvm_block_look *look = container_of(ctx, struct uvm_block_look, ctx);
	struct uvm_va_block *block = look->block;
	struct uvm_counter_sets *counters = &block->va_space->counters;

	switch (what) {
	case UVM_THRASHING_DETECTED:
		uvm_block_thrashing_emit(block, UVM_EVENT_THRASHING_DETECTED, page, processor);
		uvm_block_thrashing_stat(block, processor, UVM_STAT_THRASHING_PAGES);
		uvm_counter_add(counters, processor, UVM_COUNTER_THRASHING_PAGES, 1);
		break;
	case UVM_THRASHING_THROTTLE_START:
		if (uvm_id_is_cpu(processor))	/* when it sleeps */
			break;
		uvm_block_thrashing_emit(block, UVM_EVENT_THROTTLING_START, page, processor);
		uvm_block_thrashing_stat(block, processor, UVM_STAT_THROTTLES_GPU);
		break;
	case UVM_THRASHING_THROTTLE_END:
		if (uvm_id_is_gpu(processor))
			uvm_block_thrashing_emit(block, UVM_EVENT_THROTTLING_END, page, processor);
		break;
	case UVM_THRASHING_PINNED:
	case UVM_THRASHING_UNPINNED:
		look->pins = true;
		break;
	case UVM_THRASHING_FORGOTTEN:
		uvm_stat_add(&block->va_space->stats, UVM_STAT_THRASHING_RESETS, 1);
		break;
	}
}

/* False: nobody wants to know, and the look is good only for forgetting. */
static bool uvm_block_thrashing_begin(struct uvm_block_look *look, struct uvm_va_block *block)
{
	u64 now = sim_now();

	sim_mutex_assert_held(&block->lock);
	/* several blocks may be the first: all take the same */
	cmpxchg64(&block->va_space->thrashing.origin, 0, now);
	look->block = block;
	look->pins = false;
	look->ctx = (struct uvm_thrashing_ctx){
		.block = &block->thrashing,
		.params = &look->params,
		.lapse = &block->va_space->thrashing.lapse,
		.topology = &block->va_space->topology,
		.now = now,
		.origin = READ_ONCE(block->va_space->thrashing.origin),
		.report = uvm_block_thrashing_report,
	};
	return uvm_thrashing_params_read(&block->va_space->params, &look->params);
}

/* Start the timer for the first pin to end; lock held. */
static void uvm_va_space_arm_unpin(struct uvm_va_space_thrashing *vt, u64 when)
{
	lockdep_assert_held(&vt->lock);
	if (when >= vt->next_unpin)
		return;
	vt->next_unpin = when;
	sim_timer_start(vt->unpin, when);
}

/* The list of blocks with pins follows the block. */
static void uvm_block_thrashing_end(struct uvm_block_look *look)
{
	struct uvm_va_block *block = look->block;
	struct uvm_va_space_thrashing *vt = &block->va_space->thrashing;
	u64 when;

	if (!look->pins)
		return;
	when = uvm_thrashing_next_unpin(&block->thrashing);
	mutex_lock(&vt->lock);
	block->unpin_at = when;
	if (!block->thrashing.nr_pinned)
		list_del_init(&block->pinned_node);
	else if (list_empty(&block->pinned_node))
		list_add_tail(&block->pinned_node, &vt->pinned);
	uvm_va_space_arm_unpin(vt, when);
	mutex_unlock(&vt->lock);
}

/* ---- what happens to blocks ---------------------------------------------- */

/**
 * uvm_block_thrashing_migrated - pages were copied (nvidia-uvm 5.3)
 * @block: the block; lock held, residency is still the old one
 * @dst: where to, in the end
 * @pages: the pages; those that had no data to copy do not count
 * @demand: of these, the ones that were asked for; others are prefetched
 * @cause: of the demanded ones
 * @duplicates: the source keeps its copies, or the range is read-duplicated
 */
void uvm_block_thrashing_migrated(struct uvm_va_block *block, unsigned int dst,
				  const struct uvm_page_mask *pages,
				  const struct uvm_page_mask *demand, enum uvm_event_cause cause,
				  bool duplicates)
{
	struct uvm_page_mask copied, part;
	struct uvm_block_look look;
	struct mem_cgroup *old;
	struct uvm_region run;

	if (!uvm_block_thrashing_begin(&look, block))
		return;
	uvm_block_state_resident_any(&block->state, &copied);
	uvm_page_mask_andnot(&copied, &copied, &block->state.discarded);
	if (!uvm_page_mask_and(&copied, &copied, pages))
		return;
	old = set_active_memcg(block->va_space->memcg);
	uvm_page_mask_and(&part, &copied, demand);
	for_each_subregion(run, &part, block->region)
		uvm_thrashing_migration(&look.ctx, dst, run, cause, duplicates);
	uvm_page_mask_andnot(&part, &copied, demand);
	for_each_subregion(run, &part, block->region)
		uvm_thrashing_migration(&look.ctx, dst, run, UVM_CAUSE_PREFETCH, duplicates);
	set_active_memcg(old);
	uvm_block_thrashing_end(&look);
}

/**
 * uvm_block_thrashing_revoked - a processor lost permissions (nvidia-uvm 5.3)
 * @block: the block; lock held
 * @id: the processor
 * @pages: the pages, which stay where they are
 */
void uvm_block_thrashing_revoked(struct uvm_va_block *block, unsigned int id,
				 const struct uvm_page_mask *pages)
{
	struct uvm_block_look look;
	struct mem_cgroup *old;
	struct uvm_region run;

	if (!uvm_block_thrashing_begin(&look, block))
		return;
	old = set_active_memcg(block->va_space->memcg);
	for_each_subregion(run, pages, block->region)
		uvm_thrashing_revocation(&look.ctx, id, run);
	set_active_memcg(old);
	uvm_block_thrashing_end(&look);
}

/**
 * uvm_block_thrashing_reset - forget pages: unmapped, or a processor leaves
 * @block: the block; lock held
 * @pages: the pages
 */
void uvm_block_thrashing_reset(struct uvm_va_block *block, const struct uvm_page_mask *pages)
{
	struct uvm_block_look look;

	uvm_block_thrashing_begin(&look, block);
	uvm_thrashing_forget(&look.ctx, pages);
	uvm_block_thrashing_end(&look);
}

/* ---- faults -------------------------------------------------------------- */

static bool uvm_block_thrashing_allowed(struct uvm_va_block *block, unsigned int id,
					unsigned int page, enum uvm_access access)
{
	if (uvm_id_is_gpu(id) && !block->gpu[uvm_id_gpu_index(id)])
		return false;
	return uvm_prot_allows(uvm_block_state_prot(&block->state, id, page), access);
}

static void uvm_block_thrashing_count(struct uvm_va_block *block, unsigned int requester,
				      const struct uvm_thrashing_hint_result *result)
{
	struct uvm_counter_sets *counters = &block->va_space->counters;

	if (result->hint == UVM_THRASHING_HINT_THROTTLE) {
		uvm_counter_add(counters, requester, UVM_COUNTER_THRASHING_THROTTLE, 1);
	} else if (result->hint == UVM_THRASHING_HINT_PIN && result->where == requester) {
		uvm_counter_add(counters, requester, UVM_COUNTER_THRASHING_PIN_LOCAL, 1);
		uvm_block_thrashing_stat(block, requester, UVM_STAT_PINS_LOCAL);
	} else if (result->hint == UVM_THRASHING_HINT_PIN) {
		uvm_counter_add(counters, requester, UVM_COUNTER_THRASHING_PIN_REMOTE, 1);
		uvm_block_thrashing_stat(block, requester, UVM_STAT_PINS_REMOTE);
	}
}

/**
 * uvm_block_thrashing_hint - what to do about a fault (nvidia-uvm 5.4)
 * @block: the block; lock held
 * @span: its range
 * @requester: who faults
 * @addr: where
 * @access: how
 *
 * Return: serve it, leave it for later, or keep the page somewhere.  A fault
 * that needs no service, for its access is allowed already, gets no hint.
 */
struct uvm_thrashing_hint_result uvm_block_thrashing_hint(struct uvm_va_block *block,
							  const struct uvm_span *span,
							  unsigned int requester, u64 addr,
							  enum uvm_access access)
{
	struct uvm_thrashing_hint_result result = { .hint = UVM_THRASHING_HINT_NONE };
	unsigned int page = uvm_va_block_page(block, addr);
	struct uvm_thrashing_fault fault = {
		.page = page,
		.requester = requester,
		.preferred = span->policy.preferred,
		.atomic = uvm_id_is_gpu(requester) && access == UVM_ACCESS_ATOMIC,
	};
	struct uvm_block_look look;

	if (!block->thrashing.pages || !uvm_block_thrashing_begin(&look, block) ||
	    uvm_block_thrashing_allowed(block, requester, page, access))
		return result;
	if (fault.preferred != UVM_ID_INVALID &&
	    !uvm_va_space_has_processor(block->va_space, fault.preferred))
		fault.preferred = UVM_ID_INVALID;
	fault.resident = uvm_block_state_closest(&block->state, requester, page);
	fault.residents = uvm_block_state_residents(&block->state, page);
	mutex_lock(&block->va_space->thrashing.lock);
	result = uvm_thrashing_hint(&look.ctx, &fault);
	mutex_unlock(&block->va_space->thrashing.lock);
	uvm_block_thrashing_end(&look);
	uvm_block_thrashing_count(block, requester, &result);
	return result;
}

/**
 * uvm_block_thrashing_pages - pinned pages that a processor fights for
 * @block: the block; lock held
 * @id: the processor
 * @pages: of these
 * @out: out: the pages
 *
 * Return: true if there are any.
 */
bool uvm_block_thrashing_pages(struct uvm_va_block *block, unsigned int id,
			       const struct uvm_page_mask *pages, struct uvm_page_mask *out)
{
	struct uvm_page_mask pinned;
	unsigned int page;

	uvm_page_mask_zero(out);
	if (!uvm_page_mask_and(&pinned, pages, &block->thrashing.pinned))
		return false;
	for_each_page_in_mask(page, &pinned, block->region) {
		if (uvm_thrashing_processors(&block->thrashing, page) & BIT(id))
			uvm_page_mask_set(out, page);
	}
	return !uvm_page_mask_empty(out);
}

/* ---- the end of pins ------------------------------------------------------ */

/* Pages of a block that GPUs are to have mapped wherever they are, by GPU index. */
struct uvm_accessed_by {
	struct uvm_page_mask pages[UVM_MAX_GPUS];
};

/* Before the block is locked, for the ranges' lock comes first. */
static void uvm_block_thrashing_accessed_by(struct uvm_va_block *block,
					    struct uvm_accessed_by *keep)
{
	struct uvm_va_space *va_space = block->va_space;
	u64 first = uvm_va_block_address(block, block->region.first);
	u64 last = uvm_va_block_address(block, block->region.outer) - 1;
	struct uvm_va_range *range;
	unsigned int i;

	memset(keep, 0, sizeof(*keep));
	mutex_lock(&va_space->ranges_lock);
	for_each_uvm_va_range_in(range, &va_space->ranges, first, last) {
		u64 from = max(first, uvm_va_range_start(range));
		u64 to = min(last, uvm_va_range_end(range));
		struct uvm_region region = uvm_region_make(uvm_va_block_page(block, from),
							   uvm_va_block_page(block, to) + 1);

		for (i = 0; i < UVM_MAX_GPUS; i++)
			if (range->policy.accessed_by & BIT(UVM_ID_GPU(i)))
				uvm_page_mask_or_region(&keep->pages[i], region);
	}
	mutex_unlock(&va_space->ranges_lock);
}

/*
 * What a GPU uses where it is pinned faults again, and may move then.  Apart for the
 * sake of the caller's stack, as what follows.
 */
static noinline_for_stack void uvm_block_thrashing_unmap(struct uvm_va_block *block,
							 struct uvm_work *work,
							 const struct uvm_page_mask *pages,
							 const struct uvm_accessed_by *keep)
{
	struct uvm_page_mask mask, mapped;
	unsigned int i;

	for (i = 0; i < UVM_MAX_GPUS; i++) {
		struct uvm_gpu_va_space *gvs = block->va_space->gpus[i];

		if (!block->gpu[i] || !gvs)
			continue;
		uvm_block_state_mapped(&block->state, gvs->gpu->id, UVM_PROT_READ_ONLY, &mapped);
		uvm_page_mask_andnot(&mask, pages, &keep->pages[i]);
		uvm_page_mask_andnot(&mask, &mask, &block->gpu[i]->state.resident);
		if (!uvm_page_mask_and(&mask, &mask, &mapped))
			continue;
		uvm_work_enter(work, UVM_PHASE_MAP, uvm_cost(gvs->gpu, map) +
			       uvm_page_mask_weight(&mask) * uvm_cost(gvs->gpu, map_page));
		/* a dead channel ends the launch anyway */
		uvm_va_block_unmap_gpu(block, gvs, &mask);
	}
}

/* The pages begin anew. */
static noinline_for_stack void uvm_block_thrashing_forget(struct uvm_va_block *block,
							  const struct uvm_page_mask *pages)
{
	struct uvm_block_look look;

	uvm_block_thrashing_begin(&look, block);
	uvm_thrashing_reset(&look.ctx, pages);
	/* also if somebody else was faster: when is the next? */
	look.pins = true;
	uvm_block_thrashing_end(&look);
}

static void uvm_block_thrashing_unpin(struct uvm_va_block *block, struct uvm_work *work)
{
	struct uvm_accessed_by keep;
	struct uvm_page_mask pages;

	uvm_block_thrashing_accessed_by(block, &keep);
	sim_mutex_lock(&block->lock);
	if (uvm_thrashing_expired(&block->thrashing, sim_now(), &pages))
		uvm_block_thrashing_unmap(block, work, &pages, &keep);
	uvm_block_thrashing_forget(block, &pages);
	sim_mutex_unlock(&block->lock);
}

/* A block with a pin that ends, with a reference; else the timer is set to the next one. */
static struct uvm_va_block *uvm_va_space_next_unpin(struct uvm_va_space *va_space)
{
	struct uvm_va_space_thrashing *vt = &va_space->thrashing;
	u64 ends = sim_now() + UVM_THRASHING_UNPIN_SLOP_NS, next = U64_MAX;
	struct uvm_va_block *block;

	mutex_lock(&vt->lock);
	list_for_each_entry(block, &vt->pinned, pinned_node) {
		if (block->unpin_at <= ends) {
			uvm_va_block_get(block);
			goto unlock;
		}
		next = min(next, block->unpin_at);
	}
	block = NULL;
	vt->next_unpin = U64_MAX;
	uvm_va_space_arm_unpin(vt, next);
unlock:
	mutex_unlock(&vt->lock);
	return block;
}

/**
 * uvm_va_space_unpin - end the pins whose time has come
 * @va_space: the VA space; lock held for reading, no block lock
 */
void uvm_va_space_unpin(struct uvm_va_space *va_space)
{
	struct uvm_va_block *block;
	struct uvm_work work;

	sim_assert_held(&va_space->lock);
	uvm_work_begin(&work, NULL, &va_space->stats, UVM_PHASE_SERVICE);
	while ((block = uvm_va_space_next_unpin(va_space))) {
		uvm_block_thrashing_unpin(block, &work);
		uvm_va_block_put(block);
	}
	uvm_work_end(&work);
}

/**
 * uvm_va_space_thrashing_init - begin; the reaper is there when there are blocks
 * @va_space: the VA space
 *
 * Return: 0 or -ENOMEM.
 */
int uvm_va_space_thrashing_init(struct uvm_va_space *va_space)
{
	struct uvm_va_space_thrashing *vt = &va_space->thrashing;

	mutex_init(&vt->lock);
	INIT_LIST_HEAD(&vt->pinned);
	vt->next_unpin = U64_MAX;
	vt->unpin = sim_timer_create(&va_space->reaper);
	return vt->unpin ? 0 : -ENOMEM;
}

/**
 * uvm_va_space_thrashing_exit - end; all blocks are dead
 * @va_space: the VA space; its reaper is still there
 */
void uvm_va_space_thrashing_exit(struct uvm_va_space *va_space)
{
	WARN_ON_ONCE(!list_empty(&va_space->thrashing.pinned));
	sim_timer_destroy(va_space->thrashing.unpin);
	mutex_destroy(&va_space->thrashing.lock);
}

/* ---- counters by processor ------------------------------------------------ */

static int uvm_thrashing_stats_show(struct seq_file *seq, void *data)
{
	unsigned int id;

	for (id = 0; id < 1 + uvm_gpu_count(); id++) {
		if (uvm_id_is_cpu(id))
			seq_puts(seq, "cpu");
		else
			seq_printf(seq, "gpu%u", uvm_id_gpu_index(id));
		seq_printf(seq, " thrashing %llu throttle %llu pin_local %llu pin_remote %llu\n",
			   uvm_counter_read(NULL, id, UVM_COUNTER_THRASHING_PAGES),
			   uvm_counter_read(NULL, id, UVM_COUNTER_THRASHING_THROTTLE),
			   uvm_counter_read(NULL, id, UVM_COUNTER_THRASHING_PIN_LOCAL),
			   uvm_counter_read(NULL, id, UVM_COUNTER_THRASHING_PIN_REMOTE));
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(uvm_thrashing_stats);

/**
 * uvm_thrashing_debugfs - make thrashing_stats: a line per processor (5.2)
 * @dir: where
 */
void uvm_thrashing_debugfs(struct dentry *dir)
{
	debugfs_create_file("thrashing_stats", 0400, dir, NULL, &uvm_thrashing_stats_fops);
}
