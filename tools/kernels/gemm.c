// SPDX-License-Identifier: GPL-2.0
/*
 * gemm: C = alpha A * B + beta C, after GEMM of PolyBench/GPU (Grauer-Gray et al., "Auto-tuning
 * a high-level language targeted to GPU codes", InPar 2012).
 *
 * A thread makes one element of C, a block 32x8 of them; nothing is kept in shared memory.  A is
 * tall and B small: A is read and C updated once, row by row, and each block reads all of its
 * columns of B again.
 */
#ifndef KERNEL_GEMM_C
#define KERNEL_GEMM_C

#include <stdint.h>

#define GEMM_WIDTH	32	/* columns of C, and of a block */
#define GEMM_HEIGHT	8	/* rows of a block */
#define GEMM_THREADS	(GEMM_WIDTH * GEMM_HEIGHT)
#define GEMM_UNROLL	8	/* the columns of A are a multiple */

/**
 * struct gemm_args - arguments
 * @a: @rows x @inner
 * @b: @inner x GEMM_WIDTH
 * @c: @rows x GEMM_WIDTH
 * @rows: of C
 * @inner: columns of A, rows of B
 * @alpha: factor of the product
 * @beta: and of C as it was
 */
struct gemm_args {
	const float *a, *b;
	float *c;
	uint64_t rows, inner;
	float alpha, beta;
};

#ifdef __riscv
#include <softgpu_kernel.h>

SGPU_REGISTERS(32);

void gemm(const struct gemm_args *args)
{
	uint64_t thread = thread_idx_x(), column = thread % GEMM_WIDTH;
	uint64_t row = (uint64_t)block_idx_x() * GEMM_HEIGHT + thread / GEMM_WIDTH;
	const float *a = args->a + row * args->inner, *end = a + args->inner;
	const float *b = args->b + column;
	float *c = args->c + row * GEMM_WIDTH + column;
	float sum = 0.0f;

	if (row >= args->rows)
		return;
	for (; a != end; a += GEMM_UNROLL, b += GEMM_UNROLL * GEMM_WIDTH)
#pragma unroll
		for (int k = 0; k < GEMM_UNROLL; k++)
			sum = __builtin_fmaf(a[k], b[k * GEMM_WIDTH], sum);
	*c = args->alpha * sum + args->beta * *c;
}
#endif

#endif
