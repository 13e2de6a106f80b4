// SPDX-License-Identifier: GPL-2.0
/*
 * softgpu copies with virtual operands: data, time, non-replayable faults, what
 * stops and what goes on, clearing and giving up (copy_engine.h, non_replayable.h;
 * nvidia-uvm 2.11).
 */
#include <kunit/test.h>
#include <linux/bitfield.h>
#include <softgpu/ce_class.h>
#include <softgpu/fault_format.h>
#include <softgpu/host_class.h>
#include "fake_device.h"
#include "softgpu/host/channel_state.h"
#include "softgpu/host/copy_engine.h"
#include "softgpu/host/copy_virtual.h"
#include "softgpu/host/host.h"

#define SET	"doorbell_ns:0,method_ns:0,semaphore_ns:0,membar_ns:0,walk_cycles:0," \
		"copy_internal_latency_ns:100,copy_internal_mbps:1000," \
		"copy_htod_latency_ns:900,copy_htod_mbps:10000"
#define LAUNCH	(CE_LAUNCH_SRC_PITCH | CE_LAUNCH_DST_PITCH | CE_TRANSFER_NON_PIPELINED)
#define SRC	0x100000000000ULL
#define DST	0x100000400000ULL
#define PTE_RO	MMU_PTE_READ_ONLY

struct virtual_test {
	struct fake_device *dev;
	struct fake_channel ch;
};

static struct virtual_test *virtual_create(struct kunit *test)
{
	struct virtual_test *v = kunit_kzalloc(test, sizeof(*v), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, v);
	v->dev = fake_device_create(test, SET);
	fake_channel_open_as(test, v->dev, &v->ch, RM_ENGINE_CE_INTERNAL, &v->dev->as);
	return v;
}

/* Page i of an operand is at @pa[i]; 0: not mapped. */
static void virtual_map(struct kunit *test, struct fake_device *dev, u64 va, const u64 *pa,
			unsigned int pages, u64 flags)
{
	unsigned int i;

	for (i = 0; i < pages; i++)
		if (pa[i])
			fake_map(test, dev, va + i * 4096, MMU_SMALL_SHIFT,
				 FAKE_PTE(pa[i]) | flags);
}

static void virtual_copy(struct fake_channel *ch, u64 dst, u64 src, u32 bytes)
{
	fake_method(ch, CE_OFFSET_IN_UPPER, upper_32_bits(src));
	fake_method(ch, CE_OFFSET_IN_LOWER, lower_32_bits(src));
	fake_method(ch, CE_OFFSET_OUT_UPPER, upper_32_bits(dst));
	fake_method(ch, CE_OFFSET_OUT_LOWER, lower_32_bits(dst));
	fake_method(ch, CE_LINE_LENGTH_IN, bytes);
	fake_method(ch, CE_LAUNCH_DMA, LAUNCH);
	fake_submit(ch);
}

static const u64 src_pages[] = { 0x10000, 0x14000, 0x11000, 0x20000 };
static const u64 dst_pages[] = { 0x40000, 0x80000, 0x7f000, 0x43000 };

static u8 virtual_byte(unsigned int i)
{
	return i * 7 + i / 251 + 1;
}

/* Bytes [@from, @to) of the destination that are not those of the source. */
static unsigned int virtual_wrong(struct fake_device *dev, unsigned int from, unsigned int to)
{
	unsigned int i, wrong = 0;
	u8 *vram = fake_vram(dev, 0);

	for (i = from; i < to; i++)
		wrong += vram[dst_pages[i / 4096] + i % 4096] != virtual_byte(i);
	return wrong;
}

static void virtual_prepare(struct kunit *test, struct fake_device *dev, unsigned int mapped)
{
	u8 *vram = fake_vram(dev, 0);
	unsigned int i;

	virtual_map(test, dev, SRC, src_pages, ARRAY_SIZE(src_pages), 0);
	virtual_map(test, dev, DST, dst_pages, mapped, 0);
	for (i = 0; i < sizeof(src_pages) / 8 * 4096; i++)
		vram[src_pages[i / 4096] + i % 4096] = virtual_byte(i);
}

/* Pages here and there are one copy: one latency, and the bytes at the bandwidth. */
static void virtual_data(struct kunit *test)
{
	struct virtual_test *v = virtual_create(test);
	u64 began;

	virtual_prepare(test, v->dev, 4);
	began = v->dev->gpu.host.engines[v->ch.rm->engine->index].busy_ps;
	virtual_copy(&v->ch, DST + 100, SRC + 100, 16000);
	fake_run(16099);
	KUNIT_EXPECT_GT(test, virtual_wrong(v->dev, 100, 16100), 0);
	fake_run(2);
	KUNIT_EXPECT_EQ(test, virtual_wrong(v->dev, 100, 16100), 0);
	KUNIT_EXPECT_EQ(test, *v->ch.info->error, 0);
	KUNIT_EXPECT_EQ(test, v->ch.rm->engine->busy_ps - began, 16100 * PS_PER_NS);
}

/* The pages of the two operands end at different places of a copy. */
static void virtual_offsets(struct kunit *test)
{
	static const struct {
		unsigned int dst, src;
	} rows[] = { { 1000, 100 }, { 100, 1000 } };
	struct virtual_test *v = virtual_create(test);
	unsigned int r, i, at, wrong;
	u8 *vram = fake_vram(v->dev, 0);

	virtual_prepare(test, v->dev, 4);
	for (r = 0; r < ARRAY_SIZE(rows); r++) {
		virtual_copy(&v->ch, DST + rows[r].dst, SRC + rows[r].src, 12000);
		fake_run(100000);
		for (i = 0, wrong = 0; i < 12000; i++) {
			at = rows[r].dst + i;
			wrong += vram[dst_pages[at / 4096] + at % 4096] !=
				 virtual_byte(rows[r].src + i);
		}
		KUNIT_EXPECT_EQ_MSG(test, wrong, 0, "row %u", r);
	}
}

/* Only channels of a context have virtual operands. */
static void virtual_driver_channel(struct kunit *test)
{
	struct virtual_test *v = virtual_create(test);
	struct fake_channel ch;

	fake_channel_open(test, v->dev, &ch, RM_ENGINE_CE_INTERNAL);
	virtual_copy(&ch, DST, SRC, 64);
	fake_run(1000);
	KUNIT_EXPECT_EQ(test, *ch.info->error, RM_CHANNEL_ERR_METHOD);
}

static void virtual_expect_record(struct kunit *test, struct virtual_test *v, u64 va, u8 type,
				  u8 access)
{
	u32 engine = FAULT_ENGINE_CE0 + v->ch.rm->engine->index;
	u32 rec[FAULT_RECORD_WORDS] = { 0 };

	KUNIT_EXPECT_TRUE(test, rm_nonreplayable_pending(&v->dev->gpu));
	KUNIT_EXPECT_TRUE(test, rm_reg_read(&v->dev->gpu, REG_INTR_PENDING) &
				REG_INTR_NON_REPLAYABLE_FAULT);
	KUNIT_EXPECT_TRUE(test, rm_nonreplayable_get(&v->dev->gpu, rec));
	KUNIT_EXPECT_EQ(test, (u64)rec[3] << 32 | (rec[2] & FAULT_W2_ADDR_LO), va & ~0xfffULL);
	KUNIT_EXPECT_EQ(test, rec[0] & FAULT_W0_INST_LO, lower_32_bits(v->dev->as.instance));
	KUNIT_EXPECT_EQ(test, FIELD_GET(FAULT_W6_ENGINE_ID, rec[6]), engine);
	KUNIT_EXPECT_EQ(test, FIELD_GET(FAULT_W7_TYPE, rec[7]), type);
	KUNIT_EXPECT_EQ(test, FIELD_GET(FAULT_W7_ACCESS, rec[7]), access);
	KUNIT_EXPECT_EQ(test, rec[7] & (FAULT_W7_HUB | FAULT_W7_VALID | FAULT_W7_REPLAYABLE),
			FAULT_W7_HUB | FAULT_W7_VALID);
	KUNIT_EXPECT_FALSE(test, rm_nonreplayable_pending(&v->dev->gpu));
	KUNIT_EXPECT_FALSE(test, rm_nonreplayable_get(&v->dev->gpu, rec));
}

static void virtual_clear(struct fake_channel *ch, u32 chid)
{
	fake_method(ch, HOST_CLEAR_FAULTED, FIELD_PREP(HOST_CLEAR_FAULTED_CHID, chid) |
		    HOST_CLEAR_FAULTED_TYPE);
	fake_submit(ch);
}

/*
 * It stops where nothing is mapped, with what came before moved; other channels of
 * the engine go on; cleared, it goes on where it stopped.
 */
static void virtual_fault(struct kunit *test)
{
	struct virtual_test *v = virtual_create(test);
	struct fake_channel driver;
	u8 *vram = fake_vram(v->dev, 0);

	fake_channel_open(test, v->dev, &driver, RM_ENGINE_CE_INTERNAL);
	virtual_prepare(test, v->dev, 2);
	virtual_copy(&v->ch, DST, SRC, 16384);
	/* behind it, and not to overtake it */
	virtual_copy(&v->ch, DST, SRC + 1, 16);
	fake_run(100000);
	KUNIT_EXPECT_EQ(test, virtual_wrong(v->dev, 0, 8192), 0);
	KUNIT_EXPECT_EQ(test, vram[dst_pages[2]], 0);
	virtual_expect_record(test, v, DST + 8192, FAULT_TYPE_PTE, FAULT_ACCESS_WRITE);

	vram[0x100000] = 77;
	fake_copy(&driver, RM_APERTURE_VID, 0x100000, RM_APERTURE_VID, 0x101000, 1,
		  CE_TRANSFER_NON_PIPELINED);
	fake_submit(&driver);
	fake_run(100000);
	KUNIT_EXPECT_EQ(test, vram[0x101000], 77);
	KUNIT_EXPECT_EQ(test, virtual_wrong(v->dev, 0, 8192), 0);

	/* another channel's id, then its own while the page is still missing */
	virtual_clear(&driver, v->ch.rm->chid + 1);
	fake_run(100000);
	KUNIT_EXPECT_FALSE(test, rm_nonreplayable_pending(&v->dev->gpu));
	virtual_clear(&driver, v->ch.rm->chid);
	fake_run(100000);
	virtual_expect_record(test, v, DST + 8192, FAULT_TYPE_PTE, FAULT_ACCESS_WRITE);
	KUNIT_EXPECT_EQ(test, v->dev->gpu.non_replayable.faults, 2);

	virtual_map(test, v->dev, DST, dst_pages, 4, 0);
	virtual_clear(&driver, v->ch.rm->chid);
	fake_run(100000);
	KUNIT_EXPECT_EQ(test, virtual_wrong(v->dev, 16, 16384), 0);
	KUNIT_EXPECT_EQ(test, vram[dst_pages[0]], virtual_byte(1));
	KUNIT_EXPECT_EQ(test, v->dev->gpu.non_replayable.cleared, 2);
	KUNIT_EXPECT_EQ(test, *v->ch.info->error, 0);
	KUNIT_EXPECT_EQ(test, *driver.info->error, 0);
}

/* What is read is looked up first; types as those of replayable faults. */
static void virtual_fault_types(struct kunit *test)
{
	static const struct {
		const char *rule;
		u64 dst, src;
		u64 va;
		u8 type, access;
	} row[] = {
		{ "neither is mapped: the read", DST + 0x200000, SRC + 0x200000, SRC + 0x200000,
		  FAULT_TYPE_PDE, FAULT_ACCESS_READ },
		{ "the write", DST + 0x200000, SRC, DST + 0x200000, FAULT_TYPE_PDE,
		  FAULT_ACCESS_WRITE },
		{ "read-only", DST + 0x10000, SRC, DST + 0x10000, FAULT_TYPE_RO,
		  FAULT_ACCESS_WRITE },
		{ "no such address", 1ULL << 50, SRC, 1ULL << 50, FAULT_TYPE_PDE_SIZE,
		  FAULT_ACCESS_WRITE },
	};
	struct virtual_test *v = virtual_create(test);
	unsigned int i;

	virtual_prepare(test, v->dev, 4);
	fake_map(test, v->dev, DST + 0x10000, MMU_SMALL_SHIFT, FAKE_PTE(0x90000) | PTE_RO);
	for (i = 0; i < ARRAY_SIZE(row); i++) {
		struct fake_channel other;

		/* a fault that nobody clears ends the channel's life */
		fake_channel_open_as(test, v->dev, &other, RM_ENGINE_CE_INTERNAL, &v->dev->as);
		swap(other, v->ch);
		virtual_copy(&v->ch, row[i].dst, row[i].src, 64);
		fake_run(10000);
		virtual_expect_record(test, v, row[i].va, row[i].type, row[i].access);
	}
}

/* The driver gives up: the error says so, nothing moves any more. */
static void virtual_fail(struct kunit *test)
{
	struct virtual_test *v = virtual_create(test);
	struct fake_channel driver;
	u8 *vram = fake_vram(v->dev, 0);

	fake_channel_open(test, v->dev, &driver, RM_ENGINE_CE_INTERNAL);
	virtual_prepare(test, v->dev, 1);
	virtual_copy(&v->ch, DST, SRC, 8192);
	fake_run(100000);
	sgpu_channel_fail(v->ch.rm, EFAULT);
	KUNIT_EXPECT_EQ(test, *v->ch.info->error, RM_CHANNEL_ERR_MMU);
	KUNIT_EXPECT_EQ(test, v->ch.rm->stall.error, EFAULT);
	KUNIT_EXPECT_FALSE(test, rm_nonreplayable_pending(&v->dev->gpu));
	virtual_map(test, v->dev, DST, dst_pages, 4, 0);
	virtual_clear(&driver, v->ch.rm->chid);
	fake_run(100000);
	KUNIT_EXPECT_EQ(test, vram[dst_pages[1]], 0);
}

/* Operands of CLEAR_FAULTED that mean nothing are a channel error. */
static void virtual_clear_bad(struct kunit *test)
{
	static const u32 bad[] = { 0, 5, HOST_CLEAR_FAULTED_TYPE | BIT(12), U32_MAX };
	struct virtual_test *v = virtual_create(test);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		struct fake_channel ch;

		fake_channel_open(test, v->dev, &ch, RM_ENGINE_CE_INTERNAL);
		fake_method(&ch, HOST_CLEAR_FAULTED, bad[i]);
		fake_submit(&ch);
		fake_run(1000);
		KUNIT_EXPECT_EQ_MSG(test, *ch.info->error, RM_CHANNEL_ERR_METHOD, "%#x", bad[i]);
	}
}

/* Aperture by aperture: a piece ends where the link begins, and is as fast as it is. */
static void virtual_apertures(struct kunit *test)
{
	struct virtual_test *v = virtual_create(test);
	struct fake_device *dev = v->dev;
	struct sgpu_copy copy = {
		.src = SRC, .dst = DST, .bytes = 16384, .src_virtual = true, .dst_virtual = true,
	};
	u64 iova;
	u8 *page;

	virtual_prepare(test, dev, 4);
	KUNIT_ASSERT_EQ(test, 0, rm_iova_alloc(&dev->gpu, 4096, &iova));
	page = fake_page(test, dev, iova);
	memset(page, 9, 4096);
	fake_map(test, dev, SRC + 8192, MMU_SMALL_SHIFT,
		 FAKE_PTE(iova) | FIELD_PREP(MMU_PTE_APERTURE, MMU_PTE_APERTURE_SYS_COH));
	sgpu_copy_plan(&dev->gpu, &dev->as, &copy);
	KUNIT_EXPECT_EQ(test, copy.piece, 8192);
	KUNIT_EXPECT_EQ(test, sgpu_copy_ps(&dev->gpu, &copy), (100 + 8192) * PS_PER_NS);
	KUNIT_EXPECT_EQ(test, sgpu_copy_move_piece(&dev->gpu, &dev->as, &copy), 0);
	KUNIT_EXPECT_EQ(test, copy.done, 8192);
	sgpu_copy_plan(&dev->gpu, &dev->as, &copy);
	KUNIT_EXPECT_EQ(test, copy.piece, 4096);
	KUNIT_EXPECT_EQ(test, copy.src_ap, RM_APERTURE_SYS);
	/* the latency was paid by the first piece */
	KUNIT_EXPECT_EQ(test, sgpu_copy_ps(&dev->gpu, &copy), 409600);
	KUNIT_EXPECT_EQ(test, sgpu_copy_move_piece(&dev->gpu, &dev->as, &copy), 0);
	KUNIT_EXPECT_EQ(test, *(u8 *)fake_vram(dev, dst_pages[2] + 4095), 9);
}

/* Fault injection: the n-th method breaks the channel that executes it. */
static void virtual_break(struct kunit *test)
{
	struct virtual_test *v = virtual_create(test);
	unsigned int i;

	fake_run(100);
	atomic_set(&v->dev->gpu.host.break_after, 3);
	for (i = 0; i < 3; i++) {
		KUNIT_EXPECT_EQ(test, *v->ch.info->error, 0);
		fake_method(&v->ch, CE_LINE_LENGTH_IN, i);
		if (!i)		/* the class was not bound yet: one more method */
			atomic_set(&v->dev->gpu.host.break_after, 4);
		fake_submit(&v->ch);
		fake_run(1000);
	}
	KUNIT_EXPECT_EQ(test, *v->ch.info->error, RM_CHANNEL_ERR_METHOD);
	KUNIT_EXPECT_EQ(test, atomic_read(&v->dev->gpu.host.break_after), 0);
}

static struct kunit_case virtual_kunit_cases[] = {
	KUNIT_CASE(virtual_data),
	KUNIT_CASE(virtual_offsets),
	KUNIT_CASE(virtual_driver_channel),
	KUNIT_CASE(virtual_fault),
	KUNIT_CASE(virtual_fault_types),
	KUNIT_CASE(virtual_fail),
	KUNIT_CASE(virtual_clear_bad),
	KUNIT_CASE(virtual_apertures),
	KUNIT_CASE(virtual_break),
	{ }
};

struct kunit_suite softgpu_copy_virtual_suite = {
	.name = "softgpu_copy_virtual",
	.test_cases = virtual_kunit_cases,
};
