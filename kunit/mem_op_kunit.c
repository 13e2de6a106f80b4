// SPDX-License-Identifier: GPL-2.0
/* softgpu memory instructions: latencies. */
#include <kunit/test.h>
#include "fake_device.h"
#include "../softgpu/mem_op.h"

#define NOW	1000

/* An operation's lines, and what they take: 400, 4 for each further line; 11 compressed. */
static const struct {
	const char *name;
	enum sgpu_access_kind kind;
	u32 vid, sys;
	u64 ps, compressed_ps;
} mem_rows[] = {
	{ "one line", SGPU_READ, 1, 0, 400, 411 },
	{ "three lines", SGPU_WRITE, 3, 0, 408, 419 },
	{ "over the link", SGPU_READ, 0, 2, 1020, 1020 },
	{ "both", SGPU_READ, 2, 1, 1010, 1010 },
	{ "nothing", SGPU_READ, 0, 0, 0, 0 },
	{ "prefetch", SGPU_PREFETCH, 1, 0, 0, 0 },
};

static void mem_latency(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, NULL);
	struct sgpu_sm *sm = kunit_kzalloc(test, sizeof(*sm), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, sm);
	sm->gpu = &dev->gpu;
	sm->is_virtual = true;
	sm->mem_ps = 400;
	sm->line_ps = 4;
	sm->compression_ps = 11;
	sm->remote_ps = 1000;
	sm->remote_line_ps = 10;
	for (i = 0; i < ARRAY_SIZE(mem_rows); i++) {
		struct sgpu_mem_op *op = kunit_kzalloc(test, sizeof(*op), GFP_KERNEL);

		KUNIT_ASSERT_NOT_NULL(test, op);
		op->kind = mem_rows[i].kind;
		op->lines[RM_APERTURE_VID] = mem_rows[i].vid;
		op->lines[RM_APERTURE_SYS] = mem_rows[i].sys;
		rm_reg_write(&dev->gpu, REG_EXT_ENABLE, 0);
		KUNIT_EXPECT_EQ_MSG(test, mem_rows[i].ps, sgpu_mem_op_latency(sm, op, NOW), "%s",
				    mem_rows[i].name);
		rm_reg_write(&dev->gpu, REG_EXT_ENABLE, REG_CAP_COMPRESSION);
		KUNIT_EXPECT_EQ_MSG(test, mem_rows[i].compressed_ps,
				    sgpu_mem_op_latency(sm, op, NOW), "%s, compressed",
				    mem_rows[i].name);
	}
}

static struct kunit_case mem_op_cases[] = {
	KUNIT_CASE(mem_latency),
	{}
};

struct kunit_suite softgpu_mem_op_suite = {
	.name = "softgpu_mem_op",
	.test_cases = mem_op_cases,
};
