// SPDX-License-Identifier: GPL-2.0
/*
 * bfs-ttc: breadth-first search, topological, thread-centric (GraphBIG,
 * bfs_topo_thread_centric).  Every vertex has a thread at every level; that of a
 * vertex on the level goes through the neighbours.  No atomics: all threads that
 * reach a vertex at the same time write the same.
 */
#ifndef KERNEL_BFS_TTC_C
#define KERNEL_BFS_TTC_C

#include "graph_bfs.h"

#ifdef __riscv
SGPU_REGISTERS(24);

void bfs_ttc_init(const struct graph_bfs_args *args)
{
	graph_bfs_init(args);
}

void bfs_ttc(const struct graph_bfs_args *args)
{
	uint64_t v = global_idx_x(), edge, end;
	uint32_t depth = args->depth;
	uint32_t *level = args->level;

	if (v >= args->graph.vertices || level[v] != depth)
		return;
	end = args->graph.row[v + 1];
	for (edge = args->graph.row[v]; edge < end; edge++) {
		uint64_t to = args->graph.column[edge];

		if (level[to] != GRAPH_INFINITY)
			continue;
		level[to] = depth + 1;
		*args->changed = 1;
	}
}
#endif

#endif
