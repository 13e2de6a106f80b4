// SPDX-License-Identifier: GPL-2.0
/*
 * HAL: host methods.
 */
#include <linux/bitfield.h>
#include <linux/bitops.h>
#include <softgpu/ce_class.h>
#include <softgpu/fault_format.h>
#include <kunit/visibility.h>
#include "gpu/hal.h"

static void uvm_host_methods(struct uvm_push *push, unsigned int subch, u32 method,
			     const u32 *data, unsigned int count)
{
	u32 *words = uvm_push_words(push, 1 + count);

	words[0] = FIELD_PREP(HOST_HDR_OP, HOST_HDR_OP_INC) |
		   FIELD_PREP(HOST_HDR_COUNT, count) |
		   FIELD_PREP(HOST_HDR_SUBCH, subch) |
		   FIELD_PREP(HOST_HDR_METHOD, method / 4);
	memcpy(words + 1, data, count * sizeof(u32));
}

void uvm_host_set_object(struct uvm_push *push)
{
	const u32 class = CE_CLASS;

	/* as nvidia-uvm: an engine that only copies does not look at the number */
	uvm_host_methods(push, HOST_SUBCH_HOST, HOST_SET_OBJECT, &class, 1);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_host_set_object);

static void uvm_host_semaphore(struct uvm_push *push, u64 va, u32 payload, u32 execute)
{
	const u32 data[] = {
		lower_32_bits(va), upper_32_bits(va), payload, 0, execute,
	};

	uvm_host_methods(push, HOST_SUBCH_HOST, HOST_SEM_ADDR_LO, data, ARRAY_SIZE(data));
}

void uvm_host_semaphore_acquire(struct uvm_push *push, u64 va, u32 payload)
{
	uvm_host_semaphore(push, va, payload,
			   FIELD_PREP(HOST_SEM_OPERATION, HOST_SEM_OP_ACQ_CIRC_GEQ) |
			   HOST_SEM_ACQUIRE_SWITCH);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_host_semaphore_acquire);

const u64 *uvm_host_timestamp(struct uvm_push *push)
{
	u64 va;
	u32 *slot = uvm_push_slot(push, &va);

	uvm_host_semaphore(push, va, 0,
			   FIELD_PREP(HOST_SEM_OPERATION, HOST_SEM_OP_RELEASE) |
			   HOST_SEM_RELEASE_TIMESTAMP);
	return (const u64 *)(slot + 2);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_host_timestamp);

void uvm_host_wait_for_idle(struct uvm_push *push)
{
	const u32 scope = 0;

	uvm_host_methods(push, HOST_SUBCH_HOST, HOST_WFI, &scope, 1);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_host_wait_for_idle);

void uvm_host_clear_faulted(struct uvm_push *push, u32 chid)
{
	const u32 data = FIELD_PREP(HOST_CLEAR_FAULTED_CHID, chid) | HOST_CLEAR_FAULTED_TYPE;

	uvm_host_methods(push, HOST_SUBCH_HOST, HOST_CLEAR_FAULTED, &data, 1);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_host_clear_faulted);

static void uvm_host_mem_op(struct uvm_push *push, u32 a, u32 b, u32 c, u32 d, u32 operation)
{
	const u32 data[] = { a, b, c, d | FIELD_PREP(HOST_MEM_OP_D_OPERATION, operation) };

	uvm_host_methods(push, HOST_SUBCH_HOST, HOST_MEM_OP_A, data, ARRAY_SIZE(data));
}

void uvm_host_membar(struct uvm_push *push, enum uvm_membar membar)
{
	u32 type = membar == UVM_MEMBAR_SYS ? HOST_MEMBAR_SYS : HOST_MEMBAR_GPU;

	if (membar != UVM_MEMBAR_NONE)
		uvm_host_mem_op(push, 0, 0, FIELD_PREP(HOST_MEM_OP_C_MEMBAR, type), 0,
				HOST_MEM_OP_MEMBAR);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_host_membar);

/* ---- TLB invalidates, replay, cancel --------------------------------- */

static u32 uvm_host_pdb_c(struct uvm_gpu_address pdb)
{
	u32 aperture = pdb.aperture == RM_APERTURE_SYS ? HOST_PDB_SYS_COH : HOST_PDB_VID;

	return FIELD_PREP(HOST_MEM_OP_C_PDB_APERTURE, aperture) |
	       ((u32)pdb.address & HOST_MEM_OP_C_PDB_LO);
}

static u32 uvm_host_pdb_d(struct uvm_gpu_address pdb)
{
	return FIELD_PREP(HOST_MEM_OP_D_PDB_HI, upper_32_bits(pdb.address));
}

/* Depth 0 is PDE3, 4 the page table itself. */
static u32 uvm_host_level(unsigned int depth)
{
	return FIELD_PREP(HOST_MEM_OP_C_LEVEL, HOST_LEVEL_UP_TO_PDE3 - depth);
}

static void uvm_host_invalidate(struct uvm_push *push, struct uvm_gpu_address pdb,
				unsigned int depth, u64 va, u32 a, enum uvm_membar membar,
				u32 operation)
{
	u32 c = uvm_host_pdb_c(pdb) | uvm_host_level(depth);

	/* Without a barrier nobody needs to know when it has been done. */
	if (membar != UVM_MEMBAR_NONE)
		c |= FIELD_PREP(HOST_MEM_OP_C_ACK, HOST_ACK_GLOBALLY);
	if (membar == UVM_MEMBAR_SYS)
		a |= HOST_MEM_OP_A_SYSMEMBAR;
	a |= (u32)va & HOST_MEM_OP_A_ADDR_LO;
	uvm_host_mem_op(push, a, upper_32_bits(va), c, uvm_host_pdb_d(pdb), operation);
	/* The system barrier is part of the method, the GPU's is not. */
	if (membar == UVM_MEMBAR_GPU)
		uvm_host_membar(push, membar);
}

void uvm_host_tlb_invalidate_all(struct uvm_push *push, struct uvm_gpu_address pdb,
				 unsigned int depth, enum uvm_membar membar)
{
	uvm_host_invalidate(push, pdb, depth, 0, 0, membar, HOST_MEM_OP_TLB_INVALIDATE);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_host_tlb_invalidate_all);

unsigned int uvm_host_invalidate_order(u64 va, u64 size)
{
	u64 first = va >> MMU_SMALL_SHIFT;
	u64 last = (va + size - 1) >> MMU_SMALL_SHIFT;

	return fls64(first ^ last);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_host_invalidate_order);

void uvm_host_tlb_invalidate_va(struct uvm_push *push, struct uvm_gpu_address pdb,
				unsigned int depth, u64 va, u64 size, enum uvm_membar membar)
{
	unsigned int order = uvm_host_invalidate_order(va, size);
	u64 base = va & ~((1ULL << (order + MMU_SMALL_SHIFT)) - 1);

	uvm_host_invalidate(push, pdb, depth, base, FIELD_PREP(HOST_MEM_OP_A_INVAL_SIZE, order),
			    membar, HOST_MEM_OP_TLB_INVALIDATE_TARGETED);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_host_tlb_invalidate_va);

void uvm_host_replay(struct uvm_push *push, unsigned int type)
{
	/* A targeted invalidate of nothing: page 0 of address space 0. */
	uvm_host_mem_op(push, 0, 0,
			FIELD_PREP(HOST_MEM_OP_C_REPLAY, type) |
			FIELD_PREP(HOST_MEM_OP_C_LEVEL, HOST_LEVEL_PTE_ONLY),
			0, HOST_MEM_OP_TLB_INVALIDATE_TARGETED);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_host_replay);

void uvm_host_cancel_va(struct uvm_push *push, struct uvm_gpu_address pdb, u64 va,
			unsigned int access)
{
	u32 a = ((u32)va & HOST_MEM_OP_A_ADDR_LO) |
		FIELD_PREP(HOST_MEM_OP_A_CANCEL_ENGINE, FAULT_ENGINE_GRAPHICS);
	u32 c = uvm_host_pdb_c(pdb) |
		FIELD_PREP(HOST_MEM_OP_C_REPLAY, HOST_REPLAY_CANCEL_VA_GLOBAL) |
		FIELD_PREP(HOST_MEM_OP_C_ACCESS, access);

	uvm_host_mem_op(push, a, upper_32_bits(va), c, uvm_host_pdb_d(pdb),
			HOST_MEM_OP_TLB_INVALIDATE_TARGETED);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_host_cancel_va);

/* ---- access counters ------------------------------------------------- */

static void uvm_host_counter_clear(struct uvm_push *push, u32 clear, u32 bank, u32 tag)
{
	uvm_host_mem_op(push, 0, 0, FIELD_PREP(HOST_MEM_OP_C_COUNTER_CLR_TAG, tag),
			FIELD_PREP(HOST_MEM_OP_D_COUNTER_CLR, clear) |
			FIELD_PREP(HOST_MEM_OP_D_COUNTER_CLR_TYPE, HOST_COUNTER_CLR_MIMC) |
			FIELD_PREP(HOST_MEM_OP_D_COUNTER_CLR_BANK, bank),
			HOST_MEM_OP_ACCESS_COUNTER_CLR);
}

void uvm_host_access_counter_clear_all(struct uvm_push *push)
{
	uvm_host_counter_clear(push, HOST_COUNTER_CLR_ALL, 0, 0);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_host_access_counter_clear_all);

void uvm_host_access_counter_clear(struct uvm_push *push, unsigned int bank, u32 tag)
{
	uvm_host_counter_clear(push, HOST_COUNTER_CLR_TARGETED, bank, tag);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_host_access_counter_clear);
