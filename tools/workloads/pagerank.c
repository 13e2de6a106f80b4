// SPDX-License-Identifier: GPL-2.0
/* pagerank: ranks of vertices in fixed point. */
#include <errno.h>
#include <stdlib.h>

#include "../kernels/pagerank.c"
#include "graph_common.h"

#define PAGERANK_SHARE_SHIFT	14	/* of all rank: what a vertex may move at the end */

/**
 * struct pagerank - state of a run
 * @g: the graph
 * @args: managed memory and sizes
 * @most: iterations at most
 * @iterations: that were made
 */
struct pagerank {
	struct graph_run g;
	struct pagerank_args args;
	uint64_t most;
	uint64_t iterations;
};

static int pagerank_setup(struct wl_run *run)
{
	static const struct graph_cost cost = {
		.vertex = 3 * sizeof(uint64_t),
		.edge = sizeof(uint64_t),
	};
	struct pagerank *p = run->data;
	struct pagerank_args *a = &p->args;
	int err;

	p->most = wl_number(run, "iterations");
	if (!p->most)
		return wl_fail(run, EINVAL, "there must be an iteration");
	err = graph_setup(run, &p->g, &cost);
	if (err)
		return err;
	a->graph = p->g.csr;
	a->tolerance = (a->graph.vertices * PAGERANK_MEAN) >> PAGERANK_SHARE_SHIFT;
	a->rank = wl_alloc(run, a->graph.vertices * sizeof(*a->rank), "rank");
	a->before = wl_alloc(run, a->graph.vertices * sizeof(*a->before), "before");
	a->changed = wl_alloc(run, sizeof(*a->changed), "changed");
	if (!a->rank || !a->before || !a->changed)
		return -ENOMEM;
	wl_output(run, a->rank);
	wl_output(run, a->before);
	return 0;
}

static int pagerank_init(struct wl_run *run)
{
	struct pagerank *p = run->data;

	graph_fill(&p->g);
	return 0;
}

static int pagerank_launch(struct wl_run *run, const char *entry)
{
	struct pagerank *p = run->data;

	return graph_launch(run, &p->g, entry, p->args.graph.vertices, &p->args,
			    sizeof(p->args));
}

static int pagerank_iterate(struct wl_run *run, uint32_t *changed)
{
	struct pagerank *p = run->data;
	int err;

	err = graph_word_write(run, p->args.changed, 0);
	if (!err)
		err = pagerank_launch(run, "pagerank_begin");
	if (!err)
		err = pagerank_launch(run, "pagerank_push");
	if (!err)
		err = pagerank_launch(run, "pagerank_check");
	if (!err)
		err = graph_word_read(run, p->args.changed, changed);
	return err;
}

static int pagerank_execute(struct wl_run *run)
{
	struct pagerank *p = run->data;
	uint32_t changed = 1;
	int err;

	err = pagerank_launch(run, "pagerank_init");
	for (p->iterations = 0; !err && changed && p->iterations < p->most; p->iterations++)
		err = pagerank_iterate(run, &changed);
	return err;
}

/* Here every vertex asks its neighbours; returns whether a rank moved too far. */
static bool pagerank_pull(const struct pagerank *p, const uint64_t *before, uint64_t *rank)
{
	const struct graph *g = &p->g.graph;
	bool changed = false;
	uint64_t v, i;

	for (v = 0; v < g->vertices; v++) {
		rank[v] = pagerank_given();
		for (i = g->row[v]; i < g->row[v + 1]; i++) {
			uint32_t from = g->column[i];

			rank[v] += pagerank_damp(before[from]) /
				   (g->row[from + 1] - g->row[from]);
		}
		if ((rank[v] > before[v] ? rank[v] - before[v] : before[v] - rank[v]) >
		    p->args.tolerance)
			changed = true;
	}
	return changed;
}

/* As many iterations as it takes; the ranks end up in @rank. */
static uint64_t pagerank_want(const struct pagerank *p, uint64_t **rank, uint64_t **before)
{
	uint64_t iterations = 0, v, *swap;
	bool changed = true;

	for (v = 0; v < p->g.graph.vertices; v++)
		(*rank)[v] = PAGERANK_MEAN;
	for (; changed && iterations < p->most; iterations++) {
		swap = *rank;
		*rank = *before;
		*before = swap;
		changed = pagerank_pull(p, *before, *rank);
	}
	return iterations;
}

static int pagerank_compare(struct wl_run *run, const uint64_t *rank, uint64_t iterations)
{
	const struct pagerank *p = run->data;
	uint64_t v;

	if (p->iterations != iterations)
		return wl_wrong(run, "%llu iterations, not %llu",
				(unsigned long long)p->iterations,
				(unsigned long long)iterations);
	for (v = 0; v < p->g.graph.vertices; v++)
		if (p->args.rank[v] != rank[v])
			return wl_wrong(run, "vertex %llu has rank %llu, not %llu",
					(unsigned long long)v,
					(unsigned long long)p->args.rank[v],
					(unsigned long long)rank[v]);
	return 0;
}

static int pagerank_verify(struct wl_run *run)
{
	struct pagerank *p = run->data;
	uint64_t *rank = calloc(p->g.graph.vertices, sizeof(*rank));
	uint64_t *before = calloc(p->g.graph.vertices, sizeof(*before));
	uint64_t iterations;
	int wrong;

	if (rank && before) {
		iterations = pagerank_want(p, &rank, &before);
		wrong = pagerank_compare(run, rank, iterations);
	} else {
		wrong = wl_fail(run, ENOMEM, "out of memory");
	}
	free(rank);
	free(before);
	return wrong;
}

static const struct wl_option pagerank_options[] = {
	GRAPH_OPTIONS("12", "16"),
	{ "iterations", WL_COUNT, "100", "at most; it ends when no rank moves by much" },
	GRAPH_OPTION_BLOCK,
	{ 0 },
};

static const struct wl_case pagerank_cases[] = {
	{ "--kronecker 8 --degree 8", "rank", 8 },
	{ "--size 80K --iterations 2", "rank", 0 },
	{ 0 },
};

static const struct wl_size pagerank_sizes[] = {
	{ .small = "--size 3M --iterations 3" },
	{ 0 },
};

UVM_WORKLOAD(pagerank,
	     .what = "page rank in fixed point: every vertex hands its rank on",
	     .group = "graphbig",
	     .image = "pagerank",
	     .options = pagerank_options,
	     .cases = pagerank_cases,
	     .sizes = pagerank_sizes,
	     .data_bytes = sizeof(struct pagerank),
	     .setup = pagerank_setup,
	     .init = pagerank_init,
	     .execute = pagerank_execute,
	     .verify = pagerank_verify,
	     .cleanup = graph_cleanup,
);
