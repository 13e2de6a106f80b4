// SPDX-License-Identifier: GPL-2.0
/* softgpu PMA and reserve: who gets which memory, eviction, limits, zeroing. */
#include <kunit/test.h>
#include <linux/string.h>
#include "fake_device.h"
#include "softgpu/memory/pma.h"

#define FRAMES		(FAKE_VRAM_BYTES >> RM_FRAME_SHIFT)	/* 4 */
#define F(n)		((u64)(n) << RM_FRAME_SHIFT)

/* A client that gives back what it owns, lowest first. */
struct pma_client {
	struct rm_gpu *gpu;
	bool owns[FRAMES];
	bool stubborn;
	bool frees;	/* gives frames back to PMA, not to who asks */
	unsigned int calls;
};

static unsigned int pma_evict(void *data, unsigned int count, u64 *frames, u64 first, u64 last)
{
	struct pma_client *c = data;
	unsigned int i, n = 0;

	c->calls++;
	for (i = 0; i < FRAMES && n < count && !c->stubborn; i++)
		if (c->owns[i] && F(i) >= first && F(i) <= last) {
			c->owns[i] = false;
			frames[n++] = F(i);
			if (c->frees)
				rm_pma_free(c->gpu, 1, &frames[--n]);
		}
	return n;
}

static const struct rm_pma_ops pma_ops = { .evict_frames = pma_evict };

/*
 * One row: frames in use and pinned before (bits), a call, and what it gives.
 * @owned: frames the client is ready to give back.
 */
struct pma_case {
	const char *name;
	u8 used;
	u8 pinned;
	u8 owned;
	u8 count;
	u32 flags;
	int ret;
	u8 got;				/* bits */
	u8 calls;
};

static const struct pma_case pma_cases[] = {
	{ "lowest first", 0x0, 0, 0, 2, 0, 2, 0x3, 0 },
	{ "holes are filled from below", 0x5, 0, 0, 2, 0, 2, 0xa, 0 },
	{ "none", 0x0, 0, 0, 0, 0, -ENOMEM, 0, 0 },
	{ "more than there is", 0x0, 0, 0, 5, 0, -ENOMEM, 0, 0 },
	{ "short, no client frames", 0x7, 0x7, 0, 2, 0, -ENOMEM, 0, 1 },
	{ "short, partial", 0x7, 0x7, 0, 2, RM_PMA_PARTIAL, 1, 0x8, 0 },
	{ "full, partial evicts", 0xf, 0x7, 0x8, 2, RM_PMA_PARTIAL, 1, 0x8, 1 },
	{ "full, partial, may not evict", 0xf, 0, 0xf, 2, RM_PMA_PARTIAL | RM_PMA_DONT_EVICT,
	  -ENOMEM, 0, 0 },
	{ "evicts what is missing", 0xe, 0x8, 0x6, 2, 0, 2, 0x3, 1 },
	{ "may not evict", 0xe, 0, 0xe, 2, RM_PMA_DONT_EVICT, -ENOMEM, 0, 0 },
	{ "contiguous skips a hole too small", 0x2, 0, 0, 2, RM_PMA_CONTIGUOUS, 2, 0xc, 0 },
	{ "contiguous needs a run", 0xa, 0xa, 0, 2, RM_PMA_CONTIGUOUS, -ENOMEM, 0, 0 },
	{ "contiguous evicts into a run", 0xa, 0x8, 0x2, 2, RM_PMA_CONTIGUOUS, 2, 0x3, 1 },
	{ "contiguous avoids the pinned", 0xf, 0x2, 0xd, 2, RM_PMA_CONTIGUOUS, 2, 0xc, 1 },
	{ "contiguous, partial gives all or nothing", 0xa, 0xa, 0, 2,
	  RM_PMA_CONTIGUOUS | RM_PMA_PARTIAL, -ENOMEM, 0, 0 },
	{ "contiguous may not evict", 0xa, 0, 0xa, 2, RM_PMA_CONTIGUOUS | RM_PMA_DONT_EVICT,
	  -ENOMEM, 0, 0 },
};

static void pma_case_desc(const struct pma_case *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(pma, pma_cases, pma_case_desc);

/* Take all frames, give those back that are not in @used, pin @pinned. */
static void pma_prepare(struct kunit *test, struct rm_gpu *gpu, u8 used, u8 pinned)
{
	u64 frames[FRAMES], f;
	unsigned int i;
	bool zeroed;

	KUNIT_ASSERT_EQ(test, FRAMES, rm_pma_alloc(gpu, FRAMES, 0, frames, &zeroed));
	for (i = 0; i < FRAMES; i++) {
		f = F(i);
		if (!(used & BIT(i)))
			rm_pma_free(gpu, 1, &f);
		else if (pinned & BIT(i))
			rm_pma_pin(gpu, f);
	}
}

static void pma_alloc(struct kunit *test)
{
	const struct pma_case *c = test->param_value;
	struct fake_device *dev = fake_device_create(test, NULL);
	struct pma_client client = { .gpu = &dev->gpu };
	u64 frames[8], free;
	unsigned int i;
	u8 got = 0;
	bool zeroed;

	pma_prepare(test, &dev->gpu, c->used, c->pinned);
	for (i = 0; i < FRAMES; i++)
		client.owns[i] = c->owned & BIT(i);
	KUNIT_ASSERT_EQ(test, 0, rm_pma_register(&dev->gpu, &pma_ops, &client));
	KUNIT_EXPECT_EQ(test, -EBUSY, rm_pma_register(&dev->gpu, &pma_ops, &client));
	free = rm_pma_free_frames(&dev->gpu);
	KUNIT_EXPECT_EQ(test, c->ret, rm_pma_alloc(&dev->gpu, c->count, c->flags, frames, &zeroed));
	for (i = 0; (int)i < c->ret; i++)
		got |= BIT(frames[i] >> RM_FRAME_SHIFT);
	KUNIT_EXPECT_EQ(test, c->got, got);
	KUNIT_EXPECT_EQ(test, c->calls, client.calls);
	/* A call that fails keeps nothing. */
	if (c->ret < 0)
		KUNIT_EXPECT_EQ(test, free, rm_pma_free_frames(&dev->gpu));
	if (c->ret > 1 && (c->flags & RM_PMA_CONTIGUOUS))
		KUNIT_EXPECT_EQ(test, frames[0] + RM_FRAME_SIZE, frames[1]);
	rm_pma_unregister(&dev->gpu);
}

/* The next owner of a frame never sees the last one's bytes, evicted or freed. */
static void pma_zeroed(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, NULL);
	struct pma_client client = { .gpu = &dev->gpu, .owns = { false, true } };
	u64 frames[FRAMES], f = F(0);
	unsigned int i;
	bool zeroed;

	KUNIT_ASSERT_EQ(test, FRAMES, rm_pma_alloc(&dev->gpu, FRAMES, 0, frames, &zeroed));
	for (i = 0; i < FRAMES; i++)
		memset(fake_vram(dev, F(i)), 0x55, RM_FRAME_SIZE);
	rm_pma_free(&dev->gpu, 1, &f);
	KUNIT_ASSERT_EQ(test, 0, rm_pma_register(&dev->gpu, &pma_ops, &client));
	KUNIT_ASSERT_EQ(test, 2, rm_pma_alloc(&dev->gpu, 2, 0, frames, &zeroed));
	KUNIT_EXPECT_TRUE(test, zeroed);
	for (i = 0; i < 2; i++)
		KUNIT_EXPECT_NULL(test, memchr_inv(fake_vram(dev, F(i)), 0, RM_FRAME_SIZE));
	KUNIT_EXPECT_EQ(test, 0x55, *(u8 *)fake_vram(dev, F(2)));
	rm_pma_unregister(&dev->gpu);
}

/* What the host had in a frame is zeroed when it is handed out, and not for a limit. */
static void pma_zeroed_late(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, NULL);
	struct sgpu_pma_limit limit = {};
	u64 frames[FRAMES];
	unsigned int i;
	bool zeroed;

	for (i = 0; i < FRAMES; i++)
		memset(fake_vram(dev, F(i)), 0x55, RM_FRAME_SIZE);
	KUNIT_ASSERT_EQ(test, 0, sgpu_pma_set_limit(&dev->gpu, &limit, F(2), false));
	KUNIT_ASSERT_EQ(test, 2, rm_pma_alloc(&dev->gpu, 2, 0, frames, &zeroed));
	for (i = 0; i < FRAMES; i++)
		KUNIT_EXPECT_PTR_EQ(test, i < 2 ? NULL : fake_vram(dev, F(i)),
				    memchr_inv(fake_vram(dev, F(i)), 0, RM_FRAME_SIZE));
	sgpu_pma_release_limit(&dev->gpu, &limit);
	KUNIT_ASSERT_EQ(test, 2, rm_pma_alloc(&dev->gpu, 2, 0, frames, &zeroed));
	KUNIT_EXPECT_NULL(test, memchr_inv(fake_vram(dev, frames[1]), 0, RM_FRAME_SIZE));
}

/* SOFTGPU_IOC_VRAM_LIMIT: the rest is pinned from the top, evicting if need be. */
static void pma_limit(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, NULL);
	struct pma_client client = { .gpu = &dev->gpu, .owns = { true, true, true, true } };
	struct sgpu_pma_limit a = {}, b = {};
	u64 frames[FRAMES];
	bool zeroed;

	KUNIT_EXPECT_EQ(test, FAKE_VRAM_BYTES, rm_pma_usable_bytes(&dev->gpu));
	/* rounded up to 2 MB */
	KUNIT_EXPECT_EQ(test, 0, sgpu_pma_set_limit(&dev->gpu, &a, F(2) + 1, false));
	KUNIT_EXPECT_EQ(test, F(3), rm_pma_usable_bytes(&dev->gpu));
	KUNIT_EXPECT_EQ(test, F(3), a.frames[0]);
	/* a second share comes on top */
	KUNIT_EXPECT_EQ(test, 0, sgpu_pma_set_limit(&dev->gpu, &b, F(1), false));
	KUNIT_EXPECT_EQ(test, F(1), rm_pma_usable_bytes(&dev->gpu));
	KUNIT_EXPECT_EQ(test, 1, rm_pma_alloc(&dev->gpu, 4, RM_PMA_PARTIAL, frames, &zeroed));
	KUNIT_EXPECT_EQ(test, F(0), frames[0]);
	/* replaced, then removed */
	KUNIT_EXPECT_EQ(test, 0, sgpu_pma_set_limit(&dev->gpu, &b, F(2), false));
	KUNIT_EXPECT_EQ(test, F(2), rm_pma_usable_bytes(&dev->gpu));
	KUNIT_EXPECT_EQ(test, 0, sgpu_pma_set_limit(&dev->gpu, &a, 0, false));
	KUNIT_EXPECT_EQ(test, F(3), rm_pma_usable_bytes(&dev->gpu));
	KUNIT_EXPECT_EQ(test, 0, sgpu_pma_set_limit(&dev->gpu, &a, F(100), false));
	KUNIT_EXPECT_EQ(test, F(3), rm_pma_usable_bytes(&dev->gpu));
	sgpu_pma_release_limit(&dev->gpu, &b);
	KUNIT_EXPECT_EQ(test, F(4), rm_pma_usable_bytes(&dev->gpu));
	/* everything in use: without a client EBUSY, and nothing changed */
	KUNIT_EXPECT_EQ(test, 3, rm_pma_alloc(&dev->gpu, 3, 0, frames, &zeroed));
	KUNIT_EXPECT_EQ(test, -EBUSY, sgpu_pma_set_limit(&dev->gpu, &a, F(1), false));
	KUNIT_EXPECT_EQ(test, F(4), rm_pma_usable_bytes(&dev->gpu));
	KUNIT_ASSERT_EQ(test, 0, rm_pma_register(&dev->gpu, &pma_ops, &client));
	KUNIT_EXPECT_EQ(test, 0, sgpu_pma_set_limit(&dev->gpu, &a, F(1), false));
	KUNIT_EXPECT_EQ(test, F(1), rm_pma_usable_bytes(&dev->gpu));
	/* its frames are pinned: no contiguous run can be evicted out of them */
	KUNIT_EXPECT_EQ(test, -ENOMEM,
			rm_pma_alloc(&dev->gpu, 2, RM_PMA_CONTIGUOUS, frames, &zeroed));
	rm_pma_unregister(&dev->gpu);
	sgpu_pma_release_limit(&dev->gpu, &a);
	KUNIT_EXPECT_EQ(test, F(4), rm_pma_usable_bytes(&dev->gpu));
}

/* SOFTGPU_VRAM_LIMIT_TOP: a run at the top, whoever is there; or nothing at all. */
static void pma_limit_top(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, NULL);
	struct pma_client client = { .gpu = &dev->gpu, .owns = { true, true, true, true } };
	struct sgpu_pma_limit limit = {};
	u64 frames[FRAMES], free;
	bool zeroed;

	KUNIT_ASSERT_EQ(test, FRAMES, rm_pma_alloc(&dev->gpu, FRAMES, 0, frames, &zeroed));
	rm_pma_free(&dev->gpu, 1, &frames[0]);
	client.owns[0] = false;
	KUNIT_ASSERT_EQ(test, 0, rm_pma_register(&dev->gpu, &pma_ops, &client));
	KUNIT_EXPECT_EQ(test, 0, sgpu_pma_set_limit(&dev->gpu, &limit, F(2), true));
	KUNIT_EXPECT_EQ(test, F(2), limit.frames[0]);
	KUNIT_EXPECT_EQ(test, F(3), limit.frames[1]);
	KUNIT_EXPECT_TRUE(test, client.owns[1]);
	/* Frames that the client has just freed are taken, too. */
	client.frees = true;
	KUNIT_EXPECT_EQ(test, 0, sgpu_pma_set_limit(&dev->gpu, &limit, F(1), true));
	KUNIT_EXPECT_EQ(test, F(1), limit.frames[2]);
	sgpu_pma_release_limit(&dev->gpu, &limit);
	/* One of the run cannot be had: the others are given back. */
	KUNIT_ASSERT_EQ(test, 2, rm_pma_alloc(&dev->gpu, 2, RM_PMA_CONTIGUOUS, frames, &zeroed));
	free = rm_pma_free_frames(&dev->gpu);
	KUNIT_EXPECT_EQ(test, -EBUSY, sgpu_pma_set_limit(&dev->gpu, &limit, 1, true));
	KUNIT_EXPECT_EQ(test, free, rm_pma_free_frames(&dev->gpu));
	KUNIT_EXPECT_EQ(test, F(4), rm_pma_usable_bytes(&dev->gpu));
	rm_pma_unregister(&dev->gpu);
	sgpu_pma_release_limit(&dev->gpu, &limit);
}

/* Reserve: natural alignment, lowest first, one size per page, zeroed, reused. */
static void pma_reserve(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, NULL);
	struct rm_gpu *gpu = &dev->gpu;
	/* fake_device_create() took the first page for the page directory. */
	u64 base = FAKE_VRAM_BYTES + 4096, pa[5], used = gpu->reserve.used;

	KUNIT_ASSERT_EQ(test, 0, rm_reserve_alloc(gpu, 256, &pa[0]));
	KUNIT_EXPECT_EQ(test, base, pa[0]);
	KUNIT_ASSERT_EQ(test, 0, rm_reserve_alloc(gpu, 4096, &pa[1]));
	KUNIT_EXPECT_EQ(test, base + 4096, pa[1]);
	KUNIT_ASSERT_EQ(test, 0, rm_reserve_alloc(gpu, 256, &pa[2]));
	KUNIT_EXPECT_EQ(test, base + 256, pa[2]);
	KUNIT_ASSERT_EQ(test, 0, rm_reserve_alloc(gpu, 2048, &pa[3]));
	KUNIT_EXPECT_EQ(test, base + 8192, pa[3]);
	memset(fake_vram(dev, pa[0]), 0x77, 256);
	rm_reserve_free(gpu, 256, pa[0]);
	KUNIT_ASSERT_EQ(test, 0, rm_reserve_alloc(gpu, 256, &pa[0]));
	KUNIT_EXPECT_EQ(test, base, pa[0]);
	KUNIT_EXPECT_NULL(test, memchr_inv(fake_vram(dev, pa[0]), 0, 256));
	/* A page whose pieces are all free serves any size. */
	rm_reserve_free(gpu, 256, pa[0]);
	rm_reserve_free(gpu, 256, pa[2]);
	KUNIT_ASSERT_EQ(test, 0, rm_reserve_alloc(gpu, 1024, &pa[4]));
	KUNIT_EXPECT_EQ(test, base, pa[4]);
	rm_reserve_free(gpu, 1024, pa[4]);
	rm_reserve_free(gpu, 2048, pa[3]);
	rm_reserve_free(gpu, 4096, pa[1]);
	KUNIT_EXPECT_EQ(test, used, gpu->reserve.used);
}

/* Sixteen pieces fill a page; the reserve ends with -ENOMEM, not beyond. */
static void pma_reserve_full(struct kunit *test)
{
	struct fake_device *dev = fake_device_create(test, NULL);
	unsigned int n = 0;
	u64 pa, last = 0;

	while (!rm_reserve_alloc(&dev->gpu, 256, &pa)) {
		last = max(last, pa);
		n++;
	}
	KUNIT_EXPECT_EQ(test, (dev->gpu.reserve.tables * PAGE_SIZE - 4096) / 256, n);
	KUNIT_EXPECT_EQ(test, FAKE_VRAM_BYTES + dev->gpu.reserve.tables * PAGE_SIZE - 256, last);
	KUNIT_EXPECT_EQ(test, -ENOMEM, rm_reserve_alloc(&dev->gpu, 4096, &pa));
	/* contexts find room all the same, to the end */
	for (n = 0; !sgpu_reserve_alloc_instance(&dev->gpu, &pa); n++)
		last = pa;
	KUNIT_EXPECT_EQ(test, FAKE_RESERVE_BYTES / PAGE_SIZE / 4, n);
	KUNIT_EXPECT_EQ(test, FAKE_VRAM_BYTES + FAKE_RESERVE_BYTES - PAGE_SIZE, last);
}

static struct kunit_case pma_kunit_cases[] = {
	KUNIT_CASE_PARAM(pma_alloc, pma_gen_params),
	KUNIT_CASE(pma_zeroed),
	KUNIT_CASE(pma_zeroed_late),
	KUNIT_CASE(pma_limit),
	KUNIT_CASE(pma_limit_top),
	KUNIT_CASE(pma_reserve),
	KUNIT_CASE(pma_reserve_full),
	{}
};

struct kunit_suite softgpu_pma_suite = {
	.name = "softgpu_pma",
	.test_cases = pma_kunit_cases,
};
