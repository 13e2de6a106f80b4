// SPDX-License-Identifier: GPL-2.0
/*
 * atax: y = A' (A x), after PolyBench/GPU's ATAX (Grauer-Gray et al., InPar 2012).
 *
 * atax_rows has a thread for each row of A: the lanes of a warp walk along 32 rows side by side,
 * which lie a row apart, so that with 1200 columns an access touches 32 pages.  atax_columns has a
 * thread for each column and walks down: a row at a time, all of A in the order of addresses.
 * Sums are in memory throughout, as in the original: each step reads and writes one.
 */
#ifndef KERNEL_ATAX_C
#define KERNEL_ATAX_C

#include <stdint.h>

#define ATAX_BLOCK	256	/* threads, as in the original */

struct atax_args {
	const float *a;		/* side x side, row by row */
	const float *x;
	float *product;		/* A x; zero before the run */
	float *y;		/* likewise */
	uint64_t side;
};

/* Two roundings on both sides, which are built without contraction. */
static inline float atax_add(float sum, float a, float x)
{
	return sum + a * x;
}

#ifdef __riscv
#include <softgpu_kernel.h>

SGPU_REGISTERS(24);

/* Adds to @sum the products of elements of A that are @stride apart. */
static inline void atax_sum(float *sum, const float *a, uint64_t stride, const float *x, uint64_t n)
{
	const float *end = x + n;

#pragma unroll 4
	for (; x != end; x++, a += stride)
		*sum = atax_add(*sum, *a, *x);
}

void atax_rows(const struct atax_args *args)
{
	uint64_t row = global_idx_x(), side = args->side;

	if (row < side)
		atax_sum(args->product + row, args->a + row * side, 1, args->x, side);
}

void atax_columns(const struct atax_args *args)
{
	uint64_t column = global_idx_x(), side = args->side;

	if (column < side)
		atax_sum(args->y + column, args->a + column, side, args->product, side);
}
#endif

#endif
