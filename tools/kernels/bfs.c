// SPDX-License-Identifier: GPL-2.0
/*
 * bfs: one level of a breadth-first search.  A warp takes one vertex of the
 * frontier at a time and its lanes take the neighbours, so that loads coalesce
 * and a vertex of high degree does not hold up 31 lanes of low degree.
 */
#ifndef KERNEL_BFS_C
#define KERNEL_BFS_C

#include <stdint.h>

#define BFS_UNSEEN	0x7fffffff
#define BFS_LANES	32

struct bfs_args {
	const uint64_t *row;		/* vertices + 1 */
	const uint32_t *column;		/* edges */
	int32_t *level;			/* vertices */
	const uint32_t *frontier;
	uint32_t *next;
	uint32_t *next_count;
	uint32_t frontier_count;
	int32_t depth;			/* of the frontier */
};

#ifdef __riscv
#include <softgpu_kernel.h>

void bfs(const struct bfs_args *args)
{
	uint32_t thread = global_idx_x();
	uint32_t lane = thread % BFS_LANES;
	uint32_t warps = grid_dim_x() * block_dim_x() / BFS_LANES;
	uint32_t count = args->frontier_count;
	const uint32_t *column = args->column;
	const uint64_t *row = args->row;
	int32_t depth = args->depth + 1;
	int32_t *level = args->level;

	for (uint32_t i = thread / BFS_LANES; i < count; i += warps) {
		uint32_t vertex = args->frontier[i];
		uint64_t end = row[vertex + 1];

		for (uint64_t edge = row[vertex] + lane; edge < end; edge += BFS_LANES) {
			uint32_t to = column[edge];

			/* Look before the atomic: most neighbours are old news. */
			if (level[to] <= depth)
				continue;
			/* Exactly one lane of all sees the vertex unseen. */
			if (atomic_min_i32(&level[to], depth) == BFS_UNSEEN)
				args->next[atomic_add_u32(args->next_count, 1)] = to;
		}
	}
}
#endif

#endif
