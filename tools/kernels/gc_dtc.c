// SPDX-License-Identifier: GPL-2.0
/*
 * gc-dtc: graph colouring, data-driven, thread-centric (GraphBIG,
 * gc_data_thread_centric): every vertex of the worklist has a thread, which puts
 * it on the next worklist if it is not its turn.
 */
#ifndef KERNEL_GC_DTC_C
#define KERNEL_GC_DTC_C

#include "graph_gc.h"

#ifdef __riscv
SGPU_REGISTERS(32);

void gc_dtc_init(const struct graph_gc_args *args)
{
	uint64_t v = global_idx_x();

	if (v >= args->graph.vertices)
		return;
	args->color[v] = GRAPH_INFINITY;
	args->worklist[v] = v;
}

void gc_dtc(const struct graph_gc_args *args)
{
	uint64_t item = global_idx_x(), v;

	if (item >= args->count)
		return;
	v = args->worklist[item];
	if (!graph_gc_color(args, v))
		args->next[atomic_add_u32(args->next_count, 1)] = v;
}
#endif

#endif
