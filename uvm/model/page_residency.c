// SPDX-License-Identifier: GPL-2.0
/* What a block's state says of one page; see page_residency.h. */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include "model/page_residency.h"

static_assert(8 * sizeof(__u16) >= UVM_MAX_PROCESSORS);

static void page_residency_prot(struct uvm_page_residency *out, unsigned int id,
				enum uvm_prot prot)
{
	if (prot >= UVM_PROT_READ_ONLY)
		out->readable |= BIT(id);
	if (prot >= UVM_PROT_READ_WRITE)
		out->writable |= BIT(id);
	if (prot >= UVM_PROT_READ_WRITE_ATOMIC)
		out->atomic |= BIT(id);
}

/* A PTE larger than a page covers all of what it is for: only what is mapped has one. */
static void page_residency_pte(struct uvm_page_residency *out, unsigned int id,
			       const struct uvm_block_gpu_state *gs, unsigned int page)
{
	if (!gs || !(out->readable & BIT(id)))
		return;
	if (gs->pte_2m)
		out->pte_2m |= BIT(id);
	else if (gs->big_ptes & BIT(page / UVM_PAGES_PER_BIG))
		out->pte_64k |= BIT(id);
}

/**
 * uvm_page_residency - where a page is, and who has it mapped and how
 * @bs: the state
 * @page: its number
 * @out: out: all but @out->populated, which is 0
 */
void uvm_page_residency(const struct uvm_block_state *bs, unsigned int page,
			struct uvm_page_residency *out)
{
	unsigned int id;

	*out = (struct uvm_page_residency){ .resident = uvm_block_state_residents(bs, page) };
	for_each_uvm_id(id) {
		page_residency_prot(out, id, uvm_block_state_prot(bs, id, page));
		if (uvm_id_is_gpu(id))
			page_residency_pte(out, id, uvm_block_state_gpu(bs, id), page);
	}
	if (uvm_page_mask_test(&bs->discarded, page))
		out->flags |= UVM_PAGE_DISCARDED;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_page_residency);
