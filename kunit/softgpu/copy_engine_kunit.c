// SPDX-License-Identifier: GPL-2.0
/* softgpu copy engines: bytes, time, order, overlap. */
#include <kunit/test.h>
#include <linux/bitfield.h>
#include <linux/delay.h>
#include <softgpu/ce_class.h>
#include <softgpu/host_class.h>
#include "fake_device.h"
#include "softgpu/host/copy_engine.h"
#include "softgpu/host/copy_move.h"
#include "softgpu/host/host.h"

#define SET	"doorbell_ns:0,method_ns:0,semaphore_ns:0,membar_ns:200," \
		"copy_htod_latency_ns:900,copy_htod_mbps:10000," \
		"copy_dtoh_latency_ns:500,copy_dtoh_mbps:20000," \
		"copy_internal_latency_ns:100,copy_internal_mbps:100000"
#define VID	RM_APERTURE_VID
#define SYS	RM_APERTURE_SYS

/*
 * Durations: latency unless pipelined, bytes over the bandwidth of the actual
 * direction, 200 ns for a flush.  A copy pays its latency only when it is not
 * pipelined.
 */
struct ce_time_case {
	u64 bytes;
	enum rm_aperture src;
	enum rm_aperture dst;
	bool memset;
	bool pipelined;
	bool flush;
	u64 ns;
};

static const struct ce_time_case ce_time_cases[] = {
	{ 10000, SYS, VID, false, false, false, 900 + 1000 },
	{ 10000, SYS, VID, false, true, false, 1000 },
	{ 10000, VID, SYS, false, false, false, 500 + 500 },
	{ 10000, VID, VID, false, false, false, 100 + 100 },
	{ 10000, SYS, SYS, false, false, false, 500 + 500 },
	{ 10000, SYS, VID, true, false, false, 100 + 100 },
	{ 10000, VID, SYS, true, true, false, 500 },
	{ 10000, SYS, VID, false, true, true, 1000 + 200 },
	{ 0, SYS, VID, false, false, true, 200 },
	{ 1ULL << 35, SYS, VID, false, true, false, (1ULL << 35) / 10 },
};

static void ce_time_desc(const struct ce_time_case *c, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%llu bytes %d to %d%s%s%s", c->bytes, c->src, c->dst,
		 c->memset ? " memset" : "", c->pipelined ? " pipelined" : "",
		 c->flush ? " flush" : "");
}

KUNIT_ARRAY_PARAM(ce_time, ce_time_cases, ce_time_desc);

static void ce_time(struct kunit *test)
{
	const struct ce_time_case *c = test->param_value;
	struct fake_device *dev = fake_device_create(test, SET);
	struct sgpu_copy copy = {
		.bytes = c->bytes, .src_ap = c->src, .dst_ap = c->dst, .memset = c->memset,
		.pipelined = c->pipelined, .flush = c->flush,
	};

	KUNIT_EXPECT_EQ(test, c->ns, sgpu_copy_ps(&dev->gpu, &copy) / PS_PER_NS);
}

/* Compression is for the link to the CPU; free eviction for what ends there. */
static void ce_link(struct kunit *test)
{
	static const struct {
		enum rm_aperture src, dst;
		bool flush;
		u64 ns, free_ns;
	} row[] = {
		{ SYS, VID, false, 900 + 400, 900 + 400 },
		{ VID, SYS, false, 500 + 200, 0 },
		{ SYS, SYS, false, 500 + 200, 0 },
		{ VID, VID, false, 100 + 100, 100 + 100 },
		{ VID, SYS, true, 500 + 200 + 200, 200 },
	};
	struct fake_device *dev = fake_device_create(test, SET ",link_compression_percent:250");
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(row); i++) {
		struct sgpu_copy copy = {
			.bytes = 10000, .src_ap = row[i].src, .dst_ap = row[i].dst,
			.flush = row[i].flush,
		};

		rm_reg_write(&dev->gpu, REG_EXT_ENABLE, 0);
		KUNIT_EXPECT_EQ_MSG(test, row[i].ns * PS_PER_NS, sgpu_copy_ps(&dev->gpu, &copy),
				    "row %u", i);
		rm_reg_write(&dev->gpu, REG_EXT_ENABLE, REG_CAP_FREE_EVICTION);
		KUNIT_EXPECT_EQ_MSG(test, row[i].free_ns * PS_PER_NS,
				    sgpu_copy_ps(&dev->gpu, &copy), "row %u, free", i);
	}
}

/* The measured HtoD copies (hardware.rst), but for the smallest: within 3 %. */
static void ce_measured(struct kunit *test)
{
	static const struct {
		u32 kb;
		bool dtoh;
		u32 ns;
	} row[] = {
		{ 60, false, 5810 }, { 124, false, 11200 }, { 252, false, 21800 },
		{ 508, false, 43300 }, { 1020, false, 86400 },
		{ 60, true, 5310 }, { 64, true, 5680 }, { 124, true, 10400 },
	};
	struct fake_device *dev = fake_device_create(test, NULL);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(row); i++) {
		struct sgpu_copy copy = {
			.bytes = row[i].kb * 1024,
			.src_ap = row[i].dtoh ? VID : SYS, .dst_ap = row[i].dtoh ? SYS : VID,
		};
		u64 ns = sgpu_copy_ps(&dev->gpu, &copy) / PS_PER_NS;

		KUNIT_EXPECT_LT(test, abs((s64)ns - row[i].ns) * 100, 3 * row[i].ns);
	}
}

static void ce_fill(u8 *p, size_t bytes, u8 seed)
{
	while (bytes--)
		*p++ = seed + (bytes * 7 + bytes / 251);
}

/* Bytes arrive whole, across pages that are not adjacent, whatever the offsets. */
static void ce_bytes(struct kunit *test)
{
	static const struct {
		u32 src;
		u32 dst;
		u32 bytes;
	} row[] = {
		{ 0, 0, 4096 }, { 0, 0, 12288 }, { 100, 3000, 8000 }, { 4095, 1, 2 },
		{ 4095, 4095, 1 }, { 1, 0, 12287 },
	};
	struct fake_device *dev = fake_device_create(test, SET);
	u8 *page[4], *vram = fake_vram(dev, 0);
	unsigned int i, k;
	u64 iova;

	KUNIT_ASSERT_EQ(test, 0, rm_iova_alloc(&dev->gpu, 16384, &iova));
	/* mapped from the back */
	for (i = 4; i--;)
		page[i] = fake_page(test, dev, iova + i * 4096);
	for (i = 0; i < ARRAY_SIZE(row); i++) {
		struct sgpu_copy out = {
			.src_ap = VID, .src = row[i].src, .dst_ap = SYS, .dst = iova + row[i].dst,
			.bytes = row[i].bytes,
		};
		struct sgpu_copy back = {
			.src_ap = SYS, .src = iova + row[i].dst, .dst_ap = VID, .dst = 0x100000,
			.bytes = row[i].bytes,
		};
		unsigned int bad = 0;

		ce_fill(vram, 16384, i);
		memset(vram + 0x100000, 0, 16384);
		KUNIT_EXPECT_EQ(test, 0, sgpu_copy_move(&dev->gpu, &out));
		for (k = 0; k < row[i].bytes; k++) {
			u32 at = row[i].dst + k;

			bad += page[at / 4096][at % 4096] != vram[row[i].src + k];
		}
		KUNIT_EXPECT_EQ_MSG(test, 0, bad, "row %u", i);
		KUNIT_EXPECT_EQ(test, 0, sgpu_copy_move(&dev->gpu, &back));
		KUNIT_EXPECT_MEMEQ(test, vram + row[i].src, vram + 0x100000, row[i].bytes);
		KUNIT_EXPECT_EQ(test, 0, vram[0x100000 + row[i].bytes]);
	}
}

/* Bytes of GPU memory from @pa that are not those of a pattern that begins there. */
static unsigned int ce_wrong(struct fake_device *dev, u64 pa, u32 bytes, u64 pattern)
{
	unsigned int i, wrong = 0;

	for (i = 0; i < bytes; i++)
		wrong += *(u8 *)fake_vram(dev, pa + i) != (u8)(pattern >> (i % 8 * 8));
	return wrong;
}

/* Frames are beside each other for the device only: nothing is written behind one. */
static void ce_frames(struct kunit *test)
{
	static const struct {
		u64 dst;
		u64 src;
		u32 bytes;
	} row[] = {
		{ 0x400000 - 100, 0x200000 - 100, 200 },	/* both end at once */
		{ 0x400000 - 33333, 0x200000 - 100001, 200000 },
		{ 0x400000 - 4, 0x200000, 0x10004 },
		{ 0x400000, 0x200000 - 4, 0x10004 },
		{ 0x400001, 1, 0x3ffffe },			/* a whole one in between */
	};
	struct fake_device *dev = fake_device_create(test, SET);
	u64 pattern = 0x1122334455667788;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(row); i++) {
		struct sgpu_copy set = {
			.memset = true, .pattern = pattern + i, .pattern_bytes = 8,
			.dst_ap = VID, .dst = row[i].src, .bytes = row[i].bytes,
		};
		struct sgpu_copy copy = {
			.src_ap = VID, .src = row[i].src, .dst_ap = VID, .dst = row[i].dst,
			.bytes = row[i].bytes,
		};

		KUNIT_EXPECT_EQ(test, 0, sgpu_copy_move(&dev->gpu, &set));
		KUNIT_EXPECT_EQ(test, 0, sgpu_copy_move(&dev->gpu, &copy));
		KUNIT_EXPECT_EQ_MSG(test, 0, ce_wrong(dev, row[i].src, row[i].bytes, pattern + i),
				    "row %u, set", i);
		KUNIT_EXPECT_EQ_MSG(test, 0, ce_wrong(dev, row[i].dst, row[i].bytes, pattern + i),
				    "row %u, copied", i);
	}
}

/* Unmapped in the middle, or outside memory: no byte moves. */
static void ce_unreachable(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET);
	u64 end = FAKE_VRAM_BYTES + FAKE_RESERVE_BYTES, iova;
	struct sgpu_copy copy = { .src_ap = VID, .dst_ap = SYS, .bytes = 12288 };
	u8 *first;

	KUNIT_ASSERT_EQ(test, 0, rm_iova_alloc(&dev->gpu, 16384, &iova));
	first = fake_page(test, dev, iova);
	fake_page(test, dev, iova + 8192);
	copy.dst = iova;
	memset(fake_vram(dev, 0), 0x33, 12288);
	KUNIT_EXPECT_EQ(test, -EFAULT, sgpu_copy_move(&dev->gpu, &copy));
	KUNIT_EXPECT_EQ(test, 0, first[0]);
	KUNIT_EXPECT_EQ(test, 1, rm_dma_faults(&dev->gpu));
	copy.bytes = 4096;
	KUNIT_EXPECT_EQ(test, 0, sgpu_copy_move(&dev->gpu, &copy));
	copy = (struct sgpu_copy) { .src_ap = VID, .src = end - 4, .dst_ap = VID, .bytes = 8 };
	KUNIT_EXPECT_EQ(test, -EFAULT, sgpu_copy_move(&dev->gpu, &copy));
	copy.src = ~0ULL - 3;
	KUNIT_EXPECT_EQ(test, -EFAULT, sgpu_copy_move(&dev->gpu, &copy));
}

/* Patterns of 1, 4 and 8 bytes; they run on across pages that cut them. */
static void ce_memset(struct kunit *test)
{
	static const struct {
		u32 width;
		u64 value;
		u32 offset;
		u32 bytes;
	} row[] = {
		{ 1, 0xa5, 3, 5000 }, { 4, 0x11223344, 0, 8192 }, { 4, 0x11223344, 2, 8192 },
		{ 8, 0x1122334455667788, 0, 8192 }, { 8, 0x1122334455667788, 5, 8192 },
		{ 8, 0, 1, 8000 }, { 4, 0x01020304, 4094, 4 },
	};
	struct fake_device *dev = fake_device_create(test, SET);
	u8 *page[4];
	unsigned int i, k;
	u64 iova;

	KUNIT_ASSERT_EQ(test, 0, rm_iova_alloc(&dev->gpu, 16384, &iova));
	for (i = 4; i--;)
		page[i] = fake_page(test, dev, iova + i * 4096);
	for (i = 0; i < ARRAY_SIZE(row); i++) {
		struct sgpu_copy copy = {
			.memset = true, .pattern = row[i].value, .pattern_bytes = row[i].width,
			.dst_ap = SYS, .dst = iova + row[i].offset, .bytes = row[i].bytes,
		};
		unsigned int bad = 0;

		for (k = 0; k < 4; k++)
			memset(page[k], 0xee, 4096);
		KUNIT_EXPECT_EQ(test, 0, sgpu_copy_move(&dev->gpu, &copy));
		for (k = 0; k < 16384; k++) {
			u32 in = k - row[i].offset;
			u8 want = row[i].value >> (in % row[i].width * 8);

			if (in >= row[i].bytes)
				want = 0xee;
			bad += page[k / 4096][k % 4096] != want;
		}
		KUNIT_EXPECT_EQ_MSG(test, 0, bad, "row %u", i);
	}
}

/* A copy with a semaphore (16 bytes, time stamp) behind it. */
static void ce_push(struct fake_channel *ch, enum rm_aperture src_ap, u64 src,
		    enum rm_aperture dst_ap, u64 dst, u32 bytes, u64 sem)
{
	fake_copy(ch, src_ap, src, dst_ap, dst, bytes, CE_TRANSFER_PIPELINED);
	fake_method(ch, CE_SET_SEMAPHORE_A, upper_32_bits(sem));
	fake_method(ch, CE_SET_SEMAPHORE_B, lower_32_bits(sem));
	fake_method(ch, CE_SET_SEMAPHORE_PAYLOAD, 77);
	fake_method(ch, CE_LAUNCH_DMA, FIELD_PREP(CE_LAUNCH_SEMAPHORE, CE_SEMAPHORE_FOUR_WORD));
}

/*
 * Two engines overlap, one engine serves in order: HtoD 1 us and DtoH
 * 0.5 us end as if alone; a second HtoD channel ends after the first.
 */
static void ce_overlap(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET);
	struct fake_channel up, up2, down;
	u64 iova, sems, start;
	u64 *sem;

	KUNIT_ASSERT_EQ(test, 0, rm_iova_alloc(&dev->gpu, 16384, &iova));
	fake_page(test, dev, iova);
	fake_page(test, dev, iova + 4096);
	fake_page(test, dev, iova + 8192);
	sems = iova + 12288;
	sem = fake_page(test, dev, sems);
	fake_channel_open(test, dev, &up, RM_ENGINE_CE_HTOD);
	fake_channel_open(test, dev, &up2, RM_ENGINE_CE_HTOD);
	fake_channel_open(test, dev, &down, RM_ENGINE_CE_DTOH);
	ce_push(&up, SYS, iova, VID, 0, 10000, sems);
	ce_push(&up2, SYS, iova, VID, 0x10000, 10000, sems + 16);
	ce_push(&down, VID, 0x20000, SYS, iova, 10000, sems + 32);
	start = sim_now();
	fake_submit(&up);
	fake_submit(&up2);
	fake_submit(&down);
	fake_run(400);
	KUNIT_EXPECT_TRUE(test, sgpu_host_busy(&dev->gpu));
	fake_run(5000);
	KUNIT_EXPECT_EQ(test, 77, sem[0]);
	KUNIT_EXPECT_EQ(test, start + 1000, sem[1]);
	KUNIT_EXPECT_EQ(test, start + 2000, sem[3]);
	KUNIT_EXPECT_EQ(test, start + 500, sem[5]);
}

/* The bytes move when the copy ends, the semaphore is released after them. */
static void ce_when(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET);
	struct fake_channel ch;
	u64 iova, *sem;
	u8 *src;

	KUNIT_ASSERT_EQ(test, 0, rm_iova_alloc(&dev->gpu, 8192, &iova));
	src = fake_page(test, dev, iova);
	sem = fake_page(test, dev, iova + 4096);
	fake_channel_open(test, dev, &ch, RM_ENGINE_CE_HTOD);
	memset(src, 1, 4096);
	ce_push(&ch, SYS, iova, VID, 0, 4000, iova + 4096);
	fake_submit(&ch);
	fake_run(399);
	memset(src, 2, 4096);
	KUNIT_EXPECT_EQ(test, 0, *(u8 *)fake_vram(dev, 0));
	fake_run(2);
	KUNIT_EXPECT_EQ(test, 2, *(u8 *)fake_vram(dev, 0));
	KUNIT_EXPECT_EQ(test, 2, *(u8 *)fake_vram(dev, 3999));
	KUNIT_EXPECT_EQ(test, 0, *(u8 *)fake_vram(dev, 4000));
	KUNIT_EXPECT_EQ(test, 77, sem[0]);
}

/* A failing copy takes its channel's later ones with it, not those of others. */
static void ce_error(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET);
	struct fake_channel bad, good;
	u64 iova, *sem;

	KUNIT_ASSERT_EQ(test, 0, rm_iova_alloc(&dev->gpu, 8192, &iova));
	sem = fake_page(test, dev, iova + 4096);
	fake_channel_open(test, dev, &bad, RM_ENGINE_CE_HTOD);
	fake_channel_open(test, dev, &good, RM_ENGINE_CE_HTOD);
	/* iova itself is not mapped */
	ce_push(&bad, SYS, iova, VID, 0, 4000, iova + 4096);
	ce_push(&good, SYS, iova + 4096, VID, 0, 1000, iova + 4096 + 64);
	fake_submit(&bad);
	fake_submit(&good);
	fake_run(5000);
	KUNIT_EXPECT_EQ(test, RM_CHANNEL_ERR_DMA, *bad.info->error);
	KUNIT_EXPECT_EQ(test, 0, sem[0]);
	KUNIT_EXPECT_EQ(test, 0, *good.info->error);
	KUNIT_EXPECT_EQ(test, 77, sem[8]);
	KUNIT_EXPECT_FALSE(test, sgpu_host_busy(&dev->gpu));
}

/* Channels of a type go round its engines, in order of allocation. */
static void ce_round_robin(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, "ce_htod:2,ce_dtoh:1,ce_internal:2");
	static const struct {
		enum rm_engine type;
		unsigned int engine;
	} row[] = {
		{ RM_ENGINE_CE_HTOD, 0 }, { RM_ENGINE_CE_HTOD, 1 }, { RM_ENGINE_CE_INTERNAL, 3 },
		{ RM_ENGINE_CE_HTOD, 0 }, { RM_ENGINE_CE_DTOH, 2 }, { RM_ENGINE_CE_INTERNAL, 4 },
		{ RM_ENGINE_CE_DTOH, 2 },
	};
	struct fake_channel ch;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(row); i++) {
		fake_channel_open(test, dev, &ch, row[i].type);
		KUNIT_EXPECT_EQ(test, row[i].engine, ch.rm->engine->index);
	}
}

/* A GPU that has a copy engine and nothing else. */
static struct rm_gpu *ce_only_gpu(struct kunit *test)
{
	struct rm_gpu *gpu = kunit_kzalloc(test, sizeof(*gpu), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, gpu);
	gpu->host.engines = kunit_kzalloc(test, sizeof(*gpu->host.engines), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, gpu->host.engines);
	gpu->host.engine_count = 1;
	spin_lock_init(&gpu->host.lock);
	sgpu_copy_engine_init(gpu, gpu->host.engines, 0, RM_ENGINE_CE_HTOD, 1);
	return gpu;
}

#define CE_COPIES	4

/* A channel with copies of nothing: that they end is all that there is to see. */
static struct rm_channel *ce_busy_channel(struct kunit *test, struct rm_gpu *gpu)
{
	struct rm_channel *ch = kunit_kzalloc(test, sizeof(*ch), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, ch);
	ch->gpu = gpu;
	ch->engine = gpu->host.engines;
	ch->copies.count = CE_COPIES;
	INIT_LIST_HEAD(&ch->blocked);
	spin_lock(&gpu->host.lock);
	for (i = 0; i < CE_COPIES; i++) {
		ch->copies.slot[i] = (struct sgpu_copy) { .channel = ch };
		sgpu_copy_engine_submit(ch->engine, &ch->copies.slot[i]);
	}
	spin_unlock(&gpu->host.lock);
	return ch;
}

/* The engine has had the time for all that it may do. */
static void ce_settle(void)
{
	fake_run(1000);
	if (!sim_is_virtual())
		msleep(20);
}

/*
 * A channel goes while another one does: the engine must not run before both have taken
 * their copies back, or it has one of a channel that is freed (found by chaos).
 */
static void ce_forget_two(struct kunit *test)
{
	struct rm_gpu *gpu = ce_only_gpu(test);
	struct sgpu_copy_engine *ce = gpu->host.engines;
	struct rm_channel *first, *second, *third;

	sgpu_copy_engine_halt(ce);
	first = ce_busy_channel(test, gpu);
	second = ce_busy_channel(test, gpu);
	third = ce_busy_channel(test, gpu);
	sgpu_copy_engine_forget(ce, second);
	ce_settle();
	KUNIT_EXPECT_EQ(test, first->copies.count, CE_COPIES);
	sgpu_copy_engine_resume(ce, first);
	ce_settle();
	KUNIT_EXPECT_EQ(test, first->copies.count, CE_COPIES);
	KUNIT_EXPECT_EQ(test, second->copies.count, CE_COPIES);
	KUNIT_EXPECT_EQ(test, third->copies.count, 0);
	KUNIT_EXPECT_TRUE(test, list_empty(&ce->queue));
	sgpu_copy_engine_exit(ce);
}

static struct kunit_case ce_kunit_cases[] = {
	KUNIT_CASE_PARAM(ce_time, ce_time_gen_params),
	KUNIT_CASE(ce_link),
	KUNIT_CASE(ce_measured),
	KUNIT_CASE(ce_bytes),
	KUNIT_CASE(ce_frames),
	KUNIT_CASE(ce_unreachable),
	KUNIT_CASE(ce_memset),
	KUNIT_CASE(ce_overlap),
	KUNIT_CASE(ce_when),
	KUNIT_CASE(ce_error),
	KUNIT_CASE(ce_round_robin),
	KUNIT_CASE(ce_forget_two),
	{}
};

struct kunit_suite softgpu_copy_engine_suite = {
	.name = "softgpu_copy_engine",
	.test_cases = ce_kunit_cases,
};
