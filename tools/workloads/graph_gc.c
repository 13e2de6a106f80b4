// SPDX-License-Identifier: GPL-2.0
/* gc-dtc, gc-ttc: graph colourings after GraphBIG. */
#include <errno.h>
#include <stdlib.h>

#include "../kernels/graph_gc.h"
#include "graph_common.h"

/**
 * struct graph_gc - state of a run
 * @g: the graph
 * @args: managed memory and sizes
 * @rounds: at most
 * @sort: worklists are put in order
 */
struct graph_gc {
	struct graph_run g;
	struct graph_gc_args args;
	uint64_t rounds;
	bool sort;
};

static uint32_t gc_priority(const struct wl_run *run, uint64_t v)
{
	return (uint32_t)(wl_mix(run->seed + v) >> 32);
}

static int gc_setup_colors(struct wl_run *run, uint64_t more_per_vertex)
{
	struct graph_cost cost = {
		.vertex = sizeof(uint64_t) + 2 * sizeof(uint32_t) + more_per_vertex,
		.edge = sizeof(uint64_t),
	};
	struct graph_gc *c = run->data;
	struct graph_gc_args *a = &c->args;
	int err;

	c->rounds = wl_number(run, "rounds");
	if (!c->rounds)
		return wl_fail(run, EINVAL, "there must be a round");
	err = graph_setup(run, &c->g, &cost);
	if (err)
		return err;
	a->graph = c->g.csr;
	a->color = wl_alloc(run, a->graph.vertices * sizeof(*a->color), "color");
	a->priority = wl_alloc(run, a->graph.vertices * sizeof(*a->priority), "priority");
	if (!a->color || !a->priority)
		return -ENOMEM;
	wl_output(run, a->color);
	wl_input(run, a->priority);
	return 0;
}

static int gc_setup_topological(struct wl_run *run)
{
	struct graph_gc *c = run->data;
	int err;

	err = gc_setup_colors(run, 0);
	if (err)
		return err;
	c->args.changed = wl_alloc(run, sizeof(*c->args.changed), "changed");
	return c->args.changed ? 0 : -ENOMEM;
}

static int gc_setup_worklist(struct wl_run *run)
{
	struct graph_gc *c = run->data;
	struct graph_gc_args *a = &c->args;
	int err;

	c->sort = wl_flag(run, "sort");
	err = gc_setup_colors(run, 2 * sizeof(uint64_t));
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

static int gc_init(struct wl_run *run)
{
	struct graph_gc *c = run->data;
	uint32_t *priority = (uint32_t *)c->args.priority;
	uint64_t v;

	graph_fill(&c->g);
	for (v = 0; v < c->g.graph.vertices; v++)
		priority[v] = gc_priority(run, v);
	return 0;
}

static int gc_launch(struct wl_run *run, const char *entry, uint64_t threads)
{
	struct graph_gc *c = run->data;

	return graph_launch(run, &c->g, entry, threads, &c->args, sizeof(c->args));
}

static int gc_execute_topological(struct wl_run *run)
{
	struct graph_gc *c = run->data;
	struct graph_gc_args *a = &c->args;
	uint32_t changed = 1;
	int err;

	err = gc_launch(run, "gc_ttc_init", a->graph.vertices);
	for (a->round = 0; !err && changed && a->round < c->rounds; a->round++) {
		if (a->round > a->graph.vertices)
			return wl_wrong(run, "more colors than vertices");
		err = graph_word_write(run, a->changed, 0);
		if (!err)
			err = gc_launch(run, "gc_ttc", a->graph.vertices);
		if (!err)
			err = graph_word_read(run, a->changed, &changed);
	}
	return err;
}

static int gc_compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/*
 * A list is in the order in which the threads of the round before came to their ends, which
 * takes neighbours in memory apart, more in each round.
 */
static int gc_sort_worklist(struct wl_run *run)
{
	struct graph_gc_args *a = &((struct graph_gc *)run->data)->args;
	uint64_t bytes = a->count * sizeof(*a->worklist);
	int err;

	err = wl_to_cpu(run, a->worklist, bytes);
	if (err)
		return err;
	qsort(a->worklist, a->count, sizeof(*a->worklist), gc_compare);
	return wl_to_gpu(run, a->worklist, bytes);
}

static int gc_execute_worklist(struct wl_run *run)
{
	struct graph_gc *c = run->data;
	struct graph_gc_args *a = &c->args;
	uint64_t *swap;
	int err;

	err = gc_launch(run, "gc_dtc_init", a->graph.vertices);
	a->count = (uint32_t)a->graph.vertices;
	for (a->round = 0; !err && a->count && a->round < c->rounds; a->round++) {
		err = graph_word_write(run, a->next_count, 0);
		if (!err)
			err = gc_launch(run, "gc_dtc", a->count);
		if (!err)
			err = graph_word_read(run, a->next_count, &a->count);
		/* Wrong lengths must not send the next launch astray. */
		if (!err && (a->count > a->graph.vertices || a->round > a->graph.vertices))
			return wl_wrong(run, "round %u leaves %u vertices", a->round, a->count);
		swap = a->worklist;
		a->worklist = a->next;
		a->next = swap;
		if (!err && c->sort && a->count)
			err = gc_sort_worklist(run);
	}
	return err;
}

/* One vertex after the other in the order of priorities, the first color that will do. */
static bool gc_want(const struct wl_run *run, uint32_t *want)
{
	const struct graph_gc *c = run->data;
	const struct graph *g = &c->g.graph;
	uint64_t *order = malloc(g->vertices * sizeof(*order));
	uint64_t i, edge;

	if (!order)
		return false;
	for (i = 0; i < g->vertices; i++) {
		order[i] = (uint64_t)~gc_priority(run, i) << 32 | i;
		want[i] = GRAPH_INFINITY;
	}
	qsort(order, g->vertices, sizeof(*order), gc_compare);
	for (i = 0; i < g->vertices; i++) {
		uint32_t v = (uint32_t)order[i], color = 0;

		/* Above all neighbours that were before it: those are in earlier rounds. */
		for (edge = g->row[v]; edge < g->row[v + 1]; edge++) {
			uint32_t other = want[g->column[edge]];

			if (other != GRAPH_INFINITY && other >= color)
				color = other + 1;
		}
		want[v] = color;
	}
	free(order);
	return true;
}

static int gc_verify(struct wl_run *run)
{
	struct graph_gc *c = run->data;
	uint64_t vertices = c->g.graph.vertices, i;
	uint32_t *want = malloc(vertices * sizeof(*want));
	int wrong = 0;

	if (!want || !gc_want(run, want)) {
		wrong = wl_fail(run, ENOMEM, "out of memory");
		goto out;
	}
	for (i = 0; i < vertices && !wrong; i++) {
		/* Those that were not to get one. */
		if (want[i] >= c->rounds)
			want[i] = GRAPH_INFINITY;
		if (c->args.color[i] != want[i])
			wrong = wl_wrong(run, "vertex %llu has color %u, not %u",
					 (unsigned long long)i, c->args.color[i], want[i]);
	}
out:
	free(want);
	return wrong;
}

#define GC_OPTIONS \
	GRAPH_OPTIONS("12", "8"), \
	{ "rounds", WL_COUNT, "1M", "colors at most; vertices that need more stay without" }, \
	GRAPH_OPTION_BLOCK

static const struct wl_option gc_options[] = {
	GC_OPTIONS,
	{ 0 },
};

static const struct wl_option gc_worklist_options[] = {
	GC_OPTIONS,
	{ "sort", WL_FLAG, "", "the CPU puts the worklist of each round in order" },
	{ 0 },
};

static const struct wl_case gc_dtc_cases[] = {
	{ "--kronecker 9 --degree 8", "color", 4 },
	{ "--kronecker 9 --degree 8 --sort", "color", 4 },
	{ "--kronecker 9 --degree 8 --rounds 5", "color", 4 },
	{ 0 },
};

static const struct wl_case gc_ttc_cases[] = {
	{ "--kronecker 9 --degree 8", "color", 4 },
	{ "--kronecker 9 --degree 8 --rounds 5", "color", 4 },
	{ 0 },
};

static const struct wl_size gc_sizes[] = {
	{ .small = "--size 3M --rounds 20" },
	{ 0 },
};

UVM_WORKLOAD_NAMED(gc_dtc, "gc-dtc",
		   .what = "graph coloring: worklist, a thread per vertex",
		   .group = "graphbig",
		   .image = "gc_dtc",
		   .options = gc_worklist_options,
		   .cases = gc_dtc_cases,
		   .sizes = gc_sizes,
		   .data_bytes = sizeof(struct graph_gc),
		   .setup = gc_setup_worklist,
		   .init = gc_init,
		   .execute = gc_execute_worklist,
		   .verify = gc_verify,
		   .cleanup = graph_cleanup,
);

UVM_WORKLOAD_NAMED(gc_ttc, "gc-ttc",
		   .what = "graph coloring: every vertex, a thread each",
		   .group = "graphbig",
		   .image = "gc_ttc",
		   .options = gc_options,
		   .cases = gc_ttc_cases,
		   .sizes = gc_sizes,
		   .data_bytes = sizeof(struct graph_gc),
		   .setup = gc_setup_topological,
		   .init = gc_init,
		   .execute = gc_execute_topological,
		   .verify = gc_verify,
		   .cleanup = graph_cleanup,
);
