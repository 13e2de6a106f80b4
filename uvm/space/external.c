// SPDX-License-Identifier: GPL-2.0
/*
 * External ranges; see external.h.
 */
#include <linux/file.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include "base/debugfs.h"
#include "base/ioctl_row.h"
#include "gpu/push.h"
#include "gpu/tracker.h"
#include "space/external.h"
#include "model/external_tree.h"
#include "gpu/gpu.h"
#include "gpu/hal.h"
#include "mmu/page_tree.h"
#include "mmu/pte_batch.h"
#include "mmu/tlb_batch.h"
#include "base/trace.h"
#include "space/va_space.h"
#include "base/work.h"

/**
 * struct uvm_external_piece - part of a map in one page table
 * @va: where it begins
 * @bytes: its length
 * @page_size: of its entries
 * @ptes: its entries; unused until .table is set
 */
struct uvm_external_piece {
	u64 va;
	u64 bytes;
	u64 page_size;
	struct uvm_page_table_range ptes;
};

/**
 * struct uvm_external_map - a memory object, or part of it, mapped on one GPU
 * @span: where
 * @memory: what; a reference
 * @offset: of its first byte there
 * @prot: what the GPU may do
 * @tracker: pushes that write its entries, or words of @memory
 * @piece_count: length of @pieces
 * @pieces: its parts
 */
struct uvm_external_map {
	struct uvm_external_span span;
	struct rm_memory *memory;
	u64 offset;
	enum uvm_prot prot;
	struct uvm_tracker tracker;
	unsigned int piece_count;
	struct uvm_external_piece pieces[];
};

/* ---- page table entries ---------------------------------------------- */

static struct uvm_gpu_address external_address(struct uvm_gpu *gpu,
					       const struct uvm_external_map *map, u64 va)
{
	struct uvm_gpu_address address;

	address.address = rm_memory_address(map->memory, gpu->rm,
					    map->offset + (va - map->span.start),
					    &address.aperture);
	return address;
}

static void external_write_ptes(struct uvm_gpu_va_space *gvs, const struct uvm_external_map *map,
				const struct uvm_external_piece *piece,
				struct uvm_pte_batch *batch)
{
	unsigned int i;

	for (i = 0; i < piece->ptes.count; i++) {
		struct uvm_gpu_address page = external_address(gvs->gpu, map,
							       piece->va + i * piece->page_size);

		uvm_pte_batch_write_pte(batch,
					uvm_page_table_range_entry_address(&gvs->page_tree,
									   &piece->ptes, i),
					uvm_pte_make(page, map->prot, piece->page_size));
	}
}

/*
 * Write or clear the entries of one piece.  Walks that end at a cleared entry of
 * 64K go on to the 4K table, where there is nothing either: the 2 MB may be shared
 * with other ranges.
 */
static int external_push(struct uvm_gpu_va_space *gvs, struct uvm_external_map *map,
			 const struct uvm_external_piece *piece, bool clear)
{
	enum uvm_membar membar = clear ? UVM_MEMBAR_SYS : UVM_MEMBAR_NONE;
	struct uvm_pte_batch batch;
	struct uvm_tlb_batch tlb;
	struct uvm_push push;
	int ret;

	ret = uvm_push_begin_acquire(gvs->gpu, UVM_CHANNEL_MEMOPS, &map->tracker, &push);
	if (ret)
		return ret;
	uvm_pte_batch_begin(&push, &batch);
	if (clear)
		uvm_pte_batch_clear_ptes(&batch,
					 uvm_page_table_range_entry_address(&gvs->page_tree,
									    &piece->ptes, 0),
					 uvm_pte_invalid(), piece->ptes.count);
	else
		external_write_ptes(gvs, map, piece, &batch);
	uvm_pte_batch_end(&batch, UVM_MEMBAR_NONE);
	uvm_tlb_batch_begin(&gvs->page_tree, &tlb);
	uvm_tlb_batch_invalidate(&tlb, piece->va, piece->bytes, piece->page_size, membar);
	uvm_tlb_batch_end(&tlb, &push, membar);
	uvm_push_end(&push);
	return uvm_tracker_add_push_safe(&map->tracker, &push);
}

/* Entries of @piece, written by a push that the map's tracker has. */
static int external_map_piece(struct uvm_gpu_va_space *gvs, struct uvm_external_map *map,
			      struct uvm_external_piece *piece, struct uvm_work *work)
{
	int ret;

	ret = uvm_page_tree_get_ptes(&gvs->page_tree, piece->page_size, piece->va, piece->bytes,
				     &piece->ptes);
	if (ret)
		return ret;
	uvm_work_enter(work, UVM_PHASE_MAP, uvm_cost(gvs->gpu, map) +
		       piece->ptes.count * uvm_cost(gvs->gpu, map_page));
	ret = uvm_page_tree_add_tracker(&gvs->page_tree, &map->tracker);
	if (ret)
		return ret;
	return external_push(gvs, map, piece, false);
}

static int external_clear(struct uvm_gpu_va_space *gvs, struct uvm_external_map *map)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < map->piece_count; i++)
		if (map->pieces[i].ptes.table)
			ret = external_push(gvs, map, &map->pieces[i], true);
	for (i = 0; i < map->piece_count; i++)
		if (map->pieces[i].ptes.table)
			uvm_page_tree_put_ptes(&gvs->page_tree, &map->pieces[i].ptes,
					       &map->tracker);
	return ret ? : uvm_tracker_wait(&map->tracker);
}

/* ---- maps ------------------------------------------------------------ */

/* How many pieces, and which if @map is not NULL. */
static unsigned int external_cut(u64 va, u64 offset, u64 bytes, struct uvm_external_map *map)
{
	unsigned int n = 0;
	u64 piece, page_size;

	for (; bytes; bytes -= piece, va += piece, offset += piece, n++) {
		piece = uvm_external_piece(va, offset, bytes, &page_size);
		if (map)
			map->pieces[n] = (struct uvm_external_piece) {
				.va = va, .bytes = piece, .page_size = page_size,
			};
	}
	return n;
}

static unsigned int external_owner(const struct rm_memory *memory)
{
	struct rm_gpu *owner = rm_memory_gpu(memory);

	return owner ? rm_gpu_info(owner)->index : UVM_EXTERNAL_SYSTEM;
}

/* Consumes the reference on @memory. */
static struct uvm_external_map *external_map_create(const struct uvm_map_external *arg,
						    struct uvm_gpu *gpu, struct rm_memory *memory)
{
	unsigned int pieces = external_cut(arg->base, arg->offset, arg->length, NULL);
	struct uvm_external_map *map;
	int ret;

	ret = rm_memory_attach(memory, gpu->rm);
	if (ret)
		goto put_memory;
	ret = -ENOMEM;
	map = kvzalloc(struct_size(map, pieces, pieces), UVM_GFP_ACCOUNT);
	if (!map)
		goto detach_memory;
	map->span.start = arg->base;
	map->span.end = arg->base + arg->length - 1;
	map->span.gpu = gpu->index;
	map->span.owner = external_owner(memory);
	map->memory = memory;
	map->offset = arg->offset;
	map->prot = arg->flags & UVM_MAP_EXTERNAL_READ_ONLY ? UVM_PROT_READ_ONLY :
							      UVM_PROT_READ_WRITE_ATOMIC;
	map->piece_count = pieces;
	external_cut(arg->base, arg->offset, arg->length, map);
	uvm_tracker_init(&map->tracker);
	uvm_object_inc(UVM_OBJECT_EXTERNAL_MAP);
	return map;

detach_memory:
	rm_memory_detach(memory, gpu->rm);
put_memory:
	rm_memory_put(memory);
	return ERR_PTR(ret);
}

static void external_map_destroy(struct uvm_external_map *map)
{
	rm_memory_detach(map->memory, uvm_gpu(map->span.gpu)->rm);
	rm_memory_put(map->memory);
	uvm_tracker_deinit(&map->tracker);
	kvfree(map);
	uvm_object_dec(UVM_OBJECT_EXTERNAL_MAP);
}

/*
 * First the entries, then the memory: with a dead channel it stays until nobody
 * walks the tables any more.
 */
static void external_map_end(struct uvm_gpu_va_space *gvs, struct uvm_external_map *map)
{
	trace_uvm_va_range(sim_now(), gvs->va_space->id, UVM_TRACE_RANGE_UNMAP_EXTERNAL,
			   map->span.start, map->span.end);
	if (external_clear(gvs, map))
		list_add_tail(&map->span.node, &gvs->dead_maps);
	else
		external_map_destroy(map);
}

static void external_end_list(struct uvm_gpu_va_space *gvs, struct list_head *taken)
{
	struct uvm_external_map *map, *next;

	list_for_each_entry_safe(map, next, taken, span.node) {
		list_del(&map->span.node);
		external_map_end(gvs, map);
	}
}

static int external_map_write(struct uvm_gpu_va_space *gvs, struct uvm_external_map *map)
{
	struct uvm_work work;
	unsigned int i;
	int ret = 0;

	uvm_work_begin(&work, &gvs->gpu->stats, &gvs->va_space->stats, UVM_PHASE_MAP);
	for (i = 0; !ret && i < map->piece_count; i++)
		ret = fatal_signal_pending(current) ? -EINTR :
		      external_map_piece(gvs, map, &map->pieces[i], &work);
	if (!ret)
		ret = uvm_tracker_wait(&map->tracker);
	uvm_work_end(&work);
	return ret;
}

/* Does a GPU reach the memory in this VA space?  Its topology knows registered GPUs only. */
static bool external_reaches(const struct uvm_va_space *va_space, unsigned int gpu,
			     unsigned int owner)
{
	sim_assert_held(&va_space->lock);
	if (owner == UVM_EXTERNAL_SYSTEM || owner == gpu)
		return true;
	return owner < UVM_MAX_GPUS &&
	       uvm_topology_is_peer(&va_space->topology, UVM_ID_GPU(gpu), UVM_ID_GPU(owner));
}

/* Both locks held.  @range: out */
static int external_map_check(struct uvm_va_space *va_space, const struct uvm_map_external *arg,
			      const struct rm_memory *memory, struct uvm_external_range **range)
{
	struct uvm_gpu_va_space *gvs = va_space->gpus[arg->gpu];

	sim_mutex_assert_held(&va_space->external_lock);
	if (!gvs || gvs->leaving)
		return -ENODEV;
	*range = uvm_external_find(&va_space->externals, arg->base, arg->base + arg->length - 1);
	if (!*range)
		return -ENOENT;
	return external_reaches(va_space, arg->gpu, external_owner(memory)) ? 0 : -EOPNOTSUPP;
}

/* Consumes the reference on @memory. */
static int external_map_locked(struct uvm_va_space *va_space, const struct uvm_map_external *arg,
			       struct rm_memory *memory)
{
	u64 end = arg->base + arg->length - 1;
	struct uvm_gpu_va_space *gvs = va_space->gpus[arg->gpu];
	struct uvm_external_range *range;
	struct uvm_external_map *map;
	int ret;

	ret = external_map_check(va_space, arg, memory, &range);
	if (ret) {
		rm_memory_put(memory);
		return ret;
	}
	map = external_map_create(arg, gvs->gpu, memory);
	if (IS_ERR(map))
		return PTR_ERR(map);
	ret = uvm_external_add_map(range, &map->span);
	if (ret) {
		external_map_destroy(map);
		return ret;
	}
	trace_uvm_va_range(sim_now(), va_space->id, UVM_TRACE_RANGE_MAP_EXTERNAL, arg->base, end);
	ret = external_map_write(gvs, map);
	if (ret) {
		list_del(&map->span.node);
		external_map_end(gvs, map);
	}
	return ret;
}

/* ---- ioctls ---------------------------------------------------------- */

/*
 * Both locks held.  -EAGAIN: munmap, which waits for none of us, has been here since
 * the VA space was reaped; an old block would unmap what is mapped here next.
 */
static int external_try_create(struct uvm_va_space *va_space, struct uvm_external_range *range)
{
	sim_mutex_assert_held(&va_space->external_lock);
	lockdep_assert_held(&va_space->ranges_lock);
	if (uvm_va_range_first(&va_space->ranges, range->node.start, range->node.last))
		return -EEXIST;
	if (va_space->reaping || !list_empty(&va_space->detached))
		return -EAGAIN;
	return uvm_external_insert(&va_space->externals, range);
}

/*
 * Addresses are reserved.  0, -EINVAL (outside what GPUs can address), -EEXIST (something of it
 * is managed, or external already), -ENOMEM, -EINTR (killed while others unmap for ever).
 */
static int uvm_ioctl_create_external(struct file *file, void *data)
{
	struct uvm_va_space *va_space = file->private_data;
	const struct uvm_create_external_range *arg = data;
	struct uvm_external_range *range;
	u64 end = arg->base + arg->length - 1;
	int ret;

	if (end >> MMU_VA_BITS)
		return -EINVAL;
	range = kzalloc(sizeof(*range), GFP_KERNEL_ACCOUNT);
	if (!range)
		return -ENOMEM;
	range->node.start = arg->base;
	range->node.last = end;
	sim_down_read(&va_space->lock);
	do {
		/* what was managed here leaves the page tables first */
		uvm_va_space_reap(va_space);
		sim_mutex_lock(&va_space->external_lock);
		mutex_lock(&va_space->ranges_lock);
		ret = external_try_create(va_space, range);
		mutex_unlock(&va_space->ranges_lock);
		sim_mutex_unlock(&va_space->external_lock);
	} while (ret == -EAGAIN && !fatal_signal_pending(current));
	sim_up_read(&va_space->lock);
	if (ret) {
		kfree(range);
		return ret == -EAGAIN ? -EINTR : ret;
	}
	uvm_object_inc(UVM_OBJECT_VA_RANGE);
	trace_uvm_va_range(sim_now(), va_space->id, UVM_TRACE_RANGE_CREATE, arg->base, end);
	return 0;
}

UVM_IOCTL(UVM_IOC_CREATE_EXTERNAL_RANGE, uvm_create_external_range, uvm_ioctl_create_external,
	  .span = DOOR_AT(uvm_create_external_range, base), .cost = DOOR_COST(ioctl));

static int uvm_ioctl_map_external_check(struct file *file, const void *data)
{
	const struct uvm_map_external *arg = data;

	return door_span_ok(arg->offset, arg->length) ? 0 : -EINVAL;
}

/*
 * A memory object is mapped into an external range; on return the GPU can use it.
 *
 * 0, -EBADF (no file of a GPU), -ENOENT (no such object, or the span is not
 * inside one range), -EINVAL (it ends before the span does), -EEXIST (something is
 * mapped there), -ENODEV (GPU not registered), -EOPNOTSUPP (the memory of a GPU that is
 * no peer of it in the VA space), -ENOMEM, -EIO.
 */
static int uvm_ioctl_map_external(struct file *uvm_file, void *data)
{
	struct uvm_va_space *va_space = uvm_file->private_data;
	const struct uvm_map_external *arg = data;
	struct rm_memory *memory;
	struct file *file = fget(arg->softgpu_fd);
	int ret;

	if (!file)
		return -EBADF;
	ret = rm_memory_get(file, arg->handle, &memory);
	fput(file);
	if (ret)
		return ret;
	if (arg->offset + arg->length > rm_memory_bytes(memory)) {
		rm_memory_put(memory);
		return -EINVAL;
	}
	sim_down_read(&va_space->lock);
	sim_mutex_lock(&va_space->external_lock);
	ret = external_map_locked(va_space, arg, memory);
	sim_mutex_unlock(&va_space->external_lock);
	sim_up_read(&va_space->lock);
	return ret;
}

UVM_IOCTL(UVM_IOC_MAP_EXTERNAL, uvm_map_external, uvm_ioctl_map_external,
	  .flags = UVM_MAP_EXTERNAL_READ_ONLY, .span = DOOR_AT(uvm_map_external, base),
	  .reserved = { DOOR_AT(uvm_map_external, __reserved) },
	  .gpu = { DOOR_AT(uvm_map_external, gpu) }, .check = uvm_ioctl_map_external_check,
	  .cost = DOOR_COST(ioctl));

/*
 * The reverse, for all maps of a span.  On return no GPU uses the memory any more through these
 * maps.  0, -ENODEV, -ENOENT (nothing is mapped there), -EINVAL (a map is cut).
 */
static int uvm_ioctl_unmap_external(struct file *file, void *data)
{
	struct uvm_va_space *va_space = file->private_data;
	const struct uvm_unmap_external *arg = data;
	u64 base = arg->base, last = base + arg->length - 1;
	struct uvm_external_range *range;
	struct uvm_gpu_va_space *gvs;
	LIST_HEAD(taken);
	int ret;

	sim_down_read(&va_space->lock);
	sim_mutex_lock(&va_space->external_lock);
	gvs = va_space->gpus[arg->gpu];
	range = uvm_external_find(&va_space->externals, base, last);
	if (!gvs)
		ret = -ENODEV;
	else if (!range)
		ret = -ENOENT;
	else
		ret = uvm_external_take_maps(range, base, last, arg->gpu, &taken);
	if (!ret)
		external_end_list(gvs, &taken);
	sim_mutex_unlock(&va_space->external_lock);
	sim_up_read(&va_space->lock);
	return ret;
}

UVM_IOCTL(UVM_IOC_UNMAP_EXTERNAL, uvm_unmap_external, uvm_ioctl_unmap_external,
	  .span = DOOR_AT(uvm_unmap_external, base),
	  .reserved = { DOOR_AT(uvm_unmap_external, __reserved) },
	  .gpu = { DOOR_AT(uvm_unmap_external, gpu) }, .cost = DOOR_COST(ioctl));

static void external_unmap_range(struct uvm_va_space *va_space, struct uvm_external_range *range,
				 struct uvm_gpu_va_space *gvs)
{
	LIST_HEAD(taken);

	if (!uvm_external_take_maps(range, range->node.start, range->node.last, gvs->gpu->index,
				    &taken))
		external_end_list(gvs, &taken);
}

static void external_forget(struct uvm_va_space *va_space, struct uvm_external_range *range)
{
	trace_uvm_va_range(sim_now(), va_space->id, UVM_TRACE_RANGE_DESTROY, range->node.start,
			   range->node.last);
	mutex_lock(&va_space->ranges_lock);
	uvm_external_remove(&va_space->externals, range);
	mutex_unlock(&va_space->ranges_lock);
	WARN_ON_ONCE(!list_empty(&range->maps));
	kfree(range);
	uvm_object_dec(UVM_OBJECT_VA_RANGE);
}

/* All of a range is unmapped, and its addresses are given back.  0, or -ENOENT: no such range. */
static int uvm_ioctl_free_external(struct file *file, void *data)
{
	struct uvm_va_space *va_space = file->private_data;
	const struct uvm_free_external_range *arg = data;
	u64 base = arg->base, last = base + arg->length - 1;
	struct uvm_external_range *range;
	unsigned int i;
	int ret = 0;

	sim_down_read(&va_space->lock);
	sim_mutex_lock(&va_space->external_lock);
	range = uvm_external_find(&va_space->externals, base, last);
	if (range && range->node.start == base && range->node.last == last) {
		for (i = 0; i < UVM_MAX_GPUS; i++)
			if (va_space->gpus[i])
				external_unmap_range(va_space, range, va_space->gpus[i]);
		external_forget(va_space, range);
	} else {
		ret = -ENOENT;
	}
	sim_mutex_unlock(&va_space->external_lock);
	sim_up_read(&va_space->lock);
	return ret;
}

UVM_IOCTL(UVM_IOC_FREE_EXTERNAL_RANGE, uvm_free_external_range, uvm_ioctl_free_external,
	  .span = DOOR_AT(uvm_free_external_range, base), .cost = DOOR_COST(ioctl));

/* ---- semaphores ------------------------------------------------------ */

/* May words of a map be released? */
static int external_semaphore_usable(const struct uvm_external_map *map)
{
	enum rm_aperture aperture;

	rm_memory_address(map->memory, uvm_gpu(map->span.gpu)->rm, map->offset, &aperture);
	if (aperture != RM_APERTURE_SYS)
		return -EOPNOTSUPP;
	return map->prot == UVM_PROT_READ_ONLY ? -EACCES : 0;
}

/*
 * The map to release the word at @address through: that of @gpu if it has one and
 * may, else any that may.
 */
static struct uvm_external_map *external_semaphore(struct uvm_va_space *va_space, u64 address,
						   unsigned int gpu)
{
	u64 last = address + sizeof(u32) - 1;
	struct uvm_external_range *range;
	struct uvm_external_span *span;
	struct uvm_external_map *map;
	int i, ret = -ENOENT;

	sim_mutex_assert_held(&va_space->external_lock);
	range = uvm_external_find(&va_space->externals, address, last);
	for (i = -1; range && i < UVM_MAX_GPUS; i++) {
		span = uvm_external_find_map(range, address, last, i < 0 ? gpu : i);
		if (!span)
			break;
		map = container_of(span, struct uvm_external_map, span);
		ret = external_semaphore_usable(map);
		if (!ret)
			return map;
	}
	return ERR_PTR(ret);
}

/**
 * uvm_external_semaphore_check - can a word be released?
 * @va_space: the VA space; its lock is held
 * @address: of the word, a multiple of 4
 *
 * Return: 0, -ENOENT (nothing is mapped there), -EOPNOTSUPP (device memory),
 * -EACCES (read-only).
 */
int uvm_external_semaphore_check(struct uvm_va_space *va_space, u64 address)
{
	struct uvm_external_map *map;

	sim_mutex_lock(&va_space->external_lock);
	map = external_semaphore(va_space, address, 0);
	sim_mutex_unlock(&va_space->external_lock);
	return PTR_ERR_OR_ZERO(map);
}

/*
 * The map remembers the push, so that the word outlives it.  The word is the user's, in none
 * of the places where a channel of ours has semaphores, so it is written like memory.
 */
static int external_semaphore_push(struct uvm_external_map *map, u64 address, u32 payload,
				   struct uvm_tracker *tracker)
{
	struct uvm_gpu *gpu = uvm_gpu(map->span.gpu);
	struct uvm_push push;
	int ret;

	ret = uvm_push_begin_acquire(gpu, UVM_CHANNEL_MEMOPS, tracker, &push);
	if (ret)
		return ret;
	uvm_ce_memset_4(&push, external_address(gpu, map, address), payload, sizeof(payload));
	uvm_push_end(&push);
	ret = uvm_tracker_add_push_safe(&map->tracker, &push);
	return ret ?: uvm_tracker_add_push_safe(tracker, &push);
}

/**
 * uvm_external_semaphore_release - write a word when work is done
 * @va_space: the VA space; its lock is held
 * @address: of the word, a multiple of 4
 * @payload: written there
 * @gpu: which GPU should do it, if the word is mapped for it; work of others is
 *	waited for here
 * @tracker: the work; the release is added.  If it is done the word is written
 *	at once, without a GPU (nvidia-uvm 6.1)
 *
 * Return: 0, or as uvm_external_semaphore_check(), -EIO.
 */
int uvm_external_semaphore_release(struct uvm_va_space *va_space, u64 address, u32 payload,
				   unsigned int gpu, struct uvm_tracker *tracker)
{
	struct uvm_external_map *map;
	int ret = 0;

	sim_mutex_lock(&va_space->external_lock);
	map = external_semaphore(va_space, address, gpu);
	if (IS_ERR(map))
		ret = PTR_ERR(map);
	else if (uvm_tracker_is_completed(tracker))
		rm_memory_write_word(map->memory, map->offset + (address - map->span.start),
				     payload);
	else
		ret = external_semaphore_push(map, address, payload, tracker);
	sim_mutex_unlock(&va_space->external_lock);
	return ret;
}

/* ---- ends ------------------------------------------------------------ */

static void external_unmap_peer(struct uvm_external_range *range, struct uvm_gpu_va_space *gvs,
				unsigned int owner)
{
	LIST_HEAD(taken);

	uvm_external_take_peer(range, gvs->gpu->index, owner, &taken);
	external_end_list(gvs, &taken);
}

static void external_remove_gpu(struct uvm_va_space *va_space, struct uvm_external_range *range,
				struct uvm_gpu_va_space *gvs)
{
	unsigned int i;

	external_unmap_range(va_space, range, gvs);
	for (i = 0; i < UVM_MAX_GPUS; i++)
		if (va_space->gpus[i])
			external_unmap_peer(range, va_space->gpus[i], gvs->gpu->index);
}

void uvm_external_remove_gpu(struct uvm_va_space *va_space, struct uvm_gpu_va_space *gvs)
{
	struct interval_tree_node *node;

	sim_assert_held_write(&va_space->lock);
	sim_mutex_lock(&va_space->external_lock);
	for (node = interval_tree_iter_first(&va_space->externals, 0, ULONG_MAX); node;
	     node = interval_tree_iter_next(node, 0, ULONG_MAX))
		external_remove_gpu(va_space, container_of(node, struct uvm_external_range, node),
				    gvs);
	sim_mutex_unlock(&va_space->external_lock);
}

int uvm_external_remove_peer(struct uvm_va_space *va_space, struct uvm_gpu_va_space *gvs,
			     struct uvm_gpu *owner)
{
	struct interval_tree_node *node;
	int ret = 0;

	sim_assert_held_write(&va_space->lock);
	sim_mutex_lock(&va_space->external_lock);
	for (node = interval_tree_iter_first(&va_space->externals, 0, ULONG_MAX); node && !ret;
	     node = interval_tree_iter_next(node, 0, ULONG_MAX)) {
		external_unmap_peer(container_of(node, struct uvm_external_range, node), gvs,
				    owner->index);
		ret = fatal_signal_pending(current) ? -EINTR : 0;
	}
	sim_mutex_unlock(&va_space->external_lock);
	return ret;
}

void uvm_external_free_dead(struct uvm_gpu_va_space *gvs)
{
	struct uvm_external_map *map, *next;

	list_for_each_entry_safe(map, next, &gvs->dead_maps, span.node) {
		list_del(&map->span.node);
		external_map_destroy(map);
	}
}

void uvm_external_forget(struct uvm_va_space *va_space)
{
	struct uvm_external_range *range;

	while ((range = uvm_external_first(&va_space->externals)))
		external_forget(va_space, range);
}
