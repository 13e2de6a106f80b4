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
 * A PDE0 entry can be a 2 MB PTE instead (nvidia-uvm 3.6, 7.4).  Whoever has the
 * range of 2 MB pages for it says which it is; while it is a PTE, tables that
 * come or go below stay unlinked, in memory and in the mirror, until
 * uvm_page_tree_link_tables().
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
#include "gpu/gpu_memory.h"
#include "gpu/push.h"
#include "gpu/tracker.h"
#include "mmu/page_tree_types.h"

struct mem_cgroup;
struct uvm_gpu;
struct uvm_push;
struct uvm_page_directory;

#define UVM_PAGE_TABLE_DEPTH	MMU_PDE_LEVELS

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

/**
 * uvm_page_tree_pdb - the root directory
 * @tree: the tree
 *
 * Return: where it is, for TLB invalidates and rm_context_set_page_directory().
 */
struct uvm_gpu_address uvm_page_tree_pdb(const struct uvm_page_tree *tree);

/**
 * uvm_page_tree_get_ptes - get the PTEs of a range of addresses
 * @tree: the tree
 * @page_size: 4K, 64K or 2M
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

/**
 * uvm_page_tree_add_tracker - work on PTEs has to wait for the tree's pending pushes
 * @tree: the tree
 * @tracker: of the work: they are added
 *
 * Context: takes the tree's lock; may wait.
 * Return: 0 or -EIO.
 */
int uvm_page_tree_add_tracker(struct uvm_page_tree *tree, struct uvm_tracker *tracker);

/**
 * uvm_page_tree_wait - wait for the tree's pushes
 * @tree: the tree
 *
 * Context: a participant; takes the tree's lock.
 * Return: 0 or -EIO.
 */
int uvm_page_tree_wait(struct uvm_page_tree *tree);

/**
 * uvm_page_tree_break_entry - make a PDE0 entry empty
 * @tree: the tree
 * @range: a range of one 2 MB page
 * @push: open push, with no batch under way
 * @va: address of the 2 MB
 *
 * Whether it was a 2 MB PTE or led to tables: nothing of it is in any TLB
 * afterwards, and all earlier accesses have been performed.  To be followed in
 * the same push by one of the two below.
 */
void uvm_page_tree_break_entry(struct uvm_page_tree *tree, struct uvm_page_table_range *range,
			       struct uvm_push *push, u64 va);

/**
 * uvm_page_tree_write_2m - make a PDE0 entry a 2 MB PTE
 * @tree: the tree
 * @range: a range of one 2 MB page. Its entry is broken, or a 2 MB PTE already, or leads to nothing
 *	valid
 * @push: open push, with no batch under way
 * @va: address of the 2 MB
 * @pte: the PTE
 * @membar: of the invalidate; needed if a PTE that was there allowed more
 */
void uvm_page_tree_write_2m(struct uvm_page_tree *tree, struct uvm_page_table_range *range,
			    struct uvm_push *push, u64 va, u64 pte, enum uvm_membar membar);

/**
 * uvm_page_tree_link_tables - make a PDE0 entry lead to the tables that there are
 * @tree: the tree
 * @range: a range of one 2 MB page, whose entry is broken: never from one valid translation to one
 *	of another size (nvidia-uvm 3.6)
 * @push: open push, with no batch under way, behind what wrote the tables
 * @va: address of the 2 MB
 */
void uvm_page_tree_link_tables(struct uvm_page_tree *tree, struct uvm_page_table_range *range,
			       struct uvm_push *push, u64 va);

/**
 * uvm_page_table_range_entry_address - where a PTE is
 * @tree: the tree
 * @range: a range of it
 * @index: 0 ... @range->count - 1
 *
 * Return: the address of the entry.
 */
struct uvm_gpu_address
uvm_page_table_range_entry_address(const struct uvm_page_tree *tree,
				   const struct uvm_page_table_range *range, unsigned int index);

#endif
