/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Explicit memory: what a user allocates from RM and a driver maps for him
 * (rm.h, "memory objects").
 *
 * GPU memory is whole frames, pinned in PMA and zeroed between owners.  System
 * memory is pinned pages, charged to the allocating process' memory cgroup and
 * to its user's RLIMIT_MEMLOCK; it is mapped to user space through the context's
 * file and for each GPU that needs it through that GPU's IOMMU.
 */
#ifndef SOFTGPU_MEMORY_H
#define SOFTGPU_MEMORY_H

#include <linux/types.h>
#include <linux/kref.h>
#include <linux/mutex.h>
#include <softgpu/rm.h>

struct user_struct;

/**
 * struct sgpu_memory_dma - system memory as one GPU sees it
 * @users: attachments; the addresses are valid while there is one
 * @iova: by 2 MB piece of the object
 */
struct sgpu_memory_dma {
	unsigned int users;
	u64 *iova;
};

/**
 * struct rm_memory - one object
 * @ref: handle, user mappings, driver mappings
 * @gpu: whose context allocated it; owner of the frames
 * @aperture: GPU or system memory
 * @bytes: size, whole pages
 * @frames: GPU memory: addresses of the frames
 * @frame_count: how many
 * @pages: system memory: the pages
 * @page_count: how many
 * @user: who is charged for locked memory; NULL: nobody yet
 * @owner: whose shares of the GPUs it takes, see rm_user_take()
 * @lock: protects @dma; nothing is waited for inside
 * @dma: by GPU
 */
struct rm_memory {
	struct kref ref;
	struct rm_gpu *gpu;
	enum rm_aperture aperture;
	u64 bytes;
	u64 *frames;
	unsigned int frame_count;
	struct page **pages;
	unsigned long page_count;
	struct user_struct *user;
	struct rm_user *owner;
	struct mutex lock;	/* dma */
	struct sgpu_memory_dma dma[RM_MAX_GPUS];
};

/**
 * sgpu_memory_alloc_sys - allocate system memory
 * @gpu: whose context asks
 * @owner: pays with his share of device addresses when it is attached
 * @bytes: rounded up to pages
 * @memory: out: with one reference
 *
 * Context: no participant; may sleep.
 * Return: 0, -EINVAL (size 0, or one that overflows), -ENOMEM, or -EPERM: locked memory limit.
 * (mlock says ENOMEM for that, but here it means that there is none.)
 */
int sgpu_memory_alloc_sys(struct rm_gpu *gpu, struct rm_user *owner, u64 bytes,
			  struct rm_memory **memory);

/**
 * sgpu_memory_alloc_vid - allocate GPU memory
 * @gpu: whose
 * @owner: pays with his share of it
 * @bytes: rounded up to pages; takes whole frames of 2 MB
 * @flags: RM_PMA_CONTIGUOUS or 0
 * @memory: out: with one reference
 *
 * Context: participant; may make the driver evict.
 * Return: 0, -EINVAL as sgpu_memory_alloc_sys(), or -ENOMEM.
 */
int sgpu_memory_alloc_vid(struct rm_gpu *gpu, struct rm_user *owner, u64 bytes, u32 flags,
			  struct rm_memory **memory);

#endif
