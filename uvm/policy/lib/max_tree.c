// SPDX-License-Identifier: GPL-2.0
/* Numbers in a row; see max_tree.h.  Node 1 is the largest of all, I of 2 * I and 2 * I + 1. */
#include <linux/log2.h>
#include <linux/minmax.h>
#include "policy/lib/max_tree.h"

static s64 *max_tree_node(const struct uvm_max_tree *tree, u32 i)
{
	s64 *record = tree->nodes + (size_t)(i / UVM_MAX_TREE_NODES) * tree->record_bytes;

	return record + i % UVM_MAX_TREE_NODES;
}

void uvm_max_tree_init(struct uvm_max_tree *tree, void *nodes, u32 nr, u32 record_bytes)
{
	u32 i;

	*tree = (struct uvm_max_tree){
		.nodes = nodes, .record_bytes = record_bytes, .leaves = roundup_pow_of_two(nr),
	};
	for (i = 1; i < 2 * tree->leaves; i++)
		*max_tree_node(tree, i) = UVM_MAX_TREE_NONE;
}

void uvm_max_tree_set(const struct uvm_max_tree *tree, u32 i, s64 value)
{
	i += tree->leaves;
	*max_tree_node(tree, i) = value;
	while (i /= 2)
		*max_tree_node(tree, i) = max(*max_tree_node(tree, 2 * i),
					      *max_tree_node(tree, 2 * i + 1));
}

s64 uvm_max_tree_get(const struct uvm_max_tree *tree, u32 i)
{
	return *max_tree_node(tree, i + tree->leaves);
}

s64 uvm_max_tree_max(const struct uvm_max_tree *tree)
{
	return *max_tree_node(tree, 1);
}

u32 uvm_max_tree_first(const struct uvm_max_tree *tree, u32 i, s64 value)
{
	if (i >= tree->leaves)
		return U32_MAX;
	i += tree->leaves;
	/* up, and one to the right, until it is below */
	while (*max_tree_node(tree, i) < value) {
		while (i & 1)
			i /= 2;
		if (!i)
			return U32_MAX;
		i++;
	}
	while (i < tree->leaves) {
		i *= 2;
		i += *max_tree_node(tree, i) < value;
	}
	return i - tree->leaves;
}
