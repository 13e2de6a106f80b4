/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Physical memory of one GPU: joins the pure chunk allocator (chunk.h) to the
 * resource manager's PMA and to eviction.
 */
#ifndef UVM_PMM_H
#define UVM_PMM_H

#include <linux/atomic.h>
#include <linux/mutex.h>
#include <softgpu/sim.h>
#include "base/types.h"
#include "model/chunk.h"
#include "model/concurrency.h"
#include "gpu/tracker.h"
#include "memory/pmm_types.h"

struct dentry;

struct uvm_gpu;
struct uvm_work;
struct uvm_eviction_ops;
struct uvm_timing_ops;
struct uvm_params;

/* @owners: whom the chunks are given to. */
int uvm_pmm_init(struct uvm_gpu *gpu, const struct uvm_chunk_owner_ops *owners);
void uvm_pmm_exit(struct uvm_gpu *gpu);

#define UVM_PMM_EVICT	1	/* may evict: caller holds no block lock */
#define UVM_PMM_NOWAIT	2	/* but not wait for what others have pinned */

/**
 * uvm_pmm_alloc - allocate a chunk
 * @gpu: the GPU
 * @size: %UVM_BLOCK_SIZE, %UVM_BIG_PAGE or %UVM_PAGE_SIZE
 * @flags: %UVM_PMM_EVICT, %UVM_PMM_NOWAIT
 * @work: bracket that is charged for PMA calls and evictions
 * @chunk: out: in state TEMP_PINNED
 *
 * The chunk may still be used by GPU work: see uvm_pmm_add_tracker().
 *
 * Return: 0; -ENOSPC if only eviction can help and it was not allowed, or all
 * memory stays pinned; -ENOMEM; -EIO.
 */
int uvm_pmm_alloc(struct uvm_gpu *gpu, u32 size, unsigned int flags, struct uvm_work *work,
		  struct uvm_chunk **chunk);
/* Add the work that still uses a chunk's frame.  Return: 0 or -EIO. */
int uvm_pmm_add_tracker(struct uvm_gpu *gpu, struct uvm_chunk *chunk,
			struct uvm_tracker *tracker);

/* What @tracker has uses a chunk's memory, or may still do so when it is free. */
void uvm_pmm_leave_tracker(struct uvm_gpu *gpu, const struct uvm_chunk *chunk,
			   struct uvm_tracker *tracker);

/* Free a chunk; @tracker: GPU work that may still use it. */
void uvm_pmm_free(struct uvm_gpu *gpu, struct uvm_chunk *chunk, struct uvm_tracker *tracker);

/* TEMP_PINNED -> ALLOCATED, owned by @block from page @page on. */
void uvm_pmm_unpin(struct uvm_gpu *gpu, struct uvm_chunk *chunk, void *block,
		   unsigned int page);
/* A block has wanted pages in the chunk; @arrived: see uvm_chunk_mark_used(). */
void uvm_pmm_mark_used(struct uvm_gpu *gpu, struct uvm_chunk *chunk, bool arrived);
/* The last resident page of the chunk left. */
void uvm_pmm_mark_unused(struct uvm_gpu *gpu, struct uvm_chunk *chunk);
/* What the chunk holds may be lost: evicted before what is in use (nvidia-uvm 4.2). */
void uvm_pmm_mark_discarded(struct uvm_gpu *gpu, struct uvm_chunk *chunk);
/* The last user has left: nothing of it stays. */
void uvm_pmm_clear_up(struct uvm_gpu *gpu);
/*
 * Is there nothing to be had without eviction, and does the timing want that changed
 * before a batch?  Any context.
 */
bool uvm_pmm_wants_room(struct uvm_gpu *gpu);
/* Evict what is to be free when a batch begins, or when it has ended.  No block lock is held. */
void uvm_pmm_before_batch(struct uvm_gpu *gpu, struct uvm_work *work);
void uvm_pmm_after_batch(struct uvm_gpu *gpu, struct uvm_work *work);
/* What came and went since the last call. */
struct uvm_memory_traffic uvm_pmm_take_traffic(struct uvm_gpu *gpu);
/*
 * Pages became resident: @pages, of which @faulted were asked for, of which @refaulted
 * had been evicted before.
 */
void uvm_pmm_note_arrival(struct uvm_gpu *gpu, unsigned int pages, unsigned int faulted,
			  unsigned int refaulted);
/* The eviction load that comes of it, and of evictions. */
struct uvm_prefetch_load uvm_pmm_prefetch_load(struct uvm_gpu *gpu);
/* What blocks allocate at a time. */
enum uvm_chunk_size uvm_pmm_granularity(struct uvm_gpu *gpu);

struct uvm_pmm_shape uvm_pmm_shape(struct uvm_gpu *gpu);

/**
 * uvm_pmm_set_shape - how much is allocated and evicted at a time, and how much there is
 * @gpu: the GPU
 * @shape: what is wanted
 *
 * Return: 0; -EBUSY if some of the GPU's memory is in use already, and it is not so; -ENOMEM.
 */
int uvm_pmm_set_shape(struct uvm_gpu *gpu, struct uvm_pmm_shape shape);

#endif
