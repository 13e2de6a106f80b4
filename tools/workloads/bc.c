// SPDX-License-Identifier: GPL-2.0
/* bc: betweenness centrality after GraphBIG. */
#include <errno.h>
#include <stdlib.h>

#include "../kernels/bc.c"
#include "graph_common.h"

/**
 * struct bc - state of a run
 * @g: the graph
 * @args: managed memory and sizes
 * @sources: how many
 * @start: the first
 */
struct bc {
	struct graph_run g;
	struct bc_args args;
	uint64_t sources;
	uint32_t start;
};

/**
 * struct bc_want - the same on the CPU
 * @level: distance from the source
 * @paths: to each vertex
 * @delta: dependency on each vertex
 * @centrality: sums over sources
 * @queue: vertices in the order in which they were reached
 */
struct bc_want {
	int32_t *level;
	uint64_t *paths;
	float *delta;
	float *centrality;
	uint32_t *queue;
};

static void bc_want_free(struct bc_want *w)
{
	free(w->level);
	free(w->paths);
	free(w->delta);
	free(w->centrality);
	free(w->queue);
}

static bool bc_want_alloc(struct bc_want *w, uint64_t vertices)
{
	w->level = calloc(vertices, sizeof(*w->level));
	w->paths = calloc(vertices, sizeof(*w->paths));
	w->delta = calloc(vertices, sizeof(*w->delta));
	w->centrality = calloc(vertices, sizeof(*w->centrality));
	w->queue = calloc(vertices, sizeof(*w->queue));
	return w->level && w->paths && w->delta && w->centrality && w->queue;
}

/* The first is --start, the others are drawn from the vertices that have edges. */
static uint32_t bc_source(const struct wl_run *run, uint64_t i)
{
	const struct bc *b = run->data;
	const struct graph *g = &b->g.graph;
	uint64_t random = wl_mix(run->seed) + i, v;

	if (!i || !g->edges)
		return b->start;
	do {
		random = wl_mix(random);
		v = random % g->vertices;
	} while (g->row[v] == g->row[v + 1]);
	return (uint32_t)v;
}

/* Levels and numbers of paths; returns how many vertices were reached. */
static uint64_t bc_search(const struct graph *g, struct bc_want *w, uint32_t source)
{
	uint64_t head = 0, tail = 0, i;

	for (i = 0; i < g->vertices; i++) {
		w->level[i] = -1;
		w->paths[i] = 0;
		w->delta[i] = 0.0f;
	}
	w->level[source] = 0;
	w->paths[source] = 1;
	w->queue[tail++] = source;
	while (head < tail) {
		uint32_t from = w->queue[head++];

		for (i = g->row[from]; i < g->row[from + 1]; i++) {
			uint32_t to = g->column[i];

			if (w->level[to] < 0) {
				w->level[to] = w->level[from] + 1;
				w->queue[tail++] = to;
			}
			if (w->level[to] == w->level[from] + 1)
				w->paths[to] += w->paths[from];
		}
	}
	return tail;
}

/* Dependencies, the last vertices that were reached first. */
static void bc_gather(const struct graph *g, struct bc_want *w, uint64_t reached)
{
	uint64_t i;

	while (reached--) {
		uint32_t v = w->queue[reached];
		float sum = 0.0f;

		for (i = g->row[v]; i < g->row[v + 1]; i++) {
			uint32_t to = g->column[i];

			if (w->level[to] == w->level[v] + 1)
				sum += bc_share((uint32_t)w->paths[v], (uint32_t)w->paths[to],
						w->delta[to]);
		}
		w->delta[v] = sum;
		/* The first of the queue is the source. */
		if (reached)
			w->centrality[v] += sum;
	}
}

/* Numbers of paths are words of 32 bits, as in GraphBIG: refuse a graph with more. */
static int bc_check_paths(struct wl_run *run, const struct bc_want *w, const uint32_t *queue,
			  uint64_t reached)
{
	while (reached--)
		if (w->paths[queue[reached]] > UINT32_MAX)
			return wl_fail(run, EINVAL, "too many shortest paths to vertex %u to count",
				       queue[reached]);
	return 0;
}

static int bc_check(struct wl_run *run)
{
	struct bc *b = run->data;
	struct bc_want w = { 0 };
	uint64_t i, reached;
	int err = 0;

	if (!bc_want_alloc(&w, b->g.graph.vertices))
		err = wl_fail(run, ENOMEM, "out of memory");
	for (i = 0; i < b->sources && !err; i++) {
		reached = bc_search(&b->g.graph, &w, bc_source(run, i));
		err = bc_check_paths(run, &w, w.queue, reached);
	}
	bc_want_free(&w);
	return err;
}

static int bc_setup(struct wl_run *run)
{
	static const struct graph_cost cost = {
		.vertex = sizeof(uint64_t) + 2 * sizeof(uint32_t) + 2 * sizeof(float),
		.edge = sizeof(uint64_t),
	};
	struct bc *b = run->data;
	struct bc_args *a = &b->args;
	int err;

	b->sources = wl_number(run, "sources");
	if (!b->sources)
		return wl_fail(run, EINVAL, "there must be a source");
	err = graph_setup(run, &b->g, &cost);
	if (!err)
		err = graph_start(run, &b->g.graph, &b->start);
	if (!err)
		err = bc_check(run);
	if (err)
		return err;
	a->graph = b->g.csr;
	a->level = wl_alloc(run, a->graph.vertices * sizeof(*a->level), "level");
	a->paths = wl_alloc(run, a->graph.vertices * sizeof(*a->paths), "paths");
	a->delta = wl_alloc(run, a->graph.vertices * sizeof(*a->delta), "delta");
	a->centrality = wl_alloc(run, a->graph.vertices * sizeof(*a->centrality), "centrality");
	a->changed = wl_alloc(run, sizeof(*a->changed), "changed");
	if (!a->level || !a->paths || !a->delta || !a->centrality || !a->changed)
		return -ENOMEM;
	wl_output(run, a->level);
	wl_output(run, a->paths);
	wl_output(run, a->delta);
	wl_output(run, a->centrality);
	return 0;
}

static int bc_init(struct wl_run *run)
{
	struct bc *b = run->data;

	graph_fill(&b->g);
	return 0;
}

static int bc_launch(struct wl_run *run, const char *entry)
{
	struct bc *b = run->data;

	return graph_launch(run, &b->g, entry, b->args.graph.vertices, &b->args,
			    sizeof(b->args));
}

static int bc_forward(struct wl_run *run)
{
	struct bc *b = run->data;
	uint32_t changed = 1;
	int err = 0;

	for (b->args.depth = 0; !err && changed; b->args.depth++) {
		if (b->args.depth > b->args.graph.vertices)
			return wl_wrong(run, "more levels than vertices");
		err = graph_word_write(run, b->args.changed, 0);
		if (!err)
			err = bc_launch(run, "bc_forward");
		if (!err)
			err = graph_word_read(run, b->args.changed, &changed);
	}
	return err;
}

static int bc_execute(struct wl_run *run)
{
	struct bc *b = run->data;
	uint64_t i;
	int err;

	err = bc_launch(run, "bc_clear");
	for (i = 0; i < b->sources && !err; i++) {
		b->args.source = bc_source(run, i);
		err = bc_launch(run, "bc_init");
		if (!err)
			err = bc_forward(run);
		/* The last level has nothing to sum. */
		if (!err)
			b->args.depth--;
		while (!err && b->args.depth) {
			b->args.depth--;
			err = bc_launch(run, "bc_backward");
		}
		if (!err)
			err = bc_launch(run, "bc_sum");
	}
	return err;
}

/* Of the last source levels and paths, of all of them the centrality. */
static int bc_compare(struct wl_run *run, const struct bc_want *w, uint64_t v)
{
	const struct bc *b = run->data;
	const struct bc_args *a = &b->args;
	uint32_t level = w->level[v] < 0 ? GRAPH_INFINITY : (uint32_t)w->level[v];

	if (a->level[v] != level || a->paths[v] != w->paths[v])
		return wl_wrong(run, "vertex %llu is on level %u with %u paths, not %u with %llu",
				(unsigned long long)v, a->level[v], a->paths[v], level,
				(unsigned long long)w->paths[v]);
	if (a->centrality[v] != w->centrality[v] || a->delta[v] != w->delta[v])
		return wl_wrong(run, "the centrality of vertex %llu is %.9g, not %.9g",
				(unsigned long long)v, a->centrality[v], w->centrality[v]);
	return 0;
}

static int bc_verify(struct wl_run *run)
{
	struct bc *b = run->data;
	const struct graph *g = &b->g.graph;
	struct bc_want w = { 0 };
	int wrong = 0;
	uint64_t i;

	if (!bc_want_alloc(&w, g->vertices)) {
		wrong = wl_fail(run, ENOMEM, "out of memory");
		goto out;
	}
	for (i = 0; i < b->sources; i++)
		bc_gather(g, &w, bc_search(g, &w, bc_source(run, i)));
	for (i = 0; i < g->vertices && !wrong; i++)
		wrong = bc_compare(run, &w, i);
out:
	bc_want_free(&w);
	return wrong;
}

static const struct wl_option bc_options[] = {
	GRAPH_OPTIONS("12", "16"),
	GRAPH_OPTION_START,
	{ "sources", WL_COUNT, "1", "paths from so many vertices; GraphBIG: from all" },
	GRAPH_OPTION_BLOCK,
	{ 0 },
};

static const struct wl_case bc_cases[] = {
	/* Several sources; one warp a block, and a size. */
	{ "--kronecker 8 --degree 4 --sources 3", "centrality", 8 },
	{ "--size 40K --block 32", "paths", 4 },
	{ 0 },
};

static const struct wl_size bc_sizes[] = {
	{ .small = "--size 3M" },
	{ 0 },
};

UVM_WORKLOAD(bc,
	     .what = "betweenness centrality: a search, and back level by level",
	     .group = "graphbig",
	     .image = "bc",
	     .options = bc_options,
	     .cases = bc_cases,
	     .sizes = bc_sizes,
	     .data_bytes = sizeof(struct bc),
	     .setup = bc_setup,
	     .init = bc_init,
	     .execute = bc_execute,
	     .verify = bc_verify,
	     .cleanup = graph_cleanup,
);
