// SPDX-License-Identifier: GPL-2.0
/*
 * softgpu RM's address space: what is mapped where, tables that come and go, and channels
 * whose pushbuffers and semaphores lie in it.
 */
#include <kunit/test.h>
#include <linux/bitfield.h>
#include <linux/sizes.h>
#include <softgpu/ce_class.h>
#include <softgpu/host_class.h>
#include "fake_device.h"
#include "softgpu/mmu/mmu.h"
#include "softgpu/mmu/rm_space.h"
#include "softgpu/mmu/walker.h"

#define SET	"doorbell_ns:100,method_ns:10,semaphore_ns:50,copy_internal_latency_ns:0"
#define IOVA	0x40000000ULL
#define VA(slot) (SGPU_RM_SPACE_BASE + (slot) * (u64)SZ_2M)

static enum sgpu_walk_result space_walk(struct fake_device *dev, u64 va,
					struct sgpu_translation *page)
{
	return sgpu_mmu_walk(&dev->gpu, &dev->gpu.rm_space.as, va, SGPU_ATOMIC, page);
}

/* Lowest slot first, whole slots; what is behind the end of a mapping leads nowhere. */
static void rm_space_slots(struct kunit *test)
{
	static const struct {
		u64 va;			/* mapped there; 0: unmapped */
		u64 slot;
		size_t bytes;
	} steps[] = {
		{ VA(0), 0, SZ_4K }, { VA(1), 1, SZ_2M }, { VA(2), 2, SZ_8K }, { 0, 1, 0 },
		{ VA(1), 1, SZ_4K }, { VA(3), 3, SZ_4K }, { 0, 0, 0 }, { VA(0), 0, SZ_8K },
	};
	struct fake_device *dev = fake_device_create(test, NULL);
	u64 before = dev->gpu.reserve.used, va;
	struct sgpu_translation page;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		if (!steps[i].va) {
			rm_va_unmap(&dev->gpu, VA(steps[i].slot));
			KUNIT_EXPECT_NE(test, SGPU_WALK_OK,
					space_walk(dev, VA(steps[i].slot), &page));
			continue;
		}
		KUNIT_ASSERT_EQ(test, 0, rm_va_map(&dev->gpu, IOVA + i * SZ_2M, steps[i].bytes,
						   &va));
		KUNIT_EXPECT_EQ_MSG(test, steps[i].va, va, "step %u", i);
		KUNIT_EXPECT_EQ(test, SGPU_WALK_OK,
				space_walk(dev, va + steps[i].bytes - 4, &page));
		KUNIT_EXPECT_EQ(test, RM_APERTURE_SYS, page.aperture);
		KUNIT_EXPECT_EQ(test, IOVA + i * SZ_2M + steps[i].bytes - SZ_4K, page.pa);
		if (steps[i].bytes < SZ_2M)
			KUNIT_EXPECT_EQ(test, SGPU_WALK_INVALID_PTE,
					space_walk(dev, va + steps[i].bytes, &page));
	}
	for (i = 0; i < 4; i++)
		rm_va_unmap(&dev->gpu, VA(i));
	KUNIT_EXPECT_EQ(test, before, dev->gpu.reserve.used);
	KUNIT_EXPECT_FALSE(test, dev->gpu.rm_space.as.bound);
}

/* What a GPFIFO entry can say, and no more; sizes; alignment; no more than there is. */
static void rm_space_limits(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, NULL);
	unsigned int i;
	u64 va = 0;

	KUNIT_EXPECT_EQ(test, -EINVAL, rm_va_map(&dev->gpu, IOVA, 0, &va));
	KUNIT_EXPECT_EQ(test, -EINVAL, rm_va_map(&dev->gpu, IOVA, SZ_2M + 1, &va));
	KUNIT_EXPECT_EQ(test, -EINVAL, rm_va_map(&dev->gpu, IOVA + 4, SZ_4K, &va));
	for (i = 0; i < SGPU_RM_SPACE_SLOTS; i++)
		KUNIT_ASSERT_EQ(test, 0, rm_va_map(&dev->gpu, IOVA, SZ_4K, &va));
	KUNIT_EXPECT_LE(test, va + SZ_2M, 1ULL << 40);
	KUNIT_EXPECT_EQ(test, -ENOMEM, rm_va_map(&dev->gpu, IOVA, SZ_4K, &va));
	for (i = 0; i < SGPU_RM_SPACE_SLOTS; i++)
		rm_va_unmap(&dev->gpu, VA(i));
}

/* A reserve that runs out at any table leaves nothing behind. */
static void rm_space_no_tables(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, NULL);
	u64 pages = dev->gpu.reserve.tables, used, va, pa;
	unsigned int room;

	for (room = 0; room < SGPU_RM_SPACE_LEVELS + 1; room++) {
		used = dev->gpu.reserve.used;
		dev->gpu.reserve.tables = used / SZ_4K + room;
		KUNIT_EXPECT_EQ_MSG(test, -ENOMEM, rm_va_map(&dev->gpu, IOVA, SZ_4K, &va),
				    "room %u", room);
		KUNIT_EXPECT_EQ(test, used, dev->gpu.reserve.used);
	}
	dev->gpu.reserve.tables = pages;
	KUNIT_EXPECT_EQ(test, 0, rm_reserve_alloc(&dev->gpu, SZ_4K, &pa));
	KUNIT_EXPECT_EQ(test, 0, rm_va_map(&dev->gpu, IOVA, SZ_4K, &va));
	rm_va_unmap(&dev->gpu, va);
}

/* ---- channels -------------------------------------------------------- */

/* A channel of the driver: page 0 its pushbuffer, page 1 semaphores. */
struct space_channel {
	struct fake_channel ch;
	u32 *sem;
	u64 sem_va;
	u64 iova;
};

static void space_channel_close(void *data)
{
	struct fake_channel *ch = data;

	rm_channel_free(ch->rm);
	rm_va_unmap(&ch->dev->gpu, round_down(ch->iova, SZ_2M));
}

static struct space_channel *space_channel_open(struct kunit *test)
{
	struct space_channel *c = kunit_kzalloc(test, sizeof(*c), GFP_KERNEL);
	struct fake_device *dev = fake_device_create(test, SET);
	struct rm_gpu *gpu = &dev->gpu;

	KUNIT_ASSERT_NOT_NULL(test, c);
	c->ch.dev = dev;
	KUNIT_ASSERT_EQ(test, 0, rm_iova_alloc(gpu, SZ_8K, &c->iova));
	c->ch.words = fake_page(test, dev, c->iova);
	c->sem = fake_page(test, dev, c->iova + SZ_4K);
	KUNIT_ASSERT_EQ(test, 0, rm_va_map(gpu, c->iova, SZ_8K, &c->ch.iova));
	c->sem_va = c->ch.iova + SZ_4K;
	KUNIT_ASSERT_EQ(test, 0, rm_channel_alloc(gpu, RM_ENGINE_CE_INTERNAL, 4, &c->ch.rm));
	c->ch.info = rm_channel_info(c->ch.rm);
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, space_channel_close, &c->ch));
	fake_method(&c->ch, HOST_SET_OBJECT, CE_CLASS);
	return c;
}

static void space_host_semaphore(struct fake_channel *ch, u64 va, u32 payload, u32 execute)
{
	fake_method(ch, HOST_SEM_ADDR_LO, lower_32_bits(va));
	fake_method(ch, HOST_SEM_ADDR_HI, upper_32_bits(va));
	fake_method(ch, HOST_SEM_PAYLOAD_LO, payload);
	fake_method(ch, HOST_SEM_EXECUTE, execute);
}

static void space_ce_semaphore(struct fake_channel *ch, u64 va, u32 payload, u32 launch)
{
	fake_method(ch, CE_SET_SEMAPHORE_A, upper_32_bits(va));
	fake_method(ch, CE_SET_SEMAPHORE_B, lower_32_bits(va));
	fake_method(ch, CE_SET_SEMAPHORE_PAYLOAD, payload);
	fake_method(ch, CE_LAUNCH_DMA, launch);
}

/* Host and copy engine release, increment and acquire where the tables lead. */
static void rm_space_channel(struct kunit *test)
{
	struct space_channel *c = space_channel_open(test);
	u32 one_word = FIELD_PREP(CE_LAUNCH_SEMAPHORE, CE_SEMAPHORE_ONE_WORD);

	space_host_semaphore(&c->ch, c->sem_va + 16, 7, HOST_SEM_OP_RELEASE);
	space_host_semaphore(&c->ch, c->sem_va + 16, 7, HOST_SEM_OP_ACQUIRE);
	space_ce_semaphore(&c->ch, c->sem_va + 32, 9, one_word);
	space_ce_semaphore(&c->ch, c->sem_va + 48, 5, one_word |
			   FIELD_PREP(CE_LAUNCH_REDUCTION, CE_REDUCTION_INC) |
			   CE_LAUNCH_REDUCTION_UNSIGNED | CE_LAUNCH_REDUCTION_ENABLE);
	fake_submit(&c->ch);
	fake_run(1000);
	KUNIT_EXPECT_EQ(test, 0, *c->ch.info->error);
	KUNIT_EXPECT_EQ(test, 7, c->sem[4]);
	KUNIT_EXPECT_EQ(test, 9, c->sem[8]);
	KUNIT_EXPECT_EQ(test, 1, c->sem[12]);
	KUNIT_EXPECT_EQ(test, 0, rm_dma_faults(&c->ch.dev->gpu));
}

/* DMA addresses, and addresses without a translation, are none of such a channel. */
static void rm_space_channel_errors(struct kunit *test)
{
	enum { FETCH_DMA, HOST_DMA, CE_DMA, HOST_BEHIND, CASES };
	static const u32 error[CASES] = {
		RM_CHANNEL_ERR_FETCH, RM_CHANNEL_ERR_DMA, RM_CHANNEL_ERR_DMA, RM_CHANNEL_ERR_DMA,
	};
	struct space_channel *c;
	unsigned int i;
	u64 va;

	for (i = 0; i < CASES; i++) {
		c = space_channel_open(test);
		va = c->ch.iova;
		if (i == HOST_DMA)
			space_host_semaphore(&c->ch, c->iova + SZ_4K, 7, HOST_SEM_OP_RELEASE);
		if (i == CE_DMA)
			space_ce_semaphore(&c->ch, c->iova + SZ_4K, 7,
					   FIELD_PREP(CE_LAUNCH_SEMAPHORE, CE_SEMAPHORE_ONE_WORD));
		if (i == HOST_BEHIND)
			space_host_semaphore(&c->ch, c->sem_va + SZ_4K, 7, HOST_SEM_OP_RELEASE);
		if (i == FETCH_DMA)
			c->ch.iova = c->iova;
		fake_submit(&c->ch);
		fake_run(1000);
		c->ch.iova = va;
		KUNIT_EXPECT_EQ_MSG(test, error[i], *c->ch.info->error, "case %u", i);
		KUNIT_EXPECT_EQ(test, 0, c->sem[0]);
	}
}

static struct kunit_case rm_space_kunit_cases[] = {
	KUNIT_CASE(rm_space_slots),
	KUNIT_CASE(rm_space_limits),
	KUNIT_CASE(rm_space_no_tables),
	KUNIT_CASE(rm_space_channel),
	KUNIT_CASE(rm_space_channel_errors),
	{}
};

struct kunit_suite softgpu_rm_space_suite = {
	.name = "softgpu_rm_space",
	.test_cases = rm_space_kunit_cases,
};
