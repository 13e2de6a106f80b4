// SPDX-License-Identifier: GPL-2.0
/* Explicit memory; see memory.h. */
#include <linux/capability.h>
#include <linux/export.h>
#include <linux/highmem.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/user.h>
#include <linux/slab.h>
#include "base/gpu.h"
#include "memory/memory.h"

/* Of a size that the user chooses: fails rather than wakes the OOM killer. */
#define MEMORY_GFP	(GFP_KERNEL_ACCOUNT | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

/* ---- making and freeing ---------------------------------------------- */

/*
 * Locked memory counts per user, so that it can be given back by whoever drops
 * the last reference, without the lock of an mm.
 */
static int memory_charge(struct rm_memory *memory, unsigned long pages)
{
	unsigned long limit = rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT;
	struct user_struct *user = get_uid(current_user());
	unsigned long locked = atomic_long_add_return(pages, &user->locked_vm);

	if (locked > limit && !capable(CAP_IPC_LOCK)) {
		atomic_long_sub(pages, &user->locked_vm);
		free_uid(user);
		return -EPERM;
	}
	memory->user = user;
	return 0;
}

static void memory_free_pages(struct rm_memory *memory, unsigned long wanted)
{
	while (memory->page_count)
		put_page(memory->pages[--memory->page_count]);
	kvfree(memory->pages);
	if (memory->user) {
		atomic_long_sub(wanted, &memory->user->locked_vm);
		free_uid(memory->user);
	}
}

/* Of GPU memory: all that it pins. */
static u64 memory_frame_bytes(const struct rm_memory *memory)
{
	return ALIGN(memory->bytes, RM_FRAME_SIZE);
}

static void memory_destroy(struct rm_memory *memory)
{
	unsigned int i;

	for (i = 0; i < RM_MAX_GPUS; i++)
		WARN_ON_ONCE(memory->dma[i].users);
	if (memory->frame_count) {
		rm_pma_free(memory->gpu, memory->frame_count, memory->frames);
		rm_user_give(memory->owner, memory->gpu, RM_SHARE_MEMORY,
			     memory_frame_bytes(memory));
	}
	kvfree(memory->frames);
	memory_free_pages(memory, memory->bytes >> PAGE_SHIFT);
	rm_user_put(memory->owner);
	mutex_destroy(&memory->lock);
	kfree(memory);
}

static void memory_release(struct kref *ref)
{
	memory_destroy(container_of(ref, struct rm_memory, ref));
}

static struct rm_memory *memory_new(struct rm_gpu *gpu, struct rm_user *owner,
				    enum rm_aperture aperture, u64 bytes)
{
	struct rm_memory *memory;

	if (!bytes || bytes > S64_MAX - PAGE_SIZE)
		return ERR_PTR(-EINVAL);
	memory = kzalloc(sizeof(*memory), GFP_KERNEL_ACCOUNT);
	if (!memory)
		return ERR_PTR(-ENOMEM);
	kref_init(&memory->ref);
	mutex_init(&memory->lock);
	memory->gpu = gpu;
	memory->owner = rm_user_hold(owner);
	memory->aperture = aperture;
	memory->bytes = PAGE_ALIGN(bytes);
	return memory;
}

/* A killed process need not wait for it all. */
static int memory_get_pages(struct rm_memory *memory, unsigned long wanted)
{
	gfp_t gfp = GFP_HIGHUSER | __GFP_ZERO | MEMORY_GFP;

	memory->pages = kvcalloc(wanted, sizeof(*memory->pages), MEMORY_GFP);
	if (!memory->pages)
		return -ENOMEM;
	for (; memory->page_count < wanted; memory->page_count++) {
		struct page *page = fatal_signal_pending(current) ? NULL : alloc_page(gfp);

		if (!page)
			return -ENOMEM;
		memory->pages[memory->page_count] = page;
		cond_resched();
	}
	return 0;
}

int sgpu_memory_alloc_sys(struct rm_gpu *gpu, struct rm_user *owner, u64 bytes,
			  struct rm_memory **out)
{
	struct rm_memory *memory = memory_new(gpu, owner, RM_APERTURE_SYS, bytes);
	unsigned long wanted;
	int ret;

	if (IS_ERR(memory))
		return PTR_ERR(memory);
	wanted = memory->bytes >> PAGE_SHIFT;
	ret = wanted > totalram_pages() ? -ENOMEM : memory_charge(memory, wanted);
	if (!ret)
		ret = memory_get_pages(memory, wanted);
	if (ret)
		memory_destroy(memory);
	else
		*out = memory;
	return ret;
}

int sgpu_memory_alloc_vid(struct rm_gpu *gpu, struct rm_user *owner, u64 bytes, u32 flags,
			  struct rm_memory **out)
{
	struct rm_memory *memory = memory_new(gpu, owner, RM_APERTURE_VID, bytes);
	unsigned int count;
	bool zeroed;
	int ret;

	if (IS_ERR(memory))
		return PTR_ERR(memory);
	ret = -ENOMEM;
	if (memory->bytes > gpu->vram_bytes)
		goto free_memory;
	count = DIV_ROUND_UP(memory->bytes, RM_FRAME_SIZE);
	memory->frames = kvcalloc(count, sizeof(*memory->frames), MEMORY_GFP);
	if (!memory->frames)
		goto free_memory;
	ret = rm_user_take(memory->owner, gpu, RM_SHARE_MEMORY, memory_frame_bytes(memory));
	if (ret)
		goto free_memory;
	ret = rm_pma_alloc(gpu, count, RM_PMA_PINNED | flags, memory->frames, &zeroed);
	if (ret < 0) {
		rm_user_give(memory->owner, gpu, RM_SHARE_MEMORY, memory_frame_bytes(memory));
		goto free_memory;
	}
	memory->frame_count = count;
	*out = memory;
	return 0;

free_memory:
	memory_destroy(memory);
	return ret;
}

/* ---- rm.h ------------------------------------------------------------ */

void rm_memory_put(struct rm_memory *memory)
{
	kref_put(&memory->ref, memory_release);
}
EXPORT_SYMBOL_NS_GPL(rm_memory_put, SOFTGPU);

u64 rm_memory_bytes(const struct rm_memory *memory)
{
	return memory->bytes;
}
EXPORT_SYMBOL_NS_GPL(rm_memory_bytes, SOFTGPU);

struct rm_gpu *rm_memory_gpu(const struct rm_memory *memory)
{
	return memory->aperture == RM_APERTURE_VID ? memory->gpu : NULL;
}
EXPORT_SYMBOL_NS_GPL(rm_memory_gpu, SOFTGPU);

static void memory_dma_free(struct rm_memory *memory, struct rm_gpu *gpu,
			    struct sgpu_memory_dma *dma, u64 bytes)
{
	u64 at;

	for (at = 0; at < bytes; at += RM_FRAME_SIZE)
		rm_iova_free(gpu, dma->iova[at >> RM_FRAME_SHIFT],
			     min(memory->bytes - at, RM_FRAME_SIZE));
	kvfree(dma->iova);
	dma->iova = NULL;
}

static int memory_dma_map(struct rm_memory *memory, struct rm_gpu *gpu,
			  struct sgpu_memory_dma *dma)
{
	u64 at, piece;

	dma->iova = kvcalloc(DIV_ROUND_UP(memory->bytes, RM_FRAME_SIZE), sizeof(*dma->iova),
			     MEMORY_GFP);
	if (!dma->iova) {
		rm_user_give(memory->owner, gpu, RM_SHARE_ADDRESSES, memory->bytes);
		return -ENOMEM;
	}
	for (at = 0; at < memory->bytes; at += piece) {
		u64 *iova = &dma->iova[at >> RM_FRAME_SHIFT];

		piece = min(memory->bytes - at, RM_FRAME_SIZE);
		if (fatal_signal_pending(current) || rm_iova_alloc(gpu, piece, iova)) {
			memory_dma_free(memory, gpu, dma, at);
			rm_user_give(memory->owner, gpu, RM_SHARE_ADDRESSES, memory->bytes);
			return -ENOMEM;
		}
		rm_dma_map_pages(gpu, *iova, &memory->pages[at >> PAGE_SHIFT], piece >> PAGE_SHIFT);
		cond_resched();
	}
	return 0;
}

int rm_memory_attach(struct rm_memory *memory, struct rm_gpu *gpu)
{
	struct sgpu_memory_dma *dma = &memory->dma[gpu->index];
	int ret = 0;

	if (memory->aperture == RM_APERTURE_VID)
		return memory->gpu == gpu || rm_peer_link(gpu, memory->gpu) != RM_PEER_LINK_NONE ?
		       0 : -EOPNOTSUPP;
	mutex_lock(&memory->lock);
	if (!dma->users) {
		ret = rm_user_take(memory->owner, gpu, RM_SHARE_ADDRESSES, memory->bytes);
		if (!ret)
			ret = memory_dma_map(memory, gpu, dma);
	}
	if (!ret)
		dma->users++;
	mutex_unlock(&memory->lock);
	return ret;
}
EXPORT_SYMBOL_NS_GPL(rm_memory_attach, SOFTGPU);

void rm_memory_detach(struct rm_memory *memory, struct rm_gpu *gpu)
{
	struct sgpu_memory_dma *dma = &memory->dma[gpu->index];

	if (memory->aperture == RM_APERTURE_VID)
		return;
	mutex_lock(&memory->lock);
	if (!WARN_ON_ONCE(!dma->users) && !--dma->users) {
		memory_dma_free(memory, gpu, dma, memory->bytes);
		rm_user_give(memory->owner, gpu, RM_SHARE_ADDRESSES, memory->bytes);
	}
	mutex_unlock(&memory->lock);
}
EXPORT_SYMBOL_NS_GPL(rm_memory_detach, SOFTGPU);

u64 rm_memory_address(const struct rm_memory *memory, struct rm_gpu *gpu, u64 offset,
		      enum rm_aperture *aperture)
{
	u64 piece = offset >> RM_FRAME_SHIFT, within = offset & (RM_FRAME_SIZE - 1);

	*aperture = memory->aperture;
	if (memory->aperture == RM_APERTURE_SYS)
		return memory->dma[gpu->index].iova[piece] + within;
	if (memory->gpu == gpu)
		return memory->frames[piece] + within;
	*aperture = RM_APERTURE_PEER;
	return rm_peer_address(rm_peer_id(gpu, memory->gpu), memory->frames[piece] + within);
}
EXPORT_SYMBOL_NS_GPL(rm_memory_address, SOFTGPU);

void rm_memory_write_word(struct rm_memory *memory, u64 offset, u32 value)
{
	u32 *words = kmap_local_page(memory->pages[offset >> PAGE_SHIFT]);

	WRITE_ONCE(words[offset_in_page(offset) / sizeof(u32)], value);
	kunmap_local(words);
}
EXPORT_SYMBOL_NS_GPL(rm_memory_write_word, SOFTGPU);
