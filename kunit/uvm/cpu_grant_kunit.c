// SPDX-License-Identifier: GPL-2.0
/*
 * CPU grants: how long they are, which losses count, and what ends a series of them.
 */
#include <kunit/test.h>
#include <linux/time64.h>
#include "uvm/model/cpu_grant.h"
#include "uvm_pure.h"

#define US	NSEC_PER_USEC
#define START	(1000 * US)	/* of driver time, which is long past 0 */
#define PAGE	5		/* what the first fault is about */

static void grant_give(struct uvm_cpu_grant *grant, unsigned int page, unsigned int us, u64 now)
{
	struct uvm_page_mask pages;

	uvm_page_mask_fill_region(&pages, uvm_region_make(page, page + 1));
	uvm_cpu_grant_give(grant, &pages, page, true, us, now);
}

/* Return: how many of the pages the CPU keeps. */
static unsigned int grant_take(struct uvm_cpu_grant *grant, struct uvm_region region,
			       enum uvm_prot prot, u64 now)
{
	struct uvm_page_mask pages;

	uvm_page_mask_fill_region(&pages, region);
	uvm_cpu_grant_take(grant, &pages, prot, now);
	return uvm_region_num_pages(region) - uvm_page_mask_weight(&pages);
}

/* ---- length --------------------------------------------------------------- */

/* The last nanosecond belongs to the CPU, the end to who takes. */
static void grant_boundary(struct kunit *test)
{
	struct uvm_region region = uvm_region_make(PAGE, PAGE + 1);
	struct uvm_cpu_grant grant = {};

	KUNIT_EXPECT_FALSE(test, uvm_cpu_grant_holds(&grant, PAGE, START));
	grant_give(&grant, PAGE, 2, START);
	KUNIT_EXPECT_TRUE(test, uvm_cpu_grant_holds(&grant, PAGE, START));
	KUNIT_EXPECT_FALSE(test, uvm_cpu_grant_holds(&grant, PAGE + 1, START));
	KUNIT_EXPECT_TRUE(test, uvm_cpu_grant_holds(&grant, PAGE, START + 2 * US - 1));
	KUNIT_EXPECT_FALSE(test, uvm_cpu_grant_holds(&grant, PAGE, START + 2 * US));
	KUNIT_EXPECT_EQ(test, grant_take(&grant, region, UVM_PROT_NONE, START + 2 * US - 1), 1);
	KUNIT_EXPECT_EQ(test, grant.lost, 0);
	KUNIT_EXPECT_EQ(test, grant_take(&grant, region, UVM_PROT_NONE, START + 2 * US), 0);
	KUNIT_EXPECT_EQ(test, grant.lost, 1);
	/* a mapped page needs no promise */
	grant_give(&grant, PAGE, 2, START);
	uvm_cpu_grant_mapped(&grant, PAGE);
	KUNIT_EXPECT_FALSE(test, uvm_cpu_grant_holds(&grant, PAGE, START));
	/* promised for no time at all */
	memset(&grant, 0, sizeof(grant));
	grant_give(&grant, PAGE, 0, START);
	KUNIT_EXPECT_FALSE(test, uvm_cpu_grant_holds(&grant, PAGE, START));
}

struct length_case {
	unsigned int us, losses;
	u64 want;
};

static const struct length_case length_cases[] = {
	{ 100, 0, 100 * US }, { 100, 1, 200 * US }, { 100, 2, 400 * US },
	{ 100, 9, 51200 * US }, { 100, 10, 102400 * US }, { 100, 11, 102400 * US },
	{ 100, 300, 102400 * US },
	{ 0, 0, 0 }, { 0, 1, 2 * US }, { 0, 3, 8 * US }, { 0, 11, 1024 * US },
	{ 1, 0, US }, { 1, 1, 2 * US },
	{ 1000000, 0, NSEC_PER_SEC }, { 1000000, 10, NSEC_PER_SEC },
	{ UINT_MAX, 0, NSEC_PER_SEC }, { UINT_MAX, 10, NSEC_PER_SEC },
};

/*
 * Each grant that is lost doubles the next, ten times at most; of 0 us the second is 2 us.
 * None is longer than 1 s.
 */
static void grant_lengths(struct kunit *test)
{
	struct uvm_region region = uvm_region_make(PAGE, PAGE + 1);

	for (int i = 0; i < ARRAY_SIZE(length_cases); i++) {
		const struct length_case *c = &length_cases[i];
		struct uvm_cpu_grant grant = {};
		u64 now = START;

		for (unsigned int n = 0; n < c->losses; n++) {
			grant_give(&grant, PAGE, c->us, now);
			now = grant.ends;
			KUNIT_EXPECT_EQ(test, grant_take(&grant, region, UVM_PROT_NONE, now), 0);
		}
		grant_give(&grant, PAGE, c->us, now);
		KUNIT_EXPECT_EQ_MSG(test, grant.ends - now, c->want, "case %d", i);
	}
}

/* Another thread's grant does not cut one short that runs, nor does it revive one that ended. */
static void grant_meets_another(struct kunit *test)
{
	struct uvm_cpu_grant grant = {};
	u64 ends = START + 200 * US;

	grant_give(&grant, PAGE, 200, START);
	grant_give(&grant, 7, 100, START + US);
	KUNIT_EXPECT_EQ(test, grant.ends, ends);
	grant_give(&grant, 8, 100, START + 150 * US);
	ends = START + 250 * US;
	KUNIT_EXPECT_EQ(test, grant.ends, ends);
	KUNIT_EXPECT_TRUE(test, uvm_cpu_grant_holds(&grant, PAGE, ends - 1));
	KUNIT_EXPECT_TRUE(test, uvm_cpu_grant_holds(&grant, 8, ends - 1));
	grant_give(&grant, 9, 100, ends);
	KUNIT_EXPECT_FALSE(test, uvm_cpu_grant_holds(&grant, PAGE, ends));
	KUNIT_EXPECT_FALSE(test, uvm_cpu_grant_holds(&grant, 8, ends));
	KUNIT_EXPECT_TRUE(test, uvm_cpu_grant_holds(&grant, 9, ends));
}

/* ---- losses --------------------------------------------------------------- */

enum act { END, TO_READ, TO_WRITE, MAPPED, TAKE, SHARE, FORGET };

/**
 * struct step - something that happens to the pages [first, outer)
 * @act: TO_READ or TO_WRITE: they are granted for 2 us, @page is asked for; TAKE: all is to go;
 *	SHARE: the right to write; MAPPED: @first alone
 * @at: when, us
 * @first: first page
 * @outer: one past the last
 * @page: see @act
 * @kept: TAKE, SHARE: how many stay
 * @lost: grants lost afterwards
 */
struct step {
	enum act act;
	unsigned int at, first, outer, page, kept, lost;
};

struct scenario {
	const char *rule;
	struct step steps[8];
};

static const struct scenario scenarios[] = {
	{ "what is asked for and taken is lost, once",
	  { { TO_READ, 0, 0, 16, PAGE }, { TAKE, 2, 0, 16, 0, 0, 1 },
	    { TAKE, 3, 0, 16, 0, 0, 1 } } },
	{ "not while it is promised",
	  { { TO_READ, 0, 0, 16, PAGE }, { TAKE, 1, 0, 20, 0, 16, 0 },
	    { TAKE, 2, 0, 20, 0, 0, 1 } } },
	{ "what came along is not lost",
	  { { TO_READ, 0, 0, 16, PAGE }, { TAKE, 2, 0, PAGE }, { TAKE, 2, PAGE + 1, 16 },
	    { TAKE, 2, PAGE, PAGE + 1, 0, 0, 1 } } },
	{ "nor what is left over of a grant that was used",
	  { { TO_READ, 0, 0, 16, PAGE }, { MAPPED, 1, PAGE }, { TAKE, 1, 0, 16, 0, 15, 0 },
	    { TAKE, 2, 0, 16 } } },
	{ "the page that is asked for ends a series",
	  { { TO_READ, 0, 0, 16, PAGE }, { TAKE, 2, 0, 16, 0, 0, 1 },
	    { TO_READ, 3, 0, 16, PAGE, 0, 1 }, { TAKE, 7, 0, 16, 0, 0, 2 },
	    { TO_READ, 8, 0, 16, PAGE, 0, 2 }, { MAPPED, 9, PAGE },
	    { TO_READ, 10, 0, 16, PAGE }, { TAKE, 18, 0, 16, 0, 0, 1 } } },
	{ "what came along does not",
	  { { TO_READ, 0, 0, 16, PAGE }, { TAKE, 2, 0, 16, 0, 0, 1 },
	    { TO_READ, 3, 0, 16, PAGE, 0, 1 }, { MAPPED, 4, PAGE + 1, 0, 0, 0, 1 },
	    { MAPPED, 4, 400, 0, 0, 0, 1 }, { TAKE, 7, 0, 16, 0, 0, 2 } } },
	{ "nor does the page when it has been taken",
	  { { TO_READ, 0, 0, 16, PAGE }, { TAKE, 2, 0, 16, 0, 0, 1 },
	    { MAPPED, 3, PAGE, 0, 0, 0, 1 } } },
	{ "what stayed behind was not granted",
	  { { TO_READ, 0, 0, 4, PAGE }, { TAKE, 2, 0, 16 } } },
	{ "nobody loses what is taken by force",
	  { { TO_READ, 0, 0, 16, PAGE }, { FORGET, 1, 0, 16 }, { TAKE, 1, 0, 16 } } },
	{ "several at once are one loss",
	  { { TO_READ, 0, 0, 1 }, { TO_READ, 1, 8, 9, 8 }, { TAKE, 3, 0, 16, 0, 0, 1 } } },
	{ "threads that lose in turn count both",
	  { { TO_READ, 0, 0, 1 }, { TO_READ, 1, 8, 9, 8 }, { TAKE, 3, 0, 1, 0, 0, 1 },
	    { TO_READ, 4, 0, 1, 0, 0, 1 }, { TAKE, 8, 8, 9, 0, 0, 2 },
	    { TO_READ, 9, 8, 9, 8, 0, 2 }, { TAKE, 17, 0, 1, 0, 0, 3 } } },
	{ "who is to write and may only read has lost, once",
	  { { TO_WRITE, 0, 0, 16, PAGE }, { SHARE, 2, 0, 16, 0, 0, 1 },
	    { SHARE, 3, 0, 16, 0, 0, 1 }, { TAKE, 3, 0, 16, 0, 0, 1 } } },
	{ "not while it is promised, either",
	  { { TO_WRITE, 0, 0, 16, PAGE }, { SHARE, 1, 0, 16, 0, 16, 0 }, { MAPPED, 1, PAGE },
	    { SHARE, 2, 0, 16 } } },
	{ "a write that is mapped ends a series",
	  { { TO_WRITE, 0, 0, 16, PAGE }, { SHARE, 2, 0, 16, 0, 0, 1 },
	    { TO_WRITE, 3, 0, 16, PAGE, 0, 1 }, { MAPPED, 4, PAGE } } },
	{ "who is to read has lost nothing, and waits on",
	  { { TO_READ, 0, 0, 16, PAGE }, { SHARE, 2, 0, 16 }, { TAKE, 2, 0, 16, 0, 0, 1 } } },
	{ "of two who wait for the page the one who writes has lost",
	  { { TO_WRITE, 0, 0, 16, PAGE }, { TO_READ, 1, 0, 16, PAGE },
	    { SHARE, 3, 0, 16, 0, 0, 1 } } },
	{ "who wrote it once and reads it now has lost nothing",
	  { { TO_WRITE, 0, 0, 16, PAGE }, { MAPPED, 1, PAGE }, { TO_READ, 2, 0, 16, PAGE },
	    { SHARE, 4, 0, 16 } } },
};

static unsigned int scenario_step(struct uvm_cpu_grant *grant, const struct step *s)
{
	struct uvm_region region = uvm_region_make(s->first, s->outer);
	u64 now = START + s->at * US;
	struct uvm_page_mask pages;

	switch (s->act) {
	case TO_READ:
	case TO_WRITE:
		uvm_page_mask_fill_region(&pages, region);
		uvm_cpu_grant_give(grant, &pages, s->page, s->act == TO_WRITE, 2, now);
		break;
	case MAPPED:
		uvm_cpu_grant_mapped(grant, s->first);
		break;
	case FORGET:
		uvm_page_mask_fill_region(&pages, region);
		uvm_cpu_grant_forget(grant, &pages);
		break;
	default:
		return grant_take(grant, region, s->act == TAKE ? UVM_PROT_NONE :
							   UVM_PROT_READ_ONLY, now);
	}
	return 0;
}

static void grant_losses(struct kunit *test)
{
	for (int i = 0; i < ARRAY_SIZE(scenarios); i++) {
		const struct scenario *sc = &scenarios[i];
		struct uvm_cpu_grant grant = {};

		for (const struct step *s = sc->steps;
		     s < sc->steps + ARRAY_SIZE(sc->steps) && s->act != END; s++) {
			KUNIT_EXPECT_EQ_MSG(test, scenario_step(&grant, s), s->kept,
					    "%s, step %td", sc->rule, s - sc->steps);
			KUNIT_EXPECT_EQ_MSG(test, grant.lost, s->lost, "%s, step %td", sc->rule,
					    s - sc->steps);
		}
	}
}

/* What may still be read is still promised for that: only the page to be written is lost. */
static void grant_downgrade_keeps(struct kunit *test)
{
	struct uvm_cpu_grant grant = {};
	struct uvm_page_mask pages;

	uvm_page_mask_fill_region(&pages, uvm_region_make(0, 16));
	uvm_cpu_grant_give(&grant, &pages, PAGE, true, 2, START);
	grant_take(&grant, uvm_region_make(0, 16), UVM_PROT_READ_ONLY, START + 2 * US);
	KUNIT_EXPECT_EQ(test, uvm_page_mask_weight(&grant.pages), 15);
	KUNIT_EXPECT_FALSE(test, uvm_page_mask_test(&grant.pages, PAGE));
}

static struct kunit_case cpu_grant_cases[] = {
	KUNIT_CASE(grant_boundary),
	KUNIT_CASE(grant_lengths),
	KUNIT_CASE(grant_meets_another),
	KUNIT_CASE(grant_losses),
	KUNIT_CASE(grant_downgrade_keeps),
	{}
};

struct kunit_suite uvm_cpu_grant_suite = {
	.name = "uvm_cpu_grant",
	.test_cases = cpu_grant_cases,
};
