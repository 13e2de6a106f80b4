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

/* Feeds that need the device's recorder. */
#define UVM_PMM_RECORDER_FEEDS							\
	(UVM_FEED_WALKS | UVM_FEED_HIR | UVM_FEED_ACCESSES | UVM_FEED_REQUESTS)

enum uvm_eviction_change {
	UVM_EVICTION_OTHER,	/* a policy that was ejected stays away */
	UVM_EVICTION_CHOSEN,	/* somebody has chosen the policy just now */
	UVM_EVICTION_PARAM,	/* a parameter of the policy: it begins anew */
};

/* Change the eviction policy of the GPU and its timing.  Return: 0 or -ENOMEM. */
int uvm_pmm_set_eviction(struct uvm_gpu *gpu, const struct uvm_params *params,
			 enum uvm_eviction_change change);
/* A first user: its policies, which begin anew, and random numbers.  Return: 0 or -ENOMEM. */
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

/* Number @arg->index of what the eviction policy tells of itself.  Return: 0 or -ENOENT. */
int uvm_pmm_get_policy_number(struct uvm_gpu *gpu, struct uvm_get_policy_number *arg);
/* gpuN in debugfs: eviction_policy, and fault injection: wrong_victims. */
void uvm_pmm_debugfs(struct uvm_gpu *gpu, struct dentry *dir);
/* Memory of a VA space was accessed: tell its range states.  Any context. */
unsigned int uvm_pmm_tell_ranges(struct uvm_gpu_va_space *gvs,
				 const struct uvm_range_touch *touch);
/* How full the memory is: thousandths of what there is, or could be had from PMA. */
unsigned int uvm_pmm_occupancy(struct uvm_gpu *gpu);
/* A launch begins or has ended, in an event of the device. */
void uvm_pmm_tell_launch(struct uvm_gpu *gpu, const struct uvm_eviction_launch *launch,
			 bool begins);
/* Does the eviction policy in force want to know what is used over the link?  Any context. */
static inline bool uvm_pmm_counts_remote(const struct uvm_pmm *pmm)
{
	return unlikely(READ_ONCE(pmm->feeds) & UVM_FEED_COUNTERS);
}

/* A counter says so: @touch without its time. */
void uvm_pmm_tell_remote(struct uvm_gpu *gpu, struct uvm_eviction_touch *touch,
			 struct uvm_work *work);
/*
 * What else of the victim's block is to go with a chunk of it: bits in @pages, which begins
 * empty.  The block's lock is held.
 */
void uvm_pmm_also(struct uvm_gpu *gpu, const struct uvm_chunk *chunk,
		  const struct uvm_eviction_victim *victim, struct uvm_page_mask *pages);
/*
 * What of @pages, which a prefetcher has chosen, is not worth the memory that would be evicted:
 * bits are cleared; none as long as there are frames.  @prefetch without what is free.  The
 * block's lock is held.
 */
void uvm_pmm_refuse(struct uvm_gpu *gpu, struct uvm_eviction_prefetch *prefetch,
		    struct uvm_page_mask *pages);
/* Tell the eviction policy, if it wants to know (uvm_pmm.wants_pages). */
void uvm_pmm_tell_arrivals(struct uvm_gpu *gpu, const struct uvm_arrivals *arrivals,
			   struct uvm_work *work);

/* ---- for pmm.c, pmm_evict.c and pmm_recorder.c; all but the first two locked -------------- */

void uvm_pmm_policy_init(struct uvm_pmm *pmm);
/* Units of so many frames. */
unsigned int uvm_pmm_units(const struct uvm_pmm *pmm, unsigned int frames);
struct uvm_timing_query uvm_pmm_timing_query(struct uvm_pmm *pmm);
/* How much the timing wants free before the next batch. */
void uvm_pmm_plan_ahead(struct uvm_pmm *pmm);
/* Another policy; whoever was in force is gone.  On -ENOMEM nothing has changed. */
int uvm_pmm_use_evictor(struct uvm_pmm *pmm, const struct uvm_eviction_ops *ops,
			const struct uvm_params *params);
/* Nothing is known any more of the future; the policy in force goes on without. */
void uvm_pmm_forget_stays(struct uvm_pmm *pmm);
/* A policy that gave too many wrong answers has to go; if there is no memory, later. */
void uvm_pmm_eject(struct uvm_pmm *pmm);
/*
 * What a policy did takes time when it asked the hardware, and when it was told of something;
 * @readings of the pool before.  Returns ns, to be charged without the lock.
 */
u64 uvm_pmm_policy_ns(struct uvm_pmm *pmm, u64 readings);

#endif
