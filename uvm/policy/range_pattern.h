/* SPDX-License-Identifier: GPL-2.0 */
/*
 * In what order a managed range's data come to a GPU, launch by launch: the detection of the
 * adaptive framework ("An Adaptive Framework for Oversubscription Management in CPU-GPU Unified
 * Memory", DATE 2021, III).  What the paper leaves open is as in its authors' simulator.
 *
 * What comes is looked at by 64 KB, in the order in which it comes, while a launch runs.
 *
 * 1. A launch is *linear* if no 64 KB come after some with a higher address; else *random*.
 * 2. It *reuses* if 64 KB come twice in it, or had come in an earlier launch.
 * 3. A launch in which nothing comes says nothing.
 * 4. The launches so far make the pattern, by the table in range_pattern.c.  It is MIXED once some
 *    were linear and some random, and stays so.
 * 5. The launch that runs counts as it is by now: the pattern may change until it has ended.
 */
#ifndef UVM_RANGE_PATTERN_H
#define UVM_RANGE_PATTERN_H

#include "policy/range_state.h"

enum uvm_pattern {
	UVM_PATTERN_UNDECIDED,
	UVM_PATTERN_LINEAR,
	UVM_PATTERN_LINEAR_REUSE,
	UVM_PATTERN_RANDOM,
	UVM_PATTERN_RANDOM_REUSE,
	UVM_PATTERN_MIXED,
	UVM_PATTERN_MIXED_REUSE,
	UVM_PATTERNS
};

extern const struct uvm_range_state uvm_range_patterns;

/* Of the range; @range may be NULL, of which nothing is known. */
enum uvm_pattern uvm_range_pattern(const struct uvm_range_view *range);

#endif
