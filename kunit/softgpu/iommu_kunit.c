// SPDX-License-Identifier: GPL-2.0
/* softgpu IOMMU: deterministic addresses, references, DMA faults. */
#include <kunit/test.h>
#include <linux/mm.h>
#include "fake_device.h"
#include "softgpu/base/gpu.h"
#include "softgpu/memory/iommu.h"

#define IOVA(x)		(SGPU_IOVA_BASE + (x))
#define K(x)		((x) * 1024ULL)
#define M(x)		((x) * 1024ULL * 1024)

/* First fit, aligned to the size's power of two (at most 2 MB): rm.h. */
static void iommu_first_fit(struct kunit *test)
{
	static const struct {
		char op;
		u64 bytes;
		u64 at;
	} steps[] = {
		{ 'a', K(4), 0 }, { 'a', K(64), K(64) }, { 'a', K(4), K(4) },
		{ 'a', K(12), K(16) },		/* aligned to 16K */
		{ 'a', M(2), M(2) },		/* the first window is shared */
		{ 'a', M(5), M(4) },		/* three windows */
		{ 'a', M(2), M(10) },
		{ 'f', M(2), M(2) }, { 'a', K(64), K(128) }, { 'a', M(2), M(2) },
		{ 'f', M(5), M(4) }, { 'a', M(2), M(4) }, { 'a', M(4), M(6) },
		{ 'f', K(4), K(0) }, { 'a', K(4), K(0) },
		{ 'a', M(1), M(1) }, { 'a', M(1), M(12) },
	};
	struct fake_device *dev = fake_device_create(test, NULL);
	unsigned int i;
	u64 iova;

	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		if (steps[i].op == 'f') {
			rm_iova_free(&dev->gpu, IOVA(steps[i].at), steps[i].bytes);
			continue;
		}
		KUNIT_ASSERT_EQ(test, 0, rm_iova_alloc(&dev->gpu, steps[i].bytes, &iova));
		KUNIT_EXPECT_EQ_MSG(test, IOVA(steps[i].at), iova, "step %u", i);
	}
}

/* All freed: nothing is counted, the next address is the first again. */
static void iommu_free_all(struct kunit *test)
{
	static const u64 sizes[] = { K(4), M(2), K(64), M(3), M(1), K(512) };
	struct fake_device *dev = fake_device_create(test, NULL);
	u64 iova[ARRAY_SIZE(sizes)], again;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++)
		KUNIT_ASSERT_EQ(test, 0, rm_iova_alloc(&dev->gpu, sizes[i], &iova[i]));
	for (i = 0; i < ARRAY_SIZE(sizes); i++)
		rm_iova_free(&dev->gpu, iova[i], sizes[i]);
	KUNIT_EXPECT_EQ(test, 0, dev->gpu.iommu.reserved);
	KUNIT_EXPECT_EQ(test, 0, dev->gpu.iommu.end);
	KUNIT_ASSERT_EQ(test, 0, rm_iova_alloc(&dev->gpu, K(4), &again));
	KUNIT_EXPECT_EQ(test, IOVA(0), again);
}

/* No address space left, or no size: -ENOMEM. */
static void iommu_exhausted(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, NULL);
	u64 iova;

	KUNIT_EXPECT_EQ(test, -ENOMEM, rm_iova_alloc(&dev->gpu, 0, &iova));
	KUNIT_EXPECT_EQ(test, -ENOMEM, rm_iova_alloc(&dev->gpu, 100, &iova));
	KUNIT_EXPECT_EQ(test, -ENOMEM,
			rm_iova_alloc(&dev->gpu, M(2) * (SGPU_IOVA_WINDOWS + 1ULL), &iova));
}

static void *iommu_get(struct fake_device *dev, u64 iova)
{
	void *p = sgpu_mem_get(&dev->gpu, RM_APERTURE_SYS, iova);

	if (p)
		sgpu_mem_put(&dev->gpu, RM_APERTURE_SYS);
	return p;
}

/* What the device sees at an address: a page, then another, then a DMA fault. */
static void iommu_lookup(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, NULL);
	void *p, *q;
	u64 iova;

	KUNIT_ASSERT_EQ(test, 0, rm_iova_alloc(&dev->gpu, K(64), &iova));
	KUNIT_EXPECT_NULL(test, iommu_get(dev, iova));
	KUNIT_EXPECT_EQ(test, 1, rm_dma_faults(&dev->gpu));
	p = fake_page(test, dev, iova + K(8));
	KUNIT_EXPECT_PTR_EQ(test, p + 0x123, iommu_get(dev, iova + K(8) + 0x123));
	KUNIT_EXPECT_NULL(test, iommu_get(dev, iova + K(4) + 0x123));
	q = fake_page(test, dev, iova + K(8));
	KUNIT_EXPECT_PTR_EQ(test, q, iommu_get(dev, iova + K(8)));
	KUNIT_EXPECT_EQ(test, 1, dev->gpu.iommu.mapped);
	rm_dma_unmap(&dev->gpu, iova + K(8));
	KUNIT_EXPECT_NULL(test, iommu_get(dev, iova + K(8)));
	/* Outside of what was ever reserved. */
	KUNIT_EXPECT_NULL(test, iommu_get(dev, 0));
	KUNIT_EXPECT_NULL(test, iommu_get(dev, SGPU_IOVA_BASE - 1));
	KUNIT_EXPECT_NULL(test, iommu_get(dev, ~0ULL));
	KUNIT_EXPECT_EQ(test, 6, rm_dma_faults(&dev->gpu));
}

/* A mapped page is referenced, an unmapped one (or a freed range's) is not. */
static void iommu_references(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, NULL);
	struct page *page = alloc_page(GFP_KERNEL);
	u64 iova;

	KUNIT_ASSERT_NOT_NULL(test, page);
	KUNIT_ASSERT_EQ(test, 0, rm_iova_alloc(&dev->gpu, K(8), &iova));
	rm_dma_map(&dev->gpu, iova, page);
	KUNIT_EXPECT_EQ(test, 2, page_count(page));
	rm_dma_map(&dev->gpu, iova, page);
	KUNIT_EXPECT_EQ(test, 2, page_count(page));
	rm_dma_map(&dev->gpu, iova + K(4), page);
	KUNIT_EXPECT_EQ(test, 3, page_count(page));
	rm_dma_unmap(&dev->gpu, iova);
	rm_dma_unmap(&dev->gpu, iova);
	KUNIT_EXPECT_EQ(test, 2, page_count(page));
	rm_iova_free(&dev->gpu, iova, K(8));
	KUNIT_EXPECT_EQ(test, 1, page_count(page));
	KUNIT_EXPECT_EQ(test, 0, dev->gpu.iommu.mapped);
	__free_page(page);
}

/* GPU memory: frames, then the reserve, then nothing. */
static void iommu_vram_bounds(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, NULL);
	u64 end = FAKE_VRAM_BYTES + FAKE_RESERVE_BYTES;

	KUNIT_EXPECT_PTR_EQ(test, fake_vram(dev, end - 1),
			    sgpu_mem_get(&dev->gpu, RM_APERTURE_VID, end - 1));
	KUNIT_EXPECT_NOT_NULL(test, fake_vram(dev, end - 1));
	KUNIT_EXPECT_NULL(test, sgpu_mem_get(&dev->gpu, RM_APERTURE_VID, end));
	KUNIT_EXPECT_NULL(test, sgpu_mem_get(&dev->gpu, RM_APERTURE_VID, ~0ULL));
}

/* Several pages at once, over the border of two windows; a NULL leaves what is there. */
static void iommu_pages(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, NULL);
	struct page *page = alloc_page(GFP_KERNEL);
	struct page *pages[] = { page, NULL, page, page };
	void *there;
	u64 iova, at;

	KUNIT_ASSERT_NOT_NULL(test, page);
	KUNIT_ASSERT_EQ(test, 0, rm_iova_alloc(&dev->gpu, 2 * RM_FRAME_SIZE, &iova));
	at = iova + RM_FRAME_SIZE - K(8);
	there = fake_page(test, dev, at + K(4));
	rm_dma_map_pages(&dev->gpu, at, pages, ARRAY_SIZE(pages));
	KUNIT_EXPECT_EQ(test, 4, page_count(page));
	KUNIT_EXPECT_EQ(test, 4, dev->gpu.iommu.mapped);
	KUNIT_EXPECT_PTR_EQ(test, page_address(page), iommu_get(dev, at));
	KUNIT_EXPECT_PTR_EQ(test, there, iommu_get(dev, at + K(4)));
	KUNIT_EXPECT_PTR_EQ(test, page_address(page), iommu_get(dev, at + K(8)));
	KUNIT_EXPECT_PTR_EQ(test, page_address(page), iommu_get(dev, at + K(12)));
	KUNIT_EXPECT_NULL(test, iommu_get(dev, at + K(16)));
	rm_iova_free(&dev->gpu, iova, 2 * RM_FRAME_SIZE);
	KUNIT_EXPECT_EQ(test, 1, page_count(page));
	KUNIT_EXPECT_EQ(test, 0, dev->gpu.iommu.mapped);
	__free_page(page);
}

static struct kunit_case iommu_kunit_cases[] = {
	KUNIT_CASE(iommu_first_fit),
	KUNIT_CASE(iommu_free_all),
	KUNIT_CASE(iommu_exhausted),
	KUNIT_CASE(iommu_lookup),
	KUNIT_CASE(iommu_references),
	KUNIT_CASE(iommu_pages),
	KUNIT_CASE(iommu_vram_bounds),
	{}
};

struct kunit_suite softgpu_iommu_suite = {
	.name = "softgpu_iommu",
	.test_cases = iommu_kunit_cases,
};
