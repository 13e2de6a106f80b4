// SPDX-License-Identifier: GPL-2.0
/*
 * stencil3d: a 7-point Jacobi stencil, after Parboil's stencil (Stratton et al., "Parboil: a
 * revised benchmark suite for scientific and commercial throughput computing", 2012).
 *
 * A thread owns two columns of points, 32 apart, a block 64x4 columns, and all of them walk along
 * z.  So each launch sweeps both grids once, layer by layer; then the grids change places.  The
 * border is left alone.
 */
#ifndef KERNEL_STENCIL3D_C
#define KERNEL_STENCIL3D_C

#include <stdint.h>

#define STENCIL3D_WIDTH		32	/* threads of a block; half of its columns */
#define STENCIL3D_HEIGHT	4
#define STENCIL3D_THREADS	(STENCIL3D_WIDTH * STENCIL3D_HEIGHT)

struct stencil3d_args {
	const float *from;
	float *to;
	uint64_t width, height, layers;
	float centre, side;	/* factors of the point, and of its neighbours */
};

/* Of neighbours along x, y and z; the same order of operations on both sides. */
static inline float stencil3d_point(const struct stencil3d_args *args, float mid, float x, float y,
				    float z)
{
	return args->side * (x + y + z) - args->centre * mid;
}

#ifdef __riscv
#include <softgpu_kernel.h>

SGPU_REGISTERS(40);

/* What a thread keeps of a column. */
struct stencil3d_column {
	float below, mid;
};

/* The point at @from + @i; rows are @width apart, and @next is the layer above. */
static inline void stencil3d_step(const struct stencil3d_args *args, const float *from,
				  const float *next, uint64_t width, float *to, int i,
				  struct stencil3d_column *column)
{
	const float *up = from - width, *down = from + width;
	float above = next[i];

	to[i] = stencil3d_point(args, column->mid, from[i - 1] + from[i + 1], up[i] + down[i],
				column->below + above);
	column->below = column->mid;
	column->mid = above;
}

void stencil3d(const struct stencil3d_args *args)
{
	/* A copy: stores to the grid cannot change that. */
	const struct stencil3d_args copy = *args;
	uint64_t thread = thread_idx_x(), width = copy.width, plane = width * copy.height;
	uint64_t x = (uint64_t)block_idx_x() * 2 * STENCIL3D_WIDTH + thread % STENCIL3D_WIDTH + 1;
	uint64_t y = (uint64_t)block_idx_y() * STENCIL3D_HEIGHT + thread / STENCIL3D_WIDTH + 1;
	uint64_t at = y * width + x, layers = copy.layers - 2;
	const float *from = copy.from + at, *next = from + plane;
	float *to = copy.to + at;
	int two = x + STENCIL3D_WIDTH < width - 1;
	struct stencil3d_column first, second = { 0 };

	if (x >= width - 1 || y >= copy.height - 1)
		return;
	first = (struct stencil3d_column){ from[0], next[0] };
	if (two)
		second = (struct stencil3d_column){ from[STENCIL3D_WIDTH], next[STENCIL3D_WIDTH] };
	do {
		from = next;
		next += plane;
		to += plane;
		/* Otherwise the compiler keeps an address for each neighbour. */
		__asm__("" : "+r"(from), "+r"(next), "+r"(to));
		stencil3d_step(&copy, from, next, width, to, 0, &first);
		/* "Expected": then its code is above the end of the loop, where lanes join. */
		if (__builtin_expect(two, 1))
			stencil3d_step(&copy, from, next, width, to, STENCIL3D_WIDTH, &second);
	} while (--layers);
}
#endif

#endif
