// SPDX-License-Identifier: GPL-2.0
/*
 * bfs-rodinia: a level-synchronous breadth-first search after Rodinia's bfs (Che et al.,
 * IISWC 2009, which took it from Harish and Narayanan, HiPC 2007).
 *
 * bfs_rodinia has a thread for each node.  Those of the frontier, marked in "mask", look
 * at their neighbours: "visited" and "cost" are touched at random, "nodes" and "edges"
 * where the frontier is.  bfs_rodinia_update makes the marks of "updating" the next
 * frontier.  "mask" and "updating" are swept by every launch.
 *
 * Threads that write the same place write the same value, so results and accesses repeat.
 */
#ifndef KERNEL_BFS_RODINIA_C
#define KERNEL_BFS_RODINIA_C

#include <stdint.h>

#define BFS_RODINIA_UNSEEN	(-1)

/**
 * struct bfs_rodinia_node - a node of the graph
 * @edge: its first one
 * @count: how many it has
 */
struct bfs_rodinia_node {
	uint32_t edge;
	uint32_t count;
};

/**
 * struct bfs_rodinia_args - arguments of both kernels, in managed memory
 * @nodes: of the graph
 * @edges: where each leads
 * @mask: 1 for the nodes of the frontier
 * @updating: 1 for those of the next one
 * @visited: 1 for those that were in a frontier or are
 * @cost: levels; BFS_RODINIA_UNSEEN: none yet
 * @more: set if there is a next frontier
 * @count: of nodes
 */
struct bfs_rodinia_args {
	const struct bfs_rodinia_node *nodes;
	const uint32_t *edges;
	uint8_t *mask;
	uint8_t *updating;
	uint8_t *visited;
	int32_t *cost;
	uint32_t *more;
	uint64_t count;
};

#ifdef __riscv
#include <softgpu_kernel.h>

SGPU_REGISTERS(32);

void bfs_rodinia(const struct bfs_rodinia_args *args)
{
	/* Copies: stores cannot change these. */
	const uint8_t *visited = args->visited;
	uint8_t *updating = args->updating;
	int32_t *costs = args->cost;
	uint64_t node = global_idx_x();
	const uint32_t *edge, *end;

	if (node >= args->count || !args->mask[node])
		return;
	args->mask[node] = 0;
	edge = args->edges + args->nodes[node].edge;
	end = edge + args->nodes[node].count;
	while (edge < end) {
		uint64_t to = *edge++;

		/* Said to be likely, it stays in line, and lanes meet after it. */
		if (__builtin_expect(!visited[to], 1)) {
			costs[to] = costs[node] + 1;
			updating[to] = 1;
		}
	}
}

void bfs_rodinia_update(const struct bfs_rodinia_args *args)
{
	uint64_t node = global_idx_x();

	if (node >= args->count || !args->updating[node])
		return;
	args->mask[node] = 1;
	args->visited[node] = 1;
	*args->more = 1;
	args->updating[node] = 0;
}
#endif

#endif
