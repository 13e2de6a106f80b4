/* SPDX-License-Identifier: GPL-2.0 */
/*
 * PTE batch: writes of page table entries collected into few copy-engine
 * operations.
 *
 * Up to four consecutive entries are written by one 8-byte memset each, more by
 * one copy of inline data.  A gap flushes.  Between begin and end nothing else
 * may be added to the push.
 */
#ifndef UVM_PTE_BATCH_H
#define UVM_PTE_BATCH_H

#include "gpu/gpu_memory.h"
#include "gpu/push.h"

#define UVM_PTE_BATCH_MAX_MEMSETS	4

/**
 * struct uvm_pte_batch - a batch
 * @push: the push
 * @first: where the pending entries go
 * @pending: their values, as long as they fit here; then they are inline data
 * @count: number of pending entries
 * @membar: what the writes so far need
 */
struct uvm_pte_batch {
	struct uvm_push *push;
	struct uvm_gpu_address first;
	u64 pending[UVM_PTE_BATCH_MAX_MEMSETS];
	unsigned int count;
	enum uvm_membar membar;
};

/**
 * uvm_pte_batch_begin - begin to collect writes
 * @push: open push; nothing else is added until uvm_pte_batch_end()
 * @batch: written
 */
void uvm_pte_batch_begin(struct uvm_push *push, struct uvm_pte_batch *batch);

/**
 * uvm_pte_batch_write_pte - write one entry
 * @batch: the batch
 * @pte: where; consecutive calls with consecutive addresses are combined
 * @value: the entry's bits
 */
void uvm_pte_batch_write_pte(struct uvm_pte_batch *batch, struct uvm_gpu_address pte, u64 value);

/**
 * uvm_pte_batch_clear_ptes - write the same value to consecutive entries: one memset
 * @batch: the batch
 * @first: the first of them
 * @value: an empty encoding
 * @count: how many; 0: nothing is done
 */
void uvm_pte_batch_clear_ptes(struct uvm_pte_batch *batch, struct uvm_gpu_address first,
			      u64 value, unsigned int count);

/**
 * uvm_pte_batch_end - flush, wait for idle, and a membar
 * @batch: the batch
 * @membar: the least that is needed; if an entry lies in system memory it is the system's
 */
void uvm_pte_batch_end(struct uvm_pte_batch *batch, enum uvm_membar membar);

#endif
