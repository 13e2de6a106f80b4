// SPDX-License-Identifier: GPL-2.0
/*
 * b+tree: keys and ranges are looked up in a B+ tree.
 *
 * Keys of the records are 1, 3, 5 and so on, which tells what each query must find.
 */
#include <errno.h>

#include "../kernels/b_tree.c"
#include "../uvm/run/workload.h"

#define B_TREE_LEVELS_MAX	8
#define B_TREE_QUERIES_MAX	(1 << 24)

/**
 * struct b_tree - state of a run
 * @args: managed memory
 * @records: records
 * @nodes: of each level; the leaves are level 0
 * @start: where each level begins in the array of nodes
 * @nodes_all: of all levels
 * @finds: keys to find
 * @ranges: ranges to find
 * @width: records of a range
 * @ascending: queries come in the order of their keys
 */
struct b_tree {
	struct b_tree_args args;
	uint64_t records;
	uint64_t nodes[B_TREE_LEVELS_MAX], start[B_TREE_LEVELS_MAX];
	uint64_t nodes_all;
	uint64_t finds, ranges, width;
	bool ascending;
};

static uint32_t b_tree_key(uint64_t record)
{
	return (uint32_t)(2 * record + 1);
}

static uint32_t b_tree_record(const struct wl_run *run, uint64_t record)
{
	return (uint32_t)(wl_mix(run->seed + record) >> 33);
}

/* Query @i of @count: of any record, or of those of its turn; one in 16 is not there. */
static uint32_t b_tree_query(const struct wl_run *run, uint64_t i, uint64_t count)
{
	const struct b_tree *b = run->data;
	uint64_t mixed = wl_mix(~run->seed - i), from = 0, records = b->records;
	uint32_t key;

	if (b->ascending) {
		from = i * b->records / count;
		records = (i + 1) * b->records / count - from;
	}
	key = b_tree_key(from + (records ? mixed % records : 0));
	return key - !(mixed >> 60);
}

/* The last key of the range that begins at @from. */
static uint32_t b_tree_range_end(const struct b_tree *b, uint32_t from)
{
	uint64_t record = from / 2 + b->width - 1;

	return b_tree_key(record < b->records ? record : b->records - 1);
}

static void b_tree_shape(struct b_tree *b)
{
	uint64_t nodes = b->records;
	int level = 0, i;

	do {
		nodes = (nodes + B_TREE_FILLED - 1) / B_TREE_FILLED;
		b->nodes[level++] = nodes;
	} while (nodes > 1);
	b->args.levels = level - 1;
	for (i = level - 1; i >= 0; i--) {
		b->start[i] = b->nodes_all;
		b->nodes_all += b->nodes[i];
	}
}

static int b_tree_check_options(struct wl_run *run, struct b_tree *b)
{
	/* A record's share of nodes: its slot, and those above, in 64ths of a byte. */
	const uint64_t share = sizeof(struct b_tree_node) * 64 / (B_TREE_FILLED - 1) +
			       sizeof(uint32_t) * 64;

	b->records = wl_number(run, "size") >> 40 ? 0 : wl_number(run, "size") * 64 / share;
	if (!b->records || b->records > 1 << 30)
		return wl_fail(run, EINVAL, "the size must be 1K ... 20G: a record has 20 bytes");
	b_tree_shape(b);
	b->finds = wl_number(run, "finds") ? wl_number(run, "finds") : (b->nodes[0] + 1) / 2;
	b->ranges = wl_number(run, "ranges") ? wl_number(run, "ranges") : (b->nodes[0] + 1) / 2;
	if (b->finds > B_TREE_QUERIES_MAX || b->ranges > B_TREE_QUERIES_MAX)
		return wl_fail(run, EINVAL, "at most %d finds and ranges", B_TREE_QUERIES_MAX);
	b->width = wl_number(run, "width");
	if (!b->width || b->width > 1 << 30)
		return wl_fail(run, EINVAL, "the width must be 1 ... 1G");
	b->ascending = wl_flag(run, "ascending");
	return 0;
}

static int b_tree_search_alloc(struct wl_run *run, struct b_tree_search *search, uint64_t count,
			       const char * const names[3])
{
	search->key = wl_alloc(run, count * sizeof(uint32_t), names[0]);
	search->at = wl_alloc(run, count * sizeof(uint32_t), names[1]);
	search->next = wl_alloc(run, count * sizeof(uint32_t), names[2]);
	if (!search->key || !search->at || !search->next)
		return -ENOMEM;
	wl_input(run, search->key);
	wl_output(run, search->at);
	wl_output(run, search->next);
	return 0;
}

static int b_tree_setup(struct wl_run *run)
{
	static const char * const find[] = { "find", "find_at", "find_next" };
	static const char * const from[] = { "from", "from_at", "from_next" };
	static const char * const to[] = { "to", "to_at", "to_next" };
	struct b_tree *b = run->data;
	struct b_tree_args *a = &b->args;
	int err = b_tree_check_options(run, b);

	if (err)
		return err;
	a->node = wl_alloc(run, b->nodes_all * sizeof(*a->node), "nodes");
	a->record = wl_alloc(run, b->records * sizeof(*a->record), "records");
	a->answer = wl_alloc(run, b->finds * sizeof(*a->answer), "answer");
	a->first = wl_alloc(run, b->ranges * sizeof(*a->first), "first");
	a->length = wl_alloc(run, b->ranges * sizeof(*a->length), "length");
	if (!a->node || !a->record || !a->answer || !a->first || !a->length ||
	    b_tree_search_alloc(run, &a->find, b->finds, find) ||
	    b_tree_search_alloc(run, &a->from, b->ranges, from) ||
	    b_tree_search_alloc(run, &a->to, b->ranges, to))
		return -ENOMEM;
	wl_input(run, a->node);
	wl_input(run, a->record);
	wl_output(run, a->answer);
	wl_output(run, a->first);
	wl_output(run, a->length);
	return 0;
}

/* Node @number of a level.  @each: records below a slot. */
static void b_tree_fill(const struct b_tree *b, int level, uint64_t number, uint64_t each)
{
	struct b_tree_node *node = (struct b_tree_node *)b->args.node + b->start[level] + number;
	uint64_t first = number * B_TREE_FILLED, slot;
	uint64_t count = (level ? b->nodes[level - 1] : b->records) - first;

	if (count > B_TREE_FILLED)
		count = B_TREE_FILLED;
	for (slot = 0; slot <= B_TREE_ORDER; slot++)
		node->index[slot] = slot >= count ? 0 : (uint32_t)(first + slot) +
				    (level ? (uint32_t)b->start[level - 1] : 0);
	for (slot = 0; slot <= B_TREE_ORDER; slot++)
		node->key[slot] = slot >= count ? B_TREE_NONE : b_tree_key((first + slot) * each);
	/* Smaller keys than all are looked for in the first leaf. */
	if (level && !number)
		node->key[0] = 0;
	node->count = (uint32_t)count;
	node->leaf = !level;
}

static int b_tree_init(struct wl_run *run)
{
	struct b_tree *b = run->data;
	struct b_tree_args *a = &b->args;
	uint64_t each = 1, i;
	int level;

	for (level = 0; level < (int)a->levels; level++)
		each *= B_TREE_FILLED;
	for (level = (int)a->levels; level >= 0; level--, each /= B_TREE_FILLED)
		for (i = 0; i < b->nodes[level]; i++)
			b_tree_fill(b, level, i, each);
	for (i = 0; i < b->records; i++)
		((uint32_t *)a->record)[i] = b_tree_record(run, i);
	for (i = 0; i < b->finds; i++)
		((uint32_t *)a->find.key)[i] = b_tree_query(run, i, b->finds);
	for (i = 0; i < b->ranges; i++) {
		uint32_t from = b_tree_query(run, i, b->ranges);

		((uint32_t *)a->from.key)[i] = from;
		((uint32_t *)a->to.key)[i] = b_tree_range_end(b, from);
	}
	return 0;
}

static int b_tree_execute(struct wl_run *run)
{
	struct b_tree *b = run->data;
	int err;

	err = wl_launch(run, "b_tree_find", UVM_DIM((uint32_t)b->finds), UVM_DIM(B_TREE_ORDER), 0,
			&b->args, sizeof(b->args));
	if (!err)
		err = wl_launch(run, "b_tree_range", UVM_DIM((uint32_t)b->ranges),
				UVM_DIM(B_TREE_ORDER), 0, &b->args, sizeof(b->args));
	return err;
}

static int b_tree_verify(struct wl_run *run)
{
	const struct b_tree *b = run->data;
	const struct b_tree_args *a = &b->args;
	uint64_t i;

	for (i = 0; i < b->finds; i++) {
		uint32_t key = b_tree_query(run, i, b->finds);
		uint32_t want = key % 2 ? b_tree_record(run, key / 2) : B_TREE_NONE;

		if (a->answer[i] != want)
			return wl_wrong(run, "find %llu has %u, not %u", (unsigned long long)i,
					a->answer[i], want);
	}
	for (i = 0; i < b->ranges; i++) {
		uint32_t from = b_tree_query(run, i, b->ranges);
		uint32_t first = from % 2 ? from / 2 : B_TREE_NONE;
		uint32_t length = from % 2 ? b_tree_range_end(b, from) / 2 - first + 1 : 0;

		if (a->first[i] != first || a->length[i] != length)
			return wl_wrong(run, "range %llu has %u from %u, not %u from %u",
					(unsigned long long)i, a->length[i], a->first[i], length,
					first);
	}
	return 0;
}

static const struct wl_option b_tree_options[] = {
	{ "size", WL_BYTES, "10M", "footprint of tree and records" },
	{ "finds", WL_COUNT, "0", "keys to find; 0: as many as half of the leaves" },
	{ "ranges", WL_COUNT, "0", "ranges to find; 0: as many as half of the leaves" },
	{ "width", WL_COUNT, "3000", "records of a range" },
	{ "ascending", WL_FLAG, "", "queries in the order of keys, not of any" },
	{ 0 },
};

static const struct wl_case b_tree_cases[] = {
	{ "--size 512K --finds 300 --width 40", "answer", 4 * 200 },
	{ "--size 512K --ranges 50 --finds 1", "length", 4 * 40 },
	{ "--size 512K --width 40", "first", 4 * 90 },
	{ "--size 512K --finds 300 --ascending", "answer", 4 * 200 },
	/* The root is a leaf. */
	{ "--size 1K", "answer", 0 },
	{ 0 },
};

static const struct wl_size b_tree_sizes[] = {
	{ "--size 5M --finds 400 --ranges 200", "--size 2M --finds 200 --ranges 100" },
	{ 0 },
};

UVM_WORKLOAD_NAMED(b_tree, "b+tree",
		   .what = "keys and ranges of a B+ tree, a block for each query",
		   .group = "hpe",
		   .image = "b_tree",
		   .options = b_tree_options,
		   .cases = b_tree_cases,
		   .sizes = b_tree_sizes,
		   .data_bytes = sizeof(struct b_tree),
		   .setup = b_tree_setup,
		   .init = b_tree_init,
		   .execute = b_tree_execute,
		   .verify = b_tree_verify,
);
