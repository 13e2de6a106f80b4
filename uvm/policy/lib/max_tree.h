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

/**
 * uvm_max_tree_init - so many numbers, all UVM_MAX_TREE_NONE
 * @tree: written
 * @nodes: the first node of the first record; they stay in use
 * @nr: numbers, and records of UVM_MAX_TREE_NODES nodes; at least 1
 * @record_bytes: from one record to the next
 */
void uvm_max_tree_init(struct uvm_max_tree *tree, void *nodes, u32 nr, u32 record_bytes);

/**
 * uvm_max_tree_set - change a number
 * @tree: the numbers
 * @i: which, from 0
 * @value: what it is; UVM_MAX_TREE_NONE: nothing
 */
void uvm_max_tree_set(const struct uvm_max_tree *tree, u32 i, s64 value);

/**
 * uvm_max_tree_get - a number
 * @tree: the numbers
 * @i: which, from 0
 *
 * Return: as it was set; UVM_MAX_TREE_NONE if it never was.
 */
s64 uvm_max_tree_get(const struct uvm_max_tree *tree, u32 i);

/**
 * uvm_max_tree_max - the largest number
 * @tree: the numbers
 *
 * Return: the number; UVM_MAX_TREE_NONE: there is none.
 */
s64 uvm_max_tree_max(const struct uvm_max_tree *tree);

/**
 * uvm_max_tree_first - the first number that is large enough
 * @tree: the numbers
 * @i: where to begin, from 0; may be beyond the last
 * @value: how large; not UVM_MAX_TREE_NONE
 *
 * Return: which it is, @i or more; U32_MAX: there is none.
 */
u32 uvm_max_tree_first(const struct uvm_max_tree *tree, u32 i, s64 value);

#endif
