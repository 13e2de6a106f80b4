// SPDX-License-Identifier: GPL-2.0
/*
 * Does a copy of a user get on?  See copy_progress.h.
 */
#include <linux/export.h>
#include <linux/kernel.h>
#include <kunit/visibility.h>
#include "model/copy_progress.h"

bool uvm_copy_progress_fault(struct uvm_copy_progress *progress, u64 address, bool write,
			     bool evicted, u64 moved)
{
	bool own = progress->taken[write] && progress->address[write] == address;

	progress->taken[write] = false;
	progress->address[write] = address;
	if (progress->moved != moved)
		progress->again = 0;
	else if (own)
		progress->again += UVM_COPY_AGAIN_OTHERS;
	else if (evicted)
		progress->again++;
	progress->moved = moved;
	return progress->again >= UVM_COPY_AGAIN_OWN * UVM_COPY_AGAIN_OTHERS;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_copy_progress_fault);

void uvm_copy_progress_take(struct uvm_copy_progress *progress, u64 first, u64 last)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(progress->address); i++)
		if (progress->address[i] >= first && progress->address[i] <= last)
			progress->taken[i] = true;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_copy_progress_take);
