/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The future, for policies that are allowed to know it: which pages a program touches, and when.
 * It is recorded in one run and used in another one.
 */
#ifndef UVM_EVICTION_TRACE_H
#define UVM_EVICTION_TRACE_H

#include <linux/types.h>

/**
 * struct uvm_eviction_trace_page - a page of it
 * @page: its number, va >> 12; of units larger than a page the number in units
 * @first: its first touch, in uvm_eviction_trace.positions
 * @count: how many there are
 * @used: those that are over; policies write it
 */
struct uvm_eviction_trace_page {
	u64 page;
	u32 first;
	u32 count;
	u32 used;
};

/**
 * struct uvm_eviction_trace - touches, which are page-walk hits and faults, of one VA space
 * @pages: by number, ascending; each once
 * @nr_pages: how many
 * @positions: where a page's touches are among all, ascending for each page
 *
 * It stays where it is as long as the policy is in force.
 */
struct uvm_eviction_trace {
	struct uvm_eviction_trace_page *pages;
	u32 nr_pages;
	const u64 *positions;
};

#endif
