// SPDX-License-Identifier: GPL-2.0
/* A GPU without SMs; see fake_device.h. */
#include <linux/bitfield.h>
#include <linux/mm.h>
#include <softgpu/ce_class.h>
#include <softgpu/fault_format.h>
#include <softgpu/host_class.h>
#include <softgpu/mmu_format.h>
#include "fake_device.h"
#include "../softgpu/profile.h"

static struct fake_device *fake_of(struct rm_gpu *gpu)
{
	return container_of(gpu, struct fake_device, gpu);
}

static struct fake_access *fake_called(struct rm_gpu *gpu, struct sgpu_access *access)
{
	struct fake_access *a = container_of(access, struct fake_access, access);

	a->when_ps = sgpu_now_ps();
	a->order = fake_of(gpu)->called++;
	return a;
}

static void fake_translated(struct rm_gpu *gpu, struct sgpu_access *access,
			    const struct sgpu_translation *xlat, u64 epoch)
{
	struct fake_access *a = fake_called(gpu, access);

	a->translated = true;
	a->xlat = *xlat;
}

static void fake_cancelled(struct rm_gpu *gpu, struct sgpu_access *access, int error)
{
	struct fake_access *a = fake_called(gpu, access);

	a->cancelled = true;
	a->error = error;
}

static void fake_faulted(struct rm_gpu *gpu, unsigned int sm)
{
	fake_of(gpu)->told |= BIT(sm);
}

static void fake_quiesce(struct rm_gpu *gpu)
{
}

static const struct sgpu_mmu_client fake_client = {
	.translated = fake_translated,
	.cancelled = fake_cancelled,
	.faulted = fake_faulted,
	.quiesce = fake_quiesce,
};

static void fake_device_destroy(void *data)
{
	struct fake_device *dev = data;
	struct rm_gpu *gpu = &dev->gpu;

	sgpu_host_exit(gpu);
	sgpu_accessed_exit(gpu);
	sgpu_access_counters_exit(gpu);
	sgpu_fault_buffer_exit(gpu);
	sgpu_mmu_exit(gpu);
	sgpu_rm_space_exit(gpu);
	sgpu_reserve_exit(gpu);
	sgpu_pma_exit(gpu);
	sgpu_iommu_exit(gpu);
	while (dev->page_count--)
		__free_page(dev->pages[dev->page_count]);
	sgpu_vram_free(&gpu->vram);
	kvfree(dev);
}

/* No two frames are beside each other; a guard page follows every second one. */
static void *fake_direct(unsigned int index)
{
	return index % 2 ? NULL : sgpu_vram_host.direct(index);
}

static int fake_device_init(struct rm_gpu *gpu)
{
	const struct sgpu_vram_source source = {
		.direct = fake_direct, .mapped = sgpu_vram_host.mapped,
	};

	gpu->vram_bytes = FAKE_VRAM_BYTES;
	gpu->reserve_bytes = FAKE_RESERVE_BYTES;
	sim_waitq_init(&gpu->progress);
	if (sgpu_vram_alloc(&gpu->vram, FAKE_VRAM_BYTES + FAKE_RESERVE_BYTES, &source) ||
	    sgpu_iommu_init(gpu) || sgpu_pma_init(gpu) || sgpu_reserve_init(gpu) ||
	    sgpu_rm_space_init(gpu) || sgpu_mmu_init(gpu) || sgpu_fault_buffer_init(gpu) ||
	    sgpu_access_counters_init(gpu) || sgpu_accessed_init(gpu) || sgpu_host_init(gpu))
		return -ENOMEM;
	gpu->mmu.client = &fake_client;
	return 0;
}

struct fake_device *fake_device_create(struct kunit *test, const char *set)
{
	struct fake_device *dev;
	struct rm_gpu *gpu;

	if (!sim_is_virtual())
		kunit_skip(test, "needs clock=virtual");
	dev = kvzalloc(sizeof(*dev), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, dev);
	gpu = &dev->gpu;
	KUNIT_ASSERT_EQ(test, 0, sgpu_profile_load(gpu, "gtx1080ti", set));
	KUNIT_ASSERT_EQ(test, 0, fake_device_init(gpu));
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, fake_device_destroy, dev));
	dev->as.instance = FAKE_INSTANCE;
	dev->as.bound = true;
	KUNIT_ASSERT_EQ(test, 0, rm_reserve_alloc(gpu, 4096, &dev->as.pdb));
	return dev;
}

void *fake_vram(struct fake_device *dev, u64 pa)
{
	return sgpu_vram_ptr(&dev->gpu.vram, pa);
}

void fake_run(u64 ns)
{
	struct sim_task self;

	sim_enter(&self);
	sim_charge(ns);
	sim_leave(&self);
}

void *fake_page(struct kunit *test, struct fake_device *dev, u64 iova)
{
	struct page *page = alloc_page(GFP_KERNEL | __GFP_ZERO);

	KUNIT_ASSERT_NOT_NULL(test, page);
	KUNIT_ASSERT_LT(test, dev->page_count, ARRAY_SIZE(dev->pages));
	dev->pages[dev->page_count++] = page;
	rm_dma_map(&dev->gpu, iova, page);
	return page_address(page);
}

static const struct {
	unsigned int shift;
	unsigned int entries;
	unsigned int bytes;
} fake_levels[] = {
	{ MMU_PDE3_SHIFT, MMU_PDE3_ENTRIES, MMU_PDE_BYTES },
	{ MMU_PDE2_SHIFT, MMU_PDE2_ENTRIES, MMU_PDE_BYTES },
	{ MMU_PDE1_SHIFT, MMU_PDE1_ENTRIES, MMU_PDE_BYTES },
	{ MMU_PDE0_SHIFT, MMU_PDE0_ENTRIES, MMU_PDE0_BYTES },
	{ MMU_SMALL_SHIFT, MMU_SMALL_ENTRIES, MMU_PTE_BYTES },
	{ MMU_BIG_SHIFT, MMU_BIG_ENTRIES, MMU_PTE_BYTES },
};

static u64 *fake_entry_in(struct fake_device *dev, u64 table, u64 va, unsigned int level)
{
	u64 index = (va >> fake_levels[level].shift) % fake_levels[level].entries;

	return fake_vram(dev, table + index * fake_levels[level].bytes);
}

u64 *fake_entry(struct fake_device *dev, u64 va, unsigned int level)
{
	u64 table = dev->as.pdb, *e;
	unsigned int l;

	for (l = 0; l < min(level, 3U); l++)
		table = FIELD_GET(MMU_PDE_ADDR, *fake_entry_in(dev, table, va, l)) << 12;
	e = fake_entry_in(dev, table, va, min(level, 3U));
	if (level == 4)
		return fake_entry_in(dev, FIELD_GET(MMU_PDE_ADDR, e[1]) << 12, va, 4);
	if (level == 5)
		return fake_entry_in(dev, FIELD_GET(MMU_PDE0_BIG_ADDR, e[0]) << 8, va, 5);
	return e;
}

/* A table below entry @e, unless there is one. */
static void fake_table(struct kunit *test, struct fake_device *dev, u64 *e, size_t bytes, bool big)
{
	u64 pa;

	if (FIELD_GET(MMU_PDE_APERTURE, *e))
		return;
	KUNIT_ASSERT_EQ(test, 0, rm_reserve_alloc(&dev->gpu, bytes, &pa));
	*e = FIELD_PREP(MMU_PDE_APERTURE, MMU_PDE_APERTURE_VID);
	*e |= big ? FIELD_PREP(MMU_PDE0_BIG_ADDR, pa >> 8) : FIELD_PREP(MMU_PDE_ADDR, pa >> 12);
}

void fake_map(struct kunit *test, struct fake_device *dev, u64 va, unsigned int shift, u64 pte)
{
	unsigned int l;

	for (l = 0; l < 3; l++)
		fake_table(test, dev, fake_entry(dev, va, l), 4096, false);
	if (shift == MMU_PDE0_SHIFT) {
		*fake_entry(dev, va, 3) = pte;
	} else if (shift == MMU_BIG_SHIFT) {
		fake_table(test, dev, fake_entry(dev, va, 3), 256, true);
		*fake_entry(dev, va, 5) = pte;
	} else {
		fake_table(test, dev, fake_entry(dev, va, 3) + 1, 4096, false);
		*fake_entry(dev, va, 4) = pte;
	}
}

struct fake_access *fake_issue(struct fake_device *dev, unsigned int i, unsigned int sm, u64 va,
			       enum sgpu_access_kind kind)
{
	struct fake_access *a = &dev->accesses[i];

	memset(a, 0, sizeof(*a));
	a->access.as = &dev->as;
	a->access.va = va;
	a->access.kind = kind;
	a->access.sm = sm;
	sgpu_mmu_request(&dev->gpu, &a->access, sgpu_now_ps());
	return a;
}

const u32 *fake_record(struct fake_device *dev, unsigned int i)
{
	const u32 *rec = dev->gpu.info.fault_ring ?: dev->gpu.faults.ring;

	rec += i * FAULT_RECORD_WORDS;
	return rec[7] & FAULT_W7_VALID ? rec : NULL;
}

static void fake_channel_close(void *rm)
{
	rm_channel_free(rm);
}

void fake_channel_open(struct kunit *test, struct fake_device *dev, struct fake_channel *ch,
		       enum rm_engine engine)
{
	fake_channel_open_as(test, dev, ch, engine, NULL);
}

void fake_channel_open_as(struct kunit *test, struct fake_device *dev, struct fake_channel *ch,
			  enum rm_engine engine, struct sgpu_address_space *as)
{
	memset(ch, 0, sizeof(*ch));
	ch->dev = dev;
	KUNIT_ASSERT_EQ(test, 0, sgpu_channel_alloc(&dev->gpu, engine, 4, as, &ch->rm));
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, fake_channel_close, ch->rm));
	ch->info = rm_channel_info(ch->rm);
	KUNIT_ASSERT_EQ(test, 0, rm_iova_alloc(&dev->gpu, PAGE_SIZE, &ch->iova));
	ch->words = fake_page(test, dev, ch->iova);
	fake_word(ch, FIELD_PREP(HOST_HDR_OP, HOST_HDR_OP_INC) | FIELD_PREP(HOST_HDR_COUNT, 1) |
		      FIELD_PREP(HOST_HDR_SUBCH, HOST_SUBCH_CE));
	fake_word(ch, CE_CLASS);
}

void fake_word(struct fake_channel *ch, u32 word)
{
	ch->words[ch->next++ % (PAGE_SIZE / 4)] = word;
}

void fake_method(struct fake_channel *ch, u32 method, u32 data)
{
	unsigned int subch = method < HOST_METHOD_LIMIT ? HOST_SUBCH_HOST : HOST_SUBCH_CE;

	fake_word(ch, FIELD_PREP(HOST_HDR_OP, HOST_HDR_OP_INC) | FIELD_PREP(HOST_HDR_COUNT, 1) |
		      FIELD_PREP(HOST_HDR_SUBCH, subch) | FIELD_PREP(HOST_HDR_METHOD, method / 4));
	fake_word(ch, data);
}

void fake_submit(struct fake_channel *ch)
{
	u64 iova = ch->iova + ch->first * 4;
	u32 hi = FIELD_PREP(HOST_GP1_ADDR_HI, upper_32_bits(iova)) |
		 FIELD_PREP(HOST_GP1_LENGTH, ch->next - ch->first);
	u32 put = *ch->info->gp_put;

	ch->info->gpfifo[put] = lower_32_bits(iova) | (u64)hi << 32;
	*ch->info->gp_put = (put + 1) % ch->info->entries;
	ch->first = ch->next;
	rm_channel_doorbell(ch->rm);
}

/* The id of a peer leaves the address. */
static u32 fake_target(enum rm_aperture ap, u64 *address)
{
	u64 id = *address >> RM_PEER_SHIFT;

	if (ap != RM_APERTURE_PEER)
		return ap == RM_APERTURE_SYS ? CE_PHYS_COHERENT_SYSMEM : CE_PHYS_LOCAL_FB;
	*address &= BIT_ULL(RM_PEER_SHIFT) - 1;
	return CE_PHYS_PEER_MEMORY | FIELD_PREP(CE_PHYS_PEER_ID, id);
}

void fake_copy(struct fake_channel *ch, enum rm_aperture src_ap, u64 src, enum rm_aperture dst_ap,
	       u64 dst, u32 bytes, u32 launch)
{
	fake_method(ch, CE_SET_SRC_PHYS_MODE, fake_target(src_ap, &src));
	fake_method(ch, CE_SET_DST_PHYS_MODE, fake_target(dst_ap, &dst));
	fake_method(ch, CE_OFFSET_IN_UPPER, upper_32_bits(src));
	fake_method(ch, CE_OFFSET_IN_LOWER, lower_32_bits(src));
	fake_method(ch, CE_OFFSET_OUT_UPPER, upper_32_bits(dst));
	fake_method(ch, CE_OFFSET_OUT_LOWER, lower_32_bits(dst));
	fake_method(ch, CE_LINE_LENGTH_IN, bytes);
	fake_method(ch, CE_LAUNCH_DMA, launch | CE_LAUNCH_SRC_PITCH | CE_LAUNCH_DST_PITCH |
				       CE_LAUNCH_SRC_PHYSICAL | CE_LAUNCH_DST_PHYSICAL);
}
