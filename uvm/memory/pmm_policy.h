/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Physical memory of one GPU: the policies in force, what they are told, and what they need of
 * the device.
 */
#ifndef UVM_PMM_POLICY_H
#define UVM_PMM_POLICY_H

#include <linux/types.h>
#include "memory/pmm_types.h"
#include "policy/eviction.h"
#include "policy/timing.h"

struct dentry;
struct uvm_gpu;
struct uvm_gpu_va_space;
struct uvm_params;
struct uvm_range_touch;
struct uvm_work;

enum uvm_eviction_change {
	UVM_EVICTION_OTHER,	/* a policy that was ejected stays away */
	UVM_EVICTION_CHOSEN,	/* somebody has chosen the policy just now */
	UVM_EVICTION_PARAM,	/* a parameter of the policy: it begins anew */
};

/**
 * uvm_pmm_set_eviction - change the eviction policy of the GPU and its timing
 * @gpu: the GPU
 * @params: what is wanted
 * @change: what has changed in it; decides if the policy begins anew
 *
 * Context: takes pmm->lock; may sleep.
 * Return: 0, or -ENOMEM and nothing has changed.
 */
int uvm_pmm_set_eviction(struct uvm_gpu *gpu, const struct uvm_params *params,
			 enum uvm_eviction_change change);

/**
 * uvm_pmm_reset_policy - a first user: its policies, which begin anew
 * @gpu: the GPU
 * @params: of the user
 *
 * Context: gpu->users_lock held; takes pmm->lock; may sleep.
 * Return: 0 or -ENOMEM.
 */
int uvm_pmm_reset_policy(struct uvm_gpu *gpu, const struct uvm_params *params);

/**
 * struct uvm_arrivals - pages of a block that came to a GPU
 * @va: address of the block's first page
 * @va_space: number of its VA space
 * @chunks: by page: where it is
 * @pages: which came
 * @demanded: of these, those that a fault asked for
 * @returned: of the block's pages, those that had been evicted from this GPU
 */
struct uvm_arrivals {
	u64 va;
	u64 va_space;
	struct uvm_chunk *const *chunks;
	const struct uvm_page_mask *pages;
	const struct uvm_page_mask *demanded;
	const struct uvm_page_mask *returned;
};

/**
 * uvm_pmm_get_policy_number - what the eviction policy tells of itself
 * @gpu: the GPU
 * @arg: in: index, any; out: name and value
 *
 * Context: takes pmm->lock.
 * Return: 0, or -ENOENT: there are not so many.
 */
int uvm_pmm_get_policy_number(struct uvm_gpu *gpu, struct uvm_get_policy_number *arg);

/**
 * uvm_pmm_debugfs - make gpuN in debugfs
 * @gpu: the GPU
 * @dir: where
 *
 * It has eviction_policy, and for fault injection wrong_victims.
 *
 * Context: may sleep.
 */
void uvm_pmm_debugfs(struct uvm_gpu *gpu, struct dentry *dir);

/**
 * uvm_pmm_tell_ranges - memory of a VA space was accessed: tell its range states
 * @gvs: the GPU's part of the VA space
 * @touch: what
 *
 * Context: any but interrupts; takes range_lock.
 * Return: functions that were called, to be charged cost_policy each.
 */
unsigned int uvm_pmm_tell_ranges(struct uvm_gpu_va_space *gvs,
				 const struct uvm_range_touch *touch);

/**
 * uvm_pmm_occupancy - how full is the memory?
 * @gpu: the GPU
 *
 * Context: takes pmm->lock.
 * Return: thousandths of what there is, or could be had from PMA.
 */
unsigned int uvm_pmm_occupancy(struct uvm_gpu *gpu);

/**
 * uvm_pmm_tell_launch - a launch begins or has ended
 * @gpu: the GPU
 * @launch: which
 * @begins: which of the two
 *
 * Context: an event of the device; takes pmm->lock.
 */
void uvm_pmm_tell_launch(struct uvm_gpu *gpu, const struct uvm_eviction_launch *launch,
			 bool begins);

/**
 * uvm_pmm_counts_remote - does the eviction policy in force want to know what is used over the
 *	link?
 * @pmm: the GPU's memory
 *
 * Context: any.
 * Return: true with UVM_FEED_COUNTERS.
 */
static inline bool uvm_pmm_counts_remote(const struct uvm_pmm *pmm)
{
	return unlikely(READ_ONCE(pmm->feeds) & UVM_FEED_COUNTERS);
}

/**
 * uvm_pmm_tell_remote - an access counter says that memory beyond the link was accessed
 * @gpu: the GPU
 * @touch: what; the time is written
 * @work: charged
 *
 * Context: takes pmm->lock.
 */
void uvm_pmm_tell_remote(struct uvm_gpu *gpu, struct uvm_eviction_touch *touch,
			 struct uvm_work *work);

/**
 * uvm_pmm_also - what else of the victim's block is to go with a chunk of it?
 * @gpu: the GPU
 * @chunk: the chunk
 * @victim: where it is
 * @pages: out: begins empty
 *
 * Context: block lock held; takes pmm->lock.
 */
void uvm_pmm_also(struct uvm_gpu *gpu, const struct uvm_chunk *chunk,
		  const struct uvm_eviction_victim *victim, struct uvm_page_mask *pages);

/**
 * uvm_pmm_refuse - what of the pages to prefetch is not worth the memory that would be evicted?
 * @gpu: the GPU
 * @prefetch: the situation; what is free is written
 * @pages: in: what a prefetcher has chosen; out: without it. All stay as long as there are frames
 *
 * Context: block lock held; takes pmm->lock.
 */
void uvm_pmm_refuse(struct uvm_gpu *gpu, struct uvm_eviction_prefetch *prefetch,
		    struct uvm_page_mask *pages);

/**
 * uvm_pmm_tell_arrivals - tell the eviction policy of pages that came
 * @gpu: the GPU, whose policy wants to know (uvm_pmm.wants_pages)
 * @arrivals: which
 * @work: charged
 *
 * Context: block lock held; takes pmm->lock.
 */
void uvm_pmm_tell_arrivals(struct uvm_gpu *gpu, const struct uvm_arrivals *arrivals,
			   struct uvm_work *work);

/* ---- for pmm.c, pmm_evict.c and pmm_recorder.c; all but the first two locked -------------- */

/**
 * uvm_pmm_policy_init - let policies see the GPU's memory
 * @pmm: the GPU's memory, whose pool is there
 */
void uvm_pmm_policy_init(struct uvm_pmm *pmm);

/**
 * uvm_pmm_units - units of so many frames
 * @pmm: the GPU's memory
 * @frames: how many
 *
 * Context: any.
 * Return: how many units.
 */
unsigned int uvm_pmm_units(const struct uvm_pmm *pmm, unsigned int frames);

/**
 * uvm_pmm_timing_query - what a timing is asked with
 * @pmm: the GPU's memory
 *
 * Context: pmm->lock held.
 * Return: in units.
 */
struct uvm_timing_query uvm_pmm_timing_query(struct uvm_pmm *pmm);

/**
 * uvm_pmm_plan_ahead - how much does the timing want free before the next batch?
 * @pmm: the GPU's memory; the answer is written
 *
 * The interrupt that asks for it cannot take the lock: the answer is there before.
 *
 * Context: pmm->lock held.
 */
void uvm_pmm_plan_ahead(struct uvm_pmm *pmm);

/**
 * uvm_pmm_use_evictor - another policy; whoever was in force is gone
 * @pmm: the GPU's memory
 * @ops: the policy
 * @params: as it comes into force
 *
 * Context: pmm->lock held; may sleep.
 * Return: 0, or -ENOMEM and nothing has changed.
 */
int uvm_pmm_use_evictor(struct uvm_pmm *pmm, const struct uvm_eviction_ops *ops,
			const struct uvm_params *params);

/**
 * uvm_pmm_forget_stays - nothing is known any more of the future
 * @pmm: the GPU's memory; the policy in force goes on without
 *
 * Context: pmm->lock held; may sleep.
 */
void uvm_pmm_forget_stays(struct uvm_pmm *pmm);

/**
 * uvm_pmm_eject - a policy that gave too many wrong answers has to go
 * @pmm: the GPU's memory; the default policy takes over, if there is no memory for it later
 *
 * Context: pmm->lock held; may sleep.
 */
void uvm_pmm_eject(struct uvm_pmm *pmm);

/**
 * uvm_pmm_policy_ns - what a policy did takes time
 * @pmm: the GPU's memory
 * @readings: of the pool before
 *
 * It did when it asked the hardware, and when it was told of something.
 *
 * Context: pmm->lock held.
 * Return: ns, to be charged without the lock.
 */
u64 uvm_pmm_policy_ns(struct uvm_pmm *pmm, u64 readings);

#endif
