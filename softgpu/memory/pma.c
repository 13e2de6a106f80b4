// SPDX-License-Identifier: GPL-2.0
/* PMA: ownership of GPU memory frames; see pma.h and rm.h. */
#include <linux/bitmap.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <kunit/visibility.h>
#include "base/gpu.h"
#include "memory/pma.h"
#include "memory/vram.h"

/* Internal flag beside RM_PMA_*: highest address first. */
#define SGPU_PMA_FROM_TOP	BIT(31)

int sgpu_pma_init(struct rm_gpu *gpu)
{
	struct sgpu_pma *pma = &gpu->pma;

	memset(pma, 0, sizeof(*pma));
	spin_lock_init(&pma->lock);
	sim_waitq_init(&pma->waitq);
	pma->frames = gpu->vram_bytes >> RM_FRAME_SHIFT;
	pma->used = bitmap_zalloc(pma->frames, GFP_KERNEL);
	pma->pinned = bitmap_zalloc(pma->frames, GFP_KERNEL);
	pma->dirty = bitmap_zalloc(pma->frames, GFP_KERNEL);
	if (!pma->used || !pma->pinned || !pma->dirty) {
		sgpu_pma_exit(gpu);
		return -ENOMEM;
	}
	bitmap_fill(pma->dirty, pma->frames);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_pma_init);

void sgpu_pma_exit(struct rm_gpu *gpu)
{
	struct sgpu_pma *pma = &gpu->pma;

	bitmap_free(pma->used);
	bitmap_free(pma->pinned);
	bitmap_free(pma->dirty);
	pma->used = NULL;
	pma->pinned = NULL;
	pma->dirty = NULL;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_pma_exit);

int rm_pma_register(struct rm_gpu *gpu, const struct rm_pma_ops *ops, void *data)
{
	struct sgpu_pma *pma = &gpu->pma;
	int ret = 0;

	spin_lock(&pma->lock);
	if (pma->ops) {
		ret = -EBUSY;
	} else {
		pma->ops = ops;
		pma->data = data;
	}
	spin_unlock(&pma->lock);
	return ret;
}
EXPORT_SYMBOL_NS_GPL(rm_pma_register, SOFTGPU);

void rm_pma_unregister(struct rm_gpu *gpu)
{
	struct sgpu_pma *pma = &gpu->pma;

	spin_lock(&pma->lock);
	pma->ops = NULL;
	spin_unlock(&pma->lock);
	/* An allocation of somebody else may be inside the client. */
	sim_wait_event(&pma->waitq, !READ_ONCE(pma->evicting));
}
EXPORT_SYMBOL_NS_GPL(rm_pma_unregister, SOFTGPU);

static void sgpu_pma_take(struct sgpu_pma *pma, unsigned int frame, u32 flags)
{
	lockdep_assert_held(&pma->lock);
	__set_bit(frame, pma->used);
	__assign_bit(frame, pma->pinned, flags & RM_PMA_PINNED);
	pma->used_count++;
}

/* Lowest (or highest) free frame, or pma->frames. */
static unsigned int sgpu_pma_find(struct sgpu_pma *pma, u32 flags)
{
	unsigned int frame;

	if (!(flags & SGPU_PMA_FROM_TOP))
		return find_first_zero_bit(pma->used, pma->frames);
	for (frame = pma->frames; frame--;)
		if (!test_bit(frame, pma->used))
			return frame;
	return pma->frames;
}

/* Take up to @count free frames; returns how many. */
static unsigned int sgpu_pma_take_free(struct sgpu_pma *pma, unsigned int count, u32 flags,
				       u64 *frames)
{
	unsigned int n, frame;

	spin_lock(&pma->lock);
	for (n = 0; n < count && pma->used_count < pma->frames; n++) {
		frame = sgpu_pma_find(pma, flags);
		sgpu_pma_take(pma, frame, flags);
		frames[n] = (u64)frame << RM_FRAME_SHIFT;
	}
	spin_unlock(&pma->lock);
	return n;
}

/* Frames given up by the client change hands without ever being free. */
static unsigned int sgpu_pma_evict(struct sgpu_pma *pma, unsigned int count, u32 flags,
				   u64 *frames, u64 first, u64 last)
{
	const struct rm_pma_ops *ops;
	unsigned int n = 0, i, frame;
	void *data;

	spin_lock(&pma->lock);
	ops = flags & RM_PMA_DONT_EVICT ? NULL : pma->ops;
	data = pma->data;
	if (ops)
		pma->evicting++;
	spin_unlock(&pma->lock);
	if (!ops)
		return 0;
	n = ops->evict_frames(data, count, frames, first, last);
	if (WARN_ON_ONCE(n > count))
		n = count;
	spin_lock(&pma->lock);
	for (i = 0; i < n; i++) {
		frame = frames[i] >> RM_FRAME_SHIFT;
		WARN_ON_ONCE(frames[i] < first || frames[i] > last ||
			     !test_bit(frame, pma->used));
		__assign_bit(frame, pma->pinned, flags & RM_PMA_PINNED);
		__set_bit(frame, pma->dirty);
	}
	pma->evicted += n;
	pma->evicting--;
	spin_unlock(&pma->lock);
	sim_wake(&pma->waitq);
	return n;
}

/* Zero those frames that somebody had before, the host's kernel included. */
static void sgpu_pma_scrub(struct rm_gpu *gpu, unsigned int count, const u64 *frames)
{
	struct sgpu_pma *pma = &gpu->pma;
	unsigned int i;

	for (i = 0; i < count; i++) {
		bool dirty;

		spin_lock(&pma->lock);
		dirty = __test_and_clear_bit(frames[i] >> RM_FRAME_SHIFT, pma->dirty);
		spin_unlock(&pma->lock);
		if (!dirty)
			continue;
		memset(sgpu_vram_ptr(&gpu->vram, frames[i]), 0, RM_FRAME_SIZE);
		cond_resched();
	}
}

/*
 * Lowest (or highest) run of @count frames that are free, or at least not
 * pinned.  Returns its first frame, or pma->frames.
 */
static unsigned int sgpu_pma_find_run(struct sgpu_pma *pma, unsigned int count, u32 flags,
				      bool free)
{
	const unsigned long *taken = free ? pma->used : pma->pinned;
	unsigned int i, frame, run = 0;

	lockdep_assert_held(&pma->lock);
	for (i = 0; i < pma->frames; i++) {
		frame = flags & SGPU_PMA_FROM_TOP ? pma->frames - 1 - i : i;
		run = test_bit(frame, taken) ? 0 : run + 1;
		if (run == count)
			return flags & SGPU_PMA_FROM_TOP ? frame : frame + 1 - count;
	}
	return pma->frames;
}

/* Free frames of a run are ours at once, in ascending order; returns how many. */
static unsigned int sgpu_pma_take_run(struct sgpu_pma *pma, unsigned int first, unsigned int count,
				      u32 flags, u64 *frames)
{
	unsigned int i, n = 0;

	lockdep_assert_held(&pma->lock);
	for (i = 0; i < count; i++) {
		if (test_bit(first + i, pma->used))
			continue;
		sgpu_pma_take(pma, first + i, flags);
		frames[n++] = (u64)(first + i) << RM_FRAME_SHIFT;
	}
	return n;
}

/*
 * Contiguous frames: a free run, else a run made free by eviction.  Returns how
 * many were taken into @frames: all of them, or too few.
 */
static unsigned int sgpu_pma_alloc_run(struct sgpu_pma *pma, unsigned int count, u32 flags,
				       u64 *frames)
{
	unsigned int first, i, n;

	spin_lock(&pma->lock);
	first = pma->frames;
	/* the top means the very top, whatever is there */
	if (!(flags & SGPU_PMA_FROM_TOP))
		first = sgpu_pma_find_run(pma, count, flags, true);
	if (first == pma->frames && !(flags & RM_PMA_DONT_EVICT))
		first = sgpu_pma_find_run(pma, count, flags, false);
	if (first == pma->frames) {
		spin_unlock(&pma->lock);
		return 0;
	}
	n = sgpu_pma_take_run(pma, first, count, flags, frames);
	spin_unlock(&pma->lock);
	if (n < count) {
		n += sgpu_pma_evict(pma, count - n, flags, frames + n,
				    (u64)first << RM_FRAME_SHIFT,
				    ((u64)(first + count) << RM_FRAME_SHIFT) - 1);
		/* What the client was about to give back has come by now. */
		spin_lock(&pma->lock);
		n += sgpu_pma_take_run(pma, first, count, flags, frames + n);
		spin_unlock(&pma->lock);
	}
	for (i = 0; n == count && i < count; i++)
		frames[i] = (u64)(first + i) << RM_FRAME_SHIFT;
	return n;
}

/* Undo an allocation that did not succeed: the frames were not handed out. */
static int sgpu_pma_give_up(struct rm_gpu *gpu, unsigned int count, const u64 *frames)
{
	if (count)
		rm_pma_free(gpu, count, frames);
	return -ENOMEM;
}

static int sgpu_pma_alloc(struct rm_gpu *gpu, unsigned int count, u32 flags, u64 *frames)
{
	struct sgpu_pma *pma = &gpu->pma;
	unsigned int n, got;

	if (!count || (count > pma->frames && !(flags & RM_PMA_PARTIAL)))
		return -ENOMEM;
	pma->allocs++;
	if (flags & RM_PMA_CONTIGUOUS) {
		n = sgpu_pma_alloc_run(pma, count, flags, frames);
		if (n < count)
			return sgpu_pma_give_up(gpu, n, frames);
	} else {
		n = sgpu_pma_take_free(pma, count, flags, frames);
		/* Part of what was asked for is better than an eviction. */
		while (n < count && !(n && (flags & RM_PMA_PARTIAL))) {
			got = sgpu_pma_evict(pma, count - n, flags, frames + n, 0,
					     gpu->vram_bytes - 1);
			/* Frames may have been freed meanwhile. */
			got += sgpu_pma_take_free(pma, count - n - got, flags, frames + n + got);
			if (!got)
				return sgpu_pma_give_up(gpu, n, frames);
			n += got;
		}
	}
	return n;
}

int rm_pma_alloc(struct rm_gpu *gpu, unsigned int count, u32 flags, u64 *frames, bool *zeroed)
{
	int n = sgpu_pma_alloc(gpu, count, flags & ~SGPU_PMA_FROM_TOP, frames);

	*zeroed = true;
	if (n > 0)
		sgpu_pma_scrub(gpu, n, frames);
	return n;
}
EXPORT_SYMBOL_NS_GPL(rm_pma_alloc, SOFTGPU);

void rm_pma_free(struct rm_gpu *gpu, unsigned int count, const u64 *frames)
{
	struct sgpu_pma *pma = &gpu->pma;
	unsigned int i, frame;

	spin_lock(&pma->lock);
	for (i = 0; i < count; i++) {
		frame = frames[i] >> RM_FRAME_SHIFT;
		if (WARN_ON_ONCE(frame >= pma->frames || !test_bit(frame, pma->used)))
			continue;
		__clear_bit(frame, pma->used);
		__clear_bit(frame, pma->pinned);
		__set_bit(frame, pma->dirty);
		pma->used_count--;
	}
	spin_unlock(&pma->lock);
}
EXPORT_SYMBOL_NS_GPL(rm_pma_free, SOFTGPU);

void rm_pma_pin(struct rm_gpu *gpu, u64 address)
{
	struct sgpu_pma *pma = &gpu->pma;
	unsigned int frame = address >> RM_FRAME_SHIFT;

	spin_lock(&pma->lock);
	if (!WARN_ON_ONCE(frame >= pma->frames || !test_bit(frame, pma->used)))
		__set_bit(frame, pma->pinned);
	spin_unlock(&pma->lock);
}
EXPORT_SYMBOL_NS_GPL(rm_pma_pin, SOFTGPU);

u64 rm_pma_usable_bytes(struct rm_gpu *gpu)
{
	return gpu->vram_bytes - ((u64)READ_ONCE(gpu->pma.limited) << RM_FRAME_SHIFT);
}
EXPORT_SYMBOL_NS_GPL(rm_pma_usable_bytes, SOFTGPU);

u64 rm_pma_free_frames(struct rm_gpu *gpu)
{
	return gpu->pma.frames - READ_ONCE(gpu->pma.used_count);
}
EXPORT_SYMBOL_NS_GPL(rm_pma_free_frames, SOFTGPU);

/* Change how many frames limits hold, by @delta. */
static void sgpu_pma_count_limited(struct sgpu_pma *pma, int delta)
{
	spin_lock(&pma->lock);
	pma->limited += delta;
	spin_unlock(&pma->lock);
}

static void sgpu_pma_shrink_limit(struct rm_gpu *gpu, struct sgpu_pma_limit *limit,
				  unsigned int count)
{
	unsigned int n = limit->count - count;

	if (!n)
		return;
	rm_pma_free(gpu, n, limit->frames + count);
	limit->count = count;
	sgpu_pma_count_limited(&gpu->pma, -(int)n);
	rm_user_give(limit->user, gpu, RM_SHARE_MEMORY, (u64)n << RM_FRAME_SHIFT);
}

/*
 * How many frames a limit wants in all, and how many more than it has: these count as
 * limited from now on, so that two who come at once do not take twice as many.
 */
static unsigned int sgpu_pma_claim_limit(struct sgpu_pma *pma, const struct sgpu_pma_limit *limit,
					 u64 bytes, unsigned int *want)
{
	u64 leave = bytes / RM_FRAME_SIZE + !!(bytes % RM_FRAME_SIZE);
	unsigned int others, more;

	spin_lock(&pma->lock);
	others = pma->limited - limit->count;
	*want = !bytes || leave >= pma->frames - others ? 0 : pma->frames - others - leave;
	more = *want > limit->count ? *want - limit->count : 0;
	pma->limited += more;
	spin_unlock(&pma->lock);
	return more;
}

/* Pin @n more frames, which are claimed. */
static int sgpu_pma_grow_limit(struct rm_gpu *gpu, struct sgpu_pma_limit *limit, unsigned int n,
			       bool run)
{
	u64 bytes = (u64)n << RM_FRAME_SHIFT;
	int ret;

	ret = rm_user_take(limit->user, gpu, RM_SHARE_MEMORY, bytes);
	if (ret)
		return ret;
	ret = sgpu_pma_alloc(gpu, n, RM_PMA_PINNED | SGPU_PMA_FROM_TOP |
			     (run ? RM_PMA_CONTIGUOUS : 0), limit->frames + limit->count);
	if (ret >= 0)
		return 0;
	rm_user_give(limit->user, gpu, RM_SHARE_MEMORY, bytes);
	return -EBUSY;
}

int sgpu_pma_set_limit(struct rm_gpu *gpu, struct sgpu_pma_limit *limit, u64 bytes, bool run)
{
	struct sgpu_pma *pma = &gpu->pma;
	unsigned int want, n;
	int ret;

	if (!limit->frames && bytes) {
		limit->frames = kvmalloc_array(pma->frames, sizeof(u64), GFP_KERNEL);
		if (!limit->frames)
			return -ENOMEM;
	}
	n = sgpu_pma_claim_limit(pma, limit, bytes, &want);
	if (!n) {
		sgpu_pma_shrink_limit(gpu, limit, want);
		return 0;
	}
	ret = sgpu_pma_grow_limit(gpu, limit, n, run);
	if (ret)
		sgpu_pma_count_limited(pma, -(int)n);
	else
		limit->count = want;
	return ret;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_pma_set_limit);

void sgpu_pma_release_limit(struct rm_gpu *gpu, struct sgpu_pma_limit *limit)
{
	sgpu_pma_shrink_limit(gpu, limit, 0);
	kvfree(limit->frames);
	limit->frames = NULL;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_pma_release_limit);
