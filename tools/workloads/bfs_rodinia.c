// SPDX-License-Identifier: GPL-2.0
/* bfs-rodinia: a breadth-first search after Rodinia. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../kernels/bfs_rodinia.c"
#include "graph_common.h"

#define BFS_LEAST	2	/* edges that a node draws, as in Rodinia's generator */
#define BFS_MOST	4
#define BFS_NODE_BYTES	(sizeof(struct bfs_rodinia_node) + 3 + sizeof(int32_t))
/* Each edge is there in both directions. */
#define BFS_BYTES	(BFS_NODE_BYTES + (BFS_LEAST + BFS_MOST) * sizeof(uint32_t))

/**
 * struct bfs_rodinia - state of a search
 * @graph: the original, in private memory: what the GPU has may not vouch for itself
 * @args: managed memory
 * @start: where it begins
 * @block: threads per block
 */
struct bfs_rodinia {
	struct graph graph;
	struct bfs_rodinia_args args;
	uint32_t start, block;
};

/* Each node draws a few others, all alike. */
static int bfs_draw(const struct wl_run *run, struct graph *g, uint64_t nodes)
{
	struct graph_list list = { .vertices = nodes };
	uint64_t node, state = wl_mix(run->seed), i, draws;
	int err = 0;

	for (node = 0; node < nodes && !err; node++) {
		draws = BFS_LEAST + wl_mix(state + node) % (BFS_MOST - BFS_LEAST + 1);
		for (i = 0; i < draws && !err; i++)
			err = graph_add(&list, node,
					wl_mix(~state - node * BFS_MOST - i) % nodes, 0);
	}
	if (err) {
		graph_list_free(&list);
		return err;
	}
	return graph_build(g, &list);
}

static int bfs_load_file(struct wl_run *run, struct graph *g, const char *path)
{
	FILE *file = fopen(path, "r");
	char error[256];
	int err;

	if (!file)
		return wl_fail(run, EINVAL, "%s: %s", path, strerror(errno));
	err = graph_read(g, file, path, false, error, sizeof(error));
	fclose(file);
	return err ? wl_fail(run, -err, "%s: %s", path, error) : 0;
}

static int bfs_load(struct wl_run *run, struct graph *g)
{
	const char *path = wl_text(run, "graph");
	uint64_t nodes = wl_number(run, "size") / BFS_BYTES;

	if (path[0])
		return bfs_load_file(run, g, path);
	if (nodes < 2 || nodes > 1 << 28)
		return wl_fail(run, EINVAL, "the size must be %zu bytes (2 nodes) ... %zuG",
			       2 * BFS_BYTES, BFS_BYTES / 4);
	if (bfs_draw(run, g, nodes))
		return wl_fail(run, ENOMEM, "out of memory");
	return 0;
}

static int bfs_setup(struct wl_run *run)
{
	struct bfs_rodinia *b = run->data;
	struct bfs_rodinia_args *a = &b->args;
	const struct graph *g = &b->graph;
	uint64_t block = wl_number(run, "block");
	int err;

	if (!block || block > 1024 || block % GRAPH_LANES)
		return wl_fail(run, EINVAL, "a block has 32 ... 1024 threads, a multiple of 32");
	b->block = (uint32_t)block;
	err = bfs_load(run, &b->graph);
	if (!err)
		err = graph_start(run, g, &b->start);
	if (!err && g->edges > UINT32_MAX)
		err = wl_fail(run, EINVAL, "the graph has more than 2^32 edges");
	if (err)
		return err;

	a->count = g->vertices;
	a->nodes = wl_alloc(run, a->count * sizeof(*a->nodes), "nodes");
	a->edges = wl_alloc(run, (g->edges + 1) * sizeof(*a->edges), "edges");
	a->mask = wl_alloc(run, a->count, "mask");
	a->updating = wl_alloc(run, a->count, "updating");
	a->visited = wl_alloc(run, a->count, "visited");
	a->cost = wl_alloc(run, a->count * sizeof(*a->cost), "cost");
	a->more = wl_alloc(run, sizeof(*a->more), "more");
	if (!a->nodes || !a->edges || !a->mask || !a->updating || !a->visited || !a->cost ||
	    !a->more)
		return -ENOMEM;
	wl_input(run, a->nodes);
	wl_input(run, a->edges);
	wl_input(run, a->mask);
	wl_input(run, a->updating);
	wl_input(run, a->visited);
	return 0;
}

static int bfs_init(struct wl_run *run)
{
	struct bfs_rodinia *b = run->data;
	const struct bfs_rodinia_args *a = &b->args;
	struct bfs_rodinia_node *nodes = (struct bfs_rodinia_node *)a->nodes;
	uint32_t *edges = (uint32_t *)a->edges;
	const uint64_t *row = b->graph.row;
	uint64_t i;

	for (i = 0; i < a->count; i++) {
		nodes[i].edge = (uint32_t)row[i];
		nodes[i].count = (uint32_t)(row[i + 1] - row[i]);
		a->mask[i] = i == b->start;
		a->updating[i] = 0;
		a->visited[i] = i == b->start;
		a->cost[i] = i == b->start ? 0 : BFS_RODINIA_UNSEEN;
	}
	for (i = 0; i < b->graph.edges; i++)
		edges[i] = b->graph.column[i];
	return 0;
}

static int bfs_launch(struct wl_run *run, const char *entry)
{
	const struct bfs_rodinia *b = run->data;
	uint64_t blocks = (b->args.count + b->block - 1) / b->block;

	return wl_launch(run, entry, UVM_DIM((uint32_t)blocks), UVM_DIM(b->block), 0, &b->args,
			 sizeof(b->args));
}

static int bfs_execute(struct wl_run *run)
{
	struct bfs_rodinia *b = run->data;
	uint32_t more = 1;
	uint64_t level;
	int err = 0;

	for (level = 0; more && !err; level++) {
		/* Wrong marks must not keep it going. */
		if (level > b->args.count)
			return wl_wrong(run, "more levels than nodes");
		err = graph_word_write(run, b->args.more, 0);
		if (!err)
			err = bfs_launch(run, "bfs_rodinia");
		if (!err)
			err = bfs_launch(run, "bfs_rodinia_update");
		if (!err)
			err = graph_word_read(run, b->args.more, &more);
	}
	return err;
}

static int bfs_verify(struct wl_run *run)
{
	struct bfs_rodinia *b = run->data;
	int32_t *want = malloc(b->args.count * sizeof(*want));
	uint64_t i;
	int wrong = 0;

	if (!want || graph_levels(&b->graph, b->start, BFS_RODINIA_UNSEEN, want)) {
		wrong = wl_fail(run, ENOMEM, "out of memory");
		goto out;
	}
	for (i = 0; i < b->args.count && !wrong; i++)
		if (b->args.cost[i] != want[i])
			wrong = wl_wrong(run, "node %llu is on level %d, not %d",
					 (unsigned long long)i, b->args.cost[i], want[i]);
out:
	free(want);
	return wrong;
}

static void bfs_cleanup(struct wl_run *run)
{
	struct bfs_rodinia *b = run->data;

	graph_free(&b->graph);
}

static const struct wl_option bfs_options[] = {
	{ "size", WL_BYTES, "9M", "footprint: 39 bytes for each node and its edges" },
	{ "graph", WL_TEXT, "", "or a Matrix Market or DIMACS file or list of edges" },
	GRAPH_OPTION_START,
	{ "block", WL_COUNT, "512", "threads per block, a multiple of 32" },
	{ 0 },
};

static const struct wl_case bfs_cases[] = {
	{ "--size 100K", "cost", 4 * 1000 },
	{ "--size 20K --start 3 --block 32", "cost", 4 * 3 },
	{ 0 },
};

static const struct wl_size bfs_sizes[] = {
	{ .small = "--size 2.5M" },
	{ 0 },
};

UVM_WORKLOAD_NAMED(bfs_rodinia, "bfs-rodinia",
		   .what = "breadth-first search: every node, flags for the frontier",
		   .group = "hpe",
		   .image = "bfs_rodinia",
		   .options = bfs_options,
		   .cases = bfs_cases,
		   .sizes = bfs_sizes,
		   .data_bytes = sizeof(struct bfs_rodinia),
		   .setup = bfs_setup,
		   .init = bfs_init,
		   .execute = bfs_execute,
		   .verify = bfs_verify,
		   .cleanup = bfs_cleanup,
);
