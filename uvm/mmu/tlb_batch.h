/* SPDX-License-Identifier: GPL-2.0 */
/*
 * TLB batch: TLB invalidates of one address space collected into few methods.
 *
 * Up to four ranges are invalidated one by one, with the membar on the last;
 * more turn into one invalidate of the whole address space.
 */
#ifndef UVM_TLB_BATCH_H
#define UVM_TLB_BATCH_H

#include "gpu/push.h"
#include "mmu/page_tree.h"

#define UVM_TLB_BATCH_MAX_RANGES	4

/**
 * struct uvm_tlb_batch - a batch
 * @tree: the address space
 * @ranges: ranges, the first %UVM_TLB_BATCH_MAX_RANGES
 * @count: number of ranges, also those that found no place
 * @page_sizes: of all of them
 * @membar: the strongest that was asked for
 */
struct uvm_tlb_batch {
	struct uvm_page_tree *tree;
	struct {
		u64 va;
		u64 size;
		u64 page_sizes;
	} ranges[UVM_TLB_BATCH_MAX_RANGES];
	unsigned int count;
	u64 page_sizes;
	enum uvm_membar membar;
};

/**
 * uvm_tlb_batch_begin - begin to collect invalidates
 * @tree: the address space
 * @batch: written
 */
void uvm_tlb_batch_begin(struct uvm_page_tree *tree, struct uvm_tlb_batch *batch);

/**
 * uvm_tlb_batch_invalidate - add a range
 * @batch: the batch
 * @va: first byte
 * @size: bytes
 * @page_sizes: sizes of the pages that were changed there, or'ed; the largest
 *	gives the depth: 2M reaches PDE0, smaller ones only PTEs
 * @membar: barrier needed: none for an upgrade, system when access was taken away
 */
void uvm_tlb_batch_invalidate(struct uvm_tlb_batch *batch, u64 va, u64 size, u64 page_sizes,
			      enum uvm_membar membar);

/**
 * uvm_tlb_batch_end - emit them
 * @batch: the batch; with no range added nothing is
 * @push: open push, behind the writes
 * @membar: the least that is needed, on the last of them
 */
void uvm_tlb_batch_end(struct uvm_tlb_batch *batch, struct uvm_push *push,
		       enum uvm_membar membar);

#endif
