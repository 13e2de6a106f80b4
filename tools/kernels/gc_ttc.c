// SPDX-License-Identifier: GPL-2.0
/*
 * gc-ttc: graph colouring, topological, thread-centric (GraphBIG,
 * gc_topo_thread_centric): every vertex has a thread in every round.
 */
#ifndef KERNEL_GC_TTC_C
#define KERNEL_GC_TTC_C

#include "graph_gc.h"

#ifdef __riscv
SGPU_REGISTERS(32);

void gc_ttc_init(const struct graph_gc_args *args)
{
	uint64_t v = global_idx_x();

	if (v < args->graph.vertices)
		args->color[v] = GRAPH_INFINITY;
}

void gc_ttc(const struct graph_gc_args *args)
{
	uint64_t v = global_idx_x();

	if (v >= args->graph.vertices || args->color[v] != GRAPH_INFINITY)
		return;
	if (!graph_gc_color(args, v))
		*args->changed = 1;
}
#endif

#endif
