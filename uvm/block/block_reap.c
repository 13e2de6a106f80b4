// SPDX-License-Identifier: GPL-2.0
/*
 * VA blocks: what they lose when pages are unmapped, a peer leaves, or a GPU does.
 */
#include <linux/mm.h>
#include "base/work.h"
#include "block/block_thrashing.h"
#include "block/service.h"
#include "block/va_block.h"
#include "gpu/channel.h"
#include "gpu/gpu.h"
#include "gpu/tracker.h"
#include "memory/pmm.h"
#include "mmu/page_tree.h"
#include "space/va_space_types.h"

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
	if (!runs || !uvm_gpu_channel_error(gpu)) {
		uvm_va_block_gpu_destroy(bg, gvs);
		return;
	}
	sim_mutex_assert_held(&block->va_space->reap_lock);
	list_add(&bg->dead_node, &gvs->dead_blocks);
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
	const struct uvm_service_request request = {
		.work = work,
		.va_space = block->va_space,
		.block = block,
		.cause = UVM_CAUSE_UNREGISTER,
	};
	struct uvm_service *service = uvm_service_alloc();
	struct uvm_gpu *gpu = gvs->gpu;
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
		uvm_service_begin(service, &request);
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
