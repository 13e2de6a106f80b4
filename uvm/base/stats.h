/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counters, one set per VA space and one per GPU, in the layout of the user
 * ABI's struct uvm_stats.  Atomic, so that the real clock counts right too;
 * any context.
 *
 * A new counter is a member at the end of struct uvm_stats, a line below, and
 * a line of the table in tools/uvm/out/stats_json.c.
 */
#ifndef UVM_STATS_H
#define UVM_STATS_H

#include <linux/atomic.h>
#include <linux/stddef.h>
#include <linux/types.h>
#include <linux/uvm.h>

struct uvm_counter_sets;
struct uvm_event_queues;

/* Where struct uvm_stats has a member: the number of its word behind the head. */
#define UVM_STATS_HEAD		offsetof(struct uvm_stats, faults_fetched)
#define UVM_STATS_WORD(member)	\
	((offsetof(struct uvm_stats, member) - UVM_STATS_HEAD) / sizeof(__u64))
#define UVM_STATS_WORDS		((sizeof(struct uvm_stats) - UVM_STATS_HEAD) / sizeof(__u64))

/* Counters of struct uvm_stats by the word that holds them. */
enum uvm_stat {
	UVM_STAT_FAULTS_FETCHED = UVM_STATS_WORD(faults_fetched),
	UVM_STAT_FAULTS_DUPLICATE = UVM_STATS_WORD(faults_duplicate),
	UVM_STAT_FAULTS_SERVICED = UVM_STATS_WORD(faults_serviced),
	UVM_STAT_FAULTS_READ = UVM_STATS_WORD(faults_read),
	UVM_STAT_FAULTS_WRITE = UVM_STATS_WORD(faults_write),
	UVM_STAT_FAULTS_ATOMIC = UVM_STATS_WORD(faults_atomic),
	UVM_STAT_FAULTS_PREFETCH = UVM_STATS_WORD(faults_prefetch),
	UVM_STAT_FAULTS_FATAL = UVM_STATS_WORD(faults_fatal),
	UVM_STAT_FAULTS_CPU = UVM_STATS_WORD(faults_cpu),
	UVM_STAT_BATCHES = UVM_STATS_WORD(batches),
	UVM_STAT_BATCH_FAULTS_MAX = UVM_STATS_WORD(batch_faults_max),
	UVM_STAT_BATCH_BYTES = UVM_STATS_WORD(batch_bytes),
	UVM_STAT_BATCH_TIME_NS = UVM_STATS_WORD(batch_time_ns),
	UVM_STAT_BATCH_HANDLING_NS = UVM_STATS_WORD(batch_handling_ns),
	UVM_STAT_REPLAYS = UVM_STATS_WORD(replays),
	UVM_STAT_BYTES_HTOD = UVM_STATS_WORD(bytes_htod),
	UVM_STAT_BYTES_DTOH = UVM_STATS_WORD(bytes_dtoh),
	UVM_STAT_BYTES_HTOD_DEMAND = UVM_STATS_WORD(bytes_htod_demand),
	UVM_STAT_BYTES_HTOD_PREFETCH = UVM_STATS_WORD(bytes_htod_prefetch),
	UVM_STAT_BYTES_DTOH_EVICTION = UVM_STATS_WORD(bytes_dtoh_eviction),
	UVM_STAT_EVICTED_CHUNKS = UVM_STATS_WORD(evicted_chunks),
	UVM_STAT_EVICTED_PAGES = UVM_STATS_WORD(evicted_pages),
	UVM_STAT_PREMATURE_PAGES = UVM_STATS_WORD(premature_pages),
	UVM_STAT_THROTTLED = UVM_STATS_WORD(throttled),
	UVM_STAT_BYTES_DTOH_PREFETCH = UVM_STATS_WORD(bytes_dtoh_prefetch),
	UVM_STAT_FAULTS_NON_REPLAYABLE = UVM_STATS_WORD(faults_non_replayable),
	UVM_STAT_FAULT_OVERFLOWS = UVM_STATS_WORD(fault_overflows),
	UVM_STAT_PREFETCH_DISABLED = UVM_STATS_WORD(prefetch_disabled),
	UVM_STAT_THRASHING_PAGES = UVM_STATS_WORD(thrashing_pages),
	UVM_STAT_THROTTLES_CPU = UVM_STATS_WORD(throttles_cpu),
	UVM_STAT_THROTTLES_GPU = UVM_STATS_WORD(throttles_gpu),
	UVM_STAT_PINS_LOCAL = UVM_STATS_WORD(pins_local),
	UVM_STAT_PINS_REMOTE = UVM_STATS_WORD(pins_remote),
	UVM_STAT_THRASHING_RESETS = UVM_STATS_WORD(thrashing_resets),
	UVM_STAT_COUNTER_NOTIFICATIONS = UVM_STATS_WORD(counter_notifications),
	UVM_STAT_BYTES_HTOD_COUNTER = UVM_STATS_WORD(bytes_htod_counter),
	UVM_STAT_BYTES_PEER = UVM_STATS_WORD(bytes_peer),
	UVM_STAT_FAULTS_FLUSHED = UVM_STATS_WORD(faults_flushed),
	UVM_STAT_RETURNED_PAGES = UVM_STATS_WORD(returned_pages),
};

/**
 * struct uvm_stats_set - one set of counters; all zero is a fresh one
 * @word: by enum uvm_stat; histogram and phases as in struct uvm_stats
 * @gpu: of a GPU's set: its index
 * @counters: of a VA space's set: those by processor, else NULL
 * @listeners: of a VA space's set: who is told of phases, else NULL
 */
struct uvm_stats_set {
	atomic64_t word[UVM_STATS_WORDS];
	unsigned int gpu;
	struct uvm_counter_sets *counters;
	struct uvm_event_queues *listeners;
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
		atomic64_add(n, &set->word[stat]);
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
		atomic64_add(ns, &set->word[UVM_STATS_WORD(phase_ns) + phase]);
}

void uvm_stats_init(struct uvm_stats_set *set);
void uvm_stat_max(struct uvm_stats_set *set, enum uvm_stat stat, u64 value);
void uvm_stat_batch(struct uvm_stats_set *set, u64 faults);
unsigned int uvm_stats_bucket(u64 faults);
void uvm_stats_report(struct uvm_stats_set *set, struct uvm_stats *out, bool reset);

#endif
