// SPDX-License-Identifier: GPL-2.0
/*
 * bfs-ta: breadth-first search, topological, with atomics (GraphBIG,
 * bfs_topo_atomic).  Every vertex has a thread, which lowers the levels of all
 * neighbours as far as it can, whatever its own; there is no frontier.  A launch
 * may get on by several levels.  It ends when nothing was lowered.
 */
#ifndef KERNEL_BFS_TA_C
#define KERNEL_BFS_TA_C

#include "graph_bfs.h"

#ifdef __riscv
SGPU_REGISTERS(24);

void bfs_ta_init(const struct graph_bfs_args *args)
{
	graph_bfs_init(args);
}

void bfs_ta(const struct graph_bfs_args *args)
{
	uint64_t v = global_idx_x(), edge, end;
	uint32_t *level = args->level;
	uint32_t depth, changed = 0;

	if (v >= args->graph.vertices)
		return;
	depth = level[v] + 1;
	end = args->graph.row[v + 1];
	for (edge = args->graph.row[v]; edge < end; edge++) {
		uint64_t to = args->graph.column[edge];

		if (depth < level[to] && depth < atomic_min_u32(&level[to], depth))
			changed = 1;
	}
	if (changed)
		*args->changed = 1;
}
#endif

#endif
