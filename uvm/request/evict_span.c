// SPDX-License-Identifier: GPL-2.0
/*
 * Eviction by address, on behalf of the user (UVM_TEST_EVICT_CHUNK of nvidia-uvm).
 *
 * There it is for tests, and what goes is a root chunk.  Here anybody may ask, for memory
 * of his own: what goes are chunks, each of which is in one block, and never what else is
 * in the same 2 MB.  It is no sign that memory is short: neither the prefetcher's load nor
 * what paces the GPU counts it.
 */
#include <linux/sched/signal.h>
#include "base/ioctl_row.h"
#include "gpu/gpu.h"
#include "memory/pmm.h"
#include "base/trace.h"
#include "block/va_block.h"
#include "space/va_space.h"
#include "base/work.h"

/**
 * struct uvm_evict_span - an eviction by address
 * @va_space: the VA space; lock held for reading
 * @gpu: from where
 * @work: charged
 * @bytes: memory of the GPU that was freed so far
 */
struct uvm_evict_span {
	struct uvm_va_space *va_space;
	struct uvm_gpu *gpu;
	struct uvm_work work;
	u64 bytes;
};

/**
 * struct uvm_evict_victim - a chunk as its block had it
 * @chunk: only to be compared: it may be gone when the block's lock is dropped
 * @pa: its address
 * @bytes: its size
 */
struct uvm_evict_victim {
	struct uvm_chunk *chunk;
	u64 pa;
	u64 bytes;
};

/* The first chunk with pages of @left, which begins behind it then. */
static bool uvm_evict_span_next(struct uvm_evict_span *span, struct uvm_va_block *block,
				struct uvm_region *left, struct uvm_evict_victim *victim)
{
	struct uvm_va_block_gpu *bg;
	struct uvm_region region;
	bool found = false;

	sim_mutex_lock(&block->lock);
	bg = block->dead ? NULL : block->gpu[span->gpu->index];
	for (; bg && !found && left->first < left->outer; left->first = region.outer) {
		victim->chunk = bg->chunks[left->first];
		found = victim->chunk;
		region = uvm_va_block_chunk_region(block, span->gpu, left->first);
		if (found) {
			victim->pa = victim->chunk->pa;
			victim->bytes = uvm_region_bytes(region);
		}
	}
	sim_mutex_unlock(&block->lock);
	return found;
}

/*
 * Meanwhile the owner may have given the chunk back, or somebody else have evicted it:
 * then the block has it no more, and nothing is done.
 */
static int uvm_evict_span_one(struct uvm_evict_span *span, struct uvm_va_block *block,
			      const struct uvm_evict_victim *victim)
{
	struct uvm_eviction_report report = {};
	struct uvm_gpu *gpu = span->gpu;
	u64 began = sim_now();
	int ret;

	ret = uvm_va_block_evict(block, gpu, victim->chunk, &span->work, &report);
	if (ret || !report.blocks)
		return ret;
	span->bytes += victim->bytes;
	if (report.pages)
		uvm_stat_add(&gpu->stats, UVM_STAT_EVICTED_CHUNKS, 1);
	trace_uvm_eviction(began, gpu->index, victim->pa, report.blocks, report.pages,
			   sim_now() - began);
	return 0;
}

static int uvm_evict_span_block(struct uvm_evict_span *span, struct uvm_va_block *block,
				struct uvm_region left)
{
	struct uvm_evict_victim victim;
	int ret = 0;

	while (!ret && uvm_evict_span_next(span, block, &left, &victim))
		ret = uvm_evict_span_one(span, block, &victim);
	return ret;
}

/* Blocks that exist, from @base to @last.  Return: also -EINTR (killed). */
static int uvm_evict_span_blocks(struct uvm_evict_span *span, u64 base, u64 last)
{
	struct uvm_va_block *block;
	struct uvm_region left;
	u64 first, addr = base;
	int ret = 0;

	while (!ret && addr <= last) {
		if (fatal_signal_pending(current))
			return -EINTR;
		block = uvm_va_space_next_block(span->va_space, &addr);
		if (!block)
			break;
		/* addr is behind it now */
		first = max(base, uvm_va_block_address(block, block->region.first));
		if (first <= last) {
			left = uvm_va_block_pages(block, first, min(last, addr - 1));
			ret = uvm_evict_span_block(span, block, left);
		}
		uvm_va_block_put(block);
	}
	return ret;
}

/*
 * Pages of a span come home from a GPU, as by an eviction.  Chunks that lie in the span in part
 * go whole.  0, -ENODEV (not registered), -EINVAL (not all managed), -ENOMEM, -EIO, -EINTR
 * (killed, between two blocks).
 */
static int uvm_ioctl_evict(struct file *file, void *data)
{
	struct uvm_va_space *va_space = file->private_data;
	struct uvm_evict *arg = data;
	struct uvm_evict_span span = { .va_space = va_space };
	struct uvm_gpu_va_space *gvs;
	int ret = -ENODEV;

	sim_down_read(&va_space->lock);
	gvs = va_space->gpus[arg->gpu];
	if (gvs) {
		uvm_va_space_reap(va_space);
		mutex_lock(&va_space->ranges_lock);
		ret = uvm_va_space_is_managed(va_space, arg->base, arg->length) ? 0 : -EINVAL;
		mutex_unlock(&va_space->ranges_lock);
	}
	if (!ret) {
		span.gpu = gvs->gpu;
		uvm_work_begin(&span.work, &gvs->gpu->stats, &va_space->stats, UVM_PHASE_EVICT);
		ret = uvm_evict_span_blocks(&span, arg->base, arg->base + arg->length - 1);
		uvm_work_end(&span.work);
	}
	sim_up_read(&va_space->lock);
	arg->bytes = span.bytes;
	return ret;
}

UVM_IOCTL(UVM_IOC_EVICT, uvm_evict, uvm_ioctl_evict,
	  .reserved = { DOOR_AT(uvm_evict, __reserved) }, .span = DOOR_AT(uvm_evict, base),
	  .gpu = { DOOR_AT(uvm_evict, gpu) }, .cost = DOOR_COST(ioctl), .out = true);
