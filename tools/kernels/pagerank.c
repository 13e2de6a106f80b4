// SPDX-License-Identifier: GPL-2.0
/*
 * pagerank: ranks by iteration, topological, thread-centric, with atomics.
 * GraphBIG has it for CPUs (bench_pageRank); as there every vertex hands its rank
 * on to its neighbours in equal parts.  Ranks are fixed point, so that sums do not
 * depend on their order.
 */
#ifndef KERNEL_PAGERANK_C
#define KERNEL_PAGERANK_C

#include "graph_csr.h"

#define PAGERANK_MEAN	(1ULL << 32)	/* the mean rank is 1 */

/**
 * struct pagerank_args - arguments of all its kernels
 * @graph: the graph
 * @rank: of each vertex
 * @before: what it was
 * @changed: set if a rank moved by more than @tolerance
 * @tolerance: in the same unit
 */
struct pagerank_args {
	struct graph_csr graph;
	uint64_t *rank;
	uint64_t *before;
	uint32_t *changed;
	uint64_t tolerance;
};

/* The damping factor is 0.85: so much of a rank is handed on, and the rest is given. */
static inline uint64_t pagerank_damp(uint64_t rank)
{
	return rank / 20 * 17;
}

static inline uint64_t pagerank_given(void)
{
	return PAGERANK_MEAN - pagerank_damp(PAGERANK_MEAN);
}

#ifdef __riscv
#include <softgpu_kernel.h>

SGPU_REGISTERS(16);

void pagerank_init(const struct pagerank_args *args)
{
	uint64_t v = global_idx_x();

	if (v < args->graph.vertices)
		args->rank[v] = PAGERANK_MEAN;
}

void pagerank_begin(const struct pagerank_args *args)
{
	uint64_t v = global_idx_x();

	if (v >= args->graph.vertices)
		return;
	args->before[v] = args->rank[v];
	args->rank[v] = pagerank_given();
}

void pagerank_push(const struct pagerank_args *args)
{
	uint64_t v = global_idx_x(), edge, end, part;

	if (v >= args->graph.vertices)
		return;
	edge = args->graph.row[v];
	end = args->graph.row[v + 1];
	if (edge == end)
		return;
	part = pagerank_damp(args->before[v]) / (end - edge);
	for (; edge < end; edge++)
		atomic_add_u64(&args->rank[args->graph.column[edge]], part);
}

void pagerank_check(const struct pagerank_args *args)
{
	uint64_t v = global_idx_x(), now, before;

	if (v >= args->graph.vertices)
		return;
	now = args->rank[v];
	before = args->before[v];
	if ((now > before ? now - before : before - now) > args->tolerance)
		*args->changed = 1;
}
#endif

#endif
