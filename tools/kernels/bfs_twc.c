// SPDX-License-Identifier: GPL-2.0
/*
 * bfs-twc: breadth-first search, topological, warp-centric (GraphBIG,
 * bfs_topo_warp_centric).  A warp looks at 32 vertices, one after the other; its
 * lanes take the neighbours of those on the level.
 */
#ifndef KERNEL_BFS_TWC_C
#define KERNEL_BFS_TWC_C

#include "graph_bfs.h"

#ifdef __riscv
SGPU_REGISTERS(32);

void bfs_twc_init(const struct graph_bfs_args *args)
{
	graph_bfs_init(args);
}

void bfs_twc(const struct graph_bfs_args *args)
{
	uint64_t thread = global_idx_x(), lane = thread % GRAPH_LANES;
	uint64_t v = thread - lane, last = v + GRAPH_CHUNK, edge, end;
	uint32_t depth = args->depth;
	uint32_t *level = args->level;

	if (last > args->graph.vertices)
		last = args->graph.vertices;
	for (; v < last; v++) {
		if (level[v] != depth)
			continue;
		end = args->graph.row[v + 1];
		for (edge = args->graph.row[v] + lane; edge < end; edge += GRAPH_LANES) {
			uint64_t to = args->graph.column[edge];

			if (level[to] != GRAPH_INFINITY)
				continue;
			level[to] = depth + 1;
			*args->changed = 1;
		}
	}
}
#endif

#endif
