/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kinds of policies, a row each: what lists kinds derives from this table.  Of each there
 * is a parameter, whose value is the name of a policy (param.h), and a contract, struct
 * uvm_KIND_ops, in a header of its own.
 */
#ifndef UVM_POLICY_KINDS_H
#define UVM_POLICY_KINDS_H


/* P(kind, its parameter, what that is, which policy is the default) */
#define UVM_POLICY_KINDS(P) \
	P(bundle, policy, \
	  "a policy of each kind by one name, and parameters; each can be set alone behind it", \
	  "nvidia") \
	P(replay, replay_policy, \
	  "when waiting accesses are replayed (VA space of the first fault decides)", \
	  "batch_flush") \
	P(prefetch, prefetch_policy, \
	  "what is prefetched", \
	  "tree") \
	P(eviction, eviction_policy, \
	  "victim choice; set at run time for the GPUs of the VA space, whoever shares them", \
	  "lru") \
	P(residency, residency_policy, \
	  "where faulting pages go", \
	  "first_touch") \
	P(thrashing, thrashing_policy, \
	  "what is done about pages that thrash", \
	  "throttle_pin") \
	P(timing, eviction_timing, \
	  "when memory is evicted; set at run time for the GPUs of the VA space", \
	  "reactive") \
	P(concurrency, concurrency_policy, \
	  "how much GPUs run at once; set at run time for the GPUs of the VA space", \
	  "none")

enum uvm_policy_kind {
#define P(kind, ...) UVM_POLICY_##kind,
	UVM_POLICY_KINDS(P)
#undef P
	UVM_POLICY_COUNT
};

#endif
