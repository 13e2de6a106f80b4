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

/**
 * uvm_pmm_init - be ready to have a GPU's memory, without any yet
 * @gpu: the GPU
 * @owners: what the owners of chunks can do; whom the chunks are given to
 *
 * Context: may sleep; no participant.
 * Return: 0 or -ENOMEM, or what rm_pma_register() says.
 */
int uvm_pmm_init(struct uvm_gpu *gpu, const struct uvm_chunk_owner_ops *owners);

/**
 * uvm_pmm_exit - the reverse of uvm_pmm_init()
 * @gpu: the GPU; nobody has a chunk
 *
 * Context: may sleep; enters the clock.
 */
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

/**
 * uvm_pmm_add_tracker - add the work that still uses a chunk's frame
 * @gpu: the GPU
 * @chunk: the chunk
 * @tracker: added to; without memory the work is waited for
 *
 * Context: takes pmm->lock; may sleep.
 * Return: 0 or -EIO.
 */
int uvm_pmm_add_tracker(struct uvm_gpu *gpu, struct uvm_chunk *chunk,
			struct uvm_tracker *tracker);

/**
 * uvm_pmm_leave_tracker - some work uses a chunk's memory, or may still do so when it is free
 * @gpu: the GPU
 * @chunk: the chunk, held by the caller
 * @tracker: the work; without memory it is waited for
 *
 * Context: takes pmm->lock; may sleep.
 */
void uvm_pmm_leave_tracker(struct uvm_gpu *gpu, const struct uvm_chunk *chunk,
			   struct uvm_tracker *tracker);

/**
 * uvm_pmm_free - free a chunk
 * @gpu: the GPU
 * @chunk: the chunk, TEMP_PINNED or ALLOCATED
 * @tracker: GPU work that may still use it, or NULL
 *
 * Frames beyond what the timing keeps free go back to PMA if memory was made free ahead of need.
 *
 * Context: takes pmm->lock; may sleep.
 */
void uvm_pmm_free(struct uvm_gpu *gpu, struct uvm_chunk *chunk, struct uvm_tracker *tracker);

/**
 * uvm_pmm_unpin - a chunk is its block's, and can be evicted: TEMP_PINNED -> ALLOCATED
 * @gpu: the GPU
 * @chunk: the chunk
 * @block: the VA block that owns it
 * @page: first page of the block that it holds
 *
 * Context: block lock held; takes pmm->lock.
 */
void uvm_pmm_unpin(struct uvm_gpu *gpu, struct uvm_chunk *chunk, void *block,
		   unsigned int page);

/**
 * uvm_pmm_mark_used - a block has wanted pages in a chunk
 * @gpu: the GPU
 * @chunk: the chunk
 * @arrived: see uvm_chunk_mark_used()
 *
 * Context: block lock held; takes pmm->lock.
 */
void uvm_pmm_mark_used(struct uvm_gpu *gpu, struct uvm_chunk *chunk, bool arrived);

/**
 * uvm_pmm_mark_unused - the last resident page of a chunk left: it is evicted first
 * @gpu: the GPU
 * @chunk: the chunk
 *
 * Context: block lock held; takes pmm->lock.
 */
void uvm_pmm_mark_unused(struct uvm_gpu *gpu, struct uvm_chunk *chunk);

/**
 * uvm_pmm_mark_discarded - what a chunk holds may be lost
 * @gpu: the GPU
 * @chunk: the chunk: evicted before what is in use (nvidia-uvm 4.2)
 *
 * Context: block lock held; takes pmm->lock.
 */
void uvm_pmm_mark_discarded(struct uvm_gpu *gpu, struct uvm_chunk *chunk);

/**
 * uvm_pmm_clear_up - the last user has left: nothing of it stays
 * @gpu: the GPU; free frames go back to PMA
 *
 * Context: gpu->users_lock held; takes pmm->lock; may sleep.
 */
void uvm_pmm_clear_up(struct uvm_gpu *gpu);

/**
 * uvm_pmm_wants_room - has something to be evicted before a batch?
 * @gpu: the GPU
 *
 * Context: any.
 * Return: true if there is nothing to be had without eviction, and the timing wants that changed.
 */
bool uvm_pmm_wants_room(struct uvm_gpu *gpu);

/**
 * uvm_pmm_batch_begin - evict what is to be free before the faults of a batch are fetched
 * @gpu: the GPU
 * @work: charged
 *
 * How much that is was decided at the end of the last batch, by the timing's before().
 *
 * Context: the bottom half; no block lock is held; takes pmm->lock; waits for evictions.
 */
void uvm_pmm_batch_begin(struct uvm_gpu *gpu, struct uvm_work *work);

/**
 * uvm_pmm_batch_end - a batch was replayed: evict what its timing wants, and plan for the next
 * @gpu: the GPU
 * @work: charged
 *
 * Context: as uvm_pmm_batch_begin().
 */
void uvm_pmm_batch_end(struct uvm_gpu *gpu, struct uvm_work *work);

/**
 * uvm_pmm_take_traffic - what came and went since the last call
 * @gpu: the GPU
 *
 * Context: takes pmm->lock.
 * Return: the traffic, counted anew from now on.
 */
struct uvm_memory_traffic uvm_pmm_take_traffic(struct uvm_gpu *gpu);

/**
 * uvm_pmm_note_arrival - pages became resident
 * @gpu: the GPU
 * @pages: how many
 * @faulted: of these, those that were asked for
 * @refaulted: of those, the ones that had been evicted before
 *
 * Context: takes pmm->lock.
 */
void uvm_pmm_note_arrival(struct uvm_gpu *gpu, unsigned int pages, unsigned int faulted,
			  unsigned int refaulted);

/**
 * uvm_pmm_prefetch_load - the eviction load that comes of arrivals and evictions
 * @gpu: the GPU
 *
 * Context: takes pmm->lock.
 * Return: the load, for prefetch policies.
 */
struct uvm_prefetch_load uvm_pmm_prefetch_load(struct uvm_gpu *gpu);

/**
 * uvm_pmm_granularity - what blocks allocate at a time
 * @gpu: the GPU
 *
 * Context: any.
 * Return: the size of a unit.
 */
enum uvm_chunk_size uvm_pmm_granularity(struct uvm_gpu *gpu);

/**
 * uvm_pmm_shape - how much is allocated and evicted at a time, and how much there is
 * @gpu: the GPU
 *
 * Context: takes pmm->lock.
 * Return: the shape in force.
 */
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
