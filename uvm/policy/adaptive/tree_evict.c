// SPDX-License-Identifier: GPL-2.0
/* Tree-based eviction; see tree_evict.h. */
#include <kunit/visibility.h>
#include <linux/bitmap.h>
#include <linux/export.h>
#include "base/types.h"
#include "policy/adaptive/tree_evict.h"

u32 uvm_tree_evict(u32 leaves, u32 there)
{
	u32 left = there;
	unsigned int size, first;

	for (size = 2; size <= UVM_BIG_PER_BLOCK; size *= 2) {
		for (first = 0; first < UVM_BIG_PER_BLOCK; first += size) {
			u32 node = GENMASK(first + size - 1, first);

			if (2 * hweight32(left & node) < hweight32(leaves & node))
				left &= ~node;
		}
	}
	return there & ~left;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_tree_evict);
