// SPDX-License-Identifier: GPL-2.0
/* Copies that take memory from each other, and those from whom others take it. */
#include <kunit/test.h>
#include "uvm/model/copy_progress.h"

#define SRC	0x200000000000ULL
#define DST	0x200000200000ULL
#define BLOCK	0x200000ULL

static bool progress_fault(struct uvm_copy_progress *p, bool evicted, u64 moved)
{
	return uvm_copy_progress_fault(p, SRC + 4096, false, evicted, moved);
}

/* Faults after evictions until the copy is given up, or @most. */
static unsigned int progress_faults(struct uvm_copy_progress *p, bool own, bool evicted,
				    unsigned int most)
{
	unsigned int n;

	for (n = 1; n < most; n++) {
		if (own)
			uvm_copy_progress_take(p, SRC, SRC + BLOCK - 1);
		if (progress_fault(p, evicted, p->moved))
			break;
	}
	return n;
}

/* Source and destination have one piece of memory between them. */
static void progress_own(struct kunit *test)
{
	struct uvm_copy_progress p = {};

	KUNIT_EXPECT_FALSE(test, progress_fault(&p, false, 0));
	KUNIT_EXPECT_EQ(test, UVM_COPY_AGAIN_OWN, progress_faults(&p, true, true, 100000));
}

/* Another copy of the page has brought it back each time: they take it from each other. */
static void progress_shared(struct kunit *test)
{
	struct uvm_copy_progress p = {};

	KUNIT_EXPECT_FALSE(test, progress_fault(&p, false, 0));
	KUNIT_EXPECT_EQ(test, UVM_COPY_AGAIN_OWN, progress_faults(&p, true, false, 100000));
}

/* Others evict it: that ends much later. */
static void progress_others(struct kunit *test)
{
	struct uvm_copy_progress p = {};

	KUNIT_EXPECT_FALSE(test, progress_fault(&p, false, 0));
	KUNIT_EXPECT_EQ(test, UVM_COPY_AGAIN_OWN * UVM_COPY_AGAIN_OTHERS,
			progress_faults(&p, false, true, 100000));
}

/* Whoever moves something in between gets on, at the same address, too. */
static void progress_moves(struct kunit *test)
{
	struct uvm_copy_progress p = {};
	unsigned int i;

	for (i = 1; i < 1000; i++) {
		KUNIT_EXPECT_EQ(test, 100U, progress_faults(&p, true, true, 100));
		KUNIT_EXPECT_FALSE(test, progress_fault(&p, true, i));
	}
}

/* What is evicted elsewhere, or before the fault, is no sign. */
static void progress_elsewhere(struct kunit *test)
{
	struct uvm_copy_progress p = {};

	progress_fault(&p, false, 0);
	uvm_copy_progress_fault(&p, DST, true, false, 0);
	uvm_copy_progress_take(&p, SRC + BLOCK, SRC + 2 * BLOCK - 1);
	KUNIT_EXPECT_FALSE(test, p.taken[0]);
	KUNIT_EXPECT_TRUE(test, p.taken[1]);
	uvm_copy_progress_fault(&p, DST + 4096, true, false, 0);
	KUNIT_EXPECT_FALSE(test, p.taken[1]);
	KUNIT_EXPECT_EQ(test, 0U, p.again);
	KUNIT_EXPECT_EQ(test, 100000U, progress_faults(&p, false, false, 100000));
}

static struct kunit_case progress_cases[] = {
	KUNIT_CASE(progress_own),
	KUNIT_CASE(progress_shared),
	KUNIT_CASE(progress_others),
	KUNIT_CASE(progress_moves),
	KUNIT_CASE(progress_elsewhere),
	{}
};

struct kunit_suite uvm_copy_progress_suite = {
	.name = "uvm_copy_progress",
	.test_cases = progress_cases,
};
