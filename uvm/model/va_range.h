/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Managed ranges of a VA space: which addresses are ours, their policy, and
 * the blocks under them.
 *
 * Ranges are [start, end], inclusive, page aligned, and never overlap.  Block
 * i of a range is the part of it in the i-th aligned 2 MB that it touches; the
 * first and last may be short.  2 MB boundaries are '|':
 *
 *  1) insert beside			2) insert over: -EEXIST
 *	 a		 b			 a
 *	[-----]		[----]			[--------]
 *		[------]			      [-----]
 *		 c				       b
 *
 *  3) split on a boundary: blocks are dealt out, none is shared
 *	[----0----|----1----]    ->    [----0----]|[----0----]
 *
 *  4) split inside block 1: both ranges point at it from now on, and the
 *     caller is told, for the second pointer needs a reference
 *	[----0----|----1----]    ->    [----0----|-1-][--0--]
 *
 *  5) split inside the only block: as 4
 *	|  [------0------]  |    ->    |  [--0--][--0--]  |
 *
 *  6) split at the start, past the end or off a page: -EINVAL
 *
 *  7) span [x, y] covered without a hole, by one range or by several
 *	 [-----a-----][---b---]   [--c--]
 *	     x----------y			covered
 *	     x------------------------y		not covered
 *
 * Pure: the lock of the VA space is the caller's.
 */
#ifndef UVM_VA_RANGE_H
#define UVM_VA_RANGE_H

#include <linux/interval_tree.h>
#include <linux/rbtree.h>
#include <linux/slab.h>
#include <linux/types.h>
#include "base/types.h"

/**
 * struct uvm_va_policy - advice for a range
 * @preferred: preferred location, or UVM_ID_INVALID
 * @read_duplication: enum uvm_read_duplication
 * @accessed_by: bit per processor that is to have the range mapped wherever it is
 */
struct uvm_va_policy {
	u8 preferred;
	u8 read_duplication;
	u16 accessed_by;
};

/**
 * struct uvm_va_range - a managed range; embed it
 * @node: node.start and node.last are the range
 * @policy: what the user advised
 * @nr_blocks: length of @blocks in use
 * @blocks: VA blocks, each NULL until first touched; the caller's
 */
struct uvm_va_range {
	struct interval_tree_node node;
	struct uvm_va_policy policy;
	unsigned int nr_blocks;
	void **blocks;
};

/**
 * struct uvm_va_range_tree - the ranges of one VA space
 * @root: by address
 * @count: how many
 */
struct uvm_va_range_tree {
	struct rb_root_cached root;
	unsigned int count;
};

/**
 * uvm_va_range_start - first byte of a range
 * @range: the range
 *
 * Return: the address, page aligned.
 */
static inline u64 uvm_va_range_start(const struct uvm_va_range *range)
{
	return range->node.start;
}

/**
 * uvm_va_range_end - last byte of a range
 * @range: the range
 *
 * Return: the address; the next one is page aligned.
 */
static inline u64 uvm_va_range_end(const struct uvm_va_range *range)
{
	return range->node.last;
}

static inline u64 uvm_va_range_bytes(const struct uvm_va_range *range)
{
	return range->node.last - range->node.start + 1;
}

/**
 * uvm_va_range_contains - does a range have an address?
 * @range: the range
 * @addr: any address
 *
 * Return: true if so.
 */
static inline bool uvm_va_range_contains(const struct uvm_va_range *range, u64 addr)
{
	return addr >= range->node.start && addr <= range->node.last;
}

/**
 * uvm_va_range_block_index - which block of a range holds an address?
 * @range: the range
 * @addr: an address of it
 *
 * Return: index in @range->blocks.
 */
static inline unsigned int uvm_va_range_block_index(const struct uvm_va_range *range, u64 addr)
{
	return (addr >> UVM_BLOCK_SHIFT) - (range->node.start >> UVM_BLOCK_SHIFT);
}

void uvm_va_range_tree_init(struct uvm_va_range_tree *tree);
int uvm_va_range_init(struct uvm_va_range *range, u64 start, u64 end, gfp_t gfp);
void uvm_va_range_fini(struct uvm_va_range *range);
u64 uvm_va_range_block_start(const struct uvm_va_range *range, unsigned int index);
u64 uvm_va_range_block_end(const struct uvm_va_range *range, unsigned int index);

int uvm_va_range_insert(struct uvm_va_range_tree *tree, struct uvm_va_range *range);
void uvm_va_range_remove(struct uvm_va_range_tree *tree, struct uvm_va_range *range);
struct uvm_va_range *uvm_va_range_find(struct uvm_va_range_tree *tree, u64 addr);
struct uvm_va_range *uvm_va_range_first(struct uvm_va_range_tree *tree, u64 start, u64 end);
struct uvm_va_range *uvm_va_range_next(struct uvm_va_range *range, u64 start, u64 end);
bool uvm_va_range_covers(struct uvm_va_range_tree *tree, u64 start, u64 end);
int uvm_va_range_split(struct uvm_va_range_tree *tree, struct uvm_va_range *range,
		       struct uvm_va_range *right, void **shared_block);

/**
 * struct uvm_va_range_iter - cursor of for_each_uvm_va_range_in()
 * @next: what comes next
 * @start: span, first byte
 * @end: span, last byte
 */
struct uvm_va_range_iter {
	struct uvm_va_range *next;
	u64 start;
	u64 end;
};

static inline struct uvm_va_range_iter uvm_va_range_iter_make(struct uvm_va_range_tree *tree,
							      u64 start, u64 end)
{
	return (struct uvm_va_range_iter){
		.next = uvm_va_range_first(tree, start, end), .start = start, .end = end
	};
}

static inline struct uvm_va_range *uvm_va_range_iter_next(struct uvm_va_range_iter *iter)
{
	struct uvm_va_range *range = iter->next;

	if (range)
		iter->next = uvm_va_range_next(range, iter->start, iter->end);
	return range;
}

/* Ranges that meet [@start, @end], ascending; @range itself may be removed inside. */
#define for_each_uvm_va_range_in(range, tree, start, end) \
	for (struct uvm_va_range_iter uvm_it = uvm_va_range_iter_make((tree), (start), (end)); \
	     ((range) = uvm_va_range_iter_next(&uvm_it));)

#endif
