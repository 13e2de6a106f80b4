// SPDX-License-Identifier: GPL-2.0
/* bfs-dwc, bfs-ta, bfs-tf, bfs-ttc, bfs-twc: breadth-first searches after GraphBIG. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "../kernels/graph_bfs.h"
#include "graph_common.h"

/**
 * struct graph_bfs - state of a search
 * @g: the graph
 * @args: managed memory and sizes
 */
struct graph_bfs {
	struct graph_run g;
	struct graph_bfs_args args;
};

/* What all of them have. */
static int bfs_setup_levels(struct wl_run *run, uint64_t more_per_vertex)
{
	struct graph_cost cost = {
		.vertex = sizeof(uint64_t) + sizeof(uint32_t) + more_per_vertex,
		.edge = sizeof(uint64_t),
	};
	struct graph_bfs *b = run->data;
	struct graph_bfs_args *a = &b->args;
	int err;

	err = graph_setup(run, &b->g, &cost);
	if (!err)
		err = graph_start(run, &b->g.graph, &a->start);
	if (err)
		return err;
	a->graph = b->g.csr;
	a->level = wl_alloc(run, a->graph.vertices * sizeof(*a->level), "level");
	if (!a->level)
		return -ENOMEM;
	wl_output(run, a->level);
	return 0;
}

static int bfs_setup_topological(struct wl_run *run)
{
	struct graph_bfs *b = run->data;
	int err;

	err = bfs_setup_levels(run, 0);
	if (err)
		return err;
	b->args.changed = wl_alloc(run, sizeof(*b->args.changed), "changed");
	return b->args.changed ? 0 : -ENOMEM;
}

static int bfs_setup_frontier(struct wl_run *run)
{
	struct graph_bfs *b = run->data;
	struct graph_bfs_args *a = &b->args;
	int err;

	err = bfs_setup_levels(run, 3 * sizeof(uint8_t));
	if (err)
		return err;
	a->frontier = wl_alloc(run, a->graph.vertices, "frontier");
	a->updating = wl_alloc(run, a->graph.vertices, "updating");
	a->visited = wl_alloc(run, a->graph.vertices, "visited");
	a->changed = wl_alloc(run, sizeof(*a->changed), "changed");
	if (!a->frontier || !a->updating || !a->visited || !a->changed)
		return -ENOMEM;
	wl_output(run, a->frontier);
	wl_output(run, a->updating);
	wl_output(run, a->visited);
	return 0;
}

static int bfs_setup_worklist(struct wl_run *run)
{
	struct graph_bfs *b = run->data;
	struct graph_bfs_args *a = &b->args;
	int err;

	err = bfs_setup_levels(run, 2 * sizeof(uint64_t));
	if (err)
		return err;
	a->worklist = wl_alloc(run, a->graph.vertices * sizeof(uint64_t), "worklist0");
	a->next = wl_alloc(run, a->graph.vertices * sizeof(uint64_t), "worklist1");
	a->next_count = wl_alloc(run, sizeof(*a->next_count), "count");
	if (!a->worklist || !a->next || !a->next_count)
		return -ENOMEM;
	wl_output(run, a->worklist);
	wl_output(run, a->next);
	return 0;
}

static int bfs_init(struct wl_run *run)
{
	struct graph_bfs *b = run->data;

	graph_fill(&b->g);
	return 0;
}

/* The kernel named like the image, with a suffix. */
static int bfs_launch(struct wl_run *run, const char *suffix, uint64_t threads)
{
	struct graph_bfs *b = run->data;
	char entry[32];

	snprintf(entry, sizeof(entry), "%s%s", run->workload->image, suffix);
	return graph_launch(run, &b->g, entry, threads, &b->args, sizeof(b->args));
}

/* Launch after launch with a thread for every vertex, until nothing changes. */
static int bfs_execute_topological(struct wl_run *run)
{
	struct graph_bfs *b = run->data;
	struct graph_bfs_args *a = &b->args;
	uint32_t changed = 1;
	int err;

	err = bfs_launch(run, "_init", a->graph.vertices);
	for (a->depth = 0; !err && changed; a->depth++) {
		if (a->depth > a->graph.vertices)
			return wl_wrong(run, "more levels than vertices");
		err = graph_word_write(run, a->changed, 0);
		if (!err)
			err = bfs_launch(run, "", a->graph.vertices);
		if (!err && a->frontier)
			err = bfs_launch(run, "_update", a->graph.vertices);
		if (!err)
			err = graph_word_read(run, a->changed, &changed);
	}
	return err;
}

static int bfs_execute_worklist(struct wl_run *run)
{
	struct graph_bfs *b = run->data;
	struct graph_bfs_args *a = &b->args;
	uint64_t *swap;
	int err;

	err = bfs_launch(run, "_init", a->graph.vertices);
	a->count = 1;
	for (a->depth = 0; !err && a->count; a->depth++) {
		err = graph_word_write(run, a->next_count, 0);
		if (!err)
			err = bfs_launch(run, "", a->count);
		if (!err)
			err = graph_word_read(run, a->next_count, &a->count);
		/* Wrong lengths must not send the next launch astray. */
		if (!err && (a->count > a->graph.vertices || a->depth > a->graph.vertices))
			return wl_wrong(run, "level %u has %u vertices", a->depth + 1, a->count);
		swap = a->worklist;
		a->worklist = a->next;
		a->next = swap;
	}
	return err;
}

static int bfs_verify(struct wl_run *run)
{
	struct graph_bfs *b = run->data;
	const struct graph *g = &b->g.graph;
	int32_t *want = malloc(g->vertices * sizeof(*want));
	uint64_t i;
	int wrong = 0;

	if (!want || graph_levels(g, b->args.start, (int32_t)GRAPH_INFINITY, want)) {
		wrong = wl_fail(run, ENOMEM, "out of memory");
		goto out;
	}
	for (i = 0; i < g->vertices && !wrong; i++)
		if (b->args.level[i] != (uint32_t)want[i])
			wrong = wl_wrong(run, "vertex %llu is on level %u, not %u",
					 (unsigned long long)i, b->args.level[i],
					 (uint32_t)want[i]);
out:
	free(want);
	return wrong;
}

static const struct wl_option bfs_options[] = {
	GRAPH_OPTIONS("13", "16"),
	GRAPH_OPTION_START,
	GRAPH_OPTION_BLOCK,
	{ 0 },
};

static const struct wl_case bfs_dwc_cases[] = {
	{ "--kronecker 9 --degree 30 --block 32", "level", 0 },
	{ "--size 100K", "level", 9 },
	{ 0 },
};

static const struct wl_case bfs_ta_cases[] = {
	{ "--kronecker 9 --degree 4 --block 96", "level", 0 },
	{ 0 },
};

static const struct wl_case bfs_tf_cases[] = {
	{ "--kronecker 9 --degree 4 --start 3", "level", 4 },
	{ 0 },
};

static const struct wl_case bfs_ttc_cases[] = {
	{ "--kronecker 9 --degree 4", "level", 5 },
	{ "--kronecker 9 --initiator 45,15,15,25 --shuffle", "level", 5 },
	{ 0 },
};

static const struct wl_case bfs_twc_cases[] = {
	{ "--size 60000", "level", 0 },
	{ 0 },
};

static const struct wl_size bfs_sizes[] = {
	{ .small = "--size 3M" },
	{ 0 },
};

#define GRAPH_BFS(id, text, words, kind, how)			\
UVM_WORKLOAD_NAMED(id, text,					\
		   .what = words,				\
		   .group = "graphbig",				\
		   .image = #id,				\
		   .options = bfs_options,			\
		   .cases = id##_cases,				\
		   .sizes = bfs_sizes,				\
		   .data_bytes = sizeof(struct graph_bfs),	\
		   .setup = bfs_setup_##kind,			\
		   .init = bfs_init,				\
		   .execute = bfs_execute_##how,		\
		   .verify = bfs_verify,			\
		   .cleanup = graph_cleanup,			\
)

GRAPH_BFS(bfs_dwc, "bfs-dwc", "breadth-first search: worklist, a warp per vertex",
	  worklist, worklist);
GRAPH_BFS(bfs_ta, "bfs-ta", "breadth-first search: every vertex, atomics",
	  topological, topological);
GRAPH_BFS(bfs_tf, "bfs-tf", "breadth-first search: every vertex, flags for the frontier",
	  frontier, topological);
GRAPH_BFS(bfs_ttc, "bfs-ttc", "breadth-first search: every vertex, a thread each",
	  topological, topological);
GRAPH_BFS(bfs_twc, "bfs-twc", "breadth-first search: every vertex, a warp each",
	  topological, topological);
