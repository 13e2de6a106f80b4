/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When memory is used next, by a plan of uses (eviction_plan.h), for policies that are told of
 * requests (UVM_FEED_REQUESTS).
 *
 * A run that is short of memory does not go through memory in the order of the run that was
 * recorded, but each 64 KB get as many requests in a launch.  So what is over of a plan is counted
 * for each 64 KB by themselves, and anew in each launch: requests that a racing program has made
 * too much, or too few, are made up for there.  With n requests in this launch, what was recorded
 * as the n + 1st of the launch is next; if there is none, the first of a later launch.
 *
 * What hardware has counted is fetched now and then.  The first requests that are told of 64 KB in
 * a launch are taken for those that were missing in launches before.
 */
#ifndef UVM_EVICTION_USES_H
#define UVM_EVICTION_USES_H

#include "policy/eviction_plan.h"

/* Position of what is used no more. */
#define UVM_USE_NEVER		U32_MAX

/* Nothing is over, nothing is resident. */
void uvm_uses_begin(struct uvm_eviction_plan *plan);
/* The first 64 KB of the VA space with that number, or a greater one; @plan->nr_used: none. */
u32 uvm_uses_from(const struct uvm_eviction_plan *plan, u64 number);
/* So many requests, in launch number @launch, from 0, or before. */
void uvm_uses_count(struct uvm_eviction_plan *plan, struct uvm_eviction_used *used,
		    u32 launch, u32 requests);
/* Pages of the use that is under way: some of its requests are over, and some are not. */
u16 uvm_uses_begun(const struct uvm_eviction_plan *plan, struct uvm_eviction_used *used,
		   u32 launch);
/*
 * Position of the next use of one of @pages, a bit each; UVM_USE_NEVER: there is none.  One that
 * has begun is next until its requests are over.
 */
u32 uvm_uses_next(const struct uvm_eviction_plan *plan, struct uvm_eviction_used *used, u32 launch,
		  u16 pages);

#endif
