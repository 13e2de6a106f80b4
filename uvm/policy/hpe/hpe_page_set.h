/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The page-set chain of HPE ("HPE: Hierarchical Page Eviction Policy for Unified Memory in
 * GPUs", TCAD 2020, IV-C; the sections named here are that paper's).
 *
 * A page set is a few pages with consecutive addresses.  It is in the chain while one of them is
 * resident.  The chain is cut by age: *new* are the sets touched in this interval, *middle* those
 * of the last one, *old* all others.  A set goes to the end of new when it is touched and not in
 * new already.  An interval is so many faults, which the caller counts.
 *
 * Some pages of a set may be used at other times than the rest.  When a set has been touched often
 * and some of its pages never faulted, it is *divided*: those that did are its primary from then
 * on, and the others are a set of their own, the secondary, when they fault.
 *
 * Memory is given up in units.  If they are larger than a page each is a set, never divided.
 */
#ifndef UVM_HPE_PAGE_SET_H
#define UVM_HPE_PAGE_SET_H

#include <linux/list.h>
#include "policy/lib/key_fifo.h"

/* Divided sets that are remembered at most: hpe_history. */
#define UVM_PAGE_SET_HISTORY	4096

enum uvm_page_set_part {
	UVM_PAGE_SET_OLD,
	UVM_PAGE_SET_MIDDLE,
	UVM_PAGE_SET_NEW,
	UVM_PAGE_SET_PARTS,
};

/**
 * struct uvm_page_set - a set that has resident pages
 * @slot: its VA space and tag (the number of its first page, in sets), doubled; odd: a secondary
 * @node: in its part of the chain, or of those that were touched when it was
 * @touched: interval of the last touch
 * @counter: touches; no more than 4 for each page are counted
 * @bits: pages that faulted
 * @divided: it is a primary
 * @first: resident unit with the lowest address, and 1; of a free record the next free one
 */
struct uvm_page_set {
	struct uvm_key_slot slot;
	struct list_head node;
	u64 touched;
	u32 counter;
	u32 bits;
	bool divided;
	u32 first;
};

/**
 * struct uvm_page_set_unit - what a unit holds
 * @page: VA space, and number of the page, or of the first that came
 * @known: it holds it; otherwise it did
 * @set: record of its set, or of the one that it had, and 1; 0: none that it could be in again
 * @prev: resident unit of the set with the next lower address, and 1
 * @next: likewise, higher
 * @counter: of a set that went with it
 * @bits: likewise
 * @divided: likewise
 */
struct uvm_page_set_unit {
	struct uvm_key page;
	bool known;
	bool divided;
	u32 set;
	u32 prev;
	u32 next;
	u32 counter;
	u32 bits;
};

/* The bytes of a unit.  The set is any, not the unit's: there are never more sets than units. */
struct uvm_page_set_record {
	struct uvm_page_set set;
	struct uvm_page_set_unit unit;
};

/**
 * struct uvm_page_sets - the chain
 * @records: one per unit
 * @nr: how many
 * @used: records that ever had a set
 * @free: record that has none any more, and 1; uvm_page_set.first leads to more
 * @pages: of a set, a power of two
 * @unit_pages: of a unit, likewise
 * @interval: number of the interval
 * @part: uvm_page_set.node, least recently moved first
 * @count: sets of each part
 * @chosen: record of the set that evictions go on with, and 1; 0: there is none
 * @chosen_part: where it was when it was chosen
 * @history: sets whose primary has left the chain: key as uvm_page_set.slot, value its bits
 * @history_max: how many are remembered
 * @divisions: sets that were divided
 * @remembered: of @history
 */
struct uvm_page_sets {
	struct uvm_page_set_record *records;
	u32 nr;
	u32 used;
	u32 free;
	u32 pages;
	u32 unit_pages;
	u64 interval;
	struct list_head part[UVM_PAGE_SET_PARTS];
	u32 count[UVM_PAGE_SET_PARTS];
	u32 chosen;
	enum uvm_page_set_part chosen_part;
	struct uvm_key_fifo history;
	u32 history_max;
	u64 divisions;
	struct uvm_key_fifo_slot remembered[UVM_PAGE_SET_HISTORY];
};

/**
 * uvm_page_sets_init - an empty chain
 * @sets: the chain
 * @records: one per unit, zero
 * @nr: how many
 * @pages: of a set, a power of two up to 32; larger units are sets
 * @unit_pages: pages of a unit, a power of two
 * @history: divided sets to remember, up to UVM_PAGE_SET_HISTORY
 */
void uvm_page_sets_init(struct uvm_page_sets *sets, struct uvm_page_set_record *records, u32 nr,
			u32 pages, u32 unit_pages, u32 history);

/**
 * uvm_page_sets_arrive - a page came
 * @sets: the chain
 * @unit: where to
 * @page: VA space and page number
 * @demanded: a fault asked for it, which is a touch.  Otherwise its set is only made, if need be
 */
void uvm_page_sets_arrive(struct uvm_page_sets *sets, u32 unit, const struct uvm_key *page,
			  bool demanded);

/**
 * uvm_page_sets_touch - a page was accessed without a fault
 * @sets: the chain
 * @page: VA space and page number; of no consequence if its set is gone
 * @count: how often
 */
void uvm_page_sets_touch(struct uvm_page_sets *sets, const struct uvm_key *page, u32 count);

/**
 * uvm_page_sets_leave - what a unit holds is gone
 * @sets: the chain; a set without units leaves it
 * @unit: the unit
 * @evicted: because it was evicted, so that it may come back, and a divided set is remembered
 */
void uvm_page_sets_leave(struct uvm_page_sets *sets, u32 unit, bool evicted);

/**
 * uvm_page_sets_forget - what a unit held does not come back by uvm_page_sets_back()
 * @sets: the chain
 * @unit: the unit; of no consequence if it holds something
 */
void uvm_page_sets_forget(struct uvm_page_sets *sets, u32 unit);

/**
 * uvm_page_sets_back - what a unit held is not gone after all
 * @sets: the chain
 * @unit: the unit
 *
 * If its set was gone it is as it was, but at the end of new: who wanted the unit could not get it.
 */
void uvm_page_sets_back(struct uvm_page_sets *sets, u32 unit);

/**
 * uvm_page_sets_interval - an interval is over
 * @sets: the chain; new is middle now, and middle is old (IV-C)
 */
void uvm_page_sets_interval(struct uvm_page_sets *sets);

/**
 * uvm_page_sets_count - how many sets are there?
 * @sets: the chain
 *
 * Return: sets of all parts.
 */
static inline u32 uvm_page_sets_count(const struct uvm_page_sets *sets)
{
	return sets->count[UVM_PAGE_SET_OLD] + sets->count[UVM_PAGE_SET_MIDDLE] +
	       sets->count[UVM_PAGE_SET_NEW];
}

/**
 * uvm_page_set_part - in which part is a set?
 * @sets: the chain
 * @set: one of it
 *
 * Return: the part.
 */
static inline enum uvm_page_set_part uvm_page_set_part(const struct uvm_page_sets *sets,
						       const struct uvm_page_set *set)
{
	u64 age = sets->interval - set->touched;

	return age < UVM_PAGE_SET_NEW ? UVM_PAGE_SET_NEW - age : UVM_PAGE_SET_OLD;
}

/**
 * uvm_page_set_number - number of a set's record
 * @sets: the chain
 * @set: one of it
 *
 * Return: from 0.
 */
static inline u32 uvm_page_set_number(const struct uvm_page_sets *sets,
				      const struct uvm_page_set *set)
{
	return container_of(set, struct uvm_page_set_record, set) - sets->records;
}

#endif
