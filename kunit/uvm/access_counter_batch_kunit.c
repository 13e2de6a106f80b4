// SPDX-License-Identifier: GPL-2.0
/*
 * Batches of access-counter notifications: records, order, runs, expansion
 * (nvidia-uvm 2.12).
 */
#include <kunit/test.h>
#include <linux/bitfield.h>
#include <softgpu/access_counter_format.h>
#include <softgpu/regs.h>
#include "uvm/model/access_counter_batch.h"
#include "uvm_pure.h"

#define ACCESS_MAX	8
#define K		1024ULL
#define M		(1024 * K)
#define G		(1024 * M)

struct access_fixture {
	struct uvm_access_batch batch;
	struct uvm_access_notification notifications[ACCESS_MAX];
	struct uvm_access_notification *sorted[ACCESS_MAX];
};

static int access_init(struct kunit *test)
{
	struct access_fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	if (!f)
		return -ENOMEM;
	f->batch.notifications = f->notifications;
	f->batch.sorted = f->sorted;
	f->batch.max = ACCESS_MAX;
	uvm_access_batch_reset(&f->batch);
	test->priv = f;
	return 0;
}

static bool access_add(struct access_fixture *f, u64 instance, u64 address)
{
	const u32 record[ACCESS_RECORD_WORDS] = {
		FIELD_PREP(ACCESS_W0_TYPE, ACCESS_TYPE_GPU) | lower_32_bits(instance),
		upper_32_bits(instance), lower_32_bits(address), upper_32_bits(address), 1,
		0, 0, ACCESS_W7_VALID,
	};

	return uvm_access_batch_add_record(&f->batch, record);
}

/* ---- records --------------------------------------------------------- */

struct access_record_case {
	const char *rule;
	u32 record[ACCESS_RECORD_WORDS];
	struct uvm_access_notification want;
};

static const struct access_record_case access_record_cases[] = {
	{ "every field (class C365)",
	  { 0x12345000 | FIELD_PREP_CONST(ACCESS_W0_TYPE, ACCESS_TYPE_GPU) |
	    FIELD_PREP_CONST(ACCESS_W0_BANK, 13) | FIELD_PREP_CONST(ACCESS_W0_APERTURE, 2),
	    0x1, 0x34567000, 0x7f12, 0x80000001, 0xabcde, 0x1234, ACCESS_W7_VALID },
	  { .instance = 0x112345000, .address = 0x7f1234567000, .sub_granularity = 0x80000001,
	    .tag = 0xabcde, .count = 0x1234, .bank = 13, .usable = true } },
	{ "bits of other fields do not matter",
	  { 0x12345000 | BIT(0) | GENMASK(11, 6), 0, 0x1fff, 0, 0, 0xfff00000, 0xffff0000, ~0U },
	  { .instance = 0x12345000, .address = 0x1000, .usable = true } },
	{ "memory of a peer",
	  { BIT(0) | FIELD_PREP_CONST(ACCESS_W0_APERTURE, ACCESS_APERTURE_PEER), 0, 0x1000, 0, 0, 0,
	    0, ACCESS_W7_VALID }, { .address = 0x1000, .peer = true, .usable = true } },
	{ "bit 48 is the sign", { BIT(0), 0, 0x1000, 0x1ffff, 0, 0, 0, ACCESS_W7_VALID },
	  { .address = 0xffffffff00001000, .usable = true } },
	{ "accesses by others are not served", { 0, 0, 0x1000, 0, 0, 0, 0, ACCESS_W7_VALID },
	  { .address = 0x1000 } },
	{ "physical addresses are not served",
	  { BIT(0) | BIT(1), 0, 0x1000, 0, 0, 0, 0, ACCESS_W7_VALID }, { .address = 0x1000 } },
};

static void access_records(struct kunit *test)
{
	struct access_fixture *f = test->priv;

	for (int i = 0; i < ARRAY_SIZE(access_record_cases); i++) {
		const struct access_record_case *c = &access_record_cases[i];
		const struct uvm_access_notification *n = &f->notifications[i];

		KUNIT_ASSERT_TRUE(test, uvm_access_batch_add_record(&f->batch, c->record));
		KUNIT_EXPECT_EQ_MSG(test, n->instance, c->want.instance, "%s", c->rule);
		KUNIT_EXPECT_EQ_MSG(test, n->address, c->want.address, "%s", c->rule);
		KUNIT_EXPECT_EQ_MSG(test, n->sub_granularity, c->want.sub_granularity, "%s",
				    c->rule);
		KUNIT_EXPECT_EQ_MSG(test, n->tag, c->want.tag, "%s", c->rule);
		KUNIT_EXPECT_EQ_MSG(test, n->count, c->want.count, "%s", c->rule);
		KUNIT_EXPECT_EQ_MSG(test, n->bank, c->want.bank, "%s", c->rule);
		KUNIT_EXPECT_EQ_MSG(test, n->peer, c->want.peer, "%s", c->rule);
		KUNIT_EXPECT_EQ_MSG(test, n->usable, c->want.usable, "%s", c->rule);
		KUNIT_EXPECT_EQ_MSG(test, n->index, i, "%s", c->rule);
		KUNIT_EXPECT_NULL_MSG(test, n->va_space, "%s", c->rule);
	}
	while (f->batch.count < ACCESS_MAX)
		KUNIT_EXPECT_TRUE(test, access_add(f, 0x1000, 0x1000));
	KUNIT_EXPECT_FALSE(test, access_add(f, 0x1000, 0x1000));
	KUNIT_EXPECT_EQ(test, f->batch.count, ACCESS_MAX);
}

/* ---- order ----------------------------------------------------------- */

/* By instance, then in the order of the ring; by VA space, address, ring. */
static void access_order(struct kunit *test)
{
	static const struct {
		u64 instance, address, va_space;
	} in[] = {
		{ 0x3000, 4 * M, 1 }, { 0x1000, 2 * M, 2 }, { 0x3000, 2 * M, 1 },
		{ 0x1000, 8 * M, 2 }, { 0x3000, 4 * M, 1 }, { 0x2000, 0, 0 },
	};
	static const u32 by_instance[] = { 1, 3, 5, 0, 2, 4 };
	static const u32 by_address[] = { 5, 2, 0, 4, 1, 3 };
	struct access_fixture *f = test->priv;

	for (int i = 0; i < ARRAY_SIZE(in); i++)
		access_add(f, in[i].instance, in[i].address);
	uvm_access_batch_sort_by_instance(&f->batch);
	for (int i = 0; i < ARRAY_SIZE(in); i++) {
		KUNIT_EXPECT_EQ_MSG(test, f->sorted[i]->index, by_instance[i], "%d", i);
		f->sorted[i]->va_space_id = in[f->sorted[i]->index].va_space;
	}
	uvm_access_batch_sort(&f->batch);
	for (int i = 0; i < ARRAY_SIZE(in); i++)
		KUNIT_EXPECT_EQ_MSG(test, f->sorted[i]->index, by_address[i], "%d", i);
}

/* What is served together: one VA space, one aligned span. */
static void access_runs(struct kunit *test)
{
	static const struct {
		u64 va_space, address;
	} in[] = {
		{ 1, 2 * M }, { 1, 2 * M }, { 1, 4 * M - 4 * K }, { 1, 4 * M },
		{ 1, 18 * M }, { 2, 18 * M }, { 2, 40 * M },
	};
	static const unsigned int of_2m[] = { 3, 3, 3, 4, 5, 6, 7 };
	static const unsigned int of_16m[] = { 4, 4, 4, 4, 5, 6, 7 };
	struct access_fixture *f = test->priv;

	for (int i = 0; i < ARRAY_SIZE(in); i++) {
		access_add(f, 0x1000, in[i].address);
		f->notifications[i].va_space_id = in[i].va_space;
	}
	uvm_access_batch_sort_by_instance(&f->batch);
	uvm_access_batch_sort(&f->batch);
	for (int i = 0; i < ARRAY_SIZE(in); i++) {
		KUNIT_EXPECT_EQ_MSG(test, uvm_access_batch_run(&f->batch, i, 2 * M), of_2m[i],
				    "%d", i);
		KUNIT_EXPECT_EQ_MSG(test, uvm_access_batch_run(&f->batch, i, 16 * M), of_16m[i],
				    "%d", i);
	}
}

/* ---- expansion ------------------------------------------------------- */

struct access_expand_case {
	const char *rule;
	u64 granule;
	u64 address;
	u32 sub;
	u64 block;
	bool some;
	struct uvm_region want[2];
};

static const struct access_expand_case access_expand_cases[] = {
	{ "2M: a bit is 16 pages", 2 * M, 64 * M + 64 * K, BIT(1), 64 * M, true, { { 16, 32 } } },
	{ "2M: the last bit ends the block", 2 * M, 64 * M + 2 * M - 4 * K, BIT(31), 64 * M, true,
	  { { 496, 512 } } },
	{ "2M: two regions", 2 * M, 64 * M, BIT(0) | BIT(5), 64 * M, true,
	  { { 0, 16 }, { 80, 96 } } },
	{ "2M: all", 2 * M, 64 * M + 8 * K, ~0U, 64 * M, true, { { 0, 512 } } },
	{ "2M: no bit, the page that was accessed", 2 * M, 64 * M + 8 * K, 0, 64 * M, true,
	  { { 2, 3 } } },
	{ "2M: another block", 2 * M, 64 * M, ~0U, 66 * M, false, { } },
	{ "64K: its only region", 64 * K, 64 * M + 72 * K, BIT(0), 64 * M, true, { { 16, 32 } } },
	{ "64K: there are no others", 64 * K, 64 * M + 72 * K, BIT(1), 64 * M, true,
	  { { 18, 19 } } },
	{ "16M: a bit is 128 pages", 16 * M, 64 * M, BIT(0), 64 * M, true, { { 0, 128 } } },
	{ "16M: of another block of the granule", 16 * M, 64 * M, BIT(0) | BIT(5), 66 * M, true,
	  { { 128, 256 } } },
	{ "16M: nothing in that block", 16 * M, 64 * M, BIT(0), 66 * M, false, { } },
	{ "16M: the next granule", 16 * M, 64 * M, ~0U, 80 * M, false, { } },
	{ "16G: a bit is 256 blocks", 16 * G, 16 * G, BIT(1), 16 * G + 512 * M, true,
	  { { 0, 512 } } },
	{ "16G: up to its end", 16 * G, 16 * G, BIT(1), 17 * G - 2 * M, true, { { 0, 512 } } },
	{ "16G: behind it", 16 * G, 16 * G, BIT(1), 17 * G, false, { } },
};

static void access_expansion(struct kunit *test)
{
	for (int i = 0; i < ARRAY_SIZE(access_expand_cases); i++) {
		const struct access_expand_case *c = &access_expand_cases[i];
		struct uvm_access_notification n = {
			.address = c->address, .sub_granularity = c->sub,
		};
		struct uvm_page_mask got = {}, want = {};

		for (int j = 0; j < ARRAY_SIZE(c->want); j++)
			if (c->want[j].outer)
				uvm_page_mask_or_region(&want, c->want[j]);
		KUNIT_EXPECT_EQ_MSG(test, uvm_access_expand(&n, c->granule, c->block, &got),
				    c->some, "%s", c->rule);
		KUNIT_EXPECT_TRUE_MSG(test, uvm_page_mask_equal(&got, &want), "%s", c->rule);
	}
}

/* Several notifications add up; what was there stays. */
static void access_expansion_adds(struct kunit *test)
{
	struct uvm_access_notification a = { .address = 64 * M, .sub_granularity = BIT(2) };
	struct uvm_access_notification b = { .address = 64 * M, .sub_granularity = GENMASK(3, 2) };
	struct uvm_page_mask got = {}, want = {};

	uvm_page_mask_set(&got, 500);
	uvm_access_expand(&a, 2 * M, 64 * M, &got);
	uvm_access_expand(&b, 2 * M, 64 * M, &got);
	uvm_page_mask_or_region(&want, uvm_region_make(32, 64));
	uvm_page_mask_set(&want, 0);
	uvm_page_mask_set(&want, 500);
	KUNIT_EXPECT_TRUE(test, uvm_page_mask_equal(&got, &want));
}

static void access_granularities(struct kunit *test)
{
	static const u64 good[] = { 64 * K, 2 * M, 16 * M, 16 * G };
	static const u64 bad[] = { 0, 1, 4 * K, 128 * K, 2 * M + 1, 32 * G, U64_MAX };

	for (int i = 0; i < ARRAY_SIZE(good); i++) {
		KUNIT_EXPECT_EQ(test, uvm_access_granularity(good[i]), i);
		KUNIT_EXPECT_EQ(test, uvm_access_granule_bytes(i), good[i]);
	}
	for (int i = 0; i < ARRAY_SIZE(bad); i++)
		KUNIT_EXPECT_EQ(test, uvm_access_granularity(bad[i]), -EINVAL);
}

static struct kunit_case access_kunit_cases[] = {
	KUNIT_CASE(access_records),
	KUNIT_CASE(access_order),
	KUNIT_CASE(access_runs),
	KUNIT_CASE(access_expansion),
	KUNIT_CASE(access_expansion_adds),
	KUNIT_CASE(access_granularities),
	{}
};

struct kunit_suite uvm_access_counter_batch_suite = {
	.name = "uvm_access_counter_batch",
	.init = access_init,
	.test_cases = access_kunit_cases,
};
