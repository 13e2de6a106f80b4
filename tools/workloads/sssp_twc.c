// SPDX-License-Identifier: GPL-2.0
/* sssp-twc: shortest paths from one vertex after GraphBIG. */
#include <errno.h>
#include <stdlib.h>

#include "../kernels/sssp_twc.c"
#include "graph_common.h"

/**
 * struct sssp - state of a run
 * @g: the graph
 * @args: managed memory and sizes
 * @weights: without weights in the file: the largest
 */
struct sssp {
	struct graph_run g;
	struct sssp_args args;
	uint64_t weights;
};

/* Of the file, or drawn, the same in both directions. */
static uint32_t sssp_weight(const struct wl_run *run, uint32_t from, uint64_t edge)
{
	const struct sssp *s = run->data;
	uint32_t to = s->g.graph.column[edge];
	uint64_t low = from < to ? from : to, high = from < to ? to : from;

	if (s->g.graph.weight)
		return s->g.graph.weight[edge];
	return (uint32_t)(1 + wl_mix(wl_mix(run->seed) + (high << 32 | low)) % s->weights);
}

static int sssp_setup(struct wl_run *run)
{
	static const struct graph_cost cost = {
		.vertex = sizeof(uint64_t) + 2 * sizeof(uint32_t) + sizeof(uint8_t),
		.edge = sizeof(uint64_t) + sizeof(uint32_t),
		.weights = true,
	};
	struct sssp *s = run->data;
	struct sssp_args *a = &s->args;
	int err;

	s->weights = wl_number(run, "weights");
	if (!s->weights || s->weights > UINT32_MAX)
		return wl_fail(run, EINVAL, "the largest weight must be 1 ... %u", UINT32_MAX);
	err = graph_setup(run, &s->g, &cost);
	if (!err)
		err = graph_start(run, &s->g.graph, &a->start);
	if (err)
		return err;
	a->graph = s->g.csr;
	a->weight = wl_alloc(run, (s->g.graph.edges + 1) * sizeof(*a->weight), "weight");
	a->distance = wl_alloc(run, a->graph.vertices * sizeof(*a->distance), "distance");
	a->proposed = wl_alloc(run, a->graph.vertices * sizeof(*a->proposed), "proposed");
	a->active = wl_alloc(run, a->graph.vertices, "active");
	a->changed = wl_alloc(run, sizeof(*a->changed), "changed");
	if (!a->weight || !a->distance || !a->proposed || !a->active || !a->changed)
		return -ENOMEM;
	wl_input(run, a->weight);
	wl_output(run, a->distance);
	wl_output(run, a->proposed);
	wl_output(run, a->active);
	return 0;
}

static int sssp_init(struct wl_run *run)
{
	struct sssp *s = run->data;
	const struct graph *g = &s->g.graph;
	uint32_t *weight = (uint32_t *)s->args.weight;
	uint64_t v, i;

	graph_fill(&s->g);
	for (v = 0; v < g->vertices; v++)
		for (i = g->row[v]; i < g->row[v + 1]; i++)
			weight[i] = sssp_weight(run, (uint32_t)v, i);
	return 0;
}

static int sssp_launch(struct wl_run *run, const char *entry)
{
	struct sssp *s = run->data;

	return graph_launch(run, &s->g, entry, s->args.graph.vertices, &s->args,
			    sizeof(s->args));
}

static int sssp_execute(struct wl_run *run)
{
	struct sssp *s = run->data;
	uint32_t changed = 1;
	uint64_t round;
	int err;

	err = sssp_launch(run, "sssp_twc_init");
	for (round = 0; !err && changed; round++) {
		if (round > s->args.graph.vertices)
			return wl_wrong(run, "more rounds than vertices");
		err = graph_word_write(run, s->args.changed, 0);
		if (!err)
			err = sssp_launch(run, "sssp_twc");
		if (!err)
			err = sssp_launch(run, "sssp_twc_update");
		if (!err)
			err = graph_word_read(run, s->args.changed, &changed);
	}
	return err;
}

/**
 * struct sssp_heap - vertices by distance, for Dijkstra's algorithm
 * @vertex: a binary heap
 * @place: of each vertex in @vertex, plus 1; 0: it is not there
 * @distance: so far
 * @count: vertices in the heap
 */
struct sssp_heap {
	uint32_t *vertex;
	uint32_t *place;
	uint32_t *distance;
	uint64_t count;
};

static bool sssp_heap_alloc(struct sssp_heap *h, uint64_t vertices)
{
	uint64_t v;

	h->vertex = calloc(vertices, sizeof(*h->vertex));
	h->place = calloc(vertices, sizeof(*h->place));
	h->distance = malloc(vertices * sizeof(*h->distance));
	if (!h->vertex || !h->place || !h->distance)
		return false;
	for (v = 0; v < vertices; v++)
		h->distance[v] = GRAPH_INFINITY;
	return true;
}

static void sssp_heap_free(struct sssp_heap *h)
{
	free(h->vertex);
	free(h->place);
	free(h->distance);
}

static void sssp_heap_put(struct sssp_heap *h, uint64_t at, uint32_t v)
{
	h->vertex[at] = v;
	h->place[v] = (uint32_t)at + 1;
}

/* A vertex that came closer, or is new. */
static void sssp_heap_raise(struct sssp_heap *h, uint32_t v, uint32_t distance)
{
	uint64_t at = h->place[v] ? h->place[v] - 1 : h->count++;

	h->distance[v] = distance;
	for (; at && h->distance[h->vertex[(at - 1) / 2]] > distance; at = (at - 1) / 2)
		sssp_heap_put(h, at, h->vertex[(at - 1) / 2]);
	sssp_heap_put(h, at, v);
}

static uint32_t sssp_heap_take(struct sssp_heap *h)
{
	uint32_t first = h->vertex[0], last = h->vertex[--h->count];
	uint64_t at = 0, child;

	h->place[first] = 0;
	if (!h->count)
		return first;
	for (; (child = 2 * at + 1) < h->count; at = child) {
		if (child + 1 < h->count &&
		    h->distance[h->vertex[child + 1]] < h->distance[h->vertex[child]])
			child++;
		if (h->distance[h->vertex[child]] >= h->distance[last])
			break;
		sssp_heap_put(h, at, h->vertex[child]);
	}
	sssp_heap_put(h, at, last);
	return first;
}

static void sssp_want(const struct wl_run *run, struct sssp_heap *h)
{
	const struct sssp *s = run->data;
	const struct graph *g = &s->g.graph;
	uint64_t i;

	sssp_heap_raise(h, s->args.start, 0);
	while (h->count) {
		uint32_t from = sssp_heap_take(h);

		for (i = g->row[from]; i < g->row[from + 1]; i++) {
			uint64_t sum = (uint64_t)h->distance[from] + sssp_weight(run, from, i);

			if (sum < h->distance[g->column[i]])
				sssp_heap_raise(h, g->column[i], (uint32_t)sum);
		}
	}
}

static int sssp_verify(struct wl_run *run)
{
	struct sssp *s = run->data;
	struct sssp_heap h = { 0 };
	int wrong = 0;
	uint64_t v;

	if (!sssp_heap_alloc(&h, s->g.graph.vertices)) {
		wrong = wl_fail(run, ENOMEM, "out of memory");
		goto out;
	}
	sssp_want(run, &h);
	for (v = 0; v < s->g.graph.vertices && !wrong; v++)
		if (s->args.distance[v] != h.distance[v])
			wrong = wl_wrong(run, "vertex %llu is at distance %u, not %u",
					 (unsigned long long)v, s->args.distance[v],
					 h.distance[v]);
out:
	sssp_heap_free(&h);
	return wrong;
}

static const struct wl_option sssp_options[] = {
	GRAPH_OPTIONS("12", "16"),
	GRAPH_OPTION_START,
	{ "weights", WL_COUNT, "64", "of a graph without weights: drawn from 1 ... N" },
	GRAPH_OPTION_BLOCK,
	{ 0 },
};

static const struct wl_case sssp_cases[] = {
	{ "--kronecker 9 --degree 8", "distance", 8 },
	{ "--size 90K --weights 1", "distance", 0 },
	{ 0 },
};

static const struct wl_size sssp_sizes[] = {
	{ .small = "--size 3M" },
	{ 0 },
};

UVM_WORKLOAD_NAMED(sssp_twc, "sssp-twc",
		   .what = "shortest paths: every vertex, a warp each",
		   .group = "graphbig",
		   .image = "sssp_twc",
		   .options = sssp_options,
		   .cases = sssp_cases,
		   .sizes = sssp_sizes,
		   .data_bytes = sizeof(struct sssp),
		   .setup = sssp_setup,
		   .init = sssp_init,
		   .execute = sssp_execute,
		   .verify = sssp_verify,
		   .cleanup = graph_cleanup,
);
