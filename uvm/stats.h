/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counters, one set per VA space and one per GPU, in the shape of the user
 * ABI's struct uvm_stats.  Atomic, so that the real clock counts right too;
 * any context.
 */
#ifndef UVM_STATS_H
#define UVM_STATS_H

#include <linux/atomic.h>
#include <linux/types.h>
#include <linux/uvm.h>

/* The counters of struct uvm_stats, in its order. */
enum uvm_stat {
	UVM_STAT_FAULTS_FETCHED,
	UVM_STAT_FAULTS_DUPLICATE,
	UVM_STAT_FAULTS_SERVICED,
	UVM_STAT_FAULTS_READ,
	UVM_STAT_FAULTS_WRITE,
	UVM_STAT_FAULTS_ATOMIC,
	UVM_STAT_FAULTS_PREFETCH,
	UVM_STAT_FAULTS_FATAL,
	UVM_STAT_FAULTS_CPU,
	UVM_STAT_BATCHES,
	UVM_STAT_BATCH_FAULTS_MAX,
	UVM_STAT_BATCH_BYTES,
	UVM_STAT_BATCH_TIME_NS,
	UVM_STAT_BATCH_HANDLING_NS,
	UVM_STAT_REPLAYS,
	UVM_STAT_BYTES_HTOD,
	UVM_STAT_BYTES_DTOH,
	UVM_STAT_BYTES_HTOD_DEMAND,
	UVM_STAT_BYTES_HTOD_PREFETCH,
	UVM_STAT_BYTES_DTOH_EVICTION,
	UVM_STAT_EVICTED_CHUNKS,
	UVM_STAT_EVICTED_PAGES,
	UVM_STAT_PREMATURE_PAGES,
	UVM_STAT_THROTTLED,
	UVM_STAT_COUNT
};

/**
 * struct uvm_stats_set - one set of counters; all zero is a fresh one
 * @counter: by enum uvm_stat
 * @batch_histogram: batches by size, see UVM_BATCH_BUCKETS
 * @phase_ns: time by enum uvm_phase
 */
struct uvm_stats_set {
	atomic64_t counter[UVM_STAT_COUNT];
	atomic64_t batch_histogram[UVM_BATCH_BUCKETS];
	atomic64_t phase_ns[UVM_PHASE_COUNT];
};

/**
 * uvm_stat_add - count
 * @set: a set, or NULL
 * @stat: the counter
 * @n: how much
 */
static inline void uvm_stat_add(struct uvm_stats_set *set, enum uvm_stat stat, u64 n)
{
	if (set)
		atomic64_add(n, &set->counter[stat]);
}

/**
 * uvm_stat_phase - add time to a phase
 * @set: a set, or NULL
 * @phase: the phase
 * @ns: how much
 */
static inline void uvm_stat_phase(struct uvm_stats_set *set, enum uvm_phase phase, u64 ns)
{
	if (set)
		atomic64_add(ns, &set->phase_ns[phase]);
}

void uvm_stats_init(struct uvm_stats_set *set);
void uvm_stat_max(struct uvm_stats_set *set, enum uvm_stat stat, u64 value);
void uvm_stat_batch(struct uvm_stats_set *set, u64 faults);
unsigned int uvm_stats_bucket(u64 faults);
void uvm_stats_report(struct uvm_stats_set *set, struct uvm_stats *out, bool reset);

#endif
