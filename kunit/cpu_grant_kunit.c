// SPDX-License-Identifier: GPL-2.0
/*
 * CPU grants: how long they are, and that each one that is lost doubles the next.
 */
#include <kunit/test.h>
#include <linux/time64.h>
#include "../uvm/cpu_grant.h"
#include "uvm_pure.h"

#define US	NSEC_PER_USEC
#define START	(1000 * US)	/* of driver time, which is long past 0 */
#define PAGE	5		/* what the first fault is about */

static void grant_give(struct uvm_cpu_grant *grant, unsigned int page, unsigned int us, u64 now)
{
	struct uvm_page_mask pages;

	uvm_page_mask_fill_region(&pages, uvm_region_make(page, page + 1));
	uvm_cpu_grant_give(grant, &pages, us, now);
}

/* Return: how many of the pages the CPU keeps. */
static unsigned int grant_take(struct uvm_cpu_grant *grant, struct uvm_region region, u64 now)
{
	struct uvm_page_mask pages;

	uvm_page_mask_fill_region(&pages, region);
	uvm_cpu_grant_take(grant, &pages, UVM_PROT_NONE, now);
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
	KUNIT_EXPECT_EQ(test, grant_take(&grant, region, START + 2 * US - 1), 1);
	KUNIT_EXPECT_EQ(test, grant.lost, 0);
	KUNIT_EXPECT_EQ(test, grant_take(&grant, region, START + 2 * US), 0);
	KUNIT_EXPECT_EQ(test, grant.lost, 1);
	/* a mapped page needs no promise, and ends the series */
	grant_give(&grant, PAGE, 2, START);
	uvm_cpu_grant_mapped(&grant, PAGE);
	KUNIT_EXPECT_FALSE(test, uvm_cpu_grant_holds(&grant, PAGE, START));
	KUNIT_EXPECT_EQ(test, grant.lost, 0);
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
	{ 1000000, 10, 1024 * NSEC_PER_SEC }, { UINT_MAX, 10, (u64)UINT_MAX * 1024 * US },
};

/* Each grant that is lost doubles the next, ten times at most; of 0 us the second is 2 us. */
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
			KUNIT_EXPECT_EQ(test, grant_take(&grant, region, now), 0);
		}
		grant_give(&grant, PAGE, c->us, now);
		KUNIT_EXPECT_EQ_MSG(test, grant.ends - now, c->want, "case %d", i);
	}
}

static struct kunit_case cpu_grant_cases[] = {
	KUNIT_CASE(grant_boundary),
	KUNIT_CASE(grant_lengths),
	{}
};

struct kunit_suite uvm_cpu_grant_suite = {
	.name = "uvm_cpu_grant",
	.test_cases = cpu_grant_cases,
};
