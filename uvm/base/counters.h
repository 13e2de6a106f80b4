/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counters by processor: bytes by where they came from, faults by access, what
 * faults moved, replays by type (nvidia-uvm 6.6 and 6.7).  One set per
 * processor and VA space, and one per processor over all VA spaces since load.
 * Atomic; any context.
 *
 * A new counter is a member at the end of struct uvm_counters, a line below, and
 * a line of the table in tools/uvm/out/counters_json.c.  One that only debugfs shows is a line
 * below, behind those.
 */
#ifndef UVM_COUNTERS_H
#define UVM_COUNTERS_H

#include <linux/atomic.h>
#include <linux/stddef.h>
#include <linux/uvm.h>
#include "base/types.h"

/* Where struct uvm_counters has a member. */
#define UVM_COUNTERS_WORD(member)	(offsetof(struct uvm_counters, member) / sizeof(__u64))
#define UVM_COUNTERS_WORDS		(sizeof(struct uvm_counters) / sizeof(__u64))

enum uvm_counter {
	UVM_COUNTER_FAULTS = UVM_COUNTERS_WORD(faults),
	UVM_COUNTER_FAULTS_DUPLICATE = UVM_COUNTERS_WORD(faults_duplicate),
	UVM_COUNTER_FAULTS_PREFETCH = UVM_COUNTERS_WORD(faults_prefetch),
	UVM_COUNTER_FAULTS_READ = UVM_COUNTERS_WORD(faults_read),
	UVM_COUNTER_FAULTS_WRITE = UVM_COUNTERS_WORD(faults_write),
	UVM_COUNTER_FAULTS_ATOMIC = UVM_COUNTERS_WORD(faults_atomic),
	UVM_COUNTER_FAULT_PAGES_IN = UVM_COUNTERS_WORD(fault_pages_in),
	UVM_COUNTER_FAULT_PAGES_OUT = UVM_COUNTERS_WORD(fault_pages_out),
	UVM_COUNTER_REPLAYS_START = UVM_COUNTERS_WORD(replays_start),
	UVM_COUNTER_REPLAYS_ACK_ALL = UVM_COUNTERS_WORD(replays_start_ack_all),
	UVM_COUNTER_BYTES_POPULATED = UVM_COUNTERS_WORD(bytes_populated),
	UVM_COUNTER_BYTES_RESIDENT = UVM_COUNTERS_WORD(bytes_resident),
	/* no members of struct uvm_counters: thrashing_stats of debugfs */
	UVM_COUNTER_THRASHING_PAGES = UVM_COUNTERS_WORDS, /* began to thrash when they came */
	UVM_COUNTER_THRASHING_THROTTLE,		/* faults that were left for later */
	UVM_COUNTER_THRASHING_PIN_LOCAL,	/* faults on pages that were pinned here */
	UVM_COUNTER_THRASHING_PIN_REMOTE,	/* or elsewhere */
	UVM_COUNTER_COUNT
};

/**
 * struct uvm_counter_set - the counters of one processor; all zero is a fresh one
 * @word: struct uvm_counters, and what else is counted
 */
struct uvm_counter_set {
	atomic64_t word[UVM_COUNTER_COUNT];
};

/**
 * struct uvm_counter_sets - those of all processors
 * @by: by processor id
 */
struct uvm_counter_sets {
	struct uvm_counter_set by[UVM_MAX_PROCESSORS];
};

void uvm_counter_add(struct uvm_counter_sets *sets, unsigned int id, enum uvm_counter counter,
		     u64 n);
u64 uvm_counter_read(struct uvm_counter_sets *sets, unsigned int id, enum uvm_counter counter);
void uvm_counters_fault(struct uvm_counter_sets *sets, unsigned int id, enum uvm_access access,
			bool duplicate);
void uvm_counters_migrated(struct uvm_counter_sets *sets, unsigned int src, unsigned int dst,
			   u64 bytes, u64 asked, enum uvm_event_cause cause);
void uvm_counters_report(struct uvm_counter_sets *sets, unsigned int id,
			 struct uvm_counters *out);

#endif
