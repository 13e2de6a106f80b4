// SPDX-License-Identifier: GPL-2.0
/*
 * mvt: x1 = x1 + A y1 and x2 = x2 + A' y2, after Polybench/GPU's MVT.
 *
 * mvt_rows has a thread for each row of A.  The lanes of a warp walk along 32 rows side by
 * side, so that they touch a page of each: with 4096 columns these are four pages apart, and
 * stay for 1024 steps before all 32 move on to the next ones.  mvt_columns has a thread for
 * each column and walks down: a row at a time, all of A in the order of addresses.
 */
#ifndef KERNEL_MVT_C
#define KERNEL_MVT_C

#include <stdint.h>

#define MVT_BLOCK	256	/* threads, as in the original */

struct mvt_args {
	const float *a;		/* rows x columns, row by row */
	float *x1, *x2;		/* rows, columns */
	const float *y1, *y2;	/* columns, rows */
	uint64_t rows, columns;
};

/* Two roundings on both sides, which are built without contraction. */
static inline float mvt_add(float sum, float a, float y)
{
	return sum + a * y;
}

#ifdef __riscv
#include <softgpu_kernel.h>

SGPU_REGISTERS(32);

/* @x plus the sum of @n products, of elements of A that are @stride apart. */
static inline void mvt_sum(float *x, const float *a, uint64_t stride, const float *y, uint64_t n)
{
	const float *end = y + n;
	float sum = *x;

#pragma unroll 4
	for (; y != end; y++, a += stride)
		sum = mvt_add(sum, *a, *y);
	*x = sum;
}

void mvt_rows(const struct mvt_args *args)
{
	uint64_t row = global_idx_x(), columns = args->columns;

	if (row < args->rows)
		mvt_sum(args->x1 + row, args->a + row * columns, 1, args->y1, columns);
}

void mvt_columns(const struct mvt_args *args)
{
	uint64_t column = global_idx_x(), columns = args->columns;

	if (column < columns)
		mvt_sum(args->x2 + column, args->a + column, columns, args->y2, args->rows);
}
#endif

#endif
