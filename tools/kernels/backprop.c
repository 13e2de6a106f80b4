// SPDX-License-Identifier: GPL-2.0
/*
 * backprop: a step of learning of a neural network with one hidden layer, after
 * Rodinia's backprop (Che et al., IISWC 2009).  Between inputs and 16 hidden units are
 * the weights; the layer above is small and the CPU's.
 *
 * backprop_forward multiplies 16 rows of weights with their inputs in a block, adds up
 * each column as a tree in shared memory and writes 16 sums: "weights" and "inputs" are
 * read once, in order.  The CPU reads "sums" and says how wrong each hidden unit is.
 * backprop_adjust reads and writes "learned" and "changes" once, in order, and reads
 * "inputs" again.  A page has the rows of four blocks.  "learned" are the weights, or a copy
 * of them.
 *
 * Row 0 is that of an input which is always 1, and column 0 is not used.  Rodinia leaves
 * its sums in the weights and then copies these to the GPU anew; here they stay whole.  The
 * version of the adaptive framework (Ganguly et al., DATE 2021), whose memory is managed, has
 * them twice from the beginning.
 */
#ifndef KERNEL_BACKPROP_C
#define KERNEL_BACKPROP_C

#include <stdint.h>

#define BACKPROP_SIDE	16			/* hidden units, and inputs of a block */
#define BACKPROP_ROW	(BACKPROP_SIDE + 1)	/* weights of an input */
#define BACKPROP_BLOCK	(BACKPROP_SIDE * BACKPROP_SIDE)
#define BACKPROP_SHARED	(BACKPROP_BLOCK * 4)

#define BACKPROP_RATE		0.3f	/* of learning */
#define BACKPROP_MOMENTUM	0.3f

/**
 * struct backprop_args - arguments of both kernels, in managed memory
 * @inputs: count + 1
 * @weights: a row for each input
 * @learned: the same array, or one like it
 * @changes: to each weight, the last time
 * @sums: of a block, a number for each hidden unit
 * @error: of each hidden unit, from 1
 */
struct backprop_args {
	const float *inputs;
	const float *weights;
	float *learned;
	float *changes;
	float *sums;
	const float *error;
};

/* What is added to a weight; the same order of operations on both sides. */
static inline float backprop_change(float error, float input, float last)
{
	return BACKPROP_RATE * error * input + BACKPROP_MOMENTUM * last;
}

#ifdef __riscv
#include <softgpu_kernel.h>

SGPU_REGISTERS(32);

void backprop_forward(const struct backprop_args *args)
{
	uint32_t thread = thread_idx_x(), x = thread % BACKPROP_SIDE, y = thread / BACKPROP_SIDE;
	uint64_t block = block_idx_x(), input = block * BACKPROP_SIDE + y + 1;
	float *cell = (float *)shared_base() + thread;
	float sum = args->weights[input * BACKPROP_ROW + x + 1] * args->inputs[input];

	*cell = sum;
#pragma unroll
	for (uint32_t apart = 1; apart < BACKPROP_SIDE; apart *= 2) {
		barrier();
		if (!(y % (2 * apart))) {
			sum = sum + cell[apart * BACKPROP_SIDE];
			*cell = sum;
		}
	}
	if (!y)
		args->sums[block * BACKPROP_SIDE + x] = sum;
}

void backprop_adjust(const struct backprop_args *args)
{
	uint32_t thread = thread_idx_x(), x = thread % BACKPROP_SIDE + 1;
	uint64_t input = block_idx_x() * BACKPROP_SIDE + thread / BACKPROP_SIDE + 1;
	uint64_t i = input * BACKPROP_ROW + x;
	float error = args->error[x];
	float change = backprop_change(error, args->inputs[input], args->changes[i]);

	args->learned[i] = args->learned[i] + change;
	args->changes[i] = change;
	if (input != 1)
		return;
	change = backprop_change(error, 1.0f, args->changes[x]);
	args->learned[x] = args->learned[x] + change;
	args->changes[x] = change;
}
#endif

#endif
