// SPDX-License-Identifier: GPL-2.0
/* The page-set chain of HPE; see hpe_page_set.h. */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/stddef.h>
#include "policy/hpe/hpe_page_set.h"

/* IV-C: the counter saturates at 64, with sets of 16 pages. */
#define PAGE_SET_TOUCHES	4

void uvm_page_sets_init(struct uvm_page_sets *sets, struct uvm_page_set_record *records, u32 nr,
			u32 pages, u32 unit_pages, u32 history)
{
	unsigned int part;

	sets->records = records;
	sets->nr = nr;
	sets->pages = unit_pages > 1 ? unit_pages : pages;
	sets->unit_pages = unit_pages;
	sets->history_max = history;
	uvm_key_fifo_init(&sets->history, sets->remembered, UVM_PAGE_SET_HISTORY);
	for (part = 0; part < UVM_PAGE_SET_PARTS; part++)
		INIT_LIST_HEAD(&sets->part[part]);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_page_sets_init);

static struct uvm_key_hash page_sets_hash(const struct uvm_page_sets *sets)
{
	return (struct uvm_key_hash){
		.slots = &sets->records->set.slot, .nr = sets->nr,
		.record_bytes = sizeof(*sets->records), .per = 1,
	};
}

static struct uvm_page_set *page_sets_find(struct uvm_page_sets *sets, const struct uvm_key *key)
{
	struct uvm_key_hash hash = page_sets_hash(sets);
	u32 i = uvm_key_find(&hash, key);

	return i == UVM_KEY_NONE ? NULL : &sets->records[i].set;
}

/* Of units larger than a page nothing is known of single ones. */
static u32 page_sets_bit(const struct uvm_page_sets *sets, const struct uvm_key *page)
{
	return sets->unit_pages > 1 ? 0 : 1U << (page->number & (sets->pages - 1));
}

/*
 * The key of the page's set: the secondary's if the set was divided and the page is not among those
 * that had faulted.  What the history says holds, whatever the set did since (IV-C: the result of
 * the first division is used).
 */
static struct uvm_key page_sets_key(struct uvm_page_sets *sets, const struct uvm_key *page)
{
	struct uvm_key key = {
		.space = page->space, .number = page->number >> ilog2(sets->pages) << 1,
	};
	const u32 *history = uvm_key_fifo_find(&sets->history, &key);
	const struct uvm_page_set *primary;

	if (history) {
		key.number |= !(*history & page_sets_bit(sets, page));
		return key;
	}
	primary = page_sets_find(sets, &key);
	if (primary && primary->divided)
		key.number |= !(primary->bits & page_sets_bit(sets, page));
	return key;
}

/* ---- sets come and go ------------------------------------------------------- */

static void page_set_append(struct uvm_page_sets *sets, struct uvm_page_set *set)
{
	set->touched = sets->interval;
	list_add_tail(&set->node, &sets->part[UVM_PAGE_SET_NEW]);
	sets->count[UVM_PAGE_SET_NEW]++;
}

static void page_set_unlink(struct uvm_page_sets *sets, struct uvm_page_set *set)
{
	list_del(&set->node);
	sets->count[uvm_page_set_part(sets, set)]--;
}

static struct uvm_page_set *page_sets_add(struct uvm_page_sets *sets, const struct uvm_key *key)
{
	struct uvm_key_hash hash = page_sets_hash(sets);
	u32 i = sets->free ? sets->free - 1 : sets->used++;
	struct uvm_page_set *set = &sets->records[i].set;

	if (sets->free)
		sets->free = set->first;
	set->counter = 0;
	set->bits = 0;
	set->divided = false;
	set->first = 0;
	uvm_key_add(&hash, i, key);
	page_set_append(sets, set);
	return set;
}

static struct uvm_page_set *page_sets_get(struct uvm_page_sets *sets, const struct uvm_key *key)
{
	return page_sets_find(sets, key) ?: page_sets_add(sets, key);
}

/* IV-C: the history has tag and bits of primaries that have left; the first division stays. */
static void page_set_remember(struct uvm_page_sets *sets, const struct uvm_page_set *set)
{
	if (!set->divided || uvm_key_fifo_find(&sets->history, &set->slot.key))
		return;
	uvm_key_fifo_trim(&sets->history, sets->history_max - 1);
	uvm_key_fifo_push(&sets->history, &set->slot.key, set->bits);
}

static void page_sets_remove(struct uvm_page_sets *sets, struct uvm_page_set *set)
{
	struct uvm_key_hash hash = page_sets_hash(sets);
	u32 i = uvm_page_set_number(sets, set);

	page_set_unlink(sets, set);
	uvm_key_remove(&hash, i);
	if (sets->chosen == i + 1)
		sets->chosen = 0;
	set->first = sets->free;
	sets->free = i + 1;
}

/* ---- touches ---------------------------------------------------------------- */

/* IV-C: a set that has been touched often, while some of its pages were not, is two. */
static void page_set_divide(struct uvm_page_sets *sets, struct uvm_page_set *set)
{
	u32 all = sets->unit_pages > 1 ? 0 : U32_MAX >> (32 - sets->pages);

	if (set->divided || set->slot.key.number & 1 || set->bits == all ||
	    uvm_key_fifo_find(&sets->history, &set->slot.key))
		return;
	set->divided = true;
	sets->divisions++;
}

static void page_set_count(struct uvm_page_sets *sets, struct uvm_page_set *set, u32 count)
{
	u32 most = PAGE_SET_TOUCHES * sets->pages, before = set->counter;

	if (set->touched != sets->interval) {
		page_set_unlink(sets, set);
		page_set_append(sets, set);
	}
	set->counter = min(most - before, count) + before;
	if (before < most && set->counter == most)
		page_set_divide(sets, set);
}

void uvm_page_sets_touch(struct uvm_page_sets *sets, const struct uvm_key *page, u32 count)
{
	struct uvm_key key = page_sets_key(sets, page);
	struct uvm_page_set *set = page_sets_find(sets, &key);

	if (set)
		page_set_count(sets, set, count);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_page_sets_touch);

/* ---- units ------------------------------------------------------------------ */

static struct uvm_page_set_unit *page_sets_unit(struct uvm_page_sets *sets, u32 unit)
{
	return &sets->records[unit].unit;
}

/* Among the units of the set, by address. */
static void page_set_put(struct uvm_page_sets *sets, struct uvm_page_set *set, u32 unit)
{
	struct uvm_page_set_unit *u = page_sets_unit(sets, unit);
	u32 prev = 0, next = set->first;

	while (next && page_sets_unit(sets, next - 1)->page.number < u->page.number) {
		prev = next;
		next = page_sets_unit(sets, next - 1)->next;
	}
	u->set = uvm_page_set_number(sets, set) + 1;
	u->prev = prev;
	u->next = next;
	*(prev ? &page_sets_unit(sets, prev - 1)->next : &set->first) = unit + 1;
	if (next)
		page_sets_unit(sets, next - 1)->prev = unit + 1;
}

void uvm_page_sets_leave(struct uvm_page_sets *sets, u32 unit, bool evicted)
{
	struct uvm_page_set_unit *u = page_sets_unit(sets, unit);
	struct uvm_page_set *set;

	if (!u->known)
		return;
	set = &sets->records[u->set - 1].set;
	*(u->prev ? &page_sets_unit(sets, u->prev - 1)->next : &set->first) = u->next;
	if (u->next)
		page_sets_unit(sets, u->next - 1)->prev = u->prev;
	u->known = false;
	u->counter = set->counter;
	u->bits = set->bits;
	u->divided = set->divided;
	if (set->first)
		return;
	if (evicted)
		page_set_remember(sets, set);
	page_sets_remove(sets, set);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_page_sets_leave);

void uvm_page_sets_forget(struct uvm_page_sets *sets, u32 unit)
{
	struct uvm_page_set_unit *u = page_sets_unit(sets, unit);

	if (!u->known)
		u->set = 0;
}

void uvm_page_sets_back(struct uvm_page_sets *sets, u32 unit)
{
	struct uvm_page_set_unit *u = page_sets_unit(sets, unit);
	struct uvm_page_set *set;
	struct uvm_key key;

	if (u->known || !u->set)
		return;
	key = page_sets_key(sets, &u->page);
	set = page_sets_find(sets, &key);
	if (!set) {
		set = page_sets_add(sets, &key);
		set->counter = u->counter;
		set->bits = u->bits;
		set->divided = u->divided;
	}
	u->known = true;
	page_set_put(sets, set, unit);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_page_sets_back);

void uvm_page_sets_arrive(struct uvm_page_sets *sets, u32 unit, const struct uvm_key *page,
			  bool demanded)
{
	struct uvm_page_set_unit *u = page_sets_unit(sets, unit);
	u64 differ = u->page.number ^ page->number;
	struct uvm_page_set *set;
	struct uvm_key key;

	if (u->known && (u->page.space != page->space || differ >> ilog2(sets->unit_pages)))
		uvm_page_sets_leave(sets, unit, false);
	key = page_sets_key(sets, page);
	set = page_sets_get(sets, &key);
	if (!u->known) {
		u->known = true;
		u->page = *page;
		page_set_put(sets, set, unit);
	}
	if (!demanded)
		return;
	set->bits |= page_sets_bit(sets, page);
	page_set_count(sets, set, 1);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_page_sets_arrive);

/* IV-C: the pointers between the parts move on. */
void uvm_page_sets_interval(struct uvm_page_sets *sets)
{
	struct list_head *part = sets->part;
	u32 *count = sets->count;

	list_splice_tail_init(&part[UVM_PAGE_SET_MIDDLE], &part[UVM_PAGE_SET_OLD]);
	list_splice_init(&part[UVM_PAGE_SET_NEW], &part[UVM_PAGE_SET_MIDDLE]);
	count[UVM_PAGE_SET_OLD] += count[UVM_PAGE_SET_MIDDLE];
	count[UVM_PAGE_SET_MIDDLE] = count[UVM_PAGE_SET_NEW];
	count[UVM_PAGE_SET_NEW] = 0;
	sets->interval++;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_page_sets_interval);
