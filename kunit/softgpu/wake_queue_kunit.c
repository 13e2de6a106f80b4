// SPDX-License-Identifier: GPL-2.0
/* softgpu queue of warps that wait for a time, beside a plain list of times. */
#include <kunit/test.h>
#include <linux/prandom.h>
#include <linux/string.h>
#include "softgpu/sm/wake_queue.h"

#define STEPS	20000

/* Times of all slots, U64_MAX: does not wait. */
static u64 model[SGPU_WAKE_SLOTS];

static u64 model_due(u64 now)
{
	unsigned int slot;
	u64 due = 0;

	for (slot = 0; slot < SGPU_WAKE_SLOTS; slot++)
		if (model[slot] <= now) {
			model[slot] = U64_MAX;
			due |= BIT_ULL(slot);
		}
	return due;
}

static void expect_model(struct kunit *test, const struct sgpu_wake_queue *q)
{
	u64 next = U64_MAX, timed = 0;
	unsigned int slot;

	for (slot = 0; slot < SGPU_WAKE_SLOTS; slot++) {
		next = min(next, model[slot]);
		if (model[slot] != U64_MAX)
			timed |= BIT_ULL(slot);
	}
	KUNIT_ASSERT_EQ(test, sgpu_wake_next(q), next);
	KUNIT_ASSERT_EQ(test, q->timed, timed);
}

static void wake_random(struct kunit *test)
{
	struct sgpu_wake_queue q = {};
	struct rnd_state rnd;
	u64 now = 0, woken = 0, dropped = 0, again = 0;
	unsigned int i, slot;

	prandom_seed_state(&rnd, 1);
	memset(model, 0xff, sizeof(model));
	for (i = 0; i < STEPS; i++) {
		u32 r = prandom_u32_state(&rnd);
		u64 mask, due;

		switch (r % 8) {
		case 0:
			now += (r >> 8) % 16;
			due = model_due(now);
			KUNIT_ASSERT_EQ(test, sgpu_wake_due(&q, now), due);
			woken += hweight64(due);
			break;
		case 1:
			mask = BIT_ULL((r >> 8) % 64) | BIT_ULL((r >> 16) % 64);
			dropped += hweight64(mask & q.timed);
			sgpu_wake_drop(&q, mask);
			for (slot = 0; slot < SGPU_WAKE_SLOTS; slot++)
				if (mask >> slot & 1)
					model[slot] = U64_MAX;
			break;
		default:
			slot = (r >> 8) % 64;
			again += q.timed >> slot & 1;
			/* most at about the same distance, some sooner, some over already */
			model[slot] = now + ((r >> 16) % 8 ? 40 + (r >> 20) % 4 : (r >> 20) % 64);
			sgpu_wake_add(&q, slot, model[slot]);
		}
		expect_model(test, &q);
	}
	KUNIT_EXPECT_GT(test, woken, STEPS / 20);
	KUNIT_EXPECT_GT(test, dropped, STEPS / 20);
	KUNIT_EXPECT_GT(test, again, STEPS / 20);
}

/* All slots, added last first, and then all at once. */
static void wake_full(struct kunit *test)
{
	struct sgpu_wake_queue q = { .first = 40 };
	unsigned int slot;

	for (slot = SGPU_WAKE_SLOTS; slot--; )
		sgpu_wake_add(&q, slot, slot);
	KUNIT_EXPECT_EQ(test, sgpu_wake_next(&q), 0);
	KUNIT_EXPECT_EQ(test, sgpu_wake_due(&q, 9), GENMASK_ULL(9, 0));
	KUNIT_EXPECT_EQ(test, sgpu_wake_next(&q), 10);
	sgpu_wake_add(&q, 63, 5);
	KUNIT_EXPECT_EQ(test, sgpu_wake_next(&q), 5);
	sgpu_wake_drop(&q, BIT_ULL(63));
	sgpu_wake_drop(&q, BIT_ULL(63));
	KUNIT_EXPECT_EQ(test, sgpu_wake_due(&q, U64_MAX - 1), GENMASK_ULL(62, 10));
	KUNIT_EXPECT_EQ(test, sgpu_wake_next(&q), U64_MAX);
	KUNIT_EXPECT_EQ(test, q.timed, 0);
}

static struct kunit_case wake_queue_cases[] = {
	KUNIT_CASE(wake_random),
	KUNIT_CASE(wake_full),
	{}
};

struct kunit_suite softgpu_wake_queue_suite = {
	.name = "softgpu_wake_queue",
	.test_cases = wake_queue_cases,
};
