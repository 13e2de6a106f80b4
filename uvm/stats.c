// SPDX-License-Identifier: GPL-2.0
/*
 * Counters: reading and resetting a set.  Pure: no mm, no device, no locks.
 */
#include <linux/build_bug.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <kunit/visibility.h>
#include "stats.h"

/**
 * uvm_stats_init - a fresh set
 * @set: the set
 */
void uvm_stats_init(struct uvm_stats_set *set)
{
	memset(set, 0, sizeof(*set));
}
EXPORT_SYMBOL_IF_KUNIT(uvm_stats_init);

/**
 * uvm_stat_max - keep the largest value seen
 * @set: a set, or NULL
 * @stat: the counter
 * @value: a value
 */
void uvm_stat_max(struct uvm_stats_set *set, enum uvm_stat stat, u64 value)
{
	s64 old;

	if (!set)
		return;
	old = atomic64_read(&set->counter[stat]);
	while ((u64)old < value) {
		if (atomic64_try_cmpxchg(&set->counter[stat], &old, value))
			break;
	}
}
EXPORT_SYMBOL_IF_KUNIT(uvm_stat_max);

/**
 * uvm_stats_bucket - bucket of the histogram of batch sizes
 * @faults: size of a batch
 *
 * Bucket b holds 2^b <= @faults < 2^(b+1); the last one everything above, and
 * a batch without faults is in none.
 *
 * Return: the bucket, or %UVM_BATCH_BUCKETS for none.
 */
unsigned int uvm_stats_bucket(u64 faults)
{
	if (!faults)
		return UVM_BATCH_BUCKETS;
	return min_t(unsigned int, ilog2(faults), UVM_BATCH_BUCKETS - 1);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_stats_bucket);

/**
 * uvm_stat_batch - put one batch into the histogram
 * @set: a set, or NULL
 * @faults: its faults, those that @set is about; 0 is in no bucket
 */
void uvm_stat_batch(struct uvm_stats_set *set, u64 faults)
{
	unsigned int bucket = uvm_stats_bucket(faults);

	if (set && bucket < UVM_BATCH_BUCKETS)
		atomic64_inc(&set->batch_histogram[bucket]);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_stat_batch);

/* Where the user ABI has each counter. */
static const u16 uvm_stats_offsets[UVM_STAT_COUNT] = {
	[UVM_STAT_FAULTS_FETCHED] = offsetof(struct uvm_stats, faults_fetched),
	[UVM_STAT_FAULTS_DUPLICATE] = offsetof(struct uvm_stats, faults_duplicate),
	[UVM_STAT_FAULTS_SERVICED] = offsetof(struct uvm_stats, faults_serviced),
	[UVM_STAT_FAULTS_READ] = offsetof(struct uvm_stats, faults_read),
	[UVM_STAT_FAULTS_WRITE] = offsetof(struct uvm_stats, faults_write),
	[UVM_STAT_FAULTS_ATOMIC] = offsetof(struct uvm_stats, faults_atomic),
	[UVM_STAT_FAULTS_PREFETCH] = offsetof(struct uvm_stats, faults_prefetch),
	[UVM_STAT_FAULTS_FATAL] = offsetof(struct uvm_stats, faults_fatal),
	[UVM_STAT_FAULTS_CPU] = offsetof(struct uvm_stats, faults_cpu),
	[UVM_STAT_BATCHES] = offsetof(struct uvm_stats, batches),
	[UVM_STAT_BATCH_FAULTS_MAX] = offsetof(struct uvm_stats, batch_faults_max),
	[UVM_STAT_BATCH_BYTES] = offsetof(struct uvm_stats, batch_bytes),
	[UVM_STAT_BATCH_TIME_NS] = offsetof(struct uvm_stats, batch_time_ns),
	[UVM_STAT_BATCH_HANDLING_NS] = offsetof(struct uvm_stats, batch_handling_ns),
	[UVM_STAT_REPLAYS] = offsetof(struct uvm_stats, replays),
	[UVM_STAT_BYTES_HTOD] = offsetof(struct uvm_stats, bytes_htod),
	[UVM_STAT_BYTES_DTOH] = offsetof(struct uvm_stats, bytes_dtoh),
	[UVM_STAT_BYTES_HTOD_DEMAND] = offsetof(struct uvm_stats, bytes_htod_demand),
	[UVM_STAT_BYTES_HTOD_PREFETCH] = offsetof(struct uvm_stats, bytes_htod_prefetch),
	[UVM_STAT_BYTES_DTOH_EVICTION] = offsetof(struct uvm_stats, bytes_dtoh_eviction),
	[UVM_STAT_EVICTED_CHUNKS] = offsetof(struct uvm_stats, evicted_chunks),
	[UVM_STAT_EVICTED_PAGES] = offsetof(struct uvm_stats, evicted_pages),
	[UVM_STAT_PREMATURE_PAGES] = offsetof(struct uvm_stats, premature_pages),
	[UVM_STAT_THROTTLED] = offsetof(struct uvm_stats, throttled),
};

/* Reading and resetting one counter in one step loses nothing counted meanwhile. */
static u64 uvm_stats_take(atomic64_t *counter, bool reset)
{
	return reset ? atomic64_xchg(counter, 0) : atomic64_read(counter);
}

/**
 * uvm_stats_report - fill the user ABI's struct
 * @set: the counters
 * @out: written but for @size and @flags; phases that do not exist are 0
 * @reset: begin again at 0
 */
void uvm_stats_report(struct uvm_stats_set *set, struct uvm_stats *out, bool reset)
{
	unsigned int i;

	BUILD_BUG_ON(UVM_PHASE_COUNT > UVM_PHASE_MAX);
	for (i = 0; i < UVM_STAT_COUNT; i++) {
		u64 *member = (void *)out + uvm_stats_offsets[i];

		*member = uvm_stats_take(&set->counter[i], reset);
	}
	for (i = 0; i < UVM_BATCH_BUCKETS; i++)
		out->batch_histogram[i] = uvm_stats_take(&set->batch_histogram[i], reset);
	memset(out->phase_ns, 0, sizeof(out->phase_ns));
	for (i = 0; i < UVM_PHASE_COUNT; i++)
		out->phase_ns[i] = uvm_stats_take(&set->phase_ns[i], reset);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_stats_report);
