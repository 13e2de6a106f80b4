/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * User ABI of /dev/uvm: the future, for eviction policies that are allowed to know it.  Included by
 * <linux/uvm.h>, which has the numbers of the ioctls.
 */
#ifndef _UAPI_LINUX_UVM_FUTURE_H
#define _UAPI_LINUX_UVM_FUTURE_H

#include <linux/types.h>

/**
 * struct uvm_page_stays - a page that will be in GPU memory
 * @address: where it begins, a multiple of the GPU's root_chunk_granularity
 * @stays: how often it comes, at least once
 * @__reserved: 0
 */
struct uvm_page_stays {
	__aligned_u64 address;
	__u32 stays;
	__u32 __reserved;
};

#define UVM_STAYS_MAX		8388608

/**
 * struct uvm_set_stays - UVM_IOC_SET_STAYS: tell eviction_policy=min the future
 * @size: sizeof
 * @flags: 0
 * @gpu: GPU of the VA space
 * @nr_pages: how many pages; 0: nothing is known any more
 * @pages: address of so many struct uvm_page_stays, by ascending addresses
 * @ends: address of @nr_stays numbers of 32 bits: when each stay of the first page ends,
 *	ascending, then of the second, and so on; all ones: it does not
 * @nr_stays: of all pages, at most UVM_STAYS_MAX
 * @__reserved: 0
 *
 * A stay lasts from the arrival of a page to its eviction.  Of all that is in GPU memory the stay
 * with the least end goes first, whatever the unit of ends is.  The eviction policy of the GPU
 * begins anew.  It holds until the last VA space leaves the GPU, the size of units changes, or
 * UVM_IOC_SET_USES tells something else.
 */
struct uvm_set_stays {
	__u32 size;
	__u32 flags;
	__s32 gpu;
	__u32 nr_pages;
	__aligned_u64 pages;
	__aligned_u64 ends;
	__u32 nr_stays;
	__u32 __reserved;
};

/**
 * struct uvm_use - when some of 64 KB will be used
 * @position: in the order of all uses of all 64 KB; less than all ones
 * @requests: how many: what one instruction of one warp wants of one page is a request
 * @pages: bit per page of 4 KB that one of them is for
 * @__reserved: 0
 */
struct uvm_use {
	__u32 position;
	__u32 requests;
	__u16 pages;
	__u16 __reserved;
};

/**
 * struct uvm_used - 64 KB that will be used
 * @address: where they begin, a multiple of 64 KB
 * @uses: how often, at least once
 * @__reserved: 0
 */
struct uvm_used {
	__aligned_u64 address;
	__u32 uses;
	__u32 __reserved;
};

#define UVM_USES_MAX		8388608

/**
 * struct uvm_set_uses - UVM_IOC_SET_USES: tell eviction_policy=fnu the future
 * @size: sizeof
 * @flags: 0
 * @gpu: GPU of the VA space
 * @nr_used: how many 64 KB; 0: nothing is known any more
 * @used: address of so many struct uvm_used, by ascending addresses
 * @uses: address of @nr_uses struct uvm_use: those of the first 64 KB, by ascending positions,
 *	then of the second, and so on
 * @launches: address of @nr_launches numbers of 32 bits: the position with which each launch of
 *	the VA space on the GPU begins, none less than the one before
 * @nr_uses: of all, at most UVM_USES_MAX
 * @nr_launches: at least one, at most UVM_USES_MAX
 *
 * The eviction policy of the GPU begins anew; launches are those that begin from then on.  It holds
 * until the last VA space leaves the GPU, the size of units changes, or UVM_IOC_SET_STAYS tells
 * something else.
 */
struct uvm_set_uses {
	__u32 size;
	__u32 flags;
	__s32 gpu;
	__u32 nr_used;
	__aligned_u64 used;
	__aligned_u64 uses;
	__aligned_u64 launches;
	__u32 nr_uses;
	__u32 nr_launches;
};

#endif
