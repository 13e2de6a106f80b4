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

/**
 * uvm_uses_begin - nothing of a plan is over, nothing is resident
 * @plan: the plan; what policies write is reset
 */
void uvm_uses_begin(struct uvm_eviction_plan *plan);

/**
 * uvm_uses_from - find 64 KB of a plan
 * @plan: the plan
 * @number: their number, va >> 16
 *
 * Return: the first in @plan->used with that number or a greater one; @plan->nr_used: there is
 * none.
 */
u32 uvm_uses_from(const struct uvm_eviction_plan *plan, u64 number);

/**
 * uvm_uses_count - requests were made
 * @plan: the plan
 * @used: 64 KB of it
 * @launch: number of the launch in which they were made, or before; from 0
 * @requests: how many since the last call
 *
 * What launches before have left over counts as missing, what the launch does not have as excess.
 */
void uvm_uses_count(struct uvm_eviction_plan *plan, struct uvm_eviction_used *used,
		    u32 launch, u32 requests);

/**
 * uvm_uses_begun - the use that is under way
 * @plan: the plan
 * @used: 64 KB of it
 * @launch: number of the launch that runs, from 0
 *
 * Return: bit per page of the use of which some requests are over, and some are not; 0: there is
 * none.
 */
u16 uvm_uses_begun(const struct uvm_eviction_plan *plan, struct uvm_eviction_used *used,
		   u32 launch);

/**
 * uvm_uses_next - when are pages used next?
 * @plan: the plan
 * @used: 64 KB of it
 * @launch: number of the launch that runs, from 0
 * @pages: bit per page of them: any of these
 *
 * A use that has begun is next until its requests are over.
 *
 * Return: position in the plan; UVM_USE_NEVER: they are not used any more.
 */
u32 uvm_uses_next(const struct uvm_eviction_plan *plan, struct uvm_eviction_used *used, u32 launch,
		  u16 pages);

#endif
