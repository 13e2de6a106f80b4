// SPDX-License-Identifier: GPL-2.0
/* Which page set goes, in HPE; see hpe_adjust.h. */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/stddef.h>
#include "policy/hpe/hpe_adjust.h"

void uvm_page_set_adjust_init(struct uvm_page_set_adjust *adjust,
			      const struct uvm_page_set_rules *rules)
{
	unsigned int i;

	adjust->rules = *rules;
	for (i = 0; i < UVM_PAGE_SET_STRATEGIES; i++)
		uvm_key_fifo_init(&adjust->tried[i].evicted, adjust->slots[i],
				  UVM_PAGE_SET_EVICTED);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_page_set_adjust_init);

/* ---- IV-D: what is the program like? ---------------------------------------- */

struct page_set_kinds {
	u64 regular;
	u64 irregular;
	u64 small;
	u64 large;
};

/* What came unasked and was never touched says nothing. */
static void page_set_sort(struct page_set_kinds *kinds, const struct uvm_page_sets *sets,
			  const struct uvm_page_set *set)
{
	if (!set->counter)
		return;
	if (set->counter & (sets->pages - 1)) {
		kinds->irregular++;
		return;
	}
	kinds->regular++;
	if (set->counter <= 2 * sets->pages)
		kinds->small++;
	else
		kinds->large++;
}

static u64 page_set_ratio(u64 some, u64 others)
{
	if (!others)
		return some ? UVM_PAGE_SET_INFINITE : 0;
	return min_t(u64, div64_u64(some * 1000, others), UVM_PAGE_SET_INFINITE);
}

/* Table III. */
static enum uvm_page_set_category page_set_category(const struct uvm_page_set_rules *rules,
						    const struct page_set_kinds *kinds)
{
	if (kinds->irregular * 100 > kinds->regular * rules->ratio1_percent)
		return UVM_PAGE_SET_IRREGULAR2;
	if (kinds->large && kinds->large >= kinds->small * rules->ratio2)
		return UVM_PAGE_SET_IRREGULAR1;
	return UVM_PAGE_SET_REGULAR;
}

static void page_set_begin(struct uvm_page_set_adjust *adjust)
{
	const struct uvm_page_set_rules *rules = &adjust->rules;
	bool mru_c = adjust->category == UVM_PAGE_SET_REGULAR;

	if (rules->force)
		mru_c = rules->force == UVM_PAGE_SET_FORCE_MRU_C;
	adjust->strategy = mru_c ? UVM_PAGE_SET_MRU_C : UVM_PAGE_SET_LRU;
	switch (adjust->category) {
	case UVM_PAGE_SET_REGULAR:
		adjust->adjusts = adjust->old_sets >= rules->guard;
		break;
	case UVM_PAGE_SET_IRREGULAR2:
		adjust->adjusts = true;
		break;
	default:
		break;
	}
	if (rules->force)
		adjust->adjusts = false;
}

void uvm_page_set_classify(struct uvm_page_set_adjust *adjust, const struct uvm_page_sets *sets)
{
	struct page_set_kinds kinds = {};
	const struct uvm_page_set *set;
	unsigned int part;

	for (part = 0; part < UVM_PAGE_SET_PARTS; part++)
		list_for_each_entry(set, &sets->part[part], node)
			page_set_sort(&kinds, sets, set);
	adjust->full = true;
	adjust->category = page_set_category(&adjust->rules, &kinds);
	adjust->ratio1 = page_set_ratio(kinds.irregular, kinds.regular);
	adjust->ratio2 = page_set_ratio(kinds.large, kinds.small);
	adjust->old_sets = sets->count[UVM_PAGE_SET_OLD];
	page_set_begin(adjust);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_page_set_classify);

/* ---- IV-D: which set goes? -------------------------------------------------- */

struct page_set_search {
	struct uvm_page_set_adjust *adjust;
	struct uvm_page_sets *sets;
	uvm_page_set_may_fn may;
	void *arg;
	struct uvm_page_set *best;
};

/* Of the set, the page with the lowest address that may go. */
static u32 page_set_unit(const struct page_set_search *search, const struct uvm_page_set *set)
{
	u32 at;

	for (at = set->first; at; at = search->sets->records[at - 1].unit.next)
		if (search->may(search->arg, at - 1))
			return at - 1;
	return UVM_KEY_NONE;
}

static bool page_set_may(const struct page_set_search *search, const struct uvm_page_set *set)
{
	return page_set_unit(search, set) != UVM_KEY_NONE;
}

/* The first of a part that may go. */
static void page_set_lru(struct page_set_search *search, enum uvm_page_set_part part)
{
	struct uvm_page_set *set;

	list_for_each_entry(set, &search->sets->part[part], node) {
		if (page_set_may(search, set)) {
			search->best = set;
			return;
		}
	}
}

/*
 * Rule 2 of MRU-C is about sets that all have larger counters than pages.  Others are passed over:
 * those that are not full are likelier to be used again, says the paper.
 */
static bool page_set_less(const struct page_set_search *search, const struct uvm_page_set *set)
{
	const struct uvm_page_set *best = search->best;
	bool few, best_few;

	if (!best)
		return true;
	few = set->counter < search->sets->pages;
	best_few = best->counter < search->sets->pages;
	if (!search->adjust->rules.least && few != best_few)
		return best_few;
	return set->counter < best->counter;
}

/* Is the search over? */
static bool page_set_compare(struct page_set_search *search, struct uvm_page_set *set)
{
	bool fits = set->counter == search->sets->pages;

	search->adjust->comparisons++;
	if ((!fits && !page_set_less(search, set)) || !page_set_may(search, set))
		return false;
	search->best = set;
	return fits;
}

/* From the search point to the head, then what was left out. */
static void page_set_mru_c(struct page_set_search *search)
{
	u32 count = search->sets->count[UVM_PAGE_SET_OLD], skip, i = 0;
	struct list_head *old = &search->sets->part[UVM_PAGE_SET_OLD];
	struct uvm_page_set *set;

	skip = count ? min_t(u64, search->adjust->point, count - 1) : 0;
	search->adjust->searches += count > 0;
	list_for_each_entry_reverse(set, old, node)
		if (i++ >= skip && page_set_compare(search, set))
			return;
	list_for_each_entry_reverse(set, old, node)
		if (!skip-- || page_set_compare(search, set))
			return;
}

/* IV-D: of the old ones by the strategy; if there are none, LRU of the others. */
static void page_set_search(struct page_set_search *search)
{
	if (search->adjust->strategy == UVM_PAGE_SET_MRU_C)
		page_set_mru_c(search);
	else
		page_set_lru(search, UVM_PAGE_SET_OLD);
	if (!search->best)
		page_set_lru(search, UVM_PAGE_SET_MIDDLE);
	if (!search->best)
		page_set_lru(search, UVM_PAGE_SET_NEW);
}

/* The set that evictions go on with. */
static u32 page_set_go_on(const struct page_set_search *search)
{
	const struct uvm_page_sets *sets = search->sets;
	const struct uvm_page_set *set;

	if (!sets->chosen || !search->adjust->rules.sticky)
		return UVM_KEY_NONE;
	set = &sets->records[sets->chosen - 1].set;
	if (uvm_page_set_part(sets, set) > sets->chosen_part)
		return UVM_KEY_NONE;
	return page_set_unit(search, set);
}

u32 uvm_page_set_pick(struct uvm_page_set_adjust *adjust, struct uvm_page_sets *sets,
		      uvm_page_set_may_fn may, void *arg)
{
	struct page_set_search search = {
		.adjust = adjust, .sets = sets, .may = may, .arg = arg,
	};
	u32 unit = page_set_go_on(&search);

	if (unit != UVM_KEY_NONE)
		return unit;
	page_set_search(&search);
	if (!search.best)
		return UVM_KEY_NONE;
	sets->chosen = uvm_page_set_number(sets, search.best) + 1;
	sets->chosen_part = uvm_page_set_part(sets, search.best);
	return page_set_unit(&search, search.best);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_page_set_pick);

/* ---- IV-E: wrong evictions -------------------------------------------------- */

void uvm_page_set_evicted(struct uvm_page_set_adjust *adjust, const struct uvm_key *page)
{
	struct uvm_page_set_tried *tried = &adjust->tried[adjust->strategy];

	uvm_key_fifo_remove(&tried->evicted, page);
	uvm_key_fifo_push(&tried->evicted, page, 0);
	tried->pending++;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_page_set_evicted);

void uvm_page_set_not_evicted(struct uvm_page_set_adjust *adjust, const struct uvm_key *page)
{
	unsigned int i;

	for (i = 0; i < UVM_PAGE_SET_STRATEGIES; i++)
		uvm_key_fifo_remove(&adjust->tried[i].evicted, page);
}

void uvm_page_set_came(struct uvm_page_set_adjust *adjust, const struct uvm_key *page,
		       bool demanded)
{
	unsigned int i;

	for (i = 0; i < UVM_PAGE_SET_STRATEGIES; i++) {
		struct uvm_page_set_tried *tried = &adjust->tried[i];

		tried->wrong += uvm_key_fifo_remove(&tried->evicted, page) && demanded;
		tried->pending -= !!tried->pending;
		uvm_key_fifo_trim(&tried->evicted, adjust->rules.evicted + tried->pending);
	}
}
EXPORT_SYMBOL_IF_KUNIT(uvm_page_set_came);

/* Algorithm 1, regular: MRU-C begins with sets that were not used for longer. */
static void page_set_jump(struct uvm_page_set_adjust *adjust, struct uvm_page_sets *sets)
{
	if (adjust->rules.jumps && adjust->jumps >= adjust->rules.jumps)
		return;
	adjust->point += adjust->rules.jump;
	adjust->jumps++;
	sets->chosen = 0;
}

/* Algorithm 1, irregular#2: the strategy that lasts longer; one that never was used is tried. */
static void page_set_switch(struct uvm_page_set_adjust *adjust, struct uvm_page_sets *sets)
{
	struct uvm_page_set_tried *now = &adjust->tried[adjust->strategy];
	struct uvm_page_set_tried *other = &adjust->tried[!adjust->strategy];
	u64 lasted = adjust->rules.total ? other->intervals : other->last;
	u64 lasts = adjust->rules.total ? now->intervals : adjust->stint;

	if (other->given_up && lasted <= lasts)
		return;
	now->last = adjust->stint;
	now->given_up = true;
	adjust->stint = 0;
	adjust->strategy = !adjust->strategy;
	adjust->switches++;
	sets->chosen = 0;
}

void uvm_page_set_adjust(struct uvm_page_set_adjust *adjust, struct uvm_page_sets *sets)
{
	struct uvm_page_set_tried *now = &adjust->tried[adjust->strategy];

	if (!adjust->adjusts || now->wrong < adjust->rules.wrong)
		return;
	now->wrong = 0;
	if (adjust->category == UVM_PAGE_SET_REGULAR)
		page_set_jump(adjust, sets);
	else
		page_set_switch(adjust, sets);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_page_set_adjust);

void uvm_page_set_adjust_interval(struct uvm_page_set_adjust *adjust)
{
	unsigned int i;

	for (i = 0; i < UVM_PAGE_SET_STRATEGIES; i++)
		adjust->tried[i].wrong = 0;
	if (!adjust->full)
		return;
	adjust->tried[adjust->strategy].intervals++;
	adjust->stint++;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_page_set_adjust_interval);
