// SPDX-License-Identifier: GPL-2.0
/* kcore: the k-core of a graph after GraphBIG. */
#include <errno.h>
#include <stdlib.h>

#include "../kernels/kcore.c"
#include "graph_common.h"

/**
 * struct kcore - state of a run
 * @g: the graph
 * @args: managed memory and sizes
 */
struct kcore {
	struct graph_run g;
	struct kcore_args args;
};

static int kcore_setup(struct wl_run *run)
{
	static const struct graph_cost cost = {
		.vertex = sizeof(uint64_t) + sizeof(uint32_t) + 2 * sizeof(uint8_t),
		.edge = sizeof(uint64_t),
	};
	struct kcore *c = run->data;
	struct kcore_args *a = &c->args;
	uint64_t k = wl_number(run, "k");
	int err;

	if (!k || k > INT32_MAX)
		return wl_fail(run, EINVAL, "k must be 1 ... %d", INT32_MAX);
	err = graph_setup(run, &c->g, &cost);
	if (err)
		return err;
	a->k = (uint32_t)k;
	a->graph = c->g.csr;
	a->degree = wl_alloc(run, a->graph.vertices * sizeof(*a->degree), "degree");
	a->removed = wl_alloc(run, a->graph.vertices, "removed");
	a->fresh = wl_alloc(run, a->graph.vertices, "fresh");
	a->removed_count = wl_alloc(run, sizeof(*a->removed_count), "count");
	a->changed = wl_alloc(run, sizeof(*a->changed), "changed");
	if (!a->degree || !a->removed || !a->fresh || !a->removed_count || !a->changed)
		return -ENOMEM;
	wl_output(run, a->degree);
	wl_output(run, a->removed);
	wl_output(run, a->fresh);
	return 0;
}

static int kcore_init(struct wl_run *run)
{
	struct kcore *c = run->data;

	graph_fill(&c->g);
	*c->args.removed_count = 0;
	return 0;
}

static int kcore_launch(struct wl_run *run, const char *entry)
{
	struct kcore *c = run->data;

	return graph_launch(run, &c->g, entry, c->args.graph.vertices, &c->args,
			    sizeof(c->args));
}

static int kcore_execute(struct wl_run *run)
{
	struct kcore *c = run->data;
	uint32_t changed = 1;
	uint64_t round;
	int err;

	err = kcore_launch(run, "kcore_init");
	for (round = 0; !err && changed; round++) {
		if (round > c->args.graph.vertices)
			return wl_wrong(run, "more rounds than vertices");
		err = graph_word_write(run, c->args.changed, 0);
		if (!err)
			err = kcore_launch(run, "kcore_subtract");
		if (!err)
			err = kcore_launch(run, "kcore_remove");
		if (!err)
			err = graph_word_read(run, c->args.changed, &changed);
	}
	return err;
}

/**
 * struct kcore_want - the same on the CPU
 * @degree: neighbours left
 * @removed: went
 * @list: vertices that went, in that order
 * @count: how many
 */
struct kcore_want {
	uint32_t *degree;
	uint8_t *removed;
	uint32_t *list;
	uint64_t count;
};

static bool kcore_want_alloc(struct kcore_want *w, const struct graph *g)
{
	uint64_t v;

	w->degree = calloc(g->vertices, sizeof(*w->degree));
	w->removed = calloc(g->vertices, sizeof(*w->removed));
	w->list = calloc(g->vertices, sizeof(*w->list));
	if (!w->degree || !w->removed || !w->list)
		return false;
	for (v = 0; v < g->vertices; v++)
		w->degree[v] = (uint32_t)(g->row[v + 1] - g->row[v]);
	return true;
}

static void kcore_want_free(struct kcore_want *w)
{
	free(w->degree);
	free(w->removed);
	free(w->list);
}

/* Take @v from the degrees of its neighbours; those that get below k are listed. */
static void kcore_want_subtract(struct kcore_want *w, const struct graph *g, uint32_t v,
				uint32_t k)
{
	uint64_t i;

	for (i = g->row[v]; i < g->row[v + 1]; i++) {
		uint32_t to = g->column[i];

		if (!w->removed[to] && w->degree[to]-- == k)
			w->list[w->count++] = to;
	}
}

static void kcore_want(struct kcore_want *w, const struct graph *g, uint32_t k)
{
	uint64_t begin, end, i;

	for (i = 0; i < g->vertices; i++)
		if (w->degree[i] < k)
			w->list[w->count++] = (uint32_t)i;
	/* A round of the list after the other: they go together. */
	for (begin = 0; begin < w->count; begin = end) {
		end = w->count;
		for (i = begin; i < end; i++)
			w->removed[w->list[i]] = 1;
		for (i = begin; i < end; i++)
			kcore_want_subtract(w, g, w->list[i], k);
	}
}

static int kcore_compare(struct wl_run *run, const struct kcore_want *w)
{
	const struct kcore *c = run->data;
	const struct kcore_args *a = &c->args;
	uint64_t v;

	for (v = 0; v < a->graph.vertices; v++)
		if (a->removed[v] != w->removed[v] || a->degree[v] != w->degree[v])
			return wl_wrong(run, "vertex %llu %s with %u neighbours, %s with %u",
					(unsigned long long)v, a->removed[v] ? "went" : "stayed",
					a->degree[v], w->removed[v] ? "should go" : "should stay",
					w->degree[v]);
	if (*a->removed_count != w->count)
		return wl_wrong(run, "%u vertices went, not %llu", *a->removed_count,
				(unsigned long long)w->count);
	return 0;
}

static int kcore_verify(struct wl_run *run)
{
	struct kcore *c = run->data;
	struct kcore_want w = { 0 };
	int wrong;

	if (kcore_want_alloc(&w, &c->g.graph)) {
		kcore_want(&w, &c->g.graph, c->args.k);
		wrong = kcore_compare(run, &w);
	} else {
		wrong = wl_fail(run, ENOMEM, "out of memory");
	}
	kcore_want_free(&w);
	return wrong;
}

static const struct wl_option kcore_options[] = {
	GRAPH_OPTIONS("13", "16"),
	{ "k", WL_COUNT, "3", "neighbours that a vertex must have in the core" },
	GRAPH_OPTION_BLOCK,
	{ 0 },
};

static const struct wl_case kcore_cases[] = {
	{ "--kronecker 9 --degree 8", "degree", 0 },
	{ "--kronecker 9 --degree 8 --k 20", "removed", 300 },
	{ 0 },
};

static const struct wl_size kcore_sizes[] = {
	{ .small = "--size 3M" },
	{ 0 },
};

UVM_WORKLOAD(kcore,
	     .what = "k-core: vertices with few neighbours go, until none does",
	     .group = "graphbig",
	     .image = "kcore",
	     .options = kcore_options,
	     .cases = kcore_cases,
	     .sizes = kcore_sizes,
	     .data_bytes = sizeof(struct kcore),
	     .setup = kcore_setup,
	     .init = kcore_init,
	     .execute = kcore_execute,
	     .verify = kcore_verify,
	     .cleanup = graph_cleanup,
);
