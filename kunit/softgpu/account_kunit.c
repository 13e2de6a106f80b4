// SPDX-License-Identifier: GPL-2.0
/* softgpu accounts: what a user is charged, and given back. */
#include <kunit/test.h>
#include <linux/cred.h>
#include <softgpu/rm.h>
#include "softgpu/base/account.h"

static void account_fits(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, sgpu_account_fits(0, 100, 100));
	KUNIT_EXPECT_TRUE(test, sgpu_account_fits(99, 1, 100));
	KUNIT_EXPECT_FALSE(test, sgpu_account_fits(100, 1, 100));
	KUNIT_EXPECT_FALSE(test, sgpu_account_fits(0, 101, 100));
	KUNIT_EXPECT_FALSE(test, sgpu_account_fits(1, U64_MAX, U64_MAX));
	KUNIT_EXPECT_FALSE(test, sgpu_account_fits(1, 0, 0));
}

/* Charges of one user add up in one account, which goes with the last of them. */
static void account_adds_up(struct kunit *test)
{
	struct rm_charge a = {}, b = {}, none = {};
	u64 before = rm_charged(current_uid());

	KUNIT_ASSERT_EQ(test, 0, rm_charge(&a, 1000));
	KUNIT_ASSERT_EQ(test, 0, rm_charge(&b, 10));
	KUNIT_ASSERT_EQ(test, 0, rm_charge(&a, 100));
	KUNIT_ASSERT_EQ(test, 0, rm_charge(&none, 0));
	KUNIT_EXPECT_EQ(test, 1110, rm_charged(current_uid()) - before);
	KUNIT_EXPECT_EQ(test, 1100, a.bytes);
	rm_uncharge(&a);
	rm_uncharge(&a);
	rm_uncharge(&none);
	KUNIT_EXPECT_EQ(test, 10, rm_charged(current_uid()) - before);
	rm_uncharge(&b);
	KUNIT_EXPECT_EQ(test, before, rm_charged(current_uid()));
}

static struct kunit_case account_cases[] = {
	KUNIT_CASE(account_fits),
	KUNIT_CASE(account_adds_up),
	{}
};

struct kunit_suite softgpu_account_suite = {
	.name = "softgpu_account",
	.test_cases = account_cases,
};
