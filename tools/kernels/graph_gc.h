/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the two graph colourings after GraphBIG share.  Every round has a colour:
 * a vertex takes it if no neighbour that had none when the round began comes
 * before it, by priorities drawn at random.  So the colours do not depend on the
 * order in which vertices are looked at.
 */
#ifndef KERNEL_GRAPH_GC_H
#define KERNEL_GRAPH_GC_H

#include "graph_csr.h"

/**
 * struct graph_gc_args - arguments of all their kernels; each uses some
 * @graph: the graph
 * @color: of each vertex, GRAPH_INFINITY before it has one
 * @priority: of each vertex; of equal ones the smaller vertex comes first
 * @changed: gc-ttc: set if a vertex was left
 * @worklist: gc-dtc: vertices without a colour
 * @next: gc-dtc: those that were left
 * @next_count: gc-dtc: how many
 * @count: gc-dtc: length of @worklist
 * @round: the colour of this round
 */
struct graph_gc_args {
	struct graph_csr graph;
	uint32_t *color;
	const uint32_t *priority;
	uint32_t *changed;
	uint64_t *worklist, *next;
	uint32_t *next_count;
	uint32_t count;
	uint32_t round;
};

#ifdef __riscv
#include <softgpu_kernel.h>

/* Color a vertex if it is its turn; 0 if it is not. */
static inline int graph_gc_color(const struct graph_gc_args *args, uint64_t v)
{
	uint64_t edge = args->graph.row[v], end = args->graph.row[v + 1];
	uint32_t mine = args->priority[v], round = args->round;

	for (; edge < end; edge++) {
		uint64_t to = args->graph.column[edge];
		uint32_t other;

		/* What others write in this round is not below it. */
		if (args->color[to] < round)
			continue;
		other = args->priority[to];
		if (other > mine || (other == mine && to < v))
			return 0;
	}
	args->color[v] = round;
	return 1;
}
#endif

#endif
