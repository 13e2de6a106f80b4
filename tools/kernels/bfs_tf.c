// SPDX-License-Identifier: GPL-2.0
/*
 * bfs-tf: breadth-first search, topological, with a frontier of flags (GraphBIG,
 * bfs_topo_frontier).  One launch gives the neighbours of the frontier their
 * level, a second one makes them the next frontier.
 */
#ifndef KERNEL_BFS_TF_C
#define KERNEL_BFS_TF_C

#include "graph_bfs.h"

#ifdef __riscv
SGPU_REGISTERS(24);

void bfs_tf_init(const struct graph_bfs_args *args)
{
	uint64_t v = global_idx_x();

	if (v >= args->graph.vertices)
		return;
	graph_bfs_init(args);
	args->frontier[v] = v == args->start;
	args->updating[v] = 0;
	args->visited[v] = v == args->start;
}

void bfs_tf(const struct graph_bfs_args *args)
{
	uint64_t v = global_idx_x(), edge, end;
	uint32_t *level = args->level;

	if (v >= args->graph.vertices || !args->frontier[v])
		return;
	args->frontier[v] = 0;
	end = args->graph.row[v + 1];
	for (edge = args->graph.row[v]; edge < end; edge++) {
		uint64_t to = args->graph.column[edge];

		if (args->visited[to])
			continue;
		level[to] = level[v] + 1;
		args->updating[to] = 1;
	}
}

void bfs_tf_update(const struct graph_bfs_args *args)
{
	uint64_t v = global_idx_x();

	if (v >= args->graph.vertices || !args->updating[v])
		return;
	args->frontier[v] = 1;
	args->visited[v] = 1;
	args->updating[v] = 0;
	*args->changed = 1;
}
#endif

#endif
