// SPDX-License-Identifier: GPL-2.0
/* softgpu TLB: replacement, page sizes, tags, staleness, invalidates. */
#include <kunit/test.h>
#include <linux/prandom.h>
#include "fake_device.h"
#include "softgpu/mmu/tlb.h"

#define TAG_A	0x1001
#define TAG_B	0x2001

struct tlb_step {
	char op;			/* f fill, h must hit, m must miss, i invalidate */
	u64 va;				/* i: first address */
	u64 arg;			/* f: physical address; h: expected; i: last address */
	u8 shift;			/* f; i: expected number of entries dropped */
	u64 tag;			/* i: 0 = all */
};

struct tlb_case {
	const char *name;
	unsigned int entries;
	unsigned int ways;
	struct tlb_step steps[16];
};

static const struct tlb_case tlb_cases[] = {
	{ "miss when empty", 4, 4, { { 'm', 0x1000, 0, 0, TAG_A } } },
	{ "an entry covers its page and no more", 4, 4, {
		{ 'f', 0x5000, 0x9000, 12, TAG_A }, { 'h', 0x5fff, 0x9000, 0, TAG_A },
		{ 'm', 0x6000, 0, 0, TAG_A }, { 'm', 0x4fff, 0, 0, TAG_A } } },
	{ "a 64K entry covers 64K", 8, 2, {
		{ 'f', 0x30000, 0x70000, 16, TAG_A }, { 'h', 0x3ffff, 0x70000, 0, TAG_A },
		{ 'm', 0x40000, 0, 0, TAG_A }, { 'm', 0x2ffff, 0, 0, TAG_A } } },
	{ "a 2M entry covers 2M", 8, 2, {
		{ 'f', 0x400000, 0x200000, 21, TAG_A }, { 'h', 0x5fffff, 0x200000, 0, TAG_A },
		{ 'm', 0x600000, 0, 0, TAG_A } } },
	{ "the tag separates address spaces", 4, 4, {
		{ 'f', 0x5000, 0x9000, 12, TAG_A }, { 'm', 0x5000, 0, 0, TAG_B },
		{ 'f', 0x5000, 0xa000, 12, TAG_B }, { 'h', 0x5000, 0x9000, 0, TAG_A },
		{ 'h', 0x5000, 0xa000, 0, TAG_B } } },
	{ "full set: the least recently used goes", 2, 2, {
		{ 'f', 0x1000, 0x1000, 12, TAG_A }, { 'f', 0x2000, 0x2000, 12, TAG_A },
		{ 'h', 0x1000, 0x1000, 0, TAG_A }, { 'f', 0x3000, 0x3000, 12, TAG_A },
		{ 'h', 0x1000, 0x1000, 0, TAG_A }, { 'm', 0x2000, 0, 0, TAG_A },
		{ 'h', 0x3000, 0x3000, 0, TAG_A } } },
	{ "sets do not take ways from each other", 4, 2, {
		{ 'f', 0x0000, 0x1000, 12, TAG_A }, { 'f', 0x1000, 0x2000, 12, TAG_A },
		{ 'f', 0x2000, 0x3000, 12, TAG_A }, { 'f', 0x3000, 0x4000, 12, TAG_A },
		{ 'f', 0x4000, 0x5000, 12, TAG_A }, { 'm', 0x0000, 0, 0, TAG_A },
		{ 'h', 0x1000, 0x2000, 0, TAG_A }, { 'h', 0x3000, 0x4000, 0, TAG_A } } },
	{ "a fill of the same page replaces it", 2, 2, {
		{ 'f', 0x1000, 0x1000, 12, TAG_A }, { 'f', 0x2000, 0x2000, 12, TAG_A },
		{ 'f', 0x1000, 0x7000, 12, TAG_A }, { 'h', 0x1000, 0x7000, 0, TAG_A },
		{ 'h', 0x2000, 0x2000, 0, TAG_A } } },
	{ "an invalidate takes the span and nothing else", 8, 8, {
		{ 'f', 0x1000, 0x1000, 12, TAG_A }, { 'f', 0x2000, 0x2000, 12, TAG_A },
		{ 'f', 0x3000, 0x3000, 12, TAG_A }, { 'i', 0x2000, 0x2fff, 1, TAG_A },
		{ 'h', 0x1000, 0x1000, 0, TAG_A }, { 'm', 0x2000, 0, 0, TAG_A },
		{ 'h', 0x3000, 0x3000, 0, TAG_A } } },
	{ "an invalidate takes larger pages that overlap", 8, 8, {
		{ 'f', 0x400000, 0x200000, 21, TAG_A }, { 'f', 0x610000, 0x10000, 16, TAG_A },
		{ 'i', 0x5ff000, 0x610fff, 2, TAG_A }, { 'm', 0x400000, 0, 0, TAG_A },
		{ 'm', 0x610000, 0, 0, TAG_A } } },
	{ "an invalidate spares other address spaces", 8, 8, {
		{ 'f', 0x1000, 0x1000, 12, TAG_A }, { 'f', 0x1000, 0x2000, 12, TAG_B },
		{ 'i', 0, ~0ULL, 1, TAG_A }, { 'm', 0x1000, 0, 0, TAG_A },
		{ 'h', 0x1000, 0x2000, 0, TAG_B } } },
	{ "an invalidate of all takes all", 8, 8, {
		{ 'f', 0x1000, 0x1000, 12, TAG_A }, { 'f', 0x1ff0000000, 0x2000, 12, TAG_B },
		{ 'i', 0, ~0ULL, 2, 0 }, { 'm', 0x1000, 0, 0, TAG_A },
		{ 'm', 0x1ff0000000, 0, 0, TAG_B } } },
	{ "regions that share a hash are told apart", 8, 8, {
		/* 256 regions of 2 MB are 512 MB. */
		{ 'f', 0x1000, 0x1000, 12, TAG_A }, { 'f', 0x20001000, 0x2000, 12, TAG_A },
		{ 'i', 0x20000000, 0x201fffff, 1, TAG_A }, { 'h', 0x1000, 0x1000, 0, TAG_A },
		{ 'm', 0x20001000, 0, 0, TAG_A } } },
};

static void tlb_case_desc(const struct tlb_case *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(tlb, tlb_cases, tlb_case_desc);

static void tlb_fill(struct sgpu_tlb *tlb, u64 tag, u64 va, u64 pa, u8 shift)
{
	struct sgpu_tlb_entry e = {
		.tag = tag, .vpn = va >> shift, .pa = pa, .shift = shift, .write = true,
	};

	sgpu_tlb_fill(tlb, &e);
}

static void tlb_step(struct kunit *test, struct sgpu_tlb *tlb, const struct tlb_step *s, int i)
{
	struct sgpu_tlb_entry *e;

	switch (s->op) {
	case 'f':
		tlb_fill(tlb, s->tag, s->va, s->arg, s->shift);
		break;
	case 'h':
		e = sgpu_tlb_lookup(tlb, s->tag, s->va);
		KUNIT_EXPECT_NOT_NULL_MSG(test, e, "step %d", i);
		if (e)
			KUNIT_EXPECT_EQ_MSG(test, e->pa, s->arg, "step %d", i);
		break;
	case 'm':
		e = sgpu_tlb_lookup(tlb, s->tag, s->va);
		KUNIT_EXPECT_NULL_MSG(test, e, "step %d", i);
		break;
	case 'i':
		KUNIT_EXPECT_EQ_MSG(test, sgpu_tlb_invalidate(tlb, s->tag, s->va, s->arg),
				    s->shift, "step %d", i);
		break;
	}
}

static struct sgpu_tlb *tlb_create(struct kunit *test, unsigned int entries, unsigned int ways)
{
	struct sgpu_tlb *tlb = kunit_kzalloc(test, sizeof(*tlb), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, tlb);
	KUNIT_ASSERT_EQ(test, 0, sgpu_tlb_init(tlb, entries, ways, SGPU_TLB_INDEX_MODULO));
	return tlb;
}

static void tlb_steps(struct kunit *test)
{
	const struct tlb_case *c = test->param_value;
	struct sgpu_tlb *tlb = tlb_create(test, c->entries, c->ways);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(c->steps) && c->steps[i].op; i++)
		tlb_step(test, tlb, &c->steps[i], i);
	sgpu_tlb_exit(tlb);
}

/* Shapes that are no shapes are refused. */
static void tlb_bad_shape(struct kunit *test)
{
	static const unsigned int shape[][2] = { { 0, 1 }, { 4, 0 }, { 6, 4 }, { 65537, 1 } };
	struct sgpu_tlb *tlb = kunit_kzalloc(test, sizeof(*tlb), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, tlb);
	for (i = 0; i < ARRAY_SIZE(shape); i++)
		KUNIT_EXPECT_EQ(test, -EINVAL, sgpu_tlb_init(tlb, shape[i][0], shape[i][1],
							     SGPU_TLB_INDEX_MODULO));
}

/* Planes at a power of two: pages 0, 4, 8 and 12 of four sets, by hand. */
static void tlb_index(struct kunit *test)
{
	static const struct {
		unsigned int index;
		unsigned int sets;
		u8 pages[5];
		bool kept[5];
	} cases[] = {
		{ SGPU_TLB_INDEX_MODULO, 4, { 0, 4, 8, 12, 16 },
		  { false, false, false, false, true } },
		{ SGPU_TLB_INDEX_MODULO, 4, { 0, 1, 2, 3, 4 }, { false, true, true, true, true } },
		/* 0, 1, 2, 3, and 16 folds to 1 */
		{ SGPU_TLB_INDEX_XOR, 4, { 0, 4, 8, 12, 16 }, { true, false, true, true, true } },
		/* 5 folds to 1 ^ 1 */
		{ SGPU_TLB_INDEX_XOR, 4, { 0, 1, 2, 3, 5 }, { false, true, true, true, true } },
		/* two bits for three sets: 3, and 6, which folds to 3, are set 0 */
		{ SGPU_TLB_INDEX_XOR, 3, { 0, 1, 2, 3, 6 }, { false, true, true, false, true } },
	};
	struct sgpu_tlb *tlb = kunit_kzalloc(test, sizeof(*tlb), GFP_KERNEL);
	unsigned int i, k;

	KUNIT_ASSERT_NOT_NULL(test, tlb);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		KUNIT_ASSERT_EQ(test, 0, sgpu_tlb_init(tlb, cases[i].sets, 1, cases[i].index));
		for (k = 0; k < 5; k++) {
			struct sgpu_tlb_entry e = {
				.tag = 1, .vpn = cases[i].pages[k], .shift = 12,
			};

			sgpu_tlb_fill(tlb, &e);
		}
		for (k = 0; k < 5; k++)
			KUNIT_EXPECT_EQ_MSG(test, cases[i].kept[k],
					    !!sgpu_tlb_lookup(tlb, 1, cases[i].pages[k] * 4096ULL),
					    "case %u, page %u", i, cases[i].pages[k]);
		sgpu_tlb_exit(tlb);
	}
}

/* The plain definition: a list per set, looked through entry by entry. */
#define MODEL_ENTRIES	32
struct tlb_model {
	struct sgpu_tlb_entry e[MODEL_ENTRIES];
	unsigned int ways;
	u64 clock;
};

static struct sgpu_tlb_entry *tlb_model_lookup(struct tlb_model *m, u64 tag, u64 va)
{
	unsigned int i;

	for (i = 0; i < MODEL_ENTRIES; i++)
		if (m->e[i].tag == tag && m->e[i].vpn == va >> m->e[i].shift) {
			m->e[i].stamp = ++m->clock;
			return &m->e[i];
		}
	return NULL;
}

static void tlb_model_fill(struct tlb_model *m, u64 tag, u64 va, u64 pa, u8 shift)
{
	unsigned int sets = MODEL_ENTRIES / m->ways, i;
	struct sgpu_tlb_entry *set = &m->e[((va >> shift) % sets) * m->ways], *v = set;

	for (i = 0; i < m->ways; i++)
		if (set[i].stamp < v->stamp)
			v = &set[i];
	*v = (struct sgpu_tlb_entry) {
		.tag = tag, .vpn = va >> shift, .pa = pa, .shift = shift, .stamp = ++m->clock,
	};
}

static void tlb_model_invalidate(struct tlb_model *m, u64 tag, u64 first, u64 last)
{
	unsigned int i;

	for (i = 0; i < MODEL_ENTRIES; i++) {
		u64 va = m->e[i].vpn << m->e[i].shift, end = va + (1ULL << m->e[i].shift) - 1;

		if (m->e[i].tag == tag && va <= last && end >= first)
			memset(&m->e[i], 0, sizeof(m->e[i]));
	}
}

/*
 * 20,000 random operations of one page size, on pages that are @apart: the same hits as the
 * definition.
 */
static void tlb_random(struct kunit *test, unsigned int ways, u8 shift, u32 apart)
{
	struct tlb_model *m = kunit_kzalloc(test, sizeof(*m), GFP_KERNEL);
	struct sgpu_tlb *tlb = tlb_create(test, MODEL_ENTRIES, ways);
	struct rnd_state rnd;
	unsigned int i, bad = 0;

	KUNIT_ASSERT_NOT_NULL(test, m);
	m->ways = ways;
	prandom_seed_state(&rnd, 1234 + ways);
	for (i = 0; i < 20000; i++) {
		u64 va = (u64)(prandom_u32_state(&rnd) % 64 * apart) << shift;
		u64 tag = prandom_u32_state(&rnd) % 3 ? TAG_A : TAG_B;
		struct sgpu_tlb_entry *want, *got;

		if (prandom_u32_state(&rnd) % 50 == 0) {
			u64 last = va + (4ULL << shift) - 1;

			tlb_model_invalidate(m, tag, va, last);
			sgpu_tlb_invalidate(tlb, tag, va, last);
			continue;
		}
		want = tlb_model_lookup(m, tag, va);
		got = sgpu_tlb_lookup(tlb, tag, va + 5);
		bad += !want != !got || (want && want->pa != got->pa);
		if (!want) {
			tlb_model_fill(m, tag, va, i * 0x1000, shift);
			tlb_fill(tlb, tag, va, i * 0x1000, shift);
		}
	}
	KUNIT_EXPECT_EQ(test, 0, bad);
	sgpu_tlb_exit(tlb);
}

static void tlb_random_small(struct kunit *test)
{
	tlb_random(test, 4, 12, 1);
}

static void tlb_random_full(struct kunit *test)
{
	tlb_random(test, 32, 21, 1);
}

/* All pages are of one slot. */
static void tlb_random_colliding(struct kunit *test)
{
	tlb_random(test, 8, 16, 0x101);
}

/* As many entries as there can be, all of one hash of regions: each is found and dropped. */
static void tlb_region_full(struct kunit *test)
{
	struct sgpu_tlb *tlb = tlb_create(test, U16_MAX + 1, 128);
	u64 i, va;

	for (i = 0; i <= U16_MAX; i++) {
		/* 512 pages of every 256th region of 2 MB */
		va = (i / 512 << 29) + (i % 512 << 12);
		tlb_fill(tlb, TAG_A, va, va, 12);
	}
	KUNIT_EXPECT_NOT_NULL(test, sgpu_tlb_lookup(tlb, TAG_A, 0));
	KUNIT_EXPECT_NOT_NULL(test, sgpu_tlb_lookup(tlb, TAG_A, va));
	KUNIT_EXPECT_EQ(test, 512, sgpu_tlb_invalidate(tlb, TAG_A, 0, (2 << 20) - 1));
	KUNIT_EXPECT_NULL(test, sgpu_tlb_lookup(tlb, TAG_A, 0));
	KUNIT_EXPECT_NOT_NULL(test, sgpu_tlb_lookup(tlb, TAG_A, va));
	sgpu_tlb_exit(tlb);
}

static struct kunit_case tlb_kunit_cases[] = {
	KUNIT_CASE_PARAM(tlb_steps, tlb_gen_params),
	KUNIT_CASE(tlb_bad_shape),
	KUNIT_CASE(tlb_index),
	KUNIT_CASE(tlb_random_small),
	KUNIT_CASE(tlb_random_full),
	KUNIT_CASE(tlb_random_colliding),
	KUNIT_CASE(tlb_region_full),
	{}
};

struct kunit_suite softgpu_tlb_suite = {
	.name = "softgpu_tlb",
	.test_cases = tlb_kunit_cases,
};
