/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How often 64 KB must be used over the link before they migrate: the dynamic threshold of Ganguly
 * et al., "Adaptive Page Migration for Irregular Data-intensive Applications under GPU Memory
 * Oversubscription" (IPDPS 2020), as the simulator of DATE 2021 has it.
 */
#ifndef UVM_DELAY_H
#define UVM_DELAY_H

#include <linux/math64.h>
#include "policy/residency.h"

/**
 * uvm_delay_threshold - accesses after which 64 KB migrate
 * @threshold: the static one
 * @penalty: by what it grows when memory is full, and with each round trip
 * @trips: how often the 64 KB have been evicted
 * @full: memory was full already
 * @occupancy: how full it is now, in thousandths
 *
 * While there is room it grows from one access to the threshold; after that it is the threshold
 * for data that were never evicted, times the penalty, and as much more for each round trip.
 *
 * Return: accesses, at least one.
 */
static inline u64 uvm_delay_threshold(u32 threshold, u32 penalty, u32 trips, bool full,
				      u32 occupancy)
{
	if (!full)
		return 1 + div64_u64((u64)threshold * occupancy, 1000);
	return (u64)threshold * penalty * (trips + 1);
}

/**
 * uvm_delay_applies - does a page wait for accesses?
 * @query: of the page
 *
 * Return: true if a GPU asks, can reach system memory and is not the preferred location, and the
 * page is in system memory or nowhere, and not pinned.  Otherwise the policy is first_touch.
 */
bool uvm_delay_applies(const struct uvm_residency_query *query);

/**
 * uvm_delay_by - where does a page go by the dynamic threshold?
 * @query: of a page that waits; its range is known
 * @remote: accesses over the link to its 64 KB since they last came to a GPU
 * @trips: how often they were evicted
 *
 * Return: the CPU, or the requester.
 */
u8 uvm_delay_by(const struct uvm_residency_query *query, u32 remote, u32 trips);

#endif
