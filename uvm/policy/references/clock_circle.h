/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The circle of CLOCK-Pro and its hands, for eviction_clock_pro.c: hot pages, cold ones, and cold
 * ones that were evicted and are in their test period.
 */
#ifndef UVM_CLOCK_CIRCLE_H
#define UVM_CLOCK_CIRCLE_H

#include "policy/eviction.h"
#include "policy/lib/key_hash.h"

/**
 * struct uvm_clock_page - a page of the circle
 * @slot: the page, in pages of a unit
 * @prev: the one that hands have left, record and 1
 * @next: the one that they reach; of a free record the next free one
 * @unit: where it is, if it is resident
 * @hot: it is, else cold
 * @test: it is in its test period
 * @resident: it is
 * @used: it was, since a hand came by
 */
struct uvm_clock_page {
	struct uvm_key_slot slot;
	u32 prev;
	u32 next;
	u32 unit;
	bool hot;
	bool test;
	bool resident;
	bool used;
};

/* Resident pages, and as many that were evicted: two records per unit. */
#define UVM_CLOCK_PER_UNIT	2

/**
 * struct uvm_clock_unit - of a unit
 * @page: record of what it holds, and 1; 0: nothing that is known
 * @left: what it holds, or did and may again; VA space 0: nothing
 * @pages: two records, of any pages
 */
struct uvm_clock_unit {
	u32 page;
	struct uvm_key left;
	struct uvm_clock_page pages[UVM_CLOCK_PER_UNIT];
};

/**
 * struct uvm_clock - the policy's bytes for a GPU
 * @hand_hot: record of the page where it is, and 1
 * @hand_cold: likewise
 * @hand_test: likewise
 * @taken: records that were ever in use
 * @free: the first of those that are not any more, and 1
 * @pages: of the circle
 * @hot: of these
 * @resident: likewise
 * @full: memory has been full
 */
struct uvm_clock {
	u32 hand_hot;
	u32 hand_cold;
	u32 hand_test;
	u32 taken;
	u32 free;
	u32 pages;
	u32 hot;
	u32 resident;
	bool full;
};

/**
 * uvm_clock_page - a page by its record
 * @ctx: the policy in force
 * @record: number of the record, and 1, as all here
 *
 * Return: the page.
 */
struct uvm_clock_page *uvm_clock_page(struct uvm_eviction_ctx *ctx, u32 record);

/**
 * uvm_clock_find - the record of a page
 * @ctx: the policy in force
 * @key: the page
 *
 * Return: the record; 0: it is not in the circle.
 */
u32 uvm_clock_find(struct uvm_eviction_ctx *ctx, const struct uvm_key *key);

/**
 * uvm_clock_add - a page comes to a unit, to where the hot hand gets last
 * @ctx: the policy in force
 * @unit: the unit
 * @key: the page, which is not in the circle
 * @hot: it is hot; a cold one begins a test period
 *
 * Context: a hook of the policy.
 */
void uvm_clock_add(struct uvm_eviction_ctx *ctx, u32 unit, const struct uvm_key *key, bool hot);

/**
 * uvm_clock_forget - a page leaves the circle; hands that are there go on
 * @ctx: the policy in force
 * @record: the page's, free afterwards
 *
 * Context: a hook of the policy.
 */
void uvm_clock_forget(struct uvm_eviction_ctx *ctx, u32 record);

/**
 * uvm_clock_move - a page goes to where the hot hand gets last
 * @ctx: the policy in force
 * @record: the page's
 *
 * Context: a hook of the policy.
 */
void uvm_clock_move(struct uvm_eviction_ctx *ctx, u32 record);

/**
 * uvm_clock_turn - a hand goes on to the next page
 * @ctx: the policy in force
 * @hand: of struct uvm_clock; the circle is not empty
 *
 * Context: a hook of the policy.
 */
void uvm_clock_turn(struct uvm_eviction_ctx *ctx, u32 *hand);

/**
 * uvm_clock_run_hot - the hot hand goes round until few enough pages are hot
 * @ctx: the policy in force
 * @most: how many may be
 *
 * What it passes and nobody has used becomes cold; test periods end.
 *
 * Context: a hook of the policy.
 */
void uvm_clock_run_hot(struct uvm_eviction_ctx *ctx, u32 most);

/**
 * uvm_clock_run_test - the test hand goes round until few enough evicted pages are remembered
 * @ctx: the policy in force
 *
 * As many may be as memory has units.
 *
 * Context: a hook of the policy.
 */
void uvm_clock_run_test(struct uvm_eviction_ctx *ctx);

#endif
