// SPDX-License-Identifier: GPL-2.0
/* softgpu printf: what is kept, what is lost, and that the reader is told. */
#include <kunit/test.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "softgpu/base/print.h"

#define LINE	"123456789abcdef\n"	/* 16 bytes */

static struct sgpu_print_ring *print_ring(struct kunit *test)
{
	struct sgpu_print_ring *ring = kunit_kzalloc(test, sizeof(*ring), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, ring);
	KUNIT_ASSERT_EQ(test, 0, sgpu_print_init(ring));
	KUNIT_EXPECT_FALSE(test, sgpu_print_any(ring));
	return ring;
}

/* The next @bytes are @want. */
static void print_expect(struct kunit *test, struct sgpu_print_ring *ring, size_t bytes,
			 const char *want)
{
	char got[64] = "";
	u64 at;

	KUNIT_EXPECT_EQ(test, strlen(want), sgpu_print_peek(ring, got, bytes, &at));
	KUNIT_EXPECT_STREQ(test, want, got);
	KUNIT_EXPECT_TRUE(test, sgpu_print_read(ring, at, strlen(want)));
}

/* What was looked at and not read comes again: copying it to the user failed. */
static void print_stays(struct kunit *test)
{
	struct sgpu_print_ring *ring = print_ring(test);
	char got[8] = "";
	u64 first, second;

	sgpu_print_put(ring, "hello", 5);
	KUNIT_EXPECT_EQ(test, 3, sgpu_print_peek(ring, got, 3, &first));
	KUNIT_EXPECT_EQ(test, 5, sgpu_print_peek(ring, got, 8, &second));
	KUNIT_EXPECT_TRUE(test, sgpu_print_read(ring, second, 2));
	/* the other reader comes too late: it has to look again */
	KUNIT_EXPECT_FALSE(test, sgpu_print_read(ring, first, 3));
	print_expect(test, ring, 8, "llo");
	print_expect(test, ring, 8, "");
	KUNIT_EXPECT_FALSE(test, sgpu_print_any(ring));
	sgpu_print_destroy(ring);
}

static void print_lost(struct kunit *test)
{
	struct sgpu_print_ring *ring = print_ring(test);
	u32 i, round;

	/* it goes around: the second time it begins in the middle */
	for (round = 0; round < 2; round++) {
		for (i = 0; i < SGPU_PRINT_BYTES / 16 - 1; i++)
			sgpu_print_put(ring, LINE, 16);
		sgpu_print_put(ring, "12345678\n", 9);		/* 7 bytes are left */
		sgpu_print_put(ring, "does not fit\n", 13);
		sgpu_print_put(ring, "small\n", 6);		/* would, but comes after it */
		KUNIT_EXPECT_EQ(test, 19, ring->lost);
		for (i = 0; i < SGPU_PRINT_BYTES / 16 - 1; i++)
			print_expect(test, ring, 16, LINE);
		sgpu_print_put(ring, "late\n", 5);		/* the reader does not know yet */
		print_expect(test, ring, 60, "12345678\n");
		KUNIT_EXPECT_TRUE(test, sgpu_print_any(ring));
		print_expect(test, ring, 60, "[24 bytes of printf were lost]\n");
		KUNIT_EXPECT_FALSE(test, sgpu_print_any(ring));
		sgpu_print_put(ring, "again\n", 6);
		print_expect(test, ring, 60, "again\n");
	}
	sgpu_print_destroy(ring);
}

static struct kunit_case print_cases[] = {
	KUNIT_CASE(print_stays),
	KUNIT_CASE(print_lost),
	{}
};

struct kunit_suite softgpu_print_suite = {
	.name = "softgpu_print",
	.test_cases = print_cases,
};
