/* SPDX-License-Identifier: GPL-2.0 */
/*
 * HAL: the encodings of the hardware (Turing class), and nothing else.
 *
 * hal_host.c: host methods.  hal_ce.c: copy engine.  hal_mmu.c: page table
 * entries (pure).  Copy-engine work is asynchronous to host methods: a
 * uvm_host_wait_for_idle() goes between a write and the host method that
 * depends on it.
 */
#ifndef UVM_HAL_H
#define UVM_HAL_H

#include <softgpu/host_class.h>
#include <softgpu/mmu_format.h>
#include "base/types.h"
#include "gpu/gpu_memory.h"
#include "gpu/push_words.h"

/* ---- host ------------------------------------------------------------ */

/* First words of a channel: bind the copy class. */
void uvm_host_set_object(struct uvm_push *push);
/* Wait until the 32-bit semaphore is @payload or (circularly) past it. */
void uvm_host_semaphore_acquire(struct uvm_push *push, u64 va, u32 payload);
/* Wait until the channel's copies are done. */
void uvm_host_wait_for_idle(struct uvm_push *push);
/* UVM_MEMBAR_NONE adds nothing. */
void uvm_host_membar(struct uvm_push *push, enum uvm_membar membar);

/**
 * uvm_host_tlb_invalidate_all - forget everything of one address space
 * @push: the push
 * @pdb: root directory
 * @depth: shallowest level that changed: 0 (PDE3) ... 3 (PDE0), 4 (PTEs only)
 * @membar: barrier after it; needed when access was taken away
 */
void uvm_host_tlb_invalidate_all(struct uvm_push *push, struct uvm_gpu_address pdb,
				 unsigned int depth, enum uvm_membar membar);

/**
 * uvm_host_tlb_invalidate_va - forget a range of one address space
 * @push: the push
 * @pdb: root directory
 * @depth: shallowest level that changed
 * @va: first byte
 * @size: bytes
 * @membar: barrier after it
 *
 * The hardware takes an aligned power-of-two span: the smallest that covers
 * the range, so more than was asked for may go.
 */
void uvm_host_tlb_invalidate_va(struct uvm_push *push, struct uvm_gpu_address pdb,
				unsigned int depth, u64 va, u64 size, enum uvm_membar membar);
/* log2 of that span in 4K pages; pure. */
unsigned int uvm_host_invalidate_order(u64 va, u64 size);

/* @type: HOST_REPLAY_START or HOST_REPLAY_START_ACK_ALL */
void uvm_host_replay(struct uvm_push *push, unsigned int type);
/* @access: HOST_CANCEL_* */
void uvm_host_cancel_va(struct uvm_push *push, struct uvm_gpu_address pdb, u64 va,
			unsigned int access);
/* A channel that has faulted goes on; @chid: from rm_context_channel_id(). */
void uvm_host_clear_faulted(struct uvm_push *push, u32 chid);
/* Let the access counters of the GPU's accesses begin at 0: all of them. */
void uvm_host_access_counter_clear_all(struct uvm_push *push);
/* One, by the names that its record gave: @bank < 16, @tag < 2^20. */
void uvm_host_access_counter_clear(struct uvm_push *push, unsigned int bank, u32 tag);
/* When the host gets here.  What uvm_push_timestamp() says of the result holds. */
const u64 *uvm_host_timestamp(struct uvm_push *push);

/* ---- copy engine ----------------------------------------------------- */

/* All consume the push's flags.  @bytes < 2^32. */
void uvm_ce_memcopy(struct uvm_push *push, struct uvm_gpu_address dst,
		    struct uvm_gpu_address src, u64 bytes);
/* @bytes: whole elements */
void uvm_ce_memset_8(struct uvm_push *push, struct uvm_gpu_address dst, u64 value, u64 bytes);
void uvm_ce_memset_4(struct uvm_push *push, struct uvm_gpu_address dst, u32 value, u64 bytes);
void uvm_ce_memset_1(struct uvm_push *push, struct uvm_gpu_address dst, u8 value, u64 bytes);
/* Copy @bytes (a multiple of 4, at most UVM_PUSH_INLINE_MAX_BYTES) of @data through the push. */
void uvm_ce_memcopy_inline(struct uvm_push *push, struct uvm_gpu_address dst, const void *data,
			   size_t bytes);
void uvm_ce_semaphore_release(struct uvm_push *push, u64 va, u32 payload);
void uvm_ce_semaphore_timestamp(struct uvm_push *push, u64 va);

/* ---- MMU: pure ------------------------------------------------------- */

#define UVM_PAGE_SIZE_4K	((u64)1 << MMU_SMALL_SHIFT)
#define UVM_PAGE_SIZE_64K	((u64)1 << MMU_BIG_SHIFT)
#define UVM_PAGE_SIZE_2M	((u64)1 << MMU_PDE0_SHIFT)

/**
 * uvm_pte_make - entry that maps a page
 * @address: the page, aligned to @page_size
 * @prot: what the GPU may do; UVM_PROT_NONE gives the invalid entry
 * @page_size: UVM_PAGE_SIZE_*; a 2M entry is the first word of a PDE0
 *
 * Return: the entry's bits.
 */
u64 uvm_pte_make(struct uvm_gpu_address address, enum uvm_prot prot, u64 page_size);
/* 4K entry without a page; in a 64K table: "look at the 4K table". */
u64 uvm_pte_invalid(void);
/* 64K entry without a page: "stop here". */
u64 uvm_pte_big_unmapped(void);

/* What a directory entry's word points to. */
enum uvm_pde_kind {
	UVM_PDE_DIRECTORY,	/* PDE3 ... PDE1 */
	UVM_PDE_BIG_TABLE,	/* PDE0, first word */
	UVM_PDE_SMALL_TABLE,	/* PDE0, second word */
};

/* @table: NULL for the invalid entry */
u64 uvm_pde_make(const struct uvm_gpu_address *table, enum uvm_pde_kind kind);

#endif
