/* SPDX-License-Identifier: GPL-2.0 */
/* Physical memory of one GPU: the structure; see pmm.h. */
#ifndef UVM_PMM_TYPES_H
#define UVM_PMM_TYPES_H

#include <linux/atomic.h>
#include <linux/mutex.h>
#include <softgpu/sim.h>
#include "gpu/tracker_types.h"
#include "model/chunk.h"
#include "model/concurrency.h"

struct uvm_gpu;
struct uvm_work;
struct uvm_eviction_ops;
struct uvm_timing_ops;
struct uvm_stays;

/**
 * struct uvm_eviction_report - what evicting a frame took
 * @blocks: blocks that lost a chunk
 * @pages: 4K pages copied out
 * @va_space_ids: VA spaces that lost pages, then 0; of more than fit the first
 */
struct uvm_eviction_report {
	unsigned int blocks;
	unsigned int pages;
	u64 va_space_ids[8];
};

/**
 * struct uvm_chunk_owner_ops - what the memory manager asks of who holds chunks
 * @get: take a reference; pmm.lock held, the owner has the chunk and is alive
 * @put: give it back; no lock held
 * @evict: empty a chunk, which frees it; no lock held, may wait.  Adds to @report.  Returns 0,
 *	-ENOMEM or -EIO
 */
struct uvm_chunk_owner_ops {
	void (*get)(void *owner);
	void (*put)(void *owner);
	int (*evict)(void *owner, struct uvm_gpu *gpu, struct uvm_chunk *chunk,
		     struct uvm_work *work, struct uvm_eviction_report *report);
};

/**
 * struct uvm_pmm_shape - how the memory of a GPU is cut
 * @unit: bytes allocated and evicted at a time: %UVM_BLOCK_SIZE, %UVM_BIG_PAGE or %UVM_PAGE_SIZE
 * @limit: bytes that managed memory may take, to the nearest unit, at least
 *	%UVM_BLOCK_SIZE; 0: any number
 */
struct uvm_pmm_shape {
	u32 unit;
	u64 limit;
};

/**
 * struct uvm_pmm_recorder - what came from the device's recorder since a policy has asked for it
 * @fetches: how often it was asked
 * @records: records
 * @longest: most of them at once
 */
struct uvm_pmm_recorder {
	u64 fetches;
	u64 records;
	u32 longest;
};

/**
 * struct uvm_pmm - physical memory of one GPU
 * @gpu: the GPU
 * @pma_lock: frames that change hands between PMA and @pool: read to take or
 *	give some, write and drop to wait for all that are on the way (nvidia-uvm
 *	4.1); outside @lock, may be held over a wait
 * @lock: protects all below; never held over a charge or a wait
 * @pool: chunks
 * @roots: storage of @pool, one per frame
 * @trackers: GPU work that still uses memory which is free, one per 64 KB (pmm_tracker.c)
 * @owners: of chunks; fixed
 * @timing: policy in force; read without @lock, too
 * @ejected: the policy whose place the default has taken, or NULL
 * @debugfs: gpuN of debugfs
 * @wants_pages: the eviction policy is told of pages that come; read without @lock
 * @wants_launches: and of launches; likewise
 * @takes_more: it has an also(); likewise
 * @refuses: it has something to say of what is prefetched; likewise
 * @feeds: UVM_FEED_* that it wants; likewise
 * @full: something was evicted for want of memory since it came into force; likewise
 * @wrong_victims: fault injection: so many answers of the policy are nonsense
 * @limit: bytes that managed memory may take; 0: any number
 * @coming: frames that PMA is being asked for
 * @dry: PMA had nothing when it was last asked, or the limit is reached; likewise
 * @accessed_start: driver time at which ticks of REG_ACCESSED_* began
 * @kept: units that are to be free ahead of need; likewise
 * @timing_number: of the parameter that @timing names, or 0
 * @ahead: units that the timing wants free before the next batch; likewise
 * @making: how many make room just now and let go of their victims at the end; needs no lock
 * @taken: bytes allocated since the last batch of faults
 * @taken_last: bytes that the last batch allocated
 * @traffic: what came and went since uvm_pmm_take_traffic()
 * @stays: how long pages are to stay, or when they are used; or NULL
 * @recorder: what the device's recorder has told
 * @prefetch: eviction load, for prefetch policies
 * @moves: counts calls that brought frames from or to PMA; read without @lock, too
 * @generation: counts events that may make a retry succeed
 * @waitq: woken then
 */
struct uvm_pmm {
	struct uvm_gpu *gpu;
	struct sim_rwsem pma_lock;
	struct mutex lock;	/* everything below */
	struct uvm_chunk_pool pool;
	struct uvm_chunk *roots;
	struct uvm_tracker *trackers;
	const struct uvm_chunk_owner_ops *owners;
	const struct uvm_timing_ops *timing;
	const struct uvm_eviction_ops *ejected;
	struct dentry *debugfs;
	bool wants_pages;
	bool wants_launches;
	bool takes_more;
	bool refuses;
	u32 feeds;
	bool full;
	u32 wrong_victims;
	u64 limit;
	unsigned int coming;
	bool dry;
	u64 accessed_start;
	unsigned int kept;
	unsigned int timing_number;
	unsigned int ahead;
	atomic_t making;
	u64 taken;
	u64 taken_last;
	struct uvm_memory_traffic traffic;
	struct uvm_stays *stays;
	struct uvm_pmm_recorder recorder;
	struct uvm_prefetch_meter prefetch;
	u64 moves;
	u64 generation;
	struct sim_waitq waitq;
};

#endif
