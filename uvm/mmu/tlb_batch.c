// SPDX-License-Identifier: GPL-2.0
/*
 * TLB batch.
 */
#include <linux/minmax.h>
#include <linux/string.h>
#include <kunit/visibility.h>
#include "gpu/hal.h"
#include "mmu/page_tree.h"
#include "mmu/tlb_batch.h"

void uvm_tlb_batch_begin(struct uvm_page_tree *tree, struct uvm_tlb_batch *batch)
{
	memset(batch, 0, sizeof(*batch));
	batch->tree = tree;
	batch->membar = UVM_MEMBAR_NONE;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_tlb_batch_begin);

void uvm_tlb_batch_invalidate(struct uvm_tlb_batch *batch, u64 va, u64 size, u64 page_sizes,
			      enum uvm_membar membar)
{
	if (batch->count < UVM_TLB_BATCH_MAX_RANGES) {
		batch->ranges[batch->count].va = va;
		batch->ranges[batch->count].size = size;
		batch->ranges[batch->count].page_sizes = page_sizes;
	}
	batch->count++;
	batch->page_sizes |= page_sizes;
	batch->membar = max(batch->membar, membar);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_tlb_batch_invalidate);

/* Where the entries of the largest page are. */
static unsigned int uvm_tlb_batch_depth(u64 page_sizes)
{
	return page_sizes >> MMU_PDE0_SHIFT ? UVM_PAGE_TABLE_DEPTH - 1 : UVM_PAGE_TABLE_DEPTH;
}

void uvm_tlb_batch_end(struct uvm_tlb_batch *batch, struct uvm_push *push,
		       enum uvm_membar membar)
{
	struct uvm_gpu_address pdb;
	unsigned int i;
	bool last;

	if (!batch->count)
		return;
	pdb = uvm_page_tree_pdb(batch->tree);
	membar = max(membar, batch->membar);
	if (batch->count > UVM_TLB_BATCH_MAX_RANGES) {
		uvm_host_tlb_invalidate_all(push, pdb, uvm_tlb_batch_depth(batch->page_sizes),
					    membar);
		return;
	}
	for (i = 0; i < batch->count; i++) {
		last = i == batch->count - 1;
		uvm_host_tlb_invalidate_va(push, pdb,
					   uvm_tlb_batch_depth(batch->ranges[i].page_sizes),
					   batch->ranges[i].va, batch->ranges[i].size,
					   last ? membar : UVM_MEMBAR_NONE);
	}
}
EXPORT_SYMBOL_IF_KUNIT(uvm_tlb_batch_end);
