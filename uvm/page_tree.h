/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Page tree: the page tables of one VA space on one GPU.
 *
 * The driver's mirror of the directories; the entries themselves are written
 * by the GPU, with pushes.  Depth 0 is the root (PDE3), 3 is PDE0, 4 is a table
 * of 4K or 64K PTEs.  Each directory counts the live entries beneath it and
 * goes when there are none.  PTEs are the user's business: tables arrive filled
 * with uvm_pte_invalid().
 *
 * Get drops the tree's lock to allocate, takes it again and walks again, until
 * every missing directory is in hand; what somebody else has added meanwhile
 * is freed.
 */
#ifndef UVM_PAGE_TREE_H
#define UVM_PAGE_TREE_H

#include <linux/types.h>
#include <softgpu/mmu_format.h>
#include <softgpu/sim.h>
#include "gpu_memory.h"
#include "tracker.h"

struct uvm_gpu;
struct uvm_push;
struct uvm_page_directory;

#define UVM_PAGE_TABLE_DEPTH	MMU_PDE_LEVELS

/**
 * struct uvm_page_tree - page tables of one VA space on one GPU
 * @gpu: the GPU
 * @lock: protects the directories and @tracker; held across the begin of a push
 * @root: root directory
 * @tracker: pushes that write directories
 * @dead: directories that could not be unpublished (channel error); freed at the end
 * @directories: number of directories and tables, the root included
 */
struct uvm_page_tree {
	struct uvm_gpu *gpu;
	struct sim_mutex lock;
	struct uvm_page_directory *root;
	struct uvm_tracker tracker;
	struct uvm_page_directory *dead;
	unsigned int directories;
};

/**
 * struct uvm_page_table_range - consecutive PTEs of one table
 * @table: the table; NULL while the range is unused
 * @page_size: bytes that one PTE maps
 * @first: index of the first PTE
 * @count: number of PTEs
 */
struct uvm_page_table_range {
	struct uvm_page_directory *table;
	u64 page_size;
	unsigned int first;
	unsigned int count;
};

/**
 * uvm_page_tree_init - make an empty tree
 * @gpu: the GPU
 * @tree: out
 *
 * The caller is a participant.  On return the root is cleared, not only queued
 * for it.
 *
 * Return: 0, -ENOMEM or -EIO; nothing to undo on error.
 */
int uvm_page_tree_init(struct uvm_gpu *gpu, struct uvm_page_tree *tree);

/**
 * uvm_page_tree_deinit - free a tree
 * @tree: the tree; all ranges were put, the GPU does not use the root any more
 *
 * Waits for the tree's pushes.
 */
void uvm_page_tree_deinit(struct uvm_page_tree *tree);

/* Root directory: for TLB invalidates and rm_context_set_page_directory(). */
struct uvm_gpu_address uvm_page_tree_pdb(const struct uvm_page_tree *tree);

/**
 * uvm_page_tree_get_ptes - get the PTEs of a range of addresses
 * @tree: the tree
 * @page_size: 4K or 64K
 * @va: first address, aligned to @page_size
 * @size: bytes, a multiple of @page_size; within one 2 MB aligned area
 * @range: out
 *
 * New directories are cleared, published and the TLBs told, by a push that is
 * not waited for: work on the PTEs must acquire uvm_page_tree_add_tracker().
 *
 * Context: participant; may wait; no push open, no lock that a completion
 * function takes.
 * Return: 0, -ENOMEM, -EIO, or -EINVAL for a bad range.
 */
int uvm_page_tree_get_ptes(struct uvm_page_tree *tree, u64 page_size, u64 va, u64 size,
			   struct uvm_page_table_range *range);

/**
 * uvm_page_tree_put_ptes - give PTEs back
 * @tree: the tree
 * @range: from uvm_page_tree_get_ptes(); unused afterwards
 * @after: work that still touches the PTEs, or NULL; not changed but for
 *	completed entries
 *
 * Directories that become empty are unpublished by a push that acquires
 * @after, and freed when it has completed.  Never fails.
 */
void uvm_page_tree_put_ptes(struct uvm_page_tree *tree, struct uvm_page_table_range *range,
			    struct uvm_tracker *after);

/* Add the tree's pending pushes to @tracker.  Return: 0, or -EIO. */
int uvm_page_tree_add_tracker(struct uvm_page_tree *tree, struct uvm_tracker *tracker);
/* Wait for the tree's pushes.  Return: 0, or -EIO. */
int uvm_page_tree_wait(struct uvm_page_tree *tree);

/* Where PTE @index (0 ... @range->count - 1) is. */
struct uvm_gpu_address
uvm_page_table_range_entry_address(const struct uvm_page_tree *tree,
				   const struct uvm_page_table_range *range, unsigned int index);

#endif
