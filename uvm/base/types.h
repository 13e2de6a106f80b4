/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sizes, processor ids and protections shared by the whole driver.
 *
 * Pure: no mm, no device, no locks.
 */
#ifndef UVM_TYPES_H
#define UVM_TYPES_H

#include <linux/bits.h>
#include <linux/nospec.h>
#include <uapi/linux/uvm.h>

#define UVM_PAGE_SHIFT		12
#define UVM_PAGE_SIZE		BIT(UVM_PAGE_SHIFT)
#define UVM_BIG_PAGE_SHIFT	16
#define UVM_BIG_PAGE		BIT(UVM_BIG_PAGE_SHIFT)
#define UVM_BLOCK_SHIFT		21
#define UVM_BLOCK_SIZE		BIT(UVM_BLOCK_SHIFT)
#define UVM_PAGES_PER_BLOCK	512
#define UVM_PAGES_PER_BIG	16
#define UVM_BIG_PER_BLOCK	32

/*
 * For what a VA space is charged for and a kernel thread may have to allocate.  The
 * OOM killer is not asked: whom it kills may wait for a lock that is held here, and
 * there is somebody to be told that there is no memory.
 */
#define UVM_GFP_ACCOUNT		(GFP_KERNEL_ACCOUNT | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

#define UVM_MAX_GPUS		8
#define UVM_MAX_PROCESSORS	(1 + UVM_MAX_GPUS)

/*
 * Processor ids: a u8.  Not the numbers of the user ABI, which count GPUs
 * from 0 and give the CPU a negative number.
 */
#define UVM_ID_CPU		0
#define UVM_ID_GPU(n)		(1 + (n))
#define UVM_ID_INVALID		0xff

/**
 * uvm_id_is_cpu - is a processor the CPU?
 * @id: processor id
 *
 * Return: true if so.
 */
static inline bool uvm_id_is_cpu(u8 id)
{
	return id == UVM_ID_CPU;
}

/**
 * uvm_id_is_gpu - is a processor a GPU?
 * @id: processor id, or anything
 *
 * Return: true if so, present or not.
 */
static inline bool uvm_id_is_gpu(u8 id)
{
	return id != UVM_ID_CPU && id < UVM_MAX_PROCESSORS;
}

/**
 * uvm_id_is_valid - is this a processor id?
 * @id: anything
 *
 * Return: true if so.
 */
static inline bool uvm_id_is_valid(u8 id)
{
	return id < UVM_MAX_PROCESSORS;
}

/**
 * uvm_id_gpu_index - index of a GPU
 * @id: processor id; meaningless for the CPU
 *
 * Return: as users count GPUs, from 0.
 */
static inline unsigned int uvm_id_gpu_index(u8 id)
{
	return id - UVM_ID_GPU(0);
}

/**
 * uvm_id_from_user - the processor that a user names
 * @processor: UVM_PROCESSOR_* or a GPU's index
 *
 * Return: its id; UVM_ID_INVALID for UVM_PROCESSOR_NONE and for numbers that name nothing.
 */
static inline u8 uvm_id_from_user(s32 processor)
{
	if (processor == UVM_PROCESSOR_CPU)
		return UVM_ID_CPU;
	if (processor >= 0 && processor < UVM_MAX_GPUS)
		return UVM_ID_GPU(array_index_nospec(processor, UVM_MAX_GPUS));
	return UVM_ID_INVALID;
}

/**
 * uvm_id_to_user - the name that a user has for a processor
 * @id: processor id, or anything
 *
 * Return: UVM_PROCESSOR_CPU or a GPU's index; UVM_PROCESSOR_NONE for what is no processor.
 */
static inline s32 uvm_id_to_user(u8 id)
{
	if (!uvm_id_is_valid(id))
		return UVM_PROCESSOR_NONE;
	return uvm_id_is_cpu(id) ? UVM_PROCESSOR_CPU : (s32)uvm_id_gpu_index(id);
}

#define for_each_uvm_id(id) \
	for (unsigned int uvm_i = UVM_ID_CPU; ((id) = uvm_i) < UVM_MAX_PROCESSORS; uvm_i++)

#define for_each_uvm_gpu_id(id) \
	for (unsigned int uvm_i = UVM_ID_GPU(0); ((id) = uvm_i) < UVM_MAX_PROCESSORS; uvm_i++)

/* What a mapping allows; each includes the ones before it. */
enum uvm_prot {
	UVM_PROT_NONE,
	UVM_PROT_READ_ONLY,
	UVM_PROT_READ_WRITE,
	UVM_PROT_READ_WRITE_ATOMIC,
};

/**
 * uvm_access_to_prot - least protection that serves an access
 * @access: kind of access; a prefetch only reads
 *
 * Return: the protection.
 */
static inline enum uvm_prot uvm_access_to_prot(enum uvm_access access)
{
	switch (access) {
	case UVM_ACCESS_ATOMIC:
		return UVM_PROT_READ_WRITE_ATOMIC;
	case UVM_ACCESS_WRITE:
		return UVM_PROT_READ_WRITE;
	default:
		return UVM_PROT_READ_ONLY;
	}
}

/**
 * uvm_prot_allows - does a protection serve an access?
 * @prot: the protection
 * @access: kind of access
 *
 * Return: true if so.
 */
static inline bool uvm_prot_allows(enum uvm_prot prot, enum uvm_access access)
{
	return prot >= uvm_access_to_prot(access);
}

/* May readers have copies of their own?  UNSET: only where they already do. */
enum uvm_read_duplication {
	UVM_READ_DUPLICATION_UNSET,
	UVM_READ_DUPLICATION_ENABLED,
	UVM_READ_DUPLICATION_DISABLED,
};

/* Addresses. */

/**
 * uvm_page_align_down - first byte of an address' page
 * @addr: the address
 *
 * Return: a multiple of UVM_PAGE_SIZE.
 */
static inline u64 uvm_page_align_down(u64 addr)
{
	return addr & ~(u64)(UVM_PAGE_SIZE - 1);
}

/**
 * uvm_block_align_down - first byte of an address' aligned 2 MB
 * @addr: the address
 *
 * Return: a multiple of UVM_BLOCK_SIZE.
 */
static inline u64 uvm_block_align_down(u64 addr)
{
	return addr & ~(u64)(UVM_BLOCK_SIZE - 1);
}

/**
 * uvm_page_in_2m - number of an address' page, counted from its aligned 2 MB: see page_mask.h
 * @addr: the address
 *
 * Return: 0 ...  UVM_PAGES_PER_BLOCK - 1.
 */
static inline unsigned int uvm_page_in_2m(u64 addr)
{
	return (addr >> UVM_PAGE_SHIFT) & (UVM_PAGES_PER_BLOCK - 1);
}

struct uvm_block_gpu_state;
struct uvm_block_state;
struct uvm_chunk;
struct uvm_chunk_pool;
struct uvm_fault;
struct uvm_fault_batch;
struct uvm_gpu;
struct uvm_page_mask;
struct uvm_prefetch_input;
struct uvm_tracker;
struct uvm_va_block;
struct uvm_va_range;
struct uvm_va_range_tree;
struct uvm_va_space;

#endif
