// SPDX-License-Identifier: GPL-2.0
/* Tests of trackers (nvidia-uvm 7.3), on channels without a device. */
#include "uvm_gpu_fixture.h"

#define TR_CHANNELS	12

struct tracker_fixture {
	struct uvm_gpu gpu;
	struct uvm_channel channel[TR_CHANNELS];
	u32 payload[TR_CHANNELS];
};

static struct tracker_fixture *tracker_alloc(struct kunit *test)
{
	struct tracker_fixture *fx = kunit_kzalloc(test, sizeof(*fx), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, fx);
	spin_lock_init(&fx->gpu.channels.lock);
	for (i = 0; i < TR_CHANNELS; i++) {
		fx->channel[i].gpu = &fx->gpu;
		fx->channel[i].tracking.payload = &fx->payload[i];
		fx->channel[i].queued = 1000;
	}
	return fx;
}

static void tracker_add(struct kunit *test, struct tracker_fixture *fx, struct uvm_tracker *t,
			unsigned int channel, u64 value)
{
	struct uvm_tracker_entry entry = { &fx->channel[channel], value };

	KUNIT_EXPECT_EQ(test, uvm_tracker_add_entry(t, entry), 0);
}

/* One entry per channel, the later value counts; grows beyond the static one. */
static void tracker_add_test(struct kunit *test)
{
	struct tracker_fixture *fx = tracker_alloc(test);
	struct uvm_tracker t = UVM_TRACKER_INIT();
	unsigned int i;

	tracker_add(test, fx, &t, 0, 5);
	tracker_add(test, fx, &t, 0, 9);
	tracker_add(test, fx, &t, 0, 7);
	KUNIT_EXPECT_EQ(test, t.count, 1U);
	KUNIT_EXPECT_NULL(test, t.many);
	KUNIT_EXPECT_EQ(test, uvm_tracker_entries(&t)[0].value, 9ULL);
	for (i = 0; i < TR_CHANNELS; i++)
		tracker_add(test, fx, &t, i, 10 + i);
	KUNIT_EXPECT_EQ(test, t.count, (unsigned int)TR_CHANNELS);
	for (i = 0; i < TR_CHANNELS; i++)
		KUNIT_EXPECT_EQ(test, uvm_tracker_entries(&t)[i].value, 10ULL + i);
	uvm_tracker_clear(&t);
	KUNIT_EXPECT_TRUE(test, uvm_tracker_is_empty(&t));
	uvm_tracker_deinit(&t);
	KUNIT_EXPECT_NULL(test, t.many);
}

/* Completed entries are removed lazily; order of the rest is kept. */
static void tracker_complete_test(struct kunit *test)
{
	struct tracker_fixture *fx = tracker_alloc(test);
	struct uvm_tracker t = UVM_TRACKER_INIT();
	unsigned int i;

	for (i = 0; i < 4; i++)
		tracker_add(test, fx, &t, i, 10);
	fx->payload[1] = 9;
	fx->payload[2] = 10;
	fx->payload[0] = 500;
	uvm_tracker_remove_completed(&t);
	KUNIT_EXPECT_EQ(test, t.count, 2U);
	KUNIT_EXPECT_PTR_EQ(test, uvm_tracker_entries(&t)[0].channel, &fx->channel[1]);
	KUNIT_EXPECT_PTR_EQ(test, uvm_tracker_entries(&t)[1].channel, &fx->channel[3]);
	KUNIT_EXPECT_FALSE(test, uvm_tracker_is_completed(&t));
	fx->payload[1] = 10;
	fx->payload[3] = 11;
	KUNIT_EXPECT_TRUE(test, uvm_tracker_is_completed(&t));
	KUNIT_EXPECT_FALSE(test, READ_ONCE(fx->gpu.channels.error));
	uvm_tracker_deinit(&t);
}

static void tracker_merge_test(struct kunit *test)
{
	struct tracker_fixture *fx = tracker_alloc(test);
	struct uvm_tracker a = UVM_TRACKER_INIT(), b = UVM_TRACKER_INIT();

	tracker_add(test, fx, &a, 0, 5);
	tracker_add(test, fx, &a, 1, 5);
	tracker_add(test, fx, &b, 1, 8);
	tracker_add(test, fx, &b, 2, 3);
	fx->payload[0] = 5;
	KUNIT_EXPECT_EQ(test, uvm_tracker_add_tracker(&a, &b), 0);
	uvm_tracker_remove_completed(&a);
	KUNIT_EXPECT_EQ(test, a.count, 2U);
	KUNIT_EXPECT_EQ(test, uvm_tracker_entries(&a)[0].value, 8ULL);
	KUNIT_EXPECT_EQ(test, uvm_tracker_entries(&a)[1].value, 3ULL);
	KUNIT_EXPECT_EQ(test, b.count, 2U);
	KUNIT_EXPECT_EQ(test, uvm_tracker_overwrite_safe(&b, &a), 0);
	KUNIT_EXPECT_EQ(test, b.count, 2U);
	uvm_tracker_deinit(&a);
	uvm_tracker_deinit(&b);
}

/* A GPU that is dead is forgotten, what others owe is not. */
static void tracker_remove_gpu_test(struct kunit *test)
{
	struct tracker_fixture *fx = tracker_alloc(test), *other = tracker_alloc(test);
	struct uvm_tracker t = UVM_TRACKER_INIT();

	tracker_add(test, fx, &t, 0, 5);
	tracker_add(test, other, &t, 3, 7);
	tracker_add(test, fx, &t, 1, 5);
	uvm_tracker_remove_gpu(&t, &fx->gpu);
	KUNIT_EXPECT_EQ(test, t.count, 1U);
	KUNIT_EXPECT_PTR_EQ(test, uvm_tracker_entries(&t)[0].channel, &other->channel[3]);
	uvm_tracker_remove_gpu(&t, &other->gpu);
	KUNIT_EXPECT_TRUE(test, uvm_tracker_is_empty(&t));
	uvm_tracker_deinit(&t);
}

/* A payload beyond what was queued is no progress but a broken device. */
static void tracker_bogus_test(struct kunit *test)
{
	struct tracker_fixture *fx = tracker_alloc(test);

	fx->payload[0] = 1001;
	KUNIT_EXPECT_FALSE(test, uvm_channel_is_completed(&fx->channel[0], 1));
	KUNIT_EXPECT_TRUE(test, uvm_gpu_channel_error(&fx->gpu));
}

static struct kunit_case uvm_tracker_cases[] = {
	KUNIT_CASE(tracker_add_test),
	KUNIT_CASE(tracker_complete_test),
	KUNIT_CASE(tracker_merge_test),
	KUNIT_CASE(tracker_remove_gpu_test),
	KUNIT_CASE(tracker_bogus_test),
	{ }
};

struct kunit_suite uvm_tracker_suite = {
	.name = "uvm_tracker",
	.test_cases = uvm_tracker_cases,
};
