/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parameters of the driver: one table says what each is called, may be, is by default and
 * means.  Those of a policy stand beside it (policy_param.h).  Module parameters set them for
 * all VA spaces, UVM_IOC_SET_PARAM the run-time ones for one.  Bad values are refused, never
 * corrected.
 *
 * What is decided once for a batch of faults or for a GPU is marked so in the
 * table's text: a batch takes it from the VA space of its first fault, memory
 * that VA spaces share from whoever set it last.
 */
#ifndef UVM_PARAM_TABLE_H
#define UVM_PARAM_TABLE_H

#include <linux/types.h>
#include "policy/kinds.h"

struct uvm_param_own;
#define P(kind, ...) struct uvm_##kind##_ops;
UVM_POLICY_KINDS(P)
#undef P

/*
 * X(member, what, default, kind, min, max, can be set at run time); those whose value is a
 * policy come from UVM_POLICY_KINDS.
 */
#define UVM_PARAMS(X) \
	X(perf_prefetch_enable, \
	  "prefetch on faults", \
	  "1", BOOL, 0, 1, true) \
	X(perf_prefetch_threshold, \
	  "prefetch a subtree when more than this percentage of it is wanted", \
	  "51", UINT, 0, 100, true) \
	X(perf_prefetch_min_faults, \
	  "faults of a block before it prefetches", \
	  "1", UINT, 1, 20, true) \
	X(prefetch_quirks, \
	  "prefetch with what looks like a slip of nvidia-uvm (policies.rst)", \
	  "0", BOOL, 0, 1, true) \
	X(perf_fault_batch_count, \
	  "faults per batch, at most the fault buffer (VA space of the first fault decides)", \
	  "256", UINT, 1, 65536, true) \
	X(perf_fault_replay_update_put_ratio, \
	  "percentage of duplicates above which a flush reads PUT again (of the batch)", \
	  "50", UINT, 0, 100, true) \
	X(perf_fault_max_batches_per_service, \
	  "batches per bottom half (VA space of the first fault decides)", \
	  "20", UINT, 1, UINT_MAX, true) \
	X(perf_fault_max_throttle_per_service, \
	  "throttled batches per bottom half (VA space of the first fault decides)", \
	  "5", UINT, 1, UINT_MAX, true) \
	X(perf_fault_coalesce, \
	  "merge duplicate faults when they are fetched (of the batch)", \
	  "1", BOOL, 0, 1, true) \
	X(perf_reenable_prefetch_faults_lapse_msec, \
	  "ms for which prefetches of nothing switch prefetch faults off; 0: never", \
	  "1000", UINT, 0, 3600000, true) \
	X(perf_thrashing_enable, \
	  "find pages that thrash and follow the thrashing policy", \
	  "1", BOOL, 0, 1, true) \
	X(perf_thrashing_threshold, \
	  "events at small gaps that make a page a thrashing one", \
	  "3", UINT, 1, 7, true) \
	X(perf_thrashing_pin_threshold, \
	  "naps, each processor's counted, after which a thrashing page is pinned", \
	  "10", UINT, 1, 255, true) \
	X(perf_thrashing_lapse_usec, \
	  "largest gap between two events of a thrashing page, us; adapts if it is 500", \
	  "500", UINT, 1, 500000, true) \
	X(perf_lapse_vote_threshold, \
	  "faults more at large gaps than at small ones before the lapse grows", \
	  "32", UINT, 1, UINT_MAX, true) \
	X(perf_thrashing_nap, \
	  "how long a processor is throttled, a multiple of the lapse; 100 ms at most", \
	  "1", UINT, 1, 100, true) \
	X(perf_thrashing_epoch, \
	  "time without thrashing after which a block forgets, a multiple of the lapse", \
	  "2000", UINT, 1, 1000000, true) \
	X(perf_thrashing_pin, \
	  "how long a thrashing page stays pinned, a multiple of the lapse; 0 for ever", \
	  "300", UINT, 0, 10000, true) \
	X(perf_thrashing_max_resets, \
	  "times that a block may forget its thrashing pages", \
	  "4", UINT, 0, UINT_MAX, true) \
	X(perf_access_counter_migration_enable, \
	  "migrate by access counters: 1 yes, 0 no, -1 if residency_policy asks for it", \
	  "-1", INT, -1, 1, true) \
	X(perf_access_counter_batch_count, \
	  "access-counter notifications per batch, at most the notification buffer", \
	  "256", UINT, 1, 65536, false) \
	X(perf_access_counter_threshold, \
	  "accesses before a counter notifies; set at run time for the GPUs of the VA space", \
	  "256", UINT, 1, 65535, true) \
	X(perf_access_counter_granularity, \
	  "memory that one access counter is for; set at run time as the threshold", \
	  "2m", SIZE, 65536, 2097152, true) \
	X(perf_map_remote_on_native_atomics_fault, \
	  "a page of a GPU stays for atomics that work over the link to it", \
	  "0", BOOL, 0, 1, true) \
	X(fault_force_sysmem, \
	  "faults bring pages to system memory, whoever asks and whatever is advised (a test)", \
	  "0", BOOL, 0, 1, true) \
	X(perf_map_remote_on_eviction, \
	  "where access counters migrate, evicted pages are mapped over the link at once", \
	  "1", BOOL, 0, 1, true) \
	X(perf_migrate_cpu_preunmap_enable, \
	  "migrations unmap several blocks from the CPU at once, if its link is fast", \
	  "1", BOOL, 0, 1, true) \
	X(perf_migrate_cpu_preunmap_block_order, \
	  "log2 of the 2 MB blocks that are unmapped at once", \
	  "2", UINT, 0, 10, true) \
	X(perf_pma_batch_nonpinned_order, \
	  "log2 of the root chunks taken from PMA at once", \
	  "6", UINT, 0, 10, false) \
	X(channel_num_gpfifo_entries, \
	  "entries of a channel's GPFIFO, a power of two", \
	  "1024", POW2, 32, 1048576, false) \
	X(global_oversubscription, \
	  "let PMA evict managed memory", \
	  "1", BOOL, 0, 1, false) \
	X(root_chunk_granularity, \
	  "GPU memory allocated and evicted at a time (before the VA space's GPUs use any)", \
	  "2m", SIZE, 4096, 2097152, true) \
	X(gpu_memory_limit_kb, \
	  "KB of a GPU for managed memory, 2048 at least, 0: all (set as the granularity)", \
	  "0", UINT, 0, UINT_MAX, true) \
	X(pte_max_bytes, \
	  "GPU pages are mapped with PTEs of at most this size", \
	  "2m", SIZE, 4096, 2097152, true) \
	X(cpu_chunk_allocation_sizes, \
	  "system memory allocated at a time: sum of 2097152, 65536 and 4096, always allowed", \
	  "2166784", SIZES, 0, 2166784, true) \
	X(fault_origin, \
	  "have faults say which SM, block, warp and instruction made them (an extension)", \
	  "0", BOOL, 0, 1, false) \
	X(cpu_grant_us, \
	  "us for which the GPU leaves a page to a CPU fault being mapped", \
	  "100", UINT, 0, 1000000, true) \
	X(eviction_refresh_size, \
	  "least chunk that arriving pages make the last to be evicted; for the VA space's GPUs", \
	  "2m", SIZE, 4096, 2097152, true) \
	X(capacity_compression, \
	  "GPU memory is compressed, accesses take longer; for the GPUs of the VA space", \
	  "0", BOOL, 0, 1, true)

enum uvm_param {
#define X(member, ...) UVM_PARAM_##member,
	UVM_PARAMS(X)
#undef X
#define P(kind, member, ...) UVM_PARAM_##member,
	UVM_POLICY_KINDS(P)
#undef P
	UVM_PARAM_COUNT
};

#define UVM_PARAM_TYPE_BOOL		u32
#define UVM_PARAM_TYPE_UINT		u32
#define UVM_PARAM_TYPE_INT		s32
#define UVM_PARAM_TYPE_POW2		u32
#define UVM_PARAM_TYPE_SIZES		u32
#define UVM_PARAM_TYPE_SIZE		u32

/*
 * struct uvm_params - values in force: a member per row of UVM_PARAMS and
 * UVM_POLICY_KINDS, called as the parameter is.  Each is read whole (READ_ONCE) and none depends on
 * another, so a change needs no lock.  @own are the values of policies' parameters that are not the
 * module's (policy_param.h).
 */
struct uvm_params {
	struct uvm_param_own *own;
#define X(member, what, initial, kind, ...) UVM_PARAM_TYPE_##kind member;
	UVM_PARAMS(X)
#undef X
#define P(kind, member, ...) const struct uvm_##kind##_ops *member;
	UVM_POLICY_KINDS(P)
#undef P
	u8 source[UVM_PARAM_COUNT];	/* enum uvm_param_source */
};

#endif
