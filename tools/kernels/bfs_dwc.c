// SPDX-License-Identifier: GPL-2.0
/*
 * bfs-dwc: breadth-first search, data-driven, warp-centric (GraphBIG,
 * bfs_data_warp_centric).  A warp takes 32 vertices of the worklist, one after the
 * other; its lanes take their neighbours, and each collects those it reached first
 * before it appends them to the next worklist.
 *
 * GraphBIG tests and sets the level without an atomic, so that a vertex may be
 * listed more than once; here it is exchanged, and the worklists hold what they
 * have to and no more.
 */
#ifndef KERNEL_BFS_DWC_C
#define KERNEL_BFS_DWC_C

#include "graph_bfs.h"

#define BFS_DWC_LOCAL	128	/* vertices that a thread collects: half of its stack */

#ifdef __riscv
SGPU_REGISTERS(40);

void bfs_dwc_init(const struct graph_bfs_args *args)
{
	graph_bfs_init(args);
	if (!global_idx_x())
		args->worklist[0] = args->start;
}

static void bfs_dwc_append(const struct graph_bfs_args *args, const uint32_t *local,
			   uint32_t count)
{
	uint32_t at = atomic_add_u32(args->next_count, count);
	uint32_t i;

	for (i = 0; i < count; i++)
		args->next[at + i] = local[i];
}

void bfs_dwc(const struct graph_bfs_args *args)
{
	uint64_t thread = global_idx_x(), lane = thread % GRAPH_LANES;
	uint64_t item = thread - lane, last = item + GRAPH_CHUNK, edge, end;
	uint32_t local[BFS_DWC_LOCAL], collected = 0;

	if (last > args->count)
		last = args->count;
	for (; item < last; item++) {
		uint64_t v = args->worklist[item];

		end = args->graph.row[v + 1];
		for (edge = args->graph.row[v] + lane; edge < end; edge += GRAPH_LANES) {
			uint64_t to = args->graph.column[edge];

			/* Look before the atomic: most neighbours are old news. */
			if (args->level[to] != GRAPH_INFINITY ||
			    atomic_exchange_u32(&args->level[to], args->depth + 1) !=
			    GRAPH_INFINITY)
				continue;
			local[collected++] = (uint32_t)to;
			if (collected == BFS_DWC_LOCAL) {
				bfs_dwc_append(args, local, collected);
				collected = 0;
			}
		}
	}
	if (collected)
		bfs_dwc_append(args, local, collected);
}
#endif

#endif
