/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The future, for policies that are allowed to know it: a *plan* says of each page how long each of
 * its *stays* in GPU memory is to be.  Who has recorded what a program accesses makes it off line,
 * and the policy follows it in another run of the program.
 *
 * A page's stays are told apart by counting its arrivals, not by time: SMs that go their own ways
 * bring pages in another order than the plan has, but not how often.
 */
#ifndef UVM_EVICTION_PLAN_H
#define UVM_EVICTION_PLAN_H

#include <linux/types.h>

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
 * struct uvm_eviction_plan - stays of one VA space's pages
 * @pages: by number, ascending; each once
 * @nr_pages: how many
 * @va_space: whose; those of others are not in it
 * @ends: of each stay, when it ends: the stay with the least goes first; ascending for each page
 *
 * It is where it is as long as the policy is in force.
 */
struct uvm_eviction_plan {
	struct uvm_eviction_plan_page *pages;
	u32 nr_pages;
	u64 va_space;
	const u32 *ends;
};

#endif
