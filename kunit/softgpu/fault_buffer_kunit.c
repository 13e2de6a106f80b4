// SPDX-License-Identifier: GPL-2.0
/* softgpu fault buffer: registers, order, interrupt levels and pulses. */
#include <kunit/test.h>
#include <linux/preempt.h>
#include <softgpu/fault_format.h>
#include "fake_device.h"
#include "softgpu/base/extension.h"
#include "softgpu/clock/clock.h"
#include "softgpu/mmu/fault_buffer.h"

#define SET	"fault_write_ns:300,interrupt_ns:500,fault_ring_entries:8"
#define FAULT	REG_INTR_REPLAYABLE_FAULT

struct fb_irqs {
	struct rm_gpu *gpu;
	unsigned int count;
	unsigned int in_irq;
	u64 when;
	bool mask;			/* the handler masks, as a top half does */
};

static void fb_handler(void *data)
{
	struct fb_irqs *irqs = data;

	irqs->count++;
	irqs->in_irq += !!in_hardirq();
	irqs->when = sim_now();
	if (irqs->mask)
		rm_reg_write(irqs->gpu, REG_INTR_EN_CLEAR, FAULT);
}

static struct fake_device *fb_create(struct kunit *test, struct fb_irqs *irqs)
{
	struct fake_device *dev = fake_device_create(test, SET);

	irqs->gpu = &dev->gpu;
	rm_intr_register(&dev->gpu, fb_handler, irqs);
	return dev;
}

static void fb_report(struct fake_device *dev, u64 va)
{
	struct sgpu_fault f = { .detect_ps = sgpu_now_ps(), .va = va, .type = FAULT_TYPE_PTE };

	sgpu_fault_report(&dev->gpu, &f);
}

/* Visible fault_write_ns after detection, in that order, PUT after the record. */
static void fb_visible(struct kunit *test)
{
	struct fb_irqs irqs = {};
	struct fake_device *dev = fb_create(test, &irqs);

	fb_report(dev, 0x1000);
	fake_run(100);
	fb_report(dev, 0x2000);
	KUNIT_EXPECT_TRUE(test, sgpu_fault_buffer_busy(&dev->gpu));
	fake_run(199);
	KUNIT_EXPECT_EQ(test, 0, rm_reg_read(&dev->gpu, REG_FAULT_PUT));
	KUNIT_EXPECT_EQ(test, 0, rm_reg_read(&dev->gpu, REG_INTR_PENDING));
	fake_run(2);
	KUNIT_EXPECT_EQ(test, 1, rm_reg_read(&dev->gpu, REG_FAULT_PUT));
	KUNIT_EXPECT_EQ(test, FAULT, rm_reg_read(&dev->gpu, REG_INTR_PENDING));
	KUNIT_EXPECT_EQ(test, 0x1000, fake_record(dev, 0)[2]);
	fake_run(100);
	KUNIT_EXPECT_EQ(test, 2, rm_reg_read(&dev->gpu, REG_FAULT_PUT));
	KUNIT_EXPECT_EQ(test, 0x2000, fake_record(dev, 1)[2]);
	KUNIT_EXPECT_FALSE(test, sgpu_fault_buffer_busy(&dev->gpu));
	/* Not enabled: nothing was raised. */
	KUNIT_EXPECT_EQ(test, 0, irqs.count);
}

/* The ring holds one record less than its size and wraps. */
static void fb_wrap(struct kunit *test)
{
	struct fb_irqs irqs = {};
	struct fake_device *dev = fb_create(test, &irqs);
	unsigned int i;

	KUNIT_EXPECT_EQ(test, 8, rm_reg_read(&dev->gpu, REG_FAULT_SIZE));
	for (i = 0; i < 8; i++)
		fb_report(dev, 0x1000 * (i + 1));
	fake_run(1000);
	KUNIT_EXPECT_EQ(test, 7 | REG_FAULT_PUT_OVERFLOW, rm_reg_read(&dev->gpu, REG_FAULT_PUT));
	rm_reg_write(&dev->gpu, REG_FAULT_GET, 5);
	/* Moving GET does not clear the overflow; an index outside does nothing. */
	rm_reg_write(&dev->gpu, REG_FAULT_GET, 8);
	KUNIT_EXPECT_EQ(test, 5, rm_reg_read(&dev->gpu, REG_FAULT_GET));
	KUNIT_EXPECT_EQ(test, 7 | REG_FAULT_PUT_OVERFLOW, rm_reg_read(&dev->gpu, REG_FAULT_PUT));
	rm_reg_write(&dev->gpu, REG_FAULT_GET, 5 | REG_FAULT_GET_CLEAR_OVERFLOW);
	fb_report(dev, 0xa000);
	fb_report(dev, 0xb000);
	fake_run(1000);
	KUNIT_EXPECT_EQ(test, 1, rm_reg_read(&dev->gpu, REG_FAULT_PUT));
	KUNIT_EXPECT_EQ(test, 0xb000, fake_record(dev, 0)[2]);
	rm_reg_write(&dev->gpu, REG_FAULT_GET, 1);
	KUNIT_EXPECT_EQ(test, 0, rm_reg_read(&dev->gpu, REG_INTR_PENDING));
}

/* In hard interrupt context, interrupt_ns after the record; once per rise. */
static void fb_interrupt(struct kunit *test)
{
	struct fb_irqs irqs = {};
	struct fake_device *dev = fb_create(test, &irqs);
	u64 start = sim_now();

	rm_reg_write(&dev->gpu, REG_INTR_EN_SET, FAULT);
	fb_report(dev, 0x1000);
	fake_run(2000);
	KUNIT_EXPECT_EQ(test, 1, irqs.count);
	KUNIT_EXPECT_EQ(test, 1, irqs.in_irq);
	KUNIT_EXPECT_EQ(test, start + 800, irqs.when);
	/* Level still high: a second record is no new rise. */
	fb_report(dev, 0x2000);
	fake_run(2000);
	KUNIT_EXPECT_EQ(test, 1, irqs.count);
	/* A write of GET that leaves something: a pulse. */
	rm_reg_write(&dev->gpu, REG_FAULT_GET, 1);
	KUNIT_EXPECT_EQ(test, 1, irqs.count);	/* never inside the write */
	fake_run(2000);
	KUNIT_EXPECT_EQ(test, 2, irqs.count);
	/* Emptied: no pulse. */
	rm_reg_write(&dev->gpu, REG_FAULT_GET, 2);
	fake_run(2000);
	KUNIT_EXPECT_EQ(test, 2, irqs.count);
}

/* Masked by the top half: EN_SET brings back what came meanwhile (2.2). */
static void fb_mask(struct kunit *test)
{
	struct fb_irqs irqs = { .mask = true };
	struct fake_device *dev = fb_create(test, &irqs);

	rm_reg_write(&dev->gpu, REG_INTR_EN_SET, FAULT);
	fb_report(dev, 0x1000);
	fake_run(2000);
	KUNIT_EXPECT_EQ(test, 1, irqs.count);
	KUNIT_EXPECT_EQ(test, 0, rm_reg_read(&dev->gpu, REG_INTR_EN));
	rm_reg_write(&dev->gpu, REG_FAULT_GET, 1);
	fb_report(dev, 0x2000);
	fake_run(2000);
	KUNIT_EXPECT_EQ(test, 1, irqs.count);
	rm_reg_write(&dev->gpu, REG_INTR_EN_SET, FAULT);
	fake_run(2000);
	KUNIT_EXPECT_EQ(test, 2, irqs.count);
	/* Gone before it is raised: not raised. */
	rm_reg_write(&dev->gpu, REG_INTR_EN_SET, FAULT);
	fake_run(100);
	rm_reg_write(&dev->gpu, REG_FAULT_GET, 2);
	fake_run(2000);
	KUNIT_EXPECT_EQ(test, 2, irqs.count);
	/* Nobody registered: nothing happens. */
	rm_intr_register(&dev->gpu, NULL, NULL);
	rm_reg_write(&dev->gpu, REG_INTR_EN_SET, FAULT);
	fb_report(dev, 0x3000);
	fake_run(2000);
	KUNIT_EXPECT_EQ(test, 2, irqs.count);
}

static const u32 *fb_origin_record(struct fake_device *dev, unsigned int i)
{
	return dev->gpu.faults.origin + i * FAULT_ORIGIN_WORDS;
}

static void fb_report_from(struct fake_device *dev, u64 va, const struct sgpu_origin *origin)
{
	struct sgpu_fault f = {
		.detect_ps = sgpu_now_ps(), .va = va, .type = FAULT_TYPE_PTE, .origin = *origin,
	};

	sgpu_fault_report(&dev->gpu, &f);
	fake_run(1000);
}

/* Extension: off by default; on, the record of the same index says who it was. */
static void fb_origin(struct kunit *test)
{
	const struct sgpu_origin a = { 0x123456789aULL, 0x4000000000001004ULL, 79, 31 };
	const struct sgpu_origin b = { 1, 0x4000000000000ffcULL, 0, 2 };
	const u32 want_a[FAULT_ORIGIN_WORDS] = { 79, 31, 0x3456789a, 0x12, 0x1004, 0x40000000 };
	const u32 want_b[FAULT_ORIGIN_WORDS] = { 0, 2, 1, 0, 0xffc, 0x40000000 };
	static const u32 none[FAULT_ORIGIN_WORDS];
	struct fb_irqs irqs = {};
	struct fake_device *dev = fb_create(test, &irqs);

	KUNIT_EXPECT_EQ(test, 0, rm_reg_read(&dev->gpu, REG_EXT_ENABLE));
	fb_report_from(dev, 0x1000, &a);
	KUNIT_EXPECT_MEMEQ(test, none, fb_origin_record(dev, 0), sizeof(none));
	rm_reg_write(&dev->gpu, REG_EXT_ENABLE, ~0U);
	KUNIT_EXPECT_EQ(test, rm_reg_read(&dev->gpu, REG_CAPS),
			rm_reg_read(&dev->gpu, REG_EXT_ENABLE));
	fb_report_from(dev, 0x2000, &a);
	fb_report_from(dev, 0x3000, &b);
	KUNIT_EXPECT_MEMEQ(test, none, fb_origin_record(dev, 0), sizeof(none));
	KUNIT_EXPECT_MEMEQ(test, want_a, fb_origin_record(dev, 1), sizeof(want_a));
	KUNIT_EXPECT_MEMEQ(test, want_b, fb_origin_record(dev, 2), sizeof(want_b));
	/* The fault record itself is as without. */
	KUNIT_EXPECT_EQ(test, 0x2000, fake_record(dev, 1)[2]);
	/* Off and on again: nothing old is left. */
	rm_reg_write(&dev->gpu, REG_EXT_ENABLE, 0);
	fb_report_from(dev, 0x4000, &b);
	KUNIT_EXPECT_MEMEQ(test, none, fb_origin_record(dev, 3), sizeof(none));
	rm_reg_write(&dev->gpu, REG_EXT_ENABLE, REG_CAP_FAULT_ORIGIN);
	KUNIT_EXPECT_MEMEQ(test, none, fb_origin_record(dev, 1), sizeof(none));
}

/* Registers that do not exist read 0; PTIMER is device time. */
static void fb_registers(struct kunit *test)
{
	struct fb_irqs irqs = {};
	struct fake_device *dev = fb_create(test, &irqs);
	u64 now = sim_now();

	KUNIT_EXPECT_EQ(test, 0x7f, rm_reg_read(&dev->gpu, REG_CAPS));
	rm_reg_write(&dev->gpu, REG_CAPS, 0);
	KUNIT_EXPECT_EQ(test, 0x7f, rm_reg_read(&dev->gpu, REG_CAPS));
	KUNIT_EXPECT_EQ(test, 0, rm_reg_read(&dev->gpu, 0xdead0));
	rm_reg_write(&dev->gpu, 0xdead0, 1);
	rm_reg_write(&dev->gpu, REG_FAULT_PUT, 3);
	rm_reg_write(&dev->gpu, REG_FAULT_SIZE, 3);
	KUNIT_EXPECT_EQ(test, 0, rm_reg_read(&dev->gpu, REG_FAULT_PUT));
	KUNIT_EXPECT_EQ(test, 8, rm_reg_read(&dev->gpu, REG_FAULT_SIZE));
	KUNIT_EXPECT_EQ(test, lower_32_bits(now), rm_reg_read(&dev->gpu, REG_TIME_LO));
	KUNIT_EXPECT_EQ(test, upper_32_bits(now), rm_reg_read(&dev->gpu, REG_TIME_HI));
	rm_reg_write(&dev->gpu, REG_INTR_EN_SET, ~0U);
	KUNIT_EXPECT_EQ(test, 15, rm_reg_read(&dev->gpu, REG_INTR_EN));
	rm_reg_write(&dev->gpu, REG_INTR_EN_CLEAR, 5);
	KUNIT_EXPECT_EQ(test, 10, rm_reg_read(&dev->gpu, REG_INTR_EN));
	KUNIT_EXPECT_EQ(test, 1, rm_reg_read(&dev->gpu, REG_FAULT_PREFETCH));
}

/* Limits of extensions: what they keep, whatever REG_EXT_ENABLE says, and what counts. */
static void fb_limits(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, "extra_blocks_max:3,sm_count:8");
	struct rm_gpu *gpu = &dev->gpu;

	KUNIT_EXPECT_EQ(test, 3, rm_reg_read(gpu, REG_OVERSUB_MAX));
	KUNIT_EXPECT_EQ(test, 8, rm_reg_read(gpu, REG_SM_COUNT));
	rm_reg_write(gpu, REG_OVERSUB_MAX, 9);
	rm_reg_write(gpu, REG_SM_COUNT, 9);
	KUNIT_EXPECT_EQ(test, 3, rm_reg_read(gpu, REG_OVERSUB_MAX));
	KUNIT_EXPECT_EQ(test, 8, rm_reg_read(gpu, REG_SM_COUNT));
	rm_reg_write(gpu, REG_OVERSUB_LIMIT, 2);
	rm_reg_write(gpu, REG_SM_LIMIT, 4);
	KUNIT_EXPECT_EQ(test, 2, rm_reg_read(gpu, REG_OVERSUB_LIMIT));
	KUNIT_EXPECT_EQ(test, 4, rm_reg_read(gpu, REG_SM_LIMIT));
	KUNIT_EXPECT_EQ(test, 0, sgpu_extra_ctas(gpu));
	KUNIT_EXPECT_FALSE(test, sgpu_sm_is_off(gpu, 7));
	rm_reg_write(gpu, REG_EXT_ENABLE, REG_CAP_OVERSUBSCRIBE | REG_CAP_SM_LIMIT);
	KUNIT_EXPECT_EQ(test, 2, sgpu_extra_ctas(gpu));
	KUNIT_EXPECT_TRUE(test, sgpu_sm_is_off(gpu, 4));
	KUNIT_EXPECT_FALSE(test, sgpu_sm_is_off(gpu, 3));
	rm_reg_write(gpu, REG_OVERSUB_LIMIT, 100);
	rm_reg_write(gpu, REG_SM_LIMIT, 0);
	KUNIT_EXPECT_EQ(test, 3, rm_reg_read(gpu, REG_OVERSUB_LIMIT));
	KUNIT_EXPECT_FALSE(test, sgpu_sm_is_off(gpu, 7));
}

static struct kunit_case fb_kunit_cases[] = {
	KUNIT_CASE(fb_visible),
	KUNIT_CASE(fb_wrap),
	KUNIT_CASE(fb_interrupt),
	KUNIT_CASE(fb_mask),
	KUNIT_CASE(fb_origin),
	KUNIT_CASE(fb_registers),
	KUNIT_CASE(fb_limits),
	{}
};

struct kunit_suite softgpu_fault_buffer_suite = {
	.name = "softgpu_fault_buffer",
	.test_cases = fb_kunit_cases,
};
