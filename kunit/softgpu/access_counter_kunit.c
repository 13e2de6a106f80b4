// SPDX-License-Identifier: GPL-2.0
/* softgpu access counters: thresholds, silence, granules, clears, overflow, LRU. */
#include <kunit/test.h>
#include <linux/bitfield.h>
#include <softgpu/access_counter_format.h>
#include <softgpu/host_class.h>
#include "fake_device.h"
#include "softgpu/host/host.h"
#include "softgpu/host/host_method.h"
#include "softgpu/mmu/access_counter.h"

/* 16 banks of one set of 8 ways: granules 16 apart share their set. */
#define SET	"access_counters:128,access_ring_entries:4,access_clear_ns:100,interrupt_ns:500," \
		"doorbell_ns:100,method_ns:10"
#define INST	0x123000ULL
#define BASE	0x7f0000000000ULL
#define SZ_64K_	0x10000ULL
#define SZ_2M_	0x200000ULL

struct ac_fixture {
	struct fake_device *dev;
	unsigned int irqs;
	u64 when;
};

static void ac_handler(void *data)
{
	struct ac_fixture *f = data;

	f->irqs++;
	f->when = sim_now();
}

static void ac_config(struct fake_device *dev, unsigned int granularity, unsigned int threshold)
{
	rm_reg_write(&dev->gpu, REG_ACCESS_COUNTER_CONFIG, REG_ACCESS_COUNTER_ENABLE |
		     FIELD_PREP(REG_ACCESS_COUNTER_GRANULARITY, granularity) |
		     FIELD_PREP(REG_ACCESS_COUNTER_THRESHOLD, threshold));
}

static struct fake_device *ac_create(struct kunit *test, unsigned int granularity,
				     unsigned int threshold)
{
	struct fake_device *dev = fake_device_create(test, SET);

	ac_config(dev, granularity, threshold);
	return dev;
}

static void ac_count(struct fake_device *dev, u64 va, unsigned int times)
{
	while (times--)
		sgpu_access_counters_count(&dev->gpu, INST, va, false, 1);
}

static u32 ac_put(struct fake_device *dev)
{
	return rm_reg_read(&dev->gpu, REG_ACCESS_COUNTER_PUT);
}

static const u32 *ac_record(struct fake_device *dev, unsigned int i)
{
	return dev->gpu.counters.ring + i * ACCESS_RECORD_WORDS;
}

/* One record when the threshold is reached, then silence. */
static void ac_threshold(struct kunit *test)
{
	struct fake_device *dev = ac_create(test, ACCESS_GRANULARITY_2M, 4);
	const u32 *rec = ac_record(dev, 0);

	ac_count(dev, BASE + 0x1234, 3);
	KUNIT_EXPECT_EQ(test, 0, ac_put(dev));
	ac_count(dev, BASE + SZ_64K_ * 31 + 0x2345, 1);
	KUNIT_EXPECT_EQ(test, 1, ac_put(dev));
	ac_count(dev, BASE, 1000);
	KUNIT_EXPECT_EQ(test, 1, ac_put(dev));

	KUNIT_EXPECT_EQ(test, FIELD_PREP(ACCESS_W0_TYPE, ACCESS_TYPE_GPU) |
			FIELD_PREP(ACCESS_W0_APERTURE, ACCESS_APERTURE_SYS_COHERENT) |
			lower_32_bits(INST), rec[0]);
	KUNIT_EXPECT_EQ(test, 0, rec[1]);
	KUNIT_EXPECT_EQ(test, lower_32_bits(BASE + SZ_64K_ * 31 + 0x2000), rec[2]);
	KUNIT_EXPECT_EQ(test, upper_32_bits(BASE), rec[3]);
	KUNIT_EXPECT_EQ(test, BIT(0) | BIT(31), rec[4]);
	KUNIT_EXPECT_EQ(test, 0, FIELD_GET(ACCESS_W5_TAG, rec[5]));
	KUNIT_EXPECT_EQ(test, 4, FIELD_GET(ACCESS_W6_COUNT, rec[6]));
	KUNIT_EXPECT_EQ(test, FIELD_PREP(ACCESS_W7_ENGINE_ID, ACCESS_ENGINE_GRAPHICS) |
			ACCESS_W7_VALID, rec[7]);
}

/* An instruction may touch several lines; counts stop at what a record holds. */
static void ac_lines(struct kunit *test)
{
	struct fake_device *dev = ac_create(test, ACCESS_GRANULARITY_2M, 65535);

	sgpu_access_counters_count(&dev->gpu, INST, BASE, false, 32);
	KUNIT_EXPECT_EQ(test, 32, dev->gpu.counters.accesses);
	ac_count(dev, BASE, 65502);
	KUNIT_EXPECT_EQ(test, 0, ac_put(dev));
	sgpu_access_counters_count(&dev->gpu, INST, BASE, false, 32);
	KUNIT_EXPECT_EQ(test, 1, ac_put(dev));
	KUNIT_EXPECT_EQ(test, 65535, FIELD_GET(ACCESS_W6_COUNT, ac_record(dev, 0)[6]));
}

/* Memory of a peer counts too, in the same granule; the record names the last access's. */
static void ac_peers(struct kunit *test)
{
	static const struct {
		bool peer[3];
		u32 aperture;
	} row[] = {
		{ { true, true, true }, ACCESS_APERTURE_PEER },
		{ { false, false, true }, ACCESS_APERTURE_PEER },
		{ { true, true, false }, ACCESS_APERTURE_SYS_COHERENT },
	};
	struct fake_device *dev = ac_create(test, ACCESS_GRANULARITY_64K, 3);
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(row); i++) {
		for (j = 0; j < 3; j++) {
			KUNIT_EXPECT_EQ_MSG(test, i, ac_put(dev), "row %u", i);
			sgpu_access_counters_count(&dev->gpu, INST, BASE + i * SZ_64K_,
						   row[i].peer[j], 1);
		}
		KUNIT_EXPECT_EQ_MSG(test, i + 1, ac_put(dev), "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, row[i].aperture,
				    FIELD_GET(ACCESS_W0_APERTURE, ac_record(dev, i)[0]),
				    "row %u", i);
	}
}

struct ac_granule_case {
	const char *rule;
	unsigned int granularity;
	u64 other;			/* the first address that has another counter */
	u64 at;				/* an address inside, and its sub-region */
	u32 sub;
};

static const struct ac_granule_case ac_granule_cases[] = {
	{ "64K: one sub-region", ACCESS_GRANULARITY_64K, SZ_64K_, 0xf000, BIT(0) },
	{ "2M: 32 of 64K", ACCESS_GRANULARITY_2M, SZ_2M_, 5 * SZ_64K_ + 0xf000, BIT(5) },
	{ "16M: 32 of 512K", ACCESS_GRANULARITY_16M, 8 * SZ_2M_, SZ_2M_ + 0x81000, BIT(5) },
	{ "16G: 32 of 512M", ACCESS_GRANULARITY_16G, 1ULL << 34, (5ULL << 29) + 0x1000, BIT(5) },
};

static void ac_granules(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ac_granule_cases); i++) {
		const struct ac_granule_case *c = &ac_granule_cases[i];
		struct fake_device *dev = ac_create(test, c->granularity, 3);
		u64 base = 0x700000000000ULL;	/* a multiple of 16G */

		/* the last byte of one, the first of the next */
		ac_count(dev, base + c->other - 1, 2);
		ac_count(dev, base + c->other, 2);
		KUNIT_EXPECT_EQ_MSG(test, 0, ac_put(dev), "%s", c->rule);
		ac_count(dev, base + 2 * c->other + c->at, 3);
		KUNIT_EXPECT_EQ_MSG(test, 1, ac_put(dev), "%s", c->rule);
		KUNIT_EXPECT_EQ_MSG(test, c->sub, ac_record(dev, 0)[4], "%s", c->rule);
		ac_count(dev, base, 1);
		KUNIT_EXPECT_EQ_MSG(test, 2, ac_put(dev), "%s", c->rule);
	}
}

/* Contexts have counters of their own; what goes takes its counts along. */
static void ac_contexts(struct kunit *test)
{
	struct fake_device *dev = ac_create(test, ACCESS_GRANULARITY_2M, 2);
	struct rm_gpu *gpu = &dev->gpu;

	sgpu_access_counters_count(gpu, INST, BASE, false, 1);
	sgpu_access_counters_count(gpu, INST + 0x1000, BASE, false, 1);
	KUNIT_EXPECT_EQ(test, 0, ac_put(dev));
	sgpu_access_counters_forget(gpu, INST);
	sgpu_access_counters_count(gpu, INST, BASE, false, 1);
	KUNIT_EXPECT_EQ(test, 0, ac_put(dev));
	sgpu_access_counters_count(gpu, INST + 0x1000, BASE, false, 1);
	KUNIT_EXPECT_EQ(test, 1, ac_put(dev));
	KUNIT_EXPECT_EQ(test, lower_32_bits(INST + 0x1000),
			ac_record(dev, 0)[0] & ACCESS_W0_INST_LO);
}

static void ac_clear_op(struct kunit *test, struct fake_channel *ch, u32 d, u32 tag)
{
	fake_method(ch, HOST_MEM_OP_C, tag);
	fake_method(ch, HOST_MEM_OP_D, d | FIELD_PREP(HOST_MEM_OP_D_OPERATION,
						      HOST_MEM_OP_ACCESS_COUNTER_CLR));
	fake_submit(ch);
	fake_run(10000);
	KUNIT_EXPECT_EQ(test, 0, *ch->info->error);
}

static u32 ac_targeted(unsigned int bank)
{
	return FIELD_PREP(HOST_MEM_OP_D_COUNTER_CLR, HOST_COUNTER_CLR_TARGETED) |
	       FIELD_PREP(HOST_MEM_OP_D_COUNTER_CLR_BANK, bank);
}

/* By MEM_OP (class C46F): all, by type, or one by bank and tag. */
static void ac_clears(struct kunit *test)
{
	struct fake_device *dev = ac_create(test, ACCESS_GRANULARITY_2M, 2);
	struct fake_channel ch;
	const u32 *rec;

	fake_channel_open(test, dev, &ch, RM_ENGINE_CE_INTERNAL);
	/* the second way of bank 1 */
	ac_count(dev, BASE + 17 * SZ_2M_, 1);
	ac_count(dev, BASE + SZ_2M_, 2);
	rec = ac_record(dev, 0);
	KUNIT_EXPECT_EQ(test, 1, FIELD_GET(ACCESS_W0_BANK, rec[0]));
	KUNIT_EXPECT_EQ(test, 1, FIELD_GET(ACCESS_W5_TAG, rec[5]));

	/* not these: others' accesses, another bank, another tag, no tag at all */
	ac_clear_op(test, &ch, HOST_COUNTER_CLR_MOMC, 0);
	ac_clear_op(test, &ch, ac_targeted(1) | HOST_MEM_OP_D_COUNTER_CLR_TYPE, 1);
	ac_clear_op(test, &ch, ac_targeted(2), 1);
	ac_clear_op(test, &ch, ac_targeted(1), 2);
	ac_clear_op(test, &ch, ac_targeted(1), 0xfffff);
	/* where a tag is, an invalidate has its replay: this one would be START */
	ac_clear_op(test, &ch, ac_targeted(1), 4);
	KUNIT_EXPECT_FALSE(test, sgpu_host_is_replay(ch.rm));
	ac_count(dev, BASE + SZ_2M_, 5);
	KUNIT_EXPECT_EQ(test, 1, ac_put(dev));
	/* this one: it begins at 0 again, the other way keeps its count */
	ac_clear_op(test, &ch, ac_targeted(1), 1);
	ac_count(dev, BASE + SZ_2M_, 1);
	KUNIT_EXPECT_EQ(test, 1, ac_put(dev));
	ac_count(dev, BASE + SZ_2M_, 1);
	KUNIT_EXPECT_EQ(test, 2, ac_put(dev));
	ac_count(dev, BASE + 17 * SZ_2M_, 1);
	KUNIT_EXPECT_EQ(test, 3, ac_put(dev));

	rm_reg_write(&dev->gpu, REG_ACCESS_COUNTER_GET, 3);
	ac_clear_op(test, &ch, HOST_COUNTER_CLR_MIMC, 0);
	ac_count(dev, BASE + SZ_2M_, 2);
	KUNIT_EXPECT_EQ(test, 0, ac_put(dev));
	ac_clear_op(test, &ch, HOST_COUNTER_CLR_ALL, 0);
	ac_count(dev, BASE + SZ_2M_, 2);
	KUNIT_EXPECT_EQ(test, 1, ac_put(dev));
}

/* Without room the counter keeps trying: only promptness is lost. */
static void ac_overflow(struct kunit *test)
{
	struct fake_device *dev = ac_create(test, ACCESS_GRANULARITY_2M, 2);
	struct rm_gpu *gpu = &dev->gpu;
	unsigned int i;

	KUNIT_EXPECT_EQ(test, 4, rm_reg_read(gpu, REG_ACCESS_COUNTER_SIZE));
	for (i = 0; i < 4; i++)
		ac_count(dev, BASE + i * SZ_2M_, 2);
	/* three of four fit */
	KUNIT_EXPECT_EQ(test, 3 | REG_ACCESS_COUNTER_OVERFLOW, ac_put(dev));
	KUNIT_EXPECT_EQ(test, 1, gpu->counters.dropped);
	/* moving GET does not clear it, an index outside does nothing */
	rm_reg_write(gpu, REG_ACCESS_COUNTER_GET, 4);
	KUNIT_EXPECT_EQ(test, 0, rm_reg_read(gpu, REG_ACCESS_COUNTER_GET));
	rm_reg_write(gpu, REG_ACCESS_COUNTER_GET, 2);
	KUNIT_EXPECT_EQ(test, 3 | REG_ACCESS_COUNTER_OVERFLOW, ac_put(dev));
	rm_reg_write(gpu, REG_ACCESS_COUNTER_GET, 2 | REG_ACCESS_COUNTER_OVERFLOW);
	KUNIT_EXPECT_EQ(test, 3, ac_put(dev));
	/* those that told are silent, the one that could not tells now */
	for (i = 0; i < 4; i++)
		ac_count(dev, BASE + i * SZ_2M_, 1);
	KUNIT_EXPECT_EQ(test, 0, ac_put(dev));
	KUNIT_EXPECT_EQ(test, lower_32_bits(BASE + 3 * SZ_2M_), ac_record(dev, 3)[2]);
	KUNIT_EXPECT_EQ(test, 3, FIELD_GET(ACCESS_W6_COUNT, ac_record(dev, 3)[6]));
}

/* A ninth granule of a set takes the counter that was used longest ago. */
static void ac_lru(struct kunit *test)
{
	struct fake_device *dev = ac_create(test, ACCESS_GRANULARITY_2M, 3);
	u64 step = 16 * SZ_2M_;
	unsigned int i;

	for (i = 0; i < 8; i++)
		ac_count(dev, BASE + i * step, 2);
	KUNIT_EXPECT_EQ(test, 0, dev->gpu.counters.evicted);
	ac_count(dev, BASE + 8 * step, 2);
	KUNIT_EXPECT_EQ(test, 1, dev->gpu.counters.evicted);
	/* 1 ... 7 kept their counts, 0 did not and takes that of 8 */
	for (i = 1; i < 4; i++)
		ac_count(dev, BASE + i * step, 1);
	KUNIT_EXPECT_EQ(test, 3, ac_put(dev));
	rm_reg_write(&dev->gpu, REG_ACCESS_COUNTER_GET, 3);
	for (i = 4; i < 8; i++)
		ac_count(dev, BASE + i * step, 1);
	KUNIT_EXPECT_EQ(test, 2 | REG_ACCESS_COUNTER_OVERFLOW, ac_put(dev));
	ac_count(dev, BASE, 2);
	KUNIT_EXPECT_EQ(test, 2, dev->gpu.counters.evicted);
	ac_count(dev, BASE + 8 * step, 2);
	KUNIT_EXPECT_EQ(test, 3, dev->gpu.counters.evicted);
}

/* Off at reset; turned on, and with other granules, counts begin at 0. */
static void ac_configuration(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET);
	struct rm_gpu *gpu = &dev->gpu;

	KUNIT_EXPECT_EQ(test, 0, rm_reg_read(gpu, REG_ACCESS_COUNTER_CONFIG));
	KUNIT_EXPECT_FALSE(test, gpu->counters.enabled);
	ac_count(dev, BASE, 10);
	KUNIT_EXPECT_EQ(test, 0, gpu->counters.accesses);
	ac_config(dev, ACCESS_GRANULARITY_2M, 3);
	KUNIT_EXPECT_TRUE(test, gpu->counters.enabled);
	ac_count(dev, BASE, 2);
	/* another threshold keeps the counts */
	ac_config(dev, ACCESS_GRANULARITY_2M, 4);
	ac_count(dev, BASE, 1);
	KUNIT_EXPECT_EQ(test, 0, ac_put(dev));
	ac_config(dev, ACCESS_GRANULARITY_64K, 4);
	ac_count(dev, BASE, 3);
	KUNIT_EXPECT_EQ(test, 0, ac_put(dev));
	rm_reg_write(gpu, REG_ACCESS_COUNTER_CONFIG, 0);
	ac_config(dev, ACCESS_GRANULARITY_64K, 4);
	ac_count(dev, BASE, 3);
	KUNIT_EXPECT_EQ(test, 0, ac_put(dev));
	ac_count(dev, BASE, 1);
	KUNIT_EXPECT_EQ(test, 1, ac_put(dev));
	/* 0 is as good as 1; unknown bits read 0; PUT and SIZE are read only */
	rm_reg_write(gpu, REG_ACCESS_COUNTER_CONFIG, 0x7ffc0000 | REG_ACCESS_COUNTER_ENABLE);
	KUNIT_EXPECT_EQ(test, REG_ACCESS_COUNTER_ENABLE,
			rm_reg_read(gpu, REG_ACCESS_COUNTER_CONFIG));
	ac_count(dev, BASE + SZ_2M_, 1);
	KUNIT_EXPECT_EQ(test, 2, ac_put(dev));
	rm_reg_write(gpu, REG_ACCESS_COUNTER_PUT, 0);
	rm_reg_write(gpu, REG_ACCESS_COUNTER_SIZE, 9);
	KUNIT_EXPECT_EQ(test, 2, ac_put(dev));
	KUNIT_EXPECT_EQ(test, 4, rm_reg_read(gpu, REG_ACCESS_COUNTER_SIZE));
}

/* The level of its own bit: rise, mask, pulse by GET, fall (2.2). */
static void ac_interrupt(struct kunit *test)
{
	struct fake_device *dev = ac_create(test, ACCESS_GRANULARITY_2M, 1);
	struct ac_fixture f = { .dev = dev };
	struct rm_gpu *gpu = &dev->gpu;
	u64 start = sim_now();

	rm_intr_register(gpu, ac_handler, &f);
	ac_count(dev, BASE, 1);
	fake_run(2000);
	KUNIT_EXPECT_EQ(test, REG_INTR_ACCESS_COUNTER, rm_reg_read(gpu, REG_INTR_PENDING));
	KUNIT_EXPECT_EQ(test, 0, f.irqs);		/* not enabled */
	rm_reg_write(gpu, REG_INTR_EN_SET, REG_INTR_REPLAYABLE_FAULT);
	fake_run(2000);
	KUNIT_EXPECT_EQ(test, 0, f.irqs);		/* another one is */
	rm_reg_write(gpu, REG_INTR_EN_SET, REG_INTR_ACCESS_COUNTER);
	fake_run(2000);
	KUNIT_EXPECT_EQ(test, 1, f.irqs);
	KUNIT_EXPECT_EQ(test, start + 4500, f.when);
	/* level still high: no new rise */
	ac_count(dev, BASE + SZ_2M_, 1);
	fake_run(2000);
	KUNIT_EXPECT_EQ(test, 1, f.irqs);
	/* GET that leaves one: a pulse; that empties: the level falls */
	rm_reg_write(gpu, REG_ACCESS_COUNTER_GET, 1);
	fake_run(2000);
	KUNIT_EXPECT_EQ(test, 2, f.irqs);
	rm_reg_write(gpu, REG_ACCESS_COUNTER_GET, 2);
	KUNIT_EXPECT_EQ(test, 0, rm_reg_read(gpu, REG_INTR_PENDING));
	fake_run(2000);
	KUNIT_EXPECT_EQ(test, 2, f.irqs);
	ac_count(dev, BASE + 2 * SZ_2M_, 1);
	fake_run(2000);
	KUNIT_EXPECT_EQ(test, 3, f.irqs);
}

static struct kunit_case ac_kunit_cases[] = {
	KUNIT_CASE(ac_threshold),
	KUNIT_CASE(ac_lines),
	KUNIT_CASE(ac_peers),
	KUNIT_CASE(ac_granules),
	KUNIT_CASE(ac_contexts),
	KUNIT_CASE(ac_clears),
	KUNIT_CASE(ac_overflow),
	KUNIT_CASE(ac_lru),
	KUNIT_CASE(ac_configuration),
	KUNIT_CASE(ac_interrupt),
	{}
};

struct kunit_suite softgpu_access_counter_suite = {
	.name = "softgpu_access_counter",
	.test_cases = ac_kunit_cases,
};
