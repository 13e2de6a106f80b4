// SPDX-License-Identifier: GPL-2.0
/*
 * 2dconv: a 3x3 convolution, after 2DCONV of PolyBench/GPU (Grauer-Gray et al., "Auto-tuning a
 * high-level language targeted to GPU codes", InPar 2012).
 *
 * A thread makes one element, a block 32x8 of them.  The input is read once, row by row, with
 * the rows above and below close behind; the output is written once.  The border of the output
 * is left alone.
 */
#ifndef KERNEL_2DCONV_C
#define KERNEL_2DCONV_C

#include <stdint.h>

#define CONV2D_WIDTH	32	/* of a block */
#define CONV2D_HEIGHT	8
#define CONV2D_THREADS	(CONV2D_WIDTH * CONV2D_HEIGHT)

/**
 * struct conv2d_args - arguments
 * @from: input, the first element that is not of the border
 * @to: the same of the output
 * @side: of the matrix, with the border
 * @inner: without it
 * @weight: of the neighbours, row by row
 */
struct conv2d_args {
	const float *from;
	float *to;
	uint64_t side;
	uint64_t inner;
	float weight[9];
};

static inline float conv2d_row(const float *weight, const float *middle)
{
	return weight[0] * middle[-1] + weight[1] * middle[0] + weight[2] * middle[1];
}

/* The same order of operations on both sides: results are equal to the bit. */
static inline float conv2d_element(const float *weight, const float *middle, uint64_t side)
{
	return conv2d_row(weight, middle - side) + conv2d_row(weight + 3, middle) +
	       conv2d_row(weight + 6, middle + side);
}

#ifdef __riscv
#include <softgpu_kernel.h>

SGPU_REGISTERS(24);

void conv2d(const struct conv2d_args *args)
{
	uint64_t thread = thread_idx_x();
	uint64_t x = (uint64_t)block_idx_x() * CONV2D_WIDTH + thread % CONV2D_WIDTH;
	uint64_t y = (uint64_t)block_idx_y() * CONV2D_HEIGHT + thread / CONV2D_WIDTH;
	uint64_t at = y * args->side + x;

	if (x < args->inner && y < args->inner)
		args->to[at] = conv2d_element(args->weight, args->from + at, args->side);
}
#endif

#endif
