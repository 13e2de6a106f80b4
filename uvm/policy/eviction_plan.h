/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The future, for policies that are allowed to know it: a *plan* says of each page how long each of
 * its *stays* in GPU memory is to be.  Who has recorded what a program accesses makes it off line,
 * and the policy follows it in another run of the program.
 *
 * A page's stays are told apart by counting its arrivals, not by time: SMs that go their own ways
 * bring pages in another order than the plan has, but not how often.
 *
 * Or it says of each 64 KB when they are *used*, and the policy asks for the next use.  How far
 * they are is known by counting requests, for which a program does not need to run in the same
 * order: eviction_uses.h.
 */
#ifndef UVM_EVICTION_PLAN_H
#define UVM_EVICTION_PLAN_H

#include <linux/types.h>
#include <linux/uvm.h>
#include "base/types.h"

/* End of a stay that never ends. */
#define UVM_STAY_FOR_GOOD	U32_MAX

/**
 * struct uvm_eviction_plan_page - a page of it
 * @page: its number, va >> 12; of units larger than a page the number in units
 * @first: its first stay, in uvm_eviction_plan.ends
 * @count: how many there are, at least one
 * @used: those that have begun; policies write it
 */
struct uvm_eviction_plan_page {
	u64 page;
	u32 first;
	u32 count;
	u32 used;
};

/**
 * struct uvm_eviction_used - 64 KB of it
 * @number: va >> 16
 * @first: its first use, in uvm_eviction_plan.uses
 * @count: how many there are, at least one
 * @at: its first use that is not over, from @first; policies write this and all below
 * @done: requests of that one that are over
 * @launch: up to this one the launches are behind @from
 * @from: its first use in that launch, or a later one
 * @next: by page: a use of it; those from @from and @at up to there are others'
 * @resident: bit per page that is in GPU memory
 */
struct uvm_eviction_used {
	u64 number;
	u32 first;
	u32 count;
	u32 at;
	u32 done;
	u32 launch;
	u32 from;
	u32 next[UVM_PAGES_PER_BIG];
	u16 resident;
};

/**
 * struct uvm_eviction_plan - stays of one VA space's pages, or uses of its memory
 * @pages: by number, ascending; each once
 * @nr_pages: how many
 * @va_space: whose; those of others are not in it
 * @ends: of each stay, when it ends: the stay with the least goes first; ascending for each page
 * @used: by number, ascending; each once
 * @nr_used: how many; 0 where stays are known
 * @uses: of each their uses, by ascending positions
 * @launches: the position with which each launch begins, never less than the one before
 * @nr_launches: how many
 * @missing: requests that a launch did not make, as far as is known; policies write it
 * @excess: those that it made beyond the plan; likewise
 *
 * It is where it is as long as the policy is in force.
 */
struct uvm_eviction_plan {
	struct uvm_eviction_plan_page *pages;
	u32 nr_pages;
	u64 va_space;
	const u32 *ends;
	struct uvm_eviction_used *used;
	u32 nr_used;
	const struct uvm_use *uses;
	const u32 *launches;
	u32 nr_launches;
	u64 missing;
	u64 excess;
};

#endif
