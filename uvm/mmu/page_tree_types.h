/* SPDX-License-Identifier: GPL-2.0 */
/* Page tree: the structures; see page_tree.h. */
#ifndef UVM_PAGE_TREE_TYPES_H
#define UVM_PAGE_TREE_TYPES_H

#include <linux/types.h>
#include <softgpu/sim.h>
#include "gpu/tracker_types.h"

struct mem_cgroup;
struct uvm_gpu;
struct uvm_page_directory;

/**
 * struct uvm_page_tree - page tables of one VA space on one GPU
 * @gpu: the GPU
 * @memcg: charged for bookkeeping; NULL: whoever allocates
 * @lock: protects the directories and @tracker; held across the begin of a push
 * @root: root directory
 * @tracker: pushes that write directories
 * @dead: directories that could not be unpublished (channel error); freed at the end
 * @directories: number of directories and tables, the root included
 */
struct uvm_page_tree {
	struct uvm_gpu *gpu;
	struct mem_cgroup *memcg;
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
 * @broken: of a 2 MB page: its PDE0 entry is empty and the TLBs know
 */
struct uvm_page_table_range {
	struct uvm_page_directory *table;
	u64 page_size;
	unsigned int first;
	unsigned int count;
	bool broken;
};

#endif
