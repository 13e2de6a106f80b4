// SPDX-License-Identifier: GPL-2.0
/*
 * nw: the best alignment of two sequences by Needleman and Wunsch (J. Mol. Biol. 48,
 * 1970), after Rodinia's nw (Che et al., IISWC 2009).
 *
 * The matrix is cut into tiles of 16 by 16, and each launch takes those of one
 * anti-diagonal, a block of 16 threads each.  A block copies the tile of "reference" (what
 * it is worth to pair two letters) and the border of "matrix" to shared memory, goes
 * through the tile by anti-diagonals, and writes it to "matrix".
 *
 * A tile is 16 rows of either matrix.  With 2048 columns, as in Rodinia's run script, a row
 * is two pages and a little long, so the tiles of the left half touch pages a stride of
 * two apart, and those of the right half the pages between, many launches later.
 */
#ifndef KERNEL_NW_C
#define KERNEL_NW_C

#include <stdint.h>

#define NW_TILE		16	/* rows and columns; threads */
#define NW_SIDE		(NW_TILE + 1)
#define NW_SHARED	((NW_SIDE * NW_SIDE + NW_TILE * NW_TILE) * 4)
#define NW_PENALTY	10	/* of a gap */

/**
 * struct nw_args - arguments of a launch
 * @reference: worth of each pair; row 0 and column 0 are not used
 * @matrix: best worth so far; row 0 and column 0 are given
 * @stride: elements of a row of both
 * @diagonal: of tiles: the row and the column of each add up to this
 * @first: column of the first one
 */
struct nw_args {
	const int32_t *reference;
	int32_t *matrix;
	uint64_t stride;
	uint32_t diagonal;
	uint32_t first;
};

/* Without a branch, at which lanes would part; the compiler must not see what this is. */
static inline int64_t nw_larger(int64_t a, int64_t b)
{
	int64_t sign = (a - b) >> 63;

	__asm__("" : "+r"(sign));
	return a - ((a - b) & sign);
}

static inline int32_t nw_best(int32_t corner, int32_t left, int32_t above, int32_t worth)
{
	return (int32_t)nw_larger((int64_t)corner + worth, nw_larger(left, above) - NW_PENALTY);
}

#ifdef __riscv
#include <softgpu_kernel.h>

SGPU_REGISTERS(32);

/* Elements of the tile by anti-diagonals: thread x has column x. */
static inline void nw_fill(int32_t *cell, const int32_t *worth, int32_t x)
{
	for (int32_t diagonal = 0; diagonal < 2 * NW_TILE - 1; diagonal++) {
		int32_t y = diagonal - x;

		barrier();
		if (y < 0 || y >= NW_TILE)
			continue;
		cell[NW_SIDE + 1] = nw_best(cell[0], cell[NW_SIDE], cell[1], *worth);
		cell += NW_SIDE;
		worth += NW_TILE;
	}
	barrier();
}

void nw(const struct nw_args *args)
{
	uint64_t x = thread_idx_x(), column = args->first + block_idx_x();
	uint64_t stride = args->stride;
	uint64_t corner = (args->diagonal - column) * NW_TILE * stride + column * NW_TILE;
	const int32_t *reference = args->reference + corner + stride + x + 1;
	int32_t *matrix = args->matrix + corner;
	int32_t *cell = (int32_t *)shared_base() + x;
	int32_t *worth = (int32_t *)shared_base() + NW_SIDE * NW_SIDE + x;

#pragma unroll
	for (int y = 0; y < NW_TILE; y++, reference += stride)
		worth[y * NW_TILE] = *reference;
	cell[(x + 1) * NW_SIDE - x] = matrix[(x + 1) * stride];
	cell[1] = matrix[x + 1];
	if (!x)
		cell[0] = matrix[0];

	nw_fill(cell, worth, (int32_t)x);

	matrix += stride + x + 1;
#pragma unroll
	for (int y = 1; y <= NW_TILE; y++, matrix += stride)
		*matrix = cell[y * NW_SIDE + 1];
}
#endif

#endif
