// SPDX-License-Identifier: GPL-2.0
/*
 * Page tree.
 */
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <kunit/visibility.h>
#include "base/debugfs.h"
#include "gpu/gpu.h"
#include "gpu/hal.h"
#include "gpu/tracker.h"
#include "mmu/page_tree.h"
#include "gpu/push.h"

/**
 * struct uvm_page_directory - a directory or page table
 * @rm: the GPU
 * @parent: directory above; NULL: the root
 * @next: in a list of directories to be freed
 * @slot: which 8-byte entry of the parent points here
 * @depth: level, 0 is the root, %UVM_PAGE_TABLE_DEPTH a table of PTEs
 * @page_size: of a table: what one entry maps
 * @refs: children, or PTEs in somebody's range
 * @bytes: size of the memory
 * @address: the memory
 * @memory: the same, if it is system memory
 * @is_pte: of a PDE0 directory: bit per entry that is a 2 MB PTE, whose tables
 *	are not linked; whoever has the range of that page changes it
 * @children: of a directory, by slot; PDE0 has two slots per entry: 64K, 4K
 */
struct uvm_page_directory {
	struct rm_gpu *rm;
	struct uvm_page_directory *parent;
	struct uvm_page_directory *next;
	unsigned int slot;
	unsigned int depth;
	u64 page_size;
	unsigned int refs;
	size_t bytes;
	struct uvm_gpu_address address;
	struct uvm_gpu_memory memory;
	unsigned long is_pte[BITS_TO_LONGS(MMU_PDE0_ENTRIES)];
	struct uvm_page_directory *children[];
};

/* ---- one directory --------------------------------------------------- */

/* Where the entries of pages of a size are. */
static unsigned int uvm_page_directory_leaf(u64 page_size)
{
	return page_size == UVM_PAGE_SIZE_2M ? UVM_PAGE_TABLE_DEPTH - 1 : UVM_PAGE_TABLE_DEPTH;
}

static unsigned int uvm_page_directory_slots(unsigned int depth)
{
	static const unsigned int slots[] = {
		MMU_PDE3_ENTRIES, MMU_PDE2_ENTRIES, MMU_PDE1_ENTRIES, 2 * MMU_PDE0_ENTRIES, 0,
	};

	return slots[depth];
}

static size_t uvm_page_directory_bytes(unsigned int depth, u64 page_size)
{
	if (depth == UVM_PAGE_TABLE_DEPTH && page_size == UVM_PAGE_SIZE_64K)
		return MMU_BIG_ENTRIES * MMU_PTE_BYTES;
	/* The root is smaller, but a page directory base is 4K aligned. */
	return PAGE_SIZE;
}

static struct uvm_page_directory *uvm_page_directory_alloc(struct uvm_gpu *gpu,
							   unsigned int depth, u64 page_size)
{
	struct uvm_page_directory *dir;
	u64 pa;

	dir = kzalloc(struct_size(dir, children, uvm_page_directory_slots(depth)),
		      UVM_GFP_ACCOUNT);
	if (!dir)
		return NULL;
	dir->rm = gpu->rm;
	dir->depth = depth;
	dir->page_size = page_size;
	dir->bytes = uvm_page_directory_bytes(depth, page_size);
	if (!rm_reserve_alloc(gpu->rm, dir->bytes, &pa)) {
		dir->address = uvm_gpu_address_vid(pa);
	} else if (!uvm_gpu_memory_alloc(gpu->rm, dir->bytes, &dir->memory)) {
		dir->address = uvm_gpu_memory_address(&dir->memory, 0);
	} else {
		kfree(dir);
		return NULL;
	}
	uvm_object_inc(UVM_OBJECT_PAGE_TABLE);
	return dir;
}

static void uvm_page_directory_free(struct uvm_page_directory *dir)
{
	if (dir->address.aperture == RM_APERTURE_VID)
		rm_reserve_free(dir->rm, dir->bytes, dir->address.address);
	else
		uvm_gpu_memory_free(&dir->memory);
	kfree(dir);
	uvm_object_dec(UVM_OBJECT_PAGE_TABLE);
}

/*
 * Completion function of the push that unpublished them.  After a channel error
 * the push may not have been executed; then no table is ever made again that
 * could get this memory.
 */
static void uvm_page_directories_free(void *data)
{
	struct uvm_page_directory *dir = data, *next;

	for (; dir; dir = next) {
		next = dir->next;
		uvm_page_directory_free(dir);
	}
}

static unsigned int uvm_page_directory_slot(unsigned int depth, u64 va, u64 page_size)
{
	switch (depth) {
	case 0:
		return (va >> MMU_PDE3_SHIFT) % MMU_PDE3_ENTRIES;
	case 1:
		return (va >> MMU_PDE2_SHIFT) % MMU_PDE2_ENTRIES;
	case 2:
		return (va >> MMU_PDE1_SHIFT) % MMU_PDE1_ENTRIES;
	default:
		return (va >> MMU_PDE0_SHIFT) % MMU_PDE0_ENTRIES * 2 +
		       (page_size == UVM_PAGE_SIZE_64K ? 0 : 1);
	}
}

/* Write the parent's entry: @dir, or nothing. */
static void uvm_page_directory_write_pde(struct uvm_push *push, struct uvm_page_directory *dir,
					 bool valid)
{
	enum uvm_pde_kind kind = UVM_PDE_DIRECTORY;

	if (dir->depth == UVM_PAGE_TABLE_DEPTH)
		kind = dir->page_size == UVM_PAGE_SIZE_64K ? UVM_PDE_BIG_TABLE :
							     UVM_PDE_SMALL_TABLE;
	uvm_push_set_flag(push, UVM_PUSH_NEXT_MEMBAR_NONE);
	uvm_ce_memset_8(push,
			uvm_gpu_address_add(dir->parent->address, dir->slot * MMU_PDE_BYTES),
			uvm_pde_make(valid ? &dir->address : NULL, kind), MMU_PDE_BYTES);
}

/* Is it to be found from its parent?  Not if that entry is a 2 MB PTE. */
static bool uvm_page_directory_is_linked(const struct uvm_page_directory *dir)
{
	return dir->depth < UVM_PAGE_TABLE_DEPTH || !test_bit(dir->slot / 2, dir->parent->is_pte);
}

static void uvm_page_directory_clear(struct uvm_push *push, struct uvm_page_directory *dir)
{
	uvm_push_set_flag(push, UVM_PUSH_CE_NEXT_PIPELINED | UVM_PUSH_NEXT_MEMBAR_NONE);
	uvm_ce_memset_8(push, dir->address, uvm_pte_invalid(), dir->bytes);
}

static enum uvm_membar uvm_page_directory_membar(const struct uvm_page_directory *dir)
{
	return dir->address.aperture == RM_APERTURE_SYS ? UVM_MEMBAR_SYS : UVM_MEMBAR_GPU;
}

/* ---- the tree -------------------------------------------------------- */

int uvm_page_tree_init(struct uvm_gpu *gpu, struct uvm_page_tree *tree)
{
	struct uvm_push push;
	int ret;

	memset(tree, 0, sizeof(*tree));
	tree->gpu = gpu;
	uvm_tracker_init(&tree->tracker);
	tree->root = uvm_page_directory_alloc(gpu, 0, 0);
	if (!tree->root)
		return -ENOMEM;
	ret = uvm_push_begin(gpu, UVM_CHANNEL_MEMOPS, &push);
	if (ret) {
		uvm_page_directory_free(tree->root);
		return ret;
	}
	uvm_page_directory_clear(&push, tree->root);
	ret = uvm_push_end_and_wait(&push);
	if (ret) {
		/* The channel is dead: nobody will write to it any more. */
		uvm_page_directory_free(tree->root);
		return ret;
	}
	tree->directories = 1;
	sim_mutex_init(&tree->lock);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_page_tree_init);

void uvm_page_tree_deinit(struct uvm_page_tree *tree)
{
	uvm_tracker_wait_deinit(&tree->tracker);
	WARN_ON_ONCE(tree->root->refs);
	uvm_page_directories_free(tree->dead);
	uvm_page_directory_free(tree->root);
	tree->root = NULL;
	sim_mutex_destroy(&tree->lock);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_page_tree_deinit);

struct uvm_gpu_address uvm_page_tree_pdb(const struct uvm_page_tree *tree)
{
	return tree->root->address;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_page_tree_pdb);

int uvm_page_tree_add_tracker(struct uvm_page_tree *tree, struct uvm_tracker *tracker)
{
	int ret;

	sim_mutex_lock(&tree->lock);
	ret = uvm_tracker_add_tracker_safe(tracker, &tree->tracker);
	sim_mutex_unlock(&tree->lock);
	return ret;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_page_tree_add_tracker);

int uvm_page_tree_wait(struct uvm_page_tree *tree)
{
	int ret;

	sim_mutex_lock(&tree->lock);
	ret = uvm_tracker_wait(&tree->tracker);
	sim_mutex_unlock(&tree->lock);
	return ret;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_page_tree_wait);

struct uvm_gpu_address
uvm_page_table_range_entry_address(const struct uvm_page_tree *tree,
				   const struct uvm_page_table_range *range, unsigned int index)
{
	unsigned int bytes = range->page_size == UVM_PAGE_SIZE_2M ? MMU_PDE0_BYTES : MMU_PTE_BYTES;

	return uvm_gpu_address_add(range->table->address, (range->first + index) * bytes);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_page_table_range_entry_address);

/* ---- get ------------------------------------------------------------- */

/* Directories on the way to one table; [depth] for each depth below the root. */
struct uvm_page_path {
	struct uvm_page_directory *dir[UVM_PAGE_TABLE_DEPTH + 1];
};

/* Deepest directory that exists on the way to the entry. */
static struct uvm_page_directory *uvm_page_tree_walk(struct uvm_page_tree *tree, u64 va,
						     u64 page_size)
{
	struct uvm_page_directory *dir = tree->root, *child;

	sim_mutex_assert_held(&tree->lock);
	while (dir->depth < uvm_page_directory_leaf(page_size)) {
		child = dir->children[uvm_page_directory_slot(dir->depth, va, page_size)];
		if (!child)
			break;
		dir = child;
	}
	return dir;
}

static void uvm_page_path_free(struct uvm_page_path *path)
{
	unsigned int depth;

	for (depth = 0; depth <= UVM_PAGE_TABLE_DEPTH; depth++) {
		if (path->dir[depth])
			uvm_page_directory_free(path->dir[depth]);
	}
}

static bool uvm_page_path_complete(const struct uvm_page_path *path, unsigned int depth,
				   unsigned int leaf)
{
	for (; depth <= leaf; depth++) {
		if (!path->dir[depth])
			return false;
	}
	return true;
}

static int uvm_page_path_alloc(struct uvm_page_tree *tree, struct uvm_page_path *path,
			       unsigned int depth, u64 page_size)
{
	struct mem_cgroup *old = set_active_memcg(tree->memcg);
	int ret = 0;

	for (; depth <= uvm_page_directory_leaf(page_size) && !ret; depth++) {
		if (path->dir[depth])
			continue;
		path->dir[depth] = uvm_page_directory_alloc(tree->gpu, depth, page_size);
		if (!path->dir[depth])
			ret = -ENOMEM;
	}
	set_active_memcg(old);
	return ret;
}

/*
 * Clear the new directories, link them to each other, and only when all that
 * is in memory to @parent.
 */
static void uvm_page_tree_push_new(struct uvm_page_tree *tree, struct uvm_push *push,
				   struct uvm_page_directory *parent, struct uvm_page_path *path,
				   unsigned int leaf)
{
	unsigned int depth, top = parent->depth + 1;
	enum uvm_membar membar = uvm_page_directory_membar(parent);

	for (depth = top; depth <= leaf; depth++) {
		uvm_page_directory_clear(push, path->dir[depth]);
		membar = max(membar, uvm_page_directory_membar(path->dir[depth]));
	}
	for (depth = leaf; depth > top; depth--) {
		/* The first one waits for the clears, the others need not again. */
		if (depth < leaf)
			uvm_push_set_flag(push, UVM_PUSH_CE_NEXT_PIPELINED);
		uvm_page_directory_write_pde(push, path->dir[depth], true);
	}
	uvm_host_wait_for_idle(push);
	uvm_host_membar(push, membar);
	if (!uvm_page_directory_is_linked(path->dir[top]))
		return;

	uvm_page_directory_write_pde(push, path->dir[top], true);
	uvm_host_wait_for_idle(push);
	uvm_host_membar(push, uvm_page_directory_membar(parent));
	/* Access is only gained: no barrier after it. */
	uvm_host_tlb_invalidate_all(push, uvm_page_tree_pdb(tree), parent->depth,
				    UVM_MEMBAR_NONE);
}

static int uvm_page_tree_publish(struct uvm_page_tree *tree, struct uvm_page_directory *parent,
				 struct uvm_page_path *path, u64 va, u64 page_size)
{
	unsigned int depth, top = parent->depth + 1, leaf = uvm_page_directory_leaf(page_size);
	struct uvm_page_directory *dir;
	struct uvm_push push;
	int ret;

	ret = uvm_push_begin_acquire(tree->gpu, UVM_CHANNEL_MEMOPS, &tree->tracker, &push);
	if (ret)
		return ret;
	for (depth = top; depth <= leaf; depth++) {
		dir = path->dir[depth];
		dir->parent = depth == top ? parent : path->dir[depth - 1];
		dir->slot = uvm_page_directory_slot(depth - 1, va, page_size);
		dir->parent->children[dir->slot] = dir;
		dir->parent->refs++;
		tree->directories++;
	}
	uvm_page_tree_push_new(tree, &push, parent, path, leaf);
	uvm_push_end(&push);
	for (depth = top; depth <= leaf; depth++)
		path->dir[depth] = NULL;
	/* A failed wait is a channel error, which the next push reports. */
	uvm_tracker_add_push_safe(&tree->tracker, &push);
	return 0;
}

static bool uvm_page_tree_range_valid(u64 page_size, u64 va, u64 size)
{
	if (page_size != UVM_PAGE_SIZE_4K && page_size != UVM_PAGE_SIZE_64K &&
	    page_size != UVM_PAGE_SIZE_2M)
		return false;
	if (!size || (va | size) & (page_size - 1) || size > UVM_BLOCK_SIZE)
		return false;
	return va >> MMU_VA_BITS == 0 &&
	       va >> MMU_PDE0_SHIFT == (va + size - 1) >> MMU_PDE0_SHIFT;
}

int uvm_page_tree_get_ptes(struct uvm_page_tree *tree, u64 page_size, u64 va, u64 size,
			   struct uvm_page_table_range *range)
{
	struct uvm_page_path path = { };
	unsigned int missing, leaf = uvm_page_directory_leaf(page_size);
	struct uvm_page_directory *dir;
	int ret = 0;

	if (!uvm_page_tree_range_valid(page_size, va, size))
		return -EINVAL;

	sim_mutex_lock(&tree->lock);
	for (;;) {
		dir = uvm_page_tree_walk(tree, va, page_size);
		missing = dir->depth + 1;
		if (uvm_page_path_complete(&path, missing, leaf))
			break;
		/* Anything may come or go while the lock is dropped: walk again. */
		sim_mutex_unlock(&tree->lock);
		ret = uvm_page_path_alloc(tree, &path, missing, page_size);
		sim_mutex_lock(&tree->lock);
		if (ret)
			break;
	}
	if (!ret && dir->depth < leaf) {
		ret = uvm_page_tree_publish(tree, dir, &path, va, page_size);
		dir = uvm_page_tree_walk(tree, va, page_size);
	}
	if (!ret) {
		range->table = dir;
		range->page_size = page_size;
		range->first = va % (1ULL << MMU_PDE0_SHIFT) / page_size;
		if (page_size == UVM_PAGE_SIZE_2M)
			range->first = uvm_page_directory_slot(leaf, va, page_size) / 2;
		range->count = size / page_size;
		range->broken = false;
		dir->refs += range->count;
	}
	sim_mutex_unlock(&tree->lock);
	uvm_page_path_free(&path);
	return ret;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_page_tree_get_ptes);

/* ---- put ------------------------------------------------------------- */

/* Take what is empty out of the mirror: a list, the table first. */
static struct uvm_page_directory *uvm_page_tree_unlink(struct uvm_page_tree *tree,
						       struct uvm_page_directory *dir)
{
	struct uvm_page_directory *first = NULL, **tail = &first;

	for (; dir->parent && !dir->refs; dir = dir->parent) {
		dir->parent->children[dir->slot] = NULL;
		dir->parent->refs--;
		tree->directories--;
		dir->next = NULL;
		*tail = dir;
		tail = &dir->next;
	}
	return first;
}

static void uvm_page_tree_unpublish(struct uvm_page_tree *tree, struct uvm_page_directory *first)
{
	struct uvm_page_directory *dir, *top = first;
	enum uvm_membar membar = UVM_MEMBAR_GPU;
	struct uvm_push push;

	if (uvm_push_begin_acquire(tree->gpu, UVM_CHANNEL_MEMOPS, &tree->tracker, &push)) {
		/* The GPU may still walk through them: keep them as long as the tree. */
		while (top->next)
			top = top->next;
		top->next = tree->dead;
		tree->dead = first;
		return;
	}
	for (dir = first; dir; dir = dir->next) {
		top = dir;
		if (!uvm_page_directory_is_linked(dir))
			continue;
		uvm_push_set_flag(&push, UVM_PUSH_CE_NEXT_PIPELINED);
		uvm_page_directory_write_pde(&push, dir, false);
		membar = max(membar, uvm_page_directory_membar(dir->parent));
	}
	uvm_host_wait_for_idle(&push);
	uvm_host_membar(&push, membar);
	uvm_host_tlb_invalidate_all(&push, uvm_page_tree_pdb(tree), top->parent->depth,
				    UVM_MEMBAR_SYS);
	uvm_push_on_complete(&push, uvm_page_directories_free, first);
	uvm_push_end(&push);
	uvm_tracker_add_push_safe(&tree->tracker, &push);
}

void uvm_page_tree_put_ptes(struct uvm_page_tree *tree, struct uvm_page_table_range *range,
			    struct uvm_tracker *after)
{
	struct uvm_page_directory *empty;

	sim_mutex_lock(&tree->lock);
	/* The table may go later, with another range: it must know then, too. */
	if (after)
		uvm_tracker_add_tracker_safe(&tree->tracker, after);
	/* still a PTE only on a dead channel, which takes no more pushes */
	if (range->page_size == UVM_PAGE_SIZE_2M)
		clear_bit(range->first, range->table->is_pte);
	range->table->refs -= range->count;
	empty = uvm_page_tree_unlink(tree, range->table);
	if (empty)
		uvm_page_tree_unpublish(tree, empty);
	sim_mutex_unlock(&tree->lock);
	memset(range, 0, sizeof(*range));
}
EXPORT_SYMBOL_IF_KUNIT(uvm_page_tree_put_ptes);

/* ---- PDE0 entries that are 2 MB PTEs --------------------------------- */

/*
 * The second word first: nobody reads it while the first is a PTE, and without
 * the first it leads to 4K PTEs that are right or invalid.
 */
static void uvm_page_tree_write_pde0(struct uvm_page_tree *tree,
				     struct uvm_page_table_range *range, struct uvm_push *push,
				     u64 low, u64 high)
{
	struct uvm_gpu_address entry = uvm_page_table_range_entry_address(tree, range, 0);

	uvm_push_set_flag(push, UVM_PUSH_NEXT_MEMBAR_NONE);
	uvm_ce_memset_8(push, uvm_gpu_address_add(entry, MMU_PDE_BYTES), high, MMU_PDE_BYTES);
	uvm_push_set_flag(push, UVM_PUSH_CE_NEXT_PIPELINED | UVM_PUSH_NEXT_MEMBAR_NONE);
	uvm_ce_memset_8(push, entry, low, MMU_PDE_BYTES);
	uvm_host_wait_for_idle(push);
	uvm_host_membar(push, uvm_page_directory_membar(range->table));
}

static void uvm_page_tree_invalidate_entry(struct uvm_page_tree *tree,
					   struct uvm_page_table_range *range,
					   struct uvm_push *push, u64 va, enum uvm_membar membar)
{
	uvm_host_tlb_invalidate_va(push, uvm_page_tree_pdb(tree), range->table->depth, va,
				   UVM_PAGE_SIZE_2M, membar);
}

void uvm_page_tree_break_entry(struct uvm_page_tree *tree, struct uvm_page_table_range *range,
			       struct uvm_push *push, u64 va)
{
	uvm_page_tree_write_pde0(tree, range, push, 0, 0);
	uvm_page_tree_invalidate_entry(tree, range, push, va, UVM_MEMBAR_SYS);
	range->broken = true;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_page_tree_break_entry);

void uvm_page_tree_write_2m(struct uvm_page_tree *tree, struct uvm_page_table_range *range,
			    struct uvm_push *push, u64 va, u64 pte, enum uvm_membar membar)
{
	uvm_page_tree_write_pde0(tree, range, push, pte, 0);
	uvm_page_tree_invalidate_entry(tree, range, push, va, membar);
	range->broken = false;
	set_bit(range->first, range->table->is_pte);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_page_tree_write_2m);

void uvm_page_tree_link_tables(struct uvm_page_tree *tree, struct uvm_page_table_range *range,
			       struct uvm_push *push, u64 va)
{
	/* of this entry they come and go by whoever has the range */
	struct uvm_page_directory **table = &range->table->children[2 * range->first];

	/* Never from one valid translation to another of another size (nvidia-uvm 3.6). */
	WARN_ON_ONCE(!range->broken);
	uvm_page_tree_write_pde0(tree, range, push,
				 uvm_pde_make(table[0] ? &table[0]->address : NULL,
					      UVM_PDE_BIG_TABLE),
				 uvm_pde_make(table[1] ? &table[1]->address : NULL,
					      UVM_PDE_SMALL_TABLE));
	uvm_page_tree_invalidate_entry(tree, range, push, va, UVM_MEMBAR_NONE);
	range->broken = false;
	clear_bit(range->first, range->table->is_pte);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_page_tree_link_tables);
