// SPDX-License-Identifier: GPL-2.0
/*
 * HPE: page sets by age, and a strategy by what the program is like ("HPE: Hierarchical Page
 * Eviction Policy for Unified Memory in GPUs", TCAD 2020).
 *
 * Faults make and touch page sets (hpe_page_set.h), page-walk hits touch them, too: a recorder in
 * the GPU sums them up and is read every so many faults (IV-B).  Which set goes is hpe_adjust.h.
 * Where the paper leaves something open hpe_readings has the other reading; hpe.rst has the list.
 *
 * Standing: published ("HPE", TCAD 2020).  How far it is from the paper's figures:
 * Documentation/hpe.rst, *Measured*.
 *
 * Deviates: prefetched pages touch nothing.  Units larger than a page are a set each that is
 * never divided.  hpe.rst has what was measured: 1.16 times LRU at 75 %, where the paper has
 * 1.34.
 */
#include <linux/log2.h>
#include <linux/minmax.h>
#include "base/types.h"
#include "policy/eviction.h"
#include "policy/hpe/hpe_adjust.h"
#include "policy/lib/recorder.h"
#include "policy/policy_param.h"

UVM_POLICY_PARAM(hpe_set_pages, POW2, 16, 4, 32,
		 "pages of a page set");
UVM_POLICY_PARAM(hpe_interval, UINT, 64, 4, 1024,
		 "faults of an interval; buffers hold the evictions of two");
UVM_POLICY_PARAM(hpe_transfer, UINT, 16, 1, 1024,
		 "the recorder is read at each Nth fault");
UVM_POLICY_PARAM(hpe_ratio1_percent, UINT, 30, 0, 1000,
		 "irregular page sets in percent of regular ones, beyond which it is irregular#2");
UVM_POLICY_PARAM(hpe_ratio2, UINT, 2, 1, 1000,
		 "large page sets for each small one that make it irregular#1");
UVM_POLICY_PARAM(hpe_wrong, UINT, 0, 0, 1024,
		 "wrong evictions in an interval that adjust the strategy; 0: as hpe_set_pages");
UVM_POLICY_PARAM(hpe_guard, UINT, 0, 0, 65536,
		 "old page sets below which nothing is adjusted; 0: 4 hpe_set_pages");
UVM_POLICY_PARAM(hpe_jump, UINT, 16, 1, 65536,
		 "page sets by which MRU-C's search point moves on");
UVM_POLICY_PARAM(hpe_history, UINT, 4096, 1, 4096,
		 "divided page sets that are remembered");
UVM_POLICY_PARAM(hpe_strategy, UINT, 0, 0, 2,
		 "0: as it classifies itself, 1: LRU, 2: MRU-C; the latter two are never adjusted");

/**
 * struct hpe - the policy's bytes for a GPU
 * @sets: the chain
 * @adjust: which of them goes
 * @records: records of the recorder so far
 * @batch: those since the last fault
 * @longest_batch: most that came at once
 * @last: set of the last one: what the recorder tells of one set comes in a row
 */
struct hpe {
	struct uvm_page_sets sets;
	struct uvm_page_set_adjust adjust;
	u64 records;
	u64 batch;
	u64 longest_batch;
	struct uvm_key last;
};

static void eviction_hpe_init(struct uvm_eviction_ctx *ctx)
{
	const struct uvm_params *params = ctx->params;
	u32 readings = uvm_param(params, hpe_readings);
	u32 pages = uvm_param(params, hpe_set_pages);
	struct hpe *hpe = ctx->state;
	struct uvm_page_set_rules rules = {
		.evicted = 2 * uvm_param(params, hpe_interval),
		.ratio1_percent = uvm_param(params, hpe_ratio1_percent),
		.ratio2 = uvm_param(params, hpe_ratio2),
		.wrong = uvm_param(params, hpe_wrong) ?: pages,
		.guard = uvm_param(params, hpe_guard) ?: 4 * pages,
		.jump = uvm_param(params, hpe_jump),
		.jumps = !(readings & UVM_HPE_EACH_JUMP),
		.total = readings & UVM_HPE_IN_ALL,
		.least = readings & UVM_HPE_LEAST,
		.sticky = !(readings & UVM_HPE_ANEW),
		.force = uvm_param(params, hpe_strategy),
	};

	uvm_page_sets_init(&hpe->sets, ctx->units, ctx->nr_units, pages, ctx->unit_pages,
			   uvm_param(params, hpe_history));
	uvm_page_set_adjust_init(&hpe->adjust, &rules);
}

static struct uvm_key hpe_page(u64 va_space, u64 va)
{
	return (struct uvm_key){ .space = va_space, .number = va >> UVM_PAGE_SHIFT };
}

/* As evictions count: by unit. */
static struct uvm_key hpe_evicted(const struct uvm_eviction_ctx *ctx, const struct uvm_key *page)
{
	return (struct uvm_key){
		.space = page->space, .number = page->number >> ilog2(ctx->unit_pages),
	};
}

static void eviction_hpe_enter(struct uvm_eviction_ctx *ctx, u32 unit, u32 when,
			       enum uvm_enter_why why)
{
	struct hpe *hpe = ctx->state;
	struct uvm_key key;

	if (why == UVM_ENTER_BLOCK)
		uvm_page_sets_forget(&hpe->sets, unit);
	if (uvm_eviction_returns(why))
		uvm_page_sets_back(&hpe->sets, unit);
	if (why != UVM_ENTER_BACK)
		return;
	key = hpe_evicted(ctx, &hpe->sets.records[unit].unit.page);
	uvm_page_set_not_evicted(&hpe->adjust, &key);
}

static void eviction_hpe_leave(struct uvm_eviction_ctx *ctx, u32 unit, enum uvm_leave_why why)
{
	bool evicted = why == UVM_LEAVE_EVICTED;
	struct hpe *hpe = ctx->state;
	const struct uvm_page_set_unit *u = &hpe->sets.records[unit].unit;
	struct uvm_key key = hpe_evicted(ctx, &u->page);

	if (evicted && u->known)
		uvm_page_set_evicted(&hpe->adjust, &key);
	uvm_page_sets_leave(&hpe->sets, unit, evicted);
	if (!uvm_eviction_may_return(why))
		uvm_page_sets_forget(&hpe->sets, unit);
}

static void eviction_hpe_arrive(struct uvm_eviction_ctx *ctx, u32 unit,
				const struct uvm_eviction_page *page)
{
	struct uvm_key key = hpe_page(page->va_space, page->va);
	struct uvm_key evicted = hpe_evicted(ctx, &key);
	struct hpe *hpe = ctx->state;

	hpe->batch = 0;
	uvm_page_set_came(&hpe->adjust, &evicted, page->demanded);
	uvm_page_sets_arrive(&hpe->sets, unit, &key, page->demanded);
	if (!page->demanded)
		return;
	uvm_page_set_adjust(&hpe->adjust, &hpe->sets);
	if ((page->fault + 1) % uvm_param(ctx->params, hpe_interval))
		return;
	uvm_page_sets_interval(&hpe->sets);
	uvm_page_set_adjust_interval(&hpe->adjust);
}

/* What is one record in the recorder is several touches here, one after the other. */
static void hpe_record(struct uvm_eviction_ctx *ctx, const struct uvm_key *page)
{
	struct hpe *hpe = ctx->state;
	struct uvm_key set = {
		.space = page->space, .number = page->number >> ilog2(hpe->sets.pages),
	};

	if (hpe->batch && uvm_key_equal(&set, &hpe->last))
		return;
	hpe->last = set;
	hpe->batch++;
	hpe->records++;
	hpe->longest_batch = max(hpe->longest_batch, hpe->batch);
	ctx->spent.records++;
}

static void eviction_hpe_touch(struct uvm_eviction_ctx *ctx, u32 unit,
			       const struct uvm_eviction_touch *touch)
{
	struct uvm_key page = hpe_page(touch->va_space, touch->va);
	struct hpe *hpe = ctx->state;

	hpe_record(ctx, &page);
	uvm_page_sets_touch(&hpe->sets, &page, touch->count);
}

static u32 eviction_hpe_fetch_every(struct uvm_eviction_ctx *ctx)
{
	return uvm_param(ctx->params, hpe_transfer);
}

static void eviction_hpe_full(struct uvm_eviction_ctx *ctx)
{
	struct hpe *hpe = ctx->state;

	uvm_page_set_classify(&hpe->adjust, &hpe->sets);
	ctx->spent.classified++;
}

static bool hpe_may(void *arg, u32 unit)
{
	return uvm_eviction_evictable(arg, unit);
}

static u32 eviction_hpe_pick(struct uvm_eviction_ctx *ctx)
{
	struct hpe *hpe = ctx->state;
	u64 compared = hpe->adjust.comparisons;
	u32 unit = uvm_page_set_pick(&hpe->adjust, &hpe->sets, hpe_may, ctx);

	ctx->spent.compared += hpe->adjust.comparisons - compared;
	return unit == UVM_KEY_NONE ? uvm_eviction_first(ctx) : unit;
}

static bool eviction_hpe_number(struct uvm_eviction_ctx *ctx, unsigned int i,
				struct uvm_eviction_number *number)
{
	const struct hpe *hpe = ctx->state;
	const struct uvm_page_set_adjust *adjust = &hpe->adjust;
	const struct uvm_eviction_number numbers[] = {
		{ "category", adjust->category },
		{ "ratio1_thousandths", adjust->ratio1 },
		{ "ratio2_thousandths", adjust->ratio2 },
		{ "old_sets", adjust->old_sets },
		{ "lru_intervals", adjust->tried[UVM_PAGE_SET_LRU].intervals },
		{ "mru_c_intervals", adjust->tried[UVM_PAGE_SET_MRU_C].intervals },
		{ "jumps", adjust->jumps },
		{ "switches", adjust->switches },
		{ "searches", adjust->searches },
		{ "comparisons", adjust->comparisons },
		{ "records", hpe->records },
		{ "longest_batch", hpe->longest_batch },
		{ "divided_sets", hpe->sets.divisions },
		{ "sets", uvm_page_sets_count(&hpe->sets) },
	};

	if (i >= ARRAY_SIZE(numbers))
		return false;
	*number = numbers[array_index_nospec(i, ARRAY_SIZE(numbers))];
	return true;
}

UVM_POLICY(eviction, hpe, "page sets by age, MRU-C or LRU by how often they are touched (HPE)",
	   .policy.feeds = UVM_FEED_HIR,
	   .policy.params = "hpe_set_pages hpe_interval hpe_transfer hpe_ratio1_percent hpe_ratio2 "
			    "hpe_wrong hpe_guard hpe_jump hpe_history hpe_strategy hpe_readings "
			    "recorder_replace recorder_no_fill",
	   .state_bytes = sizeof(struct hpe),
	   .unit_bytes = sizeof(struct uvm_page_set_record),
	   .init = eviction_hpe_init,
	   .enter = eviction_hpe_enter,
	   .leave = eviction_hpe_leave,
	   .arrive = eviction_hpe_arrive,
	   .touch = eviction_hpe_touch,
	   .fetch_every = eviction_hpe_fetch_every,
	   .full = eviction_hpe_full,
	   .pick = eviction_hpe_pick,
	   .number = eviction_hpe_number);
