// SPDX-License-Identifier: GPL-2.0
/*
 * VA blocks: life and death.
 */
#include <linux/memcontrol.h>
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include "block/block_thrashing.h"
#include "base/debugfs.h"
#include "gpu/gpu.h"
#include "memory/pmm.h"
#include "block/va_block.h"
#include "space/va_space.h"
#include "base/work.h"

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

/* From where the pages are, not from what moved: so each can be checked by the other. */
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

static void uvm_va_block_gpu_destroy(struct uvm_va_block_gpu *bg, struct uvm_gpu_va_space *gvs)
{
	struct rm_gpu *rm = gvs->gpu->rm;

	rm_iova_free(rm, bg->iova, UVM_BLOCK_SIZE);
	rm_user_give(gvs->va_space->user, rm, RM_SHARE_ADDRESSES, UVM_BLOCK_SIZE);
	kvfree(bg);
}

/*
 * Nothing is mapped any more, but on a dead channel: there a kernel that has not been stopped
 * (@runs) may still use the addresses, and they are nobody else's before it has been.
 */
static void uvm_va_block_gpu_free(struct uvm_va_block *block, struct uvm_gpu_va_space *gvs,
				  bool runs)
{
	struct uvm_gpu *gpu = gvs->gpu;
	struct uvm_page_tree *tree = &gvs->page_tree;
	struct uvm_va_block_gpu *bg = block->gpu[gpu->index];

	if (bg->big_range.table)
		uvm_page_tree_put_ptes(tree, &bg->big_range, &block->tracker);
	if (bg->small_range.table)
		uvm_page_tree_put_ptes(tree, &bg->small_range, &block->tracker);
	if (bg->range_2m.table)
		uvm_page_tree_put_ptes(tree, &bg->range_2m, &block->tracker);
	uvm_tracker_deinit(&bg->ptes);
	uvm_block_state_detach_gpu(&block->state, gpu->id);
	block->gpu[gpu->index] = NULL;
	if (runs && uvm_gpu_channel_error(gpu))
		list_add(&bg->dead_node, &gvs->dead_blocks);
	else
		uvm_va_block_gpu_destroy(bg, gvs);
}

void uvm_va_block_free_dead(struct uvm_gpu_va_space *gvs)
{
	struct uvm_va_block_gpu *bg, *next;

	list_for_each_entry_safe(bg, next, &gvs->dead_blocks, dead_node) {
		list_del(&bg->dead_node);
		uvm_va_block_gpu_destroy(bg, gvs);
	}
}

/* Nobody may reach @pages any more: unmap them everywhere. */
static void uvm_va_block_unmap_all(struct uvm_va_block *block, const struct uvm_page_mask *pages)
{
	struct uvm_va_space *va_space = block->va_space;
	struct uvm_page_mask mask;
	unsigned int i;

	uvm_page_mask_copy(&mask, pages);
	uvm_va_block_revoke_cpu(block, &mask, UVM_PROT_NONE, true);
	for (i = 0; i < UVM_MAX_GPUS; i++) {
		if (!block->gpu[i] || !va_space->gpus[i])
			continue;
		uvm_va_block_unmap_gpu(block, va_space->gpus[i], pages);
		uvm_va_block_release_units(block, va_space->gpus[i]);
	}
}

/* The last page is gone: give back tables, addresses, chunks.  Lock held. */
static void uvm_va_block_kill(struct uvm_va_block *block)
{
	struct uvm_va_space *va_space = block->va_space;
	unsigned int i;

	block->dead = true;
	uvm_thrashing_deinit(&block->thrashing);
	for (i = 0; i < UVM_MAX_GPUS; i++)
		if (block->gpu[i] && va_space->gpus[i])
			uvm_va_block_gpu_free(block, va_space->gpus[i], true);
}

void uvm_va_block_reap(struct uvm_va_block *block, const struct uvm_page_mask *pages)
{
	struct uvm_page_mask mask;
	unsigned int i;

	sim_mutex_lock(&block->lock);
	uvm_page_mask_and(&mask, pages, &block->valid);
	if (block->dead || uvm_page_mask_empty(&mask))
		goto unlock;
	uvm_page_mask_andnot(&block->valid, &block->valid, &mask);
	uvm_block_thrashing_reset(block, &mask);
	uvm_va_block_unmap_all(block, &mask);
	/* system pages go back to the kernel: no GPU may still reach them */
	uvm_tracker_wait(&block->tracker);
	uvm_block_state_clear_resident(&block->state, UVM_ID_CPU, &mask);
	for (i = 0; i < UVM_MAX_GPUS; i++) {
		if (!block->gpu[i])
			continue;
		uvm_block_state_clear_resident(&block->state, UVM_ID_GPU(i), &mask);
		/* nvidia-uvm splits the chunk and frees pieces, which counts as use */
		uvm_va_block_mark_chunks(block, uvm_gpu(i), &mask, true);
	}
	uvm_va_block_count_resident(block);
	for (i = 0; i < UVM_MAX_GPUS; i++)
		if (block->gpu[i])
			uvm_va_block_free_chunks(block, uvm_gpu(i), &mask);
	uvm_va_block_free_pages(block, &mask);
	if (uvm_page_mask_empty(&block->valid))
		uvm_va_block_kill(block);
unlock:
	sim_mutex_unlock(&block->lock);
}

int uvm_va_block_unmap_peer(struct uvm_va_block *block, struct uvm_gpu_va_space *gvs,
			    unsigned int owner)
{
	struct uvm_page_mask mask;

	sim_mutex_assert_held(&block->lock);
	uvm_page_mask_andnot(&mask, uvm_block_state_resident(&block->state, owner),
			     uvm_block_state_resident(&block->state, gvs->gpu->id));
	return uvm_va_block_unmap_gpu(block, gvs, &mask);
}

/* Peers lose what they map of a GPU's memory, be its bytes lost. */
static void uvm_va_block_unmap_peers(struct uvm_va_block *block, struct uvm_gpu *gpu)
{
	unsigned int i;

	for (i = 0; i < UVM_MAX_GPUS; i++)
		if (i != gpu->index && block->gpu[i] && block->va_space->gpus[i])
			uvm_va_block_unmap_peer(block, block->va_space->gpus[i], gpu->id);
}

int uvm_va_block_remove_gpu(struct uvm_va_block *block, struct uvm_gpu_va_space *gvs,
			    struct uvm_work *work)
{
	struct uvm_gpu *gpu = gvs->gpu;
	struct uvm_service *service = uvm_service_alloc();
	struct uvm_page_mask mask;
	int ret = -ENOMEM;

	sim_mutex_lock(&block->lock);
	if (block->dead || !block->gpu[gpu->index]) {
		ret = 0;
		goto unlock;
	}
	/* where pages are kept, and who fights for them, may no longer be true */
	uvm_block_thrashing_reset(block, &block->valid);
	uvm_page_mask_copy(&mask, uvm_block_state_resident(&block->state, gpu->id));
	if (service) {
		service->work = work;
		service->va_space = block->va_space;
		service->block = block;
		ret = uvm_va_block_make_resident(service, UVM_ID_CPU, &mask, &mask,
						 UVM_CAUSE_UNREGISTER);
	}
	if (ret == -ENOMEM)
		goto unlock;
	/* a dead channel copies nothing: the bytes are lost, the pages start anew */
	uvm_va_block_unmap_peers(block, gpu);
	uvm_page_mask_copy(&mask, uvm_block_state_resident(&block->state, gpu->id));
	uvm_block_state_clear_resident(&block->state, gpu->id, &mask);
	uvm_va_block_count_resident(block);
	uvm_va_block_mark_chunks(block, gpu, &mask, false);
	uvm_va_block_unmap_gpu(block, gvs, &block->valid);
	if (uvm_tracker_wait(&block->tracker)) {
		/* what a dead channel owes never comes, and nobody is to wait for it */
		uvm_tracker_remove_gpu(&block->tracker, gpu);
		uvm_tracker_wait(&block->tracker);
	}
	/* but those that system memory has a copy of, which the CPU may have mapped */
	uvm_page_mask_andnot(&mask, &mask, uvm_block_state_resident(&block->state, UVM_ID_CPU));
	uvm_va_block_free_pages(block, &mask);
	ret = 0;
	uvm_page_mask_fill_region(&mask, block->region);
	uvm_va_block_free_chunks(block, gpu, &mask);
	uvm_va_block_gpu_free(block, gvs, false);
unlock:
	sim_mutex_unlock(&block->lock);
	uvm_service_free(service);
	return ret;
}
