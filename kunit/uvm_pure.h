/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The suites of uvm's pure units.
 */
#ifndef KUNIT_UVM_PURE_H
#define KUNIT_UVM_PURE_H

#include <kunit/test.h>

extern struct kunit_suite uvm_access_counter_batch_suite;
extern struct kunit_suite uvm_block_peer_suite;
extern struct kunit_suite uvm_block_state_suite;
extern struct kunit_suite uvm_chunk_model_suite;
extern struct kunit_suite uvm_chunk_suite;
extern struct kunit_suite uvm_concurrency_suite;
extern struct kunit_suite uvm_cpu_grant_suite;
extern struct kunit_suite uvm_eviction_accessed_suite;
extern struct kunit_suite uvm_external_tree_suite;
extern struct kunit_suite uvm_fault_batch_suite;
extern struct kunit_suite uvm_fault_governor_suite;
extern struct kunit_suite uvm_page_mask_suite;
extern struct kunit_suite uvm_page_residency_suite;
extern struct kunit_suite uvm_policy_suite;
extern struct kunit_suite uvm_prefetch_load_suite;
extern struct kunit_suite uvm_prefetch_tree_suite;
extern struct kunit_suite uvm_thrashing_suite;
extern struct kunit_suite uvm_thrashing_policy_suite;
extern struct kunit_suite uvm_va_range_suite;

#endif
