/* SPDX-License-Identifier: GPL-2.0 */
/* Residency: where a faulted page goes. */
#ifndef UVM_RESIDENCY_H
#define UVM_RESIDENCY_H

#include <linux/types.h>
#include "base/types.h"
#include "policy/declare.h"

/* Why a page is to be used. */
enum uvm_service_operation {
	UVM_OPERATION_FAULT,
	UVM_OPERATION_ACCESS_COUNTER,	/* a counter of remote accesses ran full */
};

/**
 * struct uvm_residency_query - where shall a page be?
 * @va: its address; only if the policy has a range state
 * @requester: processor that faulted
 * @preferred: preferred location, or UVM_ID_INVALID
 * @resident: where the page is now: the copy closest to the requester, or
 *	UVM_ID_INVALID
 * @pinned: where it is kept because it thrashes, or UVM_ID_INVALID
 * @access: the strongest that is asked for
 * @operation: why
 * @advice: read duplication of the range
 * @duplicated: the page is at several processors now
 * @discarded: nobody wants its bytes: they are not copied when it moves
 * @accessed_by: the requester is one that the range is accessed by
 * @held: somebody holds the page, which is in system memory alone: it cannot move
 * @force_sysmem: to system memory, whatever else is said
 * @only_atomics: it is asked for by nothing but atomics
 * @accessible: bit per processor whose memory the requester can reach
 * @leave_atomics: of these, the ones at which pages stay for atomics
 * @full: the requester's memory: something had to leave it already; only if the policy
 *	asks_memory
 * @occupancy: likewise: how much of it is in use, in thousandths
 * @range: what the policy's range state says of the page's range; NULL: nothing is kept
 */
struct uvm_residency_query {
	u64 va;
	u8 requester;
	u8 preferred;
	u8 resident;
	u8 pinned;
	enum uvm_access access;
	enum uvm_service_operation operation;
	enum uvm_read_duplication advice;
	bool duplicated;
	bool discarded;
	bool accessed_by;
	bool held;
	bool force_sysmem;
	bool only_atomics;
	u16 accessible;
	u16 leave_atomics;
	bool full;
	u16 occupancy;
	const struct uvm_range_view *range;
};

/**
 * struct uvm_residency_ops - where a faulted page goes
 * @policy: its name, for all kinds the same
 * @asks_memory: it wants to know how full the requester's memory is
 * @maps_around: what stays in system memory is mapped by 64 KB and not by fault: all of these
 *	of which @select says that a read leaves them there.  Without, as nvidia-uvm: what
 *	faulted, and what the prefetcher adds, which is never what the CPU has mapped
 *	(uvm_perf_prefetch.c, bug 1765432)
 * @select: return a processor id; checked by uvm_policy_check_residency()
 */
struct uvm_residency_ops {
	struct uvm_policy policy;
	bool asks_memory;
	bool maps_around;
	u8 (*select)(const struct uvm_residency_query *query);
};

/**
 * uvm_residency_delays - does a policy leave pages to access counters?
 * @ops: the policy
 *
 * Pages beyond the link are then mapped for reading only, so that a write asks again.
 *
 * Return: true if it has UVM_FEED_COUNTERS.
 */
static inline bool uvm_residency_delays(const struct uvm_residency_ops *ops)
{
	return ops->policy.feeds & UVM_FEED_COUNTERS;
}

bool uvm_policy_may_duplicate(const struct uvm_residency_query *query);
u8 uvm_policy_check_residency(const struct uvm_residency_query *query, u8 answer);

/**
 * uvm_residency_first_touch_select - what first_touch says
 * @query: the situation
 *
 * nvidia-uvm 3.1, steps 3 to 11.  For policies that differ in a few cases.
 *
 * Return: a processor; to be checked by uvm_policy_check_residency().
 */
u8 uvm_residency_first_touch_select(const struct uvm_residency_query *query);

#endif
