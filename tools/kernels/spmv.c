// SPDX-License-Identifier: GPL-2.0
/*
 * spmv: y = A x for a sparse matrix in jagged diagonals, after Parboil's spmv.
 *
 * Rows are sorted by their number of elements, the longest first.  Diagonal k has the k-th
 * element of each row that has one, so that the threads of a warp, a row each, read
 * neighbours.  The rows of a warp are padded to the longest of them.
 *
 * A warp touches a place of every diagonal, for data and index, and gathers from x; y is
 * scattered to where the rows were before they were sorted.  Each launch does all of it again.
 */
#ifndef KERNEL_SPMV_C
#define KERNEL_SPMV_C

#include <stdint.h>

#define SPMV_WARP	32
#define SPMV_BLOCK	192	/* threads: eight such blocks fill an SM of 1536 */

/**
 * struct spmv_args - arguments of the kernel
 * @data: elements, diagonal by diagonal
 * @index: the column of each
 * @begin: of each diagonal in @data
 * @count: diagonals that each warp has
 * @order: the row that each thread has
 * @x: the vector
 * @y: the product
 * @rows: rows and columns
 */
struct spmv_args {
	const float *data;
	const uint32_t *index;
	const uint32_t *begin, *count, *order;
	const float *x;
	float *y;
	uint64_t rows;
};

/* Two roundings on both sides, which are built without contraction. */
static inline float spmv_add(float sum, float element, float x)
{
	return sum + element * x;
}

#ifdef __riscv
#include <softgpu_kernel.h>

SGPU_REGISTERS(24);

void spmv(const struct spmv_args *args)
{
	uint64_t thread = global_idx_x();
	const float *data = args->data + thread, *x = args->x;
	const uint32_t *index = args->index + thread;
	const uint32_t *begin = args->begin, *end;
	float sum = 0.0f;

	if (thread >= args->rows)
		return;
	for (end = begin + args->count[thread / SPMV_WARP]; begin != end; begin++)
		sum = spmv_add(sum, data[*begin], x[index[*begin]]);
	args->y[args->order[thread]] = sum;
}
#endif

#endif
