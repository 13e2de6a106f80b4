// SPDX-License-Identifier: GPL-2.0
/*
 * b+tree: queries of a B+ tree, after Rodinia's b+tree: a block for each query, whose threads
 * look at all keys of a node at once.
 *
 * b_tree_find looks for keys, b_tree_range for both ends of ranges.  A query reads a node of
 * each level and a record.  The upper levels are few pages, which all queries read.  Which
 * leaves and records depends on the order of queries: of any keys, as in Rodinia, or ascending.
 */
#ifndef KERNEL_B_TREE_C
#define KERNEL_B_TREE_C

#include <stdint.h>

#define B_TREE_ORDER	256		/* slots of a node, and threads of a block */
#define B_TREE_FILLED	(B_TREE_ORDER / 2) /* of them: what ascending insertion leaves behind */
#define B_TREE_NONE	UINT32_MAX	/* key of a free slot; answer where there is none */

/**
 * struct b_tree_node - a node
 * @index: of each slot: a node, in a leaf a record
 * @key: of each slot, the least below it; one more, which is larger than all
 * @count: slots in use
 * @leaf: 1 in a leaf
 */
struct b_tree_node {
	uint32_t index[B_TREE_ORDER + 1];
	uint32_t key[B_TREE_ORDER + 1];
	uint32_t count;
	uint32_t leaf;
};

/* What the blocks of one search need: a key, and the node they are at, of each. */
struct b_tree_search {
	const uint32_t *key;
	uint32_t *at;
	uint32_t *next;		/* written by one thread, until all have read @at */
};

/**
 * struct b_tree_args - arguments of both kernels
 * @node: the root, and the other nodes level by level
 * @record: in the order of keys
 * @levels: above the leaves
 * @find: keys to find
 * @answer: the record of each key, or B_TREE_NONE
 * @from: the first key of each range
 * @to: the last one
 * @first: the number of the record of @from, or B_TREE_NONE
 * @length: records of each range; 0 if an end was not found
 */
struct b_tree_args {
	const struct b_tree_node *node;
	const uint32_t *record;
	uint64_t levels;
	struct b_tree_search find;
	uint32_t *answer;
	struct b_tree_search from, to;
	uint32_t *first, *length;
};

#ifdef __riscv
#include <softgpu_kernel.h>

SGPU_REGISTERS(40);

/* The thread whose slot has the key says where to go on. */
static inline void b_tree_look(const struct b_tree_node *node, const uint32_t *at, uint32_t *next,
			       uint64_t key)
{
	uint32_t slot = thread_idx_x();

	node += *at;
	if (node->key[slot] <= key && key < node->key[slot + 1])
		*next = node->index[slot];
}

/* The slot's record, if it has the key. */
static inline uint32_t b_tree_match(const struct b_tree_node *node, const uint32_t *at,
				    uint64_t key)
{
	uint32_t slot = thread_idx_x();

	node += *at;
	return node->key[slot] == key ? node->index[slot] : B_TREE_NONE;
}

void b_tree_find(const struct b_tree_args *args)
{
	uint32_t query = block_idx_x(), thread = thread_idx_x(), found;
	uint32_t *at = args->find.at + query, *next = args->find.next + query;
	const struct b_tree_node *node = args->node;
	uint64_t key = args->find.key[query], levels = args->levels;

	if (!thread) {
		*at = 0;
		args->answer[query] = B_TREE_NONE;
	}
	barrier();
	for (; levels; levels--) {
		b_tree_look(node, at, next, key);
		barrier();
		if (!thread)
			*at = *next;
		barrier();
	}
	found = b_tree_match(node, at, key);
	if (found != B_TREE_NONE)
		args->answer[query] = args->record[found];
}

void b_tree_range(const struct b_tree_args *args)
{
	uint32_t query = block_idx_x(), thread = thread_idx_x(), found;
	uint32_t *at[2] = { args->from.at + query, args->to.at + query };
	uint32_t *next[2] = { args->from.next + query, args->to.next + query };
	uint64_t key[2] = { args->from.key[query], args->to.key[query] };
	const struct b_tree_node *node = args->node;
	uint64_t levels = args->levels;

	if (!thread) {
		*at[0] = 0;
		*at[1] = 0;
		args->first[query] = B_TREE_NONE;
		args->length[query] = 0;
	}
	barrier();
	for (; levels; levels--) {
		b_tree_look(node, at[0], next[0], key[0]);
		b_tree_look(node, at[1], next[1], key[1]);
		barrier();
		if (!thread) {
			*at[0] = *next[0];
			*at[1] = *next[1];
		}
		barrier();
	}
	found = b_tree_match(node, at[0], key[0]);
	if (found != B_TREE_NONE)
		args->first[query] = found;
	barrier();
	found = b_tree_match(node, at[1], key[1]);
	if (found != B_TREE_NONE && args->first[query] != B_TREE_NONE)
		args->length[query] = found - args->first[query] + 1;
}
#endif

#endif
