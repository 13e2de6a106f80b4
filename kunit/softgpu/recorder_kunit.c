// SPDX-License-Identifier: GPL-2.0
/* softgpu recorder: what it tells of page walks and accesses, to the byte. */
#include <kunit/test.h>
#include <linux/bitfield.h>
#include <softgpu/recorder_format.h>
#include "fake_device.h"
#include "softgpu/clock/clock.h"
#include "softgpu/mmu/mmu_mshr.h"
#include "softgpu/mmu/recorder.h"

/* 1 ns cycles, misses of 10 + 100 ns; 4 uTLBs of one SM; the paper's table of 128 sets. */
#define SET \
	"utlb_port_cycles:0,sm_clock_khz:1000000,l2tlb_cycles:10,walk_cycles:100,replay_ns:1000," \
	"fault_write_ns:300,interrupt_ns:500,sm_count:4,sms_per_utlb:1,gpc_count:2," \
	"copy_dtoh_latency_ns:550,copy_dtoh_mbps:16000,"
#define RING	"recorder_ring_entries:2048"
#define INST	0x123456789000ULL

static u32 reg(struct fake_device *dev, u32 offset)
{
	return rm_reg_read(&dev->gpu, offset);
}

static struct fake_device *recorder_device(struct kunit *test, const char *set, u32 config)
{
	struct fake_device *dev = fake_device_create(test, set);

	rm_reg_write(&dev->gpu, REG_RECORDER_CONFIG, config);
	rm_reg_write(&dev->gpu, REG_EXT_ENABLE, REG_CAP_RECORDER);
	return dev;
}

static void hit_of(struct fake_device *dev, u64 instance, u64 page)
{
	struct sgpu_recorder_hit hit = { .instance = instance, .va = page << 12, .requests = 3 };

	sgpu_recorder_walked(&dev->gpu, &hit);
}

static void hit(struct fake_device *dev, u64 page)
{
	hit_of(dev, INST, page);
}

static const u32 *record(struct fake_device *dev, u32 i)
{
	return dev->gpu.recorder.ring + i * RECORDER_RECORD_WORDS;
}

/* Ask for a transfer, wait, and take what came; how many records. */
static u32 transfer(struct fake_device *dev, u32 *first)
{
	u32 size = reg(dev, REG_RECORDER_SIZE), n;

	rm_reg_write(&dev->gpu, REG_RECORDER_TRANSFER, 1);
	fake_run(100000);
	*first = reg(dev, REG_RECORDER_GET);
	n = (reg(dev, REG_RECORDER_PUT) + size - *first) % size;
	rm_reg_write(&dev->gpu, REG_RECORDER_GET, reg(dev, REG_RECORDER_PUT));
	return n;
}

/* The page of an entry's record, and the counter of page @i. */
static u64 record_page(const u32 *rec)
{
	return (rec[2] | (u64)rec[3] << 32) >> 12;
}

static void expect_words(struct kunit *test, const u32 *rec, const u32 *want)
{
	for (unsigned int i = 0; i < RECORDER_RECORD_WORDS; i++)
		KUNIT_EXPECT_EQ_MSG(test, rec[i], want[i], "word %u", i);
}

/* Page 0x80000 five times and 0x80005 once: one record; 2 bits end at 3 (HPE, V-C). */
static void recorder_saturates(struct kunit *test)
{
	struct fake_device *dev = recorder_device(test, SET RING, RECORDER_MODE_HIR);
	static const u32 want[] = {
		0x56789000 | RECORDER_TYPE_HITS, 0x1234, 0x80000000, 0,
		3 | 1 << 10, 0, 0, RECORDER_W7_VALID,
	};
	u32 first;

	for (unsigned int i = 0; i < 5; i++)
		hit(dev, 0x80000);
	hit(dev, 0x80005);
	KUNIT_ASSERT_EQ(test, transfer(dev, &first), 1);
	expect_words(test, record(dev, first), want);
	KUNIT_EXPECT_EQ(test, reg(dev, REG_RECORDER_COUNT), 6);
	/* empty now; the next hit begins anew */
	KUNIT_EXPECT_EQ(test, transfer(dev, &first), 0);
	hit(dev, 0x80005);
	KUNIT_ASSERT_EQ(test, transfer(dev, &first), 1);
	KUNIT_EXPECT_EQ(test, record(dev, first)[4], 1 << 10);
}

/* Entries go in the order of their first hits, however often and when they are hit later. */
static void recorder_order(struct kunit *test)
{
	struct fake_device *dev = recorder_device(test, SET RING, RECORDER_MODE_HIR);
	static const u64 hits[] = { 0x330, 0x110, 0x33f, 0x220, 0x111, 0x330 };
	static const u64 tags[] = { 0x330, 0x110, 0x220 };
	u32 first;

	for (unsigned int i = 0; i < ARRAY_SIZE(hits); i++)
		hit(dev, hits[i]);
	KUNIT_ASSERT_EQ(test, transfer(dev, &first), 3);
	for (unsigned int i = 0; i < 3; i++)
		KUNIT_EXPECT_EQ(test, record_page(record(dev, first + i)), tags[i]);
	KUNIT_EXPECT_EQ(test, record(dev, first)[4], 2 | 1U << 30);
}

/* Nine tags of one set: the ninth finds no way.  Or, as REPLACE has it, the first one goes. */
static void recorder_conflict(struct kunit *test)
{
	static const u32 configs[] = { 0, REG_RECORDER_REPLACE };
	struct fake_device *dev;
	u32 first;

	for (unsigned int c = 0; c < ARRAY_SIZE(configs); c++) {
		dev = recorder_device(test, SET RING, RECORDER_MODE_HIR | configs[c]);
		hit(dev, 7 << 4);
		for (u64 i = 0; i < 9; i++)
			hit(dev, i * 128 << 4);
		KUNIT_EXPECT_EQ(test, reg(dev, REG_RECORDER_LOST), configs[c] ? 0 : 1);
		KUNIT_EXPECT_EQ(test, reg(dev, REG_RECORDER_COUNT), 10);
		KUNIT_ASSERT_EQ(test, transfer(dev, &first), 9);
		KUNIT_EXPECT_EQ(test, record_page(record(dev, first)), 7 << 4);
		for (u64 i = 0; i < 8; i++)
			KUNIT_EXPECT_EQ(test, record_page(record(dev, first + 1 + i)),
					(i + !!configs[c]) * 128 << 4);
	}
}

/* Counters of other widths, across words: 32 pages of 3 bits. */
static void recorder_shape(struct kunit *test)
{
	struct fake_device *dev = recorder_device(test, SET RING
		",recorder_pages:32,recorder_counter_bits:3", RECORDER_MODE_HIR);
	const u32 *rec;
	u32 first;

	for (unsigned int i = 0; i < 9; i++)
		hit(dev, 0x400 + 10);
	for (unsigned int i = 0; i < 5; i++)
		hit(dev, 0x400 + 31);
	KUNIT_ASSERT_EQ(test, transfer(dev, &first), 1);
	rec = record(dev, first);
	KUNIT_EXPECT_EQ(test, record_page(rec), 0x400);
	KUNIT_EXPECT_EQ(test, rec[4], 3U << 30);	/* bits 30 to 32 */
	KUNIT_EXPECT_EQ(test, rec[5], 1);
	KUNIT_EXPECT_EQ(test, rec[6], 5U << 29);
}

/* Contexts have entries of their own; one that goes takes its entries along. */
static void recorder_contexts(struct kunit *test)
{
	struct fake_device *dev = recorder_device(test, SET RING, RECORDER_MODE_HIR);
	u32 first;

	hit_of(dev, INST, 0x100);
	hit_of(dev, INST + 0x1000, 0x100);
	hit_of(dev, INST, 0x200);
	hit_of(dev, INST + 0x1000, 0x300);
	KUNIT_ASSERT_EQ(test, transfer(dev, &first), 4);
	KUNIT_EXPECT_EQ(test, record(dev, first)[0], 0x56789000);
	KUNIT_EXPECT_EQ(test, record(dev, first + 1)[0], 0x5678a000);
	hit_of(dev, INST, 0x100);
	hit_of(dev, INST + 0x1000, 0x100);
	sgpu_recorder_forget(&dev->gpu, INST);
	KUNIT_ASSERT_EQ(test, transfer(dev, &first), 1);
	KUNIT_EXPECT_EQ(test, record(dev, first)[0], 0x5678a000);
}

/* 10 bytes an entry at 16 GB/s after the link's latency: 1024 entries take 640 ns (HPE, V-C). */
static void recorder_time(struct kunit *test)
{
	struct fake_device *dev = recorder_device(test, SET RING, RECORDER_MODE_HIR);

	for (u64 i = 0; i < 1024; i++)
		hit(dev, i << 4);
	KUNIT_EXPECT_EQ(test, reg(dev, REG_RECORDER_LOST), 0);
	rm_reg_write(&dev->gpu, REG_RECORDER_TRANSFER, 1);
	fake_run(550 + 639);
	KUNIT_EXPECT_EQ(test, reg(dev, REG_RECORDER_BUSY), 1);
	KUNIT_EXPECT_EQ(test, reg(dev, REG_RECORDER_PUT), 0);
	fake_run(1);
	KUNIT_EXPECT_EQ(test, reg(dev, REG_RECORDER_BUSY), 0);
	KUNIT_EXPECT_EQ(test, reg(dev, REG_RECORDER_PUT), 1024);
	/* nothing to transfer: the latency alone */
	rm_reg_write(&dev->gpu, REG_RECORDER_TRANSFER, 1);
	fake_run(549);
	KUNIT_EXPECT_EQ(test, reg(dev, REG_RECORDER_BUSY), 1);
	fake_run(1);
	KUNIT_EXPECT_EQ(test, reg(dev, REG_RECORDER_BUSY), 0);
}

/* What finds no room in the ring stays for the next transfer. */
static void recorder_little_room(struct kunit *test)
{
	struct fake_device *dev = recorder_device(test, SET "recorder_ring_entries:4",
						  RECORDER_MODE_HIR);
	u32 first;

	for (u64 i = 0; i < 5; i++)
		hit(dev, i << 4);
	KUNIT_ASSERT_EQ(test, transfer(dev, &first), 3);
	KUNIT_ASSERT_EQ(test, transfer(dev, &first), 2);
	KUNIT_EXPECT_EQ(test, record_page(record(dev, first)), 3 << 4);
}

/* Off, in another mode, or with another configuration: all is forgotten. */
static void recorder_modes(struct kunit *test)
{
	struct fake_device *dev = recorder_device(test, SET RING, RECORDER_MODE_HIR);
	struct rm_gpu *gpu = &dev->gpu;
	u32 first;

	KUNIT_EXPECT_EQ(test, reg(dev, REG_RECORDER_CONFIG), RECORDER_MODE_HIR);
	hit(dev, 1);
	rm_reg_write(gpu, REG_EXT_ENABLE, 0);
	KUNIT_EXPECT_FALSE(test, sgpu_recorder_walks(&gpu->recorder));
	hit(dev, 2);
	KUNIT_EXPECT_EQ(test, transfer(dev, &first), 0);
	rm_reg_write(gpu, REG_EXT_ENABLE, REG_CAP_RECORDER);
	KUNIT_EXPECT_EQ(test, transfer(dev, &first), 0);
	hit(dev, 3);
	rm_reg_write(gpu, REG_RECORDER_CONFIG, RECORDER_MODE_HIR);	/* the same */
	KUNIT_EXPECT_EQ(test, transfer(dev, &first), 1);
	hit(dev, 3);
	rm_reg_write(gpu, REG_RECORDER_CONFIG, ~0U & ~REG_RECORDER_MODE);
	KUNIT_EXPECT_EQ(test, reg(dev, REG_RECORDER_CONFIG), REG_RECORDER_REPLAYS |
			REG_RECORDER_EVERY_WALK | REG_RECORDER_REPLACE |
			REG_RECORDER_NO_FILL | REG_RECORDER_REQUESTS);
	rm_reg_write(gpu, REG_RECORDER_CONFIG, RECORDER_MODE_HIR);
	KUNIT_EXPECT_EQ(test, transfer(dev, &first), 0);
	KUNIT_EXPECT_EQ(test, reg(dev, REG_RECORDER_COUNT), 0);
}

/* Each hit by itself, in order; the interrupt at half of the ring, and full is full. */
static void recorder_walks(struct kunit *test)
{
	struct fake_device *dev = recorder_device(test, SET "recorder_ring_entries:8",
						  RECORDER_MODE_WALKS);
	static const u32 want[] = {
		0x56789000 | RECORDER_TYPE_WALK, 0x1234, 0x5000, 7, 0, 3, 0, RECORDER_W7_VALID,
	};
	static const u64 pages[] = { 0x700005, 4, 0x700005, 9, 1, 2, 3 };
	struct rm_gpu *gpu = &dev->gpu;

	for (unsigned int i = 0; i < ARRAY_SIZE(pages); i++) {
		KUNIT_EXPECT_FALSE(test, sgpu_recorder_full(gpu));
		KUNIT_EXPECT_EQ(test, !!(reg(dev, REG_INTR_PENDING) & REG_INTR_RECORDER), i >= 4);
		hit(dev, pages[i]);
		KUNIT_EXPECT_EQ(test, record_page(record(dev, i)), pages[i]);
	}
	expect_words(test, record(dev, 0), want);
	KUNIT_EXPECT_TRUE(test, sgpu_recorder_full(gpu));
	rm_reg_write(gpu, REG_RECORDER_GET, 8);		/* no such record */
	KUNIT_EXPECT_TRUE(test, sgpu_recorder_full(gpu));
	rm_reg_write(gpu, REG_RECORDER_GET, 4);
	KUNIT_EXPECT_FALSE(test, sgpu_recorder_full(gpu));
	KUNIT_EXPECT_EQ(test, reg(dev, REG_INTR_PENDING) & REG_INTR_RECORDER, 0);
	rm_reg_write(gpu, REG_RECORDER_TRANSFER, 1);	/* of no effect */
	KUNIT_EXPECT_EQ(test, reg(dev, REG_RECORDER_BUSY), 0);
	rm_reg_write(gpu, REG_RECORDER_CONFIG, RECORDER_MODE_OFF);
	KUNIT_EXPECT_EQ(test, reg(dev, REG_RECORDER_GET), reg(dev, REG_RECORDER_PUT));
}

/* Lines per 64 KB, here and elsewhere; 27 bits do not wrap. */
static void recorder_accesses(struct kunit *test)
{
	struct fake_device *dev = recorder_device(test, SET RING, RECORDER_MODE_ACCESSES);
	struct rm_gpu *gpu = &dev->gpu;
	const u32 *rec;
	u32 first;

	KUNIT_EXPECT_TRUE(test, sgpu_recorder_accesses(&gpu->recorder));
	sgpu_recorder_count(gpu, INST, 0x7fff0000, 4, true);
	sgpu_recorder_count(gpu, INST, 0x7fffffff, 32, true);
	sgpu_recorder_count(gpu, INST, 0x7fff8000, 1, false);
	sgpu_recorder_count(gpu, INST, 0x80000000, 1U << 28, false);
	KUNIT_ASSERT_EQ(test, transfer(dev, &first), 2);
	rec = record(dev, first);
	KUNIT_EXPECT_EQ(test, FIELD_GET(RECORDER_W0_TYPE, rec[0]), RECORDER_TYPE_ACCESSES);
	KUNIT_EXPECT_EQ(test, rec[2], 0x7fff0000);
	KUNIT_EXPECT_EQ(test, rec[4], 36);
	KUNIT_EXPECT_EQ(test, rec[5], 1);
	rec = record(dev, first + 1);
	KUNIT_EXPECT_EQ(test, rec[2], 0x80000000);
	KUNIT_EXPECT_EQ(test, rec[4], 0);
	KUNIT_EXPECT_EQ(test, rec[5], (1U << 27) - 1);
}

/* What asked for them instead: one, however many lines it is. */
static void recorder_requests(struct kunit *test)
{
	struct fake_device *dev = recorder_device(test, SET RING, RECORDER_MODE_ACCESSES |
						  REG_RECORDER_REQUESTS);
	const u32 *rec;
	u32 first;

	sgpu_recorder_count(&dev->gpu, INST, 0x7fff0000, 4, true);
	sgpu_recorder_count(&dev->gpu, INST, 0x7fffffff, 32, true);
	sgpu_recorder_count(&dev->gpu, INST, 0x7fff8000, 9, false);
	KUNIT_ASSERT_EQ(test, transfer(dev, &first), 1);
	rec = record(dev, first);
	KUNIT_EXPECT_EQ(test, rec[4], 2);
	KUNIT_EXPECT_EQ(test, rec[5], 1);
	KUNIT_EXPECT_EQ(test, reg(dev, REG_RECORDER_COUNT), 3);
}

/* ---- at the MMU -------------------------------------------------------------- */

#define VA	0x10000000ULL
#define PAGE(n)	(VA + (n) * 4096ULL)

static void map_pages(struct kunit *test, struct fake_device *dev, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		fake_map(test, dev, PAGE(i), 12, FAKE_PTE(0x5000 + i * 4096));
}

static u32 walks_recorded(struct fake_device *dev)
{
	return reg(dev, REG_RECORDER_PUT);
}

struct walk_case {
	const char *what;
	u32 config;
	u32 hits;	/* of two uTLBs that miss one page at once, then of one that faulted */
	u32 replayed;
};

static const struct walk_case walk_cases[] = {
	{ "one walk brings the page, a fault is no hit", 0, 1, 0 },
	{ "every walk", REG_RECORDER_EVERY_WALK, 2, 0 },
	{ "replayed ones too", REG_RECORDER_REPLAYS, 1, 1 },
};

static void recorder_at_walks(struct kunit *test)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(walk_cases); i++) {
		const struct walk_case *c = &walk_cases[i];
		struct fake_device *dev = recorder_device(test, SET "recorder_ring_entries:64",
							  RECORDER_MODE_WALKS | c->config);

		map_pages(test, dev, 1);
		fake_issue(dev, 0, 0, PAGE(0), SGPU_READ);
		fake_issue(dev, 1, 1, PAGE(0), SGPU_READ);
		fake_run(1000);
		KUNIT_EXPECT_EQ_MSG(test, walks_recorded(dev), c->hits, "%s", c->what);
		/* a hit in the L2 TLB, a prefetch, a fault */
		fake_issue(dev, 2, 2, PAGE(0), SGPU_READ);
		fake_issue(dev, 3, 3, PAGE(1), SGPU_WRITE);
		fake_run(1000);
		KUNIT_EXPECT_EQ_MSG(test, walks_recorded(dev), c->hits, "%s", c->what);
		map_pages(test, dev, 3);
		fake_replay(dev);
		fake_issue(dev, 4, 0, PAGE(2), SGPU_PREFETCH);
		fake_run(3000);
		KUNIT_EXPECT_EQ_MSG(test, walks_recorded(dev), c->hits + c->replayed, "%s",
				    c->what);
		if (c->replayed)
			KUNIT_EXPECT_EQ(test, record(dev, c->hits)[4], RECORDER_W4_REPLAYED);
	}
}

/* Accesses of one uTLB to one page share a walk, which says how many they are: replayed, too. */
static void recorder_counts_requests(struct kunit *test)
{
	struct fake_device *dev = recorder_device(test, SET "recorder_ring_entries:64",
						  RECORDER_MODE_WALKS | REG_RECORDER_REPLAYS |
						  REG_RECORDER_EVERY_WALK | REG_RECORDER_NO_FILL);

	map_pages(test, dev, 1);
	for (unsigned int i = 0; i < 3; i++)
		fake_issue(dev, i, 0, PAGE(0) + 128 * i, SGPU_READ);
	fake_issue(dev, 3, 1, PAGE(0), SGPU_READ);
	for (unsigned int i = 4; i < 6; i++)
		fake_issue(dev, i, 2, PAGE(1), SGPU_READ);
	fake_run(1000);
	KUNIT_ASSERT_EQ(test, walks_recorded(dev), 2);
	KUNIT_EXPECT_EQ(test, record(dev, 0)[5], 3);
	KUNIT_EXPECT_EQ(test, record(dev, 1)[5], 1);
	map_pages(test, dev, 2);
	fake_replay(dev);
	fake_run(3000);
	KUNIT_ASSERT_EQ(test, walks_recorded(dev), 3);
	KUNIT_EXPECT_EQ(test, record(dev, 2)[4], RECORDER_W4_REPLAYED);
	KUNIT_EXPECT_EQ(test, record(dev, 2)[5], 2);
}

/* Walks wait while the ring is full, and none is lost. */
static void recorder_stalls_walks(struct kunit *test)
{
	struct fake_device *dev = recorder_device(test, SET "recorder_ring_entries:4",
						  RECORDER_MODE_WALKS);
	unsigned int done = 0;

	map_pages(test, dev, 5);
	for (unsigned int i = 0; i < 5; i++)
		fake_issue(dev, i, i % 4, PAGE(i), SGPU_READ);
	fake_run(5000);
	KUNIT_EXPECT_EQ(test, walks_recorded(dev), 3);
	for (unsigned int i = 0; i < 5; i++)
		done += dev->accesses[i].translated;
	KUNIT_EXPECT_EQ(test, done, 3);
	rm_reg_write(&dev->gpu, REG_RECORDER_GET, 3);
	fake_run(1000);
	KUNIT_EXPECT_EQ(test, walks_recorded(dev), 1);
	for (unsigned int i = 0; i < 5; i++)
		KUNIT_EXPECT_TRUE(test, dev->accesses[i].translated);
	KUNIT_EXPECT_FALSE(test, sgpu_mmu_busy(&dev->gpu));
}

static struct kunit_case recorder_kunit_cases[] = {
	KUNIT_CASE(recorder_saturates),
	KUNIT_CASE(recorder_order),
	KUNIT_CASE(recorder_conflict),
	KUNIT_CASE(recorder_shape),
	KUNIT_CASE(recorder_contexts),
	KUNIT_CASE(recorder_time),
	KUNIT_CASE(recorder_little_room),
	KUNIT_CASE(recorder_modes),
	KUNIT_CASE(recorder_walks),
	KUNIT_CASE(recorder_accesses),
	KUNIT_CASE(recorder_requests),
	KUNIT_CASE(recorder_at_walks),
	KUNIT_CASE(recorder_counts_requests),
	KUNIT_CASE(recorder_stalls_walks),
	{}
};

struct kunit_suite softgpu_recorder_suite = {
	.name = "softgpu_recorder",
	.test_cases = recorder_kunit_cases,
};
