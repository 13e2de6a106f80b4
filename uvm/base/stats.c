// SPDX-License-Identifier: GPL-2.0
/*
 * Counters: reading and resetting a set.  Pure: no mm, no device, no locks.
 */
#include <linux/build_bug.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <kunit/visibility.h>
#include "base/stats.h"

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
	old = atomic64_read(&set->word[stat]);
	while ((u64)old < value) {
		if (atomic64_try_cmpxchg(&set->word[stat], &old, value))
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
		atomic64_inc(&set->word[UVM_STATS_WORD(batch_histogram) + bucket]);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_stat_batch);

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
	u64 *words = (void *)out + UVM_STATS_HEAD;
	unsigned int i;

	BUILD_BUG_ON(UVM_PHASE_COUNT > UVM_PHASE_MAX);
	BUILD_BUG_ON(UVM_STATS_HEAD + UVM_STATS_WORDS * sizeof(u64) != sizeof(*out));
	for (i = 0; i < UVM_STATS_WORDS; i++)
		words[i] = uvm_stats_take(&set->word[i], reset);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_stats_report);
