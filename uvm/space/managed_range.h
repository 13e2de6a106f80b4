/* SPDX-License-Identifier: GPL-2.0 */
/* Managed ranges: their memory, what policies keep of them, and cutting one in two. */
#ifndef UVM_MANAGED_RANGE_H
#define UVM_MANAGED_RANGE_H

#include "space/va_space_types.h"

/* In no tree, charged to the user; NULL without memory. */
struct uvm_va_range *uvm_managed_range_new(u64 start, u64 end);
void uvm_managed_range_free(struct uvm_va_range *range);
/* Its addresses are managed from now on.  ranges_lock held.  Return: 0, -EEXIST or -ENOMEM. */
int uvm_managed_range_insert(struct uvm_va_space *va_space, struct uvm_va_range *range);
/* The reverse.  ranges_lock held. */
void uvm_managed_range_remove(struct uvm_va_space *va_space, struct uvm_va_range *range);
/*
 * Keep what the policies of the VA space's parameters name, and nothing else; what both before and
 * now name goes on.  @lock held for writing, or nobody else knows the VA space.
 * Return: 0 or -ENOMEM: some are not kept, which costs their policies what they would know.
 */
int uvm_va_space_keep_range_states(struct uvm_va_space *va_space);
/*
 * Cut a range in two at @addr, a page inside it.  A block that lies across the cut serves both
 * halves from now on.  ranges_lock held.  Return: 0 or -ENOMEM.
 */
int uvm_va_space_split_range(struct uvm_va_space *va_space, struct uvm_va_range *range, u64 addr);

#endif
