// SPDX-License-Identifier: GPL-2.0
/* How much of what comes to a range had been evicted; see range_returns.h. */
#include <kunit/visibility.h>
#include <linux/export.h>
#include "base/page_mask.h"
#include "policy/returning/range_returns.h"

/*
 * Pages; all are halved when as many came as the range has, so what is long ago fades, and
 * nothing is said before an eighth of that has been evicted: assumed.
 */
struct range_returns {
	u64 came;
	u64 returned;
	u64 evicted;
};

static u64 range_returns_pages(const struct uvm_range_view *range)
{
	return (range->end - range->start + 1) >> UVM_PAGE_SHIFT;
}

static void range_returns_arrive(const struct uvm_range_view *range,
				 const struct uvm_range_pages *pages)
{
	struct range_returns *r = range->state;
	struct uvm_page_mask returned;

	uvm_page_mask_and(&returned, pages->pages, pages->returned);
	r->came += uvm_page_mask_weight(pages->pages);
	r->returned += uvm_page_mask_weight(&returned);
	if (r->came > range_returns_pages(range)) {
		r->came /= 2;
		r->returned /= 2;
		r->evicted /= 2;
	}
}

static void range_returns_leave(const struct uvm_range_view *range,
				const struct uvm_range_pages *pages)
{
	struct range_returns *r = range->state;

	if (pages->evicted)
		r->evicted += uvm_page_mask_weight(pages->pages);
}

bool uvm_range_returns_much(const struct uvm_range_view *range)
{
	const struct range_returns *r = range ? range->state : NULL;

	return r && r->evicted * 8 >= range_returns_pages(range) &&
	       r->returned * 100 >= r->came * UVM_RANGE_RETURNS_MANY;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_range_returns_much);

const struct uvm_range_state uvm_range_returns = {
	.name = "returns",
	.bytes = sizeof(struct range_returns),
	.arrive = range_returns_arrive,
	.leave = range_returns_leave,
};
EXPORT_SYMBOL_IF_KUNIT(uvm_range_returns);
