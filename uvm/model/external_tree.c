// SPDX-License-Identifier: GPL-2.0
/*
 * External ranges: which there are, what is mapped in them.
 */
#include <kunit/visibility.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include "model/external_tree.h"

static struct uvm_external_range *external_from_node(struct interval_tree_node *node)
{
	return node ? container_of(node, struct uvm_external_range, node) : NULL;
}

/**
 * uvm_external_insert - add a range
 * @tree: the tree
 * @range: node.start and node.last set, in no tree
 *
 * Return: 0, -EEXIST if it meets another one.
 */
int uvm_external_insert(struct rb_root_cached *tree, struct uvm_external_range *range)
{
	if (uvm_external_overlaps(tree, range->node.start, range->node.last))
		return -EEXIST;
	INIT_LIST_HEAD(&range->maps);
	interval_tree_insert(&range->node, tree);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_external_insert);

/**
 * uvm_external_remove - take a range out
 * @tree: the tree
 * @range: in it; its maps are the caller's
 */
void uvm_external_remove(struct rb_root_cached *tree, struct uvm_external_range *range)
{
	interval_tree_remove(&range->node, tree);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_external_remove);

/**
 * uvm_external_overlaps - does a span meet an external range?
 * @tree: the tree
 * @start: first byte
 * @end: last byte
 *
 * Return: true if so.
 */
bool uvm_external_overlaps(struct rb_root_cached *tree, u64 start, u64 end)
{
	return interval_tree_iter_first(tree, start, end);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_external_overlaps);

/**
 * uvm_external_find - range that holds a whole span
 * @tree: the tree
 * @start: first byte of the span
 * @end: last byte
 *
 * Return: the range, or NULL.
 */
struct uvm_external_range *uvm_external_find(struct rb_root_cached *tree, u64 start, u64 end)
{
	struct uvm_external_range *range;

	range = external_from_node(interval_tree_iter_first(tree, start, end));
	return range && range->node.start <= start && range->node.last >= end ? range : NULL;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_external_find);

/**
 * uvm_external_first - some range, the lowest
 * @tree: the tree
 *
 * Return: the range, or NULL if there is none.
 */
struct uvm_external_range *uvm_external_first(struct rb_root_cached *tree)
{
	return external_from_node(interval_tree_iter_first(tree, 0, ULONG_MAX));
}
EXPORT_SYMBOL_IF_KUNIT(uvm_external_first);

/* Is @a before @b in the list of maps? */
static bool external_before(const struct uvm_external_span *a, const struct uvm_external_span *b)
{
	return a->gpu != b->gpu ? a->gpu < b->gpu : a->start < b->start;
}

/**
 * uvm_external_add_map - map something
 * @range: the range
 * @map: start, end and gpu set
 *
 * Return: 0; -EINVAL if it does not lie in the range; -EEXIST if something of it
 * is mapped on that GPU.
 */
int uvm_external_add_map(struct uvm_external_range *range, struct uvm_external_span *map)
{
	struct list_head *behind = &range->maps;
	struct uvm_external_span *at;

	if (map->start > map->end || map->start < range->node.start ||
	    map->end > range->node.last)
		return -EINVAL;
	list_for_each_entry(at, &range->maps, node) {
		if (at->gpu == map->gpu && at->start <= map->end && map->start <= at->end)
			return -EEXIST;
		if (external_before(at, map))
			behind = &at->node;
	}
	list_add(&map->node, behind);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_external_add_map);

/**
 * uvm_external_take_maps - take the maps of a span out
 * @range: the range
 * @start: first byte of the span
 * @end: last byte
 * @gpu: of this GPU
 * @taken: they are added to it, in order
 *
 * Return: 0; -ENOENT if there is none; -EINVAL if one lies in the span only in
 * part, and then none is taken.
 */
int uvm_external_take_maps(struct uvm_external_range *range, u64 start, u64 end,
			   unsigned int gpu, struct list_head *taken)
{
	struct uvm_external_span *at, *next;
	unsigned int found = 0;

	list_for_each_entry(at, &range->maps, node) {
		if (at->gpu != gpu || at->end < start || at->start > end)
			continue;
		if (at->start < start || at->end > end)
			return -EINVAL;
		found++;
	}
	if (!found)
		return -ENOENT;
	list_for_each_entry_safe(at, next, &range->maps, node)
		if (at->gpu == gpu && at->start >= start && at->end <= end)
			list_move_tail(&at->node, taken);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_external_take_maps);

/**
 * uvm_external_take_peer - take the maps of another GPU's memory out
 * @range: the range
 * @gpu: of this GPU
 * @owner: of the memory of this one
 * @taken: they are added to it, in order
 */
void uvm_external_take_peer(struct uvm_external_range *range, unsigned int gpu,
			    unsigned int owner, struct list_head *taken)
{
	struct uvm_external_span *at, *next;

	list_for_each_entry_safe(at, next, &range->maps, node)
		if (at->gpu == gpu && at->owner == owner)
			list_move_tail(&at->node, taken);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_external_take_peer);

/**
 * uvm_external_find_map - a map that holds a whole span
 * @range: the range
 * @start: first byte of the span
 * @end: last byte
 * @gpu: of this GPU if it has one, else of the first that does
 *
 * Return: the map, or NULL.
 */
struct uvm_external_span *uvm_external_find_map(struct uvm_external_range *range, u64 start,
						u64 end, unsigned int gpu)
{
	struct uvm_external_span *at, *found = NULL;

	list_for_each_entry(at, &range->maps, node) {
		if (at->start > start || at->end < end)
			continue;
		if (at->gpu == gpu)
			return at;
		found = found ?: at;
	}
	return found;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_external_find_map);

/**
 * uvm_external_piece - the first piece of a map that one page table holds
 * @va: where it begins, page aligned
 * @offset: offset in the memory object; physical addresses are aligned as it is,
 *	and contiguous within its aligned 2 MB
 * @bytes: length of the map from there on, whole pages, not 0
 * @page_size: out: 64K where address and offset allow, else 4K
 *
 * Return: its length; it ends where another page size begins, and does not cross
 * an aligned 2 MB of the address.
 */
u64 uvm_external_piece(u64 va, u64 offset, u64 bytes, u64 *page_size)
{
	u64 to_block = UVM_BLOCK_SIZE - va % UVM_BLOCK_SIZE;
	u64 to_big = UVM_BIG_PAGE - va % UVM_BIG_PAGE;
	u64 left = min_t(u64, bytes, to_block);

	*page_size = UVM_PAGE_SIZE;
	if ((va ^ offset) % UVM_BIG_PAGE)
		return left;
	if (va % UVM_BIG_PAGE)
		return min(left, to_big);
	if (left < UVM_BIG_PAGE)
		return left;
	*page_size = UVM_BIG_PAGE;
	return left - left % UVM_BIG_PAGE;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_external_piece);
