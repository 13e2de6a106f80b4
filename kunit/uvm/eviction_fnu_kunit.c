// SPDX-License-Identifier: GPL-2.0
/* eviction_policy=fnu: when memory is used next, and who goes, by plans that were made by hand. */
#include <kunit/test.h>
#include <linux/ctype.h>
#include "eviction_script.h"
#include "evictor_fixture.h"
#include "uvm/policy/eviction_plan.h"
#include "uvm/policy/references/eviction_uses.h"

#define FNU_UNITS	8
#define FNU_USES	16

/**
 * struct fnu_plan - a plan, and its memory
 * @plan: what a policy sees
 * @used: its 64 KB
 * @uses: theirs
 * @launches: its launches
 */
struct fnu_plan {
	struct uvm_eviction_plan plan;
	struct uvm_eviction_used used[FNU_UNITS];
	struct uvm_use uses[FNU_USES];
	u32 launches[4];
};

static u32 fnu_number(const char **at, u32 otherwise)
{
	u32 n = isdigit(**at) ? 0 : otherwise;

	for (; isdigit(**at); ++*at)
		n = 10 * n + **at - '0';
	return n;
}

/* Uses of one unit, of a text such as "0*2 1 | 0": 0 by two requests, 1; 0 in another launch. */
static u32 fnu_parse(struct fnu_plan *p, const char *text, u32 unit, u32 first)
{
	u32 position = 0, count = first, n, requests;

	for (p->plan.nr_launches = 1; *text; text++) {
		if (*text == '|')
			p->launches[p->plan.nr_launches++] = position;
		if (!isdigit(*text))
			continue;
		n = fnu_number(&text, 0);
		requests = 1;
		if (*text == '*') {
			text++;
			requests = fnu_number(&text, 1);
		}
		if (n == unit)
			p->uses[count++] = (struct uvm_use){
				.position = position, .requests = requests, .pages = 1,
			};
		position++;
		if (!*text)
			break;
	}
	return count - first;
}

static struct fnu_plan *fnu_plan(struct kunit *test, const char *text)
{
	struct fnu_plan *p = kunit_kzalloc(test, sizeof(*p), GFP_KERNEL);
	u32 unit, count, all = 0;

	KUNIT_ASSERT_NOT_NULL(test, p);
	p->plan.va_space = 1;
	p->plan.used = p->used;
	p->plan.uses = p->uses;
	p->plan.launches = p->launches;
	for (unit = 0; unit < FNU_UNITS; unit++) {
		count = fnu_parse(p, text, unit, all);
		if (!count)
			continue;
		p->used[p->plan.nr_used++] = (struct uvm_eviction_used){
			.number = unit * UVM_BIG_PER_BLOCK, .first = all, .count = count,
		};
		all += count;
	}
	return p;
}

#define THREE	"{ p0 e0 p1 e1 p2 e2 "

static const struct {
	const char *what;
	const char *plan;
	const char *script;
} fnu_cases[] = {
	{ "what is used last goes", "0 1 2", THREE ">2" },
	{ "in whatever order they came", "2 1 0", THREE ">0" },
	{ "or what is used no more, which the plan does not have", "1 2", THREE ">0" },
	{ "of these what came first", "2", THREE ">0 l0 >1" },
	{ "or was asked for then", "2", THREE "n0 >1" },
	{ "whose use is over has its next one", "2 0 1 2", THREE ">1 n2 >2" },
	{ "the next one may be in a later launch", "0 1 2 | 2 1 0", THREE "n0 n1 n2 >0" },
	{ "however far that is", "0 1 | 1 | | 0 2", "{ p0 e0 p1 e1 n0 n1 >0" },
	{ "a use is over when all requests are", "0*3 1 2 | 0", THREE "n0*2 >2 n0 >0" },
	{ "what is being used is used now; of several who was asked least recently", "0*3 1*3 2",
	  THREE "n1 n0 >2 l2 >1 n1 >0" },
	{ "each launch counts anew: what it left is over", "0*5 1 | 1 0",
	  "{ p0 e0 p1 e1 n0 n1 } { >0" },
	{ "and what it had too much does not count for the next one", "0 1 | 0 1 0",
	  "{ p0 e0 p1 e1 n0*3 n1 } { >1 n0 >0" },
	{ "the requests of a launch are taken for nothing of the next", "0 1 | 1 0",
	  "{ p0 e0 p1 e1 n0*9 n1 >0 } { n1 >1" },
	{ "a launch that is not in the plan: nothing is used", "0 1", "{ } { p1 e1 p0 e0 >1" },
	{ "before the first one all is to come", "0 1", "p0 e0 p1 e1 n0 >0" },
	{ "what a fault asked for is used at once", "0 1 2", "{ f2 e2 p0 e0 p1 e1 >1 n2 >2" },
	{ "if all are, who came first goes", "0 1", "{ f1 e1 f0 e0 >1" },
	{ "who is worked on does not go", "0 1 2", THREE "!2 >1 !1 >0 =2 >2" },
	{ "an eviction that failed", "0 1 2", THREE ">2 l2 k2 >2" },
	{ "what was discarded is wanted again", "0 1 2", THREE "d2 >1 e2 >2" },
	{ "what is gone is not", "0 1 2", THREE "u2 >1" },
	{ "who comes again is as he was", "0 1 2 0", THREE ">2 l2 n0 p2 e2 >0" },
};

static void fnu_picks(struct kunit *test)
{
	for (int i = 0; i < ARRAY_SIZE(fnu_cases); i++) {
		struct fnu_plan *p = fnu_plan(test, fnu_cases[i].plan);

		kunit_info(test, "%s", fnu_cases[i].what);
		eviction_script_plan(test, "fnu", &p->plan, fnu_cases[i].script);
	}
}

/* The memory of somebody else, of whom the plan says nothing, goes last. */
static void fnu_spares_others(struct kunit *test)
{
	struct fnu_plan *p = fnu_plan(test, "0 1");

	p->plan.va_space = 2;
	eviction_script_plan(test, "fnu", &p->plan, "{ p1 e1 p0 e0 >1 n1 >1");
}

/* ---- uses of 64 KB ------------------------------------------------------------- */

/* One of 64 KB, whose uses are by hand. */
static struct uvm_eviction_used *fnu_used(struct fnu_plan *p, const struct uvm_use *uses, u32 count)
{
	memcpy(p->uses, uses, count * sizeof(*uses));
	p->plan.used = p->used;
	p->plan.uses = p->uses;
	p->plan.launches = p->launches;
	p->plan.nr_used = 1;
	p->used[0] = (struct uvm_eviction_used){ .count = count };
	return p->used;
}

/* Each page has its own next use; requests are counted for all of them. */
static void uses_of_pages(struct kunit *test)
{
	static const struct uvm_use uses[] = {
		{ 3, 2, BIT(0) }, { 5, 1, BIT(1) | BIT(2) }, { 9, 4, BIT(0) },
	};
	struct fnu_plan *p = kunit_kzalloc(test, sizeof(*p), GFP_KERNEL);
	struct uvm_eviction_used *u;

	KUNIT_ASSERT_NOT_NULL(test, p);
	p->plan.nr_launches = 1;
	u = fnu_used(p, uses, ARRAY_SIZE(uses));
	KUNIT_EXPECT_EQ(test, uvm_uses_next(&p->plan, u, 0, BIT(0)), 3);
	KUNIT_EXPECT_EQ(test, uvm_uses_next(&p->plan, u, 0, BIT(1)), 5);
	KUNIT_EXPECT_EQ(test, uvm_uses_next(&p->plan, u, 0, BIT(3)), UVM_USE_NEVER);
	KUNIT_EXPECT_EQ(test, uvm_uses_next(&p->plan, u, 0, BIT(2) | BIT(0)), 3);
	KUNIT_EXPECT_EQ(test, uvm_uses_next(&p->plan, u, 0, 0), UVM_USE_NEVER);
	KUNIT_EXPECT_EQ(test, uvm_uses_begun(&p->plan, u, 0), 0);
	uvm_uses_count(&p->plan, u, 0, 1);
	KUNIT_EXPECT_EQ(test, uvm_uses_next(&p->plan, u, 0, BIT(0)), 3);
	KUNIT_EXPECT_EQ(test, uvm_uses_begun(&p->plan, u, 0), BIT(0));
	uvm_uses_count(&p->plan, u, 0, 1);
	KUNIT_EXPECT_EQ(test, uvm_uses_next(&p->plan, u, 0, BIT(0)), 9);
	KUNIT_EXPECT_EQ(test, uvm_uses_next(&p->plan, u, 0, BIT(2) | BIT(0)), 5);
	uvm_uses_count(&p->plan, u, 0, 4);
	KUNIT_EXPECT_EQ(test, uvm_uses_next(&p->plan, u, 0, BIT(1)), UVM_USE_NEVER);
	KUNIT_EXPECT_EQ(test, uvm_uses_next(&p->plan, u, 0, BIT(0)), 9);
	uvm_uses_count(&p->plan, u, 0, 7);
	KUNIT_EXPECT_EQ(test, uvm_uses_next(&p->plan, u, 0, BIT(0)), UVM_USE_NEVER);
	uvm_uses_begin(&p->plan);
	KUNIT_EXPECT_EQ(test, uvm_uses_next(&p->plan, u, 0, BIT(0)), 3);
}

/* What is fetched once a launch has begun are the last requests of the ones before it, too. */
static void uses_of_launches(struct kunit *test)
{
	static const struct uvm_use uses[] = {
		{ 0, 3, 1 }, { 2, 2, 1 }, { 4, 2, 1 }, { 5, 1, 1 }, { 7, 1, 1 },
	};
	struct fnu_plan *p = kunit_kzalloc(test, sizeof(*p), GFP_KERNEL);
	struct uvm_eviction_used *u;

	KUNIT_ASSERT_NOT_NULL(test, p);
	p->plan.nr_launches = 3;
	p->launches[1] = 4;
	p->launches[2] = 6;
	u = fnu_used(p, uses, ARRAY_SIZE(uses));
	uvm_uses_count(&p->plan, u, 0, 2);
	KUNIT_EXPECT_EQ(test, uvm_uses_next(&p->plan, u, 0, 1), 0);
	/* a look at another launch takes nothing away */
	KUNIT_EXPECT_EQ(test, uvm_uses_next(&p->plan, u, 1, 1), 4);
	KUNIT_EXPECT_EQ(test, uvm_uses_begun(&p->plan, u, 1), 0);
	uvm_uses_count(&p->plan, u, 1, 4);
	KUNIT_EXPECT_EQ(test, uvm_uses_next(&p->plan, u, 1, 1), 4);
	uvm_uses_count(&p->plan, u, 1, 1);
	KUNIT_EXPECT_EQ(test, uvm_uses_next(&p->plan, u, 1, 1), 5);
	/* no more than that is known of this launch */
	uvm_uses_count(&p->plan, u, 1, 100);
	KUNIT_EXPECT_EQ(test, uvm_uses_next(&p->plan, u, 1, 1), 7);
	uvm_uses_count(&p->plan, u, 2, 1);
	KUNIT_EXPECT_EQ(test, uvm_uses_next(&p->plan, u, 2, 1), UVM_USE_NEVER);
	KUNIT_EXPECT_EQ(test, uvm_uses_next(&p->plan, u, 3, 1), UVM_USE_NEVER);
}

/* ---- units of several pages ------------------------------------------------------ */

/* Two units that may go, in this order. */
static u32 pair_first(void *memory)
{
	return 0;
}

static u32 pair_next(void *memory, u32 unit)
{
	return unit ? UVM_UNIT_NONE : 1;
}

static bool pair_evictable(void *memory, u32 unit)
{
	return unit < 2;
}

static u32 pair_count(void *memory)
{
	return 2;
}

static const struct uvm_eviction_view pair_view = {
	.first = pair_first, .next = pair_next, .evictable = pair_evictable, .count = pair_count,
};

static struct uvm_evictor *pair_evictor(struct kunit *test, struct fnu_plan *p, u32 unit_pages)
{
	struct uvm_evictor_memory memory = {
		.view = &pair_view, .params = fixture_params(test), .nr_units = 2,
		.unit_pages = unit_pages, .plan = &p->plan,
	};
	const struct uvm_eviction_ops *ops = uvm_policy_find_eviction("fnu");
	struct uvm_evictor *e;

	KUNIT_ASSERT_NOT_NULL(test, ops);
	e = uvm_evictor_create(ops, &memory);
	KUNIT_ASSERT_NOT_NULL(test, e);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, evictor_fixture_destroy, e), 0);
	return e;
}

static void pair_arrive(struct uvm_evictor *e, u32 unit, u64 page)
{
	struct uvm_eviction_page arrival = { .va = page << UVM_PAGE_SHIFT, .va_space = 1 };

	uvm_evictor_arrive(e, unit, &arrival);
}

/* 64 KB at 0: page 1 at 3, page 0 at 7; 2 MB, and 64 KB more, at 5. */
static void pair_plan(struct fnu_plan *p)
{
	static const struct uvm_use uses[] = { { 3, 1, BIT(1) }, { 7, 1, BIT(0) }, { 5, 1, 1 } };

	p->plan.nr_launches = 1;
	fnu_used(p, uses, ARRAY_SIZE(uses));
	p->plan.va_space = 1;
	p->plan.nr_used = 2;
	p->used[0].count = 2;
	p->used[1] = (struct uvm_eviction_used){
		.number = UVM_BIG_PER_BLOCK + 1, .first = 2, .count = 1,
	};
}

/* Of a unit what is resident counts, and of that the first to be used. */
static void fnu_units(struct kunit *test)
{
	static const u32 sizes[] = { UVM_PAGES_PER_BIG, UVM_PAGES_PER_BLOCK };
	struct fnu_plan *p = kunit_kzalloc(test, sizeof(*p), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, p);
	for (int i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct uvm_evictor *e;

		pair_plan(p);
		e = pair_evictor(test, p, sizes[i]);
		pair_arrive(e, 0, 0);
		pair_arrive(e, 1, UVM_PAGES_PER_BLOCK + UVM_PAGES_PER_BIG);
		uvm_evictor_enter(e, 0, 0, UVM_ENTER_BLOCK);
		uvm_evictor_enter(e, 1, 0, UVM_ENTER_BLOCK);
		KUNIT_EXPECT_EQ_MSG(test, uvm_evictor_pick(e), 0, "%u pages", sizes[i]);
		pair_arrive(e, 0, 1);
		KUNIT_EXPECT_EQ_MSG(test, uvm_evictor_pick(e), 1, "%u pages", sizes[i]);
		/* what comes again has none of its pages from before */
		uvm_evictor_leave(e, 0, UVM_LEAVE_EVICTED);
		pair_arrive(e, 0, 0);
		KUNIT_EXPECT_EQ_MSG(test, uvm_evictor_pick(e), 0, "%u pages", sizes[i]);
		KUNIT_EXPECT_EQ(test, e->wrong, 0);
	}
}

/* ---- what is prefetched -------------------------------------------------------- */

/* Of 64 KB at page @first: pages that are prefetched, and those that come nevertheless. */
struct refuse_case {
	const char *what;
	u32 free;
	u64 prefetched;
	u64 left;
};

/* Page 40 has faulted, page 52 is there.  64 KB at 0: used at 3 (page 1) and 7; the victim at 5. */
static const struct refuse_case refuse_cases[] = {
	{ "what is used before the victim comes", 0, BIT(1), BIT(1) },
	{ "and all of its unit", 0, BIT(0) | BIT(1) | BIT(2), BIT(0) | BIT(1) | BIT(2) },
	{ "not what is used later", 0, BIT(0), 0 },
	{ "or never", 0, BIT(17), 0 },
	{ "beside what faulted it takes nobody's place", 0, BIT(33) | BIT(41), BIT(33) | BIT(41) },
	{ "nor beside what is there", 0, BIT_ULL(50), BIT_ULL(50) },
	{ "what is free is for what faulted", 1, BIT(0), 0 },
	{ "and for more, by address", 2, BIT(0) | BIT(17), BIT(0) },
	{ "for all if there is enough", 3, BIT(0) | BIT(17), BIT(0) | BIT(17) },
};

static void fnu_refuses(struct kunit *test)
{
	struct fnu_plan *p = kunit_kzalloc(test, sizeof(*p), GFP_KERNEL);
	struct uvm_page_mask pages, faulted, resident;
	struct uvm_eviction_prefetch prefetch = {
		.va_space = 1, .faulted = &faulted, .resident = &resident,
	};
	struct uvm_evictor *e;

	KUNIT_ASSERT_NOT_NULL(test, p);
	pair_plan(p);
	e = pair_evictor(test, p, UVM_PAGES_PER_BIG);
	pair_arrive(e, 0, UVM_PAGES_PER_BLOCK + UVM_PAGES_PER_BIG);
	uvm_evictor_enter(e, 0, 0, UVM_ENTER_BLOCK);
	uvm_page_mask_zero(&faulted);
	uvm_page_mask_set(&faulted, 40);
	uvm_page_mask_zero(&resident);
	uvm_page_mask_set(&resident, 52);
	for (int i = 0; i < ARRAY_SIZE(refuse_cases); i++) {
		const struct refuse_case *c = &refuse_cases[i];

		uvm_page_mask_zero(&pages);
		bitmap_from_u64(pages.bits, c->prefetched);
		prefetch.free = c->free;
		uvm_evictor_refuse(e, &prefetch, &pages);
		KUNIT_EXPECT_EQ_MSG(test, bitmap_read(pages.bits, 0, 64), c->left, "%s", c->what);
	}
	/* of somebody else's memory nothing is known */
	prefetch.va_space = 2;
	bitmap_from_u64(pages.bits, BIT(0));
	uvm_evictor_refuse(e, &prefetch, &pages);
	KUNIT_EXPECT_TRUE(test, uvm_page_mask_test(&pages, 0));
}

static struct kunit_case eviction_fnu_cases[] = {
	KUNIT_CASE(fnu_picks),
	KUNIT_CASE(fnu_spares_others),
	KUNIT_CASE(fnu_units),
	KUNIT_CASE(fnu_refuses),
	KUNIT_CASE(uses_of_pages),
	KUNIT_CASE(uses_of_launches),
	{}
};

struct kunit_suite uvm_eviction_fnu_suite = {
	.name = "uvm_eviction_fnu",
	.test_cases = eviction_fnu_cases,
};
