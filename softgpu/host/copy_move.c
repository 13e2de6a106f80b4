// SPDX-License-Identifier: GPL-2.0
/* The bytes of a copy move; see copy_move.h. */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/string.h>
#include "base/gpu.h"
#include "host/copy_move.h"
#include "memory/iommu.h"
#include "memory/peer.h"
#include "memory/vram.h"

/* Bytes from @pa to the end of what one pointer covers. */
static u64 sgpu_copy_extent(enum rm_aperture aperture, u64 pa)
{
	if (aperture == RM_APERTURE_SYS)
		return PAGE_SIZE - offset_in_page(pa);
	/* A peer's id lies above its frames.  The chunk bounds how long the lock is held. */
	return min(sgpu_vram_extent(pa), 16 * PAGE_SIZE);
}

/* Every page of a system span is mapped, every byte of a GPU span exists. */
static bool sgpu_copy_reachable(struct rm_gpu *gpu, enum rm_aperture aperture, u64 pa, u64 bytes)
{
	u64 at, end = pa + bytes;
	bool ok = true;

	if (end < pa)
		return false;
	if (aperture == RM_APERTURE_VID)
		return end <= gpu->vram_bytes + gpu->reserve_bytes;
	if (aperture == RM_APERTURE_PEER)
		return sgpu_peer_reachable(gpu, pa, bytes);
	/* The lock is dropped now and then; a span is at most 4 GB of pages. */
	for (at = PAGE_ALIGN_DOWN(pa); ok && at < end; cond_resched()) {
		u64 stop = min(end, at + 256 * PAGE_SIZE);

		sgpu_iommu_lock(gpu);
		for (; ok && at < stop; at += PAGE_SIZE)
			ok = sgpu_iommu_ptr(gpu, at);
		sgpu_iommu_unlock(gpu);
	}
	return ok;
}

static void *sgpu_copy_ptr(struct rm_gpu *gpu, enum rm_aperture aperture, u64 pa)
{
	if (aperture == RM_APERTURE_VID)
		return sgpu_vram_ptr(&gpu->vram, pa);
	if (aperture == RM_APERTURE_PEER)
		return sgpu_peer_ptr(gpu, pa);
	return sgpu_iommu_ptr(gpu, pa);
}

/*
 * Set @bytes, a multiple of the pattern, to the pattern, which starts anew at
 * @offset bytes from the start of the whole.
 */
static void sgpu_copy_set(void *dst, const struct sgpu_copy *copy, u64 offset, u64 bytes)
{
	u8 pattern[8];
	u64 i;

	for (i = 0; i < sizeof(pattern); i++)
		pattern[i] = copy->pattern >> (8 * (i % copy->pattern_bytes));
	if (bytes == sizeof(u32) && copy->pattern_bytes == sizeof(u32) && !offset &&
	    IS_ALIGNED((uintptr_t)dst, sizeof(u32))) {
		/* who waits for the word sees no half of it, and then what was copied before */
		smp_store_release((u32 *)dst, (u32)copy->pattern);
		return;
	}
	if (copy->pattern_bytes == 1 || !copy->pattern) {
		memset(dst, pattern[0], bytes);
		return;
	}
	/* Addresses need not be aligned to the pattern: pages may cut it. */
	for (; bytes && offset % sizeof(pattern); bytes--)
		*(u8 *)dst++ = pattern[offset++ % sizeof(pattern)];
	for (; bytes >= sizeof(pattern); bytes -= sizeof(pattern), dst += sizeof(pattern))
		memcpy(dst, pattern, sizeof(pattern));
	for (i = 0; i < bytes; i++)
		*(u8 *)dst++ = pattern[i];
}

/* One piece that lies, on each side, in one page of system memory or one frame. */
static bool sgpu_copy_piece(struct rm_gpu *gpu, const struct sgpu_copy *copy, u64 offset, u64 bytes)
{
	bool sys = sgpu_copy_touches(copy, RM_APERTURE_SYS);
	void *dst, *src = NULL;

	if (sys)
		sgpu_iommu_lock(gpu);
	dst = sgpu_copy_ptr(gpu, copy->dst_ap, copy->dst + offset);
	if (!copy->memset)
		src = sgpu_copy_ptr(gpu, copy->src_ap, copy->src + offset);
	if (dst && copy->memset)
		sgpu_copy_set(dst, copy, offset, bytes);
	else if (dst && src)
		memmove(dst, src, bytes);	/* users' operands may overlap */
	if (sys)
		sgpu_iommu_unlock(gpu);
	return dst && (src || copy->memset);
}

int sgpu_copy_move(struct rm_gpu *gpu, const struct sgpu_copy *copy)
{
	u64 offset = 0, bytes;
	bool ok = true;

	if (!sgpu_copy_reachable(gpu, copy->dst_ap, copy->dst, copy->bytes) ||
	    (!copy->memset && !sgpu_copy_reachable(gpu, copy->src_ap, copy->src, copy->bytes)))
		return -EFAULT;
	while (ok && offset < copy->bytes) {
		bytes = min(copy->bytes - offset,
			    sgpu_copy_extent(copy->dst_ap, copy->dst + offset));
		if (!copy->memset)
			bytes = min(bytes, sgpu_copy_extent(copy->src_ap, copy->src + offset));
		ok = sgpu_copy_piece(gpu, copy, offset, bytes);
		offset += bytes;
		cond_resched();
	}
	/* Unmapped meanwhile, by somebody who is no participant. */
	return ok ? 0 : -EFAULT;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_copy_move);
