/* SPDX-License-Identifier: GPL-2.0 */
/*
 * In what order a managed range's data come to a GPU, launch by launch: the detection of the
 * adaptive framework ("An Adaptive Framework for Oversubscription Management in CPU-GPU Unified
 * Memory", DATE 2021, III).  What the paper leaves open is as in its authors' simulator.
 *
 * What comes is looked at by 64 KB, in the order in which it comes, while a launch runs.
 *
 * 1. A launch is *linear* if no 64 KB come after some with a higher address; else *random*.
 *    adaptive_inversions allows for so many of hundred neighbours that are the wrong way round.
 * 2. It *reuses* if 64 KB come twice in it, or had come in an earlier launch.
 * 3. A launch in which nothing comes says nothing.
 * 4. The launches so far make the pattern, by the table in range_pattern.c.  It is MIXED once some
 *    were linear and some random, and stays so.
 * 5. The launch that runs counts as it is by now: the pattern may change until it has ended.
 */
#ifndef UVM_RANGE_PATTERN_H
#define UVM_RANGE_PATTERN_H

#include <linux/uvm.h>
#include "policy/range_state.h"

/**
 * struct uvm_pattern_range - what is known of a range; all zero: nothing
 * @before: pattern of the launches before this one
 * @launch: number of the launch, as uvm_range_view.begun
 * @last: number of the latest 64 KB that came in it
 * @came: how many 64 KB came in it
 * @back: of these, those that came next after some with a higher address
 * @reuse: of these, some had come before
 */
struct uvm_pattern_range {
	enum uvm_pattern before;
	u64 launch;
	u64 last;
	u64 came;
	u64 back;
	bool reuse;
};

/**
 * struct uvm_pattern_block - of 2 MB
 * @before: 64 KB that came in earlier launches
 * @launch: number of the latest launch in which something came
 * @now: what came in it
 */
struct uvm_pattern_block {
	u32 before;
	u32 now;
	u64 launch;
};

/**
 * uvm_pattern_note - pages came
 * @p: the range's
 * @block: of the 2 MB that they are in
 * @range: the range
 * @pages: the pages
 */
void uvm_pattern_note(struct uvm_pattern_range *p, struct uvm_pattern_block *block,
		      const struct uvm_range_view *range, const struct uvm_range_pages *pages);

/**
 * uvm_pattern_now - the pattern of a range by now
 * @p: the range's; all zero: nothing came
 * @params: as uvm_range_view.params; adaptive_inversions and adaptive_mixed_reuse count
 *
 * Return: the pattern, with the launch that runs as it is so far.
 */
enum uvm_pattern uvm_pattern_now(const struct uvm_pattern_range *p,
				 const struct uvm_params *params);

#endif
