// SPDX-License-Identifier: GPL-2.0
/* Prefetch-fault governor: nvidia-uvm 2.3, step 4.  The largest batch counts, not this one. */
#include <kunit/test.h>
#include <linux/time64.h>
#include "uvm/model/fault_governor.h"
#include "uvm_pure.h"

#define MS	NSEC_PER_MSEC

struct governor_case {
	const char *rule;
	bool disabled;
	u64 since;
	unsigned int invalid, batch_max, lapse;
	u64 now;
	bool want;
};

static const struct governor_case governor_cases[] = {
	{ "none", false, 0, 0, 256, 1000, 5, false },
	{ "exactly two thirds are too few", false, 0, 170, 255, 1000, 5, false },
	{ "more than two thirds", false, 0, 171, 255, 1000, 5, true },
	{ "of 256: 170 are too few", false, 0, 170, 256, 1000, 5, false },
	{ "of 256: 171", false, 0, 171, 256, 1000, 5, true },
	{ "against the largest batch, not this one's size", false, 0, 100, 256, 1000, 5, false },
	{ "a lapse of 0 never disables", false, 0, 256, 256, 0, 5, false },
	{ "no overflow", false, 0, UINT_MAX, UINT_MAX, 1000, 5, true },
	{ "stays off", true, 7 * MS, 0, 256, 1000, 500 * MS, true },
	{ "stays off until the lapse is over", true, 7 * MS, 0, 256, 1000, 1007 * MS, true },
	{ "then it is on", true, 7 * MS, 0, 256, 1000, 1007 * MS + 1, false },
	{ "on again, whatever the batch holds", true, 0, 256, 256, 1, 2 * MS, false },
	{ "a lapse of 0 enables", true, 7, 0, 256, 0, 8, false },
	{ "the longest lapse", true, 0, 0, 256, UINT_MAX, (u64)UINT_MAX * MS, true },
};

static void governor_step(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(governor_cases); i++) {
		const struct governor_case *c = &governor_cases[i];
		struct uvm_fault_governor g = { .disabled = c->disabled, .since = c->since };

		uvm_fault_governor_step(&g, c->invalid, c->batch_max, c->lapse, c->now);
		KUNIT_EXPECT_EQ_MSG(test, g.disabled, c->want, "%s", c->rule);
		if (c->want && !c->disabled)
			KUNIT_EXPECT_EQ_MSG(test, g.since, c->now, "%s", c->rule);
	}
}

static struct kunit_case governor_kunit_cases[] = {
	KUNIT_CASE(governor_step),
	{ }
};

struct kunit_suite uvm_fault_governor_suite = {
	.name = "uvm_fault_governor",
	.test_cases = governor_kunit_cases,
};
