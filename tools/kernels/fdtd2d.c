// SPDX-License-Identifier: GPL-2.0
/*
 * fdtd2d: a wave in two dimensions by finite differences in time, after FDTD-2D of PolyBench/GPU
 * (Grauer-Gray et al., "Auto-tuning a high-level language targeted to GPU codes", InPar 2012).
 *
 * Three launches a step, fdtd2d_ey, fdtd2d_ex and fdtd2d_hz, each from the first row to the last: a
 * thread has one element, a block 32x8 of them.  The fields "ey" and "ex" follow from differences
 * of "hz" along a column and along a row, "hz" from theirs.  So each launch reads two or all three
 * arrays and writes one in place, and every step sweeps all of them again.
 */
#ifndef KERNEL_FDTD2D_C
#define KERNEL_FDTD2D_C

#include <stdint.h>

#define FDTD2D_WIDTH	32	/* of a block */
#define FDTD2D_HEIGHT	8
#define FDTD2D_THREADS	(FDTD2D_WIDTH * FDTD2D_HEIGHT)

/* How much of a difference is taken from a field: PolyBench's. */
#define FDTD2D_OF_E	0.5f
#define FDTD2D_OF_H	0.7f

/**
 * struct fdtd2d_args - arguments of all three kernels
 * @ex: @side rows of @side + 1
 * @ey: @side + 1 rows of @side
 * @hz: @side rows of @side
 * @pulse: what the first row of @ey is in this step
 * @side: of the grid
 * @of_e: FDTD2D_OF_E, which costs less to load here
 * @of_h: FDTD2D_OF_H
 */
struct fdtd2d_args {
	float *ex, *ey, *hz;
	const float *pulse;
	int32_t side;
	float of_e, of_h;
};

/* The same order of operations on both sides, which are built without contraction. */
static inline float fdtd2d_e(float of_e, float e, float hz, float before)
{
	return e - of_e * (hz - before);
}

static inline float fdtd2d_h(float of_h, float hz, const float *ex, float ey, float below)
{
	return hz - of_h * (ex[1] - ex[0] + below - ey);
}

#ifdef __riscv
#include <softgpu_kernel.h>

SGPU_REGISTERS(32);

/* 32 bits will do, and take fewer instructions. */
static inline int32_t fdtd2d_x(void)
{
	return (int32_t)(block_idx_x() * FDTD2D_WIDTH + thread_idx_x() % FDTD2D_WIDTH);
}

static inline int32_t fdtd2d_y(void)
{
	return (int32_t)(block_idx_y() * FDTD2D_HEIGHT + thread_idx_x() / FDTD2D_WIDTH);
}

void fdtd2d_ey(const struct fdtd2d_args *args)
{
	int32_t x = fdtd2d_x(), y = fdtd2d_y(), side = args->side, at = y * side + x;
	float *ey = args->ey + at;
	const float *hz = args->hz + at;

	if (x >= side || y >= side)
		return;
	*ey = y ? fdtd2d_e(args->of_e, *ey, *hz, *(hz - side)) : *args->pulse;
}

void fdtd2d_ex(const struct fdtd2d_args *args)
{
	int32_t x = fdtd2d_x(), y = fdtd2d_y(), side = args->side, at = y * side + x;
	float *ex = args->ex + at + y;
	const float *hz = args->hz + at;

	/* The first column is nobody's. */
	if (!x || x >= side || y >= side)
		return;
	*ex = fdtd2d_e(args->of_e, *ex, hz[0], hz[-1]);
}

void fdtd2d_hz(const struct fdtd2d_args *args)
{
	int32_t x = fdtd2d_x(), y = fdtd2d_y(), side = args->side, at = y * side + x;
	const float *ey = args->ey + at;
	float *hz = args->hz + at;

	if (x >= side || y >= side)
		return;
	*hz = fdtd2d_h(args->of_h, *hz, args->ex + at + y, *ey, ey[side]);
}
#endif

#endif
