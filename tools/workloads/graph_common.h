/* SPDX-License-Identifier: GPL-2.0 */
/* What all workloads on graphs share: where the graph comes from, and its launches. */
#ifndef WORKLOADS_GRAPH_COMMON_H
#define WORKLOADS_GRAPH_COMMON_H

#include "../kernels/graph_csr.h"
#include "../uvm/graph/graph.h"
#include "../uvm/graph/kronecker.h"
#include "../uvm/run/workload.h"

/* Where the graph comes from: the first of these that is given. */
#define GRAPH_OPTIONS(scale, edges)							\
	{ "graph", WL_TEXT, "", "Matrix Market or DIMACS file or list of edges" },	\
	{ "size", WL_BYTES, "", "without --graph: generate one of about this footprint" }, \
	{ "kronecker", WL_COUNT, scale, "without both: generate 2^N vertices" },	\
	{ "degree", WL_COUNT, edges, "and draw so many edges per vertex, or with --size more" }, \
	{ "initiator", WL_TEXT, "57,19,19,5", "of what is generated, per cent" },	\
	{ "shuffle", WL_FLAG, "", "and number its vertices at random" }

#define GRAPH_OPTION_BLOCK								\
	{ "block", WL_COUNT, "1024", "threads per block, a multiple of 32" }

#define GRAPH_OPTION_START								\
	{ "start", WL_TEXT, "", "first vertex; by default the one with most neighbours" }

/**
 * struct graph_cost - what a graph takes in the memory of a workload
 * @vertex: bytes per vertex
 * @edge: bytes per edge, each counted in both directions
 * @weights: wanted, where the file has some
 */
struct graph_cost {
	uint64_t vertex;
	uint64_t edge;
	bool weights;
};

/**
 * struct graph_run - begins the state of a workload of the GraphBIG suite
 * @graph: the original, in private memory: what the GPU has may not vouch for itself
 * @csr: managed copy
 * @block: threads per block
 */
struct graph_run {
	struct graph graph;
	struct graph_csr csr;
	uint32_t block;
};

/* The graph of the options; 0 or a negative errno after wl_fail(). */
int graph_load(struct wl_run *run, struct graph *g, const struct graph_cost *cost);

/* The vertex of --start. */
int graph_start(struct wl_run *run, const struct graph *g, uint32_t *start);

/* Load the graph, look at --block, allocate "row" and "column". */
int graph_setup(struct wl_run *run, struct graph_run *g, const struct graph_cost *cost);

/* Fill "row" and "column". */
void graph_fill(struct graph_run *g);

/* A launch of at least so many threads, which have to look whether they are too many. */
int graph_launch(struct wl_run *run, const struct graph_run *g, const char *entry,
		 uint64_t threads, const void *args, uint32_t args_bytes);

/* A word that CPU and GPU both write: a flag or a length. */
int graph_word_write(struct wl_run *run, uint32_t *word, uint32_t value);
int graph_word_read(struct wl_run *run, const uint32_t *word, uint32_t *value);

/* Of workload.cleanup; struct graph_run comes first in run->data. */
void graph_cleanup(struct wl_run *run);

#endif
