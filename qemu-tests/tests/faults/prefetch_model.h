/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An independent model of the prefetcher, from the description of nvidia-uvm's
 * (reference 5.1) alone: one byte per page, a recursion over the tree, nothing
 * shared with the driver.
 */
#ifndef TEST_PREFETCH_MODEL_H
#define TEST_PREFETCH_MODEL_H

#include <stdbool.h>
#include <string.h>

#define MODEL_PAGES	512
#define MODEL_BIG	16

/* The pages [first, outer) of a 2 MB block that exist, and which are there. */
struct model {
	int first, outer;
	int threshold;			/* percent; -1: prefetching is off */
	bool there[MODEL_PAGES];	/* resident at the destination */
};

/* 64K units: what lies before the first boundary, whole ones, the rest. */
static inline void model_unit(const struct model *m, int page, int *first, int *outer)
{
	int big_first = (m->first + MODEL_BIG - 1) / MODEL_BIG * MODEL_BIG;
	int big_outer = m->outer / MODEL_BIG * MODEL_BIG;

	if (big_outer <= big_first) {		/* no whole unit at all */
		*first = m->first;
		*outer = m->outer;
	} else if (page < big_first) {
		*first = m->first;
		*outer = big_first;
	} else if (page >= big_outer) {
		*first = big_outer;
		*outer = m->outer;
	} else {
		*first = page / MODEL_BIG * MODEL_BIG;
		*outer = *first + MODEL_BIG;
	}
}

/*
 * Search the subtree of 2^k leaves at @node for leaf @leaf; a larger one that
 * passes wins over all inside it.
 */
static inline bool model_search(const bool *leaves, int count, int node, int size, int leaf,
				int threshold, int *first, int *outer)
{
	int end = node + size < count ? node + size : count, taken = 0, half = size / 2;

	for (int i = node; i < end; i++)
		taken += leaves[i];
	if (taken * 100 > (end - node) * threshold) {
		*first = node;
		*outer = end;
		return true;
	}
	if (size == 1)
		return false;
	return model_search(leaves, count, leaf < node + half ? node : node + half, half, leaf,
			    threshold, first, outer);
}

/* One fault on a page that is not there: marks in @moves what comes, the page and more. */
static inline void model_fault(struct model *m, int page, bool *moves)
{
	bool leaves[2 * MODEL_PAGES] = { 0 };
	int big_first = (m->first + MODEL_BIG - 1) / MODEL_BIG * MODEL_BIG;
	int big_outer = m->outer / MODEL_BIG * MODEL_BIG;
	int shift, count, size = 1, first, outer;

	memset(moves, 0, MODEL_PAGES * sizeof(*moves));
	moves[page] = true;
	if (m->threshold >= 0) {
		/* room in front, so that 64K units are subtrees */
		shift = big_outer > big_first && big_first > m->first ?
			MODEL_BIG - (big_first - m->first) : 0;
		count = m->outer - m->first + shift;
		model_unit(m, page, &first, &outer);
		for (int i = m->first; i < m->outer; i++)
			leaves[i - m->first + shift] = m->there[i] || i == page ||
						       (i >= first && i < outer);
		while (size < count)
			size *= 2;
		if (model_search(leaves, count, 0, size, page - m->first + shift, m->threshold,
				 &first, &outer))
			for (int i = first; i < outer; i++)
				if (i >= shift)
					moves[i - shift + m->first] = true;
	}
	for (int i = 0; i < MODEL_PAGES; i++) {
		moves[i] = moves[i] && !m->there[i];
		m->there[i] |= moves[i];
	}
}

#endif
