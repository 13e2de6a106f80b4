// SPDX-License-Identifier: GPL-2.0
/*
 * Counters by processor.  Pure: no mm, no device, no locks.
 */
#include <linux/build_bug.h>
#include <kunit/visibility.h>
#include "base/counters.h"

/* Over all VA spaces, also those that are gone. */
static struct uvm_counter_sets uvm_counters_all;

static void uvm_counters_word(struct uvm_counter_sets *sets, unsigned int id, unsigned int word,
			      u64 n)
{
	if (sets)
		atomic64_add(n, &sets->by[id].word[word]);
	atomic64_add(n, &uvm_counters_all.by[id].word[word]);
}

/**
 * uvm_counter_add - count, for a VA space and over all of them
 * @sets: of the VA space, or NULL if it is not known
 * @id: processor
 * @counter: which
 * @n: how much
 */
void uvm_counter_add(struct uvm_counter_sets *sets, unsigned int id, enum uvm_counter counter,
		     u64 n)
{
	uvm_counters_word(sets, id, counter, n);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_counter_add);

static struct uvm_counter_set *uvm_counters_of(struct uvm_counter_sets *sets, unsigned int id)
{
	return sets ? &sets->by[id] : &uvm_counters_all.by[id];
}

/**
 * uvm_counter_read - what has been counted
 * @sets: of a VA space, or NULL: over all VA spaces since load
 * @id: processor
 * @counter: which
 *
 * Return: how much.
 */
u64 uvm_counter_read(struct uvm_counter_sets *sets, unsigned int id, enum uvm_counter counter)
{
	return atomic64_read(&uvm_counters_of(sets, id)->word[counter]);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_counter_read);

/**
 * uvm_counters_fault - a processor faulted
 * @sets: of the VA space
 * @id: processor
 * @access: how
 * @duplicate: the record was merged, or repeats another of its batch
 *
 * Merged records count by access as well (nvidia-uvm 6.7).
 */
void uvm_counters_fault(struct uvm_counter_sets *sets, unsigned int id, enum uvm_access access,
			bool duplicate)
{
	static const enum uvm_counter by_access[] = {
		[UVM_ACCESS_PREFETCH] = UVM_COUNTER_FAULTS_PREFETCH,
		[UVM_ACCESS_READ] = UVM_COUNTER_FAULTS_READ,
		[UVM_ACCESS_WRITE] = UVM_COUNTER_FAULTS_WRITE,
		[UVM_ACCESS_ATOMIC] = UVM_COUNTER_FAULTS_ATOMIC,
	};

	uvm_counter_add(sets, id, UVM_COUNTER_FAULTS, 1);
	uvm_counter_add(sets, id, by_access[access], 1);
	if (duplicate)
		uvm_counter_add(sets, id, UVM_COUNTER_FAULTS_DUPLICATE, 1);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_counters_fault);

/**
 * uvm_counters_migrated - pages moved from one processor to another
 * @sets: of the VA space
 * @src: from this processor
 * @dst: to this one
 * @bytes: all of it
 * @asked: of these, pages that were asked for; a fault's others are prefetched
 * @cause: why
 *
 * What replayable faults of a GPU cause is counted as pages in for the GPU
 * that gets them and pages out for the one that loses them (nvidia-uvm 6.7).
 */
void uvm_counters_migrated(struct uvm_counter_sets *sets, unsigned int src, unsigned int dst,
			   u64 bytes, u64 asked, enum uvm_event_cause cause)
{
	BUILD_BUG_ON(UVM_MAX_PROCESSORS > UVM_COUNTER_PROCESSORS);
	uvm_counters_word(sets, dst, UVM_COUNTERS_WORD(bytes_from) + src, bytes);
	if (cause == UVM_CAUSE_FAULT || cause == UVM_CAUSE_CPU_FAULT)
		uvm_counters_word(sets, dst, UVM_COUNTERS_WORD(prefetch_bytes_from) + src,
				  bytes - asked);
	if (cause != UVM_CAUSE_FAULT)
		return;
	if (!uvm_id_is_cpu(dst))
		uvm_counter_add(sets, dst, UVM_COUNTER_FAULT_PAGES_IN, bytes >> UVM_PAGE_SHIFT);
	if (!uvm_id_is_cpu(src))
		uvm_counter_add(sets, src, UVM_COUNTER_FAULT_PAGES_OUT, bytes >> UVM_PAGE_SHIFT);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_counters_migrated);

/**
 * uvm_counters_report - fill the user ABI's struct
 * @sets: of a VA space, or NULL: over all VA spaces since load
 * @id: processor
 * @out: all of it is written
 */
void uvm_counters_report(struct uvm_counter_sets *sets, unsigned int id,
			 struct uvm_counters *out)
{
	struct uvm_counter_set *set = uvm_counters_of(sets, id);
	u64 *words = (u64 *)out;
	unsigned int i;

	BUILD_BUG_ON(sizeof(*out) > sizeof(*set));
	for (i = 0; i < UVM_COUNTERS_WORDS; i++)
		words[i] = atomic64_read(&set->word[i]);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_counters_report);
