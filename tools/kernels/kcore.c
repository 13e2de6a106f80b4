// SPDX-License-Identifier: GPL-2.0
/*
 * kcore: vertices with fewer than k neighbours left go, round by round, until none
 * does (GraphBIG, gpu_kCore).  Topological, thread-centric, with atomics: one
 * launch takes those that went from the degrees of their neighbours, a second one
 * finds those that go next.
 */
#ifndef KERNEL_KCORE_C
#define KERNEL_KCORE_C

#include "graph_csr.h"

/**
 * struct kcore_args - arguments of all its kernels
 * @graph: the graph
 * @degree: neighbours that are left; of those that went, that were left then
 * @removed: 1 for those that went
 * @fresh: 1 for those that went in the last round
 * @removed_count: how many went
 * @changed: set if some went in this round
 * @k: fewer are too few
 */
struct kcore_args {
	struct graph_csr graph;
	uint32_t *degree;
	uint8_t *removed, *fresh;
	uint32_t *removed_count;
	uint32_t *changed;
	uint32_t k;
};

#ifdef __riscv
#include <softgpu_kernel.h>

SGPU_REGISTERS(24);

void kcore_init(const struct kcore_args *args)
{
	uint64_t v = global_idx_x();

	if (v >= args->graph.vertices)
		return;
	args->degree[v] = (uint32_t)(args->graph.row[v + 1] - args->graph.row[v]);
	args->removed[v] = 0;
	args->fresh[v] = 0;
}

void kcore_subtract(const struct kcore_args *args)
{
	uint64_t v = global_idx_x(), edge, end;

	if (v >= args->graph.vertices || !args->fresh[v])
		return;
	end = args->graph.row[v + 1];
	for (edge = args->graph.row[v]; edge < end; edge++) {
		uint64_t to = args->graph.column[edge];

		if (!args->removed[to])
			atomic_add_u32(&args->degree[to], -1U);
	}
	args->fresh[v] = 0;
}

void kcore_remove(const struct kcore_args *args)
{
	uint64_t v = global_idx_x();

	if (v >= args->graph.vertices || args->removed[v] || args->degree[v] >= args->k)
		return;
	args->removed[v] = 1;
	args->fresh[v] = 1;
	atomic_add_u32(args->removed_count, 1);
	*args->changed = 1;
}
#endif

#endif
