// SPDX-License-Identifier: GPL-2.0
/*
 * PTE batch.
 */
#include <kunit/visibility.h>
#include "gpu/hal.h"
#include "mmu/pte_batch.h"

void uvm_pte_batch_begin(struct uvm_push *push, struct uvm_pte_batch *batch)
{
	memset(batch, 0, sizeof(*batch));
	batch->push = push;
	batch->membar = UVM_MEMBAR_NONE;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_pte_batch_begin);

/* One barrier at the end serves all writes; they do not depend on each other. */
static void uvm_pte_batch_flags(struct uvm_pte_batch *batch)
{
	uvm_push_set_flag(batch->push, UVM_PUSH_CE_NEXT_PIPELINED | UVM_PUSH_NEXT_MEMBAR_NONE);
}

static void uvm_pte_batch_flush(struct uvm_pte_batch *batch)
{
	struct uvm_gpu_address src;
	unsigned int i;

	if (batch->count > UVM_PTE_BATCH_MAX_MEMSETS) {
		src = uvm_push_inline_end(batch->push);
		uvm_pte_batch_flags(batch);
		uvm_ce_memcopy(batch->push, batch->first, src, batch->count * MMU_PTE_BYTES);
	} else {
		for (i = 0; i < batch->count; i++) {
			uvm_pte_batch_flags(batch);
			uvm_ce_memset_8(batch->push,
					uvm_gpu_address_add(batch->first, i * MMU_PTE_BYTES),
					batch->pending[i], MMU_PTE_BYTES);
		}
	}
	batch->count = 0;
}

static bool uvm_pte_batch_continues(const struct uvm_pte_batch *batch, struct uvm_gpu_address pte)
{
	return batch->count && batch->first.aperture == pte.aperture &&
	       batch->first.address + batch->count * MMU_PTE_BYTES == pte.address &&
	       batch->count < UVM_PUSH_INLINE_MAX_BYTES / MMU_PTE_BYTES;
}

static void uvm_pte_batch_need(struct uvm_pte_batch *batch, struct uvm_gpu_address pte)
{
	enum uvm_membar membar = pte.aperture == RM_APERTURE_SYS ? UVM_MEMBAR_SYS :
								   UVM_MEMBAR_GPU;

	batch->membar = max(batch->membar, membar);
}

void uvm_pte_batch_write_pte(struct uvm_pte_batch *batch, struct uvm_gpu_address pte, u64 value)
{
	uvm_pte_batch_need(batch, pte);
	if (!uvm_pte_batch_continues(batch, pte)) {
		uvm_pte_batch_flush(batch);
		batch->first = pte;
	}
	if (batch->count < UVM_PTE_BATCH_MAX_MEMSETS) {
		batch->pending[batch->count++] = value;
		return;
	}
	if (batch->count++ == UVM_PTE_BATCH_MAX_MEMSETS) {
		uvm_push_inline_begin(batch->push);
		uvm_push_inline_add(batch->push, batch->pending, sizeof(batch->pending));
	}
	uvm_push_inline_add(batch->push, &value, sizeof(value));
}
EXPORT_SYMBOL_IF_KUNIT(uvm_pte_batch_write_pte);

void uvm_pte_batch_clear_ptes(struct uvm_pte_batch *batch, struct uvm_gpu_address first,
			      u64 value, unsigned int count)
{
	if (!count)
		return;
	uvm_pte_batch_flush(batch);
	uvm_pte_batch_need(batch, first);
	uvm_pte_batch_flags(batch);
	uvm_ce_memset_8(batch->push, first, value, (u64)count * MMU_PTE_BYTES);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_pte_batch_clear_ptes);

void uvm_pte_batch_end(struct uvm_pte_batch *batch, enum uvm_membar membar)
{
	uvm_pte_batch_flush(batch);
	uvm_host_wait_for_idle(batch->push);
	uvm_host_membar(batch->push, max(batch->membar, membar));
}
EXPORT_SYMBOL_IF_KUNIT(uvm_pte_batch_end);
