// SPDX-License-Identifier: GPL-2.0
/* softgpu MMU: misses to one piece of miss_bytes share an MSHR; who waits is told. */
#include <kunit/test.h>
#include <linux/bitfield.h>
#include <softgpu/fault_format.h>
#include <softgpu/host_class.h>
#include <softgpu/mmu_format.h>
#include "fake_device.h"
#include "softgpu/mmu/mmu.h"
#include "softgpu/mmu/mmu_cancel.h"
#include "softgpu/mmu/mmu_mshr.h"

/* 1 ns cycles; a miss costs 10 + 100 ns; a piece is 16 pages. */
#define SET \
	"utlb_port_cycles:0,sm_clock_khz:1000000,l2tlb_cycles:10,walk_cycles:100," \
	"fault_write_ns:300,interrupt_ns:500,replay_ns:1000,sm_count:8,sms_per_utlb:2," \
	"gpc_count:2,utlb_faults:2,fault_ring_entries:16,miss_bytes:65536"
#define VA	0x10000000ULL
#define PAGE(n)	(VA + (n) * 4096ULL)

static void piece_map(struct kunit *test, struct fake_device *dev, unsigned int page)
{
	fake_map(test, dev, PAGE(page), 12, FAKE_PTE(0x100000 + page * 4096));
}

static u32 piece_put(struct fake_device *dev)
{
	return FIELD_GET(REG_FAULT_PUT_INDEX, rm_reg_read(&dev->gpu, REG_FAULT_PUT));
}

static void piece_replay(struct fake_device *dev)
{
	fake_replay(dev);
	fake_run(2000);
}

static void piece_cancel(struct fake_device *dev, unsigned int page)
{
	sgpu_mmu_cancel(&dev->gpu, RM_APERTURE_VID, dev->as.pdb, PAGE(page), HOST_CANCEL_ALL);
	fake_run(1000);
}

/* Accesses 0 ... @count - 1, to these pages, which fault. */
static void piece_fault(struct fake_device *dev, const u8 *pages, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		fake_issue(dev, i, 0, PAGE(pages[i]) + 8 * i, SGPU_READ);
	fake_run(1000);
}

static void piece_forget(struct fake_device *dev, unsigned int count)
{
	while (count--)
		sgpu_mmu_forget(&dev->gpu, &dev->accesses[count].access);
}

/* One record for the oldest page of a piece; one 64K page serves them all. */
static void piece_merge(struct kunit *test)
{
	static const u8 pages[] = { 3, 0, 15, 16 };
	struct fake_device *dev = fake_device_create(test, SET);
	unsigned int i;

	piece_fault(dev, pages, ARRAY_SIZE(pages));
	KUNIT_ASSERT_EQ(test, 2, piece_put(dev));
	KUNIT_EXPECT_EQ(test, PAGE(3), fake_record(dev, 0)[2]);
	KUNIT_EXPECT_EQ(test, PAGE(16), fake_record(dev, 1)[2]);
	KUNIT_EXPECT_EQ(test, 2, dev->gpu.mmu.merged);
	KUNIT_EXPECT_EQ(test, 4, dev->gpu.mmu.waiting);
	fake_map(test, dev, VA, 16, FAKE_PTE(0x50000));
	piece_replay(dev);
	KUNIT_EXPECT_EQ(test, 3, dev->called);
	for (i = 0; i < 3; i++)
		KUNIT_EXPECT_EQ(test, 0x50000 + pages[i] * 4096, dev->accesses[i].xlat.pa);
	KUNIT_EXPECT_EQ(test, 1, dev->gpu.mmu.waiting);
	piece_forget(dev, 4);
	KUNIT_EXPECT_EQ(test, 0, dev->gpu.mmu.waiting);
}

/* Another class or another context is another MSHR, as ever. */
static void piece_apart(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET);

	fake_issue(dev, 0, 0, PAGE(0), SGPU_READ);
	fake_issue(dev, 1, 0, PAGE(1), SGPU_WRITE);
	fake_issue(dev, 2, 2, PAGE(1), SGPU_READ);
	fake_run(1000);
	KUNIT_EXPECT_EQ(test, 3, piece_put(dev));
	KUNIT_EXPECT_EQ(test, 0, dev->gpu.mmu.merged);
	piece_forget(dev, 3);
}

/* A smaller page serves its own accesses; the MSHR goes on with the others at once. */
static void piece_small_pages(struct kunit *test)
{
	static const u8 pages[] = { 2, 5, 2, 9 };
	struct fake_device *dev = fake_device_create(test, SET);

	piece_map(test, dev, 2);
	fake_issue(dev, 0, 0, PAGE(pages[0]), SGPU_READ);
	fake_issue(dev, 1, 0, PAGE(pages[1]), SGPU_READ);
	fake_issue(dev, 2, 0, PAGE(pages[2]), SGPU_READ);
	fake_issue(dev, 3, 0, PAGE(pages[3]), SGPU_READ);
	fake_run(150);
	KUNIT_EXPECT_TRUE(test, dev->accesses[0].translated && dev->accesses[2].translated);
	KUNIT_EXPECT_EQ(test, 2, dev->called);
	KUNIT_EXPECT_EQ(test, 0x102000, dev->accesses[2].xlat.pa);
	KUNIT_EXPECT_EQ(test, 0, dev->gpu.mmu.waiting);
	fake_run(1000);
	KUNIT_ASSERT_EQ(test, 1, piece_put(dev));
	KUNIT_EXPECT_EQ(test, PAGE(5), fake_record(dev, 0)[2]);
	KUNIT_EXPECT_EQ(test, 2, dev->gpu.mmu.waiting);
	/* After a replay two lookups follow each other, without another record. */
	piece_map(test, dev, 5);
	piece_map(test, dev, 9);
	piece_replay(dev);
	KUNIT_EXPECT_EQ(test, 4, dev->called);
	KUNIT_EXPECT_EQ(test, 0x109000, dev->accesses[3].xlat.pa);
	KUNIT_EXPECT_EQ(test, 1, piece_put(dev));
	KUNIT_EXPECT_FALSE(test, sgpu_mmu_busy(&dev->gpu));
	KUNIT_EXPECT_TRUE(test, bitmap_empty(dev->gpu.mmu.utlbs[0].used, 2));
}

/* A cancel ends accesses of its 4K page only. */
static void piece_cancel_page(struct kunit *test)
{
	static const u8 pages[] = { 1, 4, 1, 7 };
	struct fake_device *dev = fake_device_create(test, SET);

	piece_fault(dev, pages, ARRAY_SIZE(pages));
	piece_cancel(dev, 6);
	KUNIT_EXPECT_EQ(test, 0, dev->called);
	/* not the page that the record names: the others wait on */
	piece_cancel(dev, 4);
	KUNIT_EXPECT_EQ(test, 1, dev->called);
	KUNIT_EXPECT_TRUE(test, dev->accesses[1].cancelled);
	KUNIT_EXPECT_EQ(test, 1, piece_put(dev));
	KUNIT_EXPECT_EQ(test, 3, dev->gpu.mmu.waiting);
	/* the page that it names: who is left gets a record without a replay */
	piece_cancel(dev, 1);
	KUNIT_EXPECT_TRUE(test, dev->accesses[0].cancelled && dev->accesses[2].cancelled);
	KUNIT_EXPECT_FALSE(test, dev->accesses[3].cancelled);
	KUNIT_ASSERT_EQ(test, 2, piece_put(dev));
	KUNIT_EXPECT_EQ(test, PAGE(7), fake_record(dev, 1)[2]);
	KUNIT_EXPECT_EQ(test, 1, dev->gpu.mmu.waiting);
	piece_cancel(dev, 7);
	KUNIT_EXPECT_EQ(test, 4, dev->called);
	KUNIT_EXPECT_EQ(test, 0, dev->gpu.mmu.waiting);
	KUNIT_EXPECT_FALSE(test, sgpu_mmu_busy(&dev->gpu));
}

/* Forgotten while its page is looked up, walked or faulted: the next one takes over. */
static void piece_forget_oldest(struct kunit *test)
{
	static const u64 after[] = { 0, 5, 50, 1000 };
	static const u8 pages[] = { 1, 4 };
	struct fake_device *dev = fake_device_create(test, SET);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(after); i++) {
		fake_issue(dev, 0, 0, PAGE(pages[0]), SGPU_READ);
		fake_issue(dev, 1, 0, PAGE(pages[1]), SGPU_READ);
		fake_run(after[i]);
		piece_forget(dev, 1);
		fake_run(1000);
		if (after[i] == 1000)
			piece_replay(dev);
		KUNIT_ASSERT_GE(test, piece_put(dev), 1);
		KUNIT_EXPECT_EQ_MSG(test, PAGE(4), fake_record(dev, piece_put(dev) - 1)[2],
				    "after %llu ns", after[i]);
		piece_forget(dev, 2);
		KUNIT_EXPECT_EQ(test, 0, dev->gpu.mmu.waiting);
		KUNIT_EXPECT_EQ(test, 0, dev->gpu.mmu.walking);
		KUNIT_EXPECT_FALSE(test, sgpu_mmu_busy(&dev->gpu));
	}
	KUNIT_EXPECT_EQ(test, 0, dev->called);
}

/* Prefetches that fault are dropped page by page. */
static void piece_prefetch(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET);

	rm_reg_write(&dev->gpu, REG_FAULT_PREFETCH, 0);
	piece_map(test, dev, 1);
	fake_issue(dev, 0, 0, PAGE(0), SGPU_PREFETCH);
	fake_issue(dev, 1, 0, PAGE(1), SGPU_PREFETCH);
	fake_run(1000);
	KUNIT_EXPECT_TRUE(test, dev->accesses[0].cancelled);
	KUNIT_EXPECT_TRUE(test, dev->accesses[1].translated);
	KUNIT_EXPECT_EQ(test, 0, piece_put(dev));
}

static bool piece_waits(struct fake_device *dev, unsigned int i)
{
	return sgpu_mmu_waits(&dev->gpu, &dev->accesses[i].access);
}

/* Who waits for a replay: faulted, or without an MSHR; not while it is walked. */
static void piece_told(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET);
	unsigned int i;

	for (i = 0; i < 3; i++)
		fake_issue(dev, i, i / 2, PAGE(16 * i), SGPU_READ);
	KUNIT_EXPECT_FALSE(test, piece_waits(dev, 0));
	KUNIT_EXPECT_TRUE(test, piece_waits(dev, 2));
	fake_run(1000);
	KUNIT_EXPECT_TRUE(test, piece_waits(dev, 0));
	KUNIT_EXPECT_EQ(test, 0, dev->told);	/* nobody wanted to know */
	piece_forget(dev, 3);
	dev->gpu.mmu.tell_faulted = true;
	for (i = 0; i < 3; i++)
		fake_issue(dev, i, 2 + i, PAGE(16 * i), SGPU_READ);
	KUNIT_EXPECT_EQ(test, 0, dev->told);	/* never from inside */
	fake_run(50);
	KUNIT_EXPECT_EQ(test, 0, dev->told);
	fake_run(1000);
	KUNIT_EXPECT_EQ(test, 0x1c, dev->told);
	dev->told = 0;
	fake_issue(dev, 3, 3, PAGE(1), SGPU_READ);	/* merged into a fault */
	fake_run(1);
	KUNIT_EXPECT_EQ(test, 8, dev->told);
	piece_map(test, dev, 1);
	piece_map(test, dev, 0);
	piece_replay(dev);
	KUNIT_EXPECT_FALSE(test, piece_waits(dev, 0) || piece_waits(dev, 3));
	piece_forget(dev, 4);
}

static struct kunit_case mmu_piece_cases[] = {
	KUNIT_CASE(piece_merge),
	KUNIT_CASE(piece_apart),
	KUNIT_CASE(piece_small_pages),
	KUNIT_CASE(piece_cancel_page),
	KUNIT_CASE(piece_forget_oldest),
	KUNIT_CASE(piece_prefetch),
	KUNIT_CASE(piece_told),
	{}
};

struct kunit_suite softgpu_mmu_piece_suite = {
	.name = "softgpu_mmu_piece",
	.test_cases = mmu_piece_cases,
};
