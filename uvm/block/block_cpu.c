// SPDX-License-Identifier: GPL-2.0
/*
 * The CPU's mappings of a block.  Its page-table entries are made by faults
 * only (cpu_fault.c); here is said which may be, and they are taken back.
 */
#include <linux/mm.h>
#include "gpu/gpu.h"
#include "block/va_block.h"
#include "space/va_space_types.h"

void uvm_va_block_grant_cpu(struct uvm_va_block *block, const struct uvm_page_mask *pages,
			    unsigned int page, bool write)
{
	sim_mutex_assert_held(&block->lock);
	mutex_lock(&block->map_lock);
	uvm_cpu_grant_give(&block->cpu_grant, pages, page, write,
			   READ_ONCE(block->va_space->params.cpu_grant_us), sim_now());
	mutex_unlock(&block->map_lock);
}

bool uvm_va_block_is_granted(struct uvm_va_block *block, unsigned int page)
{
	bool granted;

	mutex_lock(&block->map_lock);
	granted = uvm_cpu_grant_holds(&block->cpu_grant, page, sim_now());
	mutex_unlock(&block->map_lock);
	return granted;
}

/* References that are ours: the block's, and one for each GPU that can reach the page. */
static unsigned int uvm_va_block_references(const struct uvm_va_block *block, unsigned int page)
{
	unsigned int i, n = 1;

	for (i = 0; i < UVM_MAX_GPUS; i++)
		n += block->gpu[i] && (block->gpu[i]->dma_units & BIT(page / UVM_PAGES_PER_BIG));
	return n;
}

bool uvm_va_block_is_held(struct uvm_va_block *block, unsigned int page)
{
	struct page *p = block->pages[page];

	sim_mutex_assert_held(&block->lock);
	return p && page_ref_count(p) > uvm_va_block_references(block, page) +
					folio_mapcount(page_folio(p));
}

/*
 * What is held stays, too.  Asked when nothing is mapped any more, so that nobody can begin
 * to hold a page after it was asked.
 */
static void uvm_va_block_keep_held(struct uvm_va_block *block, struct uvm_page_mask *pages)
{
	unsigned int page;

	for_each_page_in_mask(page, pages, block->region) {
		if (uvm_va_block_is_held(block, page))
			uvm_page_mask_clear(pages, page);
	}
}

void uvm_va_block_revoke_cpu(struct uvm_va_block *block, struct uvm_page_mask *pages,
			     enum uvm_prot prot, bool force)
{
	struct address_space *mapping = block->va_space->mapping;
	struct uvm_page_mask mapped;
	struct uvm_region sub;

	sim_mutex_assert_held(&block->lock);
	mutex_lock(&block->map_lock);
	if (force)
		uvm_cpu_grant_forget(&block->cpu_grant, pages);
	else
		uvm_cpu_grant_take(&block->cpu_grant, pages, prot, sim_now());
	uvm_page_mask_and(&mapped, pages, prot == UVM_PROT_NONE ? &block->cpu_mappable :
								  &block->cpu_writable);
	/* what may still be read comes back with the next touch */
	for_each_subregion(sub, &mapped, block->region)
		unmap_mapping_range(mapping, uvm_va_block_address(block, sub.first),
				    uvm_region_bytes(sub), 1);
	if (!force)
		uvm_va_block_keep_held(block, pages);
	uvm_page_mask_andnot(&block->cpu_writable, &block->cpu_writable, pages);
	if (prot == UVM_PROT_NONE)
		uvm_page_mask_andnot(&block->cpu_mappable, &block->cpu_mappable, pages);
	uvm_block_state_revoke(&block->state, UVM_ID_CPU, pages, prot);
	mutex_unlock(&block->map_lock);
}

void uvm_va_block_admit_cpu(struct uvm_va_block *block, const struct uvm_page_mask *pages,
			    enum uvm_prot prot)
{
	struct uvm_page_mask fresh;

	sim_mutex_assert_held(&block->lock);
	mutex_lock(&block->map_lock);
	uvm_page_mask_or(&block->cpu_mappable, &block->cpu_mappable, pages);
	if (prot > UVM_PROT_READ_ONLY)
		uvm_page_mask_or(&block->cpu_writable, &block->cpu_writable, pages);
	/* admitting takes nothing away */
	uvm_page_mask_andnot(&fresh, pages, &block->state.cpu_writable);
	uvm_block_state_map(&block->state, UVM_ID_CPU, &fresh, prot);
	mutex_unlock(&block->map_lock);
}
