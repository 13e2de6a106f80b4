// SPDX-License-Identifier: GPL-2.0
/*
 * softgpu GPFIFO entries as a driver of real hardware writes them: synchronised fetches,
 * control entries, and what is refused; the copy class on the host's subchannel; semaphores
 * that copy engines increment.
 */
#include <kunit/test.h>
#include <linux/bitfield.h>
#include <softgpu/ce_class.h>
#include <softgpu/host_class.h>
#include "fake_device.h"

#define SET	"doorbell_ns:100,method_ns:10,semaphore_ns:50,membar_ns:200," \
		"copy_internal_latency_ns:0,copy_internal_mbps:1000"

static u32 *gpfifo_semaphore(struct kunit *test, struct fake_device *dev, u64 *iova)
{
	KUNIT_ASSERT_EQ(test, 0, rm_iova_alloc(&dev->gpu, PAGE_SIZE, iova));
	return fake_page(test, dev, *iova);
}

static void gpfifo_release(struct fake_channel *ch, u64 iova, u32 payload)
{
	fake_method(ch, HOST_SEM_ADDR_LO, lower_32_bits(iova));
	fake_method(ch, HOST_SEM_ADDR_HI, upper_32_bits(iova));
	fake_method(ch, HOST_SEM_PAYLOAD_LO, payload);
	fake_method(ch, HOST_SEM_EXECUTE, HOST_SEM_OP_RELEASE | HOST_SEM_RELEASE_TIMESTAMP);
}

/* An entry as it is, behind those that are there; no doorbell. */
static void gpfifo_put(struct fake_channel *ch, u32 lo, u32 hi)
{
	u32 put = *ch->info->gp_put;

	ch->info->gpfifo[put] = lo | (u64)hi << 32;
	*ch->info->gp_put = (put + 1) % ch->info->entries;
}

/* What was written since the last entry, with more bits. */
static void gpfifo_segment(struct fake_channel *ch, u32 lo, u32 hi)
{
	u64 iova = ch->iova + ch->first * 4;

	gpfifo_put(ch, lower_32_bits(iova) | lo,
		   FIELD_PREP(HOST_GP1_ADDR_HI, upper_32_bits(iova)) |
		   FIELD_PREP(HOST_GP1_LENGTH, ch->next - ch->first) | hi);
	ch->first = ch->next;
}

struct gpfifo_case {
	const char *name;
	bool segment;
	u32 lo;
	u32 hi;
	u32 error;
};

static const struct gpfifo_case gpfifo_cases[] = {
	{ "segment", true, 0, 0, 0 },
	{ "segment, synchronised", true, 0, HOST_GP1_SYNC, 0 },
	{ "segment, fetched conditionally", true, HOST_GP0_CONDITIONAL, 0, RM_CHANNEL_ERR_FETCH },
	{ "segment of a subroutine", true, 0, HOST_GP1_SUBROUTINE, RM_CHANNEL_ERR_FETCH },
	{ "control, nop", false, 0, HOST_GP_OPCODE_NOP, 0 },
	{ "control, nop, any operand", false, 0xfedcba99, HOST_GP_OPCODE_NOP, 0 },
	{ "control, nop, synchronised", false, 0, HOST_GP1_SYNC, 0 },
	{ "control, illegal", false, 0, HOST_GP_OPCODE_ILLEGAL, RM_CHANNEL_ERR_FETCH },
	{ "control, checksum of entries", false, 0, HOST_GP_OPCODE_GP_CRC, RM_CHANNEL_ERR_FETCH },
	{ "control, checksum of words", false, 0, HOST_GP_OPCODE_PB_CRC, RM_CHANNEL_ERR_FETCH },
	{ "control, unknown", false, 0, 0xff, RM_CHANNEL_ERR_FETCH },
};

static void gpfifo_case_desc(const struct gpfifo_case *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(gpfifo, gpfifo_cases, gpfifo_case_desc);

/* The entry of the case, then a release: it comes as if the other were not there, or never. */
static void gpfifo_entry(struct kunit *test)
{
	const struct gpfifo_case *c = test->param_value;
	struct fake_device *dev = fake_device_create(test, SET);
	struct fake_channel ch;
	u64 iova, start;
	u32 *sem;

	sem = gpfifo_semaphore(test, dev, &iova);
	fake_channel_open(test, dev, &ch, RM_ENGINE_CE_INTERNAL);
	/* the words of fake_channel_open() are one method */
	if (c->segment)
		gpfifo_segment(&ch, c->lo, c->hi);
	else
		gpfifo_put(&ch, c->lo, c->hi);
	gpfifo_release(&ch, iova, 7);
	start = sim_now();
	fake_submit(&ch);
	fake_run(1000);
	KUNIT_EXPECT_EQ(test, c->error, *ch.info->error);
	KUNIT_EXPECT_EQ(test, c->error ? 0 : 7, sem[0]);
	KUNIT_EXPECT_EQ(test, c->error ? 0 : 2, *ch.info->gp_get);
	/* doorbell, SET_OBJECT, four methods, release */
	if (!c->error)
		KUNIT_EXPECT_EQ(test, start + 100 + 10 + 40 + 50, *(u64 *)(sem + 2));
}

/* A pushbuffer that the GPU writes itself: the words that count are those it has written. */
static void gpfifo_sync(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET);
	u32 *sem, *vram = fake_vram(dev, 0);
	struct fake_channel ch;
	u64 iova, place;

	sem = gpfifo_semaphore(test, dev, &iova);
	fake_channel_open(test, dev, &ch, RM_ENGINE_CE_INTERNAL);
	/* far behind: the release of a 1 of which a 2 is to be made */
	ch.next = 256;
	ch.first = 256;
	gpfifo_release(&ch, iova, 1);
	memcpy(vram, &ch.words[256], 32);
	vram[5] = 2;
	place = ch.iova + 256 * 4;
	ch.next = 2;
	ch.first = 0;
	fake_copy(&ch, RM_APERTURE_VID, 0, RM_APERTURE_SYS, place, 32, CE_TRANSFER_NON_PIPELINED);
	fake_method(&ch, HOST_WFI, 0);
	gpfifo_segment(&ch, 0, 0);
	ch.first = 256;
	ch.next = 264;
	gpfifo_segment(&ch, 0, HOST_GP1_SYNC);
	rm_channel_doorbell(ch.rm);
	fake_run(100000);
	KUNIT_EXPECT_EQ(test, 0, *ch.info->error);
	KUNIT_EXPECT_EQ(test, 2, sem[0]);
}

/* Copy methods follow a class that was bound on the host's subchannel, and need one. */
static void gpfifo_set_object(struct kunit *test)
{
	static const u32 header[] = { HOST_SUBCH_HOST, HOST_SUBCH_CE };
	struct fake_device *dev = fake_device_create(test, SET);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(header); i++) {
		struct fake_channel ch;

		fake_channel_open(test, dev, &ch, RM_ENGINE_CE_INTERNAL);
		ch.next = 0;
		fake_word(&ch, FIELD_PREP(HOST_HDR_OP, HOST_HDR_OP_INC) |
			       FIELD_PREP(HOST_HDR_COUNT, 1) |
			       FIELD_PREP(HOST_HDR_SUBCH, header[i]));
		fake_word(&ch, CE_CLASS);
		*(u32 *)fake_vram(dev, 0) = 5 + i;
		fake_copy(&ch, RM_APERTURE_VID, 0, RM_APERTURE_VID, 4096, 4,
			  CE_TRANSFER_NON_PIPELINED);
		fake_submit(&ch);
		fake_run(10000);
		KUNIT_EXPECT_EQ(test, 0, *ch.info->error);
		KUNIT_EXPECT_EQ(test, 5 + i, *(u32 *)fake_vram(dev, 4096));
	}
}

/* One more below the payload, 0 at and above it; the word beside it stays. */
static void gpfifo_increment(struct kunit *test)
{
	static const struct {
		u32 before, limit, after;
	} rows[] = {
		{ 0, 1, 1 }, { 1, 1, 0 }, { 2, 3, 3 }, { 3, 3, 0 }, { 7, 3, 0 }, { 0, 0, 0 },
		{ U32_MAX - 1, U32_MAX, U32_MAX }, { U32_MAX, U32_MAX, 0 }, { 5, U32_MAX, 6 },
	};
	u32 launch = FIELD_PREP(CE_LAUNCH_TRANSFER, CE_TRANSFER_NONE) |
		     FIELD_PREP(CE_LAUNCH_SEMAPHORE, CE_SEMAPHORE_ONE_WORD) |
		     FIELD_PREP(CE_LAUNCH_REDUCTION, CE_REDUCTION_INC) |
		     CE_LAUNCH_REDUCTION_UNSIGNED | CE_LAUNCH_REDUCTION_ENABLE;
	struct fake_device *dev = fake_device_create(test, SET);
	struct fake_channel ch;
	unsigned int i;
	u32 *sem;
	u64 iova;

	sem = gpfifo_semaphore(test, dev, &iova);
	fake_channel_open(test, dev, &ch, RM_ENGINE_CE_INTERNAL);
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		sem[0] = rows[i].before;
		sem[1] = 99;
		fake_method(&ch, CE_SET_SEMAPHORE_A, upper_32_bits(iova));
		fake_method(&ch, CE_SET_SEMAPHORE_B, lower_32_bits(iova));
		fake_method(&ch, CE_SET_SEMAPHORE_PAYLOAD, rows[i].limit);
		fake_method(&ch, CE_LAUNCH_DMA, launch);
		fake_submit(&ch);
		fake_run(10000);
		KUNIT_EXPECT_EQ_MSG(test, rows[i].after, sem[0], "%u up to %u", rows[i].before,
				    rows[i].limit);
		KUNIT_EXPECT_EQ(test, 99, sem[1]);
	}
	KUNIT_EXPECT_EQ(test, 0, *ch.info->error);
}

/* Who waits for the word is woken by its increment. */
static void gpfifo_increment_wakes(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, SET);
	struct fake_channel ch[2];
	u32 *sem;
	u64 iova;

	sem = gpfifo_semaphore(test, dev, &iova);
	sem[0] = 4;
	fake_channel_open(test, dev, &ch[0], RM_ENGINE_CE_INTERNAL);
	fake_channel_open(test, dev, &ch[1], RM_ENGINE_CE_INTERNAL);
	fake_method(&ch[0], HOST_SEM_ADDR_LO, lower_32_bits(iova));
	fake_method(&ch[0], HOST_SEM_ADDR_HI, upper_32_bits(iova));
	fake_method(&ch[0], HOST_SEM_PAYLOAD_LO, 5);
	fake_method(&ch[0], HOST_SEM_EXECUTE, HOST_SEM_OP_ACQ_CIRC_GEQ);
	gpfifo_release(&ch[0], iova + 64, 1);
	fake_submit(&ch[0]);
	fake_run(1000);
	KUNIT_EXPECT_EQ(test, 0, sem[16]);
	fake_method(&ch[1], CE_SET_SEMAPHORE_A, upper_32_bits(iova));
	fake_method(&ch[1], CE_SET_SEMAPHORE_B, lower_32_bits(iova));
	fake_method(&ch[1], CE_SET_SEMAPHORE_PAYLOAD, 100);
	fake_method(&ch[1], CE_LAUNCH_DMA,
		    FIELD_PREP(CE_LAUNCH_SEMAPHORE, CE_SEMAPHORE_ONE_WORD) |
		    FIELD_PREP(CE_LAUNCH_REDUCTION, CE_REDUCTION_INC) |
		    CE_LAUNCH_REDUCTION_UNSIGNED | CE_LAUNCH_REDUCTION_ENABLE);
	fake_submit(&ch[1]);
	fake_run(1000);
	KUNIT_EXPECT_EQ(test, 5, sem[0]);
	KUNIT_EXPECT_EQ(test, 1, sem[16]);
}

static struct kunit_case gpfifo_kunit_cases[] = {
	KUNIT_CASE_PARAM(gpfifo_entry, gpfifo_gen_params),
	KUNIT_CASE(gpfifo_sync),
	KUNIT_CASE(gpfifo_set_object),
	KUNIT_CASE(gpfifo_increment),
	KUNIT_CASE(gpfifo_increment_wakes),
	{}
};

struct kunit_suite softgpu_gpfifo_suite = {
	.name = "softgpu_gpfifo",
	.test_cases = gpfifo_kunit_cases,
};
