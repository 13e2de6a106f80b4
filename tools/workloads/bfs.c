// SPDX-License-Identifier: GPL-2.0
/* bfs: level-synchronous breadth-first search of a real or generated graph. */
#include <errno.h>
#include <stdlib.h>

#include "../kernels/bfs.c"
#include "graph_common.h"

#define BFS_BLOCK	128
#define BFS_WARPS	(BFS_BLOCK / BFS_LANES)
#define BFS_BLOCKS_MAX	4096

/**
 * struct bfs - state of a search
 * @graph: the original, in private memory: what the GPU has may not vouch for itself
 * @row: managed copy
 * @column: managed copy
 * @level: managed
 * @frontier: managed, two in turn
 * @count: managed, length of the next frontier
 * @start: first vertex
 */
struct bfs {
	struct graph graph;
	uint64_t *row;
	uint32_t *column;
	int32_t *level;
	uint32_t *frontier[2];
	uint32_t *count;
	uint32_t start;
};

static int bfs_setup(struct wl_run *run)
{
	static const struct graph_cost cost = {
		.vertex = sizeof(uint64_t) + sizeof(int32_t) + 2 * sizeof(uint32_t),
		.edge = sizeof(uint32_t),
	};
	struct bfs *b = run->data;
	struct graph *g = &b->graph;
	int err;

	err = graph_load(run, g, &cost);
	if (!err)
		err = graph_start(run, g, &b->start);
	if (err)
		return err;

	b->row = wl_alloc(run, (g->vertices + 1) * sizeof(*b->row), "row");
	b->column = wl_alloc(run, (g->edges + 1) * sizeof(*b->column), "column");
	b->level = wl_alloc(run, g->vertices * sizeof(*b->level), "level");
	b->frontier[0] = wl_alloc(run, g->vertices * sizeof(uint32_t), "frontier0");
	b->frontier[1] = wl_alloc(run, g->vertices * sizeof(uint32_t), "frontier1");
	b->count = wl_alloc(run, sizeof(*b->count), "count");
	if (!b->row || !b->column || !b->level || !b->frontier[0] || !b->frontier[1] || !b->count)
		return -ENOMEM;
	wl_input(run, b->row);
	wl_input(run, b->column);
	return 0;
}

static int bfs_init(struct wl_run *run)
{
	struct bfs *b = run->data;
	uint64_t i;

	for (i = 0; i <= b->graph.vertices; i++)
		b->row[i] = b->graph.row[i];
	for (i = 0; i < b->graph.edges; i++)
		b->column[i] = b->graph.column[i];
	for (i = 0; i < b->graph.vertices; i++)
		b->level[i] = BFS_UNSEEN;
	b->level[b->start] = 0;
	b->frontier[0][0] = b->start;
	*b->count = 0;
	return 0;
}

static int bfs_execute(struct wl_run *run)
{
	struct bfs *b = run->data;
	uint32_t length = 1, blocks;
	int32_t depth;
	int err;

	for (depth = 0; length; depth++) {
		struct bfs_args args = {
			.row = b->row, .column = b->column, .level = b->level,
			.frontier = b->frontier[depth % 2], .next = b->frontier[(depth + 1) % 2],
			.next_count = b->count, .frontier_count = length, .depth = depth,
		};

		*b->count = 0;
		err = wl_to_gpu(run, b->count, sizeof(*b->count));
		if (err)
			return err;
		blocks = (length + BFS_WARPS - 1) / BFS_WARPS;
		if (blocks > BFS_BLOCKS_MAX)
			blocks = BFS_BLOCKS_MAX;
		err = wl_launch(run, "bfs", UVM_DIM(blocks), UVM_DIM(BFS_BLOCK), 0, &args,
				sizeof(args));
		if (!err)
			err = wl_to_cpu(run, b->count, sizeof(*b->count));
		if (err)
			return err;
		length = *b->count;
		/* Wrong lengths must not send the next launch astray. */
		if (length > b->graph.vertices || (uint64_t)depth > b->graph.vertices)
			return wl_wrong(run, "level %d has %u vertices", depth + 1, length);
	}
	return 0;
}

static int bfs_verify(struct wl_run *run)
{
	struct bfs *b = run->data;
	int32_t *want = malloc(b->graph.vertices * sizeof(*want));
	uint64_t i;
	int wrong = 0;

	if (!want || graph_levels(&b->graph, b->start, BFS_UNSEEN, want)) {
		wrong = wl_fail(run, ENOMEM, "out of memory");
		goto out;
	}
	for (i = 0; i < b->graph.vertices && !wrong; i++)
		if (b->level[i] != want[i])
			wrong = wl_wrong(run, "vertex %llu is on level %d, not %d",
					 (unsigned long long)i, b->level[i], want[i]);
out:
	free(want);
	return wrong;
}

static void bfs_cleanup(struct wl_run *run)
{
	struct bfs *b = run->data;

	graph_free(&b->graph);
}

static const struct wl_option bfs_options[] = {
	GRAPH_OPTIONS("16", "24"),
	GRAPH_OPTION_START,
	{ 0 },
};

static const struct wl_case bfs_cases[] = {
	{ "--kronecker 9 --degree 4", "level", 0 },
	{ "--kronecker 6 --degree 20 --start 3", "level", 12 },
	{ 0 },
};

static const struct wl_size bfs_sizes[] = {
	{ "--kronecker 13 --degree 24", "--kronecker 11 --degree 16" },
	{ 0 },
};

UVM_WORKLOAD(bfs,
	     .what = "level-synchronous breadth-first search",
	     .image = "bfs",
	     .options = bfs_options,
	     .cases = bfs_cases,
	     .sizes = bfs_sizes,
	     .data_bytes = sizeof(struct bfs),
	     .setup = bfs_setup,
	     .init = bfs_init,
	     .execute = bfs_execute,
	     .verify = bfs_verify,
	     .cleanup = bfs_cleanup,
);
