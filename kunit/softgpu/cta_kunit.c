// SPDX-License-Identifier: GPL-2.0
/* softgpu thread blocks: what their threads find when they start. */
#include <kunit/test.h>
#include <linux/string.h>
#include <linux/softgpu_kernel_abi.h>
#include "softgpu/isa/exec.h"
#include "softgpu/isa/isa.h"
#include "softgpu/isa/warp.h"
#include "softgpu/sm/ahead.h"
#include "softgpu/sm/cta.h"
#include "softgpu/isa/image.h"
#include "softgpu/sm/cta_state.h"
#include "softgpu/sm/launch.h"
#include "softgpu/sm/launch_state.h"
#include "warp_fixture.h"

#define WARPS	2
#define STACK	256
#define SHARED	96
#define USED	BIT(RS1)		/* float registers */

struct cta_fixture {
	struct sgpu_image image;
	struct sgpu_launch launch;
	struct sgpu_cta_pool pool;
	struct sgpu_cta *cta;
};

static void cta_prepare(struct cta_fixture *f)
{
	sgpu_cta_prepare(f->cta, &f->launch, NULL, 0);
}

static const struct sgpu_cta_shape one = { 1, WARPS, 16, STACK, SHARED };

/* One CTA that was just allocated; its second warp has 8 threads. */
static struct cta_fixture *cta_make(struct kunit *test)
{
	struct cta_fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, f);
	f->image.used = USED;
	f->launch.image = &f->image;
	f->launch.grid[0] = 1;
	f->launch.grid[1] = 1;
	f->launch.grid[2] = 1;
	f->launch.threads = SGPU_LANES + 8;
	sgpu_cta_pool_init(&f->pool);
	KUNIT_ASSERT_EQ(test, 0, sgpu_cta_pool_reserve(&f->pool, &one));
	sgpu_cta_pool_cut(&f->pool, &one);
	f->cta = list_first_entry(&f->pool.free, struct sgpu_cta, node);
	return f;
}

static void cta_expect_clear(struct kunit *test, const struct sgpu_cta *cta)
{
	u32 i;

	for (i = 0; i < WARPS; i++)
		KUNIT_EXPECT_NULL(test, memchr_inv(cta->warp[i].stack, 0, SGPU_LANES * STACK));
	KUNIT_EXPECT_NULL(test, memchr_inv(cta->shared, 0, SHARED));
}

/* Whatever the memory held before it became a CTA's. */
static void cta_new_is_clear(struct kunit *test)
{
	struct cta_fixture *f = cta_make(test);
	u32 i;

	for (i = 0; i < WARPS; i++)
		memset(f->cta->warp[i].stack, 0x5a, SGPU_LANES * STACK);
	memset(f->cta->shared, 0x5a, SHARED);
	cta_prepare(f);
	cta_expect_clear(test, f->cta);
	sgpu_cta_pool_exit(&f->pool);
}

/* And what the CTA before wrote, from the lowest offset on, in all stacks. */
static void cta_next_is_clear(struct kunit *test)
{
	struct cta_fixture *f = cta_make(test);
	u32 thread;

	cta_prepare(f);
	for (thread = 0; thread < WARPS * SGPU_LANES; thread++)
		memset(f->cta->warp[thread / SGPU_LANES].stack +
		       thread % SGPU_LANES * STACK + 240, thread + 1, 16);
	f->cta->stack_low = 240;
	memset(f->cta->shared, 1, SHARED);
	f->cta->shared_dirty = true;
	cta_prepare(f);
	cta_expect_clear(test, f->cta);
	KUNIT_EXPECT_EQ(test, STACK, f->cta->stack_low);
	sgpu_cta_pool_exit(&f->pool);
}

static void cta_registers(struct kunit *test)
{
	struct cta_fixture *f = cta_make(test);
	const struct sgpu_warp *warp = &f->cta->warp[1];
	u32 wide, lane;

	for (wide = 0; wide < 2; wide++) {
		exec_fill(f->cta->warp[1].x[RD], OLD);
		exec_fill(f->cta->warp[1].x[RS2], OLD);
		exec_fill32(f->cta->warp[1].f[RS1], 1);
		exec_fill32(f->cta->warp[1].f[RS2], 2);
		sgpu_exec_use_wide(wide);
		cta_prepare(f);
		KUNIT_EXPECT_EQ(test, 0xff, warp->active);
		for (lane = 0; lane < 8; lane++) {
			KUNIT_EXPECT_EQ(test, SGPU_WINDOW_EXIT, sgpu_warp_x(warp, 1, lane));
			KUNIT_EXPECT_EQ(test, SGPU_WINDOW_STACK + STACK,
					sgpu_warp_x(warp, 2, lane));
			KUNIT_EXPECT_EQ(test, SGPU_WINDOW_ARGS, sgpu_warp_x(warp, 10, lane));
			KUNIT_EXPECT_EQ(test, 0, sgpu_warp_x(warp, RD, lane));
			KUNIT_EXPECT_EQ(test, 0, warp->f[RS1][lane]);
			KUNIT_EXPECT_EQ(test, 0, sgpu_warp_x(warp, RS2, lane));
			/* nothing reads it */
			KUNIT_EXPECT_EQ(test, 2, warp->f[RS2][lane]);
		}
	}
	sgpu_cta_pool_exit(&f->pool);
}

/* Float registers of 64 bits: of each warp its own, and those that are used begin as zeros. */
static void cta_doubles(struct kunit *test)
{
	static const struct sgpu_cta_shape shape = { 1, WARPS, 16, STACK, SHARED, 1 };
	struct cta_fixture *f = cta_make(test);
	u32 i, wide;

	KUNIT_EXPECT_NULL(test, f->cta->warp[0].d);
	KUNIT_ASSERT_EQ(test, 0, sgpu_cta_pool_reserve(&f->pool, &shape));
	sgpu_cta_pool_cut(&f->pool, &shape);
	f->cta = list_first_entry(&f->pool.free, struct sgpu_cta, node);
	f->image.doubles = true;
	for (wide = 0; wide < 2; wide++) {
		sgpu_exec_use_wide(wide);
		for (i = 0; i < WARPS; i++)
			memset(f->cta->warp[i].d, i + 1, SGPU_DOUBLES_BYTES);
		for (i = 0; i < WARPS; i++)
			KUNIT_EXPECT_NULL(test, memchr_inv(f->cta->warp[i].d, i + 1,
							   SGPU_DOUBLES_BYTES));
		cta_prepare(f);
		for (i = 0; i < WARPS; i++) {
			const struct sgpu_warp *warp = &f->cta->warp[i];

			KUNIT_EXPECT_EQ(test, USED, warp->doubles);
			KUNIT_EXPECT_NULL(test, memchr_inv(warp->d[RS1], 0, sizeof(warp->d[RS1])));
			/* nothing reads it */
			KUNIT_EXPECT_EQ(test, i + 1, warp->d[RS2][0] & 0xff);
		}
	}
	sgpu_cta_pool_exit(&f->pool);
}

/* Pieces of a CTA that lie in @bytes of memory, each for itself, and no two in one place. */
static void cta_expect_apart(struct kunit *test, struct sgpu_cta_pool *pool,
			     const struct sgpu_cta_shape *shape)
{
	u32 stack = SGPU_LANES * shape->stack_bytes, i, n = 0;
	struct sgpu_cta *cta;

	list_for_each_entry(cta, &pool->free, node) {
		memset(cta->shared, n, shape->shared_bytes);
		for (i = 0; i < shape->warps; i++)
			memset(cta->warp[i].stack, n + i, stack);
		n++;
	}
	KUNIT_EXPECT_EQ(test, n, shape->count);
	n = 0;
	list_for_each_entry(cta, &pool->free, node) {
		KUNIT_EXPECT_NULL(test, memchr_inv(cta->shared, (u8)n, shape->shared_bytes));
		for (i = 0; i < shape->warps; i++) {
			const struct sgpu_warp *warp = &cta->warp[i];

			KUNIT_EXPECT_NULL(test, memchr_inv(warp->stack, (u8)(n + i), stack));
			KUNIT_EXPECT_PTR_EQ(test, warp->cta, cta);
			KUNIT_EXPECT_PTR_EQ(test, warp->ops[0].warp, warp);
		}
		n++;
	}
}

/* Of launches that wait the pool holds what the largest needs, not what all do. */
static void cta_pool_is_shared(struct kunit *test)
{
	static const struct sgpu_cta_shape shapes[] = {
		{ 40, 2, 8, 1024, 256 },
		{ 3, 32, 8, 4096, 4096 },
		{ 100, 1, 8, 0, 0 },
		{ 1, 1, 8, SGPU_STACK_MAX, 3 << 20 },
	};
	struct cta_fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);
	u64 most;
	u32 i, j;

	KUNIT_ASSERT_NOT_NULL(test, f);
	sgpu_cta_pool_init(&f->pool);
	for (i = 0; i < ARRAY_SIZE(shapes); i++)
		KUNIT_ASSERT_EQ(test, 0, sgpu_cta_pool_reserve(&f->pool, &shapes[i]));
	most = f->pool.charge.bytes;
	/* 40 and 3 times 32 warps of some 60 KB, one shared memory of 3 MB */
	KUNIT_EXPECT_LE(test, most, 32 << 20);
	for (j = 0; j < 100; j++)
		for (i = 0; i < ARRAY_SIZE(shapes); i++)
			KUNIT_ASSERT_EQ(test, 0, sgpu_cta_pool_reserve(&f->pool, &shapes[i]));
	KUNIT_EXPECT_EQ(test, most, f->pool.charge.bytes);
	for (i = 0; i < ARRAY_SIZE(shapes); i++) {
		sgpu_cta_pool_cut(&f->pool, &shapes[i]);
		cta_expect_apart(test, &f->pool, &shapes[i]);
	}
	sgpu_cta_pool_exit(&f->pool);
}

/*
 * What is executed ahead gives its quota back when the CTA has none: each instruction takes its own
 * when it issues, and keeps what is to be done then.
 */
static void cta_recall(struct kunit *test)
{
	static const u8 more[] = { 1, 0, 1 };
	struct cta_fixture *f = cta_make(test);
	struct sgpu_warp *warp = &f->cta->warp[1];
	u32 i;

	cta_prepare(f);
	KUNIT_EXPECT_EQ(test, 0, sgpu_cta_recall(f->cta));
	warp->ahead = sgpu_ahead_pack(3, 5);
	KUNIT_EXPECT_EQ(test, 3, sgpu_cta_ahead(f->cta));
	KUNIT_EXPECT_EQ(test, 3, sgpu_cta_recall(f->cta));
	KUNIT_EXPECT_EQ(test, 3, f->cta->quota);
	KUNIT_EXPECT_EQ(test, 0, sgpu_cta_ahead(f->cta));
	/* once */
	KUNIT_EXPECT_EQ(test, 0, sgpu_cta_recall(f->cta));
	for (i = 0; i < ARRAY_SIZE(more); i++) {
		KUNIT_EXPECT_EQ(test, 3 - i, sgpu_ahead_left(warp->ahead));
		KUNIT_EXPECT_EQ(test, 1, f->cta->owed);
		/* whoever issues it has to look */
		KUNIT_EXPECT_EQ(test, 1, warp->ahead & 1);
		warp->ahead >>= 1;
		KUNIT_EXPECT_EQ(test, more[i], sgpu_cta_pay(f->cta, warp));
		KUNIT_EXPECT_EQ(test, 2 - i, f->cta->quota);
	}
	KUNIT_EXPECT_EQ(test, SGPU_AHEAD_NONE, warp->ahead);
	KUNIT_EXPECT_EQ(test, 0, f->cta->owed);
	KUNIT_EXPECT_EQ(test, 0, warp->owed);
	sgpu_cta_pool_exit(&f->pool);
}

/* The most there can be ahead. */
static void cta_ahead_most(struct kunit *test)
{
	u16 ahead = sgpu_ahead_pack(SGPU_AHEAD - 1, BIT(SGPU_AHEAD - 1) - 1);
	u32 left;

	for (left = SGPU_AHEAD - 1; left; left--, ahead >>= 1) {
		KUNIT_EXPECT_EQ(test, left, sgpu_ahead_left(ahead));
		KUNIT_EXPECT_EQ(test, 1, ahead & 1);
	}
	KUNIT_EXPECT_EQ(test, SGPU_AHEAD_NONE, ahead);
}

/*
 * Launches that differ in the number of their CTAs alone have the same ones, of which it is known
 * what is clear.
 */
static void cta_pool_counts(struct kunit *test)
{
	static const u32 counts[] = { 8, 3, 8, 1, 12, 5 };
	struct cta_fixture *f = cta_make(test);
	struct sgpu_cta_shape shape = one;
	struct sgpu_cta *first = NULL;
	u32 i;

	shape.count = 12;
	KUNIT_ASSERT_EQ(test, 0, sgpu_cta_pool_reserve(&f->pool, &shape));
	for (i = 0; i < ARRAY_SIZE(counts); i++) {
		u32 most = i < 4 ? 8 : 12;

		shape.count = counts[i];
		sgpu_cta_pool_cut(&f->pool, &shape);
		cta_expect_apart(test, &f->pool, &shape);
		f->cta = list_first_entry(&f->pool.free, struct sgpu_cta, node);
		KUNIT_EXPECT_EQ(test, most, f->pool.shape.count);
		/* cut anew, nothing is known */
		KUNIT_EXPECT_EQ(test, counts[i] == most && i != 2 ? 0 : STACK, f->cta->stack_low);
		KUNIT_EXPECT_TRUE(test, !i || first == f->cta);
		first = f->cta;
		cta_prepare(f);
	}
	sgpu_cta_pool_exit(&f->pool);
}

static struct kunit_case cta_cases[] = {
	KUNIT_CASE(cta_pool_counts),
	KUNIT_CASE(cta_recall),
	KUNIT_CASE(cta_ahead_most),
	KUNIT_CASE(cta_pool_is_shared),
	KUNIT_CASE(cta_new_is_clear),
	KUNIT_CASE(cta_next_is_clear),
	KUNIT_CASE(cta_registers),
	KUNIT_CASE(cta_doubles),
	{}
};

struct kunit_suite softgpu_cta_suite = {
	.name = "softgpu_cta",
	.test_cases = cta_cases,
};
