// SPDX-License-Identifier: GPL-2.0
/*
 * Managed ranges of a VA space.
 */
#include <kunit/visibility.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include "model/va_range.h"

static unsigned int va_range_nr_blocks(u64 start, u64 end)
{
	return (end >> UVM_BLOCK_SHIFT) - (start >> UVM_BLOCK_SHIFT) + 1;
}

static struct uvm_va_range *va_range_from_node(struct interval_tree_node *node)
{
	return node ? container_of(node, struct uvm_va_range, node) : NULL;
}

/**
 * uvm_va_range_tree_init - make a tree without ranges
 * @tree: the tree
 */
void uvm_va_range_tree_init(struct uvm_va_range_tree *tree)
{
	tree->root = RB_ROOT_CACHED;
	tree->count = 0;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_va_range_tree_init);

/**
 * uvm_va_range_init - make a range without blocks, in no tree
 * @range: the range
 * @start: first byte, page aligned
 * @end: last byte, last of its page
 * @gfp: for the array of blocks
 *
 * Return: 0, -EINVAL, -ENOMEM.
 */
int uvm_va_range_init(struct uvm_va_range *range, u64 start, u64 end, gfp_t gfp)
{
	if (start > end || start % UVM_PAGE_SIZE || (end + 1) % UVM_PAGE_SIZE)
		return -EINVAL;
	range->nr_blocks = va_range_nr_blocks(start, end);
	range->blocks = kvcalloc(range->nr_blocks, sizeof(*range->blocks), gfp);
	if (!range->blocks)
		return -ENOMEM;
	range->node.start = start;
	range->node.last = end;
	range->policy.preferred = UVM_ID_INVALID;
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_va_range_init);

/**
 * uvm_va_range_fini - free what uvm_va_range_init() allocated
 * @range: in no tree; the blocks are not looked at
 */
void uvm_va_range_fini(struct uvm_va_range *range)
{
	kvfree(range->blocks);
	range->blocks = NULL;
	range->nr_blocks = 0;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_va_range_fini);

/**
 * uvm_va_range_block_start - where a block of a range begins
 * @range: the range
 * @index: of the block
 *
 * Return: first byte that is both in the range and in the block's 2 MB.
 */
u64 uvm_va_range_block_start(const struct uvm_va_range *range, unsigned int index)
{
	u64 start = uvm_block_align_down(range->node.start) + (u64)index * UVM_BLOCK_SIZE;

	return max_t(u64, start, range->node.start);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_va_range_block_start);

/**
 * uvm_va_range_block_end - where a block of a range ends
 * @range: the range
 * @index: of the block
 *
 * Return: last byte that is both in the range and in the block's 2 MB.
 */
u64 uvm_va_range_block_end(const struct uvm_va_range *range, unsigned int index)
{
	u64 end = uvm_block_align_down(range->node.start) + index * UVM_BLOCK_SIZE +
		  UVM_BLOCK_SIZE - 1;

	return min_t(u64, end, range->node.last);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_va_range_block_end);

/**
 * uvm_va_range_insert - add a range
 * @tree: the tree
 * @range: in no tree
 *
 * Return: 0, -EEXIST if it meets another one.
 */
int uvm_va_range_insert(struct uvm_va_range_tree *tree, struct uvm_va_range *range)
{
	if (interval_tree_iter_first(&tree->root, range->node.start, range->node.last))
		return -EEXIST;
	interval_tree_insert(&range->node, &tree->root);
	tree->count++;
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_va_range_insert);

/**
 * uvm_va_range_remove - take a range out
 * @tree: the tree
 * @range: in it
 */
void uvm_va_range_remove(struct uvm_va_range_tree *tree, struct uvm_va_range *range)
{
	interval_tree_remove(&range->node, &tree->root);
	tree->count--;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_va_range_remove);

/**
 * uvm_va_range_find - range of an address
 * @tree: the tree
 * @addr: any address
 *
 * Return: the range, or NULL.
 */
struct uvm_va_range *uvm_va_range_find(struct uvm_va_range_tree *tree, u64 addr)
{
	return uvm_va_range_first(tree, addr, addr);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_va_range_find);

/**
 * uvm_va_range_first - first range of a span
 * @tree: the tree
 * @start: first byte of the span
 * @end: last byte
 *
 * Return: the lowest range that meets the span, or NULL.
 */
struct uvm_va_range *uvm_va_range_first(struct uvm_va_range_tree *tree, u64 start, u64 end)
{
	return va_range_from_node(interval_tree_iter_first(&tree->root, start, end));
}
EXPORT_SYMBOL_IF_KUNIT(uvm_va_range_first);

/**
 * uvm_va_range_next - next range of a span
 * @range: the one before
 * @start: first byte of the span
 * @end: last byte
 *
 * Return: the range, or NULL.
 */
struct uvm_va_range *uvm_va_range_next(struct uvm_va_range *range, u64 start, u64 end)
{
	return va_range_from_node(interval_tree_iter_next(&range->node, start, end));
}
EXPORT_SYMBOL_IF_KUNIT(uvm_va_range_next);

/**
 * uvm_va_range_covers - is every byte of a span managed?
 * @tree: the tree
 * @start: first byte of the span
 * @end: last byte
 *
 * Return: true if ranges cover it without a hole.
 */
bool uvm_va_range_covers(struct uvm_va_range_tree *tree, u64 start, u64 end)
{
	struct uvm_va_range *range;
	u64 next = start;

	if (start > end)
		return false;
	for_each_uvm_va_range_in(range, tree, start, end) {
		if (range->node.start > next)
			return false;
		if (range->node.last >= end)
			return true;
		next = range->node.last + 1;
	}
	return false;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_va_range_covers);

/**
 * uvm_va_range_split - cut a range in two
 * @tree: the tree
 * @range: in it; keeps the part below @right
 * @right: in no tree, made by uvm_va_range_init() to begin inside @range and
 *	end with it; gets the policy and its share of the blocks
 * @shared_block: out: the block that both point to now, NULL if there is none
 *
 * Return: 0; -EINVAL if @right is no such part, and nothing has changed.
 */
int uvm_va_range_split(struct uvm_va_range_tree *tree, struct uvm_va_range *range,
		       struct uvm_va_range *right, void **shared_block)
{
	unsigned int first;

	if (right->node.start <= range->node.start || right->node.last != range->node.last)
		return -EINVAL;
	first = uvm_va_range_block_index(range, right->node.start);

	interval_tree_remove(&range->node, &tree->root);
	range->node.last = right->node.start - 1;
	interval_tree_insert(&range->node, &tree->root);
	interval_tree_insert(&right->node, &tree->root);
	tree->count++;

	right->policy = range->policy;
	for (unsigned int i = 0; i < right->nr_blocks; i++)
		right->blocks[i] = range->blocks[first + i];
	range->nr_blocks = va_range_nr_blocks(range->node.start, range->node.last);
	*shared_block = range->nr_blocks > first ? range->blocks[first] : NULL;
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_va_range_split);
