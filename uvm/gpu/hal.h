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

/**
 * uvm_host_set_object - first words of a channel: bind the copy class
 * @push: the push
 */
void uvm_host_set_object(struct uvm_push *push);

/**
 * uvm_host_semaphore_acquire - wait until a 32-bit semaphore has a value
 * @push: the push
 * @va: where it is, virtual
 * @payload: the value; what is (circularly) past it will do
 */
void uvm_host_semaphore_acquire(struct uvm_push *push, u64 va, u32 payload);

/**
 * uvm_host_wait_for_idle - wait until the channel's copies are done
 * @push: the push
 */
void uvm_host_wait_for_idle(struct uvm_push *push);

/**
 * uvm_host_membar - a barrier
 * @push: the push
 * @membar: UVM_MEMBAR_NONE adds nothing
 */
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

/**
 * uvm_host_invalidate_order - the span that an invalidate of a range takes
 * @va: first byte
 * @size: bytes, at least one
 *
 * Pure.
 *
 * Return: log2 of it in 4 KB pages.
 */
unsigned int uvm_host_invalidate_order(u64 va, u64 size);

/**
 * uvm_host_replay - faulted accesses are tried again
 * @push: the push
 * @type: HOST_REPLAY_START or HOST_REPLAY_START_ACK_ALL
 */
void uvm_host_replay(struct uvm_push *push, unsigned int type);

/**
 * uvm_host_cancel_va - accesses to a page that cannot be served end in an error
 * @push: the push
 * @pdb: root directory of the address space
 * @va: address of the page
 * @access: which accesses: HOST_CANCEL_*
 */
void uvm_host_cancel_va(struct uvm_push *push, struct uvm_gpu_address pdb, u64 va,
			unsigned int access);

/**
 * uvm_host_clear_faulted - a channel that has faulted goes on
 * @push: the push
 * @chid: its number, from rm_context_channel_id()
 */
void uvm_host_clear_faulted(struct uvm_push *push, u32 chid);

/**
 * uvm_host_access_counter_clear_all - the access counters of the GPU's accesses begin at 0
 * @push: the push
 */
void uvm_host_access_counter_clear_all(struct uvm_push *push);

/**
 * uvm_host_access_counter_clear - one access counter begins at 0
 * @push: the push
 * @bank: as its record gave it, below 16
 * @tag: likewise, below 2^20
 */
void uvm_host_access_counter_clear(struct uvm_push *push, unsigned int bank, u32 tag);

/**
 * uvm_host_timestamp - when does the host get here?
 * @push: the push
 *
 * Return: where the time will be, ns; as uvm_push_timestamp().
 */
const u64 *uvm_host_timestamp(struct uvm_push *push);

/* ---- copy engine ----------------------------------------------------- */

/**
 * uvm_ce_memcopy - copy
 * @push: the push; its flags are consumed, as by all below
 * @dst: to here
 * @src: from here
 * @bytes: how many, below 2^32
 */
void uvm_ce_memcopy(struct uvm_push *push, struct uvm_gpu_address dst,
		    struct uvm_gpu_address src, u64 bytes);

/**
 * uvm_ce_memset_8 - fill with a 64-bit value
 * @push: the push
 * @dst: where
 * @value: the value
 * @bytes: how many, a multiple of 8, below 2^32
 */
void uvm_ce_memset_8(struct uvm_push *push, struct uvm_gpu_address dst, u64 value, u64 bytes);

/**
 * uvm_ce_memset_4 - fill with a 32-bit value
 * @push: the push
 * @dst: where
 * @value: the value
 * @bytes: how many, a multiple of 4, below 2^32
 */
void uvm_ce_memset_4(struct uvm_push *push, struct uvm_gpu_address dst, u32 value, u64 bytes);

/**
 * uvm_ce_memset_1 - fill with a byte
 * @push: the push
 * @dst: where
 * @value: the byte
 * @bytes: how many, below 2^32
 */
void uvm_ce_memset_1(struct uvm_push *push, struct uvm_gpu_address dst, u8 value, u64 bytes);

/**
 * uvm_ce_memcopy_inline - copy data of the CPU through the push
 * @push: the push; the data are in it afterwards
 * @dst: to here
 * @data: the data
 * @bytes: how many, a multiple of 4, at most UVM_PUSH_INLINE_MAX_BYTES
 */
void uvm_ce_memcopy_inline(struct uvm_push *push, struct uvm_gpu_address dst, const void *data,
			   size_t bytes);

/**
 * uvm_ce_semaphore_release - write a 32-bit semaphore behind the copies before it
 * @push: the push
 * @va: where it is, virtual
 * @payload: the value
 */
void uvm_ce_semaphore_release(struct uvm_push *push, u64 va, u32 payload);

/**
 * uvm_ce_semaphore_timestamp - write the time behind the copies before it
 * @push: the push; its flags stay, for a time needs no barrier
 * @va: where 16 bytes for it are, virtual
 */
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

/**
 * uvm_pte_invalid - the 4 KB entry without a page; in a 64 KB table: "look at the 4 KB table"
 *
 * Return: the entry's bits: 0 (mmu_format.h).
 */
u64 uvm_pte_invalid(void);

/**
 * uvm_pte_big_unmapped - the 64 KB entry without a page: "stop here"
 *
 * Return: the entry's bits, MMU_PTE_BIG_UNMAPPED.
 */
u64 uvm_pte_big_unmapped(void);

/* What a directory entry's word points to. */
enum uvm_pde_kind {
	UVM_PDE_DIRECTORY,	/* PDE3 ... PDE1 */
	UVM_PDE_BIG_TABLE,	/* PDE0, first word */
	UVM_PDE_SMALL_TABLE,	/* PDE0, second word */
};

/**
 * uvm_pde_make - a word of a directory entry
 * @table: the table or directory that it leads to, in system memory or the GPU's; NULL: none
 * @kind: which word of which entry
 *
 * Return: the word's bits; 0 for NULL.
 */
u64 uvm_pde_make(const struct uvm_gpu_address *table, enum uvm_pde_kind kind);

#endif
