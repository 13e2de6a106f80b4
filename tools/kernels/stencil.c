// SPDX-License-Identifier: GPL-2.0
/*
 * stencil: one sweep of a 2-D five-point average.  A thread owns a column of a
 * strip of rows and keeps what it has loaded, so each point costs three loads.
 * The border is left alone.
 */
#ifndef KERNEL_STENCIL_C
#define KERNEL_STENCIL_C

#include <stdint.h>

#define STENCIL_ROWS	32	/* rows of a strip */

struct stencil_args {
	const float *from;
	float *to;
	uint64_t width;
	uint64_t height;
};

/* The same order of operations on both sides: results are equal to the bit. */
static inline float stencil_point(float up, float left, float mid, float right, float down)
{
	return 0.5f * mid + 0.125f * ((up + down) + (left + right));
}

#ifdef __riscv
#include <softgpu_kernel.h>

void stencil(const struct stencil_args *args)
{
	uint64_t x = global_idx_x() + 1;
	uint64_t y = (uint64_t)block_idx_y() * STENCIL_ROWS + 1;
	uint64_t width = args->width;
	uint64_t end = y + STENCIL_ROWS;
	const float *from;
	float *to;
	float up, mid, down;

	if (x >= width - 1)
		return;
	if (end > args->height - 1)
		end = args->height - 1;

	from = args->from + y * width + x;
	to = args->to + y * width + x;
	up = from[-(int64_t)width];
	mid = from[0];
	for (; y < end; y++) {
		down = from[width];
		*to = stencil_point(up, from[-1], mid, from[1], down);
		up = mid;
		mid = down;
		from += width;
		to += width;
	}
}
#endif

#endif
