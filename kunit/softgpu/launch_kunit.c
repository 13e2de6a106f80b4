// SPDX-License-Identifier: GPL-2.0
/* softgpu launches: how the instruction limit is dealt out to CTAs. */
#include <kunit/test.h>
#include "softgpu/sm/launch.h"
#include "softgpu/sm/launch_progress.h"

static void launch_quota_rows(struct kunit *test)
{
	static const struct {
		u64 limit, used;
		u32 resident, quota;
	} rows[] = {
		{ 1ULL << 31, 0, 1, SGPU_QUOTA },
		{ 1ULL << 31, 0, 1000, SGPU_QUOTA },
		{ 10000, 0, 4, 2500 },
		{ 10000, 9000, 4, 250 },
		{ 10000, 9999, 1, 1 },
		{ 10000, 9999, 100, 1 },	/* never 0 before the limit */
		{ 10000, 10000, 1, 0 },
		{ 10000, 20000, 1, 0 },		/* others went past it */
		{ 1, 0, 896, 1 },
		{ U64_MAX, 0, 1, SGPU_QUOTA },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		KUNIT_EXPECT_EQ_MSG(test, sgpu_quota(rows[i].limit, rows[i].used,
						     rows[i].resident), rows[i].quota,
				    "row %u", i);
}

/* CTAs that take their quotas in turn reach the limit, and pass it by little. */
static void launch_quota_adds_up(struct kunit *test)
{
	static const u32 residents[] = { 1, 2, 7, 896 };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(residents); i++) {
		u64 used = 0, limit = 1000003;
		u32 last = 0, quota;

		while ((quota = sgpu_quota(limit, used, residents[i]))) {
			used += quota;
			last = quota;
		}
		KUNIT_EXPECT_GE(test, used, limit);
		KUNIT_EXPECT_LE(test, used, limit + last);
	}
}

static struct kunit_case launch_cases[] = {
	KUNIT_CASE(launch_quota_rows),
	KUNIT_CASE(launch_quota_adds_up),
	{}
};

struct kunit_suite softgpu_launch_suite = {
	.name = "softgpu_launch",
	.test_cases = launch_cases,
};
