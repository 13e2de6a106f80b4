/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * User ABI of /dev/uvm: looking at managed memory, and eviction by address.  Included by
 * <linux/uvm.h>, which has the numbers of the ioctls.
 */
#ifndef _UAPI_LINUX_UVM_RESIDENCY_H
#define _UAPI_LINUX_UVM_RESIDENCY_H

#include <linux/types.h>

/* uvm_page_residency.flags */
#define UVM_PAGE_DISCARDED	1	/* its bytes are not wanted any more */

/**
 * struct uvm_page_residency - one page of UVM_IOC_RESIDENCY
 * @resident: whose memory has its bytes; several: it is read-duplicated; none: nobody
 *	has used it yet
 * @populated: whose memory is set aside for it, be it that its bytes are elsewhere
 * @readable: who has it mapped
 * @writable: who may write through that
 * @atomic: whose atomics work through that
 * @pte_64k: who has it mapped by a PTE of 64 KB
 * @pte_2m: who has it mapped by a PTE of 2 MB
 * @flags: UVM_PAGE_DISCARDED or 0
 *
 * A bit per processor, 0: the CPU, 1 + N: GPU N.  Who has mapped what he does not have
 * himself uses the closest of the others' copies.  The CPU's mapping is what it may map
 * without being served: the kernel takes entries away without asking.
 */
struct uvm_page_residency {
	__u16 resident;
	__u16 populated;
	__u16 readable;
	__u16 writable;
	__u16 atomic;
	__u16 pte_64k;
	__u16 pte_2m;
	__u16 flags;
};

#define UVM_RESIDENCY_PAGES	128	/* per call */

/**
 * struct uvm_residency - UVM_IOC_RESIDENCY: where pages are, and who has mapped them how
 * @size: sizeof
 * @flags: 0
 * @base: start, page aligned
 * @length: bytes, page aligned, 1 ... UVM_RESIDENCY_PAGES pages
 * @pages: out: one per page of the span, then zeros
 *
 * Only looks: nothing is moved, mapped or made, no page counts as used, and no simulated
 * time passes.  What is told is what the driver has decided; the GPU's work for that may
 * still be under way (UVM_IOC_QUIESCE waits for it).
 */
struct uvm_residency {
	__u32 size;
	__u32 flags;
	__aligned_u64 base;
	__aligned_u64 length;
	struct uvm_page_residency pages[UVM_RESIDENCY_PAGES];
};

/**
 * struct uvm_evict - UVM_IOC_EVICT: bring pages home from a GPU, as an eviction does
 * @size: sizeof
 * @flags: 0
 * @base: start, page aligned
 * @length: bytes, page aligned, not 0
 * @gpu: index of the GPU, registered
 * @__reserved: 0
 * @bytes: out: memory of the GPU that was given back
 *
 * Chunks of GPU memory go whole (2 MB, or root_chunk_granularity), so pages of the same
 * 2 MB that are not in the span may go, too; memory of others never does.  For tests and
 * experiments: who only wants pages elsewhere migrates them.
 */
struct uvm_evict {
	__u32 size;
	__u32 flags;
	__aligned_u64 base;
	__aligned_u64 length;
	__s32 gpu;
	__u32 __reserved;
	__aligned_u64 bytes;
};

/**
 * struct uvm_validate_range - UVM_IOC_VALIDATE_RANGE: is a span in one range?
 * @size: sizeof
 * @flags: 0
 * @base: start, page aligned
 * @length: bytes, page aligned, not 0
 *
 * ENOENT: not within one managed or external range.  Advice about a part of a managed
 * range cuts it into several.
 */
struct uvm_validate_range {
	__u32 size;
	__u32 flags;
	__aligned_u64 base;
	__aligned_u64 length;
};

/**
 * struct uvm_get_pattern - UVM_IOC_PATTERN: what a policy sees in an allocation
 * @size: sizeof
 * @flags: 0
 * @address: in: any address of a managed range
 * @base: out: start of the range
 * @length: out: its bytes
 * @pattern: out: enum uvm_pattern: in what order its data have come to GPUs by now
 * @__reserved: 0
 *
 * Takes no simulated time.  EINVAL: not managed; ENOENT: no policy of the VA space looks at the
 * order in which data come.
 */
struct uvm_get_pattern {
	__u32 size;
	__u32 flags;
	__aligned_u64 address;
	__aligned_u64 base;
	__aligned_u64 length;
	__u32 pattern;
	__u32 __reserved;
};

/**
 * struct uvm_pageable_access - UVM_IOC_PAGEABLE_ACCESS: do GPUs reach ordinary memory?
 * @size: sizeof
 * @flags: 0
 * @access: out: 0: what is neither managed nor external is a fatal fault
 * @__reserved: 0
 */
struct uvm_pageable_access {
	__u32 size;
	__u32 flags;
	__u32 access;
	__u32 __reserved;
};

#endif
