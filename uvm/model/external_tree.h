/* SPDX-License-Identifier: GPL-2.0 */
/*
 * External ranges of a VA space: addresses that the user has reserved for memory
 * of the resource manager, and what is mapped there (nvidia-uvm 6.3).
 *
 * A range has no VMA and no blocks, and nothing of it can be faulted in.  Maps lie
 * inside a range, [start, end] inclusive; those of one GPU never overlap.
 *
 *  range	[----------------------------------]
 *  GPU 0	   [--a--][---b---]     [-c-]
 *  GPU 1	          [-----d-------]
 *
 * A map of GPU 0 over any of a, b, c is -EEXIST; taking away a span of GPU 0 that
 * cuts a map in two is -EINVAL (nvidia-uvm would replace and split).  Whose memory a
 * map shows is remembered: that of a GPU which is no peer any more goes.
 *
 * Pure: the lock is the caller's.
 */
#ifndef UVM_EXTERNAL_TREE_H
#define UVM_EXTERNAL_TREE_H

#include <linux/interval_tree.h>
#include <linux/limits.h>
#include <linux/list.h>
#include <linux/rbtree.h>
#include <linux/types.h>
#include "base/types.h"

/**
 * struct uvm_external_range - an external range
 * @node: node.start and node.last are the range
 * @maps: of struct uvm_external_span.node, by GPU and address
 */
struct uvm_external_range {
	struct interval_tree_node node;
	struct list_head maps;
};

/**
 * struct uvm_external_span - a map as the tree sees it; embed it
 * @node: in uvm_external_range.maps
 * @start: first byte
 * @end: last byte
 * @gpu: index of the GPU
 * @owner: index of the GPU whose memory it shows, %UVM_EXTERNAL_SYSTEM: of none
 */
struct uvm_external_span {
	struct list_head node;
	u64 start;
	u64 end;
	unsigned int gpu;
	unsigned int owner;
};

/* No index of a GPU. */
#define UVM_EXTERNAL_SYSTEM	UINT_MAX

int uvm_external_insert(struct rb_root_cached *tree, struct uvm_external_range *range);
void uvm_external_remove(struct rb_root_cached *tree, struct uvm_external_range *range);
bool uvm_external_overlaps(struct rb_root_cached *tree, u64 start, u64 end);
struct uvm_external_range *uvm_external_find(struct rb_root_cached *tree, u64 start, u64 end);
struct uvm_external_range *uvm_external_first(struct rb_root_cached *tree);
int uvm_external_add_map(struct uvm_external_range *range, struct uvm_external_span *map);
int uvm_external_take_maps(struct uvm_external_range *range, u64 start, u64 end,
			   unsigned int gpu, struct list_head *taken);
void uvm_external_take_peer(struct uvm_external_range *range, unsigned int gpu,
			    unsigned int owner, struct list_head *taken);
struct uvm_external_span *uvm_external_find_map(struct uvm_external_range *range, u64 start,
						u64 end, unsigned int gpu);
u64 uvm_external_piece(u64 va, u64 offset, u64 bytes, u64 *page_size);

#endif
