// SPDX-License-Identifier: GPL-2.0
/* softgpu memory: frames, where they come from, what happens when there are none. */
#include <kunit/test.h>
#include <linux/mm.h>
#include <linux/vmalloc.h>
#include "fake_device.h"
#include "softgpu/memory/vram.h"

#define F(n)		((u64)(n) * RM_FRAME_SIZE)
#define FRAMES		5

/* What the source below gave, and a reference to its first page: who else has one? */
static struct {
	void *frame[FRAMES];
	struct page *page[FRAMES];
	unsigned int fails;	/* the first frame that is not to be had */
} vram_given;

static void *vram_give(unsigned int index, void *frame)
{
	vram_given.frame[index] = frame;
	if (!frame)
		return NULL;
	vram_given.page[index] = is_vmalloc_addr(frame) ? vmalloc_to_page(frame) :
							  virt_to_page(frame);
	get_page(vram_given.page[index]);
	return frame;
}

/* As if memory were fragmented: every second frame only. */
static void *vram_direct(unsigned int index)
{
	if (index % 2 || index >= vram_given.fails)
		return NULL;
	return vram_give(index, sgpu_vram_host.direct(index));
}

static void *vram_mapped(unsigned int index)
{
	if (index >= vram_given.fails)
		return NULL;
	return vram_give(index, sgpu_vram_host.mapped(index));
}

static const struct sgpu_vram_source vram_source = {
	.direct = vram_direct,
	.mapped = vram_mapped,
};

static int vram_alloc(struct sgpu_vram *vram, unsigned int fails)
{
	memset(&vram_given, 0, sizeof(vram_given));
	vram_given.fails = fails;
	return sgpu_vram_alloc(vram, F(FRAMES), &vram_source);
}

/* Nobody but this test has a reference to any of the frames. */
static void vram_expect_freed(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < vram_given.fails; i++) {
		KUNIT_EXPECT_EQ_MSG(test, 1, page_count(vram_given.page[i]), "frame %u", i);
		put_page(vram_given.page[i]);
	}
}

/* Bytes to the end of a frame, of whichever GPU. */
static void vram_extent(struct kunit *test)
{
	static const struct {
		u64 pa;
		u64 bytes;
	} row[] = {
		{ 0, F(1) }, { 1, F(1) - 1 }, { F(1) - 1, 1 }, { F(1), F(1) },
		{ F(1) + F(1) / 2, F(1) / 2 }, { F(7) - 4096, 4096 },
		{ BIT_ULL(RM_PEER_SHIFT) + F(2) - 8, 8 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(row); i++)
		KUNIT_EXPECT_EQ_MSG(test, row[i].bytes, sgpu_vram_extent(row[i].pa), "row %u", i);
}

/* An address is always at the same place in its own frame; behind the last is nothing. */
static void vram_ptr(struct kunit *test)
{
	struct sgpu_vram vram;
	unsigned int i;

	KUNIT_ASSERT_EQ(test, 0, vram_alloc(&vram, FRAMES));
	for (i = 0; i < FRAMES; i++) {
		void *frame = vram_given.frame[i];

		KUNIT_EXPECT_PTR_EQ(test, frame, sgpu_vram_ptr(&vram, F(i)));
		KUNIT_EXPECT_PTR_EQ(test, frame + 4097, sgpu_vram_ptr(&vram, F(i) + 4097));
		KUNIT_EXPECT_PTR_EQ(test, frame + F(1) - 1, sgpu_vram_ptr(&vram, F(i + 1) - 1));
	}
	KUNIT_EXPECT_NULL(test, sgpu_vram_ptr(&vram, F(FRAMES)));
	KUNIT_EXPECT_NULL(test, sgpu_vram_ptr(&vram, BIT_ULL(32 + RM_FRAME_SHIFT)));
	KUNIT_EXPECT_NULL(test, sgpu_vram_ptr(&vram, ~0ULL));
	sgpu_vram_free(&vram);
	KUNIT_EXPECT_NULL(test, sgpu_vram_ptr(&vram, 0));
	vram_expect_freed(test);
}

/* What is not there in one piece is vmalloc'ed, and as good. */
static void vram_fallback(struct kunit *test)
{
	struct sgpu_vram vram;
	unsigned int i;

	KUNIT_ASSERT_EQ(test, 0, vram_alloc(&vram, FRAMES));
	/* the others may be as well: memory may really be fragmented */
	for (i = 1; i < FRAMES; i += 2)
		KUNIT_EXPECT_TRUE(test, is_vmalloc_addr(sgpu_vram_ptr(&vram, F(i))));
	for (i = 0; i < FRAMES; i++)
		memset(sgpu_vram_ptr(&vram, F(i)), i, RM_FRAME_SIZE);
	for (i = 0; i < FRAMES; i++)
		KUNIT_EXPECT_NULL(test, memchr_inv(sgpu_vram_ptr(&vram, F(i)), i, RM_FRAME_SIZE));
	sgpu_vram_free(&vram);
	vram_expect_freed(test);
}

/* Out of memory, wherever that is: what was had is given back, once. */
static void vram_failure(struct kunit *test)
{
	struct sgpu_vram vram;
	unsigned int fails;

	for (fails = 0; fails < FRAMES; fails++) {
		KUNIT_ASSERT_EQ(test, -ENOMEM, vram_alloc(&vram, fails));
		KUNIT_EXPECT_NULL(test, sgpu_vram_ptr(&vram, 0));
		KUNIT_EXPECT_NULL(test, vram.frame);
		vram_expect_freed(test);
		/* harmless */
		sgpu_vram_free(&vram);
	}
}

static struct kunit_case vram_kunit_cases[] = {
	KUNIT_CASE(vram_extent),
	KUNIT_CASE(vram_ptr),
	KUNIT_CASE(vram_fallback),
	KUNIT_CASE(vram_failure),
	{}
};

struct kunit_suite softgpu_vram_suite = {
	.name = "softgpu_vram",
	.test_cases = vram_kunit_cases,
};
