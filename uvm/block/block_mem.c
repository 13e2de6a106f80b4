// SPDX-License-Identifier: GPL-2.0
/*
 * Memory under a block: chunks of GPU memory and system pages.
 */
#include <linux/highmem.h>
#include <linux/log2.h>
#include <linux/memcontrol.h>
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include "base/debugfs.h"
#include "block/service_priv.h"
#include "gpu/gpu.h"
#include "gpu/hal.h"
#include "gpu/tracker.h"
#include "memory/pmm.h"
#include "gpu/push.h"
#include "block/va_block.h"
#include "space/va_space_types.h"
#include "base/work.h"

struct uvm_region uvm_va_block_chunk_region(struct uvm_va_block *block, struct uvm_gpu *gpu,
					    unsigned int page)
{
	unsigned int unit = round_down(page, UVM_PAGES_PER_BIG);
	enum uvm_chunk_size most = block->gpu[gpu->index]->granularity;

	if (most == UVM_CHUNK_2M && uvm_region_num_pages(block->region) == UVM_PAGES_PER_BLOCK)
		return block->region;
	if (most >= UVM_CHUNK_64K && unit >= block->region.first &&
	    unit + UVM_PAGES_PER_BIG <= block->region.outer)
		return uvm_region_make(unit, unit + UVM_PAGES_PER_BIG);
	return uvm_region_make(page, page + 1);
}

struct uvm_gpu_address uvm_va_block_page_address(struct uvm_va_block *block, unsigned int id,
						 struct uvm_gpu *gpu, unsigned int page)
{
	struct uvm_gpu *owner;
	struct uvm_chunk *chunk;
	u64 pa;

	if (id == UVM_ID_CPU)
		return uvm_gpu_address_sys(block->gpu[gpu->index]->iova +
					   ((u64)page << PAGE_SHIFT));
	owner = uvm_gpu(uvm_id_gpu_index(id));
	chunk = block->gpu[owner->index]->chunks[page];
	pa = chunk->pa + ((u64)(page - chunk->page_index) << PAGE_SHIFT);
	if (owner != gpu)
		return uvm_gpu_address_peer(rm_peer_id(gpu->rm, owner->rm), pa);
	return uvm_gpu_address_vid(pa);
}

/* Pages with bytes to be copied: new memory of others is to be zeroed. */
static void uvm_block_mem_resident_anywhere(struct uvm_va_block *block, struct uvm_page_mask *mask)
{
	uvm_block_state_resident_any(&block->state, mask);
	uvm_page_mask_andnot(mask, mask, &block->state.discarded);
}

/* ---- GPU memory ------------------------------------------------------ */

static u32 uvm_block_mem_region_size(struct uvm_region region)
{
	return uvm_region_num_pages(region) << PAGE_SHIFT;
}

static struct uvm_chunk *uvm_block_mem_take_parked(struct uvm_service *service,
						   struct uvm_gpu *gpu, u32 size)
{
	struct uvm_chunk *chunk;

	list_for_each_entry(chunk, &service->scratch->parked[gpu->index], list) {
		if (uvm_chunk_bytes(chunk->size) == size) {
			list_del_init(&chunk->list);
			return chunk;
		}
	}
	return NULL;
}

/* Chunks of one size that an operation has yet to find. */
static unsigned int uvm_block_mem_missing(struct uvm_va_block *block, struct uvm_gpu *gpu,
					  const struct uvm_page_mask *pages, u32 size)
{
	struct uvm_va_block_gpu *bg = block->gpu[gpu->index];
	struct uvm_region region, rest = block->region;
	unsigned int page, n = 0;

	for (page = uvm_page_mask_first(pages, rest); page < rest.outer;
	     page = uvm_page_mask_first(pages, uvm_region_make(region.outer, rest.outer))) {
		region = uvm_va_block_chunk_region(block, gpu, page);
		n += !bg->chunks[page] && uvm_block_mem_region_size(region) == size;
	}
	return n;
}

/*
 * Who waits must hold nothing that others, or itself, wait for: a small chunk that
 * is parked pins its frame, which may be the only one.
 */
static int uvm_block_mem_evict(struct uvm_service *service, struct uvm_gpu *gpu, u32 size,
			       struct uvm_chunk **chunk)
{
	struct uvm_work *work = service->request.work;
	int ret;

	if (uvm_service_has_parked(service)) {
		ret = uvm_pmm_alloc(gpu, size, UVM_PMM_EVICT | UVM_PMM_NOWAIT, work, chunk);
		if (ret != -ENOSPC)
			return ret;
		uvm_service_free_parked(service);
	}
	return uvm_pmm_alloc(gpu, size, UVM_PMM_EVICT, work, chunk);
}

/*
 * No memory without evicting: drop the block lock, evict, keep the chunk for
 * the next attempt (nvidia-uvm 3.7).  Chunks of this attempt become evictable
 * first: they may be all the memory there is.
 *
 * A granularity below 2 MB wants many: as many as there are to be had without
 * waiting.
 */
static int uvm_block_mem_park(struct uvm_service *service, struct uvm_gpu *gpu, u32 size,
			      const struct uvm_page_mask *pages)
{
	struct uvm_va_block *block = service->request.block;
	struct uvm_chunk *chunk;
	unsigned int n = 1;
	int ret, err;

	service->scratch->lacks |= BIT(gpu->index);
	if (block->gpu[gpu->index]->granularity != UVM_CHUNK_2M)
		n = uvm_block_mem_missing(block, gpu, pages, size);
	uvm_service_unpin(service);
	sim_mutex_unlock(&block->lock);
	ret = uvm_block_mem_evict(service, gpu, size, &chunk);
	for (err = ret; !err;) {
		list_add_tail(&chunk->list, &service->scratch->parked[gpu->index]);
		err = --n ? uvm_pmm_alloc(gpu, size, UVM_PMM_EVICT | UVM_PMM_NOWAIT,
					  service->request.work, &chunk) : -EAGAIN;
	}
	sim_mutex_lock(&block->lock);
	return ret ?: -EAGAIN;
}

void uvm_va_block_note_use(struct uvm_va_block *block, struct uvm_gpu *gpu,
			   const struct uvm_page_mask *pages, const struct uvm_push *push)
{
	struct uvm_va_block_gpu *bg = block->gpu[gpu->index];
	struct uvm_tracker tracker = UVM_TRACKER_INIT();
	struct uvm_region region, rest = block->region;
	unsigned int page;

	sim_mutex_assert_held(&block->lock);
	/* only evictions beside copies are worth the trouble */
	if (!READ_ONCE(gpu->pmm.timing)->pipelined)
		bg->narrow = false;
	else if (!bg->narrow)
		/* what has not been noted is waited for like page tables */
		bg->narrow = !uvm_tracker_add_tracker_safe(&bg->ptes, &block->tracker);
	if (!bg->narrow)
		return;
	uvm_tracker_add_push_safe(&tracker, push);
	for (page = uvm_page_mask_first(pages, rest); page < rest.outer;
	     page = uvm_page_mask_first(pages, uvm_region_make(region.outer, rest.outer))) {
		region = uvm_va_block_chunk_region(block, gpu, page);
		uvm_pmm_leave_tracker(gpu, bg->chunks[page], &tracker);
	}
	uvm_tracker_deinit(&tracker);
}

/* Zero those of @pages that hold somebody else's bytes and will not be copied over. */
static int uvm_block_mem_zero_gpu(struct uvm_va_block *block, struct uvm_gpu *gpu,
				  const struct uvm_page_mask *pages)
{
	struct uvm_va_block_gpu *bg = block->gpu[gpu->index];
	struct uvm_region sub, chunk;
	struct uvm_page_mask resident;
	struct uvm_page_mask zero;
	struct uvm_push push;
	int ret;

	if (!uvm_page_mask_andnot(&zero, pages, &bg->own))
		return 0;
	uvm_block_mem_resident_anywhere(block, &resident);
	if (!uvm_page_mask_andnot(&zero, &zero, &resident))
		return 0;
	ret = uvm_push_begin_acquire(gpu, UVM_CHANNEL_GPU_INTERNAL, &block->tracker, &push);
	if (ret)
		return ret;
	for_each_subregion(sub, &zero, block->region) {
		for (; sub.first < sub.outer; sub.first = chunk.outer) {
			chunk = uvm_region_and(uvm_va_block_chunk_region(block, gpu, sub.first),
					       sub);
			uvm_push_set_flag(&push, UVM_PUSH_CE_NEXT_PIPELINED |
						 UVM_PUSH_NEXT_MEMBAR_NONE);
			uvm_ce_memset_8(&push, uvm_va_block_page_address(block, gpu->id, gpu,
									 sub.first),
					0, uvm_region_bytes(chunk));
		}
	}
	uvm_push_end(&push);
	uvm_va_block_note_use(block, gpu, &zero, &push);
	uvm_page_mask_or(&bg->own, &bg->own, &zero);
	return uvm_tracker_add_push_safe(&block->tracker, &push);
}

static int uvm_block_mem_populate_chunk(struct uvm_service *service, struct uvm_gpu *gpu,
					struct uvm_region region,
					const struct uvm_page_mask *pages)
{
	struct uvm_va_block *block = service->request.block;
	struct uvm_va_block_gpu *bg = block->gpu[gpu->index];
	u32 size = uvm_block_mem_region_size(region);
	struct uvm_page_mask whole;
	struct uvm_chunk *chunk;
	int ret;

	chunk = uvm_block_mem_take_parked(service, gpu, size);
	if (!chunk) {
		ret = uvm_pmm_alloc(gpu, size, 0, service->request.work, &chunk);
		if (ret == -ENOSPC)
			return uvm_block_mem_park(service, gpu, size, pages);
		if (ret)
			return ret;
	}
	list_add_tail(&chunk->list, &service->scratch->used[gpu->index]);
	chunk->page_index = region.first;
	memset_p((void **)&bg->chunks[region.first], chunk, uvm_region_num_pages(region));
	uvm_page_mask_fill_region(&whole, region);
	if (chunk->zeroed)
		uvm_page_mask_or(&bg->own, &bg->own, &whole);
	else
		uvm_page_mask_andnot(&bg->own, &bg->own, &whole);
	ret = uvm_pmm_add_tracker(gpu, chunk, &block->tracker);
	/* all of it at once, not just what was asked for */
	return ret ?: uvm_block_mem_zero_gpu(block, gpu, &whole);
}

static int uvm_block_mem_populate_gpu(struct uvm_service *service, struct uvm_gpu *gpu,
				      const struct uvm_page_mask *pages)
{
	struct uvm_va_block *block = service->request.block;
	struct uvm_va_block_gpu *bg = uvm_va_block_gpu_get(block, gpu);
	unsigned int page;
	int ret;

	if (!bg)
		return -ENOMEM;
	for_each_page_in_mask(page, pages, block->region) {
		if (bg->chunks[page])
			continue;
		ret = uvm_block_mem_populate_chunk(service, gpu,
						   uvm_va_block_chunk_region(block, gpu, page),
						   pages);
		if (ret)
			return ret;
	}
	/* what was to be copied over when its chunk came, and was discarded since */
	return uvm_block_mem_zero_gpu(block, gpu, pages);
}

/* Are all of the resident pages of a chunk discarded? */
static bool uvm_block_mem_discarded(struct uvm_va_block *block,
				    const struct uvm_page_mask *resident, struct uvm_region region)
{
	struct uvm_page_mask wanted;

	uvm_page_mask_andnot(&wanted, resident, &block->state.discarded);
	return uvm_page_mask_region_empty(&wanted, region);
}

void uvm_va_block_mark_chunks(struct uvm_va_block *block, struct uvm_gpu *gpu,
			      const struct uvm_page_mask *pages, bool arrived)
{
	struct uvm_va_block_gpu *bg = block->gpu[gpu->index];
	const struct uvm_page_mask *resident = uvm_block_state_resident(&block->state, gpu->id);
	struct uvm_region region, rest = block->region;
	unsigned int page;

	for (page = uvm_page_mask_first(pages, rest); page < rest.outer;
	     page = uvm_page_mask_first(pages, uvm_region_make(region.outer, rest.outer))) {
		region = uvm_va_block_chunk_region(block, gpu, page);
		if (!bg->chunks[page])
			continue;
		if (uvm_page_mask_region_empty(resident, region))
			uvm_pmm_mark_unused(gpu, bg->chunks[page]);
		else if (uvm_block_mem_discarded(block, resident, region))
			uvm_pmm_mark_discarded(gpu, bg->chunks[page]);
		else
			uvm_pmm_mark_used(gpu, bg->chunks[page], arrived);
	}
}

void uvm_va_block_free_chunks(struct uvm_va_block *block, struct uvm_gpu *gpu,
			      const struct uvm_page_mask *pages)
{
	struct uvm_va_block_gpu *bg = block->gpu[gpu->index];
	struct uvm_page_mask stays;
	struct uvm_region region;
	unsigned int page, p;

	sim_mutex_assert_held(&block->lock);
	uvm_page_mask_andnot(&stays, &block->valid, pages);
	for (page = block->region.first; page < block->region.outer; page = region.outer) {
		struct uvm_chunk *chunk = bg->chunks[page];

		region = uvm_va_block_chunk_region(block, gpu, page);
		if (!chunk || uvm_page_mask_region_empty(pages, region) ||
		    !uvm_page_mask_region_empty(&stays, region))
			continue;
		for (p = region.first; p < region.outer; p++)
			bg->chunks[p] = NULL;
		uvm_pmm_free(gpu, chunk, &block->tracker);
	}
}

/* ---- system memory --------------------------------------------------- */

/* 64K units with a page of @region. */
static unsigned long uvm_block_mem_units(struct uvm_region region)
{
	return GENMASK((region.outer - 1) / UVM_PAGES_PER_BIG, region.first / UVM_PAGES_PER_BIG);
}

/* Of pages @within, those in certain units. */
static void uvm_block_mem_dma_map_units(struct uvm_va_block *block, struct uvm_gpu *gpu,
					unsigned long units, struct uvm_region within)
{
	struct uvm_region region;
	unsigned int u, end;

	for_each_set_bitrange(u, end, &units, UVM_BIG_PER_BLOCK) {
		region = uvm_region_make(u * UVM_PAGES_PER_BIG, end * UVM_PAGES_PER_BIG);
		region = uvm_region_and(region, within);
		rm_dma_map_pages(gpu->rm, block->gpu[gpu->index]->iova +
				 ((u64)region.first << PAGE_SHIFT),
				 &block->pages[region.first], uvm_region_num_pages(region));
	}
}

void uvm_va_block_dma_map(struct uvm_va_block *block, struct uvm_gpu *gpu,
			  struct uvm_region region)
{
	struct uvm_va_block_gpu *bg = block->gpu[gpu->index];
	unsigned long fresh = uvm_block_mem_units(region) & ~bg->dma_units;

	sim_mutex_assert_held(&block->lock);
	uvm_block_mem_dma_map_units(block, gpu, fresh, block->region);
	bg->dma_units |= fresh;
}

/* New memory where GPUs have mapped what was there before. */
static void uvm_block_mem_dma_renew(struct uvm_va_block *block, struct uvm_region region)
{
	unsigned long units = uvm_block_mem_units(region);
	unsigned int i;

	for (i = 0; i < UVM_MAX_GPUS; i++)
		if (block->gpu[i])
			uvm_block_mem_dma_map_units(block, uvm_gpu(i),
						    units & block->gpu[i]->dma_units, region);
}

/* May system memory of a size be allocated around a page?  All of it must be new. */
static bool uvm_block_mem_cpu_fits(const struct uvm_va_block *block, struct uvm_region region)
{
	unsigned int page;

	if (!uvm_page_mask_region_full(&block->valid, region))
		return false;
	for (page = region.first; page < region.outer; page++)
		if (block->pages[page])
			return false;
	return true;
}

/*
 * One piece of system memory, split into pages that can be freed one by one.
 * Zeroed unless all of it will be copied over (nvidia-uvm 3.4).  A larger one is
 * not worth much effort: there are smaller ones.
 */
static bool uvm_block_mem_alloc_cpu(struct uvm_va_block *block, struct uvm_region region,
				    const struct uvm_page_mask *resident)
{
	unsigned int page, order = ilog2(uvm_region_num_pages(region));
	gfp_t gfp = GFP_HIGHUSER | __GFP_ACCOUNT | __GFP_NOWARN;
	struct uvm_page_mask whole;
	struct page *first;

	gfp |= order ? __GFP_NORETRY : __GFP_RETRY_MAYFAIL;
	if (!uvm_page_mask_region_full(resident, region))
		gfp |= __GFP_ZERO;
	first = alloc_pages(gfp, order);
	if (!first)
		return false;
	if (order)
		split_page(first, order);
	uvm_object_add(UVM_OBJECT_CPU_PAGE, uvm_region_num_pages(region));
	uvm_page_mask_fill_region(&whole, region);
	if (gfp & __GFP_ZERO)
		uvm_page_mask_or(&block->own, &block->own, &whole);
	else
		uvm_page_mask_andnot(&block->own, &block->own, &whole);
	for (page = region.first; page < region.outer; page++) {
		block->pages[page] = first + (page - region.first);
		/* as a page of a file has them: shared futexes go by that */
		block->pages[page]->mapping = block->va_space->mapping;
		block->pages[page]->index = uvm_va_block_address(block, page) >> PAGE_SHIFT;
	}
	uvm_block_mem_dma_renew(block, region);
	return true;
}

/* The largest piece around a page that fits and can be had (nvidia-uvm 4.6). */
static int uvm_block_mem_populate_cpu_page(struct uvm_va_block *block, unsigned int page,
					   const struct uvm_page_mask *resident)
{
	static const u32 sizes[] = { UVM_BLOCK_SIZE, UVM_BIG_PAGE, UVM_PAGE_SIZE };
	u32 allowed = READ_ONCE(block->va_space->params.cpu_chunk_allocation_sizes);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		unsigned int first = round_down(page, sizes[i] >> PAGE_SHIFT);
		struct uvm_region region = uvm_region_make(first, first + (sizes[i] >> PAGE_SHIFT));

		if (!((allowed | UVM_PAGE_SIZE) & sizes[i]))
			continue;
		if (uvm_block_mem_cpu_fits(block, region) &&
		    uvm_block_mem_alloc_cpu(block, region, resident))
			return 0;
	}
	return -ENOMEM;
}

/*
 * The DMA addresses are the same whatever the pieces are, so that no result
 * depends on how fragmented the host's memory is.
 */
static int uvm_block_mem_populate_cpu(struct uvm_va_block *block,
				      const struct uvm_page_mask *pages)
{
	struct mem_cgroup *old = set_active_memcg(block->va_space->memcg);
	struct uvm_page_mask resident;
	unsigned int page;
	int ret = 0;

	uvm_block_mem_resident_anywhere(block, &resident);
	for_each_page_in_mask(page, pages, block->region) {
		if (!block->pages[page])
			ret = uvm_block_mem_populate_cpu_page(block, page, &resident);
		if (ret)
			break;
		/* it was to be copied over when its memory came, and was discarded since */
		if (!uvm_page_mask_test(&resident, page) &&
		    !uvm_page_mask_test(&block->own, page)) {
			clear_highpage(block->pages[page]);
			uvm_page_mask_set(&block->own, page);
		}
	}
	set_active_memcg(old);
	return ret;
}

void uvm_va_block_free_pages(struct uvm_va_block *block, const struct uvm_page_mask *pages)
{
	unsigned int page, i;

	sim_mutex_assert_held(&block->lock);
	for_each_page_in_mask(page, pages, block->region) {
		if (!block->pages[page])
			continue;
		for (i = 0; i < UVM_MAX_GPUS; i++)
			if (block->gpu[i])
				rm_dma_unmap(uvm_gpu(i)->rm,
					     uvm_va_block_page_address(block, UVM_ID_CPU,
								       uvm_gpu(i), page).address);
		block->pages[page]->mapping = NULL;
		put_page(block->pages[page]);
		uvm_object_dec(UVM_OBJECT_CPU_PAGE);
		block->pages[page] = NULL;
	}
}

int uvm_va_block_populate(struct uvm_service *service, unsigned int dst,
			  const struct uvm_page_mask *pages)
{
	struct uvm_va_block *block = service->request.block;

	sim_mutex_assert_held(&block->lock);
	if (dst == UVM_ID_CPU)
		return uvm_block_mem_populate_cpu(block, pages);
	return uvm_block_mem_populate_gpu(service, uvm_gpu(uvm_id_gpu_index(dst)), pages);
}
