/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers in a row, and the first that is as large as the largest: log2 of them for each change. */
#ifndef UVM_MAX_TREE_H
#define UVM_MAX_TREE_H

#include <linux/limits.h>
#include <linux/types.h>

#define UVM_MAX_TREE_NONE	S64_MIN
/* Nodes that there have to be for each number. */
#define UVM_MAX_TREE_NODES	4

/**
 * struct uvm_max_tree - where its nodes are: node I is number I % UVM_MAX_TREE_NODES of record I /
 *	UVM_MAX_TREE_NODES
 * @nodes: the first
 * @record_bytes: from one record to the next
 * @leaves: numbers that there may be, a power of two
 */
struct uvm_max_tree {
	void *nodes;
	u32 record_bytes;
	u32 leaves;
};

/* For @nr numbers, that many records; all are UVM_MAX_TREE_NONE. */
void uvm_max_tree_init(struct uvm_max_tree *tree, void *nodes, u32 nr, u32 record_bytes);
void uvm_max_tree_set(const struct uvm_max_tree *tree, u32 i, s64 value);
s64 uvm_max_tree_get(const struct uvm_max_tree *tree, u32 i);
/* The largest; UVM_MAX_TREE_NONE: there is none. */
s64 uvm_max_tree_max(const struct uvm_max_tree *tree);
/* The first from @i on that is @value or more; U32_MAX: there is none. */
u32 uvm_max_tree_first(const struct uvm_max_tree *tree, u32 i, s64 value);

#endif
