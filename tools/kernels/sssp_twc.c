// SPDX-License-Identifier: GPL-2.0
/*
 * sssp-twc: shortest paths from one vertex, topological, warp-centric (GraphBIG,
 * sssp_topo_warp_centric).  A warp looks at 32 vertices, one after the other; its
 * lanes take the edges of those that came closer and propose distances.  A second
 * launch, a thread per vertex, adopts them.
 *
 * GraphBIG takes the mark from a vertex as soon as its edges are done, which asks
 * for all lanes of the warp to have seen it; here the second launch does.
 */
#ifndef KERNEL_SSSP_TWC_C
#define KERNEL_SSSP_TWC_C

#include "graph_csr.h"

/**
 * struct sssp_args - arguments of all its kernels
 * @graph: the graph
 * @weight: of each edge
 * @distance: of each vertex; GRAPH_INFINITY: none found, or not below that
 * @proposed: shorter, or the same
 * @active: 1 for vertices whose distance changed
 * @changed: set if one did
 * @start: where paths begin
 */
struct sssp_args {
	struct graph_csr graph;
	const uint32_t *weight;
	uint32_t *distance;
	uint32_t *proposed;
	uint8_t *active;
	uint32_t *changed;
	uint32_t start;
};

#ifdef __riscv
#include <softgpu_kernel.h>

SGPU_REGISTERS(32);

void sssp_twc_init(const struct sssp_args *args)
{
	uint64_t v = global_idx_x();
	uint32_t distance = v == args->start ? 0 : GRAPH_INFINITY;

	if (v >= args->graph.vertices)
		return;
	args->distance[v] = distance;
	args->proposed[v] = distance;
	args->active[v] = v == args->start;
}

void sssp_twc(const struct sssp_args *args)
{
	uint64_t thread = global_idx_x(), lane = thread % GRAPH_LANES;
	uint64_t v = thread - lane, last = v + GRAPH_CHUNK, edge, end;

	if (last > args->graph.vertices)
		last = args->graph.vertices;
	for (; v < last; v++) {
		uint64_t distance;

		if (!args->active[v])
			continue;
		distance = args->distance[v];
		end = args->graph.row[v + 1];
		for (edge = args->graph.row[v] + lane; edge < end; edge += GRAPH_LANES) {
			uint64_t sum = distance + args->weight[edge];

			/* 64 bits: it must not wrap around and seem short. */
			if (sum < GRAPH_INFINITY)
				atomic_min_u32(&args->proposed[args->graph.column[edge]],
					       (uint32_t)sum);
		}
	}
}

void sssp_twc_update(const struct sssp_args *args)
{
	uint64_t v = global_idx_x();

	if (v >= args->graph.vertices)
		return;
	if (args->proposed[v] < args->distance[v]) {
		args->distance[v] = args->proposed[v];
		args->active[v] = 1;
		*args->changed = 1;
	} else if (args->active[v]) {
		args->active[v] = 0;
	}
}
#endif

#endif
