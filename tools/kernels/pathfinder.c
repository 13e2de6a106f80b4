// SPDX-License-Identifier: GPL-2.0
/*
 * pathfinder: the cheapest way down a wall, several rows per launch, after Rodinia's
 * pathfinder (Che et al., IISWC 2009).  A step goes straight down or diagonally.
 *
 * A block keeps a row of costs in shared memory.  With each row that it goes down it
 * knows one column less at either end, so neighbouring blocks overlap.  The wall is
 * read once, row by row, with pages at the borders of blocks read again; the two rows
 * of results are used again by each launch.
 */
#ifndef KERNEL_PATHFINDER_C
#define KERNEL_PATHFINDER_C

#include <stdint.h>

#define PATHFINDER_BLOCK	256	/* threads */
#define PATHFINDER_SHARED	(2 * PATHFINDER_BLOCK * 4)
#define PATHFINDER_FAR		0x3fffffff	/* beside the wall */

/**
 * struct pathfinder_args - arguments of a launch
 * @wall: cost of each place, from the first row that this launch takes
 * @from: cheapest way to each place of the row above
 * @to: the same of the last row of this launch
 * @columns: width of the wall
 * @rows: that this launch goes down
 */
struct pathfinder_args {
	const int32_t *wall;
	const int32_t *from;
	int32_t *to;
	uint64_t columns;
	uint32_t rows;
};

/* Without a branch, at which lanes would part; the compiler must not see what this is. */
static inline int64_t pathfinder_min(int64_t a, int64_t b)
{
	int64_t sign = (b - a) >> 63;

	__asm__("" : "+r"(sign));
	return a + ((b - a) & sign);
}

static inline int32_t pathfinder_step(int32_t left, int32_t above, int32_t right, int32_t cost)
{
	return (int32_t)pathfinder_min(pathfinder_min(left, above), right) + cost;
}

#ifdef __riscv
#include <softgpu_kernel.h>

SGPU_REGISTERS(32);

void pathfinder(const struct pathfinder_args *args)
{
	int64_t thread = thread_idx_x(), rows = args->rows, columns = args->columns;
	int64_t x = block_idx_x() * (PATHFINDER_BLOCK - 2 * rows) - rows + thread, reach;
	int64_t other = PATHFINDER_BLOCK * sizeof(int32_t);
	const int32_t *wall = args->wall + x;
	char *shared = (char *)shared_base() + thread * sizeof(int32_t);
	int32_t way = PATHFINDER_FAR;

	/* So many rows this column can be followed: those outside of the wall none. */
	reach = thread < PATHFINDER_BLOCK / 2 ? thread : PATHFINDER_BLOCK - 1 - thread;
	if (x < 0 || x >= columns)
		reach = -1;
	else
		way = args->from[x];

	/* Two rows in turn: who is slow still reads the one before. */
	for (int64_t row = 0; row < rows; row++) {
		int32_t *above = (int32_t *)shared;

		*above = way;
		barrier();
		if (row < reach)
			way = pathfinder_step(above[-1], above[0], above[1], *wall);
		wall += columns;
		shared += other;
		other = -other;
	}
	if (rows <= reach)
		args->to[x] = way;
}
#endif

#endif
