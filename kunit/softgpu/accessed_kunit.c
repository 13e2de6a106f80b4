// SPDX-License-Identifier: GPL-2.0
/* Accesses of GPU memory: the device's stamps. */
#include <kunit/test.h>
#include "fake_device.h"
#include "softgpu/mmu/accessed.h"

#define M2	0x200000ULL
#define TICK	BIT(REG_ACCESSED_TICK_SHIFT)

static u32 stamp_2m(struct fake_device *dev, unsigned int i)
{
	return rm_reg_read(&dev->gpu, REG_ACCESSED_2M(i));
}

static u32 stamp_64k(struct fake_device *dev, unsigned int i)
{
	return rm_reg_read(&dev->gpu, REG_ACCESSED_64K(i));
}

static void accessed_stamps(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, "");
	struct sgpu_accessed *accessed = &dev->gpu.accessed;
	u64 last = dev->gpu.vram_bytes - 1;
	u32 first, second;

	/* off after reset */
	sgpu_accessed_mark(accessed, 0);
	KUNIT_EXPECT_EQ(test, stamp_2m(dev, 0), 0);

	fake_run(10 * TICK);
	rm_reg_write(&dev->gpu, REG_EXT_ENABLE, REG_CAP_ACCESSED);
	KUNIT_EXPECT_EQ(test, rm_reg_read(&dev->gpu, REG_EXT_ENABLE), REG_CAP_ACCESSED);
	sgpu_accessed_mark(accessed, 0x12345);
	first = stamp_2m(dev, 0);
	KUNIT_EXPECT_EQ(test, first, 1 + (u32)(sim_now() >> REG_ACCESSED_TICK_SHIFT));
	KUNIT_EXPECT_EQ(test, stamp_64k(dev, 1), first);
	KUNIT_EXPECT_EQ(test, stamp_64k(dev, 0), 0);
	KUNIT_EXPECT_EQ(test, stamp_64k(dev, 2), 0);

	/* the frame has the latest of its parts */
	fake_run(3 * TICK);
	sgpu_accessed_mark(accessed, M2 - 1);
	second = stamp_64k(dev, 31);
	KUNIT_EXPECT_EQ(test, second - first, 3);
	KUNIT_EXPECT_EQ(test, stamp_2m(dev, 0), second);
	KUNIT_EXPECT_EQ(test, stamp_64k(dev, 1), first);

	/* the end of memory; the reserve behind it has none */
	sgpu_accessed_mark(accessed, last);
	sgpu_accessed_mark(accessed, last + 1);
	KUNIT_EXPECT_EQ(test, stamp_2m(dev, last / M2), second);
	KUNIT_EXPECT_EQ(test, stamp_64k(dev, last >> 16), second);
	KUNIT_EXPECT_EQ(test, stamp_2m(dev, last / M2 + 1), 0);
	KUNIT_EXPECT_EQ(test, stamp_64k(dev, (last >> 16) + 1), 0);
	KUNIT_EXPECT_EQ(test, rm_reg_read(&dev->gpu, REG_ACCESSED_LAST - 3), 0);

	/* read only; off, nothing is stamped and nothing lost; on again, all is */
	rm_reg_write(&dev->gpu, REG_ACCESSED_2M(0), 7);
	rm_reg_write(&dev->gpu, REG_EXT_ENABLE, REG_CAP_FAULT_ORIGIN);
	fake_run(5 * TICK);
	sgpu_accessed_mark(accessed, 0);
	KUNIT_EXPECT_EQ(test, stamp_2m(dev, 0), second);
	rm_reg_write(&dev->gpu, REG_EXT_ENABLE, REG_CAP_FAULT_ORIGIN | REG_CAP_ACCESSED);
	KUNIT_EXPECT_EQ(test, stamp_2m(dev, 0), 0);
	KUNIT_EXPECT_EQ(test, stamp_64k(dev, 31), 0);
}

/* Whenever ticks begin, the first one is as long as the others. */
static void accessed_start(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, "");
	struct sgpu_accessed *accessed = &dev->gpu.accessed;
	unsigned int i;

	rm_reg_write(&dev->gpu, REG_EXT_ENABLE, REG_CAP_ACCESSED);
	for (i = 0; i < 3; i++) {
		fake_run(TICK / 3 + 7);
		sgpu_accessed_mark(accessed, M2);
		rm_reg_write(&dev->gpu, REG_ACCESSED_START, 0);
		KUNIT_EXPECT_EQ(test, stamp_2m(dev, 1), 0);
		KUNIT_EXPECT_EQ(test, stamp_64k(dev, 32), 0);
		sgpu_accessed_mark(accessed, 0);
		KUNIT_EXPECT_EQ(test, stamp_2m(dev, 0), 1);
		fake_run(TICK - 1);
		sgpu_accessed_mark(accessed, 0);
		KUNIT_EXPECT_EQ(test, stamp_2m(dev, 0), 1);
		fake_run(1);
		sgpu_accessed_mark(accessed, 0);
		KUNIT_EXPECT_EQ(test, stamp_2m(dev, 0), 2);
	}
}

static struct kunit_case accessed_device_cases[] = {
	KUNIT_CASE(accessed_stamps),
	KUNIT_CASE(accessed_start),
	{}
};

struct kunit_suite softgpu_accessed_suite = {
	.name = "softgpu_accessed",
	.test_cases = accessed_device_cases,
};
