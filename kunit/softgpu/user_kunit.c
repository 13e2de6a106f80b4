// SPDX-License-Identifier: GPL-2.0
/* softgpu users: what one of them can have of a GPU. */
#include <kunit/test.h>
#include <linux/uidgid.h>
#include "softgpu/base/gpu.h"
#include "softgpu/base/user.h"

/* Of two GPUs, each with 100 MB; nobody else's user is 4000000000. */
struct user_test {
	struct rm_gpu *gpu[2];
	struct rm_user *user;
	u64 limit;
};

static int user_init(struct kunit *test)
{
	struct user_test *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, t);
	for (i = 0; i < ARRAY_SIZE(t->gpu); i++) {
		t->gpu[i] = kunit_kzalloc(test, sizeof(*t->gpu[i]), GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, t->gpu[i]);
		t->gpu[i]->index = i;
		t->gpu[i]->vram_bytes = 100 << 20;
	}
	KUNIT_ASSERT_EQ(test, 0, sgpu_user_get(KUIDT_INIT(4000000000U), &t->user));
	t->limit = sgpu_user_limit(100 << 20);
	test->priv = t;
	return 0;
}

static void user_exit(struct kunit *test)
{
	struct user_test *t = test->priv;

	rm_user_put(t->user);
}

/* Less than all, and no more than that however it is cut; what is given back counts no more. */
static void user_share(struct kunit *test)
{
	struct user_test *t = test->priv;

	KUNIT_EXPECT_GT(test, t->limit, 0);
	KUNIT_EXPECT_LT(test, t->limit, 100 << 20);
	KUNIT_EXPECT_EQ(test, -ENOMEM, rm_user_take(t->user, t->gpu[0], RM_SHARE_MEMORY, ~0ULL));
	KUNIT_EXPECT_EQ(test, 0, rm_user_take(t->user, t->gpu[0], RM_SHARE_MEMORY, t->limit - 1));
	KUNIT_EXPECT_EQ(test, -ENOMEM, rm_user_take(t->user, t->gpu[0], RM_SHARE_MEMORY, 2));
	KUNIT_EXPECT_EQ(test, 0, rm_user_take(t->user, t->gpu[0], RM_SHARE_MEMORY, 1));
	rm_user_give(t->user, t->gpu[0], RM_SHARE_MEMORY, t->limit);
	KUNIT_EXPECT_EQ(test, 0, rm_user_take(t->user, t->gpu[0], RM_SHARE_MEMORY, t->limit));
	rm_user_give(t->user, t->gpu[0], RM_SHARE_MEMORY, t->limit);
}

/* Another GPU, addresses, and another user are another matter; the same user is not. */
static void user_apart(struct kunit *test)
{
	struct user_test *t = test->priv;
	struct rm_user *same, *other;

	KUNIT_ASSERT_EQ(test, 0, sgpu_user_get(KUIDT_INIT(4000000000U), &same));
	KUNIT_ASSERT_EQ(test, 0, sgpu_user_get(KUIDT_INIT(4000000001U), &other));
	KUNIT_EXPECT_PTR_EQ(test, same, t->user);
	KUNIT_EXPECT_PTR_NE(test, other, t->user);
	KUNIT_EXPECT_EQ(test, 0, rm_user_take(t->user, t->gpu[0], RM_SHARE_MEMORY, t->limit));
	KUNIT_EXPECT_EQ(test, 0, rm_user_take(t->user, t->gpu[1], RM_SHARE_MEMORY, t->limit));
	KUNIT_EXPECT_EQ(test, 0, rm_user_take(other, t->gpu[0], RM_SHARE_MEMORY, t->limit));
	KUNIT_EXPECT_EQ(test, 0, rm_user_take(same, t->gpu[0], RM_SHARE_ADDRESSES, t->limit));
	KUNIT_EXPECT_EQ(test, -ENOMEM, rm_user_take(same, t->gpu[1], RM_SHARE_MEMORY, 1));
	rm_user_give(same, t->gpu[0], RM_SHARE_ADDRESSES, t->limit);
	rm_user_give(other, t->gpu[0], RM_SHARE_MEMORY, t->limit);
	rm_user_give(t->user, t->gpu[1], RM_SHARE_MEMORY, t->limit);
	rm_user_give(t->user, t->gpu[0], RM_SHARE_MEMORY, t->limit);
	rm_user_put(other);
	rm_user_put(same);
}

/* NULL is who has no limit. */
static void user_unlimited(struct kunit *test)
{
	struct user_test *t = test->priv;

	KUNIT_EXPECT_EQ(test, 0, rm_user_take(NULL, t->gpu[0], RM_SHARE_MEMORY, ~0ULL));
	rm_user_give(NULL, t->gpu[0], RM_SHARE_MEMORY, ~0ULL);
	KUNIT_EXPECT_NULL(test, rm_user_hold(NULL));
	rm_user_put(NULL);
}

static struct kunit_case user_cases[] = {
	KUNIT_CASE(user_share),
	KUNIT_CASE(user_apart),
	KUNIT_CASE(user_unlimited),
	{}
};

struct kunit_suite softgpu_user_suite = {
	.name = "softgpu_user",
	.init = user_init,
	.exit = user_exit,
	.test_cases = user_cases,
};
