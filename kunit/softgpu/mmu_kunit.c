// SPDX-License-Identifier: GPL-2.0
/* softgpu MMU: misses, faults, replay, cancel, stale translations, in time. */
#include <kunit/test.h>
#include <linux/bitfield.h>
#include <softgpu/fault_format.h>
#include <softgpu/host_class.h>
#include <softgpu/mmu_format.h>
#include "fake_device.h"
#include "softgpu/clock/clock.h"
#include "softgpu/mmu/mmu.h"
#include "softgpu/mmu/mmu_cancel.h"
#include "softgpu/mmu/mmu_mshr.h"
#include "softgpu/mmu/mmu_tlb.h"

/* 1 ns cycles; a miss costs 10 + 100 ns; 4 uTLBs of 2 SMs in 2 GPCs. */
#define TIMES(port) \
	"utlb_port_cycles:" port ",sm_clock_khz:1000000,l2tlb_cycles:10,walk_cycles:100," \
	"fault_write_ns:300,interrupt_ns:500,replay_ns:1000,sm_count:8,sms_per_utlb:2," \
	"gpc_count:2,utlb_entries:16,utlb_ways:16,l2tlb_entries:64,l2tlb_ways:4,"
#define BASE	TIMES("0")
#define SET	BASE "utlb_faults:4,walks_in_flight:64,fault_ring_entries:16"
#define VA	0x10000000ULL
#define PAGE(n)	(VA + (n) * 4096ULL)
#define PTE(pa)	FAKE_PTE(pa)
#define MISS_NS	110

static void mmu_map(struct kunit *test, struct fake_device *dev, unsigned int page, u64 pte)
{
	fake_map(test, dev, PAGE(page), 12, pte);
}

static bool mmu_hit(struct fake_device *dev, unsigned int sm, u64 va, enum sgpu_access_kind kind)
{
	struct sgpu_translation xlat;

	return sgpu_mmu_lookup(&dev->gpu, sm, &dev->as, va, kind, &xlat);
}

static void mmu_invalidate_page(struct fake_device *dev, u64 va)
{
	struct sgpu_invalidate inv = {
		.pdb_aperture = RM_APERTURE_VID, .pdb = dev->as.pdb, .targeted = true, .va = va,
	};

	sgpu_mmu_invalidate(&dev->gpu, &inv);
}

/* L2 lookup + walk, then the SM's uTLB has it; the other uTLB finds it in L2. */
static void mmu_translate(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET);
	struct fake_access *a;
	u64 start = sgpu_now_ps();

	mmu_map(test, dev, 0, PTE(0x5000));
	KUNIT_EXPECT_FALSE(test, mmu_hit(dev, 0, PAGE(0), SGPU_READ));
	a = fake_issue(dev, 0, 0, PAGE(0) + 8, SGPU_WRITE);
	KUNIT_EXPECT_TRUE(test, sgpu_mmu_busy(&dev->gpu));
	fake_run(1000);
	KUNIT_EXPECT_TRUE(test, a->translated);
	KUNIT_EXPECT_EQ(test, start + MISS_NS * PS_PER_NS, a->when_ps);
	KUNIT_EXPECT_EQ(test, 0x5000, a->xlat.pa);
	KUNIT_EXPECT_FALSE(test, sgpu_mmu_busy(&dev->gpu));
	KUNIT_EXPECT_TRUE(test, mmu_hit(dev, 1, PAGE(0), SGPU_READ));
	KUNIT_EXPECT_FALSE(test, mmu_hit(dev, 2, PAGE(0), SGPU_READ));
	start = sgpu_now_ps();
	a = fake_issue(dev, 1, 2, PAGE(0), SGPU_READ);
	fake_run(1000);
	KUNIT_EXPECT_EQ(test, start + 10 * PS_PER_NS, a->when_ps);
	KUNIT_EXPECT_EQ(test, 1, dev->gpu.mmu.walks);
}

/* Fields of a record (fault_format.h), by who faulted how. */
struct mmu_fault_case {
	const char *name;
	u64 pte;
	bool unmapped;			/* no tables at all */
	u8 kind;
	u8 sm;
	u8 type;
	u8 access;
	u8 gpc;
	u8 client;
};

static const struct mmu_fault_case mmu_fault_cases[] = {
	{ "read, no PTE", 0, false, SGPU_READ, 0, FAULT_TYPE_PTE, FAULT_ACCESS_READ, 0, 0 },
	{ "write, no table", 0, true, SGPU_WRITE, 3, FAULT_TYPE_PDE, FAULT_ACCESS_WRITE, 0, 3 },
	{ "write to read-only", PTE(0) | MMU_PTE_READ_ONLY, false, SGPU_WRITE, 4,
	  FAULT_TYPE_RO, FAULT_ACCESS_WRITE, 1, 0 },
	{ "atomic, disabled", PTE(0) | MMU_PTE_ATOMIC_DISABLE, false, SGPU_ATOMIC, 7,
	  FAULT_TYPE_ATOMIC, FAULT_ACCESS_ATOMIC_STRONG, 1, 3 },
	{ "prefetch", 0, false, SGPU_PREFETCH, 5, FAULT_TYPE_PTE, FAULT_ACCESS_PREFETCH, 1, 1 },
	{ "page outside memory is fatal", PTE(1ULL << 40), false, SGPU_READ, 1,
	  FAULT_TYPE_PDE_SIZE, FAULT_ACCESS_READ, 0, 1 },
};

static void mmu_fault_desc(const struct mmu_fault_case *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(mmu_fault, mmu_fault_cases, mmu_fault_desc);

static void mmu_fault_record(struct kunit *test)
{
	const struct mmu_fault_case *c = test->param_value;
	struct fake_device *dev = fake_device_create(test, SET);
	u64 detect = sim_now() + MISS_NS;
	const u32 *rec;

	if (!c->unmapped)
		mmu_map(test, dev, 1, c->pte);
	fake_issue(dev, 0, c->sm, PAGE(1) + 0x24, c->kind);
	fake_run(MISS_NS + 299);
	KUNIT_EXPECT_EQ(test, 0, rm_reg_read(&dev->gpu, REG_FAULT_PUT));
	fake_run(2);
	KUNIT_EXPECT_EQ(test, 1, rm_reg_read(&dev->gpu, REG_FAULT_PUT));
	rec = fake_record(dev, 0);
	KUNIT_ASSERT_NOT_NULL(test, rec);
	KUNIT_EXPECT_EQ(test, dev->as.instance, rec[0] | (u64)rec[1] << 32);
	KUNIT_EXPECT_EQ(test, PAGE(1), rec[2] | (u64)rec[3] << 32);
	KUNIT_EXPECT_EQ(test, detect, rec[4] | (u64)rec[5] << 32);
	KUNIT_EXPECT_EQ(test, FAULT_ENGINE_GRAPHICS, FIELD_GET(FAULT_W6_ENGINE_ID, rec[6]));
	KUNIT_EXPECT_EQ(test, c->type, FIELD_GET(FAULT_W7_TYPE, rec[7]));
	KUNIT_EXPECT_EQ(test, c->access, FIELD_GET(FAULT_W7_ACCESS, rec[7]));
	KUNIT_EXPECT_EQ(test, c->gpc, FIELD_GET(FAULT_W7_GPC, rec[7]));
	KUNIT_EXPECT_EQ(test, c->client, FIELD_GET(FAULT_W7_CLIENT, rec[7]));
	KUNIT_EXPECT_TRUE(test, rec[7] & FAULT_W7_REPLAYABLE);
	KUNIT_EXPECT_FALSE(test, rec[7] & FAULT_W7_HUB);
	KUNIT_EXPECT_FALSE(test, dev->accesses[0].translated || dev->accesses[0].cancelled);
	KUNIT_EXPECT_FALSE(test, sgpu_mmu_busy(&dev->gpu));
	sgpu_mmu_forget(&dev->gpu, &dev->accesses[0].access);
}

static void mmu_forget_all(struct fake_device *dev, unsigned int count)
{
	while (count--)
		sgpu_mmu_forget(&dev->gpu, &dev->accesses[count].access);
}

static u32 mmu_put(struct fake_device *dev)
{
	return FIELD_GET(REG_FAULT_PUT_INDEX, rm_reg_read(&dev->gpu, REG_FAULT_PUT));
}

/* One MSHR per page and class; the same is merged; another uTLB has others. */
static void mmu_merge(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET);

	fake_issue(dev, 0, 0, PAGE(0), SGPU_READ);
	fake_issue(dev, 1, 1, PAGE(0) + 64, SGPU_READ);		/* merged while it walks */
	fake_issue(dev, 2, 0, PAGE(0), SGPU_WRITE);		/* another class */
	fake_run(1000);
	fake_issue(dev, 3, 0, PAGE(0), SGPU_READ);		/* merged into the fault */
	fake_issue(dev, 4, 2, PAGE(0), SGPU_READ);		/* another uTLB */
	fake_run(1000);
	KUNIT_EXPECT_EQ(test, 3, mmu_put(dev));
	KUNIT_EXPECT_EQ(test, 2, dev->gpu.mmu.merged);
	KUNIT_EXPECT_EQ(test, 5, dev->gpu.mmu.waiting);
	mmu_map(test, dev, 0, PTE(0x5000));
	fake_replay(dev);
	fake_run(2000);
	KUNIT_EXPECT_EQ(test, 5, dev->called);
	KUNIT_EXPECT_EQ(test, 0, dev->gpu.mmu.waiting);
	KUNIT_EXPECT_EQ(test, 3, mmu_put(dev));
}

/*
 * No MSHR is free: further misses stall, in issue order: the faults of one warp
 * come in rounds.  After a replay the oldest get those that are free.
 */
static void mmu_mshrs_full(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET);
	unsigned int i;

	for (i = 0; i < 6; i++)
		fake_issue(dev, i, 0, PAGE(i), SGPU_READ);
	fake_run(1000);
	KUNIT_EXPECT_EQ(test, 4, mmu_put(dev));
	KUNIT_EXPECT_EQ(test, 6, dev->gpu.mmu.waiting);
	for (i = 0; i < 4; i++)
		mmu_map(test, dev, i, PTE(i * 4096ULL));
	fake_replay(dev);
	fake_run(3000);
	for (i = 0; i < 6; i++)
		KUNIT_EXPECT_EQ_MSG(test, i < 4, dev->accesses[i].translated, "%u", i);
	KUNIT_EXPECT_EQ(test, 6, mmu_put(dev));
	KUNIT_EXPECT_EQ(test, PAGE(4), fake_record(dev, 4)[2]);
	KUNIT_EXPECT_EQ(test, PAGE(5), fake_record(dev, 5)[2]);
	/* Calls came in issue order. */
	for (i = 0; i < 4; i++)
		KUNIT_EXPECT_EQ(test, i, dev->accesses[i].order);
	mmu_forget_all(dev, 6);
	KUNIT_EXPECT_EQ(test, 0, dev->gpu.mmu.waiting);
}

/*
 * One port per uTLB (HPE, machine table): its misses go one after the other, those of two
 * uTLBs in turn, also after a replay.
 */
static void mmu_port(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, TIMES("10")
						      "utlb_faults:4,walks_in_flight:64");
	static const u8 sms[5] = { 0, 0, 1, 2, 3 }, order[5] = { 0, 3, 1, 4, 2 };
	u64 start = sim_now();
	unsigned int i;

	for (i = 0; i < 5; i++)
		fake_issue(dev, i, sms[i], PAGE(i), SGPU_READ);
	fake_run(1000);
	fake_replay(dev);
	fake_run(3000);
	KUNIT_ASSERT_EQ(test, 10, mmu_put(dev));
	for (i = 0; i < 10; i++)
		KUNIT_EXPECT_EQ_MSG(test, PAGE(order[i % 5]), fake_record(dev, i)[2],
				    "record %u", i);
	for (i = 0; i < 5; i++)
		KUNIT_EXPECT_EQ_MSG(test, start + MISS_NS + i / 2 * 10,
				    fake_record(dev, i)[4] | (u64)fake_record(dev, i)[5] << 32,
				    "record %u", i);
	mmu_forget_all(dev, 5);
}

/* The L2 TLB begins two lookups in a cycle, whichever uTLBs they come from (HPE, Table I). */
static void mmu_l2_ports(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET ",l2tlb_ports:2");
	static const u8 sms[5] = { 0, 2, 4, 6, 0 };
	u64 start = sim_now();
	unsigned int i;

	for (i = 0; i < 5; i++)
		fake_issue(dev, i, sms[i], PAGE(i), SGPU_READ);
	fake_run(1000);
	KUNIT_ASSERT_EQ(test, 5, mmu_put(dev));
	for (i = 0; i < 5; i++) {
		KUNIT_EXPECT_EQ_MSG(test, PAGE(i), fake_record(dev, i)[2], "record %u", i);
		KUNIT_EXPECT_EQ_MSG(test, start + MISS_NS + i / 2,
				    fake_record(dev, i)[4] | (u64)fake_record(dev, i)[5] << 32,
				    "record %u", i);
	}
	mmu_forget_all(dev, 5);
}

/* A replay re-translates replay_ns later; what still misses faults again. */
static void mmu_replay_refaults(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET);
	u64 start;

	fake_issue(dev, 0, 0, PAGE(0), SGPU_READ);
	fake_issue(dev, 1, 0, PAGE(1), SGPU_READ);
	fake_run(1000);
	KUNIT_EXPECT_EQ(test, 2, mmu_put(dev));
	mmu_map(test, dev, 1, PTE(0x7000));
	start = sgpu_now_ps();
	fake_replay(dev);
	KUNIT_EXPECT_TRUE(test, sgpu_mmu_busy(&dev->gpu));
	fake_run(3000);
	KUNIT_EXPECT_TRUE(test, dev->accesses[1].translated);
	KUNIT_EXPECT_EQ(test, start + (1000 + MISS_NS) * PS_PER_NS, dev->accesses[1].when_ps);
	KUNIT_EXPECT_FALSE(test, dev->accesses[0].translated);
	KUNIT_EXPECT_EQ(test, 3, mmu_put(dev));
	KUNIT_EXPECT_EQ(test, PAGE(0), fake_record(dev, 2)[2]);
	/* both were tried again, the third record waits */
	KUNIT_EXPECT_EQ(test, 2, dev->gpu.mmu.retried);
	mmu_forget_all(dev, 2);
}

/* Two replays on their way are two replays: a fault between them is caught. */
static void mmu_replay_twice(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET);

	fake_issue(dev, 0, 0, PAGE(0), SGPU_READ);
	fake_run(500);
	fake_replay(dev);
	fake_run(600);
	mmu_map(test, dev, 0, PTE(0));
	fake_replay(dev);
	*fake_entry(dev, PAGE(0), 4) = 0;
	fake_run(900);			/* the first replay came and faulted again */
	KUNIT_EXPECT_EQ(test, 2, mmu_put(dev));
	*fake_entry(dev, PAGE(0), 4) = PTE(0x3000);
	fake_run(1000);
	KUNIT_EXPECT_TRUE(test, dev->accesses[0].translated);
	KUNIT_EXPECT_EQ(test, 2, dev->gpu.mmu.replayed);
}

/* Hardware that misbehaves: a lost replay leaves the access where it is. */
static void mmu_replay_lost(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET);

	fake_issue(dev, 0, 0, PAGE(0), SGPU_READ);
	fake_run(1000);
	mmu_map(test, dev, 0, PTE(0));
	dev->gpu.mmu.lose_replay = 1;
	fake_replay(dev);
	fake_run(10000);
	KUNIT_EXPECT_FALSE(test, dev->accesses[0].translated);
	KUNIT_EXPECT_FALSE(test, sgpu_mmu_busy(&dev->gpu));
	fake_replay(dev);
	fake_run(10000);
	KUNIT_EXPECT_TRUE(test, dev->accesses[0].translated);
}

/* Walkers are bounded: the third walk starts when the first ends. */
static void mmu_walkers(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, BASE "walks_in_flight:2");
	u64 start = sgpu_now_ps();
	static const u64 when[] = { 110, 110, 210, 210, 310 };
	unsigned int i;

	for (i = 0; i < 5; i++)
		mmu_map(test, dev, i, PTE(i * 4096ULL));
	for (i = 0; i < 5; i++)
		fake_issue(dev, i, 2 * (i % 4), PAGE(i), SGPU_READ);
	fake_run(1000);
	for (i = 0; i < 5; i++)
		KUNIT_EXPECT_EQ(test, start + when[i] * PS_PER_NS, dev->accesses[i].when_ps);
}

/* A stale entry stays in use until it is invalidated. */
static void mmu_stale(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET);

	mmu_map(test, dev, 0, PTE(0x5000));
	mmu_map(test, dev, 1, PTE(0x6000));
	fake_issue(dev, 0, 0, PAGE(0), SGPU_READ);
	fake_issue(dev, 1, 0, PAGE(1), SGPU_READ);
	fake_run(1000);
	*fake_entry(dev, PAGE(0), 4) = 0;
	KUNIT_EXPECT_TRUE(test, mmu_hit(dev, 0, PAGE(0), SGPU_READ));
	/* from L2, too */
	fake_issue(dev, 2, 2, PAGE(0), SGPU_READ);
	fake_run(1000);
	KUNIT_EXPECT_TRUE(test, dev->accesses[2].translated);
	dev->gpu.mmu.ignore_invalidate = true;
	mmu_invalidate_page(dev, PAGE(0));
	KUNIT_EXPECT_TRUE(test, mmu_hit(dev, 0, PAGE(0), SGPU_READ));
	dev->gpu.mmu.ignore_invalidate = false;
	mmu_invalidate_page(dev, PAGE(0));
	KUNIT_EXPECT_FALSE(test, mmu_hit(dev, 0, PAGE(0), SGPU_READ));
	KUNIT_EXPECT_FALSE(test, mmu_hit(dev, 2, PAGE(0), SGPU_READ));
	KUNIT_EXPECT_TRUE(test, mmu_hit(dev, 0, PAGE(1), SGPU_READ));
	fake_issue(dev, 3, 0, PAGE(0), SGPU_READ);
	fake_run(1000);
	KUNIT_EXPECT_FALSE(test, dev->accesses[3].translated);
	mmu_forget_all(dev, 4);
}

/* Whom an invalidate concerns: address space and span. */
struct mmu_invalidate_case {
	const char *name;
	struct sgpu_invalidate inv;	/* .pdb: 0 = ours, else as given */
	bool page0;			/* still there afterwards */
	bool page5;
};

static const struct mmu_invalidate_case mmu_invalidate_cases[] = {
	{ "all address spaces", { .all_pdbs = true }, false, false },
	{ "ours, everything", {}, false, false },
	{ "another address space", { .pdb = 0xabc000 }, true, true },
	{ "the same address elsewhere", { .pdb_aperture = RM_APERTURE_SYS }, true, true },
	{ "one page", { .targeted = true, .va = PAGE(0) }, false, true },
	{ "four pages", { .targeted = true, .va = PAGE(2), .log2_pages = 2 }, false, true },
	{ "eight pages", { .targeted = true, .va = PAGE(2), .log2_pages = 3 }, false, false },
	{ "2 MB", { .targeted = true, .va = PAGE(3), .log2_pages = 9 }, false, false },
	{ "more than there is", { .targeted = true, .va = 0, .log2_pages = 63 }, false, false },
	{ "page tables only", { .targeted = true, .va = PAGE(5), .level = HOST_LEVEL_PTE_ONLY },
	  true, false },
};

static void mmu_invalidate_desc(const struct mmu_invalidate_case *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(mmu_invalidate, mmu_invalidate_cases, mmu_invalidate_desc);

static void mmu_invalidate_span(struct kunit *test)
{
	const struct mmu_invalidate_case *c = test->param_value;
	struct fake_device *dev = fake_device_create(test, SET);
	struct sgpu_invalidate inv = c->inv;
	u64 epoch = atomic64_read(&dev->gpu.mmu.epoch);

	mmu_map(test, dev, 0, PTE(0x5000));
	mmu_map(test, dev, 5, PTE(0x6000));
	fake_issue(dev, 0, 0, PAGE(0), SGPU_READ);
	fake_issue(dev, 1, 0, PAGE(5), SGPU_READ);
	fake_run(1000);
	if (!inv.pdb)
		inv.pdb = dev->as.pdb;
	sgpu_mmu_invalidate(&dev->gpu, &inv);
	KUNIT_EXPECT_EQ(test, c->page0, mmu_hit(dev, 0, PAGE(0), SGPU_READ));
	KUNIT_EXPECT_EQ(test, c->page5, mmu_hit(dev, 0, PAGE(5), SGPU_READ));
	KUNIT_EXPECT_GT(test, atomic64_read(&dev->gpu.mmu.epoch), epoch);
}

/* A hit that lacks the permission is dropped, and the tables decide. */
static void mmu_permission(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET);

	mmu_map(test, dev, 0, PTE(0x5000) | MMU_PTE_READ_ONLY);
	fake_issue(dev, 0, 0, PAGE(0), SGPU_READ);
	fake_run(1000);
	KUNIT_EXPECT_TRUE(test, mmu_hit(dev, 0, PAGE(0), SGPU_READ));
	KUNIT_EXPECT_FALSE(test, mmu_hit(dev, 0, PAGE(0), SGPU_WRITE));
	KUNIT_EXPECT_FALSE(test, mmu_hit(dev, 0, PAGE(0), SGPU_READ));
	/* An upgrade of the PTE needs no invalidate: the L2 entry does not help either. */
	*fake_entry(dev, PAGE(0), 4) = PTE(0x5000);
	fake_issue(dev, 1, 0, PAGE(0), SGPU_WRITE);
	fake_run(1000);
	KUNIT_EXPECT_TRUE(test, dev->accesses[1].translated);
	KUNIT_EXPECT_TRUE(test, mmu_hit(dev, 0, PAGE(0), SGPU_ATOMIC));
}

/* Cancel by class (host_class.h): which of read, write, atomic, prefetch end. */
struct mmu_cancel_case {
	u8 access;
	bool ends[SGPU_ACCESS_KINDS];
};

static const struct mmu_cancel_case mmu_cancel_cases[] = {
	{ HOST_CANCEL_READ, { true, false, false, false } },
	{ HOST_CANCEL_WRITE, { false, true, false, false } },
	{ HOST_CANCEL_ATOMIC_STRONG, { false, false, true, false } },
	{ HOST_CANCEL_ATOMIC_WEAK, { false, false, false, false } },
	{ HOST_CANCEL_ATOMIC_ALL, { false, false, true, false } },
	{ HOST_CANCEL_WRITE_AND_ATOMIC, { false, true, true, false } },
	{ HOST_CANCEL_ALL, { true, true, true, true } },
};

static void mmu_cancel_desc(const struct mmu_cancel_case *c, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "access %u", c->access);
}

KUNIT_ARRAY_PARAM(mmu_cancel, mmu_cancel_cases, mmu_cancel_desc);

static void mmu_cancel(struct kunit *test)
{
	const struct mmu_cancel_case *c = test->param_value;
	struct fake_device *dev = fake_device_create(test, SET);
	u64 pdb = dev->as.pdb;
	unsigned int i;

	for (i = 0; i < SGPU_ACCESS_KINDS; i++)
		fake_issue(dev, i, 0, PAGE(0) + 8 * i, i);
	/* No MSHR is free: these wait without one. */
	fake_issue(dev, 4, 0, PAGE(1), SGPU_WRITE);
	/* The same page through another uTLB. */
	fake_issue(dev, 5, 2, PAGE(0), SGPU_WRITE);
	fake_run(1000);
	sgpu_mmu_cancel(&dev->gpu, RM_APERTURE_VID, pdb + 4096, PAGE(0), c->access);
	sgpu_mmu_cancel(&dev->gpu, RM_APERTURE_SYS, pdb, PAGE(0), c->access);
	sgpu_mmu_cancel(&dev->gpu, RM_APERTURE_VID, pdb, PAGE(2), c->access);
	fake_run(1000);
	KUNIT_EXPECT_EQ(test, 0, dev->called);
	sgpu_mmu_cancel(&dev->gpu, RM_APERTURE_VID, pdb, PAGE(0) + 0x10, c->access);
	KUNIT_EXPECT_EQ(test, 0, dev->called);	/* never from inside */
	fake_run(1000);
	for (i = 0; i < SGPU_ACCESS_KINDS; i++)
		KUNIT_EXPECT_EQ_MSG(test, c->ends[i], dev->accesses[i].cancelled, "%u", i);
	KUNIT_EXPECT_EQ(test, c->ends[SGPU_WRITE], dev->accesses[5].cancelled);
	KUNIT_EXPECT_FALSE(test, dev->accesses[4].cancelled);
	mmu_forget_all(dev, 6);
}

/* Each access keeps the reason of its own cancel, though it is told later. */
static void mmu_cancel_error(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET);
	unsigned int i;

	for (i = 0; i < 3; i++)
		fake_issue(dev, i, 0, PAGE(i), SGPU_READ);
	fake_run(1000);
	sgpu_mmu_set_cancel_error(&dev->gpu, &dev->as, PAGE(0) + 0x10, ENOMEM);
	sgpu_mmu_cancel(&dev->gpu, RM_APERTURE_VID, dev->as.pdb, PAGE(0), HOST_CANCEL_ALL);
	sgpu_mmu_set_cancel_error(&dev->gpu, &dev->as, PAGE(1), EIO);
	sgpu_mmu_cancel(&dev->gpu, RM_APERTURE_VID, dev->as.pdb, PAGE(1), HOST_CANCEL_ALL);
	sgpu_mmu_cancel(&dev->gpu, RM_APERTURE_VID, dev->as.pdb, PAGE(2), HOST_CANCEL_ALL);
	fake_run(1000);
	KUNIT_EXPECT_EQ(test, ENOMEM, dev->accesses[0].error);
	KUNIT_EXPECT_EQ(test, EIO, dev->accesses[1].error);
	KUNIT_EXPECT_EQ(test, EFAULT, dev->accesses[2].error);
	mmu_forget_all(dev, 3);
}

/* An access that waits for an MSHR can be cancelled as well. */
static void mmu_cancel_waiting(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET);
	unsigned int i;

	for (i = 0; i < 6; i++)
		fake_issue(dev, i, 0, PAGE(i), SGPU_READ);
	fake_run(1000);
	sgpu_mmu_cancel(&dev->gpu, RM_APERTURE_VID, dev->as.pdb, PAGE(5), HOST_CANCEL_READ);
	fake_run(1000);
	KUNIT_EXPECT_TRUE(test, dev->accesses[5].cancelled);
	/* An MSHR freed by a cancel goes to who waits, without a replay. */
	sgpu_mmu_cancel(&dev->gpu, RM_APERTURE_VID, dev->as.pdb, PAGE(0), HOST_CANCEL_READ);
	fake_run(1000);
	KUNIT_EXPECT_EQ(test, 5, mmu_put(dev));
	KUNIT_EXPECT_EQ(test, PAGE(4), fake_record(dev, 4)[2]);
	mmu_forget_all(dev, 6);
}

/*
 * What was issued since the driver moved GET is no business of a cancel: with an MSHR of
 * its own, with one that it shares with an older access, or with none.  A hint is no
 * exception.  Who is left gets a record of its own where the older one is gone.
 */
static void mmu_cancel_later(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET);
	unsigned int i;

	fake_issue(dev, 0, 0, PAGE(0), SGPU_READ);
	fake_issue(dev, 1, 0, PAGE(0), SGPU_PREFETCH);
	fake_run(1000);
	rm_reg_write(&dev->gpu, REG_FAULT_GET, 2);
	fake_issue(dev, 2, 0, PAGE(0) + 8, SGPU_READ);
	fake_issue(dev, 3, 0, PAGE(0) + 8, SGPU_PREFETCH);
	fake_issue(dev, 4, 2, PAGE(0), SGPU_READ);
	for (i = 5; i < 7; i++)		/* use up the MSHRs of the uTLB */
		fake_issue(dev, i, 0, PAGE(i), SGPU_READ);
	fake_issue(dev, 7, 0, PAGE(0), SGPU_WRITE);
	fake_run(1000);
	sgpu_mmu_cancel(&dev->gpu, RM_APERTURE_VID, dev->as.pdb, PAGE(0), HOST_CANCEL_ALL);
	fake_run(1000);
	for (i = 0; i < 8; i++)
		KUNIT_EXPECT_EQ_MSG(test, i < 2, dev->accesses[i].cancelled, "%u", i);
	KUNIT_EXPECT_EQ(test, 6, dev->gpu.mmu.waiting);
	KUNIT_EXPECT_EQ(test, 7, mmu_put(dev));	/* 2, 3 more than 0, 1, 4, 5, 6 */
	/* they are translated once their page is there */
	mmu_map(test, dev, 0, PTE(0x5000));
	fake_replay(dev);
	fake_run(2000);
	KUNIT_EXPECT_TRUE(test, dev->accesses[2].translated && dev->accesses[3].translated);
	KUNIT_EXPECT_TRUE(test, dev->accesses[4].translated && dev->accesses[7].translated);
	mmu_forget_all(dev, 8);
}

/* A driver that has looked again may cancel them. */
static void mmu_cancel_seen(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET);

	rm_reg_write(&dev->gpu, REG_FAULT_GET, 0);
	fake_issue(dev, 0, 0, PAGE(0), SGPU_READ);
	fake_run(1000);
	sgpu_mmu_cancel(&dev->gpu, RM_APERTURE_VID, dev->as.pdb, PAGE(0), HOST_CANCEL_ALL);
	fake_run(1000);
	KUNIT_EXPECT_FALSE(test, dev->accesses[0].cancelled);
	KUNIT_EXPECT_EQ(test, 1, mmu_put(dev));	/* nor does it fault again for that */
	rm_reg_write(&dev->gpu, REG_FAULT_GET, 1);
	sgpu_mmu_cancel(&dev->gpu, RM_APERTURE_VID, dev->as.pdb, PAGE(0), HOST_CANCEL_ALL);
	fake_run(1000);
	KUNIT_EXPECT_TRUE(test, dev->accesses[0].cancelled);
	mmu_forget_all(dev, 1);
}

/* Overflow drops records, and they come back after a replay. */
static void mmu_overflow(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, BASE "fault_ring_entries:4");
	unsigned int i;

	for (i = 0; i < 5; i++)
		fake_issue(dev, i, 0, PAGE(i), SGPU_READ);
	fake_run(1000);
	KUNIT_EXPECT_EQ(test, 3 | REG_FAULT_PUT_OVERFLOW, rm_reg_read(&dev->gpu, REG_FAULT_PUT));
	KUNIT_EXPECT_EQ(test, 2, dev->gpu.faults.dropped);
	KUNIT_EXPECT_NULL(test, fake_record(dev, 3));
	rm_reg_write(&dev->gpu, REG_FAULT_GET, 3);
	rm_reg_write(&dev->gpu, REG_FAULT_GET, 3 | REG_FAULT_GET_CLEAR_OVERFLOW);
	KUNIT_EXPECT_EQ(test, 3, rm_reg_read(&dev->gpu, REG_FAULT_PUT));
	for (i = 0; i < 3; i++)
		mmu_map(test, dev, i, PTE(0));
	fake_replay(dev);
	fake_run(3000);
	KUNIT_EXPECT_EQ(test, 3, dev->called);
	KUNIT_EXPECT_EQ(test, 5, dev->gpu.mmu.retried);	/* dropped or not */
	KUNIT_EXPECT_EQ(test, 1, rm_reg_read(&dev->gpu, REG_FAULT_PUT));
	KUNIT_EXPECT_EQ(test, PAGE(3), fake_record(dev, 3)[2]);
	KUNIT_EXPECT_EQ(test, PAGE(4), fake_record(dev, 0)[2]);
	mmu_forget_all(dev, 5);
}

/* Forgotten in every stage: no call-back, no record, its MSHR is free again. */
static void mmu_forget(struct kunit *test)
{
	static const u64 after[] = { 0, 5, 50, 200, 1000 };
	struct fake_device *dev = fake_device_create(test, BASE "walks_in_flight:1,utlb_faults:4");
	unsigned int i, k;

	for (k = 0; k < ARRAY_SIZE(after); k++) {
		for (i = 0; i < 6; i++)
			fake_issue(dev, i, 0, PAGE(i), SGPU_READ);
		fake_run(after[k]);
		mmu_forget_all(dev, 6);
		KUNIT_EXPECT_FALSE(test, sgpu_mmu_busy(&dev->gpu));
		KUNIT_EXPECT_EQ(test, 0, dev->gpu.mmu.waiting);
		KUNIT_EXPECT_EQ(test, 0, dev->gpu.mmu.walking);
		KUNIT_EXPECT_TRUE(test, bitmap_empty(dev->gpu.mmu.utlbs[0].used, 4));
		fake_run(2000);
	}
	KUNIT_EXPECT_EQ(test, 0, dev->called);
	/* twice is harmless */
	mmu_forget_all(dev, 6);
}

/* No page directory: cancelled at once, no record. */
static void mmu_unbound(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET);

	dev->as.bound = false;
	KUNIT_EXPECT_FALSE(test, mmu_hit(dev, 0, PAGE(0), SGPU_READ));
	fake_issue(dev, 0, 0, PAGE(0), SGPU_READ);
	KUNIT_EXPECT_EQ(test, 0, dev->called);
	fake_run(1);
	KUNIT_EXPECT_TRUE(test, dev->accesses[0].cancelled);
	fake_run(1000);
	KUNIT_EXPECT_EQ(test, 0, mmu_put(dev));
}

/* REG_FAULT_PREFETCH = 0: a prefetch that faults is dropped. */
static void mmu_prefetch_off(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET);

	rm_reg_write(&dev->gpu, REG_FAULT_PREFETCH, 0);
	fake_issue(dev, 0, 0, PAGE(0), SGPU_PREFETCH);
	fake_issue(dev, 1, 0, PAGE(0), SGPU_READ);
	fake_run(1000);
	KUNIT_EXPECT_TRUE(test, dev->accesses[0].cancelled);
	KUNIT_EXPECT_FALSE(test, dev->accesses[1].cancelled);
	KUNIT_EXPECT_EQ(test, 1, mmu_put(dev));
	mmu_forget_all(dev, 2);
}

/* 500 accesses against 56 MSHRs: each called back once, whatever the rounds. */
static void mmu_many(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, "utlb_faults:56");
	unsigned int i, rounds;

	for (i = 0; i < 500; i++)
		fake_issue(dev, i, i % 28, PAGE(i % 300), i % 3);
	for (rounds = 0; rounds < 20 && dev->called < 500; rounds++) {
		fake_run(20000);
		for (i = rounds * 40; i < min(rounds * 40 + 40, 300U); i++)
			mmu_map(test, dev, i, PTE(i * 4096ULL));
		rm_reg_write(&dev->gpu, REG_FAULT_GET, mmu_put(dev));
		fake_replay(dev);
	}
	fake_run(20000);
	KUNIT_EXPECT_EQ(test, 500, dev->called);
	KUNIT_EXPECT_EQ(test, 0, dev->gpu.mmu.waiting);
	KUNIT_EXPECT_EQ(test, 0, dev->gpu.mmu.in_flight);
	for (i = 0; i < 500; i++)
		KUNIT_EXPECT_EQ(test, (i % 300) * 4096, dev->accesses[i].xlat.pa);
}

static struct kunit_case mmu_kunit_cases[] = {
	KUNIT_CASE(mmu_translate),
	KUNIT_CASE_PARAM(mmu_fault_record, mmu_fault_gen_params),
	KUNIT_CASE(mmu_merge),
	KUNIT_CASE(mmu_mshrs_full),
	KUNIT_CASE(mmu_port),
	KUNIT_CASE(mmu_l2_ports),
	KUNIT_CASE(mmu_replay_refaults),
	KUNIT_CASE(mmu_replay_twice),
	KUNIT_CASE(mmu_replay_lost),
	KUNIT_CASE(mmu_walkers),
	KUNIT_CASE(mmu_stale),
	KUNIT_CASE_PARAM(mmu_invalidate_span, mmu_invalidate_gen_params),
	KUNIT_CASE(mmu_permission),
	KUNIT_CASE_PARAM(mmu_cancel, mmu_cancel_gen_params),
	KUNIT_CASE(mmu_cancel_error),
	KUNIT_CASE(mmu_cancel_waiting),
	KUNIT_CASE(mmu_cancel_later),
	KUNIT_CASE(mmu_cancel_seen),
	KUNIT_CASE(mmu_overflow),
	KUNIT_CASE(mmu_forget),
	KUNIT_CASE(mmu_unbound),
	KUNIT_CASE(mmu_prefetch_off),
	KUNIT_CASE(mmu_many),
	{}
};

struct kunit_suite softgpu_mmu_suite = {
	.name = "softgpu_mmu",
	.test_cases = mmu_kunit_cases,
};
