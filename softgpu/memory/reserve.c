// SPDX-License-Identifier: GPL-2.0
/*
 * The reserve: small, zeroed, naturally aligned pieces of GPU memory for page
 * tables and contexts.  A 4K page is free, or cut in pieces of one size; lowest first.
 */
#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <kunit/visibility.h>
#include "base/gpu.h"
#include "memory/pma.h"
#include "memory/vram.h"

#define SGPU_RESERVE_MIN	256

int sgpu_reserve_init(struct rm_gpu *gpu)
{
	struct sgpu_reserve *r = &gpu->reserve;
	bool ok = true;
	int i;

	memset(r, 0, sizeof(*r));
	spin_lock_init(&r->lock);
	r->base = gpu->vram_bytes;
	r->pages = gpu->reserve_bytes >> PAGE_SHIFT;
	r->tables = r->pages - min(r->pages / 4, SGPU_RESERVE_INSTANCES);
	r->free = bitmap_alloc(r->pages, GFP_KERNEL);
	r->pieces = kvcalloc(r->pages, sizeof(*r->pieces), GFP_KERNEL);
	r->order = kvcalloc(r->pages, sizeof(*r->order), GFP_KERNEL);
	for (i = 0; i < SGPU_RESERVE_ORDERS; i++) {
		r->partial[i] = bitmap_zalloc(r->pages, GFP_KERNEL);
		ok = ok && r->partial[i];
	}
	if (!ok || !r->free || !r->pieces || !r->order) {
		sgpu_reserve_exit(gpu);
		return -ENOMEM;
	}
	bitmap_fill(r->free, r->pages);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_reserve_init);

void sgpu_reserve_exit(struct rm_gpu *gpu)
{
	struct sgpu_reserve *r = &gpu->reserve;
	int i;

	for (i = 0; i < SGPU_RESERVE_ORDERS; i++)
		bitmap_free(r->partial[i]);
	bitmap_free(r->free);
	kvfree(r->pieces);
	kvfree(r->order);
	memset(r, 0, sizeof(*r));
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_reserve_exit);

static u16 sgpu_reserve_full(unsigned int order)
{
	return BIT(16 >> order) - 1;
}

static bool sgpu_reserve_valid(size_t size)
{
	return is_power_of_2(size) && size >= SGPU_RESERVE_MIN && size <= PAGE_SIZE;
}

/* In one of the first @pages. */
static int reserve_alloc(struct rm_gpu *gpu, size_t size, unsigned int pages, u64 *pa)
{
	struct sgpu_reserve *r = &gpu->reserve;
	unsigned int order, page, piece;

	if (WARN_ON_ONCE(!sgpu_reserve_valid(size)))
		return -ENOMEM;
	order = ilog2(size / SGPU_RESERVE_MIN);
	spin_lock(&r->lock);
	page = find_first_bit(r->partial[order], pages);
	if (page >= pages) {
		page = find_first_bit(r->free, pages);
		if (page >= pages) {
			spin_unlock(&r->lock);
			return -ENOMEM;
		}
		__clear_bit(page, r->free);
		__set_bit(page, r->partial[order]);
		r->order[page] = order;
		r->pieces[page] = 0;
	}
	piece = ffz(r->pieces[page]);
	r->pieces[page] |= BIT(piece);
	if (r->pieces[page] == sgpu_reserve_full(order))
		__clear_bit(page, r->partial[order]);
	r->used += size;
	spin_unlock(&r->lock);

	*pa = r->base + ((u64)page << PAGE_SHIFT) + piece * size;
	memset(sgpu_vram_ptr(&gpu->vram, *pa), 0, size);
	return 0;
}

int rm_reserve_alloc(struct rm_gpu *gpu, size_t size, u64 *pa)
{
	return reserve_alloc(gpu, size, gpu->reserve.tables, pa);
}
EXPORT_SYMBOL_NS_GPL(rm_reserve_alloc, SOFTGPU);

int sgpu_reserve_alloc_instance(struct rm_gpu *gpu, u64 *pa)
{
	return reserve_alloc(gpu, PAGE_SIZE, gpu->reserve.pages, pa);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_reserve_alloc_instance);

void rm_reserve_free(struct rm_gpu *gpu, size_t size, u64 pa)
{
	struct sgpu_reserve *r = &gpu->reserve;
	unsigned int order, page, piece;

	if (WARN_ON_ONCE(!sgpu_reserve_valid(size)))
		return;
	order = ilog2(size / SGPU_RESERVE_MIN);
	page = (pa - r->base) >> PAGE_SHIFT;
	piece = offset_in_page(pa) / size;
	spin_lock(&r->lock);
	if (WARN_ON_ONCE(pa < r->base || page >= r->pages || r->order[page] != order ||
			 !(r->pieces[page] & BIT(piece)))) {
		spin_unlock(&r->lock);
		return;
	}
	r->pieces[page] &= ~BIT(piece);
	__assign_bit(page, r->partial[order], r->pieces[page]);
	if (!r->pieces[page])
		__set_bit(page, r->free);
	r->used -= size;
	spin_unlock(&r->lock);
}
EXPORT_SYMBOL_NS_GPL(rm_reserve_free, SOFTGPU);
