// SPDX-License-Identifier: GPL-2.0
/* bfs: level-synchronous breadth-first search of a real or generated graph. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../kernels/bfs.c"
#include "../uvm/graph.h"
#include "../uvm/parse.h"
#include "../uvm/workload.h"

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

static int bfs_load_file(struct wl_run *run, struct bfs *b, const char *path)
{
	FILE *file = fopen(path, "r");
	char error[128];
	int err;

	if (!file)
		return wl_fail(run, EINVAL, "%s: %s", path, strerror(errno));
	err = graph_read(&b->graph, file, error, sizeof(error));
	fclose(file);
	return err ? wl_fail(run, -err, "%s: %s", path, error) : 0;
}

static int bfs_load(struct wl_run *run, struct bfs *b)
{
	uint64_t scale = wl_number(run, "kronecker"), degree = wl_number(run, "degree");
	const char *path = wl_text(run, "graph");

	if (path[0])
		return bfs_load_file(run, b, path);
	if (!scale || scale > 28 || !degree || degree > 1024)
		return wl_fail(run, EINVAL, "the scale must be 1 ... 28, the degree 1 ... 1024");
	if (graph_kronecker(&b->graph, (unsigned int)scale, degree, run->seed))
		return wl_fail(run, ENOMEM, "out of memory");
	return 0;
}

static int bfs_setup(struct wl_run *run)
{
	struct bfs *b = run->data;
	struct graph *g = &b->graph;
	const char *text = wl_text(run, "start");
	uint64_t start;
	int err;

	err = bfs_load(run, b);
	if (err)
		return err;
	start = graph_hub(g);
	if (text[0] && (!parse_size(text, &start) || start >= g->vertices))
		return wl_fail(run, EINVAL, "no vertex %s: the graph has %llu", text,
			       (unsigned long long)g->vertices);
	b->start = (uint32_t)start;

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
	{ "graph", WL_TEXT, "", "Matrix Market file or list of edges" },
	{ "kronecker", WL_COUNT, "16", "without --graph: generate 2^N vertices" },
	{ "degree", WL_COUNT, "24", "and draw so many edges per vertex" },
	{ "start", WL_TEXT, "", "first vertex; by default the one with most neighbours" },
	{ 0 },
};

UVM_WORKLOAD(bfs,
	     .what = "level-synchronous breadth-first search",
	     .image = "bfs",
	     .options = bfs_options,
	     .data_bytes = sizeof(struct bfs),
	     .setup = bfs_setup,
	     .init = bfs_init,
	     .execute = bfs_execute,
	     .verify = bfs_verify,
	     .cleanup = bfs_cleanup,
);
