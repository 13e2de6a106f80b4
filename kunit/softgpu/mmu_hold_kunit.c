// SPDX-License-Identifier: GPL-2.0
/* softgpu REG_CAP_ACCESS_STALL: accesses that wait for their access counter to be cleared. */
#include <kunit/test.h>
#include <linux/bitfield.h>
#include <softgpu/access_counter_format.h>
#include <softgpu/host_class.h>
#include "fake_device.h"
#include "softgpu/context_types.h"
#include "softgpu/mmu/access_counter.h"
#include "softgpu/mmu/mmu_hold.h"
#include "softgpu/mmu/mmu_mshr.h"

/* 16 banks of one set of 8 ways; 1 ns cycles; a miss costs 10 + 100 ns. */
#define SET \
	"access_counters:128,access_ring_entries:16,utlb_port_cycles:0,sm_clock_khz:1000000," \
	"l2tlb_cycles:10,walk_cycles:100,sm_count:8,sms_per_utlb:2,gpc_count:2,utlb_faults:8"
#define VA	0x10000000ULL
#define PIECE	0x10000ULL
/* granules that share a set */
#define STEP	(16 * PIECE)
#define MISS_NS	110

static struct fake_device *hold_create(struct kunit *test, unsigned int threshold)
{
	struct fake_device *dev = fake_device_create(test, SET ",access_counter_stall:1");
	unsigned int i;

	for (i = 0; i < 16; i++)
		fake_map(test, dev, VA + i * PIECE, 12, FAKE_PTE(i * 4096));
	rm_reg_write(&dev->gpu, REG_EXT_ENABLE, REG_CAP_ACCESS_STALL);
	rm_reg_write(&dev->gpu, REG_ACCESS_COUNTER_CONFIG, REG_ACCESS_COUNTER_ENABLE |
		     FIELD_PREP(REG_ACCESS_COUNTER_GRANULARITY, ACCESS_GRANULARITY_64K) |
		     FIELD_PREP(REG_ACCESS_COUNTER_THRESHOLD, threshold));
	return dev;
}

static enum sgpu_counted hold_count(struct fake_device *dev, u64 va)
{
	return sgpu_access_counters_count(&dev->gpu, FAKE_INSTANCE, va, false, 1);
}

/* An access of piece @n, which waits. */
static void hold_one(struct fake_device *dev, unsigned int i, unsigned int n)
{
	struct fake_access *a = &dev->accesses[i];

	memset(a, 0, sizeof(*a));
	a->access.as = &dev->as;
	a->access.va = VA + n * PIECE;
	a->access.kind = SGPU_READ;
	a->access.sm = i % 8;
	sgpu_mmu_hold(&dev->gpu, &a->access, sgpu_now_ps());
}

/* The counter that record @i is about. */
static void hold_clear(struct fake_device *dev, unsigned int i)
{
	const u32 *rec = dev->gpu.counters.ring + i * ACCESS_RECORD_WORDS;

	struct sgpu_counter_span span;

	if (sgpu_access_counters_clear_one(&dev->gpu, FIELD_GET(ACCESS_W0_BANK, rec[0]),
					   FIELD_GET(ACCESS_W5_TAG, rec[5]), &span))
		sgpu_mmu_release(&dev->gpu, &span);
}

static u32 hold_put(struct fake_device *dev)
{
	return rm_reg_read(&dev->gpu, REG_ACCESS_COUNTER_PUT) & ~REG_ACCESS_COUNTER_OVERFLOW;
}

/* What meets the threshold is counted and waits; what comes after it waits, uncounted. */
static void hold_threshold(struct kunit *test)
{
	struct fake_device *dev = hold_create(test, 3);
	struct sgpu_access_counters *ac = &dev->gpu.counters;

	KUNIT_EXPECT_EQ(test, SGPU_COUNTED_GO, hold_count(dev, VA));
	KUNIT_EXPECT_EQ(test, SGPU_COUNTED_GO, hold_count(dev, VA));
	KUNIT_EXPECT_FALSE(test, sgpu_access_counters_stall(&dev->gpu, FAKE_INSTANCE, VA));
	KUNIT_EXPECT_EQ(test, SGPU_COUNTED_WAIT, hold_count(dev, VA));
	KUNIT_EXPECT_EQ(test, 1, hold_put(dev));
	KUNIT_EXPECT_EQ(test, SGPU_COUNTED_NOT, hold_count(dev, VA + PIECE - 1));
	KUNIT_EXPECT_EQ(test, 3, ac->accesses);
	KUNIT_EXPECT_TRUE(test, sgpu_access_counters_stall(&dev->gpu, FAKE_INSTANCE, VA));
	/* others do not wait: the next granule, another context */
	KUNIT_EXPECT_EQ(test, SGPU_COUNTED_GO, hold_count(dev, VA + PIECE));
	KUNIT_EXPECT_FALSE(test, sgpu_access_counters_stall(&dev->gpu, FAKE_INSTANCE + 0x1000, VA));
	hold_clear(dev, 0);
	KUNIT_EXPECT_FALSE(test, sgpu_access_counters_stall(&dev->gpu, FAKE_INSTANCE, VA));
	KUNIT_EXPECT_EQ(test, SGPU_COUNTED_GO, hold_count(dev, VA));
}

/* Off, nobody waits: as without the extension, and for a record that did not fit. */
static void hold_not(struct kunit *test)
{
	struct fake_device *dev = hold_create(test, 1);
	unsigned int i;

	for (i = 0; i < 15; i++)
		KUNIT_EXPECT_EQ(test, SGPU_COUNTED_WAIT, hold_count(dev, VA + i * PIECE));
	KUNIT_EXPECT_EQ(test, SGPU_COUNTED_GO, hold_count(dev, VA + 15 * PIECE));
	KUNIT_EXPECT_EQ(test, 1, dev->gpu.counters.dropped);
	rm_reg_write(&dev->gpu, REG_EXT_ENABLE, 0);
	KUNIT_EXPECT_EQ(test, SGPU_COUNTED_GO, hold_count(dev, VA));

	dev = fake_device_create(test, SET);
	rm_reg_write(&dev->gpu, REG_EXT_ENABLE, U32_MAX);
	KUNIT_EXPECT_EQ(test, 0, rm_reg_read(&dev->gpu, REG_CAPS) & REG_CAP_ACCESS_STALL);
	KUNIT_EXPECT_EQ(test, 0, rm_reg_read(&dev->gpu, REG_EXT_ENABLE) & REG_CAP_ACCESS_STALL);
	KUNIT_EXPECT_FALSE(test, dev->gpu.counters.stall);
}

/* A counter that somebody waits for is not taken; who finds no other is not counted. */
static void hold_set(struct kunit *test)
{
	struct fake_device *dev = hold_create(test, 2);
	struct sgpu_access_counters *ac = &dev->gpu.counters;
	unsigned int i;

	for (i = 0; i < 7; i++) {
		hold_count(dev, VA + i * STEP);
		KUNIT_EXPECT_EQ(test, SGPU_COUNTED_WAIT, hold_count(dev, VA + i * STEP));
	}
	hold_count(dev, VA + 7 * STEP);
	/* the only one that may be taken, though it is the youngest */
	KUNIT_EXPECT_EQ(test, SGPU_COUNTED_GO, hold_count(dev, VA + 8 * STEP));
	KUNIT_EXPECT_EQ(test, 1, ac->evicted);
	KUNIT_EXPECT_EQ(test, SGPU_COUNTED_WAIT, hold_count(dev, VA + 8 * STEP));
	for (i = 0; i < 5; i++)
		KUNIT_EXPECT_EQ(test, SGPU_COUNTED_GO, hold_count(dev, VA + 9 * STEP));
	KUNIT_EXPECT_EQ(test, 17, ac->accesses);
	KUNIT_EXPECT_EQ(test, 5, ac->uncounted);
	KUNIT_EXPECT_EQ(test, 8, hold_put(dev));
	for (i = 0; i < 7; i++)
		KUNIT_EXPECT_TRUE(test, sgpu_access_counters_stall(&dev->gpu, FAKE_INSTANCE,
								   VA + i * STEP));
}

/* A clear lets go who waited for that counter, and has it translated anew. */
static void hold_release(struct kunit *test)
{
	struct fake_device *dev = hold_create(test, 1);
	u64 begin = sim_now();

	hold_count(dev, VA);
	hold_count(dev, VA + PIECE);
	hold_one(dev, 0, 0);
	hold_one(dev, 1, 1);
	hold_one(dev, 2, 0);
	fake_run(1000);
	KUNIT_EXPECT_EQ(test, 0, dev->called);
	KUNIT_EXPECT_FALSE(test, sgpu_mmu_busy(&dev->gpu));
	KUNIT_EXPECT_FALSE(test, sgpu_mmu_waits(&dev->gpu, &dev->accesses[0].access));
	hold_clear(dev, 0);
	fake_run(1000);
	KUNIT_EXPECT_EQ(test, 2, dev->called);
	KUNIT_EXPECT_TRUE(test, dev->accesses[0].translated);
	KUNIT_EXPECT_FALSE(test, dev->accesses[1].translated);
	KUNIT_EXPECT_TRUE(test, dev->accesses[2].translated);
	KUNIT_EXPECT_EQ(test, begin + 1000 + MISS_NS, dev->accesses[0].when_ps / PS_PER_NS);
	/* in the order in which they began to wait */
	KUNIT_EXPECT_LT(test, dev->accesses[0].access.issue_seq,
			dev->accesses[2].access.issue_seq);
	hold_clear(dev, 1);
	fake_run(1000);
	KUNIT_EXPECT_TRUE(test, dev->accesses[1].translated);
	KUNIT_EXPECT_EQ(test, 3, dev->gpu.mmu.holds);
	KUNIT_EXPECT_EQ(test, 3, dev->gpu.mmu.released);
}

static void hold_off(struct rm_gpu *gpu)
{
	rm_reg_write(gpu, REG_ACCESS_COUNTER_CONFIG, 0);
}

static void hold_other_granules(struct rm_gpu *gpu)
{
	rm_reg_write(gpu, REG_ACCESS_COUNTER_CONFIG, REG_ACCESS_COUNTER_ENABLE |
		     FIELD_PREP(REG_ACCESS_COUNTER_GRANULARITY, ACCESS_GRANULARITY_2M));
}

static void hold_extension_off(struct rm_gpu *gpu)
{
	rm_reg_write(gpu, REG_EXT_ENABLE, 0);
}

static void hold_clear_all(struct rm_gpu *gpu)
{
	sgpu_access_counters_clear(gpu, HOST_COUNTER_CLR_ALL);
	sgpu_mmu_release(gpu, NULL);
}

/* The driver takes the page directory away: nobody will clear the counters of this context. */
static void hold_directory(struct rm_gpu *gpu)
{
	struct rm_context *context = kzalloc(sizeof(*context), GFP_KERNEL);

	if (!context)
		return;
	context->gpu = gpu;
	context->as.instance = FAKE_INSTANCE;
	rm_context_unset_page_directory(context);
	kfree(context);
}

/* Whatever makes the counter tell nothing any more lets go. */
static void hold_ends(struct kunit *test)
{
	static void (* const ends[])(struct rm_gpu *gpu) = {
		hold_off, hold_other_granules, hold_extension_off, hold_clear_all, hold_directory,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ends); i++) {
		struct fake_device *dev = hold_create(test, 1);

		hold_count(dev, VA);
		hold_one(dev, 0, 0);
		fake_run(1000);
		KUNIT_EXPECT_EQ_MSG(test, 0, dev->called, "end %u", i);
		ends[i](&dev->gpu);
		fake_run(1000);
		KUNIT_EXPECT_EQ_MSG(test, 1, dev->called, "end %u", i);
		KUNIT_EXPECT_TRUE_MSG(test, dev->accesses[0].translated, "end %u", i);
	}
}

/* One that was cleared before the access came is no reason to wait. */
static void hold_late(struct kunit *test)
{
	struct fake_device *dev = hold_create(test, 1);

	KUNIT_EXPECT_EQ(test, SGPU_COUNTED_WAIT, hold_count(dev, VA));
	hold_clear(dev, 0);
	hold_one(dev, 0, 0);
	fake_run(1000);
	KUNIT_EXPECT_TRUE(test, dev->accesses[0].translated);
}

/* Its launch ends; its context goes. */
static void hold_forgotten(struct kunit *test)
{
	struct fake_device *dev = hold_create(test, 1);

	hold_count(dev, VA);
	hold_one(dev, 0, 0);
	hold_one(dev, 1, 0);
	sgpu_mmu_forget(&dev->gpu, &dev->accesses[0].access);
	KUNIT_EXPECT_TRUE(test, list_is_singular(&dev->gpu.mmu.held));
	dev->as.bound = false;
	sgpu_access_counters_forget(&dev->gpu, FAKE_INSTANCE);
	sgpu_mmu_release(&dev->gpu, NULL);
	fake_run(1000);
	KUNIT_EXPECT_EQ(test, 1, dev->called);
	KUNIT_EXPECT_TRUE(test, dev->accesses[1].cancelled);
	KUNIT_EXPECT_TRUE(test, list_empty(&dev->gpu.mmu.held));
	KUNIT_EXPECT_EQ(test, 0, dev->gpu.mmu.waiting);
}

/* The host method clears and lets go. */
static void hold_method(struct kunit *test)
{
	struct fake_device *dev = hold_create(test, 1);
	struct fake_channel ch;

	fake_channel_open(test, dev, &ch, RM_ENGINE_CE_INTERNAL);
	hold_count(dev, VA);
	hold_one(dev, 0, 0);
	fake_method(&ch, HOST_MEM_OP_C, 0);
	fake_method(&ch, HOST_MEM_OP_D,
		    FIELD_PREP(HOST_MEM_OP_D_COUNTER_CLR, HOST_COUNTER_CLR_ALL) |
		    FIELD_PREP(HOST_MEM_OP_D_OPERATION, HOST_MEM_OP_ACCESS_COUNTER_CLR));
	fake_submit(&ch);
	fake_run(10000);
	KUNIT_EXPECT_EQ(test, 0, *ch.info->error);
	KUNIT_EXPECT_TRUE(test, dev->accesses[0].translated);
}

static struct kunit_case hold_cases[] = {
	KUNIT_CASE(hold_threshold),
	KUNIT_CASE(hold_not),
	KUNIT_CASE(hold_set),
	KUNIT_CASE(hold_release),
	KUNIT_CASE(hold_ends),
	KUNIT_CASE(hold_late),
	KUNIT_CASE(hold_forgotten),
	KUNIT_CASE(hold_method),
	{}
};

struct kunit_suite softgpu_mmu_hold_suite = {
	.name = "softgpu_mmu_hold",
	.test_cases = hold_cases,
};
