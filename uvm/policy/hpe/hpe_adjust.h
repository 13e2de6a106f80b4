/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which page set goes, in HPE (hpe_page_set.h; the sections are those of its paper).
 *
 * When memory is full for the first time the touches of all sets say what the program is like
 * (IV-D, table III), and with that which of two strategies it begins with.  LRU takes the least
 * recently used of the old sets; MRU-C goes through them from the other end, for one that was
 * touched as often as it has pages.  A fault on what was evicted just now is a *wrong eviction*;
 * many of them in an interval have the search begin elsewhere, or the strategies take turns (IV-E).
 */
#ifndef UVM_HPE_ADJUST_H
#define UVM_HPE_ADJUST_H

#include "policy/hpe/hpe_page_set.h"

/*
 * Evictions of each strategy that are remembered at most: those of two of the longest intervals,
 * and as many as there may be before the pages come for which they were done.
 */
#define UVM_PAGE_SET_EVICTED	(2 * 1024 + 512)

/* A ratio with nothing to divide by, and the largest that is told. */
#define UVM_PAGE_SET_INFINITE	999999999

enum uvm_page_set_category {
	UVM_PAGE_SET_UNKNOWN,
	UVM_PAGE_SET_REGULAR,
	UVM_PAGE_SET_IRREGULAR1,
	UVM_PAGE_SET_IRREGULAR2,
};

enum uvm_page_set_strategy {
	UVM_PAGE_SET_LRU,
	UVM_PAGE_SET_MRU_C,
	UVM_PAGE_SET_STRATEGIES,
};

enum uvm_page_set_force {
	UVM_PAGE_SET_AS_CLASSIFIED,
	UVM_PAGE_SET_FORCE_LRU,
	UVM_PAGE_SET_FORCE_MRU_C,
};

/**
 * struct uvm_page_set_rules - what can be set of them
 * @evicted: evictions of each strategy that may turn out wrong
 * @ratio1_percent: irregular sets in percent of regular ones, beyond which it is irregular#2
 * @ratio2: large sets for each small one that make it irregular#1
 * @wrong: wrong evictions in an interval that adjust something
 * @guard: old sets when memory is first full, below which nothing is, if regular
 * @jump: sets by which the search begins further on
 * @jumps: how often; 0: each time
 * @total: strategies compare how long they were in force in all, not the last time
 * @least: sets that were touched less often than they have pages are the least, and not passed over
 * @sticky: evictions go on with a set until it is empty, moves, or the strategy does
 * @force: which strategy it is, without adjustment
 */
struct uvm_page_set_rules {
	u32 evicted;
	u32 ratio1_percent;
	u32 ratio2;
	u32 wrong;
	u32 guard;
	u32 jump;
	u32 jumps;
	bool total;
	bool least;
	bool sticky;
	enum uvm_page_set_force force;
};

/**
 * struct uvm_page_set_tried - a strategy's record
 * @evicted: pages that it has evicted
 * @pending: of these, those whose fault has not arrived
 * @wrong: faults on them in this interval
 * @intervals: that it was in force
 * @last: that it was in force when it was last given up
 * @given_up: it was
 */
struct uvm_page_set_tried {
	struct uvm_key_fifo evicted;
	u32 pending;
	u32 wrong;
	u64 intervals;
	u64 last;
	bool given_up;
};

/**
 * struct uvm_page_set_adjust - what is known of the program
 * @rules: as set
 * @full: memory has been full
 * @adjusts: wrong evictions matter
 * @category: what it is like
 * @strategy: in force
 * @ratio1: irregular sets for each regular one, in thousandths
 * @ratio2: large sets for each small one, likewise
 * @old_sets: old sets when memory was first full
 * @point: where MRU-C begins, in sets from the end of old
 * @stint: intervals that the strategy is in force this time
 * @tried: by strategy
 * @jumps: how often the search was made to begin elsewhere
 * @switches: how often the strategy changed
 * @searches: of MRU-C
 * @comparisons: sets that these have looked at
 * @slots: of uvm_page_set_tried.evicted
 */
struct uvm_page_set_adjust {
	struct uvm_page_set_rules rules;
	bool full;
	bool adjusts;
	enum uvm_page_set_category category;
	enum uvm_page_set_strategy strategy;
	u64 ratio1;
	u64 ratio2;
	u32 old_sets;
	u64 point;
	u64 stint;
	struct uvm_page_set_tried tried[UVM_PAGE_SET_STRATEGIES];
	u64 jumps;
	u64 switches;
	u64 searches;
	u64 comparisons;
	struct uvm_key_fifo_slot slots[UVM_PAGE_SET_STRATEGIES][UVM_PAGE_SET_EVICTED];
};

typedef bool (*uvm_page_set_may_fn)(void *arg, u32 unit);

/**
 * uvm_page_set_adjust_init - nothing is known of the program
 * @adjust: all bytes zero
 * @rules: copied; .evicted is at most two of the longest intervals (UVM_PAGE_SET_EVICTED)
 */
void uvm_page_set_adjust_init(struct uvm_page_set_adjust *adjust,
			      const struct uvm_page_set_rules *rules);

/**
 * uvm_page_set_classify - memory is full for the first time: what is the program like?
 * @adjust: category, strategy and whether wrong evictions matter are set
 * @sets: the chain; sets that were never touched do not count
 *
 * Sections IV-D and table III of the paper.
 */
void uvm_page_set_classify(struct uvm_page_set_adjust *adjust, const struct uvm_page_sets *sets);

/**
 * uvm_page_set_pick - which unit goes?
 * @adjust: how it is chosen
 * @sets: the chain
 * @may: may it be this one?
 * @arg: passed on
 *
 * Return: the unit, UVM_KEY_NONE if none may be.
 */
u32 uvm_page_set_pick(struct uvm_page_set_adjust *adjust, struct uvm_page_sets *sets,
		      uvm_page_set_may_fn may, void *arg);

/**
 * uvm_page_set_evicted - a page was evicted
 * @adjust: the strategy in force has done it
 * @page: the page
 */
void uvm_page_set_evicted(struct uvm_page_set_adjust *adjust, const struct uvm_key *page);

/**
 * uvm_page_set_not_evicted - a page was not evicted after all, or it is back unasked
 * @adjust: no strategy has evicted it
 * @page: the page
 */
void uvm_page_set_not_evicted(struct uvm_page_set_adjust *adjust, const struct uvm_key *page);

/**
 * uvm_page_set_came - a page came
 * @adjust: what is known of the program
 * @page: the page
 * @demanded: a fault asked for it, so it should not have been evicted if it was (IV-E)
 *
 * It was looked for before the evictions that made room for it: these do not push it out.
 */
void uvm_page_set_came(struct uvm_page_set_adjust *adjust, const struct uvm_key *page,
		       bool demanded);

/**
 * uvm_page_set_adjust - after a fault: are there too many wrong evictions?
 * @adjust: what is known of the program; point or strategy may change
 * @sets: the chain; if so, another set is chosen next
 *
 * Algorithm 1 of the paper; nothing before uvm_page_set_classify().
 */
void uvm_page_set_adjust(struct uvm_page_set_adjust *adjust, struct uvm_page_sets *sets);

/**
 * uvm_page_set_adjust_interval - an interval is over
 * @adjust: wrong evictions are counted anew; once memory has been full the strategy has lasted
 *	longer
 */
void uvm_page_set_adjust_interval(struct uvm_page_set_adjust *adjust);

#endif
