// SPDX-License-Identifier: GPL-2.0
/*
 * VA blocks: life and death.
 */
#include <linux/memcontrol.h>
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include "base/debugfs.h"
#include "gpu/gpu.h"
#include "block/va_block.h"
#include "memory/pmm.h"
#include "gpu/tracker.h"
#include "space/va_space_types.h"

/**
 * uvm_va_block_create - make a block with nothing in it
 * @va_space: the VA space
 * @first: first byte, page aligned
 * @last: last byte, in the same aligned 2 MB
 *
 * Return: the block with one reference, or NULL.
 */
struct uvm_va_block *uvm_va_block_create(struct uvm_va_space *va_space, u64 first, u64 last)
{
	struct mem_cgroup *old = set_active_memcg(va_space->memcg);
	struct uvm_va_block *block;

	block = kzalloc(sizeof(*block), UVM_GFP_ACCOUNT);
	if (block)
		block->pages = kvcalloc(UVM_PAGES_PER_BLOCK, sizeof(*block->pages),
					UVM_GFP_ACCOUNT);
	set_active_memcg(old);
	if (!block)
		return NULL;
	if (!block->pages) {
		kfree(block);
		return NULL;
	}
	kref_init(&block->kref);
	sim_mutex_init(&block->lock);
	mutex_init(&block->map_lock);
	block->va_space = va_space;
	block->start = uvm_block_align_down(first);
	block->region = uvm_region_make(uvm_page_in_2m(first), uvm_page_in_2m(last) + 1);
	uvm_page_mask_fill_region(&block->valid, block->region);
	INIT_LIST_HEAD(&block->detached_node);
	uvm_block_state_init(&block->state, block->region, &va_space->topology);
	uvm_tracker_init(&block->tracker);
	uvm_prefetch_state_init(&block->prefetch);
	uvm_thrashing_init(&block->thrashing);
	INIT_LIST_HEAD(&block->pinned_node);
	INIT_LIST_HEAD(&block->remap_node);
	uvm_object_inc(UVM_OBJECT_BLOCK);
	return block;
}

static void uvm_va_block_release(struct kref *kref)
{
	struct uvm_va_block *block = container_of(kref, struct uvm_va_block, kref);

	WARN_ON_ONCE(!list_empty(&block->pinned_node));
	uvm_thrashing_deinit(&block->thrashing);
	uvm_tracker_deinit(&block->tracker);
	sim_mutex_destroy(&block->lock);
	mutex_destroy(&block->map_lock);
	kvfree(block->pages);
	kfree(block);
	uvm_object_dec(UVM_OBJECT_BLOCK);
}

/**
 * uvm_va_block_put - drop a reference
 * @block: the block; memory and tables went when it died, so this never waits
 */
void uvm_va_block_put(struct uvm_va_block *block)
{
	kref_put(&block->kref, uvm_va_block_release);
}

void uvm_va_block_count_resident(struct uvm_va_block *block)
{
	unsigned int id;

	sim_mutex_assert_held(&block->lock);
	for_each_uvm_id(id) {
		u16 was = block->resident[id], is;

		is = uvm_page_mask_weight(uvm_block_state_resident(&block->state, id));
		block->resident[id] = is;
		if (is != was)
			uvm_counter_add(&block->va_space->counters, id, UVM_COUNTER_BYTES_RESIDENT,
					((u64)is - was) << PAGE_SHIFT);
	}
}

/* Whoever serves the block: it is its owner who has one more window. */
static int uvm_va_block_iova_get(struct uvm_va_block *block, struct uvm_gpu *gpu, u64 *iova)
{
	struct rm_user *user = block->va_space->user;
	int ret = rm_user_take(user, gpu->rm, RM_SHARE_ADDRESSES, UVM_BLOCK_SIZE);

	if (ret)
		return ret;
	ret = rm_iova_alloc(gpu->rm, UVM_BLOCK_SIZE, iova);
	if (ret)
		rm_user_give(user, gpu->rm, RM_SHARE_ADDRESSES, UVM_BLOCK_SIZE);
	return ret;
}

struct uvm_va_block_gpu *uvm_va_block_gpu_get(struct uvm_va_block *block, struct uvm_gpu *gpu)
{
	struct uvm_va_block_gpu *bg = block->gpu[gpu->index];
	struct mem_cgroup *old;

	sim_mutex_assert_held(&block->lock);
	if (bg)
		return bg;
	old = set_active_memcg(block->va_space->memcg);
	bg = kvzalloc(sizeof(*bg), UVM_GFP_ACCOUNT);
	set_active_memcg(old);
	if (!bg)
		return NULL;
	if (uvm_va_block_iova_get(block, gpu, &bg->iova)) {
		kvfree(bg);
		return NULL;
	}
	bg->granularity = uvm_pmm_granularity(gpu);
	bg->narrow = true;
	uvm_tracker_init(&bg->ptes);
	block->gpu[gpu->index] = bg;
	uvm_block_state_attach_gpu(&block->state, gpu->id, &bg->state);
	return bg;
}
