// SPDX-License-Identifier: GPL-2.0
/*
 * tealeaf: implicit heat conduction on a 2-D grid, solved by conjugate gradients,
 * as the mini-application of that name does.  A is the five-point operator
 *
 *	(A u)(x, y) = u(x, y) - differences with the four neighbours, each times the
 *		      conductivity of the face between
 *
 * on the inner cells; the border has no conductivity.  A block owns
 * TEALEAF_BLOCK * TEALEAF_EACH cells in a row and reduces its part of a dot
 * product in shared memory, in an order that does not depend on timing; a launch
 * of one block adds the parts.
 */
#ifndef KERNEL_TEALEAF_C
#define KERNEL_TEALEAF_C

#include <stdint.h>

#define TEALEAF_BLOCK	256	/* threads; a power of two */
#define TEALEAF_EACH	4	/* cells per thread */
#define TEALEAF_CELLS	(TEALEAF_BLOCK * TEALEAF_EACH)

/* All steps walk over the cells alike; each is a kernel of its own. */
enum tealeaf_step {
	TEALEAF_CONDUCT,	/* kx, ky of density; u = energy * density */
	TEALEAF_RESIDUAL,	/* r = p = u - A u; sum r * r */
	TEALEAF_APPLY,		/* w = A p; sum p * w */
	TEALEAF_ADVANCE,	/* u += alpha p, r -= alpha w; sum r * r */
	TEALEAF_DIRECTION,	/* p = r + beta p */
	TEALEAF_FINISH,		/* energy = u / density */
};

struct tealeaf_args {
	const float *density;
	float *energy;
	float *u, *p, *r, *w;
	float *kx, *ky;		/* of the face to the left, and above */
	float *partial;		/* one word per block, and a last one for the sum */
	uint64_t width;
	uint64_t cells;
	uint64_t blocks;
	float scale;		/* alpha, beta, or time step / (cell width)^2 */
};

static inline int tealeaf_has_sum(enum tealeaf_step step)
{
	return step == TEALEAF_RESIDUAL || step == TEALEAF_APPLY || step == TEALEAF_ADVANCE;
}

/* Mean of the reciprocals of two densities. */
static inline float tealeaf_face(float a, float b, float scale)
{
	return scale * (a + b) / (2.0f * a * b);
}

static inline void tealeaf_conductivity(const struct tealeaf_args *args, uint64_t i, int inner_x,
					int inner_y)
{
	float here = args->density[i];

	/* Faces of the border do not conduct: nothing leaves the inner cells. */
	args->kx[i] = inner_x ? tealeaf_face(args->density[i - 1], here, args->scale) : 0.0f;
	args->ky[i] = inner_y ? tealeaf_face(args->density[i - args->width], here, args->scale) :
			       0.0f;
	args->u[i] = args->energy[i] * here;
}

static inline float tealeaf_operator(const struct tealeaf_args *args, const float *v, uint64_t i)
{
	uint64_t width = args->width;
	float left = args->kx[i], right = args->kx[i + 1];
	float up = args->ky[i], down = args->ky[i + width];

	return (1.0f + ((left + right) + (up + down))) * v[i] -
	       (left * v[i - 1] + right * v[i + 1]) - (up * v[i - width] + down * v[i + width]);
}

/* One inner cell of a step; returns its part of the sum. */
static inline float tealeaf_inner(const struct tealeaf_args *args, enum tealeaf_step step,
				  uint64_t i)
{
	float value;

	switch (step) {
	case TEALEAF_RESIDUAL:
		value = args->u[i] - tealeaf_operator(args, args->u, i);
		args->r[i] = value;
		args->p[i] = value;
		return value * value;
	case TEALEAF_APPLY:
		value = tealeaf_operator(args, args->p, i);
		args->w[i] = value;
		return args->p[i] * value;
	case TEALEAF_ADVANCE:
		args->u[i] = args->u[i] + args->scale * args->p[i];
		value = args->r[i] - args->scale * args->w[i];
		args->r[i] = value;
		return value * value;
	case TEALEAF_DIRECTION:
		args->p[i] = args->r[i] + args->scale * args->p[i];
		return 0.0f;
	default:
		args->energy[i] = args->u[i] / args->density[i];
		return 0.0f;
	}
}

/* One cell; the same order of operations on both sides. */
static inline float tealeaf_cell(const struct tealeaf_args *args, enum tealeaf_step step,
				 uint64_t i)
{
	uint64_t width = args->width, x;

	if (i >= args->cells)
		return 0.0f;
	x = i % width;
	if (step == TEALEAF_CONDUCT) {
		int row_inside = i >= width && i < args->cells - width;
		int column_inside = x >= 1 && x < width - 1;

		tealeaf_conductivity(args, i, row_inside && x >= 2 && column_inside,
				     column_inside && i >= 2 * width && row_inside);
		return 0.0f;
	}
	if (x == 0 || x == width - 1 || i < width || i >= args->cells - width)
		return 0.0f;
	return tealeaf_inner(args, step, i);
}

/* What thread @thread of block @block adds up before the block reduces. */
static inline float tealeaf_thread(const struct tealeaf_args *args, enum tealeaf_step step,
				   uint64_t block, uint32_t thread)
{
	uint64_t i = block * TEALEAF_CELLS + thread;
	float sum = 0.0f;

	for (uint32_t each = 0; each < TEALEAF_EACH; each++, i += TEALEAF_BLOCK)
		sum = sum + tealeaf_cell(args, step, i);
	return sum;
}

/* The same of the block that adds the parts. */
static inline float tealeaf_parts(const struct tealeaf_args *args, uint32_t thread)
{
	float sum = 0.0f;

	for (uint64_t i = thread; i < args->blocks; i += TEALEAF_BLOCK)
		sum = sum + args->partial[i];
	return sum;
}

#ifdef __riscv
#include <softgpu_kernel.h>

/* The block's sum, in thread 0. */
static inline float tealeaf_reduce(float sum, uint32_t thread)
{
	float *shared = shared_base();

	shared[thread] = sum;
	for (uint32_t half = TEALEAF_BLOCK / 2; half; half /= 2) {
		barrier();
		if (thread < half) {
			sum = sum + shared[thread + half];
			shared[thread] = sum;
		}
	}
	return sum;
}

static inline __attribute__((always_inline)) void tealeaf_run(const struct tealeaf_args *args,
							      enum tealeaf_step step)
{
	/* A copy: stores to the vectors cannot change that. */
	const struct tealeaf_args copy = *args;
	uint32_t thread = thread_idx_x();
	float sum = tealeaf_thread(&copy, step, block_idx_x(), thread);

	if (!tealeaf_has_sum(step))
		return;
	sum = tealeaf_reduce(sum, thread);
	if (!thread)
		copy.partial[block_idx_x()] = sum;
}

#define TEALEAF_KERNEL(name, step)					\
void name(const struct tealeaf_args *args)				\
{									\
	tealeaf_run(args, step);					\
}

TEALEAF_KERNEL(tealeaf_conduct, TEALEAF_CONDUCT)
TEALEAF_KERNEL(tealeaf_residual, TEALEAF_RESIDUAL)
TEALEAF_KERNEL(tealeaf_apply, TEALEAF_APPLY)
TEALEAF_KERNEL(tealeaf_advance, TEALEAF_ADVANCE)
TEALEAF_KERNEL(tealeaf_direction, TEALEAF_DIRECTION)
TEALEAF_KERNEL(tealeaf_finish, TEALEAF_FINISH)

void tealeaf_sum(const struct tealeaf_args *args)
{
	uint32_t thread = thread_idx_x();
	float sum = tealeaf_reduce(tealeaf_parts(args, thread), thread);

	if (!thread)
		args->partial[args->blocks] = sum;
}
#endif

#endif
