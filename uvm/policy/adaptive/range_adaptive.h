/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the adaptive framework keeps of an allocation ("An Adaptive Framework for Oversubscription
 * Management in CPU-GPU Unified Memory", DATE 2021): its pattern (range_pattern.h), and of each
 * 64 KB how often they were used and how often they were evicted (II; Ganguly et al., "Adaptive
 * Page Migration for Irregular Data-intensive Applications under GPU Memory Oversubscription",
 * IPDPS 2020).
 */
#ifndef UVM_RANGE_ADAPTIVE_H
#define UVM_RANGE_ADAPTIVE_H

#include <linux/bits.h>
#include "policy/adaptive/range_pattern.h"
#include "policy/residency.h"

/* Accesses that are counted: 27 bits of the authors' 32-bit word. */
#define UVM_ADAPTIVE_ACCESSES	GENMASK(26, 0)
/* Round trips: the other 5. */
#define UVM_ADAPTIVE_TRIPS	GENMASK(4, 0)

/**
 * enum uvm_adaptive_kind - what a pattern asks for; with adaptive_inversions=0 a pattern never goes
 *	back to an earlier kind
 * @UVM_ADAPTIVE_STREAM: nothing is decided, or what comes does not come again: LRU by 2 MB
 * @UVM_ADAPTIVE_REGULAR: it comes again in the same order: TBNe
 * @UVM_ADAPTIVE_RANDOM: in no order
 * @UVM_ADAPTIVE_MIXED: sometimes in one, sometimes not
 */
enum uvm_adaptive_kind {
	UVM_ADAPTIVE_STREAM,
	UVM_ADAPTIVE_REGULAR,
	UVM_ADAPTIVE_RANDOM,
	UVM_ADAPTIVE_MIXED,
};

/**
 * struct uvm_adaptive_heat - of 64 KB
 * @accesses: 128-byte lines that were accessed, anywhere, since the allocation was made, if a
 *	recorder says so.  When it is full those of its 2 MB are halved (the authors halve all)
 * @remote: over the link, since something of it last came to a GPU, as access counters say
 * @trips: how often something of it was evicted
 */
struct uvm_adaptive_heat {
	u32 accesses;
	u32 remote;
	u8 trips;
};

extern const struct uvm_range_state uvm_range_adaptive;

/**
 * uvm_adaptive_pattern - the pattern of a range
 * @range: the range; NULL: nothing is known of it
 *
 * Return: UVM_PATTERN_UNDECIDED for NULL.
 */
enum uvm_pattern uvm_adaptive_pattern(const struct uvm_range_view *range);

/**
 * uvm_adaptive_kind - what the pattern of a range asks for
 * @range: the range; NULL: nothing is known of it
 *
 * The table of the policy engine (DATE 2021, III-C).
 *
 * Return: UVM_ADAPTIVE_STREAM for NULL.
 */
enum uvm_adaptive_kind uvm_adaptive_kind(const struct uvm_range_view *range);

/**
 * uvm_adaptive_all - the latest kind that any range of a VA space ever had
 * @range: one of its ranges; NULL: nothing is known
 *
 * Return: UVM_ADAPTIVE_STREAM for NULL.
 */
enum uvm_adaptive_kind uvm_adaptive_all(const struct uvm_range_view *range);

/**
 * uvm_adaptive_heat - how often 64 KB were used and evicted
 * @range: the range
 * @va: an address of the range
 *
 * Return: the heat, valid as long as @range is.
 */
const struct uvm_adaptive_heat *uvm_adaptive_heat(const struct uvm_range_view *range, u64 va);

/**
 * uvm_delay_dynamic - where does a page go by the dynamic threshold and the heat of its 64 KB?
 * @query: of a page that waits (uvm_delay_applies())
 *
 * Return: the CPU, or the requester; always the latter if the range is not known.
 */
u8 uvm_delay_dynamic(const struct uvm_residency_query *query);

#endif
