/* SPDX-License-Identifier: GPL-2.0 */
/* What the five breadth-first searches after GraphBIG share. */
#ifndef KERNEL_GRAPH_BFS_H
#define KERNEL_GRAPH_BFS_H

#include "graph_csr.h"

/**
 * struct graph_bfs_args - arguments of all their kernels; each uses some
 * @graph: the graph
 * @level: of each vertex, GRAPH_INFINITY before it is reached
 * @changed: set if the search has to go on
 * @frontier: bfs-tf: 1 for vertices to expand
 * @updating: bfs-tf: 1 for vertices of the next frontier
 * @visited: bfs-tf: 1 for vertices that have their level
 * @worklist: bfs-dwc: vertices to expand
 * @next: bfs-dwc: vertices to expand after them
 * @next_count: bfs-dwc: how many
 * @count: bfs-dwc: length of @worklist
 * @start: first vertex
 * @depth: level of the vertices to expand
 */
struct graph_bfs_args {
	struct graph_csr graph;
	uint32_t *level;
	uint32_t *changed;
	uint8_t *frontier, *updating, *visited;
	uint64_t *worklist, *next;
	uint32_t *next_count;
	uint32_t count;
	uint32_t start;
	uint32_t depth;
};

#ifdef __riscv
#include <softgpu_kernel.h>

/* Each search begins with this, one thread per vertex. */
static inline void graph_bfs_init(const struct graph_bfs_args *args)
{
	uint64_t v = global_idx_x();

	if (v < args->graph.vertices)
		args->level[v] = v == args->start ? 0 : GRAPH_INFINITY;
}
#endif

#endif
