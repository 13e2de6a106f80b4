/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Replacement off line: which pieces of memory stay for how long when what will be touched is known.
 * Belady's MIN (IBM Systems Journal 5 (2), 1966), which no policy is better than, and exact LRU.
 */
#ifndef UVM_RUN_PLAN_H
#define UVM_RUN_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct run_string - touches in their order
 * @piece: of each, which piece of memory, from 0
 * @next: of each, the position of the next touch of that piece; UINT64_MAX: there is none
 * @count: how many touches
 * @pieces: how many pieces
 */
struct run_string {
	uint32_t *piece;
	uint64_t *next;
	size_t count;
	uint32_t pieces;
};

/**
 * struct run_rule - who goes
 * @units: pieces that fit in memory, at least 1
 * @delay: a piece touched in the last so many loads goes only if all are
 * @lru: what was touched least recently; else what is touched next last
 * @newest: of what is not touched again what was touched last; else what was so longest ago.  MIN
 *	is indifferent
 */
struct run_rule {
	uint32_t units;
	uint32_t delay;
	bool lru;
	bool newest;
};

/**
 * struct run_stay - from a load of a piece to its eviction
 * @piece: which
 * @end: how many loads came before the one that evicts it; UINT32_MAX: none does
 */
struct run_stay {
	uint32_t piece;
	uint32_t end;
};

/**
 * struct run_plan - stays, in the order of their loads
 * @stays: @count of them
 * @count: how many loads
 */
struct run_plan {
	struct run_stay *stays;
	size_t count;
};

/* 0, or -ENOMEM; -E2BIG: more touches than can be numbered. */
int run_plan_make(const struct run_string *string, const struct run_rule *rule,
		  struct run_plan *plan);
void run_plan_free(struct run_plan *plan);
/* How many loads alone; likewise. */
int run_plan_loads(const struct run_string *string, const struct run_rule *rule, uint64_t *loads);

#endif
