// SPDX-License-Identifier: GPL-2.0
/* Software IOMMU, and memory as the device sees it; see iommu.h. */
#include <linux/bitmap.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include <kunit/visibility.h>
#include "base/gpu.h"
#include "memory/iommu.h"
#include "memory/peer.h"
#include "memory/vram.h"

#define SGPU_WINDOW_PAGES	512

static struct sgpu_iova_window *sgpu_iommu_window(struct sgpu_iommu *iommu, u64 iova)
{
	u64 index = (iova - SGPU_IOVA_BASE) >> SGPU_IOVA_WINDOW_SHIFT;

	/* An address below the base wraps and is out of range as well. */
	return index < SGPU_IOVA_WINDOWS ? &iommu->windows[index] : NULL;
}

static unsigned int sgpu_iommu_slot(u64 iova)
{
	return (iova >> PAGE_SHIFT) % SGPU_WINDOW_PAGES;
}

int sgpu_iommu_init(struct rm_gpu *gpu)
{
	struct sgpu_iommu *iommu = &gpu->iommu;

	memset(iommu, 0, sizeof(*iommu));
	rwlock_init(&iommu->lock);
	iommu->windows = vzalloc(array_size(SGPU_IOVA_WINDOWS, sizeof(*iommu->windows)));
	iommu->partial = bitmap_zalloc(SGPU_IOVA_WINDOWS, GFP_KERNEL);
	if (!iommu->windows || !iommu->partial) {
		sgpu_iommu_exit(gpu);
		return -ENOMEM;
	}
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_iommu_init);

static void sgpu_iommu_put_window(struct sgpu_iova_window *w)
{
	unsigned int i;

	for (i = 0; w->pages && i < SGPU_WINDOW_PAGES; i++)
		if (w->pages[i])
			put_page(w->pages[i]);
	kfree(w->pages);
	bitmap_free(w->used);
	memset(w, 0, sizeof(*w));
}

void sgpu_iommu_exit(struct rm_gpu *gpu)
{
	struct sgpu_iommu *iommu = &gpu->iommu;
	unsigned int i;

	for (i = 0; iommu->windows && i < iommu->end; i++)
		sgpu_iommu_put_window(&iommu->windows[i]);
	vfree(iommu->windows);
	bitmap_free(iommu->partial);
	iommu->windows = NULL;
	iommu->partial = NULL;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_iommu_exit);

/* First fit among the windows that are shared by small reservations. */
static int sgpu_iommu_take_part(struct sgpu_iommu *iommu, unsigned int pages, u64 *iova)
{
	unsigned long align = roundup_pow_of_two(pages) - 1, start;
	unsigned int i;

	lockdep_assert_held_write(&iommu->lock);
	for_each_set_bit(i, iommu->partial, iommu->end) {
		struct sgpu_iova_window *w = &iommu->windows[i];

		start = bitmap_find_next_zero_area(w->used, SGPU_WINDOW_PAGES, 0, pages, align);
		if (start >= SGPU_WINDOW_PAGES)
			continue;
		bitmap_set(w->used, start, pages);
		*iova = SGPU_IOVA_BASE + ((u64)i << SGPU_IOVA_WINDOW_SHIFT) + (start << PAGE_SHIFT);
		return 0;
	}
	return -ENOSPC;
}

/* First run of @count free windows. */
static int sgpu_iommu_find_windows(struct sgpu_iommu *iommu, unsigned int count)
{
	unsigned int i, run = 0;

	lockdep_assert_held_write(&iommu->lock);
	for (i = iommu->first_free; i < SGPU_IOVA_WINDOWS; i++) {
		run = iommu->windows[i].pages ? 0 : run + 1;
		if (run == count)
			return i + 1 - count;
	}
	return -ENOSPC;
}

/* Put @fresh tables into the first free windows; @used only with one window. */
static int sgpu_iommu_take_windows(struct sgpu_iommu *iommu, unsigned int count,
				   struct page ***fresh, unsigned long *used, u64 *iova)
{
	int first = sgpu_iommu_find_windows(iommu, count);
	unsigned int i;

	if (first < 0)
		return first;
	for (i = 0; i < count; i++)
		iommu->windows[first + i].pages = fresh[i];
	if (used) {
		iommu->windows[first].used = used;
		__set_bit(first, iommu->partial);
	}
	if (first == iommu->first_free)
		iommu->first_free = first + count;
	iommu->end = max(iommu->end, first + count);
	*iova = SGPU_IOVA_BASE + ((u64)first << SGPU_IOVA_WINDOW_SHIFT);
	return 0;
}

static void sgpu_iommu_free_tables(struct page ***fresh, unsigned int count)
{
	while (count--)
		kfree(fresh[count]);
	kvfree(fresh);
}

static struct page ***sgpu_iommu_alloc_tables(unsigned int count)
{
	struct page ***fresh = kvcalloc(count, sizeof(*fresh), GFP_KERNEL);
	unsigned int i;

	for (i = 0; fresh && i < count; i++) {
		fresh[i] = kcalloc(SGPU_WINDOW_PAGES, sizeof(**fresh), GFP_KERNEL);
		if (!fresh[i]) {
			sgpu_iommu_free_tables(fresh, i);
			return NULL;
		}
	}
	return fresh;
}

int rm_iova_alloc(struct rm_gpu *gpu, size_t bytes, u64 *iova)
{
	struct sgpu_iommu *iommu = &gpu->iommu;
	unsigned int pages = bytes >> PAGE_SHIFT;
	unsigned int count = DIV_ROUND_UP(pages, SGPU_WINDOW_PAGES);
	bool part = pages < SGPU_WINDOW_PAGES;
	unsigned long *used = NULL;
	struct page ***fresh;
	int ret = -ENOSPC;

	if (!bytes || !PAGE_ALIGNED(bytes) || bytes >> SGPU_IOVA_WINDOW_SHIFT > SGPU_IOVA_WINDOWS)
		return -ENOMEM;
	if (part) {
		write_lock(&iommu->lock);
		ret = sgpu_iommu_take_part(iommu, pages, iova);
		if (!ret)
			iommu->reserved += pages;
		write_unlock(&iommu->lock);
		if (!ret)
			return 0;
		used = bitmap_zalloc(SGPU_WINDOW_PAGES, GFP_KERNEL);
		if (!used)
			return -ENOMEM;
		bitmap_set(used, 0, pages);
	}
	fresh = sgpu_iommu_alloc_tables(count);
	if (fresh) {
		write_lock(&iommu->lock);
		ret = sgpu_iommu_take_windows(iommu, count, fresh, used, iova);
		if (!ret)
			iommu->reserved += pages;
		write_unlock(&iommu->lock);
		if (ret)
			sgpu_iommu_free_tables(fresh, count);
		else
			kvfree(fresh);
	}
	if (ret) {
		bitmap_free(used);
		return -ENOMEM;
	}
	return 0;
}
EXPORT_SYMBOL_NS_GPL(rm_iova_alloc, SOFTGPU);

/*
 * Pages that are mapped; a page that is replaced loses its reference, its user has
 * another.  A block's pages come 16 to 512 at a time, for which this loop is what counts.
 */
static void sgpu_iommu_fill(struct sgpu_iommu *iommu, struct page **slots,
			    struct page *const *pages, unsigned int count)
{
	struct page *page, *old;
	unsigned int i, fresh = 0;

	lockdep_assert_held_write(&iommu->lock);
	for (i = 0; i < count; i++) {
		page = pages[i];
		if (!page)
			continue;
		get_page(page);
		old = slots[i];
		slots[i] = page;
		if (likely(!old))
			fresh++;
		else
			put_page(old);
	}
	iommu->mapped += fresh;
}

static void sgpu_iommu_empty(struct sgpu_iommu *iommu, struct page **slots, unsigned int count)
{
	unsigned int i;

	lockdep_assert_held_write(&iommu->lock);
	for (i = 0; i < count; i++) {
		if (!slots[i])
			continue;
		put_page(slots[i]);
		slots[i] = NULL;
		iommu->mapped--;
	}
}

/* Set up to @count slots from @iova on, in one window.  Return: how many. */
static unsigned int sgpu_iommu_set_window(struct sgpu_iommu *iommu, u64 iova,
					  struct page *const *pages, unsigned int count)
{
	struct sgpu_iova_window *w;
	unsigned int slot = sgpu_iommu_slot(iova);

	count = min(count, SGPU_WINDOW_PAGES - slot);
	write_lock(&iommu->lock);
	w = sgpu_iommu_window(iommu, iova);
	if (!WARN_ON_ONCE(!w || !w->pages)) {
		if (pages)
			sgpu_iommu_fill(iommu, w->pages + slot, pages, count);
		else
			sgpu_iommu_empty(iommu, w->pages + slot, count);
	}
	write_unlock(&iommu->lock);
	return count;
}

static void sgpu_iommu_set(struct rm_gpu *gpu, u64 iova, struct page *const *pages,
			   unsigned int count)
{
	unsigned int done;

	for (; count; count -= done, iova += (u64)done << PAGE_SHIFT) {
		done = sgpu_iommu_set_window(&gpu->iommu, iova, pages, count);
		if (pages)
			pages += done;
	}
}

/* Give back part of a shared window; true if the window is free now. */
static bool sgpu_iommu_give_part(struct sgpu_iova_window *w, u64 iova, unsigned int pages)
{
	if (!w->used)
		return true;
	bitmap_clear(w->used, sgpu_iommu_slot(iova), pages);
	return bitmap_empty(w->used, SGPU_WINDOW_PAGES);
}

void rm_iova_free(struct rm_gpu *gpu, u64 iova, size_t bytes)
{
	struct sgpu_iommu *iommu = &gpu->iommu;
	unsigned int pages = bytes >> PAGE_SHIFT;
	u64 at, first = (iova - SGPU_IOVA_BASE) >> SGPU_IOVA_WINDOW_SHIFT;

	sgpu_iommu_set(gpu, iova, NULL, pages);
	write_lock(&iommu->lock);
	for (at = iova; at < iova + bytes;
	     at = ALIGN(at + 1, 1UL << SGPU_IOVA_WINDOW_SHIFT), first++) {
		struct sgpu_iova_window *w = sgpu_iommu_window(iommu, at);

		if (WARN_ON_ONCE(!w || !w->pages))
			break;
		if (!sgpu_iommu_give_part(w, at, pages))
			continue;
		sgpu_iommu_put_window(w);
		__clear_bit(first, iommu->partial);
		iommu->first_free = min_t(u64, iommu->first_free, first);
		while (iommu->end && !iommu->windows[iommu->end - 1].pages)
			iommu->end--;
	}
	iommu->reserved -= pages;
	write_unlock(&iommu->lock);
}
EXPORT_SYMBOL_NS_GPL(rm_iova_free, SOFTGPU);

void rm_dma_map(struct rm_gpu *gpu, u64 iova, struct page *page)
{
	sgpu_iommu_set(gpu, iova, &page, 1);
}
EXPORT_SYMBOL_NS_GPL(rm_dma_map, SOFTGPU);

void rm_dma_map_pages(struct rm_gpu *gpu, u64 iova, struct page *const *pages, unsigned int count)
{
	sgpu_iommu_set(gpu, iova, pages, count);
}
EXPORT_SYMBOL_NS_GPL(rm_dma_map_pages, SOFTGPU);

void rm_dma_unmap(struct rm_gpu *gpu, u64 iova)
{
	sgpu_iommu_set(gpu, iova, NULL, 1);
}
EXPORT_SYMBOL_NS_GPL(rm_dma_unmap, SOFTGPU);

u64 rm_dma_faults(struct rm_gpu *gpu)
{
	return atomic64_read(&gpu->iommu.faults);
}
EXPORT_SYMBOL_NS_GPL(rm_dma_faults, SOFTGPU);

/*
 * Taken by sgpu_mem_get() for one aperture only, which sparse cannot follow:
 * hence it is told that nothing is held.
 */
void sgpu_iommu_lock(struct rm_gpu *gpu)
{
	read_lock(&gpu->iommu.lock);
	__release(&gpu->iommu.lock);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_iommu_lock);

void sgpu_iommu_unlock(struct rm_gpu *gpu)
{
	__acquire(&gpu->iommu.lock);
	read_unlock(&gpu->iommu.lock);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_iommu_unlock);

void *sgpu_iommu_ptr(struct rm_gpu *gpu, u64 iova)
{
	struct sgpu_iova_window *w = sgpu_iommu_window(&gpu->iommu, iova);
	struct page *page = NULL;

	lockdep_assert_held_read(&gpu->iommu.lock);
	if (w && w->pages)
		page = w->pages[sgpu_iommu_slot(iova)];
	if (!page) {
		atomic64_inc(&gpu->iommu.faults);
		return NULL;
	}
	return page_address(page) + offset_in_page(iova);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_iommu_ptr);

void *sgpu_mem_get(struct rm_gpu *gpu, enum rm_aperture aperture, u64 pa)
{
	void *p;

	if (aperture == RM_APERTURE_VID)
		return sgpu_vram_ptr(&gpu->vram, pa);
	if (aperture == RM_APERTURE_PEER)
		return sgpu_peer_ptr(gpu, pa);
	sgpu_iommu_lock(gpu);
	p = sgpu_iommu_ptr(gpu, pa);
	if (!p)
		sgpu_iommu_unlock(gpu);
	return p;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_mem_get);

void sgpu_mem_put(struct rm_gpu *gpu, enum rm_aperture aperture)
{
	if (aperture == RM_APERTURE_SYS)
		sgpu_iommu_unlock(gpu);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_mem_put);
