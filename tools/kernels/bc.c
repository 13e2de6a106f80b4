// SPDX-License-Identifier: GPL-2.0
/*
 * bc: betweenness centrality by Brandes' algorithm, topological, thread-centric
 * (GraphBIG, gpu_BetweennessCentr).  From each source: a search that counts the
 * shortest paths, a launch per level; then a launch per level backwards, in which
 * every vertex sums over its neighbours one level further, in their order.
 */
#ifndef KERNEL_BC_C
#define KERNEL_BC_C

#include "graph_csr.h"

/**
 * struct bc_args - arguments of all its kernels
 * @graph: the graph
 * @level: distance from the source
 * @paths: number of shortest paths from the source
 * @delta: dependency of the source on each vertex
 * @centrality: sum of @delta over all sources
 * @changed: set if the search has to go on
 * @source: where paths begin
 * @depth: forwards the level that counts, backwards the one that is summed for
 */
struct bc_args {
	struct graph_csr graph;
	uint32_t *level;
	uint32_t *paths;
	float *delta;
	float *centrality;
	uint32_t *changed;
	uint32_t source;
	uint32_t depth;
};

/* What a vertex gets from a neighbour one level further. */
static inline float bc_share(uint32_t paths, uint32_t paths_to, float delta_to)
{
	return (float)paths / (float)paths_to * (1.0f + delta_to);
}

#ifdef __riscv
#include <softgpu_kernel.h>

SGPU_REGISTERS(32);

void bc_clear(const struct bc_args *args)
{
	uint64_t v = global_idx_x();

	if (v < args->graph.vertices)
		args->centrality[v] = 0.0f;
}

void bc_init(const struct bc_args *args)
{
	uint64_t v = global_idx_x();

	if (v >= args->graph.vertices)
		return;
	args->level[v] = v == args->source ? 0 : GRAPH_INFINITY;
	args->paths[v] = v == args->source;
	args->delta[v] = 0.0f;
}

void bc_forward(const struct bc_args *args)
{
	uint64_t v = global_idx_x(), edge, end;
	uint32_t next = args->depth + 1;
	uint32_t *level = args->level;

	if (v >= args->graph.vertices || level[v] != args->depth)
		return;
	end = args->graph.row[v + 1];
	for (edge = args->graph.row[v]; edge < end; edge++) {
		uint64_t to = args->graph.column[edge];

		if (level[to] == GRAPH_INFINITY) {
			level[to] = next;
			*args->changed = 1;
		}
		if (level[to] == next)
			atomic_add_u32(&args->paths[to], args->paths[v]);
	}
}

void bc_backward(const struct bc_args *args)
{
	uint64_t v = global_idx_x(), edge, end;
	uint32_t next = args->depth + 1;
	float sum = 0.0f;

	if (v >= args->graph.vertices || args->level[v] != args->depth)
		return;
	end = args->graph.row[v + 1];
	for (edge = args->graph.row[v]; edge < end; edge++) {
		uint64_t to = args->graph.column[edge];

		if (args->level[to] == next)
			sum += bc_share(args->paths[v], args->paths[to], args->delta[to]);
	}
	args->delta[v] = sum;
}

void bc_sum(const struct bc_args *args)
{
	uint64_t v = global_idx_x();

	if (v < args->graph.vertices && v != args->source && args->level[v] != GRAPH_INFINITY)
		args->centrality[v] += args->delta[v];
}
#endif

#endif
