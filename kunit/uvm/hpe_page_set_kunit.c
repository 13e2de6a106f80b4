// SPDX-License-Identifier: GPL-2.0
/*
 * The page-set chain of HPE and what is decided on it: examples worked by hand, as texts.  A set is
 * TAG(COUNTER,BITS,PART), with s behind the tag of a secondary and d behind the part of a primary.
 */
#include <kunit/test.h>
#include <linux/slab.h>
#include "uvm/policy/hpe/hpe_adjust.h"

#define CHAIN_UNITS	64

/* What a test works with. */
struct chain {
	struct uvm_page_sets sets;
	struct uvm_page_set_adjust adjust;
	struct uvm_page_set_record records[CHAIN_UNITS];
	u32 units;
	bool busy[CHAIN_UNITS];
	char text[512];
};

static void chain_free(void *chain)
{
	kvfree(chain);
}

static struct chain *chain_make(struct kunit *test, u32 pages, u32 unit_pages, u32 history)
{
	struct chain *c = kvzalloc(sizeof(*c), GFP_KERNEL);
	struct uvm_page_set_rules rules = {
		.evicted = 8, .ratio1_percent = 30, .ratio2 = 2, .wrong = 2, .guard = 1,
		.jump = 16, .jumps = 1, .sticky = true,
	};

	KUNIT_ASSERT_NOT_NULL(test, c);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, chain_free, c), 0);
	uvm_page_sets_init(&c->sets, c->records, CHAIN_UNITS, pages, unit_pages, history);
	uvm_page_set_adjust_init(&c->adjust, &rules);
	return c;
}

static struct uvm_key chain_page(u64 page)
{
	return (struct uvm_key){ .space = 1, .number = page };
}

/* A fault of a page that no unit has had. */
static u32 chain_fault(struct chain *c, u64 page)
{
	struct uvm_key key = chain_page(page);

	uvm_page_sets_arrive(&c->sets, c->units, &key, true);
	return c->units++;
}

static void chain_prefetch(struct chain *c, u64 page)
{
	struct uvm_key key = chain_page(page);

	uvm_page_sets_arrive(&c->sets, c->units++, &key, false);
}

static void chain_hit(struct chain *c, u64 page, u32 count)
{
	struct uvm_key key = chain_page(page);

	uvm_page_sets_touch(&c->sets, &key, count);
}

static const char *chain_text(struct chain *c)
{
	static const char letters[] = "OMN";
	const struct uvm_page_set *set;
	unsigned int part;
	size_t n = 0;

	c->text[0] = 0;
	for (part = 0; part < UVM_PAGE_SET_PARTS; part++) {
		list_for_each_entry(set, &c->sets.part[part], node)
			n += scnprintf(c->text + n, sizeof(c->text) - n, "%s%llx%s(%u,%x,%c%s)",
				       n ? " " : "", set->slot.key.number >> 1,
				       set->slot.key.number & 1 ? "s" : "", set->counter,
				       set->bits, letters[uvm_page_set_part(&c->sets, set)],
				       set->divided ? "d" : "");
	}
	return c->text;
}

#define CHAIN_IS(test, c, text) KUNIT_EXPECT_STREQ(test, chain_text(c), text)

/* Sets of 4 pages, intervals of 4 faults (IV-C, figure 6). */
static void chain_ages(struct kunit *test)
{
	struct chain *c = chain_make(test, 4, 1, 16);
	u64 page;

	for (page = 0; page < 4; page++)
		chain_fault(c, page);
	uvm_page_sets_interval(&c->sets);
	CHAIN_IS(test, c, "0(4,f,M)");
	chain_fault(c, 4);
	chain_fault(c, 5);
	chain_fault(c, 8);
	CHAIN_IS(test, c, "0(4,f,M) 1(2,3,N) 2(1,1,N)");
	chain_hit(c, 0, 1);
	CHAIN_IS(test, c, "1(2,3,N) 2(1,1,N) 0(5,f,N)");
	chain_hit(c, 1, 1);
	chain_hit(c, 4, 0);	/* who is in new does not move */
	CHAIN_IS(test, c, "1(2,3,N) 2(1,1,N) 0(6,f,N)");
	chain_fault(c, 12);
	uvm_page_sets_interval(&c->sets);
	CHAIN_IS(test, c, "1(2,3,M) 2(1,1,M) 0(6,f,M) 3(1,1,M)");
	for (page = 16; page < 20; page++)
		chain_fault(c, page);
	uvm_page_sets_interval(&c->sets);
	CHAIN_IS(test, c, "1(2,3,O) 2(1,1,O) 0(6,f,O) 3(1,1,O) 4(4,f,M)");
	KUNIT_EXPECT_EQ(test, c->sets.count[UVM_PAGE_SET_OLD], 4);
	KUNIT_EXPECT_EQ(test, uvm_page_sets_count(&c->sets), 5);
}

/* What nothing of is resident is not touched, nor does a page that came unasked touch. */
static void chain_not_touched(struct kunit *test)
{
	struct chain *c = chain_make(test, 4, 1, 16);

	chain_hit(c, 7, 3);
	CHAIN_IS(test, c, "");
	chain_prefetch(c, 7);
	CHAIN_IS(test, c, "1(0,0,N)");
	uvm_page_sets_interval(&c->sets);
	chain_prefetch(c, 6);
	CHAIN_IS(test, c, "1(0,0,M)");
	chain_hit(c, 7, 3);
	CHAIN_IS(test, c, "1(3,0,N)");
}

/* The paper's example: even pages of a set of NW, long before the odd ones (IV-C). */
static void chain_divides(struct kunit *test)
{
	struct chain *c = chain_make(test, 16, 1, 16);
	u32 first = 0, unit;

	for (u64 page = 0; page < 16; page += 2)
		chain_fault(c, 0x80000 + page);
	CHAIN_IS(test, c, "8000(8,5555,N)");
	for (u64 page = 0; page < 16; page += 2)
		chain_hit(c, 0x80000 + page, 7);
	CHAIN_IS(test, c, "8000(64,5555,Nd)");
	unit = chain_fault(c, 0x80001);
	CHAIN_IS(test, c, "8000(64,5555,Nd) 8000s(1,2,N)");
	chain_hit(c, 0x80000, 1);
	CHAIN_IS(test, c, "8000(64,5555,Nd) 8000s(1,2,N)");
	for (first = 0; first < unit; first++)
		uvm_page_sets_leave(&c->sets, first, true);
	CHAIN_IS(test, c, "8000s(1,2,N)");
	KUNIT_EXPECT_EQ(test, c->sets.history.count, 1);
	chain_fault(c, 0x80003);
	chain_fault(c, 0x80002);
	CHAIN_IS(test, c, "8000s(2,a,N) 8000(1,4,N)");
	/* touched as often again, it stays as it was */
	chain_hit(c, 0x80002, 80);
	CHAIN_IS(test, c, "8000s(2,a,N) 8000(64,4,N)");
	uvm_page_sets_leave(&c->sets, unit + 2, true);
	chain_fault(c, 0x80004);
	CHAIN_IS(test, c, "8000s(2,a,N) 8000(1,10,N)");
	KUNIT_EXPECT_EQ(test, c->sets.divisions, 1);
}

/* Whose pages have all faulted is not divided, nor is a secondary. */
static void chain_stays_whole(struct kunit *test)
{
	struct chain *c = chain_make(test, 4, 1, 16);
	u64 page;

	for (page = 0; page < 4; page++)
		chain_fault(c, page);
	chain_hit(c, 0, 12);
	CHAIN_IS(test, c, "0(16,f,N)");
	chain_fault(c, 4);
	chain_hit(c, 4, 15);
	chain_fault(c, 5);
	chain_hit(c, 5, 80);
	CHAIN_IS(test, c, "0(16,f,N) 1(16,1,Nd) 1s(16,2,N)");
}

/* As many are remembered as is said, and what is freed is not. */
static void chain_history_ends(struct kunit *test)
{
	struct chain *c = chain_make(test, 4, 1, 2);
	u64 page;

	for (page = 0; page < 16; page += 4) {
		u32 unit = chain_fault(c, page);

		chain_hit(c, page, 15);
		uvm_page_sets_leave(&c->sets, unit, page != 12);
	}
	KUNIT_EXPECT_EQ(test, c->sets.history.count, 2);
	for (page = 1; page < 16; page += 4)
		chain_fault(c, page);
	CHAIN_IS(test, c, "0(1,2,N) 1s(1,2,N) 2s(1,2,N) 3(1,2,N)");
}

/* An eviction that fails leaves all as it was; a set that was gone is the newest. */
static void chain_back(struct kunit *test)
{
	struct chain *c = chain_make(test, 4, 1, 16);

	chain_fault(c, 0);
	chain_fault(c, 1);
	chain_fault(c, 4);
	chain_hit(c, 0, 3);
	uvm_page_sets_interval(&c->sets);
	uvm_page_sets_leave(&c->sets, 0, true);
	CHAIN_IS(test, c, "0(5,3,M) 1(1,1,M)");
	uvm_page_sets_leave(&c->sets, 1, true);
	CHAIN_IS(test, c, "1(1,1,M)");
	uvm_page_sets_back(&c->sets, 1);
	uvm_page_sets_back(&c->sets, 1);
	CHAIN_IS(test, c, "1(1,1,M) 0(5,3,N)");
	uvm_page_sets_back(&c->sets, 0);
	CHAIN_IS(test, c, "1(1,1,M) 0(5,3,N)");
	KUNIT_EXPECT_EQ(test, c->sets.records[0].unit.next, 2);
	/* what never held a page has none to come back */
	uvm_page_sets_back(&c->sets, 20);
	CHAIN_IS(test, c, "1(1,1,M) 0(5,3,N)");
}

/* A unit of 64 KB is a set, whose pages count; it is never two. */
static void chain_large_units(struct kunit *test)
{
	struct chain *c = chain_make(test, 4, 16, 16);
	struct uvm_key key;

	for (u64 page = 32; page < 40; page++) {
		key = chain_page(page);
		uvm_page_sets_arrive(&c->sets, 3, &key, true);
	}
	CHAIN_IS(test, c, "2(8,0,N)");
	chain_hit(c, 47, 100);
	CHAIN_IS(test, c, "2(64,0,N)");
	/* another 64 KB comes there */
	key = chain_page(64);
	uvm_page_sets_arrive(&c->sets, 3, &key, true);
	CHAIN_IS(test, c, "4(1,0,N)");
}

/* ---- IV-D ------------------------------------------------------------------- */

/* Digits at @at, which is moved behind them and the blanks that follow. */
static u32 counts_number(const char **at)
{
	u32 n = 0;

	while (**at >= '0' && **at <= '9')
		n = n * 10 + *(*at)++ - '0';
	while (**at == ' ')
		++*at;
	return n;
}

/* Old sets with such counters; "3*16" is three of them. */
static struct chain *chain_counts(struct kunit *test, const char *counts)
{
	struct chain *c = chain_make(test, 16, 1, 16);

	while (*counts) {
		u32 times = 1, count = counts_number(&counts);

		if (*counts == '*') {
			counts++;
			times = count;
			count = counts_number(&counts);
		}
		while (times--) {
			u32 unit = chain_fault(c, 16 * c->units);

			chain_hit(c, 16 * unit, count - 1);
		}
	}
	uvm_page_sets_interval(&c->sets);
	uvm_page_sets_interval(&c->sets);
	return c;
}

static const struct {
	const char *counts;
	enum uvm_page_set_category category;
	u64 ratio1;
	u64 ratio2;
} classes[] = {
	{ "10*16", UVM_PAGE_SET_REGULAR, 0, 0 },
	{ "10*16 3*5", UVM_PAGE_SET_REGULAR, 300, 0 },
	{ "10*16 4*5", UVM_PAGE_SET_IRREGULAR2, 400, 0 },
	{ "7*16 3*5", UVM_PAGE_SET_IRREGULAR2, 428, 0 },
	{ "16 32 48 64", UVM_PAGE_SET_REGULAR, 0, 1000 },
	{ "16 48 64", UVM_PAGE_SET_IRREGULAR1, 0, 2000 },
	{ "2*16 2*48 2*64", UVM_PAGE_SET_IRREGULAR1, 0, 2000 },
	{ "3*16 6*48", UVM_PAGE_SET_IRREGULAR1, 0, 2000 },
	{ "4*16 7*48", UVM_PAGE_SET_REGULAR, 0, 1750 },
	{ "48 64", UVM_PAGE_SET_IRREGULAR1, 0, UVM_PAGE_SET_INFINITE },
	{ "5 6 7", UVM_PAGE_SET_IRREGULAR2, UVM_PAGE_SET_INFINITE, 0 },
	{ "", UVM_PAGE_SET_REGULAR, 0, 0 },
};

static void classify_counts(struct kunit *test)
{
	for (int i = 0; i < ARRAY_SIZE(classes); i++) {
		struct chain *c = chain_counts(test, classes[i].counts);

		uvm_page_set_classify(&c->adjust, &c->sets);
		KUNIT_EXPECT_EQ_MSG(test, c->adjust.category, classes[i].category, "%s",
				    classes[i].counts);
		KUNIT_EXPECT_EQ(test, c->adjust.ratio1, classes[i].ratio1);
		KUNIT_EXPECT_EQ(test, c->adjust.ratio2, classes[i].ratio2);
		KUNIT_EXPECT_EQ(test, c->adjust.old_sets, c->units);
	}
}

static bool chain_may(void *arg, u32 unit)
{
	const struct chain *c = arg;

	return !c->busy[unit];
}

static const struct {
	const char *counts;	/* from the least to the most recently used */
	bool lru;
	bool least;
	u32 point;
	int busy;
	u32 picked;
	u64 comparisons;
} picks[] = {
	{ "16 16 20", false, false, 0, -1, 1, 2 },
	{ "16 20 16", false, false, 0, -1, 2, 1 },
	{ "20 32 18 40", false, false, 0, -1, 2, 4 },
	{ "20 8 18 40", false, false, 0, -1, 2, 4 },
	{ "20 8 18 40", false, true, 0, -1, 1, 4 },
	{ "16 20 8 40", false, false, 0, -1, 0, 4 },
	{ "64 64 64 64", false, false, 0, -1, 3, 4 },
	{ "8 4 6", false, false, 0, -1, 1, 3 },
	{ "20*16", false, false, 16, -1, 3, 1 },
	{ "20*20", false, false, 16, -1, 3, 20 },
	{ "10*16", false, false, 16, -1, 0, 1 },
	{ "20 3*18 16", false, false, 2, -1, 4, 4 },
	{ "20 16 16", true, false, 0, -1, 0, 0 },
	{ "16 20 16", false, false, 0, 2, 0, 3 },
	{ "20 16 16", true, false, 0, 0, 1, 0 },
};

static void mru_c_picks(struct kunit *test)
{
	for (int i = 0; i < ARRAY_SIZE(picks); i++) {
		struct chain *c = chain_counts(test, picks[i].counts);

		c->adjust.strategy = picks[i].lru ? UVM_PAGE_SET_LRU : UVM_PAGE_SET_MRU_C;
		c->adjust.rules.least = picks[i].least;
		c->adjust.point = picks[i].point;
		if (picks[i].busy >= 0)
			c->busy[picks[i].busy] = true;
		KUNIT_EXPECT_EQ_MSG(test, uvm_page_set_pick(&c->adjust, &c->sets, chain_may, c),
				    picks[i].picked, "%s", picks[i].counts);
		KUNIT_EXPECT_EQ_MSG(test, c->adjust.comparisons, picks[i].comparisons, "%s",
				    picks[i].counts);
	}
}

/* Old sets before middle ones before new ones; LRU in all but old; pages by address. */
static void pick_parts(struct kunit *test)
{
	struct chain *c = chain_make(test, 4, 1, 16);
	u32 i;

	c->adjust.strategy = UVM_PAGE_SET_MRU_C;
	KUNIT_EXPECT_EQ(test, uvm_page_set_pick(&c->adjust, &c->sets, chain_may, c), UVM_KEY_NONE);
	chain_fault(c, 1);
	chain_fault(c, 0);
	uvm_page_sets_interval(&c->sets);
	chain_fault(c, 4);
	uvm_page_sets_interval(&c->sets);
	chain_fault(c, 12);
	chain_fault(c, 8);
	for (i = 0; i < 5; i++) {
		static const u32 order[] = { 1, 0, 2, 3, 4 };
		u32 unit = uvm_page_set_pick(&c->adjust, &c->sets, chain_may, c);

		KUNIT_EXPECT_EQ(test, unit, order[i]);
		uvm_page_sets_leave(&c->sets, unit, true);
	}
	KUNIT_EXPECT_EQ(test, c->adjust.searches, 1);
}

/* Evictions go on with a set until it moves to a younger part. */
static void pick_sticks(struct kunit *test)
{
	struct chain *c = chain_make(test, 4, 1, 16);

	for (u64 page = 0; page < 8; page++)
		chain_fault(c, page);
	uvm_page_sets_interval(&c->sets);
	uvm_page_sets_interval(&c->sets);
	KUNIT_EXPECT_EQ(test, uvm_page_set_pick(&c->adjust, &c->sets, chain_may, c), 0);
	uvm_page_sets_leave(&c->sets, 0, true);
	c->adjust.strategy = UVM_PAGE_SET_MRU_C;
	KUNIT_EXPECT_EQ(test, uvm_page_set_pick(&c->adjust, &c->sets, chain_may, c), 1);
	chain_hit(c, 1, 1);
	KUNIT_EXPECT_EQ(test, uvm_page_set_pick(&c->adjust, &c->sets, chain_may, c), 4);
	c->busy[4] = true;
	KUNIT_EXPECT_EQ(test, uvm_page_set_pick(&c->adjust, &c->sets, chain_may, c), 5);
	c->adjust.rules.sticky = false;
	c->adjust.strategy = UVM_PAGE_SET_LRU;
	c->busy[4] = false;
	chain_hit(c, 4, 1);
	KUNIT_EXPECT_EQ(test, uvm_page_set_pick(&c->adjust, &c->sets, chain_may, c), 1);
}

/* ---- IV-E ------------------------------------------------------------------- */

static void adjust_evict(struct chain *c, u64 page)
{
	struct uvm_key key = chain_page(page);

	uvm_page_set_evicted(&c->adjust, &key);
}

static u32 adjust_came(struct chain *c, u64 page, bool demanded)
{
	struct uvm_key key = chain_page(page);

	uvm_page_set_came(&c->adjust, &key, demanded);
	return c->adjust.tried[c->adjust.strategy].wrong;
}

/* Eight evictions are remembered; a fault counts once, and before what is evicted for it. */
static void wrong_evictions(struct kunit *test)
{
	struct chain *c = chain_make(test, 4, 1, 16);
	u64 page;

	for (page = 0; page < 8; page++) {
		adjust_evict(c, page);
		adjust_came(c, 100 + page, true);
	}
	adjust_evict(c, 8);
	KUNIT_EXPECT_EQ(test, adjust_came(c, 0, true), 1);
	adjust_evict(c, 9);
	KUNIT_EXPECT_EQ(test, adjust_came(c, 0, true), 1);
	KUNIT_EXPECT_EQ(test, adjust_came(c, 1, true), 1);	/* 9 was one too many */
	KUNIT_EXPECT_EQ(test, adjust_came(c, 2, false), 1);
	KUNIT_EXPECT_EQ(test, adjust_came(c, 2, true), 1);
	KUNIT_EXPECT_EQ(test, adjust_came(c, 9, true), 2);
	/* two for two faults of a batch */
	adjust_evict(c, 20);
	adjust_evict(c, 21);
	adjust_evict(c, 22);
	KUNIT_EXPECT_EQ(test, adjust_came(c, 3, true), 3);
	uvm_page_set_adjust_interval(&c->adjust);
	KUNIT_EXPECT_EQ(test, adjust_came(c, 300, true), 0);
}

static void adjust_wrong(struct chain *c, u32 times)
{
	c->adjust.tried[c->adjust.strategy].wrong = times;
	uvm_page_set_adjust(&c->adjust, &c->sets);
}

/* Regular: once, unless it is said to be each time; not with few old sets. */
static void adjust_jumps(struct kunit *test)
{
	struct chain *c = chain_counts(test, "4*16");

	uvm_page_set_classify(&c->adjust, &c->sets);
	KUNIT_EXPECT_EQ(test, c->adjust.strategy, UVM_PAGE_SET_MRU_C);
	adjust_wrong(c, 1);
	KUNIT_EXPECT_EQ(test, c->adjust.point, 0);
	adjust_wrong(c, 2);
	adjust_wrong(c, 2);
	KUNIT_EXPECT_EQ(test, c->adjust.point, 16);
	c->adjust.rules.jumps = 0;
	adjust_wrong(c, 2);
	KUNIT_EXPECT_EQ(test, c->adjust.point, 32);
	KUNIT_EXPECT_EQ(test, c->adjust.jumps, 2);

	c = chain_counts(test, "4*16");
	c->adjust.rules.guard = 5;
	uvm_page_set_classify(&c->adjust, &c->sets);
	adjust_wrong(c, 2);
	KUNIT_EXPECT_EQ(test, c->adjust.point, 0);
}

static void adjust_intervals(struct chain *c, u32 count)
{
	while (count--)
		uvm_page_set_adjust_interval(&c->adjust);
}

/* irregular#2: who was never in force is tried, then whoever lasted longer. */
static void adjust_switches(struct kunit *test)
{
	struct chain *c = chain_counts(test, "4*5");

	adjust_intervals(c, 3);	/* before memory is full */
	uvm_page_set_classify(&c->adjust, &c->sets);
	KUNIT_EXPECT_EQ(test, c->adjust.strategy, UVM_PAGE_SET_LRU);
	adjust_intervals(c, 4);
	adjust_wrong(c, 2);
	KUNIT_EXPECT_EQ(test, c->adjust.strategy, UVM_PAGE_SET_MRU_C);
	adjust_intervals(c, 4);
	adjust_wrong(c, 2);
	KUNIT_EXPECT_EQ(test, c->adjust.strategy, UVM_PAGE_SET_MRU_C);
	c->adjust.stint = 3;
	adjust_wrong(c, 2);
	KUNIT_EXPECT_EQ(test, c->adjust.strategy, UVM_PAGE_SET_LRU);
	/* MRU-C lasted for 3 intervals the last time, for 4 in all */
	adjust_intervals(c, 3);
	c->adjust.rules.total = true;
	adjust_wrong(c, 2);
	KUNIT_EXPECT_EQ(test, c->adjust.strategy, UVM_PAGE_SET_LRU);
	KUNIT_EXPECT_EQ(test, c->adjust.tried[UVM_PAGE_SET_LRU].intervals, 7);
	c->adjust.tried[UVM_PAGE_SET_MRU_C].intervals = 8;
	adjust_wrong(c, 2);
	KUNIT_EXPECT_EQ(test, c->adjust.strategy, UVM_PAGE_SET_MRU_C);
	KUNIT_EXPECT_EQ(test, c->adjust.switches, 3);
}

/* irregular#1 stays with LRU, and so does what is told to. */
static void adjust_never(struct kunit *test)
{
	struct chain *c = chain_counts(test, "4*64");

	uvm_page_set_classify(&c->adjust, &c->sets);
	adjust_wrong(c, 2);
	KUNIT_EXPECT_EQ(test, c->adjust.strategy, UVM_PAGE_SET_LRU);

	c = chain_counts(test, "4*5");
	c->adjust.rules.force = UVM_PAGE_SET_FORCE_MRU_C;
	uvm_page_set_classify(&c->adjust, &c->sets);
	KUNIT_EXPECT_EQ(test, c->adjust.category, UVM_PAGE_SET_IRREGULAR2);
	adjust_wrong(c, 2);
	KUNIT_EXPECT_EQ(test, c->adjust.strategy, UVM_PAGE_SET_MRU_C);
}

static struct kunit_case page_set_cases[] = {
	KUNIT_CASE(chain_ages),
	KUNIT_CASE(chain_not_touched),
	KUNIT_CASE(chain_divides),
	KUNIT_CASE(chain_stays_whole),
	KUNIT_CASE(chain_history_ends),
	KUNIT_CASE(chain_back),
	KUNIT_CASE(chain_large_units),
	KUNIT_CASE(classify_counts),
	KUNIT_CASE(mru_c_picks),
	KUNIT_CASE(pick_parts),
	KUNIT_CASE(pick_sticks),
	KUNIT_CASE(wrong_evictions),
	KUNIT_CASE(adjust_jumps),
	KUNIT_CASE(adjust_switches),
	KUNIT_CASE(adjust_never),
	{}
};

struct kunit_suite uvm_page_set_suite = {
	.name = "uvm_page_set",
	.test_cases = page_set_cases,
};
