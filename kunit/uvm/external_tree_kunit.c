// SPDX-License-Identifier: GPL-2.0
/*
 * External ranges: collisions, maps of GPUs, and how maps are cut into pieces
 * (external_tree.h; nvidia-uvm 6.3).
 */
#include <kunit/test.h>
#include "uvm/model/external_tree.h"
#include "uvm_pure.h"

#define K4	0x1000ULL
#define K64	0x10000ULL
#define M2	0x200000ULL
#define BASE	0x7f0000000000ULL

/* Offsets from BASE; ends are one past the last byte. */
struct span_case {
	const char *rule;
	u64 start, end;
	int want;
};

static void external_collide(struct kunit *test)
{
	static const struct span_case cases[] = {
		{ "the same", K64, 2 * K64, -EEXIST },
		{ "inside", K64 + K4, K64 + 2 * K4, -EEXIST },
		{ "around", 0, M2, -EEXIST },
		{ "over the start", 0, K64 + K4, -EEXIST },
		{ "over the end", 2 * K64 - K4, 3 * K64, -EEXIST },
		{ "beside, before", 0, K64, 0 },
		{ "beside, behind", 2 * K64, 3 * K64, 0 },
	};
	struct uvm_external_range first, other;
	struct rb_root_cached tree = RB_ROOT_CACHED;
	unsigned int i;

	first.node.start = BASE + K64;
	first.node.last = BASE + 2 * K64 - 1;
	KUNIT_EXPECT_EQ(test, uvm_external_insert(&tree, &first), 0);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		other.node.start = BASE + cases[i].start;
		other.node.last = BASE + cases[i].end - 1;
		KUNIT_EXPECT_EQ_MSG(test, uvm_external_overlaps(&tree, other.node.start,
								other.node.last),
				    cases[i].want != 0, "%s", cases[i].rule);
		KUNIT_EXPECT_EQ_MSG(test, uvm_external_insert(&tree, &other), cases[i].want, "%s",
				    cases[i].rule);
		if (!cases[i].want)
			uvm_external_remove(&tree, &other);
	}
	KUNIT_EXPECT_PTR_EQ(test, uvm_external_first(&tree), &first);
	uvm_external_remove(&tree, &first);
	KUNIT_EXPECT_NULL(test, uvm_external_first(&tree));
}

static void external_find(struct kunit *test)
{
	static const struct span_case cases[] = {
		{ "all of it", K64, M2, 1 }, { "a page of it", K64, K64 + K4, 1 },
		{ "its last page", M2 - K4, M2, 1 }, { "and more", K64, M2 + K4, 0 },
		{ "and before", K64 - K4, M2, 0 }, { "elsewhere", 0, K64, 0 },
	};
	struct rb_root_cached tree = RB_ROOT_CACHED;
	struct uvm_external_range range;
	unsigned int i;

	range.node.start = BASE + K64;
	range.node.last = BASE + M2 - 1;
	KUNIT_EXPECT_EQ(test, uvm_external_insert(&tree, &range), 0);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct uvm_external_range *want = NULL;

		if (cases[i].want)
			want = &range;

		KUNIT_EXPECT_PTR_EQ_MSG(test,
					uvm_external_find(&tree, BASE + cases[i].start,
							  BASE + cases[i].end - 1),
					want, "%s", cases[i].rule);
	}
}

/* Maps of one GPU never overlap; another GPU's are of no concern. */
static void external_maps(struct kunit *test)
{
	static const struct {
		const char *rule;
		unsigned int gpu;
		u64 start, end;
		int want;
	} cases[] = {
		{ "first", 0, 4 * K4, 8 * K4, 0 },
		{ "again", 0, 4 * K4, 8 * K4, -EEXIST },
		{ "for another GPU", 1, 2 * K4, 6 * K4, 0 },
		{ "over its end", 0, 7 * K4, 9 * K4, -EEXIST },
		{ "over its start", 0, 0, 5 * K4, -EEXIST },
		{ "around", 0, 0, K64, -EEXIST },
		{ "behind", 0, 8 * K4, 9 * K4, 0 },
		{ "before", 0, 0, 4 * K4, 0 },
		{ "out of the range", 0, K64 - K4, K64 + K4, -EINVAL },
		{ "before the range", 0, -K4, K4, -EINVAL },
	};
	static const struct {
		const char *rule;
		unsigned int gpu;
		u64 start, end;
		int want;
		unsigned int taken;
	} takes[] = {
		{ "cuts one", 0, 0, 5 * K4, -EINVAL, 0 },
		{ "nothing there", 0, 10 * K4, K64, -ENOENT, 0 },
		{ "none of that GPU", 2, 0, K64, -ENOENT, 0 },
		{ "two of three", 0, 4 * K4, K64, 0, 2 },
		{ "the last", 0, 0, K64, 0, 1 },
		{ "the other GPU's is untouched", 1, 0, K64, 0, 1 },
	};
	struct uvm_external_span maps[ARRAY_SIZE(cases)];
	struct rb_root_cached tree = RB_ROOT_CACHED;
	struct uvm_external_range range;
	struct uvm_external_span *at;
	unsigned int i, n;
	u64 last;

	range.node.start = BASE;
	range.node.last = BASE + K64 - 1;
	KUNIT_EXPECT_EQ(test, uvm_external_insert(&tree, &range), 0);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		maps[i].gpu = cases[i].gpu;
		maps[i].start = BASE + cases[i].start;
		maps[i].end = BASE + cases[i].end - 1;
		KUNIT_EXPECT_EQ_MSG(test, uvm_external_add_map(&range, &maps[i]), cases[i].want,
				    "%s", cases[i].rule);
	}
	for (i = 0; i < ARRAY_SIZE(takes); i++) {
		LIST_HEAD(taken);

		KUNIT_EXPECT_EQ_MSG(test, uvm_external_take_maps(&range, BASE + takes[i].start,
								 BASE + takes[i].end - 1,
								 takes[i].gpu, &taken),
				    takes[i].want, "%s", takes[i].rule);
		n = 0;
		last = 0;
		list_for_each_entry(at, &taken, node) {
			KUNIT_EXPECT_GT_MSG(test, at->start, last, "in order: %s", takes[i].rule);
			KUNIT_EXPECT_EQ(test, at->gpu, takes[i].gpu);
			last = at->start;
			n++;
		}
		KUNIT_EXPECT_EQ_MSG(test, n, takes[i].taken, "%s", takes[i].rule);
	}
	KUNIT_EXPECT_TRUE(test, list_empty(&range.maps));
}

/* Two cease to be peers: what one has mapped of the other's memory goes, and nothing else. */
static void external_peers(struct kunit *test)
{
	static const struct {
		unsigned int gpu, owner;
	} maps[] = {
		{ 0, 0 }, { 0, 1 }, { 0, UVM_EXTERNAL_SYSTEM }, { 0, 2 }, { 0, 1 },
		{ 1, 0 }, { 1, 1 }, { 1, UVM_EXTERNAL_SYSTEM }, { 2, 1 },
	};
	static const struct {
		unsigned int gpu, owner, first, taken;
	} takes[] = {
		{ 0, 1, 1, 2 }, { 0, 1, 0, 0 }, { 1, 0, 5, 1 }, { 2, 0, 0, 0 }, { 2, 1, 8, 1 },
		{ 0, 2, 3, 1 },
	};
	struct uvm_external_span spans[ARRAY_SIZE(maps)], *at;
	struct rb_root_cached tree = RB_ROOT_CACHED;
	struct uvm_external_range range;
	unsigned int i, n;
	u64 last;

	range.node.start = BASE;
	range.node.last = BASE + K64 - 1;
	KUNIT_EXPECT_EQ(test, uvm_external_insert(&tree, &range), 0);
	for (i = 0; i < ARRAY_SIZE(maps); i++) {
		spans[i].gpu = maps[i].gpu;
		spans[i].owner = maps[i].owner;
		spans[i].start = BASE + i * K4;
		spans[i].end = BASE + i * K4 + K4 - 1;
		KUNIT_EXPECT_EQ(test, uvm_external_add_map(&range, &spans[i]), 0);
	}
	for (i = 0; i < ARRAY_SIZE(takes); i++) {
		LIST_HEAD(taken);

		uvm_external_take_peer(&range, takes[i].gpu, takes[i].owner, &taken);
		n = 0;
		last = 0;
		list_for_each_entry(at, &taken, node) {
			if (!n++)
				KUNIT_EXPECT_PTR_EQ(test, at, &spans[takes[i].first]);
			KUNIT_EXPECT_GT_MSG(test, at->start, last, "in order: row %u", i);
			KUNIT_EXPECT_EQ(test, at->gpu, takes[i].gpu);
			KUNIT_EXPECT_EQ(test, at->owner, takes[i].owner);
			last = at->start;
		}
		KUNIT_EXPECT_EQ_MSG(test, n, takes[i].taken, "row %u", i);
	}
	n = 0;
	list_for_each_entry(at, &range.maps, node)
		n++;
	KUNIT_EXPECT_EQ_MSG(test, n, 4, "own memory and the system's stays");
}

/* Which map a semaphore is released through. */
static void external_find_map(struct kunit *test)
{
	static const struct {
		unsigned int gpu;
		u64 start, end;
	} maps[] = {
		{ 1, 0, 2 * K4 }, { 1, 2 * K4, 3 * K4 }, { 2, K4, 3 * K4 },
	};
	static const struct {
		const char *rule;
		unsigned int gpu;
		u64 start, end;
		int want;		/* index of @maps, or -1 */
	} cases[] = {
		{ "of the GPU that is asked for", 1, K4, K4 + 4, 0 },
		{ "of the GPU that is asked for, not the first", 2, K4, K4 + 4, 2 },
		{ "of the first if that has none", 0, K4, K4 + 4, 0 },
		{ "of another if that has none there", 2, 0, 4, 0 },
		{ "its last bytes", 1, 3 * K4 - 4, 3 * K4, 1 },
		{ "not over two maps", 1, 2 * K4 - 2, 2 * K4 + 2, 2 },
		{ "nor without one that holds it", 1, 3 * K4 - 2, 3 * K4 + 2, -1 },
		{ "nothing there", 1, 4 * K4, 4 * K4 + 4, -1 },
	};
	struct uvm_external_span spans[ARRAY_SIZE(maps)];
	struct rb_root_cached tree = RB_ROOT_CACHED;
	struct uvm_external_span *want;
	struct uvm_external_range range;
	unsigned int i;

	range.node.start = BASE;
	range.node.last = BASE + K64 - 1;
	KUNIT_EXPECT_EQ(test, uvm_external_insert(&tree, &range), 0);
	for (i = 0; i < ARRAY_SIZE(maps); i++) {
		spans[i].gpu = maps[i].gpu;
		spans[i].start = BASE + maps[i].start;
		spans[i].end = BASE + maps[i].end - 1;
		KUNIT_EXPECT_EQ(test, uvm_external_add_map(&range, &spans[i]), 0);
	}
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		want = NULL;
		if (cases[i].want >= 0)
			want = &spans[cases[i].want];
		KUNIT_EXPECT_PTR_EQ_MSG(test, want,
					uvm_external_find_map(&range, BASE + cases[i].start,
							      BASE + cases[i].end - 1,
							      cases[i].gpu),
					"%s", cases[i].rule);
	}
}

struct piece_case {
	const char *rule;
	u64 va, offset, bytes;
	struct {
		u64 bytes;
		u64 page_size;
	} want[4];
};

static const struct piece_case piece_cases[] = {
	{ "all aligned", 0, 0, M2, { { M2, K64 } } },
	{ "never across 2 MB", 0, 0, 2 * M2, { { M2, K64 }, { M2, K64 } } },
	{ "never across 2 MB of the address", M2 - K64, M2 - K64, 3 * K64,
	  { { K64, K64 }, { 2 * K64, K64 } } },
	{ "too short for 64 KB", 0, 0, K4, { { K4, K4 } } },
	{ "head and tail", 3 * K4, 3 * K4, 2 * K64,
	  { { K64 - 3 * K4, K4 }, { K64, K64 }, { 3 * K4, K4 } } },
	{ "address and offset do not agree", 0, K4, M2, { { M2, K4 } } },
	{ "nor here, across 2 MB", M2 - K4, 0, K64, { { K4, K4 }, { K64 - K4, K4 } } },
	{ "they agree within 64 KB", K64, 5 * K64, K64, { { K64, K64 } } },
	{ "head only", K64 - K4, M2 - K4, K4 + K64, { { K4, K4 }, { K64, K64 } } },
};

/* 64 KB pages where address and physical address allow. */
static void external_pieces(struct kunit *test)
{
	unsigned int i, p;

	for (i = 0; i < ARRAY_SIZE(piece_cases); i++) {
		const struct piece_case *c = &piece_cases[i];
		u64 va = BASE + c->va, offset = c->offset, left = c->bytes, page_size, bytes;

		for (p = 0; left && p < ARRAY_SIZE(c->want); p++) {
			bytes = uvm_external_piece(va, offset, left, &page_size);
			KUNIT_EXPECT_EQ_MSG(test, bytes, c->want[p].bytes, "%s, piece %u", c->rule,
					    p);
			KUNIT_EXPECT_EQ_MSG(test, page_size, c->want[p].page_size, "%s, piece %u",
					    c->rule, p);
			va += bytes;
			offset += bytes;
			left -= bytes;
		}
		KUNIT_EXPECT_EQ_MSG(test, left, 0, "%s", c->rule);
	}
}

static struct kunit_case external_kunit_cases[] = {
	KUNIT_CASE(external_collide),
	KUNIT_CASE(external_find),
	KUNIT_CASE(external_maps),
	KUNIT_CASE(external_peers),
	KUNIT_CASE(external_find_map),
	KUNIT_CASE(external_pieces),
	{ }
};

struct kunit_suite uvm_external_tree_suite = {
	.name = "uvm_external_tree",
	.test_cases = external_kunit_cases,
};
