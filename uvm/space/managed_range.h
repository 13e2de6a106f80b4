/* SPDX-License-Identifier: GPL-2.0 */
/* Managed ranges: their memory, and cutting one in two. */
#ifndef UVM_MANAGED_RANGE_H
#define UVM_MANAGED_RANGE_H

#include "space/va_space_types.h"

/* In no tree, charged to the user; NULL without memory. */
struct uvm_va_range *uvm_managed_range_new(u64 start, u64 end);
void uvm_managed_range_free(struct uvm_va_range *range);
/*
 * Cut a range in two at @addr, a page inside it.  A block that lies across the cut serves both
 * halves from now on.  ranges_lock held.  Return: 0 or -ENOMEM.
 */
int uvm_va_space_split_range(struct uvm_va_space *va_space, struct uvm_va_range *range, u64 addr);

#endif
