/* SPDX-License-Identifier: GPL-2.0 */
/* Managed ranges: their memory, what policies keep of them, and cutting one in two. */
#ifndef UVM_MANAGED_RANGE_H
#define UVM_MANAGED_RANGE_H

#include "space/va_space_types.h"

/**
 * uvm_managed_range_new - make a range, in no tree, charged to the user
 * @start: first byte, page aligned
 * @end: last byte of a page
 *
 * Context: may sleep.
 * Return: the range; NULL without memory, or if the user would have too much.
 */
struct uvm_va_range *uvm_managed_range_new(u64 start, u64 end);

/**
 * uvm_managed_range_free - the reverse of uvm_managed_range_new()
 * @range: in no tree; its blocks are the caller's
 */
void uvm_managed_range_free(struct uvm_va_range *range);

/**
 * uvm_managed_range_insert - the addresses of a range are managed from now on
 * @va_space: the VA space
 * @range: the range
 *
 * Context: ranges_lock held; takes range_lock; may sleep.
 * Return: 0, -EEXIST: some of them are already, or -ENOMEM.
 */
int uvm_managed_range_insert(struct uvm_va_space *va_space, struct uvm_va_range *range);

/**
 * uvm_managed_range_remove - the addresses of a range are not managed any more
 * @va_space: the VA space
 * @range: a range of it; the caller frees it
 *
 * Context: ranges_lock held; takes range_lock.
 */
void uvm_managed_range_remove(struct uvm_va_space *va_space, struct uvm_va_range *range);

/**
 * uvm_va_space_keep_range_states - keep what the policies of the VA space's parameters name
 * @va_space: the VA space
 *
 * Nothing else is kept; what both before and now name goes on.
 *
 * Context: va_space->lock held for writing, or nobody else knows the VA space; takes ranges_lock;
 * may sleep.
 * Return: 0 or -ENOMEM: some are not kept, which costs their policies what they would know.
 */
int uvm_va_space_keep_range_states(struct uvm_va_space *va_space);

/**
 * uvm_va_space_split_range - cut a range in two
 * @va_space: the VA space
 * @range: the range, which keeps the lower half
 * @addr: address of a page inside it, not its first
 *
 * A block that lies across the cut serves both halves from now on.
 *
 * Context: ranges_lock held; takes range_lock; may sleep.
 * Return: 0 or -ENOMEM.
 */
int uvm_va_space_split_range(struct uvm_va_space *va_space, struct uvm_va_range *range, u64 addr);

#endif
