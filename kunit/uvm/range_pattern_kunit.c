// SPDX-License-Identifier: GPL-2.0
/*
 * Detection of patterns: the rows of an independent model of the DATE 2021 paper, and that keeping
 * the pattern launch by launch says what looking at the whole history says.
 */
#include <kunit/test.h>
#include <linux/ctype.h>
#include <linux/prandom.h>
#include "uvm/base/page_mask.h"
#include "uvm/policy/adaptive/range_adaptive.h"
#include "uvm_pure.h"

#define BASE		0x7f0000000000ULL
#define RANGE_BLOCKS	2
#define PATTERN_BYTES	512	/* no less than of a range, and of a block */
#define BIGS		(RANGE_BLOCKS * UVM_BIG_PER_BLOCK)

static const char * const names[UVM_PATTERN_COUNT] = {
	"UNDECIDED", "LINEAR", "LINEAR_REUSE", "RANDOM", "RANDOM_REUSE", "MIXED", "MIXED_REUSE",
};

struct pattern_fixture {
	u64 state[PATTERN_BYTES / sizeof(u64)];
	u64 blocks[RANGE_BLOCKS * PATTERN_BYTES / sizeof(u64)];
	u64 space;
	struct uvm_range_view range;
};

static void pattern_reset(struct pattern_fixture *f)
{
	*f = (struct pattern_fixture){
		.range = { .start = BASE, .end = BASE + RANGE_BLOCKS * UVM_BLOCK_SIZE - 1,
			   .block_bytes = uvm_range_adaptive.block_bytes },
	};
	f->range.state = f->state;
	f->range.space = &f->space;
	f->range.blocks = f->blocks;
}

static int pattern_init(struct kunit *test)
{
	test->priv = kunit_kzalloc(test, sizeof(struct pattern_fixture), GFP_KERNEL);
	if (!test->priv)
		return -ENOMEM;
	KUNIT_ASSERT_LE(test, uvm_range_adaptive.bytes, PATTERN_BYTES);
	KUNIT_ASSERT_LE(test, uvm_range_adaptive.block_bytes, PATTERN_BYTES);
	pattern_reset(test->priv);
	return 0;
}

/* 64 KB number @big come, some pages of them at least. */
static void pattern_come(struct pattern_fixture *f, unsigned int big, unsigned int id)
{
	unsigned int first = big % UVM_BIG_PER_BLOCK * UVM_PAGES_PER_BIG;
	struct uvm_page_mask pages;
	struct uvm_range_pages told = {
		.va = BASE + big / UVM_BIG_PER_BLOCK * UVM_BLOCK_SIZE, .id = id, .pages = &pages,
	};

	uvm_page_mask_fill_region(&pages, uvm_region_make(first + big % 3, first + 9));
	uvm_range_adaptive.arrive(&f->range, &told);
}

/* Launches are apart by "|", 64 KB by blanks. */
struct pattern_case {
	const char *launches;
	enum uvm_pattern want;
};

#define P(name)	UVM_PATTERN_##name

static const struct pattern_case pattern_cases[] = {
	{ "0 1 2 3", P(LINEAR) },
	{ "0 2 1 3", P(RANDOM) },
	{ "3 2 1 0", P(RANDOM) },
	{ "7", P(LINEAR) },
	{ "", P(UNDECIDED) },
	{ "0 1 1 2", P(LINEAR_REUSE) },
	{ "0 1 2 0", P(RANDOM_REUSE) },
	{ "0 1|2 3", P(LINEAR) },
	{ "0 1 2|0 1 2", P(LINEAR_REUSE) },
	{ "0 1||2 3", P(LINEAR) },
	{ "0 1|5 3", P(MIXED) },
	{ "0 1|1 0", P(MIXED_REUSE) },
	{ "0 1|0 1|3 2", P(MIXED_REUSE) },
	{ "3 1|5 6", P(MIXED) },
	{ "3 1|1 3", P(MIXED_REUSE) },
	{ "3 1|1 0", P(RANDOM_REUSE) },
	{ "0 1|5 3|0 1", P(MIXED) },
	{ "3 1|1 0|7 8", P(MIXED_REUSE) },
	/* over the end of 2 MB, and back */
	{ "31 32", P(LINEAR) },
	{ "32 31", P(RANDOM) },
	{ "40||40", P(LINEAR_REUSE) },
};

static void pattern_rows(struct kunit *test)
{
	struct pattern_fixture *f = test->priv;

	for (int i = 0; i < ARRAY_SIZE(pattern_cases); i++) {
		const char *at = pattern_cases[i].launches;
		enum uvm_pattern got;

		pattern_reset(f);
		f->range.begun = 1;
		while (*at) {
			unsigned int big = 0;

			if (*at == '|') {
				f->range.ended = f->range.begun++;
			} else if (isdigit(*at)) {
				for (; isdigit(*at); at++)
					big = 10 * big + *at - '0';
				pattern_come(f, big, 1);
				continue;
			}
			at++;
		}
		got = uvm_adaptive_pattern(&f->range);
		KUNIT_EXPECT_EQ_MSG(test, got, pattern_cases[i].want, "%s: %s, not %s",
				    pattern_cases[i].launches, names[got],
				    names[pattern_cases[i].want]);
		f->range.ended = f->range.begun;
		KUNIT_EXPECT_EQ(test, uvm_adaptive_pattern(&f->range), pattern_cases[i].want);
	}
	KUNIT_EXPECT_EQ(test, uvm_adaptive_pattern(NULL), P(UNDECIDED));
}

/* A launch that runs counts as it is by now, and can take back what it said (rule 5). */
static void pattern_open(struct kunit *test)
{
	struct pattern_fixture *f = test->priv;

	f->range.begun = 1;
	pattern_come(f, 4, 1);
	KUNIT_EXPECT_EQ(test, uvm_adaptive_pattern(&f->range), P(LINEAR));
	pattern_come(f, 3, 1);
	KUNIT_EXPECT_EQ(test, uvm_adaptive_pattern(&f->range), P(RANDOM));
	pattern_come(f, 4, 1);
	KUNIT_EXPECT_EQ(test, uvm_adaptive_pattern(&f->range), P(RANDOM_REUSE));
}

/* Neither what the CPU gets, nor what moves while nothing runs. */
static void pattern_ignored(struct kunit *test)
{
	struct pattern_fixture *f = test->priv;

	pattern_come(f, 4, 1);
	f->range.begun = 1;
	pattern_come(f, 4, UVM_ID_CPU);
	KUNIT_EXPECT_EQ(test, uvm_adaptive_pattern(&f->range), P(UNDECIDED));
	f->range.ended = 1;
	pattern_come(f, 3, 1);
	KUNIT_EXPECT_EQ(test, uvm_adaptive_pattern(&f->range), P(UNDECIDED));
	f->range.begun = 2;
	pattern_come(f, 4, 1);
	KUNIT_EXPECT_EQ(test, uvm_adaptive_pattern(&f->range), P(LINEAR));
}

/* ---- against the whole history ------------------------------------------------ */

#define HISTORIES	10000
#define LAUNCHES	5
#define COMINGS		12

struct history {
	u8 big[LAUNCHES][COMINGS];
	unsigned int count[LAUNCHES];
	unsigned int launches;
};

static void history_draw(struct rnd_state *rnd, struct history *h)
{
	h->launches = 1 + prandom_u32_state(rnd) % LAUNCHES;
	for (unsigned int i = 0; i < h->launches; i++) {
		unsigned int at = prandom_u32_state(rnd) % BIGS;
		bool linear = prandom_u32_state(rnd) % 3;

		h->count[i] = prandom_u32_state(rnd) % COMINGS;
		for (unsigned int n = 0; n < h->count[i]; n++) {
			h->big[i][n] = at;
			at = (linear ? at + prandom_u32_state(rnd) % 8 :
				       prandom_u32_state(rnd)) % BIGS;
		}
	}
}

/* What launch @i was like: is it random, is something used again? */
static void history_launch(const struct history *h, unsigned int i, bool *random, bool *reuse)
{
	*random = false;
	*reuse = false;
	for (unsigned int n = 0; n < h->count[i]; n++) {
		*random |= n && h->big[i][n] < h->big[i][n - 1];
		for (unsigned int l = 0; l <= i; l++)
			for (unsigned int m = 0; m < (l < i ? h->count[l] : n); m++)
				*reuse |= h->big[l][m] == h->big[i][n];
	}
}

/* The words of the paper's states, not a table. */
static enum uvm_pattern history_pattern(const struct history *h)
{
	bool linear = false, random = false, reuse = false, any = false;

	for (unsigned int i = 0; i < h->launches; i++) {
		bool mixed = linear && random, out, again;

		if (!h->count[i])
			continue;
		any = true;
		history_launch(h, i, &out, &again);
		linear |= !out;
		random |= out;
		/* MIXED has no way out, not even by reuse */
		if (!mixed)
			reuse |= again;
	}
	if (!any)
		return P(UNDECIDED);
	if (linear && random)
		return reuse ? P(MIXED_REUSE) : P(MIXED);
	if (random)
		return reuse ? P(RANDOM_REUSE) : P(RANDOM);
	return reuse ? P(LINEAR_REUSE) : P(LINEAR);
}

static void pattern_histories(struct kunit *test)
{
	struct history *h = kunit_kzalloc(test, sizeof(*h), GFP_KERNEL);
	unsigned int seen[UVM_PATTERN_COUNT] = {};
	struct pattern_fixture *f = test->priv;
	struct rnd_state rnd;

	KUNIT_ASSERT_NOT_NULL(test, h);
	prandom_seed_state(&rnd, 1);
	for (int n = 0; n < HISTORIES; n++) {
		enum uvm_pattern want, got;

		history_draw(&rnd, h);
		pattern_reset(f);
		for (unsigned int i = 0; i < h->launches; i++) {
			f->range.begun++;
			for (unsigned int k = 0; k < h->count[i]; k++)
				pattern_come(f, h->big[i][k], 1 + i % 2);
			f->range.ended++;
		}
		want = history_pattern(h);
		got = uvm_adaptive_pattern(&f->range);
		KUNIT_ASSERT_EQ_MSG(test, got, want, "history %d: %s, not %s", n, names[got],
				    names[want]);
		seen[got]++;
	}
	for (int i = 0; i < UVM_PATTERN_COUNT; i++)
		KUNIT_EXPECT_GT_MSG(test, seen[i], 0, "no history is %s", names[i]);
}

static struct kunit_case range_pattern_cases[] = {
	KUNIT_CASE(pattern_rows),
	KUNIT_CASE(pattern_open),
	KUNIT_CASE(pattern_ignored),
	KUNIT_CASE(pattern_histories),
	{}
};

struct kunit_suite uvm_range_pattern_suite = {
	.name = "uvm_range_pattern",
	.init = pattern_init,
	.test_cases = range_pattern_cases,
};
