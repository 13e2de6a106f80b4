// SPDX-License-Identifier: GPL-2.0
/*
 * Looking at managed memory on behalf of the user, and nothing else: no block is made, no
 * page is touched, nothing becomes the last to be evicted, and no time passes.
 *
 * What is told is what the driver has decided.  GPU work for it may be under way, and
 * what munmap cut off is not looked at, so neither trackers nor the reaper are waited for.
 */
#include "model/external_tree.h"
#include "model/page_residency.h"
#include "block/va_block.h"
#include "space/va_space.h"

/*
 * The block of an address, with a reference, or NULL if nobody has used it yet.  @last:
 * out: up to where that holds.
 */
static struct uvm_va_block *uvm_residency_block(struct uvm_va_space *va_space, u64 addr,
						u64 *last)
{
	struct uvm_va_block *block = NULL;
	struct uvm_va_range *range;
	unsigned int i;

	mutex_lock(&va_space->ranges_lock);
	range = uvm_va_range_find(&va_space->ranges, addr);
	/* another thread may have unmapped it meanwhile: then it is nowhere */
	*last = addr + UVM_PAGE_SIZE - 1;
	if (range) {
		i = uvm_va_range_block_index(range, addr);
		*last = uvm_va_range_block_end(range, i);
		if (range->blocks[i])
			block = uvm_va_block_get(range->blocks[i]);
	}
	mutex_unlock(&va_space->ranges_lock);
	return block;
}

/* Whose memory is set aside for a page, be it that its bytes are elsewhere? */
static u16 uvm_residency_populated(const struct uvm_va_block *block, unsigned int page)
{
	u16 procs = block->pages && block->pages[page] ? BIT(UVM_ID_CPU) : 0;
	unsigned int i;

	for (i = 0; i < UVM_MAX_GPUS; i++)
		if (block->gpu[i] && block->gpu[i]->chunks[page])
			procs |= BIT(UVM_ID_GPU(i));
	return procs;
}

static void uvm_residency_pages(struct uvm_va_block *block, struct uvm_region region,
				struct uvm_page_residency *out)
{
	unsigned int page;

	sim_mutex_lock(&block->lock);
	for (page = region.first; !block->dead && page < region.outer; page++, out++) {
		uvm_page_residency(&block->state, page, out);
		out->populated = uvm_residency_populated(block, page);
	}
	sim_mutex_unlock(&block->lock);
}

/**
 * uvm_residency - where the pages of a span are, and who has them mapped and how
 * @va_space: the VA space; no lock is held
 * @arg: base and length, whole pages, at most %UVM_RESIDENCY_PAGES; out: its pages
 *
 * Takes the VA space's lock for reading and those of the span's blocks, one after the
 * other, so pages of two blocks may be of two moments.
 *
 * Return: 0, -EINVAL (not all managed).
 */
int uvm_residency(struct uvm_va_space *va_space, struct uvm_residency *arg)
{
	u64 addr = arg->base, end = arg->base + arg->length, last;
	struct uvm_va_block *block;
	bool managed;

	memset(arg->pages, 0, sizeof(arg->pages));
	sim_down_read(&va_space->lock);
	mutex_lock(&va_space->ranges_lock);
	managed = uvm_va_space_is_managed(va_space, arg->base, arg->length);
	mutex_unlock(&va_space->ranges_lock);
	for (; managed && addr < end; addr = last + 1) {
		block = uvm_residency_block(va_space, addr, &last);
		if (!block)
			continue;
		uvm_residency_pages(block, uvm_va_block_pages(block, addr, min(last, end - 1)),
				    &arg->pages[(addr - arg->base) >> UVM_PAGE_SHIFT]);
		uvm_va_block_put(block);
	}
	sim_up_read(&va_space->lock);
	return managed ? 0 : -EINVAL;
}

/**
 * uvm_validate_range - does a span lie in one range, be it managed or external?
 * @va_space: the VA space; no lock is held
 * @base: first byte, page aligned
 * @length: bytes, page aligned, not 0
 *
 * As UVM_VALIDATE_VA_RANGE of nvidia-uvm (9).
 *
 * Return: 0, -ENOENT.
 */
int uvm_validate_range(struct uvm_va_space *va_space, u64 base, u64 length)
{
	struct uvm_va_range *range;
	bool inside;

	mutex_lock(&va_space->ranges_lock);
	range = uvm_va_range_find(&va_space->ranges, base);
	if (range)
		inside = uvm_va_range_contains(range, base + length - 1);
	else
		inside = uvm_external_find(&va_space->externals, base, base + length - 1);
	mutex_unlock(&va_space->ranges_lock);
	return inside ? 0 : -ENOENT;
}
