// SPDX-License-Identifier: GPL-2.0
/* softgpu link to system memory: sectors, queues, tags, sharing with copies. */
#include <kunit/test.h>
#include <linux/bitfield.h>
#include <softgpu/ce_class.h>
#include "fake_device.h"
#include "softgpu/host/copy_engine.h"
#include "softgpu/host/host.h"
#include "softgpu/memory/link.h"

/* A line takes 8 ns in and 16 ns out; each of its sectors a fifth, the header the last one. */
#define TIMES	"copy_htod_mbps:16000,copy_dtoh_mbps:8000,copy_htod_latency_ns:700," \
		"copy_dtoh_latency_ns:700,remote_latency_ns:1000,remote_header_bytes:32," \
		"doorbell_ns:0,method_ns:0,semaphore_ns:0,membar_ns:200"
#define SET	TIMES ",remote_requests:4"
#define MANY	TIMES ",remote_requests:1024"
#define ONE	"copy_htod_mbps:16000,remote_header_bytes:0,remote_latency_ns:135,remote_requests:1"
#define LINE_IN		8000ULL
#define LINE_OUT	16000ULL
#define LATENCY		1000000ULL

static struct rm_gpu *link_gpu(struct kunit *test, const char *set)
{
	return &fake_device_create(test, set)->gpu;
}

/* Alone: so many sectors, so long beside the latency. */
static void link_sectors(struct kunit *test)
{
	static const struct {
		unsigned int ways, sectors;
		u64 ps;
	} row[] = {
		{ SGPU_LINK_READ, 4, 8000 }, { SGPU_LINK_READ, 3, 6400 },
		{ SGPU_LINK_READ, 2, 4800 }, { SGPU_LINK_READ, 1, 3200 },
		{ SGPU_LINK_WRITE, 4, 16000 }, { SGPU_LINK_WRITE, 1, 6400 },
		{ SGPU_LINK_ATOMIC, 4, 24000 }, { SGPU_LINK_ATOMIC, 1, 9600 },
	};
	struct rm_gpu *gpu = link_gpu(test, SET);
	struct sgpu_link_counters counters;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(row); i++) {
		u64 when = (i + 1) * 10 * LATENCY;

		KUNIT_EXPECT_EQ_MSG(test, when + row[i].ps + LATENCY,
				    sgpu_link_request(gpu, row[i].ways, row[i].sectors, when),
				    "row %u", i);
	}
	/* both atomics are in each direction */
	sgpu_link_read_counters(gpu, &counters);
	KUNIT_EXPECT_EQ(test, counters.requests[SGPU_LINK_IN], 4 + 2);
	KUNIT_EXPECT_EQ(test, counters.requests[SGPU_LINK_OUT], 2 + 2);
	KUNIT_EXPECT_EQ(test, counters.bytes[SGPU_LINK_IN], 15 * 32);
	KUNIT_EXPECT_EQ(test, counters.bytes[SGPU_LINK_OUT], 10 * 32);
}

/* In the order of the calls; the other direction is another queue. */
static const struct {
	const char *rule;
	unsigned int ways;
	u64 when, carried;
} link_queue_rows[] = {
	{ "alone", SGPU_LINK_READ, 0, LINE_IN },
	{ "behind it", SGPU_LINK_READ, 0, 2 * LINE_IN },
	{ "out is free", SGPU_LINK_WRITE, 0, LINE_OUT },
	{ "behind the reads", SGPU_LINK_READ, 9000, 3 * LINE_IN },
	{ "behind the write, and then in", SGPU_LINK_ATOMIC, 9000, 2 * LINE_OUT + LINE_IN },
	{ "writes behind what went out", SGPU_LINK_WRITE, 9000, 3 * LINE_OUT },
	{ "of another SM, earlier", SGPU_LINK_WRITE, 8000, 4 * LINE_OUT },
	{ "long after", SGPU_LINK_WRITE, 900000, 900000 + LINE_OUT },
};

static void link_queue(struct kunit *test)
{
	struct rm_gpu *gpu = link_gpu(test, SET);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(link_queue_rows); i++)
		KUNIT_EXPECT_EQ_MSG(test, link_queue_rows[i].carried + LATENCY,
				    sgpu_link_request(gpu, link_queue_rows[i].ways, 4,
						      link_queue_rows[i].when),
				    "%s", link_queue_rows[i].rule);
}

/* Four reads or atomics are under way; writes need no tag and wait for none. */
static void link_tags(struct kunit *test)
{
	struct rm_gpu *gpu = link_gpu(test, SET);
	u64 back[3 * 4];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(back); i++) {
		u64 start = i < 4 ? i * LINE_IN : back[i - 4];

		back[i] = sgpu_link_request(gpu, SGPU_LINK_READ, 4, 0);
		KUNIT_EXPECT_EQ_MSG(test, back[i], start + LINE_IN + LATENCY, "read %u", i);
	}
	KUNIT_EXPECT_EQ(test, sgpu_link_request(gpu, SGPU_LINK_WRITE, 4, 0), LINE_OUT + LATENCY);
	KUNIT_EXPECT_EQ(test, sgpu_link_request(gpu, SGPU_LINK_ATOMIC, 4, 0),
			back[8] + LINE_OUT + LINE_IN + LATENCY);
	/* the next read has a tag before the atomic has come in, behind which it waits */
	KUNIT_EXPECT_EQ(test, sgpu_link_request(gpu, SGPU_LINK_READ, 4, 0),
			back[8] + LINE_OUT + 2 * LINE_IN + LATENCY);
}

/* One at a time: dependent or not, each waits for the latency of the one before. */
static void link_one_at_a_time(struct kunit *test)
{
	struct rm_gpu *gpu = link_gpu(test, ONE);
	unsigned int i;

	for (i = 1; i <= 10; i++)
		KUNIT_EXPECT_EQ(test, sgpu_link_request(gpu, SGPU_LINK_READ, 1, 0),
				i * (2000 + 135000));
}

/*
 * @before requests of 8 ns wait when a copy of @copy begins at 0; @after come at @when.  The
 * last of them has been carried at @carried, and the copy at @end.
 */
static const struct {
	const char *rule;
	unsigned int before;
	u64 copy;
	unsigned int after;
	u64 when, carried, end;
} link_share_rows[] = {
	{ "the copy alone", 0, 100000, 0, 0, 0, 100000 },
	{ "one request in it", 0, 100000, 1, 10000, 26000, 108000 },
	{ "two, the second behind the first", 0, 100000, 2, 10000, 42000, 116000 },
	{ "one at its last moment", 0, 100000, 1, 97000, 108000, 103000 },
	{ "one when it is over", 0, 100000, 1, 100000, 108000, 100000 },
	{ "more than the copy", 0, 100000, 20, 0, 260000, 200000 },
	{ "more than what is left", 0, 100000, 20, 60000, 260000, 140000 },
	{ "it begins behind requests", 5, 100000, 1, 0, 96000, 148000 },
	{ "they are longer than it", 20, 100000, 1, 0, 268000, 200000 },
	{ "they have gone before more come", 5, 100000, 1, 90000, 106000, 148000 },
};

static void link_share_row(struct kunit *test, struct rm_gpu *gpu, unsigned int n)
{
	const typeof(link_share_rows[0]) *row = &link_share_rows[n];
	u64 zero = (n + 1) * 100 * LATENCY, last = 0;
	struct sgpu_link_copy lc = { };
	unsigned int i;

	for (i = 0; i < row->before; i++)
		sgpu_link_request(gpu, SGPU_LINK_READ, 4, zero);
	sgpu_link_copy_begin(gpu, &lc, row, SGPU_LINK_IN, zero, row->copy);
	for (i = 0; i < row->after; i++)
		last = sgpu_link_request(gpu, SGPU_LINK_READ, 4, zero + row->when);
	if (row->after)
		KUNIT_EXPECT_EQ_MSG(test, last, zero + row->carried + LATENCY, "%s", row->rule);
	KUNIT_EXPECT_EQ_MSG(test, sgpu_link_copy_end(gpu, &lc, zero + row->copy),
			    zero + row->end, "%s", row->rule);
	sgpu_link_copy_drop(gpu, &lc);
	KUNIT_EXPECT_TRUE(test, list_empty(&gpu->link.way[SGPU_LINK_IN].copies));
}

static void link_share(struct kunit *test)
{
	struct rm_gpu *gpu = link_gpu(test, MANY);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(link_share_rows); i++)
		link_share_row(test, gpu, i);
}

/* Copies of the other direction do not matter; nor does one that begins later, until then. */
static void link_share_others(struct kunit *test)
{
	struct rm_gpu *gpu = link_gpu(test, SET);
	struct sgpu_link_copy out = { }, late = { };

	sgpu_link_copy_begin(gpu, &out, &out, SGPU_LINK_OUT, 0, 100000);
	sgpu_link_copy_begin(gpu, &late, &late, SGPU_LINK_IN, 10000, 100000);
	KUNIT_EXPECT_EQ(test, sgpu_link_request(gpu, SGPU_LINK_READ, 4, 0), LINE_IN + LATENCY);
	KUNIT_EXPECT_EQ(test, sgpu_link_request(gpu, SGPU_LINK_READ, 4, 5000),
			2 * LINE_IN + LATENCY);
	/* 6 ns of it wait when the copy begins, so that both lose 6; then 8 more each */
	KUNIT_EXPECT_EQ(test, sgpu_link_request(gpu, SGPU_LINK_READ, 4, 12000),
			2 * LINE_IN + 6000 + 2 * LINE_IN + LATENCY);
	KUNIT_EXPECT_EQ(test, sgpu_link_copy_end(gpu, &late, 110000), 110000 + 6000 + LINE_IN);
	KUNIT_EXPECT_EQ(test, sgpu_link_copy_end(gpu, &out, 110000), 100000);
	/* the same copy again: what it has shared stays; another one begins anew */
	sgpu_link_copy_begin(gpu, &late, &late, SGPU_LINK_IN, 10000, 100000);
	KUNIT_EXPECT_EQ(test, sgpu_link_copy_end(gpu, &late, 110000), 110000 + 6000 + LINE_IN);
	sgpu_link_copy_begin(gpu, &late, gpu, SGPU_LINK_IN, 500000, 100000);
	KUNIT_EXPECT_EQ(test, sgpu_link_copy_end(gpu, &late, 500000), 600000);
	sgpu_link_copy_drop(gpu, &late);
	sgpu_link_copy_drop(gpu, &out);
	KUNIT_EXPECT_EQ(test, sgpu_link_copy_end(gpu, &late, 500000), 0);
}

/*
 * A copy engine: 4000 bytes in take 700 ns and 250, a flush of 200 follows.  25 lines asked for
 * @after_ns it began make it end @late_ns later.
 */
static const struct {
	const char *rule;
	u64 after_ns, late_ns;
} link_engine_rows[] = {
	{ "while its bytes go", 750, 200 },
	{ "just before: they wait when it begins", 690, 190 },
	{ "long before", 100, 0 },
	{ "most of it has gone", 900, 50 },
	{ "during the flush", 1000, 0 },
};

static void link_engine(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, MANY);
	struct sgpu_link_counters counters;
	struct sgpu_copy_engine *ce;
	struct fake_channel ch;
	unsigned int i, j;
	u64 iova, busy;

	KUNIT_ASSERT_EQ(test, 0, rm_iova_alloc(&dev->gpu, PAGE_SIZE, &iova));
	fake_page(test, dev, iova);
	fake_channel_open(test, dev, &ch, RM_ENGINE_CE_HTOD);
	ce = ch.rm->engine;
	for (i = 0; i < ARRAY_SIZE(link_engine_rows); i++) {
		busy = ce->busy_ps;
		fake_copy(&ch, RM_APERTURE_SYS, iova, RM_APERTURE_VID, 0, 4000,
			  FIELD_PREP(CE_LAUNCH_TRANSFER, CE_TRANSFER_NON_PIPELINED) |
			  CE_LAUNCH_FLUSH);
		fake_submit(&ch);
		fake_run(link_engine_rows[i].after_ns);
		for (j = 0; j < 25; j++)
			sgpu_link_request(&dev->gpu, SGPU_LINK_READ, 4, sgpu_now_ps());
		fake_run(10000);
		KUNIT_EXPECT_EQ_MSG(test, (ce->busy_ps - busy) / PS_PER_NS,
				    700 + 250 + 200 + link_engine_rows[i].late_ns, "%s",
				    link_engine_rows[i].rule);
		KUNIT_EXPECT_NULL(test, ce->link.owner);
	}
	/* copies are not in these */
	sgpu_link_read_counters(&dev->gpu, &counters);
	KUNIT_EXPECT_EQ(test, counters.requests[SGPU_LINK_IN], i * 25);
	KUNIT_EXPECT_EQ(test, counters.bytes[SGPU_LINK_IN], i * 25 * SGPU_LINK_LINE);
}

/* A channel that goes takes its copy off the link; another's goes on as it was. */
static void link_forget(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET);
	struct sgpu_link_direction *in = &dev->gpu.link.way[SGPU_LINK_IN];
	struct fake_channel ch;
	u64 iova;

	KUNIT_ASSERT_EQ(test, 0, rm_iova_alloc(&dev->gpu, PAGE_SIZE, &iova));
	fake_page(test, dev, iova);
	fake_channel_open(test, dev, &ch, RM_ENGINE_CE_HTOD);
	fake_copy(&ch, RM_APERTURE_SYS, iova, RM_APERTURE_VID, 0, 4000,
		  FIELD_PREP(CE_LAUNCH_TRANSFER, CE_TRANSFER_NON_PIPELINED));
	fake_submit(&ch);
	fake_run(100);
	KUNIT_EXPECT_FALSE(test, list_empty(&in->copies));
	sgpu_copy_engine_halt(ch.rm->engine);
	KUNIT_EXPECT_FALSE(test, list_empty(&in->copies));
	sgpu_copy_engine_resume(ch.rm->engine, ch.rm);
	KUNIT_EXPECT_TRUE(test, list_empty(&in->copies));
	KUNIT_EXPECT_NULL(test, ch.rm->engine->link.owner);
}

static struct kunit_case link_kunit_cases[] = {
	KUNIT_CASE(link_sectors),
	KUNIT_CASE(link_queue),
	KUNIT_CASE(link_tags),
	KUNIT_CASE(link_one_at_a_time),
	KUNIT_CASE(link_share),
	KUNIT_CASE(link_share_others),
	KUNIT_CASE(link_engine),
	KUNIT_CASE(link_forget),
	{}
};

struct kunit_suite softgpu_link_suite = {
	.name = "softgpu_link",
	.test_cases = link_kunit_cases,
};
