/* SPDX-License-Identifier: GPL-2.0 */
/* Timing: when GPU memory is given up. */
#ifndef UVM_TIMING_H
#define UVM_TIMING_H

#include <linux/types.h>
#include "policy/declare.h"

struct uvm_policy_param;

/**
 * struct uvm_timing_query - how the memory of a GPU stands, in units of eviction
 * @units: what the driver has, in use or not
 * @free: of these, what can be had without eviction
 * @taken: what the last batch of faults took, rounded up
 * @number: of the parameter that the policy names, as @number of its ops; else 0
 */
struct uvm_timing_query {
	unsigned int units;
	unsigned int free;
	unsigned int taken;
	unsigned int number;
};

/**
 * struct uvm_timing_ops - when GPU memory is given up
 * @policy: its name, for all kinds the same
 * @before: asked when a batch begins and memory is full: how many units are to be free
 *	before its faults are fetched; NULL: none.  Checked by uvm_policy_check_timing()
 * @after: likewise, when a batch has ended and was replayed
 * @number: a parameter whose value queries have, or NULL
 * @pipelined: when memory is full a block gets its units one after the other: an
 *	eviction runs beside the copy into the unit that was freed before it
 * @serial: an eviction waits for what is on its way in, and is waited for
 * @free: copies out take no time: REG_CAP_FREE_EVICTION
 */
struct uvm_timing_ops {
	struct uvm_policy policy;
	unsigned int (*before)(const struct uvm_timing_query *query);
	unsigned int (*after)(const struct uvm_timing_query *query);
	const struct uvm_policy_param *number;
	bool pipelined;
	bool serial;
	bool free;
};

unsigned int uvm_policy_check_timing(const struct uvm_timing_query *query, unsigned int answer);

#endif
