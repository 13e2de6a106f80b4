// SPDX-License-Identifier: GPL-2.0
/*
 * Page tables under a block: plans of the pure state unit carried out by
 * pushes on the GPU.
 */
#include "gpu/channel.h"
#include "gpu/gpu.h"
#include "gpu/hal.h"
#include "gpu/push.h"
#include "gpu/tracker.h"
#include "mmu/page_tree.h"
#include "mmu/pte_batch.h"
#include "mmu/tlb_batch.h"
#include "base/trace.h"
#include "block/va_block.h"
#include "space/va_space_types.h"

/**
 * struct uvm_pte_edit - one change of a block's mappings on one GPU
 * @block: the block
 * @gvs: the GPU's side of the VA space
 * @plan: what to write
 * @push: open push
 * @ptes: open batch of entries
 * @tlb: ranges to invalidate
 */
struct uvm_pte_edit {
	struct uvm_va_block *block;
	struct uvm_gpu_va_space *gvs;
	struct uvm_pte_plan plan;
	struct uvm_push push;
	struct uvm_pte_batch ptes;
	struct uvm_tlb_batch tlb;
};

static struct uvm_region uvm_pte_unit_region(unsigned int unit)
{
	return uvm_region_make(unit * UVM_PAGES_PER_BIG, (unit + 1) * UVM_PAGES_PER_BIG);
}

/* 64K units wholly inside the block: only they can have a big PTE. */
static struct uvm_region uvm_pte_big_units(const struct uvm_va_block *block)
{
	unsigned int first = DIV_ROUND_UP(block->region.first, UVM_PAGES_PER_BIG);
	unsigned int outer = block->region.outer / UVM_PAGES_PER_BIG;

	return uvm_region_make(first, max(first, outer));
}

/*
 * Is the memory of a chunk that large?  System memory is contiguous always, for
 * its DMA addresses are.
 */
static bool uvm_pte_in_chunk(struct uvm_va_block *block, struct uvm_gpu *gpu, unsigned int page,
			     enum uvm_chunk_size size)
{
	unsigned int id = uvm_block_state_closest(&block->state, gpu->id, page);
	struct uvm_chunk *chunk;

	if (!uvm_id_is_gpu(id))
		return id == UVM_ID_CPU;
	chunk = block->gpu[uvm_id_gpu_index(id)]->chunks[page];
	return chunk && chunk->size >= size;
}

/*
 * What the memory of the block allows, where it is asked: in units that @pages change,
 * or that a 2 MB PTE leaves behind.  A page that munmap took is somebody else's.
 */
static struct uvm_pte_layout uvm_pte_layout(struct uvm_va_block *block, struct uvm_gpu *gpu,
					    const struct uvm_page_mask *pages)
{
	struct uvm_pte_layout layout = { .may_merge = true };
	struct uvm_region units = uvm_pte_big_units(block);
	u32 most = READ_ONCE(block->va_space->params.pte_max_bytes);
	bool all = block->gpu[gpu->index]->state.pte_2m;
	unsigned int u;

	for (u = units.first; most >= UVM_BIG_PAGE && u < units.outer; u++) {
		if (!all && !uvm_page_mask_unit(pages, u))
			continue;
		if (uvm_pte_in_chunk(block, gpu, u * UVM_PAGES_PER_BIG, UVM_CHUNK_64K))
			layout.contiguous |= BIT(u);
	}
	layout.contiguous_2m = most == UVM_BLOCK_SIZE &&
			       uvm_page_mask_weight(&block->valid) == UVM_PAGES_PER_BLOCK &&
			       uvm_pte_in_chunk(block, gpu, 0, UVM_CHUNK_2M);
	return layout;
}

/* ---- tables ---------------------------------------------------------- */

static int uvm_pte_need_2m(struct uvm_pte_edit *edit)
{
	struct uvm_va_block_gpu *bg = edit->block->gpu[edit->gvs->gpu->index];

	if (bg->range_2m.table)
		return 0;
	return uvm_page_tree_get_ptes(&edit->gvs->page_tree, UVM_PAGE_SIZE_2M, edit->block->start,
				      UVM_BLOCK_SIZE, &bg->range_2m);
}

static int uvm_pte_need_small(struct uvm_pte_edit *edit)
{
	struct uvm_va_block *block = edit->block;
	struct uvm_va_block_gpu *bg = block->gpu[edit->gvs->gpu->index];

	if (bg->small_range.table)
		return 0;
	return uvm_page_tree_get_ptes(&edit->gvs->page_tree, UVM_PAGE_SIZE_4K,
				      uvm_va_block_address(block, block->region.first),
				      uvm_region_bytes(block->region), &bg->small_range);
}

/* A new big table says "unmapped: stop here" wherever no 4K PTE is in use. */
static int uvm_pte_need_big(struct uvm_pte_edit *edit)
{
	struct uvm_va_block *block = edit->block;
	struct uvm_va_block_gpu *bg = block->gpu[edit->gvs->gpu->index];
	struct uvm_region units = uvm_pte_big_units(block);
	unsigned int u;
	int ret;

	if (bg->big_range.table || uvm_region_empty(units))
		return 0;
	ret = uvm_page_tree_get_ptes(&edit->gvs->page_tree, UVM_PAGE_SIZE_64K,
				     block->start + (u64)units.first * UVM_BIG_PAGE,
				     (u64)uvm_region_num_pages(units) * UVM_BIG_PAGE,
				     &bg->big_range);
	if (ret)
		return ret;
	bg->big_stop = 0;
	for (u = units.first; u < units.outer; u++)
		if (!uvm_page_mask_unit(&bg->state.pte[UVM_PTE_READ], u))
			bg->big_stop |= BIT(u);
	bg->big_stop &= uvm_block_own_units(&block->valid);
	return 0;
}

static struct uvm_gpu_address uvm_pte_big_address(struct uvm_pte_edit *edit, unsigned int unit)
{
	struct uvm_va_block_gpu *bg = edit->block->gpu[edit->gvs->gpu->index];

	return uvm_page_table_range_entry_address(&edit->gvs->page_tree, &bg->big_range,
						  unit - uvm_pte_big_units(edit->block).first);
}

static struct uvm_gpu_address uvm_pte_small_address(struct uvm_pte_edit *edit, unsigned int page)
{
	struct uvm_va_block_gpu *bg = edit->block->gpu[edit->gvs->gpu->index];

	return uvm_page_table_range_entry_address(&edit->gvs->page_tree, &bg->small_range,
						  page - edit->block->region.first);
}

/* ---- entries --------------------------------------------------------- */

/* What the PTE of a page, or of those from it on, is to be. */
static u64 uvm_pte_value(struct uvm_pte_edit *edit, unsigned int page, u64 page_size)
{
	struct uvm_va_block *block = edit->block;
	struct uvm_gpu *gpu = edit->gvs->gpu;
	enum uvm_prot prot = uvm_pte_plan_prot(&block->state, gpu->id, &edit->plan, page);
	unsigned int id;

	if (prot == UVM_PROT_NONE)
		return uvm_pte_invalid();
	id = uvm_block_state_closest(&block->state, gpu->id, page);
	if (uvm_id_is_cpu(id))
		uvm_va_block_dma_map(block, gpu, uvm_region_make(page, page +
								 (page_size >> PAGE_SHIFT)));
	return uvm_pte_make(uvm_va_block_page_address(block, id, gpu, page), prot, page_size);
}

static void uvm_pte_write_big(struct uvm_pte_edit *edit, unsigned int unit, u64 pte)
{
	uvm_pte_batch_write_pte(&edit->ptes, uvm_pte_big_address(edit, unit), pte);
}

static void uvm_pte_clear_small(struct uvm_pte_edit *edit, struct uvm_region region)
{
	uvm_pte_batch_clear_ptes(&edit->ptes, uvm_pte_small_address(edit, region.first),
				 uvm_pte_invalid(), uvm_region_num_pages(region));
}

static void uvm_pte_invalidate(struct uvm_pte_edit *edit, struct uvm_region region,
			       u64 page_sizes, enum uvm_membar membar)
{
	uvm_tlb_batch_invalidate(&edit->tlb, uvm_va_block_address(edit->block, region.first),
				 uvm_region_bytes(region), page_sizes, membar);
}

/* Write out what has been collected, in this order: entries, membar, TLBs. */
static void uvm_pte_flush(struct uvm_pte_edit *edit, enum uvm_membar membar)
{
	uvm_pte_batch_end(&edit->ptes, UVM_MEMBAR_NONE);
	uvm_tlb_batch_end(&edit->tlb, &edit->push, membar);
}

static void uvm_pte_start(struct uvm_pte_edit *edit)
{
	uvm_pte_batch_begin(&edit->push, &edit->ptes);
	uvm_tlb_batch_begin(&edit->gvs->page_tree, &edit->tlb);
}

/*
 * Never from a valid big PTE to valid 4K PTEs, or back, in one step: the TLBs
 * could hold both (nvidia-uvm 3.6).
 */
static void uvm_pte_break_before_make(struct uvm_pte_edit *edit)
{
	struct uvm_pte_plan *plan = &edit->plan;
	unsigned int u;

	if (!(plan->big_split | plan->big_merge))
		return;
	uvm_pte_start(edit);
	for (u = 0; u < UVM_BIG_PER_BLOCK; u++) {
		if (plan->big_split & BIT(u))
			uvm_pte_write_big(edit, u, uvm_pte_invalid());
		if (plan->big_merge & BIT(u))
			uvm_pte_clear_small(edit, uvm_pte_unit_region(u));
		if ((plan->big_split | plan->big_merge) & BIT(u))
			uvm_pte_invalidate(edit, uvm_pte_unit_region(u),
					   UVM_PAGE_SIZE_4K | UVM_PAGE_SIZE_64K, UVM_MEMBAR_SYS);
	}
	uvm_pte_flush(edit, UVM_MEMBAR_SYS);
}

/* Return: units where a 4K PTE becomes valid. */
static u32 uvm_pte_write_small_ptes(struct uvm_pte_edit *edit)
{
	unsigned int page;
	u32 units = 0;
	u64 pte;

	for_each_page_in_mask(page, &edit->plan.write_4k, edit->block->region) {
		pte = uvm_pte_value(edit, page, UVM_PAGE_SIZE_4K);
		if (pte != uvm_pte_invalid())
			units |= BIT(page / UVM_PAGES_PER_BIG);
		uvm_pte_batch_write_pte(&edit->ptes, uvm_pte_small_address(edit, page), pte);
	}
	return units;
}

/* Where 4K PTEs are valid, of units @small, the big PTE must let walks through. */
static void uvm_pte_write_big_ptes(struct uvm_pte_edit *edit, u32 small)
{
	struct uvm_va_block *block = edit->block;
	struct uvm_va_block_gpu *bg = block->gpu[edit->gvs->gpu->index];
	struct uvm_pte_plan *plan = &edit->plan;
	u32 through = bg->big_stop & small;
	u32 own = uvm_block_own_units(&block->valid);
	unsigned int u, first;

	/* after a 2 MB PTE there may be none, and nothing to clear */
	if (!bg->big_range.table)
		return;
	for (u = 0; u < UVM_BIG_PER_BLOCK; u++) {
		first = u * UVM_PAGES_PER_BIG;
		if (plan->big_write & BIT(u)) {
			uvm_pte_write_big(edit, u, uvm_pte_value(edit, first, UVM_PAGE_SIZE_64K));
			bg->big_stop &= ~BIT(u);
		} else if (plan->big_clear & own & BIT(u)) {
			uvm_pte_write_big(edit, u, uvm_pte_big_unmapped());
			bg->big_stop |= BIT(u);
		} else if ((plan->big_clear | through) & BIT(u)) {
			uvm_pte_write_big(edit, u, uvm_pte_invalid());
			bg->big_stop &= ~BIT(u);
		}
	}
}

/* A fresh big table: everything that is not in use yet says "stop". */
static void uvm_pte_init_big(struct uvm_pte_edit *edit)
{
	struct uvm_va_block_gpu *bg = edit->block->gpu[edit->gvs->gpu->index];
	unsigned int u;

	uvm_pte_start(edit);
	for (u = 0; u < UVM_BIG_PER_BLOCK; u++)
		if (bg->big_stop & BIT(u))
			uvm_pte_write_big(edit, u, uvm_pte_big_unmapped());
	uvm_pte_flush(edit, UVM_MEMBAR_NONE);
}

/* Change what is below PDE0, or below a 2 MB PTE that is to be split. */
static void uvm_pte_write_lower(struct uvm_pte_edit *edit, enum uvm_membar membar)
{
	struct uvm_region sub;

	uvm_pte_break_before_make(edit);
	uvm_pte_start(edit);
	uvm_pte_write_big_ptes(edit, uvm_pte_write_small_ptes(edit));
	if (!edit->plan.split_2m)
		for_each_subregion(sub, &edit->plan.mask, edit->block->region)
			uvm_pte_invalidate(edit, sub, UVM_PAGE_SIZE_4K | UVM_PAGE_SIZE_64K,
					   membar);
	uvm_pte_flush(edit, membar);
}

/*
 * Empty tables that are not linked: nobody needs to be told, and what is written
 * next is waited for.  Who merges owns all units.
 */
static void uvm_pte_empty_lower(struct uvm_pte_edit *edit)
{
	struct uvm_va_block_gpu *bg = edit->block->gpu[edit->gvs->gpu->index];
	unsigned long units = edit->plan.big_clear;
	struct uvm_region sub;
	unsigned int u, end;

	uvm_pte_start(edit);
	for_each_set_bitrange(u, end, &units, UVM_BIG_PER_BLOCK)
		uvm_pte_batch_clear_ptes(&edit->ptes, uvm_pte_big_address(edit, u),
					 uvm_pte_big_unmapped(), end - u);
	bg->big_stop |= units;
	for_each_subregion(sub, &edit->plan.clear_4k, edit->block->region)
		uvm_pte_clear_small(edit, sub);
}

/*
 * Between 2 MB PTEs and smaller ones (nvidia-uvm 3.6): what is to be used next
 * is complete before the entry is made empty and the TLBs are told, and is
 * linked only then.
 */
static void uvm_pte_change_2m(struct uvm_pte_edit *edit, enum uvm_membar membar)
{
	struct uvm_va_block_gpu *bg = edit->block->gpu[edit->gvs->gpu->index];
	struct uvm_page_tree *tree = &edit->gvs->page_tree;
	struct uvm_page_table_range *entry = &bg->range_2m;
	struct uvm_pte_plan *plan = &edit->plan;
	u64 va = edit->block->start;

	if (plan->split_2m)
		uvm_pte_write_lower(edit, membar);
	if (plan->split_2m || plan->clear_2m || plan->merge_2m)
		uvm_page_tree_break_entry(tree, entry, &edit->push, va);
	if (plan->merge_2m)
		uvm_pte_empty_lower(edit);
	if (plan->write_2m)
		uvm_page_tree_write_2m(tree, entry, &edit->push, va,
				       uvm_pte_value(edit, 0, UVM_PAGE_SIZE_2M), membar);
	else
		uvm_page_tree_link_tables(tree, entry, &edit->push, va);
}

/* The block waits for a change of its page tables, and so do evictions from it. */
static int uvm_pte_remember(struct uvm_pte_edit *edit)
{
	struct uvm_va_block_gpu *bg = edit->block->gpu[edit->gvs->gpu->index];

	if (uvm_tracker_add_push(&bg->ptes, &edit->push))
		bg->narrow = false;
	return uvm_tracker_add_push_safe(&edit->block->tracker, &edit->push);
}

/*
 * Begin a push behind the block's work.  Who unmaps pages (@away) waits for nothing that a GPU
 * owes whose channels are dead: it never comes, and what is unmapped now may be somebody else's
 * next.  Pages that can still be read afterwards stay: there the error is the caller's.
 */
static int uvm_pte_begin(struct uvm_va_block *block, struct uvm_gpu *gpu, bool away,
			 struct uvm_push *push)
{
	struct uvm_tracker living = UVM_TRACKER_INIT();
	int ret;

	ret = uvm_push_begin_acquire(gpu, UVM_CHANNEL_MEMOPS, &block->tracker, push);
	if (ret != -EIO || !away || uvm_gpu_channel_error(gpu))
		return ret;
	ret = uvm_tracker_add_tracker(&living, &block->tracker);
	uvm_tracker_remove_dead(&living);
	ret = ret ?: uvm_push_begin_acquire(gpu, UVM_CHANNEL_MEMOPS, &living, push);
	uvm_tracker_deinit(&living);
	return ret;
}

/* Carry the plan out; access is only added (@membar none) or taken away. */
static int uvm_pte_execute(struct uvm_pte_edit *edit, bool new_big, enum uvm_membar membar)
{
	struct uvm_va_block *block = edit->block;
	struct uvm_gpu *gpu = edit->gvs->gpu;
	int ret;

	ret = uvm_page_tree_add_tracker(&edit->gvs->page_tree, &block->tracker);
	if (ret)
		return ret;
	ret = uvm_pte_begin(block, gpu, edit->plan.prot == UVM_PROT_NONE, &edit->push);
	if (ret)
		return ret;
	if (new_big)
		uvm_pte_init_big(edit);
	if (edit->plan.write_2m || edit->plan.clear_2m || edit->plan.split_2m)
		uvm_pte_change_2m(edit, membar);
	else
		uvm_pte_write_lower(edit, membar);
	uvm_push_end(&edit->push);
	uvm_block_state_apply(&block->state, gpu->id, &edit->plan);
	return uvm_pte_remember(edit);
}

/* ---- GPU ------------------------------------------------------------- */

/* Tables that the plan needs and the block has not got. */
static int uvm_pte_need_tables(struct uvm_pte_edit *edit, bool *new_big)
{
	struct uvm_va_block_gpu *bg = edit->block->gpu[edit->gvs->gpu->index];
	struct uvm_pte_plan *plan = &edit->plan;
	int ret = 0;

	if (plan->write_2m)
		return uvm_pte_need_2m(edit);
	if (plan->big_write && !bg->big_range.table) {
		ret = uvm_pte_need_big(edit);
		*new_big = true;
	}
	if (!ret && !uvm_page_mask_empty(&plan->write_4k))
		ret = uvm_pte_need_small(edit);
	return ret;
}

static int uvm_pte_change(struct uvm_va_block *block, struct uvm_gpu_va_space *gvs,
			  const struct uvm_page_mask *pages, enum uvm_prot prot,
			  enum uvm_membar membar)
{
	struct uvm_pte_edit edit = { .block = block, .gvs = gvs };
	struct uvm_pte_layout layout = uvm_pte_layout(block, gvs->gpu, pages);
	bool new_big = false;
	int ret;

	uvm_block_state_plan(&block->state, gvs->gpu->id, pages, prot, &layout, &edit.plan);
	ret = uvm_pte_need_tables(&edit, &new_big);
	if (ret)
		return ret;
	return uvm_pte_execute(&edit, new_big, membar);
}

/**
 * uvm_va_block_map_gpu - map pages where they are resident
 * @block: the block; lock held
 * @gvs: the GPU
 * @pages: resident pages
 * @prot: what to allow, the same for all
 *
 * Pages mapped so already are left alone.  The work goes to the block's
 * tracker.
 *
 * Return: 0, -ENOMEM or -EIO.
 */
int uvm_va_block_map_gpu(struct uvm_va_block *block, struct uvm_gpu_va_space *gvs,
			 const struct uvm_page_mask *pages, enum uvm_prot prot)
{
	struct uvm_page_mask mask;
	int ret;

	sim_mutex_assert_held(&block->lock);
	if (!uvm_va_block_gpu_get(block, gvs->gpu))
		return -ENOMEM;
	uvm_block_state_mapped(&block->state, gvs->gpu->id, prot, &mask);
	if (!uvm_page_mask_andnot(&mask, pages, &mask))
		return 0;
	ret = uvm_pte_change(block, gvs, &mask, prot, UVM_MEMBAR_NONE);
	if (!ret)
		trace_uvm_map(sim_now(), gvs->gpu->index, gvs->va_space->id, block->start,
			      uvm_page_mask_weight(&mask),
			      hweight32(block->gpu[gvs->gpu->index]->state.big_ptes), prot);
	return ret;
}

/* To all that large PTEs map of it. */
static void uvm_pte_extend(struct uvm_page_mask *mask, const struct uvm_block_gpu_state *state)
{
	unsigned int u;

	if (state->pte_2m)
		uvm_page_mask_fill(mask);
	for (u = 0; u < UVM_BIG_PER_BLOCK; u++)
		if ((state->big_ptes & BIT(u)) && uvm_page_mask_unit(mask, u))
			uvm_page_mask_or_region(mask, uvm_pte_unit_region(u));
}

/**
 * uvm_va_block_unmap_gpu - take mappings away
 * @block: the block; lock held
 * @gvs: the GPU
 * @pages: pages, mapped or not
 *
 * The work goes to the block's tracker.  Taking part of a large PTE away needs
 * tables of smaller ones; if there is no memory for them the whole PTE goes, and
 * the rest is faulted in again.
 *
 * Return: 0 or -EIO.
 */
int uvm_va_block_unmap_gpu(struct uvm_va_block *block, struct uvm_gpu_va_space *gvs,
			   const struct uvm_page_mask *pages)
{
	struct uvm_va_block_gpu *bg = block->gpu[gvs->gpu->index];
	struct uvm_page_mask mask;
	int ret;

	sim_mutex_assert_held(&block->lock);
	if (!bg || !uvm_page_mask_and(&mask, pages, &bg->state.pte[UVM_PTE_READ]))
		return 0;
	ret = uvm_pte_change(block, gvs, &mask, UVM_PROT_NONE, UVM_MEMBAR_SYS);
	if (ret == -ENOMEM) {
		uvm_pte_extend(&mask, &bg->state);
		ret = uvm_pte_change(block, gvs, &mask, UVM_PROT_NONE, UVM_MEMBAR_SYS);
	}
	if (!ret)
		trace_uvm_unmap(sim_now(), gvs->gpu->index, gvs->va_space->id, block->start,
				uvm_page_mask_weight(&mask), hweight32(bg->state.big_ptes),
				UVM_PROT_NONE);
	return ret;
}

/**
 * uvm_va_block_revoke_gpu - take permissions away
 * @block: the block; lock held
 * @gvs: the GPU
 * @pages: pages, mapped or not
 * @prot: what they allow at most from now on
 *
 * The work goes to the block's tracker.  Without memory for a table of 4K PTEs
 * the pages are unmapped.
 *
 * Return: 0 or -EIO.
 */
int uvm_va_block_revoke_gpu(struct uvm_va_block *block, struct uvm_gpu_va_space *gvs,
			    const struct uvm_page_mask *pages, enum uvm_prot prot)
{
	struct uvm_va_block_gpu *bg = block->gpu[gvs->gpu->index];
	struct uvm_page_mask mask;
	int ret;

	sim_mutex_assert_held(&block->lock);
	if (prot == UVM_PROT_NONE)
		return uvm_va_block_unmap_gpu(block, gvs, pages);
	if (!bg || prot == UVM_PROT_READ_WRITE_ATOMIC ||
	    !uvm_page_mask_and(&mask, pages, &bg->state.pte[prot]))
		return 0;
	ret = uvm_pte_change(block, gvs, &mask, prot, UVM_MEMBAR_SYS);
	return ret == -ENOMEM ? uvm_va_block_unmap_gpu(block, gvs, &mask) : ret;
}

/**
 * uvm_va_block_release_units - let walks through where pages were lost
 * @block: the block; lock held, the pages are unmapped and no more valid
 * @gvs: the GPU
 *
 * The work goes to the block's tracker.
 *
 * Return: 0 or -EIO.
 */
int uvm_va_block_release_units(struct uvm_va_block *block, struct uvm_gpu_va_space *gvs)
{
	struct uvm_pte_edit edit = { .block = block, .gvs = gvs };
	struct uvm_va_block_gpu *bg = block->gpu[gvs->gpu->index];
	u32 lost = bg->big_stop & ~uvm_block_own_units(&block->valid);
	unsigned int u;
	int ret;

	sim_mutex_assert_held(&block->lock);
	if (!lost)
		return 0;
	ret = uvm_pte_begin(block, gvs->gpu, true, &edit.push);
	if (ret)
		return ret;
	uvm_pte_start(&edit);
	for (u = 0; u < UVM_BIG_PER_BLOCK; u++)
		if (lost & BIT(u))
			uvm_pte_write_big(&edit, u, uvm_pte_invalid());
	uvm_pte_flush(&edit, UVM_MEMBAR_NONE);
	uvm_push_end(&edit.push);
	bg->big_stop &= ~lost;
	return uvm_pte_remember(&edit);
}
