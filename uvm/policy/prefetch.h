/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prefetch: which pages of a block move along with faulted ones.
 *
 * A policy chooses; uvm_prefetch_decide() is what goes around any such choice: whether to
 * prefetch at all, and the count of faults that must come first.  Pure: the block lock is the
 * caller's.
 */
#ifndef UVM_PREFETCH_H
#define UVM_PREFETCH_H

#include <linux/types.h>
#include "base/page_mask.h"
#include "base/types.h"
#include "policy/declare.h"
#include "policy/prefetch_load.h"

struct uvm_params;
struct uvm_range_view;

#define UVM_PREFETCH_THRESHOLD_DEFAULT	51
#define UVM_PREFETCH_THRESHOLD_MAX	100
#define UVM_PREFETCH_MIN_FAULTS_DEFAULT	1
#define UVM_PREFETCH_MIN_FAULTS_MAX	20

/**
 * struct uvm_prefetch_input - what a prefetch policy sees
 * @resident: pages resident on the destination, or NULL
 * @faulted: pages that move to the destination because of faults
 * @thrashing: pages never to touch, or NULL
 * @cpu_mapped_resident: pages resident on the CPU and mapped by it, or NULL;
 *	looked at only if @dst_is_cpu
 * @max_region: pages that may be prefetched: the block
 * @faulted_region: pages of @faulted to look at; inside @max_region
 * @threshold: percent; a part of the tree is filled when *more* of it is taken
 * @load: eviction load of the destination; all 0 for the CPU
 * @first_touch_preferred: the block is resident nowhere and the destination
 *	is its preferred location
 * @dst_is_cpu: the destination is the CPU
 * @quirks: clip a subtree as nvidia-uvm does (prefetch_tree.c)
 * @range: what the policy's range state says of the range; NULL: nothing is kept
 * @params: of the VA space
 */
struct uvm_prefetch_input {
	const struct uvm_page_mask *resident;
	const struct uvm_page_mask *faulted;
	const struct uvm_page_mask *thrashing;
	const struct uvm_page_mask *cpu_mapped_resident;
	struct uvm_region max_region;
	struct uvm_region faulted_region;
	unsigned int threshold;
	struct uvm_prefetch_load load;
	bool first_touch_preferred;
	bool dst_is_cpu;
	bool quirks;
	const struct uvm_range_view *range;
	const struct uvm_params *params;
};

/**
 * typedef uvm_prefetch_select_fn - choose pages to prefetch
 * @in: the situation
 * @prefetch: out: the pages; what is not allowed is dropped by the caller
 */
typedef void (*uvm_prefetch_select_fn)(const struct uvm_prefetch_input *in,
				       struct uvm_page_mask *prefetch);

/**
 * struct uvm_prefetch_ops - which pages to move along with faulted ones
 * @policy: its name, for all kinds the same
 * @select: fill the mask; checked by uvm_prefetch_clamp()
 */
struct uvm_prefetch_ops {
	struct uvm_policy policy;
	uvm_prefetch_select_fn select;
};

bool uvm_prefetch_clamp(const struct uvm_prefetch_input *in, struct uvm_page_mask *prefetch);

/**
 * struct uvm_prefetch_state - what a block remembers
 * @last_proc: destination of the last migration by fault, UVM_ID_INVALID at first
 * @migrations: pages faulted to it since; wraps
 */
struct uvm_prefetch_state {
	u8 last_proc;
	u16 migrations;
};

/**
 * uvm_prefetch_state_init - nothing has been migrated yet
 * @state: a block's; written
 */
static inline void uvm_prefetch_state_init(struct uvm_prefetch_state *state)
{
	state->last_proc = UVM_ID_INVALID;
	state->migrations = 0;
}

/**
 * struct uvm_prefetch_request - one decision
 * @in: the situation; @first_touch_preferred of it is filled in here
 * @select: the policy
 * @enable: 0 turns prefetching off
 * @min_faults: faulted pages that must have gone to @dst before it starts
 * @dst: the one destination of the pages being serviced
 * @preferred: preferred location, or UVM_ID_INVALID
 * @resident_anywhere: some page of the block is resident on some processor
 */
struct uvm_prefetch_request {
	struct uvm_prefetch_input in;
	uvm_prefetch_select_fn select;
	bool enable;
	unsigned int min_faults;
	u8 dst;
	u8 preferred;
	bool resident_anywhere;
};

bool uvm_prefetch_decide(struct uvm_prefetch_state *state, struct uvm_prefetch_request *req,
			 struct uvm_page_mask *prefetch);

#endif
