// SPDX-License-Identifier: GPL-2.0
/* Copies that take memory from each other, and those from whom others take it. */
#include <kunit/test.h>
#include "uvm/model/copy_progress.h"

#define SRC	0x200000000000ULL
#define DST	0x200000200000ULL
#define BLOCK	0x200000ULL

/* Faults at @address after evictions until the copy is given up, or @most. */
static unsigned int progress_faults(struct uvm_copy_progress *p, bool own, unsigned int most)
{
	unsigned int n;

	for (n = 1; n < most; n++) {
		if (own)
			uvm_copy_progress_take(p, SRC, SRC + BLOCK - 1);
		if (uvm_copy_progress_fault(p, SRC + 4096, false, true))
			break;
	}
	return n;
}

/* Source and destination have one piece of memory between them. */
static void progress_own(struct kunit *test)
{
	struct uvm_copy_progress p = {};

	KUNIT_EXPECT_FALSE(test, uvm_copy_progress_fault(&p, SRC + 4096, false, true));
	KUNIT_EXPECT_EQ(test, UVM_COPY_AGAIN_OWN, progress_faults(&p, true, 100000));
}

/* Others evict it: that ends much later, and not at all if it gets on in between. */
static void progress_others(struct kunit *test)
{
	struct uvm_copy_progress p = {};
	unsigned int i;

	KUNIT_EXPECT_FALSE(test, uvm_copy_progress_fault(&p, SRC + 4096, false, true));
	KUNIT_EXPECT_EQ(test, UVM_COPY_AGAIN_OWN * UVM_COPY_AGAIN_OTHERS,
			progress_faults(&p, false, 100000));
	for (i = 0; i < 100; i++) {
		KUNIT_EXPECT_FALSE(test, uvm_copy_progress_fault(&p, SRC + 8192, false, true));
		KUNIT_EXPECT_FALSE(test, uvm_copy_progress_fault(&p, SRC + 4096, false, true));
		KUNIT_EXPECT_EQ(test, 200U, progress_faults(&p, false, 200));
	}
}

/* What is evicted elsewhere, or before the fault, is no sign. */
static void progress_elsewhere(struct kunit *test)
{
	struct uvm_copy_progress p = {};

	uvm_copy_progress_fault(&p, SRC, false, true);
	uvm_copy_progress_fault(&p, DST, true, true);
	uvm_copy_progress_take(&p, SRC + BLOCK, SRC + 2 * BLOCK - 1);
	KUNIT_EXPECT_FALSE(test, p.taken[0]);
	KUNIT_EXPECT_TRUE(test, p.taken[1]);
	uvm_copy_progress_fault(&p, DST, true, false);
	KUNIT_EXPECT_FALSE(test, p.taken[1]);
	KUNIT_EXPECT_EQ(test, 0U, p.again);
}

static struct kunit_case progress_cases[] = {
	KUNIT_CASE(progress_own),
	KUNIT_CASE(progress_others),
	KUNIT_CASE(progress_elsewhere),
	{}
};

struct kunit_suite uvm_copy_progress_suite = {
	.name = "uvm_copy_progress",
	.test_cases = progress_cases,
};
