// SPDX-License-Identifier: GPL-2.0
/* softgpu MMU, far_faults:wait: one report for a page, replays that let go what has come. */
#include <kunit/static_stub.h>
#include <kunit/test.h>
#include <linux/bitfield.h>
#include <softgpu/fault_format.h>
#include <softgpu/host_class.h>
#include "fake_device.h"
#include "softgpu/clock/clock.h"
#include "softgpu/mmu/fault_buffer.h"
#include "softgpu/mmu/mmu_cancel.h"
#include "softgpu/mmu/mmu_mshr.h"
#include "softgpu/mmu/mmu_replay.h"
#include "softgpu/mmu/walker.h"

/* 1 ns cycles; a miss costs 10 + 100 ns; 4 uTLBs of 2 SMs: SMs 0, 2, 4, 6 have one each. */
#define SET \
	"far_faults:wait,utlb_port_cycles:0,sm_clock_khz:1000000,l2tlb_cycles:10,walk_cycles:100," \
	"fault_write_ns:0,interrupt_ns:0,replay_ns:1000,sm_count:8,sms_per_utlb:2,gpc_count:2," \
	"utlb_entries:16,utlb_ways:16,l2tlb_entries:64,l2tlb_ways:4,utlb_faults:8,"
#define RING	"fault_ring_entries:16"
#define VA	0x10000000ULL
#define PAGE(n)	(VA + (n) * 4096ULL)
#define MISS_NS	110

static void far_map(struct kunit *test, struct fake_device *dev, unsigned int page)
{
	fake_map(test, dev, PAGE(page), 12, FAKE_PTE(page * 4096));
}

static u32 far_put(struct fake_device *dev)
{
	return rm_reg_read(&dev->gpu, REG_FAULT_PUT);
}

static void far_take(struct fake_device *dev, u32 get)
{
	rm_reg_write(&dev->gpu, REG_FAULT_GET, get);
}

static void far_replay(struct fake_device *dev)
{
	fake_replay(dev);
	fake_run(3000);
}

/* The page that record @i is about, as a number. */
static u64 far_record(struct fake_device *dev, unsigned int i)
{
	const u32 *rec = fake_record(dev, i);

	return rec ? ((rec[2] | (u64)rec[3] << 32) - VA) / 4096 : U64_MAX;
}

static u32 far_access(struct fake_device *dev, unsigned int i)
{
	const u32 *rec = fake_record(dev, i);

	return rec ? FIELD_GET(FAULT_W7_ACCESS, rec[7]) : U32_MAX;
}

static void far_forget_all(struct kunit *test, struct fake_device *dev, unsigned int count)
{
	while (count--)
		sgpu_mmu_forget(&dev->gpu, &dev->accesses[count].access);
	KUNIT_EXPECT_EQ(test, 0, dev->gpu.mmu.waiting);
	KUNIT_EXPECT_TRUE(test, list_empty(&dev->gpu.mmu.far.waiting));
	KUNIT_EXPECT_TRUE(test, list_empty(&dev->gpu.faults.queued));
}

/* One record, however many SMs and classes wait, and whenever they come. */
static void far_once(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET RING);
	static const u8 kinds[] = { SGPU_READ, SGPU_WRITE, SGPU_ATOMIC, SGPU_READ };
	unsigned int i;

	for (i = 0; i < 4; i++)
		fake_issue(dev, i, 2 * i, PAGE(0), kinds[i]);
	fake_run(1000);
	fake_issue(dev, 4, 0, PAGE(0), SGPU_WRITE);
	fake_issue(dev, 5, 0, PAGE(0) + 64, SGPU_READ);		/* merged into an MSHR */
	fake_run(1000);
	KUNIT_EXPECT_EQ(test, 1, far_put(dev));
	KUNIT_EXPECT_EQ(test, 1, dev->gpu.mmu.faults);
	KUNIT_EXPECT_EQ(test, 5, dev->gpu.mmu.merged);
	KUNIT_EXPECT_EQ(test, 6, dev->gpu.mmu.waiting);
	KUNIT_EXPECT_EQ(test, FAULT_ACCESS_READ, far_access(dev, 0));
	far_map(test, dev, 0);
	far_replay(dev);
	KUNIT_EXPECT_EQ(test, 6, dev->called);
	KUNIT_EXPECT_EQ(test, 1, far_put(dev));
	far_forget_all(test, dev, 6);
}

/* A replay is about what has come: the other page waits, and is not reported again. */
static void far_stays(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET RING);

	fake_issue(dev, 0, 0, PAGE(0), SGPU_READ);
	fake_issue(dev, 1, 0, PAGE(1), SGPU_READ);
	fake_run(1000);
	far_map(test, dev, 1);
	far_replay(dev);
	KUNIT_EXPECT_TRUE(test, dev->accesses[1].translated);
	KUNIT_EXPECT_FALSE(test, dev->accesses[0].translated);
	KUNIT_EXPECT_EQ(test, 1, dev->gpu.mmu.retried);
	KUNIT_EXPECT_EQ(test, 2, far_put(dev));
	far_replay(dev);
	KUNIT_EXPECT_EQ(test, 2, far_put(dev));
	KUNIT_EXPECT_FALSE(test, sgpu_mmu_busy(&dev->gpu));
	far_forget_all(test, dev, 2);
}

/* A record that was taken without an answer is written again, behind those that came since. */
static void far_flushed(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET RING);
	unsigned int i;

	for (i = 0; i < 3; i++)
		fake_issue(dev, i, 0, PAGE(i), SGPU_READ);
	fake_run(1000);
	far_take(dev, 2);		/* 0 and 1 */
	fake_issue(dev, 3, 0, PAGE(3), SGPU_READ);
	fake_run(1000);
	far_replay(dev);
	KUNIT_ASSERT_EQ(test, 6, far_put(dev));
	for (i = 0; i < 6; i++)
		KUNIT_EXPECT_EQ_MSG(test, i < 4 ? i : i - 4, far_record(dev, i), "%u", i);
	/* they are in the ring now, so they are not written a third time */
	far_replay(dev);
	KUNIT_EXPECT_EQ(test, 6, far_put(dev));
	/* and they are let go last */
	for (i = 0; i < 4; i++)
		far_map(test, dev, i);
	far_replay(dev);
	for (i = 0; i < 4; i++)
		KUNIT_EXPECT_EQ_MSG(test, (i + 2) % 4, dev->accesses[i].order, "%u", i);
	far_forget_all(test, dev, 4);
}

/* The driver takes a record after it has handed over a replay: that one is not the answer. */
static void far_taken_later(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET RING);
	struct fake_channel ch;

	fake_channel_open(test, dev, &ch, RM_ENGINE_CE_HTOD);
	fake_issue(dev, 0, 0, PAGE(0), SGPU_READ);
	fake_run(1000);
	fake_method(&ch, HOST_MEM_OP_C, FIELD_PREP(HOST_MEM_OP_C_REPLAY, HOST_REPLAY_START));
	fake_method(&ch, HOST_MEM_OP_D,
		    FIELD_PREP(HOST_MEM_OP_D_OPERATION, HOST_MEM_OP_TLB_INVALIDATE_TARGETED));
	fake_submit(&ch);
	far_take(dev, 1);
	fake_run(10000);
	KUNIT_EXPECT_EQ(test, 1, dev->gpu.mmu.replayed);
	KUNIT_EXPECT_EQ(test, 1, far_put(dev));
	far_replay(dev);
	KUNIT_EXPECT_EQ(test, 2, far_put(dev));
	far_forget_all(test, dev, 1);
}

/* Let go in order of the faults, whichever uTLBs they come from. */
static void far_order(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET RING);
	static const u8 sms[] = { 6, 2, 0, 4, 6, 0 }, pages[] = { 5, 3, 4, 5, 1, 3 };
	static const u8 order[] = { 0, 2, 4, 1, 5, 3 };	/* by page: 5 5, 3 3, 4, 1 */
	unsigned int i;

	for (i = 0; i < 6; i++) {
		fake_issue(dev, i, sms[i], PAGE(pages[i]), SGPU_READ);
		fake_run(200);
	}
	KUNIT_EXPECT_EQ(test, 4, far_put(dev));
	for (i = 0; i < 6; i++)
		far_map(test, dev, i);
	far_replay(dev);
	for (i = 0; i < 6; i++)
		KUNIT_EXPECT_EQ_MSG(test, order[i], dev->accesses[i].order, "%u", i);
	far_forget_all(test, dev, 6);
}

/* The ring is full: nothing is dropped, the rest follow in order as GET moves. */
static void far_ring_full(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET "fault_ring_entries:4");
	static const u8 page[] = { 4, 5, 2, 3 };	/* by slot, in the end */
	unsigned int i;

	for (i = 0; i < 6; i++)
		fake_issue(dev, i, 0, PAGE(i), SGPU_READ);
	fake_run(1000);
	KUNIT_EXPECT_EQ(test, 3, far_put(dev));
	KUNIT_EXPECT_EQ(test, 0, dev->gpu.faults.dropped);
	far_take(dev, 1);
	fake_run(1000);
	KUNIT_EXPECT_EQ(test, 0, far_put(dev));
	KUNIT_EXPECT_EQ(test, 3, far_record(dev, 3));
	far_take(dev, 3);
	fake_run(1000);
	KUNIT_EXPECT_EQ(test, 2, far_put(dev));
	for (i = 0; i < 4; i++)
		KUNIT_EXPECT_EQ_MSG(test, page[i], far_record(dev, i), "%u", i);
	KUNIT_EXPECT_EQ(test, 0, dev->gpu.faults.dropped);
	/* what was taken of them is reported behind the others */
	far_take(dev, 2);
	far_replay(dev);
	KUNIT_EXPECT_EQ(test, 1, far_put(dev));
	for (i = 0; i < 3; i++)
		KUNIT_EXPECT_EQ_MSG(test, i, far_record(dev, (2 + i) % 4), "%u", i);
	far_forget_all(test, dev, 6);
}

/* A page that comes, or that nobody wants any more, before its record has room is not reported. */
static void far_unqueued(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET "fault_ring_entries:3");
	unsigned int i;

	for (i = 0; i < 6; i++)
		fake_issue(dev, i, 0, PAGE(i), SGPU_READ);
	fake_run(1000);
	KUNIT_EXPECT_EQ(test, 2, far_put(dev));
	far_map(test, dev, 2);
	far_replay(dev);
	KUNIT_EXPECT_TRUE(test, dev->accesses[2].translated);
	sgpu_mmu_forget(&dev->gpu, &dev->accesses[4].access);
	far_take(dev, 2);
	fake_run(1000);
	KUNIT_EXPECT_EQ(test, 1, far_put(dev));
	KUNIT_EXPECT_EQ(test, 3, far_record(dev, 2));
	KUNIT_EXPECT_EQ(test, 5, far_record(dev, 0));
	far_forget_all(test, dev, 6);
}

/* The page came read-only: readers go, the writer is reported as one. */
static void far_write_after_read(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET RING);

	fake_issue(dev, 0, 0, PAGE(0), SGPU_READ);
	fake_issue(dev, 1, 2, PAGE(0), SGPU_WRITE);
	fake_issue(dev, 2, 4, PAGE(0), SGPU_READ);
	fake_run(1000);
	KUNIT_EXPECT_EQ(test, 1, far_put(dev));
	fake_map(test, dev, PAGE(0), 12, FAKE_PTE(0) | MMU_PTE_READ_ONLY);
	far_take(dev, 1);
	far_replay(dev);
	KUNIT_EXPECT_TRUE(test, dev->accesses[0].translated && dev->accesses[2].translated);
	KUNIT_EXPECT_FALSE(test, dev->accesses[1].translated);
	KUNIT_ASSERT_EQ(test, 2, far_put(dev));
	KUNIT_EXPECT_EQ(test, FAULT_TYPE_RO, FIELD_GET(FAULT_W7_TYPE, fake_record(dev, 1)[7]));
	KUNIT_EXPECT_EQ(test, FAULT_ACCESS_WRITE, far_access(dev, 1));
	far_forget_all(test, dev, 3);
}

/* Evicted again before the access was made: a new fault, behind the others. */
static void far_evicted_again(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET RING);

	fake_issue(dev, 0, 0, PAGE(0), SGPU_READ);
	fake_issue(dev, 1, 0, PAGE(1), SGPU_READ);
	fake_run(1000);
	far_take(dev, 1);
	far_map(test, dev, 0);
	fake_replay(dev);
	fake_run(1050);			/* let go; it walks */
	*fake_entry(dev, PAGE(0), 4) = 0;
	fake_run(1000);
	KUNIT_EXPECT_FALSE(test, dev->accesses[0].translated);
	KUNIT_ASSERT_EQ(test, 3, far_put(dev));
	KUNIT_EXPECT_EQ(test, 0, far_record(dev, 2));
	far_forget_all(test, dev, 2);
}

/* A prefetch that waits ends by a replay once prefetches are not reported. */
static void far_prefetch_off(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET RING);

	fake_issue(dev, 0, 0, PAGE(0), SGPU_PREFETCH);
	fake_issue(dev, 1, 2, PAGE(0), SGPU_READ);
	fake_run(1000);
	rm_reg_write(&dev->gpu, REG_FAULT_PREFETCH, 0);
	far_take(dev, 1);
	far_replay(dev);
	KUNIT_EXPECT_TRUE(test, dev->accesses[0].cancelled);
	KUNIT_EXPECT_FALSE(test, dev->accesses[1].cancelled);
	KUNIT_EXPECT_EQ(test, 2, far_put(dev));
	KUNIT_EXPECT_EQ(test, FAULT_ACCESS_READ, far_access(dev, 1));
	far_forget_all(test, dev, 2);
}

/* A cancel ends those that it means; a page with others left waits on. */
static void far_cancel(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET RING);

	fake_issue(dev, 0, 0, PAGE(0), SGPU_READ);
	fake_issue(dev, 1, 2, PAGE(0), SGPU_WRITE);
	fake_issue(dev, 2, 4, PAGE(1), SGPU_READ);
	fake_run(1000);
	far_take(dev, 2);
	sgpu_mmu_cancel(&dev->gpu, RM_APERTURE_VID, dev->as.pdb, PAGE(0), HOST_CANCEL_READ);
	fake_run(1000);
	KUNIT_EXPECT_TRUE(test, dev->accesses[0].cancelled);
	KUNIT_EXPECT_EQ(test, 1, dev->called);
	far_replay(dev);
	KUNIT_EXPECT_EQ(test, 4, far_put(dev));
	KUNIT_EXPECT_EQ(test, FAULT_ACCESS_WRITE, far_access(dev, 2));
	far_take(dev, 4);
	sgpu_mmu_cancel_instance(&dev->gpu, dev->as.instance, SGPU_MMU_ALL_SMS);
	fake_run(1000);
	KUNIT_EXPECT_EQ(test, 3, dev->called);
	far_forget_all(test, dev, 3);
}

/* The access that wanted a page is forgotten, its MSHR goes on with the next one. */
static void far_forgotten_first(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET RING ",miss_bytes:65536");

	fake_issue(dev, 0, 0, PAGE(0), SGPU_READ);
	fake_issue(dev, 1, 0, PAGE(1), SGPU_READ);	/* the same 64 KB: the same MSHR */
	fake_run(1000);
	KUNIT_EXPECT_EQ(test, 1, far_put(dev));
	sgpu_mmu_forget(&dev->gpu, &dev->accesses[0].access);
	far_replay(dev);
	KUNIT_ASSERT_EQ(test, 2, far_put(dev));
	KUNIT_EXPECT_EQ(test, 1, far_record(dev, 1));
	far_forget_all(test, dev, 2);
}

/* The page directory goes: what waits ends with the next replay. */
static void far_unbound(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET RING);

	fake_issue(dev, 0, 0, PAGE(0), SGPU_READ);
	fake_run(1000);
	dev->as.bound = false;
	far_replay(dev);
	KUNIT_EXPECT_TRUE(test, dev->accesses[0].cancelled);
	far_forget_all(test, dev, 1);
}

/* The same page number in two address spaces is two pages. */
static void far_two_spaces(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET RING);
	struct sgpu_address_space other = dev->as;
	struct fake_access *a = &dev->accesses[1];

	KUNIT_ASSERT_EQ(test, 0, rm_reserve_alloc(&dev->gpu, 4096, &other.pdb));
	other.instance = dev->as.instance - 4096;
	fake_issue(dev, 0, 0, PAGE(0), SGPU_READ);
	a->access = dev->accesses[0].access;
	a->access.as = &other;
	a->access.sm = 2;
	INIT_LIST_HEAD(&a->access.node);
	sgpu_mmu_request(&dev->gpu, &a->access, sgpu_now_ps());
	fake_run(1000);
	KUNIT_ASSERT_EQ(test, 2, far_put(dev));
	KUNIT_EXPECT_EQ(test, dev->as.instance >> 12, fake_record(dev, 0)[0] >> 12);
	KUNIT_EXPECT_EQ(test, other.instance >> 12, fake_record(dev, 1)[0] >> 12);
	far_map(test, dev, 0);
	far_replay(dev);
	KUNIT_EXPECT_TRUE(test, dev->accesses[0].translated);
	KUNIT_EXPECT_FALSE(test, a->translated);
	far_forget_all(test, dev, 2);
}

/* Of replays that are performed together, and that become one, the one that knows most counts. */
static void far_replays_together(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET RING);
	unsigned int i;

	fake_issue(dev, 0, 0, PAGE(0), SGPU_READ);
	fake_run(1000);
	far_take(dev, 1);
	sgpu_mmu_replay(&dev->gpu, 0);
	sgpu_mmu_replay(&dev->gpu, 1);
	sgpu_mmu_replay(&dev->gpu, 0);
	fake_run(3000);
	KUNIT_EXPECT_EQ(test, 3, dev->gpu.mmu.replayed);
	KUNIT_EXPECT_EQ(test, 2, far_put(dev));
	far_take(dev, 2);
	for (i = 0; i < SGPU_MMU_REPLAYS; i++)
		sgpu_mmu_replay(&dev->gpu, i == SGPU_MMU_REPLAYS - 1 ? 2 : 0);
	sgpu_mmu_replay(&dev->gpu, 0);
	fake_run(3000);
	KUNIT_EXPECT_EQ(test, 3, far_put(dev));
	far_forget_all(test, dev, 1);
}

/* On the real clock the driver maps a page while a replay is at work: here, after the lookup. */
static enum sgpu_walk_result far_late_walk(struct rm_gpu *gpu, const struct sgpu_address_space *as,
					   u64 va, enum sgpu_access_kind kind,
					   struct sgpu_page *page)
{
	struct kunit *test = kunit_get_current_test();
	enum sgpu_walk_result res;

	kunit_deactivate_static_stub(test, sgpu_walk);
	res = sgpu_walk(gpu, as, va, kind, page);
	*fake_entry(test->priv, va, 4) = FAKE_PTE(0);
	return res;
}

/* What is reported is what was seen. */
static void far_comes_late(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET RING);

	far_map(test, dev, 0);
	*fake_entry(dev, PAGE(0), 4) = 0;
	fake_issue(dev, 0, 0, PAGE(0), SGPU_READ);
	fake_run(1000);
	far_take(dev, 1);
	test->priv = dev;
	kunit_activate_static_stub(test, sgpu_walk, far_late_walk);
	far_replay(dev);
	KUNIT_EXPECT_EQ(test, FAKE_PTE(0), *fake_entry(dev, PAGE(0), 4));
	KUNIT_ASSERT_EQ(test, 2, far_put(dev));
	KUNIT_EXPECT_EQ(test, FAULT_TYPE_PTE, FIELD_GET(FAULT_W7_TYPE, fake_record(dev, 1)[7]));
	far_forget_all(test, dev, 1);
}

/* No page has two records that the driver has not taken. */
static void far_expect_distinct(struct kunit *test, struct fake_device *dev, u32 get, u32 put)
{
	u64 pages = 0, page;

	for (; get != put; get = (get + 1) % 8) {
		page = far_record(dev, get);
		KUNIT_EXPECT_FALSE_MSG(test, pages & BIT_ULL(page), "page %llu", page);
		pages |= BIT_ULL(page);
	}
}

/*
 * Any order of misses, arrivals, evictions, fetches and replays: each access is called back once,
 * no record is dropped, and a page is in the ring once at most.
 */
static void far_random(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET "fault_ring_entries:8");
	u32 seed = 1, get = 0, put, page;
	unsigned int i, round;

	for (page = 0; page < 40; page++) {
		far_map(test, dev, page);
		*fake_entry(dev, PAGE(page), 4) = 0;
	}
	for (round = 0; round < 400; round++) {
		seed = seed * 1103515245 + 12345;
		page = (seed >> 16) % 40;
		if (round < 300)
			fake_issue(dev, round, (seed >> 8) % 8, PAGE(page), (seed >> 22) % 3);
		fake_run((seed >> 10) % 300);
		put = far_put(dev);
		KUNIT_ASSERT_EQ(test, 0, put & REG_FAULT_PUT_OVERFLOW);
		far_expect_distinct(test, dev, get, put);
		for (i = 0; get != put && i < 2; i++, get = (get + 1) % 8)
			*fake_entry(dev, PAGE(far_record(dev, get)), 4) = FAKE_PTE(0);
		far_take(dev, get);
		fake_replay(dev);
		/* evict another one */
		*fake_entry(dev, PAGE((page + 7) % 40), 4) = 0;
	}
	for (round = 0; round < 40; round++)
		*fake_entry(dev, PAGE(round), 4) = FAKE_PTE(0);
	far_replay(dev);
	far_replay(dev);
	KUNIT_EXPECT_EQ(test, 300, dev->called);
	KUNIT_EXPECT_EQ(test, 0, dev->gpu.faults.dropped);
	far_forget_all(test, dev, 300);
}

static struct kunit_case far_fault_kunit_cases[] = {
	KUNIT_CASE(far_once),
	KUNIT_CASE(far_stays),
	KUNIT_CASE(far_flushed),
	KUNIT_CASE(far_taken_later),
	KUNIT_CASE(far_order),
	KUNIT_CASE(far_ring_full),
	KUNIT_CASE(far_unqueued),
	KUNIT_CASE(far_write_after_read),
	KUNIT_CASE(far_evicted_again),
	KUNIT_CASE(far_prefetch_off),
	KUNIT_CASE(far_cancel),
	KUNIT_CASE(far_forgotten_first),
	KUNIT_CASE(far_unbound),
	KUNIT_CASE(far_two_spaces),
	KUNIT_CASE(far_replays_together),
	KUNIT_CASE(far_comes_late),
	KUNIT_CASE(far_random),
	{}
};

struct kunit_suite softgpu_far_fault_suite = {
	.name = "softgpu_far_fault",
	.test_cases = far_fault_kunit_cases,
};
