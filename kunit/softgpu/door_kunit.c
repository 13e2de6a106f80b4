// SPDX-License-Identifier: GPL-2.0
/* The dispatcher of ioctls: which row, what is refused and with what, what it costs. */
#include <kunit/test.h>
#include <linux/fs.h>
#include "softgpu/door_priv.h"

#define DOOR_TYPE	0xd0

struct door_arg {
	u32 size;
	u32 flags;
	u64 base;
	u64 length;
	s32 gpu_a;
	s32 gpu_b;
	u32 reserved;
	u32 reserved2;
	u32 value;
	u32 called;
};

static int door_check_value(struct file *file, const void *data)
{
	const struct door_arg *arg = data;

	return arg->value ? -ERANGE : 0;
}

static int door_called(struct file *file, void *data)
{
	struct door_arg *arg = data;

	arg->called++;
	return 0;
}

static int door_result(struct file *file, void *data)
{
	return -EXDEV;
}

static struct rm_gpu *door_first_gpu(struct file *file)
{
	return rm_gpu(0);
}

#define ALL_MEMBERS							\
	.flags = 1, .span = DOOR_AT(door_arg, base),			\
	.reserved = { DOOR_AT(door_arg, reserved), DOOR_AT(door_arg, reserved2) }, \
	.gpu = { DOOR_AT(door_arg, gpu_a), DOOR_AT(door_arg, gpu_b) },	\
	.check = door_check_value

static const struct door_row *const door_rows[] = {
	DOOR_ROW(_IO(DOOR_TYPE, 1), door_arg, door_called, ALL_MEMBERS),
	DOOR_ROW(_IO(DOOR_TYPE, 3), door_arg, door_called, ALL_MEMBERS, .cost = DOOR_COST(poll)),
	DOOR_ROW(_IO(DOOR_TYPE, 4), door_arg, door_called, .cost = DOOR_INSIDE),
	DOOR_ROW(_IO(DOOR_TYPE, 5), door_arg, door_result, .cost = DOOR_COST(ioctl)),
};

static const struct door door = {
	.rows = door_rows, .count = ARRAY_SIZE(door_rows), .type = DOOR_TYPE,
	.gpu = door_first_gpu,
};

static void door_find_rows(struct kunit *test)
{
	static const struct {
		unsigned int cmd, row;
	} cases[] = {
		{ _IO(DOOR_TYPE, 0), 0 },	/* gaps */
		{ _IO(DOOR_TYPE, 1), 1 },
		{ _IO(DOOR_TYPE, 2), 0 },
		{ _IO(DOOR_TYPE, 5), 5 },
		{ _IO(DOOR_TYPE, 6), 0 },	/* behind the last */
		{ _IO(DOOR_TYPE, 255), 0 },
		{ _IO(DOOR_TYPE + 1, 1), 0 },
		{ _IOR(DOOR_TYPE, 1, u32), 0 },
		{ U32_MAX, 0 },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(cases); i++)
		KUNIT_EXPECT_PTR_EQ_MSG(test, door_row_of(&door, cases[i].cmd),
					door_rows[cases[i].row], "case %u", i);
}

/* The first test that fails decides: each is also seen with all those behind it failing. */
static void door_refusals(struct kunit *test)
{
	static const struct {
		const char *what;
		struct door_arg arg;
		int ret;
	} cases[] = {
		{ "all of it", { 0, 2, 1, 0, -1, 8, 1, 1, 1 }, -EOPNOTSUPP },
		{ "a flag more", { 0, 3, 0, 4096 }, -EOPNOTSUPP },
		{ "all but flags", { 0, 1, 1, 0, -1, 8, 1, 1, 1 }, -EINVAL },
		{ "reserved", { 0, 0, 0, 4096, 0, 0, 1, 0 }, -EINVAL },
		{ "the second", { 0, 0, 0, 4096, 0, 0, 0, 1U << 31 }, -EINVAL },
		{ "no length", { 0, 0, 4096, 0 }, -EINVAL },
		{ "half a page", { 0, 0, 4096, 2048 }, -EINVAL },
		{ "from half a page", { 0, 0, 2048, 4096 }, -EINVAL },
		{ "around the end", { 0, 0, 0 - 4096ULL, 8192 }, -EINVAL },
		{ "a span and a value", { 0, 0, 1, 0, 0, 0, 0, 0, 1 }, -EINVAL },
		{ "a value", { 0, 0, 0, 4096, 0, 0, 0, 0, 1 }, -ERANGE },
		{ "a value and a GPU", { 0, 0, 0, 4096, -1, 0, 0, 0, 1 }, -ERANGE },
		{ "no GPU", { 0, 0, 0, 4096, -1, 0 }, -ENODEV },
		{ "no second", { 0, 0, 0, 4096, 0, -1 }, -ENODEV },
		{ "one GPU too far", { 0, 0, 0, 4096, RM_MAX_GPUS, 0 }, -ENODEV },
		{ "the second", { 0, 0, 0, 4096, 0, S32_MAX }, -ENODEV },
		{ "far below", { 0, 0, 0, 4096, S32_MIN, 0 }, -ENODEV },
		{ "nothing", { 0, 1, 0, 4096, RM_MAX_GPUS - 1, 0 }, 0 },
		{ "to the end", { 0, 0, 0 - 8192ULL, 4096 }, 0 },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(cases); i++) {
		struct door_arg arg = cases[i].arg;
		int ret = door_run(&door, door_rows[1], NULL, &arg);

		KUNIT_EXPECT_EQ_MSG(test, ret, cases[i].ret, "%s", cases[i].what);
		KUNIT_EXPECT_EQ_MSG(test, arg.called, !ret, "%s", cases[i].what);
		KUNIT_EXPECT_EQ_MSG(test, arg.gpu_a, cases[i].arg.gpu_a, "%s", cases[i].what);
		KUNIT_EXPECT_EQ_MSG(test, arg.gpu_b, cases[i].arg.gpu_b, "%s", cases[i].what);
	}
}

/* Time passes for who is let in, and for nobody else. */
static void door_costs(struct kunit *test)
{
	u64 poll = rm_profile(rm_gpu(0), RM_PROFILE_cost_poll);
	u64 ioctl = rm_profile(rm_gpu(0), RM_PROFILE_cost_ioctl);
	const struct {
		unsigned int row;
		u64 length;
		int ret;
		u64 ns;
	} cases[] = {
		{ 1, 4096, 0, 0 },
		{ 3, 4096, 0, poll },
		{ 3, 0, -EINVAL, 0 },
		{ 4, 0, 0, 0 },
		{ 5, 0, -EXDEV, ioctl },
	};

	if (!sim_is_virtual())
		kunit_skip(test, "time passes anyway");
	KUNIT_EXPECT_GT(test, poll, 0);
	KUNIT_EXPECT_GT(test, ioctl, 0);
	for (unsigned int i = 0; i < ARRAY_SIZE(cases); i++) {
		struct door_arg arg = { .length = cases[i].length };
		u64 before = sim_now();
		int ret = door_run(&door, door_rows[cases[i].row], NULL, &arg);

		KUNIT_EXPECT_EQ_MSG(test, ret, cases[i].ret, "case %u", i);
		KUNIT_EXPECT_EQ_MSG(test, sim_now() - before, cases[i].ns, "case %u", i);
	}
}

static struct kunit_case door_cases[] = {
	KUNIT_CASE(door_find_rows),
	KUNIT_CASE(door_refusals),
	KUNIT_CASE(door_costs),
	{}
};

struct kunit_suite softgpu_door_suite = {
	.name = "softgpu_door",
	.test_cases = door_cases,
};
