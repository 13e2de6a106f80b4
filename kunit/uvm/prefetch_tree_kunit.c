// SPDX-License-Identifier: GPL-2.0
/*
 * The density tree, by worked examples and against a slow model.
 */
#include <kunit/test.h>
#include <linux/moduleparam.h>
#include <linux/prandom.h>
#include "uvm/policy/nvidia/prefetch_tree.h"
#include "uvm_pure.h"

static unsigned int prefetch_seed = 1;
module_param(prefetch_seed, uint, 0444);
MODULE_PARM_DESC(prefetch_seed, "seed of the random prefetch inputs");

#define ALL	{ 0, 512 }

/* Regions are [first, outer); an empty one ends a list. */
struct prefetch_case {
	const char *rule;
	struct uvm_region max;
	unsigned int threshold;
	struct uvm_region resident[3];
	struct uvm_region faulted[3];
	struct uvm_region thrashing[2];
	struct uvm_region want[4];
	bool first_touch_preferred;
	struct uvm_region cpu_mapped;
};

static const struct prefetch_case prefetch_cases[] = {
	{ "one isolated fault fills its 64K", ALL, 51, {}, { { 100, 101 } }, {},
	  { { 96, 100 }, { 101, 112 } } },
	{ "1 of 2 is 50%: never enough at 51", ALL, 51, { { 0, 16 } }, { { 40, 41 } }, {},
	  { { 32, 40 }, { 41, 48 } } },
	{ "2 of 2 reach 128K, 2 of 4 do not", ALL, 51, { { 0, 16 } }, { { 16, 17 } }, {},
	  { { 0, 16 }, { 17, 32 } } },
	{ "3 of 4 consecutive 64K grow to 256K", ALL, 51, { { 0, 32 } }, { { 32, 33 } }, {},
	  { { 0, 32 }, { 33, 64 } } },
	{ "largest passing level, though a smaller one failed", ALL, 51,
	  { { 0, 128 } }, { { 200, 201 } }, {}, { { 0, 200 }, { 201, 256 } } },
	{ "nothing above 50% of 512 pages", ALL, 51, { { 0, 240 } }, { { 240, 241 } }, {},
	  { { 0, 240 }, { 241, 256 } } },
	{ "17 of 32 64K pages are enough for 2 MB", ALL, 51, { { 0, 256 } }, { { 300, 301 } }, {},
	  { { 0, 300 }, { 301, 512 } } },
	{ "a fault at either end of its 64K is the same", ALL, 51, {}, { { 111, 112 } }, {},
	  { { 96, 111 } } },
	{ "two faults far apart are two regions", ALL, 51, {}, { { 0, 1 }, { 511, 512 } }, {},
	  { { 1, 16 }, { 496, 511 } } },
	{ "faults of one call count for each other", ALL, 51, {},
	  { { 0, 1 }, { 16, 17 }, { 32, 33 } }, {}, { { 1, 16 }, { 17, 32 }, { 33, 64 } } },
	{ "prefetched pages are not fed back into the tree", ALL, 51,
	  { { 0, 16 }, { 64, 80 } }, { { 16, 17 }, { 40, 41 } }, {},
	  /* 3 of 4 fill [0, 64), counted 4 of 8 they do not fill 512K */
	  { { 0, 16 }, { 17, 40 }, { 41, 64 } } },
	{ "threshold 0: any fault fills everything", ALL, 0, {}, { { 7, 8 } }, {},
	  { { 0, 7 }, { 8, 512 } } },
	{ "threshold 100: more than everything never is", ALL, 100, { { 1, 512 } }, { { 0, 1 } },
	  {}, {} },
	{ "threshold 75: 3 of 4 are not more than 75%", ALL, 75, { { 0, 32 } }, { { 32, 33 } }, {},
	  { { 33, 48 } } },
	{ "threshold 25: 1 of 2 passes, 1 of 4 does not", ALL, 25, {}, { { 0, 1 } }, {},
	  { { 1, 32 } } },
	{ "threshold 10: 1 of 8 passes, 1 of 16 does not", ALL, 10, {}, { { 511, 512 } }, {},
	  { { 384, 511 } } },

	{ "short block: the rest after the last 64K grows as a unit", { 0, 100 }, 51, {},
	  { { 99, 100 } }, {}, { { 96, 99 } } },
	{ "short block: nodes are clipped to it, 48 of 100 do not do", { 0, 100 }, 51,
	  { { 0, 32 } }, { { 32, 33 } }, {}, { { 0, 32 }, { 33, 64 } } },
	{ "short block: 64 of 100 do", { 0, 100 }, 51, { { 0, 48 } }, { { 48, 49 } }, {},
	  { { 0, 48 }, { 49, 100 } } },
	{ "unaligned block: pages before the first 64K are a unit", { 5, 512 }, 51, {},
	  { { 5, 6 } }, {}, { { 6, 16 } } },
	{ "offset rule: the missing pages count as not taken", { 12, 512 }, 51, {},
	  { { 13, 14 } }, {}, { { 12, 13 }, { 14, 16 } } },
	{ "offset rule: 64K pages stay subtrees", { 12, 512 }, 51, {}, { { 16, 17 } }, {},
	  { { 17, 32 } } },
	{ "offset rule: 4 of 32 in [0,32) although 4 of 20 exist", { 12, 512 }, 15, {},
	  { { 12, 13 } }, {}, { { 13, 16 } } },
	{ "without a 64K page the whole block is a unit", { 3, 12 }, 51, {}, { { 5, 6 } }, {},
	  { { 3, 5 }, { 6, 12 } } },
	{ "the same across a 64K border", { 3, 20 }, 51, {}, { { 18, 19 } }, {},
	  { { 3, 18 }, { 19, 20 } } },
	{ "short at both ends", { 10, 40 }, 51, {}, { { 35, 36 } }, {},
	  { { 32, 35 }, { 36, 40 } } },
	{ "second half of a frame", { 256, 512 }, 51, { { 256, 384 } }, { { 400, 401 } }, {},
	  { { 256, 400 }, { 401, 512 } } },
	{ "one page", { 17, 18 }, 51, {}, { { 17, 18 } }, {}, {} },

	{ "a 64K page with a thrashing page does not grow", ALL, 51, {}, { { 3, 4 } },
	  { { 7, 8 } }, {} },
	{ "a thrashing page is no candidate", ALL, 0, {}, { { 3, 4 } }, { { 3, 4 } }, {} },
	{ "a thrashing page is never prefetched", ALL, 25, { { 0, 16 } }, { { 32, 33 } },
	  { { 20, 21 } }, { { 0, 20 }, { 21, 32 }, { 33, 64 } } },
	{ "a thrashing faulted page does not grow, others do", ALL, 51, { { 0, 32 } },
	  { { 32, 33 }, { 64, 65 } }, { { 64, 65 } }, { { 0, 32 }, { 33, 64 } } },

	{ "first touch with preferred location: all but the faulted", { 4, 300 }, 51, {},
	  { { 50, 51 } }, {}, { { 4, 50 }, { 51, 300 } }, true },
	{ "the same leaves thrashing pages out", ALL, 51, {}, { { 0, 1 } }, { { 9, 11 } },
	  { { 1, 9 }, { 11, 512 } }, true },
	{ "to the CPU: pages it has mapped are left out", ALL, 25, {}, { { 0, 1 } }, {},
	  { { 1, 20 }, { 24, 32 } }, false, { 20, 24 } },
};

static void prefetch_fill(struct uvm_page_mask *mask, const struct uvm_region *regions, int max)
{
	uvm_page_mask_zero(mask);
	for (int i = 0; i < max && !uvm_region_empty(regions[i]); i++)
		uvm_page_mask_or_region(mask, regions[i]);
}

static void prefetch_examples(struct kunit *test)
{
	for (int i = 0; i < ARRAY_SIZE(prefetch_cases); i++) {
		const struct prefetch_case *c = &prefetch_cases[i];
		struct uvm_page_mask resident, faulted, thrashing, cpu_mapped, want, got;
		struct uvm_prefetch_input in = {
			.resident = &resident,
			.faulted = &faulted,
			.thrashing = c->thrashing[0].outer ? &thrashing : NULL,
			.cpu_mapped_resident = &cpu_mapped,
			.max_region = c->max,
			.faulted_region = c->max,
			.threshold = c->threshold,
			.first_touch_preferred = c->first_touch_preferred,
			.dst_is_cpu = !uvm_region_empty(c->cpu_mapped),
		};

		prefetch_fill(&resident, c->resident, 3);
		prefetch_fill(&faulted, c->faulted, 3);
		prefetch_fill(&thrashing, c->thrashing, 2);
		prefetch_fill(&want, c->want, 4);
		uvm_page_mask_fill_region(&cpu_mapped, c->cpu_mapped);
		uvm_prefetch_tree_compute(&in, &got);
		KUNIT_EXPECT_TRUE_MSG(test, uvm_page_mask_equal(&got, &want),
				      "%s: got %*pbl, want %*pbl", c->rule, UVM_PAGES_PER_BLOCK,
				      got.bits, UVM_PAGES_PER_BLOCK, want.bits);
	}
}

/* Sequential first touch of 2 MB: bytes in KB that each fault brings. */
struct sequential_case {
	unsigned int threshold;
	unsigned int faults;
	unsigned int kb[6];
};

static const struct sequential_case sequential_cases[] = {
	{ 0, 1, { 2048 } },
	{ 10, 2, { 512, 1536 } },
	{ 25, 3, { 128, 384, 1536 } },
	{ 51, 6, { 64, 64, 128, 256, 512, 1024 } },
	{ 75, 20, { 64, 64, 64, 64, 64, 64 } },
	{ 100, 512, { 4, 4, 4, 4, 4, 4 } },
};

static unsigned int sequential_faults(struct kunit *test, const struct sequential_case *c,
				      bool downwards)
{
	struct uvm_region all = uvm_region_make(0, UVM_PAGES_PER_BLOCK);
	struct uvm_page_mask resident = {}, faulted, got;
	struct uvm_prefetch_input in = {
		.resident = &resident, .faulted = &faulted, .threshold = c->threshold,
		.max_region = all, .faulted_region = all,
	};
	unsigned int n, i;

	for (n = 0, i = 0; i < UVM_PAGES_PER_BLOCK; i++) {
		unsigned int page = downwards ? UVM_PAGES_PER_BLOCK - 1 - i : i;
		unsigned int before = uvm_page_mask_weight(&resident);

		if (uvm_page_mask_test(&resident, page))
			continue;
		uvm_page_mask_fill_region(&faulted, uvm_region_make(page, page + 1));
		uvm_prefetch_tree_compute(&in, &got);
		uvm_page_mask_or(&resident, &resident, &got);
		uvm_page_mask_set(&resident, page);
		if (n < 6)
			KUNIT_EXPECT_EQ_MSG(test, (uvm_page_mask_weight(&resident) - before) * 4,
					    c->kb[n], "threshold %u, fault %u", c->threshold, n);
		n++;
	}
	return n;
}

static void prefetch_sequential_first_touch(struct kunit *test)
{
	for (int i = 0; i < ARRAY_SIZE(sequential_cases); i++) {
		const struct sequential_case *c = &sequential_cases[i];

		KUNIT_EXPECT_EQ_MSG(test, sequential_faults(test, c, false), c->faults,
				    "upwards, threshold %u", c->threshold);
		/* The tree is symmetric for a whole block. */
		KUNIT_EXPECT_EQ_MSG(test, sequential_faults(test, c, true), c->faults,
				    "downwards, threshold %u", c->threshold);
	}
}

/* Least number of pages of a node that is more than 51 percent. */
static const unsigned int prefetch_needed[][2] = {
	{ 16, 9 }, { 32, 17 }, { 64, 33 }, { 128, 66 }, { 256, 131 }, { 512, 262 },
};

static void prefetch_threshold_is_strict(struct kunit *test)
{
	for (int i = 0; i < ARRAY_SIZE(prefetch_needed); i++) {
		unsigned int size = prefetch_needed[i][0], needed = prefetch_needed[i][1];

		for (unsigned int n = needed - 1; n <= needed; n++) {
			struct uvm_page_mask resident, faulted, thrashing, got;
			struct uvm_prefetch_input in = {
				.resident = &resident, .faulted = &faulted,
				.thrashing = &thrashing, .threshold = 51,
				.max_region = uvm_region_make(0, size),
				.faulted_region = uvm_region_make(0, size),
			};

			/* A thrashing neighbour, so that the fault does not grow to 64K. */
			uvm_page_mask_fill_region(&faulted, uvm_region_make(0, 1));
			uvm_page_mask_fill_region(&thrashing, uvm_region_make(1, 2));
			uvm_page_mask_fill_region(&resident, uvm_region_make(2, n + 1));
			uvm_prefetch_tree_compute(&in, &got);
			KUNIT_EXPECT_EQ_MSG(test, uvm_page_mask_test(&got, size - 1), n == needed,
					    "%u of %u", n, size);
		}
	}
}

/* ---- a model that does everything page by page ------------------------------ */

static bool model_test(const struct uvm_page_mask *mask, int page)
{
	return mask && test_bit(page, mask->bits);
}

/* First page of the unit that grows together with @page, and one past its last. */
static void model_unit(const struct uvm_prefetch_input *in, int page, int *first, int *outer)
{
	int m0 = in->max_region.first, m1 = in->max_region.outer;
	int b0 = (m0 + 15) / 16 * 16, b1 = m1 / 16 * 16;

	if (b0 >= b1) {
		*first = m0;
		*outer = m1;
	} else if (page < b0) {
		*first = m0;
		*outer = b0;
	} else if (page >= b1) {
		*first = b1;
		*outer = m1;
	} else {
		*first = page / 16 * 16;
		*outer = *first + 16;
	}
}

static bool model_taken(const struct uvm_prefetch_input *in, int page)
{
	bool fault = false, thrash = false;
	int first, outer;

	if (model_test(in->faulted, page) || model_test(in->resident, page))
		return true;
	model_unit(in, page, &first, &outer);
	for (; first < outer; first++) {
		fault |= model_test(in->faulted, first);
		thrash |= model_test(in->thrashing, first);
	}
	return fault && !thrash;
}

/*
 * Number of the leaf of the first page: its place in its 64K page, if the block
 * holds a whole one; else 0.
 */
static int model_offset(const struct uvm_prefetch_input *in)
{
	int m0 = in->max_region.first;

	return (m0 + 15) / 16 < in->max_region.outer / 16 ? m0 % 16 : 0;
}

/* @below: number of taken leaves below each leaf */
static void model_compute(const struct uvm_prefetch_input *in, int *below,
			  struct uvm_page_mask *out)
{
	int m0 = in->max_region.first, m1 = in->max_region.outer;
	int offset = model_offset(in), leaves = m1 - m0 + offset;

	below[0] = 0;
	for (int l = 0; l < leaves; l++)
		below[l + 1] = below[l] + (l >= offset && model_taken(in, l - offset + m0));

	uvm_page_mask_zero(out);
	for (int p = in->faulted_region.first; p < in->faulted_region.outer; p++) {
		int best0 = 0, best1 = 0, leaf = p - m0 + offset;

		if (!model_test(in->faulted, p) || model_test(in->thrashing, p))
			continue;
		for (int size = 1; size < 2 * leaves; size *= 2) {
			int l0 = leaf / size * size, l1 = l0 + size;

			l1 = l1 > leaves ? leaves : l1;
			if ((below[l1] - below[l0]) * 100 > (l1 - l0) * (int)in->threshold) {
				best0 = l0;
				best1 = l1;
			}
		}
		for (int l = best0; l < best1; l++)
			if (l >= offset)
				__set_bit(l - offset + m0, out->bits);
	}
	for (int p = 0; p < UVM_PAGES_PER_BLOCK; p++) {
		if (model_test(in->faulted, p) || model_test(in->thrashing, p) ||
		    (in->dst_is_cpu && model_test(in->cpu_mapped_resident, p)))
			__clear_bit(p, out->bits);
	}
}

/* A few random runs within a region. */
static void model_random(struct rnd_state *rnd, struct uvm_page_mask *mask,
			 struct uvm_region region, unsigned int runs, unsigned int longest)
{
	uvm_page_mask_zero(mask);
	while (runs--) {
		unsigned int first = region.first +
				     prandom_u32_state(rnd) % uvm_region_num_pages(region);
		unsigned int outer = first + 1 + prandom_u32_state(rnd) % longest;

		outer = min_t(unsigned int, outer, region.outer);
		uvm_page_mask_or_region(mask, uvm_region_make(first, outer));
	}
}

/* What one comparison needs, too much for the stack: 64 bytes a mask. */
struct model_run {
	struct uvm_page_mask resident, faulted, thrashing, cpu_mapped, want, got;
	int below[UVM_PAGES_PER_BLOCK + 1];
};

/* One input, drawn. */
static struct uvm_prefetch_input model_draw(struct rnd_state *rnd, struct model_run *run)
{
	static const unsigned int thresholds[] = { 0, 10, 25, 50, 51, 75, 99, 100 };
	u32 bits = prandom_u32_state(rnd);
	struct uvm_prefetch_input in = {
		.resident = bits & 1 ? &run->resident : NULL,
		.faulted = &run->faulted,
		.thrashing = bits & 2 ? &run->thrashing : NULL,
		.cpu_mapped_resident = bits & 4 ? &run->cpu_mapped : NULL,
		.dst_is_cpu = bits & 8,
		.threshold = thresholds[(bits >> 4) % ARRAY_SIZE(thresholds)],
		.max_region = uvm_region_make(0, UVM_PAGES_PER_BLOCK),
	};

	if (bits & 0x100)
		in.max_region.first = prandom_u32_state(rnd) % 511;
	if (bits & 0x200)
		in.max_region.outer = in.max_region.first + 1 +
			prandom_u32_state(rnd) % (512 - in.max_region.first);
	model_random(rnd, &run->resident, in.max_region, (bits >> 12) % 8, 80);
	model_random(rnd, &run->faulted, in.max_region, 1 + (bits >> 16) % 10, 20);
	model_random(rnd, &run->thrashing, in.max_region, (bits >> 20) % 4, 3);
	model_random(rnd, &run->cpu_mapped, in.max_region, (bits >> 24) % 4, 100);
	in.faulted_region = bits & 0x400 ? uvm_page_mask_span(&run->faulted) : in.max_region;
	return in;
}

static void prefetch_random_against_model(struct kunit *test)
{
	struct model_run *run = kunit_kzalloc(test, sizeof(*run), GFP_KERNEL);
	struct rnd_state rnd;

	KUNIT_ASSERT_NOT_NULL(test, run);
	kunit_info(test, "prefetch_seed=%u\n", prefetch_seed);
	prandom_seed_state(&rnd, prefetch_seed);
	for (int i = 0; i < 2000; i++) {
		struct uvm_prefetch_input in = model_draw(&rnd, run);

		uvm_prefetch_tree_compute(&in, &run->got);
		model_compute(&in, run->below, &run->want);
		KUNIT_ASSERT_TRUE_MSG(test, uvm_page_mask_equal(&run->got, &run->want),
				      "input %d of seed %u: got %*pbl, want %*pbl", i,
				      prefetch_seed, UVM_PAGES_PER_BLOCK, run->got.bits,
				      UVM_PAGES_PER_BLOCK, run->want.bits);
	}
}

/* ---- decide ------------------------------------------------------------------ */

static void select_everything(const struct uvm_prefetch_input *in, struct uvm_page_mask *prefetch)
{
	uvm_page_mask_fill(prefetch);
}

struct decide_step {
	const char *rule;
	bool enable;
	u8 dst;
	u8 preferred;
	bool resident_anywhere;
	unsigned int faults;
	unsigned int min_faults;
	unsigned int want_pages;
	unsigned int want_count;
	u8 want_last;
};

#define GPU0	UVM_ID_GPU(0)
#define GPU1	UVM_ID_GPU(1)
#define NOBODY	UVM_ID_INVALID

/* One block, one step after the other; faulted are the first pages. */
static const struct decide_step decide_steps[] = {
	{ "off: no hint, nothing remembered", false, GPU0, NOBODY, false, 3, 1, 0, 0, NOBODY },
	{ "no preferred location: tree", true, GPU0, NOBODY, false, 1, 1, 15, 1, GPU0 },
	{ "the count goes on", true, GPU0, NOBODY, true, 2, 1, 14, 3, GPU0 },
	{ "below min_faults: no hint, but counted", true, GPU0, NOBODY, true, 2, 6, 0, 5, GPU0 },
	{ "min_faults reached by these", true, GPU0, NOBODY, true, 1, 6, 15, 6, GPU0 },
	{ "another destination starts anew", true, UVM_ID_CPU, NOBODY, true, 1, 2, 0, 1,
	  UVM_ID_CPU },
	{ "first touch at the preferred location: all", true, GPU1, GPU1, false, 1, 1, 511, 1,
	  GPU1 },
	{ "later touch at the preferred location: tree", true, GPU1, GPU1, true, 1, 1, 15, 2,
	  GPU1 },
	{ "preferred elsewhere: none, but counted", true, GPU1, GPU0, true, 4, 1, 0, 6, GPU1 },
	{ "first touch, preferred elsewhere: none", true, GPU1, GPU0, false, 1, 1, 0, 7, GPU1 },
	{ "everything faulted: nothing left", true, GPU1, NOBODY, true, 512, 1, 0, 519, GPU1 },
};

static void prefetch_decisions(struct kunit *test)
{
	struct uvm_prefetch_state state;

	uvm_prefetch_state_init(&state);
	for (int i = 0; i < ARRAY_SIZE(decide_steps); i++) {
		const struct decide_step *s = &decide_steps[i];
		struct uvm_page_mask faulted, got;
		struct uvm_prefetch_request req = {
			.in = {
				.faulted = &faulted, .threshold = 51,
				.max_region = uvm_region_make(0, 512),
				.faulted_region = uvm_region_make(0, 512),
			},
			.select = uvm_prefetch_tree_compute,
			.enable = s->enable, .min_faults = s->min_faults, .dst = s->dst,
			.preferred = s->preferred, .resident_anywhere = s->resident_anywhere,
		};
		bool hint;

		uvm_page_mask_fill_region(&faulted, uvm_region_make(0, s->faults));
		hint = uvm_prefetch_decide(&state, &req, &got);
		KUNIT_EXPECT_EQ_MSG(test, hint, s->want_pages > 0, "%s", s->rule);
		KUNIT_EXPECT_EQ_MSG(test, uvm_page_mask_weight(&got), s->want_pages,
				    "%s", s->rule);
		KUNIT_EXPECT_EQ_MSG(test, state.migrations, s->want_count, "%s", s->rule);
		KUNIT_EXPECT_EQ_MSG(test, state.last_proc, s->want_last, "%s", s->rule);
	}
}

/*
 * A range that begins @prefix pages before a 64K boundary, 21 faults, and a tree that is
 * taken to more than 51 %: nvidia-uvm leaves out the first 16 - @prefix pages.
 */
static void prefetch_quirk(struct kunit *test)
{
	static const struct {
		unsigned int prefix, right, quirk;
	} rows[] = { { 1, 476, 463 }, { 3, 478, 467 }, { 8, 483, 476 } };
	struct uvm_page_mask faulted, got, without;

	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
		unsigned int start = 16 - rows[i].prefix;
		struct uvm_prefetch_input in = {
			.faulted = &faulted, .threshold = 51,
			.max_region = uvm_region_make(start, 512),
			.faulted_region = uvm_region_make(start, 512),
		};

		uvm_page_mask_zero(&faulted);
		uvm_page_mask_set(&faulted, start);
		for (unsigned int k = 0; k < 20; k++)
			uvm_page_mask_set(&faulted, start + 12 + 24 * k);
		uvm_prefetch_tree_compute(&in, &got);
		KUNIT_EXPECT_EQ(test, rows[i].right, uvm_page_mask_weight(&got));
		in.quirks = true;
		uvm_prefetch_tree_compute(&in, &without);
		KUNIT_EXPECT_EQ(test, rows[i].quirk, uvm_page_mask_weight(&without));
		uvm_page_mask_andnot(&got, &got, &without);
		KUNIT_EXPECT_LE(test, uvm_page_mask_span(&got).outer, start + 16 - rows[i].prefix);
	}
}

/* Aligned, or a subtree that holds pages only: nothing changes. */
static void prefetch_quirk_elsewhere(struct kunit *test)
{
	struct uvm_page_mask faulted, got, quirk;
	struct uvm_prefetch_input in = {
		.faulted = &faulted, .threshold = 51,
		.max_region = uvm_region_make(0, 512),
		.faulted_region = uvm_region_make(0, 512),
	};

	uvm_page_mask_fill_region(&faulted, uvm_region_make(3, 4));
	uvm_prefetch_tree_compute(&in, &got);
	in.quirks = true;
	uvm_prefetch_tree_compute(&in, &quirk);
	KUNIT_EXPECT_EQ(test, 15, uvm_page_mask_weight(&got));
	KUNIT_EXPECT_TRUE(test, uvm_page_mask_equal(&got, &quirk));
	/* a subtree of 16 leaves with one page: begins behind its end, so nothing is fetched */
	in.max_region = uvm_region_make(15, 512);
	in.faulted_region = in.max_region;
	uvm_page_mask_fill_region(&faulted, uvm_region_make(15, 16));
	uvm_prefetch_tree_compute(&in, &quirk);
	KUNIT_EXPECT_TRUE(test, uvm_page_mask_empty(&quirk));
}

static void prefetch_answers_are_clamped(struct kunit *test)
{
	struct uvm_page_mask faulted, thrashing, got;
	struct uvm_prefetch_state state;
	struct uvm_prefetch_request req = {
		.in = {
			.faulted = &faulted, .thrashing = &thrashing,
			.max_region = uvm_region_make(10, 20),
			.faulted_region = uvm_region_make(10, 20),
		},
		.select = select_everything, .enable = true, .min_faults = 1,
		.dst = GPU0, .preferred = NOBODY,
	};

	uvm_prefetch_state_init(&state);
	uvm_page_mask_fill_region(&faulted, uvm_region_make(12, 14));
	uvm_page_mask_fill_region(&thrashing, uvm_region_make(19, 20));
	KUNIT_EXPECT_TRUE(test, uvm_prefetch_decide(&state, &req, &got));
	KUNIT_EXPECT_EQ(test, uvm_page_mask_weight(&got), 7);
	KUNIT_EXPECT_EQ(test, uvm_page_mask_span(&got).first, 10);
	KUNIT_EXPECT_EQ(test, uvm_page_mask_span(&got).outer, 19);
	KUNIT_EXPECT_FALSE(test, uvm_page_mask_intersects(&got, &faulted));

	uvm_page_mask_fill_region(&got, uvm_region_make(9, 12));
	KUNIT_EXPECT_FALSE(test, uvm_prefetch_clamp(&req.in, &got));
	KUNIT_EXPECT_TRUE(test, uvm_prefetch_clamp(&req.in, &got));
	KUNIT_EXPECT_EQ(test, uvm_page_mask_weight(&got), 2);
}

static struct kunit_case prefetch_kunit_cases[] = {
	KUNIT_CASE(prefetch_examples),
	KUNIT_CASE(prefetch_sequential_first_touch),
	KUNIT_CASE(prefetch_threshold_is_strict),
	KUNIT_CASE_SLOW(prefetch_random_against_model),
	KUNIT_CASE(prefetch_quirk),
	KUNIT_CASE(prefetch_quirk_elsewhere),
	KUNIT_CASE(prefetch_decisions),
	KUNIT_CASE(prefetch_answers_are_clamped),
	{}
};

struct kunit_suite uvm_prefetch_tree_suite = {
	.name = "uvm_prefetch_tree",
	.test_cases = prefetch_kunit_cases,
};
