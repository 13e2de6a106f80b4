// SPDX-License-Identifier: GPL-2.0
/*
 * gemm: C = alpha A * B + beta C, after GEMM of PolyBench/GPU (Grauer-Gray et al., "Auto-tuning
 * a high-level language targeted to GPU codes", InPar 2012).
 *
 * A thread makes one element of C, a block 32x8 of them; nothing is kept in shared memory.  A is
 * read and C updated once, row by row, and each block reads all of its columns of B again.
 */
#ifndef KERNEL_GEMM_C
#define KERNEL_GEMM_C

#include <stdint.h>

#define GEMM_COLUMNS	32	/* of a block */
#define GEMM_ROWS	8	/* of a block */
#define GEMM_THREADS	(GEMM_COLUMNS * GEMM_ROWS)
#define GEMM_UNROLL	8	/* the columns of A are a multiple */

/**
 * struct gemm_args - arguments
 * @a: @rows x @inner
 * @b: @inner x @width
 * @c: @rows x @width
 * @rows: of C
 * @inner: columns of A, rows of B
 * @alpha: factor of the product
 * @beta: and of C as it was
 * @width: columns of C and B, a multiple of GEMM_COLUMNS
 */
struct gemm_args {
	const float *a, *b;
	float *c;
	uint64_t rows, inner;
	float alpha, beta;
	uint64_t width;
};

#ifdef __riscv
#include <softgpu_kernel.h>

SGPU_REGISTERS(32);

/* A row times a column: @sum is added to from @a to @end. */
#define GEMM_SUM(sum, a, end, b, width) do {					\
	for (; (a) != (end); (a) += GEMM_UNROLL, (b) += GEMM_UNROLL * (width))	\
		_Pragma("unroll")						\
		for (int k = 0; k < GEMM_UNROLL; k++)				\
			(sum) = __builtin_fmaf((a)[k], (b)[k * (width)], sum);	\
} while (0)

/* C is as wide as a block. */
void gemm(const struct gemm_args *args)
{
	uint64_t thread = thread_idx_x(), column = thread % GEMM_COLUMNS;
	uint64_t row = (uint64_t)block_idx_x() * GEMM_ROWS + thread / GEMM_COLUMNS;
	const float *a = args->a + row * args->inner, *end = a + args->inner;
	const float *b = args->b + column;
	float *c = args->c + row * GEMM_COLUMNS + column;
	float sum = 0.0f;

	if (row >= args->rows)
		return;
	GEMM_SUM(sum, a, end, b, GEMM_COLUMNS);
	*c = args->alpha * sum + args->beta * *c;
}

/* Blocks lie side by side, too. */
void gemm_wide(const struct gemm_args *args)
{
	uint64_t thread = thread_idx_x();
	uint64_t column = (uint64_t)block_idx_x() * GEMM_COLUMNS + thread % GEMM_COLUMNS;
	uint64_t row = (uint64_t)block_idx_y() * GEMM_ROWS + thread / GEMM_COLUMNS;
	const float *a = args->a + row * args->inner, *end = a + args->inner;
	const float *b = args->b + column;
	float *c = args->c + row * args->width + column;
	float sum = 0.0f;

	if (row >= args->rows)
		return;
	GEMM_SUM(sum, a, end, b, args->width);
	*c = args->alpha * sum + args->beta * *c;
}
#endif

#endif
