// SPDX-License-Identifier: GPL-2.0
/* What all workloads on graphs share: where the graph comes from, and its launches. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "graph_common.h"
#include "../uvm/parse.h"

#define GRAPH_DEGREE_MAX	1024

static int graph_load_file(struct wl_run *run, struct graph *g, const char *path, bool weights)
{
	FILE *file = fopen(path, "r");
	char error[256];
	int err;

	if (!file)
		return wl_fail(run, EINVAL, "%s: %s", path, strerror(errno));
	err = graph_read(g, file, path, weights, error, sizeof(error));
	fclose(file);
	return err ? wl_fail(run, -err, "%s: %s", path, error) : 0;
}

static int graph_generate(struct wl_run *run, struct graph *g, const struct kronecker *k,
			  uint64_t draws)
{
	if (kronecker_build(g, k, draws))
		return wl_fail(run, ENOMEM, "out of memory");
	return 0;
}

/*
 * As many vertices, a power of two, as leave at least @degree edges for each; then
 * edges for the rest of the size.
 */
static int graph_load_size(struct wl_run *run, struct graph *g, const struct graph_cost *cost,
			   uint64_t degree, struct kronecker *k)
{
	uint64_t least = cost->vertex + 2 * degree * cost->edge, edges;
	uint64_t size = wl_number(run, "size");

	for (k->scale = 1; k->scale < KRONECKER_SCALE_MAX && least << (k->scale + 1) <= size;
	     k->scale++)
		;
	if (least << k->scale > size)
		return wl_fail(run, EINVAL, "the size must be at least %llu",
			       (unsigned long long)least << 1);
	edges = (size - (cost->vertex << k->scale)) / cost->edge;
	return graph_generate(run, g, k,
			      kronecker_draws(k, edges, (uint64_t)GRAPH_DEGREE_MAX << k->scale));
}

int graph_load(struct wl_run *run, struct graph *g, const struct graph_cost *cost)
{
	uint64_t scale = wl_number(run, "kronecker"), degree = wl_number(run, "degree");
	struct kronecker k = { .seed = run->seed, .shuffled = wl_flag(run, "shuffle") };
	const char *path = wl_text(run, "graph");

	if (path[0])
		return graph_load_file(run, g, path, cost->weights);
	if (!scale || scale > KRONECKER_SCALE_MAX || !degree || degree > GRAPH_DEGREE_MAX)
		return wl_fail(run, EINVAL, "the scale must be 1 ... %d, the degree 1 ... %d",
			       KRONECKER_SCALE_MAX, GRAPH_DEGREE_MAX);
	if (!kronecker_parse(&k, wl_text(run, "initiator")))
		return wl_fail(run, EINVAL, "the initiator is A,B,B,C: per cent, 100 in all");
	if (wl_text(run, "size")[0])
		return graph_load_size(run, g, cost, degree, &k);
	k.scale = (unsigned int)scale;
	return graph_generate(run, g, &k, degree << scale);
}

int graph_start(struct wl_run *run, const struct graph *g, uint32_t *start)
{
	const char *text = wl_text(run, "start");
	uint64_t vertex = graph_hub(g);

	if (text[0] && (!parse_size(text, &vertex) || vertex >= g->vertices))
		return wl_fail(run, EINVAL, "no vertex %s: the graph has %llu", text,
			       (unsigned long long)g->vertices);
	*start = (uint32_t)vertex;
	return 0;
}

int graph_setup(struct wl_run *run, struct graph_run *g, const struct graph_cost *cost)
{
	uint64_t block = wl_number(run, "block");
	int err;

	if (!block || block > 1024 || block % GRAPH_LANES)
		return wl_fail(run, EINVAL, "a block has 32 ... 1024 threads, a multiple of 32");
	err = graph_load(run, &g->graph, cost);
	if (err)
		return err;
	g->block = (uint32_t)block;
	g->csr.vertices = g->graph.vertices;
	g->csr.row = wl_alloc(run, (g->graph.vertices + 1) * sizeof(*g->csr.row), "row");
	g->csr.column = wl_alloc(run, (g->graph.edges + 1) * sizeof(*g->csr.column), "column");
	if (!g->csr.row || !g->csr.column)
		return -ENOMEM;
	wl_input(run, g->csr.row);
	wl_input(run, g->csr.column);
	return 0;
}

void graph_fill(struct graph_run *g)
{
	uint64_t *row = (uint64_t *)g->csr.row, *column = (uint64_t *)g->csr.column;
	uint64_t i;

	for (i = 0; i <= g->graph.vertices; i++)
		row[i] = g->graph.row[i];
	for (i = 0; i < g->graph.edges; i++)
		column[i] = g->graph.column[i];
}

int graph_launch(struct wl_run *run, const struct graph_run *g, const char *entry,
		 uint64_t threads, const void *args, uint32_t args_bytes)
{
	uint64_t blocks = (threads + g->block - 1) / g->block;

	return wl_launch(run, entry, UVM_DIM((uint32_t)blocks), UVM_DIM(g->block), 0, args,
			 args_bytes);
}

int graph_word_write(struct wl_run *run, uint32_t *word, uint32_t value)
{
	*word = value;
	return wl_to_gpu(run, word, sizeof(*word));
}

int graph_word_read(struct wl_run *run, const uint32_t *word, uint32_t *value)
{
	int err = wl_to_cpu(run, word, sizeof(*word));

	if (!err)
		*value = *word;
	return err;
}

void graph_cleanup(struct wl_run *run)
{
	struct graph_run *g = run->data;

	graph_free(&g->graph);
}
